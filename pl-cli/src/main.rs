//! The command line of `pl`.

mod explain;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Tools for kernels written with `pl`
#[derive(Parser)]
#[command(name = "pl", version)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Explains a diagnostic of the compiler
    Explain {
        /// Its code, such as PL0001
        #[arg(required_unless_present = "list")]
        code: Option<String>,
        /// Lists all codes with their titles
        #[arg(long, conflicts_with = "code")]
        list: bool,
    },
}

fn main() -> ExitCode {
    let Command::Explain { code, .. } = Options::parse().command;
    let Some(code) = code else {
        return print(&explain::list());
    };
    match explain::page(&code) {
        Some(page) => print(page),
        None => {
            eprint!("{}", explain::unknown(&code));
            ExitCode::from(2)
        }
    }
}

/// Writes to stdout. A reader that has gone away (`pl explain --list | head -1`) is no failure.
fn print(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

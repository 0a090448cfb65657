//! The command line of `pl`.

mod explain;
mod options;
mod output;
mod run_orchestration;
mod scope_stats_command;

use clap::{CommandFactory, Parser};
use options::{CHILD, Child, Command, Options};
use output::{Ending, print, refuse};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).peekable();
    let ending = if args.peek().is_some_and(|command| command == CHILD) {
        let Child { parent, job } = Child::parse_from(args);
        run_orchestration::run_child(&job, parent)
    } else {
        run(Options::parse().command)
    };
    ending.into()
}

fn run(command: Command) -> Ending {
    match command {
        Command::Explain(options) => explain(options.code.as_deref()),
        Command::ScopeStats(options) => scope_stats_command::run(&options),
        Command::Source(job) => run_orchestration::run(&job),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Options::command(), "pl", &mut script);
            print(&String::from_utf8_lossy(&script), Ending::Good)
        }
        Command::Man { dir } => man(dir.as_deref()),
    }
}

fn explain(code: Option<&str>) -> Ending {
    let Some(code) = code else {
        return print(&explain::list(), Ending::Good);
    };
    match explain::page(code) {
        Some(page) => print(page, Ending::Good),
        None => {
            anstream::eprint!("{}", explain::unknown(code));
            Ending::Refused
        }
    }
}

fn man(folder: Option<&Path>) -> Ending {
    let written = match folder {
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Options::command(), folder))
            .map(|()| {
                format!(
                    "wrote {}/pl.1 and those of the commands\n",
                    folder.display()
                )
            }),
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(Options::command()).render(&mut page);
            rendered.map(|()| String::from_utf8_lossy(&page).into_owned())
        }
    };
    match (written, folder) {
        (Ok(text), _) => print(&text, Ending::Good),
        (Err(error), Some(folder)) => {
            refuse(&format!("{}: cannot be written: {error}", folder.display()))
        }
        (Err(error), None) => refuse(&error.to_string()),
    }
}

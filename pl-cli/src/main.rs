//! The command line of `pl`.

mod explain;
mod options;
mod output;
mod run_orchestration;
mod scope_stats_command;

use clap::Parser;
use options::{Command, Options};
use output::{Ending, print};
use std::process::ExitCode;

fn main() -> ExitCode {
    let ending = match Options::parse().command {
        Command::Explain(options) => explain(options.code.as_deref()),
        Command::ScopeStats(options) => scope_stats_command::run(&options),
        Command::RunOrchestration(options) => run_orchestration::run(&options),
        Command::RunOrchestrationChild { parent, options } => {
            run_orchestration::run_child(&options, parent)
        }
    };
    ending.into()
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

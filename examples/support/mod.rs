//! What the examples share: options, and how a program ends.
//!
//! Exit codes: 0 = the result is right, 1 = it is wrong or the run failed, 2 = the program was not
//! asked for something it can do.

#![allow(dead_code, unused_imports, reason = "no example uses all of it")]

mod options;
mod recordings;

pub(crate) use options::{RunOptions, require_memory, size};

use clap::Parser;
use clap::error::ErrorKind;
use pl::golden::{GoldenError, Report};
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// Why an example ended early.
pub(crate) enum Failure {
    /// The options or the input file cannot be used.
    Usage(String),
    /// The run was refused or failed.
    Run(pl::Error),
}

impl Failure {
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }
}

impl From<pl::Error> for Failure {
    fn from(error: pl::Error) -> Self {
        match error {
            pl::Error::Config(_) | pl::Error::Argument(_) => Self::Usage(error.to_string()),
            other => Self::Run(other),
        }
    }
}

impl From<GoldenError> for Failure {
    fn from(error: GoldenError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Reads the options, runs the example and ends as the module says.
pub(crate) fn main<O: Parser>(run: impl FnOnce(&O) -> Result<Option<Report>, Failure>) -> ExitCode {
    let options = match O::try_parse() {
        Ok(options) => options,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp) => error.exit(),
        Err(error) => {
            let text = error.to_string();
            let what = text.split("\n\n").next().unwrap_or_default();
            return usage(what.trim_start_matches("error: "));
        }
    };
    match run(&options) {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(report)) if report.passed() => ExitCode::SUCCESS,
        Ok(Some(_)) => ExitCode::FAILURE,
        Err(Failure::Usage(text)) => usage(&text),
        Err(Failure::Run(error)) => {
            let text = error.to_string();
            eprintln!("error: {text}");
            say(format_args!(
                "FAIL {}",
                text.lines().next().unwrap_or_default()
            ));
            ExitCode::FAILURE
        }
    }
}

/// Writes a line to stdout. A reader that has gone away (`.. | head -1`) is no failure.
pub(crate) fn say(text: impl Display) {
    let text = text.to_string();
    let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
}

/// One line, however many `text` has.
fn usage(text: &str) -> ExitCode {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    eprintln!("error: {}", lines.join("; "));
    ExitCode::from(2)
}

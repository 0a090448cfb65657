//! What can be written behind `pl`.

use clap::{Args, Parser, Subcommand};
use pl_cli::scope_stats::Tolerance;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  done, and nothing is wrong
  1  done, but the run failed, or the file is damaged: see the findings
  2  not done: wrong usage, or input that cannot be read
  3  `pl scope-stats A B`: a peak grew by more than the tolerance";

const SCOPE_STATS_EXAMPLES: &str = "\
Examples:
  pl scope-stats build_output/dfx_outputs/scope_stats/scope_stats.jsonl
      which scope fills a ring, and what to do about it
  pl scope-stats scope_stats.jsonl --html report.html
      the same with charts, as a page that needs no network
  pl scope-stats main.jsonl change.jsonl --tolerance 5%
      exit code 3 if a peak grew by more than 5 percent
  pl scope-stats scope_stats.jsonl --json | jq '.lanes[] | {resource, ring, demand}'";

/// Tools for kernels written with `pl`
#[derive(Parser)]
#[command(name = "pl", version, after_help = EXIT_CODES)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Explain(Explain),
    ScopeStats(ScopeStats),
}

/// Explains a diagnostic of the compiler
#[derive(Args)]
pub(crate) struct Explain {
    /// Its code, such as PL0001
    #[arg(required_unless_present = "list")]
    pub(crate) code: Option<String>,
    /// Lists all codes with their titles
    #[arg(long, conflicts_with = "code")]
    pub(crate) list: bool,
}

/// Says which scopes fill the rings, from `scope_stats.jsonl`
///
/// Reads what a run with `enable_scope_stats` wrote, of this runtime or of the device's (versions 5 and 6), in
/// whatever state it is. Files of any size are read in bounded memory. `run.json` beside the file is used if
/// it is there: it tells what the rings really needed.
#[derive(Args)]
#[command(after_help = SCOPE_STATS_EXAMPLES)]
pub(crate) struct ScopeStats {
    /// The file, or `-` for stdin
    pub(crate) file: PathBuf,
    /// A second run, compared with the first
    pub(crate) other: Option<PathBuf>,
    /// Prints everything as JSON (docs/scope-stats.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Writes a page with charts that needs nothing else
    #[arg(long, value_name = "OUT", conflicts_with = "other")]
    pub(crate) html: Option<PathBuf>,
    /// By how much a peak may grow, in percent
    #[arg(long, value_name = "PERCENT", default_value = "0%", requires = "other")]
    pub(crate) tolerance: Tolerance,
}

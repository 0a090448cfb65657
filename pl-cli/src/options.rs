//! What can be written behind `pl`.

use crate::run_orchestration::{Arguments, KernelFile, Reads, Scalar, Sizes};
use clap::{Args, Parser, Subcommand};
use pl_cli::scope_stats::Tolerance;
use pl_runtime::Values;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pl explain PL0101                          what a diagnostic means
  pl scope-stats scope_stats.jsonl           which scope fills a ring, and what to do
  pl scope-stats before.jsonl after.jsonl    whether a peak grew
  pl run-orchestration blend.cpp --arg x=zeros:f32:8x64
                                             computes with a source for the device
  pl plan blend.cpp --arg x=shape:f32:8x64   what it asks of the rings
  pl COMMAND --help                          more, with examples

Exit codes:
  0  done, and nothing is wrong
  1  done, but the run failed or crashed, the plan fails, the audit found something, or the file is damaged
  2  not done: wrong usage, or input that cannot be read, compiled or loaded
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

const RUN_ORCHESTRATION_EXAMPLES: &str = "\
Examples:
  pl run-orchestration blend.cpp --arg a=zeros:f32:64x128 b=zeros:f32:64x128 y=zeros:f32:64x128
      what it submits and what the rings need; tasks do nothing
  pl run-orchestration blend.cpp --kernels 0=add_rows.cpp 1=damp.cpp --arg a=a.npy b=random:f32:64x128:42 \\
      y=zeros:f32:64x128 --scalar f32:0.5 --output out
      computes; out/y.npy is the result, out/dfx_outputs has the statistics
  pl run-orchestration blend.cpp --arg .. --ring-heap 0,64K,0,0 --ring-task-window 16
      with a smaller heap on ring 1 and small windows: does it still run?
  pl run-orchestration build/blend --arg inputs.safetensors --output out
      the folder of a program: its source, its kernels, its arguments by name

Tensors:
  NAME=FILE.npy           elements of a file; float64 is not known
  NAME=FILE.safetensors:ARRAY
  FILE.safetensors        of a folder: all arguments that the file has
  NAME=zeros:TYPE:DIMS    TYPE is f32, f16, bf16, i8 to i64, u8 to u64 or bool; DIMS such as 8x64
  NAME=ones:TYPE:DIMS
  NAME=random:TYPE:DIMS[:SEED]    floats from -1 to 1, integers from -8 to 7 (unsigned: 0 to 15)
  NAME=shape:TYPE:DIMS    no elements: for `pl plan` and `pl audit`

Exit codes:
  0  it ran
  1  the run failed or crashed
  2  not run: wrong usage, no compiler, compile errors, missing symbols or arguments";

const PLAN_EXAMPLES: &str = "\
Examples:
  pl plan blend.cpp --arg a=shape:f32:64x128 b=shape:f32:64x128 y=shape:f32:64x128
      what each ring needs; shapes take no memory
  pl plan build/blend
      the same for the folder of a program, with the shapes that its manifest has
  pl plan blend.cpp --arg .. --ring-heap 16K
      whether it completes with these heaps, and what fails if it does not
  pl plan moe.cpp --arg .. --value moe.cpp:40=3,1
      the source reads an element that a task computes, at line 40: first 3, then 1

Exit codes:
  0  it completes in the rings given
  1  it fails in them, or crashed
  2  not planned: wrong usage, no compiler, compile errors, missing symbols or arguments";

const AUDIT_EXAMPLES: &str = "\
Examples:
  pl audit join.cpp --arg x=shape:f32:256 y=shape:f32:256 --scalar i64:0
  pl audit moe.cpp --arg x=shape:f32:256 --value moe.cpp:40=3,1
      the source reads an element that a task computes, at line 40: first 3, then 1

Exit codes:
  0  the device orders everything
  1  it does not, or the source failed or crashed
  2  not audited: wrong usage, no compiler, compile errors, missing symbols or arguments";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  pl explain PL0101
      what happened, a program that is wrong, one that is right, and why
  pl explain --list";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  pl completions bash > ~/.local/share/bash-completion/completions/pl
  pl completions zsh > ~/.zfunc/_pl
  pl completions fish > ~/.config/fish/completions/pl.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  pl man | man -l -
  pl man --dir ~/.local/share/man/man1";

/// Name of the command that does the work on sources of C++ in a process of its own.
pub(crate) const CHILD: &str = "run-orchestration-child";

/// Tools for kernels written with `pl`
#[derive(Parser)]
#[command(name = "pl", version, after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Explain(Explain),
    ScopeStats(ScopeStats),
    #[command(flatten)]
    Source(Box<Job>),
    /// Prints a script that completes commands and options
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// For this shell
        shell: clap_complete::Shell,
    },
    /// Prints the manual page, or writes those of all commands
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Writes `pl.1` and one page for each command to this folder
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// The command line of that process.
#[derive(Parser)]
#[command(name = CHILD)]
pub(crate) struct Child {
    /// The process that started this one
    pub(crate) parent: u32,
    #[command(subcommand)]
    pub(crate) job: Job,
}

/// What is done with a source of C++, in a process of its own.
#[derive(Subcommand)]
pub(crate) enum Job {
    RunOrchestration(RunOrchestration),
    Plan(Plan),
    Audit(Audit),
}

impl Job {
    /// The source.
    pub(crate) fn source(&self) -> &SourceOptions {
        match self {
            Self::RunOrchestration(options) => &options.source,
            Self::Plan(options) => &options.source,
            Self::Audit(options) => &options.source,
        }
    }

    /// The folder for results.
    pub(crate) fn output(&self) -> Option<&Path> {
        match self {
            Self::RunOrchestration(options) => options.output.as_deref(),
            Self::Plan(_) | Self::Audit(_) => None,
        }
    }

    /// Whether the kernels of a folder run.
    pub(crate) fn runs_own_kernels(&self) -> bool {
        matches!(self, Self::RunOrchestration(options) if !options.no_kernels)
    }

    /// What is read of elements that only a run computes.
    pub(crate) fn values(&self) -> Values {
        let values = match self {
            Self::RunOrchestration(_) => &[][..],
            Self::Plan(Plan {
                computes_nothing, ..
            })
            | Self::Audit(Audit {
                computes_nothing, ..
            }) => &computes_nothing.values,
        };
        values
            .iter()
            .fold(Values::default(), |all, reads| reads.put(all))
    }
}

/// Explains a diagnostic of the compiler
#[derive(Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
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

/// Compiles an orchestration source of C++ and runs it
///
/// The source is one for the device's runtime, with `pto_orchestration_api.h`; the header is built in. It is compiled
/// with the system's C++ compiler (the variable `CXX`, else c++, g++ or clang++), once: libraries are kept in
/// `~/.cache/pl`. Kernels are C++ with `kernel_entry(int64_t* args)`; those that are not given do nothing, which is
/// enough to see what the rings need. It runs in a process of its own, so that a crash is a report.
#[derive(Args)]
#[command(after_help = RUN_ORCHESTRATION_EXAMPLES)]
pub(crate) struct RunOrchestration {
    #[command(flatten)]
    pub(crate) source: SourceOptions,
    /// Folder for all tensors as `.npy` after the run, and for statistics in `dfx_outputs`
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Leaves out the kernels of a folder, such as those that only the device's compiler takes: their tasks do nothing
    #[arg(long)]
    pub(crate) no_kernels: bool,
}

/// Says what an orchestration source of C++ asks of the rings, before it runs
///
/// Carries out the orchestration without its tasks: for each ring, the smallest and the safe heap, the task window
/// and the dep pool, what holds each peak, what would lower it, and the error that the sizes given end with.
#[derive(Args)]
#[command(after_help = PLAN_EXAMPLES)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) source: SourceOptions,
    #[command(flatten)]
    pub(crate) computes_nothing: ComputesNothing,
}

/// Says what the device would leave unordered in an orchestration source of C++
///
/// Every pair of accesses to the same bytes, one of which writes, that the device's dependency rules and the declared
/// dependencies do not order; tensors that MANUAL scopes do not keep; scopes that a block of ring 3 holds.
#[derive(Args)]
#[command(after_help = AUDIT_EXAMPLES)]
pub(crate) struct Audit {
    #[command(flatten)]
    pub(crate) source: SourceOptions,
    #[command(flatten)]
    pub(crate) computes_nothing: ComputesNothing,
}

/// Options of what computes nothing.
#[derive(Args)]
pub(crate) struct ComputesNothing {
    /// What the source reads of elements that only a run computes, such as moe.cpp:40=3,1; the last one stays
    #[arg(long = "value", value_name = "FILE:LINE=VALUE[,VALUE..]", num_args = 1..)]
    pub(crate) values: Vec<Reads>,
    /// Prints it as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A source of C++ and what it is given.
#[derive(Args)]
pub(crate) struct SourceOptions {
    /// The source, or the folder that `Kernel::write_program` has written
    pub(crate) file: PathBuf,
    /// Sources of kernels, each with its number
    #[arg(long, value_name = "ID=KERNEL.cpp", num_args = 1..)]
    pub(crate) kernels: Vec<KernelFile>,
    /// Tensors of the entry, in its order; those of a folder by name, as far as it leaves them open
    #[arg(long = "arg", value_name = "NAME=TENSOR", num_args = 1..)]
    pub(crate) args: Vec<Arguments>,
    /// Scalars of the entry, in its order
    #[arg(long = "scalar", value_name = "TYPE:VALUE", num_args = 1..)]
    pub(crate) scalars: Vec<Scalar>,
    /// Heap bytes of the rings, such as 64K or 0,1M,0,0 (0 = 256M)
    #[arg(long, value_name = "A[,B,C,D]")]
    pub(crate) ring_heap: Option<Sizes>,
    /// Task slots of the rings, powers of two (0 = 16384)
    #[arg(long, value_name = "A[,B,C,D]")]
    pub(crate) ring_task_window: Option<Sizes>,
    /// Dependencies that the pools of the rings hold (0 = 16384)
    #[arg(long, value_name = "A[,B,C,D]")]
    pub(crate) ring_dep_pool: Option<Sizes>,
    /// Clusters of the device, of one AIC and two AIV cores each (0 = 8)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) clusters: u32,
    /// Name of the entry function, if it is not `aicpu_orchestration_entry`
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// A flag for the compiler, such as -Iinclude; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub(crate) cxx_flag: Vec<String>,
}

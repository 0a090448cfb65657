//! What can go wrong before an orchestration runs, and the error of its run.

use crate::error::Error;
use crate::record::Count;
use std::io;
use std::path::PathBuf;

/// Why an orchestration source was not run, or how its run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CppError {
    /// There is no C++ compiler.
    #[error(
        "no C++ compiler: {}\n  help: install g++ or clang++, or name one in the variable `CXX`",
        tried_as_text(tried)
    )]
    NoCompiler {
        /// The commands that were tried, each with what became of it.
        tried: Vec<(String, String)>,
    },
    /// The source does not compile.
    #[error(
        "{source_name} does not compile\n{output}\n  help: correct the source; the command was `{command}`"
    )]
    Compile {
        /// Path or name of the source.
        source_name: String,
        /// The command.
        command: String,
        /// What the compiler says.
        output: String,
    },
    /// A file cannot be read or written.
    #[error("{what} {}: {reason}\n  help: {help}", path.display())]
    File {
        /// What was done.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
        /// What to do.
        help: &'static str,
    },
    /// A compiled library cannot be loaded.
    #[error(
        "{source_name} was compiled, but cannot be loaded: {reason}\n  help: define what it uses, or name the \
         library that has it in the flags"
    )]
    Load {
        /// Path or name of the source.
        source_name: String,
        /// What the loader says.
        reason: String,
    },
    /// The source does not define what it must.
    #[error("{source_name} does not define `{symbol}`\n  help: {help}")]
    MissingSymbol {
        /// Path or name of the source.
        source_name: String,
        /// The name.
        symbol: String,
        /// What to write.
        help: String,
    },
    /// The config function asks for more arguments than there are.
    #[error(
        "{source_name} takes {}, and {} and {} are given\n  help: pass the missing ones, tensors first",
        Count(u64::from(expected.unsigned_abs()), "argument"),
        Count(*tensors as u64, "tensor"),
        Count(*scalars as u64, "scalar")
    )]
    TooFewArguments {
        /// Path or name of the source.
        source_name: String,
        /// What the source asks for.
        expected: i32,
        /// Tensors given.
        tensors: usize,
        /// Scalars given.
        scalars: usize,
    },
    /// More arguments than an entry can have.
    #[error("{count} {kind} are given\n  help: pass at most {most}")]
    TooManyArguments {
        /// Tensors or scalars.
        kind: &'static str,
        /// How many.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// The run failed.
    #[error(transparent)]
    Run(#[from] Error),
}

fn tried_as_text(tried: &[(String, String)]) -> String {
    let each = tried
        .iter()
        .map(|(command, why)| format!("`{command}`: {why}"));
    each.collect::<Vec<_>>().join("; ")
}

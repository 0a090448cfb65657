//! Reports and programs that cannot be written.

use super::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// A folder that the reports of a run cannot be written to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportError {
    /// The folder.
    pub folder: PathBuf,
    /// The operating system's answer.
    pub reason: String,
    /// Whether the run has taken place, and succeeded.
    pub run_succeeded: bool,
}

impl ReportError {
    pub(crate) fn refuse(folder: &Path, reason: &std::io::Error, run_succeeded: bool) -> Error {
        Error::Report(Box::new(Self {
            folder: folder.into(),
            reason: reason.to_string(),
            run_succeeded,
        }))
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no reports can be written to `{}`: {}",
            self.folder.display(),
            self.reason
        )?;
        if self.run_succeeded {
            f.write_str("\n  the run succeeded, what it computed is there")?;
        }
        f.write_str("\n  help: set `RunConfig::work_dir` to a folder where there is room for files")
    }
}

/// A folder that a program cannot be written to. What was in it is as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramError {
    /// The folder.
    pub folder: PathBuf,
    /// What is in the way.
    pub reason: String,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        write!(
            f,
            "no program can be written to `{folder}`: {}",
            self.reason
        )
    }
}

//! What is wrong with a file.

use std::path::{Path, PathBuf};

/// A file that cannot be read or written, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {what}", .path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, and what to do.
    pub what: String,
}

impl FileError {
    /// The error `what` of `path`.
    pub fn new(path: &Path, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}

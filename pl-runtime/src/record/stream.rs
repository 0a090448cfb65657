//! JSON arrays that are written while a run goes on, so that its length does not matter.

use super::files::NewFile;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// A file being written: a head, values with commas between them, a tail.
#[derive(Debug)]
pub(super) struct Stream {
    file: NewFile,
    empty: bool,
    /// Why it cannot be written; nothing more is then.
    failure: Option<io::Error>,
}

impl Stream {
    pub(super) fn create(folder: &Path, name: &str, head: &str) -> io::Result<Self> {
        let mut file = NewFile::create(folder, name)?;
        file.writer().write_all(head.as_bytes())?;
        Ok(Self {
            file,
            empty: true,
            failure: None,
        })
    }

    /// Adds a value.
    pub(super) fn push(&mut self, value: &impl Serialize) {
        if self.failure.is_some() {
            return;
        }
        let separator: &[u8] = if self.empty { b"\n" } else { b",\n" };
        self.empty = false;
        let to = self.file.writer();
        let written = to
            .write_all(separator)
            .and_then(|()| serde_json::to_writer(to, value).map_err(Into::into));
        self.fail(written);
    }

    /// Notes that something has not worked: the file will not be published.
    pub(super) fn fail(&mut self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.failure.get_or_insert(error);
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Writes the tail, and gives the file its name.
    pub(super) fn publish(mut self, tail: &str, name: &str) -> io::Result<()> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.file.writer().write_all(tail.as_bytes())?;
        self.file.publish(name)
    }
}

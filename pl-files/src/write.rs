//! Files that are replaced as a whole.

use crate::FileError;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// What is at `path` is replaced by all that `fill` writes, or stays as it is.
///
/// # Errors
/// The system's, or that of `fill`.
pub(crate) fn replace(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    try_replace(path, fill)
        .map_err(|error| FileError::new(path, format!("cannot be written: {error}")))
}

fn try_replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = match std::fs::canonicalize(path) {
        // A link stays one.
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err(io::Error::other("it is a folder")),
        // A device or a pipe takes bytes; there is nothing to replace.
        Ok(found) if !found.is_file() => return write(File::create(&path)?, fill),
        _ => {}
    }
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::other("it names no file"))?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(beside);
    let file = File::create_new(&beside)?;
    let outcome = write(file, fill).and_then(|()| std::fs::rename(&beside, &path));
    if outcome.is_err() {
        // The error that led here is the one to tell.
        let _ = std::fs::remove_file(&beside);
    }
    outcome
}

fn write(file: File, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    let outcome = fill(&mut writer).and_then(|()| writer.flush());
    // What is left in it is not to be tried again.
    drop(writer.into_parts());
    outcome
}

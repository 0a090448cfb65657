//! Matrices in `.npy` files.

use super::Failure;
use ndarray::{Array2, ArrayView2};
use ndarray_npy::{ViewNpyError, ViewNpyExt, WriteNpyExt};
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 4 << 30;
/// Longest header that numpy writes for a matrix, with room to spare. The parser recurses into
/// brackets, so a longer one is not handed to it.
const MAX_HEADER: usize = 1024;

/// Reads a matrix of `f32`. The file is in memory before its header is believed, so a header that
/// promises more than there is costs nothing.
pub(crate) fn read_matrix(path: &Path) -> Result<Array2<f32>, Failure> {
    let fail = |what: String| Failure::usage(format!("{}: {what}", path.display()));
    let metadata = std::fs::metadata(path).map_err(|error| fail(error.to_string()))?;
    if !metadata.is_file() {
        return Err(fail("not a regular file".into()));
    }
    if metadata.len() > MAX_FILE {
        return Err(fail(format!(
            "{} bytes; at most {MAX_FILE} are read",
            metadata.len()
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    let header = header(&bytes).unwrap_or(0..0);
    if header.len() > MAX_HEADER {
        return Err(fail("not a .npy file: its header is too long".into()));
    }
    // Before the shape is believed: beside a zero the other lengths can be anything.
    if let Some(shape) = shape(bytes.get(header.clone()).unwrap_or_default())
        && shape.split(',').any(|length| length.trim() == "0")
    {
        return Err(fail(format!("a matrix ({shape}) without elements")));
    }
    // Not every writer pads the header so that the elements behind it are aligned.
    let mut aligned = vec![0; bytes.len() + size_of::<f32>()];
    let start = (aligned.as_ptr() as usize + header.end).wrapping_neg() % size_of::<f32>();
    let aligned = &mut aligned[start..start + bytes.len()];
    aligned.copy_from_slice(&bytes);
    let matrix = ArrayView2::<f32>::view_npy(aligned).map_err(|error| fail(explain(&error)))?;
    Ok(matrix.to_owned())
}

/// Where the header of a `.npy` file stands, by what the file says of its length.
fn header(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (start, length) = match rest {
        [1, _, low, high, ..] => (10, usize::from(u16::from_le_bytes([*low, *high]))),
        [_, _, a, b, c, d, ..] => (12, u32::from_le_bytes([*a, *b, *c, *d]).try_into().ok()?),
        _ => return None,
    };
    Some(start..length.checked_add(start)?)
}

/// What stands in the parentheses of the shape.
fn shape(header: &[u8]) -> Option<&str> {
    let (_, shape) = std::str::from_utf8(header).ok()?.split_once("'shape'")?;
    Some(shape.split_once('(')?.1.split_once(')')?.0)
}

fn explain(error: &ViewNpyError) -> String {
    match error {
        ViewNpyError::WrongDescriptor(found) => format!(
            "elements are {found}, not '<f4'; write the file with `np.save(path, \
             x.astype(np.float32))`"
        ),
        ViewNpyError::NonNativeEndian => {
            "elements have the other byte order; write the file with `np.save(path, \
             x.astype(np.float32))`"
                .into()
        }
        ViewNpyError::WrongNdim(_, found) => format!(
            "an array of {found} dimensions, not 2; write the file with `np.save(path, \
             x.reshape(rows, cols))`"
        ),
        ViewNpyError::MissingBytes(bytes) => format!("truncated: {bytes} bytes are missing"),
        ViewNpyError::ExtraBytes(bytes) => format!("{bytes} bytes follow behind the last element"),
        ViewNpyError::LengthOverflow => "its header promises more elements than can be".into(),
        other => format!("not a .npy file: {other}"),
    }
}

/// Writes a matrix: what is at `path` is replaced by all of it, or stays as it is.
pub(crate) fn write_matrix(path: &Path, matrix: &Array2<f32>) -> Result<(), Failure> {
    try_write(path, matrix)
        .map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", path.display())))
}

fn try_write(path: &Path, matrix: &Array2<f32>) -> Result<(), Box<dyn Error>> {
    let path = match std::fs::canonicalize(path) {
        // A link stays one.
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error.into()),
    };
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err("it is a folder".into()),
        // A device or a pipe takes bytes; there is nothing to replace.
        Ok(found) if !found.is_file() => return fill(&File::create(&path)?, matrix),
        _ => {}
    }
    let name = path.file_name().ok_or("it names no file")?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(beside);
    let file = File::create_new(&beside)?;
    let outcome = fill(&file, matrix).and_then(|()| Ok(std::fs::rename(&beside, &path)?));
    if outcome.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    outcome
}

fn fill(file: &File, matrix: &Array2<f32>) -> Result<(), Box<dyn Error>> {
    let mut writer = BufWriter::new(file);
    let outcome = matrix
        .write_npy(&mut writer)
        .map_err(Into::into)
        .and_then(|()| Ok(writer.flush()?));
    // What is left in it is not to be tried again.
    drop(writer.into_parts());
    outcome
}

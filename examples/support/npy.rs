//! Matrices in `.npy` files.

use super::Failure;
use ndarray::{Array2, ArrayView2};
use ndarray_npy::{ViewNpyError, ViewNpyExt};
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
    if header_length(&bytes).is_some_and(|length| length > MAX_HEADER) {
        return Err(fail("not a .npy file: its header is too long".into()));
    }
    let matrix = ArrayView2::<f32>::view_npy(&bytes).map_err(|error| fail(explain(&error)))?;
    if matrix.is_empty() {
        return Err(fail(format!(
            "a matrix {:?} without elements",
            matrix.shape()
        )));
    }
    Ok(matrix.to_owned())
}

/// What the file says about the length of its header, if it is a `.npy` file.
fn header_length(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    match rest {
        [1, _, low, high, ..] => Some(usize::from(u16::from_le_bytes([*low, *high]))),
        [_, _, a, b, c, d, ..] => usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).ok(),
        _ => None,
    }
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

/// Writes a matrix.
pub(crate) fn write_matrix(path: &Path, matrix: &Array2<f32>) -> Result<(), Failure> {
    ndarray_npy::write_npy(path, matrix)
        .map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", path.display())))
}

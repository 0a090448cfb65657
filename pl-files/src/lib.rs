//! Arrays in `.npy` and `.safetensors` files, of every element type of kernels.
//!
//! Files are read into owned memory and checked before they are believed; what is written replaces a file
//! as a whole, or leaves it as it is.

mod data;
mod error;
pub mod npy;
pub mod safetensors;
mod write;

pub use data::Data;
pub use error::FileError;

/// Largest file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 30;

/// The bytes of a regular file of at most [`MAX_FILE`] bytes.
fn read(path: &std::path::Path) -> Result<Vec<u8>, FileError> {
    let fail = |what: String| FileError::new(path, what);
    let cannot = |error: std::io::Error| fail(format!("cannot be read: {error}"));
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(fail("not a regular file".into()));
    }
    if metadata.len() > MAX_FILE {
        let what = format!("{} bytes; at most {MAX_FILE} are read", metadata.len());
        return Err(fail(what));
    }
    std::fs::read(path).map_err(cannot)
}

//! `.safetensors` files: arrays by name.

use crate::{Data, FileError, read, write};
use pl_runtime::DType;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use std::path::Path;

/// The names of an element type there and here.
const TYPES: [(Dtype, DType); 12] = [
    (Dtype::F32, DType::F32),
    (Dtype::F16, DType::F16),
    (Dtype::BF16, DType::Bf16),
    (Dtype::I8, DType::I8),
    (Dtype::I16, DType::I16),
    (Dtype::I32, DType::I32),
    (Dtype::I64, DType::I64),
    (Dtype::U8, DType::U8),
    (Dtype::U16, DType::U16),
    (Dtype::U32, DType::U32),
    (Dtype::U64, DType::U64),
    (Dtype::BOOL, DType::Bool),
];

/// Reads all arrays of a file, by name.
///
/// # Errors
/// The file cannot be read, is of another kind, is damaged, or has elements that no kernel takes.
pub fn read_safetensors(path: &Path) -> Result<Vec<(String, Data)>, FileError> {
    let bytes = read(path)?;
    parse(&bytes).map_err(|what| FileError::new(path, what))
}

/// The arrays of a file with these bytes.
///
/// # Errors
/// What is wrong with them.
pub fn parse(bytes: &[u8]) -> Result<Vec<(String, Data)>, String> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| format!("not a .safetensors file: {error}"))?;
    file.iter()
        .map(|(name, view)| {
            let refuse = |what: String| format!("`{name}`: {what}");
            let found = TYPES.iter().find(|(there, _)| *there == view.dtype());
            let &(_, dtype) = found.ok_or_else(|| {
                refuse(format!(
                    "elements are {:?}, which no kernel takes",
                    view.dtype()
                ))
            })?;
            let data = Data::new(dtype, view.shape().to_vec(), view.data().to_vec());
            Ok((name.to_owned(), data.map_err(refuse)?))
        })
        .collect()
}

/// Writes arrays to a file: what is at `path` is replaced as a whole, or stays as it is.
///
/// # Errors
/// The system's; two arrays of one name.
pub fn write_safetensors<'d>(
    path: &Path,
    arrays: impl IntoIterator<Item = (&'d str, &'d Data)>,
) -> Result<(), FileError> {
    let views: Result<Vec<_>, FileError> = arrays
        .into_iter()
        .map(|(name, data)| {
            let found = TYPES.iter().find(|(_, here)| *here == data.dtype());
            let &(there, _) = found.expect("each type has a name");
            let view = TensorView::new(there, data.dims().to_vec(), data.bytes());
            let view = view.map_err(|error| FileError::new(path, format!("`{name}`: {error}")))?;
            Ok((name, view))
        })
        .collect();
    let views = views?;
    let mut names: Vec<&str> = views.iter().map(|&(name, _)| name).collect();
    names.sort_unstable();
    if let Some(&[twice, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let what = format!("two arrays are called `{twice}`; give each a name");
        return Err(FileError::new(path, what));
    }
    let bytes = safetensors::serialize(views, None)
        .map_err(|error| FileError::new(path, error.to_string()))?;
    write::replace(path, |to| to.write_all(&bytes))
}

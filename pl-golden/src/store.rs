//! Arrays of a case in files: a folder of `.npy` files, or one `.safetensors` file.

use crate::GoldenError;
use pl_files::npy::{read_npy, write_npy};
use pl_files::safetensors::{read_safetensors, write_safetensors};
use pl_files::{Data, FileError};
use std::path::{Path, PathBuf};

/// Where arrays are saved to, or read from.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Folder(PathBuf),
    File(PathBuf),
}

impl Place {
    /// One file if it is named so, else a folder.
    pub(crate) fn new(path: &Path) -> Self {
        let one = path.extension().is_some_and(|end| end == "safetensors");
        if one {
            Self::File(path.to_owned())
        } else {
            Self::Folder(path.to_owned())
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::File(path) => path,
        }
    }

    /// The array of argument `name`.
    pub(crate) fn load(&self, name: &str) -> Result<Data, GoldenError> {
        match self {
            Self::Folder(folder) => Ok(read_npy(&folder.join(format!("{name}.npy")))?),
            Self::File(file) => {
                let arrays = read_safetensors(file)?;
                let found = arrays.into_iter().find(|(known, _)| known == name);
                found
                    .map(|(_, data)| data)
                    .ok_or_else(|| GoldenError::Replay {
                        name: name.to_owned(),
                        place: file.display().to_string(),
                        what: "there is no array of that name".into(),
                    })
            }
        }
    }

    /// Saves the last of `arrays`, the others being there already.
    pub(crate) fn add(&self, arrays: &[(String, Data)]) -> Result<(), FileError> {
        match self {
            Self::Folder(folder) => {
                let (name, data) = arrays.last().expect("one was added");
                std::fs::create_dir_all(folder)
                    .map_err(|error| FileError::new(folder, error.to_string()))?;
                write_npy(&folder.join(format!("{name}.npy")), data)
            }
            // A file of this kind is written as a whole.
            Self::File(file) => {
                write_safetensors(file, arrays.iter().map(|(name, data)| (&**name, data)))
            }
        }
    }
}

//! A kernel as a folder that the device's tools build and run.
//!
//! ```text
//! attention/
//!   orchestration/attention.cpp    printed
//!   kernel_config.py               printed: RUNTIME_CONFIG, ORCHESTRATION, KERNELS
//!   manifest.json                  printed: the same for everybody else, and what was asked of the rings
//!   kernels/aiv/rms_norm.cpp       yours: in-core functions are not printed
//! ```

mod config;
mod folder;
mod manifest;
mod names;

use crate::config::RunConfig;
use crate::error::{Error, ProgramError, Result};
use crate::kernel::Kernel;
use manifest::Manifest;
use std::path::Path;

impl Kernel {
    /// Writes the program that the device's tools take, as a folder: the orchestration source,
    /// `kernel_config.py` and `manifest.json`. The sources of kernels that these name, below `kernels/`,
    /// are yours to write.
    ///
    /// The folder appears complete, or not at all. One that is there is replaced at once, and what you have
    /// put in it stays.
    ///
    /// # Errors
    /// As for [`Self::orchestration_cpp`]. [`Error::Program`] if the folder cannot be written, or one that is
    /// there was not written by this; then nothing has changed.
    pub fn write_program(&self, folder: impl AsRef<Path>) -> Result<()> {
        self.write_program_for(folder, &RunConfig::default())
    }

    /// The same, with the sizes of the rings of a configuration in the manifest.
    ///
    /// # Errors
    /// As for [`Self::write_program`].
    pub fn write_program_for(&self, folder: impl AsRef<Path>, config: &RunConfig) -> Result<()> {
        let folder = folder.as_ref();
        let program = self.device_program()?;
        let hazards = self.device_hazards();
        let manifest = Manifest::new(&program, hazards, config);
        let files = [
            (manifest.orchestration.source.clone(), program.source),
            ("kernel_config.py".to_owned(), config::python(&manifest)),
            (manifest::NAME.to_owned(), manifest.text()),
        ];
        folder::replace(folder, &files).map_err(|reason| {
            Error::Program(Box::new(ProgramError {
                folder: folder.to_owned(),
                reason,
            }))
        })
    }
}

//! Loads libraries.

use libloading::Library;
use std::error::Error;
use std::path::Path;

/// Loads a library with everything that it uses: what is missing is found here, not when it is called.
///
/// # Safety
/// As of [`Library::new`].
#[cfg(unix)]
pub(super) unsafe fn load(path: &Path) -> Result<Library, String> {
    use libloading::os::unix::{Library as Unix, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: as the caller vouches.
    let library = unsafe { Unix::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    library.map(Library::from).map_err(|error| why(&error))
}

/// # Safety
/// As of [`Library::new`].
#[cfg(not(unix))]
pub(super) unsafe fn load(path: &Path) -> Result<Library, String> {
    // SAFETY: as the caller vouches.
    unsafe { Library::new(path) }.map_err(|error| why(&error))
}

/// What the system says.
pub(super) fn why(error: &libloading::Error) -> String {
    error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

//! Loads libraries.
//!
//! # Invariants of the unsafe code
//! * To load a library runs its initialisers, and to drop it runs what it left for the end: both are the author's
//!   code, for which the caller of [`load`] has somebody's promise ([`Orchestration::compile`] and
//!   [`KernelLibrary::compile`] are unsafe).
//! * No symbol is missing when a function is called: on Unix all are bound here, and libraries do not see each
//!   other's.
//!
//! [`Orchestration::compile`]: super::Orchestration::compile
//! [`KernelLibrary::compile`]: super::KernelLibrary::compile

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

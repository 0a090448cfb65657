//! Places in the user's source.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// A line of the user's source, as reports and errors print it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// Path as rustc knows it.
    pub file: &'static str,
    /// Line, from 1; 0 where no source line exists (the root scope).
    pub line: u32,
}

impl Site {
    /// The root scope's place, printed `(root):0`.
    pub const ROOT: Self = Self::new("(root)", 0);

    /// No place, printed `(unknown):0`: a scope of a C++ orchestration that tells none.
    pub const UNKNOWN: Self = Self::new("(unknown)", 0);

    /// A place.
    pub const fn new(file: &'static str, line: u32) -> Self {
        Self { file, line }
    }

    /// Whether it is a place of a source of Rust, and not of C++.
    pub(crate) fn is_rust(&self) -> bool {
        Path::new(self.file).extension() == Some(OsStr::new("rs"))
    }

    /// The last component of the path: what `scope_stats` prints before the line.
    pub fn file_name(&self) -> &'static str {
        self.file.rsplit(['/', '\\']).next().unwrap_or(self.file)
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

//! Checks of kernels against a reference: inputs that can be drawn again, saved and replayed, a reference
//! beside the run, and a comparison that says where the two differ.
//!
//! ```
//! use ndarray::{Array2, Ix2};
//! use pl_golden::{Case, Compare, Init};
//! let mut case = Case::new("double").quiet();
//! let x = case.input::<f32, Ix2>("x", [4, 8], Init::uniform(-2.0, 2.0))?;
//! let mut y = case.output::<f32, Ix2>("y", [4, 8]);
//! case.stage("runtime", || y.assign(&(&x * 2.0)));     // here a kernel runs
//! let want = case.stage("golden", || x.mapv(|x| f64::from(x) * 2.0));
//! case.compare("y", &y, &want, &Compare::close(1e-6, 1e-6))?;
//! assert!(case.finish().passed());
//! # Ok::<(), pl_golden::GoldenError>(())
//! ```

mod case;
mod compare;
mod init;
mod report;
mod stage;
mod store;

pub use case::Case;
pub use compare::Compare;
pub use init::Init;
pub use pl_files::FileError;
pub use report::{Mismatch, OutputReport, Report};

/// Why a case ended before its comparison.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoldenError {
    /// A file of saved arrays cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A saved array is not what the case asks for.
    #[error("`{name}` in {place}: {what}\n  help: save the inputs again, with the same sizes")]
    Replay {
        /// The argument.
        name: String,
        /// Where it was saved.
        place: String,
        /// What differs.
        what: String,
    },
}

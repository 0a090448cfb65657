//! The comparison with the reference, and the last line.

use super::say;
use std::process::ExitCode;

/// The largest error seen so far, and the largest that is allowed.
pub(crate) struct Check {
    tolerance: f64,
    max_err: f64,
}

impl Check {
    pub(crate) fn new(tolerance: f64) -> Self {
        Self {
            tolerance,
            max_err: 0.0,
        }
    }

    /// Compares one element with what it should be.
    pub(crate) fn element(&mut self, got: f32, want: f64) {
        self.max_err = self.max_err.max(relative_error(got, want));
    }

    /// Whether every element was near enough.
    pub(crate) fn holds(&self) -> bool {
        self.max_err <= self.tolerance
    }

    /// Prints the last line.
    pub(crate) fn conclude(&self) -> ExitCode {
        let Self { tolerance, max_err } = *self;
        if self.holds() {
            say(format_args!("PASS max_err={max_err:.1e}"));
            ExitCode::SUCCESS
        } else {
            say(format_args!(
                "FAIL max_err={max_err:.1e}, allowed are {tolerance:.1e}"
            ));
            ExitCode::FAILURE
        }
    }
}

/// The difference, relative to `want` where that is larger than 1; infinite where one of the two is
/// NaN or infinite and the other is not.
fn relative_error(got: f32, want: f64) -> f64 {
    let same = got.to_bits() == (want as f32).to_bits() || got.is_nan() && want.is_nan();
    let error = (f64::from(got) - want).abs() / want.abs().max(1.0);
    match (same, error.is_nan()) {
        (true, _) => 0.0,
        (false, true) => f64::INFINITY,
        (false, false) => error,
    }
}

//! How a comparison went.

use std::fmt;

/// An element that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Its index.
    pub index: Vec<usize>,
    /// What it is.
    pub got: String,
    /// What it should be.
    pub want: String,
}

/// Values that are no finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NotFinite {
    /// NaN.
    pub nan: u64,
    /// Infinite.
    pub infinite: u64,
}

impl NotFinite {
    pub(crate) fn count(&mut self, value: f64) {
        self.nan += u64::from(value.is_nan());
        self.infinite += u64::from(value.is_infinite());
    }
}

/// How the comparison of one output went.
#[derive(Clone, PartialEq, Debug)]
pub struct OutputReport {
    /// Name of the output.
    pub name: String,
    /// When an element is right, in words.
    pub rule: String,
    /// Whether enough elements are right.
    pub passed: bool,
    /// Elements that were compared.
    pub elements: u64,
    /// Those that are wrong.
    pub mismatches: u64,
    /// The first 20 of these, by index.
    pub first: Vec<Mismatch>,
    /// The largest difference, divided by the size of what is wanted where that is larger than 1; infinite
    /// where one of the two is NaN or infinite and the other is not.
    pub max_error: f64,
    /// NaN and infinities in the output.
    pub got: NotFinite,
    /// NaN and infinities in what it should be.
    pub want: NotFinite,
}

impl OutputReport {
    pub(crate) fn new(name: &str, rule: String) -> Self {
        Self {
            name: name.to_owned(),
            rule,
            passed: true,
            elements: 0,
            mismatches: 0,
            first: Vec::new(),
            max_error: 0.0,
            got: NotFinite::default(),
            want: NotFinite::default(),
        }
    }
}

impl fmt::Display for OutputReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            rule,
            elements,
            mismatches,
            max_error,
            got,
            want,
            ..
        } = self;
        let verdict = if self.passed { "PASS" } else { "FAIL" };
        write!(
            f,
            "{verdict} {name}: {mismatches} of {elements} elements differ ({rule}), max_err={max_error:.1e}"
        )?;
        if got.nan + got.infinite + want.nan + want.infinite > 0 {
            write!(
                f,
                "\n  NaN {} (reference {}), infinite {} (reference {})",
                got.nan, want.nan, got.infinite, want.infinite
            )?;
        }
        for Mismatch { index, got, want } in &self.first {
            write!(f, "\n  {name}{index:?} is {got}, should be {want}")?;
        }
        let more = self.mismatches - self.first.len() as u64;
        if more > 0 {
            write!(f, "\n  and {more} more")?;
        }
        Ok(())
    }
}

/// How a case went.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Name of the case.
    pub case: String,
    /// Its outputs, in the order in which they were compared; none if there was no reference.
    pub outputs: Vec<OutputReport>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl Report {
    /// Whether every output is right. Without any, nothing was checked, which is no failure.
    pub fn passed(&self) -> bool {
        self.outputs.iter().all(|output| output.passed)
    }

    /// The largest [`OutputReport::max_error`].
    pub fn max_error(&self) -> f64 {
        let errors = self.outputs.iter().map(|output| output.max_error);
        errors.fold(0.0, f64::max)
    }
}

impl fmt::Display for Report {
    /// The last line: `PASS max_err=1.2e-7 (12.3s)`, the same with `FAIL`, or `validation skipped (12.3s)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (self.outputs.is_empty(), self.passed()) {
            (true, _) => "validation skipped".to_owned(),
            (false, true) => format!("PASS max_err={:.1e}", self.max_error()),
            (false, false) => format!("FAIL max_err={:.1e}", self.max_error()),
        };
        write!(f, "{verdict} ({:.1}s)", self.seconds)
    }
}

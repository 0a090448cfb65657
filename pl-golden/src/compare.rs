//! When an element is right.

use crate::report::{Mismatch, OutputReport};
use ndarray::{ArrayBase, Data, Dimension, IntoDimension};
use pl_runtime::{Scalar, ScalarType, ScalarValue};
use std::fmt;

/// Most mismatches that are named.
const NAMED: usize = 20;

type By<'c> = dyn Fn(&[usize], f64, f64) -> bool + 'c;
type Only<'c> = dyn Fn(&[usize]) -> bool + 'c;

/// How an output is compared with what it should be.
///
/// NaN is right where NaN is wanted, and an infinity where the same one is.
pub struct Compare<'c> {
    absolute: f64,
    relative: f64,
    ratio: f64,
    by: Option<Box<By<'c>>>,
    only: Option<Box<Only<'c>>>,
}

impl Default for Compare<'_> {
    /// As `close(1e-5, 1e-5)`.
    fn default() -> Self {
        Self::close(1e-5, 1e-5)
    }
}

impl fmt::Debug for Compare<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Compare<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.by.is_some() {
            f.write_str("by a comparison of its own")?;
        } else {
            write!(
                f,
                "within {:.1e} + {:.1e} * |want|",
                self.absolute, self.relative
            )?;
        }
        if self.ratio > 0.0 {
            write!(f, ", all but {:.2} %", self.ratio * 100.0)?;
        }
        if self.only.is_some() {
            f.write_str(", of some elements")?;
        }
        Ok(())
    }
}

impl<'c> Compare<'c> {
    /// An element may differ by `absolute + relative * |want|`.
    pub fn close(absolute: f64, relative: f64) -> Self {
        Self {
            absolute,
            relative,
            ratio: 0.0,
            by: None,
            only: None,
        }
    }

    /// An element may not differ.
    pub fn exact() -> Self {
        Self::close(0.0, 0.0)
    }

    /// An element is right if `right` says so of its index, what it is and what it should be: for ties of a
    /// `top_k`, say.
    pub fn by(right: impl Fn(&[usize], f64, f64) -> bool + 'c) -> Self {
        Self {
            by: Some(Box::new(right)),
            ..Self::exact()
        }
    }

    /// The same, with this part of the elements wrong at most, from 0 to 1.
    #[must_use]
    pub fn ratio(self, ratio: f64) -> Self {
        Self { ratio, ..self }
    }

    /// The same, of those elements only whose index `counts`: of the valid rows, say.
    #[must_use]
    pub fn only(self, counts: impl Fn(&[usize]) -> bool + 'c) -> Self {
        Self {
            only: Some(Box::new(counts)),
            ..self
        }
    }

    /// Compares an output with what it should be.
    ///
    /// # Panics
    /// The two have different shapes.
    #[track_caller]
    pub fn check<T: Scalar + Copy, W: Scalar + Copy, D: Dimension>(
        &self,
        name: &str,
        got: &ArrayBase<impl Data<Elem = T>, D>,
        want: &ArrayBase<impl Data<Elem = W>, D>,
    ) -> OutputReport {
        assert_eq!(
            got.shape(),
            want.shape(),
            "`{name}` and what it should be have the same shape"
        );
        let mut report = OutputReport::new(name, self.to_string());
        // In the order of the index, whatever the strides are.
        for index in ndarray::indices(got.raw_dim()) {
            let index = index.into_dimension();
            let at = index.slice();
            if self.only.as_ref().is_some_and(|counts| !counts(at)) {
                continue;
            }
            let (got, want) = (
                got[index.clone()].to_value(),
                want[index.clone()].to_value(),
            );
            self.element(&mut report, at, got, want);
        }
        report.passed = report.mismatches as f64 <= self.ratio * report.elements as f64;
        report
    }

    #[allow(clippy::float_cmp, reason = "the same infinity is right")]
    fn element(
        &self,
        report: &mut OutputReport,
        at: &[usize],
        got: ScalarValue,
        want: ScalarValue,
    ) {
        let (g, w) = (got.as_f64(), want.as_f64());
        report.elements += 1;
        report.got.count(g);
        report.want.count(w);
        let same = g == w || g.is_nan() && w.is_nan();
        let difference = if is_float(got) || is_float(want) {
            if same { 0.0 } else { (g - w).abs() }
        } else {
            // Large integers that differ may be one float.
            got.as_i128().abs_diff(want.as_i128()) as f64
        };
        let error = difference / w.abs().max(1.0);
        let error = if error.is_nan() { f64::INFINITY } else { error };
        report.max_error = report.max_error.max(error);
        let right = match &self.by {
            Some(right) => right(at, g, w),
            // To an infinity there is no distance to measure.
            None if !(g.is_finite() && w.is_finite()) => same,
            None => difference <= self.absolute + self.relative * w.abs(),
        };
        if !right {
            report.mismatches += 1;
            if report.first.len() < NAMED {
                report.first.push(Mismatch {
                    index: at.to_vec(),
                    got: text(got),
                    want: text(want),
                });
            }
        }
    }
}

fn is_float(value: ScalarValue) -> bool {
    matches!(
        value.ty(),
        ScalarType::F64 | ScalarType::F32 | ScalarType::F16 | ScalarType::Bf16
    )
}

fn text(value: ScalarValue) -> String {
    match value.ty() {
        ScalarType::F32 => (value.as_f64() as f32).to_string(),
        _ if is_float(value) => value.as_f64().to_string(),
        ScalarType::Bool => (value.bits() != 0).to_string(),
        _ => value.as_i128().to_string(),
    }
}

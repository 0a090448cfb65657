//! Attention in f64, one query after the other: what the kernels are compared with.

use ndarray::{Array4, s};
use pl::{Element, bf16, f16};
use std::collections::HashSet;
use std::ops::Range;

/// A float type that the kernels run in, and how far from the truth they may be.
pub(crate) trait Float: Element + Copy {
    /// Inputs are exact; the weights and the result are rounded to this type.
    const TOLERANCE: f64;
    fn wide(self) -> f64;
}

impl Float for f32 {
    const TOLERANCE: f64 = 1e-5;
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Float for f16 {
    const TOLERANCE: f64 = 1e-3;
    fn wide(self) -> f64 {
        self.to_f64()
    }
}

impl Float for bf16 {
    const TOLERANCE: f64 = 8e-3;
    fn wide(self) -> f64 {
        self.to_f64()
    }
}

/// Which queries see which keys.
pub(crate) struct Problem<'a> {
    /// Keys of each sequence.
    pub(crate) lengths: &'a [usize],
    pub(crate) group: usize,
    pub(crate) causal: bool,
    pub(crate) window: Option<usize>,
}

impl Problem<'_> {
    /// The keys that query `i` of `queries` of sequence `b` sees; of a query that is not there, none.
    fn seen(&self, b: usize, i: usize, queries: usize) -> Range<usize> {
        let n = self.lengths[b];
        if !self.causal {
            return 0..n;
        }
        // The queries that are there are the last of the sequence.
        let there = queries.min(n);
        if i >= there {
            return 0..0;
        }
        let end = n - there + i + 1;
        end.saturating_sub(self.window.unwrap_or(end))..end
    }

    /// How many of `rows` rows of `d` elements are compared: all, or as many as can be waited for.
    pub(crate) fn compared(&self, rows: usize, d: usize) -> usize {
        let longest = self.lengths.iter().max().copied().unwrap_or(1);
        (REFERENCE_WORK / (2 * longest * d)).clamp(1, rows)
    }

    /// Rows of the result as they should be, evenly spread over sequences, heads and queries, and which
    /// they are. `context` finds the key and the value at a position of a sequence, for a head of them.
    pub(crate) fn golden<'t, T: Float>(
        &self,
        q: &Array4<T>,
        context: impl Fn(usize, usize, usize) -> [&'t [T]; 2],
    ) -> (Array4<f64>, HashSet<[usize; 3]>) {
        let (batch, heads, queries, d) = q.dim();
        let rows = batch * heads * queries;
        let compared = self.compared(rows, d);
        let mut want = Array4::zeros(q.raw_dim());
        let mut known = HashSet::new();
        for sample in 1..=compared {
            let row = (sample as u128 * rows as u128 / compared as u128) as usize - 1;
            let (b, h, i) = (row / queries / heads, row / queries % heads, row % queries);
            let seen = self.seen(b, i, queries);
            let context = seen
                .map(|j| context(b, h / self.group, j))
                .collect::<Vec<_>>();
            let q = q.slice(s![b, h, i, ..]);
            let row = attend(q.as_slice().expect("rows are contiguous"), &context);
            want.slice_mut(s![b, h, i, ..])
                .assign(&ndarray::aview1(&row));
            known.insert([b, h, i]);
        }
        (want, known)
    }
}

/// Multiplications that the reference may take.
const REFERENCE_WORK: usize = 20_000_000;

/// One row of the result: the mean of the values, weighted by the softmax of the scores. Zeros if
/// there is nothing to see.
fn attend<T: Float>(q: &[T], context: &[[&[T]; 2]]) -> Vec<f64> {
    let scale = 1.0 / (q.len() as f64).sqrt();
    let score: Vec<f64> = context
        .iter()
        .map(|[k, _]| {
            scale
                * k.iter()
                    .zip(q)
                    .map(|(k, q)| k.wide() * q.wide())
                    .sum::<f64>()
        })
        .collect();
    let max = score.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = score.iter().map(|score| (score - max).exp()).sum();
    let mut out = vec![0.0; q.len()];
    for (score, [_, v]) in score.iter().zip(context) {
        let weight = (score - max).exp() / total;
        for (out, v) in out.iter_mut().zip(*v) {
            *out += weight * v.wide();
        }
    }
    out
}

//! The course of a lane over its scopes, in bounded memory.

use super::sites::SiteId;

/// Buckets that are kept: after this many, two become one.
const MOST: usize = 2048;

/// Figures of one scope: high water, live at exit, allocated.
pub(super) type Triple = [u64; 3];

/// Least and greatest value of one figure in a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extremes {
    pub(super) min: u64,
    pub(super) max: u64,
    /// Which scope of the lane had the greatest, from 1.
    pub(super) at: u64,
    pub(super) site: SiteId,
}

impl Extremes {
    fn add(&mut self, other: Self) {
        self.min = self.min.min(other.min);
        if other.max > self.max {
            *self = Self {
                min: self.min,
                ..other
            };
        }
    }
}

/// Consecutive scopes of a lane, `width` of them in each bucket.
#[derive(Clone, Debug)]
pub(super) struct Series {
    width: u64,
    /// Scopes in the last bucket.
    filled: u64,
    buckets: Vec<[Extremes; 3]>,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            width: 1,
            filled: 0,
            buckets: Vec::new(),
        }
    }
}

impl Series {
    /// Scopes in a bucket; the last one may have fewer.
    pub(super) fn width(&self) -> u64 {
        self.width
    }

    pub(super) fn buckets(&self) -> &[[Extremes; 3]] {
        &self.buckets
    }

    /// Takes the figures of the scope with number `at`.
    pub(super) fn push(&mut self, at: u64, site: SiteId, figures: Triple) {
        let new = figures.map(|value| Extremes {
            min: value,
            max: value,
            at,
            site,
        });
        if self.filled == self.width || self.buckets.is_empty() {
            if self.buckets.len() == MOST {
                self.halve();
            }
            self.filled = 0;
        }
        if self.filled == 0 {
            self.buckets.push(new);
        } else {
            add(self.buckets.last_mut().expect("it has scopes"), new);
        }
        self.filled += 1;
    }

    fn halve(&mut self) {
        let half = self.buckets.len() / 2;
        for pair in 0..half {
            let mut merged = self.buckets[2 * pair];
            add(&mut merged, self.buckets[2 * pair + 1]);
            self.buckets[pair] = merged;
        }
        self.buckets.truncate(half);
        self.width *= 2;
    }
}

fn add(to: &mut [Extremes; 3], new: [Extremes; 3]) {
    for (to, new) in to.iter_mut().zip(new) {
        to.add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope_stats::sites::Sites;

    fn series(scopes: u64) -> Series {
        let (site, _) = Sites::default().id("a:1");
        let mut series = Series::default();
        for at in 1..=scopes {
            series.push(at, site, [at, 1000 - at % 1000, 7]);
        }
        series
    }

    #[test]
    fn few_scopes_are_kept_one_by_one() {
        let series = series(MOST as u64);
        assert_eq!((series.width(), series.buckets().len()), (1, MOST));
        assert!(
            series
                .buckets()
                .iter()
                .zip(1..)
                .all(|(b, at)| (b[0].min, b[0].max, b[0].at) == (at, at, at))
        );
    }

    #[test]
    fn many_scopes_share_buckets_that_keep_both_extremes() {
        for scopes in [MOST as u64 + 1, 12_345, 100_000] {
            let series = series(scopes);
            let width = series.width();
            assert!(series.buckets().len() <= MOST && series.buckets().len() > MOST / 2);
            assert_eq!(series.buckets().len() as u64, scopes.div_ceil(width));
            for (bucket, start) in series.buckets().iter().zip((0..).step_by(width as usize)) {
                let last = scopes.min(start + width);
                assert_eq!(
                    (bucket[0].min, bucket[0].max, bucket[0].at),
                    (start + 1, last, last)
                );
                assert_eq!(
                    (bucket[2].min, bucket[2].max, bucket[2].at),
                    (7, 7, start + 1)
                );
            }
        }
    }
}

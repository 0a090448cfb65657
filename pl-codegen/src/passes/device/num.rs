//! Integers as far as they are known: sums of unknowns, and bounds.

use std::collections::HashMap;

/// `constant + factor * unknown + ..`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Lin {
    constant: i128,
    /// Ascending by unknown; no factor is 0.
    terms: Vec<(Unknown, i128)>,
}

/// A value that is not known: the same number is the same value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Unknown {
    id: u32,
    /// Whether it may be below zero.
    signed: bool,
}

impl Lin {
    pub(super) fn int(constant: i128) -> Self {
        Self {
            constant,
            terms: Vec::new(),
        }
    }

    pub(super) fn as_int(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// An unknown that it grows with.
    pub(super) fn grows_with(&self) -> Option<Unknown> {
        let mut terms = self.terms.iter();
        terms.find(|(_, factor)| *factor > 0).map(|term| term.0)
    }

    pub(super) fn constant(&self) -> i128 {
        self.constant
    }

    /// Whether the difference is a number.
    pub(super) fn is_shifted(&self, other: &Self) -> bool {
        self.terms == other.terms
    }

    fn unknowns(&self) -> impl Iterator<Item = Unknown> {
        self.terms.iter().map(|term| term.0)
    }

    /// `self + factor * other`
    pub(super) fn plus(&self, factor: i128, other: &Self) -> Self {
        let constant = self
            .constant
            .saturating_add(other.constant.saturating_mul(factor));
        if self.terms.is_empty() && other.terms.is_empty() {
            return Self::int(constant);
        }
        let mut terms = self.terms.clone();
        for (unknown, times) in &other.terms {
            let more = times.saturating_mul(factor);
            match terms.binary_search_by_key(unknown, |term| term.0) {
                Ok(at) => terms[at].1 = terms[at].1.saturating_add(more),
                Err(at) => terms.insert(at, (*unknown, more)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Self { constant, terms }
    }

    /// The quotient, where every part can be divided.
    fn divided(&self, divisor: i128) -> Option<Self> {
        let mut whole = self.clone();
        if divisor <= 0 || self.constant % divisor != 0 {
            return None;
        }
        whole.constant /= divisor;
        for term in &mut whole.terms {
            if term.1 % divisor != 0 {
                return None;
            }
            term.1 /= divisor;
        }
        Some(whole)
    }

    /// Whether `self <= other`, certainly: no part of the difference is below zero.
    fn at_most(&self, other: &Self) -> bool {
        if self.constant > other.constant {
            return false;
        }
        let (mut mine, mut theirs) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (unknown, difference) = match (mine.peek().copied(), theirs.peek().copied()) {
                (None, None) => return true,
                (Some(a), Some(b)) if a.0 == b.0 => {
                    let difference = b.1.saturating_sub(a.1);
                    mine.next();
                    theirs.next();
                    (a.0, difference)
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    let difference = a.1.saturating_neg();
                    mine.next();
                    (a.0, difference)
                }
                (_, Some(b)) => {
                    theirs.next();
                    (b.0, b.1)
                }
                (Some(_), None) => unreachable!("the arm before takes it"),
            };
            if difference < 0 || (difference > 0 && unknown.signed) {
                return false;
            }
        }
    }
}

/// An integer: its value in terms of unknowns, and what it lies between.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Num {
    pub(super) value: Lin,
    at_most: Vec<Lin>,
    at_least: Vec<Lin>,
}

/// Bounds that are remembered of one integer.
const BOUNDS: usize = 4;

impl From<Lin> for Num {
    fn from(value: Lin) -> Self {
        Self {
            value,
            at_most: Vec::new(),
            at_least: Vec::new(),
        }
    }
}

impl Num {
    pub(super) fn int(value: i128) -> Self {
        Lin::int(value).into()
    }

    /// Whether `self <= other`, certainly.
    pub(super) fn is_at_most(&self, other: &Self) -> bool {
        if let (Some(a), Some(b)) = (self.value.as_int(), other.value.as_int()) {
            return a <= b;
        }
        let above = std::iter::once(&self.value).chain(&self.at_most);
        above.into_iter().any(|a| {
            let mut below = std::iter::once(&other.value).chain(&other.at_least);
            below.any(|b| a.at_most(b))
        })
    }

    /// Whether nothing but its value is above it.
    pub(super) fn is_unbounded(&self) -> bool {
        self.at_most.is_empty()
    }

    /// Whether nothing but its value is below it.
    pub(super) fn is_unbounded_below(&self) -> bool {
        self.at_least.is_empty()
    }

    /// The unknowns of its value and of what it is at least: whatever is certainly below it grows with no
    /// other.
    pub(super) fn lower_unknowns(&self) -> impl Iterator<Item = Unknown> {
        let bounds = std::iter::once(&self.value).chain(&self.at_least);
        bounds.flat_map(Lin::unknowns)
    }

    pub(super) fn plus(&self, factor: i128, other: &Self) -> Self {
        let (more, less) = if factor >= 0 {
            (&other.at_most, &other.at_least)
        } else {
            (&other.at_least, &other.at_most)
        };
        let sums = |mine: &[Lin], theirs: &[Lin]| {
            let a = mine.iter().map(|bound| bound.plus(factor, &other.value));
            let b = theirs.iter().map(|bound| self.value.plus(factor, bound));
            a.chain(b).take(BOUNDS).collect()
        };
        Self {
            value: self.value.plus(factor, &other.value),
            at_most: sums(&self.at_most, more),
            at_least: sums(&self.at_least, less),
        }
    }

    pub(super) fn times_int(&self, factor: i128) -> Self {
        Self::int(0).plus(factor, self)
    }
}

/// Gives unknowns their numbers.
#[derive(Default)]
pub(super) struct Unknowns {
    known: HashMap<String, Unknown>,
    next: u32,
}

impl Unknowns {
    pub(super) fn fresh(&mut self, signed: bool) -> Lin {
        let id = self.next;
        self.next += 1;
        Self::lin(Unknown { id, signed })
    }

    fn lin(unknown: Unknown) -> Lin {
        Lin {
            constant: 0,
            terms: vec![(unknown, 1)],
        }
    }

    /// The same one for the same name.
    pub(super) fn named(&mut self, name: String, signed: bool) -> Lin {
        let next = Unknown {
            id: self.next,
            signed,
        };
        let unknown = *self.known.entry(name).or_insert(next);
        self.next += u32::from(unknown == next);
        Self::lin(unknown)
    }

    /// What `operation` gives for these operands; the same for the same operands.
    pub(super) fn operation(&mut self, operation: &str, operands: &[&Num], signed: bool) -> Num {
        let ints = (operands.first(), operands.get(1));
        if let (Some(a), Some(b)) = ints
            && operands.len() == 2
        {
            match (operation, a.value.as_int(), b.value.as_int()) {
                ("+", ..) => return a.plus(1, b),
                ("-", ..) => return a.plus(-1, b),
                ("*", Some(a), _) => return b.times_int(a),
                ("*", _, Some(b)) => return a.times_int(b),
                ("/", _, Some(by)) => {
                    if let Some(whole) = a.value.divided(by) {
                        return whole.into();
                    }
                }
                ("min", Some(a), Some(b)) => return Num::int(a.min(b)),
                ("max", Some(a), Some(b)) => return Num::int(a.max(b)),
                _ => {}
            }
        }
        let values: Vec<&Lin> = operands.iter().map(|operand| &operand.value).collect();
        let mut num = Num::from(self.named(format!("{operation}{values:?}"), signed));
        let limits = |of: fn(&Num) -> &Vec<Lin>| -> Vec<Lin> {
            let values = operands.iter().map(|operand| &operand.value);
            let more = operands.iter().flat_map(|operand| of(operand));
            values.chain(more).take(BOUNDS).cloned().collect()
        };
        match operation {
            "min" => num.at_most = limits(|operand| &operand.at_most),
            "max" => num.at_least = limits(|operand| &operand.at_least),
            "%" => num
                .at_most
                .extend(ints.1.map(|b| b.value.plus(-1, &Lin::int(1)))),
            _ => {}
        }
        num
    }
}

#[cfg(test)]
mod tests {
    use super::{Lin, Num, Unknowns};

    #[test]
    fn a_sum_is_compared_by_what_is_left_of_the_difference() {
        let mut unknowns = Unknowns::default();
        let i = Num::from(unknowns.fresh(false));
        let next = i.plus(1, &Num::int(4));
        assert!(i.plus(1, &Num::int(3)).is_at_most(&next));
        assert!(!next.is_at_most(&i.plus(1, &Num::int(3))));
        let signed = Num::from(unknowns.fresh(true));
        assert!(i.is_at_most(&i.plus(1, &i)));
        assert!(!signed.is_at_most(&signed.plus(1, &signed)));
    }

    #[test]
    fn a_minimum_is_at_most_either() {
        let mut unknowns = Unknowns::default();
        let (i, m) = (unknowns.fresh(false), unknowns.fresh(false));
        let end = Num::from(i.plus(1, &Lin::int(4)));
        let cut = unknowns.operation("min", &[&end, &m.into()], false);
        assert!(cut.is_at_most(&end));
        assert!(!end.is_at_most(&cut));
        assert_eq!(
            cut,
            unknowns.operation(
                "min",
                &[
                    &end,
                    &Num::from(Unknowns::lin(super::Unknown {
                        id: 1,
                        signed: false
                    }))
                ],
                false
            )
        );
    }

    #[test]
    fn what_can_be_divided_is() {
        let mut unknowns = Unknowns::default();
        let n = Num::from(unknowns.fresh(false));
        let i = n.plus(7, &n).plus(1, &Num::int(16));
        let whole = unknowns.operation("/", &[&i, &Num::int(8)], false);
        assert_eq!(whole, n.plus(1, &Num::int(2)));
    }
}

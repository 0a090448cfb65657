//! Parts of tensors.

use super::num::Num;
use std::rc::Rc;

/// A tensor that is allocated, or an argument.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Its dimensions.
    pub(super) dims: Vec<Num>,
    /// Whether the device finds no dependencies of it.
    pub(super) manual_dep: bool,
    /// Parameter that the function reads and writes.
    pub(super) inout: bool,
    /// What allocated it; `None` for arguments.
    pub(super) owner: Option<Owner>,
    pub(super) name: String,
}

/// What allocated a tensor, and in which scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Owner {
    /// The call of `alloc_tensors`, or the task.
    pub(super) task: u32,
    /// The scope that it belongs to.
    pub(super) scope: u32,
}

/// A part of a tensor that a handle shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct View {
    pub(super) root: u32,
    /// Which way the elements are counted: what is reshaped or transposed is counted anew.
    pub(super) shape: u32,
    /// The dimensions that the handle has, as dimensions of that shape.
    pub(super) dims: Vec<usize>,
    /// What it shows of each dimension of that shape, unless that is all; `None` where nothing is known.
    pub(super) window: Option<Rc<[Option<Interval>]>>,
}

/// The first index, and the one behind the last.
pub(super) type Interval = (Num, Num);

/// What is known of where a part lies.
pub(super) enum Place<'a> {
    Whole,
    Unknown,
    /// The first dimension of which it is not all, and what of it.
    Between(usize, &'a Interval),
}

/// What of one dimension is taken.
pub(super) enum Taken {
    Range(Num, Option<Num>),
    Index(Num),
}

impl View {
    /// All of it.
    pub(super) fn whole(root: u32, shape: u32, rank: usize) -> Self {
        Self {
            root,
            shape,
            dims: (0..rank).collect(),
            window: Some(vec![None; rank].into()),
        }
    }

    /// Some part of it.
    pub(super) fn unknown(root: u32) -> Self {
        Self {
            root,
            shape: u32::MAX,
            dims: Vec::new(),
            window: None,
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.window
            .as_ref()
            .is_some_and(|window| window.iter().all(Option::is_none))
    }

    pub(super) fn place(&self) -> Place<'_> {
        let Some(window) = &self.window else {
            return Place::Unknown;
        };
        let mut taken = window.iter().enumerate();
        taken
            .find_map(|(dim, taken)| Some(Place::Between(dim, taken.as_ref()?)))
            .unwrap_or(Place::Whole)
    }

    /// Length of a dimension of the handle.
    pub(super) fn length(&self, axis: usize, root: &Root) -> Option<Num> {
        let dim = *self.dims.get(axis)?;
        match self.window.as_ref()?.get(dim)? {
            Some((start, end)) => Some(end.plus(-1, start)),
            None if self.shape == self.root => root.dims.get(dim).cloned(),
            None => None,
        }
    }

    pub(super) fn slice(&self, items: Vec<Taken>, root: &Root) -> Self {
        let Some(window) = &self.window else {
            return self.clone();
        };
        if items.len() != self.dims.len() {
            return Self::unknown(self.root);
        }
        let mut window = window.to_vec();
        let mut dims = Vec::new();
        for (axis, item) in items.into_iter().enumerate() {
            let dim = self.dims[axis];
            let length = self.length(axis, root);
            let base = window[dim].as_ref().map(|(start, _)| start.clone());
            let from = |at: Num| base.as_ref().map_or(at.clone(), |base| base.plus(1, &at));
            window[dim] = match item {
                Taken::Index(at) => Some((from(at.clone()), from(at).plus(1, &Num::int(1)))),
                Taken::Range(start, end) => {
                    dims.push(dim);
                    let all = start == Num::int(0)
                        && (end.is_none()
                            || end.as_ref().map(|e| &e.value) == length.as_ref().map(|l| &l.value));
                    match (all, end.or(length)) {
                        (true, _) => window[dim].take(),
                        (false, Some(end)) => Some((from(start), from(end))),
                        // Up to an end that is not known.
                        (false, None) => return Self::unknown(self.root),
                    }
                }
            };
        }
        Self {
            root: self.root,
            shape: self.shape,
            dims,
            window: Some(window.into()),
        }
    }

    pub(super) fn transpose(&self, a: usize, b: usize) -> Self {
        let mut view = self.clone();
        if a < view.dims.len() && b < view.dims.len() {
            view.dims.swap(a, b);
            view
        } else {
            Self::unknown(self.root)
        }
    }

    /// Whether they have no byte in common, certainly.
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        if self.root != other.root {
            return true;
        }
        self.dimensions(other).is_some_and(|mut dims| {
            dims.any(|pair| pair.is_some_and(|(a, b)| a.1.is_at_most(&b.0) || b.1.is_at_most(&a.0)))
        })
    }

    /// Whether they have bytes in common, certainly, unless one of them is empty.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.root == other.root
            && (self.is_whole()
                || other.is_whole()
                || self
                    .dimensions(other)
                    .is_some_and(|mut dims| dims.all(|pair| pair.is_none_or(|(a, b)| meets(a, b)))))
    }

    /// The intervals of each dimension, `None` where one of them is whole.
    fn dimensions<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = Option<(&'a Interval, &'a Interval)>>> {
        let (a, b) = (self.window.as_ref()?, other.window.as_ref()?);
        (self.shape == other.shape && a.len() == b.len()).then(|| {
            let pairs = a.iter().zip(b.iter());
            pairs.map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)))
        })
    }
}

fn meets(a: &Interval, b: &Interval) -> bool {
    let ints = (
        a.0.value.as_int(),
        a.1.value.as_int(),
        b.0.value.as_int(),
        b.1.value.as_int(),
    );
    if let (Some(a), Some(a_end), Some(b), Some(b_end)) = ints {
        return a.max(b) < a_end.min(b_end);
    }
    let below = |a: &Num, b: &Num| a.plus(1, &Num::int(1)).is_at_most(b);
    a.0.value == b.0.value || (below(&a.0, &b.1) && below(&b.0, &a.1))
}

#[cfg(test)]
mod tests {
    use super::{Root, Taken, View};
    use crate::passes::device::num::{Num, Unknowns};

    fn root(rank: usize) -> Root {
        Root {
            dims: (0..rank).map(|_| Num::int(64)).collect(),
            manual_dep: false,
            inout: false,
            owner: None,
            name: "x".to_owned(),
        }
    }

    fn rows(view: &View, start: &Num, width: i128) -> View {
        let end = start.plus(1, &Num::int(width));
        let rest = (1..view.dims.len()).map(|_| Taken::Range(Num::int(0), None));
        let items = std::iter::once(Taken::Range(start.clone(), Some(end))).chain(rest);
        view.slice(items.collect(), &root(view.dims.len()))
    }

    #[test]
    fn windows_of_iterations_that_are_a_step_apart_are_disjoint() {
        let mut unknowns = Unknowns::default();
        let x = View::whole(0, 0, 2);
        let i = Num::from(unknowns.fresh(false));
        let next = i.plus(1, &Num::int(4));
        assert!(rows(&x, &i, 4).is_disjoint(&rows(&x, &next, 4)));
        assert!(!rows(&x, &i, 5).is_disjoint(&rows(&x, &next, 4)));
        assert!(rows(&x, &i, 5).meets(&rows(&x, &next, 4)));
        assert!(rows(&x, &i, 5).meets(&x));
        assert!(!rows(&x, &i, 5).is_disjoint(&View::unknown(0)));
        assert!(!rows(&x, &i, 5).meets(&View::unknown(0)));
    }

    #[test]
    fn a_window_of_a_window_counts_from_its_start() {
        let x = View::whole(0, 0, 1);
        let part = rows(&rows(&x, &Num::int(8), 8), &Num::int(4), 4);
        assert!(part.is_disjoint(&rows(&x, &Num::int(8), 4)));
        assert!(part.meets(&rows(&x, &Num::int(13), 1)));
    }

    #[test]
    fn all_of_a_dimension_is_whole() {
        let x = View::whole(0, 0, 2);
        assert!(rows(&x, &Num::int(0), 64).is_whole());
        assert!(!rows(&x, &Num::int(0), 63).is_whole());
    }

    #[test]
    fn a_transposed_window_is_the_same_one() {
        let x = View::whole(0, 0, 2);
        let part = rows(&x, &Num::int(8), 8);
        let back = rows(&x.transpose(0, 1).transpose(0, 1), &Num::int(8), 8);
        assert!(part.meets(&back) && !part.is_disjoint(&back));
        assert!(rows(&x.transpose(0, 1), &Num::int(0), 8).meets(&part));
    }

    #[test]
    fn tensors_of_their_own_are_disjoint() {
        assert!(View::whole(0, 0, 2).is_disjoint(&View::whole(1, 1, 2)));
    }
}

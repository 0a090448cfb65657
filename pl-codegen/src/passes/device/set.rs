//! Sets of instances.

use std::rc::Rc;

/// Words of a piece.
const WORDS: usize = 32;

/// Instances that a piece tells of.
const PIECE: u32 = WORDS as u32 * 64;

/// A set of instances, in pieces that sets share: what is over when a task begins is for the most part
/// what was over when the task before it began.
#[derive(Clone, Default)]
pub(super) struct Set(Vec<Option<Rc<[u64; WORDS]>>>);

impl Set {
    pub(super) fn has(&self, index: u32) -> bool {
        let (piece, word, bit) = place(index);
        let piece = self.0.get(piece).and_then(Option::as_ref);
        piece.is_some_and(|piece| piece[word] & bit != 0)
    }

    pub(super) fn insert(&mut self, index: u32) {
        let (piece, word, bit) = place(index);
        if self.0.len() <= piece {
            self.0.resize(piece + 1, None);
        }
        let piece = self.0[piece].get_or_insert_with(|| Rc::new([0; WORDS]));
        if piece[word] & bit == 0 {
            Rc::make_mut(piece)[word] |= bit;
        }
    }

    pub(super) fn remove(&mut self, index: u32) {
        let (piece, word, bit) = place(index);
        if let Some(Some(piece)) = self.0.get_mut(piece)
            && piece[word] & bit != 0
        {
            Rc::make_mut(piece)[word] &= !bit;
        }
    }

    /// Adds another set.
    pub(super) fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), None);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            match (&mut *mine, theirs) {
                (_, None) => {}
                (None, Some(_)) => mine.clone_from(theirs),
                (Some(own), Some(other)) => {
                    if Rc::ptr_eq(own, other) || is_within(other, own) {
                        continue;
                    }
                    if is_within(own, other) {
                        mine.clone_from(theirs);
                    } else {
                        let own = Rc::make_mut(own);
                        own.iter_mut().zip(&**other).for_each(|(a, b)| *a |= b);
                    }
                }
            }
        }
    }

    /// Adds what is in both of two sets.
    pub(super) fn extend_by(&mut self, a: &Self, b: &Self) {
        let length = a.0.len().min(b.0.len());
        if self.0.len() < length {
            self.0.resize(length, None);
        }
        for (mine, both) in self.0.iter_mut().zip(a.0.iter().zip(&b.0)) {
            let (Some(a), Some(b)) = both else { continue };
            let own = mine.get_or_insert_with(|| Rc::new([0; WORDS]));
            let both = || a.iter().zip(&**b).map(|(a, b)| a & b);
            if own.iter().zip(both()).any(|(own, both)| both & !own != 0) {
                let own = Rc::make_mut(own);
                own.iter_mut()
                    .zip(both())
                    .for_each(|(own, both)| *own |= both);
            }
        }
    }

    /// Leaves only what is in another set, too.
    pub(super) fn keep(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            match (&mut *mine, theirs) {
                (None, _) => {}
                (Some(_), None) => *mine = None,
                (Some(own), Some(other)) => {
                    if !Rc::ptr_eq(own, other) && !is_within(own, other) {
                        let own = Rc::make_mut(own);
                        own.iter_mut().zip(&**other).for_each(|(a, b)| *a &= b);
                    }
                }
            }
        }
    }

    /// Calls with what is in none of the others, in ascending order.
    pub(super) fn each_without(&self, others: &[&Self], visit: &mut dyn FnMut(u32)) {
        for (at, piece) in self.0.iter().enumerate() {
            let Some(piece) = piece else { continue };
            let others = others.iter();
            let others = others.filter_map(|other| other.0.get(at)?.as_ref());
            let mut left = **piece;
            for other in others {
                left.iter_mut().zip(&**other).for_each(|(a, b)| *a &= !b);
            }
            for (word, bits) in left.into_iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    visit(at as u32 * PIECE + word as u32 * 64 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        }
    }
}

const fn place(index: u32) -> (usize, usize, u64) {
    let within = index % PIECE;
    let (piece, word) = (index / PIECE, within / 64);
    (piece as usize, word as usize, 1 << (within % 64))
}

/// Whether everything in the first is in the second.
fn is_within(a: &[u64; WORDS], b: &[u64; WORDS]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Set};

    fn set(items: &[u32]) -> Set {
        let mut set = Set::default();
        for item in items {
            set.insert(*item);
        }
        set
    }

    fn items(set: &Set, without: &[&Set]) -> Vec<u32> {
        let mut items = Vec::new();
        set.each_without(without, &mut |item| items.push(item));
        items
    }

    #[test]
    fn pieces_that_are_shared_are_changed_for_one_set_only() {
        let first = set(&[1, PIECE + 1]);
        let mut second = first.clone();
        second.insert(2);
        second.remove(1);
        assert_eq!(items(&first, &[]), [1, PIECE + 1]);
        assert_eq!(items(&second, &[]), [2, PIECE + 1]);
    }

    #[test]
    fn sets_of_several_pieces_are_joined_and_cut() {
        let (a, b) = (set(&[1, 64, PIECE]), set(&[64, 65, 3 * PIECE + 7]));
        let mut all = a.clone();
        all.extend(&b);
        assert_eq!(items(&all, &[]), [1, 64, 65, PIECE, 3 * PIECE + 7]);
        assert_eq!(items(&all, &[&a, &set(&[65])]), [3 * PIECE + 7]);
        let mut both = all.clone();
        both.keep(&b);
        assert_eq!(items(&both, &[]), [64, 65, 3 * PIECE + 7]);
        let mut more = set(&[2]);
        more.extend_by(&a, &b);
        assert_eq!(items(&more, &[]), [2, 64]);
        assert!(all.has(3 * PIECE + 7) && !all.has(4 * PIECE) && !more.has(PIECE));
    }
}

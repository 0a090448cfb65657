//! Values of variables while a function is followed.

use super::num::{Lin, Num, Unknowns};
use super::view::View;
use std::rc::Rc;

/// What is known of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// Nothing.
    Open,
    Num(Num),
    /// A tensor: one of these.
    Tensor(Rc<[View]>),
    /// A task id: of the latest of these that happened, or of none.
    Task(Rc<[Named]>),
    /// An array of task ids.
    Ids(Rc<[(Lin, u32)]>),
    Tuple(Vec<Value>),
}

/// A task that an id may name, and later ones that it may name instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    pub(super) task: u32,
    pub(super) rivals: Vec<u32>,
}

/// Tensors that a handle is known to show one of.
const ALTERNATIVES: usize = 8;

impl Value {
    pub(super) fn task(task: u32) -> Self {
        let rivals = Vec::new();
        Self::Task([Named { task, rivals }].into())
    }

    pub(super) fn no_task() -> Self {
        Self::Task([].into())
    }

    pub(super) fn tensor(view: View) -> Self {
        Self::Tensor([view].into())
    }

    pub(super) fn as_num(&self) -> Option<&Num> {
        match self {
            Self::Num(num) => Some(num),
            _ => None,
        }
    }

    pub(super) fn views(&self) -> &[View] {
        match self {
            Self::Tensor(views) => views,
            _ => &[],
        }
    }

    /// Changes every tensor that it may be.
    pub(super) fn map_views(&self, change: impl FnMut(&View) -> View) -> Self {
        match self {
            Self::Tensor(views) => Self::Tensor(views.iter().map(change).collect()),
            _ => Self::Open,
        }
    }

    /// Tasks that it names.
    pub(super) fn named(&self) -> Vec<Named> {
        match self {
            Self::Task(tasks) => tasks.to_vec(),
            Self::Ids(slots) => slots
                .iter()
                .map(|(index, task)| named(*task, index, slots))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// `ids[index]`
    pub(super) fn at(&self, index: &Lin) -> Self {
        let Self::Ids(slots) = self else {
            return Self::Open;
        };
        let same = slots.iter().filter(|(at, _)| at == index);
        Self::Task(same.map(|(at, task)| named(*task, at, slots)).collect())
    }

    /// The array after `ids[index] = task`.
    pub(super) fn with(&self, index: &Lin, task: &Self) -> Self {
        let (Self::Ids(slots), Self::Task(tasks)) = (self, task) else {
            return Self::Open;
        };
        let others = slots.iter().filter(|(at, _)| at != index).cloned();
        let new = tasks.iter().map(|named| (index.clone(), named.task));
        Self::Ids(others.chain(new).collect())
    }

    /// Either of them.
    pub(super) fn or(self, other: Self, unknowns: &mut Unknowns, signed: bool) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Num(_), Self::Num(_)) => Self::Num(unknowns.fresh(signed).into()),
            (Self::Tensor(a), Self::Tensor(b)) => {
                let mut views = a.to_vec();
                for view in b.iter() {
                    if !views.contains(view) {
                        views.push(view.clone());
                    }
                }
                if views.len() > ALTERNATIVES {
                    let mut roots: Vec<u32> = views.iter().map(|view| view.root).collect();
                    roots.sort_unstable();
                    roots.dedup();
                    views = roots.into_iter().map(View::unknown).collect();
                }
                Self::Tensor(views.into())
            }
            (Self::Task(a), Self::Task(b)) => {
                let mut tasks: Vec<Named> = Vec::new();
                for named in a.iter().chain(b.iter()) {
                    match tasks.iter_mut().find(|known| known.task == named.task) {
                        Some(known) => known.rivals.extend(&named.rivals),
                        None => tasks.push(named.clone()),
                    }
                }
                let all: Vec<u32> = tasks.iter().map(|named| named.task).collect();
                for named in &mut tasks {
                    named
                        .rivals
                        .extend(all.iter().filter(|task| **task > named.task));
                    named.rivals.sort_unstable();
                    named.rivals.dedup();
                }
                tasks.sort_unstable_by_key(|named| named.task);
                Self::Task(tasks.into())
            }
            (Self::Ids(a), Self::Ids(b)) => {
                let mut slots = a.to_vec();
                for slot in b.iter() {
                    if !slots.contains(slot) {
                        slots.push(slot.clone());
                    }
                }
                slots.sort_unstable_by_key(|(_, task)| *task);
                Self::Ids(slots.into())
            }
            (Self::Tuple(a), Self::Tuple(b)) if a.len() == b.len() => {
                let pairs = a.into_iter().zip(b);
                Self::Tuple(pairs.map(|(a, b)| a.or(b, unknowns, signed)).collect())
            }
            _ => Self::Open,
        }
    }
}

/// A task in a slot of an array, with those that may have been put in its place.
fn named(task: u32, index: &Lin, slots: &[(Lin, u32)]) -> Named {
    let apart = |other: &Lin| other.plus(-1, index).as_int().is_some_and(|by| by != 0);
    let later = slots
        .iter()
        .filter(|(at, later)| *later > task && !apart(at));
    let rivals = later.map(|(_, later)| *later).collect();
    Named { task, rivals }
}

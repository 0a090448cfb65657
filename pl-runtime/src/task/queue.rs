//! The queue of ready tasks: many threads push, many threads pop.
//!
//! A bounded ring of cells, each with a turn: `2 * lap` = free for the push of that lap,
//! `2 * lap + 1` = holds the task of that lap. What finds the ring full goes to a locked overflow
//! list, so a push never waits.

use super::slot::{ReadyTask, Slot};
use crate::sync::{AtomicPtr, AtomicUsize, Mutex, Ordering, spin_loop};
use crossbeam_utils::CachePadded;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::ptr;

use std::sync::PoisonError;

struct Cell {
    turn: AtomicUsize,
    task: AtomicPtr<Slot>,
}

pub(crate) struct Queue {
    cells: Box<[Cell]>,
    head: CachePadded<AtomicUsize>,
    tail: CachePadded<AtomicUsize>,
    overflow: Mutex<Vec<ReadyTask>>,
    overflowed: AtomicUsize,
}

impl Queue {
    /// A queue of `capacity` cells, a power of two.
    pub(crate) fn new(capacity: usize) -> Self {
        assert!(capacity.is_power_of_two());
        let cell = || Cell {
            turn: AtomicUsize::new(0),
            task: AtomicPtr::new(ptr::null_mut()),
        };
        Self {
            cells: (0..capacity).map(|_| cell()).collect(),
            head: CachePadded::new(AtomicUsize::new(0)),
            tail: CachePadded::new(AtomicUsize::new(0)),
            overflow: Mutex::new(Vec::new()),
            overflowed: AtomicUsize::new(0),
        }
    }

    fn cell(&self, position: usize) -> (&Cell, usize) {
        let lap = position >> self.cells.len().trailing_zeros();
        (&self.cells[position & (self.cells.len() - 1)], 2 * lap)
    }

    pub(crate) fn push(&self, task: ReadyTask) {
        let mut tail = self.tail.load(Ordering::Relaxed);
        loop {
            let (cell, free) = self.cell(tail);
            match cell.turn.load(Ordering::Acquire).cmp(&free) {
                // The cell still holds a task of the lap before.
                Less => return self.push_overflow(task),
                Equal => match advance(&self.tail, tail) {
                    Ok(()) => {
                        cell.task
                            .store(task.into_ptr().cast_mut(), Ordering::Relaxed);
                        return cell.turn.store(free + 1, Ordering::Release);
                    }
                    Err(now) => tail = now,
                },
                Greater => {
                    spin_loop();
                    tail = self.tail.load(Ordering::Relaxed);
                }
            }
        }
    }

    pub(crate) fn pop(&self) -> Option<ReadyTask> {
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            let (cell, free) = self.cell(head);
            match cell.turn.load(Ordering::Acquire).cmp(&(free + 1)) {
                Less => return self.pop_overflow(),
                Equal => match advance(&self.head, head) {
                    Ok(()) => {
                        let task = cell.task.load(Ordering::Relaxed);
                        cell.turn.store(free + 2, Ordering::Release);
                        return Some(ReadyTask::from_ptr(task));
                    }
                    Err(now) => head = now,
                },
                Greater => {
                    spin_loop();
                    head = self.head.load(Ordering::Relaxed);
                }
            }
        }
    }

    #[cold]
    fn push_overflow(&self, task: ReadyTask) {
        let mut overflow = self.overflow.lock().unwrap_or_else(PoisonError::into_inner);
        overflow.push(task);
        self.overflowed.fetch_add(1, Ordering::SeqCst);
    }

    fn pop_overflow(&self) -> Option<ReadyTask> {
        if self.overflowed.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let mut overflow = self.overflow.lock().unwrap_or_else(PoisonError::into_inner);
        let task = overflow.pop()?;
        self.overflowed.fetch_sub(1, Ordering::SeqCst);
        Some(task)
    }

    /// Whether a push has begun that no pop has answered.
    pub(crate) fn has_tasks(&self) -> bool {
        let head = self.head.load(Ordering::SeqCst);
        self.tail.load(Ordering::SeqCst) != head || self.overflowed.load(Ordering::SeqCst) > 0
    }
}

/// Takes position `from`; the current one if another thread did.
fn advance(index: &AtomicUsize, from: usize) -> Result<(), usize> {
    // SeqCst: ordered against a thread that is about to sleep (`exec::park`).
    index
        .compare_exchange_weak(from, from + 1, Ordering::SeqCst, Ordering::Relaxed)
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn task(n: usize) -> ReadyTask {
        ReadyTask::from_ptr(ptr::without_provenance(n))
    }

    #[test]
    fn tasks_come_out_in_order() {
        let queue = Queue::new(4);
        for lap in 0..10 {
            for i in 0..3 {
                queue.push(task(lap * 3 + i));
            }
            assert!(queue.has_tasks());
            for i in 0..3 {
                assert_eq!(queue.pop(), Some(task(lap * 3 + i)));
            }
            assert!(!queue.has_tasks());
            assert_eq!(queue.pop(), None);
        }
    }

    #[test]
    fn a_full_queue_loses_nothing() {
        let queue = Queue::new(4);
        (0..100).for_each(|i| queue.push(task(i)));
        let all: HashSet<_> = std::iter::from_fn(|| queue.pop())
            .map(ReadyTask::into_ptr)
            .collect();
        assert_eq!(all.len(), 100);
        assert!(!queue.has_tasks());
    }

    #[test]
    fn threads_share_tasks_without_losing_or_doubling_one() {
        const EACH: usize = 20_000;
        let queue = Queue::new(64);
        let taken = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for thread in 0..2 {
                let (queue, taken) = (&queue, &taken);
                threads.push(scope.spawn(move || {
                    (0..EACH).for_each(|i| queue.push(task(thread * EACH + i)));
                }));
                threads.push(scope.spawn(move || {
                    let mut mine = Vec::new();
                    while mine.len() < EACH {
                        match queue.pop() {
                            Some(task) => mine.push(task.into_ptr().addr()),
                            None => std::hint::spin_loop(),
                        }
                    }
                    taken.lock().unwrap().extend(mine);
                }));
            }
            // Joined one by one: ThreadSanitizer does not see the end of a scope.
            for thread in threads {
                thread.join().unwrap();
            }
        });
        let mut taken = std::mem::take(&mut *taken.lock().unwrap());
        taken.sort_unstable();
        assert_eq!(taken, (0..2 * EACH).collect::<Vec<_>>());
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    fn task(n: usize) -> ReadyTask {
        ReadyTask::from_ptr(ptr::without_provenance(n))
    }

    fn number(task: ReadyTask) -> usize {
        task.into_ptr().addr()
    }

    /// Two threads push, the model's own thread pops meanwhile and afterwards.
    fn pushes_and_pops(capacity: usize, each: usize) {
        loom::model(move || {
            let queue = Arc::new(Queue::new(capacity));
            let pushers: Vec<_> = (0..2)
                .map(|thread| {
                    let queue = Arc::clone(&queue);
                    thread::spawn(move || {
                        (0..each).for_each(|i| queue.push(task(thread * each + i)))
                    })
                })
                .collect();
            let mut taken: Vec<_> = queue.pop().into_iter().map(number).collect();
            pushers
                .into_iter()
                .for_each(|pusher| pusher.join().unwrap());
            assert_eq!(queue.has_tasks(), taken.len() < 2 * each);
            taken.extend(std::iter::from_fn(|| queue.pop()).map(number));
            taken.sort_unstable();
            assert_eq!(taken, (0..2 * each).collect::<Vec<_>>());
            assert!(!queue.has_tasks());
        });
    }

    #[test]
    fn two_pushes_and_a_pop_lose_and_double_nothing() {
        pushes_and_pops(2, 1);
    }

    #[test]
    fn a_queue_that_overflows_loses_and_doubles_nothing() {
        pushes_and_pops(1, 2);
    }

    #[test]
    fn two_poppers_share_what_is_there() {
        loom::model(|| {
            let queue = Arc::new(Queue::new(2));
            queue.push(task(1));
            let popper = {
                let queue = Arc::clone(&queue);
                thread::spawn(move || queue.pop().map(number))
            };
            queue.push(task(2));
            let mut taken: Vec<_> = queue.pop().map(number).into_iter().collect();
            taken.extend(popper.join().unwrap());
            taken.extend(std::iter::from_fn(|| queue.pop()).map(number));
            taken.sort_unstable();
            assert_eq!(taken, [1, 2]);
        });
    }
}

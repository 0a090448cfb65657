//! How tasks wait for each other: a producer's list of consumers, a consumer's fanin.
//!
//! # Invariants of the unsafe code
//! * The orchestrator alone adds edges, each once for a task; each edge lies in the payload of its consumer.
//! * A producer closes its list exactly once, when its kernel has ended. Closing *is* COMPLETED:
//!   the swap is the last access of the producer's runner to the producer's slot.
//! * Every edge that was added before the list closed takes one from its consumer's fanin. The
//!   orchestrator takes one for every edge that it found closed, and one for itself. Whoever takes
//!   the last one makes the consumer ready: exactly one thread does.
//! * A consumer cannot complete, so its edges and its slot stay where they are, while one of its producers still
//!   has to walk over them: a producer reads an edge before it takes it from the fanin, and not after.

use crate::sync::{AtomicPtr, AtomicU32, Ordering};
use std::ptr;

/// Something that has [`Links`].
pub(crate) trait Linked: Sized {
    fn links(&self) -> &Links<Self>;
}

/// "This consumer waits for that producer", in the list of the producer.
pub(crate) struct Edge<T> {
    next: AtomicPtr<Edge<T>>,
    consumer: *const T,
}

impl<T> Edge<T> {
    pub(crate) fn new(consumer: *const T) -> Self {
        Self {
            next: AtomicPtr::new(ptr::null_mut()),
            consumer,
        }
    }
}

/// The part of a task that other threads change.
pub(crate) struct Links<T> {
    /// Newest edge first; [`closed`] once the task is COMPLETED.
    head: AtomicPtr<Edge<T>>,
    fanin: AtomicU32,
    /// Consumers that no longer need what this task owns.
    released: AtomicU32,
}

fn closed<T>() -> *mut Edge<T> {
    ptr::without_provenance_mut(1)
}

impl<T: Linked> Links<T> {
    /// Links of a task that has completed.
    pub(crate) fn completed() -> Self {
        Self {
            head: AtomicPtr::new(closed()),
            fanin: AtomicU32::new(0),
            released: AtomicU32::new(0),
        }
    }

    /// Starts a task that waits for `edges` producers and for [`Self::publish`].
    pub(crate) fn open(&self, edges: u32) {
        self.head.store(ptr::null_mut(), Ordering::Relaxed);
        self.fanin.store(edges + 1, Ordering::Relaxed);
        self.released.store(0, Ordering::Relaxed);
    }

    /// Starts a task that is complete at once.
    pub(crate) fn open_completed(&self) {
        self.head.store(closed(), Ordering::Relaxed);
        self.released.store(0, Ordering::Relaxed);
    }

    /// Whether the task has completed; if so, everything it wrote is visible.
    pub(crate) fn is_completed(&self) -> bool {
        // SeqCst: ordered against the flag of a waiting caller (see `exec::park`).
        self.head.load(Ordering::SeqCst) == closed()
    }

    /// Adds an edge to this producer; `false` if it has completed already.
    ///
    /// # Safety
    /// `edge` and its consumer stay valid until the edge has been taken from the consumer's fanin.
    pub(crate) unsafe fn add(&self, edge: *mut Edge<T>) -> bool {
        let mut head = self.head.load(Ordering::Acquire);
        while head != closed() {
            // SAFETY: valid by contract, and in no list yet: nobody else uses it.
            unsafe { &*edge }.next.store(head, Ordering::Relaxed);
            match self
                .head
                .compare_exchange_weak(head, edge, Ordering::Release, Ordering::Acquire)
            {
                Ok(_) => return true,
                Err(now) => head = now,
            }
        }
        false
    }

    /// Takes the orchestrator's own share and the one of `satisfied` edges; whether the task is
    /// ready now.
    pub(crate) fn publish(&self, satisfied: u32) -> bool {
        self.fanin.fetch_sub(satisfied + 1, Ordering::AcqRel) == satisfied + 1
    }

    /// Completes the task and calls `ready` for each consumer that has become ready.
    ///
    /// # Safety
    /// Called once for each [`Self::open`], by the task's runner. `self` may be reused for another
    /// task at any time from the swap on.
    pub(crate) unsafe fn complete(&self, mut ready: impl FnMut(*const T)) {
        let mut edge = self.head.swap(closed(), Ordering::SeqCst);
        while !edge.is_null() {
            // SAFETY: the consumer of an edge that is not taken yet has not completed, so neither
            // the edge nor the consumer has gone; `next` is read before the edge is taken.
            let (next, consumer) =
                unsafe { ((*edge).next.load(Ordering::Relaxed), (*edge).consumer) };
            // SAFETY: as above.
            let fanin = unsafe { &(*consumer).links().fanin };
            if fanin.fetch_sub(1, Ordering::AcqRel) == 1 {
                ready(consumer);
            }
            edge = next;
        }
    }

    /// A consumer no longer needs what this task owns.
    pub(crate) fn release(&self) {
        // SeqCst: ordered against the flag of a waiting caller (see `exec::park`).
        self.released.fetch_add(1, Ordering::SeqCst);
    }

    /// Number of consumers that have called [`Self::release`].
    pub(crate) fn released(&self) -> u32 {
        self.released.load(Ordering::SeqCst)
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    struct Node {
        links: Links<Node>,
        value: AtomicU32,
    }

    impl Linked for Node {
        fn links(&self) -> &Links<Self> {
            &self.links
        }
    }

    fn node() -> Arc<Node> {
        Arc::new(Node {
            links: Links::completed(),
            value: AtomicU32::new(0),
        })
    }

    /// Two producers complete on their own threads while the orchestrator links a consumer to both.
    #[test]
    fn a_consumer_becomes_ready_exactly_once_and_sees_what_its_producers_wrote() {
        loom::model(|| {
            let producers = [node(), node()];
            for producer in &producers {
                producer.links.open(0);
                assert!(producer.links.publish(0));
            }
            let consumer = node();
            let ready = Arc::new(AtomicU32::new(0));
            let runners: Vec<_> = producers
                .iter()
                .map(|producer| {
                    let (producer, ready) = (Arc::clone(producer), Arc::clone(&ready));
                    thread::spawn(move || {
                        producer.value.store(7, Ordering::Relaxed);
                        // SAFETY: completed once; nodes and edges outlive the threads.
                        unsafe {
                            producer.links.complete(|_| {
                                ready.fetch_add(1, Ordering::AcqRel);
                            })
                        };
                    })
                })
                .collect();
            let mut edges = [
                Edge::new(&raw const *consumer),
                Edge::new(&raw const *consumer),
            ];
            let edges = &raw mut edges;
            consumer.links.open(2);
            let mut satisfied = 0;
            for (i, producer) in producers.iter().enumerate() {
                // SAFETY: the edges live until all threads are joined.
                let added = unsafe { producer.links.add((&raw mut (*edges)[i]).cast()) };
                satisfied += u32::from(!added);
            }
            if consumer.links.publish(satisfied) {
                for producer in &producers {
                    assert_eq!(producer.value.load(Ordering::Relaxed), 7);
                }
                ready.fetch_add(1, Ordering::AcqRel);
            }
            for runner in runners {
                runner.join().unwrap();
            }
            assert_eq!(ready.load(Ordering::Acquire), 1);
            assert!(
                producers
                    .iter()
                    .all(|producer| producer.links.is_completed())
            );
        });
    }

    /// The orchestrator reuses what a task owned once its consumer has released it.
    #[test]
    fn a_release_makes_the_consumers_accesses_visible() {
        loom::model(|| {
            let owner = node();
            let consumer = {
                let owner = Arc::clone(&owner);
                thread::spawn(move || {
                    owner.value.store(1, Ordering::Relaxed);
                    owner.links.release();
                })
            };
            if owner.links.released() == 1 {
                assert_eq!(owner.value.load(Ordering::Relaxed), 1);
            }
            consumer.join().unwrap();
        });
    }
}

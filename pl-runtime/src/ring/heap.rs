//! Where blocks go in a ring's heap.
//!
//! Placement depends on the bytes in use (`tail` to `top`, around the end) and the request alone.
//! A block is never split. A wrapped ring keeps `top != tail`, so equal means empty, except for
//! the one ring that is exactly full (`top` at the end, `tail` at 0).

/// The allocator of one heap; offsets in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    size: u64,
    top: u64,
    tail: u64,
    /// Retire index that `tail` reflects.
    seen: u64,
    /// Task whose block restarted an empty ring at 0: `tail` stays 0 until it has retired.
    anchor: Option<u64>,
    top_laps: u64,
    tail_laps: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Top,
    /// At 0, leaving the bytes behind `top` unused.
    Wrap,
    /// At 0, the ring being empty.
    Rebase,
}

impl Heap {
    pub(crate) fn new(size: u64) -> Self {
        Self {
            size,
            top: 0,
            tail: 0,
            seen: 0,
            anchor: None,
            top_laps: 0,
            tail_laps: 0,
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn top(&self) -> u64 {
        self.top
    }

    pub(crate) fn anchor(&self) -> Option<u64> {
        self.anchor
    }

    /// Bytes ever taken back, waste included.
    pub(crate) fn unrolled_start(&self) -> u64 {
        self.tail + self.tail_laps * self.size
    }

    /// Bytes ever handed out, waste included.
    pub(crate) fn unrolled_end(&self) -> u64 {
        self.top + self.top_laps * self.size
    }

    /// Moves the tail after the tasks below `alive` have retired; `end` is the block end of the last one.
    #[inline]
    pub(crate) fn refresh(&mut self, alive: u64, end: u64) {
        if alive <= self.seen {
            return;
        }
        self.seen = alive;
        if self.anchor.is_some_and(|anchor| alive <= anchor) {
            return;
        }
        self.anchor = None;
        self.tail_laps += u64::from(end < self.tail);
        self.tail = end;
    }

    #[inline]
    fn place(&self, bytes: u64) -> Option<Place> {
        if self.top >= self.tail {
            if self.size - self.top >= bytes {
                Some(Place::Top)
            } else if self.tail > bytes {
                Some(Place::Wrap)
            } else {
                (self.top == self.tail && bytes <= self.size).then_some(Place::Rebase)
            }
        } else {
            (self.tail - self.top > bytes).then_some(Place::Top)
        }
    }

    /// How many bytes the heap is too small for a block to be placed in another way than it is, or not;
    /// `None` if its size does not decide about it.
    pub(crate) fn short_of(&self, bytes: u64) -> Option<u64> {
        if bytes == 0 || self.top < self.tail {
            return None;
        }
        let (behind, whole) = (self.size - self.top, self.size);
        [behind, whole]
            .into_iter()
            .filter(|&room| room < bytes)
            .map(|room| bytes - room)
            .min()
    }

    #[inline]
    pub(crate) fn fits(&self, bytes: u64) -> bool {
        bytes == 0 || self.place(bytes).is_some()
    }

    /// Allocates the block of task `id`; its offset, or `None` if it does not fit.
    #[inline]
    pub(crate) fn allocate(&mut self, id: u64, bytes: u64) -> Option<u64> {
        if bytes == 0 {
            return Some(self.top);
        }
        match self.place(bytes)? {
            Place::Top => {
                let offset = self.top;
                self.top += bytes;
                return Some(offset);
            }
            Place::Wrap => {}
            Place::Rebase => {
                self.tail = 0;
                self.tail_laps += 1;
                self.anchor = Some(id);
            }
        }
        self.top = bytes;
        self.top_laps += 1;
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heap that remembers its blocks' ends, driven by (bytes, watermark).
    struct Driver {
        heap: Heap,
        ends: Vec<u64>,
    }

    impl Driver {
        fn new(size: u64) -> Self {
            Self {
                heap: Heap::new(size),
                ends: Vec::new(),
            }
        }

        fn call(&mut self, bytes: u64, alive: usize) -> Option<u64> {
            if alive > 0 {
                self.heap.refresh(alive as u64, self.ends[alive - 1]);
            }
            let offset = self.heap.allocate(self.ends.len() as u64, bytes)?;
            self.ends.push(self.heap.top());
            Some(offset)
        }

        #[track_caller]
        fn state(&self, top: u64, tail: u64, start: u64, end: u64) {
            let heap = &self.heap;
            assert_eq!(
                (
                    heap.top,
                    heap.tail,
                    heap.unrolled_start(),
                    heap.unrolled_end()
                ),
                (top, tail, start, end)
            );
        }
    }

    #[test]
    fn a_full_ring_waits_until_more_than_the_request_is_free() {
        let mut ring = Driver::new(4096);
        assert_eq!(ring.call(1024, 0), Some(0));
        assert_eq!(ring.call(2048, 0), Some(1024));
        assert_eq!(ring.call(1024, 0), Some(3072));
        ring.state(4096, 0, 0, 4096);
        assert_eq!(ring.call(1024, 1), None);
        assert_eq!(ring.call(1024, 2), Some(0));
        ring.state(1024, 3072, 3072, 5120);
        assert_eq!(ring.call(1024, 3), Some(1024));
        ring.state(2048, 4096, 4096, 6144);
    }

    #[test]
    fn a_block_wraps_in_front_of_the_tail() {
        let mut ring = Driver::new(4096);
        assert_eq!(ring.call(3072, 0), Some(0));
        assert_eq!(ring.call(2048, 1), Some(0));
        ring.state(2048, 3072, 3072, 6144);
    }

    #[test]
    fn an_empty_ring_restarts_at_zero_and_keeps_its_tail_there() {
        let mut ring = Driver::new(4096);
        assert_eq!(ring.call(3072, 0), Some(0));
        assert_eq!(ring.call(4096, 1), Some(0));
        ring.state(4096, 0, 4096, 8192);
        assert_eq!(ring.call(1024, 1), None);
        assert_eq!(ring.call(1024, 2), Some(0));
        ring.state(1024, 4096, 8192, 9216);
    }

    #[test]
    fn bytes_wasted_at_the_end_count_until_the_tail_passes_them() {
        let mut ring = Driver::new(10240);
        assert_eq!(ring.call(4096, 0), Some(0));
        assert_eq!(ring.call(4096, 0), Some(4096));
        assert_eq!(ring.call(3072, 1), Some(0));
        ring.state(3072, 4096, 4096, 13312);
        assert_eq!(ring.call(1024, 1), None);
        assert_eq!(ring.call(1024, 2), Some(3072));
        ring.state(4096, 8192, 8192, 14336);
        assert_eq!(ring.call(0, 2), Some(4096));
        assert_eq!(ring.call(6144, 4), Some(4096));
        ring.state(10240, 4096, 14336, 20480);
    }

    #[test]
    fn a_heap_size_may_be_any_number_of_bytes() {
        let mut ring = Driver::new(3000);
        assert_eq!(ring.call(1024, 0), Some(0));
        assert_eq!(ring.call(1024, 0), Some(1024));
        assert_eq!(ring.call(1024, 1), None);
        assert_eq!(ring.call(1024, 2), Some(0));
        ring.state(1024, 2048, 2048, 4024);
    }
}

//! Which task slots of a ring are free.

/// A task window: `size` slots, of which one stays free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    size: u64,
}

impl Window {
    /// `size` is a power of two, at least 4.
    pub(crate) fn new(size: u32) -> Self {
        Self {
            size: u64::from(size),
        }
    }

    pub(crate) fn size(self) -> u64 {
        self.size
    }

    /// The slot of task `local`.
    pub(crate) fn index(self, local: u64) -> usize {
        (local & (self.size - 1)) as usize
    }

    /// Smallest retire index with which task `next` has a slot.
    pub(crate) fn first_fit(self, next: u64) -> u64 {
        (next + 2).saturating_sub(self.size)
    }

    /// Whether a scope with `tasks` tasks may take another one.
    pub(crate) fn scope_admits(self, tasks: u64) -> bool {
        tasks < self.size - 1
    }

    /// Smallest window in which `live` tasks and a new one have slots.
    pub(crate) fn suggestion(live: u64) -> u64 {
        (live + 2).next_power_of_two().max(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slot_stays_free() {
        let window = Window::new(4);
        assert_eq!(window.first_fit(2), 0);
        assert_eq!(window.first_fit(3), 1);
        assert!(window.scope_admits(2));
        assert!(!window.scope_admits(3));
    }

    #[test]
    fn the_suggested_window_admits_the_task() {
        for live in 1..100 {
            let window = Window::new(Window::suggestion(live) as u32);
            assert!(window.scope_admits(live));
            assert!(window.first_fit(live) == 0);
        }
    }
}

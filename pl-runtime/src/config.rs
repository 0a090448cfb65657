//! How a runtime is set up.

use crate::error::{ConfigError, Error};

/// Number of rings of a runtime.
pub const RINGS: usize = 4;

/// Heap bytes of a ring unless configured.
pub const DEFAULT_RING_HEAP: u64 = 256 << 20;
/// Task window of a ring unless configured, in tasks.
pub const DEFAULT_TASK_WINDOW: u32 = 16384;
/// Scratch bytes of a core unless configured.
pub const DEFAULT_SCRATCH_BYTES: usize = 1 << 20;

/// Smallest heap of a ring, in bytes; also the unit of its blocks.
pub(crate) const MIN_RING_HEAP: u64 = 1024;
/// Largest heap of a ring: more than any machine maps, less than sums overflow at.
pub(crate) const MAX_RING_HEAP: u64 = 1 << 60;
pub(crate) const MIN_TASK_WINDOW: u32 = 4;
pub(crate) const MAX_TASK_WINDOW: u32 = 1 << 29;
const MAX_THREADS: usize = 1024;
const MIN_SCRATCH_BYTES: usize = 1024;
const MAX_SCRATCH_BYTES: usize = 1 << 40;

/// One value for each ring. A single value stands for all four; 0 means the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct PerRing<T>(pub [T; RINGS]);

impl<T: Copy> From<T> for PerRing<T> {
    fn from(value: T) -> Self {
        Self([value; RINGS])
    }
}

impl<T> From<[T; RINGS]> for PerRing<T> {
    fn from(values: [T; RINGS]) -> Self {
        Self(values)
    }
}

/// Where tasks run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Executor {
    /// On several threads, each task as soon as its dependencies have ended.
    Threads {
        /// Number of threads, the caller's included; 0 = one for each available core.
        threads: usize,
    },
    /// On the caller's thread.
    Serial {
        /// In which order.
        order: SerialOrder,
    },
}

impl Default for Executor {
    fn default() -> Self {
        Self::Threads { threads: 0 }
    }
}

/// The order in which [`Executor::Serial`] runs tasks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum SerialOrder {
    /// Each task when it is submitted.
    #[default]
    ProgramOrder,
    /// A legal order drawn from this seed, for shaking out missing dependencies.
    Random(u64),
}

/// When the memory of consumed tasks is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum ReclaimPolicy {
    /// Only when an allocation or a task would otherwise not fit, and only as much as it needs.
    #[default]
    Lazy,
    /// At every allocation, as far as tasks have been consumed by then. For comparison: what
    /// reports show then depends on the threads.
    Eager,
}

/// The configuration of a [`Runtime`](crate::Runtime).
///
/// ```
/// use pl_runtime::{Executor, RunConfig};
/// let config = RunConfig {
///     ring_heap: [1 << 20, 64 << 20, 0, 0].into(),
///     ring_task_window: 1024.into(),
///     executor: Executor::Threads { threads: 2 },
///     ..RunConfig::default()
/// };
/// # pl_runtime::Runtime::new(config).unwrap();
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunConfig {
    /// Heap bytes of each ring: at least 1024; default 256 MiB. Memory is mapped lazily.
    pub ring_heap: PerRing<u64>,
    /// Task slots of each ring: a power of two, at least 4; default 16384. One less can be used.
    pub ring_task_window: PerRing<u32>,
    /// Scratch bytes of each core; default 1 MiB.
    pub scratch_bytes: usize,
    /// Overwrite scratch bytes when they are given back, so that stale reads show. Default: in
    /// debug builds.
    pub poison_scratch: bool,
    /// Where tasks run; default: threads on all cores.
    pub executor: Executor,
    /// When the memory of consumed tasks is taken back.
    pub reclaim: ReclaimPolicy,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            ring_heap: PerRing::default(),
            ring_task_window: PerRing::default(),
            scratch_bytes: DEFAULT_SCRATCH_BYTES,
            poison_scratch: cfg!(debug_assertions),
            executor: Executor::default(),
            reclaim: ReclaimPolicy::default(),
        }
    }
}

impl RunConfig {
    /// Heap bytes of each ring, defaults filled in.
    pub(crate) fn heaps(&self) -> [u64; RINGS] {
        self.ring_heap
            .0
            .map(|bytes| if bytes == 0 { DEFAULT_RING_HEAP } else { bytes })
    }

    /// Task window of each ring, defaults filled in.
    pub(crate) fn windows(&self) -> [u32; RINGS] {
        self.ring_task_window.0.map(|slots| {
            if slots == 0 {
                DEFAULT_TASK_WINDOW
            } else {
                slots
            }
        })
    }

    /// Number of threads that run tasks, the caller's included.
    pub(crate) fn threads(&self) -> usize {
        match self.executor {
            Executor::Serial { .. } => 1,
            Executor::Threads { threads: 0 } => std::thread::available_parallelism()
                .map_or(1, usize::from)
                .min(MAX_THREADS),
            Executor::Threads { threads } => threads,
        }
    }

    /// Checks every field before anything runs.
    ///
    /// # Errors
    /// [`Error::Config`], naming the field, the value, the rule, and a value that works.
    pub fn validate(&self) -> Result<(), Error> {
        for (ring, &bytes) in self.ring_heap.0.iter().enumerate() {
            if bytes != 0 && !(MIN_RING_HEAP..=MAX_RING_HEAP).contains(&bytes) {
                return Err(ConfigError::refuse(
                    "ring_heap",
                    Some(ring),
                    bytes,
                    format!("a heap has {MIN_RING_HEAP} to {MAX_RING_HEAP} bytes (0 = default)"),
                    if bytes < MIN_RING_HEAP {
                        MIN_RING_HEAP
                    } else {
                        DEFAULT_RING_HEAP
                    },
                ));
            }
        }
        for (ring, &slots) in self.ring_task_window.0.iter().enumerate() {
            let range = MIN_TASK_WINDOW..=MAX_TASK_WINDOW;
            if slots != 0 && !(range.contains(&slots) && slots.is_power_of_two()) {
                return Err(ConfigError::refuse(
                    "ring_task_window",
                    Some(ring),
                    slots,
                    format!(
                        "a task window is a power of two from {MIN_TASK_WINDOW} to \
                         {MAX_TASK_WINDOW} (0 = default)"
                    ),
                    slots
                        .clamp(MIN_TASK_WINDOW, MAX_TASK_WINDOW)
                        .next_power_of_two(),
                ));
            }
        }
        let scratch = MIN_SCRATCH_BYTES..=MAX_SCRATCH_BYTES;
        if !scratch.contains(&self.scratch_bytes) {
            return Err(ConfigError::refuse(
                "scratch_bytes",
                None,
                self.scratch_bytes,
                format!("a scratch has {MIN_SCRATCH_BYTES} to {MAX_SCRATCH_BYTES} bytes"),
                DEFAULT_SCRATCH_BYTES,
            ));
        }
        if let Executor::Threads { threads } = self.executor
            && threads > MAX_THREADS
        {
            return Err(ConfigError::refuse(
                "executor: Threads { threads }",
                None,
                threads,
                format!("at most {MAX_THREADS} threads (0 = one for each core)"),
                0,
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(config: &RunConfig) -> String {
        config.validate().unwrap_err().to_string()
    }

    #[test]
    fn zero_means_the_default() {
        let config = RunConfig {
            ring_heap: [0, 4096, 0, 0].into(),
            ..RunConfig::default()
        };
        config.validate().unwrap();
        assert_eq!(config.heaps(), [256 << 20, 4096, 256 << 20, 256 << 20]);
        assert_eq!(config.windows(), [16384; RINGS]);
    }

    #[test]
    fn a_single_value_stands_for_all_rings() {
        assert_eq!(PerRing::from(7_u32), PerRing([7; RINGS]));
    }

    #[test]
    fn a_bad_value_is_named_with_field_ring_rule_and_a_value_that_works() {
        let config = RunConfig {
            ring_task_window: [8, 8, 12, 8].into(),
            ..RunConfig::default()
        };
        let text = message(&config);
        for part in ["ring_task_window", "ring 2", "12", "power of two", "16"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let config = RunConfig {
            ring_heap: [0, 1000, 0, 0].into(),
            ..RunConfig::default()
        };
        let text = message(&config);
        for part in ["ring_heap", "ring 1", "1000", "1024"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let config = RunConfig {
            scratch_bytes: 0,
            ..RunConfig::default()
        };
        assert!(message(&config).contains("scratch_bytes"));
        let executor = Executor::Threads { threads: 1025 };
        assert!(
            message(&RunConfig {
                executor,
                ..RunConfig::default()
            })
            .contains("1024")
        );
    }

    #[test]
    fn suggested_windows_are_accepted() {
        for slots in [1, 3, 5, 12, 100_000, u32::MAX] {
            let config = RunConfig {
                ring_task_window: slots.into(),
                ..RunConfig::default()
            };
            let Err(Error::Config(error)) = config.validate() else {
                panic!("{slots}")
            };
            let suggestion: u32 = error.suggestion.parse().unwrap();
            RunConfig {
                ring_task_window: suggestion.into(),
                ..config
            }
            .validate()
            .unwrap();
        }
    }
}

//! Which configurations are refused, before anything runs.

use super::{
    DEFAULT_CLUSTERS, DEFAULT_RING_HEAP, DEFAULT_SCRATCH_BYTES, Dependencies, Executor,
    MAX_CLUSTERS, MAX_DEP_POOL, MAX_RING_HEAP, MAX_TASK_WINDOW, MAX_THREADS, MIN_DEP_POOL,
    MIN_RING_HEAP, MIN_TASK_WINDOW, RunConfig, limits,
};
use crate::error::{ConfigError, Error};

const MIN_SCRATCH_BYTES: usize = 1024;
const MAX_SCRATCH_BYTES: usize = 1 << 40;

impl RunConfig {
    /// Checks every field before anything runs.
    ///
    /// # Errors
    /// [`Error::Config`], naming the field, the value, the rule, and a value that works;
    /// [`Error::Reserve`] (207001) for heaps that are larger together than what the process may have.
    pub fn validate(&self) -> Result<(), Error> {
        self.check_rings()?;
        self.check_cores()?;
        self.check_diagnostics()?;
        limits::check_total(&self.heaps())
    }

    fn check_rings(&self) -> Result<(), Error> {
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
        for (ring, &edges) in self.ring_dep_pool.0.iter().enumerate() {
            if edges != 0 && !(MIN_DEP_POOL..=MAX_DEP_POOL).contains(&edges) {
                return Err(ConfigError::refuse(
                    "ring_dep_pool",
                    Some(ring),
                    edges,
                    format!("a dep pool has {MIN_DEP_POOL} to {MAX_DEP_POOL} edges (0 = default)"),
                    edges.clamp(MIN_DEP_POOL, MAX_DEP_POOL),
                ));
            }
        }
        Ok(())
    }

    fn check_cores(&self) -> Result<(), Error> {
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
        if self.clusters > MAX_CLUSTERS {
            return Err(ConfigError::refuse(
                "clusters",
                None,
                self.clusters,
                format!("a device has 1 to {MAX_CLUSTERS} clusters (0 = default)"),
                DEFAULT_CLUSTERS,
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
        self.check_timing()?;
        if let (Dependencies::Device, Executor::Threads { .. }) = (self.dependencies, self.executor)
        {
            return Err(ConfigError::refuse(
                "dependencies",
                None,
                "`Dependencies::Device` on `Executor::Threads`",
                "the device leaves conflicts unordered, which race on several threads".into(),
                "`Executor::Serial`, or `Dependencies::DeviceVouched` if you order them yourself",
            ));
        }
        Ok(())
    }

    /// What is simulated, and what else means nothing.
    fn check_timing(&self) -> Result<(), Error> {
        if self.executor != Executor::Timing {
            if self.enable_task_times {
                return Err(ConfigError::refuse(
                    "enable_task_times",
                    None,
                    true,
                    "only simulated tasks have the same times in each run".into(),
                    "false, or `Executor::Timing`",
                ));
            }
            return Ok(());
        }
        if self.kernel_watchdog.is_some() {
            return Err(ConfigError::refuse(
                "kernel_watchdog",
                None,
                "set",
                "`Executor::Timing` looks at no clock".into(),
                "`None`",
            ));
        }
        self.values.validate()?;
        let machine = &self.machine;
        let matrix = &machine.matrix;
        for (field, value, most) in [
            ("machine.clusters", machine.clusters, MAX_CLUSTERS),
            ("machine.clock_mhz", machine.clock_mhz, u32::MAX),
            ("machine.vector_bytes", machine.vector_bytes, u32::MAX),
            ("machine.matrix.f32", matrix.f32, u32::MAX),
            ("machine.matrix.f16", matrix.f16, u32::MAX),
            ("machine.matrix.bf16", matrix.bf16, u32::MAX),
            ("machine.matrix.int8", matrix.int8, u32::MAX),
            ("machine.matrix.int", matrix.int, u32::MAX),
            ("machine.core_bandwidth", machine.core_bandwidth, u32::MAX),
            (
                "machine.memory_bandwidth",
                machine.memory_bandwidth,
                u32::MAX,
            ),
        ] {
            if !(1..=most).contains(&value) {
                return Err(ConfigError::refuse(
                    field,
                    None,
                    value,
                    format!("a device has 1 to {most}"),
                    if value == 0 { 1 } else { most },
                ));
            }
        }
        Ok(())
    }

    fn check_diagnostics(&self) -> Result<(), Error> {
        let work_dir = self.work_dir.as_ref();
        let needs_folder = [
            ("enable_scope_stats", self.enable_scope_stats),
            ("enable_chip_swimlane", self.enable_chip_swimlane),
            ("enable_dump_args", self.enable_dump_args.is_some()),
            ("enable_pmu", self.enable_pmu),
        ];
        if let Some((field, _)) = needs_folder.iter().find(|(_, on)| *on)
            && work_dir.is_none_or(|path| path.as_os_str().is_empty())
        {
            return Err(ConfigError::refuse(
                "work_dir",
                None,
                work_dir.map_or("not set", |_| "empty"),
                format!("`{field}` writes its report there"),
                "a folder, for example `Some(\"build_output\".into())`",
            ));
        }
        if self.enable_dump_args.is_some() && self.executor == Executor::Timing {
            return Err(ConfigError::refuse(
                "enable_dump_args",
                None,
                "set",
                "`Executor::Timing` computes no element, so there is nothing to write".into(),
                "`None`, or an executor that runs the tasks: `Executor::default()`",
            ));
        }
        if self.kernel_watchdog.is_some_and(|time| time.is_zero()) {
            return Err(ConfigError::refuse(
                "kernel_watchdog",
                None,
                "0",
                "every kernel takes longer (`None` = no watchdog)".into(),
                "`Some(Duration::from_secs(10))`",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{PerRing, RINGS};

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
        let config = RunConfig {
            ring_dep_pool: [0, 0, 0, 3].into(),
            ..RunConfig::default()
        };
        let text = message(&config);
        for part in ["ring_dep_pool", "ring 3", "is 3", "use 4"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let config = RunConfig {
            clusters: 70_000,
            ..RunConfig::default()
        };
        assert!(message(&config).contains("clusters"));
        let config = RunConfig {
            kernel_watchdog: Some(std::time::Duration::ZERO),
            ..RunConfig::default()
        };
        assert!(message(&config).contains("kernel_watchdog"));
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
    fn a_report_needs_a_folder_and_unordered_tasks_one_thread_or_a_promise() {
        let mut config = RunConfig {
            enable_scope_stats: true,
            ..RunConfig::default()
        };
        assert!(message(&config).contains("`RunConfig::work_dir` is not set"));
        config.work_dir = Some("".into());
        assert!(message(&config).contains("`RunConfig::work_dir` is empty"));
        config.work_dir = Some("build_output".into());
        config.validate().unwrap();
        config.dependencies = Dependencies::Device;
        assert!(message(&config).contains("Executor::Serial"));
        let order = crate::SerialOrder::Random(1);
        RunConfig {
            executor: Executor::Serial { order },
            ..config.clone()
        }
        .validate()
        .unwrap();
        // SAFETY: nothing runs.
        let vouched = unsafe { crate::config::Vouched::new() };
        config.dependencies = Dependencies::DeviceVouched(vouched);
        config.validate().unwrap();
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

//! `run.json`: what the scope statistics' schema has no place for.

use super::RunReport;
use crate::config::{Dependencies, ManualAudit, RINGS, ReclaimPolicy, RunConfig};
use crate::error::Error;
use serde::Serialize;
use std::array;

/// Version of the file's layout.
const SCHEMA: u32 = 1;

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome<'e> {
    Ok,
    Failed(&'e Error),
    /// The orchestration panicked.
    Panicked,
}

impl Outcome<'_> {
    pub(super) fn is_ok(self) -> bool {
        matches!(self, Self::Ok)
    }

    /// One word, for the other recordings.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed(_) => "failed",
            Self::Panicked => "panicked",
        }
    }
}

/// What does not change from run to run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Rules {
    reclaim: &'static str,
    dependencies: &'static str,
    manual_audit: &'static str,
}

impl Rules {
    /// Which dependencies are found.
    pub(super) fn dependencies(self) -> &'static str {
        self.dependencies
    }

    pub(super) fn new(config: &RunConfig) -> Self {
        Self {
            reclaim: match config.reclaim {
                ReclaimPolicy::Lazy => "lazy",
                ReclaimPolicy::Eager => "eager",
            },
            dependencies: match config.dependencies {
                Dependencies::Sound => "sound",
                Dependencies::Device | Dependencies::DeviceVouched(_) => "device",
            },
            manual_audit: match config.manual_audit {
                ManualAudit::On => "on",
                ManualAudit::Off(_) => "off",
            },
        }
    }
}

/// The file. Fields stand in it in this order.
#[derive(Debug, Serialize)]
struct File<'a> {
    version: u32,
    entry: &'a str,
    outcome: Ending,
    executor: &'a str,
    #[serde(flatten)]
    rules: Rules,
    clusters: u32,
    tensormap_high_water: u64,
    scopes: u64,
    rings: [Figures; RINGS],
}

#[derive(Debug, Serialize)]
struct Ending {
    ok: bool,
    #[serde(flatten)]
    failure: Option<Failure>,
}

#[derive(Debug, Serialize)]
struct Failure {
    code: Option<u32>,
    name: Option<&'static str>,
    text: String,
}

#[derive(Debug, Serialize)]
struct Figures {
    ring_heap: u64,
    ring_task_window: u32,
    ring_dep_pool: u32,
    kernel_tasks: u64,
    alloc_tasks: u64,
    heap_high_water: u64,
    heap_demand: u64,
}

/// The contents of the file.
pub(super) fn contents(
    entry: &str,
    outcome: Outcome<'_>,
    rules: Rules,
    report: &RunReport,
) -> serde_json::Result<String> {
    let failure = match outcome {
        Outcome::Ok => None,
        Outcome::Failed(error) => Some(Failure {
            code: error.code(),
            name: error.name(),
            text: error.to_string(),
        }),
        Outcome::Panicked => Some(Failure {
            code: None,
            name: Some("PANIC"),
            text: "the orchestration panicked".into(),
        }),
    };
    let file = File {
        version: SCHEMA,
        entry,
        outcome: Ending {
            ok: outcome.is_ok(),
            failure,
        },
        executor: &report.executor,
        rules,
        clusters: report.clusters,
        tensormap_high_water: report.tensormap_high_water,
        scopes: report.scopes,
        rings: array::from_fn(|ring| Figures {
            ring_heap: report.ring_heap[ring],
            ring_task_window: report.ring_task_window[ring],
            ring_dep_pool: report.ring_dep_pool[ring],
            kernel_tasks: report.kernel_tasks[ring],
            alloc_tasks: report.alloc_tasks[ring],
            heap_high_water: report.heap_high_water[ring],
            heap_demand: report.heap_demand[ring],
        }),
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

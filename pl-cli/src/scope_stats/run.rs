//! `run.json`, which our runtime writes beside the statistics.

use super::finding::{Findings, Kind};
use super::lane::{Lane, RINGS, Resource};
use super::metadata::Metadata;
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The layout that is known.
const SCHEMA: u64 = 1;
/// Bytes of the largest file that is read.
const LARGEST: u64 = 1 << 20;

/// How a run ended.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    /// Whether it succeeded.
    pub ok: bool,
    /// The device's code.
    pub code: Option<u32>,
    /// The code's name.
    pub name: Option<String>,
    /// The error's text.
    pub text: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Ring {
    #[serde(rename = "ring_heap")]
    heap: u64,
    #[serde(rename = "ring_task_window")]
    task_window: u64,
    #[serde(rename = "ring_dep_pool")]
    dep_pool: u64,
    heap_demand: u64,
}

/// What `run.json` says.
#[derive(Clone, Debug, Deserialize)]
pub struct Run {
    version: u64,
    /// Name of the entry.
    pub entry: String,
    /// How it ended.
    pub outcome: Outcome,
    /// With its threads or its seed.
    pub executor: String,
    /// Scopes opened, the root included.
    pub scopes: u64,
    rings: [Ring; RINGS],
}

impl Run {
    /// The file beside `statistics`, if there is one and it belongs to it.
    pub(super) fn beside(
        statistics: &Path,
        metadata: &Metadata,
        begins: u64,
        findings: &mut Findings,
    ) -> Option<Self> {
        let path = statistics.with_file_name("run.json");
        let read = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => Err(error.to_string()),
            Ok(file) => Self::read(file),
        };
        let run = read.and_then(|run| match run.other_run(metadata, begins) {
            Some(why) => Err(format!("it is of another run: {why}")),
            None => Ok(run),
        });
        match run {
            Ok(run) => {
                run.check(findings);
                Some(run)
            }
            Err(why) => {
                findings.add(Kind::BadRunJson, None, || {
                    format!("`run.json` is not used: {why}")
                });
                None
            }
        }
    }

    fn read(file: impl Read) -> Result<Self, String> {
        let mut text = Vec::new();
        file.take(LARGEST)
            .read_to_end(&mut text)
            .map_err(|error| error.to_string())?;
        let run: Self = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        if run.version != SCHEMA {
            return Err(format!("version {} is not {SCHEMA}", run.version));
        }
        Ok(run)
    }

    /// How it shows that this is not the run of the statistics.
    fn other_run(&self, metadata: &Metadata, begins: u64) -> Option<String> {
        for (ring, sizes) in self.rings.iter().enumerate() {
            for (resource, size) in [
                (Resource::TaskWindow, sizes.task_window),
                (Resource::Heap, sizes.heap),
                (Resource::DepPool, sizes.dep_pool),
            ] {
                let lane = Lane::new(resource, ring);
                let capacity = metadata.capacity[lane.index()];
                if capacity.is_some_and(|capacity| capacity != size) {
                    return Some(format!("it has {size} for {lane}"));
                }
            }
        }
        (begins > self.scopes).then(|| {
            format!(
                "it had {}",
                super::format::count(self.scopes, "scope", "scopes")
            )
        })
    }

    fn check(&self, findings: &mut Findings) {
        if self.outcome.ok {
            return;
        }
        findings.add(Kind::Failed, None, || {
            let text = self.outcome.text.as_deref().unwrap_or("the run failed");
            super::format::printable(text)
        });
    }

    /// Most heap bytes of a ring that open scopes needed at one time.
    pub(super) fn heap_demand(&self, ring: usize) -> Option<u64> {
        self.rings.get(ring).map(|ring| ring.heap_demand)
    }
}

//! `merged_swimlane.json`: what ran when on which core, and what the orchestrator did, in the Trace
//! Event Format that Perfetto and Chrome read.
//!
//! Everything is a complete event (`"ph": "X"`), whose order in the file does not matter; times are in
//! microseconds.

use super::files::Folder;
use super::live::Ran;
use super::run_json::Outcome;
use super::stream::Stream;
use crate::site::Site;
use crate::sync::Mutex;
use crate::task::{CoreType, TaskKey};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;
use std::sync::PoisonError;

const FILE: &str = "merged_swimlane.json";
/// Of so many tasks that a submitted one waits for, the numbers are written.
const DEPS: usize = 32;

/// A line of the diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Track {
    Orchestrator,
    /// A thread that runs tasks; 0 = the caller's.
    Thread(u32),
    /// A simulated core: the one with this number of its type.
    Core(CoreType, u32),
}

impl Track {
    /// The cores of the cluster stand together.
    fn id(self) -> u32 {
        match self {
            Self::Orchestrator => 0,
            Self::Thread(thread) => 1 + thread,
            Self::Core(CoreType::Aiv, core) => 2 + core / 2 * 3 + core % 2,
            Self::Core(_, core) => 1 + core * 3,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Orchestrator => "orchestrator".into(),
            Self::Thread(0) => "thread 0 (caller)".into(),
            Self::Thread(thread) => format!("thread {thread}"),
            Self::Core(CoreType::Aiv, core) => format!("AIV {core}"),
            Self::Core(_, core) => format!("AIC {core}"),
        }
    }
}

/// The diagram of the run in progress.
#[derive(Debug)]
pub(crate) struct Swimlane(Mutex<State>);

#[derive(Debug)]
struct State {
    entry: &'static str,
    stream: Option<Stream>,
    /// Tracks that have a name.
    named: BTreeSet<u32>,
    /// The tasks in program order: cores do not know their numbers on the ring.
    tasks: Vec<TaskKey>,
}

/// A stretch of time on a track.
#[derive(Debug, Serialize)]
struct Slice<'a, A> {
    name: &'a str,
    cat: &'a str,
    ph: &'a str,
    ts: f64,
    dur: f64,
    pid: u32,
    tid: u32,
    args: A,
}

#[derive(Debug, Serialize)]
struct Metadata<'a, A> {
    name: &'a str,
    ph: &'a str,
    pid: u32,
    tid: u32,
    args: A,
}

#[derive(Debug, Serialize)]
struct Name<'a> {
    name: &'a str,
}

#[derive(Debug, Serialize)]
struct SortIndex {
    sort_index: u32,
}

#[derive(Debug, Serialize)]
struct KernelRun<'a> {
    kernel: &'a str,
    task: u64,
    ring: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    site: String,
    block: u32,
    blocks: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

#[derive(Debug, Serialize)]
struct Submit<'a> {
    kernel: &'a str,
    task: u64,
    ring: usize,
    number: u64,
    site: String,
    /// `ring:number` of tasks that it waits for.
    waits_for: Vec<String>,
    /// How many there are beside these.
    #[serde(skip_serializing_if = "Option::is_none")]
    and_more: Option<usize>,
}

/// What is told of a call of the orchestration that takes no slot.
#[derive(Debug, Serialize)]
pub(crate) struct Call {
    pub(crate) site: String,
    pub(crate) ring: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
}

/// Nanoseconds as microseconds; the shortest text that reads back as this has three digits behind the
/// point at most, for runs of up to eleven days.
fn micros(ns: u64) -> f64 {
    ns as f64 / 1000.0
}

impl State {
    fn slice(
        &mut self,
        track: Track,
        name: &str,
        cat: &str,
        [start, end]: [u64; 2],
        args: impl Serialize,
    ) {
        let tid = track.id();
        let Some(stream) = &mut self.stream else {
            return;
        };
        if self.named.insert(tid) {
            name_track(stream, track);
        }
        stream.push(&Slice {
            name,
            cat,
            ph: "X",
            ts: micros(start),
            dur: micros(end.saturating_sub(start)),
            pid: 1,
            tid,
            args,
        });
    }
}

fn name_track(stream: &mut Stream, track: Track) {
    let (tid, text) = (track.id(), track.name());
    stream.push(&Metadata {
        name: "thread_name",
        ph: "M",
        pid: 1,
        tid,
        args: Name { name: &text },
    });
    stream.push(&Metadata {
        name: "thread_sort_index",
        ph: "M",
        pid: 1,
        tid,
        args: SortIndex { sort_index: tid },
    });
}

impl Swimlane {
    pub(super) fn create(folder: &Folder, entry: &'static str) -> io::Result<Self> {
        let head = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
        let mut stream = Stream::create(folder.prepared(FILE)?, FILE, head)?;
        stream.push(&Metadata {
            name: "process_name",
            ph: "M",
            pid: 1,
            tid: 0,
            args: Name { name: entry },
        });
        Ok(Self(Mutex::new(State {
            entry,
            stream: Some(stream),
            named: BTreeSet::new(),
            tasks: Vec::new(),
        })))
    }

    fn with<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A task has its slot: it is the next one in program order.
    pub(crate) fn submitted(
        &self,
        kernel: Option<&str>,
        key: TaskKey,
        site: Site,
        times: [u64; 2],
        waits: &[TaskKey],
    ) {
        self.with(|state| {
            let task = state.tasks.len() as u64;
            state.tasks.push(key);
            let name = match kernel {
                Some(kernel) => format!("submit {kernel}"),
                None => "alloc_tensors".into(),
            };
            let shown = waits.iter().take(DEPS);
            let args = Submit {
                kernel: kernel.unwrap_or("alloc_tensors"),
                task,
                ring: key.ring(),
                number: key.local(),
                site: site.to_string(),
                waits_for: shown
                    .map(|task| format!("{}:{}", task.ring(), task.local()))
                    .collect(),
                and_more: waits.len().checked_sub(DEPS).filter(|&more| more > 0),
            };
            state.slice(Track::Orchestrator, &name, "call", times, args);
        });
    }

    /// The orchestrator has done something else: `name` is what, `cat` which kind of thing.
    pub(crate) fn call(&self, name: &str, cat: &str, times: [u64; 2], args: Call) {
        self.with(|state| state.slice(Track::Orchestrator, name, cat, times, args));
    }

    /// A kernel has run, on all of these cores.
    pub(crate) fn ran(&self, tracks: &[Track], ran: &Ran) {
        self.with(|state| {
            let key = state.tasks.get(ran.task as usize);
            let number = key.map(|key| key.local());
            for &track in tracks {
                let args = KernelRun {
                    kernel: ran.kernel.name,
                    task: ran.task,
                    ring: ran.ring,
                    number,
                    site: ran.site.to_string(),
                    block: ran.block,
                    blocks: ran.blocks,
                    failed: ran.failed,
                };
                let times = [ran.start_ns, ran.end_ns];
                state.slice(track, ran.kernel.name, "kernel", times, args);
            }
        });
    }

    pub(super) fn publish(&self, executor: &str, outcome: Outcome<'_>) -> io::Result<()> {
        self.with(|state| {
            let Some(stream) = state.stream.take() else {
                return Ok(());
            };
            let other = serde_json::json!({
                "entry": state.entry,
                "executor": executor,
                "outcome": outcome.name(),
            });
            stream.publish(&format!("\n], \"otherData\": {other}}}\n"), FILE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_are_exact_in_microseconds() {
        for (ns, text) in [
            (0, "0.0"),
            (1, "0.001"),
            (1_234, "1.234"),
            (999_999_999_999_999, "999999999999.999"),
        ] {
            assert_eq!(serde_json::to_string(&micros(ns)).unwrap(), text);
        }
    }

    #[test]
    fn each_core_has_a_track_of_its_own_and_a_cluster_s_stand_together() {
        let aiv = |core| Track::Core(CoreType::Aiv, core);
        let cores = [
            Track::Orchestrator,
            Track::Core(CoreType::Aic, 0),
            aiv(0),
            aiv(1),
            Track::Core(CoreType::Aic, 1),
            aiv(2),
            aiv(3),
        ];
        assert_eq!(cores.map(Track::id), [0, 1, 2, 3, 4, 5, 6]);
    }
}

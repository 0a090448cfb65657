//! What a task, a dependency and an allocation cost, beside others that do the same.
//!
//! ```text
//! cargo bench -p pl-runtime --bench tasks [-- chains stencil alloc growth parts]
//! ```
//! Peers are compiled with the system's `gcc` and `g++` (the latter with oneTBB, Debian's
//! `libtbb-dev`) and run in turn with ours; one that cannot be compiled is left out. Medians, in
//! nanoseconds. A ratio is printed only if both sides have computed the same.

#[path = "tasks/alloc.rs"]
mod alloc;
#[path = "tasks/chains.rs"]
mod chains;
#[path = "tasks/growth.rs"]
mod growth;
#[path = "tasks/parts.rs"]
mod parts;
#[path = "tasks/peer.rs"]
mod peer;
#[path = "tasks/stencil.rs"]
mod stencil;

use pl_runtime::{
    Executor, KernelInfo, OperationError, RunConfig, Runtime, Scratch, SerialOrder, Site, TaskArgs,
};

/// How much is measured.
#[derive(Clone, Copy)]
struct Effort {
    /// Runs of each side, of which the median counts.
    repetitions: usize,
    /// What the numbers of tasks are divided by: 1, or more where only compiling is tested.
    divisor: u64,
}

const SITE: Site = Site::new("tasks.rs", 1);

const fn kernel(name: &'static str) -> KernelInfo {
    KernelInfo {
        name,
        file: "tasks.rs",
        line: 1,
        params: &[],
    }
}

static ENTRY: KernelInfo = kernel("entry");
static TASK: KernelInfo = kernel("task");

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn empty(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    Ok(())
}

fn on_threads(threads: usize) -> RunConfig {
    RunConfig {
        executor: Executor::Threads { threads },
        ..RunConfig::default()
    }
}

fn on_the_caller() -> RunConfig {
    RunConfig {
        executor: Executor::Serial {
            order: SerialOrder::ProgramOrder,
        },
        ..RunConfig::default()
    }
}

fn runtime(config: RunConfig) -> Runtime {
    Runtime::new(config).expect("the default rings can be reserved")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// One line of the table, and whether its bar is met.
fn report(what: &str, ours: f64, theirs: f64, bar: f64) {
    let ratio = ours / theirs;
    let verdict = if ratio <= bar { "met" } else { "MISSED" };
    println!("  {what:<44} {ours:>9.1} / {theirs:>9.1} = {ratio:>6.3}  (bar {bar:.3}: {verdict})");
}

fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").unwrap_or_default()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let measures = arguments.iter().any(|argument| argument == "--bench");
    let effort = if measures {
        Effort {
            repetitions: 7,
            divisor: 1,
        }
    } else {
        Effort {
            repetitions: 1,
            divisor: 1000,
        }
    };
    let chosen: Vec<_> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let is_chosen =
        |name: &str| chosen.is_empty() || chosen.iter().any(|part| name.contains(part.as_str()));
    let compared = is_chosen("chains") || is_chosen("stencil");
    let peers = (measures && compared).then(peer::Peers::compile);
    for (name, part) in [
        ("chains", chains::run as fn(Effort, Option<&peer::Peers>)),
        ("stencil", stencil::run),
        ("alloc", alloc::run),
        ("growth", growth::run),
        ("parts", parts::run),
    ] {
        if is_chosen(name) {
            println!("{name}   (load average {})", load().trim());
            part(effort, peers.as_ref());
        }
    }
}

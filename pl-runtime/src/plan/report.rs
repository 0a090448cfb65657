//! A plan as text and as JSON.

use super::{Held, Peak, Plan, RingPlan};
use crate::config::RINGS;
use crate::record::Count;
use crate::site::Site;
use serde::Serialize;
use std::fmt;

/// Version of the JSON's layout.
const SCHEMA: u32 = 1;

/// Sizes of a ring in the configuration that was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) heap: u64,
    pub(super) window: u32,
    pub(super) dep_pool: u32,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan of {}", Count(self.tasks(), "task"))?;
        for (index, ring) in self.rings.iter().enumerate() {
            if ring.kernel_tasks + ring.alloc_tasks > 0 {
                write!(f, "\nring {index}: ")?;
                let seen = self.report.as_ref();
                let seen = seen.map(|r| (r.heap_high_water[index], r.heap_demand[index]));
                ring.print(self.given[index], seen, f)?;
            }
        }
        write!(f, "\nrings together: {} heap bytes given", self.reserved)?;
        for advice in self.advice() {
            write!(f, "\nto lower ring {}: {advice}", advice.ring)?;
        }
        match &self.failure {
            None => f.write_str("\ncompletes in the rings given"),
            Some(error) => write!(f, "\nfails in the rings given: {error}"),
        }
    }
}

impl RingPlan {
    /// `seen`: high water and demand of the heap in the rings given, up to the failure if there is one.
    fn print(
        &self,
        given: Given,
        seen: Option<(u64, u64)>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let Self {
            heap,
            window,
            dep_pool,
            ..
        } = self;
        write!(
            f,
            "{}, {}\n  heap: at most {} bytes live; minimum {}, safe {}, given {}",
            Count(self.kernel_tasks, "task"),
            Count(self.alloc_tasks, "allocation"),
            heap.live,
            heap.minimum,
            heap.safe,
            given.heap,
        )?;
        if let Some((high_water, demand)) = seen {
            write!(f, ": high water {high_water}, demand {demand}")?;
        }
        print_peak(heap.peak.as_ref(), true, f)?;
        write!(
            f,
            "\n  task window: minimum {}, given {}",
            window.minimum, given.window
        )?;
        print_peak(window.peak.as_ref(), false, f)?;
        write!(
            f,
            "\n  dep pool: minimum {}, given {}; on the device at most {}",
            dep_pool.minimum, given.dep_pool, dep_pool.device
        )
    }
}

fn print_peak(peak: Option<&Peak>, bytes: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(peak) = peak else {
        return Ok(());
    };
    write!(
        f,
        "\n    most at {}, in the scope opened at {}",
        peak.site, peak.scope
    )?;
    if let Some((site, scope)) = peak.oldest {
        write!(f, "\n    held since {site}, in the scope opened at {scope}")?;
    }
    for held in &peak.held {
        let what = held.kernel.unwrap_or("alloc_tensors");
        write!(f, "\n      {} x `{what}` at {}", held.tasks, held.site)?;
        if bytes {
            write!(f, ", {} bytes", held.bytes)?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct File<'p> {
    version: u32,
    tasks: u64,
    reserved: u64,
    failure: Option<Failure>,
    rings: [Ring<'p>; RINGS],
}

#[derive(Serialize)]
struct Failure {
    code: Option<u32>,
    name: Option<&'static str>,
    text: String,
}

#[derive(Serialize)]
struct Ring<'p> {
    kernel_tasks: u64,
    alloc_tasks: u64,
    heap: Heap<'p>,
    window: Window<'p>,
    dep_pool: DepPool<'p>,
}

#[derive(Serialize)]
struct Heap<'p> {
    given: u64,
    live: u64,
    minimum: u64,
    safe: u64,
    peak: Option<PeakJson<'p>>,
    high_water: Option<u64>,
    demand: Option<u64>,
}

#[derive(Serialize)]
struct Window<'p> {
    given: u32,
    minimum: u64,
    peak: Option<PeakJson<'p>>,
}

#[derive(Serialize)]
struct DepPool<'p> {
    given: u32,
    minimum: u64,
    device: u64,
    peak: Option<PeakJson<'p>>,
}

#[derive(Serialize)]
struct PeakJson<'p> {
    amount: u64,
    site: String,
    scope: String,
    oldest: Option<[String; 2]>,
    held: Vec<HeldJson<'p>>,
}

#[derive(Serialize)]
struct HeldJson<'p> {
    site: String,
    scope: String,
    kernel: Option<&'p str>,
    tasks: u64,
    bytes: u64,
}

fn peak(peak: Option<&Peak>) -> Option<PeakJson<'_>> {
    let text = |site: Site| site.to_string();
    peak.map(|peak| PeakJson {
        amount: peak.amount,
        site: text(peak.site),
        scope: text(peak.scope),
        oldest: peak.oldest.map(|(site, scope)| [text(site), text(scope)]),
        held: peak
            .held
            .iter()
            .map(|held: &Held| HeldJson {
                site: text(held.site),
                scope: text(held.scope),
                kernel: held.kernel,
                tasks: held.tasks,
                bytes: held.bytes,
            })
            .collect(),
    })
}

impl Plan {
    /// The plan as JSON, indented, with a line end: `version` 1, the figures by the names that they have
    /// here, `given` beside them what the configuration had; sites as `file:line`.
    pub fn to_json(&self) -> String {
        let ring = |index: usize| {
            let (ring, given) = (&self.rings[index], self.given[index]);
            let of = |figures: &[u64; RINGS]| figures[index];
            Ring {
                kernel_tasks: ring.kernel_tasks,
                alloc_tasks: ring.alloc_tasks,
                heap: Heap {
                    given: given.heap,
                    live: ring.heap.live,
                    minimum: ring.heap.minimum,
                    safe: ring.heap.safe,
                    peak: peak(ring.heap.peak.as_ref()),
                    high_water: self.report.as_ref().map(|r| of(&r.heap_high_water)),
                    demand: self.report.as_ref().map(|r| of(&r.heap_demand)),
                },
                window: Window {
                    given: given.window,
                    minimum: ring.window.minimum,
                    peak: peak(ring.window.peak.as_ref()),
                },
                dep_pool: DepPool {
                    given: given.dep_pool,
                    minimum: ring.dep_pool.minimum,
                    device: ring.dep_pool.device,
                    peak: peak(ring.dep_pool.peak.as_ref()),
                },
            }
        };
        let file = File {
            version: SCHEMA,
            tasks: self.tasks(),
            reserved: self.reserved,
            failure: self.failure.as_ref().map(|error| Failure {
                code: error.code(),
                name: error.name(),
                text: error.to_string(),
            }),
            rings: std::array::from_fn(ring),
        };
        serde_json::to_string_pretty(&file).expect("numbers and texts") + "\n"
    }
}

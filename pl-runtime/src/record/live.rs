//! Recordings that the cores of a run write to while it goes on.

use super::args_dump::ArgsDump;
use super::pmu::Pmu;
use super::swimlane::{Swimlane, Track};
use crate::machine::Counts;
use crate::site::Site;
use crate::task::KernelInfo;
use std::sync::Arc;
use std::time::Instant;

/// What cores record of the run in progress.
#[derive(Debug)]
pub(crate) struct Live {
    /// When the run began, for those that measure.
    start: Instant,
    pub(crate) swimlane: Option<Swimlane>,
    pub(crate) pmu: Option<Pmu>,
    pub(crate) dump: Option<ArgsDump>,
}

/// One run of a kernel that has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ran {
    /// Position of its task in program order, the task's ring, and where it was submitted.
    pub(crate) task: u64,
    pub(crate) ring: usize,
    pub(crate) site: Site,
    pub(crate) kernel: &'static KernelInfo,
    /// The block, and of how many.
    pub(crate) block: u32,
    pub(crate) blocks: u32,
    /// Whether it is the first run of the kernel in its task.
    pub(crate) first: bool,
    /// Since the run began.
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
    pub(crate) failed: bool,
    /// What it did, if that is counted.
    pub(crate) counts: Counts,
    /// Most scratch bytes that it used at one time.
    pub(crate) scratch: usize,
}

impl Live {
    /// None if there is none of them.
    pub(super) fn new(
        swimlane: Option<Swimlane>,
        pmu: Option<Pmu>,
        dump: Option<ArgsDump>,
    ) -> Option<Arc<Self>> {
        let any = swimlane.is_some() || pmu.is_some() || dump.is_some();
        any.then(|| {
            Arc::new(Self {
                start: Instant::now(),
                swimlane,
                pmu,
                dump,
            })
        })
    }

    /// Time since the run began.
    pub(crate) fn elapsed_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// A kernel has run on the thread with number `thread`.
    pub(crate) fn ran(&self, thread: u32, ran: &Ran) {
        if let Some(swimlane) = &self.swimlane {
            swimlane.ran(&[Track::Thread(thread)], ran);
        }
        if let Some(pmu) = &self.pmu {
            pmu.ran(ran);
        }
    }
}

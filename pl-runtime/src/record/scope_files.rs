//! The two files of the scope statistics.

use super::RunReport;
use super::files::{Folder, NewFile};
use super::run_json::{self, Outcome, Rules};
use super::scope_stats::{Meta, Sample, ScopeStats};
use std::io::{self, Write};
use std::path::Path;

pub(super) const STATS: &str = "scope_stats.jsonl";
const RUN: &str = "run.json";

/// The scope statistics of the run in progress.
#[derive(Debug)]
pub(super) struct Stats {
    samples: ScopeStats,
    file: NewFile,
    run_file: NewFile,
    /// Whether the run has failed: nothing is recorded any more.
    over: bool,
    failure: Option<io::Error>,
}

impl Stats {
    pub(super) fn create(folder: &Folder) -> io::Result<Self> {
        // Both names are looked at before a file is made.
        folder.prepared(RUN)?;
        Ok(Self {
            samples: ScopeStats::default(),
            file: folder.file(STATS)?,
            run_file: folder.file(RUN)?,
            over: false,
            failure: None,
        })
    }

    pub(super) fn stop(&mut self) {
        self.over = true;
    }

    pub(super) fn push(&mut self, sample: Sample, unwinding: bool, folder: &Path) {
        if self.over {
            return;
        }
        if let Err(error) = self.samples.push(sample, unwinding, folder) {
            self.over = true;
            self.failure = Some(error);
        }
    }

    pub(super) fn write(
        mut self,
        entry: &str,
        outcome: Outcome<'_>,
        rules: Rules,
        report: &RunReport,
        unwinding: bool,
    ) -> io::Result<()> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if !unwinding {
            self.samples.caught();
        }
        let meta = Meta {
            fatal: !outcome.is_ok(),
            windows: report.ring_task_window,
            heaps: report.ring_heap,
            dep_pools: report.ring_dep_pool,
        };
        self.samples.write(meta, self.file.writer())?;
        let text = run_json::contents(entry, outcome, rules, report)?;
        self.run_file.writer().write_all(text.as_bytes())?;
        self.file.publish(STATS)?;
        self.run_file.publish(RUN)
    }
}

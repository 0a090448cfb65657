//! The recorder of a runtime: takes samples during a run, writes its files at the end.

use super::RunReport;
use super::files::NewFile;
use super::run_json::{self, Outcome, Rules};
use super::scope_stats::{Meta, Sample, ScopeStats};
use crate::config::RunConfig;
use crate::error::{Error, ReportError};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// What every report of a run says, and the reports that go to files.
#[derive(Debug)]
pub(crate) struct Recorder {
    reports: Option<Box<Reports>>,
}

/// Reports that go to files.
#[derive(Debug)]
struct Reports {
    /// `dfx_outputs`, and `scope_stats` in it.
    folder: PathBuf,
    stats_folder: PathBuf,
    rules: Rules,
    announced: bool,
    run: Option<Recording>,
}

/// What is recorded of the run in progress.
#[derive(Debug)]
struct Recording {
    entry: &'static str,
    stats: ScopeStats,
    stats_file: NewFile,
    run_file: NewFile,
    /// Whether the run has failed: nothing is recorded any more.
    over: bool,
    /// A panic was under way already when the run began.
    began_unwinding: bool,
    failure: Option<io::Error>,
}

const STATS: &str = "scope_stats.jsonl";
const RUN: &str = "run.json";

impl Recorder {
    /// The recorder that `config`, validated, asks for.
    pub(crate) fn new(config: &RunConfig) -> Self {
        let work_dir = config.work_dir.as_deref();
        let reports = work_dir
            .filter(|_| config.enable_scope_stats)
            .map(|work_dir| {
                // The process may change its folder later.
                let work_dir = std::path::absolute(work_dir).unwrap_or_else(|_| work_dir.into());
                let folder = work_dir.join("dfx_outputs");
                let stats_folder = folder.join("scope_stats");
                Box::new(Reports {
                    folder,
                    stats_folder,
                    rules: Rules::new(config),
                    announced: false,
                    run: None,
                })
            });
        Self { reports }
    }

    /// Whether samples are wanted.
    #[inline]
    pub(crate) fn takes_samples(&self) -> bool {
        self.reports.is_some()
    }

    /// The folder of all reports, if there are any.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.reports
            .as_ref()
            .map(|reports| reports.folder.as_path())
    }

    /// The file of the scope statistics, if it is written.
    pub(crate) fn stats_file(&self) -> Option<PathBuf> {
        let reports = self.reports.as_ref()?;
        Some(reports.stats_folder.join(STATS))
    }

    /// A run of `entry` begins.
    ///
    /// # Errors
    /// [`Error::Report`]: its files cannot be created.
    pub(crate) fn begin(&mut self, entry: &'static str) -> Result<(), Error> {
        let Some(reports) = &mut self.reports else {
            return Ok(());
        };
        let recording = Recording::create(entry, &reports.stats_folder)
            .map_err(|reason| ReportError::refuse(&reports.stats_folder, &reason, false))?;
        reports.run = Some(recording);
        if !reports.announced {
            reports.announced = true;
            say(format_args!("reports: {}", reports.folder.display()));
        }
        Ok(())
    }

    /// The run has failed: what is left of it is not recorded.
    pub(crate) fn stop(&mut self) {
        if let Some(run) = self
            .reports
            .as_mut()
            .and_then(|reports| reports.run.as_mut())
        {
            run.over = true;
        }
    }

    #[cold]
    pub(crate) fn sample(&mut self, sample: Sample) {
        let Some(reports) = &mut self.reports else {
            return;
        };
        let Some(run) = reports.run.as_mut().filter(|run| !run.over) else {
            return;
        };
        let unwinding = run.is_unwinding();
        if let Err(error) = run.stats.push(sample, unwinding, &reports.stats_folder) {
            run.over = true;
            run.failure = Some(error);
        }
    }

    /// The run has ended. Writes its files.
    ///
    /// # Errors
    /// [`Error::Report`], if the run was a success and they cannot be written.
    pub(crate) fn end(&mut self, outcome: Outcome<'_>, report: &RunReport) -> Result<(), Error> {
        let Some(reports) = &mut self.reports else {
            return Ok(());
        };
        let Some(run) = reports.run.take() else {
            return Ok(());
        };
        let Err(reason) = run.write(outcome, reports.rules, report) else {
            return Ok(());
        };
        let error = ReportError::refuse(&reports.stats_folder, &reason, outcome.is_ok());
        if outcome.is_ok() {
            return Err(error);
        }
        // The run's own error comes first.
        say(format_args!("{error}"));
        Ok(())
    }
}

impl Recording {
    fn create(entry: &'static str, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        if [STATS, RUN].iter().any(|name| folder.join(name).is_dir()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Self {
            entry,
            stats: ScopeStats::default(),
            stats_file: NewFile::create(folder, STATS)?,
            run_file: NewFile::create(folder, RUN)?,
            over: false,
            began_unwinding: thread::panicking(),
            failure: None,
        })
    }

    /// Whether a panic is leaving the orchestration.
    fn is_unwinding(&self) -> bool {
        thread::panicking() && !self.began_unwinding
    }

    fn write(mut self, outcome: Outcome<'_>, rules: Rules, report: &RunReport) -> io::Result<()> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if !self.is_unwinding() {
            self.stats.caught();
        }
        let meta = Meta {
            fatal: !outcome.is_ok(),
            windows: report.ring_task_window,
            heaps: report.ring_heap,
            dep_pools: report.ring_dep_pool,
        };
        self.stats.write(meta, self.stats_file.writer())?;
        let text = run_json::contents(self.entry, outcome, rules, report)?;
        self.run_file.writer().write_all(text.as_bytes())?;
        self.stats_file.publish(STATS)?;
        self.run_file.publish(RUN)
    }
}

/// Tells the user. Nobody may be listening.
fn say(text: std::fmt::Arguments<'_>) {
    drop(writeln!(io::stderr(), "{text}"));
}

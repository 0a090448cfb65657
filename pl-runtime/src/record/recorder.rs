//! The recorder of a runtime: takes samples during a run, writes its files at the end.

use super::RunReport;
use super::files::NewFile;
use super::op_log;
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
    /// `dfx_outputs`, and those of its folders that are written.
    folder: PathBuf,
    stats_folder: Option<PathBuf>,
    log_folder: Option<PathBuf>,
    rules: Rules,
    announced: bool,
    run: Option<Recording>,
}

/// What is recorded of the run in progress.
#[derive(Debug)]
struct Recording {
    entry: &'static str,
    stats: Option<Stats>,
    log_file: Option<NewFile>,
    /// A panic was under way already when the run began.
    began_unwinding: bool,
}

/// The scope statistics of the run in progress.
#[derive(Debug)]
struct Stats {
    samples: ScopeStats,
    file: NewFile,
    run_file: NewFile,
    /// Whether the run has failed: nothing is recorded any more.
    over: bool,
    failure: Option<io::Error>,
}

const STATS: &str = "scope_stats.jsonl";
const RUN: &str = "run.json";
const LOG: &str = "op_log.jsonl";

impl Recorder {
    /// The recorder that `config`, validated, asks for.
    pub(crate) fn new(config: &RunConfig) -> Self {
        let work_dir = config.work_dir.as_deref();
        let reports = work_dir
            .filter(|_| config.enable_scope_stats || config.enable_op_log)
            .map(|work_dir| {
                // The process may change its folder later.
                let work_dir = std::path::absolute(work_dir).unwrap_or_else(|_| work_dir.into());
                let folder = work_dir.join("dfx_outputs");
                let wanted = |on: bool, name: &str| on.then(|| folder.join(name));
                Box::new(Reports {
                    stats_folder: wanted(config.enable_scope_stats, "scope_stats"),
                    log_folder: wanted(config.enable_op_log, "op_log"),
                    folder,
                    rules: Rules::new(config),
                    announced: false,
                    run: None,
                })
            });
        Self { reports }
    }

    /// Does not say where reports go.
    pub(crate) fn keep_quiet(&mut self) {
        if let Some(reports) = &mut self.reports {
            reports.announced = true;
        }
    }

    /// Whether samples are wanted.
    #[inline]
    pub(crate) fn takes_samples(&self) -> bool {
        let reports = self.reports.as_ref();
        reports.is_some_and(|reports| reports.stats_folder.is_some())
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
        Some(reports.stats_folder.as_ref()?.join(STATS))
    }

    /// A run of `entry` begins.
    ///
    /// # Errors
    /// [`Error::Report`]: its files cannot be created.
    pub(crate) fn begin(&mut self, entry: &'static str) -> Result<(), Error> {
        let Some(reports) = &mut self.reports else {
            return Ok(());
        };
        let (stats, log) = (&reports.stats_folder, &reports.log_folder);
        let stats = match stats {
            None => None,
            Some(folder) => Some(
                Stats::create(folder)
                    .map_err(|reason| ReportError::refuse(folder, &reason, false))?,
            ),
        };
        let log_file = match log {
            None => None,
            Some(folder) => Some(
                create(folder, &[LOG])
                    .and_then(|()| NewFile::create(folder, LOG))
                    .map_err(|reason| ReportError::refuse(folder, &reason, false))?,
            ),
        };
        reports.run = Some(Recording {
            entry,
            stats,
            log_file,
            began_unwinding: thread::panicking(),
        });
        if !reports.announced {
            reports.announced = true;
            say(format_args!("reports: {}", reports.folder.display()));
        }
        Ok(())
    }

    /// The run has failed: what is left of it is not recorded.
    pub(crate) fn stop(&mut self) {
        if let Some((_, stats, _)) = self.stats() {
            stats.over = true;
        }
    }

    /// The scope statistics of the run in progress, whether a panic is leaving it, and their folder.
    fn stats(&mut self) -> Option<(bool, &mut Stats, &Path)> {
        let reports = self.reports.as_mut()?;
        let run = reports.run.as_mut()?;
        let unwinding = run.is_unwinding();
        Some((
            unwinding,
            run.stats.as_mut()?,
            reports.stats_folder.as_deref()?,
        ))
    }

    #[cold]
    pub(crate) fn sample(&mut self, sample: Sample) {
        let Some((unwinding, stats, folder)) = self.stats().filter(|(_, stats, _)| !stats.over)
        else {
            return;
        };
        if let Err(error) = stats.samples.push(sample, unwinding, folder) {
            stats.over = true;
            stats.failure = Some(error);
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
        let unwinding = run.is_unwinding();
        let Recording {
            entry,
            stats,
            log_file,
            ..
        } = run;
        let stats = stats.map_or(Ok(()), |stats| {
            stats.write(entry, outcome, reports.rules, report, unwinding)
        });
        let log = log_file.map_or(Ok(()), |mut file| {
            op_log::write(file.writer(), entry, &report.executor, &report.op_log)?;
            file.publish(LOG)
        });
        for (written, folder) in [(stats, &reports.stats_folder), (log, &reports.log_folder)] {
            let (Err(reason), Some(folder)) = (written, folder) else {
                continue;
            };
            let error = ReportError::refuse(folder, &reason, outcome.is_ok());
            if outcome.is_ok() {
                return Err(error);
            }
            // The run's own error comes first.
            say(format_args!("{error}"));
        }
        Ok(())
    }
}

impl Recording {
    /// Whether a panic is leaving the orchestration.
    fn is_unwinding(&self) -> bool {
        thread::panicking() && !self.began_unwinding
    }
}

/// Makes `folder`, in which nothing but files may have these names.
fn create(folder: &Path, names: &[&str]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    if names.iter().any(|name| folder.join(name).is_dir()) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(())
}

impl Stats {
    fn create(folder: &Path) -> io::Result<Self> {
        create(folder, &[STATS, RUN])?;
        Ok(Self {
            samples: ScopeStats::default(),
            file: NewFile::create(folder, STATS)?,
            run_file: NewFile::create(folder, RUN)?,
            over: false,
            failure: None,
        })
    }

    fn write(
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

/// Tells the user. Nobody may be listening.
fn say(text: std::fmt::Arguments<'_>) {
    drop(writeln!(io::stderr(), "{text}"));
}

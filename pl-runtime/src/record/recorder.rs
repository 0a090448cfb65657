//! The recorder of a runtime: takes samples during a run, writes its files at the end.

use super::args_dump::ArgsDump;
use super::files::{Folder, NewFile};
use super::graph::{About, Graph, GraphFiles};
use super::live::Live;
use super::pmu::Pmu;
use super::run_json::{Outcome, Rules};
use super::scope_files::{STATS, Stats};
use super::scope_stats::Sample;
use super::swimlane::Swimlane;
use super::{RunReport, op_log};
use crate::config::{DumpArgs, RunConfig};
use crate::error::{Error, ReportError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
    folders: Folders,
    filter: DumpArgs,
    rules: Rules,
    announced: bool,
    run: Option<Recording>,
}

/// The folder of each recording that is turned on.
#[derive(Debug)]
struct Folders {
    stats: Option<Folder>,
    log: Option<Folder>,
    graph: Option<Folder>,
    swimlane: Option<Folder>,
    pmu: Option<Folder>,
    dump: Option<Folder>,
}

/// What is recorded of the run in progress.
#[derive(Debug)]
struct Recording {
    entry: &'static str,
    stats: Option<Stats>,
    log: Option<NewFile>,
    graph: Option<GraphFiles>,
    live: Option<Arc<Live>>,
    /// A panic was under way already when the run began.
    began_unwinding: bool,
}

const LOG: &str = "op_log.jsonl";

impl Folders {
    fn new(config: &RunConfig, below: &Path) -> Self {
        let wanted = |on: bool, name: &str| on.then(|| Folder::new(below.join(name)));
        Self {
            stats: wanted(config.enable_scope_stats, "scope_stats"),
            log: wanted(config.enable_op_log, "op_log"),
            graph: wanted(config.enable_dep_gen, "dep_gen"),
            swimlane: wanted(config.enable_chip_swimlane, "chip_swimlane"),
            pmu: wanted(config.enable_pmu, "pmu"),
            dump: wanted(config.enable_dump_args.is_some(), "args_dump"),
        }
    }

    fn any(&self) -> bool {
        let Self {
            stats,
            log,
            graph,
            swimlane,
            pmu,
            dump,
        } = self;
        [stats, log, graph, swimlane, pmu, dump]
            .iter()
            .any(|folder| folder.is_some())
    }
}

impl Recorder {
    /// The recorder that `config`, validated, asks for.
    pub(crate) fn new(config: &RunConfig) -> Self {
        let reports = config.work_dir.as_deref().map(|work_dir| {
            // The process may change its folder later.
            let work_dir = std::path::absolute(work_dir).unwrap_or_else(|_| work_dir.into());
            let folder = work_dir.join("dfx_outputs");
            Box::new(Reports {
                folders: Folders::new(config, &folder),
                folder,
                filter: config.enable_dump_args.clone().unwrap_or(DumpArgs::none()),
                rules: Rules::new(config),
                announced: false,
                run: None,
            })
        });
        Self {
            reports: reports.filter(|reports| reports.folders.any()),
        }
    }

    /// Does not say where reports go.
    pub(crate) fn keep_quiet(&mut self) {
        if let Some(reports) = &mut self.reports {
            reports.announced = true;
        }
    }

    fn folders(&self) -> Option<&Folders> {
        Some(&self.reports.as_ref()?.folders)
    }

    /// Whether begins and ends of scopes are to be told.
    #[inline]
    pub(crate) fn watches_scopes(&self) -> bool {
        self.folders().is_some_and(|folders| {
            folders.stats.is_some() || folders.graph.is_some() || folders.swimlane.is_some()
        })
    }

    /// Whether the graph of the run's tasks is written.
    pub(crate) fn writes_graph(&self) -> bool {
        self.folders()
            .is_some_and(|folders| folders.graph.is_some())
    }

    /// The folder of all reports, if there are any.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.reports
            .as_ref()
            .map(|reports| reports.folder.as_path())
    }

    /// The file of the scope statistics, if it is written.
    pub(crate) fn stats_file(&self) -> Option<PathBuf> {
        Some(self.folders()?.stats.as_ref()?.path().join(STATS))
    }

    /// A run of `entry` begins. Gives what its cores write to.
    ///
    /// # Errors
    /// [`Error::Report`]: its files cannot be created.
    pub(crate) fn begin(&mut self, entry: &'static str) -> Result<Option<Arc<Live>>, Error> {
        let Some(reports) = &mut self.reports else {
            return Ok(None);
        };
        let recording = Recording::begin(entry, &reports.folders, &reports.filter);
        let recording = recording
            .map_err(|(folder, reason)| ReportError::refuse(folder.path(), &reason, false))?;
        let live = recording.live.clone();
        reports.run = Some(recording);
        Ok(live)
    }

    /// The run has failed: no more samples of what is left of it.
    pub(crate) fn stop(&mut self) {
        if let Some(stats) = self.run().and_then(|run| run.stats.as_mut()) {
            stats.stop();
        }
    }

    fn run(&mut self) -> Option<&mut Recording> {
        self.reports.as_mut()?.run.as_mut()
    }

    #[cold]
    pub(crate) fn sample(&mut self, sample: Sample) {
        let Some(reports) = &mut self.reports else {
            return;
        };
        let (run, folder) = (reports.run.as_mut(), reports.folders.stats.as_ref());
        if let (Some(run), Some(folder)) = (run, folder) {
            let unwinding = run.is_unwinding();
            if let Some(stats) = &mut run.stats {
                stats.push(sample, unwinding, folder.path());
            }
        }
    }

    /// The run has ended. Writes its files, and says where they are after the first one.
    ///
    /// # Errors
    /// [`Error::Report`], if the run was a success and they cannot be written.
    pub(crate) fn end(
        &mut self,
        outcome: Outcome<'_>,
        report: &RunReport,
        graph: Option<&Graph>,
    ) -> Result<(), Error> {
        let Some(reports) = &mut self.reports else {
            return Ok(());
        };
        let Some(run) = reports.run.take() else {
            return Ok(());
        };
        let live = run.live.clone();
        let written = run.end(&reports.folders, outcome, reports.rules, report, graph);
        if !reports.announced && written.iter().any(|(_, written)| written.is_ok()) {
            reports.announced = true;
            say(format_args!("reports: {}", reports.folder.display()));
            let dump = live.as_ref().and_then(|live| live.dump.as_ref());
            if let Some(unmatched) = dump
                .filter(|_| outcome.is_ok())
                .and_then(ArgsDump::unmatched)
            {
                say(format_args!("{unmatched}"));
            }
        }
        for (folder, written) in written {
            let Err(reason) = written else { continue };
            let error = ReportError::refuse(folder.path(), &reason, outcome.is_ok());
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
    /// Makes the files of a run; if that fails, says in which folder and why.
    fn begin<'f>(
        entry: &'static str,
        folders: &'f Folders,
        filter: &DumpArgs,
    ) -> Result<Self, (&'f Folder, io::Error)> {
        fn create<T>(
            folder: Option<&Folder>,
            create: impl FnOnce(&Folder) -> io::Result<T>,
        ) -> Result<Option<T>, (&Folder, io::Error)> {
            let Some(folder) = folder else {
                return Ok(None);
            };
            create(folder).map(Some).map_err(|reason| (folder, reason))
        }
        Ok(Self {
            entry,
            stats: create(folders.stats.as_ref(), Stats::create)?,
            log: create(folders.log.as_ref(), |folder| folder.file(LOG))?,
            graph: create(folders.graph.as_ref(), GraphFiles::create)?,
            live: Live::new(
                create(folders.swimlane.as_ref(), |folder| {
                    Swimlane::create(folder, entry)
                })?,
                create(folders.pmu.as_ref(), Pmu::create)?,
                create(folders.dump.as_ref(), |folder| {
                    ArgsDump::create(folder, entry, filter)
                })?,
            ),
            began_unwinding: thread::panicking(),
        })
    }

    /// Whether a panic is leaving the orchestration.
    fn is_unwinding(&self) -> bool {
        thread::panicking() && !self.began_unwinding
    }

    /// Writes the files of the run: for each folder, whether that has worked.
    fn end<'f>(
        self,
        folders: &'f Folders,
        outcome: Outcome<'_>,
        rules: Rules,
        report: &RunReport,
        graph: Option<&Graph>,
    ) -> Vec<(&'f Folder, io::Result<()>)> {
        let unwinding = self.is_unwinding();
        let Self {
            entry,
            stats,
            log,
            graph: graph_files,
            live,
            ..
        } = self;
        let executor = &report.executor;
        let stats = stats.map(|stats| stats.write(entry, outcome, rules, report, unwinding));
        let log = log.map(|mut file| {
            op_log::write(file.writer(), entry, executor, &report.op_log)?;
            file.publish(LOG)
        });
        let graph = graph_files.zip(graph).map(|(files, graph)| {
            let about = About {
                entry,
                executor,
                outcome,
                rules,
            };
            files.write(about, graph, &report.edges)
        });
        let live = live.as_deref();
        let swimlane = live
            .and_then(|live| live.swimlane.as_ref())
            .map(|swimlane| swimlane.publish(executor, outcome));
        let pmu = live.and_then(|live| live.pmu.as_ref()).map(Pmu::publish);
        let dump = live
            .and_then(|live| live.dump.as_ref())
            .map(|dump| dump.publish(executor, outcome));
        [
            (&folders.stats, stats),
            (&folders.log, log),
            (&folders.graph, graph),
            (&folders.swimlane, swimlane),
            (&folders.pmu, pmu),
            (&folders.dump, dump),
        ]
        .into_iter()
        .filter_map(|(folder, written)| folder.as_ref().zip(written))
        .collect()
    }
}

/// Tells the user. Nobody may be listening.
fn say(text: std::fmt::Arguments<'_>) {
    drop(writeln!(io::stderr(), "{text}"));
}

//! The process that compiles, loads and runs a source. Whatever the source does ends this process alone.
//!
//! # Invariants of the unsafe code
//! * Nobody vouches for the source; it runs because its user asks for that. So it runs in a process that holds nothing
//!   but this run: what it may break is what this process has, and the one that started it trusts nothing but the
//!   log and the way in which this one ended.
//! * Neither kernels nor the orchestration are unloaded before the results are written.

use super::STATISTICS;
use super::job::{Log, Stage};
use super::os;
use super::program::Program;
use crate::options::Job;
use crate::output::{Ending, refuse};
use pl_files::npy::write_npy;
use pl_runtime::cpp::{CompileOptions, CppError, KernelLibrary, Kernels, Orchestration};
use pl_runtime::plan::{Audit, Plan};
use pl_runtime::{Error, RunConfig, Runtime};
use std::fs;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often it is looked whether the process that started this one is there.
const LOOK: Duration = Duration::from_millis(100);

/// Does the work; what becomes of it goes to the log, which is stdin.
pub(crate) fn run(job: &Job, parent: u32) -> Ending {
    thread::spawn(move || {
        while os::is_parent(parent) {
            thread::sleep(LOOK);
        }
        std::process::exit(Ending::Refused as i32);
    });
    let mut log = match os::stdin() {
        Ok(file) => Log::new(file),
        Err(error) => return refuse(&format!("the log cannot be opened: {error}")),
    };
    let (stage, ending) = match work(job, &mut log) {
        Ok((text, true)) => (Stage::Done { text, good: true }, Ending::Good),
        Ok((text, false)) => (Stage::Done { text, good: false }, Ending::Bad),
        Err(Trouble::Refused(text)) => (Stage::Refused(text), Ending::Refused),
        Err(Trouble::Failed(text)) => (Stage::Failed(text), Ending::Bad),
    };
    match log.add(&stage) {
        Ok(()) => ending,
        Err(_) => Ending::Refused,
    }
}

enum Trouble {
    Refused(String),
    Failed(String),
}

impl From<CppError> for Trouble {
    fn from(error: CppError) -> Self {
        match error {
            CppError::Run(error) => error.into(),
            error => Self::Refused(error.to_string()),
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            // Nothing has run.
            Error::Config(_) | Error::Reserve(_) | Error::Argument(_) | Error::Report(_) => {
                Self::Refused(text)
            }
            _ => Self::Failed(text),
        }
    }
}

/// A kernel that cannot be had. One that lies in the folder of a program may be meant for the device alone.
fn kernel_trouble(error: CppError, of_folder: bool) -> Trouble {
    match error {
        CppError::Compile { .. } if of_folder => Trouble::Refused(format!(
            "{error}\n  help: if only the device's compiler takes it, `--no-kernels` runs without the kernels of the \
             folder: their tasks do nothing"
        )),
        error => error.into(),
    }
}

/// What there is to say, and whether it is good.
fn work(job: &Job, log: &mut Log) -> Result<(String, bool), Trouble> {
    let source = job.source();
    let mut program = Program::of(job).map_err(Trouble::Refused)?;
    let mut add = |stage| {
        log.add(&stage)
            .map_err(|error| Trouble::Refused(format!("the log cannot be written: {error}")))
    };
    let compile = CompileOptions {
        flags: source.cxx_flag.clone(),
        entry: program.entry.clone(),
        ..CompileOptions::default()
    };
    let mut kernels = Kernels::none();
    for (id, name) in &program.kernel_names {
        kernels.insert_name(*id, name);
    }
    for kernel in &program.kernels {
        add(Stage::Loading(kernel.path.display().to_string()))?;
        // SAFETY: the user wants the source to run, in this process, which is there for nothing else.
        let library = unsafe { KernelLibrary::compile(&kernel.path, &compile) };
        let of_folder = !source.kernels.contains(kernel);
        let library = library.map_err(|error| kernel_trouble(error, of_folder))?;
        kernels.insert_cpp(kernel.id, &library);
    }
    add(Stage::Loading(program.source.display().to_string()))?;
    // SAFETY: as above.
    let orchestration = unsafe { Orchestration::compile(&program.source, &compile) }?;
    // Unloading it runs what it left for the end: that waits until the results are there.
    let orchestration = ManuallyDrop::new(orchestration);
    let output = job.output();
    if let Some(folder) = output {
        clear(folder, &program)?;
    }
    let config = RunConfig {
        values: job.values(),
        clusters: source.clusters,
        ..program.config(output)
    };
    let mut args = Vec::new();
    for (_, array) in &mut program.tensors {
        args.push(array.lend()?);
    }
    let scalars: Vec<u64> = source.scalars.iter().map(|scalar| scalar.bits).collect();
    add(Stage::Running)?;
    let mut refused = None;
    let mut entry =
        |runtime: &Runtime| match orchestration.run(runtime, &kernels, &mut args, &scalars) {
            Ok(report) => Ok(Some(report)),
            Err(CppError::Run(error)) => Err(error),
            Err(error) => {
                refused = Some(error);
                Ok(None)
            }
        };
    let said = match job {
        Job::RunOrchestration(_) => Runtime::new(config).and_then(|runtime| {
            let report = entry(&runtime)?;
            let report = report.map_or_else(String::new, |report| report.to_string());
            Ok((
                format!("{} ran\n{report}\n", program.source.display()),
                true,
            ))
        }),
        Job::Plan(options) => Plan::new(&config, entry).map(|plan| {
            let text = if options.computes_nothing.json {
                plan.to_json()
            } else {
                format!("{plan}\n")
            };
            (text, plan.failure.is_none())
        }),
        Job::Audit(options) => Audit::new(&config, entry).map(|audit| {
            let text = if options.computes_nothing.json {
                audit.to_json()
            } else {
                format!("{audit}\n")
            };
            (text, audit.is_clean())
        }),
    };
    if let Some(error) = refused {
        return Err(error.into());
    }
    let (mut text, good) = said?;
    drop(args);
    add(Stage::Writing)?;
    if let Some(folder) = output {
        for path in write(folder, &program)? {
            text.extend(["wrote ", &path.display().to_string(), "\n"]);
        }
    }
    Ok((text, good))
}

/// Removes what an earlier run has left under the names that results of this one get, so that a crash leaves
/// nothing that looks like them. What this run reads stays.
fn clear(folder: &Path, program: &Program) -> Result<(), Trouble> {
    let inputs: Vec<_> = program
        .inputs
        .iter()
        .flat_map(|input| input.canonicalize())
        .collect();
    let results = program.tensors.iter().map(|(name, _)| result(folder, name));
    let statistics = ["scope_stats.jsonl", "run.json"];
    let statistics = statistics.map(|name| folder.join(STATISTICS).join(name));
    for path in results.chain(statistics) {
        let is_input = path.canonicalize().is_ok_and(|path| inputs.contains(&path));
        if is_input {
            continue;
        }
        match fs::remove_file(&path) {
            Err(error) if path.exists() => {
                let path = path.display();
                return Err(Trouble::Refused(format!(
                    "{path}: what an earlier run left cannot be removed: {error}"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Where a tensor goes.
fn result(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.npy"))
}

fn write(folder: &Path, program: &Program) -> Result<Vec<PathBuf>, Trouble> {
    fs::create_dir_all(folder).map_err(|error| {
        Trouble::Refused(format!("{}: cannot be written: {error}", folder.display()))
    })?;
    let mut files = Vec::new();
    for (name, array) in &program.tensors {
        let path = result(folder, name);
        let data = array.data().expect("a run has elements");
        write_npy(&path, &data).map_err(|error| Trouble::Refused(error.to_string()))?;
        files.push(path);
    }
    Ok(files)
}

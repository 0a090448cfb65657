//! The process that compiles, loads and runs a source. Whatever the source does ends this process alone.

use super::array::Array;
use super::job::{Log, Stage};
use super::npy;
use super::os;
use super::spec::Source;
use crate::options::{Job, SourceOptions};
use crate::output::{Ending, refuse};
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

/// What there is to say, and whether it is good.
fn work(job: &Job, log: &mut Log) -> Result<(String, bool), Trouble> {
    let source = job.source();
    let mut add = |stage| {
        log.add(&stage)
            .map_err(|error| Trouble::Refused(format!("the log cannot be written: {error}")))
    };
    let mut arrays = arrays(source)?;
    let compile = CompileOptions {
        flags: source.cxx_flag.clone(),
        entry: source.entry.clone(),
        ..CompileOptions::default()
    };
    let mut kernels = Kernels::none();
    for kernel in &source.kernels {
        add(Stage::Loading(kernel.path.display().to_string()))?;
        // SAFETY: the user wants the source to run, in this process, which is there for nothing else.
        let library = unsafe { KernelLibrary::compile(&kernel.path, &compile) }?;
        kernels.insert_cpp(kernel.id, &library);
    }
    add(Stage::Loading(source.file.display().to_string()))?;
    // SAFETY: as above.
    let orchestration = unsafe { Orchestration::compile(&source.file, &compile) }?;
    // Unloading it runs what it left for the end: that waits until the results are there.
    let orchestration = ManuallyDrop::new(orchestration);
    let mut args = Vec::new();
    for array in &mut arrays {
        args.push(array.lend()?);
    }
    let scalars: Vec<u64> = source.scalars.iter().map(|scalar| scalar.bits).collect();
    add(Stage::Running)?;
    let mut refused = None;
    let mut program =
        |runtime: &Runtime| match orchestration.run(runtime, &kernels, &mut args, &scalars) {
            Ok(report) => Ok(Some(report)),
            Err(CppError::Run(error)) => Err(error),
            Err(error) => {
                refused = Some(error);
                Ok(None)
            }
        };
    let output = job.output();
    let config = config(source, output);
    let said = match job {
        Job::RunOrchestration(_) => Runtime::new(config).and_then(|runtime| {
            let report = program(&runtime)?;
            let report = report.map_or_else(String::new, |report| report.to_string());
            Ok((format!("{} ran\n{report}\n", source.file.display()), true))
        }),
        Job::Plan(options) => Plan::new(&config, program).map(|plan| {
            let text = if options.json {
                plan.to_json()
            } else {
                format!("{plan}\n")
            };
            (text, plan.failure.is_none())
        }),
        Job::Audit(_) => {
            Audit::new(&config, program).map(|audit| (format!("{audit}\n"), audit.is_clean()))
        }
    };
    if let Some(error) = refused {
        return Err(error.into());
    }
    let (mut text, good) = said?;
    drop(args);
    add(Stage::Writing)?;
    for path in write(source, output, &arrays)? {
        text.extend(["wrote ", &path.display().to_string(), "\n"]);
    }
    Ok((text, good))
}

fn arrays(options: &SourceOptions) -> Result<Vec<Array>, Trouble> {
    let arrays = options.args.iter().map(|argument| {
        let array = match &argument.source {
            Source::File(path) => {
                npy::read(path).map_err(|why| format!("{}: {why}", path.display()))
            }
            Source::Filled { dtype, dims, fill } => Array::filled(*dtype, dims, *fill),
        };
        array.map_err(|why| Trouble::Refused(format!("argument `{}`: {why}", argument.name)))
    });
    arrays.collect()
}

fn config(options: &SourceOptions, output: Option<&Path>) -> RunConfig {
    // Sizes beyond what fits are refused by the runtime, as others are.
    let small = |sizes: [u64; 4]| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    RunConfig {
        ring_heap: options.ring_heap.0.into(),
        ring_task_window: small(options.ring_task_window.0).into(),
        ring_dep_pool: small(options.ring_dep_pool.0).into(),
        work_dir: output.map(Path::to_path_buf),
        enable_scope_stats: output.is_some(),
        ..RunConfig::default()
    }
}

fn write(
    options: &SourceOptions,
    output: Option<&Path>,
    arrays: &[Array],
) -> Result<Vec<PathBuf>, Trouble> {
    let Some(folder) = output else {
        return Ok(Vec::new());
    };
    let cannot = |path: &Path, error| {
        Trouble::Refused(format!("{}: cannot be written: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    let mut files = Vec::new();
    for (argument, array) in options.args.iter().zip(arrays) {
        let path = folder.join(format!("{}.npy", argument.name));
        npy::write(&path, array).map_err(|error| cannot(&path, error))?;
        files.push(path);
    }
    Ok(files)
}

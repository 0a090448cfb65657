//! `pl run-orchestration`: runs a source of C++ in a process of its own, and says what became of it.

mod array;
mod child;
mod job;
mod manifest;
mod os;
mod program;
mod spec;

pub(crate) use child::run as run_child;
pub(crate) use spec::{Arguments, KernelFile, Reads, Scalar, Sizes};

use crate::options::{CHILD, Job, SourceOptions};
use crate::output::{Ending, complain, print, refuse};
use job::{Log, Stage};
use pl_cli::scope_stats::{Detail, read};
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Where a run leaves its statistics, in the folder for results.
const STATISTICS: &str = "dfx_outputs/scope_stats";

/// Runs, plans or audits it.
pub(crate) fn run(job: &Job) -> Ending {
    if let Some(text) = repeated(job.source()) {
        return refuse(&text);
    }
    match in_a_child() {
        Ok(child) => {
            if let Some(output) = job.output() {
                remove_unfinished(output, child.id);
            }
            tell(job, child.status, &child.stage)
        }
        Err(error) => refuse(&format!(
            "a process to run it in cannot be started: {error}"
        )),
    }
}

/// What is given twice.
fn repeated(options: &SourceOptions) -> Option<String> {
    let mut names = HashSet::new();
    let given = options.args.iter().filter_map(|argument| match argument {
        Arguments::One(argument) => Some(argument),
        Arguments::All(_) => None,
    });
    let name = given
        .into_iter()
        .find(|argument| !names.insert(&argument.name));
    let mut ids = HashSet::new();
    let id = options.kernels.iter().find(|kernel| !ids.insert(kernel.id));
    match (name, id) {
        (Some(argument), _) => Some(format!(
            "two arguments are called `{}`\n  help: give each a name of its own; its order counts",
            argument.name
        )),
        (None, Some(kernel)) => Some(format!(
            "kernel {} is given twice\n  help: leave one of them out",
            kernel.id
        )),
        (None, None) => None,
    }
}

/// A process that has ended.
struct Child {
    id: u32,
    status: ExitStatus,
    stage: Stage,
}

/// Starts this program again with the same options, and waits for it.
fn in_a_child() -> io::Result<Child> {
    let log = tempfile::tempfile()?;
    let mut child = Command::new(std::env::current_exe()?)
        .arg(CHILD)
        .arg(std::process::id().to_string())
        // Behind the name of the program.
        .args(std::env::args_os().skip(1))
        // A symbol that is nowhere is an error of loading, not an end in the middle.
        .env("LD_BIND_NOW", "1")
        .stdin(log.try_clone()?)
        .spawn()?;
    let status = child.wait()?;
    Ok(Child {
        id: child.id(),
        status,
        stage: Log::new(log).last()?,
    })
}

/// Removes the files of statistics that a process has left unfinished: their names tell whose they are.
fn remove_unfinished(output: &Path, process: u32) {
    let files = std::fs::read_dir(output.join(STATISTICS))
        .into_iter()
        .flatten();
    for path in files.flatten().map(|file| file.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_unfinished = name.starts_with('.') && name.ends_with(".tmp");
        if is_unfinished && name.contains(&format!(".{process}.")) {
            // If it cannot be removed, it is in nobody's way.
            drop(std::fs::remove_file(&path));
        }
    }
}

/// Fields of the configuration, and the options that stand for them.
const OPTIONS: [(&str, &str); 7] = [
    (
        "set `RunConfig::enable_scope_stats` and `work_dir`",
        "run it with `--output DIR`",
    ),
    ("RunConfig::values", "--value"),
    ("RunConfig::clusters", "--clusters"),
    ("RunConfig::ring_heap", "--ring-heap"),
    ("RunConfig::ring_task_window", "--ring-task-window"),
    ("RunConfig::ring_dep_pool", "--ring-dep-pool"),
    ("RunConfig::work_dir", "--output"),
];

/// Help of values that nobody has computed, up to the place, and behind it up to the value.
const VALUES: [&str; 2] = [
    "  help: supply it in `RunConfig`: `values: Values::default().at(\"",
    "\", [",
];

/// An error as it concerns who called this program.
fn with_options(text: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(values_by_option).collect();
    for (field, option) in OPTIONS {
        for line in &mut lines {
            *line = line.replace(field, option);
        }
    }
    lines.join("\n")
}

fn values_by_option(line: &str) -> String {
    let [begin, middle] = VALUES;
    let parts = line
        .strip_prefix(begin)
        .and_then(|rest| rest.strip_suffix("])`")?.split_once(middle));
    match parts {
        Some((place, value)) => format!(
            "  help: if no task writes it, give the tensor elements, as `--arg x=FILE.npy` does; else say what is \
             read: `--value {place}={value}`"
        ),
        None => line.to_owned(),
    }
}

fn tell(job: &Job, status: ExitStatus, stage: &Stage) -> Ending {
    let file = job.source().file.display().to_string();
    let (text, expected) = match stage {
        Stage::Done { text, good: true } => (text.as_str(), Ending::Good),
        Stage::Done { text, good: false } => (text.as_str(), Ending::Bad),
        Stage::Failed(text) => {
            complain(&format!("{file}: {}", with_options(text)));
            ("", Ending::Bad)
        }
        Stage::Refused(text) => return refuse(&with_options(text)),
        _ => {
            complain(&crash(&file, status, stage));
            return Ending::Bad;
        }
    };
    let text = text.to_owned() + &statistics(job.output());
    let ending = print(&with_options(&text), expected);
    if status.code() == Some(expected as i32) {
        return ending;
    }
    // Its results are there, but something it registered or left behind went wrong.
    complain(&crash(&file, status, stage));
    Ending::Bad
}

/// What `pl scope-stats` says of the run.
fn statistics(output: Option<&Path>) -> String {
    let Some(output) = output else {
        return String::new();
    };
    let path = output.join(STATISTICS).join("scope_stats.jsonl");
    let summary = File::open(&path).and_then(|file| read(file, Some(&path), Detail::Peaks));
    match summary {
        Ok(summary) => format!("\n{}", summary.text(&path.display().to_string())),
        Err(_) => String::new(),
    }
}

/// What ended the process, and what to do.
fn crash(file: &str, status: ExitStatus, stage: &Stage) -> String {
    let doing = stage.doing();
    let Some(signal) = os::signal(status) else {
        let code = status.code().unwrap_or_default();
        return format!(
            "{file} ended the process with exit code {code}, {doing}\n  help: return from the entry instead of calling \
             `exit`; `rt_report_fatal` ends a run with an error; and close no files that it has not opened"
        );
    };
    let (name, help) = match signal {
        2 => ("SIGINT", "it was interrupted"),
        4 => (
            "SIGILL",
            "it ran into an instruction that does not exist, such as the end of a function without `return`",
        ),
        6 => (
            "SIGABRT",
            "it gave up, as after `abort`, `assert`, an exception that nothing catches or a stack that is full (a recursion \
             without end, a large array): what it wrote is above",
        ),
        7 => (
            "SIGBUS",
            "it used memory that is not there; build it with `--cxx-flag -fsanitize=undefined`, or run `pl` in a debugger",
        ),
        8 => ("SIGFPE", "it divided an integer by zero"),
        9 => (
            "SIGKILL",
            "it was killed from outside, as it happens to programs when memory runs out",
        ),
        11 => (
            "SIGSEGV",
            "it used an address that is not its own: check indexes against the shapes of its tensors",
        ),
        15 => ("SIGTERM", "it was told to end"),
        _ => ("a signal", "see `kill -l` for its name"),
    };
    format!("{file} crashed with signal {signal} ({name}), {doing}\n  help: {help}")
}

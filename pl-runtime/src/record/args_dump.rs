//! `args_dump.json` and the `.npy` files that it lists: what tasks are given, and what they leave.
//!
//! The files of a run lie in a folder of its own. The index, published at the end of the run, names it,
//! and the folder that the index before has named goes.

use super::files::{Folder, NewFile, RunFolder};
use super::npy;
use super::run_json::Outcome;
use super::stream::Stream;
use crate::config::{DumpArgs, Selection};
use crate::sync::Mutex;
use crate::task::slot::Body;
use crate::task::{KernelInfo, TaskArgs};
use crate::tensor::{Permission, RawTensor};
use pl_codegen::ir::Access;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::PoisonError;

const FILE: &str = "args_dump.json";
/// Version of the file's layout.
const SCHEMA: u32 = 1;
/// Of a name, so many bytes go into the name of a file.
const NAME: usize = 40;
/// So many kernels are named to someone who has named another one.
const KERNELS: usize = 8;

/// When a tensor is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    Before,
    After,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    Input,
    Inout,
    Output,
}

/// The files of the run in progress.
#[derive(Debug)]
pub(crate) struct ArgsDump {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    entry: &'static str,
    selection: Selection,
    /// Tasks that were selected and have not ended.
    selected: BTreeSet<u64>,
    /// Kernels of all tasks.
    kernels: BTreeSet<String>,
    index: Option<(Stream, RunFolder)>,
}

/// A line of the index. Fields stand in it in this order.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    task: u64,
    ring: usize,
    kernel: &'a str,
    site: String,
    argument: usize,
    parameter: Option<&'a str>,
    role: Role,
    stage: Stage,
    dtype: String,
    npy_dtype: &'a str,
    shape: &'a [usize],
    file: String,
}

/// What the task does with an argument: as its kernel declares, else as it may.
fn role(kernel: &KernelInfo, argument: usize, raw: &RawTensor) -> Role {
    let may_write = matches!(
        raw.permission,
        Permission::LoadStore | Permission::Partition
    );
    let declared = kernel.params.get(argument).map(|param| param.access);
    match (may_write, declared) {
        (false, _) => Role::Input,
        (true, Some(Access::Write)) => Role::Output,
        (true, _) => Role::Inout,
    }
}

impl Role {
    fn is_written_at(self, stage: Stage) -> bool {
        match stage {
            Stage::Before => self != Self::Output,
            Stage::After => self != Self::Input,
        }
    }
}

/// A part of a file's name, which every file system takes.
fn file_part(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).take(NAME).collect()
}

impl ArgsDump {
    pub(super) fn create(
        folder: &Folder,
        entry: &'static str,
        filter: &DumpArgs,
    ) -> io::Result<Self> {
        let path = folder.prepared(FILE)?;
        let head = format!("{{\"version\": {SCHEMA}, \"args\": [");
        let stream = Stream::create(path, FILE, &head)?;
        let files = RunFolder::create(path)?;
        Ok(Self {
            path: files.path().into(),
            state: Mutex::new(State {
                entry,
                selection: filter.start(),
                selected: BTreeSet::new(),
                kernels: BTreeSet::new(),
                index: Some((stream, files)),
            }),
        })
    }

    fn with<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The task at position `task` is about to be submitted.
    pub(crate) fn submitted(&self, task: u64, kernels: &[&str]) {
        self.with(|state| {
            if state.selection.takes(task, kernels) {
                state.selected.insert(task);
            }
            for &kernel in kernels {
                if !state.kernels.contains(kernel) {
                    state.kernels.insert(kernel.into());
                }
            }
        });
    }

    /// What is said of parts of the filter that have taken no task.
    pub(super) fn unmatched(&self) -> Option<String> {
        self.with(|state| {
            let quoted = |names: Vec<String>| format!("`{}`", names.join("`, `"));
            let unmatched = state.selection.unmatched();
            let kernels: Vec<String> = state.kernels.iter().take(KERNELS).cloned().collect();
            (!unmatched.is_empty() && !kernels.is_empty()).then(|| {
                format!(
                    "no task is taken by {} of `enable_dump_args`; kernels of this run are {}{}",
                    quoted(unmatched),
                    quoted(kernels),
                    if state.kernels.len() > KERNELS {
                        ", .."
                    } else {
                        ""
                    },
                )
            })
        })
    }

    /// Whether the arguments of a task are written.
    pub(crate) fn takes(&self, task: u64) -> bool {
        self.with(|state| state.selected.contains(&task))
    }

    /// Writes the arguments of a task that is about to run, or has ended.
    pub(crate) fn write(&self, body: &Body, args: &TaskArgs<'_>, stage: Stage) {
        for (argument, raw) in args.raw_tensors().iter().enumerate() {
            let role = role(body.kernel, argument, raw);
            if role.is_written_at(stage) {
                self.write_argument(body, argument, raw, role, stage);
            }
        }
        if stage == Stage::After {
            self.with(|state| state.selected.remove(&body.sequence()));
        }
    }

    fn write_argument(
        &self,
        body: &Body,
        argument: usize,
        raw: &RawTensor,
        role: Role,
        stage: Stage,
    ) {
        let failed = |state: &mut State| {
            let index = state.index.as_ref();
            index.is_none_or(|(stream, _)| stream.has_failed())
        };
        if self.with(failed) {
            return;
        }
        let kernel = body.kernel;
        let parameter = kernel.params.get(argument).map(|param| param.name);
        let when = match stage {
            Stage::Before => "before",
            Stage::After => "after",
        };
        let name = format!(
            "{:06}_{}_{argument}_{}_{when}.npy",
            body.sequence(),
            file_part(kernel.name),
            file_part(parameter.unwrap_or("arg")),
        );
        // Outside the lock: other tasks write theirs.
        let written = NewFile::create(&self.path, &name).and_then(|mut file| {
            npy::write(raw, file.writer())?;
            file.publish(&name)
        });
        self.with(|state| {
            let Some((stream, files)) = &mut state.index else {
                return;
            };
            if written.is_err() {
                return stream.fail(written);
            }
            let dtype = raw.view.dtype();
            stream.push(&Entry {
                task: body.sequence(),
                ring: body.ring(),
                kernel: kernel.name,
                site: body.site().to_string(),
                argument,
                parameter,
                role,
                stage,
                dtype: dtype.to_string(),
                npy_dtype: npy::type_name(dtype),
                shape: raw.view.dims(),
                file: format!("{}/{name}", files.name()),
            });
        });
    }

    pub(super) fn publish(&self, executor: &str, outcome: Outcome<'_>) -> io::Result<()> {
        let Some((stream, files)) = self.with(|state| state.index.take()) else {
            return Ok(());
        };
        let tail = format!(
            "\n], \"entry\": {}, \"executor\": {}, \"outcome\": \"{}\", \"folder\": {}, \"unmatched\": {}}}\n",
            serde_json::json!(self.with(|state| state.entry)),
            serde_json::json!(executor),
            outcome.name(),
            serde_json::json!(files.name()),
            serde_json::json!(self.with(|state| state.selection.unmatched())),
        );
        files.replace(FILE, || stream.publish(&tail, FILE))
    }
}

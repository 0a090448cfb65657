//! The neutral format of conformance cases.

use pl_runtime::{PerRing, RunConfig, ScopeMode};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One program, and what the device runtime's simulator did with it.
pub(crate) struct Case {
    pub(crate) name: String,
    config: Value,
    pub(crate) program: Vec<Op>,
    pub(crate) recorded: Value,
}

pub(crate) enum Op {
    Scope(ScopeMode, Vec<Op>),
    Repeat(u64, Vec<Op>),
    Alloc {
        task: String,
        tensors: Vec<(String, usize)>,
    },
    Task {
        task: String,
        args: Vec<Arg>,
        deps: Vec<String>,
    },
    View {
        name: String,
        source: String,
        shape: Vec<usize>,
        offset: Vec<usize>,
    },
}

pub(crate) struct Arg {
    pub(crate) tag: Tag,
    pub(crate) tensor: String,
}

pub(crate) enum Tag {
    In,
    InOut,
    Out,
    NoDep,
    /// Allocated by the submit, with so many bytes.
    New(usize),
}

impl Case {
    pub(crate) fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let recorded: Value = serde_json::from_str(&text).unwrap();
        Self {
            name: string(&recorded["name"]),
            config: recorded["config"].clone(),
            program: ops(&recorded["program"]),
            recorded,
        }
    }

    /// Ring sizes of the case, on top of `base`.
    pub(crate) fn config(&self, base: RunConfig) -> RunConfig {
        let known = ["ring_heap", "ring_task_window"];
        let keys = self.config.as_object().unwrap().keys();
        keys.for_each(|key| assert!(known.contains(&key.as_str()), "{}: {key}", self.name));
        RunConfig {
            ring_heap: per_ring(&self.config["ring_heap"]),
            ring_task_window: PerRing(per_ring(&self.config["ring_task_window"]).0.map(small)),
            ..base
        }
    }
}

fn small(value: u64) -> u32 {
    value.try_into().unwrap()
}

/// One value for all rings, or four; 0, the default, if there is none.
fn per_ring(value: &Value) -> PerRing<u64> {
    match value {
        Value::Null => 0.into(),
        Value::Array(values) => PerRing(std::array::from_fn(|ring| number(&values[ring]))),
        value => number(value).into(),
    }
}

/// The case files of a folder, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("expected a list: {value}"))
}

pub(crate) fn string(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("expected a string: {value}"))
        .to_owned()
}

pub(crate) fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("expected a number: {value}"))
}

fn sizes(value: &Value) -> Vec<usize> {
    list(value).iter().map(|v| number(v) as usize).collect()
}

fn ops(value: &Value) -> Vec<Op> {
    list(value).iter().map(op).collect()
}

fn op(value: &Value) -> Op {
    let parts = list(value);
    match (parts[0].as_str(), &parts[1..]) {
        (Some("scope"), [mode, body]) => {
            let mode = match mode.as_str() {
                Some("auto") => ScopeMode::Auto,
                Some("manual") => ScopeMode::Manual,
                _ => panic!("unknown mode {mode}"),
            };
            Op::Scope(mode, ops(body))
        }
        (Some("repeat"), [times, body]) => Op::Repeat(number(times), ops(body)),
        (Some("alloc"), [task, tensors]) => Op::Alloc {
            task: string(task),
            tensors: list(tensors)
                .iter()
                .map(|t| (string(&t[0]), number(&t[1]) as usize))
                .collect(),
        },
        (Some("task"), [task, args, deps]) => Op::Task {
            task: string(task),
            args: list(args).iter().map(arg).collect(),
            deps: list(deps).iter().map(string).collect(),
        },
        (Some("view"), [name, source, shape, offset]) => Op::View {
            name: string(name),
            source: string(source),
            shape: sizes(shape),
            offset: sizes(offset),
        },
        _ => panic!("unknown operation {value}"),
    }
}

fn arg(value: &Value) -> Arg {
    let tag = match value[0].as_str() {
        Some("in") => Tag::In,
        Some("inout") => Tag::InOut,
        Some("out") => Tag::Out,
        Some("nodep") => Tag::NoDep,
        Some("new") => Tag::New(number(&value[2]) as usize),
        _ => panic!("unknown tag in {value}"),
    };
    Arg {
        tag,
        tensor: string(&value[1]),
    }
}

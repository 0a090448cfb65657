//! What a program folder holds, for tools.

use super::names::Names;
use crate::config::{PerRing, RunConfig};
use pl_codegen::emit::cpp::{DeviceKernel, KernelBody, KernelParam, Program, ScalarParam};
use pl_codegen::ir::{Access, CoreType};
use serde::Serialize;
use std::collections::HashMap;

/// Name of the file.
pub(super) const NAME: &str = "manifest.json";

/// Says of a file that it was written by this.
pub(super) const FORMAT: &str = "pl-program";

/// The contents of `manifest.json`.
#[derive(Serialize)]
pub(super) struct Manifest {
    format: &'static str,
    version: u32,
    name: String,
    pub(super) orchestration: Orchestration,
    pub(super) kernels: Vec<KernelEntry>,
    rings: Rings,
    hazards: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Orchestration {
    pub(super) source: String,
    pub(super) function_name: &'static str,
    expected_arg_count: usize,
    pub(super) tensors: Vec<TensorArg>,
    scalars: Vec<ScalarArg>,
}

#[derive(Serialize)]
pub(super) struct KernelEntry {
    pub(super) func_id: u32,
    pub(super) name: String,
    pub(super) core_type: &'static str,
    /// Whether it is one of the two parts of a kernel that runs on whole clusters.
    mixed: bool,
    pub(super) source: String,
    /// `file.rs:12`
    site: String,
    pub(super) tensors: Vec<TensorArg>,
    scalars: Vec<ScalarArg>,
}

#[derive(Serialize)]
pub(super) struct TensorArg {
    name: String,
    dtype: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<usize>,
    /// Of a tensor of the entry: its dimensions, `null` for those that are known at run time only.
    #[serde(skip_serializing_if = "Option::is_none")]
    dims: Option<Vec<Option<u64>>>,
    pub(super) direction: &'static str,
    /// Whether the submit allocates it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    returned: bool,
}

#[derive(Serialize)]
struct ScalarArg {
    name: String,
    #[serde(rename = "type")]
    ty: String,
}

/// What is asked of the four rings.
#[derive(Serialize)]
struct Rings {
    #[serde(rename = "ring_task_window")]
    task_window: [u32; 4],
    #[serde(rename = "ring_heap")]
    heap: [u64; 4],
    #[serde(rename = "ring_dep_pool")]
    dep_pool: [u32; 4],
}

impl Manifest {
    pub(super) fn new(program: &Program, hazards: Vec<String>, config: &RunConfig) -> Self {
        let mut names: HashMap<&str, Names> = HashMap::new();
        let mut kernels = Vec::new();
        for kernel in &program.kernels {
            let core_type = folder(kernel.core_type);
            let file = names.entry(core_type).or_default().give(&kernel.name);
            kernels.push(KernelEntry {
                func_id: kernel.func_id,
                name: kernel.name.clone(),
                core_type,
                mixed: kernel.mixed,
                source: format!("kernels/{core_type}/{file}.cpp"),
                site: site(kernel),
                tensors: kernel.tensors.iter().map(tensor).collect(),
                scalars: kernel.scalars.iter().map(scalar).collect(),
            });
        }
        let file = Names::default().give(&program.name);
        let (PerRing(task_window), PerRing(heap), PerRing(dep_pool)) = (
            config.ring_task_window,
            config.ring_heap,
            config.ring_dep_pool,
        );
        Self {
            format: FORMAT,
            version: 1,
            name: program.name.clone(),
            orchestration: Orchestration {
                source: format!("orchestration/{file}.cpp"),
                function_name: "aicpu_orchestration_entry",
                expected_arg_count: program.tensors.len() + program.scalars.len(),
                tensors: program
                    .tensors
                    .iter()
                    .zip(&program.shapes)
                    .map(|(param, dims)| TensorArg {
                        dims: Some(dims.clone()),
                        ..tensor(param)
                    })
                    .collect(),
                scalars: program.scalars.iter().map(scalar).collect(),
            },
            kernels,
            rings: Rings {
                task_window,
                heap,
                dep_pool,
            },
            hazards,
        }
    }

    pub(super) fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("keys are strings");
        text + "\n"
    }
}

fn tensor(param: &KernelParam) -> TensorArg {
    TensorArg {
        name: param.name.clone(),
        dtype: param.dtype.name().to_owned(),
        rank: param.rank,
        dims: None,
        direction: match param.access {
            Access::Read => "IN",
            Access::Write => "OUT",
            Access::ReadWrite => "INOUT",
        },
        returned: param.returned,
    }
}

fn scalar(param: &ScalarParam) -> ScalarArg {
    ScalarArg {
        name: param.name.clone(),
        ty: param.ty.clone(),
    }
}

const fn folder(cores: CoreType) -> &'static str {
    match cores {
        CoreType::Aic => "aic",
        CoreType::Aiv => "aiv",
        CoreType::Mix => "mix",
    }
}

/// Where the kernel stands, without the folders.
fn site(kernel: &DeviceKernel) -> String {
    match &kernel.body {
        KernelBody::Function(source) => source.unit.source.place(source.unit.function.span),
        KernelBody::Region { file, line } => {
            let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
            format!("{file}:{line}")
        }
    }
}

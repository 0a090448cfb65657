//! `manifest.json` of a program's folder, as `Kernel::write_program` writes it.

use serde::Deserialize;
use std::fs;
use std::path::Path;

/// What is read of it.
#[derive(Deserialize)]
pub(super) struct Manifest {
    format: String,
    version: u32,
    pub(super) orchestration: Orchestration,
    pub(super) kernels: Vec<Kernel>,
    rings: Rings,
}

#[derive(Deserialize)]
pub(super) struct Orchestration {
    pub(super) source: String,
    pub(super) function_name: String,
    pub(super) tensors: Vec<TensorArg>,
    pub(super) scalars: Vec<ScalarArg>,
}

#[derive(Deserialize)]
pub(super) struct TensorArg {
    pub(super) name: String,
    pub(super) dtype: String,
    /// `None` for those that are known at run time only.
    pub(super) dims: Vec<Option<usize>>,
}

#[derive(Deserialize)]
pub(super) struct ScalarArg {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
}

#[derive(Deserialize)]
pub(super) struct Kernel {
    pub(super) func_id: u32,
    pub(super) name: String,
    pub(super) source: String,
}

#[derive(Deserialize)]
struct Rings {
    #[serde(rename = "ring_heap")]
    heap: [u64; 4],
    #[serde(rename = "ring_task_window")]
    task_window: [u64; 4],
    #[serde(rename = "ring_dep_pool")]
    dep_pool: [u64; 4],
}

impl Manifest {
    /// That of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join("manifest.json");
        let refuse = |why: String| {
            format!(
                "{}: {why}\n  help: give a source of C++, or the folder that `f::kernel().write_program(folder)` \
                 has written",
                path.display()
            )
        };
        let text = fs::read_to_string(&path)
            .map_err(|error| refuse(format!("cannot be read: {error}")))?;
        let manifest: Self = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("no manifest of a program: {error}")))?;
        if (manifest.format.as_str(), manifest.version) != ("pl-program", 1) {
            let found = format!("{} {}", manifest.format, manifest.version);
            return Err(refuse(format!("a manifest of another kind, {found}")));
        }
        Ok(manifest)
    }

    /// Heap bytes, task slots and dependencies of the rings.
    pub(super) fn rings(&self) -> [[u64; 4]; 3] {
        let rings = &self.rings;
        [rings.heap, rings.task_window, rings.dep_pool]
    }
}

impl TensorArg {
    /// `f32 [64, _]`
    pub(super) fn shape(&self) -> String {
        let dims = self.dims.iter().map(|dim| match dim {
            Some(dim) => dim.to_string(),
            None => "_".to_owned(),
        });
        format!("{} [{}]", self.dtype, dims.collect::<Vec<_>>().join(", "))
    }
}

impl ScalarArg {
    /// What stands before its value behind `--scalar`.
    pub(super) fn option_type(&self) -> &str {
        match self.ty.as_str() {
            "usize" => "u64",
            "isize" => "i64",
            ty => ty,
        }
    }
}

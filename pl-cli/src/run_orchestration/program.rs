//! What a job works on: a source, or the folder of a program.

use super::array::{Array, filled, read, without_elements};
use super::manifest::{Manifest, TensorArg};
use super::spec::{Argument, Arguments, Fill, KernelFile, Sizes, Source};
use crate::options::{Job, SourceOptions};
use pl_files::Data;
use pl_files::npy::read_npy;
use pl_files::safetensors::read_safetensors;
use pl_runtime::{DType, RunConfig};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A tensor of the entry, with its name.
pub(super) type Tensor = (String, Box<dyn Array>);

/// A source with everything that it is given.
pub(super) struct Program {
    pub(super) source: PathBuf,
    pub(super) entry: Option<String>,
    pub(super) kernels: Vec<KernelFile>,
    /// What a folder calls its kernels.
    pub(super) kernel_names: Vec<(u32, String)>,
    /// Its tensors, in its order.
    pub(super) tensors: Vec<Tensor>,
    /// The files that they were read from.
    pub(super) inputs: Vec<PathBuf>,
    /// Heap bytes, task slots and dependencies of the rings.
    rings: [[u64; 4]; 3],
}

impl Program {
    /// What the options of a job say, and behind that the manifest of a folder.
    pub(super) fn of(job: &Job) -> Result<Self, String> {
        let options = job.source();
        let runs = matches!(job, Job::RunOrchestration(_));
        let is_folder = options.file.is_dir();
        let manifest = is_folder
            .then(|| Manifest::read(&options.file))
            .transpose()?;
        let mut files = Files::default();
        let tensors = match &manifest {
            Some(manifest) => named(options, manifest, runs, &mut files)?,
            None => in_order(options, runs, &mut files)?,
        };
        let mut program = Self {
            source: options.file.clone(),
            entry: options.entry.clone(),
            kernels: options.kernels.clone(),
            kernel_names: Vec::new(),
            tensors,
            inputs: files.paths,
            rings: [
                options.ring_heap,
                options.ring_task_window,
                options.ring_dep_pool,
            ]
            .map(|sizes| sizes.unwrap_or_default().0),
        };
        if let Some(manifest) = manifest {
            program.complete(options, &manifest, job.runs_own_kernels())?;
        }
        Ok(program)
    }

    /// Takes from the manifest what the options leave open.
    fn complete(
        &mut self,
        options: &SourceOptions,
        manifest: &Manifest,
        runs_kernels: bool,
    ) -> Result<(), String> {
        let entry = &manifest.orchestration;
        if let Some(missing) = entry.scalars.get(options.scalars.len()) {
            let types = entry
                .scalars
                .iter()
                .map(|scalar| format!(" {}:VALUE", scalar.option_type()));
            return Err(format!(
                "scalar `{}` of type `{}` is not given\n  help: write `--scalar{}`",
                missing.name,
                missing.ty,
                types.collect::<String>()
            ));
        }
        self.source = options.file.join(&entry.source);
        let function = || entry.function_name.clone();
        self.entry = Some(self.entry.take().unwrap_or_else(function));
        let given = [
            options.ring_heap,
            options.ring_task_window,
            options.ring_dep_pool,
        ];
        let rings = given.into_iter().zip(manifest.rings());
        for (ring, (given, own)) in self.rings.iter_mut().zip(rings) {
            *ring = given.unwrap_or(Sizes(own)).0;
        }
        for kernel in &manifest.kernels {
            self.kernel_names
                .push((kernel.func_id, kernel.name.clone()));
            let path = options.file.join(&kernel.source);
            let is_given = self.kernels.iter().any(|given| given.id == kernel.func_id);
            if runs_kernels && !is_given && path.exists() {
                self.kernels.push(KernelFile {
                    id: kernel.func_id,
                    path,
                });
            }
        }
        Ok(())
    }

    /// How it runs.
    pub(super) fn config(&self, output: Option<&Path>) -> RunConfig {
        // Sizes beyond what fits are refused by the runtime, as others are.
        let small = |sizes: [u64; 4]| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let [heap, window, dep_pool] = self.rings;
        RunConfig {
            ring_heap: heap.into(),
            ring_task_window: small(window).into(),
            ring_dep_pool: small(dep_pool).into(),
            work_dir: output.map(Path::to_path_buf),
            enable_scope_stats: output.is_some(),
            ..RunConfig::default()
        }
    }
}

/// The tensors of a source, in the order in which they are given.
fn in_order(options: &SourceOptions, runs: bool, files: &mut Files) -> Result<Vec<Tensor>, String> {
    let mut tensors = Vec::new();
    for argument in &options.args {
        match argument {
            Arguments::One(argument) => {
                tensors.push((argument.name.clone(), files.array(argument, runs)?));
            }
            Arguments::All(path) => {
                let path = path.display();
                return Err(format!(
                    "{path}: which of its arrays is which argument is not known\n  help: write \
                     `--arg x={path}:NAME` for each, in the order of the entry; the folder of a program knows \
                     the names of its arguments"
                ));
            }
        }
    }
    Ok(tensors)
}

/// The tensors of a program, by their names.
fn named(
    options: &SourceOptions,
    manifest: &Manifest,
    runs: bool,
    files: &mut Files,
) -> Result<Vec<Tensor>, String> {
    let tensors = &manifest.orchestration.tensors;
    let given = options.args.iter().filter_map(|argument| match argument {
        Arguments::One(argument) => Some(argument),
        Arguments::All(_) => None,
    });
    let mut given: HashMap<&str, &Argument> = given
        .map(|argument| (argument.name.as_str(), argument))
        .collect();
    let mut found = Vec::new();
    for tensor in tensors {
        let name = &tensor.name;
        let array = match given.remove(name.as_str()) {
            Some(argument) => files.array(argument, runs)?,
            None => match files.of_all(options, name)? {
                Some(data) => read(data).map_err(|why| blame(name, &why))?,
                None => default(tensor, runs)?,
            },
        };
        fits(tensor, array.as_ref())?;
        found.push((name.clone(), array));
    }
    if let Some(name) = given.into_keys().min() {
        let names: Vec<String> = tensors
            .iter()
            .map(|tensor| format!("`{}`", tensor.name))
            .collect();
        return Err(format!(
            "the program has no argument `{name}`\n  help: its tensors are {}",
            names.join(", ")
        ));
    }
    Ok(found)
}

/// A tensor that is not given: zeros for a run, and its shape for what needs no elements.
fn default(tensor: &TensorArg, runs: bool) -> Result<Box<dyn Array>, String> {
    let TensorArg { name, dims, .. } = tensor;
    let dtype = dtype_of(tensor)?;
    let known: Option<Vec<usize>> = dims.iter().copied().collect();
    let array = match known {
        Some(dims) if runs => filled(dtype, &dims, Fill::Zeros),
        Some(dims) => without_elements(dtype, &dims),
        None => {
            let kind = if runs { "zeros" } else { "shape" };
            let example: Vec<String> = dims
                .iter()
                .map(|dim| dim.unwrap_or(8).to_string())
                .collect();
            return Err(format!(
                "argument `{name}` is not given, and its dimensions are known at run time only: {}\n  help: write \
                 `--arg {name}={kind}:{dtype}:{}` with the right numbers",
                tensor.shape(),
                example.join("x")
            ));
        }
    };
    array.map_err(|why| blame(name, &why))
}

/// Refuses what the program does not take.
fn fits(tensor: &TensorArg, array: &dyn Array) -> Result<(), String> {
    let (dtype, dims) = array.shape();
    let fits = |(known, dim): (&Option<usize>, &usize)| known.is_none_or(|known| known == *dim);
    let right = dtype == dtype_of(tensor)?
        && dims.len() == tensor.dims.len()
        && tensor.dims.iter().zip(dims).all(fits);
    if right {
        return Ok(());
    }
    let given: Vec<String> = dims.iter().map(ToString::to_string).collect();
    Err(blame(
        &tensor.name,
        &format!(
            "{dtype} [{}] is given, where the program takes {}",
            given.join(", "),
            tensor.shape()
        ),
    ))
}

fn dtype_of(tensor: &TensorArg) -> Result<DType, String> {
    DType::from_name(&tensor.dtype)
        .ok_or_else(|| blame(&tensor.name, &format!("no element type `{}`", tensor.dtype)))
}

fn blame(argument: &str, why: &str) -> String {
    format!("argument `{argument}`: {why}")
}

/// Files of arrays, each of them read once.
#[derive(Default)]
struct Files {
    paths: Vec<PathBuf>,
    named: HashMap<PathBuf, Vec<(String, Data)>>,
}

impl Files {
    fn array(&mut self, argument: &Argument, runs: bool) -> Result<Box<dyn Array>, String> {
        let name = &argument.name;
        let array = match &argument.source {
            Source::Npy(path) => {
                self.paths.push(path.clone());
                let data = read_npy(path).map_err(|error| error.to_string());
                data.and_then(|data| in_file(path, read(data)))
            }
            Source::Safetensors(path, wanted) => self
                .arrays(path)
                .and_then(|arrays| find(path, arrays, wanted))
                .and_then(|data| in_file(path, read(data))),
            Source::Filled { dtype, dims, fill } => filled(*dtype, dims, *fill),
            Source::Shape { .. } if runs => Err(format!(
                "a run needs elements, and this is a shape\n  help: write `{name}=zeros:..` in place of \
                 `{name}=shape:..`; `pl plan` and `pl audit` take shapes"
            )),
            Source::Shape { dtype, dims } => without_elements(*dtype, dims),
        };
        array.map_err(|why| blame(name, &why))
    }

    /// The array of this name in the files that are given for all arguments.
    fn of_all(&mut self, options: &SourceOptions, name: &str) -> Result<Option<Data>, String> {
        for argument in &options.args {
            if let Arguments::All(path) = argument {
                let arrays = self.arrays(path)?;
                if let Some((_, data)) = arrays.iter().find(|(found, _)| found == name) {
                    return Ok(Some(data.clone()));
                }
            }
        }
        Ok(None)
    }

    fn arrays(&mut self, path: &Path) -> Result<&[(String, Data)], String> {
        if !self.named.contains_key(path) {
            self.paths.push(path.to_owned());
            let arrays = read_safetensors(path).map_err(|error| error.to_string())?;
            self.named.insert(path.to_owned(), arrays);
        }
        Ok(&self.named[path])
    }
}

fn in_file<T>(path: &Path, array: Result<T, String>) -> Result<T, String> {
    array.map_err(|why| format!("{}: {why}", path.display()))
}

fn find(path: &Path, arrays: &[(String, Data)], wanted: &str) -> Result<Data, String> {
    let found = arrays.iter().find(|(name, _)| name == wanted);
    found.map(|(_, data)| data.clone()).ok_or_else(|| {
        let mut names: Vec<String> = arrays.iter().map(|(name, _)| format!("`{name}`")).collect();
        names.sort();
        format!(
            "{}: no array is called `{wanted}`\n  help: it has {}; write `FILE.safetensors:NAME`",
            path.display(),
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        )
    })
}

//! Options of every example.

use super::recordings::{Recordings, WorkDir};
use super::{Failure, say};
use clap::{Args, ValueEnum};
use pl::golden::Case;
use pl::plan::{Audit, Plan};
use pl::testing;
use pl::{Executor, Kernel, PerRing, RunConfig, RunReport, Runtime, SerialOrder};
use std::fmt::Display;
use std::num::IntErrorKind;
use std::path::PathBuf;
use std::str::FromStr;

/// How to run.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct RunOptions {
    /// Seed of the inputs
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Save the inputs and the outputs: to a .safetensors file, or as .npy files to a folder
    #[arg(long, value_name = "PATH", conflicts_with_all = ["timing", "plan", "audit"])]
    save_data: Option<PathBuf>,
    /// Take the inputs that --save-data has saved
    #[arg(long, value_name = "PATH", conflicts_with_all = ["seed", "timing", "plan", "audit"])]
    golden_data: Option<PathBuf>,
    /// Threads, this one included; 0 = one for each core
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        conflicts_with = "serial",
        allow_negative_numbers = true
    )]
    threads: usize,
    /// Run every task on this thread, in program order
    #[arg(long)]
    serial: bool,
    /// Simulate the run on the cores of a device, without data: prints what it would take
    #[arg(long, conflicts_with_all = ["threads", "serial", "seed"])]
    timing: bool,
    /// Print what each ring needs, and do not run it
    #[arg(long, conflicts_with_all = ["threads", "serial", "seed", "timing"])]
    plan: bool,
    /// Print which tasks the device would leave unordered, and do not run them
    #[arg(long, conflicts_with_all = ["threads", "serial", "seed", "timing", "plan"])]
    audit: bool,
    /// Heap bytes of all rings, or of each; 0 = default
    #[arg(long, value_name = "A[,B,C,D]", value_parser = per_ring::<u64>, default_value = "0", allow_negative_numbers = true)]
    ring_heap: PerRing<u64>,
    /// Task slots of all rings, or of each; 0 = default
    #[arg(long, value_name = "A[,B,C,D]", value_parser = per_ring::<u32>, default_value = "0", allow_negative_numbers = true)]
    ring_task_window: PerRing<u32>,
    /// Print what the kernel becomes, and do not run it
    #[arg(long, value_name = "FORM")]
    print: Option<Form>,
    /// Build the kernel, and neither run nor record anything
    #[arg(long, conflicts_with_all = ["timing", "plan", "audit", "print"])]
    compile_only: bool,
    #[command(flatten)]
    recordings: Recordings,
    #[command(flatten)]
    work_dir: WorkDir,
}

/// What a kernel can be printed as.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// The intermediate representation after all passes
    Ir,
    /// The orchestration function that runs
    Rust,
    /// The orchestration source for the device
    Cpp,
    /// All of these as snapshot tests compare them
    Snapshot,
}

impl RunOptions {
    /// The runtime that was asked for.
    pub(crate) fn runtime(&self) -> Result<Runtime, Failure> {
        Ok(Runtime::new(self.config())?)
    }

    /// The check of the example called `name`.
    pub(crate) fn case(&self, name: &str) -> Case {
        Case::new(name)
            .seed(self.seed)
            .save_to(self.save_data.as_deref())
            .replay_from(self.golden_data.as_deref())
    }

    /// Numbers are drawn from it.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether arrays need no elements.
    pub(crate) fn only_shapes(&self) -> bool {
        self.timing || self.plan || self.audit
    }

    /// Plans, audits or simulates `program`, which passes shapes, if that was asked for, and prints what it gives;
    /// true if so.
    pub(crate) fn simulate(
        &self,
        mut program: impl FnMut(&Runtime) -> pl::Result<RunReport>,
    ) -> Result<bool, Failure> {
        if self.plan {
            say(Plan::new(&self.config(), program)?);
        } else if self.audit {
            say(Audit::new(&self.config(), program)?);
        } else if self.timing {
            say(program(&self.runtime()?)?);
        }
        Ok(self.only_shapes())
    }

    fn config(&self) -> RunConfig {
        let executor = if self.timing {
            Executor::Timing
        } else if self.serial {
            Executor::Serial {
                order: SerialOrder::default(),
            }
        } else {
            Executor::Threads {
                threads: self.threads,
            }
        };
        let config = RunConfig {
            ring_heap: self.ring_heap,
            ring_task_window: self.ring_task_window,
            executor,
            ..RunConfig::default()
        };
        self.recordings.of(&self.work_dir, config)
    }

    /// Prints the kernel, or only builds it, if that was asked for; true if so.
    pub(crate) fn print(&self, kernel: impl FnOnce() -> Kernel) -> Result<bool, Failure> {
        if self.compile_only {
            // All passes run before the text is there.
            drop(kernel().orchestration_rust());
            say("compiled; nothing was run, and nothing was recorded");
            return Ok(true);
        }
        match self.print {
            None => return Ok(false),
            Some(Form::Ir) => say(kernel().ir()),
            Some(Form::Rust) => say(kernel().orchestration_rust()),
            Some(Form::Cpp) => say(kernel().orchestration_cpp()?),
            Some(Form::Snapshot) => say(testing::orchestration(&kernel())),
        }
        Ok(true)
    }
}

/// Reads a length: at least 1.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(size) if size > 0 => Ok(size),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
            Err("no array is that large; make it smaller".into())
        }
        _ => Err("a size is a whole number, at least 1".into()),
    }
}

/// One value for all rings, or four.
fn per_ring<T: FromStr<Err: Display> + Copy>(text: &str) -> Result<PerRing<T>, String> {
    let values: Vec<T> = text
        .split(',')
        .map(|value| {
            value
                .trim()
                .parse()
                .map_err(|error| format!("`{value}`: {error}"))
        })
        .collect::<Result<_, _>>()?;
    match values[..] {
        [all] => Ok(all.into()),
        [a, b, c, d] => Ok([a, b, c, d].into()),
        _ => Err(format!("{} values; give 1 or 4", values.len())),
    }
}

/// Most bytes that the arrays of an example may take together.
const MEMORY: usize = 4 << 30;

/// Refuses arrays of `f32` that no machine would hold.
pub(crate) fn require_memory(shapes: &[&[usize]]) -> Result<(), Failure> {
    let bytes = shapes.iter().try_fold(0_usize, |sum, shape| {
        let elements = shape
            .iter()
            .try_fold(1_usize, |all, &dim| all.checked_mul(dim))?;
        sum.checked_add(elements.checked_mul(size_of::<f32>())?)
    });
    if bytes.is_some_and(|bytes| bytes <= MEMORY) {
        return Ok(());
    }
    let need = bytes.map_or("more bytes than can be counted".into(), |b| {
        format!("{b} bytes")
    });
    Err(Failure::usage(format!(
        "arrays of these sizes take {need}; this example takes at most {MEMORY}, so make one size \
         smaller"
    )))
}

//! Options for what is recorded of a run.

use clap::Args;
use pl::{DumpArgs, RunConfig};
use std::path::PathBuf;

/// What to record of the run; everything is off unless it is asked for.
#[derive(Args)]
#[group(id = "recordings", multiple = true, conflicts_with_all = ["plan", "audit", "print"])]
#[allow(
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "each is an option, by its name"
)]
pub(super) struct Recordings {
    /// Record what each scope holds of its ring
    #[arg(long)]
    enable_scope_stats: bool,
    /// Record which task waits for which, and why
    #[arg(long)]
    enable_dep_gen: bool,
    /// Record what runs when on which core, for Perfetto
    #[arg(long)]
    enable_chip_swimlane: bool,
    /// Record the arguments of tasks as .npy files: of all, or of KERNEL (`*` = any) at these positions
    #[arg(
        long,
        value_name = "KERNEL[:FIRST..LAST]",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "*"
    )]
    enable_dump_args: Option<DumpArgs>,
    /// Record what each kernel takes and does
    #[arg(long)]
    enable_pmu: bool,
}

/// Where the recordings go.
#[derive(Args)]
pub(super) struct WorkDir {
    /// Folder of the recordings, which go to its folder `dfx_outputs`
    #[arg(long, value_name = "DIR", default_value = ".", requires = "recordings")]
    work_dir: PathBuf,
}

impl Recordings {
    /// `config`, with the recordings turned on.
    pub(super) fn of(&self, dir: &WorkDir, config: RunConfig) -> RunConfig {
        RunConfig {
            work_dir: Some(dir.work_dir.clone()),
            enable_scope_stats: self.enable_scope_stats,
            enable_dep_gen: self.enable_dep_gen,
            enable_chip_swimlane: self.enable_chip_swimlane,
            enable_dump_args: self.enable_dump_args.clone(),
            enable_pmu: self.enable_pmu,
            ..config
        }
    }
}

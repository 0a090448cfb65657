//! What a run reports.

mod args_dump;
mod edge;
mod files;
mod graph;
mod live;
mod npy;
mod op_log;
mod pmu;
mod recorder;
mod report;
mod run_json;
mod scope_files;
mod scope_stats;
mod stream;
mod swimlane;
mod timing;

pub use edge::{Edge, EdgeSource};
pub use op_log::LoggedOp;

pub(crate) use args_dump::Stage;
pub(crate) use graph::Graph;
pub(crate) use live::{Live, Ran};
pub(crate) use recorder::Recorder;
pub(crate) use report::Count;
pub use report::RunReport;
pub(crate) use run_json::Outcome;
pub(crate) use scope_stats::{Phase, Sample};
pub(crate) use swimlane::{Call as SwimlaneCall, Track};
pub(crate) use timing::TimingTotals;
pub use timing::{Busy, Critical, KernelTime, TaskTime, Timing};

//! What a run reports.

mod edge;
mod files;
mod op_log;
mod recorder;
mod report;
mod run_json;
mod scope_stats;
mod timing;

pub use edge::{Edge, EdgeSource};
pub use op_log::LoggedOp;

pub(crate) use recorder::Recorder;
pub(crate) use report::Count;
pub use report::RunReport;
pub(crate) use run_json::Outcome;
pub(crate) use scope_stats::{Phase, Sample};
pub(crate) use timing::TimingTotals;
pub use timing::{Busy, Critical, KernelTime, TaskTime, Timing};

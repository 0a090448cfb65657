//! What a run reports.

mod edge;
mod files;
mod recorder;
mod report;
mod run_json;
mod scope_stats;

pub use edge::{Edge, EdgeSource};

pub(crate) use recorder::Recorder;
pub use report::RunReport;
pub(crate) use run_json::Outcome;
pub(crate) use scope_stats::{Phase, Sample};

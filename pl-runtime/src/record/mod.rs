//! What a run reports.

mod report;

pub use report::RunReport;

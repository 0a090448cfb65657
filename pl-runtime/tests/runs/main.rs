//! Runs of the runtime: rings, scopes, tasks, dependencies, errors, plans and recordings, on every executor.

#[macro_use]
mod common;

#[path = "../tiles/calls.rs"]
mod calls;

mod audit;
mod codes;
mod conformance;
mod cpp;
mod device_memory;
mod differential;
mod edges;
mod errors;
mod hints;
mod interrupted;
mod kernel_failures;
mod launch;
mod life;
mod manual;
mod op_log;
mod pain_points_capacity;
mod pain_points_dependencies;
mod pain_points_rings;
mod plan;
mod recordings;
mod scope_stats;
mod short_kernels;
mod submits;
mod timing;
mod vectors;

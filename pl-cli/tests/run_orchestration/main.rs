//! `pl run-orchestration` as a user calls it.
#![cfg(target_os = "linux")]

mod crashes;
mod folders;
mod plans;
mod program;
mod refusals;
mod results;
mod signals;

//! `pl scope-stats` as a user calls it.

mod compare;
mod damage;
mod limits;
mod mutations;
mod output;
mod program;

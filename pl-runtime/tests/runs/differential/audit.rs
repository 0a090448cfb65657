//! The audit finds a pair exactly where the edges of the device do not imply those of the accesses.

use super::program::{Stmt, program};
use super::run;
use crate::common::serial;
use pl_runtime::plan::Audit;
use pl_runtime::{Dependencies, Edge, RunConfig, Runtime, Values};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

/// Without waits of the orchestration, and without MANUAL scopes, whose inner pairs are no edges.
fn plain(stmts: &[Stmt]) -> Vec<Stmt> {
    let plain_of = |stmt: &Stmt| match stmt {
        Stmt::Get(_) | Stmt::Set(..) | Stmt::Manual(_) => None,
        Stmt::Scope(body) => Some(Stmt::Scope(plain(body))),
        Stmt::Loop(n, body) => Some(Stmt::Loop(*n, plain(body))),
        other => Some(other.clone()),
    };
    stmts.iter().filter_map(plain_of).collect()
}

fn edges(dependencies: Dependencies, stmts: &[Stmt]) -> Option<Vec<Edge>> {
    let config = RunConfig {
        executor: serial(),
        dependencies,
        enable_dep_gen: true,
        ..RunConfig::default()
    };
    Some(
        run(&Runtime::new(config).unwrap(), stmts)
            .outcome
            .ok()?
            .edges,
    )
}

fn unordered(sound: &[Edge], device: &[Edge]) -> usize {
    let mut before: HashMap<_, Vec<_>> = HashMap::new();
    for edge in device {
        before.entry(edge.to).or_default().push(edge.from);
    }
    let reaches = |edge: &Edge| {
        let (mut open, mut seen) = (vec![edge.to], HashSet::new());
        while let Some(task) = open.pop() {
            if task == edge.from {
                return true;
            }
            if seen.insert(task) {
                open.extend(before.get(&task).into_iter().flatten());
            }
        }
        false
    };
    let overlaps = sound.iter().filter(|edge| edge.source.is_conflict());
    overlaps.filter(|edge| !reaches(edge)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_audit_counts_the_pairs_that_the_devices_edges_do_not_order(stmts in program()) {
        let stmts = plain(&stmts);
        let Some(sound) = edges(Dependencies::Sound, &stmts) else { return Ok(()) };
        let device = edges(Dependencies::Device, &stmts).unwrap();
        let config = RunConfig {
            values: Values::default().at("program.rs:1", [3_u32]),
            ..RunConfig::default()
        };
        let audit = Audit::new(&config, |runtime| run(runtime, &stmts).outcome).unwrap();
        let times: u64 = audit.hazards.iter().map(|hazard| hazard.times).sum();
        prop_assert_eq!(times as usize, unordered(&sound, &device), "{}", audit);
    }
}

//! Running kernels without data, for what they would take.

use super::{Core, Settings, Tally};
use crate::config::RunConfig;
use crate::error::Cause;
use crate::machine::{Counts, Work};
use crate::task::{KernelFn, TaskArgs};
use crate::tile::{Arena, Clock, Operation, ScratchScope};
use std::sync::Arc;

/// What a kernel takes.
#[derive(Debug)]
pub(in crate::exec) struct Cost {
    pub(in crate::exec) work: Work,
    pub(in crate::exec) operations: Arc<[Operation]>,
    pub(in crate::exec) scopes: Box<[ScratchScope]>,
    pub(in crate::exec) counts: Counts,
    /// Most scratch bytes that it used at one time.
    pub(in crate::exec) scratch: usize,
    /// Whether it read an element of a tile, so that it may take something else next time.
    pub(in crate::exec) reads_tiles: bool,
}

impl Core {
    /// A core whose scratch has no bytes.
    pub(in crate::exec) fn without_data(
        settings: Settings,
        config: &RunConfig,
        tally: Arc<Tally>,
    ) -> Self {
        let noting = settings.noting(Clock::Model {
            machine: config.machine,
            clusters: config.cluster_count(),
            values: config.values.clone(),
        });
        let arena = Arena::without_data(settings.scratch_bytes).noting(noting);
        Self::with(settings, 0, Ok(arena), tally)
    }

    /// Runs a kernel once, on a core without data.
    pub(in crate::exec) fn cost(
        &mut self,
        run: KernelFn,
        args: &TaskArgs<'_>,
    ) -> (Cost, Result<(), Cause>) {
        if let Ok(arena) = &mut self.arena {
            // What the kernel before has left in use does not count.
            drop(arena.start_task());
            arena.reset_peak();
        }
        let outcome = self.call(run, args);
        let scratch = self.arena.as_ref().map_or(0, Arena::peak);
        let notes = match &mut self.arena {
            Ok(arena) => arena.finish_notes(),
            Err(_) => None,
        }
        .unwrap_or_default();
        let cost = Cost {
            work: notes.work,
            operations: notes.operations.into(),
            scopes: notes.scopes.into(),
            counts: notes.counts,
            scratch,
            reads_tiles: notes.reads_tiles,
        };
        (cost, outcome)
    }
}

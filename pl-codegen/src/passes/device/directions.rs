//! What each task says of its arguments, as the device's compiler does.
//!
//! A parameter that is written is an output of its task, unless another write may come before: in a
//! sequential loop, behind an earlier write of the same tensor, or where the function itself got the
//! tensor to read and write. Then the task reads and writes it, so that it waits for what was written.

use super::guards::Guards;
use super::trace::{Step, Trace, in_other_turn};
use std::collections::HashSet;

/// Arguments that their tasks read and write, by site and position. The trace says so afterwards.
pub(super) fn derive(trace: &mut Trace, guards: &Guards) -> HashSet<(u32, usize)> {
    let mut inout = HashSet::new();
    let mut writers: Vec<Vec<u32>> = vec![Vec::new(); trace.roots.len()];
    for (index, instance) in trace.instances.iter().enumerate() {
        let sequential = instance.path.iter().any(|step| {
            matches!(
                step,
                Step::Turn {
                    parallel: false,
                    ..
                }
            )
        });
        for access in instance.accesses.iter().filter(|access| access.write) {
            let root = access.view.root as usize;
            let wrote_before = || {
                writers[root].iter().any(|earlier| {
                    let path = &trace.instances[*earlier as usize].path;
                    !guards.exclude(*earlier, index as u32) && !in_other_turn(path, &instance.path)
                })
            };
            if let Some(arg) = access.arg
                && !inout.contains(&(instance.site, arg))
                && (sequential || trace.roots[root].inout || wrote_before())
            {
                inout.insert((instance.site, arg));
            }
        }
        for access in instance.accesses.iter().filter(|access| access.write) {
            writers[access.view.root as usize].push(index as u32);
        }
    }
    for instance in &mut trace.instances {
        for access in &mut instance.accesses {
            let arg = access.arg.filter(|_| access.write);
            access.looks |= arg.is_some_and(|arg| inout.contains(&(instance.site, arg)));
        }
    }
    inout
}

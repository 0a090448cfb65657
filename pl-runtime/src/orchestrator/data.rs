//! `get` and `set`: the orchestration reads and writes single elements.

use super::Orchestrator;
use super::discover::{Hazard, list_of};
use crate::access::{Access, Conflict, Mapping, Region};
use crate::dtype::{DType, ScalarValue};
use crate::error::{Error, Result, WaitTimeout};
use crate::machine::Call;
use crate::site::Site;
use crate::task::TaskKey;
use crate::tensor::{Dims, RawTensor, SliceItem, View};
use std::time::{Duration, Instant};

impl Orchestrator {
    pub(crate) fn get(
        &mut self,
        depth: usize,
        site: Site,
        tensor: &RawTensor,
        index: &[usize],
        dtype: DType,
    ) -> Result<ScalarValue> {
        self.check_innermost(depth, site)?;
        self.charge(Call::Get);
        let element = self.check_element("get", site, tensor, index, dtype)?;
        self.wait_for(site, tensor, &element, false)?;
        self.show_element("get", site);
        self.value("get", site, tensor, index)
    }

    pub(crate) fn set(
        &mut self,
        depth: usize,
        site: Site,
        tensor: &RawTensor,
        index: &[usize],
        dtype: DType,
        value: ScalarValue,
    ) -> Result<()> {
        self.check_innermost(depth, site)?;
        self.charge(Call::Get);
        let element = self.check_element("set", site, tensor, index, dtype)?;
        if !tensor.is_writable() {
            let what = "`set` writes an input of the entry";
            return Err(self.misuse(site, what, "pass it to the entry as an output"));
        }
        self.wait_for(site, tensor, &element, true)?;
        self.show_element("set", site);
        if tensor.has_data {
            tensor.write(index, value.element_bits(dtype));
        }
        Ok(())
    }

    /// The element as a view of its own.
    pub(super) fn check_element(
        &mut self,
        operation: &str,
        site: Site,
        tensor: &RawTensor,
        index: &[usize],
        dtype: DType,
    ) -> Result<View> {
        let view = &tensor.view;
        if view.dtype() != dtype {
            let what = format!("`{operation}::<{dtype}>` on {view}");
            return Err(self.misuse(site, what, format!("use the element type {}", view.dtype())));
        }
        let inside =
            index.len() == view.rank() && index.iter().zip(view.dims()).all(|(i, d)| i < d);
        if !inside {
            let what = format!("`{operation}` at index {} of {view}", Dims(index));
            return Err(self.misuse(site, what, "pass one index for each dimension, below it"));
        }
        let items: [SliceItem; crate::tensor::MAX_RANK] =
            std::array::from_fn(|axis| match index.get(axis) {
                Some(&i) => SliceItem::Range(i, i + 1),
                None => SliceItem::Full,
            });
        Ok(view.slice(&items[..index.len()], site)?)
    }

    /// Waits for the writers of an element, and if it is to be written for its readers.
    fn wait_for(
        &mut self,
        site: Site,
        tensor: &RawTensor,
        element: &View,
        writes: bool,
    ) -> Result<()> {
        let Self {
            rings,
            scopes,
            accesses,
            scratch,
            executor,
            edges,
            config,
            ..
        } = self;
        let access = Access {
            list: list_of(rings, tensor),
            bytes: tensor.bytes,
            region: Region::new(tensor.base, element),
            writes,
            device: Mapping::default(),
        };
        scratch.producers.clear();
        let retired = |task: TaskKey| task.local() < rings[task.ring()].alive();
        // Edges to retired tasks are still wanted if any are.
        let keep_stale = edges.is_some();
        let stale = |task: TaskKey| !keep_stale && retired(task);
        let audited = self.trace.as_ref().is_some_and(|trace| trace.is_audited());
        let conflict = |conflict: Conflict<'_>| {
            let task = conflict.task;
            if audited {
                scratch.touched.push(Hazard::new(0, &access, &conflict));
            }
            if retired(task) {
                return;
            }
            scratch.producers.push(task);
            let meta = rings[task.ring()].meta(task.local());
            let scope = scopes.iter_mut().find(|scope| scope.number == meta.scope);
            if let Some(declared) = scope.and_then(|scope| scope.manual.as_mut()) {
                declared.wait(meta.ordinal);
            }
        };
        accesses.conflicts(&access, false, stale, conflict, |_| {
            unreachable!("the device's map has nothing to do with it")
        });
        if let Some(trace) = self.trace.as_mut().filter(|trace| trace.is_audited()) {
            // What the device waits for: the owner, and whom its map names.
            let mut found = vec![tensor.owner];
            accesses.find_mapped(&access, |_| false, |task| found.push(task));
            found.retain(|task| !task.is_none());
            trace.touch_element(site, writes, scratch.touched.drain(..), &found);
        }
        scratch
            .producers
            .retain(|task| !rings[task.ring()].is_completed(task.local()));
        let start = config.kernel_watchdog.map(|limit| (Instant::now(), limit));
        if !scratch.producers.is_empty() {
            let waits = &scratch.producers;
            let mut done = 0;
            executor.wait(&mut || {
                while waits
                    .get(done)
                    .is_some_and(|t| rings[t.ring()].is_completed(t.local()))
                {
                    done += 1;
                }
                done == waits.len()
            });
        }
        if let Some((waited, limit)) = start.map(|(start, limit)| (start.elapsed(), limit))
            && waited > limit
        {
            return Err(self.waited_too_long(site, waited, limit));
        }
        self.check_innermost(self.scopes.len() - 1, site)
    }

    /// A kernel that took too long itself was before it.
    #[cold]
    fn waited_too_long(&mut self, site: Site, waited: Duration, limit: Duration) -> Error {
        if let Some(first) = self.tally.first() {
            return first;
        }
        let scope = self.innermost();
        let detail = WaitTimeout {
            site,
            scope: scope.site,
            ring: scope.ring,
            waited,
            limit,
        };
        self.fail(Error::TensorWaitTimeout(Box::new(detail)))
    }
}

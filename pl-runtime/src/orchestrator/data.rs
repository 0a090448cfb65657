//! `get` and `set`: the orchestration reads and writes single elements.

use super::Orchestrator;
use crate::access::{Region, Verdict};
use crate::dtype::{DType, ScalarValue};
use crate::error::Result;
use crate::site::Site;
use crate::tensor::{Dims, RawTensor, SliceItem, View};

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
        let element = self.check_element("get", site, tensor, index, dtype)?;
        self.wait_for(site, tensor, &element, false)?;
        Ok(ScalarValue::from_element_bits(dtype, tensor.read(index)))
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
        let element = self.check_element("set", site, tensor, index, dtype)?;
        if !tensor.is_writable() {
            let what = "`set` writes an input of the entry";
            return Err(self.misuse(site, what, "pass it to the entry as an output"));
        }
        self.wait_for(site, tensor, &element, true)?;
        tensor.write(index, value.element_bits(dtype));
        Ok(())
    }

    /// The element as a view of its own.
    fn check_element(
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
            ..
        } = self;
        let region = Region::new(tensor.base, element);
        scratch.waits.clear();
        accesses.look_up(
            tensor.list,
            &region,
            writes,
            |_| Verdict::Keep,
            |record| {
                scratch.waits.push(record.task);
                if let Some((number, ordinal)) = record.manual {
                    let scope = scopes.iter_mut().find(|scope| scope.number == number);
                    if let Some(declared) = scope.and_then(|scope| scope.manual.as_mut()) {
                        declared.wait(ordinal);
                    }
                }
            },
        );
        scratch
            .waits
            .retain(|task| !rings[task.ring()].is_completed(task.local()));
        if !scratch.waits.is_empty() {
            let waits = &scratch.waits;
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
        self.check_innermost(self.scopes.len() - 1, site)
    }
}

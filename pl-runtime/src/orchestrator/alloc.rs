//! `alloc_tensors`: blocks of the ring heap, laid out and filled.

use super::Orchestrator;
use crate::dtype::DType;
use crate::error::Result;
use crate::machine::Call;
use crate::scope::TaskOutputTensors;
use crate::site::Site;
use crate::task::payload::Parts;
use crate::task::{MAX_TENSORS, TaskKey, TensorCreateInfo};
use crate::tensor::{Permission, RawTensor, View};
use std::iter;

/// Tensors start at multiples of this many bytes.
pub(super) const TENSOR_ALIGN: u64 = 1024;

/// Debug builds fill new blocks with this, so that reads of what nobody wrote show.
const POISON: u32 = crate::tile::POISON;

/// Where a tensor lies in its task's block, and how long it is there.
pub(super) fn padded(view: &View) -> u64 {
    // Below 2^63 by the view's own limit, so this cannot overflow.
    (view.bytes() as u64).next_multiple_of(TENSOR_ALIGN)
}

impl Orchestrator {
    pub(crate) fn alloc_tensors<'s>(
        &mut self,
        depth: usize,
        site: Site,
        infos: &[TensorCreateInfo],
    ) -> Result<TaskOutputTensors<'s>> {
        self.check_innermost(depth, site)?;
        self.charge(Call::Alloc);
        if !(1..=MAX_TENSORS).contains(&infos.len()) {
            let what = format!("`alloc_tensors` of {} tensors", infos.len());
            return Err(self.misuse(
                site,
                what,
                format!("allocate 1 to {MAX_TENSORS} in one call"),
            ));
        }
        let bytes = self.lay_out(site, infos.iter())?;
        self.admit(site, bytes)?;
        let (key, offset) = self.claim(site, bytes, infos.len(), None, 0);
        if let Some(declared) = &mut self.scopes.last_mut().expect("open").manual {
            declared.push(&[]);
        }
        self.place_outputs(key, offset, bytes, infos.iter());
        let ring = &mut self.rings[key.ring()];
        let outputs = &self.scratch.outputs;
        let parts = Parts {
            tensors: iter::empty(),
            outputs,
            scalars: &[],
            pins: &[],
            launch: None,
            edges: 0,
        };
        let payload = ring.write_payload(key.local(), parts);
        self.alloc_tasks[key.ring()] += 1;
        Ok(TaskOutputTensors::new(key, payload))
    }

    /// Ring and heap offset of a tensor's buffer.
    pub(crate) fn heap_offset(&self, tensor: &RawTensor) -> Option<(usize, u64)> {
        let ring = (!tensor.owner.is_none()).then(|| tensor.owner.ring())?;
        let start = self.rings[ring].address(0);
        Some((ring, (tensor.base.addr() - start.addr()) as u64))
    }

    /// Bytes of a block for these tensors. Refuses shapes that are not supported.
    #[inline]
    pub(super) fn lay_out<'i>(
        &mut self,
        site: Site,
        infos: impl Iterator<Item = &'i TensorCreateInfo>,
    ) -> Result<u64> {
        let mut bytes = 0_u64;
        for info in infos {
            let view = match info.view() {
                Ok(view) => view,
                Err(what) => {
                    let what = format!("a tensor cannot be allocated: {what}");
                    return Err(self.misuse(site, what, "change the shape of the tensor"));
                }
            };
            let Some(sum) = bytes.checked_add(padded(view)) else {
                let what = "a block of tensors is larger than the address space";
                return Err(self.misuse(site, what, "allocate fewer or smaller tensors"));
            };
            bytes = sum;
        }
        Ok(bytes)
    }

    /// Places tensors that were laid out in a claimed block, with their initial values; describes
    /// them in `scratch.outputs`.
    #[inline]
    pub(super) fn place_outputs<'i>(
        &mut self,
        key: TaskKey,
        mut offset: u64,
        bytes: u64,
        infos: impl Iterator<Item = &'i TensorCreateInfo>,
    ) {
        let ring = &mut self.rings[key.ring()];
        // What nobody reads need not be there.
        let has_data = self.simulated.is_none();
        if cfg!(debug_assertions) && has_data {
            ring.fill(offset, bytes, pattern(DType::U32, u64::from(POISON)));
        }
        self.scratch.outputs.clear();
        for (list, info) in (0..).zip(infos) {
            let view = info.view().expect("it was laid out");
            let length = padded(view);
            if let Some(value) = info.initial_value().filter(|_| has_data) {
                let dtype = view.dtype();
                ring.fill(offset, length, pattern(dtype, value.element_bits(dtype)));
            }
            self.scratch.outputs.push(RawTensor {
                view: *view,
                base: ring.address(offset),
                owner: key,
                bytes: length,
                list,
                manual_dep: info.is_manual_dep(),
                has_data,
                permission: Permission::Writable,
            });
            offset += length;
        }
    }
}

/// One element, repeated; all element sizes divide 64.
fn pattern(dtype: DType, bits: u64) -> [u8; 64] {
    let bytes = if cfg!(target_endian = "little") {
        bits
    } else {
        bits << (64 - 8 * dtype.bytes())
    };
    std::array::from_fn(|i| bytes.to_ne_bytes()[i % dtype.bytes()])
}

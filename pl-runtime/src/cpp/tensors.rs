//! Tensors as the C++ side holds them: plain data, which is looked up at every use.
//!
//! # Invariants of the unsafe code
//! * A `ChipTensor` that was handed out stays at its address until the run has ended; it is written only
//!   while its place is free, before its address is handed out (again), and when its scope closes. The
//!   C++ side reads it on this thread alone.

use super::abi::{self, ChipTensor, NO_TASK};
use crate::task::TaskKey;
use crate::tensor::{MAX_RANK, RawTensor, View};
use std::cell::UnsafeCell;

/// Tensors that are handed out together lie together: at least as many as one task has.
const CHUNK: usize = 256;

/// Every tensor that the program may name: arguments of the entry, then what open scopes have allocated,
/// oldest first. A scope that closes takes its tensors off the end, so that what a `ChipTensor` names is
/// found, or has been closed, however long the program has kept it.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    raws: Vec<RawTensor>,
    /// Each with `CHUNK` places; never grown.
    chunks: Vec<Vec<UnsafeCell<ChipTensor>>>,
    /// Where each of `raws` is handed out.
    spots: Vec<Spot>,
    next: Spot,
}

#[derive(Clone, Copy, Default, Debug)]
struct Spot {
    chunk: u32,
    at: u32,
}

/// How many tensors there were.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    count: usize,
    next: Spot,
}

impl Tensors {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            count: self.raws.len(),
            next: self.next,
        }
    }

    /// Takes back all tensors since `mark`.
    pub(super) fn close(&mut self, mark: Mark) {
        for spot in self.spots.drain(mark.count..) {
            let cell = &self.chunks[spot.chunk as usize][spot.at as usize];
            // SAFETY: of this thread; the C++ side holds addresses, no Rust reference is alive.
            unsafe { *cell.get() = closed() };
        }
        self.raws.truncate(mark.count);
        self.next = mark.next;
    }

    /// Hands out tensors; gives the address of the first, the others follow it.
    ///
    /// # Errors
    /// A tensor with sides that the C++ side has no room for.
    pub(super) fn hand_out(&mut self, raws: &[RawTensor]) -> Result<*const ChipTensor, String> {
        if self.next.at as usize + raws.len() > CHUNK {
            self.next = Spot {
                chunk: self.next.chunk + 1,
                at: 0,
            };
        }
        if self.chunks.len() <= self.next.chunk as usize {
            let place = || UnsafeCell::new(closed());
            self.chunks
                .push(std::iter::repeat_with(place).take(CHUNK).collect());
        }
        let first = self.next;
        for raw in raws {
            let place = u32::try_from(self.raws.len() + 1).map_err(|_| "too many tensors")?;
            let tensor = described(raw, place)?;
            let cell = &self.chunks[self.next.chunk as usize][self.next.at as usize];
            // SAFETY: a free place.
            unsafe { *cell.get() = tensor };
            self.raws.push(*raw);
            self.spots.push(self.next);
            self.next.at += 1;
        }
        let cells = self.chunks[first.chunk as usize][first.at as usize..].as_ptr();
        Ok(UnsafeCell::raw_get(cells))
    }

    /// What `tensor` names.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn find(&self, tensor: &ChipTensor) -> Result<RawTensor, String> {
        let raw = self.buffer(tensor)?;
        let dtype = abi::dtype(tensor.dtype)?;
        let rank = tensor.rank as usize;
        if !(1..=MAX_RANK).contains(&rank) {
            return Err(format!(
                "a tensor has 1 to {MAX_RANK} dimensions, not {rank}"
            ));
        }
        let dims: [usize; MAX_RANK] = tensor.shapes.map(|side| side as usize);
        let strides: [usize; MAX_RANK] = tensor.strides.map(|stride| stride as usize);
        let size = dtype.bytes();
        let outside = || {
            format!(
                "a view {:?} of {dtype} with strides {:?} from element {} on is not inside its buffer of \
                 {} bytes",
                &dims[..rank],
                &strides[..rank],
                tensor.offset,
                raw.bytes
            )
        };
        // The address may be inside the buffer, for a tensor that the program has made up.
        let ahead = tensor.address as usize - raw.base.addr();
        if !ahead.is_multiple_of(size) {
            return Err(format!(
                "address {:#x} is not aligned to {dtype}",
                tensor.address
            ));
        }
        let offset = (ahead / size)
            .checked_add(usize::try_from(tensor.offset).map_err(|_| outside())?)
            .ok_or_else(outside)?;
        let sides = dims[..rank].iter().zip(&strides[..rank]);
        let empty = dims[..rank].contains(&0);
        let extent = sides.clone().try_fold(1_usize, |sum, (&dim, &stride)| {
            sum.checked_add((dim.saturating_sub(1)).checked_mul(stride)?)
        });
        let elements = dims[..rank]
            .iter()
            .try_fold(size, |n, &dim| n.checked_mul(dim.max(1)));
        let extent = if empty { Some(0) } else { extent };
        let end = extent.and_then(|extent| offset.checked_add(extent)?.checked_mul(size));
        if end.is_none_or(|end| end as u64 > raw.bytes)
            || elements.is_none_or(|bytes| isize::try_from(bytes).is_err())
        {
            return Err(outside());
        }
        let view = View::strided(dtype, offset, &dims[..rank], &strides[..rank]);
        Ok(RawTensor {
            view,
            manual_dep: tensor.manual_dep != 0,
            ..raw
        })
    }

    /// The tensor that was handed out and that `tensor` is a part of.
    fn buffer(&self, tensor: &ChipTensor) -> Result<RawTensor, String> {
        let named = (tensor.place as usize).checked_sub(1);
        if let Some(raw) = named.and_then(|at| self.raws.get(at))
            && raw_id(raw.owner) == tensor.owner
            && raw.base.addr() as u64 == tensor.address
        {
            return Ok(*raw);
        }
        if tensor.place == CLOSED || named.is_some() && tensor.owner != NO_TASK {
            return Err(
                "the tensor belongs to a scope that has closed; use it inside the scope that allocated it"
                    .into(),
            );
        }
        if tensor.address == 0 {
            return Err("the tensor is empty: it was never assigned".into());
        }
        let address = tensor.address as usize;
        let holds = |raw: &&RawTensor| {
            let start = raw.base.addr();
            (start..=start + raw.bytes as usize).contains(&address)
                && (tensor.owner == NO_TASK || tensor.owner == raw_id(raw.owner))
        };
        // The last one: what is newest lies where older ones have been.
        self.raws.iter().rev().find(holds).copied().ok_or_else(|| {
            format!(
                "address {:#x} is in no argument of the entry and in no tensor of an open scope",
                tensor.address
            )
        })
    }
}

/// `ChipTensor::place` of a tensor whose scope has closed.
const CLOSED: u32 = u32::MAX;

const fn closed() -> ChipTensor {
    ChipTensor {
        address: 0,
        bytes: 0,
        owner: NO_TASK,
        offset: 0,
        version: 0,
        rank: 1,
        dtype: 0,
        manual_dep: 0,
        is_contiguous: 1,
        address_space: 0,
        shapes: [1; MAX_RANK],
        extent: 0,
        strides: [1; MAX_RANK],
        place: CLOSED,
        reserved: [0; 8],
    }
}

/// A task as the C++ side names it (runtime specification, §3.1).
pub(super) fn raw_id(task: TaskKey) -> u64 {
    match task.ring_local() {
        Some((ring, local)) => (ring as u64) << 32 | (local & u64::from(u32::MAX)),
        None => NO_TASK,
    }
}

/// A tensor for the C++ side.
pub(super) fn described(raw: &RawTensor, place: u32) -> Result<ChipTensor, String> {
    let view = &raw.view;
    let side = |value: usize| {
        u32::try_from(value)
            .map_err(|_| format!("{view} has a side or a stride that does not fit in 32 bits"))
    };
    let mut tensor = ChipTensor {
        address: raw.base.addr() as u64,
        bytes: raw.bytes,
        owner: raw_id(raw.owner),
        offset: view.offset() as u64,
        rank: view.rank() as u32,
        dtype: abi::dtype_number(view.dtype()),
        manual_dep: u8::from(raw.manual_dep),
        is_contiguous: u8::from(view.is_contiguous()),
        extent: view.extent() as u64,
        place,
        ..closed()
    };
    for (axis, (&dim, &stride)) in view.dims().iter().zip(view.strides()).enumerate() {
        tensor.shapes[axis] = side(dim)?;
        tensor.strides[axis] = side(stride)?;
    }
    Ok(tensor)
}

//! What an operation costs, from its row in the table of operations and the shapes that it meets.

use super::MachineModel;
use super::table::cost_of;
use crate::dtype::DType;
use crate::task::CoreType;
use crate::tensor::{MAX_RANK, View};
use pl_codegen::ops::{Cost, OpKind};

/// An operation and the tiles that it has met so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    cost: Cost,
    /// Its first two arguments that are tiles: the factors of a matrix product.
    arguments: [Option<Shape>; 2],
    /// The argument with the most bytes.
    largest: Option<Shape>,
    result: Option<Shape>,
}

/// The shape that an operation's cost is computed from: `[m, k, n]` of a matrix product, the argument of
/// a reduction, otherwise the tile with the most bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    dims: [usize; MAX_RANK],
    rank: u8,
    pub(crate) dtype: DType,
    /// Bytes of that tile; of both operands and the result of a matrix product.
    pub(crate) bytes: u64,
}

impl Shape {
    fn of(view: &View) -> Self {
        let mut dims = [1; MAX_RANK];
        dims[..view.rank()].copy_from_slice(view.dims());
        Self {
            dims,
            rank: view.rank() as u8,
            dtype: view.dtype(),
            bytes: view.bytes() as u64,
        }
    }

    fn product(m: usize, k: usize, n: usize, dtype: DType) -> Self {
        let mut dims = [1; MAX_RANK];
        dims[..3].copy_from_slice(&[m, k, n]);
        Self {
            dims,
            rank: 3,
            dtype,
            bytes: ((m * k + k * n + m * n) * dtype.bytes()) as u64,
        }
    }

    pub(crate) fn dims(&self) -> &[usize] {
        &self.dims[..usize::from(self.rank)]
    }

    fn elements(&self) -> u64 {
        self.dims().iter().map(|&dim| dim as u64).product()
    }
}

impl Met {
    /// An operation begins.
    pub(crate) fn new<'v>(operation: &str, arguments: impl Iterator<Item = &'v View>) -> Self {
        let mut met = Self {
            cost: cost_of(operation),
            arguments: [None; 2],
            largest: None,
            result: None,
        };
        for (index, view) in arguments.enumerate() {
            let shape = Shape::of(view);
            if let Some(argument) = met.arguments.get_mut(index) {
                *argument = Some(shape);
            }
            if met.largest.is_none_or(|most| shape.bytes > most.bytes) {
                met.largest = Some(shape);
            }
        }
        met
    }

    /// It gives a tile. What it allocates after that is for its own use.
    pub(crate) fn gives(&mut self, view: &View) {
        self.result.get_or_insert_with(|| Shape::of(view));
    }

    pub(crate) fn kind(&self) -> OpKind {
        self.cost.kind()
    }

    /// The shape that counts.
    pub(crate) fn shape(&self) -> Option<Shape> {
        if let (Cost::matrix, [Some(a), Some(b)]) = (self.cost, &self.arguments)
            && let (&[m, k], &[_, n]) = (a.dims(), self.result.as_ref().unwrap_or(b).dims())
        {
            return Some(Shape::product(m, k, n, a.dtype));
        }
        if let (Cost::reduce, Some(argument)) = (self.cost, self.arguments[0]) {
            return Some(argument);
        }
        match (self.result, self.largest) {
            (Some(result), Some(most)) if most.bytes > result.bytes => Some(most),
            (Some(result), _) => Some(result),
            (None, most) => most,
        }
    }

    /// What it does with `shape`.
    pub(crate) fn counts(&self, shape: &Shape) -> Counts {
        let mut counts = Counts::default();
        match self.cost {
            Cost::free => {}
            Cost::vector(_) | Cost::reduce => counts.element_ops = shape.elements(),
            Cost::matrix => counts.matrix_ops = shape.elements().saturating_mul(2),
            // Only a copy from device memory gives a tile.
            Cost::dma if self.result.is_some() => counts.loaded = shape.bytes,
            Cost::dma => counts.stored = shape.bytes,
        }
        counts
    }

    /// What it takes on `machine`, by the unit that does it.
    pub(crate) fn work(&self, shape: &Shape, machine: &MachineModel, clusters: u32) -> Work {
        let vectors = machine.vectors(shape.elements(), shape.dtype);
        match self.cost {
            Cost::free => Work::default(),
            Cost::vector(count) => Work {
                vector_ns: machine.cycles_ns(vectors.saturating_mul(u64::from(count))),
                ..Work::default()
            },
            Cost::reduce => {
                let lanes = machine.lanes(shape.dtype);
                let folds = u64::from(lanes.next_power_of_two().trailing_zeros());
                Work {
                    vector_ns: machine.cycles_ns(vectors.saturating_add(folds)),
                    ..Work::default()
                }
            }
            Cost::matrix => {
                let steps = shape.dims().iter().map(|&dim| dim as u64);
                let mut dims = [1; 3];
                dims.iter_mut().zip(steps).for_each(|(to, dim)| *to = dim);
                Work {
                    matrix_ns: machine.matrix_ns(dims, shape.dtype),
                    ..Work::default()
                }
            }
            Cost::dma => Work {
                dma_ns: CoreType::ALL.map(|cores| machine.dma_ns(shape.bytes, cores, clusters)),
                dma_bytes: shape.bytes,
                ..Work::default()
            },
        }
    }
}

/// What a kernel does, counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts {
    /// Bytes copied from device memory, and to it.
    pub(crate) loaded: u64,
    pub(crate) stored: u64,
    /// Multiplications and additions of matrix products.
    pub(crate) matrix_ops: u64,
    /// Elements that the other operations worked on, for each of them.
    pub(crate) element_ops: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.loaded, other.loaded),
            (&mut self.stored, other.stored),
            (&mut self.matrix_ops, other.matrix_ops),
            (&mut self.element_ops, other.element_ops),
        ];
        for (sum, count) in sums {
            *sum = sum.saturating_add(count);
        }
    }
}

/// What a kernel keeps the units of its core busy for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Work {
    pub(crate) vector_ns: u64,
    pub(crate) matrix_ns: u64,
    /// If the task takes cores of each of [`CoreType::ALL`].
    dma_ns: [u64; 3],
    pub(crate) dma_bytes: u64,
}

impl Work {
    pub(crate) fn add(&mut self, other: &Self) {
        self.vector_ns = self.vector_ns.saturating_add(other.vector_ns);
        self.matrix_ns = self.matrix_ns.saturating_add(other.matrix_ns);
        for (sum, ns) in self.dma_ns.iter_mut().zip(other.dma_ns) {
            *sum = sum.saturating_add(ns);
        }
        self.dma_bytes = self.dma_bytes.saturating_add(other.dma_bytes);
    }

    /// How long it takes in a task that takes `cores`: one operation after the other.
    pub(crate) fn duration(&self, cores: CoreType) -> u64 {
        self.vector_ns
            .saturating_add(self.matrix_ns)
            .saturating_add(self.dma_ns[cores as usize])
    }
}

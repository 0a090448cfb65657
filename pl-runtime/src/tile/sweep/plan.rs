//! What each step of a sweep does to a block of rows, found from shapes.

use super::kernels::Work;
use super::{Input, Op, Step, Value};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::tensor::{MAX_RANK, View};
use crate::tile::device::{Readable, Writable};
use crate::tile::handle::{Tile, own};
use crate::tile::memory::overlap;
use crate::tile::scratch::Scratch;
use pl_codegen::ops::Shape;
use std::ops::Range;
use std::time::Duration;

/// Columns of which a few rows fit the cache.
const MAX_COLUMNS: usize = 1 << 14;

/// A sweep that can be done block by block.
pub(super) struct Plan<'s> {
    /// The shape of the results; those that are reduced have one column of it.
    dims: Dims,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) steps: Vec<Planned<'s>>,
    /// What each step gives, or where it writes.
    results: Vec<Array>,
}

/// A step whose arguments have been found.
pub(super) struct Planned<'s> {
    pub(super) op: Op,
    pub(super) work: Work,
    pub(super) args: Vec<Arg<'s>>,
    /// Element type of the result.
    pub(super) dtype: DType,
    /// Columns of the result: all, or one.
    pub(super) columns: usize,
    /// Whether the result is one row for all.
    pub(super) once: bool,
}

/// Where a step finds an argument.
#[derive(Clone, Copy)]
pub(super) enum Arg<'s> {
    Number(f32),
    Step(usize),
    Tile(Rows),
    /// Rows of a tensor that is loaded, as a matrix.
    From(Readable<'s>, Rows),
    /// Rows of a tensor that is stored to, as a matrix.
    To(Writable<'s>, Rows),
}

/// Rows at equal distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rows {
    dtype: DType,
    offset: usize,
    columns: usize,
    /// From one row to the next; 0 if there is one for all.
    step: usize,
}

impl Rows {
    /// Some of these rows.
    pub(super) fn part(&self, rows: &Range<usize>) -> View {
        let rows = self.distinct(rows);
        let offset = self.offset + rows.start * self.step;
        let dims = [rows.len(), self.columns];
        View::strided(self.dtype, offset, &dims, &[self.step, 1])
    }

    /// Which rows of memory these are: the first one if there is one for all.
    pub(super) fn distinct(&self, rows: &Range<usize>) -> Range<usize> {
        if self.step == 0 { 0..1 } else { rows.clone() }
    }

    /// Where some of these rows lie, in elements.
    pub(super) fn range(&self, rows: &Range<usize>) -> Range<usize> {
        let start = self.offset + rows.start * self.step;
        let gaps = rows.len().saturating_sub(1) * self.step;
        let columns = if rows.is_empty() { 0 } else { self.columns };
        start..start + gaps + columns
    }

    /// From one row to the next, and from one column to the next, for a step over `columns`.
    pub(super) fn steps(&self, columns: usize) -> [usize; 2] {
        [self.step, usize::from(self.columns == columns)]
    }

    pub(super) fn dtype(&self) -> DType {
        self.dtype
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Dims {
    rank: usize,
    lengths: [usize; MAX_RANK],
}

impl Dims {
    fn as_slice(&self) -> &[usize] {
        &self.lengths[..self.rank]
    }

    /// What both broadcast to.
    fn with(&self, other: &Self) -> Option<Self> {
        let rank = self.rank.max(other.rank);
        let mut lengths = [1; MAX_RANK];
        for (axis, both) in lengths[..rank].iter_mut().enumerate() {
            let [a, b] = [self, other].map(|dims| {
                let own = (axis + dims.rank).checked_sub(rank);
                own.map_or(1, |own| dims.lengths[own])
            });
            *both = if a == 1 { b } else { a };
            if a != b && a != 1 && b != 1 {
                return None;
            }
        }
        Some(Self { rank, lengths })
    }

    /// Length of the last dimension.
    fn last(&self) -> usize {
        self.as_slice().last().copied().unwrap_or(1)
    }

    /// Whether it is one row, for as many as there are.
    fn is_row(&self) -> bool {
        self.as_slice()
            .iter()
            .rev()
            .skip(1)
            .all(|&length| length == 1)
    }

    /// The last dimension reduced.
    fn column(mut self) -> Option<Self> {
        self.lengths[self.rank.checked_sub(1)?] = 1;
        Some(self)
    }
}

/// An array that a step takes or gives.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Array {
    dtype: DType,
    dims: Dims,
}

impl Array {
    fn of(view: &View) -> Self {
        let (rank, dtype) = (view.rank(), view.dtype());
        let mut lengths = [1; MAX_RANK];
        lengths[..rank].copy_from_slice(view.dims());
        let dims = Dims { rank, lengths };
        Self { dtype, dims }
    }

    /// A tile without gaps.
    fn view(&self) -> View {
        let dims = self.dims.as_slice();
        View::contiguous(self.dtype, dims)
            .unwrap_or_else(|_| View::strided(self.dtype, 0, &[], &[]))
    }

    /// What a step gives, or the target that it writes; a scalar has no shape.
    fn result(step: &Step<'_>, args: &[Option<Self>]) -> Option<Self> {
        match step.op.shape() {
            Shape::same => Some(Self {
                dtype: step.dtype.unwrap_or(args[0]?.dtype),
                dims: args[0]?.dims,
            }),
            Shape::row => Some(Self {
                dims: args[0]?.dims.column()?,
                ..args[0]?
            }),
            Shape::broadcast => args.iter().flatten().copied().map(Some).reduce(|a, b| {
                let (a, b) = (a?, b?);
                let dims = a.dims.with(&b.dims)?;
                (a.dtype == b.dtype).then_some(Self { dims, ..a })
            })?,
            Shape::copied => (args[0] == args[1]).then_some(args[0]?),
            _ => None,
        }
    }
}

impl<'s> Plan<'s> {
    /// The plan; `None` if the steps are to be done one by one.
    pub(super) fn new(
        s: &Scratch<'_>,
        steps: &[Step<'_>],
        inputs: &[Input<'s>],
        kept: &[usize],
    ) -> Result<Option<Self>, OperationError> {
        let Some(arrays) = arrays(steps, inputs) else {
            return Ok(None);
        };
        let whole = arrays
            .iter()
            .skip(1)
            .try_fold(arrays[0].dims, |whole, array| whole.with(&array.dims));
        let Some(dims) = whole.filter(|dims| dims.rank > 0) else {
            return Ok(None);
        };
        let (&columns, outer) = dims.as_slice().split_last().expect("a dimension");
        let rows = outer.iter().product();
        if rows == 0 || columns == 0 {
            // There is no block, but a row or a column that meets nothing here may be wanted elsewhere.
            return Ok(None);
        }
        let bounded = columns > 1 && columns <= MAX_COLUMNS;
        let reduces_rows = steps
            .iter()
            .filter(|step| step.op.shape() == Shape::row)
            .all(|step| {
                let row = array(step.args[0], inputs, &arrays);
                bounded && row.is_some_and(|row| row.dims == dims)
            });
        let column = dims.column();
        let in_rows = |(step, array): (&Step<'_>, &Array)| {
            array.dims == dims
                || Some(array.dims) == column
                || array.dims.is_row() && step.op.shape() != Shape::copied
        };
        if !reduces_rows || !steps.iter().zip(&arrays).all(in_rows) {
            return Ok(None);
        }
        let mut plan = Self {
            dims,
            rows,
            columns,
            steps: Vec::with_capacity(steps.len()),
            results: Vec::new(),
        };
        for (step, array) in steps.iter().zip(&arrays) {
            let mut args = Vec::with_capacity(step.args.len());
            for (position, arg) in step.args.iter().enumerate() {
                let written = position == 0 && step.op.shape() == Shape::copied;
                let Some(arg) = plan.arg(s, step, *arg, inputs, written)? else {
                    return Ok(None);
                };
                args.push(arg);
            }
            plan.steps.push(Planned {
                op: step.op,
                work: Work::of(step.op, array.dtype).expect("an operation of sweeps"),
                args,
                dtype: array.dtype,
                columns: array.dims.last(),
                once: array.dims != dims && Some(array.dims) != column,
            });
        }
        if !plan.keeps_apart() {
            return Ok(None);
        }
        plan.join(kept);
        plan.results = arrays;
        Ok(Some(plan))
    }

    /// Joins neighbouring steps of which only the second one is wanted, where there is a kernel for
    /// both.
    fn join(&mut self, kept: &[usize]) {
        for second in 1..self.steps.len() {
            let [Arg::Step(first), ..] = self.steps[second].args[..] else {
                continue;
            };
            let work = match (self.steps[first].op, self.steps[second].op) {
                (Op::Sub, Op::Exp) => Work::ExpOfDifference,
                (Op::Mul, Op::RowSum) => Work::SumOfProducts,
                _ => continue,
            };
            let uses = self.steps.iter().flat_map(|step| &step.args);
            let uses = uses.filter(|arg| matches!(arg, Arg::Step(at) if *at == first));
            let between = &self.steps[first..second];
            let writes = between.iter().any(|step| step.op.shape() == Shape::copied);
            if uses.count() == 1 && !kept.contains(&first) && !writes {
                self.steps[second].args = std::mem::take(&mut self.steps[first].args);
                self.steps[second].work = work;
                self.steps[first].work = Work::Nothing;
            }
        }
    }

    fn arg(
        &self,
        s: &Scratch<'_>,
        step: &Step<'_>,
        arg: Value,
        inputs: &[Input<'s>],
        written: bool,
    ) -> Result<Option<Arg<'s>>, OperationError> {
        let at = match arg {
            Value::Step(at) => return Ok(Some(Arg::Step(at))),
            Value::Input(at) => at,
        };
        Ok(match &inputs[at] {
            Input::Scalar(value) => Some(Arg::Number(value.as_f64() as f32)),
            Input::Tile(tile) => {
                own(s, step.op.name(), step.site, &[tile])?;
                self.rows(tile.view()).map(Arg::Tile)
            }
            Input::Tensor(tensor) => {
                let (name, rows) = (step.op.name(), self.rows(tensor.view()));
                if written {
                    let to = Writable::of(s, tensor, name, step.site)?;
                    rows.and_then(|rows| Some(Arg::To(to.as_rows()?, rows)))
                } else {
                    let from = Readable::of(s, tensor, name, step.site)?;
                    rows.and_then(|rows| Some(Arg::From(from.as_rows()?, rows)))
                }
            }
        })
    }

    /// The rows of a view that broadcasts to the shape of the plan.
    fn rows(&self, view: &View) -> Option<Rows> {
        let (dims, strides) = (view.dims(), view.strides());
        let (&columns, outer) = dims.split_last()?;
        if columns > 1 && strides[dims.len() - 1] != 1 {
            return None;
        }
        let step = if outer.iter().all(|&length| length == 1) {
            // One row for all, unless there is one only: then it is the same.
            0
        } else {
            let own = &self.dims.as_slice()[self.dims.rank.checked_sub(dims.len())?..];
            if outer != &own[..outer.len()] || outer.len() + 1 < self.dims.rank {
                return None;
            }
            view.row_distance()?
        };
        Some(Rows {
            dtype: view.dtype(),
            offset: view.offset(),
            columns,
            step,
        })
    }

    /// Whether what a step writes is read by others as the same rows, or not at all: a block then sees
    /// what it would see after all blocks of the steps before, and nothing of those after.
    fn keeps_apart(&self) -> bool {
        let written = |step: &Planned<'s>| step.op.shape() == Shape::copied;
        let places = |args: &[Arg<'s>]| -> Vec<Place> {
            args.iter().filter_map(|arg| self.place(arg)).collect()
        };
        let all: Vec<Place> = self
            .steps
            .iter()
            .flat_map(|step| places(&step.args))
            .collect();
        let written = self.steps.iter().filter(|step| written(step));
        written
            .flat_map(|step| places(&step.args[..1]))
            .all(|to| all.iter().all(|other| to == *other || !to.overlaps(other)))
    }

    /// Where an argument lies that is in memory.
    fn place(&self, arg: &Arg<'_>) -> Option<Place> {
        let (device, start, rows) = match arg {
            Arg::Tile(rows) => (false, 0, *rows),
            Arg::From(from, rows) => (true, from.address(), *rows),
            Arg::To(to, rows) => (true, to.address(), *rows),
            Arg::Number(_) | Arg::Step(_) => return None,
        };
        let (all, size) = (rows.part(&(0..self.rows)), rows.dtype.bytes());
        let start = start + all.offset() * size;
        let bytes = start..start + all.extent() * size;
        Some(Place {
            device,
            rows,
            bytes,
        })
    }

    /// Notes the steps, and how long each took.
    pub(super) fn note(
        &self,
        s: &Scratch<'_>,
        steps: &[Step<'_>],
        inputs: &[Input<'_>],
        taken: &[Duration],
    ) {
        for (at, step) in steps.iter().enumerate() {
            let args = step
                .args
                .iter()
                .filter_map(|arg| array(*arg, inputs, &self.results));
            let args: Vec<View> = args.map(|array| array.view()).collect();
            let result = (!step.op.results().is_empty()).then(|| self.results[at].view());
            // What a load reads and a store writes is no tile.
            let tensors = usize::from(matches!(step.op, Op::Load | Op::Store));
            let tiles = args.iter().skip(tensors);
            let taken = taken.get(at).copied().unwrap_or_default();
            s.arena()
                .note_step(step.op.name(), step.site, tiles, result.as_ref(), taken);
        }
    }

    /// The rows of the tile of a result.
    pub(super) fn dense(&self, tile: &View) -> Rows {
        self.rows(tile).expect("dense tiles have rows")
    }

    /// The tile for the result of a step.
    pub(super) fn allocate<'t>(
        &self,
        s: &'t Scratch<'_>,
        step: &Step<'_>,
        index: usize,
    ) -> Result<Tile<'t>, OperationError> {
        let Array { dtype, dims } = &self.results[index];
        Tile::allocate(s, step.op.name(), step.site, *dtype, dims.as_slice())
    }
}

/// Rows in memory.
#[derive(Clone, PartialEq, Eq)]
struct Place {
    /// In device memory rather than in the arena.
    device: bool,
    rows: Rows,
    bytes: Range<usize>,
}

impl Place {
    fn overlaps(&self, other: &Self) -> bool {
        self.device == other.device && overlap(&self.bytes, &other.bytes)
    }
}

/// What each step gives; `None` if the steps do not fit each other, or not this kind of sweep.
fn arrays(steps: &[Step<'_>], inputs: &[Input<'_>]) -> Option<Vec<Array>> {
    let mut arrays: Vec<Array> = Vec::with_capacity(steps.len());
    for step in steps {
        let mut args = [None; 3];
        for (to, arg) in args.iter_mut().zip(step.args) {
            *to = array(*arg, inputs, &arrays);
        }
        let args = &args[..step.args.len()];
        if !step.op.in_sweeps() {
            return None;
        }
        let floats = args.iter().flatten().all(|array| array.dtype.is_float());
        let result = Array::result(step, args)?;
        if !floats || !result.dtype.is_float() {
            return None;
        }
        arrays.push(result);
    }
    Some(arrays)
}

/// The array that a value is, if it is one; `results` are those of the steps before.
fn array(value: Value, inputs: &[Input<'_>], results: &[Array]) -> Option<Array> {
    match value {
        Value::Step(at) => Some(results[at]),
        Value::Input(at) => match &inputs[at] {
            Input::Tile(tile) => Some(Array::of(tile.view())),
            Input::Tensor(tensor) => Some(Array::of(tensor.view())),
            Input::Scalar(_) => None,
        },
    }
}

//! Takes one block of rows after the other through the steps of a plan.

use super::Step;
use super::kernels::{self, Operand, Work};
use super::plan::{Arg, Plan, Planned, Rows};
use crate::dtype::DType;
use crate::tensor::View;
use crate::tile::handle::Tile;
use crate::tile::nest::Nest;
use crate::tile::number::for_float;
use crate::tile::scratch::{Arena, Buffer, Scratch};
use crate::tile::unary::convert;
use pl_codegen::ops::Shape;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Elements of a block: what a few steps give stays in the caches of the core, and going through the
/// steps costs little beside what they do.
const BLOCK: usize = 8192;

/// Runs all steps; `tiles` take the results of the steps `kept`. Gives how long each took, if that is
/// to be noted.
pub(super) fn run(
    s: &Scratch<'_>,
    steps: &[Step<'_>],
    plan: &Plan<'_>,
    kept: &[usize],
    tiles: &[Tile<'_>],
) -> Vec<Duration> {
    if !s.arena().memory.has_data() {
        return Vec::new();
    }
    let measures = s.arena().measures();
    let mut taken = vec![Duration::ZERO; if measures { steps.len() } else { 0 }];
    let height = (BLOCK / plan.columns.max(1)).clamp(1, plan.rows.max(1));
    let mut machine = Machine {
        arena: s.arena(),
        plan,
        results: places(plan, kept, tiles),
        buffers: Vec::new(),
    };
    let count = machine.results.iter().filter_map(Place::buffer).max();
    for _ in 0..count.map_or(0, |last| last + 1) {
        let buffer = machine.arena.buffer(height * plan.columns);
        machine.buffers.push(Some(buffer));
    }
    for start in (0..plan.rows).step_by(height) {
        let rows = start..plan.rows.min(start + height);
        for (index, step) in steps.iter().enumerate() {
            s.begin(step.op.name(), step.site);
            let begin = measures.then(Instant::now);
            match (plan.steps[index].once, rows.start) {
                (false, _) => machine.step(index, &rows),
                (true, 0) => machine.step(index, &(0..1)),
                (true, _) => continue,
            }
            if let Some(begin) = begin {
                taken[index] += begin.elapsed();
            }
        }
    }
    taken
}

/// Where the result of a step goes.
#[derive(Clone, Copy)]
enum Place {
    /// Nobody wants it.
    Nowhere,
    /// Straight into a tile of `f32`.
    Tile(Rows),
    /// Into a buffer, and from there into a tile of another type.
    Buffer(usize, Option<Rows>),
}

impl Place {
    fn buffer(&self) -> Option<usize> {
        match self {
            Self::Buffer(buffer, _) => Some(*buffer),
            _ => None,
        }
    }
}

/// A place for each result; a buffer is taken again when its result has been used for the last time.
fn places(plan: &Plan<'_>, kept: &[usize], tiles: &[Tile<'_>]) -> Vec<Place> {
    let uses = |by: &Planned<'_>, result: usize| {
        by.args
            .iter()
            .any(|arg| matches!(arg, Arg::Step(at) if *at == result))
    };
    let last_use = |result: usize| plan.steps.iter().rposition(|by| uses(by, result));
    let mut free: Vec<usize> = Vec::new();
    let mut buffers = 0;
    let mut places: Vec<Place> = Vec::with_capacity(plan.steps.len());
    for (index, step) in plan.steps.iter().enumerate() {
        let tile = kept.iter().position(|&kept| kept == index);
        let tile = tile.map(|at| plan.dense(tiles[at].view()));
        places.push(match tile {
            Some(rows) if step.dtype == DType::F32 => Place::Tile(rows),
            None if last_use(index).is_none() => Place::Nowhere,
            tile => {
                // A row for all blocks has one of its own: other steps write again in each block.
                let used = if step.once { None } else { free.pop() };
                let buffer = used.unwrap_or_else(|| {
                    buffers += 1;
                    buffers - 1
                });
                Place::Buffer(buffer, tile)
            }
        });
        for (result, place) in places.iter().enumerate() {
            if plan.steps[result].once {
                continue;
            }
            if last_use(result) == Some(index) || last_use(result).is_none() && result == index {
                free.extend(place.buffer());
            }
        }
    }
    places
}

struct Machine<'a, 'p> {
    arena: &'p Arena,
    plan: &'a Plan<'a>,
    results: Vec<Place>,
    /// `None` while a step writes to it.
    buffers: Vec<Option<Buffer<'p>>>,
}

/// Where an argument of a step is for a block.
enum Found<'p> {
    Number([f32; 1]),
    /// In a buffer.
    Result(usize),
    /// In the arena, at these elements.
    Tile(Range<usize>),
    /// In a buffer of its own.
    Converted(Buffer<'p>),
}

impl<'p> Machine<'_, 'p> {
    fn step(&mut self, index: usize, rows: &Range<usize>) {
        let step = &self.plan.steps[index];
        let size = [rows.len(), step.columns];
        match (step.work, &step.args[..]) {
            (Work::Nothing, _) => {}
            (Work::Load, [Arg::From(from, all)]) => {
                let from = from.rows(all.distinct(rows));
                self.write(index, rows, &[], step.columns, |out, _| {
                    from.read_floats(out);
                });
            }
            (Work::Copy, [to, value]) => self.copy(to, *value, rows, size),
            (work, args) => {
                // Reductions take all columns and give one.
                let columns = match step.op.shape() {
                    Shape::row => self.plan.columns,
                    _ => step.columns,
                };
                self.write(index, rows, args, columns, |out, args| {
                    kernels::run(work, [rows.len(), columns], out, args);
                });
            }
        }
    }

    /// Has `f` write what a step gives, from its arguments, taken as rows of `columns`.
    #[inline]
    fn write(
        &mut self,
        index: usize,
        rows: &Range<usize>,
        args: &[Arg<'_>],
        columns: usize,
        f: impl FnOnce(&mut [f32], [Operand<'_>; 3]),
    ) {
        let length = rows.len() * self.plan.steps[index].columns;
        match self.results[index] {
            Place::Nowhere => {}
            Place::Tile(tile) => self.with(rows, args, columns, tile.range(rows), f),
            Place::Buffer(at, tile) => {
                let mut buffer = self.buffers[at].take().expect("no other step writes");
                self.with(rows, args, columns, 0..0, |_, args| {
                    f(&mut buffer[..length], args);
                });
                if let Some(tile) = tile {
                    self.narrow(&tile.part(rows), &buffer, [rows.len(), length / rows.len()]);
                }
                self.buffers[at] = Some(buffer);
            }
        }
    }

    /// Copies rows without gaps into a tile of any float type.
    fn narrow(&self, view: &View, data: &[f32], size: [usize; 2]) {
        for_float!(
            view.dtype(),
            T => self.arena.memory.access::<T, T, 0, _>(view, [], |out, []| {
                convert::<f32, T>(Nest::new(&size, [view.strides(), &[size[1], 1]]), out, data);
            }),
            else unreachable!("a sweep of floats")
        );
    }

    /// Runs `f` on the elements `out` of the arena and on the arguments.
    #[inline]
    fn with(
        &self,
        rows: &Range<usize>,
        args: &[Arg<'_>],
        columns: usize,
        out: Range<usize>,
        f: impl FnOnce(&mut [f32], [Operand<'_>; 3]),
    ) {
        let mut found = [const { (Found::Number([0.0]), [0, 0]) }; 3];
        for (to, arg) in found.iter_mut().zip(args) {
            *to = self.find(arg, rows, columns);
        }
        let places = found.each_ref().map(|(found, _)| match found {
            Found::Tile(range) => range.clone(),
            _ => 0..0,
        });
        self.arena
            .memory
            .access_floats(out, places, |out, in_arena| {
                let mut operands = [(&[][..], [0, 0]); 3];
                for ((to, (found, steps)), tile) in operands.iter_mut().zip(&found).zip(in_arena) {
                    let elements = match found {
                        Found::Number(number) => &number[..],
                        Found::Result(at) => self.buffers[*at].as_deref().expect("written before"),
                        Found::Tile(_) => tile,
                        Found::Converted(buffer) => buffer,
                    };
                    *to = (elements, *steps);
                }
                f(out, operands);
            });
    }

    /// An argument for a step over `columns`, and the distances of its rows and columns.
    #[inline]
    fn find(&self, arg: &Arg<'_>, rows: &Range<usize>, columns: usize) -> (Found<'p>, [usize; 2]) {
        let dense = |own: usize| [own, usize::from(own == columns)];
        let in_tile = |tile: &Rows| (Found::Tile(tile.range(rows)), tile.steps(columns));
        match arg {
            Arg::Number(number) => (Found::Number([*number]), [0, 0]),
            Arg::Step(at) => match &self.results[*at] {
                Place::Tile(tile) => in_tile(tile),
                Place::Buffer(buffer, _) => {
                    let step = &self.plan.steps[*at];
                    let [row, column] = dense(step.columns);
                    let row = if step.once { 0 } else { row };
                    (Found::Result(*buffer), [row, column])
                }
                Place::Nowhere => unreachable!("it is used"),
            },
            Arg::Tile(tile) if tile.dtype() == DType::F32 => in_tile(tile),
            Arg::Tile(tile) => {
                let view = tile.part(rows);
                let mut buffer = self.arena.buffer(view.elements());
                let (own, [row, _]) = (view.dims()[1], tile.steps(columns));
                for_float!(view.dtype(), T => self.arena.memory.read::<T, _>(&view, |elements| {
                    let nest = Nest::new(view.dims(), [&[own, 1], view.strides()]);
                    convert::<T, f32>(nest, &mut buffer, elements);
                }), else unreachable!("a sweep of floats"));
                let [_, column] = dense(own);
                let row = if row == 0 { 0 } else { own };
                (Found::Converted(buffer), [row, column])
            }
            Arg::From(..) | Arg::To(..) => unreachable!("tensors are loaded, or stored to"),
        }
    }

    /// Copies a value to rows of a tile or a tensor.
    fn copy(&self, to: &Arg<'_>, value: Arg<'_>, rows: &Range<usize>, size: [usize; 2]) {
        match to {
            Arg::Tile(tile) if tile.dtype() == DType::F32 => {
                let strides = tile.part(rows);
                self.with(
                    rows,
                    &[value],
                    size[1],
                    tile.range(rows),
                    |out, [(from, steps), ..]| {
                        convert::<f32, f32>(
                            Nest::new(&size, [strides.strides(), &steps]),
                            out,
                            from,
                        );
                    },
                );
            }
            Arg::Tile(tile) => self.narrow(&tile.part(rows), &self.dense(rows, value, size), size),
            Arg::To(to, all) => {
                let to = to.rows(all.distinct(rows));
                self.with(rows, &[value], size[1], 0..0, |_, [(from, steps), ..]| {
                    to.write_floats(from, steps);
                });
            }
            Arg::Number(_) | Arg::Step(_) | Arg::From(..) => {
                unreachable!("copies go to tiles and tensors")
            }
        }
    }

    /// A value in row-major order.
    fn dense(&self, rows: &Range<usize>, value: Arg<'_>, size: [usize; 2]) -> Buffer<'p> {
        let mut buffer = self.arena.buffer(size[0] * size[1]);
        self.with(rows, &[value], size[1], 0..0, |_, [(from, steps), ..]| {
            let nest = Nest::new(&size, [&[size[1], 1], &steps]);
            convert::<f32, f32>(nest, &mut buffer, from);
        });
        buffer
    }
}

//! Shapes in place of arrays.

use super::{EntryInput, EntryOutput, Lent, check_rank, sealed};
use crate::dtype::Element;
use crate::error::{ArgumentError, EntryParameter, Error};
use crate::task::KernelInfo;
use crate::tensor::View;
use std::marker::PhantomData;
use std::ptr;

/// The shape of an array, for an entry that [`Executor::Timing`](crate::Executor::Timing) runs: see
/// [`shape`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape<T> {
    dims: Vec<usize>,
    _element: PhantomData<T>,
}

/// A shape, in place of an array that an entry reads, writes, or both, under
/// [`Executor::Timing`](crate::Executor::Timing): there are no elements, however many there would be.
///
/// ```
/// use pl_runtime::{EntryArg, Executor, KernelInfo, RunConfig, Runtime, shape};
/// static ENTRY: KernelInfo = KernelInfo { name: "entry", file: file!(), line: line!(), params: &[] };
/// let runtime = Runtime::new(RunConfig { executor: Executor::Timing, ..RunConfig::default() })?;
/// let x = EntryArg::input::<f32, 2>(shape([1 << 30, 1 << 20]))?;
/// runtime.run(&ENTRY, [x], |_, [x]| {
///     assert_eq!(x.dims(), [1 << 30, 1 << 20]);
///     Ok(())
/// })?;
/// # Ok::<(), pl_runtime::Error>(())
/// ```
pub fn shape<T: Element>(dims: impl AsRef<[usize]>) -> Shape<T> {
    Shape {
        dims: dims.as_ref().to_vec(),
        _element: PhantomData,
    }
}

impl<T> sealed::Sealed for Shape<T> {}

impl<T: Element> Shape<T> {
    fn lent(&self, rank: usize, writable: bool) -> Result<Lent, Error> {
        check_rank(&self.dims, rank)?;
        let view = View::contiguous(T::DTYPE, &self.dims).map_err(|what| {
            ArgumentError::refuse(format!("the shape {what}"), "make it smaller")
        })?;
        Ok(Lent {
            base: ptr::null_mut(),
            view,
            writable,
            has_data: false,
        })
    }
}

impl<T: Element, const R: usize> EntryInput<T, R> for Shape<T> {
    fn lend(self) -> Result<Lent, Error> {
        self.lent(R, false)
    }
}

impl<T: Element, const R: usize> EntryOutput<T, R> for Shape<T> {
    fn lend_mut(self) -> Result<Lent, Error> {
        self.lent(R, true)
    }
}

/// Addresses from here on are no memory of the process, up to what access lists tell apart.
const NOWHERE: usize = 1 << 57;
const END: usize = 1 << 58;

/// Gives each shape among the arguments of `entry` addresses of its own, if nothing is read there.
///
/// # Errors
/// [`Error::Argument`]: the run reads and writes elements, or all shapes together are larger than what can
/// be told apart.
pub(crate) fn place_shapes(
    entry: &'static KernelInfo,
    args: &mut [Lent],
    simulated: bool,
) -> Result<(), Error> {
    let mut next = NOWHERE;
    for (index, arg) in args.iter_mut().enumerate().filter(|(_, arg)| !arg.has_data) {
        let refuse = |what: String, help: &str| {
            let mut error = ArgumentError::refuse(what, help);
            if let Error::Argument(error) = &mut error {
                error.parameter = Some(EntryParameter {
                    name: entry.param_name(index),
                    entry: entry.name,
                    defined: entry.site(),
                });
            }
            error
        };
        if !simulated {
            return Err(refuse(
                format!("the shape {} without elements", arg.view),
                "pass an array, or use `executor: Executor::Timing` in `RunConfig`",
            ));
        }
        // A page between two, so that they do not touch.
        let end = next.checked_add(arg.view.bytes());
        let after = end.and_then(|end| end.checked_next_multiple_of(4096)?.checked_add(4096));
        let Some(after) = after.filter(|&after| after <= END) else {
            return Err(refuse(
                format!("the shape {}, with those before it,", arg.view),
                "make shapes smaller: all together have less than 2^57 bytes",
            ));
        };
        arg.base = ptr::without_provenance_mut(next);
        next = after;
    }
    Ok(())
}

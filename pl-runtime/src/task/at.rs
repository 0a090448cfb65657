//! A task whose body stands where it is submitted: what `at!` becomes.
//!
//! # Invariants of the unsafe code
//! * The body of a region is a closure without captures, so it has no bytes, which is asserted when it
//!   is compiled. A value of a type without bytes that is `Copy` can be made anew wherever one has
//!   existed; `run::<F, ..>` is named by [`at`] alone, which was given one.

use super::{KernelInfo, TaskArg, TaskArgs, TaskSpec};
use crate::dtype::{Scalar, ScalarValue};
use crate::error::{OperationError, Result};
use crate::scope::Scope;
use crate::site::Site;
use crate::tensor::Tensor;
use crate::tile::Scratch;
use std::array;
use std::ptr::NonNull;

/// The scalars of a region: `(a, (b, ()))`.
pub trait RegionScalars: Copy {
    /// Adds them.
    fn pack(self, into: &mut Vec<ScalarValue>);
    /// The same in the running task, from scalar `first` on.
    fn unpack(args: &TaskArgs<'_>, first: usize) -> Self;
}

impl RegionScalars for () {
    fn pack(self, _: &mut Vec<ScalarValue>) {}
    fn unpack(_: &TaskArgs<'_>, _: usize) {}
}

impl<S: Scalar, R: RegionScalars> RegionScalars for (S, R) {
    fn pack(self, into: &mut Vec<ScalarValue>) {
        into.push(self.0.to_value());
        self.1.pack(into);
    }

    fn unpack(args: &TaskArgs<'_>, first: usize) -> Self {
        (args.scalar(first), R::unpack(args, first + 1))
    }
}

/// What a region takes for a tensor, because it is what some call gave.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor, and `at!` takes the result of a call for one",
    note = "bind a scalar with its type before the region: `let n: usize = ..`"
)]
pub trait RegionTensor<'t> {
    /// The tensor.
    fn tensor(self) -> Tensor<'t>;
}

impl<'t> RegionTensor<'t> for Tensor<'t> {
    fn tensor(self) -> Self {
        self
    }
}

/// The tensor that a call gave, for a region.
pub fn region_tensor<'t>(value: impl RegionTensor<'t>) -> Tensor<'t> {
    value.tensor()
}

/// Submits a task with `body`, which takes nothing from around it.
///
/// # Errors
/// As of [`Scope::submit`].
pub fn at<S, F, const N: usize>(
    scope: &Scope<'_>,
    site: Site,
    kernel: &'static KernelInfo,
    tensors: &[TaskArg<'_>; N],
    scalars: S,
    body: F,
) -> Result<()>
where
    S: RegionScalars,
    F: Fn(&Scratch<'_>, [Tensor<'_>; N], S) -> Result<(), OperationError> + Copy,
{
    let _ = body;
    let mut values = Vec::new();
    scalars.pack(&mut values);
    scope.submit(
        site,
        TaskSpec::new(kernel, run::<S, F, N>, tensors, &values),
    )?;
    Ok(())
}

fn run<S, F, const N: usize>(
    scratch: &Scratch<'_>,
    args: &TaskArgs<'_>,
) -> Result<(), OperationError>
where
    S: RegionScalars,
    F: Fn(&Scratch<'_>, [Tensor<'_>; N], S) -> Result<(), OperationError> + Copy,
{
    const { assert!(size_of::<F>() == 0, "a region captures nothing") };
    // SAFETY: `F` has no bytes and is `Copy`, and `at` was given a value of it.
    let body: F = unsafe { NonNull::<F>::dangling().read() };
    let tensors = array::from_fn(|index| args.tensor(index));
    body(scratch, tensors, S::unpack(args, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::EntryArg;
    use crate::{Access, ParamInfo, RunConfig, Runtime, tile};
    use ndarray::{Array1, array};

    const SITE: Site = Site::new("kernels.rs", 7);

    #[test]
    fn the_body_gets_the_tensors_and_scalars_that_it_was_submitted_with() {
        static ENTRY: KernelInfo = KernelInfo {
            name: "entry",
            file: "kernels.rs",
            line: 1,
            params: &[],
        };
        let runtime = Runtime::new(RunConfig::default()).unwrap();
        let (x, mut y) = (array![1.0_f32, 2.0], Array1::zeros(2));
        let args = [
            EntryArg::input::<f32, 1>(&x).unwrap(),
            EntryArg::output::<f32, 1>(&mut y).unwrap(),
        ];
        let run = |scope: &Scope<'_>, [x, y]: [Tensor<'_>; 2]| {
            let (a, b) = (3.0_f32, 4_usize);
            at(
                scope,
                SITE,
                const {
                    &KernelInfo {
                        name: "region",
                        file: "kernels.rs",
                        line: 7,
                        params: &[ParamInfo {
                            name: "x",
                            access: Access::Read,
                        }],
                    }
                },
                &[TaskArg::Input(x), TaskArg::OutputExisting(region_tensor(y))],
                (a, (b, ())),
                |s, [x, y], (a, (b, ()))| {
                    let t = tile::mul(s, SITE, tile::load(s, SITE, x)?, a)?;
                    tile::store(s, SITE, y, tile::add(s, SITE, t, b)?)
                },
            )
        };
        let report = runtime.run(&ENTRY, args, run).unwrap();
        assert_eq!(report.kernel_tasks.iter().sum::<u64>(), 1);
        assert_eq!(y, array![7.0, 10.0]);
    }
}

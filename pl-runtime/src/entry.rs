//! Arrays of the caller as arguments of an entry.

use crate::dtype::Element;
use crate::error::{ArgumentError, EntryParameter, Error};
use crate::task::KernelInfo;
use crate::tensor::{Dims, MAX_RANK, View};
use ndarray::{ArrayBase, Data, DataMut, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, IxDyn};
use std::marker::PhantomData;

mod shape;

pub(crate) use shape::place_shapes;
pub use shape::{Shape, shape};

/// Element type, first element and shape of an array.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Lent {
    pub(crate) base: *mut u8,
    pub(crate) view: View,
    pub(crate) writable: bool,
    /// Whether there are elements: a [`Shape`] has none, and no address before the run begins.
    pub(crate) has_data: bool,
}

/// An array of the caller, lent to a run.
#[derive(Debug)]
pub struct EntryArg<'a> {
    pub(crate) array: Lent,
    _array: PhantomData<&'a mut ()>,
}

impl<'a> EntryArg<'a> {
    /// An array that the entry reads.
    ///
    /// # Errors
    /// [`Error::Argument`]: a negative stride, or (for arrays of dynamic rank) not `R` dimensions.
    pub fn input<T: Element, const R: usize>(
        array: impl EntryInput<T, R> + 'a,
    ) -> Result<Self, Error> {
        Ok(Self {
            array: array.lend()?,
            _array: PhantomData,
        })
    }

    /// An array that the entry writes.
    ///
    /// # Errors
    /// As for [`Self::input`].
    pub fn output<T: Element, const R: usize>(
        array: impl EntryOutput<T, R> + 'a,
    ) -> Result<Self, Error> {
        Ok(Self {
            array: array.lend_mut()?,
            _array: PhantomData,
        })
    }

    /// An array that the entry reads and writes.
    ///
    /// # Errors
    /// As for [`Self::input`].
    pub fn inout<T: Element, const R: usize>(
        array: impl EntryOutput<T, R> + 'a,
    ) -> Result<Self, Error> {
        Self::output(array)
    }
}

/// The argument for tensor parameter `index` of `entry`; its error names the two.
///
/// # Errors
/// As of `argument`.
#[doc(hidden)]
pub fn bind_argument<'a>(
    entry: &'static KernelInfo,
    index: usize,
    argument: Result<EntryArg<'a>, Error>,
) -> Result<EntryArg<'a>, Error> {
    argument.map_err(|mut error| {
        if let Error::Argument(error) = &mut error {
            error.parameter = Some(EntryParameter {
                name: entry.param_name(index),
                entry: entry.name,
                defined: entry.site(),
            });
        }
        error
    })
}

mod sealed {
    pub trait Sealed {}
    impl<S: ndarray::RawData, D> Sealed for &ndarray::ArrayBase<S, D> {}
    impl<S: ndarray::RawData, D> Sealed for &mut ndarray::ArrayBase<S, D> {}
}

/// An array that an entry can read: a reference to an `ndarray` array or view of `T` with `R`
/// dimensions (or with a dynamic number of dimensions, which is checked when it is passed).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an input of {R} dimensions of `{T}`",
    label = "expected a reference to an ndarray array or view with {R} dimensions of `{T}`",
    note = "pass `&array`; `into_dimensionality` and `mapv` convert rank and element type"
)]
pub trait EntryInput<T: Element, const R: usize>: sealed::Sealed {
    #[doc(hidden)]
    fn lend(self) -> Result<Lent, Error>;
}

/// An array that an entry can write: as [`EntryInput`], but a mutable reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output of {R} dimensions of `{T}`",
    label = "expected a mutable reference to an ndarray array or view with {R} dimensions of `{T}`",
    note = "pass `&mut array`; outputs are written in place, so rank and element type must match"
)]
pub trait EntryOutput<T: Element, const R: usize>: sealed::Sealed {
    #[doc(hidden)]
    fn lend_mut(self) -> Result<Lent, Error>;
}

macro_rules! ranks {
    ($([$($generics:tt)*] $dimension:ty, $rank:expr;)*) => {$(
        impl<T: Element, S: Data<Elem = T>, $($generics)*> EntryInput<T, { $rank }>
            for &ArrayBase<S, $dimension>
        {
            fn lend(self) -> Result<Lent, Error> {
                let view = view::<T, _>(self, $rank, false)?;
                Ok(Lent { base: self.as_ptr().cast_mut().cast(), view, writable: false, has_data: true })
            }
        }
        impl<T: Element, S: DataMut<Elem = T>, $($generics)*> EntryOutput<T, { $rank }>
            for &mut ArrayBase<S, $dimension>
        {
            fn lend_mut(self) -> Result<Lent, Error> {
                // First: a shared array is copied here, which may change its strides.
                let base = self.as_mut_ptr().cast();
                let view = view::<T, _>(self, $rank, true)?;
                Ok(Lent { base, view, writable: true, has_data: true })
            }
        }
    )*};
}

ranks! {
    [] Ix1, 1;
    [] Ix2, 2;
    [] Ix3, 3;
    [] Ix4, 4;
    [] Ix5, 5;
    [const R: usize] IxDyn, R;
}

/// Refuses another number of dimensions than `rank`.
fn check_rank(dims: &[usize], rank: usize) -> Result<(), Error> {
    if dims.len() == rank && (1..=MAX_RANK).contains(&rank) {
        return Ok(());
    }
    Err(ArgumentError::refuse(
        format!(
            "an array of {} dimensions, {}, where {rank} are expected",
            dims.len(),
            Dims(dims)
        ),
        if (1..=MAX_RANK).contains(&rank) {
            format!("pass a view of {rank} dimensions, for example by `into_shape_with_order`")
        } else {
            format!("declare a parameter of 1 to {MAX_RANK} dimensions")
        },
    ))
}

fn view<T: Element, D: Dimension>(
    array: &ArrayBase<impl Data<Elem = T>, D>,
    rank: usize,
    writable: bool,
) -> Result<View, Error> {
    let dims = array.shape();
    check_rank(dims, rank)?;
    let mut strides = [0; MAX_RANK];
    for ((stride, &given), &dim) in strides.iter_mut().zip(array.strides()).zip(dims) {
        // The stride of a dimension with one element means nothing.
        *stride = if dim > 1 {
            usize::try_from(given).ok()
        } else {
            Some(1)
        }
        .ok_or_else(|| {
            ArgumentError::refuse(
                format!("an array {} with the negative stride {given}", Dims(dims)),
                if writable {
                    "pass a copy, `let mut new = y.as_standard_layout().into_owned()`, and bring it \
                     back after the run, `y.assign(&new)`"
                } else {
                    "copy it first: pass `&x.as_standard_layout()`"
                },
            )
        })?;
    }
    Ok(View::strided(T::DTYPE, 0, dims, &strides[..rank]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Axis, s};

    #[test]
    fn views_keep_their_strides() {
        let x = Array2::<f32>::zeros((6, 8));
        let part = x.slice(s![1..5;2, 2..6]);
        let lent = EntryArg::input(&part).unwrap().array;
        assert_eq!(
            (lent.view.dims(), lent.view.strides()),
            (&[2, 4][..], &[16, 1][..])
        );
        let lent = EntryArg::input(&x.t()).unwrap().array;
        assert_eq!(lent.view.strides(), [1, 8]);
        let row = x.row(0);
        let lent = EntryArg::input(&row.broadcast((3, 8)).unwrap())
            .unwrap()
            .array;
        assert_eq!(lent.view.strides(), [0, 1]);
    }

    #[test]
    fn a_negative_stride_is_refused_with_a_way_out() {
        let mut x = Array2::<f32>::zeros((6, 8));
        x.invert_axis(Axis(1));
        let error = EntryArg::input(&x).unwrap_err().to_string();
        assert!(
            error.contains("-1") && error.contains("as_standard_layout"),
            "{error}"
        );
        EntryArg::input(&x.as_standard_layout()).unwrap();
        let one = x.slice(s![.., 0..1;-1]);
        EntryArg::input(&one).unwrap();
    }

    #[test]
    fn an_output_with_a_negative_stride_can_be_replaced_as_its_error_says() {
        let mut x = Array2::from_shape_fn((6, 8), |(i, j)| (i * 8 + j) as f32);
        x.invert_axis(Axis(0));
        let before = x.clone();
        let error = EntryArg::inout(&mut x).unwrap_err().to_string();
        for part in ["y.as_standard_layout().into_owned()", "y.assign(&new)"] {
            assert!(error.contains(part), "{part}: {error}");
        }
        let mut new = x.as_standard_layout().into_owned();
        assert_eq!(new, before);
        EntryArg::inout(&mut new).unwrap();
        x.assign(&new);
    }

    #[test]
    fn a_dynamic_rank_is_checked_when_it_is_passed() {
        let mut x = Array2::<f32>::zeros((6, 8)).into_dyn();
        EntryArg::input::<f32, 2>(&x).unwrap();
        EntryArg::output::<f32, 2>(&mut x).unwrap();
        let error = EntryArg::input::<f32, 3>(&x).unwrap_err().to_string();
        assert!(
            error.contains("2 dimensions") && error.contains("3 are expected"),
            "{error}"
        );
        let scalar = ndarray::arr0(1.0_f32).into_dyn();
        assert!(EntryArg::input::<f32, 0>(&scalar).is_err());
    }
}

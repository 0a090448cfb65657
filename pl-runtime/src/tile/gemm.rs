//! The matrix product of the `gemm` crate behind a safe function.
//!
//! # Invariants of the unsafe code
//! Every element that the product reads or writes lies inside the slices, which Rust keeps apart.

/// A matrix in a slice: element `[i, j]` is `data[i * strides[0] + j * strides[1]]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    pub(super) data: &'a [f32],
    pub(super) dims: [usize; 2],
    pub(super) strides: [usize; 2],
}

impl Matrix<'_> {
    /// Panics if an element lies outside the slice. A matrix without elements has none outside.
    fn check(&self) {
        let last = |axis: usize| Some((self.dims[axis].checked_sub(1)?, self.strides[axis]));
        if let (Some((i, di)), Some((j, dj))) = (last(0), last(1)) {
            let last = i
                .checked_mul(di)
                .zip(j.checked_mul(dj))
                .and_then(|(a, b)| a.checked_add(b));
            assert!(
                last.is_some_and(|last| last < self.data.len()),
                "{self:?} leaves its slice"
            );
        }
    }
}

/// `out = a * b`, row-major; `a` and `b` have elements.
pub(super) fn product(out: &mut [f32], a: Matrix<'_>, b: Matrix<'_>) {
    let ([m, k], [kb, n]) = (a.dims, b.dims);
    a.check();
    b.check();
    assert!(
        k == kb && Some(out.len()) == m.checked_mul(n),
        "a product of matching matrices"
    );
    // SAFETY: `check` and the line above keep all accesses inside; strides are at most a slice's
    // length, so they fit isize, wherever there is a second element to step to.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            false,
            a.data.as_ptr(),
            a.strides[1] as isize,
            a.strides[0] as isize,
            b.data.as_ptr(),
            b.strides[1] as isize,
            b.strides[0] as isize,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

//! Inline helpers and kernels in a crate of their own.

use pl::prelude::*;

/// `y = x`
#[pl::jit::incore]
pub fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

/// Copies through a tensor of its own, in an AUTO scope placed by hand.
#[pl::jit::inline(auto_scope = false)]
pub fn copy_in_scope(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!({
        let t = create_tensor::<f32>([x.dim(0)]);
        copy(x, t);
        copy(t, y);
    });
}

/// Calls [`copy_in_scope`], which its own callers cannot see.
#[pl::jit::inline]
pub fn copy_indirectly(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy_in_scope(x, y);
}

/// Copies part by part; the scopes of its loop are the compiler's.
#[pl::jit::inline]
pub fn copy_parts(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>, part: usize) {
    for i in (0..x.dim(0)).step_by(part) {
        let end = (i + part).min(x.dim(0));
        copy(x.slice(s![i..end]), y.slice(s![i..end]));
    }
}

/// A copy that belongs to the scope of the caller.
#[pl::jit::inline(dims(N))]
pub fn copied(x: Tensor<f32, N>) -> Tensor<f32, N> {
    let t = create_tensor::<f32>([N]);
    copy(x, t);
    t
}

/// `x * x + a`, element by element.
#[pl::jit::inline]
pub fn squared_plus(x: Tile<f32>, a: f32) -> Tile<f32> {
    x * x + a
}

/// Each row divided by its sum.
#[pl::jit::inline]
pub fn normalized(x: Tile<f32>) -> Tile<f32> {
    x / row_sum(squared_plus(x, 0.0))
}

/// `x` times `a`, in a region of its own.
#[pl::jit::opaque]
pub fn scaled_parts(x: Tensor<f32, _>, a: f32, y: Out<Tensor<f32, _>>) {
    for i in (0..x.dim(0)).step_by(4) {
        let end = (i + 4).min(x.dim(0));
        let part = y.slice(s![i..end]);
        at!("scaled_part", {
            store(part, load(x.slice(s![i..end])) * a);
        });
    }
}

/// Stores a tile: who calls it writes `y`.
#[pl::jit::inline]
pub fn store_doubled(x: Tile<f32>, y: Out<Tensor<f32, _>>) {
    store(y, x * 2.0);
}

/// Numbers of things.
pub type Count = usize;

mod weights {
    /// What elements are multiplied with.
    pub type Weight = f32;
}
pub use weights::Weight;

/// The one after, of a type that is called so here alone.
#[pl::jit::inline]
pub fn after(i: Count) -> Count {
    let after: Count = i + 1;
    after
}

/// The sum of a number of any type with itself.
#[pl::jit::inline]
pub fn twice<T: Scalar + std::ops::Add<Output = T>>(a: T) -> T {
    let twice: T = a + a;
    twice
}

/// Four times a number of any type.
#[pl::jit::inline]
pub fn four_times<T: Scalar + std::ops::Add<Output = T>>(a: T) -> T {
    let twice_of_it = twice::<T>(a);
    twice::<T>(twice_of_it)
}

/// A scalar of any type, in every element.
#[pl::jit::incore]
pub fn filled<T: Scalar>(value: T, y: Out<Tensor<f32, _>>) {
    store(y, full([y.dim(0)], value));
}

/// The tensor in another element type.
#[pl::jit::incore(dims(N))]
pub fn converted<T: Element>(x: Tensor<f32, N>) -> Tensor<T, N> {
    cast::<T>(load(x))
}

/// The default configuration, with every entry compared with the C++ that is printed for it.
pub fn checked() -> RunConfig {
    RunConfig {
        check_cpp: true,
        ..RunConfig::default()
    }
}

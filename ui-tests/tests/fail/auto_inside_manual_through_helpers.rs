use pl::prelude::*;

#[pl::jit::incore]
fn copy<T: Element>(x: Tensor<T, _>, y: Out<Tensor<T, _>>) {
    store(y, load(x));
}

#[pl::jit::inline(auto_scope = false)]
fn scoped<T: Element>(x: Tensor<T, _>, y: Out<Tensor<T, _>>) {
    if x.dim(0) > 4 {
        scope!({
            copy::<T>(x, y);
        });
    } else {
        copy::<T>(x, y);
    }
}

#[pl::jit::inline]
fn twice<T: Element>(x: Tensor<T, _>, y: Out<Tensor<T, _>>) {
    scoped::<T>(x, y);
    scoped::<T>(x, y);
}

// Nobody makes this one for any `T`.
#[pl::jit::inline]
fn unused<T: Element>(x: Tensor<T, _>, y: Out<Tensor<T, _>>) {
    manual_scope!({
        scoped::<T>(x, y);
    });
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    manual_scope!({
        for _ in 0..2 {
            twice::<f32>(x, y);
        }
    });
}

fn main() {}

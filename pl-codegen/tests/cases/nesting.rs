#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!({ //~ PL0004
        store(y, load(x));
    });
}

#[pl::jit(auto_scope = false)]
fn auto_inside_manual(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    manual_scope!({
        if x.dim(0) > 1 {
            scope!({ //~ PL0001 inside a MANUAL
                k(x, y);
            });
        }
        manual_scope!({ //~ PL0002
            k(x, y);
        });
    });
}

#[pl::jit]
fn by_hand(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!({ //~ PL0003
        k(x, y);
    });
    scratch_scope!({ //~ PL0005
        k(x, y);
    });
}

#[pl::jit::incore(auto_scope = true)] //~ PL0006
fn refused(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

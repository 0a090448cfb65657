use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline(auto_scope = false)]
fn half(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    copy(x, y);
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
}

#[pl::jit::inline(auto_scope = false)]
fn half_by_a_helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    half(x, y);
}

#[pl::jit(auto_scope = false)]
fn direct(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    copy(x, y);
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
}

#[pl::jit(auto_scope = false)]
fn through_helpers(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    half_by_a_helper(x, y); copy(x, y);
    }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
    half_by_a_helper(x, y);
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
    }); }); }); }); }); }); }); });
}

fn main() {}

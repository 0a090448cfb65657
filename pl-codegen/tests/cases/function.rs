//! Shown: Lowered
//! `#[pl::function(kind = "..")]` and what it cannot say.

#[pl::function(kind = "incore")]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod a_misspelt_kind_names_the_nearest {
    #[pl::function(kind = "incor")] //~ PL0202 did you mean `"incore"`?
    fn nearest(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
        scope!({ //~ PL0004
            exp(load(x));
        });
    }
}

mod kinds_are_in_small_letters {
    #[pl::function(kind = "Orchestration")] //~ PL0202 did you mean `"orchestration"`?
    fn capital(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }
}

mod an_unknown_kind_names_all {
    #[pl::function(kind = "spmd")] //~ PL0202 kinds are `"orchestration"`, `"inline"`, `"incore"`, `"host"`, `"opaque"`
    fn unknown(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
    }
}

mod the_long_attribute_needs_a_kind {
    #[pl::function(auto_scope = false)]
    fn nameless(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0202 does not say what `nameless` is
        store(y, load(x));
    }
}

mod in_core_code_takes_no_auto_scope {
    #[pl::function(kind = "incore", auto_scope = true)] //~ PL0006 `#[pl::function(kind = "incore")]` takes no `auto_scope`
    fn scopes(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
    }
}

mod the_kind_may_stand_last {
    #[pl::function(auto_scope = false, kind = "incore")] //~ PL0006
    fn scopes_before_the_kind(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
    }
}

mod host_is_not_available_yet {
    #[pl::function(kind = "host")]
    fn not_yet(x: Tensor<f32, _>) {} //~ PL0206 `#[pl::function(kind = "host")]` is not available yet
}

mod an_option_that_there_is_not {
    #[pl::function(kind = "inline", level = 2)] //~ PL0202 `#[pl::function]` has no option `level`
    fn option(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }
}

mod the_short_attributes_take_no_kind {
    #[pl::jit(kind = "incore")] //~ PL0202 `#[pl::jit]` has no option `kind`
    fn short(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }
}

mod a_kind_given_twice {
    #[pl::function(kind = "incore", kind = "inline")] //~ PL0202 given twice
    fn two_kinds(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }
}

mod a_short_and_a_long_attribute {
    #[pl::jit]
    #[pl::function(kind = "incore")] //~ PL0209 marked as a kernel twice
    fn both(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }
}

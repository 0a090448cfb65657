//! Shown: Lowered
//! Tasks written in place, `at!("name", { .. })`, and opaque helpers.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn returned(x: Tensor<f32, 4>) -> Tensor<u8, 4> {
    cast::<u8>(load(x))
}

#[pl::jit::inline]
fn of_tiles(x: Tile<u8>) -> Tile<u8> {
    x
}

#[pl::jit::inline]
fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(x, y);
}

mod in_core_code_has_no_regions {
    #[pl::jit::incore]
    fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
        at!("inner", { //~ PL0212 `at!` submits a task, and in-core code is the body of one
            store(y, load(x));
        });
    }
}

mod regions_do_not_nest {
    #[pl::jit]
    fn nested(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        at!("outer", {
            at!("inner", { //~ PL0212 an `at!` region stands in another one
                store(y, load(x));
            });
            store(y, load(x));
        });
    }
}

mod a_region_has_no_value {
    #[pl::jit]
    fn value(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let t = at!("value", { load(x) }); //~ PL0212 an `at!` region has no value
        at!("store", {
            store(y, load(x));
        });
    }
}

mod a_region_assigns_nothing_outside {
    #[pl::jit]
    fn kept(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let t;
        let mut n = 0;
        at!("load", {
            t = load(x); //~ PL0212 `t` cannot be assigned in an `at!` region
            n += 1; //~ PL0212 `n` cannot be assigned
            (n, _) = (1, 2); //~ PL0212 `n` cannot be assigned
        });
        at!("store", {
            store(y, load(x));
        });
    }
}

mod a_region_has_a_name_of_its_own {
    #[pl::jit]
    fn names(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        at!("one", {
            store(y, load(x));
        });
        at!("one", { //~ PL0209 two regions of `names` are called `one`
            store(y, load(x));
        });
        at!("loop", { //~ PL0209 it is a word of Rust: write `at!("loop_task", ..)`
            store(y, load(x));
        });
        at!("two words", { //~ PL0209 use letters, digits and `_`, as in the name of a function
            store(y, load(x));
        });
        at!({ store(y, load(x)); }); //~ PL0202 `at!` takes the name of its kernel and a block
        at!("no_block", store(y, load(x))); //~ PL0202
        at!(one, {}); //~ PL0202
        at!(); //~ PL0202
    }
}

mod a_region_is_in_core_code {
    #[pl::jit]
    fn context(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        at!("context", {
            scope!({ //~ PL0004 a runtime scope opens in in-core code
                store(y, load(x));
            });
            x.get([0]); //~ PL0212 not by `get`
            for i in parallel(0..4) {} //~ PL0212 one thing at a time
        });
    }
}

mod a_region_reaches_elements_of_a_result_through_tiles {
    #[pl::jit]
    fn of_a_result(x: Tensor<f32, 4>, y: Out<Tensor<f32, _>>) {
        let c = returned(x);
        at!("of_a_result", {
            let d = c.slice(s![1..]);
            store(y, full::<f32>([1], d.get([0]))); //~ PL0212 not by `get`
            let t = of_tiles(load(d));
            t.set([0], t.get([1]));
        });
    }
}

mod a_region_calls_no_orchestration {
    #[pl::jit]
    fn calls(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        at!("calls", {
            copy(x, y); //~ PL0212 `copy` is a task of its own
            helper(x, y); //~ PL0212 `helper` is orchestration code
        });
    }
}

mod a_jump_does_not_leave_a_region {
    #[pl::jit]
    fn jumps(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        for i in 0..4 {
            at!("jump", {
                if i > 2 {
                    break; //~ PL0201 a jump cannot leave an `at!` region
                }
                for j in 0..4 {
                    continue;
                }
                store(y, load(x));
            });
        }
    }
}

mod a_tuple_is_no_argument {
    #[pl::jit]
    fn tuples(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let both = (x, y);
        at!("tuple", {
            let (x, y) = both; //~ PL0212 `both` is a tuple
            store(y, load(x));
        });
    }
}

mod a_region_reads_and_writes_what_it_may {
    #[pl::jit]
    fn flow(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>, z: Out<Tensor<f32, _>>) { //~ PL0303 `z` is declared `Out`
        let t = create_tensor::<f32>([4]);
        at!("flow", {
            store(x, load(t)); //~ PL0302 `x` is an input //~ PL0301 `t` is read
        });
        for i in parallel(0..4) {
            at!("shared", {
                store(y, load(x) * i); //~ PL0304 every iteration of a parallel loop writes `y`
            });
        }
    }
}

mod a_region_uses_no_tensor_of_a_closed_scope {
    #[pl::jit(auto_scope = false)]
    fn lifetimes(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let mut last = x;
        scope!({
            let t = create_tensor::<f32>([4]);
            last = t;
            at!("fill", {
                let mut u = load(x);
                scratch_scope!({
                    u = u * 2.0;
                });
                store(t, u); //~ PL0104 `u` is used after its `scratch_scope!` closed
            });
        });
        at!("late", {
            store(y, load(last)); //~ PL0101 `last` is used after its `scope!` closed
        });
    }
}

mod a_second_name_in_a_region {
    #[pl::jit]
    fn overwritten(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        at!("overwritten", {
            let m = load(x);
            let old = m;
            copy_to(m, m * 2.0);
            store(y, old); //~ PL0305
        });
    }
}

mod tiles_in_a_region_are_checked_as_elsewhere {
    #[pl::jit]
    fn elements(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        at!("elements", {
            let t = zeros([4]); //~ PL0210
            store(y, load(x));
            store(y, load(x)[0]); //~ PL0201 `x[..]`
            let u = row_maxx(load(x)); //~ PL0203 did you mean `row_max`?
        });
        load(x); //~ PL0212 belongs into in-core code
    }
}

mod an_opaque_helper_takes_no_auto_scope {
    #[pl::jit::opaque(auto_scope = true)] //~ PL0006 the compiler places no scopes in it
    fn opaque(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        copy(x, y);
    }
}

mod an_opaque_helper_is_orchestration_code {
    #[pl::jit::opaque]
    fn opaque_too(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        load(x); //~ PL0212 belongs into in-core code
        copy(x, y);
    }
}

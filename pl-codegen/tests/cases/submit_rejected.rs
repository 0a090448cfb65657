//! Shown: Lowered
//! Explicit submission: each mistake is one error.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    k(x, y);
}

#[pl::jit]
fn other_entry(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    k(x, y);
}

#[pl::jit::incore]
fn whole(x: Tensor<f32, _>, mut y: Out<Tensor<f32, _>>, z: InOut<Tensor<f32, _>>) {
    let part = z.partition(0);
    store(part, load(part) + load(x));
    let rows = y.slice(s![0..1]);
    store(rows, load(x.partition(0)));
}

mod c026_options_on_a_plain_call {
    #[pl::jit]
    fn c026_options_on_a_plain_call(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = submit!(k(x, y));
        k(x, y, deps = [t]); //~ PL0202 write `submit!(k(x, y), deps = [t])`
        k(blocks = 2, x, y); //~ PL0202 a plain call takes no options, and `blocks` is one
    }
}

mod unknown_options {
    #[pl::jit]
    fn unknown_options(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = submit!(k(x, y));
        submit!(k(x, y), dep = [t]); //~ PL0202 did you mean `deps = [t]`?
        submit!(k(x, y), core_num = 4); //~ PL0202 did you mean `blocks = 8`?
        submit!(k(x, y), dumps = [x]); //~ PL0202 `submit!` has no option `dumps`
        submit!(k(x, y), blocks = 4, blocks = 5); //~ PL0202 option `blocks` is given twice
        submit!(k(x, y), [t]); //~ PL0202 if these are tasks to wait for, write `deps = [t]`
        submit!(k(x, y), t); //~ PL0202 if these are tasks to wait for, write `deps = [t]`
        submit!(k(x, y), ids[0]); //~ PL0202 if these are tasks to wait for, write `deps = [ids[0]]`
    }
}

mod what_has_no_name_and_is_no_task {
    #[pl::jit]
    fn what_has_no_name_and_is_no_task(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        submit!(k(x, y), sync_start); //~ PL0202 write it as in `sync_start = true`
        submit!(k(x, y), blocks: 3); //~ PL0202 write it as in `blocks = 8`
        submit!(k(x, y), 8); //~ PL0202 write it as in `blocks = 8`
        submit!(k(x, y), CoreType::Aic); //~ PL0202 write it as in `core_type = CoreType::Aic`
        submit!(k(x, y), x.get([0]) > 0); //~ PL0202 options are `deps = [t]`, `deps_wait = [t]`
        submit!(k(x, y); blocks = 3); //~ PL0202 options follow the call behind a comma
    }
}

mod what_is_no_call_of_a_kernel {
    #[pl::jit]
    fn what_is_no_call_of_a_kernel(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        submit!(x); //~ PL0205 `submit!` submits a kernel, and `x` is no call of one
        submit!(); //~ PL0205 write the call of one: `submit!(k(x, y))`
        submit!(k); //~ PL0205 `submit!` submits a kernel, and `k` is no call of one
        submit!(load(x)); //~ PL0212 `load` works on tiles and belongs into in-core code
        submit!(barrier([])); //~ PL0205 leave out `submit!`: a barrier is a task already
        submit!(submit!(k(x, y))); //~ PL0205 leave out one `submit!`
        submit!(create_tensor::<f32>([8])); //~ PL0205 is no call of one
        submit!(x.set([0], 1.0)); //~ PL0205 is no call of one
        k(x, y);
    }
}

mod c107_a_helper_is_no_task {
    #[pl::jit]
    fn c107_a_helper_is_no_task(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = submit!(helper(x, y)); //~ PL0205 `submit!` submits kernels, and `helper` is a helper
        k(x, y);
        submit!(k(x, y), deps = [t]);
    }
}

mod what_is_no_dependency {
    #[pl::jit]
    fn what_is_no_dependency(x: Tensor<f32, 8>, n: usize, y: Out<Tensor<f32, 8>>) {
        let t = submit!(k(x, y));
        submit!(k(x, y), deps = t); //~ PL0205 write `deps = [t]`
        submit!(k(x, y), deps_wait = t); //~ PL0205 write `deps_wait = [t]`
        submit!(k(x, y), deps = [x]); //~ PL0205 `x` is a tensor, and a task waits for tasks
        submit!(k(x, y), deps = [t, n + 1]); //~ PL0205 `n + 1` is a scalar, and a task waits for tasks
        submit!(k(x, y), deps = [[t]]); //~ PL0201 kernels do not have this expression
        barrier(t); //~ PL0205 write `barrier([t])`
        barrier(); //~ PL0205 write `barrier([a, b])`
        barrier([y]); //~ PL0205 `y` is a tensor, and a task waits for tasks
        submit!(k(x, y), deps = ); //~ PL0205 `deps` takes a list of task ids
    }
}

mod values_of_options {
    #[pl::jit]
    fn values_of_options(x: Tensor<f32, 8>, n: Tensor<i32, 8>, c: i32, y: Out<Tensor<f32, 8>>) {
        submit!(k(x, y), blocks = 0); //~ PL0205 a task has at least one block
        submit!(k(x, y), sync_start = c > 0); //~ PL0205 `sync_start` takes `true` or `false`, written out
        submit!(k(x, y), core_type = CoreType::Vector); //~ PL0205 `core_type` takes `CoreType::Aiv`
        submit!(k(x, y), predicate = c > 0); //~ PL0205 `predicate` takes one element, compared with an integer
        submit!(k(x, y), predicate = n.get([0]) > 0 && n.get([1]) > 0); //~ PL0205 `predicate` takes one element
        submit!(k(x, y), predicate = n.get([0]) + 1 > 0); //~ PL0205 write `predicate = x.get([0]) > 0`
        submit!(k(x, y), predicate = x.get([0]) > 0.0); //~ PL0205 this element is f32
    }
}

mod tasks_do_not_submit {
    #[pl::jit::incore]
    fn tasks_do_not_submit(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        submit!(k(x, y)); //~ PL0212 `submit!` submits a task, and in-core code is the body of one
        let mut t = TaskId::NONE; //~ PL0212 `TaskId` names a task
        let ids = TaskIds::<4>::new(); //~ PL0212 `TaskIds` names tasks
        t = barrier([]); //~ PL0212 `barrier` is a task
        store(y, load(x));
    }
}

mod orchestration_is_no_block {
    #[pl::jit]
    fn orchestration_is_no_block(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let b = block_idx(); //~ PL0212 `block_idx` asks for the block that runs
        let n = block_num(); //~ PL0212 `block_num` asks for the block that runs
        k(x.partition(0), y); //~ PL0212 `partition` gives the part of the block that runs
    }
}

mod parts_are_of_parameters {
    #[pl::jit::incore]
    fn parts_are_of_parameters(x: Tensor<f32, _>, mut z: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let half = x.slice(s![0..4]);
        let a = load(half.partition(0)); //~ PL0205 blocks take a parameter apart, and `half` is none
        let b = load(x.slice(s![4..8]).partition(0)); //~ PL0205 take the part of the parameter first
        z = half;
        let c = load(z.partition(0)); //~ PL0205 `z` may have become another tensor
        store(y, a + b + c);
    }
}

mod no_tile_has_parts {
    #[pl::jit::incore]
    fn no_tile_has_parts(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y.partition(0), load(x).partition(0)); //~ PL0203 a tile has no method `partition`
    }
}

mod a_kernel_is_not_called_barrier {
    #[pl::jit::incore]
    fn barrier() { //~ PL0207 the language has that name
    }
}

mod a_kernel_is_not_called_block_idx {
    #[pl::jit::incore]
    fn block_idx() { //~ PL0207 the language has that name
    }
}

mod several_blocks {
    #[pl::jit]
    fn several_blocks(n: usize, x: Tensor<f32, 8>, z: InOut<Tensor<f32, 8>>, y: Out<Tensor<f32, 8>>) {
        submit!(whole(x, y, z), blocks = 8); //~ PL0306 every block of `whole` would use the whole of a tensor
        submit!(whole(x, y, z), blocks = 2_usize); //~ PL0306 `y.partition(0)` of a parameter
        submit!(whole(x, y, z), blocks = 1);
        submit!(whole(x, y, z), blocks = n);
        submit!(k(x, y), blocks = 2); //~ PL0306
    }
}

#[pl::jit::inline]
fn add_to(x: Tile<f32>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + x);
}

#[pl::jit::incore]
fn whole_by_helper(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    let first = y.slice(s![0..1]);
    add_to(load(x.slice(s![0..1])), first);
}

#[pl::jit::incore]
fn parts_by_helper(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    add_to(load(x.partition(0)), y.partition(0));
}

mod a_helper_stores_what_it_gets {
    #[pl::jit]
    fn a_helper_stores_what_it_gets(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>) {
        submit!(whole_by_helper(x, y), blocks = 2); //~ PL0306 every block of `whole_by_helper` would use
        submit!(whole_by_helper(x, y), blocks = 1);
        submit!(parts_by_helper(x, y), blocks = 2);
    }
}

mod a_kernel_is_not_called_taskid {
    #[pl::jit::incore]
    fn TaskId() { //~ PL0207 the language has that name
    }
}

mod submits_read_and_write {
    #[pl::jit]
    fn submits_read_and_write(n: usize, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = create_tensor::<i32>([1]);
        submit!(k(x, y), predicate = t.get([0]) > 0); //~ PL0301 `t` is read, and nothing in this function writes it
    }
}

mod submits_write {
    #[pl::jit]
    fn submits_write(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        submit!(k(y, x)); //~ PL0302 `x` is an input and is written
    }
}

mod iterations_submit {
    #[pl::jit]
    fn iterations_submit(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        for i in parallel(0..4) {
            submit!(k(x, y)); //~ PL0304 every iteration of a parallel loop writes `y`
        }
    }
}

mod attributes_in_macros {
    #[pl::jit]
    fn attributes_in_macros(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        submit!(k(x, #[cfg(test)] y)); //~ PL0201 `#[cfg]` cannot stand inside a kernel
        submit!(k(x, y), deps = [#[cfg(test)] TaskId::NONE]); //~ PL0201 `#[cfg]` cannot stand inside a kernel
        k(x.slice(s![#[cfg(test)] 0..4]), y); //~ PL0201 `#[cfg]` cannot stand inside a kernel
    }
}

mod a_variable_may_be_called_barrier {
    #[pl::jit]
    fn a_variable_may_be_called_barrier(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut barrier = TaskIds::<2>::new();
        barrier[{ scope!({ 0 }) }] = submit!(k(x, y)); //~ PL0003 `scope!` opens an AUTO scope by hand
        let n = barrier[0];
        barrier(n); //~ PL0201 kernels do not have calls of variables, and `barrier` is one
    }
}

mod blocks_have_other_names_elsewhere {
    #[pl::jit::incore]
    fn blocks_have_other_names_elsewhere(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let i = program_id(0); //~ PL0203 did you mean `block_idx`?
        let n = get_block_num(); //~ PL0203 did you mean `block_num`?
        let j = block_ids(); //~ PL0203 did you mean `block_idx`?
        store(y, load(x));
    }
}

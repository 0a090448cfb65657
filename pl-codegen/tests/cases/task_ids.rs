//! Shown: Linked
//! Task ids: what they are, and how long they are good for.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn last_of(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) -> TaskId {
    submit!(k(x, y))
}

#[pl::jit::inline]
fn waits(t: TaskId, x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    submit!(k(x, y), deps = [t]);
}

#[pl::jit::incore]
fn made(x: Tensor<f32, 8>) -> Tensor<f32, 8> {
    load(x)
}

mod after_the_scope {
    #[pl::jit(auto_scope = false)]
    fn after_the_scope(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t;
        scope!({
            t = submit!(k(x, y));
        });
        submit!(k(x, y), deps = [t]); //~ PL0105 `t` is used after its `scope!` closed, to which its task belongs
    }
}

mod c158_after_the_manual_scope {
    #[pl::jit]
    fn c158_after_the_manual_scope(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        manual_scope!({
            t = submit!(k(x, y));
        });
        submit!(k(x, y), deps = [t]); //~ PL0105 `t` is used after its MANUAL scope closed
    }
}

mod c164_a_barrier_after_its_scope {
    #[pl::jit]
    fn c164_a_barrier_after_its_scope(c: bool, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        if c {
            let u = submit!(k(x, y));
            t = barrier([u]);
        }
        submit!(k(x, y), deps_wait = [t]); //~ PL0105 `t` is used after the scope of the branch closed
    }
}

mod c157_after_the_loop {
    #[pl::jit]
    fn c157_after_the_loop(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        for _ in 0..4 {
            t = submit!(k(x, y));
        }
        barrier([t]); //~ PL0105 `t` is used after the scope of the loop body closed
    }
}

mod carried_through_a_loop {
    #[pl::jit]
    fn carried_through_a_loop(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        for _ in 0..4 {
            t = submit!(k(x, y), deps = [t]); //~ PL0105 `t` names a task of an earlier iteration
        }
    }
}

mod an_array_keeps_its_other_ids {
    #[pl::jit]
    fn an_array_keeps_its_other_ids(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut ids = TaskIds::<4>::new();
        for i in 0..4 {
            ids[i] = submit!(k(x, y)); //~ PL0105 `ids` names a task of an earlier iteration
        }
        barrier([ids]); //~ PL0105 `ids` is used after the scope of the loop body closed
    }
}

mod one_id_of_an_array {
    #[pl::jit(auto_scope = false)]
    fn one_id_of_an_array(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut ids = TaskIds::<4>::new();
        scope!({
            ids[0] = submit!(k(x, y));
            barrier([ids[0]]);
        });
        let t = ids[1]; //~ PL0105 `ids` is used after its `scope!` closed
        let valid = t.is_valid();
    }
}

mod the_value_of_its_scope {
    #[pl::jit(auto_scope = false)]
    fn the_value_of_its_scope(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = scope!({
            submit!(k(x, y)) //~ PL0105 the value of this `scope!` names a task that belongs to the scope
        });
        barrier([t]);
    }
}

mod from_a_helper {
    #[pl::jit]
    fn from_a_helper(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        for _ in 0..4 {
            t = last_of(x, y);
        }
        barrier([t]); //~ PL0105 `t` is used after the scope of the loop body closed
    }
}

mod a_dead_assignment_is_fine {
    #[pl::jit(auto_scope = false)]
    fn a_dead_assignment_is_fine(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        scope!({
            t = submit!(k(x, y));
            barrier([t]);
        });
        t = submit!(k(x, y));
        barrier([t]);
    }
    //= entry a_dead_assignment_is_fine(x: in Tensor<f32, [8]>, y: out Tensor<f32, [8]>) auto_scope = false {
    //=     let mut t: TaskId = TaskId::NONE;
    //=     scope AUTO {
    //=         t = submit k(in x, out y);
    //=         barrier([t]);
    //=     };
    //=     t = submit k(in x, out y);
    //=     barrier([t]);
    //= }
}

mod entries_take_no_ids {
    #[pl::jit]
    fn entries_take_no_ids(t: TaskId, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) { //~ PL0209 functions marked `#[pl::jit]` take no task ids
        submit!(k(x, y), deps = [t]);
    }
}

mod kernels_take_no_ids {
    #[pl::jit::incore]
    fn kernels_take_no_ids(t: TaskId, x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0209 say at the submit what the task waits for
        store(y, load(x));
    }
}

mod arrays_stay {
    #[pl::jit::inline]
    fn arrays_stay(ids: TaskIds<4>, x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0209 pass one task that waits for all of them
        submit!(k(x, y), deps = [ids]);
    }
}

mod lengths {
    #[pl::jit(dims(N))]
    fn lengths(n: usize, x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
        let a = TaskIds::new(); //~ PL0205 write the number: `TaskIds::<4>::new()`
        let b = TaskIds::<_>::new(); //~ PL0205 write the number
        let c = TaskIds::<n>::new(); //~ PL0205 `n` is known when it runs
        let d = TaskIds::<N>::new(); //~ PL0205 `N` is known when it runs
        k(x, y);
    }
}

mod methods {
    #[pl::jit]
    fn methods(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = submit!(k(x, y));
        let ids = TaskIds::<2>::new();
        t.wait(); //~ PL0203 a task id has no method `wait`
        ids.len(); //~ PL0203 an array of task ids has no method `len`
        let u = TaskId::INVALID; //~ PL0203 `TaskId::NONE` is no task
        let v = y[0]; //~ PL0201 `x[..]`
    }
}

mod to_a_helper {
    #[pl::jit]
    fn to_a_helper(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let mut t = TaskId::NONE;
        for _ in 0..4 {
            waits(t, x, y); //~ PL0105 `t` names a task of an earlier iteration
            t = last_of(x, y);
        }
    }
}

mod of_a_pair {
    #[pl::jit(auto_scope = false)]
    fn of_a_pair(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let (a, mut t) = submit!(made(x));
        let mut b = a;
        scope!({
            (b, t) = submit!(made(x));
            submit!(k(b, y), deps = [t]);
        });
        submit!(k(b, y)); //~ PL0101 `b` is used after its `scope!` closed, which freed its tensor
        barrier([t]); //~ PL0105 `t` is used after its `scope!` closed, to which its task belongs
    }
}

mod what_is_returned_is_whole {
    #[pl::jit]
    fn what_is_returned_is_whole(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let (a, t) = submit!(made(x), blocks = 2); //~ PL0306 every block of `made` would use the whole
        k(a, y);
    }
}

mod regions_know_no_blocks {
    #[pl::jit]
    fn regions_know_no_blocks(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        at!("region", {
            let b = block_idx(); //~ PL0212 an `at!` region is a task of one block
            store(y, load(x.partition(0))); //~ PL0212 an `at!` region is a task of one block
            submit!(k(x, y)); //~ PL0212 `submit!` submits a task
        });
    }
}

mod helpers_know_no_blocks {
    #[pl::jit::inline]
    fn helpers_know_no_blocks(x: Tile<f32>) -> Tile<f32> {
        x * (block_num() as f32) //~ PL0212 a helper is part of any kernel that calls it
    }
}

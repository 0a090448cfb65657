//! Shown: Lowered
//! A second name of a tile is not read after the tile was overwritten.

mod the_second_name_is_read_after_copy_to {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let old = m;
        copy_to(m, old + 1.0);
        store(y, m - old); //~ PL0305 `old` names the tile of `m`
    }
}

mod the_first_name_shows_what_was_written_through_the_second {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let new = m;
        copy_to(new, exp(m));
        store(y, m);
    }
    //= incore f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) {
    //=     let m: Tile<f32> = load(x);
    //=     let new: Tile<f32> = m;
    //=     copy_to(new, exp(m));
    //=     store(y, m);
    //= }
}

mod the_second_name_is_read_in_the_next_iteration {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let old = m;
        let sum = zeros([4]);
        for _ in 0..4 {
            copy_to(sum, sum + old); //~ PL0305 `old`
            copy_to(m, exp(m));
        }
        store(y, sum);
    }
}

mod the_second_name_is_read_after_an_element_was_set {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let old = m;
        m.set([0], 1.0);
        store(y, m - old); //~ PL0305 `old`
    }
}

mod overwritten_on_one_of_two_ways {
    #[pl::jit::incore]
    fn f(on: bool, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let old = m;
        if on {
            copy_to(m, exp(m));
        }
        store(y, old); //~ PL0305 `old`
    }
}

mod a_copy_made_by_an_operation_is_no_second_name {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let old = m * 1.0;
        copy_to(m, exp(m));
        store(y, m - old);
    }
    //= incore f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) {
    //=     let m: Tile<f32> = load(x);
    //=     let old: Tile<f32> = m * 1.0;
    //=     copy_to(m, exp(m));
    //=     store(y, m - old);
    //= }
}

mod a_second_name_that_is_read_before_only {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let old = m;
        copy_to(m, exp(old));
        store(y, m);
    }
    //= incore f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) {
    //=     let m: Tile<f32> = load(x);
    //=     let old: Tile<f32> = m;
    //=     copy_to(m, exp(old));
    //=     store(y, m);
    //= }
}

mod a_second_name_that_gets_another_tile {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let m = load(x);
        let mut old = m;
        copy_to(m, exp(m));
        old = load(x);
        store(y, m - old);
    }
    //= incore f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) {
    //=     let m: Tile<f32> = load(x);
    //=     let mut old: Tile<f32> = m;
    //=     copy_to(m, exp(m));
    //=     old = load(x);
    //=     store(y, m - old);
    //= }
}

mod a_view_shows_what_its_tile_holds {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 2, 2>, y: Out<Tensor<f32, 2, 2>>) {
        let m = load(x);
        let turned = m.transpose(0, 1);
        copy_to(m, exp(m));
        store(y, turned);
    }
    //= incore f(x: in Tensor<f32, [2, 2]>, y: out Tensor<f32, [2, 2]>) {
    //=     let m: Tile<f32> = load(x);
    //=     let turned: Tile<f32> = m.transpose(0, 1);
    //=     copy_to(m, exp(m));
    //=     store(y, turned);
    //= }
}

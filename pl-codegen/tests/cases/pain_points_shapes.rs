//! Shown: Rust
//! What users of like tools run into, with shapes, numbers and tiles: see `docs/pain-points.md`.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn add_one(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x) + 1.0);
}

mod d2_an_accumulator_may_start_with_a_number {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut acc: i64 = 0;
        for i in 0..4 {
            acc += i;
        }
        copy(x.slice(s![0..acc as usize]), y.slice(s![0..acc as usize]));
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let mut acc: i64 = 0;
    //=     for i in 0..4 {
    //=         acc += i;
    //=     }
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(
    //=                 x.slice(
    //=                     &[SliceItem::Range(0, acc as usize)],
    //=                     ..,
    //=                 )?,
    //=             ),
    //=             TaskArg::OutputExisting(
    //=                 y.slice(
    //=                     &[SliceItem::Range(0, acc as usize)],
    //=                     ..,
    //=                 )?,
    //=             ),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

mod d3_lengths_are_not_narrowed {
    #[pl::jit]
    fn f(rows: usize, x: Tensor<f32, 64>) {
        let t = create_tensor::<f32>([rows * 70000, 70000]);
        copy(x, t.slice(s![0, 0..64]));
    }
    //= fn f(scope0: &Scope<'_>, rows: usize, x: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let alloc0 = scope1.alloc_tensors(
    //=         ..,
    //=         &[TensorCreateInfo::new(DType::F32, &[rows * 70000, 70000])],
    //=     )?;
    //=     let t = alloc0.get_ref(0);
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(x),
    //=             TaskArg::OutputExisting(
    //=                 t.slice(
    //=                     &[SliceItem::Index(0), SliceItem::Range(0, 64)],
    //=                     ..,
    //=                 )?,
    //=             ),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

mod d4_a_product_of_indices_has_64_bits {
    #[pl::jit]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, 16>>) {
        for i in 0..40000 {
            copy(x.slice(s![i * 65536..i * 65536 + 16]), y);
        }
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     for i in 0..40000 {
    //=         let scope2 = scope1.enter_implicit(..)?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(
    //=                     x.slice(
    //=                         &[SliceItem::Range(i * 65536, i * 65536 + 16)],
    //=                         ..,
    //=                     )?,
    //=                 ),
    //=                 TaskArg::OutputExisting(y),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
    //=     Ok(())
    //= }
}

mod d12_a_create_that_nobody_filled_is_not_read {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(t, y); //~ PL0301 `t` is read
    }
}

mod d12_a_create_may_be_filled {
    #[pl::jit]
    fn f(x: Tensor<f32, 32>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]).init(0.0);
        copy(x, t.slice(s![0..32]));
        copy(t, y);
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let alloc0 = scope1.alloc_tensors(
    //=         ..,
    //=         &[TensorCreateInfo::new(DType::F32, &[64]).init(Scalar::to_value(0.0))],
    //=     )?;
    //=     let t = alloc0.get_ref(0);
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(x),
    //=             TaskArg::OutputExisting(
    //=                 t.slice(&[SliceItem::Range(0, 32)], ..)?,
    //=             ),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(t),
    //=             TaskArg::OutputExisting(y),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

mod d15_a_buffer_made_outside_a_parallel_loop_is_shared {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([16]);
        for i in parallel(0..4) {
            copy(x.slice(s![i * 16..i * 16 + 16]), t); //~ PL0304 every iteration
            copy(t, y.slice(s![i * 16..i * 16 + 16]));
        }
    }
}

mod d16_a_buffer_filled_in_one_iteration_and_read_in_the_next {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let ahead = create_tensor::<f32>([16]);
        copy(x.slice(s![0..16]), ahead);
        for j in 0..3 {
            copy(ahead, y.slice(s![j * 16..j * 16 + 16]));
            copy(x.slice(s![j * 16 + 16..j * 16 + 32]), ahead);
        }
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let alloc0 = scope1.alloc_tensors(
    //=         ..,
    //=         &[TensorCreateInfo::new(DType::F32, &[16])],
    //=     )?;
    //=     let ahead = alloc0.get_ref(0);
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(
    //=                 x.slice(&[SliceItem::Range(0, 16)], ..)?,
    //=             ),
    //=             TaskArg::OutputExisting(ahead),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     for j in 0..3 {
    //=         let scope2 = scope1.enter_implicit(..)?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(ahead),
    //=                 TaskArg::OutputExisting(
    //=                     y.slice(
    //=                         &[SliceItem::Range(j * 16, j * 16 + 16)],
    //=                         ..,
    //=                     )?,
    //=                 ),
    //=             ],
    //=             &[],
    //=         ))?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(
    //=                     x.slice(
    //=                         &[SliceItem::Range(j * 16 + 16, j * 16 + 32)],
    //=                         ..,
    //=                     )?,
    //=                 ),
    //=                 TaskArg::OutputExisting(ahead),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
    //=     Ok(())
    //= }
}

mod d18_a_tile_of_an_earlier_iteration_is_gone {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        let mut first = zeros([16]);
        for i in 0..4 {
            scratch_scope!({
                let t = load(x.slice(s![i * 16..i * 16 + 16]));
                if i == 0 {
                    first = t;
                }
                store(y, t + first); //~ PL0104 `first`
            });
        }
    }
}

mod d20_recycling_where_it_cannot_apply {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scratch_scope!({ //~ PL0005 orchestration code has none
            copy(x, y);
        });
    }
}

mod d21_a_create_is_not_hoisted_out_of_its_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..4 {
            let t = create_tensor::<f32>([64]);
            add_one(x, t);
            copy(t, y);
        }
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     for _ in 0..4 {
    //=         let scope2 = scope1.enter_implicit(..)?;
    //=         let alloc0 = scope2.alloc_tensors(
    //=             ..,
    //=             &[TensorCreateInfo::new(DType::F32, &[64])],
    //=         )?;
    //=         let t = alloc0.get_ref(0);
    //=         scope2.submit(.., TaskSpec::new(
    //=             add_one::INFO,
    //=             add_one::body,
    //=             &[
    //=                 TaskArg::Input(x),
    //=                 TaskArg::OutputExisting(t),
    //=             ],
    //=             &[],
    //=         ))?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(t),
    //=                 TaskArg::OutputExisting(y),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
    //=     Ok(())
    //= }
}

mod d22_an_outer_accumulator_does_not_grow_inside_a_scratch_scope {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        let mut sum = zeros([16]);
        for i in 0..4 {
            scratch_scope!({
                sum = sum + load(x.slice(s![i * 16..i * 16 + 16])); //~ PL0104 `sum`
            });
        }
        store(y, sum); //~ PL0104 `sum`
    }
}

//! Shown: Rust
//! What users of like tools run into, in what is generated: see `docs/pain-points.md`. More rows are tested beside their topics.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn add_one(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x) + 1.0);
}

mod c1_a_tensor_written_in_a_manual_scope_is_read_behind_it {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        manual_scope!({
            copy(x, t);
        });
        copy(t, y);
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let alloc0 = scope1.alloc_tensors(
    //=         ..,
    //=         &[TensorCreateInfo::new(DType::F32, &[64])],
    //=     )?;
    //=     let t = alloc0.get_ref(0);
    //=     {
    //=         let scope2 = scope1.enter(ScopeMode::Manual, ..)?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(x),
    //=                 TaskArg::OutputExisting(t),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
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

mod c2_a_rebound_tensor_is_carried_by_the_loop {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut cur = x;
        for _ in 0..4 {
            let n = create_tensor::<f32>([64]);
            add_one(cur, n);
            cur = n;
        }
        copy(cur, y);
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let mut cur = x;
    //=     for _ in 0..4 {
    //=         let alloc0 = scope0.alloc_tensors(
    //=             ..,
    //=             &[TensorCreateInfo::new(DType::F32, &[64])],
    //=         )?;
    //=         let n = alloc0.get_ref(0);
    //=         scope0.submit(.., TaskSpec::new(
    //=             add_one::INFO,
    //=             add_one::body,
    //=             &[
    //=                 TaskArg::Input(cur),
    //=                 TaskArg::OutputExisting(n),
    //=             ],
    //=             &[],
    //=         ))?;
    //=         cur = n;
    //=     }
    //=     scope0.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(cur),
    //=             TaskArg::OutputExisting(y),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

mod c3_a_tensor_of_the_scope_of_a_layer_is_not_carried_to_the_next {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut h = x;
        for _ in 0..4 {
            scope!({
                let n = create_tensor::<f32>([64]);
                add_one(h, n); //~ PL0103 `h`
                h = n;
            });
        }
        copy(h, y); //~ PL0101 `h`
    }
}

mod c6_names_are_kept_and_do_not_collide_with_ours {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let class = create_tensor::<f32>([64]);
        let new = class;
        let ext_x = x;
        let scope1 = 64;
        let alloc0 = new.slice(s![0..scope1]);
        copy(ext_x, alloc0);
        copy(new, y);
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let alloc0 = scope1.alloc_tensors(
    //=         ..,
    //=         &[TensorCreateInfo::new(DType::F32, &[64])],
    //=     )?;
    //=     let class = alloc0.get_ref(0);
    //=     let new = class;
    //=     let ext_x = x;
    //=     let scope1_2 = 64;
    //=     let alloc0_2 = new.slice(
    //=         &[SliceItem::Range(0, scope1_2)],
    //=         ..,
    //=     )?;
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(ext_x),
    //=             TaskArg::OutputExisting(alloc0_2),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(new),
    //=             TaskArg::OutputExisting(y),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

mod c8_a_shadowed_name_may_have_another_shape {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let acc = create_tensor::<f32>([16]);
        copy(x.slice(s![0..16]), acc);
        copy(acc, y.slice(s![0..16]));
        for i in 1..4 {
            let acc = create_tensor::<f32>([8]);
            copy(x.slice(s![i * 16..i * 16 + 8]), acc);
            copy(acc, y.slice(s![i * 16..i * 16 + 8]));
        }
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let alloc0 = scope1.alloc_tensors(
    //=         ..,
    //=         &[TensorCreateInfo::new(DType::F32, &[16])],
    //=     )?;
    //=     let acc = alloc0.get_ref(0);
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(
    //=                 x.slice(&[SliceItem::Range(0, 16)], ..)?,
    //=             ),
    //=             TaskArg::OutputExisting(acc),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(acc),
    //=             TaskArg::OutputExisting(
    //=                 y.slice(&[SliceItem::Range(0, 16)], ..)?,
    //=             ),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     for i in 1..4 {
    //=         let scope2 = scope1.enter_implicit(..)?;
    //=         let alloc1 = scope2.alloc_tensors(
    //=             ..,
    //=             &[TensorCreateInfo::new(DType::F32, &[8])],
    //=         )?;
    //=         let acc_2 = alloc1.get_ref(0);
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(
    //=                     x.slice(
    //=                         &[SliceItem::Range(i * 16, i * 16 + 8)],
    //=                         ..,
    //=                     )?,
    //=                 ),
    //=                 TaskArg::OutputExisting(acc_2),
    //=             ],
    //=             &[],
    //=         ))?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(acc_2),
    //=                 TaskArg::OutputExisting(
    //=                     y.slice(
    //=                         &[SliceItem::Range(i * 16, i * 16 + 8)],
    //=                         ..,
    //=                     )?,
    //=                 ),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
    //=     Ok(())
    //= }
}

mod c10_a_loop_variable_may_have_no_name {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..3 {
            copy(x, y);
        }
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     for _ in 0..3 {
    //=         let scope2 = scope1.enter_implicit(..)?;
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(x),
    //=                 TaskArg::OutputExisting(y),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
    //=     Ok(())
    //= }
}

mod c13_a_create_does_not_replace_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, mut y: Out<Tensor<f32, 64>>) {
        y = create_tensor::<f32>([64]); //~ PL0303 a new tensor takes the name of the output `y`
        copy(x, y);
    }
}

mod c14_an_assignment_does_not_write_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, mut y: Out<Tensor<f32, 64>>) { //~ PL0303 assigning the name
        let t = create_tensor::<f32>([64]);
        add_one(x, t);
        y = t;
    }
}

mod c15_a_tensor_chosen_by_a_branch_behind_a_scalar_parameter {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, z: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on { x } else { z };
        copy(t, y);
    }
    //= fn f(scope0: &Scope<'_>, on: bool, x: Tensor<'_>, z: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let t = if on {
    //=         x
    //=     } else {
    //=         z
    //=     };
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

mod c19_temporaries_of_nested_loops_do_not_clobber_each_other {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in 0..3 {
            let end = i + 16;
            for j in i..end {
                let end = j + 1;
                copy(x.slice(s![j..end]), y.slice(s![j..end]));
            }
            copy(x.slice(s![i..end]), y.slice(s![i..end]));
        }
    }
    //= fn f(scope0: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     for i in 0..3 {
    //=         let scope2 = scope1.enter_implicit(..)?;
    //=         let end = i + 16;
    //=         for j in i..end {
    //=             let scope3 = scope2.enter_implicit(..)?;
    //=             let end_2 = j + 1;
    //=             scope3.submit(.., TaskSpec::new(
    //=                 copy::INFO,
    //=                 copy::body,
    //=                 &[
    //=                     TaskArg::Input(
    //=                         x.slice(
    //=                             &[SliceItem::Range(j, end_2)],
    //=                             ..,
    //=                         )?,
    //=                     ),
    //=                     TaskArg::OutputExisting(
    //=                         y.slice(
    //=                             &[SliceItem::Range(j, end_2)],
    //=                             ..,
    //=                         )?,
    //=                     ),
    //=                 ],
    //=                 &[],
    //=             ))?;
    //=         }
    //=         scope2.submit(.., TaskSpec::new(
    //=             copy::INFO,
    //=             copy::body,
    //=             &[
    //=                 TaskArg::Input(
    //=                     x.slice(&[SliceItem::Range(i, end)], ..)?,
    //=                 ),
    //=                 TaskArg::OutputExisting(
    //=                     y.slice(&[SliceItem::Range(i, end)], ..)?,
    //=                 ),
    //=             ],
    //=             &[],
    //=         ))?;
    //=     }
    //=     Ok(())
    //= }
}

mod c22_parameters_may_have_names_of_ours {
    #[pl::jit]
    fn f(rt: Tensor<f32, 64>, scope: usize, site: usize, args: usize, kernel: Out<Tensor<f32, 64>>) {
        let (scope0, alloc0, ctx) = (scope + site, args, 1);
        copy(rt.slice(s![scope0..alloc0]), kernel.slice(s![scope0..alloc0 * ctx]));
    }
    //= fn f(
    //=     scope0: &Scope<'_>,
    //=     rt: Tensor<'_>,
    //=     scope: usize,
    //=     site: usize,
    //=     args: usize,
    //=     kernel: Tensor<'_>,
    //= ) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let (scope0_2, alloc0_2, ctx) = (scope + site, args, 1);
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(
    //=                 rt.slice(
    //=                     &[SliceItem::Range(scope0_2, alloc0_2)],
    //=                     ..,
    //=                 )?,
    //=             ),
    //=             TaskArg::OutputExisting(
    //=                 kernel.slice(
    //=                     &[SliceItem::Range(scope0_2, alloc0_2 * ctx)],
    //=                     ..,
    //=                 )?,
    //=             ),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

mod c23_a_scalar_set_in_a_loop_is_used_behind_it {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = 0;
        for i in 0..64 {
            if i < n {
                last = i;
            }
        }
        copy(x.slice(s![0..last]), y.slice(s![0..last]));
    }
    //= fn f(scope0: &Scope<'_>, n: usize, x: Tensor<'_>, y: Tensor<'_>) -> Result<()> {
    //=     let scope1 = scope0.enter_implicit(..)?;
    //=     let mut last = 0;
    //=     for i in 0..64 {
    //=         if i < n {
    //=             last = i;
    //=         }
    //=     }
    //=     scope1.submit(.., TaskSpec::new(
    //=         copy::INFO,
    //=         copy::body,
    //=         &[
    //=             TaskArg::Input(
    //=                 x.slice(&[SliceItem::Range(0, last)], ..)?,
    //=             ),
    //=             TaskArg::OutputExisting(
    //=                 y.slice(&[SliceItem::Range(0, last)], ..)?,
    //=             ),
    //=         ],
    //=         &[],
    //=     ))?;
    //=     Ok(())
    //= }
}

//! Sources that run.

use super::*;

#[test]
fn a_source_for_the_device_runs_with_kernels_of_rust_and_of_cpp() {
    use pl_runtime::{Access, KernelInfo, ParamInfo, Scalar, ScalarType, Site, tile};
    static DAMP: KernelInfo = KernelInfo {
        name: "damp",
        file: file!(),
        line: line!(),
        params: &[
            ParamInfo {
                name: "x",
                access: Access::Read,
            },
            ParamInfo {
                name: "y",
                access: Access::Write,
            },
        ],
    };
    // SAFETY: a source of these tests.
    let blend = unsafe { Orchestration::compile(&data("blend.cpp"), &options()) };
    let blend = blend.unwrap_or_else(|e| panic!("{e}"));
    let runtime = Runtime::new(RunConfig::default()).unwrap();
    let a = Array2::from_shape_fn((64, 128), |(i, j)| (i * 128 + j) as f32);
    let b = Array2::<f32>::ones((64, 128));
    let mut y = Array2::<f32>::zeros((64, 128));
    let mut kernels = Kernels::none();
    kernels.insert_cpp(0, &kernel("add_rows.cpp"));
    kernels.insert_rust(
        1,
        &DAMP,
        |core, args| {
            let site = Site::new(file!(), line!());
            let by: f32 = args.scalar(0);
            assert_eq!(by.to_value().ty(), ScalarType::F32);
            let x = tile::load(core, site, args.tensor(0))?;
            tile::store(core, site, args.tensor(1), tile::mul(core, site, x, by)?)
        },
        &[ScalarType::F32],
    );
    let mut args = [
        EntryArg::input::<f32, 2>(&a).unwrap(),
        EntryArg::input::<f32, 2>(&b).unwrap(),
        EntryArg::output::<f32, 2>(&mut y).unwrap(),
    ];
    let report = blend.run(&runtime, &kernels, &mut args, &[]).unwrap();
    assert_eq!(y, (a + 1.0) * 0.5);
    assert_eq!(
        (report.kernel_tasks, report.alloc_tasks),
        ([0, 2, 0, 0], [0, 1, 0, 0])
    );
    assert_eq!(report.scopes, 2);
}

#[test]
fn elements_are_read_and_written_with_the_bits_that_they_have() {
    let source = orchestration(
        "const ChipTensor& x = args.tensor(0).ref();
         const ChipTensor& y = args.tensor(1).ref();
         uint32_t at[1] = {1};
         float v = get_tensor_data<float>(x, 1, at);
         uint64_t bits = get_tensor_data(x, 1, at);
         int16_t s = from_u64<int16_t>(args.scalar(0));
         set_tensor_data(y, 1, at, v * s + (bits == to_u64(v)));",
    );
    let runtime = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = (Array1::from(vec![0.0_f32, 2.5]), Array1::<f32>::zeros(2));
    let mut args = [
        EntryArg::input::<f32, 1>(&x).unwrap(),
        EntryArg::output::<f32, 1>(&mut y).unwrap(),
    ];
    let minus_two = u64::from((-2_i16) as u16);
    source
        .run(&runtime, &Kernels::none(), &mut args, &[minus_two])
        .unwrap();
    assert_eq!(y[1], -4.0);
}

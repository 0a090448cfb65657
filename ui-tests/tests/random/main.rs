//! Random entries: what the attribute makes of each, and the C++ that is printed for it, do the same.

use ndarray::Array2;
use pl::SerialOrder;
use pl::prelude::*;

#[pl::jit::incore]
fn mix(a: Tensor<f32, _, _>, b: Tensor<f32, _, _>, out: Out<Tensor<f32, _, _>>) {
    store(out, load(a) * 0.5 + load(b) * 0.25);
}

#[pl::jit::incore]
fn bump(by: f32, t: InOut<Tensor<f32, _, _>>) {
    store(t, load(t) * 0.5 + by);
}

#[pl::jit::incore]
fn made(a: Tensor<f32, 8, 16>) -> Tensor<f32, 8, 16> {
    load(a) * 0.5 + 0.25
}

/// What `generator.rs` has written.
#[allow(unused, clippy::all, clippy::pedantic, reason = "it is random")]
mod programs {
    use super::{bump, made, mix};
    use ndarray::Array2;
    use pl::prelude::*;

    type Program =
        fn(&Runtime, &Array2<f32>, usize, bool, &mut Array2<f32>) -> pl::Result<RunReport>;

    include!(concat!(env!("OUT_DIR"), "/random.rs"));
}

#[test]
fn both_paths_do_the_same_for_any_trip_count() {
    let serial = Executor::Serial {
        order: SerialOrder::Random(7),
    };
    let runtimes = [serial, Executor::Threads { threads: 2 }].map(|executor| {
        let config = RunConfig {
            executor,
            ..ui_helpers::checked()
        };
        Runtime::new(config).unwrap()
    });
    let x = Array2::from_shape_fn((8, 16), |(i, j)| (i * 16 + j) as f32 / 128.0);
    for (number, program) in programs::ALL.iter().enumerate() {
        for n in [0, 1, 2, 5] {
            for flag in [false, true] {
                let runtime = &runtimes[n % 2];
                let mut y = Array2::from_elem((8, 16), 0.5);
                if let Err(error) = program(runtime, &x, n, flag, &mut y) {
                    panic!("p{number} with n = {n}, flag = {flag}: {error}");
                }
            }
        }
    }
}

#[pl::jit]
fn once(x: Tensor<f32, _, _>, y: InOut<Tensor<f32, _, _>>) {
    bump(0.5, y);
    mix(x, x, y);
}

#[pl::jit]
fn otherwise(x: Tensor<f32, _, _>, y: InOut<Tensor<f32, _, _>>) {
    bump(0.25, y);
    mix(y, x, y);
}

/// The comparison can fail: here one entry is compared with what is printed for another.
#[test]
fn what_differs_is_listed() {
    use pl::__private::{EntryArg, Site};
    let runtime = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = (Array2::zeros((8, 16)), Array2::ones((8, 16)));
    let mut run = |kernel: fn() -> pl::Kernel| {
        let args = [
            EntryArg::input::<f32, 2>(&x).unwrap(),
            EntryArg::inout::<f32, 2>(&mut y).unwrap(),
        ];
        runtime.run_entry(once::INFO, args, [], kernel, |scope, [x, y]| {
            once::__call(Site::new(file!(), line!()), (scope, x, y))
        })
    };
    run(once::kernel).unwrap();
    let error = run(otherwise::kernel).unwrap_err().to_string();
    for part in [
        "`once`",
        "scalars",
        "argument 0",
        "argument 1 differs from byte",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!(
        y[[0, 0]].to_bits(),
        0,
        "the run that was checked is all that is left of it"
    );
}

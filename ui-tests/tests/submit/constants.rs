use super::{Array1, add_to, numbers, runtime, says};
use pl::prelude::*;

trait Count {
    const COUNT: usize;
}

enum Three {}

impl Count for Three {
    const COUNT: usize = 3;
}

#[pl::jit]
fn generic<const N: usize>(x: Tensor<f32, _>, n: usize, y: InOut<Tensor<f32, _>>) {
    manual_scope!({
        let mut ids: TaskIds<N> = TaskIds::<N>::new();
        let mut others = TaskIds::<{ Three::COUNT }>::new();
        for i in 0..n {
            ids[i] = submit!(add_to(x, y), deps = [ids, others[2]]);
            others[i % 3] = ids[i];
        }
    });
}

#[test]
fn the_length_of_an_array_of_ids_is_a_constant() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    generic::<5>(&runtime(), &x, 5, &mut y).unwrap();
    assert_eq!(y, &x * 5.0);
}

#[test]
fn an_id_past_the_end_of_its_array_is_an_error() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    let error = generic::<5>(&runtime(), &x, 6, &mut y).unwrap_err();
    says(
        &error,
        &["no id 5", "`TaskIds::<5>`", "use 0 to 4", "constants.rs:"],
    );
}

#[pl::jit::incore]
fn filled<T: Element>(value: T, y: Out<Tensor<T, _>>) {
    store(y, full([y.dim(0)], value));
}

const NEGATIVE_NAN: f32 = -f32::NAN;
const NEGATIVE_HALF: f16 = f16::from_bits(0xfe00);

#[pl::jit]
fn nans(y: Out<Tensor<f32, 3>>, z: Out<Tensor<f16, 1>>) {
    filled::<f32>(f32::NAN, y.slice(s![0..1]));
    filled::<f32>(-f32::NAN, y.slice(s![1..2]));
    filled::<f32>(NEGATIVE_NAN, y.slice(s![2..3]));
    filled::<f16>(NEGATIVE_HALF, z);
}

/// In the printed C++ too, with which each run is compared.
#[test]
fn the_sign_of_a_nan_is_kept() {
    let (mut y, mut z) = (Array1::zeros(3), Array1::from_elem(1, f16::ZERO));
    nans(&runtime(), &mut y, &mut z).unwrap();
    let bits: Vec<u32> = y.iter().map(|y: &f32| y.to_bits()).collect();
    assert_eq!(bits, [0x7fc0_0000, 0xffc0_0000, 0xffc0_0000]);
    assert_eq!(z[0].to_bits(), 0xfe00);
}

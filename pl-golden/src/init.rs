//! What arrays begin with.

use ndarray::{Array, Dimension, IntoDimension};
use pl_runtime::{DType, Element, Scalar, ScalarValue, bf16, f16};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// How the elements of an input are made. The numbers drawn depend on the seed of the case, the name of the
/// argument and its shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Init {
    /// All the same.
    Full(f64),
    /// 0, 1, 2, ..
    Iota,
    /// Evenly between two numbers; for integers, whole numbers from the first to below the second.
    Uniform(f64, f64),
    /// With a mean and a standard deviation.
    Normal(f64, f64),
}

impl Init {
    /// All 0.
    pub const ZEROS: Self = Self::Full(0.0);
    /// All 1.
    pub const ONES: Self = Self::Full(1.0);

    /// [`Self::Uniform`].
    pub const fn uniform(from: f64, to: f64) -> Self {
        Self::Uniform(from, to)
    }

    /// [`Self::Normal`].
    pub const fn normal(mean: f64, deviation: f64) -> Self {
        Self::Normal(mean, deviation)
    }

    /// An array of `dims` for argument `name`.
    pub(crate) fn array<T: Element, D: Dimension>(
        self,
        seed: u64,
        name: &str,
        dims: impl IntoDimension<Dim = D>,
    ) -> Array<T, D> {
        let mut rng = StdRng::seed_from_u64(seed ^ stream(name));
        let mut count = 0.0;
        Array::from_shape_simple_fn(dims.into_dimension(), || {
            let value = match self {
                Self::Full(value) => value,
                Self::Iota => {
                    count += 1.0;
                    count - 1.0
                }
                Self::Uniform(from, to) => from + (to - from) * rng.random::<f64>(),
                Self::Normal(mean, deviation) => mean + deviation * normal(&mut rng),
            };
            let value = match self {
                // Towards the first: each whole number is as likely as the others.
                Self::Uniform(..) if !T::DTYPE.is_float() => value.floor(),
                _ => value,
            };
            element(value)
        })
    }
}

/// A number with mean 0 and standard deviation 1, by Box and Muller.
fn normal(rng: &mut StdRng) -> f64 {
    // Above 0.
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// FNV-1a: another stream of numbers for each name.
fn stream(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The nearest element.
fn element<T: Element>(value: f64) -> T {
    let bits = match T::DTYPE {
        DType::F32 => u64::from((value as f32).to_bits()),
        DType::F16 => u64::from(f16::from_f64(value).to_bits()),
        DType::Bf16 => u64::from(bf16::from_f64(value).to_bits()),
        DType::Bool => u64::from(value != 0.0),
        DType::I8 => Scalar::to_value(value as i8).bits(),
        DType::I16 => Scalar::to_value(value as i16).bits(),
        DType::I32 => Scalar::to_value(value as i32).bits(),
        DType::I64 => Scalar::to_value(value as i64).bits(),
        DType::U8 => Scalar::to_value(value as u8).bits(),
        DType::U16 => Scalar::to_value(value as u16).bits(),
        DType::U32 => Scalar::to_value(value as u32).bits(),
        _ => Scalar::to_value(value as u64).bits(),
    };
    T::from_value(ScalarValue::from_element_bits(T::DTYPE, bits)).expect("an element of its type")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};

    #[test]
    fn a_seed_and_a_name_decide_the_numbers() {
        let draw = |seed, name| -> Array1<f32> { Init::uniform(-1.0, 1.0).array(seed, name, 100) };
        assert_eq!(draw(1, "x"), draw(1, "x"));
        assert_ne!(draw(1, "x"), draw(2, "x"));
        assert_ne!(draw(1, "x"), draw(1, "y"));
        assert!(draw(1, "x").iter().all(|x| (-1.0..1.0).contains(x)));
    }

    #[test]
    fn integers_are_drawn_evenly_from_the_first_to_below_the_last() {
        let x: Array2<i8> = Init::uniform(-2.0, 2.0).array(1, "x", (100, 100));
        for value in -2..2 {
            let count = x.iter().filter(|&&x| x == value).count();
            assert!((2200..2800).contains(&count), "{value}: {count}");
        }
        assert!(x.iter().all(|x| (-2..2).contains(x)));
    }

    #[test]
    fn normal_numbers_have_their_mean_and_deviation() {
        let x: Array1<f32> = Init::normal(3.0, 2.0).array(1, "x", 40_000);
        let mean = x.mean().unwrap();
        assert!(
            (mean - 3.0).abs() < 0.05 && (x.std(0.0) - 2.0).abs() < 0.05,
            "{mean}"
        );
    }

    #[test]
    fn every_element_type_begins_with_the_nearest_value() {
        let iota: Array1<u16> = Init::Iota.array(1, "x", 5);
        assert_eq!(iota.to_vec(), [0, 1, 2, 3, 4]);
        let ones: Array1<bf16> = Init::ONES.array(1, "x", 2);
        assert_eq!(ones.to_vec(), [bf16::ONE; 2]);
        let flags: Array1<bool> = Init::ZEROS.array(1, "x", 2);
        assert_eq!(flags.to_vec(), [false; 2]);
    }
}

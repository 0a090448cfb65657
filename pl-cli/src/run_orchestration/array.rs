//! Tensors of any element type, for a run.

use super::spec::Fill;
use ndarray::{ArrayD, IxDyn};
use pl_files::Data;
use pl_runtime::{DType, Element, EntryArg, Error, MAX_RANK, Shape, bf16, f16, shape};

/// A tensor that a run is given.
pub(super) trait Array {
    /// Lends it to a run, which may write it.
    fn lend(&mut self) -> Result<EntryArg<'_>, Error>;

    /// Its element type and its dimensions.
    fn shape(&self) -> (DType, &[usize]);

    /// Its elements; `None` of a shape.
    fn data(&self) -> Option<Data>;
}

/// A type of elements that arrays can be filled with.
trait Item: Element + Copy {
    fn zero() -> Self;
    fn one() -> Self;
    /// From random bits.
    fn random(bits: u64) -> Self;
}

macro_rules! items {
    ($($variant:ident $ty:ty, $zero:expr, $one:expr, $random:expr;)*) => {
        $(impl Item for $ty {
            fn zero() -> Self {
                $zero
            }

            fn one() -> Self {
                $one
            }

            fn random(bits: u64) -> Self {
                let random: fn(u64) -> Self = $random;
                random(bits)
            }
        })*

        /// A new array.
        pub(super) fn filled(
            dtype: DType,
            dims: &[usize],
            fill: Fill,
        ) -> Result<Box<dyn Array>, String> {
            match dtype {
                $(DType::$variant => filled_with::<$ty>(dims, fill),)*
                other => Err(unknown(other)),
            }
        }

        /// An array that was read.
        pub(super) fn read(data: Data) -> Result<Box<dyn Array>, String> {
            if data.dims().is_empty() || data.dims().len() > MAX_RANK {
                return Err(format!(
                    "it has {} dimensions: save `x.reshape(..)` with 1 to {MAX_RANK}",
                    data.dims().len()
                ));
            }
            match data.dtype() {
                $(DType::$variant => Ok(Box::new(data.into_array_dyn::<$ty>()?)),)*
                other => Err(unknown(other)),
            }
        }

        /// A tensor without elements.
        pub(super) fn without_elements(
            dtype: DType,
            dims: &[usize],
        ) -> Result<Box<dyn Array>, String> {
            match dtype {
                $(DType::$variant => Ok(Box::new(OnlyShape::<$ty> {
                    dims: dims.to_vec(),
                    shape: shape(dims),
                })),)*
                other => Err(unknown(other)),
            }
        }
    };
}

items! {
    F32 f32, 0.0, 1.0, |bits| unit(bits) as f32;
    F16 f16, f16::ZERO, f16::ONE, |bits| f16::from_f64(unit(bits));
    Bf16 bf16, bf16::ZERO, bf16::ONE, |bits| bf16::from_f64(unit(bits));
    I8 i8, 0, 1, |bits| (bits >> 60) as i8 - 8;
    I16 i16, 0, 1, |bits| (bits >> 60) as i16 - 8;
    I32 i32, 0, 1, |bits| (bits >> 60) as i32 - 8;
    I64 i64, 0, 1, |bits| (bits >> 60) as i64 - 8;
    U8 u8, 0, 1, |bits| (bits >> 60) as u8;
    U16 u16, 0, 1, |bits| (bits >> 60) as u16;
    U32 u32, 0, 1, |bits| (bits >> 60) as u32;
    U64 u64, 0, 1, |bits| bits >> 60;
    Bool bool, false, true, |bits| bits >> 63 == 1;
}

fn unknown(dtype: DType) -> String {
    format!("elements of `{}` are not known", dtype.name())
}

/// From -1 to 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn filled_with<T: Item>(dims: &[usize], fill: Fill) -> Result<Box<dyn Array>, String> {
    let count: usize = dims.iter().product();
    let mut items: Vec<T> = Vec::new();
    items.try_reserve_exact(count).map_err(|_| {
        let bytes = count as u128 * size_of::<T>() as u128;
        format!("there is no memory for its {bytes} bytes")
    })?;
    match fill {
        // Of zeros, only those that are written take memory.
        Fill::Zeros => items = vec![T::zero(); count],
        Fill::Ones => items.resize(count, T::one()),
        Fill::Random(seed) => {
            let mut random = Random(seed);
            items.extend((0..count).map(|_| T::random(random.next())));
        }
    }
    let array = ArrayD::from_shape_vec(IxDyn(dims), items);
    Ok(Box::new(array.expect("as many elements as the shape has")))
}

/// `SplitMix64`: the same numbers for a seed, on any machine and in any version.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// Passes `$array` with the number of dimensions that it has.
macro_rules! lend {
    ($ty:ty, $rank:expr, $array:expr) => {
        match $rank {
            1 => EntryArg::inout::<$ty, 1>($array),
            2 => EntryArg::inout::<$ty, 2>($array),
            3 => EntryArg::inout::<$ty, 3>($array),
            4 => EntryArg::inout::<$ty, 4>($array),
            _ => EntryArg::inout::<$ty, 5>($array),
        }
    };
}

impl<T: Item> Array for ArrayD<T> {
    fn lend(&mut self) -> Result<EntryArg<'_>, Error> {
        lend!(T, self.ndim(), self)
    }

    fn shape(&self) -> (DType, &[usize]) {
        (T::DTYPE, self.shape())
    }

    fn data(&self) -> Option<Data> {
        Some(Data::of(self))
    }
}

struct OnlyShape<T> {
    dims: Vec<usize>,
    shape: Shape<T>,
}

impl<T: Item> Array for OnlyShape<T> {
    fn lend(&mut self) -> Result<EntryArg<'_>, Error> {
        lend!(T, self.dims.len(), self.shape.clone())
    }

    fn shape(&self) -> (DType, &[usize]) {
        (T::DTYPE, &self.dims)
    }

    fn data(&self) -> Option<Data> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_type_is_filled_and_read_again() {
        for dtype in DType::ALL {
            let new = filled(dtype, &[3, 5], Fill::Random(7)).unwrap();
            assert_eq!(new.shape(), (dtype, &[3, 5][..]));
            let data = new.data().unwrap();
            let back = read(data.clone()).unwrap();
            assert_eq!(back.data().unwrap(), data);
            let zeros = filled(dtype, &[2], Fill::Zeros).unwrap();
            assert_eq!(zeros.data().unwrap().bytes(), vec![0; 2 * dtype.bytes()]);
            let mut only = without_elements(dtype, &[1 << 20, 1 << 20]).unwrap();
            assert_eq!(only.shape(), (dtype, &[1 << 20, 1 << 20][..]));
            assert!(only.lend().is_ok() && only.data().is_none());
        }
    }

    #[test]
    fn a_seed_stands_for_its_values() {
        let values = |seed| {
            let array = filled(DType::F32, &[1000], Fill::Random(seed)).unwrap();
            let data = array.data().unwrap();
            data.into_array_dyn::<f32>().unwrap()
        };
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
        assert!(values(3).iter().all(|value| (-1.0..1.0).contains(value)));
        // As published.
        assert_eq!(Random(0).next(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn what_has_no_dimensions_or_too_many_and_what_no_memory_holds_is_refused() {
        let scalar = Data::of(&ndarray::arr0(1.0_f32));
        let deep = Data::of(&ndarray::Array6::<f32>::zeros([1; 6]));
        for (data, dims) in [(scalar, 0), (deep, 6)] {
            let error = read(data).err().unwrap();
            assert!(
                error.starts_with(&format!("it has {dims} dimensions: save")),
                "{error}"
            );
        }
        let error = filled(DType::F32, &[1 << 31, 1 << 29], Fill::Zeros)
            .err()
            .unwrap();
        assert!(
            error.contains("no memory for its 4611686018427387904 bytes"),
            "{error}"
        );
    }
}

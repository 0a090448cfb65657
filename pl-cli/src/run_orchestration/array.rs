//! Arrays of any element type.

use super::spec::Fill;
use ndarray::{ArrayD, IxDyn, ShapeBuilder};
use pl_runtime::{DType, Element, EntryArg, Error, bf16, f16};

/// A type of elements, and how numpy keeps it.
trait Item: Element + Copy {
    /// Its name in files.
    const DESCR: &'static str;

    /// `None` if the bytes are no value.
    fn read(bytes: &[u8]) -> Option<Self>;
    fn write(self, to: &mut Vec<u8>);
    fn zero() -> Self;
    fn one() -> Self;
    /// From random bits.
    fn random(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($ty:ty, $descr:literal, $zero:expr, $one:expr, $random:expr;)*) => {$(
        impl Item for $ty {
            const DESCR: &'static str = $descr;

            fn read(bytes: &[u8]) -> Option<Self> {
                Some(Self::from_le_bytes(bytes.try_into().ok()?))
            }

            fn write(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

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
        }
    )*};
}

/// From -1 to 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

numbers! {
    f32, "<f4", 0.0, 1.0, |bits| unit(bits) as f32;
    f16, "<f2", f16::ZERO, f16::ONE, |bits| f16::from_f64(unit(bits));
    // As ml_dtypes saves it.
    bf16, "<V2", bf16::ZERO, bf16::ONE, |bits| bf16::from_f64(unit(bits));
    i8, "|i1", 0, 1, |bits| (bits >> 60) as i8 - 8;
    i16, "<i2", 0, 1, |bits| (bits >> 60) as i16 - 8;
    i32, "<i4", 0, 1, |bits| (bits >> 60) as i32 - 8;
    i64, "<i8", 0, 1, |bits| (bits >> 60) as i64 - 8;
    u8, "|u1", 0, 1, |bits| (bits >> 60) as u8;
    u16, "<u2", 0, 1, |bits| (bits >> 60) as u16;
    u32, "<u4", 0, 1, |bits| (bits >> 60) as u32;
    u64, "<u8", 0, 1, |bits| bits >> 60;
}

impl Item for bool {
    const DESCR: &'static str = "|b1";

    fn read(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn write(self, to: &mut Vec<u8>) {
        to.push(self.into());
    }

    fn zero() -> Self {
        false
    }

    fn one() -> Self {
        true
    }

    fn random(bits: u64) -> Self {
        bits >> 63 == 1
    }
}

macro_rules! arrays {
    ($($variant:ident $ty:ty;)*) => {
        /// An array.
        #[derive(Debug)]
        pub(super) enum Array {
            $($variant(ArrayD<$ty>),)*
        }

        /// The element type with a name of numpy's.
        pub(super) fn named(descr: &str) -> Option<DType> {
            let named = [$((<$ty>::DESCR, DType::$variant)),*];
            // numpy gives types of one byte no order, and forgets that of others it does not know.
            let alike = |name: &str| name == descr || (name == "<V2" && descr == "|V2");
            named.into_iter().find(|(name, _)| alike(name)).map(|(_, dtype)| dtype)
        }

        impl Array {
            /// A new array.
            pub(super) fn filled(dtype: DType, dims: &[usize], fill: Fill) -> Result<Self, String> {
                match dtype {
                    $(DType::$variant => filled(dims, fill).map(Self::$variant),)*
                    other => Err(format!("elements of `{}` are not known", other.name())),
                }
            }

            /// An array from its bytes, by rows or by columns.
            pub(super) fn from_bytes(
                dtype: DType,
                dims: &[usize],
                by_columns: bool,
                bytes: &[u8],
            ) -> Result<Self, String> {
                match dtype {
                    $(DType::$variant => from_bytes(dims, by_columns, bytes).map(Self::$variant),)*
                    other => Err(format!("elements of `{}` are not known", other.name())),
                }
            }

            /// numpy's name of the element type, the shape, and the bytes by rows.
            pub(super) fn to_bytes(&self) -> (&'static str, &[usize], Vec<u8>) {
                match self {
                    $(Self::$variant(array) => (<$ty>::DESCR, array.shape(), to_bytes(array)),)*
                }
            }

            /// Lends it to a run, which may write it.
            pub(super) fn lend(&mut self) -> Result<EntryArg<'_>, Error> {
                match self {
                    $(Self::$variant(array) => lend(array),)*
                }
            }
        }
    };
}

arrays! {
    F32 f32; F16 f16; Bf16 bf16;
    I8 i8; I16 i16; I32 i32; I64 i64;
    U8 u8; U16 u16; U32 u32; U64 u64;
    Bool bool;
}

/// Room for the elements of an array.
fn room<T>(dims: &[usize]) -> Result<Vec<T>, String> {
    let count = dims.iter().product();
    let mut items = Vec::new();
    let bytes = count as u128 * size_of::<T>() as u128;
    items
        .try_reserve_exact(count)
        .map_err(|_| format!("there is no memory for its {bytes} bytes"))?;
    Ok(items)
}

fn array<T>(dims: &[usize], by_columns: bool, items: Vec<T>) -> ArrayD<T> {
    let shape = IxDyn(dims).set_f(by_columns);
    ArrayD::from_shape_vec(shape, items).expect("as many elements as the shape has")
}

fn filled<T: Item>(dims: &[usize], fill: Fill) -> Result<ArrayD<T>, String> {
    let mut items = room(dims)?;
    let count = items.capacity().min(dims.iter().product());
    match fill {
        // Of zeros, only those that are written take memory.
        Fill::Zeros => items = vec![T::zero(); count],
        Fill::Ones => items.resize(count, T::one()),
        Fill::Random(seed) => {
            let mut random = Random(seed);
            items.extend((0..count).map(|_| T::random(random.next())));
        }
    }
    Ok(array(dims, false, items))
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

fn from_bytes<T: Item>(
    dims: &[usize],
    by_columns: bool,
    bytes: &[u8],
) -> Result<ArrayD<T>, String> {
    let mut items = room(dims)?;
    for (at, item) in bytes.chunks_exact(size_of::<T>()).enumerate() {
        let item = T::read(item);
        items.push(item.ok_or_else(|| format!("element {at} is no value of `{}`", T::NAME))?);
    }
    let array = array(dims, by_columns, items);
    Ok(if by_columns {
        array.as_standard_layout().into_owned()
    } else {
        array
    })
}

fn to_bytes<T: Item>(array: &ArrayD<T>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(array.len() * size_of::<T>());
    for item in array {
        item.write(&mut bytes);
    }
    bytes
}

fn lend<T: Item>(array: &mut ArrayD<T>) -> Result<EntryArg<'_>, Error> {
    match array.ndim() {
        1 => EntryArg::inout::<T, 1>(array),
        2 => EntryArg::inout::<T, 2>(array),
        3 => EntryArg::inout::<T, 3>(array),
        4 => EntryArg::inout::<T, 4>(array),
        _ => EntryArg::inout::<T, 5>(array),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_type_goes_to_bytes_and_back() {
        for dtype in DType::ALL {
            let new = Array::filled(dtype, &[3, 5], Fill::Random(7)).unwrap();
            let (descr, dims, bytes) = new.to_bytes();
            assert_eq!(named(descr), Some(dtype));
            assert_eq!((dims, bytes.len()), (&[3, 5][..], 15 * dtype.bytes()));
            let back = Array::from_bytes(dtype, dims, false, &bytes).unwrap();
            assert_eq!(back.to_bytes().2, bytes);
            let zeros = Array::filled(dtype, &[2], Fill::Zeros).unwrap();
            assert_eq!(zeros.to_bytes().2, vec![0; 2 * dtype.bytes()]);
        }
    }

    #[test]
    fn columns_become_rows() {
        let by_columns = Array::from_bytes(DType::U8, &[2, 3], true, &[1, 4, 2, 5, 3, 6]).unwrap();
        assert_eq!(by_columns.to_bytes().2, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_seed_stands_for_its_values() {
        let values = |seed| match Array::filled(DType::F32, &[1000], Fill::Random(seed)) {
            Ok(Array::F32(array)) => array,
            other => panic!("{other:?}"),
        };
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
        assert!(values(3).iter().all(|value| (-1.0..1.0).contains(value)));
        // As published.
        assert_eq!(Random(0).next(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn what_is_no_bool_and_what_no_memory_holds_is_refused() {
        let error = Array::from_bytes(DType::Bool, &[3], false, &[0, 1, 2]).unwrap_err();
        assert_eq!(error, "element 2 is no value of `bool`");
        let error = Array::filled(DType::F32, &[1 << 31, 1 << 29], Fill::Zeros).unwrap_err();
        assert!(
            error.contains("no memory for its 4611686018427387904 bytes"),
            "{error}"
        );
    }
}

//! Element types and scalars, tied to the Rust types that hold them.

use crate::arith::Checked;
use crate::lang::ScalarOperand;
pub use half::{bf16, f16};
pub use pl_codegen::ir::DType;

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that tensors and tiles may hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    note = "tensors and tiles hold f32, f16, bf16, i8 to i64, u8 to u64 or bool"
)]
pub trait Element: Scalar {
    /// The element type's tag.
    const DTYPE: DType;
}

/// A Rust scalar: a kernel parameter, a constant, an operand beside a tile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar that kernels can use",
    note = "scalars are the element types, f64, usize and isize"
)]
pub trait Scalar: sealed::Sealed + ScalarOperand + Checked + Send + Sync + 'static {
    /// The value with its type erased.
    fn to_value(self) -> ScalarValue;
    /// The value back; `None` if `value` came from another type.
    fn from_value(value: ScalarValue) -> Option<Self>;
    /// Name of the type in messages.
    const NAME: &'static str;
}

/// Which Rust type a [`ScalarValue`] came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each variant is named after its Rust type")]
pub enum ScalarType {
    F64,
    F32,
    F16,
    Bf16,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    Bool,
}

/// A scalar with its type erased; keeps the exact bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScalarValue {
    ty: ScalarType,
    bits: u64,
}

impl ScalarValue {
    /// Type the value came from.
    pub const fn ty(self) -> ScalarType {
        self.ty
    }

    /// The raw bits, zero-extended.
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// The value as `f64`; integers above 2^53 are rounded.
    pub fn as_f64(self) -> f64 {
        match self.ty {
            ScalarType::F64 => f64::from_bits(self.bits),
            ScalarType::F32 => f64::from(f32::from_bits(self.bits as u32)),
            ScalarType::F16 => f16::from_bits(self.bits as u16).to_f64(),
            ScalarType::Bf16 => bf16::from_bits(self.bits as u16).to_f64(),
            _ => self.as_i128() as f64,
        }
    }

    /// The value as an integer; floats are truncated toward zero as by `as`.
    pub fn as_i128(self) -> i128 {
        match self.ty {
            ScalarType::F64 | ScalarType::F32 | ScalarType::F16 | ScalarType::Bf16 => {
                self.as_f64() as i128
            }
            ScalarType::I8 => i128::from(self.bits as i8),
            ScalarType::I16 => i128::from(self.bits as i16),
            ScalarType::I32 => i128::from(self.bits as i32),
            ScalarType::I64 | ScalarType::Isize => i128::from(self.bits as i64),
            ScalarType::U8
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::U64
            | ScalarType::Usize
            | ScalarType::Bool => i128::from(self.bits),
        }
    }
}

impl ScalarValue {
    /// A scalar of `ty` from its bits, of which only those that it has are looked at; `bool` is 1 for any
    /// but 0.
    pub(crate) fn from_bits(ty: ScalarType, bits: u64) -> Self {
        let bits = match ty {
            ScalarType::Bool => u64::from(bits as u8 != 0),
            ScalarType::I8 | ScalarType::U8 => bits & 0xff,
            ScalarType::F16 | ScalarType::Bf16 | ScalarType::I16 | ScalarType::U16 => bits & 0xffff,
            ScalarType::F32 | ScalarType::I32 | ScalarType::U32 => bits & 0xffff_ffff,
            ScalarType::F64
            | ScalarType::I64
            | ScalarType::Isize
            | ScalarType::U64
            | ScalarType::Usize => bits,
        };
        Self { ty, bits }
    }

    /// The bits of the value as an element of `dtype`, converted as by `as`, zero-extended.
    pub(crate) fn element_bits(self, dtype: DType) -> u64 {
        let float = matches!(
            self.ty,
            ScalarType::F64 | ScalarType::F32 | ScalarType::F16 | ScalarType::Bf16
        );
        // Integers that saturate from floats and wrap from integers, as `as` does.
        macro_rules! integer {
            ($ty:ty) => {
                if float {
                    self.as_f64() as $ty
                } else {
                    self.as_i128() as $ty
                }
            };
        }
        match dtype {
            DType::F32 if self.ty == ScalarType::F32 => self.bits,
            DType::F32 => u64::from(
                (if float {
                    self.as_f64() as f32
                } else {
                    self.as_i128() as f32
                })
                .to_bits(),
            ),
            DType::F16 => u64::from(f16::from_f64(self.as_f64()).to_bits()),
            DType::Bf16 => u64::from(bf16::from_f64(self.as_f64()).to_bits()),
            DType::I8 => u64::from(integer!(i8) as u8),
            DType::I16 => u64::from(integer!(i16) as u16),
            DType::I32 => u64::from(integer!(i32) as u32),
            DType::I64 => integer!(i64) as u64,
            DType::U8 => u64::from(integer!(u8)),
            DType::U16 => u64::from(integer!(u16)),
            DType::U32 => u64::from(integer!(u32)),
            DType::U64 => integer!(u64),
            DType::Bool => u64::from(self.as_f64() != 0.0),
            _ => unreachable!("element types are listed above"),
        }
    }

    /// An element of `dtype` from its bits; `bool` is 1 for any bits but 0.
    pub fn from_element_bits(dtype: DType, bits: u64) -> Self {
        let (ty, bits) = match dtype {
            DType::F32 => (ScalarType::F32, bits),
            DType::F16 => (ScalarType::F16, bits),
            DType::Bf16 => (ScalarType::Bf16, bits),
            DType::I8 => (ScalarType::I8, bits),
            DType::I16 => (ScalarType::I16, bits),
            DType::I32 => (ScalarType::I32, bits),
            DType::I64 => (ScalarType::I64, bits),
            DType::U8 => (ScalarType::U8, bits),
            DType::U16 => (ScalarType::U16, bits),
            DType::U32 => (ScalarType::U32, bits),
            DType::U64 => (ScalarType::U64, bits),
            DType::Bool => (ScalarType::Bool, u64::from(bits != 0)),
            _ => unreachable!("element types are listed above"),
        };
        Self { ty, bits }
    }
}

macro_rules! scalars {
    ($($ty:ty, $tag:ident, $to:expr, $from:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl ScalarOperand for $ty {}
        impl Scalar for $ty {
            const NAME: &'static str = stringify!($ty);
            fn to_value(self) -> ScalarValue {
                let to: fn($ty) -> u64 = $to;
                ScalarValue { ty: ScalarType::$tag, bits: to(self) }
            }
            fn from_value(value: ScalarValue) -> Option<Self> {
                let from: fn(u64) -> $ty = $from;
                (value.ty == ScalarType::$tag).then(|| from(value.bits))
            }
        }
    )*};
}

scalars! {
    f64, F64, f64::to_bits, f64::from_bits;
    f32, F32, |v| u64::from(v.to_bits()), |b| f32::from_bits(b as u32);
    f16, F16, |v| u64::from(v.to_bits()), |b| f16::from_bits(b as u16);
    bf16, Bf16, |v| u64::from(v.to_bits()), |b| bf16::from_bits(b as u16);
    i8, I8, |v| u64::from(v as u8), |b| b as i8;
    i16, I16, |v| u64::from(v as u16), |b| b as i16;
    i32, I32, |v| u64::from(v as u32), |b| b as i32;
    i64, I64, |v| v as u64, |b| b as i64;
    isize, Isize, |v| v as u64, |b| b as isize;
    u8, U8, u64::from, |b| b as u8;
    u16, U16, u64::from, |b| b as u16;
    u32, U32, u64::from, |b| b as u32;
    u64, U64, |v| v, |b| b;
    usize, Usize, |v| v as u64, |b| b as usize;
    bool, Bool, u64::from, |b| b != 0;
}

macro_rules! elements {
    ($($ty:ty, $tag:ident;)*) => {$(
        impl Element for $ty { const DTYPE: DType = DType::$tag; }
    )*};
}

elements! {
    f32, F32; f16, F16; bf16, Bf16;
    i8, I8; i16, I16; i32, I32; i64, I64;
    u8, U8; u16, U16; u32, U32; u64, U64;
    bool, Bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_those_of_as() {
        let bits = |value: ScalarValue, dtype| value.element_bits(dtype);
        assert_eq!(
            bits(0.088_f64.to_value(), DType::F32),
            u64::from(0.088_f32.to_bits())
        );
        assert_eq!(bits((-1_i32).to_value(), DType::U16), 0xffff);
        assert_eq!(bits(300_i32.to_value(), DType::I8), 44);
        assert_eq!(bits(300.0_f32.to_value(), DType::I8), 127);
        assert_eq!(
            bits(1_i64.to_value(), DType::Bf16),
            u64::from(bf16::ONE.to_bits())
        );
        assert_eq!(bits(u64::MAX.to_value(), DType::U64), u64::MAX);
        assert_eq!(bits(0.5_f32.to_value(), DType::Bool), 1);
    }

    #[test]
    fn elements_keep_their_bits() {
        let nan = f32::from_bits(0x7fa1_7fa1);
        let value = ScalarValue::from_element_bits(DType::F32, u64::from(nan.to_bits()));
        assert_eq!(f32::from_value(value).unwrap().to_bits(), nan.to_bits());
        assert_eq!(
            bool::from_value(ScalarValue::from_element_bits(DType::Bool, 7)),
            Some(true)
        );
    }
}

//! Element types of tensors and tiles.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The one table of element types: `doc, Variant name bytes is_float;`.
macro_rules! element_types {
    ($($(#[$doc:meta])* $variant:ident $name:ident $bytes:literal $float:literal;)*) => {
        /// The type of one element of a tensor or a tile.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum DType {
            $($(#[$doc])* $variant,)*
        }

        impl DType {
            /// Every element type, in declaration order.
            pub const ALL: [Self; 12] = [$(Self::$variant),*];

            /// Bytes of one element.
            pub const fn bytes(self) -> usize {
                match self { $(Self::$variant => $bytes,)* }
            }

            /// The name used in kernels: `f32`, `bf16`, ...
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// Whether elements are floating point numbers.
            pub const fn is_float(self) -> bool {
                match self { $(Self::$variant => $float,)* }
            }
        }
    };
}

element_types! {
    /// 32-bit IEEE float.
    F32 f32 4 true;
    /// 16-bit IEEE float; arithmetic is done in `f32`.
    F16 f16 2 true;
    /// bfloat16; arithmetic is done in `f32`.
    Bf16 bf16 2 true;
    /// 8-bit signed integer.
    I8 i8 1 false;
    /// 16-bit signed integer.
    I16 i16 2 false;
    /// 32-bit signed integer.
    I32 i32 4 false;
    /// 64-bit signed integer.
    I64 i64 8 false;
    /// 8-bit unsigned integer.
    U8 u8 1 false;
    /// 16-bit unsigned integer.
    U16 u16 2 false;
    /// 32-bit unsigned integer.
    U32 u32 4 false;
    /// 64-bit unsigned integer.
    U64 u64 8 false;
    /// One byte, 0 or 1.
    Bool bool 1 false;
}

impl DType {
    /// The element type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

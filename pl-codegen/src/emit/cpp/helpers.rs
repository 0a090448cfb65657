//! Functions that sources bring along where C++ has no operator of the same meaning.

use std::collections::BTreeSet;
use std::fmt::Write;

/// One of them. They are printed in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Helper {
    DivCeil,
    NextMultipleOf,
    IsMultipleOf,
    SaturatingSub,
    Abs,
    Pow,
    FloatToInt,
    F16Value,
    F16Bits,
    Bf16Value,
    Bf16Bits,
    DropDims,
}

impl Helper {
    pub(super) const ALL: [Self; 12] = [
        Self::DivCeil,
        Self::NextMultipleOf,
        Self::IsMultipleOf,
        Self::SaturatingSub,
        Self::Abs,
        Self::Pow,
        Self::FloatToInt,
        Self::F16Value,
        Self::F16Bits,
        Self::Bf16Value,
        Self::Bf16Bits,
        Self::DropDims,
    ];

    /// The helper for a method of integers.
    pub(super) fn of_method(name: &str) -> Option<Self> {
        Some(match name {
            "div_ceil" => Self::DivCeil,
            "next_multiple_of" => Self::NextMultipleOf,
            "is_multiple_of" => Self::IsMultipleOf,
            "saturating_sub" => Self::SaturatingSub,
            "abs" => Self::Abs,
            "pow" => Self::Pow,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::DivCeil => "div_ceil",
            Self::NextMultipleOf => "next_multiple_of",
            Self::IsMultipleOf => "is_multiple_of",
            Self::SaturatingSub => "saturating_sub",
            Self::Abs => "abs_of",
            Self::Pow => "power",
            Self::FloatToInt => "float_to_int",
            Self::F16Value => "f16_value",
            Self::F16Bits => "f16_bits",
            Self::Bf16Value => "bf16_value",
            Self::Bf16Bits => "bf16_bits",
            Self::DropDims => "drop_dims",
        }
    }

    /// Headers that it needs.
    fn includes(self) -> &'static [&'static str] {
        match self {
            Self::SaturatingSub | Self::FloatToInt => &["limits"],
            Self::F16Value => &["math.h"],
            Self::F16Bits => &["math.h", "string.h"],
            Self::Bf16Value | Self::Bf16Bits => &["string.h"],
            _ => &[],
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::DivCeil => DIV_CEIL,
            Self::NextMultipleOf => NEXT_MULTIPLE_OF,
            Self::IsMultipleOf => IS_MULTIPLE_OF,
            Self::SaturatingSub => SATURATING_SUB,
            Self::Abs => ABS,
            Self::Pow => POW,
            Self::FloatToInt => FLOAT_TO_INT,
            Self::F16Value => F16_VALUE,
            Self::F16Bits => F16_BITS,
            Self::Bf16Value => BF16_VALUE,
            Self::Bf16Bits => BF16_BITS,
            Self::DropDims => DROP_DIMS,
        }
    }
}

/// What a source needs beside the interface.
#[derive(Default)]
pub(super) struct Needs {
    helpers: BTreeSet<Helper>,
    includes: BTreeSet<&'static str>,
    kept: BTreeSet<&'static str>,
}

impl Needs {
    /// The name of a helper, which is printed from now on.
    pub(super) fn helper(&mut self, helper: Helper) -> &'static str {
        self.helpers.insert(helper);
        self.includes.extend(helper.includes());
        helper.name()
    }

    pub(super) fn include(&mut self, header: &'static str) {
        self.includes.insert(header);
    }

    /// A comparison that has one outcome only is kept as it is in Rust: the compiler does not warn.
    pub(super) fn keep_comparison(&mut self, warning: &'static str) {
        self.kept.insert(warning);
    }

    /// Lines that keep the compiler quiet about what is meant.
    pub(super) fn pragmas(&self) -> String {
        let mut lines = String::new();
        for warning in &self.kept {
            let _ = writeln!(lines, "#pragma GCC diagnostic ignored \"{warning}\"");
        }
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines
    }

    /// `#include` lines of the standard headers, the three of every source first.
    pub(super) fn include_lines(&self) -> String {
        let mut lines = String::new();
        for header in ["stddef.h", "stdint.h", "stdio.h"]
            .iter()
            .chain(&self.includes)
        {
            let _ = writeln!(lines, "#include <{header}>");
        }
        lines
    }

    /// Definitions of the helpers.
    pub(super) fn definitions(&self) -> String {
        let mut text = String::new();
        for helper in &self.helpers {
            text += helper.text();
            text.push('\n');
        }
        text
    }
}

const DIV_CEIL: &str = "\
// a / b, rounded up
template <typename T>
static inline T div_ceil(T a, T b) {
    return static_cast<T>(a / b + (a % b != 0 ? 1 : 0));
}
";

const NEXT_MULTIPLE_OF: &str = "\
// The smallest multiple of b that is not below a
template <typename T>
static inline T next_multiple_of(T a, T b) {
    return static_cast<T>(a % b == 0 ? a : a + (b - a % b));
}
";

const IS_MULTIPLE_OF: &str = "\
// Whether a is a multiple of b; of 0 only 0 is
template <typename T>
static inline bool is_multiple_of(T a, T b) {
    return b == 0 ? a == 0 : a % b == 0;
}
";

const SATURATING_SUB: &str = "\
// a - b, or the value of the type that is nearest to it
template <typename T>
static inline T saturating_sub(T a, T b) {
    T result;
    if (!__builtin_sub_overflow(a, b, &result)) return result;
    return b > 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
";

const ABS: &str = "\
// The magnitude of an integer
template <typename T>
static inline T abs_of(T a) {
    return static_cast<T>(a < 0 ? -a : a);
}
";

const POW: &str = "\
// a to the power of n
template <typename T>
static inline T power(T a, uint32_t n) {
    T result = 1;
    for (uint32_t i = 0; i < n; i += 1) result = static_cast<T>(result * a);
    return result;
}
";

const FLOAT_TO_INT: &str = "\
// The integer that a float is cut off to, or the nearest of the type; 0 of what is no number
template <typename T, typename F>
static inline T float_to_int(F value) {
    if (value != value) return 0;
    if (value <= static_cast<F>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (value >= static_cast<F>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
}
";

const F16_VALUE: &str = "\
// The value of a 16-bit float
static inline float f16_value(uint16_t bits) {
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    float value = ldexpf(static_cast<float>(exponent == 0 ? fraction : fraction + 0x400),
                         exponent == 0 ? -24 : exponent - 25);
    if (exponent == 0x1f) value = fraction == 0 ? INFINITY : NAN;
    return (bits & 0x8000) != 0 ? -value : value;
}
";

const F16_BITS: &str = "\
// The 16-bit float that is nearest to a value, of two the even one
static inline uint16_t f16_bits(double value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (value != value) return static_cast<uint16_t>(sign | 0x7e00);
    double magnitude = fabs(value);
    if (magnitude >= 65520.0) return static_cast<uint16_t>(sign | 0x7c00);
    int exponent = magnitude == 0.0 ? -14 : ilogb(magnitude);
    if (exponent < -14) exponent = -14;
    int units = static_cast<int>(nearbyint(ldexp(magnitude, 10 - exponent)));
    return static_cast<uint16_t>(sign | (((exponent + 14) << 10) + units));
}
";

const BF16_VALUE: &str = "\
// The value of a bfloat16
static inline float bf16_value(uint16_t bits) {
    uint32_t wide = static_cast<uint32_t>(bits) << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}
";

const BF16_BITS: &str = "\
// The bfloat16 that is nearest to a value, of two the even one
static inline uint16_t bf16_bits(double value) {
    float narrow = static_cast<float>(value);
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    if (value != value) return static_cast<uint16_t>(bits >> 16 | 0x40);
    // What the first rounding lost decides between two that are equally near.
    if ((bits & 0xffff) == 0x8000 && static_cast<double>(narrow) != value) {
        bool below = (static_cast<double>(narrow) < value) == (value < 0);
        return static_cast<uint16_t>((bits >> 16) + (below ? 0 : 1));
    }
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
";

const DROP_DIMS: &str = "\
// The view without the dimensions of `dropped`, a bit for each: they have one index
static inline ChipTensor drop_dims(ChipTensor view, uint32_t dropped) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < view.ndims; i += 1) {
        if ((dropped >> i & 1) != 0) continue;
        view.shapes[kept] = view.shapes[i];
        view.strides[kept] = view.strides[i];
        kept += 1;
    }
    view.ndims = kept;
    bool empty = false;
    bool rows = true;
    uint64_t stride = 1;
    for (uint32_t i = kept; i-- > 0;) {
        empty = empty || view.shapes[i] == 0;
        rows = rows && view.strides[i] == stride;
        stride *= view.shapes[i];
    }
    view.is_contiguous = empty || rows;
    return view;
}
";

//! Numbers as C++: exact, whatever they are.

use crate::ir::DType;

/// The C type of a scalar. Both 16-bit floats are their bits.
pub(super) fn c_type(name: &str) -> &'static str {
    known_c_type(name).expect("others are refused before")
}

/// The same; `None` for a type that the device does not have.
pub(super) fn known_c_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "bool",
        "i8" => "int8_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "i64" | "isize" => "int64_t",
        "u8" => "uint8_t",
        "u16" | "f16" | "bf16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" | "usize" => "uint64_t",
        "f32" => "float",
        "f64" => "double",
        _ => return None,
    })
}

/// The constant of `DataType` for an element type.
pub(super) fn data_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "FLOAT32",
        DType::F16 => "FLOAT16",
        DType::Bf16 => "BFLOAT16",
        DType::I8 => "INT8",
        DType::I16 => "INT16",
        DType::I32 => "INT32",
        DType::I64 => "INT64",
        DType::U8 => "UINT8",
        DType::U16 => "UINT16",
        DType::U32 => "UINT32",
        DType::U64 => "UINT64",
        DType::Bool => "BOOL",
    }
}

pub(super) fn is_float(name: &str) -> bool {
    matches!(name, "f32" | "f64") || is_half(name)
}

/// Whether a scalar is a 16-bit float, which C++ has no type for.
pub(super) fn is_half(name: &str) -> bool {
    matches!(name, "f16" | "bf16")
}

pub(super) fn is_signed(name: &str) -> bool {
    name.starts_with('i')
}

/// Whether a scalar is an integer.
pub(super) fn is_integer(name: &str) -> bool {
    !is_float(name) && name != "bool"
}

/// Whether C++ computes with `int` where Rust computes with this type.
pub(super) fn is_promoted(name: &str) -> bool {
    matches!(name, "i8" | "i16" | "u8" | "u16")
}

/// The smallest and the largest value of an integer type.
pub(super) fn bounds(ty: &str) -> (i128, i128) {
    let bits = match ty {
        "i8" | "u8" => 8,
        "i16" | "u16" => 16,
        "i32" | "u32" => 32,
        _ => 64,
    };
    if is_signed(ty) {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// A number as written in Rust.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Integer(i128),
    Float(f64),
}

/// Reads a literal, or the text of a constant.
pub(super) fn read(text: &str, ty: &str) -> Number {
    let special = match text.rsplit("::").next() {
        Some("NAN") => Some(f64::NAN),
        Some("INFINITY") => Some(f64::INFINITY),
        _ => None,
    };
    if let Some(value) = special {
        return Number::Float(value);
    }
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    if radix == 10 && is_float(ty) {
        let digits = ["bf16", "f16", "f32", "f64"]
            .iter()
            .find_map(|suffix| digits.strip_suffix(suffix))
            .unwrap_or(&digits);
        return Number::Float(
            match ty {
                // Rounded once, as rustc does.
                "f32" => digits.parse::<f32>().map(f64::from),
                _ => digits.parse::<f64>(),
            }
            .expect("a literal that rustc accepts"),
        );
    }
    let digits = if radix == 10 { &digits } else { &digits[2..] };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    Number::Integer(
        i128::from_str_radix(&digits[..end], radix).expect("a literal that rustc accepts"),
    )
}

/// A number as a value of this type, as it stands beside operands whose type says the rest.
pub(super) fn print(number: Number, ty: &str) -> String {
    match number {
        Number::Integer(value) if is_float(ty) => print_float(value as f64, ty),
        Number::Float(value) => print_float(value, ty),
        Number::Integer(value) => match (ty, value) {
            ("bool", value) => (value != 0).to_string(),
            ("i64" | "isize", -0x8000_0000_0000_0000) => "INT64_MIN".to_owned(),
            ("i32", -0x8000_0000) => "INT32_MIN".to_owned(),
            (_, value) if value > i128::from(i32::MAX) && !is_signed(ty) => format!("{value}u"),
            (_, value) => value.to_string(),
        },
    }
}

fn print_float(value: f64, ty: &str) -> String {
    if is_half(ty) {
        return format!("0x{:04x}", half_bits(value, ty));
    }
    let (text, suffix) = if ty == "f32" {
        (format!("{:?}", value as f32), "f")
    } else {
        (format!("{value:?}"), "")
    };
    let limits = |what: &str| format!("std::numeric_limits<{}>::{what}()", c_type(ty));
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        format!("{sign}{}", limits("quiet_NaN"))
    } else if text.ends_with("inf") {
        format!("{sign}{}", limits("infinity"))
    } else {
        format!("{text}{suffix}")
    }
}

/// The bits of a 16-bit float: the nearest to `value`, of two the even one.
pub(super) fn half_bits(value: f64, ty: &str) -> u16 {
    // Bits of the fraction, and the least exponent of a normal number.
    let (fraction, least) = if ty == "f16" { (10, -14) } else { (7, -126) };
    let exponent_bits = 15 - fraction;
    let sign = u16::from(value.is_sign_negative()) << 15;
    let infinity = ((1_u16 << exponent_bits) - 1) << fraction;
    if value.is_nan() {
        return sign | infinity | 1 << (fraction - 1);
    }
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign | infinity;
    }
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(least);
    // In units of the last place; exact, as it is a power of two.
    let units = (magnitude * 2_f64.powi(fraction - exponent)).round_ties_even() as u32;
    // A carry out of the fraction is one into the exponent.
    let biased = (exponent - least) as u32;
    let bits = (biased << fraction) + units;
    sign | (bits.min(u32::from(infinity)) as u16)
}

#[cfg(test)]
mod tests {
    use super::{Number, half_bits, print, read};

    #[test]
    fn literals_are_read_as_rust_reads_them() {
        assert_eq!(read("1_000", "usize"), Number::Integer(1000));
        assert_eq!(read("0xff_u8", "u8"), Number::Integer(255));
        assert_eq!(read("0b101", "i32"), Number::Integer(5));
        assert_eq!(read("0o17usize", "usize"), Number::Integer(15));
        assert_eq!(
            read("18446744073709551615", "u64"),
            Number::Integer(u64::MAX.into())
        );
        assert_eq!(read("0.1", "f32"), Number::Float(f64::from(0.1_f32)));
        assert_eq!(read("2f32", "f32"), Number::Float(2.0));
        assert_eq!(read("1e3_f64", "f64"), Number::Float(1000.0));
        assert_eq!(read("f32::INFINITY", "f32"), Number::Float(f64::INFINITY));
    }

    #[test]
    fn numbers_are_exact_in_cpp() {
        let float = |value, ty| print(Number::Float(value), ty);
        assert_eq!(float(f64::from(1e-8_f32), "f32"), "1e-8f");
        assert_eq!(float(0.5, "f32"), "0.5f");
        assert_eq!(float(-0.0, "f32"), "-0.0f");
        assert_eq!(float(1e300, "f64"), "1e300");
        assert_eq!(
            float(f64::NEG_INFINITY, "f32"),
            "-std::numeric_limits<float>::infinity()"
        );
        assert_eq!(
            float(f64::NAN, "f64"),
            "std::numeric_limits<double>::quiet_NaN()"
        );
        assert_eq!(
            float(-f64::NAN, "f32"),
            "-std::numeric_limits<float>::quiet_NaN()"
        );
        let integer = |value, ty| print(Number::Integer(value), ty);
        assert_eq!(integer(16, "usize"), "16");
        assert_eq!(integer(u64::MAX.into(), "u64"), "18446744073709551615u");
        assert_eq!(integer(i64::MIN.into(), "i64"), "INT64_MIN");
        assert_eq!(integer(3_000_000_000, "u32"), "3000000000u");
        assert_eq!(integer(1, "bool"), "true");
    }

    #[test]
    fn halves_are_rounded_to_the_nearest() {
        let f16 = |value| half_bits(value, "f16");
        assert_eq!(
            [f16(1.0), f16(-2.0), f16(65504.0)],
            [0x3c00, 0xc000, 0x7bff]
        );
        assert_eq!([f16(65520.0), f16(65519.0)], [0x7c00, 0x7bff]);
        assert_eq!([f16(f64::NAN), f16(-f64::NAN)], [0x7e00, 0xfe00]);
        assert_eq!(f16(f64::NEG_INFINITY), 0xfc00);
        assert_eq!(
            [f16(5.960_464_477_539_063e-8), f16(0.0), f16(-0.0)],
            [1, 0, 0x8000]
        );
        assert_eq!([f16(2.980_232_238_769_531e-8), f16(2.99e-8)], [0, 1]);
        assert_eq!(
            [f16(1.0 + 1.0 / 2048.0), f16(1.0 + 3.0 / 2048.0)],
            [0x3c00, 0x3c02]
        );
        let bf16 = |value| half_bits(value, "bf16");
        assert_eq!(
            [bf16(1.0), bf16(-0.5), bf16(3.39e38)],
            [0x3f80, 0xbf00, 0x7f7f]
        );
        assert_eq!([bf16(f64::MAX), bf16(1e-40)], [0x7f80, 0x0001]);
    }
}

//! What arguments, scalars, kernels and sizes look like on the command line.

mod argument;
mod reads;

pub(crate) use argument::{Argument, Arguments, Fill, Source};
pub(crate) use reads::Reads;

use pl_runtime::{bf16, f16};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

/// A text that is not what it should be, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SpecError {
    text: String,
    spec: String,
    /// Bytes of the spec.
    at: Range<usize>,
    help: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            spec,
            at,
            help,
        } = self;
        // Tabs and the like would move the mark.
        let shown = |text: &str| -> String {
            let mark = |c: char| if c.is_control() { '\u{fffd}' } else { c };
            text.chars().map(mark).collect()
        };
        let before = spec[..at.start].chars().count();
        let marked = spec[at.clone()].chars().count().max(1);
        write!(
            f,
            "{text}\n  {}\n  {}{}\n  help: {help}",
            shown(spec),
            " ".repeat(before),
            "^".repeat(marked)
        )
    }
}

impl std::error::Error for SpecError {}

/// A spec that is read from left to right.
struct Reader<'s> {
    spec: &'s str,
    /// What has been read.
    at: usize,
}

impl<'s> Reader<'s> {
    fn new(spec: &'s str) -> Self {
        Self { spec, at: 0 }
    }

    fn rest(&self) -> &'s str {
        &self.spec[self.at..]
    }

    /// The text up to `end`, which is passed over, or `None` if it does not come.
    fn until(&mut self, end: char) -> Option<(&'s str, Range<usize>)> {
        let length = self.rest().find(end)?;
        let range = self.at..self.at + length;
        self.at = range.end + end.len_utf8();
        Some((&self.spec[range.clone()], range))
    }

    /// The text up to `end` or the end of the spec.
    fn part(&mut self, end: char) -> (&'s str, Range<usize>) {
        self.until(end).unwrap_or_else(|| {
            let range = self.at..self.spec.len();
            self.at = range.end;
            (&self.spec[range.clone()], range)
        })
    }

    /// There is no `=` or `:`.
    fn missing(&self, text: &str, help: &str) -> SpecError {
        let is_source = [".cpp", ".cc", ".cxx"]
            .iter()
            .any(|end| self.spec.ends_with(end));
        let help = if is_source {
            "if this is the source, write it before the options: `pl run-orchestration FILE.cpp ..`"
        } else {
            help
        };
        self.refuse(0..self.spec.len(), text, help)
    }

    fn refuse(
        &self,
        at: Range<usize>,
        text: impl Into<String>,
        help: impl Into<String>,
    ) -> SpecError {
        SpecError {
            text: text.into(),
            spec: self.spec.into(),
            at,
            help: help.into(),
        }
    }
}

/// A scalar of the entry, as its bits: `TYPE:VALUE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scalar {
    pub(crate) bits: u64,
}

impl FromStr for Scalar {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        const EXAMPLES: &str = "write `i64:4`, `f32:0.5`, `bool:true` or `bits:0x3f000000`; types are \
             f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, bool and bits";
        let mut reader = Reader::new(spec);
        let Some((ty, at)) = reader.until(':') else {
            return Err(reader.missing("a type and `:` are missing", EXAMPLES));
        };
        let value = reader.rest();
        macro_rules! read {
            ($ty:ty, $value:ident => $bits:expr) => {
                value.parse::<$ty>().ok().map(|$value| $bits)
            };
        }
        let bits = match ty {
            "f64" => read!(f64, v => v.to_bits()),
            "f32" => read!(f32, v => v.to_bits().into()),
            "f16" => read!(f64, v => f16::from_f64(v).to_bits().into()),
            "bf16" => read!(f64, v => bf16::from_f64(v).to_bits().into()),
            "i64" => read!(i64, v => v as u64),
            "i32" => read!(i32, v => (v as u32).into()),
            "i16" => read!(i16, v => (v as u16).into()),
            "i8" => read!(i8, v => (v as u8).into()),
            "u64" => read!(u64, v => v),
            "u32" => read!(u32, v => v.into()),
            "u16" => read!(u16, v => v.into()),
            "u8" => read!(u8, v => v.into()),
            "bool" => read!(bool, v => v.into()),
            "bits" => match value.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => value.parse().ok(),
            },
            _ => return Err(reader.refuse(at, format!("`{ty}` is no type"), EXAMPLES)),
        };
        let at = reader.at..spec.len();
        let no_value = || reader.refuse(at, format!("this is no value of `{ty}`"), EXAMPLES);
        Ok(Self {
            bits: bits.ok_or_else(no_value)?,
        })
    }
}

/// A kernel of C++: `ID=KERNEL.cpp`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KernelFile {
    pub(crate) id: u32,
    pub(crate) path: PathBuf,
}

impl FromStr for KernelFile {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        const MOST: u32 = 1023;
        const EXAMPLE: &str = "write `0=kernels/add.cpp`, with the number that the source submits";
        let mut reader = Reader::new(spec);
        let Some((id, at)) = reader.until('=') else {
            return Err(reader.missing("a number and `=` are missing", EXAMPLE));
        };
        let id = match id.parse() {
            Ok(id) if id <= MOST => id,
            _ => {
                let what = format!("`{id}` is no number of a kernel, 0 to {MOST}");
                return Err(reader.refuse(at, what, EXAMPLE));
            }
        };
        if reader.rest().is_empty() {
            return Err(reader.refuse(reader.at..spec.len(), "a file is missing", EXAMPLE));
        }
        let path = reader.rest().into();
        Ok(Self { id, path })
    }
}

/// One size for all rings, or one for each: `A[,B,C,D]`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Sizes(pub(crate) [u64; 4]);

impl FromStr for Sizes {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        const EXAMPLE: &str = "write one number for all rings or four, such as `64K` or `0,1M,0,0`; 0 is the default size";
        let reader = Reader::new(spec);
        let mut sizes = Vec::new();
        let mut at = 0;
        for part in spec.split(',') {
            let range = at..at + part.len();
            at = range.end + 1;
            let (digits, unit) = match part.char_indices().last() {
                Some((last, 'K')) => (&part[..last], 1 << 10),
                Some((last, 'M')) => (&part[..last], 1 << 20),
                Some((last, 'G')) => (&part[..last], 1 << 30),
                _ => (part, 1_u64),
            };
            let number = digits.parse::<u64>().ok();
            match number.and_then(|number| number.checked_mul(unit)) {
                Some(size) => sizes.push(size),
                None => return Err(reader.refuse(range, format!("`{part}` is no size"), EXAMPLE)),
            }
        }
        match sizes[..] {
            [size] => Ok(Self([size; 4])),
            [a, b, c, d] => Ok(Self([a, b, c, d])),
            _ => {
                let what = format!("{} sizes, for four rings", sizes.len());
                Err(reader.refuse(0..spec.len(), what, EXAMPLE))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn marked<T: FromStr<Err = SpecError> + fmt::Debug>(spec: &str) -> (String, String) {
        let error = spec.parse::<T>().unwrap_err();
        assert!(error.to_string().contains("\n  help: "), "{error}");
        (error.text, error.spec[error.at].to_owned())
    }

    #[test]
    fn a_source_behind_the_options_is_told_where_to_stand() {
        let errors = [
            "a.cpp".parse::<Arguments>().unwrap_err(),
            "a.cpp".parse::<Scalar>().unwrap_err(),
            "a.cpp".parse::<KernelFile>().unwrap_err(),
        ];
        for error in errors {
            assert!(error.help.contains("before the options"), "{error}");
        }
    }

    #[test]
    fn the_mark_stands_below_the_place() {
        let error = "ü!=zeros:f32:8".parse::<Arguments>().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("\n  ü!=zeros:f32:8\n  ^^\n  help"),
            "{error}"
        );
        let error = "x=zeros:f33:8".parse::<Arguments>().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("\n  x=zeros:f33:8\n          ^^^\n"),
            "{error}"
        );
    }

    #[test]
    fn scalars_keep_their_bits() {
        for (spec, bits) in [
            ("i64:-1", u64::MAX),
            ("i32:-1", 0xffff_ffff),
            ("i8:-1", 0xff),
            ("f32:0.5", 0x3f00_0000),
            ("f32:-0", 0x8000_0000),
            ("f32:nan", 0x7fc0_0000),
            ("f64:0.5", 0x3fe0_0000_0000_0000),
            ("f16:1", 0x3c00),
            ("bf16:1", 0x3f80),
            ("bool:true", 1),
            ("bits:0xff", 255),
            ("bits:18446744073709551615", u64::MAX),
        ] {
            assert_eq!(spec.parse::<Scalar>().unwrap().bits, bits, "{spec}");
        }
        for (spec, at) in [
            ("4", "4"),
            ("i8:300", "300"),
            ("f32:x", "x"),
            ("int:4", "int"),
            ("bits:0xg", "0xg"),
            ("bool:1", "1"),
        ] {
            assert_eq!(marked::<Scalar>(spec).1, at, "{spec}");
        }
    }

    #[test]
    fn sizes_are_one_or_four() {
        assert_eq!("64K".parse(), Ok(Sizes([65536; 4])));
        assert_eq!("0,1M,2,1G".parse(), Ok(Sizes([0, 1 << 20, 2, 1 << 30])));
        for (spec, at) in [
            ("", ""),
            ("1,2", "1,2"),
            ("1,2,3,x", "x"),
            ("-1", "-1"),
            ("K", "K"),
            ("99999999999G", "99999999999G"),
            ("1,2,3,4,5", "1,2,3,4,5"),
        ] {
            assert_eq!(marked::<Sizes>(spec).1, at, "{spec}");
        }
    }

    #[test]
    fn kernels_have_a_number_and_a_file() {
        let kernel: KernelFile = "3=a=b.cpp".parse().unwrap();
        assert_eq!((kernel.id, kernel.path), (3, "a=b.cpp".into()));
        for (spec, at) in [
            ("a.cpp", "a.cpp"),
            ("x=a.cpp", "x"),
            ("1024=a.cpp", "1024"),
            ("0=", ""),
        ] {
            assert_eq!(marked::<KernelFile>(spec).1, at, "{spec}");
        }
    }
}

//! Tensors of the entry on the command line.

use super::{Reader, SpecError};
use pl_runtime::{DType, MAX_RANK};
use std::path::PathBuf;
use std::str::FromStr;

/// Where the elements of an argument come from.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Source {
    Npy(PathBuf),
    /// The array of this name in the file.
    Safetensors(PathBuf, String),
    /// There are none.
    Shape {
        dtype: DType,
        dims: Vec<usize>,
    },
    Filled {
        dtype: DType,
        dims: Vec<usize>,
        fill: Fill,
    },
}

/// What a new array is filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fill {
    Zeros,
    Ones,
    /// From this seed.
    Random(u64),
}

/// A tensor of the entry: `NAME=SOURCE`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) source: Source,
}

/// What stands behind `--arg`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Arguments {
    One(Argument),
    /// Those of a program that a `.safetensors` file has, by name.
    All(PathBuf),
}

const SOURCES: &str = "write `x=FILE.npy`, `x=FILE.safetensors:NAME`, `x=zeros:f32:8x64`, `x=ones:f32:8x64`, \
     `x=random:f32:8x64:SEED`, or `x=shape:f32:8x64` for a plan or an audit";

/// What a file of named arrays ends with.
const SAFETENSORS: &str = ".safetensors";

impl FromStr for Arguments {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        let mut reader = Reader::new(spec);
        let Some((name, at)) = reader.until('=') else {
            if ends_with(spec, SAFETENSORS) {
                return Ok(Self::All(spec.into()));
            }
            return Err(reader.missing("a name and `=` are missing", SOURCES));
        };
        let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(fits) {
            let help = "use letters, digits, `_` and `-`: it becomes the name of a file";
            return Err(reader.refuse(at, "this is no name of an argument", help));
        }
        let source = source(&mut reader, name)?;
        Ok(Self::One(Argument {
            name: name.into(),
            source,
        }))
    }
}

/// Whether a path is a file with this ending, in any case.
fn ends_with(path: &str, ending: &str) -> bool {
    path.len() > ending.len() && path.to_ascii_lowercase().ends_with(ending)
}

/// `FILE.npy`, `FILE.safetensors:NAME`, or `FILE.safetensors` for the array that is called as the argument.
fn file(text: &str, name: &str) -> Option<Source> {
    if ends_with(text, ".npy") {
        return Some(Source::Npy(text.into()));
    }
    if ends_with(text, SAFETENSORS) {
        return Some(Source::Safetensors(text.into(), name.into()));
    }
    let at = text.to_ascii_lowercase().find(".safetensors:")? + SAFETENSORS.len();
    let (path, name) = (&text[..at], &text[at + 1..]);
    let is_named = ends_with(path, SAFETENSORS) && !name.is_empty();
    is_named.then(|| Source::Safetensors(path.into(), name.into()))
}

fn source(reader: &mut Reader<'_>, name: &str) -> Result<Source, SpecError> {
    let whole = reader.at..reader.spec.len();
    let text = reader.rest();
    let (kind, at) = reader.part(':');
    let fill = match kind {
        "zeros" => Some(Fill::Zeros),
        "ones" => Some(Fill::Ones),
        "random" => Some(Fill::Random(0)),
        "shape" => None,
        _ => {
            return file(text, name).ok_or_else(|| {
                let what = format!(
                    "`{kind}` is neither a file `.npy` or `.safetensors` nor zeros, ones, random or shape"
                );
                reader.refuse(at, what, SOURCES)
            });
        }
    };
    let Some((name, at)) = reader.until(':') else {
        return Err(reader.refuse(whole, "an element type and a shape are missing", SOURCES));
    };
    let Some(dtype) = DType::from_name(name) else {
        let known = DType::ALL.map(DType::name);
        let help = format!("write one of {}", known.join(", "));
        return Err(reader.refuse(at, format!("`{name}` is no element type"), help));
    };
    let dims = dims(reader, dtype)?;
    let fill = match fill {
        Some(Fill::Random(_)) if !reader.rest().is_empty() => {
            let at = reader.at..reader.spec.len();
            let help = "write a whole number, or leave it out for 0";
            let seed = reader.rest().parse();
            let seed = seed.map_err(|_| reader.refuse(at, "the seed is no number", help))?;
            Some(Fill::Random(seed))
        }
        fill if reader.rest().is_empty() => fill,
        _ => {
            let at = reader.at..reader.spec.len();
            let help = "leave it out; only `random` has a seed";
            return Err(reader.refuse(at, "nothing is expected behind the shape", help));
        }
    };
    Ok(match fill {
        Some(fill) => Source::Filled { dtype, dims, fill },
        None => Source::Shape { dtype, dims },
    })
}

fn dims(reader: &mut Reader<'_>, dtype: DType) -> Result<Vec<usize>, SpecError> {
    let (text, whole) = reader.part(':');
    let mut dims = Vec::new();
    let mut at = whole.start;
    for part in text.split('x') {
        let range = at..at + part.len();
        at = range.end + 1;
        match part.parse::<u32>() {
            Ok(dim) if part.bytes().all(|byte| byte.is_ascii_digit()) => dims.push(dim as usize),
            _ => {
                let what = format!("`{part}` is no dimension");
                let help = "write numbers up to 4294967295 with `x` between them, such as `8x64`";
                return Err(reader.refuse(range, what, help));
            }
        }
    }
    if dims.len() > MAX_RANK {
        let what = format!("{} dimensions", dims.len());
        let help = format!("a tensor has 1 to {MAX_RANK}");
        return Err(reader.refuse(whole, what, help));
    }
    let bytes = dims
        .iter()
        .try_fold(dtype.bytes(), |size, dim| size.checked_mul(*dim));
    if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
        let help = "shrink it: its bytes must fit into memory";
        return Err(reader.refuse(whole, "more bytes than there are addresses", help));
    }
    Ok(dims)
}

#[cfg(test)]
mod tests {
    use super::super::tests::marked;
    use super::*;

    fn of(spec: &str) -> Source {
        match spec.parse() {
            Ok(Arguments::One(argument)) => argument.source,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arguments_are_files_or_filled() {
        assert_eq!(of("x=a b:c/d.npy"), Source::Npy("a b:c/d.npy".into()));
        assert_eq!(
            of("y_1=random:bf16:2x0x7:42"),
            Source::Filled {
                dtype: DType::Bf16,
                dims: vec![2, 0, 7],
                fill: Fill::Random(42)
            }
        );
        assert!("z=ones:bool:1".parse::<Arguments>().is_ok());
        assert_eq!(
            of("z=shape:f16:4294967295x1024"),
            Source::Shape {
                dtype: DType::F16,
                dims: vec![u32::MAX as usize, 1024]
            }
        );
    }

    #[test]
    fn arrays_of_a_safetensors_file_are_named() {
        let named = |name: &str| Source::Safetensors("a/b.safetensors".into(), name.into());
        assert_eq!(of("x=a/b.safetensors:layer.0:w"), named("layer.0:w"));
        assert_eq!(of("x=a/b.safetensors"), named("x"));
        assert_eq!(
            "a/b.safetensors".parse(),
            Ok(Arguments::All("a/b.safetensors".into()))
        );
        for spec in ["x=a/b.safetensors:", "x=.safetensors", ".safetensors"] {
            assert!(spec.parse::<Arguments>().is_err(), "{spec}");
        }
    }

    #[test]
    fn a_wrong_argument_is_marked_where_it_is_wrong() {
        for (spec, what, at) in [
            ("", "a name and `=` are missing", ""),
            ("x.npy", "a name and `=` are missing", "x.npy"),
            ("=x.npy", "this is no name", ""),
            ("../x=x.npy", "this is no name", "../x"),
            ("x=", "`` is neither", ""),
            ("x=zero:f32:8", "`zero` is neither", "zero"),
            (
                "x=zeros",
                "an element type and a shape are missing",
                "zeros",
            ),
            ("x=zeros:f33:8", "`f33` is no element type", "f33"),
            ("x=zeros:f64:8", "`f64` is no element type", "f64"),
            ("x=zeros:f32:", "`` is no dimension", ""),
            ("x=zeros:f32:8xx8", "`` is no dimension", ""),
            ("x=zeros:f32:8x-1", "`-1` is no dimension", "-1"),
            ("x=zeros:f32:8x+1", "`+1` is no dimension", "+1"),
            ("x=zeros:f32:8xü", "`ü` is no dimension", "ü"),
            (
                "x=zeros:f32:4294967296",
                "`4294967296` is no dimension",
                "4294967296",
            ),
            ("x=zeros:f32:1x1x1x1x1x1", "6 dimensions", "1x1x1x1x1x1"),
            (
                "x=zeros:f32:4294967295x4294967295",
                "more bytes than",
                "4294967295x4294967295",
            ),
            ("x=zeros:f32:8:1", "nothing is expected", "1"),
            ("x=random:f32:8:one", "the seed is no number", "one"),
        ] {
            let (text, mark) = marked::<Arguments>(spec);
            assert!(text.starts_with(what), "{spec}: {text}");
            assert_eq!(mark, at, "{spec}");
        }
    }
}

//! Files of numpy.

use super::array::{Array, named};
use pl_runtime::MAX_RANK;
use std::fs;
use std::io;
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY";
/// Where the elements begin is a multiple of this.
const ALIGNMENT: usize = 64;

/// Reads an array.
pub(super) fn read(path: &Path) -> Result<Array, String> {
    let bytes = fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    parse(&bytes)
}

/// Writes an array to a file that appears when it is complete.
pub(super) fn write(path: &Path, array: &Array) -> io::Result<()> {
    crate::output::replace(path, format(array))
}

fn format(array: &Array) -> Vec<u8> {
    let (descr, dims, data) = array.to_bytes();
    let dims: String = dims.iter().map(|dim| dim.to_string() + ", ").collect();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}");
    let start = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(ALIGNMENT);
    let length = (start - MAGIC.len() - 4) as u16;
    let mut bytes = Vec::with_capacity(start + data.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[1, 0]);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.resize(start - 1, b' ');
    bytes.push(b'\n');
    bytes.extend_from_slice(&data);
    bytes
}

fn parse(bytes: &[u8]) -> Result<Array, String> {
    let cut = || "the file ends inside its header".to_owned();
    let rest = bytes.strip_prefix(MAGIC).ok_or("this is no `.npy` file")?;
    let ([major, _minor], rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
            (u16::from_le_bytes(*length) as usize, rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        other => return Err(format!("version {other} of `.npy` files is not known")),
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(cut)?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is no text".to_owned())?;
    let Header {
        descr,
        by_columns,
        dims,
    } = Header::parse(header).ok_or_else(|| "its header is not as numpy writes it".to_owned())?;
    let Some(dtype) = named(descr) else {
        return Err(match descr {
            "<f8" => "elements of float64 are not known: save `x.astype(np.float32)`".into(),
            descr if descr.starts_with('>') => {
                format!(
                    "the bytes of `{descr}` are in the wrong order: save `x.astype(x.dtype.newbyteorder('<'))`"
                )
            }
            descr => format!(
                "elements of `{descr}` are not known: save another type, such as `x.astype(np.float32)`"
            ),
        });
    };
    if dims.is_empty() || dims.len() > MAX_RANK {
        return Err(format!(
            "it has {} dimensions: save `x.reshape(..)` with 1 to {MAX_RANK}",
            dims.len()
        ));
    }
    let size = dims
        .iter()
        .try_fold(dtype.bytes(), |size, dim| size.checked_mul(*dim));
    if size != Some(data.len()) {
        let size = size.map_or("too many".to_owned(), |size| size.to_string());
        return Err(format!(
            "its shape has {size} bytes, but {} follow",
            data.len()
        ));
    }
    Array::from_bytes(dtype, &dims, by_columns, data)
}

struct Header<'h> {
    descr: &'h str,
    by_columns: bool,
    dims: Vec<usize>,
}

impl<'h> Header<'h> {
    /// The text is a dictionary of Python with three keys, in any order.
    fn parse(text: &'h str) -> Option<Self> {
        let (mut descr, mut by_columns, mut dims) = (None, None, None);
        let mut rest = text.trim().strip_prefix('{')?.trim_start();
        while !rest.starts_with('}') {
            let (key, behind) = quoted(rest)?;
            let value = behind.trim_start().strip_prefix(':')?.trim_start();
            let behind = match key {
                "descr" => {
                    let (text, behind) = quoted(value)?;
                    descr = Some(text);
                    behind
                }
                "fortran_order" => {
                    let (value, behind) = match value.strip_prefix("True") {
                        Some(behind) => (true, behind),
                        None => (false, value.strip_prefix("False")?),
                    };
                    by_columns = Some(value);
                    behind
                }
                "shape" => {
                    let (inside, behind) = value.strip_prefix('(')?.split_once(')')?;
                    let items = inside
                        .split(',')
                        .map(str::trim)
                        .filter(|item| !item.is_empty());
                    // Python 2 wrote `8L`.
                    let numbers =
                        items.map(|item| item.strip_suffix('L').unwrap_or(item).parse().ok());
                    dims = Some(numbers.collect::<Option<Vec<usize>>>()?);
                    behind
                }
                _ => return None,
            };
            let behind = behind.trim_start();
            rest = behind.strip_prefix(',').unwrap_or(behind).trim_start();
        }
        (rest == "}").then_some(Self {
            descr: descr?,
            by_columns: by_columns?,
            dims: dims?,
        })
    }
}

/// A text in quotes and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::super::spec::Fill;
    use super::*;
    use pl_runtime::DType;

    #[test]
    fn what_is_written_is_read_again() {
        for dtype in DType::ALL {
            for dims in [&[7][..], &[3, 4], &[2, 0, 5], &[1, 2, 3, 4, 5]] {
                let array = Array::filled(dtype, dims, Fill::Random(1)).unwrap();
                let bytes = format(&array);
                assert_eq!(parse(&bytes).unwrap().to_bytes(), array.to_bytes());
                let start = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
                assert_eq!(start % ALIGNMENT, 0);
            }
        }
    }

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length[..], header.as_bytes(), data].concat()
    }

    #[test]
    fn headers_are_read_in_any_order() {
        for header in [
            "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }",
            "{'shape':(2L,),'fortran_order':False,'descr':\"|u1\"}  \n",
        ] {
            assert_eq!(parse(&file(header, &[1, 2])).unwrap().to_bytes().2, [1, 2]);
        }
    }

    #[test]
    fn no_damage_of_one_byte_panics() {
        let array = Array::filled(DType::Bool, &[2, 3], Fill::Ones).unwrap();
        let whole = format(&array);
        for at in 0..whole.len() {
            for byte in (0..=255).step_by(3) {
                let mut bytes = whole.clone();
                bytes[at] = byte;
                drop(parse(&bytes));
            }
            drop(parse(&whole[..at]));
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let header = |descr: &str, shape: &str| {
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}")
        };
        for (bytes, why) in [
            (vec![], "no `.npy` file"),
            (b"PK\x03\x04".to_vec(), "no `.npy` file"),
            (MAGIC.to_vec(), "ends inside its header"),
            ([MAGIC, &[9, 0, 0, 0]].concat(), "version 9"),
            (
                [MAGIC, &[1, 0, 255, 255]].concat(),
                "ends inside its header",
            ),
            (file("\u{0}", &[]), "not as numpy writes it"),
            (file("{'descr': '|u1'", &[]), "not as numpy writes it"),
            (
                file(
                    "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
                    &[],
                ),
                "not as numpy",
            ),
            (file(&header("|u1", "-1,"), &[]), "not as numpy writes it"),
            (file(&header("<f8", "1,"), &[0; 8]), "float64 are not known"),
            (file(&header(">f4", "1,"), &[0; 4]), "wrong order"),
            (file(&header("<U3", "1,"), &[0; 4]), "`<U3` are not known"),
            (file(&header("<f4", ""), &[0; 4]), "0 dimensions"),
            (file(&header("<f4", "1,1,1,1,1,1"), &[0; 4]), "6 dimensions"),
            (
                file(&header("<f4", "2,"), &[0; 7]),
                "its shape has 8 bytes, but 7 follow",
            ),
            (
                file(&header("<f4", "4294967296, 4294967296"), &[]),
                "its shape has too many bytes",
            ),
            (
                file(&header("|b1", "1,"), &[2]),
                "element 0 is no value of `bool`",
            ),
        ] {
            let error = parse(&bytes).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}

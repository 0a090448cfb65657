//! `.npy` files, one array each.
//!
//! `bf16` stands in them as `<V2`, which is how `ml_dtypes` saves it.

use crate::{Data, FileError, read, write};
use npyz::{Endianness, NpyHeader, Order, TypeStr, WriteOptions, WriterBuilder};
use pl_runtime::DType;
use std::path::Path;

/// Longest header that numpy writes for an array of few dimensions, with room to spare. The parser
/// recurses into brackets, so a longer one is not handed to it.
const MAX_HEADER: usize = 1024;

/// How numpy names an element type, little-endian.
fn descr(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "<f4",
        DType::F16 => "<f2",
        DType::Bf16 => "<V2",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U8 => "|u1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        DType::Bool => "|b1",
        other => unreachable!("{other} has no name in numpy"),
    }
}

/// The element type, and whether its bytes are in the other order.
fn dtype(found: &npyz::DType) -> Result<(DType, bool), String> {
    let refuse = || {
        let name = found.descr();
        Err(format!(
            "elements are {name}, which no kernel takes; convert them, for example by \
             `np.save(path, x.astype(np.float32))`"
        ))
    };
    let npyz::DType::Plain(ty) = found else {
        return refuse();
    };
    let text = ty.to_string();
    let swapped = ty.endianness() == Endianness::Big;
    // A byte has no order, `|V2` is the same as `<V2`.
    let same = |dtype: &DType| descr(*dtype)[1..] == text[1..];
    match DType::ALL.iter().find(|&dtype| same(dtype)) {
        Some(&dtype) => Ok((dtype, swapped && dtype.bytes() > 1)),
        None => refuse(),
    }
}

/// Reads the array of a file.
///
/// # Errors
/// The file cannot be read, is none of numpy's, is damaged, or has elements that no kernel takes.
pub fn read_npy(path: &Path) -> Result<Data, FileError> {
    let bytes = read(path)?;
    parse(&bytes).map_err(|what| FileError::new(path, what))
}

/// The array of a file with these bytes.
///
/// # Errors
/// What is wrong with them.
pub fn parse(bytes: &[u8]) -> Result<Data, String> {
    let end = header_end(bytes).ok_or("not a .npy file")?;
    if end > MAX_HEADER || end > bytes.len() {
        return Err("not a .npy file: its header is too long".into());
    }
    let (header, elements) = bytes.split_at(end);
    check_shape(header)?;
    let header =
        NpyHeader::from_reader(header).map_err(|error| format!("not a .npy file: {error}"))?;
    let (dtype, swapped) = dtype(&header.dtype())?;
    let dims = header
        .shape()
        .iter()
        .map(|&dim| usize::try_from(dim))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| "its header promises more elements than can be")?;
    let order = header.order();
    let mut elements = elements.to_vec();
    if swapped {
        let size = dtype.bytes();
        elements.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    let data = Data::new(dtype, dims, elements)?;
    Ok(match order {
        Order::C => data,
        Order::Fortran => transposed(&data),
    })
}

/// Refuses lengths whose product the parser could not hold; beside a zero they can be anything.
fn check_shape(header: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(header);
    let shape = text.split_once("'shape'").and_then(|(_, rest)| {
        let (_, rest) = rest.split_once('(')?;
        Some(rest.split_once(')')?.0)
    });
    let lengths = shape.into_iter().flat_map(|shape| shape.split(','));
    lengths
        .filter_map(|length| length.trim().parse::<u64>().ok())
        // The largest element has 8 bytes here, and any number in a file of others.
        .try_fold(1_u64 << 16, |all, length| all.checked_mul(length.max(1)))
        .map(drop)
        .ok_or_else(|| "its header promises more elements than can be".to_owned())
}

/// Where the header ends, by what the file says of its length.
fn header_end(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (start, length) = match rest {
        [1, _, low, high, ..] => (10, usize::from(u16::from_le_bytes([*low, *high]))),
        [_, _, a, b, c, d, ..] => (12, u32::from_le_bytes([*a, *b, *c, *d]).try_into().ok()?),
        _ => return None,
    };
    length.checked_add(start)
}

/// The elements of an array that stand with the first dimension first.
fn transposed(data: &Data) -> Data {
    let size = data.dtype().bytes();
    let dims = data.dims().to_vec();
    let turned: Vec<usize> = dims.iter().rev().copied().collect();
    let count = data.bytes().len() / size;
    let places = ndarray::ArrayD::from_shape_vec(turned, (0..count).collect::<Vec<usize>>())
        .expect("the number of elements was checked");
    let bytes = places
        .t()
        .iter()
        .flat_map(|&at| &data.bytes()[at * size..][..size])
        .copied()
        .collect();
    Data::new(data.dtype(), dims, bytes).expect("the same elements")
}

/// Writes an array to a file: what is at `path` is replaced as a whole, or stays as it is.
///
/// # Errors
/// The system's.
pub fn write_npy(path: &Path, data: &Data) -> Result<(), FileError> {
    write::replace(path, |to| {
        let ty: TypeStr = descr(data.dtype()).parse().expect("a name of numpy");
        let dims: Vec<u64> = data.dims().iter().map(|&dim| dim as u64).collect();
        let to = WriteOptions::new_header_only()
            .dtype(npyz::DType::new_scalar(ty))
            .shape(&dims)
            .writer(to)
            .write_header_only()?;
        to.write_all(data.bytes())
    })
}

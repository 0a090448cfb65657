//! Tensors as `.npy` files.

use crate::dtype::DType;
use crate::tensor::RawTensor;
use ndarray::{ArrayD, IxDyn};
use ndarray_npy::{WritableElement, WriteDataError, WriteNpyError, WriteNpyExt};
use py_literal::Value;
use std::io::{self, Write};

/// `f16`, which `ndarray-npy` has no element for: its bits.
struct Half(u16);

impl WritableElement for Half {
    fn type_descriptor() -> Value {
        let order = if cfg!(target_endian = "little") {
            '<'
        } else {
            '>'
        };
        Value::String(format!("{order}f2"))
    }

    fn write<W: Write>(&self, writer: W) -> Result<(), WriteDataError> {
        self.0.write(writer)
    }

    fn write_slice<W: Write>(slice: &[Self], mut writer: W) -> Result<(), WriteDataError> {
        slice.iter().try_for_each(|half| half.write(&mut writer))
    }
}

/// The type that `NumPy` reads, by its name there. `bf16` has none: its bits are `uint16`.
pub(super) fn type_name(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "float32",
        DType::F16 => "float16",
        DType::Bf16 | DType::U16 => "uint16",
        DType::I8 => "int8",
        DType::I16 => "int16",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::U8 => "uint8",
        DType::U32 => "uint32",
        DType::U64 => "uint64",
        DType::Bool => "bool",
        other => unreachable!("{other} is no element type"),
    }
}

/// Writes the elements of a tensor that has data, densely, whatever its strides. No running task but
/// the one that it is an argument of writes it.
pub(super) fn write(raw: &RawTensor, to: impl Write) -> io::Result<()> {
    match raw.view.dtype() {
        DType::F32 => dense(raw, to, |bits| f32::from_bits(bits as u32)),
        DType::F16 => dense(raw, to, |bits| Half(bits as u16)),
        DType::Bf16 | DType::U16 => dense(raw, to, |bits| bits as u16),
        DType::I8 => dense(raw, to, |bits| bits as i8),
        DType::I16 => dense(raw, to, |bits| bits as i16),
        DType::I32 => dense(raw, to, |bits| bits as i32),
        DType::I64 => dense(raw, to, u64::cast_signed),
        DType::U8 => dense(raw, to, |bits| bits as u8),
        DType::U32 => dense(raw, to, |bits| bits as u32),
        DType::U64 => dense(raw, to, |bits| bits),
        DType::Bool => dense(raw, to, |bits| bits != 0),
        other => unreachable!("{other} is no element type"),
    }
}

fn dense<T: WritableElement>(
    raw: &RawTensor,
    to: impl Write,
    element: fn(u64) -> T,
) -> io::Result<()> {
    let array = ArrayD::from_shape_fn(IxDyn(raw.view.dims()), |index| {
        element(raw.read(ndarray::Dimension::slice(&index)))
    });
    array.write_npy(to).map_err(|error| match error {
        WriteNpyError::Io(error) => error,
        other => io::Error::other(other),
    })
}

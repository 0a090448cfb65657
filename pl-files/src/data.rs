//! An array of any element type.

use ndarray::{Array, ArrayBase, ArrayD, Dimension, IxDyn};
use pl_runtime::{DType, Element, ScalarValue};

/// The elements of an array as they stand in a file: one after the other, the last dimension first,
/// little-endian.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Data {
    dtype: DType,
    dims: Vec<usize>,
    bytes: Vec<u8>,
}

impl Data {
    /// From the bytes of its elements.
    ///
    /// # Errors
    /// Why they are none.
    pub(crate) fn new(dtype: DType, dims: Vec<usize>, bytes: Vec<u8>) -> Result<Self, String> {
        let wanted = dims
            .iter()
            .try_fold(dtype.bytes(), |all, &dim| all.checked_mul(dim))
            .ok_or("its header promises more elements than can be")?;
        match bytes.len() {
            found if found < wanted => {
                Err(format!("truncated: {} bytes are missing", wanted - found))
            }
            found if found > wanted => Err(format!(
                "{} bytes follow behind the last element",
                found - wanted
            )),
            _ if dtype == DType::Bool && bytes.iter().any(|&byte| byte > 1) => {
                Err("a `bool` in it is neither 0 nor 1".into())
            }
            _ => Ok(Self { dtype, dims, bytes }),
        }
    }

    /// The elements of `array`.
    pub fn of<T: Element, D: Dimension>(
        array: &ArrayBase<impl ndarray::Data<Elem = T>, D>,
    ) -> Self {
        let size = T::DTYPE.bytes();
        let mut bytes = Vec::with_capacity(array.len() * size);
        for &element in array {
            bytes.extend_from_slice(&element.to_value().bits().to_le_bytes()[..size]);
        }
        Self {
            dtype: T::DTYPE,
            dims: array.shape().to_vec(),
            bytes,
        }
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Lengths of the dimensions.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Bytes of the elements.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// As an array of `T` with any number of dimensions.
    ///
    /// # Errors
    /// Another element type: both are named.
    pub fn into_array_dyn<T: Element>(self) -> Result<ArrayD<T>, String> {
        if self.dtype != T::DTYPE {
            return Err(format!("elements are {}, not {}", self.dtype, T::DTYPE));
        }
        let size = self.dtype.bytes();
        let element = |bytes: &[u8]| {
            let mut bits = [0; 8];
            bits[..size].copy_from_slice(bytes);
            let value = ScalarValue::from_element_bits(self.dtype, u64::from_le_bytes(bits));
            T::from_value(value).expect("the element type was checked")
        };
        let elements = self.bytes.chunks_exact(size).map(element).collect();
        Ok(ArrayD::from_shape_vec(IxDyn(&self.dims), elements).expect("their number was checked"))
    }

    /// As an array of `T` with the dimensions of `D`.
    ///
    /// # Errors
    /// Another element type or number of dimensions: both are named.
    pub fn into_array<T: Element, D: Dimension>(self) -> Result<Array<T, D>, String> {
        let dims = self.dims.len();
        let array = self.into_array_dyn::<T>()?;
        array.into_dimensionality::<D>().map_err(|_| {
            let wanted = D::NDIM.unwrap_or(dims);
            format!("an array of {dims} dimensions, not {wanted}")
        })
    }
}

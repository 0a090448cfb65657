//! Tensors: which bytes of which allocation, seen with which shape.

mod handle;

pub use handle::Tensor;
pub(crate) use handle::{ElementRef, Permission, RawTensor};

use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use std::fmt;

/// Largest rank of a tensor or tile.
pub const MAX_RANK: usize = 5;

/// Shape, strides and element type of a strided array inside a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    dtype: DType,
    rank: u8,
    layout: Layout,
    /// First element, counted in elements from the start of the buffer.
    offset: usize,
    dims: [usize; MAX_RANK],
    /// In elements, never negative; 0 only for broadcast (read-only) dimensions.
    strides: [usize; MAX_RANK],
}

/// What dims and strides say of each other. Found out when a view is made: every task that it is
/// passed to asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Row-major in each dimension.
    Rows,
    /// The elements lie row-major without gaps, the strides of dimensions of one index aside.
    Contiguous,
    /// Anything else.
    Strided,
}

/// One entry of `s![..]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SliceItem {
    /// `a..b`
    Range(usize, usize),
    /// `a..`
    From(usize),
    /// `..`
    Full,
    /// `i`: one index; the dimension is dropped.
    Index(usize),
}

impl View {
    /// A row-major array at the start of its buffer.
    ///
    /// # Errors
    /// Rank 0 or above [`MAX_RANK`], or more bytes than the address space has.
    pub fn contiguous(dtype: DType, dims: &[usize]) -> Result<Self, String> {
        let mut strides = [0; MAX_RANK];
        let mut elements = 1_usize;
        if dims.is_empty() || dims.len() > MAX_RANK {
            return Err(format!(
                "rank {} is not supported; use 1 to {MAX_RANK} dimensions",
                dims.len()
            ));
        }
        for (stride, &dim) in strides[..dims.len()].iter_mut().zip(dims).rev() {
            *stride = elements;
            elements = elements
                .checked_mul(dim.max(1))
                .filter(|&n| {
                    n.checked_mul(dtype.bytes())
                        .is_some_and(|b| isize::try_from(b).is_ok())
                })
                .ok_or_else(|| {
                    format!("{} {dtype} is larger than the address space", Dims(dims))
                })?;
        }
        Ok(Self::strided(dtype, 0, dims, &strides[..dims.len()]))
    }

    /// An array with explicit strides (in elements). `dims` and `strides` have the same length, 1 to [`MAX_RANK`].
    pub fn strided(dtype: DType, offset: usize, dims: &[usize], strides: &[usize]) -> Self {
        let mut view = Self {
            dtype,
            rank: dims.len() as u8,
            layout: Layout::Strided,
            offset,
            dims: [1; MAX_RANK],
            strides: [0; MAX_RANK],
        };
        view.dims[..dims.len()].copy_from_slice(dims);
        view.strides[..dims.len()].copy_from_slice(strides);
        view.laid_out()
    }

    /// The view with its layout, which dims and strides say.
    fn laid_out(mut self) -> Self {
        let mut expected = 1;
        let (mut rows, mut contiguous, mut empty) = (self.rank > 0, true, false);
        for axis in (0..self.rank()).rev() {
            let (dim, stride) = (self.dims[axis], self.strides[axis]);
            rows &= stride == expected;
            contiguous &= dim <= 1 || stride == expected;
            empty |= dim == 0;
            // Saturates for shapes that do not exist: they are an error when they are allocated.
            expected = expected.saturating_mul(dim);
        }
        self.layout = match (rows, contiguous || empty) {
            (true, _) => Layout::Rows,
            (_, true) => Layout::Contiguous,
            _ => Layout::Strided,
        };
        self
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        usize::from(self.rank)
    }

    /// Length of each dimension, in elements.
    pub fn dims(&self) -> &[usize] {
        &self.dims[..self.rank()]
    }

    /// Distance between neighbours of each dimension, in elements.
    pub fn strides(&self) -> &[usize] {
        &self.strides[..self.rank()]
    }

    /// First element, counted in elements from the start of the buffer.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.dims().iter().product()
    }

    /// Bytes of the elements, without gaps.
    pub fn bytes(&self) -> usize {
        self.elements() * self.dtype.bytes()
    }

    /// Whether the elements lie row-major without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.layout != Layout::Strided
    }

    /// Elements of an index of the first dimension, if the view is row-major in each dimension.
    #[inline]
    pub(crate) fn row(&self) -> Option<usize> {
        (self.layout == Layout::Rows).then_some(self.strides[0])
    }

    /// Elements from the first to the last one inclusive, gaps counted; 0 if there are none.
    #[inline]
    pub fn extent(&self) -> usize {
        match self.row() {
            Some(row) => self.dims[0] * row,
            None => self.extent_of_dims(),
        }
    }

    fn extent_of_dims(&self) -> usize {
        if self.dims().contains(&0) {
            return 0;
        }
        let ends = self.dims().iter().zip(self.strides());
        1 + ends.map(|(&d, &s)| (d - 1) * s).sum::<usize>()
    }

    /// The distance of the rows of the last dimension, if they lie at equal distances; 0 if there is one row.
    pub(crate) fn row_distance(&self) -> Option<usize> {
        let outer = self.rank().checked_sub(1)?;
        let mut distance = None;
        let mut inner = 1;
        for (&length, &stride) in self.dims()[..outer].iter().zip(self.strides()).rev() {
            if length == 1 {
                continue;
            }
            match distance {
                None => distance = Some(stride),
                Some(row) if stride == row * inner => {}
                Some(_) => return None,
            }
            inner *= length;
        }
        Some(distance.unwrap_or(0))
    }

    /// The same elements as a matrix, if rows lie at equal distances.
    pub(crate) fn as_rows(&self) -> Option<Self> {
        let distance = self.row_distance()?;
        let (&columns, outer) = self.dims().split_last()?;
        let dims = [outer.iter().product(), columns];
        let strides = [distance, self.strides()[outer.len()]];
        Some(Self::strided(self.dtype, self.offset, &dims, &strides))
    }

    /// The part of the array that `items` select.
    ///
    /// # Errors
    /// Wrong number of items, or a bound past its dimension (bounds are never clamped).
    pub fn slice(&self, items: &[SliceItem], site: Site) -> Result<Self, OperationError> {
        let fail = |message: String| OperationError::new("slice", site, message);
        if items.len() != self.rank() {
            return Err(fail(format!(
                "{} dimensions cannot be sliced with {} items; write one item for each dimension",
                self.rank(),
                items.len()
            )));
        }
        let mut view = Self {
            rank: 0,
            dims: [1; MAX_RANK],
            strides: [0; MAX_RANK],
            ..*self
        };
        for (axis, item) in items.iter().enumerate() {
            let (dim, stride) = (self.dims[axis], self.strides[axis]);
            let (start, end) = match *item {
                SliceItem::Range(start, end) => (start, end),
                SliceItem::From(start) => (start, dim),
                SliceItem::Full => (0, dim),
                SliceItem::Index(index) => (index, index.saturating_add(1)),
            };
            if start > end || end > dim {
                return Err(fail(match *item {
                    SliceItem::Index(_) if dim == 0 => {
                        format!("dimension {axis} of {self} has no index {start}: it is empty")
                    }
                    // What was negative before it became a `usize` is shown so.
                    SliceItem::Index(_) => format!(
                        "index {} is outside of dimension {axis} of {self}; use 0 to {}",
                        start.cast_signed(),
                        dim - 1
                    ),
                    _ if start > dim => format!(
                        "{start}..{end} starts past dimension {axis} of {self}; start at most at \
                         {dim}"
                    ),
                    _ if start > end => format!(
                        "{start}..{end} of dimension {axis} of {self} ends before it starts; end \
                         it at {start} or later"
                    ),
                    _ => format!(
                        "{start}..{end} is not inside dimension {axis} of {self}; bounds are not \
                         clamped: end the last, shorter part at {dim}, with `.min({dim})`",
                    ),
                }));
            }
            if start < end {
                view.offset += start * stride;
            }
            if !matches!(item, SliceItem::Index(_)) {
                let at = view.rank();
                view.dims[at] = end - start;
                view.strides[at] = stride;
                view.rank += 1;
            }
        }
        if view.rank == 0 {
            return Err(fail(
                "every dimension is dropped; keep one with `i..i + 1`, or read a scalar with `get`"
                    .into(),
            ));
        }
        Ok(view.laid_out())
    }

    /// The array with dimensions `a` and `b` exchanged; no element moves.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn transpose(&self, a: usize, b: usize, site: Site) -> Result<Self, OperationError> {
        if a.max(b) >= self.rank() {
            return Err(OperationError::new(
                "transpose",
                site,
                format!(
                    "dimension {} does not exist in {self}; dimensions are {}",
                    a.max(b),
                    self.axes()
                ),
            ));
        }
        let mut view = *self;
        view.dims.swap(a, b);
        view.strides.swap(a, b);
        Ok(view.laid_out())
    }

    /// The array with its dimensions in the order `axes`; no element moves.
    ///
    /// # Errors
    /// Not each dimension exactly once.
    pub fn permute(&self, axes: &[usize], site: Site) -> Result<Self, OperationError> {
        let mut view = *self;
        let each_once =
            axes.len() == self.rank() && (0..self.rank()).all(|axis| axes.contains(&axis));
        if !each_once {
            let message = format!(
                "{} is no order of the {} dimensions of {self}; name each of {} once",
                Dims(axes),
                self.rank(),
                self.axes()
            );
            return Err(OperationError::new("permute", site, message));
        }
        for (to, &from) in axes.iter().enumerate() {
            view.dims[to] = self.dims[from];
            view.strides[to] = self.strides[from];
        }
        Ok(view.laid_out())
    }

    /// The same elements under another shape; needs row-major elements without gaps.
    ///
    /// # Errors
    /// Another number of elements, or a view with gaps.
    pub fn reshape(&self, dims: &[usize], site: Site) -> Result<Self, OperationError> {
        let fail = |message: String| OperationError::new("reshape", site, message);
        let mut view = Self::contiguous(self.dtype, dims).map_err(fail)?;
        if view.elements() != self.elements() {
            return Err(fail(format!(
                "{self} has {} elements, {} has {}",
                self.elements(),
                Dims(dims),
                view.elements()
            )));
        }
        if !self.is_contiguous() {
            return Err(fail(format!(
                "{self} is a view with gaps; reshape it before taking the part, or copy a tile, by \
                 `cast::<{}>(..)`",
                self.dtype
            )));
        }
        view.offset = self.offset;
        Ok(view)
    }

    /// Which dimensions there are, in words.
    fn axes(&self) -> String {
        match self.rank() {
            0 => "none".into(),
            rank => format!("0 to {}", rank - 1),
        }
    }

    /// Length of dimension `axis`.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn dim(&self, axis: usize, site: Site) -> Result<usize, OperationError> {
        self.dims().get(axis).copied().ok_or_else(|| {
            OperationError::new(
                "dim",
                site,
                format!(
                    "dimension {axis} does not exist in {self}; dimensions are {}",
                    self.axes()
                ),
            )
        })
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Dims(self.dims()), self.dtype)
    }
}

/// Prints dimensions as `[64, 128]`.
pub(crate) struct Dims<'a>(pub(crate) &'a [usize]);

impl fmt::Display for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

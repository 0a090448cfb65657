//! The handle of a tile, and views of it.

use super::memory::Bits;
use super::number::{for_number, for_width};
use super::scratch::{Arena, Scratch};
use crate::config::NoValue;
use crate::dtype::{DType, Element, Scalar, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{Dims, SliceItem, View};
use std::fmt;
use std::marker::PhantomData;

/// A strided array in the scratch of a core. Copies share their elements.
#[derive(Clone, Copy)]
pub struct Tile<'s> {
    arena: &'s Arena,
    /// Counted from the start of the arena.
    view: View,
}

impl<'s> Tile<'s> {
    /// A row-major tile that holds whatever the arena holds there; the caller fills it.
    pub(super) fn allocate(
        s: &'s Scratch<'_>,
        operation: &'static str,
        site: Site,
        dtype: DType,
        dims: &[usize],
    ) -> Result<Self, OperationError> {
        let view =
            dense(dtype, dims).map_err(|message| OperationError::new(operation, site, message))?;
        s.arena().note_result(&view);
        let offset = s.reserve(operation, site, view.bytes())? / dtype.bytes();
        let view = View::strided(dtype, offset, view.dims(), view.strides());
        Ok(Self {
            arena: s.arena(),
            view,
        })
    }

    /// The same elements seen through another view inside this one.
    pub(super) fn with(self, view: View) -> Self {
        Self { view, ..self }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.view.dtype()
    }

    /// Length of each dimension, in elements.
    pub fn dims(&self) -> &[usize] {
        self.view.dims()
    }

    /// Number of dimensions; 0 for a single element without dimensions.
    pub fn rank(&self) -> usize {
        self.view.rank()
    }

    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// Length of dimension `axis`, in elements.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn dim(&self, axis: usize, site: Site) -> Result<usize, OperationError> {
        self.view.dim(axis, site)
    }

    /// The part of the tile that `items` select; shares its elements.
    ///
    /// # Errors
    /// Wrong number of items, a bound past its dimension, or no dimension left.
    pub fn slice(&self, items: &[SliceItem], site: Site) -> Result<Self, OperationError> {
        Ok(self.with(self.view.slice(items, site)?))
    }

    /// The part of the first elements of each dimension, as many as `dims` says; no more than there are.
    pub(super) fn corner(&self, dims: &[usize]) -> Self {
        let strides = self.view.strides();
        self.with(View::strided(
            self.dtype(),
            self.view.offset(),
            dims,
            strides,
        ))
    }

    /// The same elements under another shape; shares its elements.
    ///
    /// # Errors
    /// Another number of elements, a view with gaps, or more than five dimensions.
    pub fn reshape(&self, dims: &[usize], site: Site) -> Result<Self, OperationError> {
        if dims.is_empty() && self.view.elements() == 1 {
            return Ok(self.with(View::strided(self.dtype(), self.view.offset(), &[], &[])));
        }
        Ok(self.with(self.view.reshape(dims, site)?))
    }

    /// The tile with dimensions `a` and `b` exchanged; shares its elements.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn transpose(&self, a: usize, b: usize, site: Site) -> Result<Self, OperationError> {
        Ok(self.with(self.view.transpose(a, b, site)?))
    }

    /// Reads one element.
    ///
    /// # Errors
    /// Another element type, or an index past its dimension.
    pub fn get<T: Element>(&self, site: Site, index: &[usize]) -> Result<T, OperationError> {
        let at = self.element::<T>("get", site, index)?;
        let value = for_number!(
            self.dtype(),
            E => self.arena.memory.read::<E, _>(&at, |elements| Some(elements[0].to_value())),
            else self.arena.memory.read::<u8, _>(&at, |elements| Some((elements[0] != 0).to_value()))
        );
        let value = match value {
            Some(value) => value,
            None => self.supplied(site)?,
        };
        T::from_value(value).ok_or_else(|| self.wrong_type::<T>("get", site))
    }

    /// The same for a type that something else says.
    ///
    /// # Errors
    /// As for [`Self::get`].
    #[doc(hidden)]
    pub fn get_as<T: Element>(
        &self,
        site: Site,
        index: &[usize],
        _: PhantomData<T>,
    ) -> Result<T, OperationError> {
        self.get(site, index)
    }

    /// The value that the user supplies for the elements that are read at `site`.
    #[cold]
    fn supplied(&self, site: Site) -> Result<ScalarValue, OperationError> {
        let found = self
            .arena
            .with_supplied(|supplied| supplied.next(site, self.dtype()));
        found
            .unwrap_or_else(|| Err(NoValue::at(site, self.dtype())))
            .map_err(|NoValue { what, help }| {
                OperationError::new("get", site, format!("an element of {self} {what}; {help}"))
            })
    }

    /// Writes one element.
    ///
    /// # Errors
    /// Another element type, or an index past its dimension.
    pub fn set<T: Element>(
        &self,
        site: Site,
        index: &[usize],
        value: T,
    ) -> Result<(), OperationError> {
        let at = self.element::<T>("set", site, index)?;
        let bits = value.to_value().bits();
        for_width!(self.dtype(), E => {
            self.arena.memory.access::<E, E, 0, _>(&at, [], |elements, []| elements[0] = bits as E);
        });
        Ok(())
    }

    /// The view of one element of type `T`.
    fn element<T: Element>(
        &self,
        operation: &'static str,
        site: Site,
        index: &[usize],
    ) -> Result<View, OperationError> {
        if T::DTYPE != self.dtype() {
            return Err(self.wrong_type::<T>(operation, site));
        }
        let inside =
            index.len() == self.rank() && index.iter().zip(self.dims()).all(|(i, d)| i < d);
        if !inside {
            return Err(OperationError::new(
                operation,
                site,
                format!(
                    "index {} is outside {self}; write one index, below its dimension, for each",
                    Dims(index)
                ),
            ));
        }
        let steps = index
            .iter()
            .zip(self.view.strides())
            .map(|(i, s)| i * s)
            .sum::<usize>();
        Ok(View::strided(
            self.dtype(),
            self.view.offset() + steps,
            &[],
            &[],
        ))
    }

    fn wrong_type<T: Element>(&self, operation: &'static str, site: Site) -> OperationError {
        let (own, other) = (self.dtype(), T::NAME);
        OperationError::new(
            operation,
            site,
            format!("{self} does not hold {other}; write `{operation}::<{own}>`, or cast the tile"),
        )
    }

    /// Whether both share a byte.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let range =
            |tile: &Self| for_width!(tile.dtype(), E => super::memory::bytes_of::<E>(&tile.view));
        std::ptr::eq(self.arena, other.arena) && super::memory::overlap(&range(self), &range(other))
    }

    /// The elements in row-major order.
    pub(super) fn to_vec<E: Bits>(self) -> Vec<E> {
        let nest = super::nest::Nest::new(self.dims(), [self.view.strides()]);
        let [step] = nest.steps();
        self.arena.memory.read::<E, _>(&self.view, |elements| {
            let rows = nest.rows();
            rows.flat_map(|[at]| (0..nest.row()).map(move |i| elements[at + i * step]))
                .collect()
        })
    }
}

impl fmt::Display for Tile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view.fmt(f)
    }
}

impl fmt::Debug for Tile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tile").field(&self.view).finish()
    }
}

/// A row-major view at the start of its buffer; unlike a tensor's, it may have no dimensions.
pub(super) fn dense(dtype: DType, dims: &[usize]) -> Result<View, String> {
    if dims.is_empty() {
        return Ok(View::strided(dtype, 0, &[], &[]));
    }
    View::contiguous(dtype, dims)
}

/// Notes the operation, and refuses tiles of another core's arena. The factors of a matrix product are the
/// first two of `tiles`. What is noted ends with the next operation; its result is what it allocates first.
pub(super) fn begin(
    s: &Scratch<'_>,
    operation: &'static str,
    site: Site,
    tiles: &[&Tile<'_>],
) -> Result<(), OperationError> {
    s.begin(operation, site);
    s.arena()
        .note_operation(operation, site, tiles.iter().map(|tile| &tile.view));
    own(s, operation, site, tiles)
}

/// Refuses tiles of another core's arena.
pub(super) fn own(
    s: &Scratch<'_>,
    operation: &'static str,
    site: Site,
    tiles: &[&Tile<'_>],
) -> Result<(), OperationError> {
    match tiles
        .iter()
        .find(|tile| !std::ptr::eq(tile.arena, s.arena()))
    {
        None => Ok(()),
        Some(tile) => Err(OperationError::new(
            operation,
            site,
            format!("{tile} lies in the scratch of another core; exchange data through a tensor"),
        )),
    }
}

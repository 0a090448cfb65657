//! What a function returns, as the code that calls it sees it: the element types of tensors and tiles.

use std::marker::PhantomData;

/// What `f::__results()` says: `R` is the list of what `f` returns, `(Of<f32>, (NoElements, ()))`.
///
/// Whoever asks for what is not there gets an answer all the same: the stub of the caller does not compile then, and
/// says it once.
pub struct Results<R>(PhantomData<R>);

/// A list of results.
pub trait ResultList {
    /// The first.
    type First: ResultType;
    /// All others.
    type Rest: ResultList;
}

/// One result.
pub trait ResultType {
    /// Its element type; of what has no elements, any.
    type Element;
    /// Itself, or `Other` if it has no elements.
    type Or<Other: ResultType>: ResultType;
}

/// The first of one list if it has elements, or else the first of another.
type Either<R, O> = (
    <<R as ResultList>::First as ResultType>::Or<<O as ResultList>::First>,
    (),
);

/// A tensor or tile.
pub struct Of<T>(PhantomData<T>);

/// A scalar, or the name of a task.
pub struct NoElements;

impl<T> ResultType for Of<T> {
    type Element = T;
    type Or<Other: ResultType> = Self;
}

impl ResultType for NoElements {
    type Element = f32;
    type Or<Other: ResultType> = Other;
}

impl ResultList for () {
    type First = NoElements;
    type Rest = ();
}

impl<T: ResultType, R: ResultList> ResultList for (T, R) {
    type First = T;
    type Rest = R;
}

impl<R> Results<R> {
    /// Of this list. What is wrong with it is said where it is written.
    #[allow(clippy::new_without_default, reason = "only generated code makes it")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R: ResultList> Results<R> {
    /// Without the first.
    pub const fn rest(self) -> Results<R::Rest> {
        Results(PhantomData)
    }

    /// The first of these if it has elements, or else the first of the others.
    pub const fn or<O: ResultList>(self, _: Results<O>) -> Results<Either<R, O>> {
        Results(PhantomData)
    }

    /// The element type of the first.
    pub const fn element(self) -> PhantomData<<R::First as ResultType>::Element> {
        PhantomData
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Scalar;

    const fn name<T: Scalar>(_: PhantomData<T>) -> &'static str {
        T::NAME
    }

    #[test]
    fn of_several_results_each_has_its_element_type() {
        type Two = (Of<u8>, (Of<bool>, ()));
        assert_eq!(name(Results::<Two>::new().element()), "u8");
        assert_eq!(name(Results::<Two>::new().rest().element()), "bool");
    }

    #[test]
    fn an_operand_that_has_elements_decides_beside_a_scalar() {
        type Number = (NoElements, ());
        type Tile = (Of<i64>, ());
        let number = Results::<Number>::new;
        let tile = Results::<Tile>::new;
        assert_eq!(name(number().or(tile()).element()), "i64");
        assert_eq!(name(tile().or(number()).element()), "i64");
    }

    #[test]
    fn what_is_not_there_has_some_type() {
        let _ = Results::<()>::new().rest().rest().element();
    }
}

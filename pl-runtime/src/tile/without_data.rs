//! What comes of looking where there is nothing to see.

/// What a look at the bytes of an arena gives if it has none.
pub(super) trait WithoutData {
    fn without_data() -> Self;
}

impl WithoutData for () {
    fn without_data() -> Self {}
}

impl WithoutData for bool {
    fn without_data() -> Self {
        false
    }
}

impl<T> WithoutData for Vec<T> {
    fn without_data() -> Self {
        Self::new()
    }
}

impl<T> WithoutData for Option<T> {
    fn without_data() -> Self {
        None
    }
}

impl<T: WithoutData, E> WithoutData for Result<T, E> {
    fn without_data() -> Self {
        Ok(T::without_data())
    }
}

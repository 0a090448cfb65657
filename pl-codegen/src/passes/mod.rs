//! Passes: each takes a function and gives the changed one.

mod auto_scopes;
mod batch_allocs;
mod device;
mod directions;
mod fuse;
mod link;
mod outline;
mod scalar_types;
mod scope_values;
mod statements;
mod store_returned;
mod tidy;
mod verify;

pub use auto_scopes::insert_auto_scopes;
pub use batch_allocs::{MAX_BATCH, batch_allocs};
pub use device::{Device, Hazard, device};
pub use directions::derive_directions;
pub use fuse::fuse;
pub use link::{Constant, Linked, Source, link};
pub use outline::outline;
pub use scalar_types::close_scalar_types;
pub use scope_values::store_scope_values;
pub use statements::take_apart;
pub use store_returned::store_returned;
pub use tidy::tidy;
pub use verify::verify;

use crate::ir::Function;

/// A function that passed `verify`: the only thing emitters take.
#[derive(Clone, PartialEq, Debug)]
pub struct Validated(Function);

impl Validated {
    /// The function, if it is one.
    ///
    /// # Errors
    /// The rules that it breaks.
    pub fn new(function: Function) -> Result<Self, Vec<String>> {
        verify(&function)?;
        Ok(Self(function))
    }

    /// The function.
    pub fn function(&self) -> &Function {
        &self.0
    }

    /// The function with operations on tiles that run together.
    ///
    /// # Panics
    /// If fusing breaks a rule, which is a mistake of this crate.
    #[must_use]
    pub fn fused(&self) -> Self {
        Self::new(fuse(self.0.clone()))
            .unwrap_or_else(|broken| panic!("fusing gave invalid IR: {}", broken.join("; ")))
    }

    /// The function, to change it further.
    pub fn into_function(self) -> Function {
        self.0
    }
}

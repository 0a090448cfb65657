//! Indices into the tables of a function.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in its table.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A variable: parameter, `let` or loop variable.
    VarId;
    /// A place in the source; the places live in a side table.
    SpanId;
    /// A constant of the surrounding Rust code.
    CaptureId;
    /// A function that is called.
    CalleeId;
    /// One `alloc_tensors` call.
    BatchId;
}

//! The annotated item, with its body kept as tokens until it is known to be readable.

use proc_macro2::Group;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Visibility};

/// `#[attrs] vis fn name(..) { body }`
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// The braces and what is in them, whether or not it is valid Rust.
    pub(crate) body: Group,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}

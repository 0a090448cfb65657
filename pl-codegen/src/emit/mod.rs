//! Emitters: from validated IR to source text or tokens. They decide nothing.

pub mod cpp;
pub mod rust;

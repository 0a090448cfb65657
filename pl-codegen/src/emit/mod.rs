//! Emitters: from validated IR to source text or tokens. They decide nothing.

pub mod rust;

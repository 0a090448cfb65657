//! The attributes of `pl`: the door that rustc knocks at. Everything behind it is in `pl-codegen`.

use pl_codegen::ir::Kind;
use pl_codegen::syntax::{Spelling, expand};
use proc_macro::TokenStream;

/// Marks an orchestration entry: it allocates tensors, opens scopes and submits tasks, and is
/// called from plain Rust with a runtime as its first argument.
///
/// ```text
/// #[pl::jit]                              the compiler places the scopes
/// #[pl::jit(auto_scope = false)]          scopes are written by hand
/// #[pl::jit(dims(M, K))]                  names for dimensions of the parameters
/// #[pl::jit(crate = ::path)]              where the facade crate is, if renamed
/// ```
#[proc_macro_attribute]
pub fn jit(args: TokenStream, item: TokenStream) -> TokenStream {
    expand(Spelling::Jit(Kind::Entry), args.into(), item.into()).into()
}

/// Marks an orchestration helper: what it creates belongs to the scope of its caller.
///
/// Takes the options of `#[pl::jit]`; `auto_scope` rules its own loops and branches. With tiles in its
/// signature, `x: Tile<f32>`, it is a helper of in-core code, and takes no `auto_scope`.
#[proc_macro_attribute]
pub fn jit_inline(args: TokenStream, item: TokenStream) -> TokenStream {
    expand(Spelling::Jit(Kind::Inline), args.into(), item.into()).into()
}

/// Marks the body of one task: it loads tiles, computes and stores them.
///
/// Takes `dims(..)` and `crate = ..`; it opens no scopes, so it takes no `auto_scope`.
#[proc_macro_attribute]
pub fn jit_incore(args: TokenStream, item: TokenStream) -> TokenStream {
    expand(Spelling::Jit(Kind::Incore), args.into(), item.into()).into()
}

/// Marks a multi-chip orchestrator. Read and checked, not available yet.
#[proc_macro_attribute]
pub fn jit_host(args: TokenStream, item: TokenStream) -> TokenStream {
    expand(Spelling::Jit(Kind::Host), args.into(), item.into()).into()
}

/// Marks an orchestration helper in which the compiler places no scopes: for tasks written in place,
/// `at!("name", { .. })`.
///
/// Takes `dims(..)` and `crate = ..`.
#[proc_macro_attribute]
pub fn jit_opaque(args: TokenStream, item: TokenStream) -> TokenStream {
    expand(Spelling::Jit(Kind::Opaque), args.into(), item.into()).into()
}

/// The long spelling of the others: `kind` is `"orchestration"` (`#[pl::jit]`), `"inline"`,
/// `"incore"`, `"opaque"` or `"host"` (`#[pl::jit::inline]` and its like).
///
/// ```text
/// #[pl::function(kind = "orchestration", auto_scope = false)]
/// #[pl::function(kind = "incore", dims(M, K), crate = ::path)]
/// ```
#[proc_macro_attribute]
pub fn function(args: TokenStream, item: TokenStream) -> TokenStream {
    expand(Spelling::Function, args.into(), item.into()).into()
}

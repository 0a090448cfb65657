//! What an annotated function becomes: a stub for rustc, a type of its name, and what runs.

mod facts;
mod native;
mod stub;

pub(crate) use stub::stub_name;

use super::args::Args;
use super::expand::Reserved;
use super::item::Item;
use super::lower::Lower;
use super::signature::{ParamTokens, SignatureTokens};
use crate::compile::Compiled;
use crate::ir::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::GenericParam;

/// Everything that goes into the output.
pub(crate) struct Output<'a, 'r> {
    pub(crate) item: &'a Item,
    pub(crate) args: &'a Args,
    pub(crate) signature: &'a SignatureTokens,
    pub(crate) lower: &'a Lower<'r>,
    /// What the passes gave; `None` after errors.
    pub(crate) compiled: Option<&'a Compiled>,
    /// Set if the name is none that a kernel can have.
    pub(crate) reserved: Option<Reserved>,
}

impl Output<'_, '_> {
    /// All tokens: errors if there are any, and in every case a function and a type of that name.
    pub(crate) fn tokens(&self) -> TokenStream {
        let is_method = self.item.sig.receiver().is_some();
        if is_method || self.reserved.is_some() {
            let errors = self.lower.report.compile_errors();
            let hides = self.reserved == Some(Reserved::Operation);
            let function = (!hides).then(|| self.face());
            return quote!(#errors #function);
        }
        let function = if self.runs() {
            self.entry()
        } else {
            self.stub()
        };
        let item_type = self.item_type();
        // What stands in the function, in the place of what is wrong, is not said again.
        let errors = self.lower.report.compile_errors_inside();
        let levels = ["allow", "warn", "deny", "forbid"];
        let is_level =
            |attr: &&syn::Attribute| levels.iter().any(|level| attr.path().is_ident(level));
        let levels: Vec<_> = self.item.attrs.iter().filter(is_level).collect();
        let warnings = self.lower.report.warnings(&levels);
        quote!(#errors #warnings #function #item_type)
    }

    /// Whether plain Rust calls it, with a runtime.
    fn runs(&self) -> bool {
        matches!(self.kind(), Kind::Entry | Kind::Host)
    }

    /// A name of the function's type that an error shows as the function's own.
    fn named(&self, name: &str) -> Ident {
        Ident::new(name, self.name().span())
    }

    /// Who uses a part of the function's type uses the function. Entries cannot be named without their
    /// arguments, whose types they are generic over.
    fn used(&self) -> TokenStream {
        if self.runs() || !self.signature.is_known() {
            return TokenStream::new();
        }
        let (name, generics) = (self.name(), self.generic_args());
        quote!(let _ = #name #generics;)
    }

    fn kind(&self) -> Kind {
        self.lower.function.kind
    }

    fn name(&self) -> &Ident {
        &self.item.sig.ident
    }

    /// `<T: Element, const N: usize>`
    fn generics(&self) -> TokenStream {
        let params = &self.item.sig.generics.params;
        quote!(<#params>)
    }

    /// `::<T, N>`, or nothing.
    fn generic_args(&self) -> TokenStream {
        let names = self.generic_names();
        if names.is_empty() {
            TokenStream::new()
        } else {
            quote!(::<#(#names),*>)
        }
    }

    fn generic_names(&self) -> Vec<&Ident> {
        self.item
            .sig
            .generics
            .params
            .iter()
            .filter_map(|param| match param {
                GenericParam::Type(ty) => Some(&ty.ident),
                GenericParam::Const(constant) => Some(&constant.ident),
                GenericParam::Lifetime(_) => None,
            })
            .collect()
    }

    fn params(&self) -> impl Iterator<Item = (&ParamTokens, &crate::ir::Param)> {
        self.signature
            .params
            .iter()
            .zip(&self.lower.function.params)
    }

    fn site(&self, span: Span) -> TokenStream {
        let krate = &self.args.krate;
        quote_spanned! {span=>
            #krate::__private::Site::new(::core::file!(), ::core::line!())
        }
    }

    /// The type that carries everything else the compiler knows of the function.
    fn item_type(&self) -> TokenStream {
        let krate = &self.args.krate;
        let vis = &self.item.vis;
        let name = self.name();
        let info = self.info();
        let sig = self.sig();
        let generics = self.generics();
        let (kernel_name, kernel) = (self.named("kernel"), self.kernel());
        let used = self.used();
        let call = match self.kind() {
            Kind::Incore => self.incore(),
            _ => self.in_place(),
        };
        let launch = (self.kind() == Kind::Incore).then(|| {
            let (params, result, run) = self.launch(&quote!(Self));
            quote! {
                /// Runs this kernel alone, as one task: for unit tests. Gives what the kernel
                /// returns, and the report.
                ///
                /// # Errors
                /// As of any run.
                #[allow(clippy::too_many_arguments)]
                pub fn launch #generics (#params) -> #result { #used #run }
            }
        });
        let conditions = self.conditions();
        let stub = self.stub_for_callers();
        let results = self.says_results();
        // Where a type cannot stand, in an `impl`, rustc says so at the name.
        let (item, block) = (
            quote_spanned!(name.span()=> enum #name {}),
            quote_spanned!(name.span()=> impl #name),
        );
        // Each by its name: what a crate denies is no warning, so allowing those does not cover it.
        let denied = quote! {
            #[allow(unused, nonstandard_style, rust_2018_idioms, missing_docs, unreachable_pub)]
            #[allow(unused_results, unused_qualifications, unused_lifetimes, single_use_lifetimes)]
            #[allow(redundant_lifetimes, explicit_outlives_requirements, let_underscore_drop)]
            #[allow(trivial_casts, trivial_numeric_casts, unit_bindings, variant_size_differences)]
            #[allow(deprecated, private_interfaces, private_bounds, unconditional_recursion)]
            #[allow(overflowing_literals, arithmetic_overflow, unconditional_panic)]
        };
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, missing_debug_implementations, missing_copy_implementations)]
            #[allow(clippy::empty_enums, clippy::upper_case_acronyms)]
            #vis #item

            #[doc(hidden)]
            #[automatically_derived]
            #denied
            // Who uses nothing of the type does not use the function: nothing here is kept alive by
            // itself. What is not used here is not reported, since it is not the user's.
            #[warn(dead_code)]
            #[allow(clippy::all, clippy::pedantic)]
            #block {
                pub const INFO: &'static #krate::__private::KernelInfo = #info;
                pub const SIG: #krate::__private::Signature = #sig;
                #stub
                /// The kernel as data: its IR and what becomes of it.
                pub fn #kernel_name #generics () -> #krate::Kernel { #used #conditions #kernel }
                #launch
                #results
                #call
            }
        }
    }
}

/// The body of what must exist although the kernel has errors: rustc never builds it.
fn unreachable_after_errors() -> TokenStream {
    quote!(::core::unreachable!("this kernel did not compile"))
}

//! The functions that users name: type-checked by rustc, and called from plain Rust.

use super::Output;
use crate::ir::{Access, Kind, Type};
use crate::syntax::flatten::{Flatten, hidden};
use crate::syntax::item::Item;
use crate::syntax::signature::ParamTokens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

impl Output<'_, '_> {
    /// The user's function over handles: what rustc type-checks, completes and lints.
    pub(super) fn stub(&self, attrs: &[syn::Attribute], vis: &syn::Visibility) -> TokenStream {
        let name = self.name();
        let generics = self.generics();
        let output = &self.signature.output;
        if self.args.dims.is_empty() {
            let params = self.signature.params.iter().map(
                |ParamTokens {
                     ident,
                     mutability,
                     stub,
                     ..
                 }| { quote!(#mutability #ident: #stub) },
            );
            let body = self.stub_body();
            let lints = self.stub_lints();
            return quote! {
                #(#attrs)*
                #lints
                #vis fn #name #generics (#(#params),*) #output #body
            };
        }
        // Named dimensions are const generics of an inner stub: callers could not infer them.
        let inner = self.stub_with_dims();
        let stubs: Vec<&TokenStream> = self.signature.params.iter().map(|p| &p.stub).collect();
        let idents: Vec<Ident> = (0..stubs.len())
            .map(|i| hidden(&format!("param{i}"), Span::mixed_site()))
            .collect();
        let names = self.generic_names();
        let zeros = self.args.dims.iter().map(|_| quote!(0));
        quote! {
            #(#attrs)*
            #[allow(clippy::too_many_arguments)]
            #vis fn #name #generics (#(#idents: #stubs),*) #output {
                #inner
                #name::<#(#names,)* #(#zeros),*>(#(#idents),*)
            }
        }
    }

    /// Lints that the stub's form would trip; with errors in it, every warning is noise.
    pub(super) fn stub_lints(&self) -> TokenStream {
        let clippy = quote! {
            #[allow(clippy::too_many_arguments, clippy::let_unit_value, clippy::semicolon_if_nothing_returned)]
        };
        if self.compiled.is_some() {
            clippy
        } else {
            quote!(#clippy #[allow(unused)])
        }
    }

    pub(super) fn stub_with_dims(&self) -> TokenStream {
        let name = self.name();
        let output = &self.signature.output;
        let own = self.item.sig.generics.params.iter();
        let dims = self.args.dims.iter();
        let params = self.signature.params.iter().map(
            |ParamTokens {
                 ident,
                 mutability,
                 stub,
                 ..
             }| { quote!(#mutability #ident: #stub) },
        );
        let body = self.stub_body();
        let lints = self.stub_lints();
        quote! {
            #[allow(dead_code, non_upper_case_globals)]
            #lints
            fn #name <#(#own,)* #(const #dims: usize),*> (#(#params),*) #output #body
        }
    }

    /// The user's body with its macros opened, after a mention of every constant dimension.
    pub(super) fn stub_body(&self) -> TokenStream {
        let flatten = Flatten {
            krate: &self.args.krate,
            incore: self.kind() == Kind::Incore,
        };
        let body = flatten.tokens(self.item.body.stream());
        let dims = &self.lower.dim_tokens;
        let mention = (!dims.is_empty()).then(|| {
            let count = dims.len();
            quote!(let _: [usize; #count] = [#(#dims),*];)
        });
        let mut group =
            proc_macro2::Group::new(proc_macro2::Delimiter::Brace, quote!(#mention #body));
        group.set_span(self.item.body.span());
        group.into_token_stream()
    }

    /// The function that plain Rust calls, with the stub inside.
    pub(super) fn entry(&self) -> TokenStream {
        let Item { attrs, vis, .. } = self.item;
        let name = self.name();
        let stub = self.stub_with_dims();
        let (params, result, run) = self.launch(&quote!(#name));
        let generics = self.generics();
        quote! {
            #(#attrs)*
            #[allow(clippy::too_many_arguments, clippy::missing_errors_doc, clippy::items_after_statements)]
            #vis fn #name #generics (#params) -> #result {
                #stub
                #run
            }
        }
    }

    /// Parameters, result and body of a function that runs this one from plain Rust.
    pub(super) fn launch(&self, owner: &TokenStream) -> (TokenStream, TokenStream, TokenStream) {
        let krate = &self.args.krate;
        let rt = hidden("rt", Span::mixed_site());
        let scope = hidden("scope0", Span::mixed_site());
        let mut params = quote!(#rt: &#krate::Runtime);
        let (mut wraps, mut tensors, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (tokens, param) in self.params() {
            let ParamTokens { ident, ty, .. } = tokens;
            all.push(ident);
            if !matches!(param.ty, Type::Tensor(_)) {
                params.extend(quote!(, #ident: #ty));
                continue;
            }
            let rank = param.dims.len();
            let (bound, wrap) = match param.access {
                Access::Read => (quote!(EntryInput), quote!(input)),
                Access::Write => (quote!(EntryOutput), quote!(output)),
                Access::ReadWrite => (quote!(EntryOutput), quote!(inout)),
            };
            params.extend(quote!(, #ident: impl #krate::__private::#bound<#ty, #rank>));
            let index = tensors.len();
            wraps.push(quote!(#krate::__private::bind_argument(
                #owner::INFO,
                #index,
                #krate::__private::EntryArg::#wrap::<#ty, #rank>(#ident),
            )?));
            tensors.push(ident);
        }
        let site = self.site(self.name().span());
        let generic_args = self.generic_args();
        let result = quote!(#krate::Result<#krate::RunReport>);
        let run = quote! {
            #rt.run(
                #owner::INFO,
                [#(#wraps),*],
                |#scope, [#(#tensors),*]| #owner::__call #generic_args (#scope, #site, #(#all),*),
            )
        };
        (params, result, run)
    }
}

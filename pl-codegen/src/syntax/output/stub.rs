//! The functions that users name: type-checked by rustc, and called from plain Rust.

use super::Output;
use crate::ir::{Access, Kind, Type};
use crate::syntax::flatten::{Flatten, hidden};
use crate::syntax::report::bounds;
use crate::syntax::signature::ParamTokens;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// What code calls in its stub: of in-core code, or of orchestration code.
pub(crate) const fn stub_name(incore: bool) -> &'static str {
    if incore { "__stub_in_core" } else { "__stub" }
}

impl Output<'_, '_> {
    /// The user's function over handles: what rustc type-checks, completes and lints.
    pub(super) fn stub(&self) -> TokenStream {
        let (attrs, vis, name) = (&self.item.attrs, &self.item.vis, self.name());
        let generics = self.generics();
        let (fn_token, params) = self.own(&self.stub_params());
        let output = &self.signature.output;
        let (body, lints) = if self.args.dims.is_empty() {
            (self.stub_body(), self.stub_lints())
        } else {
            // Named dimensions are const generics of an inner stub: callers could not infer them.
            let inner = hidden("__with_dims", name.span());
            let stub = self.stub_with_dims(&inner);
            let names = self.generic_names();
            let zeros = self.args.dims.iter().map(|_| quote!(0));
            let idents = self.signature.params.iter().map(|param| &param.ident);
            (
                quote!({ #stub #inner::<#(#names,)* #(#zeros),*>(#(#idents),*) }),
                quote!(#[allow(clippy::too_many_arguments, unused_mut)]),
            )
        };
        quote! {
            #(#attrs)*
            #lints
            #vis #fn_token #name #generics #params #output #body
        }
    }

    /// `fn` and the parameters as the user's own: rustc reports a function that nobody uses only then.
    fn own(&self, params: &TokenStream) -> (syn::Token![fn], Group) {
        let mut group = Group::new(Delimiter::Parenthesis, params.clone());
        group.set_span(self.item.sig.paren_token.span.join());
        (self.item.sig.fn_token, group)
    }

    /// What the stubs of callers call: the way to the user's function through its type, which is
    /// also how generated code gets at the rest. A name that is wrong is so reported once.
    pub(super) fn stub_for_callers(&self) -> TokenStream {
        let name = self.name();
        let incore = self.kind() == Kind::IncoreInline;
        let stub = self.named(stub_name(incore));
        // Code of the other sort cannot call it, which is all that is said there.
        let refused = self.named(stub_name(!incore));
        let generics = self.generics();
        let output = &self.signature.output;
        let idents: Vec<Ident> = self
            .signature
            .params
            .iter()
            .enumerate()
            .map(|(i, param)| hidden(&format!("param{i}"), param.ident.span()))
            .collect();
        let types = self.signature.params.iter().map(|param| &param.stub);
        let noted =
            self.item.attrs.iter().filter(|attr| {
                attr.path().is_ident("deprecated") || attr.path().is_ident("must_use")
            });
        let body = if self.runs() {
            quote!(::core::unreachable!())
        } else {
            let generics = self.generic_args();
            quote!(#name #generics (#(#idents),*))
        };
        quote! {
            #(#noted)*
            pub fn #stub #generics (#(#idents: #types),*) #output { #body }
            pub fn #refused #generics (#(#idents: impl ::core::marker::Sized),*) #output {
                ::core::unreachable!()
            }
        }
    }

    /// Lints that the stub's form would trip; with errors in it, every warning is noise.
    fn stub_lints(&self) -> TokenStream {
        let clippy = quote! {
            #[allow(clippy::too_many_arguments, clippy::let_unit_value, clippy::semicolon_if_nothing_returned)]
        };
        if self.compiled.is_some() {
            clippy
        } else {
            quote!(#clippy #[allow(unused)])
        }
    }

    fn stub_params(&self) -> TokenStream {
        let params = self.signature.params.iter().map(ParamTokens::in_stub);
        quote!(#(#params),*)
    }

    fn stub_with_dims(&self, name: &Ident) -> TokenStream {
        let output = &self.signature.output;
        let own = self.item.sig.generics.params.iter();
        let dims = self.args.dims.iter();
        let params = self.stub_params();
        let body = self.stub_body();
        let lints = self.stub_lints();
        quote! {
            #[allow(dead_code, non_upper_case_globals)]
            #lints
            fn #name <#(#own,)* #(const #dims: usize),*> (#params) #output #body
        }
    }

    /// The user's body with its macros opened, after a mention of every constant or named dimension.
    fn stub_body(&self) -> TokenStream {
        let (open, close) = bounds(&TokenTree::from(self.item.body.clone()));
        // Not everything that expands macros knows where tokens stand.
        let places = open.start() != close.start();
        let flatten = Flatten::new(
            &self.args.krate,
            !self.kind().is_orchestration(),
            places.then_some(self.lower),
        );
        let body = flatten.tokens(self.item.body.stream());
        let refused = self.signature.params.iter().filter_map(|param| {
            let (pattern, error) = (param.pattern(), param.refused.as_ref()?);
            Some(quote!(let #pattern = #error;))
        });
        let body = match &self.signature.refused_output {
            Some(error) => quote!(let _ = { #body }; #error),
            None => self.returned(body),
        };
        let mut dims: Vec<_> = self.lower.dim_tokens.iter().collect();
        // A name that was refused may be that of something else.
        if self.lower.report.is_clean() {
            dims.extend(&self.lower.named_dims);
        }
        let mention = (!dims.is_empty()).then(|| {
            let count = dims.len();
            quote!(let _: [usize; #count] = [#(#dims),*];)
        });
        let mut group = Group::new(Delimiter::Brace, quote!(#mention #(#refused)* #body));
        group.set_span(self.item.body.span());
        group.into_token_stream()
    }

    /// The body of a kernel that returns tensors gives tiles.
    fn returned(&self, body: TokenStream) -> TokenStream {
        let outputs = &self.lower.function.outputs;
        let syn::ReturnType::Type(_, ty) = &self.item.sig.output else {
            return body;
        };
        if outputs.is_empty() {
            return body;
        }
        let krate = &self.args.krate;
        let tiles = self.lower.return_types.iter().map(|elem| {
            // Each at the type that is returned, which is what it comes from.
            quote_spanned!(ty.span()=> #krate::__private::lang::Tile<#elem>)
        });
        let expected = match (&**ty, tiles.len()) {
            (syn::Type::Tuple(_), _) => quote!((#(#tiles,)*)),
            _ => quote!(#(#tiles)*),
        };
        let mut value = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, body);
        value.set_span(self.item.body.span());
        quote!(let _: #expected = #value; ::core::unreachable!())
    }

    /// Only the signature, where there can be no type beside the function.
    pub(super) fn face(&self) -> TokenStream {
        let (vis, name, generics) = (&self.item.vis, self.name(), self.generics());
        let receiver = self.item.sig.receiver().map(|receiver| quote!(#receiver,));
        let (params, output) = if self.runs() {
            let (params, result, _) = self.launch(&quote!(Self));
            (params, quote!(-> #result))
        } else {
            (self.stub_params(), self.signature.output.clone())
        };
        let body = super::unreachable_after_errors();
        quote!(#[allow(unused)] #vis fn #name #generics (#receiver #params) #output { #body })
    }

    /// The function that plain Rust calls, with the stub inside.
    pub(super) fn entry(&self) -> TokenStream {
        let (attrs, vis, name) = (&self.item.attrs, &self.item.vis, self.name());
        let stub = self.stub_with_dims(name);
        let (params, result, run) = self.launch(&quote!(#name));
        let (fn_token, params) = self.own(&params);
        let generics = self.generics();
        let quiet = (!self.signature.is_known()).then(|| quote!(#[allow(unused)]));
        // In a block of its own: a parameter may have the name of the function.
        quote! {
            #(#attrs)*
            #[allow(clippy::too_many_arguments, clippy::missing_errors_doc, clippy::items_after_statements)]
            #quiet
            #vis #fn_token #name #generics #params -> #result {
                { #stub }
                #run
            }
        }
    }

    /// Result and body of a function that runs a kernel alone and gives what it returns: `run` is the
    /// run of an orchestration, to be called, `call` the call in it.
    fn launch_returning(
        &self,
        run: impl FnOnce(&TokenStream) -> TokenStream,
        call: &TokenStream,
        scope: &Ident,
        site: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let krate = &self.args.krate;
        let named =
            |stem: &str, index: usize| hidden(&format!("{stem}{index}"), Span::mixed_site());
        let outputs = self.lower.function.outputs.iter().enumerate();
        let (mut types, mut tensors, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
        for ((index, output), elem) in outputs.zip(&self.lower.return_types) {
            let ix = Ident::new(&format!("Ix{}", output.dims.len()), Span::mixed_site());
            types.push(quote!(#krate::__private::Array<#elem, #krate::__private::#ix>));
            tensors.push(named("tensor", index));
            arrays.push(named("array", index));
        }
        let one_or_all = |items: &[TokenStream]| match items {
            [one] => one.clone(),
            _ => quote!((#(#items),*)),
        };
        let as_tokens = |idents: &[Ident]| -> Vec<TokenStream> {
            idents.iter().map(ToTokens::to_token_stream).collect()
        };
        let filled: Vec<TokenStream> = arrays
            .iter()
            .map(|array| quote!(#array.expect("a run without errors fills it")))
            .collect();
        let (all_types, all_tensors, all_arrays) = (
            one_or_all(&types),
            one_or_all(&as_tokens(&tensors)),
            one_or_all(&filled),
        );
        let report = named("report", 0);
        let result = quote!(#krate::Result<(#all_types, #krate::RunReport)>);
        let run = run(&quote! {{
            let #all_tensors = #call?;
            #(#arrays = ::core::option::Option::Some(#scope.fetch(#site, #tensors)?);)*
            ::core::result::Result::Ok(())
        }});
        let body = quote! {
            #(let mut #arrays = ::core::option::Option::None;)*
            let #report = #run?;
            ::core::result::Result::Ok((#all_arrays, #report))
        };
        (result, body)
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
        if !self.signature.is_known() {
            return (params, result, super::unreachable_after_errors());
        }
        let call = quote!(#owner::__call #generic_args (#site, (#scope, #(#all,)*)));
        let run = |orchestration: &TokenStream| {
            let body = quote!(|#scope, [#(#tensors),*]| #orchestration);
            if self.kind() == Kind::Incore {
                return quote!(#rt.run(#owner::INFO, [#(#wraps),*], #body));
            }
            let scalars = self
                .params()
                .filter(|(_, p)| !matches!(p.ty, Type::Tensor(_)));
            let scalars = scalars.map(|(tokens, _)| {
                let ParamTokens { ident, ty, .. } = tokens;
                // Of what is no scalar the type is to blame.
                quote!(<#ty as #krate::__private::Scalar>::to_value(#ident))
            });
            quote! {
                #rt.run_entry(
                    #owner::INFO, [#(#wraps),*], [#(#scalars),*], #owner::kernel #generic_args, #body
                )
            }
        };
        if self.lower.function.outputs.is_empty() {
            return (params, result, run(&call));
        }
        let (result, body) = self.launch_returning(run, &call, &scope, &site);
        (params, result, body)
    }
}

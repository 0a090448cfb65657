//! The functions that run: the submission of a task and its body, or the orchestration.

use super::{Output, unreachable_after_errors};
use crate::check::Need;
use crate::compile::Compiled;
use crate::emit::rust::Emitter;
use crate::ir::{Access, CalleeId, Dim, Elem, Type};
use crate::syntax::flatten::hidden;
use crate::syntax::signature::ParamTokens;
use crate::syntax::tokens::TokenSink;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Output<'_, '_> {
    /// `__call` and `__body` of in-core code: the submission of a task, and the task.
    pub(super) fn incore(&self) -> TokenStream {
        let krate = &self.args.krate;
        let generics = self.generics();
        let generic_args = self.generic_args();
        let scope = hidden("scope0", Span::mixed_site());
        let site = hidden("site", Span::mixed_site());
        let params = self.call_params(&quote!('_));
        let Some(compiled) = self.compiled else {
            let body = unreachable_after_errors();
            return quote! {
                pub fn __call #generics (#scope: &#krate::__private::Scope<'_>, #site: #krate::__private::Site, #params)
                    -> #krate::Result<()> { #body }
            };
        };
        let dims = self.bind_dims(false);
        let args = self
            .params()
            .filter(|(_, p)| matches!(p.ty, Type::Tensor(_)))
            .map(|(tokens, param)| {
                let ident = &tokens.ident;
                let tag = match param.access {
                    Access::Read => quote!(Input),
                    Access::Write => quote!(OutputExisting),
                    Access::ReadWrite => quote!(InOut),
                };
                quote!(#krate::__private::TaskArg::#tag(#ident))
            });
        let scalars = self
            .params()
            .filter(|(_, p)| !matches!(p.ty, Type::Tensor(_)))
            .map(|(tokens, _)| {
                let ident = &tokens.ident;
                quote!(#krate::__private::Scalar::to_value(#ident))
            });
        let scratch = hidden("scratch0", Span::mixed_site());
        let task = hidden("args", Span::mixed_site());
        let unpack = self.unpack(&task);
        let body = self.body(compiled);
        quote! {
            pub fn __call #generics (#scope: &#krate::__private::Scope<'_>, #site: #krate::__private::Site, #params)
                -> #krate::Result<()>
            {
                #dims
                #scope.submit(#site, #krate::__private::TaskSpec::new(
                    Self::INFO,
                    Self::__body #generic_args,
                    &[#(#args),*],
                    &[#(#scalars),*],
                ))?;
                ::core::result::Result::Ok(())
            }

            pub fn __body #generics (#scratch: &#krate::__private::Scratch<'_>, #task: &#krate::__private::TaskArgs<'_>)
                -> ::core::result::Result<(), #krate::__private::OperationError>
            {
                #unpack
                #body
            }
        }
    }

    /// Parameters of in-core code from the task's arguments, and its named dimensions.
    pub(super) fn unpack(&self, task: &Ident) -> TokenStream {
        let mut tokens = TokenStream::new();
        let (mut tensors, mut scalars) = (0_usize, 0_usize);
        for (
            ParamTokens {
                ident,
                mutability,
                ty,
                ..
            },
            param,
        ) in self.params()
        {
            if matches!(param.ty, Type::Tensor(_)) {
                tokens.extend(quote!(let #mutability #ident = #task.tensor(#tensors);));
                tensors += 1;
            } else {
                tokens.extend(quote!(let #mutability #ident: #ty = #task.scalar(#scalars);));
                scalars += 1;
            }
        }
        let site = self.site(self.name().span());
        for index in 0..self.args.dims.len() as u32 {
            let found = self
                .lower
                .function
                .named_dim(index)
                .map(|(var, axis)| (&self.lower.idents[var.index()], axis));
            let dim = hidden(&format!("dim{index}"), Span::mixed_site());
            tokens.extend(match found {
                Some((ident, axis)) => quote!(let #dim = #ident.dim(#axis, #site)?;),
                None => quote!(),
            });
        }
        tokens
    }

    pub(super) fn orchestration(&self) -> TokenStream {
        let krate = &self.args.krate;
        let scope = hidden("scope0", Span::mixed_site());
        let site = hidden("site", Span::mixed_site());
        let params = self.call_params(&quote!('x));
        let own = self.item.sig.generics.params.iter();
        let result = self.call_result();
        let head = quote! {
            pub fn __call<'s, 'x: 's, #(#own),*> (
                #scope: &'s #krate::__private::Scope<'_>, #site: #krate::__private::Site, #params
            ) -> #krate::Result<#result>
        };
        let Some(compiled) = self.compiled else {
            let body = unreachable_after_errors();
            return quote!(#head { #body });
        };
        let dims = self.bind_dims(true);
        let conditions = compiled.calls.iter().map(|call| {
            let path = &self.lower.callees[call.callee.index()].0;
            let span = path
                .segments
                .last()
                .map_or(Span::call_site(), |last| last.ident.span());
            let inside_manual = call.inside_manual.is_some();
            let depth = Literal::u32_unsuffixed(call.depth);
            // An item, not a const block: those are not evaluated by `cargo check`.
            quote_spanned! {span=>
                const _: () = if let ::core::option::Option::Some(text) =
                    #path::SIG.refusal(#inside_manual, #depth) { ::core::panic!("{}", text) };
            }
        });
        let flow = self.flow_conditions(compiled);
        let body = self.body(compiled);
        quote! {
            #head {
                #(#conditions)*
                #flow
                #dims
                #body
            }
        }
    }

    /// What the data flow asks of callees, left to rustc in the same way.
    fn flow_conditions(&self, compiled: &Compiled) -> TokenStream {
        let source = self.lower.report.source_map();
        let writes = |callee: CalleeId, index: usize| {
            let path = &self.lower.callees[callee.index()].0;
            quote!(#path::SIG.writes(#index))
        };
        let conditions = compiled.conditions.iter().map(|condition| {
            let holds = match &condition.need {
                Need::SomeWrites(uses) => {
                    let some = uses.iter().map(|&(callee, index)| writes(callee, index));
                    quote!(#(#some)||*)
                }
                Need::Reads(callee, index) => {
                    let written = writes(*callee, *index);
                    quote!(!#written)
                }
            };
            let text = condition.otherwise.render(&source);
            let span = self.lower.report.span(condition.otherwise.span);
            quote_spanned!(span=> const _: () = ::core::assert!(#holds, "{}", #text);)
        });
        conditions.collect()
    }

    pub(super) fn body(&self, compiled: &Compiled) -> TokenStream {
        let mut emitter = Emitter::new(
            &compiled.function,
            TokenSink::new(self.lower, &self.args.krate),
        );
        emitter.body();
        emitter.out.finish()
    }

    pub(super) fn call_params(&self, lifetime: &TokenStream) -> TokenStream {
        let krate = &self.args.krate;
        self.params()
            .map(
                |(
                    ParamTokens {
                        ident,
                        mutability,
                        ty,
                        ..
                    },
                    param,
                )| {
                    if matches!(param.ty, Type::Tensor(_)) {
                        quote!(#mutability #ident: #krate::__private::Tensor<#lifetime>,)
                    } else {
                        quote!(#mutability #ident: #ty,)
                    }
                },
            )
            .collect()
    }

    pub(super) fn call_result(&self) -> TokenStream {
        let krate = &self.args.krate;
        let types: Vec<TokenStream> = self
            .lower
            .return_types
            .iter()
            .map(|scalar| match scalar {
                Some(ty) => ty.clone(),
                None => quote!(#krate::__private::Tensor<'s>),
            })
            .collect();
        match (&self.item.sig.output, types.as_slice()) {
            (syn::ReturnType::Type(_, ty), [single]) if !matches!(**ty, syn::Type::Tuple(_)) => {
                single.clone()
            }
            _ => quote!((#(#types),*)),
        }
    }

    /// Checks element types, ranks and dimensions of the arguments; gives the named dimensions.
    pub(super) fn bind_dims(&self, named: bool) -> TokenStream {
        let krate = &self.args.krate;
        let site = hidden("site", Span::mixed_site());
        let params = self.params().filter_map(|(tokens, param)| {
            let Type::Tensor(elem) = &param.ty else { return None };
            let ident = &tokens.ident;
            let name = ident.to_string();
            let dtype = match elem {
                Elem::Known(dtype) => {
                    let dtype = Ident::new(&format!("{dtype:?}"), Span::mixed_site());
                    quote!(#krate::__private::DType::#dtype)
                }
                _ => {
                    let ty = &tokens.ty;
                    quote!(<#ty as #krate::__private::Element>::DTYPE)
                }
            };
            let dims = param.dims.iter().map(|dim| match dim {
                Dim::Any => quote!(#krate::__private::DimSpec::Any),
                Dim::Named(index) => {
                    let index = *index as usize;
                    quote!(#krate::__private::DimSpec::Named(#index))
                }
                Dim::Const(expr) => {
                    let mut emitter = Emitter {
                        function: &self.lower.function,
                        out: TokenSink::new(self.lower, krate),
                        depth: 0,
                    };
                    emitter.expr(expr);
                    let value = emitter.out.finish();
                    quote!(#krate::__private::DimSpec::Exact(#value))
                }
            });
            Some(quote! {
                #krate::__private::BoundParam { name: #name, tensor: #ident, dtype: #dtype, dims: &[#(#dims),*] }
            })
        });
        let names = self.args.dims.iter().map(ToString::to_string);
        let targets = (0..self.args.dims.len()).map(|index| {
            let name = if named {
                format!("dim{index}")
            } else {
                "_".to_owned()
            };
            hidden(&name, Span::mixed_site())
        });
        quote! {
            let [#(#targets),*] =
                #krate::__private::bind_dims(Self::INFO, #site, &[#(#params),*], [#(#names),*])?;
        }
    }
}

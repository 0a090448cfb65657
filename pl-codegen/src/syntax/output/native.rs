//! The functions that run: the submission of a task and its body, or the orchestration.

use super::{Output, unreachable_after_errors};
use crate::check::Need;
use crate::compile::Compiled;
use crate::emit::rust::Emitter;
use crate::ir::{Access, CalleeId, Dim, Elem, Expr, Kind, Type};
use crate::syntax::flatten::hidden;
use crate::syntax::tokens::TokenSink;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Output<'_, '_> {
    /// `__call` and `__body` of in-core code: the submission of a task, and the task.
    pub(super) fn incore(&self) -> TokenStream {
        let krate = &self.args.krate;
        let generics = self.generics();
        let generic_args = self.generic_args();
        let scope = hidden("scope0", Span::mixed_site());
        let site = hidden("site", Span::mixed_site());
        let own: Vec<_> = self.item.sig.generics.params.iter().collect();
        let (params, says_params) = self.call_params();
        let (call, submit) = (self.named("__call"), self.named("__submit"));
        let body_name = self.named("__body");
        let Some(compiled) = self.compiled else {
            let (result, body) = (self.call_result(&quote!('s)), unreachable_after_errors());
            let no_submit = self.no_submit();
            return quote! {
                #no_submit
                pub fn #call<'s, 'x, #(#own),*>(#site: #krate::__private::Site, #params)
                    -> #krate::Result<#result> { #body }
                #says_params
            };
        };
        let outputs = &self.lower.function.outputs;
        let dims = self.bind_dims(!outputs.is_empty());
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
            })
            .chain(self.allocated());
        let scalars = self
            .params()
            .filter(|(_, p)| !matches!(p.ty, Type::Tensor(_)))
            .map(|(tokens, _)| {
                let ident = &tokens.ident;
                quote!(#krate::__private::Scalar::to_value(#ident))
            });
        let scratch = hidden("scratch0", Span::mixed_site());
        let task = hidden("args0", Span::mixed_site());
        let launch = hidden("launch0", Span::mixed_site());
        let names = self.params().map(|(tokens, _)| &tokens.ident);
        let unpack = self.unpack(&task);
        let body = self.body(compiled);
        let submitted = hidden("task", Span::mixed_site());
        let result = self.call_result(&quote!('s));
        let value = match (self.returns_tuple(), outputs.len()) {
            (false, 1) => quote!(#submitted.get_ref(0)),
            (_, count) => {
                let indices = 0..count;
                quote!((#(#submitted.get_ref(#indices)),*))
            }
        };
        quote! {
            pub fn #call<'s, 'x, #(#own),*>(#site: #krate::__private::Site, #params)
                -> #krate::Result<#result>
            {
                let #launch = #krate::__private::TaskSpec::launch();
                let (#submitted, _) =
                    Self::#submit #generic_args (#site, (#scope, #(#names,)*), #launch)?;
                ::core::result::Result::Ok(#submitted)
            }

            pub fn #submit<'s, 'x, #(#own),*>(
                #site: #krate::__private::Site, #params, #launch: #krate::__private::TaskSpec<'x>
            ) -> #krate::Result<(#result, #krate::__private::TaskId<'s>)> {
                #dims
                let #submitted = #scope.submit(#site, #launch.of(
                    Self::INFO,
                    Self::#body_name #generic_args,
                    &[#(#args),*],
                    &[#(#scalars),*],
                ))?;
                ::core::result::Result::Ok((#value, #submitted.task_id()))
            }

            #says_params

            pub fn #body_name #generics (#scratch: &#krate::__private::Scratch<'_>, #task: &#krate::__private::TaskArgs<'_>)
                -> ::core::result::Result<(), #krate::__private::OperationError>
            {
                #unpack
                #body
            }
        }
    }

    /// The tensors that a kernel returns, to be allocated by its submit.
    fn allocated(&self) -> impl Iterator<Item = TokenStream> {
        let krate = &self.args.krate;
        let returned = self.lower.function.outputs.iter();
        returned
            .zip(&self.lower.return_types)
            .map(move |(output, ty)| {
                let dtype = self.dtype(&output.elem, ty);
                let dims = output.dims.iter().map(|dim| match dim {
                    Dim::Const(expr) => self.constant(expr),
                    Dim::Named(index) => {
                        hidden(&format!("dim{index}"), Span::mixed_site()).into_token_stream()
                    }
                    // Refused.
                    Dim::Any => quote!(0),
                });
                quote! {
                    #krate::__private::TaskArg::Output(
                        #krate::__private::TensorCreateInfo::new(#dtype, &[#(#dims),*])
                    )
                }
            })
    }

    /// Parameters of in-core code from the task's arguments, and its named dimensions.
    fn unpack(&self, task: &Ident) -> TokenStream {
        let mut tokens = TokenStream::new();
        let (mut tensors, mut scalars) = (0_usize, 0_usize);
        for (param_tokens, param) in self.params() {
            let (pattern, ty) = (param_tokens.pattern(), &param_tokens.ty);
            if matches!(param.ty, Type::Tensor(_)) {
                tokens.extend(quote!(let #pattern = #task.tensor(#tensors);));
                tensors += 1;
            } else {
                tokens.extend(quote!(let #pattern: #ty = #task.scalar(#scalars);));
                scalars += 1;
            }
        }
        for output in &self.lower.function.outputs {
            let ident = &self.lower.idents[output.var.index()];
            tokens.extend(quote!(let #ident = #task.tensor(#tensors);));
            tensors += 1;
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

    /// `__call` of an entry or a helper: what it does, in the scope or scratch of its caller.
    pub(super) fn in_place(&self) -> TokenStream {
        let krate = &self.args.krate;
        let site = hidden("site", Span::mixed_site());
        let (params, says_params) = self.call_params();
        let call = self.named("__call");
        let own = self.item.sig.generics.params.iter();
        let result = self.call_result(&quote!('s));
        let no_submit = self.no_submit();
        let error = if self.kind().is_orchestration() {
            quote!(Error)
        } else {
            quote!(__private::OperationError)
        };
        let head = quote! {
            #says_params

            #no_submit

            pub fn #call<'s, 'x: 's, #(#own),*>(#site: #krate::__private::Site, #params)
                -> ::core::result::Result<#result, #krate::#error>
        };
        let Some(compiled) = self.compiled else {
            let body = unreachable_after_errors();
            return quote!(#head { #body });
        };
        let dims = self.bind_dims(true);
        let body = self.body(compiled);
        quote! {
            #head {
                #dims
                #body
            }
        }
    }

    /// `__submit` of what is no task: so that nothing follows from the error of a `submit!` of it.
    fn no_submit(&self) -> TokenStream {
        let krate = &self.args.krate;
        let submit = self.named("__submit");
        let own = self.item.sig.generics.params.iter();
        let body = unreachable_after_errors();
        quote! {
            pub fn #submit<'s, #(#own),*>(
                _: #krate::__private::Site, _: impl ::core::marker::Sized,
                _: #krate::__private::TaskSpec<'_>
            ) -> #krate::Result<((), #krate::__private::TaskId<'s>)> { #body }
        }
    }

    /// What must hold of callees, left to rustc: the callees are not known here.
    pub(super) fn conditions(&self) -> TokenStream {
        let Some(compiled) = self.compiled else {
            return TokenStream::new();
        };
        let krate = &self.args.krate;
        // A name alone may be anything: an alias of a tensor's type, say.
        let scalars = self
            .params()
            .filter(|(_, param)| {
                !matches!(param.ty, Type::Tensor(_) | Type::Tile(_) | Type::TaskId)
            })
            .map(|(tokens, _)| {
                let ty = &tokens.ty;
                quote!(let _ = <#ty as #krate::__private::Scalar>::to_value;)
            });
        let conditions = compiled.calls.iter().map(|call| {
            let callee = &self.lower.callees[call.callee.index()];
            let (sig, span) = (callee.fact("SIG"), callee.span());
            // That it may not be submitted is enough.
            let inside_manual = call.inside_manual.is_some() && !call.submits;
            let depth = Literal::u32_unsuffixed(call.depth);
            let refusal = if call.in_core {
                quote!(refusal_in_core())
            } else {
                quote!(refusal(#inside_manual, #depth))
            };
            // An item, not a const block: those are not evaluated by `cargo check`.
            quote_spanned! {span=>
                const _: () = if let ::core::option::Option::Some(text) =
                    #sig.#refusal { ::core::panic!("{}", text) };
            }
        });
        let source = self.lower.report.source_map();
        let writes = |callee: CalleeId, index: usize| {
            let sig = self.lower.callees[callee.index()].fact("SIG");
            quote!(#sig.writes(#index))
        };
        // Once for all: a function with n calls may have as many conditions.
        let miscounted = hidden("__MISCOUNTED", Span::mixed_site());
        let calls = compiled
            .conditions
            .iter()
            .find_map(|condition| match &condition.need {
                Need::SomeWrites { calls, .. } => Some(calls),
                _ => None,
            });
        let counts = calls.map(|calls| {
            let wrong = calls.iter().map(|&(callee, count)| {
                let sig = self.lower.callees[callee.index()].fact("SIG");
                quote!(!#sig.takes(#count))
            });
            quote!(const #miscounted: bool = #(#wrong)||*;)
        });
        let flow = compiled.conditions.iter().map(|condition| {
            let holds = match &condition.need {
                Need::SomeWrites { by, .. } => {
                    let some = by.iter().map(|&(callee, index)| writes(callee, index));
                    let any = some.chain([quote!(#miscounted)]);
                    quote!(#(#any)||*)
                }
                Need::IsTask(callee) => {
                    let sig = self.lower.callees[callee.index()].fact("SIG");
                    quote!(#sig.is_task())
                }
                Need::WorksInParts(callee) => {
                    let sig = self.lower.callees[callee.index()].fact("SIG");
                    quote!(#sig.in_parts || !#sig.task)
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
        scalars
            .chain(conditions)
            .chain(counts)
            .chain(flow)
            .collect()
    }

    fn body(&self, compiled: &Compiled) -> TokenStream {
        let fused = self.args.fuses().then(|| compiled.function.fused());
        let function = fused.as_ref().unwrap_or(&compiled.function);
        let mut emitter = Emitter::new(function, TokenSink::new(self.lower, &self.args.krate));
        emitter.body();
        emitter.out.finish()
    }

    /// The parameters of `__call` as one tuple, and `__params`, which says its type: what a caller
    /// has is fitted to it. The first is the scope, or the scratch, that the caller is in.
    fn call_params(&self) -> (TokenStream, TokenStream) {
        let krate = &self.args.krate;
        let own = self.item.sig.generics.params.iter();
        let says_params = self.named("__params");
        let head = quote!(pub fn #says_params<'s, 'x, #(#own),*>());
        if !self.signature.is_known() {
            return (
                quote!(_: ()),
                quote!(#head -> ::core::marker::PhantomData<()> { ::core::marker::PhantomData }),
            );
        }
        let (around, around_type) = if self.kind() == Kind::IncoreInline {
            ("scratch0", quote!(Scratch))
        } else {
            ("scope0", quote!(Scope))
        };
        let around = hidden(around, Span::mixed_site());
        let around_type = quote!(&'s #krate::__private::#around_type<'s>);
        let names = self.params().map(|(tokens, _)| tokens.pattern());
        let types: Vec<TokenStream> = self
            .params()
            .map(|(tokens, param)| self.native_type(&param.ty, &tokens.ty, &quote!('x)))
            .collect();
        (
            quote!((#around, #(#names,)*): (#around_type, #(#types,)*)),
            quote! {
                #head -> ::core::marker::PhantomData<(#around_type, #(#types,)*)> {
                    ::core::marker::PhantomData
                }
            },
        )
    }

    /// What `__call` gives.
    fn call_result(&self, lifetime: &TokenStream) -> TokenStream {
        let returns = self.lower.function.returns.iter();
        let types: Vec<TokenStream> = returns
            .zip(&self.lower.return_types)
            .map(|(ty, written)| self.native_type(ty, written, lifetime))
            .collect();
        match types.as_slice() {
            [single] if !self.returns_tuple() => single.clone(),
            _ => quote!((#(#types),*)),
        }
    }

    /// `__results`: the element types of what it returns, for callers that read elements of it.
    pub(super) fn says_results(&self) -> TokenStream {
        let krate = &self.args.krate;
        let (name, generics) = (self.named("__results"), self.generics());
        let returns = self.lower.function.returns.iter();
        let list =
            returns
                .zip(&self.lower.return_types)
                .rev()
                .fold(quote!(()), |rest, (ty, written)| match ty {
                    Type::Tensor(_) | Type::Tile(_) => {
                        quote!((#krate::__private::Of<#written>, #rest))
                    }
                    _ => quote!((#krate::__private::NoElements, #rest)),
                });
        let results = quote!(#krate::__private::Results);
        quote!(pub fn #name #generics () -> #results<#list> { #results::new() })
    }

    /// Whether the result is written as a tuple.
    pub(super) fn returns_tuple(&self) -> bool {
        matches!(&self.item.sig.output, syn::ReturnType::Type(_, ty)
            if matches!(**ty, syn::Type::Tuple(_)))
    }

    /// A handle in what runs; a scalar as it is written.
    fn native_type(&self, ty: &Type, written: &TokenStream, lifetime: &TokenStream) -> TokenStream {
        let krate = &self.args.krate;
        match ty {
            Type::Tensor(_) => quote!(#krate::__private::Tensor<#lifetime>),
            Type::Tile(_) => quote!(#krate::__private::tile::Tile<#lifetime>),
            Type::TaskId => quote!(#krate::__private::TaskId<#lifetime>),
            _ => written.clone(),
        }
    }

    /// The tag of an element type that is written `ty`.
    fn dtype(&self, elem: &Elem, ty: &TokenStream) -> TokenStream {
        let krate = &self.args.krate;
        if let Elem::Known(dtype) = elem {
            let dtype = Ident::new(&format!("{dtype:?}"), Span::mixed_site());
            return quote!(#krate::__private::DType::#dtype);
        }
        quote!(<#ty as #krate::__private::Element>::DTYPE)
    }

    /// A dimension of the signature.
    fn constant(&self, expr: &Expr) -> TokenStream {
        let sink = TokenSink::new(self.lower, &self.args.krate);
        let mut emitter = Emitter::over(&self.lower.function, sink);
        emitter.expr(expr);
        emitter.out.finish()
    }

    /// Checks element types, ranks and dimensions of the arguments; gives the named dimensions.
    fn bind_dims(&self, named: bool) -> TokenStream {
        let krate = &self.args.krate;
        let site = hidden("site", Span::mixed_site());
        let params = self.params().filter_map(|(tokens, param)| {
            let Type::Tensor(elem) = &param.ty else { return None };
            let ident = &tokens.ident;
            let name = ident.to_string();
            let dtype = self.dtype(elem, &tokens.ty);
            let dims = param.dims.iter().map(|dim| match dim {
                Dim::Any => quote!(#krate::__private::DimSpec::Any),
                Dim::Named(index) => {
                    let index = *index as usize;
                    quote!(#krate::__private::DimSpec::Named(#index))
                }
                Dim::Const(expr) => {
                    let value = self.constant(expr);
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

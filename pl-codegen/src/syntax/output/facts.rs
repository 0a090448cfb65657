//! What others know of a function: its description, its signature for callers, its IR.

use super::{Output, unreachable_after_errors};
use crate::check::{UsedWhole, refused, used_whole};
use crate::ir::{Kind, Scalar, Type};
use crate::syntax::tokens::access_tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::HashMap;

impl Output<'_, '_> {
    pub(super) fn info(&self) -> TokenStream {
        let krate = &self.args.krate;
        let name = self.name();
        let text = name.to_string();
        let (file, line) = {
            let span = name.span();
            (
                quote_spanned!(span=> ::core::file!()),
                quote_spanned!(span=> ::core::line!()),
            )
        };
        let params = self
            .params()
            .filter(|(_, p)| matches!(p.ty, Type::Tensor(_)))
            .map(|(tokens, param)| {
                let name = tokens.ident.to_string();
                let access = access_tokens(param.access, krate);
                quote!(#krate::__private::ParamInfo { name: #name, access: #access })
            });
        let outputs = self.lower.function.outputs.iter().map(|output| {
            let name = &self.lower.function.var(output.var).name;
            quote!(#krate::__private::ParamInfo { name: #name, access: #krate::__private::Access::Write })
        });
        let params = params.chain(outputs);
        quote! {
            &#krate::__private::KernelInfo { name: #text, file: #file, line: #line, params: &[#(#params),*] }
        }
    }

    /// What callers must know to be checked: see `pl_runtime::call::Signature`.
    pub(super) fn sig(&self) -> TokenStream {
        let krate = &self.args.krate;
        let name = self.name().to_string();
        let writes = self.params().map(|(_, param)| param.access.writes());
        let writes = quote!(&[#(#writes),*]);
        let task = self.kind() == Kind::Incore;
        // After errors nothing is held against it.
        let used = match self.compiled {
            Some(_) => used_whole(&self.lower.function),
            None => UsedWhole::default(),
        };
        let stored = used.passed.iter().map(|&(callee, index)| {
            let callee = self.lower.callees[callee.index()].fact("SIG");
            quote!(#callee.writes(#index))
        });
        let here = used.here;
        let in_parts = quote!(!(#here #(|| #stored)*));
        let refused = |from_incore| match refused(self.kind(), &name, from_incore) {
            Some(refusal) => {
                let text = refusal.text();
                quote!(::core::option::Option::Some(#text))
            }
            None => quote!(::core::option::Option::None),
        };
        let (refused, refused_in_core) = (refused(false), refused(true));
        let Some(compiled) = self.compiled.filter(|_| self.kind().is_helper()) else {
            return quote! {
                #krate::__private::Signature {
                    refused: #refused,
                    refused_in_core: #refused_in_core,
                    opens_auto: ::core::option::Option::None,
                    opens_manual: ::core::option::Option::None,
                    depth: 0,
                    writes: #writes,
                    task: #task,
                    in_parts: #in_parts,
                }
            };
        };
        let source = self.lower.report.source_map();
        let text = |span: Option<crate::ir::SpanId>, message: &dyn Fn(String) -> String| match span
        {
            Some(span) => {
                let text = message(source.place(span));
                quote!(::core::option::Option::Some(#text))
            }
            None => quote!(::core::option::Option::None),
        };
        let auto = text(compiled.opens.auto, &|place| {
            format!(
                "AUTO scope inside a MANUAL scope: `{name}` opens an AUTO scope at {place} [PL0001]\n\
             help: call `{name}` outside the MANUAL scope"
            )
        });
        let manual = text(compiled.opens.manual, &|place| {
            format!(
                "MANUAL scope inside a MANUAL scope: `{name}` opens a MANUAL scope at {place} [PL0002]\n\
             help: call `{name}` outside the MANUAL scope"
            )
        });
        let depth = Literal::u32_unsuffixed(compiled.opens.depth);
        let mut sig = quote! {
            #krate::__private::Signature {
                refused: #refused,
                refused_in_core: #refused_in_core,
                opens_auto: #auto,
                opens_manual: #manual,
                depth: #depth,
                writes: #writes,
                task: false,
                in_parts: false,
            }
        };
        for call in &compiled.calls {
            let callee = self.lower.callees[call.callee.index()].fact("SIG");
            let depth = Literal::u32_unsuffixed(call.depth);
            sig = quote!(#sig.calling(#callee, #depth));
        }
        sig
    }

    pub(super) fn kernel(&self) -> TokenStream {
        let krate = &self.args.krate;
        if self.compiled.is_none() {
            return unreachable_after_errors();
        }
        let unit = self.lower.unit().to_text();
        let captures = self.lower.captures.iter().zip(&self.lower.alike).map(
            // A name that is wrong is reported here as where it stands: with what is like it.
            |(tokens, alike)| {
                if alike.is_empty() {
                    quote!(#krate::__private::Scalar::to_value(#tokens))
                } else {
                    quote!({ #(let #alike = ();)* #krate::__private::Scalar::to_value(#tokens) })
                }
            },
        );
        let (elements, scalars) = (&self.lower.elem_types, &self.lower.scalar_types);
        let open = |name: &str| !Scalar::is_primitive(name) && !elements.contains_key(name);
        let scalars = scalars.iter().filter(|(name, _)| open(name));
        let scalars = scalars
            .map(|(name, ty)| quote!((#name, #krate::__private::TypeName::<#ty>::new().name())));
        let types = elements
            .iter()
            .map(|(name, ty)| quote!((#name, <#ty as #krate::__private::Element>::DTYPE.name())))
            .chain(scalars);
        let (callees, which) = self.callees();
        quote! {
            #krate::Kernel::new(
                #unit,
                &[#(#captures),*],
                &[#(#types),*],
                &[#(#callees),*],
                &[#(#which),*],
            )
        }
    }

    /// The kernel of each function that is called, once, and which of them each call means.
    fn callees(&self) -> (Vec<TokenStream>, Vec<usize>) {
        let (mut kernels, mut known) = (Vec::new(), HashMap::new());
        let which = self.lower.callees.iter().map(|callee| {
            let kernel = callee.item("kernel");
            let text = kernel.to_string();
            // Of two macros it is two crates.
            let one = (!text.contains("$crate")).then_some(text);
            if let Some(&place) = one.as_ref().and_then(|text| known.get(text)) {
                return place;
            }
            kernels.push(quote!(#kernel()));
            known.extend(one.map(|text| (text, kernels.len() - 1)));
            kernels.len() - 1
        });
        let which = which.collect();
        (kernels, which)
    }
}

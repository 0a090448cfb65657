//! Results of functions.

use super::lower::Lower;
use super::signature::LoweredType;
use crate::diag::Code;
use crate::ir::{Access, Dim, Kind, Output, Type};
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, PathArguments, ReturnType, Signature};

impl Lower<'_> {
    /// The result in the stub, and the error if it was refused.
    pub(super) fn output(&mut self, output: &ReturnType) -> (TokenStream, Option<TokenStream>) {
        let ReturnType::Type(arrow, ty) = output else {
            return (TokenStream::new(), None);
        };
        let types: Vec<&syn::Type> = match &**ty {
            syn::Type::Tuple(tuple) => tuple.elems.iter().collect(),
            single => vec![single],
        };
        let (before, kind) = (self.report.count(), self.function.kind);
        let returns = kind.is_helper() || kind == Kind::Incore;
        if !returns && !types.is_empty() {
            self.report.node_error(
                ty,
                Code::Signature,
                "an entry returns nothing; its results are its `Out` parameters",
                "write the result to a parameter `y: Out<Tensor<..>>`",
            );
        }
        if let (Kind::Incore, syn::Type::Tuple(_), [_]) = (kind, &**ty, types.as_slice()) {
            self.report.node_error(
                ty,
                Code::Signature,
                "a kernel returns one tensor, or a tuple of several",
                "write the type of the tensor without parentheses",
            );
        }
        let mut stubs = Vec::new();
        for single in &types {
            let Some(lowered) = self.param_type(single) else {
                break;
            };
            if !self.can_return(single, &lowered) {
                break;
            }
            stubs.push(lowered.stub);
            self.return_types.push(lowered.tokens);
            if let (Kind::Incore, Type::Tensor(elem)) = (kind, &lowered.ty) {
                let (elem, span, n) = (elem.clone(), single.span(), self.function.outputs.len());
                let value = Type::Tile(elem.clone());
                let output = Output {
                    var: self.declare_hidden(&format!("result{n}"), span, lowered.ty.clone()),
                    value: self.declare_hidden(&format!("value{n}"), span, value),
                    elem,
                    dims: lowered.dims,
                };
                self.function.outputs.push(output);
            }
            if returns {
                self.function.returns.push(lowered.ty);
            }
        }
        let known = stubs.len() == types.len();
        let output = match (&**ty, stubs.as_slice()) {
            (syn::Type::Tuple(_), _) if known => quote!(#arrow (#(#stubs),*)),
            (_, [single]) => quote!(#arrow #single),
            _ => TokenStream::new(),
        };
        let refused = self.report.count() > before;
        (output, refused.then(|| self.report.error_value(before)))
    }

    /// Whether a function of this kind may return this.
    fn can_return(&mut self, written: &syn::Type, lowered: &LoweredType) -> bool {
        let is_tensor = matches!(lowered.ty, Type::Tensor(_));
        let (message, help) = match self.function.kind {
            Kind::IncoreInline if is_tensor => (
                "a helper of in-core code returns tiles and scalars",
                "return the tile, or `store` it into a parameter `y: Out<Tensor<..>>`",
            ),
            Kind::Incore if !is_tensor => (
                "a kernel returns tensors: it runs later than its caller goes on",
                "return `Tensor<f32, 1>` and read it with `x.get([0])`, which waits",
            ),
            _ if lowered.access != Access::Read => (
                "a result has no direction; `Out` and `InOut` say what happens to a parameter",
                "return the tensor itself: `Tensor<..>`",
            ),
            Kind::Incore if lowered.dims.contains(&Dim::Any) => (
                "the dimensions of a tensor that a kernel returns are not known from its arguments",
                "name them after dimensions of parameters, `dims(M)` and `Tensor<f32, M>`, or make \
                 them constants",
            ),
            _ => return true,
        };
        self.report
            .node_error(written, Code::Signature, message, help);
        false
    }
}

/// Whether tiles are among the parameters or results: then a helper is one of in-core code.
pub(crate) fn mentions_tile(sig: &Signature) -> bool {
    let params = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => Some(&*param.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    params.chain(output).any(is_tile)
}

fn is_tile(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            last.ident == "Tile"
                || matches!(&last.arguments, PathArguments::AngleBracketed(args)
                    if args.args.iter().any(|arg| matches!(arg, GenericArgument::Type(ty) if is_tile(ty))))
        }),
        syn::Type::Tuple(tuple) => tuple.elems.iter().any(is_tile),
        _ => false,
    }
}

//! Parameters and results: from the language's types to handle types.

use super::args::Args;
use super::expand::Reserved;
use super::flatten::hidden;
use super::lower::{Lower, text_of};
use crate::diag::Code;
use crate::ir::{Access, DType, Dim, Elem, Generic, Kind, MAX_RANK, Param, Scalar, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, GenericParam, Pat, PathArguments, Signature};

/// A parameter as the generated functions declare it.
pub(crate) struct ParamTokens {
    /// The user's name.
    pub(crate) ident: Ident,
    /// `mut`, if written.
    pub(crate) mutability: Option<syn::Token![mut]>,
    /// Type in the stub: rank in place of dimensions.
    pub(crate) stub: TokenStream,
    /// The user's element type (of a tensor) or scalar type.
    pub(crate) ty: TokenStream,
    /// The error that stands for its value if its type was refused.
    pub(crate) refused: Option<TokenStream>,
}

impl ParamTokens {
    /// `mut x`
    pub(crate) fn pattern(&self) -> TokenStream {
        let Self {
            ident, mutability, ..
        } = self;
        quote!(#mutability #ident)
    }

    /// `mut x: Tensor<f32, 2>`
    pub(crate) fn in_stub(&self) -> TokenStream {
        let (pattern, stub) = (self.pattern(), &self.stub);
        quote!(#pattern: #stub)
    }
}

/// A signature in handle types.
pub(crate) struct SignatureTokens {
    pub(crate) params: Vec<ParamTokens>,
    /// Result type in the stub, arrow included.
    pub(crate) output: TokenStream,
    /// The error that stands for the result if its type was refused.
    pub(crate) refused_output: Option<TokenStream>,
}

impl SignatureTokens {
    /// Whether callers can be held to it.
    pub(crate) fn is_known(&self) -> bool {
        self.params.iter().all(|param| param.refused.is_none()) && self.refused_output.is_none()
    }
}

const PARAMETER_HELP: &str = "parameters are `x: Tensor<f32, M, 128>`, `Out<Tensor<..>>`, \
                              `InOut<Tensor<..>>` or a scalar such as `scale: f32`";

impl Lower<'_> {
    /// Lowers the signature; fills generics, dimensions, parameters and results of the function.
    pub(crate) fn signature(&mut self, sig: &Signature, args: &Args) -> SignatureTokens {
        self.qualifiers(sig);
        self.generics(sig);
        let mut params = Vec::new();
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(receiver) => self.report.node_error(
                    receiver,
                    Code::Signature,
                    "a kernel cannot be a method",
                    "write it as a free function",
                ),
                FnArg::Typed(param) => params.push(self.param(param)),
            }
        }
        for dim in &args.dims {
            let index = self.lookup_dim(dim);
            if index.is_none_or(|index| self.function.named_dim(index).is_none()) {
                self.report.at(
                    dim.span(),
                    Code::Signature,
                    format!("`{dim}` is not a dimension of any parameter"),
                    format!("use it in one, `x: Tensor<f32, {dim}>`, or remove it from `dims(..)`"),
                );
            }
        }
        let (output, refused_output) = self.output(&sig.output);
        SignatureTokens {
            params,
            output,
            refused_output,
        }
    }

    fn qualifiers(&mut self, sig: &Signature) {
        let mut refuse = |node: &dyn ToTokens, what: &str| {
            self.report.node_error(
                &node.to_token_stream(),
                Code::Signature,
                format!("a kernel cannot be {what}"),
                "remove it",
            );
        };
        if let Some(token) = &sig.constness {
            refuse(token, "`const`");
        }
        if let Some(token) = &sig.asyncness {
            refuse(token, "`async`");
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            refuse(token, "`unsafe`");
        }
        if let Some(token) = &sig.abi {
            refuse(token, "`extern`");
        }
        if let Some(token) = &sig.variadic {
            refuse(token, "variadic");
        }
        if let Some(clause) = &sig.generics.where_clause {
            self.report.node_error(
                clause,
                Code::Signature,
                "a kernel cannot have a `where` clause",
                "write the bound at the parameter: `<T: Element>`",
            );
        }
    }

    fn generics(&mut self, sig: &Signature) {
        for param in &sig.generics.params {
            match param {
                GenericParam::Lifetime(lifetime) => self.report.node_error(
                    lifetime,
                    Code::Signature,
                    "a kernel has no lifetime parameters; its scopes are its lifetimes",
                    "remove it",
                ),
                GenericParam::Type(ty) => {
                    let name = ty.ident.to_string();
                    // What is known of the primitive type would be taken for known of the parameter.
                    if Scalar::is_primitive(&name) {
                        self.report.node_error(
                            &ty.ident,
                            Code::ReservedName,
                            format!("a type parameter cannot be called `{name}`: the language has that name"),
                            "call it `T`",
                        );
                    }
                    let is_const = false;
                    self.function.generics.push(Generic { name, is_const });
                }
                GenericParam::Const(constant) => self.function.generics.push(Generic {
                    name: constant.ident.to_string(),
                    is_const: true,
                }),
            }
        }
    }

    fn param(&mut self, param: &syn::PatType) -> ParamTokens {
        let before = self.report.count();
        let name = match &*param.pat {
            Pat::Ident(name) if self.lookup(&name.ident).is_some() => {
                self.report.node_error(
                    &name.ident,
                    Code::Signature,
                    format!("two parameters are called `{}`", name.ident),
                    "give one of them another name",
                );
                None
            }
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(name),
            other => {
                self.report.node_error(
                    other,
                    Code::Signature,
                    "a parameter of a kernel is one name",
                    PARAMETER_HELP,
                );
                None
            }
        };
        let lowered = name.and_then(|_| self.param_type(&param.ty));
        let refused = lowered.is_none().then(|| self.report.error_value(before));
        let lowered = lowered.unwrap_or_else(LoweredType::refused);
        let (ident, mutability) = match name {
            Some(name) => (name.ident.clone(), name.mutability),
            None => {
                let name = format!("param{}", self.function.params.len());
                (hidden(&name, param.pat.span()), None)
            }
        };
        let var = self.declare(&ident, mutability.is_some(), lowered.ty.clone());
        self.function.params.push(Param {
            var,
            ty: lowered.ty,
            dims: lowered.dims,
            access: lowered.access,
        });
        ParamTokens {
            ident,
            mutability,
            stub: lowered.stub,
            ty: lowered.tokens,
            refused,
        }
    }

    pub(super) fn param_type(&mut self, ty: &syn::Type) -> Option<LoweredType> {
        let syn::Type::Path(path) = ty else {
            self.report.node_error(
                ty,
                Code::Signature,
                "this is not a type that a kernel can take",
                PARAMETER_HELP,
            );
            return None;
        };
        let segment = path.path.segments.last()?;
        match (segment.ident.to_string().as_str(), &segment.arguments) {
            (wrapper @ ("Out" | "InOut"), PathArguments::AngleBracketed(args)) => {
                let Some(GenericArgument::Type(inner)) = args.args.first() else {
                    self.report.node_error(
                        ty,
                        Code::Signature,
                        format!("`{wrapper}` needs the tensor it wraps"),
                        format!("write `{wrapper}<Tensor<f32, M, N>>`"),
                    );
                    return None;
                };
                let mut lowered = self.param_type(inner)?;
                if !matches!(lowered.ty, Type::Tensor(_)) || lowered.access != Access::Read {
                    self.report.node_error(
                        ty,
                        Code::Signature,
                        format!("`{wrapper}` wraps a tensor, nothing else"),
                        format!("write `{wrapper}<Tensor<f32, M, N>>`"),
                    );
                    return None;
                }
                lowered.access = if wrapper == "Out" {
                    Access::Write
                } else {
                    Access::ReadWrite
                };
                let inner = lowered.stub;
                lowered.stub = with_arguments(&path.path, &quote!(#inner));
                Some(lowered)
            }
            ("Tensor", PathArguments::AngleBracketed(args)) => {
                let mut args = args.args.iter();
                let Some(GenericArgument::Type(elem)) = args.next() else {
                    self.report.node_error(
                        ty,
                        Code::Signature,
                        "`Tensor` needs its element type first",
                        "write `Tensor<f32, M, N>`",
                    );
                    return None;
                };
                let dims: Vec<Dim> = args.map(|arg| self.dim(arg)).collect();
                if !(1..=MAX_RANK).contains(&dims.len()) {
                    self.report.node_error(
                        ty,
                        Code::Signature,
                        format!(
                            "a tensor has 1 to {MAX_RANK} dimensions, not {}",
                            dims.len()
                        ),
                        "write one length for each: a constant, a name from `dims(..)`, or `_`",
                    );
                    return None;
                }
                if self.refuse_element(elem) {
                    return None;
                }
                let rank = dims.len();
                Some(LoweredType {
                    ty: Type::Tensor(self.elem(elem)),
                    stub: with_arguments(&path.path, &quote!(#elem, #rank)),
                    tokens: elem.to_token_stream(),
                    dims,
                    access: Access::Read,
                })
            }
            ("Tensor", _) => {
                self.report.node_error(
                    ty,
                    Code::Signature,
                    "`Tensor` needs its element type and dimensions",
                    "write `Tensor<f32, M, N>`; `_` stands for any length",
                );
                None
            }
            ("TaskId", PathArguments::None) => (!self.refuse_ids(ty)).then(|| LoweredType {
                ty: Type::TaskId,
                stub: ty.to_token_stream(),
                tokens: ty.to_token_stream(),
                dims: Vec::new(),
                access: Access::Read,
            }),
            ("TaskIds", _) => {
                self.refuse_array(ty);
                None
            }
            ("Tile", PathArguments::AngleBracketed(args)) => self.tile_type(&path.path, args),
            ("Tile", _) => {
                self.report.node_error(
                    ty,
                    Code::Signature,
                    "`Tile` needs its element type",
                    "write `Tile<f32>`; a tile of any shape has this type",
                );
                None
            }
            (name, PathArguments::None) => Some(LoweredType {
                ty: Type::Scalar(self.scalar_type(name, ty)),
                stub: ty.to_token_stream(),
                tokens: ty.to_token_stream(),
                dims: Vec::new(),
                access: Access::Read,
            }),
            _ => {
                self.report.node_error(
                    ty,
                    Code::Signature,
                    "this is not a type that a kernel can take",
                    PARAMETER_HELP,
                );
                None
            }
        }
    }

    /// `Tile<f32>`, which helpers of in-core code take and give.
    fn tile_type(
        &mut self,
        path: &syn::Path,
        args: &syn::AngleBracketedGenericArguments,
    ) -> Option<LoweredType> {
        let mut args = args.args.iter();
        let (Some(GenericArgument::Type(elem)), None) = (args.next(), args.next()) else {
            self.report.node_error(
                path,
                Code::Signature,
                "`Tile` takes its element type alone",
                "write `Tile<f32>`; `x.dim(0)` is a length of it",
            );
            return None;
        };
        if self.function.kind != Kind::IncoreInline {
            self.report.node_error(
                path,
                Code::Signature,
                format!(
                    "`{}` marks no function of tiles: they are in the scratch of one core",
                    self.function.kind.attribute()
                ),
                "take the tensor and `load` it, or mark the function `#[pl::jit::inline]`: a helper \
                 with tiles is called from in-core code",
            );
            return None;
        }
        if self.refuse_element(elem) {
            return None;
        }
        Some(LoweredType {
            ty: Type::Tile(self.elem(elem)),
            stub: with_arguments(path, &quote!(#elem)),
            tokens: elem.to_token_stream(),
            dims: Vec::new(),
            access: Access::Read,
        })
    }

    /// Reports a primitive type that tensors and tiles cannot have.
    pub(crate) fn refuse_element(&mut self, ty: &syn::Type) -> bool {
        let text = ty.to_token_stream().to_string();
        let primitive = Reserved::of(&text) == Some(Reserved::Primitive);
        if !primitive || DType::from_name(&text).is_some() {
            return false;
        }
        let names: Vec<&str> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
        self.report.node_error(
            ty,
            Code::ArgumentKind,
            format!("`{text}` is not an element type"),
            format!("element types are `{}`", names.join("`, `")),
        );
        true
    }

    /// The scalar type of a signature, `name` the last of its path.
    fn scalar_type(&mut self, name: &str, ty: &syn::Type) -> Scalar {
        if Scalar::is_primitive(name) {
            return Scalar::named(name);
        }
        let text = text_of(&ty.to_token_stream());
        self.scalar_types.insert(text.clone(), ty.to_token_stream());
        Scalar::Named(text)
    }

    /// The element type, by its Rust name.
    pub(crate) fn elem(&mut self, ty: &syn::Type) -> Elem {
        let name = ty.to_token_stream().to_string();
        let last = name.rsplit("::").next().unwrap_or(&name).trim();
        match DType::from_name(last) {
            Some(dtype) => Elem::Known(dtype),
            None => {
                self.elem_types
                    .entry(name.clone())
                    .or_insert_with(|| ty.to_token_stream());
                Elem::Generic(name)
            }
        }
    }

    fn dim(&mut self, argument: &GenericArgument) -> Dim {
        let expr = match argument {
            GenericArgument::Type(syn::Type::Infer(_)) => return Dim::Any,
            GenericArgument::Type(syn::Type::Path(path)) => {
                let name = path.path.get_ident();
                if let Some(index) = name.and_then(|name| self.lookup_dim(name)) {
                    self.named_dims.push(path.to_token_stream());
                    return Dim::Named(index);
                }
                if let Some(name) = name
                    && self.lookup(name).is_some()
                {
                    self.report.node_error(
                        path,
                        Code::Signature,
                        format!("parameter `{name}` cannot be a dimension"),
                        format!("name it in the attribute, `dims({name})`, or make it a constant"),
                    );
                    return Dim::Any;
                }
                syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: path.qself.clone(),
                    path: path.path.clone(),
                })
            }
            GenericArgument::Const(expr) => match expr {
                syn::Expr::Block(block) if block.block.stmts.len() == 1 => {
                    match &block.block.stmts[0] {
                        syn::Stmt::Expr(inner, None) => inner.clone(),
                        _ => expr.clone(),
                    }
                }
                _ => expr.clone(),
            },
            other => {
                self.report.node_error(
                    other,
                    Code::Signature,
                    "this is not a dimension",
                    "a dimension is a constant, a name from `dims(..)`, or `_`",
                );
                return Dim::Any;
            }
        };
        let lowered = self.scalar(&expr);
        self.dim_tokens.push(expr.to_token_stream());
        Dim::Const(lowered)
    }
}

/// A type of the language, lowered.
pub(super) struct LoweredType {
    pub(super) ty: Type,
    pub(super) stub: TokenStream,
    pub(super) tokens: TokenStream,
    pub(super) dims: Vec<Dim>,
    pub(super) access: Access,
}

impl LoweredType {
    /// What stands for a type that was refused: a function with it takes anything.
    fn refused() -> Self {
        Self {
            ty: Type::Never,
            stub: quote!(impl ::core::marker::Sized),
            tokens: quote!(impl ::core::marker::Sized),
            dims: Vec::new(),
            access: Access::Read,
        }
    }
}

/// The user's path with other generic arguments, so that imports stay used and hover works.
fn with_arguments(path: &syn::Path, arguments: &TokenStream) -> TokenStream {
    let mut bare = path.clone();
    if let Some(last) = bare.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    quote!(#bare<#arguments>)
}

//! The state of lowering one function: names, places, captured tokens.

use super::at::Region;
use super::call::distance;
use super::flatten::hidden;
use super::infer::Infer;
use super::report::Reporter;
use super::tokens::turbofish;
use crate::ir::{
    Block, Callee, CalleeId, CaptureId, Expr, ExprKind, Function, Kind, LoopKind, SpanId, Type,
    Var, VarId,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::ext::IdentExt;

/// A function that is called.
pub(crate) struct CalleeTokens {
    /// Path of its type, without generic arguments.
    path: syn::Path,
    /// `::<T, N>`, or nothing.
    generics: TokenStream,
    /// The path as written, generic arguments included.
    pub(crate) place: SpanId,
}

impl CalleeTokens {
    /// Place of the name.
    pub(crate) fn span(&self) -> Span {
        self.path
            .segments
            .last()
            .map_or(Span::call_site(), |last| last.ident.span())
    }

    /// Something that its type has: always reached in the same way, so that rustc reports a name or
    /// generic arguments that are wrong once.
    pub(crate) fn fact(&self, name: &str) -> TokenStream {
        let (path, name) = (&self.path, Ident::new(name, self.span()));
        quote_spanned!(self.span()=> <#path>::#name)
    }

    /// A function that its type has, with the generic arguments.
    pub(crate) fn item(&self, name: &str) -> TokenStream {
        let (fact, generics) = (self.fact(name), &self.generics);
        quote!(#fact #generics)
    }
}

/// Lowers one function; the tables beside the IR hold the user's tokens for the emitter.
pub(crate) struct Lower<'r> {
    pub(crate) report: &'r mut Reporter,
    pub(crate) function: Function,
    pub(crate) infer: Infer,
    /// The stub has a type error that rustc reports: nothing more is generated from the body.
    pub(crate) left_to_rustc: bool,
    /// Statements were refused unread, with what they assign.
    pub(crate) unread: bool,
    /// The `at!` region around what is being read.
    pub(crate) region: Option<Region>,
    /// Names of the regions so far, and where they stand.
    pub(crate) regions: Vec<(String, SpanId)>,
    /// Loops around what is being read, outermost first.
    pub(crate) loops: Vec<LoopKind>,
    /// Names in scope, innermost last.
    names: Vec<(String, VarId)>,
    /// Identifier of each variable in generated code.
    pub(crate) idents: Vec<Ident>,
    /// The identifier of each variable as declared.
    declared: Vec<Ident>,
    /// Tokens of each captured constant.
    pub(crate) captures: Vec<TokenStream>,
    /// Variables around each that rustc may offer for its name.
    pub(crate) alike: Vec<Vec<Ident>>,
    /// Functions that are called.
    pub(crate) callees: Vec<CalleeTokens>,
    /// Tokens of element types that are not primitive, by their text.
    pub(crate) elem_types: BTreeMap<String, TokenStream>,
    /// Tokens of constant dimensions in the signature, and of named ones.
    pub(crate) dim_tokens: Vec<TokenStream>,
    pub(crate) named_dims: Vec<TokenStream>,
    /// Element type (of a handle) or scalar type of each result, as written.
    pub(crate) return_types: Vec<TokenStream>,
    /// Tokens of scalar types: of annotations and casts, and those of the signature that are not primitive; by
    /// their text.
    pub(crate) scalar_types: BTreeMap<String, TokenStream>,
}

impl<'r> Lower<'r> {
    /// Nothing lowered yet.
    pub(crate) fn new(
        report: &'r mut Reporter,
        name: &Ident,
        kind: Kind,
        auto_scope: bool,
    ) -> Self {
        let span = report.place(name.span(), name.span());
        Self {
            report,
            function: Function {
                name: name.to_string(),
                kind,
                auto_scope: auto_scope && kind.takes_auto_scope(),
                generics: Vec::new(),
                dims: Vec::new(),
                params: Vec::new(),
                returns: Vec::new(),
                outputs: Vec::new(),
                vars: Vec::new(),
                captures: Vec::new(),
                callees: Vec::new(),
                body: Block::default(),
                span,
            },
            infer: Infer::default(),
            left_to_rustc: false,
            unread: false,
            region: None,
            regions: Vec::new(),
            loops: Vec::new(),
            names: Vec::new(),
            idents: Vec::new(),
            declared: Vec::new(),
            captures: Vec::new(),
            alike: Vec::new(),
            callees: Vec::new(),
            elem_types: BTreeMap::new(),
            dim_tokens: Vec::new(),
            named_dims: Vec::new(),
            return_types: Vec::new(),
            scalar_types: BTreeMap::new(),
        }
    }

    /// Whether what is being read is the body of a task, or a part of one.
    pub(crate) fn is_incore(&self) -> bool {
        self.region.is_some() || !self.function.kind.is_orchestration()
    }

    /// Declares a variable; later lookups of its name find it.
    pub(crate) fn declare(&mut self, ident: &Ident, mutable: bool, ty: Type) -> VarId {
        let id = VarId(self.function.vars.len() as u32);
        let span = self.report.place(ident.span(), ident.span());
        self.function.vars.push(Var {
            name: ident.to_string(),
            mutable,
            ty,
            span,
        });
        // Names of generated code are unique: a variable may be declared before the value that
        // another one of its name goes into.
        self.declared.push(ident.clone());
        let shadows = self.idents.iter().any(|known| known == ident);
        self.idents.push(if shadows {
            let name = format!("{}_{}", ident.unraw(), id.0);
            Ident::new(&name, ident.span().resolved_at(Span::mixed_site()))
        } else {
            ident.clone()
        });
        self.names.push((ident.unraw().to_string(), id));
        id
    }

    /// Declares a variable of ours, which no name of the user finds.
    pub(crate) fn declare_hidden(&mut self, name: &str, span: Span, ty: Type) -> VarId {
        let var = self.declare(&hidden(name, span), false, ty);
        self.names.pop();
        var
    }

    /// The variable of that name.
    pub(crate) fn lookup(&self, name: &Ident) -> Option<VarId> {
        let name = name.unraw();
        self.names
            .iter()
            .rev()
            .find(|(known, _)| name == known.as_str())
            .map(|&(_, id)| id)
    }

    /// The named dimension of that name.
    pub(crate) fn lookup_dim(&self, name: &Ident) -> Option<u32> {
        let name = name.unraw();
        let found = self
            .function
            .dims
            .iter()
            .position(|dim| name == dim.as_str());
        found.map(|index| index as u32)
    }

    /// Runs `inner`; names declared in it are gone afterwards.
    pub(crate) fn in_block<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.names.len();
        let result = inner(self);
        self.names.truncate(outer);
        result
    }

    /// A constant of the surrounding code.
    pub(crate) fn capture(&mut self, node: &impl ToTokens, span: SpanId) -> Expr {
        let id = CaptureId(self.captures.len() as u32);
        let tokens = node.to_token_stream();
        self.function.captures.push(text_of(&tokens));
        let names = self.names.iter().map(|&(_, id)| &self.declared[id.index()]);
        let written = tokens.to_string();
        self.alike.push(
            names
                .filter(|name| alike(&name.to_string(), &written))
                .cloned()
                .collect(),
        );
        self.captures.push(tokens);
        Expr {
            kind: ExprKind::Capture(id),
            ty: Type::Captured(id),
            span,
        }
    }

    /// A function that is called, with the path split from its generic arguments.
    pub(crate) fn callee(&mut self, path: &syn::Path) -> CalleeId {
        let id = CalleeId(self.callees.len() as u32);
        let span = self.report.node(path);
        let mut bare = path.clone();
        let mut generics = TokenStream::new();
        if let Some(last) = bare.segments.last_mut() {
            generics = std::mem::take(&mut last.arguments).into_token_stream();
        }
        self.function.callees.push(Callee {
            path: text_of(&path.to_token_stream()),
            span,
        });
        self.callees.push(CalleeTokens {
            path: bare,
            generics: turbofish(&generics),
            place: span,
        });
        id
    }
}

/// Whether one name may be meant by another: at least all that rustc takes for similar.
fn alike(name: &str, written: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    distance(name, written) <= 1 + name.len().max(written.len()) / 3
        || letters(name) == letters(written)
}

/// Rust text of tokens, without the spaces that token printing puts around `::` and `<`.
pub(crate) fn text_of(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        if c == ' ' {
            let next = rest[1..].chars().next();
            let tight =
                |c: char| matches!(c, ':' | '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | '.');
            let before = out.chars().last();
            if next.is_some_and(|c| tight(c) && c != '<' || c == '<' && out.ends_with(':'))
                || before.is_some_and(|c| matches!(c, ':' | '<' | '(' | '[' | '.'))
            {
                rest = &rest[1..];
                continue;
            }
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

//! Places and diagnostics, collected while a function is read.

use crate::diag::{Code, Diagnostic};
use crate::ir::{SourceMap, SpanId};
use proc_macro2::{Delimiter, Group, Ident, LineColumn, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// First and last token of a place: an error underlines everything between them.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

/// Collects places and diagnostics.
#[derive(Default)]
pub(crate) struct Reporter {
    places: Vec<Place>,
    diagnostics: Vec<Diagnostic>,
    lints: Vec<Diagnostic>,
    /// Expressions and types that were refused, each with the diagnostics about it that lie outside.
    refused: Vec<(SpanId, Range<usize>)>,
    /// Types that were refused in the body: rustc is to find them out.
    untyped: Vec<SpanId>,
    /// Diagnostics that stand in the output already, in the place of what they refuse.
    placed: RefCell<BTreeSet<usize>>,
}

impl Reporter {
    /// Remembers a place.
    pub(crate) fn place(&mut self, start: Span, end: Span) -> SpanId {
        self.places.push(Place { start, end });
        SpanId(self.places.len() as u32 - 1)
    }

    /// Remembers the place of a syntax node.
    pub(crate) fn node(&mut self, node: &impl ToTokens) -> SpanId {
        let mut tokens = node
            .to_token_stream()
            .into_iter()
            .map(|token| bounds(&token));
        let first = tokens
            .next()
            .unwrap_or((Span::call_site(), Span::call_site()));
        let last = tokens.last().unwrap_or(first);
        self.place(first.0, last.1)
    }

    /// Reports a mistake at one token.
    pub(crate) fn at(
        &mut self,
        span: Span,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let id = self.place(span, span);
        self.push(Diagnostic::new(code, id, message, help));
    }

    /// Reports a mistake at a syntax node.
    pub(crate) fn node_error(
        &mut self,
        node: &impl ToTokens,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let id = self.node(node);
        self.push(Diagnostic::new(code, id, message, help));
    }

    /// Adds a diagnostic.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds what a check found.
    pub(crate) fn extend(&mut self, diagnostics: Vec<Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Adds what is allowed, and likely not meant.
    pub(crate) fn warn(&mut self, lints: &[Diagnostic]) {
        self.lints.extend_from_slice(lints);
    }

    /// What there is to warn of.
    pub(crate) fn lints(&self) -> &[Diagnostic] {
        &self.lints
    }

    /// Number of diagnostics so far.
    pub(crate) fn count(&self) -> usize {
        self.diagnostics.len()
    }

    /// Nothing can be made of this expression or type: in the stub its errors stand in its place,
    /// so that rustc, which takes an error for any type, does not report what follows from them.
    pub(crate) fn refuse(&mut self, place: SpanId, diagnostics: Range<usize>) {
        self.refused.push((place, diagnostics));
    }

    /// In the stub, `_` stands for this type.
    pub(crate) fn untyped(&mut self, ty: &impl ToTokens) {
        let place = self.node(ty);
        self.untyped.push(place);
    }

    /// For how many of these tokens `_` stands.
    pub(crate) fn untyped_at(&self, tokens: &[TokenTree]) -> Option<usize> {
        self.untyped
            .iter()
            .find_map(|place| self.length_at(*place, tokens))
    }

    /// Whether nothing was reported.
    pub(crate) fn is_clean(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// What was reported, in source order.
    pub(crate) fn diagnostics(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        sorted.sort_by_key(|diagnostic| {
            let start = self.span(diagnostic.span).start();
            (start.line, start.column)
        });
        sorted
    }

    /// First token of a place.
    pub(crate) fn span(&self, id: SpanId) -> Span {
        self.places[id.index()].start
    }

    /// Lines of all places.
    pub(crate) fn source_map(&self) -> SourceMap {
        SourceMap {
            files: self
                .places
                .first()
                .map(|place| (0, place.start.file()))
                .into_iter()
                .collect(),
            lines: self
                .places
                .iter()
                .map(|place| place.start.start().line as u32)
                .collect(),
        }
    }

    /// One `compile_error!` for each diagnostic that does not stand elsewhere.
    pub(crate) fn compile_errors(&self) -> TokenStream {
        let placed = self.placed.borrow();
        let mut rest: Vec<usize> = (0..self.count()).filter(|i| !placed.contains(i)).collect();
        rest.sort_by_key(|&index| self.start(index));
        rest.into_iter().map(|i| self.compile_error(i)).collect()
    }

    /// A warning of rustc for each lint: a macro has no others than uses of something deprecated.
    /// `levels` are the attributes with which the user allows or denies them.
    pub(crate) fn warnings(&self, levels: &[&syn::Attribute]) -> TokenStream {
        let warning = |lint: &Diagnostic| {
            let Place { start, end } = self.places[lint.span.index()];
            let text = lint.render(&self.source_map());
            let name = Ident::new(lint.code.as_str(), start.join(end).unwrap_or(start));
            quote! {
                #(#levels)*
                const _: () = {
                    #[deprecated(note = #text)]
                    const #name: () = ();
                    #name
                };
            }
        };
        self.lints.iter().map(warning).collect()
    }

    /// The same, where an item can be without a name.
    ///
    /// After a `compile_error!` that is an item itself, rustc reports no undefined name of the module.
    pub(crate) fn compile_errors_inside(&self) -> TokenStream {
        let errors = self.compile_errors();
        if errors.is_empty() {
            return errors;
        }
        quote!(const _: () = { #errors };)
    }

    /// The diagnostic as it stands in the place of a value.
    pub(crate) fn error_value(&self, index: usize) -> TokenStream {
        self.placed.borrow_mut().insert(index);
        let error = self.compile_error(index);
        quote!((#error))
    }

    /// A `compile_error!` that underlines the diagnostic's place.
    fn compile_error(&self, index: usize) -> TokenStream {
        let diagnostic = &self.diagnostics[index];
        let Place { start, end } = self.places[diagnostic.span.index()];
        let text = diagnostic.render(&self.source_map());
        let mut tokens = quote_spanned!(start=> ::core::compile_error!);
        // rustc underlines from the first token of the call to its last.
        tokens.extend(quote_spanned!(end=> { #text }));
        tokens
    }

    fn start(&self, index: usize) -> (usize, usize) {
        position(self.span(self.diagnostics[index].span).start())
    }

    /// How many of these tokens the place covers, if it begins with the first of them.
    pub(crate) fn length_at(&self, place: SpanId, tokens: &[TokenTree]) -> Option<usize> {
        let Place { start, end } = self.places[place.index()];
        if start.start() != bounds(tokens.first()?).0.start() {
            return None;
        }
        let ends = |token: &TokenTree| bounds(token).1.end() == end.end();
        let first = tokens.iter().position(ends)?;
        // Tokens that a macro repeats are at the same place.
        let more = tokens[first + 1..].iter().take_while(|token| ends(token));
        Some(first + 1 + more.count())
    }

    /// What stands in the place of these tokens, if they begin with something that was refused:
    /// how many of them, and its errors.
    pub(crate) fn errors_at(&self, tokens: &[TokenTree]) -> Option<(usize, Group)> {
        let refused = self.refused.iter().filter_map(|(place, outside)| {
            Some((self.length_at(*place, tokens)?, outside.clone()))
        });
        let (length, outside) = refused.max_by_key(|(length, _)| *length)?;
        let mut starts = BTreeSet::new();
        collect_starts(tokens[..length].iter().cloned(), &mut starts);
        let mut placed = self.placed.borrow_mut();
        let errors: Vec<usize> = (0..self.count())
            .filter(|i| outside.contains(i) || starts.contains(&self.start(*i)))
            .filter(|i| placed.insert(*i))
            .collect();
        let (value, others) = errors.split_last()?;
        let mut content = TokenStream::new();
        for index in others {
            content.extend(self.compile_error(*index));
            content.extend(quote!(;));
        }
        content.extend(self.compile_error(*value));
        if !others.is_empty() {
            content = quote!({ #content });
        }
        // What ended in a brace may be followed by a statement without a semicolon in between.
        let delimiter = match &tokens[length - 1] {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Delimiter::Brace,
            _ => Delimiter::Parenthesis,
        };
        Some((length, Group::new(delimiter, content)))
    }
}

/// First and last place of a token; only the outermost level matters.
pub(crate) fn bounds(token: &TokenTree) -> (Span, Span) {
    match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        other => (other.span(), other.span()),
    }
}

fn position(at: LineColumn) -> (usize, usize) {
    (at.line, at.column)
}

fn collect_starts(
    tokens: impl IntoIterator<Item = TokenTree>,
    into: &mut BTreeSet<(usize, usize)>,
) {
    for token in tokens {
        into.insert(position(bounds(&token).0.start()));
        if let TokenTree::Group(group) = token {
            collect_starts(group.stream(), into);
        }
    }
}

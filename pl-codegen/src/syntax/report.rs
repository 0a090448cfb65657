//! Places and diagnostics, collected while a function is read.

use crate::diag::{Code, Diagnostic};
use crate::ir::{SourceMap, SpanId};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

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
}

impl Reporter {
    /// Remembers a place.
    pub(crate) fn place(&mut self, start: Span, end: Span) -> SpanId {
        self.places.push(Place { start, end });
        SpanId(self.places.len() as u32 - 1)
    }

    /// Remembers the place of a syntax node.
    pub(crate) fn node(&mut self, node: &impl ToTokens) -> SpanId {
        let mut tokens = node.to_token_stream().into_iter().map(|token| match token {
            // The closing brace of a group is its end; only the outermost level matters.
            proc_macro2::TokenTree::Group(group) => (group.span_open(), group.span_close()),
            other => (other.span(), other.span()),
        });
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

    /// One `compile_error!` for each diagnostic, underlining its place.
    pub(crate) fn compile_errors(&self) -> TokenStream {
        let source = self.source_map();
        self.diagnostics()
            .into_iter()
            .map(|diagnostic| {
                let Place { start, end } = self.places[diagnostic.span.index()];
                let text = diagnostic.render(&source);
                let mut tokens = quote_spanned!(start=> ::core::compile_error!);
                // rustc underlines from the first token of the call to its last.
                tokens.extend(quote_spanned!(end=> { #text }));
                tokens
            })
            .collect()
    }
}

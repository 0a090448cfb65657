//! Emitted Rust as tokens, each at the place of the user's source it comes from.

use super::flatten::hidden;
use super::lower::Lower;
use crate::emit::rust::Sink;
use crate::ir::{Access, At, AtArg, CalleeId, CaptureId, Elem, Function, SpanId, VarId};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// Builds tokens.
pub(crate) struct TokenSink<'a, 'r> {
    lower: &'a Lower<'r>,
    krate: &'a TokenStream,
    span: Span,
    /// Groups that are open, outermost first, each with what is in it so far.
    groups: Vec<(Delimiter, Span, Vec<TokenTree>)>,
    done: Vec<TokenTree>,
}

impl<'a, 'r> TokenSink<'a, 'r> {
    /// Nothing written yet.
    pub(crate) fn new(lower: &'a Lower<'r>, krate: &'a TokenStream) -> Self {
        Self {
            lower,
            krate,
            span: Span::mixed_site(),
            groups: Vec::new(),
            done: Vec::new(),
        }
    }

    /// What was written.
    pub(crate) fn finish(self) -> TokenStream {
        debug_assert!(self.groups.is_empty(), "every group is closed");
        self.done.into_iter().collect()
    }

    fn push(&mut self, token: impl Into<TokenTree>) {
        match self.groups.last_mut() {
            Some((_, _, tokens)) => tokens.push(token.into()),
            None => self.done.push(token.into()),
        }
    }

    fn extend(&mut self, tokens: TokenStream) {
        match self.groups.last_mut() {
            Some((_, _, group)) => group.extend(tokens),
            None => self.done.extend(tokens),
        }
    }

    fn close_group(&mut self) {
        if let Some((delimiter, span, tokens)) = self.groups.pop() {
            let mut group = Group::new(delimiter, tokens.into_iter().collect());
            group.set_span(span);
            self.push(group);
        }
    }

    fn word(&mut self, word: &str) {
        let mut token = if word.starts_with(|c: char| c.is_ascii_digit()) {
            // Indices of ours; numbers of the user come through `literal`.
            TokenTree::from(Literal::usize_unsuffixed(word.parse().unwrap_or(0)))
        } else {
            TokenTree::from(hidden(word, self.span))
        };
        if matches!(token, TokenTree::Literal(_)) {
            token.set_span(self.span);
        }
        self.push(token);
    }
}

fn delimiter(c: char) -> Option<Delimiter> {
    Some(match c {
        '(' | ')' => Delimiter::Parenthesis,
        '[' | ']' => Delimiter::Bracket,
        '{' | '}' => Delimiter::Brace,
        _ => return None,
    })
}

impl Sink for TokenSink<'_, '_> {
    const CHECKS: bool = true;

    fn at(&mut self, span: SpanId) {
        self.span = self.lower.report.span(span);
    }

    fn put(&mut self, tokens: &str) {
        let mut rest = tokens;
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if is_word(c) {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                self.word(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match c {
                ' ' | '\n' => {}
                '(' | '[' | '{' => {
                    let delimiter = delimiter(c).expect("just matched");
                    self.groups.push((delimiter, self.span, Vec::new()));
                }
                ')' | ']' | '}' => self.close_group(),
                _ => {
                    let joint = rest.starts_with(|next: char| {
                        next.is_ascii_punctuation() && delimiter(next).is_none() && next != '_'
                    });
                    let spacing = if joint {
                        Spacing::Joint
                    } else {
                        Spacing::Alone
                    };
                    let mut punct = Punct::new(c, spacing);
                    punct.set_span(self.span);
                    self.push(punct);
                }
            }
        }
    }

    fn line(&mut self) {}

    fn indent(&mut self) {}

    fn dedent(&mut self) {}

    fn open(&mut self) {
        self.put("{");
    }

    fn close(&mut self) {
        self.put("}");
    }

    fn runtime(&mut self, path: &str) {
        let krate = self.krate;
        self.extend(quote!(#krate::__private::));
        self.put(path);
    }

    fn var(&mut self, var: VarId) {
        let mut ident = self.lower.idents[var.index()].clone();
        // Its own hygiene, at the place of use.
        ident.set_span(self.span.resolved_at(ident.span()));
        self.push(ident);
    }

    fn local(&mut self, stem: &str, index: u32) {
        // One span for all uses: hygiene compares only where it was resolved.
        self.push(hidden(&format!("{stem}{index}"), Span::mixed_site()));
    }

    fn literal(&mut self, text: &str) {
        match (text, text.parse::<Literal>()) {
            ("true" | "false", _) | (_, Err(_)) => self.push(Ident::new(text, self.span)),
            (_, Ok(mut literal)) => {
                literal.set_span(self.span);
                self.push(literal);
            }
        }
    }

    fn capture(&mut self, capture: CaptureId) {
        let tokens = self.lower.captures[capture.index()].clone();
        self.extend(tokens);
    }

    fn callee_item(&mut self, callee: CalleeId, name: &str) {
        let item = self.lower.callees[callee.index()].item(name);
        self.extend(item);
    }

    fn some_writes(&mut self, params: &[(CalleeId, usize)]) {
        let each = params.iter().map(|&(callee, index)| {
            let sig = self.lower.callees[callee.index()].fact("SIG");
            quote!(#sig.writes(#index))
        });
        let any = quote!(#(#each)||*);
        self.extend(any);
    }

    fn region_info(&mut self, function: &Function, at: &At, span: SpanId) {
        let krate = self.krate;
        let params = at.args.iter().filter_map(|arg| match arg {
            AtArg::Tensor {
                var,
                access,
                passed,
            } => {
                let name = &function.var(*var).name;
                let access = access_tokens(*access, krate);
                let written = passed.iter().map(|&(callee, index)| {
                    let sig = self.lower.callees[callee.index()].fact("SIG");
                    let both = access_tokens(Access::ReadWrite, krate);
                    quote!(if #sig.writes(#index) { #both } else)
                });
                Some(quote!(#krate::__private::ParamInfo {
                    name: #name,
                    access: #(#written)* { #access }
                }))
            }
            AtArg::Scalar(_) | AtArg::Dim(_) => None,
        });
        let name = &at.name;
        let place = self.lower.report.span(span);
        let (file, line) = (
            quote_spanned!(place=> ::core::file!()),
            quote_spanned!(place=> ::core::line!()),
        );
        let info = quote! {
            const {
                &#krate::__private::KernelInfo {
                    name: #name, file: #file, line: #line, params: &[#(#params),*]
                }
            }
        };
        self.extend(info);
    }

    fn site(&mut self, span: SpanId) {
        let span = self.lower.report.span(span);
        let krate = self.krate;
        // `line!` gives the line of its own span.
        self.extend(quote_spanned! {span=>
            #krate::__private::Site::new(::core::file!(), ::core::line!())
        });
    }

    fn elem(&mut self, elem: &Elem) {
        let krate = self.krate;
        match elem {
            Elem::Known(dtype) => self.runtime(&format!("DType::{dtype:?}")),
            other => {
                let ty = self.elem_tokens(other);
                self.extend(quote!(<#ty as #krate::__private::Element>::DTYPE));
            }
        }
    }

    fn elem_type(&mut self, elem: &Elem) {
        let ty = self.elem_tokens(elem);
        self.extend(ty);
    }

    fn scalar_type(&mut self, text: &str) {
        match self.lower.scalar_types.get(text) {
            Some(tokens) => self.extend(tokens.clone()),
            None => self.put(text),
        }
    }
}

/// What is done with a tensor, as the runtime names it.
pub(crate) fn access_tokens(access: Access, krate: &TokenStream) -> TokenStream {
    let name = match access {
        Access::Read => "Read",
        Access::Write => "Write",
        Access::ReadWrite => "ReadWrite",
    };
    let name = Ident::new(name, Span::mixed_site());
    quote!(#krate::__private::Access::#name)
}

impl TokenSink<'_, '_> {
    fn elem_tokens(&self, elem: &Elem) -> TokenStream {
        let krate = self.krate;
        match elem {
            Elem::Known(dtype) => {
                let name = Ident::new(dtype.name(), Span::mixed_site());
                quote!(#krate::__private::elements::#name)
            }
            Elem::Generic(name) => self.lower.elem_types[name].clone(),
            Elem::Open(_) | Elem::Unknown => quote!(_),
        }
    }
}

/// `<..>` as `::<..>`; nothing stays nothing.
pub(crate) fn turbofish(generics: &TokenStream) -> TokenStream {
    match generics.clone().into_iter().next() {
        Some(TokenTree::Punct(punct)) if punct.as_char() == '<' => quote!(::#generics),
        _ => generics.clone(),
    }
}

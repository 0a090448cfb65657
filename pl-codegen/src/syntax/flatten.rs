//! The user's body as rustc shall type-check it: scope macros opened up, everything else untouched.
//!
//! Works on tokens, so that a body which does not parse (yet) keeps its completions and its one
//! error from rustc.

use super::lower::Lower;
use super::output::stub_name;
use super::report::bounds;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::HashMap;

/// Names of the block macros.
pub(crate) const BLOCK_MACROS: &[&str] = &["scope", "manual_scope", "scratch_scope", "at"];

/// Rewrites a body.
pub(crate) struct Flatten<'a> {
    /// Path of the facade crate.
    pub(crate) krate: &'a TokenStream,
    /// In-core code, where `create_tensor` makes a tile.
    pub(crate) incore: bool,
    /// What was read from the body; `None` where tokens have no places to be found by.
    read: Option<&'a Lower<'a>>,
    /// The first callee that is named at a place, by line and column.
    callees: HashMap<(usize, usize), usize>,
}

impl<'a> Flatten<'a> {
    /// For the body of a function of which this was read.
    pub(crate) fn new(krate: &'a TokenStream, incore: bool, read: Option<&'a Lower<'a>>) -> Self {
        let mut callees = HashMap::new();
        for (index, callee) in read
            .into_iter()
            .flat_map(|read| read.callees.iter().enumerate())
        {
            let start = read.map(|read| position(read.report.span(callee.place)));
            callees.entry(start.unwrap_or_default()).or_insert(index);
        }
        Self {
            krate,
            incore,
            read,
            callees,
        }
    }

    /// The tokens with every macro of ours replaced.
    pub(crate) fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = trees.iter().cloned().peekable();
        while rest.len() > 0 {
            let ahead = &trees[trees.len() - rest.len()..];
            if let Some((length, tokens)) = self.read.and_then(|read| self.replaced(read, ahead)) {
                out.extend(tokens);
                rest.nth(length - 1);
                continue;
            }
            let Some(token) = rest.next() else { break };
            match token {
                TokenTree::Group(group) => out.push(self.group(&group).into()),
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let ours = ["s", "submit"].contains(&name.as_str())
                        || BLOCK_MACROS.contains(&name.as_str());
                    if ours && is_bang(rest.peek()) {
                        let bang = rest.next();
                        match rest.next() {
                            Some(TokenTree::Group(group)) => {
                                let path = take_path(&mut out, ident);
                                if name == "s" {
                                    out.extend(self.slice(&path, &group));
                                } else if name == "submit" {
                                    out.extend(self.submit(&path, &group));
                                } else {
                                    // `0..{ n } { .. }` would end the range.
                                    let bound = matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '.');
                                    let block = self.block(&path, &group);
                                    out.push(if bound {
                                        regroup(
                                            &group,
                                            Delimiter::Parenthesis,
                                            TokenTree::from(block).into(),
                                        )
                                        .into()
                                    } else {
                                        block.into()
                                    });
                                }
                            }
                            other => {
                                out.push(ident.into());
                                out.extend(bang);
                                out.extend(other);
                            }
                        }
                    } else if name == "create_tensor" {
                        self.create(ident, &mut rest, &mut out);
                    } else if name == "barrier"
                        && let Some(list) = arguments(rest.peek())
                    {
                        rest.next();
                        out.push(ident.into());
                        out.push(self.barrier(&list).into());
                    } else {
                        out.push(ident.into());
                    }
                }
                other => out.push(other),
            }
        }
        out.into_iter().collect()
    }

    /// What stands in the stub for the tokens at the beginning of `ahead`, and for how many of them.
    fn replaced(&self, read: &Lower<'_>, ahead: &[TokenTree]) -> Option<(usize, TokenStream)> {
        if let Some((length, errors)) = read.report.errors_at(ahead) {
            return Some((length, TokenTree::from(errors).into()));
        }
        if let Some(length) = read.report.untyped_at(ahead) {
            return Some((length, quote!(_)));
        }
        if self.callees.is_empty() {
            return None;
        }
        let start = position(bounds(ahead.first()?).0);
        let callee = &read.callees[*self.callees.get(&start)?];
        let length = read.report.length_at(callee.place, ahead)?;
        Some((length, callee.item(stub_name(self.incore))))
    }

    fn group(&self, group: &Group) -> Group {
        regroup(group, group.delimiter(), self.tokens(group.stream()))
    }

    /// `scope!(Mode, { body })` becomes `{ let () = scope! {}; let _ = Mode; body }`: the mention keeps imports used.
    /// The body of `at!` is in-core code, and has no value.
    fn block(&self, path: &TokenStream, group: &Group) -> Group {
        let mut content: Vec<TokenTree> = group.stream().into_iter().collect();
        let mut mode = TokenStream::new();
        if is_comma(content.last()) {
            content.pop();
        }
        let ends_in_block = matches!(content.last(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Brace);
        if ends_in_block && (content.len() == 1 || is_comma(content.get(content.len() - 2))) {
            let Some(TokenTree::Group(body)) = content.pop() else {
                unreachable!("just matched")
            };
            if is_comma(content.last()) {
                content.pop();
            }
            if !content.is_empty() {
                let written = self.tokens(content.into_iter().collect());
                mode = quote!(let _ = #written;);
            }
            content = body.stream().into_iter().collect();
        }
        let content = content.into_iter().collect();
        let is_region = path
            .clone()
            .into_iter()
            .last()
            .is_some_and(|name| matches!(name, TokenTree::Ident(name) if name == "at"));
        let body = if is_region {
            let incore = Self::new(self.krate, true, self.read);
            let body = regroup(group, Delimiter::Brace, incore.tokens(content));
            quote!(let (): () = #body;)
        } else {
            self.tokens(content)
        };
        regroup(
            group,
            Delimiter::Brace,
            quote!(let () = #path! {}; #mode #body),
        )
    }

    /// `s![a..b, i]` becomes `SliceSpec::<2, 1>::of((a..b, i,))`. Only a qualified `pl::s!` is
    /// mentioned beside it: a bare one need not be in scope.
    fn slice(&self, path: &TokenStream, group: &Group) -> TokenStream {
        let krate = self.krate;
        let items = split_items(self.tokens(group.stream()));
        let before = items.len();
        let after = items.iter().filter(|item| has_range(item)).count();
        let span = group.span_open();
        let list: TokenStream = items.into_iter().map(|item| quote!(#item,)).collect();
        let list = regroup(
            group,
            Delimiter::Parenthesis,
            quote_spanned!(span=> (#list)),
        );
        // Every token at the brackets, so that a wrong number of items is reported there.
        let krate = krate.clone().into_iter().map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        });
        let (mut before, mut after) = (
            Literal::usize_unsuffixed(before),
            Literal::usize_unsuffixed(after),
        );
        before.set_span(span);
        after.set_span(span);
        let spec = quote_spanned! { span=>
            #(#krate)*::__private::lang::SliceSpec::<#before, #after>::of #list
        };
        if path.clone().into_iter().nth(1).is_some() {
            quote!({ let () = #path! {}; #spec })
        } else {
            spec
        }
    }

    /// `create_tensor::<T>` has a second parameter, the rank, which rustc infers.
    fn create(
        &self,
        ident: Ident,
        rest: &mut std::iter::Peekable<impl Iterator<Item = TokenTree>>,
        out: &mut Vec<TokenTree>,
    ) {
        if self.incore {
            let krate = self.krate;
            take_path(out, ident.clone());
            let tile = Ident::new("create_tile", ident.span());
            out.extend(quote!(#krate::__private::lang::#tile));
            return;
        }
        out.push(ident.into());
        let mut depth = 0_i32;
        while let Some(TokenTree::Punct(punct)) = rest.peek() {
            let character = punct.as_char();
            if !matches!(character, ':' | '<') || depth > 0 {
                break;
            }
            depth += i32::from(character == '<');
            out.extend(rest.next());
        }
        while depth > 0 {
            let Some(token) = rest.next() else { return };
            if let TokenTree::Punct(punct) = &token {
                match punct.as_char() {
                    '<' => depth += 1,
                    '>' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    out.push(Punct::new(',', Spacing::Alone).into());
                    out.push(Ident::new("_", punct.span()).into());
                }
            }
            out.push(token);
        }
    }
}
/// Line and column.
fn position(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column)
}

fn is_bang(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == '!' && p.spacing() == Spacing::Alone)
}

/// What stands in parentheses.
fn arguments(token: Option<&TokenTree>) -> Option<Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            Some(group.clone())
        }
        _ => None,
    }
}

fn is_comma(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == ',')
}

/// Takes `a::b::` off the end of what was written, so that `name` is named by its whole path.
fn take_path(out: &mut Vec<TokenTree>, name: Ident) -> TokenStream {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let mut path = vec![TokenTree::from(name)];
    while is_colon(out.last()) && out.len() >= 2 && is_colon(out.get(out.len() - 2)) {
        path.extend([out.pop(), out.pop()].into_iter().flatten());
        if let Some(TokenTree::Ident(_)) = out.last() {
            path.extend(out.pop());
        }
    }
    path.into_iter().rev().collect()
}

/// The items between the commas of a list.
pub(crate) fn split_items(tokens: TokenStream) -> Vec<TokenStream> {
    let mut items = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => items.push(TokenStream::new()),
            _ => items.last_mut().expect("starts with one").extend([token]),
        }
    }
    if items.last().is_some_and(TokenStream::is_empty) {
        items.pop();
    }
    items
}

/// Whether an item of `s![..]` keeps its dimension.
fn has_range(item: &TokenStream) -> bool {
    let mut last_dot = false;
    item.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) if punct.as_char() == '.' => {
            let range = last_dot;
            last_dot = punct.spacing() == Spacing::Joint;
            range
        }
        _ => {
            last_dot = false;
            false
        }
    })
}

pub(super) fn regroup(old: &Group, delimiter: Delimiter, stream: TokenStream) -> Group {
    let mut group = Group::new(delimiter, stream);
    group.set_span(old.span());
    group
}

/// A name of ours that no name of the user can meet, reported at `span`.
pub(crate) fn hidden(name: &str, span: Span) -> Ident {
    Ident::new(name, span.resolved_at(Span::mixed_site()))
}

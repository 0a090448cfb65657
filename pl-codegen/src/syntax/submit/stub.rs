//! `submit!` and `barrier` as rustc shall type-check them.

use super::{Written, is_option, take_apart};
use crate::syntax::flatten::{Flatten, regroup};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;

impl Flatten<'_> {
    /// `submit!(k(x), blocks = 8)` becomes `submitted((submit! {}, blocks(8)), k(x))`, with a function
    /// for each option: the mention keeps imports used.
    pub(in crate::syntax) fn submit(&self, path: &TokenStream, group: &Group) -> TokenStream {
        let (call, options) = take_apart(group.stream());
        let call = self.tokens(call);
        let options = options.into_iter().map(|Written { name, value }| {
            let value = if name == "deps" || name == "deps_wait" {
                self.list(value)
            } else {
                self.tokens(value)
            };
            if !is_option(&name) {
                return value;
            }
            let takes = self.of_options(&name, name.span());
            quote!(#takes(#value))
        });
        // From the first token of the macro to its last, so that all of it is underlined.
        let first = path.clone().into_iter().next();
        let start = first.map_or_else(|| group.span_open(), |token| token.span());
        let submitted = self.of_options(&Ident::new("submitted", start), start);
        let said = quote!((#path! {}, #(#options),*), #call);
        let said = regroup(group, Delimiter::Parenthesis, said);
        quote!(#submitted #said)
    }

    /// A function of the runtime for an option, with every token at `span`.
    fn of_options(&self, name: &Ident, span: Span) -> TokenStream {
        let krate = self.krate;
        let path = quote_spanned!(span=> #krate::__private::options::#name);
        let at = |mut token: TokenTree| {
            token.set_span(span);
            token
        };
        path.into_iter().map(at).collect()
    }

    /// The arguments of `barrier`.
    pub(in crate::syntax) fn barrier(&self, arguments: &Group) -> Group {
        let list = self.list(arguments.stream());
        regroup(arguments, Delimiter::Parenthesis, list)
    }

    /// `[a, ids]` becomes `[dependency(a), dependency(ids)]`: items of one type.
    fn list(&self, tokens: TokenStream) -> TokenStream {
        let mut trees = tokens.clone().into_iter();
        let Some(TokenTree::Group(group)) = trees.next() else {
            return self.tokens(tokens);
        };
        let items = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated
            .parse2(group.stream())
            .ok()
            .filter(|_| group.delimiter() == Delimiter::Bracket);
        let Some(items) = items else {
            return self.tokens(tokens);
        };
        let items = items.iter().map(|item| {
            let tokens = item.to_token_stream();
            let first = tokens.clone().into_iter().next();
            let span = first.map_or_else(|| group.span_open(), |token| token.span());
            let dependency = self.of_options(&Ident::new("dependency", span), span);
            let item = self.tokens(tokens);
            quote!(#dependency(#item))
        });
        let list = regroup(&group, Delimiter::Bracket, quote!(#(#items),*));
        let rest = self.tokens(trees.collect());
        quote!(#list #rest)
    }
}

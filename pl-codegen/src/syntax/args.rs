//! The attribute's own arguments: `auto_scope = ..`, `dims(..)`, `crate = ..`.

use super::report::Reporter;
use crate::diag::{Code, Diagnostic};
use crate::ir::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitBool, Path, Token};

/// What the attribute says.
pub(crate) struct Args {
    /// Whether the compiler places the scopes.
    pub(crate) auto_scope: bool,
    /// Names of dimensions, `dims(M, K)`.
    pub(crate) dims: Vec<Ident>,
    /// Path of the facade crate.
    pub(crate) krate: TokenStream,
}

const OPTIONS: &str = "`auto_scope = true` or `false`, `dims(M, K)` and `crate = ::path`";

impl Args {
    /// Reads the arguments; whatever cannot be used is reported and left at its default.
    pub(crate) fn read(kind: Kind, tokens: TokenStream, report: &mut Reporter) -> Self {
        let mut args = Self {
            auto_scope: true,
            dims: Vec::new(),
            krate: quote!(::pl),
        };
        let parsed = (|input: ParseStream<'_>| {
            let mut seen: Vec<String> = Vec::new();
            while !input.is_empty() {
                let name = input.call(Ident::parse_any)?;
                if seen.contains(&name.to_string()) {
                    report.at(
                        name.span(),
                        Code::UnknownOption,
                        format!("option `{name}` is given twice"),
                        "remove one of them",
                    );
                }
                seen.push(name.to_string());
                args.option(kind, &name, input, report)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        })
        .parse2(tokens);
        if let Err(error) = parsed {
            report.at(
                error.span(),
                Code::UnknownOption,
                format!("the attribute cannot be read: {error}"),
                format!("options are {OPTIONS}"),
            );
        }
        args
    }

    fn option(
        &mut self,
        kind: Kind,
        name: &Ident,
        input: ParseStream<'_>,
        report: &mut Reporter,
    ) -> syn::Result<()> {
        match name.to_string().as_str() {
            "auto_scope" => {
                input.parse::<Token![=]>()?;
                let value: LitBool = input.parse()?;
                self.auto_scope = value.value;
                if !kind.takes_auto_scope() {
                    report.at(
                        name.span(),
                        Code::AutoScopeRefused,
                        format!(
                            "`{}` takes no `auto_scope`: it opens no scopes",
                            kind.attribute()
                        ),
                        format!("remove it: `{}`", kind.attribute()),
                    );
                }
            }
            "dims" => {
                let content;
                syn::parenthesized!(content in input);
                let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
                self.dims.extend(names);
            }
            "crate" => {
                input.parse::<Token![=]>()?;
                self.krate = Path::parse_mod_style(input)?.into_token_stream();
            }
            _ => {
                report.at(
                    name.span(),
                    Code::UnknownOption,
                    format!("`{}` has no option `{name}`", kind.attribute()),
                    format!("options are {OPTIONS}"),
                );
                skip_value(input)?;
            }
        }
        Ok(())
    }
}

fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// Reports that functions of this kind cannot be used yet.
pub(crate) fn report_unavailable(kind: Kind, name: Span, report: &mut Reporter) {
    if let Kind::Host | Kind::Opaque = kind {
        let id = report.place(name, name);
        report.push(Diagnostic::new(
            Code::NotAvailable,
            id,
            format!("`{}` is not available yet", kind.attribute()),
            match kind {
                Kind::Host => "call the entries one after the other from plain Rust",
                _ => "write the tile code as a function marked `#[pl::jit::incore]` and call it",
            },
        ));
    }
}

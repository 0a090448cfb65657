//! The attribute's own arguments: `kind = ".."`, `auto_scope = ..`, `fuse = ..`, `dims(..)`, `crate = ..`.

use super::call::distance;
use super::report::Reporter;
use crate::diag::{Code, Diagnostic};
use crate::ir::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitBool, LitStr, Path, Token};

/// Which attribute it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// `#[pl::jit]`, `#[pl::jit::inline]` and their like.
    Jit(Kind),
    /// `#[pl::function(kind = "..")]`
    Function,
}

impl Spelling {
    /// The attribute of functions of this kind, as its user would write it.
    pub(crate) fn attribute(self, kind: Kind) -> String {
        match self {
            Self::Jit(_) => kind.attribute().to_owned(),
            Self::Function => format!("#[pl::function(kind = \"{}\")]", kind.name()),
        }
    }

    /// The attribute without its arguments.
    pub(crate) const fn bare(self) -> &'static str {
        match self {
            Self::Jit(kind) => kind.attribute(),
            Self::Function => "#[pl::function]",
        }
    }
}

/// What the attribute says.
pub(crate) struct Args {
    /// What the function is for, if the attribute says so in a way that can be read.
    pub(crate) kind: Option<Kind>,
    /// `auto_scope = ..` and where it stands.
    auto_scope: Option<(bool, Span)>,
    /// `fuse = ..` and where it stands.
    fuse: Option<(bool, Span)>,
    /// Names of dimensions, `dims(M, K)`.
    pub(crate) dims: Vec<Ident>,
    /// Path of the facade crate.
    pub(crate) krate: TokenStream,
}

const OPTIONS: &str =
    "`auto_scope = true` or `false`, `fuse = false`, `dims(M, K)` and `crate = ::path`";

impl Args {
    /// Reads the arguments; whatever cannot be used is reported and left at its default.
    pub(crate) fn read(
        spelling: Spelling,
        function: &Ident,
        tokens: TokenStream,
        report: &mut Reporter,
    ) -> Self {
        let mut args = Self {
            kind: match spelling {
                Spelling::Jit(kind) => Some(kind),
                Spelling::Function => None,
            },
            auto_scope: None,
            fuse: None,
            dims: Vec::new(),
            krate: quote!(::pl),
        };
        let before = report.count();
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
                args.option(spelling, &name, input, report)?;
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
                format!("options are {}", options(spelling)),
            );
        }
        if args.kind.is_none() && report.count() == before {
            report.at(
                function.span(),
                Code::UnknownOption,
                format!("`#[pl::function]` does not say what `{function}` is"),
                format!(
                    "write `{}`; kinds are {}",
                    spelling.attribute(Kind::Entry),
                    kinds()
                ),
            );
        }
        args
    }

    fn option(
        &mut self,
        spelling: Spelling,
        name: &Ident,
        input: ParseStream<'_>,
        report: &mut Reporter,
    ) -> syn::Result<()> {
        match name.to_string().as_str() {
            "kind" if spelling == Spelling::Function => {
                input.parse::<Token![=]>()?;
                self.kind = known_kind(&input.parse()?, report);
            }
            option @ ("auto_scope" | "fuse") => {
                input.parse::<Token![=]>()?;
                let value: LitBool = input.parse()?;
                let to = match option {
                    "fuse" => &mut self.fuse,
                    _ => &mut self.auto_scope,
                };
                *to = Some((value.value, name.span()));
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
                    format!("`{}` has no option `{name}`", spelling.bare()),
                    format!("options are {}", options(spelling)),
                );
                skip_value(input)?;
            }
        }
        Ok(())
    }

    /// Whether operations on tiles run together.
    pub(crate) fn fuses(&self) -> bool {
        self.fuse.is_none_or(|(value, _)| value)
    }

    /// Refuses `fuse = ..` on a function of this kind, if it is no in-core code.
    pub(crate) fn check_fuse(&self, spelling: Spelling, kind: Kind, report: &mut Reporter) {
        if let Some((_, span)) = self.fuse
            && kind.is_orchestration()
        {
            let attribute = spelling.attribute(kind);
            report.at(
                span,
                Code::UnknownOption,
                format!("`{attribute}` takes no `fuse`: it is no in-core code"),
                format!(
                    "remove it: `{attribute}`; write it on the kernel, `{}`",
                    "#[pl::jit::incore(fuse = false)]"
                ),
            );
        }
    }

    /// Whether the compiler places the scopes of a function of this kind.
    pub(crate) fn auto_scope(&self, spelling: Spelling, kind: Kind, report: &mut Reporter) -> bool {
        let Some((value, span)) = self.auto_scope else {
            return true;
        };
        if !kind.takes_auto_scope() {
            let attribute = spelling.attribute(kind);
            let message = match kind {
                Kind::IncoreInline => {
                    "a helper with tiles is in-core code and takes no `auto_scope`: it opens no scopes"
                        .to_owned()
                }
                Kind::Opaque => format!(
                    "`{attribute}` takes no `auto_scope`: the compiler places no scopes in it"
                ),
                _ => format!("`{attribute}` takes no `auto_scope`: it opens no scopes"),
            };
            report.at(
                span,
                Code::AutoScopeRefused,
                message,
                format!("remove it: `{attribute}`"),
            );
        }
        value
    }
}

fn options(spelling: Spelling) -> String {
    match spelling {
        Spelling::Jit(_) => OPTIONS.to_owned(),
        Spelling::Function => format!("`kind = \"incore\"`, {OPTIONS}"),
    }
}

/// The names of all kinds.
fn kinds() -> String {
    let names = Kind::ALL.map(|kind| format!("`\"{}\"`", kind.name()));
    names.join(", ")
}

fn known_kind(written: &LitStr, report: &mut Reporter) -> Option<Kind> {
    let text = written.value();
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == text);
    if found.is_some() {
        return found;
    }
    let lower = text.to_lowercase();
    let nearest = Kind::ALL
        .into_iter()
        .map(|kind| (distance(kind.name(), &lower), kind))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, kind)| *distance <= kind.name().len() / 3)
        .map(|(_, kind)| kind);
    report.at(
        written.span(),
        Code::UnknownOption,
        format!("there is no kind `{text}` of functions"),
        match nearest {
            Some(kind) => format!("did you mean `\"{}\"`?", kind.name()),
            None => format!("kinds are {}", kinds()),
        },
    );
    nearest
}

fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// Reports that functions of this kind cannot be used yet.
pub(crate) fn report_unavailable(
    spelling: Spelling,
    kind: Kind,
    name: Span,
    report: &mut Reporter,
) {
    if kind == Kind::Host {
        let id = report.place(name, name);
        report.push(Diagnostic::new(
            Code::NotAvailable,
            id,
            format!("`{}` is not available yet", spelling.attribute(kind)),
            "call the entries one after the other from plain Rust",
        ));
    }
}

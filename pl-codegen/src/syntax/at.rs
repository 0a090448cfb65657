//! `at!("name", { .. })`: in-core code in the middle of orchestration code.

use super::lower::Lower;
use crate::diag::{Code, Diagnostic};
use crate::ir::{At, CalleeId, Expr, ExprKind, SpanId, Stmt, StmtKind, Type, VarId};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::LitStr;
use syn::parse::Parser;

const EXAMPLE: &str = "write `at!(\"double\", { store(y, load(x) * 2.0); })`";

/// The region that is being read.
pub(crate) struct Region {
    /// Its macro.
    span: SpanId,
    /// Number of variables declared before it.
    outside: u32,
    /// Number of calls before it.
    calls: usize,
}

impl Lower<'_> {
    /// `at!("name", { .. })`
    pub(crate) fn at(&mut self, mac: &syn::Macro, span: SpanId) -> Expr {
        let keyword = mac.path.segments.last().map(|segment| segment.ident.span());
        let site = keyword.map_or(span, |keyword| self.report.place(keyword, keyword));
        if let Some(refused) = self.refuse_region(mac, site) {
            return refused;
        }
        let Some((name, body)) = content(mac.tokens.clone()) else {
            self.report.node_error(
                mac,
                Code::UnknownOption,
                "`at!` takes the name of its kernel and a block",
                EXAMPLE,
            );
            return self.never(mac);
        };
        self.region_name(&name);
        let Ok(stmts) = syn::Block::parse_within.parse2(body.stream()) else {
            // The flattened body carries the same tokens to rustc, which reports the mistake.
            self.left_to_rustc = true;
            return self.never(mac);
        };
        super::attributes::refuse_in_body(&stmts, self.report);
        let outside = self.function.vars.len() as u32;
        self.region = Some(Region {
            span: site,
            outside,
            calls: self.callees.len(),
        });
        let loops = std::mem::take(&mut self.loops);
        let mut body = self.block(&stmts);
        self.loops = loops;
        self.region = None;
        if let Some(tail) = body.tail.take() {
            let span = tail.span;
            if !matches!(tail.ty, Type::Never | Type::ResultOf(_)) {
                self.report.push(Diagnostic::new(
                    Code::WrongContext,
                    span,
                    "an `at!` region has no value: what it computes is in the scratch of a core",
                    "`store` it to a tensor that is created before the region",
                ));
                self.report.refuse(span, 0..0);
            }
            // The result of a helper that returns nothing; rustc knows.
            let kind = StmtKind::Expr(*tail);
            body.stmts.push(Stmt { kind, span });
        }
        Expr {
            kind: ExprKind::At(At {
                name: name.value(),
                args: Vec::new(),
                launch: None,
                body,
            }),
            ty: Type::Unit,
            span: site,
        }
    }

    /// Whether a call stands before the region that is being read.
    pub(super) fn is_called_around(&self, callee: CalleeId) -> bool {
        let region = self.region.as_ref();
        region.is_some_and(|region| callee.index() < region.calls)
    }

    /// Reports a region in in-core code.
    fn refuse_region(&mut self, mac: &syn::Macro, site: SpanId) -> Option<Expr> {
        let diagnostic = match &self.region {
            Some(region) => Diagnostic::new(
                Code::WrongContext,
                site,
                "an `at!` region stands in another one, which is the body of one task",
                "write the code in place, or end the outer region before",
            )
            .note(region.span, "the outer region begins here"),
            None if self.is_incore() => Diagnostic::new(
                Code::WrongContext,
                site,
                "`at!` submits a task, and in-core code is the body of one",
                "write the code in place",
            ),
            None => return None,
        };
        self.report.push(diagnostic);
        Some(self.never(mac))
    }

    fn region_name(&mut self, name: &LitStr) {
        let text = name.value();
        let place = self.report.place(name.span(), name.span());
        if syn::parse_str::<syn::Ident>(&text).is_err() {
            // A word of Rust is a name with anything behind it.
            let help = if syn::parse_str::<syn::Ident>(&format!("{text}_")).is_ok() {
                format!("it is a word of Rust: write `at!(\"{text}_task\", ..)`")
            } else {
                "use letters, digits and `_`, as in the name of a function: `at!(\"double\", ..)`"
                    .to_owned()
            };
            self.report.push(Diagnostic::new(
                Code::Signature,
                place,
                format!("a kernel cannot be called `{text}`"),
                help,
            ));
            return;
        }
        let first = self.regions.iter().find(|(known, _)| *known == text);
        if let Some(&(_, first)) = first {
            let diagnostic = Diagnostic::new(
                Code::Signature,
                place,
                format!(
                    "two regions of `{}` are called `{text}`",
                    self.function.name
                ),
                format!("give one of them another name, `{text}_2`: reports tell kernels by it"),
            );
            self.report
                .push(diagnostic.note(first, "the other one is here"));
        }
        self.regions.push((text, place));
    }

    /// Whether a variable is one of the function around the region that is being read.
    pub(crate) fn is_outside(&self, var: VarId) -> bool {
        self.region
            .as_ref()
            .is_some_and(|region| var.0 < region.outside)
    }

    /// Reports an assignment to what is a copy in the region.
    pub(crate) fn refuse_outside(&mut self, place: SpanId, var: VarId) {
        let Some(region) = &self.region else { return };
        let (region, var) = (region.span, self.function.var(var));
        self.report.push(
            Diagnostic::new(
                Code::WrongContext,
                place,
                format!(
                    "`{}` cannot be assigned in an `at!` region, which runs later, on a core",
                    var.name
                ),
                "declare a variable inside, and `store` what the region computes to a tensor",
            )
            .note(var.span, "it is declared here")
            .note(region, "the region begins here"),
        );
    }
}

/// `"name", { body }`
fn content(tokens: TokenStream) -> Option<(LitStr, Group)> {
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
    let mut tokens = tokens.into_iter();
    let name: LitStr = syn::parse2(tokens.next()?.into()).ok()?;
    if !is_comma(&tokens.next()?) {
        return None;
    }
    let TokenTree::Group(body) = tokens.next()? else {
        return None;
    };
    let rest: Vec<TokenTree> = tokens.collect();
    let ends = rest.is_empty() || rest.len() == 1 && is_comma(&rest[0]);
    (ends && body.delimiter() == Delimiter::Brace).then_some((name, body))
}

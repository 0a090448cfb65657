//! One attribute, one function: read, checked, emitted.

use super::args::{Args, Spelling, report_unavailable};
use super::attributes::{refuse_in_body, refuse_in_signature};
use super::expr::block_type;
use super::item::Item;
use super::lower::Lower;
use super::output::Output;
use super::report::Reporter;
use super::returns::mentions_tile;
use crate::compile::{Compiled, compile};
use crate::diag::Code;
use crate::ir::{Kind, Scalar, Type, Unit};
use crate::ops::is_reserved;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;

/// Expands `#[pl::jit..(args)] item` or `#[pl::function(args)] item`.
///
/// Never fails: mistakes become `compile_error!`s at the user's tokens, and the function still
/// exists for the rest of the crate.
#[allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is for one lifetime, the closure for all"
)]
pub fn expand(spelling: Spelling, args: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(parsed) = syn::parse2::<Item>(item.clone()) else {
        // Not a function, or one that rustc itself cannot read: rustc says so once.
        return not_a_function(spelling, item);
    };
    lower(spelling, args, parsed, |output| output.tokens())
}

/// Reads, checks and compiles a function; `finish` makes of it what is wanted.
pub(super) fn lower<T>(
    spelling: Spelling,
    args: TokenStream,
    mut parsed: Item,
    finish: impl FnOnce(&Output<'_, '_>) -> T,
) -> T {
    let mut report = Reporter::default();
    refuse_second(&mut parsed, &mut report);
    gather_bounds(&mut parsed.sig.generics);
    let mut args = Args::read(spelling, &parsed.sig.ident, args, &mut report);
    // Of a kind that is not known nothing is asked but that its callers find it.
    let kind = match args.kind.unwrap_or(Kind::Entry) {
        Kind::Inline if mentions_tile(&parsed.sig) => Kind::IncoreInline,
        kind => kind,
    };
    let auto_scope = args.auto_scope(spelling, kind, &mut report);
    args.check_fuse(spelling, kind, &mut report);
    report_unavailable(spelling, kind, parsed.sig.ident.span(), &mut report);
    let reserved = report_reserved(&parsed.sig.ident, &mut report);
    let mut lower = Lower::new(&mut report, &parsed.sig.ident, kind, auto_scope);
    lower.dim_names(&parsed.sig, &mut args);
    let signature = lower.signature(&parsed.sig, &args);
    let readable = args.kind.is_some() && lower.body(&parsed);
    let compiled = if readable { lower.compile() } else { None };
    finish(&Output {
        item: &parsed,
        args: &args,
        signature: &signature,
        lower: &lower,
        compiled: compiled.as_ref(),
        reserved,
    })
}

impl Lower<'_> {
    /// Lowers the body; false if it is not valid Rust, which rustc reports by itself.
    fn body(&mut self, item: &Item) -> bool {
        let Ok(stmts) = syn::Block::parse_within.parse2(item.body.stream()) else {
            return false;
        };
        refuse_in_signature(&item.sig, self.report);
        refuse_in_body(&stmts, self.report);
        self.function.body = self.block(&stmts);
        self.returned_values();
        if self.function.returns.is_empty() && self.function.outputs.is_empty() {
            self.gives_nothing(&block_type(&self.function.body));
        }
        self.resolve_types();
        true
    }

    /// The value of a kernel that returns tensors: its tiles have their elements.
    fn returned_values(&mut self) {
        let outputs = std::mem::take(&mut self.function.outputs);
        let ty = block_type(&self.function.body);
        let types = match (&ty, outputs.as_slice()) {
            (_, []) => Vec::new(),
            (Type::ResultOf(_) | Type::Never, _) => vec![ty.clone(); outputs.len()],
            (Type::Tuple(types), outputs) if outputs.len() > 1 => types.clone(),
            _ => vec![ty.clone()],
        };
        self.left_to_rustc |= types.len() != outputs.len();
        for (output, ty) in outputs.iter().zip(types) {
            let expected = Type::Tile(output.elem.clone());
            self.infer.unify_types(&expected, &ty);
            match ty {
                Type::ResultOf(_) => self.function.vars[output.value.index()].ty = ty,
                Type::Tile(_) | Type::Never => {}
                _ => self.left_to_rustc = true,
            }
        }
        self.function.outputs = outputs;
    }

    /// The function as written, with its places.
    pub(crate) fn unit(&self) -> Unit {
        Unit {
            function: self.function.clone(),
            source: self.report.source_map(),
        }
    }

    /// Checks and passes; `None` if something was reported.
    fn compile(&mut self) -> Option<Compiled> {
        if self.left_to_rustc && self.report.is_clean() {
            return None;
        }
        if !self.report.is_clean() {
            // What could be read can still be wrong by itself; what is missing may follow from what
            // could not.
            self.report.extend(if self.unread {
                crate::check::check_nesting(&self.function)
            } else {
                crate::compile::certain(&self.function)
            });
            return None;
        }
        match compile(&self.function) {
            Ok(compiled) => {
                self.report.warn(&compiled.lints);
                Some(compiled)
            }
            Err(diagnostics) => {
                self.report.extend(diagnostics);
                None
            }
        }
    }
}

/// A function is one kernel: takes further attributes off it.
fn refuse_second(item: &mut Item, report: &mut Reporter) {
    let marks_kernel = |attr: &syn::Attribute| {
        let mut names = attr
            .path()
            .segments
            .iter()
            .rev()
            .map(|s| s.ident.to_string());
        match (names.next().as_deref(), names.next().as_deref()) {
            (Some("jit"), _) => true,
            (Some("function"), Some(_)) => attr
                .meta
                .require_list()
                .is_ok_and(|list| says_kind(&list.tokens)),
            (Some(name), Some("jit")) => Kind::ALL
                .iter()
                .any(|kind| kind.attribute() == format!("#[pl::jit::{name}]")),
            _ => false,
        }
    };
    for attr in item.attrs.iter().filter(|attr| marks_kernel(attr)) {
        report.node_error(
            attr,
            Code::Signature,
            format!("`{}` is marked as a kernel twice", item.sig.ident),
            "keep one of the attributes",
        );
    }
    item.attrs.retain(|attr| !marks_kernel(attr));
}

fn says_kind(args: &TokenStream) -> bool {
    args.clone()
        .into_iter()
        .any(|token| matches!(token, proc_macro2::TokenTree::Ident(name) if name == "kind"))
}

/// A `where` clause is refused; what it says holds nevertheless, for what follows from it.
fn gather_bounds(generics: &mut syn::Generics) {
    let clause = generics.where_clause.clone();
    for predicate in clause.into_iter().flat_map(|clause| clause.predicates) {
        let syn::WherePredicate::Type(predicate) = predicate else {
            continue;
        };
        let bounded = predicate.bounded_ty.to_token_stream().to_string();
        for param in generics.type_params_mut() {
            if param.ident == bounded.as_str() {
                param.bounds.extend(predicate.bounds.clone());
            }
        }
    }
}

/// Names that kernels cannot have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    /// Of a type that every crate has.
    Primitive,
    /// Of an operation of the language.
    Operation,
}

impl Reserved {
    /// Whether a name is one.
    pub(super) fn of(name: &str) -> Option<Self> {
        if Scalar::is_primitive(name) || name == "str" {
            Some(Self::Primitive)
        } else {
            is_reserved(name).then_some(Self::Operation)
        }
    }
}

fn report_reserved(name: &Ident, report: &mut Reporter) -> Option<Reserved> {
    let text = name.to_string();
    let reserved = Reserved::of(&text)?;
    report.at(
        name.span(),
        Code::ReservedName,
        format!("a kernel cannot be called `{text}`: the language has that name"),
        format!("call it `{text}_kernel`"),
    );
    Some(reserved)
}

fn not_a_function(spelling: Spelling, item: TokenStream) -> TokenStream {
    let starts_other_item = item.clone().into_iter().any(|token| {
        matches!(&token, proc_macro2::TokenTree::Ident(ident)
            if ["struct", "enum", "mod", "impl", "trait", "static", "type", "use"]
                .contains(&ident.to_string().as_str()))
    });
    let is_function = item
        .clone()
        .into_iter()
        .any(|token| matches!(&token, proc_macro2::TokenTree::Ident(ident) if ident == "fn"));
    if is_function || !starts_other_item {
        return item;
    }
    let mut report = Reporter::default();
    report.node_error(
        &item,
        Code::Signature,
        format!("`{}` marks functions", spelling.bare()),
        "put it on a `fn` item",
    );
    let mut tokens = report.compile_errors();
    tokens.extend(item);
    tokens
}

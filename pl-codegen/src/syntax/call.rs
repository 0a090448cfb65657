//! Calls of operations, kernels and helpers, and the block macros.

use super::expand::Reserved;
use super::expr::{block_type, turbofish};
use super::flatten::BLOCK_MACROS;
use super::lower::Lower;
use crate::diag::Code;
use crate::ir::{BlockFact, Call, Create, Elem, Expr, ExprKind, ScopeMode, SpanId, Type};
use crate::ops::{ArgKind, Op};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};

impl Lower<'_> {
    /// `f(a, b)`
    pub(crate) fn call(&mut self, e: &syn::ExprCall, span: SpanId) -> Expr {
        let syn::Expr::Path(func) = &*e.func else {
            return self.unsupported(
                &e.func,
                "calls of values",
                "call an operation, a kernel or a helper by its name",
            );
        };
        let Some(last) = func.path.segments.last() else {
            return self.never(e);
        };
        let name = last.ident.to_string();
        if let Some(single) = func.path.get_ident()
            && self.lookup(single).is_some()
        {
            return self.unsupported(
                func,
                &format!("calls of variables, and `{name}` is one"),
                "call an operation, a kernel or a helper by its name",
            );
        }
        let ours = func.path.segments.len() == 1
            || func
                .path
                .segments
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|s| s.ident == "pl" || s.ident == "prelude");
        if let Some(value) = self.task_call(e, func, ours, span) {
            return value;
        }
        if ours && name == "create_tensor" {
            return self.create(e, &func.path, span);
        }
        if ours && let Some(op) = Op::from_name(&name) {
            return self.operation(e, op, &func.path, span);
        }
        if func.path.segments.len() == 1 && Reserved::of(&name) == Some(Reserved::Primitive) {
            // There is no such kernel; a function of that name was reported where it stands.
            self.left_to_rustc = true;
            return Expr {
                kind: ExprKind::Tuple(Vec::new()),
                ty: Type::Never,
                span,
            };
        }
        if self.is_incore()
            && func.path.segments.len() == 1
            && let Some(nearest) = nearest_operation(&name)
        {
            return self.unknown_operation(func, &name, nearest);
        }
        if func.path.segments.len() == 1 && name == self.function.name {
            self.report.node_error(
                func,
                Code::Recursion,
                format!("`{name}` calls itself"),
                "write the repetition as a loop",
            );
            return self.never(e);
        }
        if self.refuse_options(e) {
            return self.never(e);
        }
        let args: Vec<Expr> = e.args.iter().map(|arg| self.expr(arg)).collect();
        let callee = self.callee(&func.path);
        let ty = Type::ResultOf(callee);
        Expr {
            kind: ExprKind::Call(Call {
                callee,
                args,
                directions: Vec::new(),
                launch: None,
                outputs: Vec::new(),
            }),
            ty,
            span,
        }
    }

    fn unknown_operation(&mut self, func: &syn::ExprPath, name: &str, nearest: &str) -> Expr {
        self.report.node_error(
            func,
            Code::UnknownOperation,
            format!("`{name}` is not an operation on tiles"),
            format!(
                "did you mean `{nearest}`? A helper of that name is called by its path, `self::{name}(..)`"
            ),
        );
        self.never(func)
    }

    fn create(&mut self, e: &syn::ExprCall, path: &syn::Path, span: SpanId) -> Expr {
        if let Some(ty) = turbofish(path)
            && self.refuse_element(ty)
        {
            return self.never(e);
        }
        let elem = match turbofish(path) {
            Some(syn::Type::Infer(_)) | None => self.infer.open(),
            Some(ty) => self.elem(ty),
        };
        // rustc counts the arguments in the same code.
        let dims = e
            .args
            .first()
            .map(|dims| self.dims(dims))
            .unwrap_or_default();
        let ty = if self.is_incore() {
            Type::Tile(elem.clone())
        } else {
            Type::Tensor(elem.clone())
        };
        let create = Create {
            elem,
            dims,
            init: None,
            manual_dep: false,
        };
        Expr {
            kind: ExprKind::Create(Box::new(create)),
            ty,
            span,
        }
    }

    fn operation(&mut self, e: &syn::ExprCall, op: Op, path: &syn::Path, span: SpanId) -> Expr {
        if !self.is_incore() {
            self.report.node_error(
                &e.func,
                Code::WrongContext,
                format!(
                    "`{}` works on tiles and belongs into in-core code",
                    op.name()
                ),
                "move it into a function marked `#[pl::jit::incore]` and call that",
            );
            return self.never(e);
        }
        if let Some(ty) = turbofish(path)
            && self.refuse_element(ty)
        {
            return self.never(e);
        }
        let elem = match turbofish(path) {
            Some(syn::Type::Infer(_)) | None => self.infer.open(),
            Some(ty) => self.elem(ty),
        };
        self.left_to_rustc |= e.args.len() != op.args().len();
        let mut args = Vec::new();
        for (arg, (_, kind)) in e.args.iter().zip(op.args()) {
            if *kind == ArgKind::dims {
                let span = self.report.node(arg);
                let dims = self.dims(arg);
                args.push(Expr {
                    kind: ExprKind::List(dims),
                    ty: Type::Unit,
                    span,
                });
                continue;
            }
            let value = self.expr(arg);
            self.left_to_rustc |= !accepts(*kind, &value.ty);
            if let Type::Tile(other) | Type::Tensor(other) = &value.ty {
                if kind.has_element() {
                    self.infer.unify(&elem, other);
                }
                if let Some(fixed) = kind.element() {
                    self.infer.unify(&Elem::Known(fixed), other);
                }
            }
            args.push(value);
        }
        // rustc counts the arguments in the same code.
        let counted = e.args.len() == op.args().len();
        if counted && self.refuse_scalars(e, op, &args) {
            return self.never(e);
        }
        let ty = if counted {
            op.result_type(&elem)
        } else {
            Type::Never
        };
        Expr {
            kind: ExprKind::Operation { op, args },
            ty,
            span,
        }
    }

    /// Reports operands that are all scalars: nothing says which elements they stand for.
    fn refuse_scalars(&mut self, e: &syn::ExprCall, op: Op, args: &[Expr]) -> bool {
        let mut typed = args
            .iter()
            .zip(op.args())
            .filter(|(_, (_, kind))| kind.has_element())
            .peekable();
        let scalars = typed.peek().is_some()
            && typed.all(|(arg, (_, kind))| *kind == ArgKind::operand && arg.ty.is_scalar());
        if scalars {
            self.report.node_error(
                e,
                Code::ArgumentKind,
                format!("`{}` works on tiles, and these are scalars", op.name()),
                "make one of them a tile, `full::<f32>([1, 1], ..)`, or compute with them in plain Rust",
            );
        }
        scalars
    }

    /// `scope!({ .. })` and its like.
    pub(crate) fn block_macro(&mut self, mac: &syn::Macro, span: SpanId) -> Expr {
        let name = mac
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default();
        if name == "submit" {
            return self.submit(mac, span);
        }
        if !BLOCK_MACROS.contains(&name.as_str()) {
            self.report.node_error(
                mac,
                Code::OpaqueMacro,
                format!("`{name}!` hides its contents from `#[pl::jit]`"),
                "write out what it expands to; kernels know `scope!`, `manual_scope!`, `scratch_scope!`, `submit!`, `at!` and `s!`",
            );
            return self.never(mac);
        }
        if name == "at" {
            return self.at(mac, span);
        }
        let keyword = mac.path.segments.last().map(|segment| segment.ident.span());
        let site = keyword.map_or(span, |keyword| self.report.place(keyword, keyword));
        let Ok((mode, stmts)) = scope_content.parse2(mac.tokens.clone()) else {
            // The flattened body carries the same tokens to rustc, which reports the mistake.
            self.left_to_rustc = true;
            return self.never(mac);
        };
        let braces = matches!(mac.delimiter, syn::MacroDelimiter::Brace(_));
        if mode.is_none() && !braces && !single_block(&mac.tokens) {
            self.report.node_error(
                mac,
                Code::UnknownOption,
                format!("`{name}!` takes a block"),
                format!("write `{name}!({{ .. }})`"),
            );
            return self.never(mac);
        }
        let mode = self.scope_mode(&name, mode.as_ref(), mac);
        super::attributes::refuse_in_body(&stmts, self.report);
        let body = self.block(&stmts);
        let ty = block_type(&body);
        let kind = if name == "scratch_scope" {
            ExprKind::ScratchScope(body)
        } else {
            ExprKind::Scope {
                mode,
                implicit: false,
                body,
            }
        };
        Expr {
            kind,
            ty,
            span: site,
        }
    }

    fn scope_mode(&mut self, name: &str, mode: Option<&syn::Expr>, mac: &syn::Macro) -> ScopeMode {
        let default = if name == "manual_scope" {
            ScopeMode::Manual
        } else {
            ScopeMode::Auto
        };
        let Some(mode) = mode else { return default };
        let written = match mode {
            syn::Expr::Path(path) if name == "scope" => path
                .path
                .segments
                .last()
                .map(|segment| segment.ident.to_string()),
            _ => None,
        };
        match written.as_deref() {
            Some("Auto") => ScopeMode::Auto,
            Some("Manual") => ScopeMode::Manual,
            _ => {
                let example = if name == "scope" {
                    "write `scope!({ .. })` or `scope!(ScopeMode::Manual, { .. })`".to_owned()
                } else {
                    format!("write `{name}!({{ .. }})`")
                };
                self.report.node_error(
                    mode,
                    Code::UnknownOption,
                    format!("`{}!` has no such option", mac.path.to_token_stream()),
                    example,
                );
                self.never(mode);
                default
            }
        }
    }

    /// Whether every element type of a new tile is known; reports the ones that are not.
    pub(crate) fn require_elem(&mut self, elem: &Elem, span: SpanId, what: &str) {
        if let Elem::Open(_) | Elem::Unknown = elem {
            self.report.push(crate::diag::Diagnostic::new(
                Code::OpenElement,
                span,
                format!("nothing fixes the element type of this `{what}`"),
                format!("write it: `{what}::<f32>(..)`"),
            ));
            self.report.refuse(span, 0..0);
        }
    }
}

/// The operation that a name was meant for, if it looks like one misspelt; `log2` does not.
fn nearest_operation(name: &str) -> Option<&'static str> {
    let facts = || BlockFact::ALL.into_iter();
    if let Some(fact) = facts().find(|fact| fact.also().contains(&name)) {
        return Some(fact.name());
    }
    let most = match name.len() {
        0..3 => return None,
        3..6 => 1,
        _ => 2,
    };
    if name.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if Op::ALL.iter().any(|op| op.name() == name) {
        return None;
    }
    // Short names are near to many others.
    let looks_like = |known: &&str| match known.len() {
        ..3 => false,
        3 => known.as_bytes()[0] == name.as_bytes()[0],
        _ => true,
    };
    let known = Op::functions().map(Op::name).filter(looks_like);
    let known = known.chain(facts().map(BlockFact::name));
    let near = known.map(|known| (distance(known, name), known));
    let nearest = near.min_by_key(|(distance, _)| *distance)?;
    (nearest.0 <= most).then_some(nearest.1)
}

/// Whether an argument of this kind may have this type.
fn accepts(kind: ArgKind, ty: &Type) -> bool {
    match ty {
        Type::Never | Type::ResultOf(_) => true,
        Type::Tile(elem) => {
            let fixed = kind.element();
            let fits = |dtype| !matches!(elem, Elem::Known(other) if *other != dtype);
            kind.takes_tile() && fixed.is_none_or(fits)
        }
        Type::Tensor(_) => kind.takes_tensor(),
        Type::Scalar(_) | Type::Captured(_) => kind.takes_scalar(),
        Type::Unit | Type::Tuple(_) | Type::TaskId | Type::TaskIds => false,
    }
}

/// `{ body }`, `({ body })`, `(Mode, { body })`
fn scope_content(input: ParseStream<'_>) -> syn::Result<(Option<syn::Expr>, Vec<syn::Stmt>)> {
    let mut mode = None;
    if !input.peek(syn::token::Brace) {
        let ahead = input.fork();
        if ahead.parse::<syn::Expr>().is_ok() && ahead.peek(syn::Token![,]) {
            mode = Some(input.parse()?);
            input.parse::<syn::Token![,]>()?;
        }
    }
    if mode.is_none() && !is_single_block(input) {
        return Ok((None, input.call(syn::Block::parse_within)?));
    }
    let block: syn::Block = input.parse()?;
    if !input.is_empty() {
        input.parse::<syn::Token![,]>()?;
    }
    Ok((mode, block.stmts))
}

/// Whether one braced block is all there is.
fn is_single_block(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<proc_macro2::Group>().is_ok_and(|group| {
        group.delimiter() == proc_macro2::Delimiter::Brace
            && (ahead.is_empty() || ahead.peek(syn::Token![,]))
    })
}

/// Whether one braced block is all there is, but for a comma.
fn single_block(tokens: &proc_macro2::TokenStream) -> bool {
    let parser = |input: ParseStream<'_>| {
        let single = is_single_block(input);
        while !input.is_empty() {
            input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(single)
    };
    parser.parse2(tokens.clone()).unwrap_or(false)
}

/// Number of letters to change, add or remove between two names.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

//! Task ids and blocks: what orchestration keeps of its tasks, and what a task asks about itself.

use super::lower::{Lower, text_of};
use super::submit::is_option;
use crate::diag::Code;
use crate::ir::{BlockFact, Expr, ExprKind, Kind, SpanId, StmtKind, TaskExpr, Type, VarId};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments};

impl Lower<'_> {
    /// `barrier([..])`, `TaskIds::<N>::new()`, `block_idx()` and `block_num()`.
    pub(crate) fn task_call(
        &mut self,
        e: &syn::ExprCall,
        func: &syn::ExprPath,
        ours: bool,
        span: SpanId,
    ) -> Option<Expr> {
        let mut names = func.path.segments.iter().rev();
        let name = names.next()?.ident.to_string();
        if names.next().is_some_and(|owner| owner.ident == "TaskIds") && name == "new" {
            return Some(self.task_ids(e, func, span));
        }
        if !ours {
            return None;
        }
        if name == "barrier" {
            return Some(self.barrier(e, span));
        }
        let fact = BlockFact::ALL
            .into_iter()
            .find(|fact| fact.name() == name)?;
        if let Some((where_, help)) = self.refuse_block() {
            self.report.node_error(
                func,
                Code::WrongContext,
                format!("`{name}` asks for the block that runs, and {where_}"),
                help,
            );
            return Some(self.never(e));
        }
        self.left_to_rustc |= !e.args.is_empty();
        Some(Expr {
            kind: ExprKind::OfBlock(fact),
            ty: Type::usize(),
            span,
        })
    }

    /// Why code here knows nothing of blocks, and what to do instead, if so.
    fn refuse_block(&self) -> Option<(&'static str, &'static str)> {
        if self.function.kind == Kind::Incore {
            return None;
        }
        Some(if !self.is_incore() {
            (
                "orchestration code is no task",
                "write it in the kernel, and submit that with `submit!(k(x, y), blocks = 8)`",
            )
        } else if self.function.kind.is_orchestration() {
            (
                "an `at!` region is a task of one block",
                "write it in a function marked `#[pl::jit::incore]`, and submit that with \
                 `submit!(k(x, y), blocks = 8)`",
            )
        } else {
            (
                "a helper is part of any kernel that calls it",
                "write it in the kernel, and pass the helper what it gives",
            )
        })
    }

    /// `TaskIds::<N>::new()`
    fn task_ids(&mut self, e: &syn::ExprCall, func: &syn::ExprPath, span: SpanId) -> Expr {
        if self.refuse_in_tasks(func, "`TaskIds` names tasks") {
            return self.never(e);
        }
        self.left_to_rustc |= !e.args.is_empty();
        let owner = func.path.segments.iter().rev().nth(1);
        let length = owner.and_then(|owner| match &owner.arguments {
            PathArguments::AngleBracketed(args) => args.args.first(),
            _ => None,
        });
        let Some(length) =
            length.filter(|length| !matches!(length, GenericArgument::Type(syn::Type::Infer(_))))
        else {
            self.report.node_error(
                func,
                Code::ArgumentKind,
                "`TaskIds` needs to know how many ids it has",
                "write the number: `TaskIds::<4>::new()`",
            );
            return self.never(e);
        };
        let place = self.report.node(length);
        let length = match length {
            GenericArgument::Const(syn::Expr::Lit(literal)) => {
                self.expr(&syn::Expr::Lit(literal.clone()))
            }
            GenericArgument::Type(syn::Type::Path(path))
                if path.path.get_ident().is_some_and(|name| {
                    self.lookup(name).is_some() || self.lookup_dim(name).is_some()
                }) =>
            {
                let written = text_of(&path.path.to_token_stream());
                self.report.node_error(
                    path,
                    Code::ArgumentKind,
                    format!("the length of `TaskIds` is a constant, and `{written}` is known when it runs"),
                    "use a number or a constant that is large enough; ids that are not set are waited for by nobody",
                );
                return self.never(e);
            }
            other => self.capture(other, place),
        };
        Expr {
            kind: ExprKind::Task(TaskExpr::Array(Box::new(length))),
            ty: Type::TaskIds,
            span,
        }
    }

    /// `TaskId::NONE`; `None` if this is nothing of the kind.
    pub(crate) fn task_path(&mut self, e: &syn::ExprPath, span: SpanId) -> Option<Expr> {
        let mut names = e.path.segments.iter().rev();
        let name = names.next()?;
        let owner = names.next()?;
        if owner.ident != "TaskId" || e.qself.is_some() {
            return None;
        }
        if self.refuse_in_tasks(e, "`TaskId` names a task") {
            return Some(self.never(e));
        }
        if name.ident != "NONE" {
            self.report.node_error(
                e,
                Code::UnknownOperation,
                format!("`TaskId` has no `{}`", name.ident),
                "`TaskId::NONE` is no task; `submit!(..)` and `barrier([..])` give others",
            );
            return Some(self.never(e));
        }
        Some(Expr {
            kind: ExprKind::Task(TaskExpr::None),
            ty: Type::TaskId,
            span,
        })
    }

    /// The variable, if it is an array of task ids.
    pub(crate) fn task_array(&self, expr: &syn::Expr) -> Option<VarId> {
        let syn::Expr::Path(path) = expr else {
            return None;
        };
        let var = self.lookup(path.path.get_ident()?)?;
        (self.function.var(var).ty == Type::TaskIds).then_some(var)
    }

    /// `ids[i]`
    pub(crate) fn task_at(&mut self, e: &syn::ExprIndex, span: SpanId) -> Expr {
        let ids = Box::new(self.expr(&e.expr));
        let index = Box::new(self.scalar(&e.index));
        Expr {
            kind: ExprKind::Task(TaskExpr::At { ids, index }),
            ty: Type::TaskId,
            span,
        }
    }

    /// `ids[i] = t`
    pub(crate) fn set_task(&mut self, left: &syn::ExprIndex, ids: VarId, value: Expr) -> StmtKind {
        let index = Box::new(self.scalar(&left.index));
        self.left_to_rustc |= !matches!(value.ty, Type::TaskId | Type::ResultOf(_) | Type::Never);
        let span = self.report.node(left);
        StmtKind::Expr(Expr {
            kind: ExprKind::Task(TaskExpr::Set {
                ids,
                index,
                value: Box::new(value),
            }),
            ty: Type::Unit,
            span,
        })
    }

    /// `t.is_valid()`
    pub(crate) fn task_method(
        &mut self,
        e: &syn::ExprMethodCall,
        base: Expr,
        span: SpanId,
    ) -> Expr {
        if base.ty != Type::TaskIds && e.method == "is_valid" {
            self.left_to_rustc |= !e.args.is_empty();
            return Expr {
                kind: ExprKind::Task(TaskExpr::IsValid(Box::new(base))),
                ty: Type::bool(),
                span,
            };
        }
        self.report.node_error(
            &e.method,
            Code::UnknownOperation,
            format!("{} has no method `{}`", base.ty.noun(), e.method),
            match base.ty {
                Type::TaskId => "a task id has `is_valid()`; to wait for it, write `deps = [t]` in `submit!`",
                _ => "write `ids[i]` for one id; to wait for all of them, write `deps = [ids]` in `submit!`",
            },
        );
        self.never(e)
    }

    /// `x.partition(axis)`
    pub(crate) fn partition(&mut self, e: &syn::ExprMethodCall, base: Expr, span: SpanId) -> Expr {
        if let Some((where_, help)) = self.refuse_block() {
            self.report.node_error(
                &e.method,
                Code::WrongContext,
                format!("`partition` gives the part of the block that runs, and {where_}"),
                help,
            );
            return self.never(e);
        }
        let written = text_of(&e.receiver.to_token_stream());
        let var = match base.kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        };
        let param = var.filter(|var| self.function.params.iter().any(|param| param.var == *var));
        let Some(param) = param else {
            self.report.node_error(
                e,
                Code::ArgumentKind,
                format!("blocks take a parameter apart, and `{written}` is none"),
                "take the part of the parameter first: `x.partition(0).slice(s![..])`",
            );
            return self.never(e);
        };
        if self.function.var(param).mutable {
            self.report.node_error(
                e,
                Code::ArgumentKind,
                format!("blocks take a parameter apart, and `{written}` may have become another tensor"),
                format!("remove `mut` from the parameter, and give other tensors other names than `{written}`"),
            );
            return self.never(e);
        }
        let [axis] = e.args.iter().collect::<Vec<_>>()[..] else {
            // rustc counts the arguments in the same code.
            self.left_to_rustc = true;
            return self.never(e);
        };
        let ty = base.ty.clone();
        let axis = Box::new(self.scalar(axis));
        Expr {
            kind: ExprKind::Partition {
                base: Box::new(base),
                axis,
            },
            ty,
            span,
        }
    }

    /// Reports what belongs into `submit!` on a plain call.
    pub(crate) fn refuse_options(&mut self, e: &syn::ExprCall) -> bool {
        let option = e.args.iter().find_map(|arg| match arg {
            syn::Expr::Assign(option) => match &*option.left {
                syn::Expr::Path(path) => path
                    .path
                    .get_ident()
                    .filter(|name| is_option(name))
                    .cloned(),
                _ => None,
            },
            _ => None,
        });
        let Some(option) = option else {
            return false;
        };
        let (call, options) = super::submit::move_options(e);
        self.report.at(
            option.span(),
            Code::UnknownOption,
            format!("a plain call takes no options, and `{option}` is one"),
            format!("write `submit!({call}, {options})`"),
        );
        true
    }

    /// `[t, ids, ids[i]]`: what is waited for.
    ///
    /// `example` puts a list where it belongs.
    pub(super) fn dependencies(
        &mut self,
        expr: &syn::Expr,
        example: impl Fn(&str) -> String,
    ) -> Vec<Expr> {
        let syn::Expr::Array(array) = expr else {
            let list = format!("[{}]", text_of(&expr.to_token_stream()));
            self.report.node_error(
                expr,
                Code::ArgumentKind,
                "what a task waits for is a list of task ids",
                format!("write `{}`", example(&list)),
            );
            return Vec::new();
        };
        let items = array.elems.iter();
        items.map(|item| self.dependency(item)).collect()
    }

    fn dependency(&mut self, item: &syn::Expr) -> Expr {
        let value = self.expr(item);
        match value.ty {
            Type::TaskId | Type::TaskIds | Type::ResultOf(_) | Type::Never => value,
            _ => {
                let written = text_of(&item.to_token_stream());
                self.report.node_error(
                    item,
                    Code::ArgumentKind,
                    format!("`{written}` is {}, and a task waits for tasks", value.ty.noun()),
                    "give the task that makes it a name, `let t = submit!(k(x, y));`, and wait for `t`",
                );
                self.never(item)
            }
        }
    }

    /// `barrier([t, ids])`
    pub(crate) fn barrier(&mut self, e: &syn::ExprCall, span: SpanId) -> Expr {
        if self.refuse_in_tasks(&e.func, "`barrier` is a task") {
            return self.never(e);
        }
        let (Some(list), 1) = (e.args.first(), e.args.len()) else {
            self.report.node_error(
                e,
                Code::ArgumentKind,
                "`barrier` takes a list of the tasks to wait for",
                "write `barrier([a, b])`",
            );
            return self.never(e);
        };
        let before = self.report.count();
        let deps = self.dependencies(list, |list| format!("barrier({list})"));
        if self.report.count() > before {
            return self.never(e);
        }
        Expr {
            kind: ExprKind::Task(TaskExpr::Barrier(deps)),
            ty: Type::TaskId,
            span,
        }
    }

    /// In-core code is the body of one task: reports what belongs to orchestration.
    pub(crate) fn refuse_in_tasks(&mut self, node: &impl ToTokens, what: &str) -> bool {
        if !self.is_incore() {
            return false;
        }
        self.report.node_error(
            node,
            Code::WrongContext,
            format!("{what}, and in-core code is the body of one"),
            "move it into the orchestration function that calls this one",
        );
        true
    }

    /// Task ids go to and come from helpers: reports them in the signature of anything else.
    pub(crate) fn refuse_ids(&mut self, ty: &syn::Type) -> bool {
        let kind = self.function.kind;
        let help = match kind {
            Kind::Inline | Kind::Opaque => return false,
            Kind::Incore => {
                "remove it, and say at the submit what the task waits for: `deps = [t]`"
            }
            _ => "remove it: tasks of other runs have ended",
        };
        self.report.node_error(
            ty,
            Code::Signature,
            format!("functions marked `{}` take no task ids", kind.attribute()),
            help,
        );
        true
    }

    /// Reports an array of task ids in a signature.
    pub(crate) fn refuse_array(&mut self, ty: &syn::Type) {
        self.report.node_error(
            ty,
            Code::Signature,
            "an array of task ids stays in the function that makes it",
            "pass one task that waits for all of them, `barrier([ids])`, to a parameter `t: TaskId`",
        );
    }

    /// What a `submit!` is bound to: a pair takes what the kernel returns, and the task id.
    pub(crate) fn give_pair(submit: &mut Expr) {
        if let ExprKind::Call(call) = &submit.kind
            && call.launch.is_some()
        {
            submit.ty = Type::Tuple(vec![Type::ResultOf(call.callee), Type::TaskId]);
        }
    }
}

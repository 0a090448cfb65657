//! Texts about handles that are used too late.

use super::flow::{Around, Death, Graph, Maker, Origin, ScopeInfo, ScopeKind};
use super::walk::Use;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Function, ScopeMode, Type, VarId};

/// The diagnostic for a use of a handle whose owner has closed.
pub(super) fn describe(
    function: &Function,
    graph: &Graph,
    each: &Use,
    death: &Death,
) -> Diagnostic {
    let origin = &graph.origins[death.origin.0 as usize];
    let scope = graph.owner(death.origin);
    let names_task = |var: VarId| matches!(function.var(var).ty, Type::TaskId | Type::TaskIds);
    let of_task = origin.maker == Maker::Task || each.of_task || each.var.is_some_and(names_task);
    let noun = match scope.kind {
        _ if of_task => "task id",
        ScopeKind::Scratch => "tile",
        _ => "tensor",
    };
    let closed = closed(scope);
    let held = each
        .var
        .map_or_else(|| format!("a {noun}"), |var| quoted(function, var));
    let (code, span, message) = match (scope.kind, death.value) {
        (_, Some(value)) if of_task => (
            Code::TaskAfterScope,
            value,
            format!(
                "the value of {} names a task that belongs to the scope",
                opened(scope)
            ),
        ),
        (_, None) if of_task && death.carried => (
            Code::TaskAfterScope,
            each.span,
            format!("{held} names a task of an earlier iteration, and {closed}"),
        ),
        (_, None) if of_task => (
            Code::TaskAfterScope,
            each.span,
            format!("{held} is used after {closed}, to which its task belongs"),
        ),
        (ScopeKind::Scratch, Some(value)) => (
            Code::TileUsedAfterScratch,
            value,
            "the value of this `scratch_scope!` is a tile that the scope recycles".to_owned(),
        ),
        (ScopeKind::Scratch, None) => (
            Code::TileUsedAfterScratch,
            each.span,
            format!("{held} is used after {closed}, which recycled its tile"),
        ),
        (_, Some(value)) => (
            Code::ScopeValue,
            value,
            format!(
                "the value of {} is a tensor that the scope owns",
                opened(scope)
            ),
        ),
        (_, None) if death.carried => (
            Code::LoopCarried,
            each.span,
            format!("{held} holds a tensor of an earlier iteration, freed when {closed}"),
        ),
        (_, None) => (
            Code::UsedAfterScope,
            each.span,
            format!("{held} is used after {closed}, which freed its tensor"),
        ),
    };
    let mut diagnostic = Diagnostic::new(
        code,
        span,
        message,
        if of_task {
            task_help(scope, death).to_owned()
        } else {
            help(function, each, origin, scope, death)
        },
    )
    .note(origin.span, made(function, origin, noun))
    .note(scope.span, place(scope));
    if death.value.is_some() {
        diagnostic = diagnostic.note(each.span, "it is used here");
    }
    diagnostic
}

fn quoted(function: &Function, var: VarId) -> String {
    format!("`{}`", function.var(var).name)
}

/// A scope, as its user would call it.
fn opened(scope: &ScopeInfo) -> &'static str {
    match scope.kind {
        ScopeKind::ByHand(ScopeMode::Auto) => "this `scope!`",
        ScopeKind::ByHand(ScopeMode::Manual) => "this MANUAL scope",
        ScopeKind::Implicit(Around::Body) => "the scope of the function body",
        ScopeKind::Implicit(Around::Loop) => "the scope of the loop body",
        ScopeKind::Implicit(Around::Branch) => "the scope of the branch",
        ScopeKind::Scratch => "this `scratch_scope!`",
    }
}

fn closed(scope: &ScopeInfo) -> &'static str {
    match scope.kind {
        ScopeKind::ByHand(ScopeMode::Auto) => "its `scope!` closed",
        ScopeKind::ByHand(ScopeMode::Manual) => "its MANUAL scope closed",
        ScopeKind::Implicit(Around::Body) => "the scope of the function body closed",
        ScopeKind::Implicit(Around::Loop) => "the scope of the loop body closed",
        ScopeKind::Implicit(Around::Branch) => "the scope of the branch closed",
        ScopeKind::Scratch => "its `scratch_scope!` closed",
    }
}

fn place(scope: &ScopeInfo) -> &'static str {
    match scope.kind {
        ScopeKind::ByHand(_) => "the scope that owns it opens here",
        ScopeKind::Implicit(Around::Body) => {
            "the compiler placed the scope that owns it around the body of this function"
        }
        ScopeKind::Implicit(Around::Loop) => {
            "the compiler placed the scope that owns it around the body of this loop"
        }
        ScopeKind::Implicit(Around::Branch) => {
            "the compiler placed the scope that owns it around a branch of this `if`"
        }
        ScopeKind::Scratch => "the `scratch_scope!` that owns it opens here",
    }
}

fn made(function: &Function, origin: &Origin, noun: &str) -> String {
    let name = origin.name.map_or(String::new(), |var| {
        format!(", as {}", quoted(function, var))
    });
    match origin.maker {
        Maker::Create => format!("the {noun} is created here{name}"),
        Maker::TileOperation => format!("the {noun} is computed here{name}"),
        Maker::Task => format!("the task is submitted here{name}"),
        Maker::Call(callee) => format!(
            "what `{}` returns belongs to the scope of this call",
            function.callees[callee.index()].path
        ),
    }
}

/// How to swap the tensor in use with the one that the loop makes, where they have names.
fn swap(function: &Function, each: &Use, origin: &Origin) -> Option<String> {
    let (old, new) = (each.var?, origin.name?);
    let (old_name, new_name) = (&function.var(old).name, &function.var(new).name);
    (old != new).then(|| {
        format!(
            "make the tensors of `{old_name}` and `{new_name}` before the loop, and let them take turns: write \
             `({old_name}, {new_name}) = ({new_name}, {old_name})` where `{old_name}` is assigned"
        )
    })
}

fn help(
    function: &Function,
    each: &Use,
    origin: &Origin,
    scope: &ScopeInfo,
    death: &Death,
) -> String {
    let what = match (origin.maker, origin.name) {
        (Maker::Call(callee), _) => format!("call `{}`", function.callees[callee.index()].path),
        (_, Some(var)) => format!("create {}", quoted(function, var)),
        (_, None) => "create it".to_owned(),
    };
    let swap = swap(function, each, origin).filter(|_| death.carried);
    let first = match (scope.kind, swap) {
        (ScopeKind::Scratch, _) => {
            let out = "copy it out with `copy_to` into a tile made before the `scratch_scope!`";
            return match origin.maker {
                Maker::Call(_) => format!("{out}; if it is a scalar, say so: `let n: f32 = ..`"),
                _ => out.to_owned(),
            };
        }
        (_, Some(swap)) => swap,
        (ScopeKind::Implicit(Around::Loop), _) => format!("{what} before the loop"),
        (ScopeKind::Implicit(Around::Branch), _) => format!("{what} before the `if`"),
        (ScopeKind::Implicit(Around::Body), _) => format!("{what} in the caller"),
        (ScopeKind::ByHand(_), _) if origin.maker == Maker::Create => {
            "hoist the `create_tensor` above the scope, so that the tensor outlives it".to_owned()
        }
        (ScopeKind::ByHand(_), _) => format!("{what} above the scope"),
    };
    match scope.kind {
        ScopeKind::Implicit(_) => {
            format!("{first}; or write `auto_scope = false` and place the scopes yourself")
        }
        _ => first,
    }
}

/// How to keep the order of two tasks of which one is in a scope that closes before the other.
fn task_help(scope: &ScopeInfo, death: &Death) -> &'static str {
    match scope.kind {
        ScopeKind::Implicit(Around::Loop) if death.carried => {
            "put the loop into `manual_scope!({ .. })`, where the compiler places no scopes; or leave \
             the dependency out: elsewhere a task waits by itself for those that use the same bytes"
        }
        ScopeKind::Implicit(_) => {
            "put both tasks into one `manual_scope!({ .. })`, where the compiler places no scopes; or \
             leave the dependency out: elsewhere a task waits by itself for those that use the same \
             bytes"
        }
        ScopeKind::ByHand(_) | ScopeKind::Scratch => {
            "submit the task that waits inside the scope too; or leave the dependency out: outside it a \
             task waits by itself for those in it that use the same bytes"
        }
    }
}

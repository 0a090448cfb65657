//! Which code may call which: orchestration code submits tasks, in-core code is the body of one.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Kind, SpanId};

/// Why code cannot call a function, and what to do instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    message: String,
    help: &'static str,
}

impl Refusal {
    /// As a diagnostic at the call.
    pub fn diagnostic(self, call: SpanId) -> Diagnostic {
        Diagnostic::new(Code::WrongContext, call, self.message, self.help)
    }

    /// As a callee says it to callers in other crates.
    pub fn text(&self) -> String {
        let Self { message, help } = self;
        format!("{message} [{}]\nhelp: {help}", Code::WrongContext)
    }
}

/// Why the function `name` cannot be called from in-core code, or from orchestration code.
pub fn refused(kind: Kind, name: &str, from_incore: bool) -> Option<Refusal> {
    let (what, help) = match (kind, from_incore) {
        (Kind::Entry | Kind::Host, false) => (
            "is an entry; kernels cannot call entries",
            "mark it `#[pl::jit::inline]`",
        ),
        (Kind::Entry | Kind::Host, true) => (
            "is an entry; kernels cannot call entries",
            "to call it here, mark it `#[pl::jit::inline]` and give it tiles, `x: Tile<f32>`",
        ),
        (Kind::Inline | Kind::Opaque, true) => (
            "is orchestration code, and this is in-core code, the body of one task",
            "call it where this task is submitted; helpers of in-core code have tiles in their \
             signature, `x: Tile<f32>`",
        ),
        (Kind::Incore, true) => (
            "is a task of its own, and in-core code, the body of one task, submits none",
            "call it where this task is submitted; to call it here, mark it `#[pl::jit::inline]` \
             and give it tiles, `x: Tile<f32>`",
        ),
        (Kind::IncoreInline, false) => (
            "works on tiles, and orchestration code has none",
            "call it from a function marked `#[pl::jit::incore]`, and call that",
        ),
        (Kind::Inline | Kind::Opaque | Kind::Incore, false) | (Kind::IncoreInline, true) => {
            return None;
        }
    };
    Some(Refusal {
        message: format!("`{name}` {what}"),
        help,
    })
}

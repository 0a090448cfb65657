//! What a function does, a few turns of each loop: the tasks in program order, with what each uses.

use super::view::{Root, View};
use crate::ir::{Block, Expr, ExprKind, Part, SpanId, Stmt, StmtKind, TaskExpr};
use std::collections::HashMap;

/// Everything that happened.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) instances: Vec<Instance>,
    pub(super) roots: Vec<Root>,
    pub(super) scopes: Vec<Scope>,
    /// Turns of a loop that are followed.
    pub(super) turns: u32,
    /// First value and step of each loop that was entered, where it is known how often it turns.
    pub(super) loops: Vec<(i128, i128)>,
}

/// A scope that was entered.
pub(super) struct Scope {
    /// The ring that it allocates from.
    pub(super) ring: usize,
    /// Instances that there were when it closed; `None` for the root, which closes when all is done.
    pub(super) closed: Option<u32>,
}

/// One of the times that a task, an allocation, a `get` or a `set` happens.
pub(super) struct Instance {
    /// Which of the function.
    pub(super) site: u32,
    pub(super) kind: Kind,
    pub(super) span: SpanId,
    pub(super) name: String,
    /// Under which conditions.
    pub(super) guards: Vec<Guard>,
    pub(super) path: Vec<Step>,
    /// The MANUAL scope that it stands in.
    pub(super) manual: Option<u32>,
    /// The ring that it allocates from, if it does.
    pub(super) ring: Option<usize>,
    pub(super) accesses: Vec<Access>,
    pub(super) deps: Vec<Dep>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Task,
    Alloc,
    Get,
    Set,
}

impl Kind {
    /// Whether the orchestrator itself does it, and waits for what it needs.
    pub(super) const fn is_host(self) -> bool {
        matches!(self, Self::Get | Self::Set)
    }
}

/// An alternative of the program that was taken; two of one choice exclude each other.
pub(super) type Guard = (u32, u32);

/// Where an instance lies, from the outside to the inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A statement of a block; the value of the block is behind the last.
    Stmt { block: u32, index: u32 },
    /// A turn of a loop.
    Turn {
        entered: u32,
        turn: u32,
        parallel: bool,
        /// How many there are, if that is known.
        count: Option<u32>,
    },
}

/// A use of a tensor.
pub(super) struct Access {
    pub(super) view: View,
    /// Whether it can be no other.
    pub(super) sole: bool,
    pub(super) write: bool,
    /// The argument that it is; `None` for predicates, what the task itself allocates, `get` and `set`.
    pub(super) arg: Option<usize>,
    /// Whether the device looks for earlier writes.
    pub(super) looks: bool,
}

/// A dependency that is declared.
pub(super) struct Dep {
    pub(super) task: u32,
    /// Later ones that may have taken its place.
    pub(super) rivals: Vec<u32>,
    /// Whether it keeps what the task owns.
    pub(super) retain: bool,
}

/// Numbers of blocks, and of the places that make instances: the order in which they stand.
#[derive(Default)]
pub(super) struct Numbers {
    blocks: HashMap<*const Block, u32>,
    exprs: HashMap<*const Expr, u32>,
    allocs: HashMap<*const Stmt, u32>,
}

impl Numbers {
    pub(super) fn of(body: &Block) -> Self {
        let mut numbers = Self::default();
        numbers.add_block(body);
        numbers
    }

    pub(super) fn block(&self, block: &Block) -> u32 {
        self.blocks[&std::ptr::from_ref(block)]
    }

    pub(super) fn expr(&self, expr: &Expr) -> u32 {
        self.exprs[&std::ptr::from_ref(expr)]
    }

    pub(super) fn alloc(&self, stmt: &Stmt) -> u32 {
        self.allocs[&std::ptr::from_ref(stmt)]
    }

    fn next_site(&self) -> u32 {
        (self.exprs.len() + self.allocs.len()) as u32
    }

    fn add_block(&mut self, block: &Block) {
        let number = self.blocks.len() as u32;
        self.blocks.insert(block, number);
        for stmt in &block.stmts {
            if is_alloc(stmt) {
                let site = self.next_site();
                self.allocs.insert(stmt, site);
            }
            stmt.parts(&mut |part| self.add(&part));
        }
        if let Some(tail) = &block.tail {
            self.add(&Part::Expr(tail));
        }
    }

    fn add(&mut self, part: &Part<'_>) {
        match part {
            Part::Block(block) => self.add_block(block),
            Part::Expr(expr) => {
                if is_site(expr) {
                    let site = self.next_site();
                    self.exprs.insert(*expr, site);
                }
                if let ExprKind::At(at) = &expr.kind {
                    // What is in it is no orchestration.
                    if let Some(launch) = &at.launch {
                        launch.parts(&mut |part| self.add(&part));
                    }
                } else {
                    expr.parts(&mut |part| self.add(&part));
                }
            }
        }
    }
}

/// Whether the statement makes an instance by itself.
pub(super) const fn is_alloc(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Alloc { .. })
}

/// Whether the expression makes an instance by itself.
pub(super) const fn is_site(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Call(_)
            | ExprKind::At(_)
            | ExprKind::Get { .. }
            | ExprKind::Set { .. }
            | ExprKind::Task(TaskExpr::Barrier(_))
    )
}

/// Whether two instances lie in different turns of one parallel loop.
pub(super) fn in_other_turn(a: &[Step], b: &[Step]) -> bool {
    let apart = a.iter().zip(b).find(|(a, b)| a != b);
    matches!(
        apart,
        Some((
            Step::Turn { parallel: true, entered: a, .. },
            Step::Turn { entered: b, .. },
        )) if a == b
    )
}

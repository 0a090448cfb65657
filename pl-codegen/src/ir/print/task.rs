//! Text of what concerns tasks.

use super::Printer;
use crate::ir::{Expr, Launch, TaskExpr};

impl<'a> Printer<'a> {
    /// ` deps [t] blocks 8`
    pub(super) fn launch(&mut self, launch: &'a Launch) {
        for (name, deps) in [("deps", &launch.deps), ("deps_wait", &launch.deps_wait)] {
            if !deps.is_empty() {
                self.put(&format!(" {name} "));
                self.list("[", deps, "]", Self::expr);
            }
        }
        if let Some(blocks) = &launch.blocks {
            self.put(" blocks ");
            self.operand(blocks);
        }
        self.put(if launch.sync_start { " sync_start" } else { "" });
        if let Some(core_type) = launch.core_type {
            self.put(&format!(" core_type {core_type}"));
        }
        if let Some(predicate) = &launch.predicate {
            self.put(" predicate ");
            self.method(&predicate.base, "get", "([", &predicate.indices, "])");
            self.put(&format!(" {} ", predicate.op.symbol()));
            self.operand(&predicate.target);
        }
    }

    pub(super) fn task(&mut self, task: &'a TaskExpr) {
        match task {
            TaskExpr::None => self.put("TaskId::NONE"),
            TaskExpr::Allocated(batch) => self.put(&format!("alloc {}.task_id()", batch.0)),
            TaskExpr::Array(length) => {
                self.put("TaskIds::<");
                self.expr(length);
                self.put(">::new()");
            }
            TaskExpr::At { ids, index } => {
                self.operand(ids);
                self.index(index);
            }
            TaskExpr::Set { ids, index, value } => {
                self.var(*ids);
                self.index(index);
                self.put(" = ");
                self.expr(value);
            }
            TaskExpr::IsValid(task) => self.method(task, "is_valid", "(", &[], ")"),
            TaskExpr::Barrier(deps) => self.list("barrier([", deps, "])", Self::expr),
        }
    }

    fn index(&mut self, index: &'a Expr) {
        self.put("[");
        self.expr(index);
        self.put("]");
    }
}

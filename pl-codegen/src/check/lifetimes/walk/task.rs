//! Task ids: made by submits and barriers, needed where something waits for them.

use super::super::flow::Maker;
use super::{Value, Walk};
use crate::ir::{Expr, Launch, TaskExpr};

impl Walk<'_> {
    pub(super) fn launch(&mut self, launch: &Launch) {
        for dep in launch.deps.iter().chain(&launch.deps_wait) {
            self.dependency(dep);
        }
        if let Some(blocks) = &launch.blocks {
            self.scalar(blocks);
        }
        if let Some(predicate) = &launch.predicate {
            self.operand(&predicate.base);
            for index in &predicate.indices {
                self.scalar(index);
            }
            self.scalar(&predicate.target);
        }
    }

    pub(super) fn task(&mut self, expr: &Expr, task: &TaskExpr) -> Value {
        match task {
            TaskExpr::None | TaskExpr::Allocated(_) => Value::Safe,
            TaskExpr::Array(length) => {
                self.scalar(length);
                Value::Safe
            }
            // One id is taken for any of its array.
            TaskExpr::At { ids, index } => {
                let value = self.value(ids);
                self.consume(&value, ids.span);
                self.scalar(index);
                value
            }
            // The other ids stay in the array, so it must still be one.
            TaskExpr::Set { ids, index, value } => {
                let new = self.value(value);
                self.scalar(index);
                let old = self.read(*ids, expr.span);
                let both = self.merge(old, new);
                let held = self.collapse(&both);
                self.set(*ids, held);
                Value::Safe
            }
            TaskExpr::IsValid(task) => {
                self.dependency(task);
                Value::Safe
            }
            TaskExpr::Barrier(deps) => {
                for dep in deps {
                    self.dependency(dep);
                }
                self.made(expr, Maker::Task)
            }
        }
    }

    /// Something that is waited for: a task id, whatever made it.
    fn dependency(&mut self, expr: &Expr) {
        let first = self.uses.len();
        self.operand(expr);
        for each in &mut self.uses[first..] {
            each.of_task = true;
        }
    }
}

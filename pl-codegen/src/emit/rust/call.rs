//! Calls: before linking of whatever the callee is, after it submissions of tasks.

use super::{Emitter, Sink};
use crate::ir::{Access, Call, Expr, ExprKind, Scalar, Type};

impl<S: Sink> Emitter<'_, S> {
    /// A call; linked ones know how they use their arguments.
    pub(super) fn call(&mut self, call: &Call, expr: &Expr) {
        if call.directions.is_empty() {
            self.call_any(call, expr);
        } else {
            self.submit(call, expr);
        }
    }

    /// `callee::__call(site, ..)?`, which decides what becomes of it.
    fn call_any(&mut self, call: &Call, expr: &Expr) {
        let incore = self.incore;
        if incore {
            self.out.runtime("Signature::in_core(");
        }
        let name = if call.launch.is_some() {
            "__submit"
        } else {
            "__call"
        };
        self.out.callee_item(call.callee, name);
        self.out.put("(");
        self.out.site(expr.span);
        self.out.put(", ");
        self.out.runtime("Signature::fit((");
        self.scope_ref();
        self.out.put(", ");
        for arg in &call.args {
            self.expr(arg);
            self.out.put(", ");
        }
        self.out.at(expr.span);
        self.out.put("), ");
        self.out.callee_item(call.callee, "__params");
        self.out.put("()).pass()");
        if let Some(launch) = &call.launch {
            self.out.put(", ");
            self.out.runtime("TaskSpec::launch()");
            self.launch(launch, expr);
        }
        self.out.put(if incore { "))?" } else { ")?" });
    }

    /// `scope1.submit(site, TaskSpec::new(..))?`
    fn submit(&mut self, call: &Call, expr: &Expr) {
        let in_block = match call.launch {
            Some(_) => gives_pair(expr),
            None => call.outputs.len() > 1,
        };
        if in_block {
            self.out.open();
            self.out.put("let ");
            self.out.local("task", 0);
            self.out.put(" = ");
        }
        self.scope();
        self.out.put(".submit(");
        self.out.site(expr.span);
        self.out.put(", ");
        self.out.runtime("TaskSpec::new(");
        self.out.indent();
        self.out.line();
        self.out.callee_item(call.callee, "INFO");
        self.out.put(",");
        self.out.line();
        self.out.callee_item(call.callee, "body");
        self.out.put(",");
        self.out.line();
        self.out.put("&[");
        let args = || call.args.iter().zip(&call.directions);
        let tensors = args().filter_map(|(arg, direction)| Some((arg, (*direction)?)));
        self.out.indent();
        for (arg, direction) in tensors {
            self.out.line();
            self.out.runtime(task_arg(direction));
            self.expr(arg);
            self.out.put("),");
        }
        for output in &call.outputs {
            self.out.line();
            self.out.runtime("TaskArg::Output(");
            self.create(output);
            self.out.put("),");
        }
        self.out.dedent();
        self.out.line();
        self.out.put("],");
        self.out.line();
        self.out.put("&[");
        for (position, (arg, _)) in args()
            .filter(|(_, direction)| direction.is_none())
            .enumerate()
        {
            self.separate(position);
            self.out.runtime("Scalar::to_value");
            self.out.put("(");
            self.expr(arg);
            if let (ExprKind::Literal(text), Type::Scalar(Scalar::Named(ty))) = (&arg.kind, &arg.ty)
                && !text.ends_with(ty.as_str())
                && ty != "bool"
            {
                self.out.put("_");
                self.out.put(ty);
            }
            self.out.put(")");
        }
        self.out.put("],");
        self.out.dedent();
        self.out.line();
        self.out.put(")");
        if let Some(launch) = &call.launch {
            self.launch(launch, expr);
        }
        self.out.put(")?");
        if in_block {
            self.out.put(";");
            self.out.line();
            self.out.put(if call.launch.is_some() { "(" } else { "" });
            self.outputs(call.outputs.len());
            if call.launch.is_some() {
                self.out.put(", ");
                self.out.local("task", 0);
                self.out.put(".task_id())");
            }
            self.out.line();
            self.out.close();
        } else if call.launch.is_none() && call.outputs.len() == 1 {
            self.out.put(".get_ref(0)");
        }
    }

    /// The tensors that a submit allocated.
    fn outputs(&mut self, count: usize) {
        if count == 1 {
            self.out.local("task", 0);
            return self.out.put(".get_ref(0)");
        }
        self.out.put("(");
        for index in 0..count {
            self.separate(index);
            self.out.local("task", 0);
            self.out.put(&format!(".get_ref({index})"));
        }
        self.out.put(")");
    }
}

/// The start of an argument of a task that is accessed so.
pub(super) const fn task_arg(access: Access) -> &'static str {
    match access {
        Access::Read => "TaskArg::Input(",
        Access::Write => "TaskArg::OutputExisting(",
        Access::ReadWrite => "TaskArg::InOut(",
    }
}

/// Whether a `submit!` gives what its kernel returns, and the task id.
pub(super) fn gives_pair(submit: &Expr) -> bool {
    matches!(submit.ty, Type::Tuple(_))
}

//! Who writes what: nothing is read that nobody writes, no input is written, every output is.
//!
//! Judged without order: a tensor counts as written if anything in the function may write it. What
//! depends on a callee becomes a [`Condition`] that the caller's expansion leaves to rustc, since
//! the callee is not known here.

mod touched;

pub use touched::{Touched, touched};

use super::condition::{Condition, Need};
use super::launch::of_submit;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Access, Block, CalleeId, Expr, ExprKind, Function, LoopKind, Param, Part, Pattern, SpanId,
    Stmt, StmtKind, Type, Var, VarId,
};
use crate::ops::ArgKind;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reports what is certain, and gives the conditions for the rest.
pub fn check_dataflow(function: &Function) -> (Vec<Diagnostic>, Vec<Condition>) {
    let mut flow = Flow::new(function);
    for param in &function.params {
        if matches!(param.ty, Type::Tensor(_)) {
            flow.roots[param.var.index()].insert(param.var);
        }
    }
    flow.follow(&function.body);
    if let Some(tail) = &function.body.tail
        && !function.returns.is_empty()
    {
        flow.escape(tail);
    }
    flow.judge();
    (flow.diagnostics, flow.conditions)
}

/// What happens to a tensor anywhere in the function.
#[derive(Clone, Default)]
struct Uses {
    /// Where it is created, if it is; and whether with a value.
    created: Option<(SpanId, bool)>,
    /// Read or written by the function itself.
    read: Option<SpanId>,
    written: bool,
    /// Handed to the caller.
    escaped: bool,
    /// Passed to a callee's parameter.
    passed: Vec<(CalleeId, usize)>,
    /// First use of any kind.
    first: Option<SpanId>,
}

struct Flow<'a> {
    function: &'a Function,
    /// The parameters and created tensors that a variable may stand for, views included.
    roots: Vec<BTreeSet<VarId>>,
    uses: Vec<Uses>,
    changed: bool,
    /// Parallel loops around this place: the loop, and the first variable declared in it (variables
    /// are numbered in the order in which they are declared).
    parallel: Vec<(SpanId, VarId)>,
    /// Calls so far, with the number of their arguments.
    calls: Vec<(CalleeId, usize)>,
    diagnostics: Vec<Diagnostic>,
    conditions: Vec<Condition>,
}

impl<'a> Flow<'a> {
    fn new(function: &'a Function) -> Self {
        Self {
            function,
            roots: vec![BTreeSet::new(); function.vars.len()],
            // One more than variables: see `Flow::unknown`.
            uses: vec![Uses::default(); function.vars.len() + 1],
            changed: false,
            parallel: Vec::new(),
            calls: Vec::new(),
            diagnostics: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Finds out what variables stand for, then what is done with them.
    fn follow(&mut self, block: &Block) {
        loop {
            self.changed = false;
            self.bind_block(block);
            if !self.changed {
                break;
            }
        }
        self.use_block(block);
    }

    fn bind_block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.bind_stmt(stmt);
        }
        block.parts(&mut |part| self.bind_part(&part));
    }

    fn bind_part(&mut self, part: &Part<'_>) {
        match part {
            Part::Block(block) => self.bind_block(block),
            Part::Expr(expr) => expr.parts(&mut |part| self.bind_part(&part)),
        }
    }

    fn bind_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let {
                pattern,
                init: Some(value),
                ..
            }
            | StmtKind::Assign {
                target: pattern,
                op: None,
                value,
            } => self.bind(pattern, value),
            _ => {}
        }
    }

    fn bind(&mut self, pattern: &Pattern, value: &Expr) {
        match (pattern, &value.kind) {
            (Pattern::Tuple(patterns), ExprKind::Tuple(values)) => {
                for (pattern, value) in patterns.iter().zip(values) {
                    self.bind(pattern, value);
                }
            }
            (Pattern::Var(var), ExprKind::Create(create)) => {
                let filled = create.init.is_some();
                self.uses[var.index()]
                    .created
                    .get_or_insert((value.span, filled))
                    .1 |= filled;
                self.add(*var, [*var].into());
            }
            (Pattern::Tuple(patterns), _) => {
                for pattern in patterns {
                    self.bind(pattern, value);
                }
            }
            (Pattern::Var(var), _) => {
                let roots = self.roots_of(value);
                self.add(*var, roots);
            }
            _ => {}
        }
    }

    fn add(&mut self, var: VarId, roots: BTreeSet<VarId>) {
        let known = &mut self.roots[var.index()];
        let before = known.len();
        known.extend(roots);
        self.changed |= known.len() > before;
    }

    /// The tensors that a handle may stand for.
    fn roots_of(&self, expr: &Expr) -> BTreeSet<VarId> {
        let of_block = |block: &Block| {
            block
                .tail
                .as_ref()
                .map(|tail| self.roots_of(tail))
                .unwrap_or_default()
        };
        match &expr.kind {
            ExprKind::Var(var) => self.roots[var.index()].clone(),
            ExprKind::Slice { base, .. }
            | ExprKind::Reshape { base, .. }
            | ExprKind::Transpose { base, .. }
            | ExprKind::Partition { base, .. } => self.roots_of(base),
            ExprKind::If {
                then, otherwise, ..
            } => {
                let mut roots = of_block(then);
                roots.extend(otherwise.as_ref().map(of_block).unwrap_or_default());
                roots
            }
            ExprKind::Scope { body, .. } | ExprKind::Block(body) => of_block(body),
            // A helper may return what it was given, a view of it, or something else.
            ExprKind::Call(call) => {
                let args = call.args.iter().flat_map(|arg| self.roots_of(arg));
                args.chain([self.unknown()]).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Stands for the tensors that helpers create: it is no input, and as young as can be.
    fn unknown(&self) -> VarId {
        VarId(self.function.vars.len() as u32)
    }

    fn use_block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            let parallel = match &stmt.kind {
                StmtKind::For {
                    var: Some(var),
                    range,
                    ..
                } if range.kind == LoopKind::Parallel => Some((stmt.span, *var)),
                _ => None,
            };
            if let StmtKind::Assign { target, value, .. } = &stmt.kind {
                self.forbid_replacing(target, value);
            }
            self.parallel.extend(parallel);
            stmt.parts(&mut |part| self.use_part(&part));
            if parallel.is_some() {
                self.parallel.pop();
            }
        }
        if let Some(tail) = &block.tail {
            self.use_part(&Part::Expr(tail));
        }
    }

    /// `y = create_tensor(..)` where `y` is an output: what is written from then on is not the output.
    fn forbid_replacing(&mut self, target: &Pattern, value: &Expr) {
        match (target, &value.kind) {
            (Pattern::Tuple(targets), ExprKind::Tuple(values)) => {
                for (target, value) in targets.iter().zip(values) {
                    self.forbid_replacing(target, value);
                }
            }
            (Pattern::Var(var), ExprKind::Create(_)) if self.is_output(*var) => {
                let Var { name, span, .. } = self.function.var(*var);
                let diagnostic = Diagnostic::new(
                    Code::UnwrittenOutput,
                    value.span,
                    format!("a new tensor takes the name of the output `{name}`, which nothing writes then"),
                    format!(
                        "give it a name of its own, `let t = create_tensor::<f32>([..]);`, and pass `{name}` \
                         to an `Out` parameter of a kernel"
                    ),
                )
                .note(*span, "the output is declared here");
                self.diagnostics.push(diagnostic);
                self.uses[var.index()].written = true;
            }
            _ => {}
        }
    }

    fn is_output(&self, var: VarId) -> bool {
        let is_it = |param: &Param| param.var == var && param.access == Access::Write;
        self.function.params.iter().any(is_it)
    }

    fn use_part(&mut self, part: &Part<'_>) {
        let expr = match part {
            Part::Block(block) => return self.use_block(block),
            Part::Expr(expr) => expr,
        };
        match &expr.kind {
            ExprKind::Call(call) => {
                self.calls.push((call.callee, call.args.len()));
                for (index, arg) in call.args.iter().enumerate() {
                    let roots = self.roots_of(arg);
                    self.forbid_write(arg, &roots, Some((call.callee, index)));
                    self.forbid_sharing(arg, &roots, Some((call.callee, index)));
                    self.each(&roots, arg.span, |uses| {
                        uses.passed.push((call.callee, index));
                    });
                }
                if let Some(launch) = &call.launch {
                    if let Some(predicate) = &launch.predicate {
                        self.read(&predicate.base);
                    }
                    let conditions = of_submit(self.function, call.callee, launch);
                    self.conditions.extend(conditions);
                }
            }
            ExprKind::Get { base, .. } => self.read(base),
            ExprKind::Set { base, .. } => self.write(base),
            ExprKind::Operation { op, args } => {
                for (arg, (_, kind)) in args.iter().zip(op.args()) {
                    match kind {
                        ArgKind::tensor => self.read(arg),
                        ArgKind::output => self.write(arg),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        expr.parts(&mut |part| self.use_part(&part));
    }

    fn read(&mut self, base: &Expr) {
        let roots = self.roots_of(base);
        self.each(&roots, base.span, |uses| {
            _ = uses.read.get_or_insert(base.span);
        });
    }

    fn write(&mut self, base: &Expr) {
        let roots = self.roots_of(base);
        self.forbid_write(base, &roots, None);
        self.forbid_sharing(base, &roots, None);
        self.each(&roots, base.span, |uses| uses.written = true);
    }

    fn escape(&mut self, expr: &Expr) {
        if let ExprKind::Tuple(items) = &expr.kind {
            return items.iter().for_each(|item| self.escape(item));
        }
        let roots = self.roots_of(expr);
        self.each(&roots, expr.span, |uses| uses.escaped = true);
    }

    fn each(&mut self, roots: &BTreeSet<VarId>, span: SpanId, mut change: impl FnMut(&mut Uses)) {
        for root in roots {
            let uses = &mut self.uses[root.index()];
            uses.first.get_or_insert(span);
            change(uses);
        }
    }

    /// A write to what can only be an input, by the function itself or by a callee's parameter.
    fn forbid_write(
        &mut self,
        base: &Expr,
        roots: &BTreeSet<VarId>,
        by: Option<(CalleeId, usize)>,
    ) {
        let input = |root: &VarId| {
            self.function
                .params
                .iter()
                .find(|param| param.var == *root && param.access == Access::Read)
        };
        let Some(param) = roots
            .first()
            .filter(|_| roots.iter().all(|root| input(root).is_some()))
        else {
            return;
        };
        let var = self.function.var(*param);
        let diagnostic = Diagnostic::new(
            Code::WrittenInput,
            base.span,
            format!("`{}` is an input and is written", var.name),
            format!(
                "declare it `Out<..>`, or `InOut<..>` if it is read too: `{}: Out<Tensor<..>>`",
                var.name
            ),
        )
        .note(var.span, "it is declared here");
        match by {
            None => self.diagnostics.push(diagnostic),
            Some((callee, index)) => self.conditions.push(Condition {
                need: Need::Reads(callee, index),
                otherwise: diagnostic,
            }),
        }
    }

    /// A tensor from outside a parallel loop, written whole by every iteration, or passed to a callee
    /// that writes it.
    fn forbid_sharing(
        &mut self,
        arg: &Expr,
        roots: &BTreeSet<VarId>,
        by: Option<(CalleeId, usize)>,
    ) {
        let Some(&(span, first)) = self.parallel.last() else {
            return;
        };
        let Some(root) = roots
            .first()
            .filter(|_| roots.iter().all(|root| *root < first))
        else {
            return;
        };
        if mentions_from(arg, first) {
            return;
        }
        let name = &self.function.var(*root).name;
        let otherwise = Diagnostic::new(
            Code::SharedByIterations,
            arg.span,
            format!("every iteration of a parallel loop writes `{name}`, which is made outside of it"),
            format!("give each iteration its own part, `{name}.slice(s![i..i + 1, ..])`, or create it inside"),
        )
        .note(span, "the loop is declared parallel here");
        match by {
            None => self.diagnostics.push(otherwise),
            Some((callee, index)) => self.conditions.push(Condition {
                need: Need::Reads(callee, index),
                otherwise,
            }),
        }
    }

    fn judge(&mut self) {
        let calls: Arc<[_]> = self.calls.as_slice().into();
        for index in 0..self.function.vars.len() {
            let var = VarId(index as u32);
            let uses = self.uses[index].clone();
            if uses.written || uses.escaped {
                continue;
            }
            let is_output = self.is_output(var);
            let diagnostic = match (is_output, uses.created, uses.first) {
                (true, ..) => self.unwritten_output(var),
                (false, Some((created, false)), Some(first)) => self.unwritten(var, created, first),
                _ => continue,
            };
            if self.calls.is_empty() || !is_output && uses.passed.is_empty() {
                // Read where an input is written: `store(x, load(y))` is one mistake.
                let swapped = is_output && uses.read.is_some() && !self.written_inputs().is_empty();
                self.diagnostics.extend((!swapped).then_some(diagnostic));
            } else {
                let mut by = uses.passed;
                let swapped = self.written_inputs();
                let same_call =
                    |(callee, _): &(CalleeId, usize)| by.iter().any(|(c, _)| c == callee);
                let swapped: Vec<_> = swapped.into_iter().flatten().filter(same_call).collect();
                by.extend(swapped);
                self.conditions.push(Condition {
                    need: Need::SomeWrites {
                        by,
                        calls: Arc::clone(&calls),
                    },
                    otherwise: diagnostic,
                });
            }
        }
    }

    /// Inputs that are written, and by which callees if that depends on them.
    fn written_inputs(&self) -> Vec<Option<(CalleeId, usize)>> {
        let certain = self.diagnostics.iter().map(|found| (found, None));
        let perhaps = self.conditions.iter().map(|condition| {
            let by = match condition.need {
                Need::Reads(callee, index) => Some((callee, index)),
                _ => None,
            };
            (&condition.otherwise, by)
        });
        certain
            .chain(perhaps)
            .filter(|(found, _)| found.code == Code::WrittenInput)
            .map(|(_, by)| by)
            .collect()
    }

    fn unwritten_output(&self, var: VarId) -> Diagnostic {
        let var = self.function.var(var);
        let how = if self.function.kind.is_orchestration() {
            format!("pass `{}` to an `Out` parameter of a kernel", var.name)
        } else {
            format!("`store({}, ..)` the result", var.name)
        };
        Diagnostic::new(
            Code::UnwrittenOutput,
            var.span,
            format!("`{}` is declared `Out`, and nothing writes it", var.name),
            format!("{how}; assigning the name does not write the tensor"),
        )
    }

    fn unwritten(&self, var: VarId, created: SpanId, first: SpanId) -> Diagnostic {
        let name = &self.function.var(var).name;
        Diagnostic::new(
            Code::ReadUnwritten,
            first,
            format!("`{name}` is read, and nothing in this function writes it"),
            format!(
                "pass `{name}` to an `Out` parameter of a kernel first, or create it with `.init(..)`"
            ),
        )
        .note(created, "it is created here, with undefined contents")
    }
}

/// Whether an expression depends on a variable that is `first` or declared after it.
fn mentions_from(expr: &Expr, first: VarId) -> bool {
    fn part(each: &Part<'_>, first: VarId) -> bool {
        match each {
            Part::Expr(expr) => mentions_from(expr, first),
            Part::Block(block) => {
                let mut found = false;
                block.parts(&mut |inner| found |= part(&inner, first));
                found
            }
        }
    }
    if let ExprKind::Var(var) = &expr.kind {
        return *var >= first;
    }
    let mut found = false;
    expr.parts(&mut |each| found |= part(&each, first));
    found
}

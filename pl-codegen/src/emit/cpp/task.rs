//! Tasks as C++: submissions, what they wait for, barriers, arrays of task ids.

use super::number::{Number, c_type};
use super::scalar::{constant, type_name};
use super::{Printer, add};
use crate::ir::{
    At, AtArg, BinaryOp, Call, CoreType, Expr, ExprKind, Launch, Pattern, SpanId, TaskExpr, Type,
    VarId,
};

/// How one id, or an array of them, is added to what a task waits for.
struct Dep {
    /// What is asked first, if it may be no task.
    id: String,
    certain: bool,
    /// Length, if it is an array.
    length: Option<String>,
    wait_only: bool,
}

impl Printer<'_> {
    /// `// Task 3: kernel (file.rs:12)`, and the name of its arguments.
    fn heading(&mut self, what: &str, span: SpanId) -> (u32, String) {
        let number = self.tasks;
        let place = self.place(span);
        self.out.blank();
        self.out
            .line(&format!("// Task {number}: {what} ({place})"));
        let params = format!("params_t{number}");
        self.out.line(&format!("CoreTaskArgs {params};"));
        self.tasks += 1;
        (number, params)
    }

    /// The submission of a kernel.
    pub(super) fn call(
        &mut self,
        call: &Call,
        span: SpanId,
        target: Option<&Pattern>,
        declares: bool,
    ) {
        let launch = call.launch.as_deref();
        let core_type = launch.and_then(|launch| launch.core_type);
        let (ids, name) = self.kernels.of_call(call, core_type);
        let mut infos = Vec::new();
        let tensors = call.directions.iter().flatten().count();
        for (index, output) in call.outputs.iter().enumerate() {
            let info = format!("params_t{}_synth_out_{}", self.tasks, tensors + index);
            self.create_info(&info, &format!("{info}_shapes"), output);
            infos.push(info);
        }
        let (number, params) = self.heading(&name, span);
        for (arg, direction) in call.args.iter().zip(&call.directions) {
            if let Some(direction) = direction {
                let tensor = self.tensor(arg);
                let add = add(*direction);
                self.out.line(&format!("{params}.{add}({tensor});"));
            }
        }
        for info in infos {
            self.out.line(&format!("{params}.add_output({info});"));
        }
        for (arg, direction) in call.args.iter().zip(&call.directions) {
            if direction.is_none() {
                let value = self.argument(arg);
                self.out.line(&format!("{params}.add_scalar({value});"));
            }
        }
        if let Some(launch) = launch {
            self.launch(launch, &params);
        }
        let submit = self.submit(core_type, ids, number, &params);
        let with_id = call.launch.is_some();
        self.submitted(
            &submit,
            number,
            call.outputs.len(),
            with_id,
            target,
            declares,
        );
    }

    /// The submission of a region.
    pub(super) fn region(
        &mut self,
        at: &At,
        span: SpanId,
        target: Option<&Pattern>,
        declares: bool,
    ) {
        let (id, name) = self.kernels.of_region(self.function, at, span);
        let (number, params) = self.heading(&name, span);
        for arg in &at.args {
            let line = match arg {
                AtArg::Tensor { var, access, .. } => {
                    format!("{params}.{}({});", add(*access), self.name(*var))
                }
                AtArg::Scalar(var) => {
                    let ty = type_name(&self.function.var(*var).ty);
                    format!("{params}.add_scalar({});", passed(self.name(*var), ty))
                }
                AtArg::Dim(dim) => format!("{params}.add_scalar({});", self.dim_name(*dim)),
            };
            self.out.line(&line);
        }
        if let Some(launch) = &at.launch {
            self.launch(launch, &params);
        }
        let submit = self.submit(None, (id, id), number, &params);
        self.submitted(&submit, number, 0, true, target, declares);
    }

    /// The call that submits a task with these arguments.
    fn submit(
        &mut self,
        core_type: Option<CoreType>,
        ids: (u32, u32),
        number: u32,
        params: &str,
    ) -> String {
        match core_type.unwrap_or(CoreType::Aiv) {
            CoreType::Aiv => format!("rt_submit_aiv_task({}, {params})", ids.0),
            CoreType::Aic => format!("rt_submit_aic_task({}, {params})", ids.0),
            CoreType::Mix => {
                let mixed = format!("mixed_{number}");
                let (cube, vector) = ids;
                self.out.line(&format!(
                    "MixedKernels {mixed} = {{{cube}, {vector}, {vector}}};"
                ));
                format!("rt_submit_task({mixed}, {params})")
            }
        }
    }

    /// A submission, and what of it is used: the tensors that it allocated, and the id of its task.
    fn submitted(
        &mut self,
        submit: &str,
        number: u32,
        outputs: usize,
        with_id: bool,
        target: Option<&Pattern>,
        declares: bool,
    ) {
        let wanted = target.filter(|target| !target.vars().is_empty());
        let Some(target) = wanted else {
            return self.out.line(&format!("{submit};"));
        };
        let outs = format!("task_{number}_outs");
        self.out
            .line(&format!("TaskOutputTensors {outs} = {submit};"));
        let (tensors, id) = match (target, with_id, outputs) {
            (target, true, 0) => (None, Some(target)),
            (Pattern::Tuple(both), true, _) => (both.first(), both.get(1)),
            (target, ..) => (Some(target), None),
        };
        let each = match tensors {
            Some(Pattern::Tuple(each)) => each.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for (index, target) in each.iter().enumerate() {
            self.of_task(
                target,
                "const ChipTensor& ",
                "ChipTensor ",
                declares,
                || format!("{outs}.get_ref({index})"),
            );
        }
        if let Some(target) = id {
            self.of_task(target, "PTO2TaskId ", "PTO2TaskId ", declares, || {
                format!("{outs}.task_id()")
            });
        }
    }

    fn of_task(
        &mut self,
        target: &Pattern,
        fixed: &str,
        changing: &str,
        declares: bool,
        value: impl FnOnce() -> String,
    ) {
        let Pattern::Var(var) = target else {
            return;
        };
        let ty = match (declares, self.facts.assigned.contains(var)) {
            (false, _) => "",
            (true, true) => changing,
            (true, false) => fixed,
        };
        let line = format!("{ty}{} = {};", self.name(*var), value());
        self.out.line(&line);
    }

    /// A scalar argument, in the bits of its type.
    fn argument(&mut self, arg: &Expr) -> String {
        let ty = type_name(&arg.ty).to_owned();
        let text = self.scalar(arg);
        match constant(arg) {
            Some(Number::Integer(value)) if value < 0 => {
                format!("static_cast<{}>({text})", c_type(&ty))
            }
            Some(_) if ty != "bool" && !matches!(ty.as_str(), "f32" | "f64") => {
                format!("(uint64_t){text}")
            }
            _ => passed(&text, &ty),
        }
    }

    fn launch(&mut self, launch: &Launch, params: &str) {
        let deps = launch.deps.iter().map(|dep| (dep, false));
        let waits = launch.deps_wait.iter().map(|dep| (dep, true));
        self.dependencies(deps.chain(waits), params);
        if let Some(blocks) = &launch.blocks {
            let blocks = self.scalar(blocks);
            self.out
                .line(&format!("{params}.launch_spec.set_block_num({blocks});"));
        }
        if launch.sync_start {
            self.out.line(&format!(
                "{params}.launch_spec.set_require_sync_start(true);"
            ));
        }
        if let Some(predicate) = &launch.predicate {
            let op = match predicate.op {
                BinaryOp::Ne => "NE",
                BinaryOp::Lt => "LT",
                BinaryOp::Le => "LE",
                BinaryOp::Gt => "GT",
                BinaryOp::Ge => "GE",
                _ => "EQ",
            };
            let name = format!("{params}_predicate");
            let tensor = self.tensor(&predicate.base);
            let target = match constant(&predicate.target) {
                Some(number) => super::number::print(number, "i64"),
                None => format!("static_cast<int64_t>({})", self.scalar(&predicate.target)),
            };
            let mut lines = vec![
                format!("CoreTaskPredicate {name};"),
                format!("{name}.operand.tensor = &{tensor};"),
                format!("{name}.operand.ndims = {};", predicate.indices.len()),
            ];
            for (axis, index) in predicate.indices.iter().enumerate() {
                let index = self.length(index);
                lines.push(format!("{name}.operand.indices[{axis}] = {index};"));
            }
            lines.push(format!("{name}.op = PredicateOp::{op};"));
            lines.push(format!("{name}.target = {target};"));
            lines.push(format!("{params}.set_predicate({name});"));
            for line in &lines {
                self.out.line(line);
            }
        }
    }

    /// What a task waits for: an array of the ids that are tasks.
    fn dependencies<'e>(&mut self, deps: impl Iterator<Item = (&'e Expr, bool)>, params: &str) {
        let mut all = Vec::new();
        for (dep, wait_only) in deps {
            let certain = match dep.kind {
                ExprKind::Var(var) => {
                    self.facts.submitted.contains(&var) && !self.facts.assigned.contains(&var)
                }
                ExprKind::Task(TaskExpr::Allocated(_)) => true,
                _ => false,
            };
            let length = match dep.kind {
                ExprKind::Var(var) if dep.ty == Type::TaskIds => Some(self.array_length(var)),
                _ => None,
            };
            let id = self.task_id(dep);
            all.push(Dep {
                id,
                certain,
                length,
                wait_only,
            });
        }
        // `TaskId::NONE` is nothing to wait for.
        all.retain(|dep| dep.id != NO_TASK && dep.length.as_deref() != Some("0"));
        if all.is_empty() {
            return;
        }
        let room: u64 = all
            .iter()
            .map(|dep| dep.length.as_deref().map_or(1, |n| n.parse().unwrap_or(0)))
            .sum();
        let kinds = all.iter().any(|dep| dep.wait_only);
        let (ids, count) = (format!("{params}_deps"), format!("{params}_deps_count"));
        self.out.line(&format!("PTO2TaskId {ids}[{room}];"));
        if kinds {
            self.out
                .line(&format!("PTO2DepKind {params}_dep_kinds[{room}];"));
        }
        self.out.line(&format!("uint32_t {count} = 0;"));
        for dep in &all {
            self.dependency(dep, params, kinds);
        }
        self.out.line(&if kinds {
            format!("{params}.set_dependencies_with_kinds({ids}, {params}_dep_kinds, {count});")
        } else {
            format!("{params}.set_dependencies({ids}, {count});")
        });
    }

    fn dependency(&mut self, dep: &Dep, params: &str, kinds: bool) {
        let (ids, count) = (format!("{params}_deps"), format!("{params}_deps_count"));
        let kind = match (kinds, dep.wait_only) {
            (false, _) => None,
            (true, true) => Some("PTO2DepKind::WAIT"),
            (true, false) => Some("PTO2DepKind::WAIT | PTO2DepKind::RETAIN"),
        };
        let id = match &dep.length {
            Some(length) => {
                let index = self.names.give("k");
                self.out.open(&format!(
                    "for (uint32_t {index} = 0; {index} < {length}; {index} += 1) {{"
                ));
                format!("{}[{index}]", dep.id)
            }
            None => dep.id.clone(),
        };
        let push = format!("{ids}[{count}++] = {id};");
        let kind = kind.map(|kind| format!("{params}_dep_kinds[{count}] = {kind};"));
        match kind {
            _ if dep.certain => {
                if let Some(kind) = &kind {
                    self.out.line(kind);
                }
                self.out.line(&push);
            }
            None => self.out.line(&format!("if ({id}.is_valid()) {push}")),
            Some(kind) => {
                self.out.open(&format!("if ({id}.is_valid()) {{"));
                self.out.line(&kind);
                self.out.line(&push);
                self.out.close("}");
            }
        }
        if dep.length.is_some() {
            self.out.close("}");
        }
    }

    /// A task that runs nothing.
    pub(super) fn barrier(
        &mut self,
        deps: &[Expr],
        span: SpanId,
        target: Option<&Pattern>,
        declares: bool,
    ) {
        let (number, params) = self.heading("barrier", span);
        self.dependencies(deps.iter().map(|dep| (dep, false)), &params);
        let submit = format!("rt_submit_dummy_task({params})");
        self.submitted(&submit, number, 0, true, target, declares);
    }

    /// The id of a task; of an array of them its name.
    pub(super) fn task_id(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Var(var) => self.name(*var).to_owned(),
            ExprKind::Task(TaskExpr::None) => NO_TASK.to_owned(),
            ExprKind::Task(TaskExpr::Allocated(batch)) => {
                format!("{}.task_id()", self.batch(*batch))
            }
            ExprKind::Task(TaskExpr::At { ids, index }) => {
                let ids = self.task_id(ids);
                let index = self.scalar(index);
                format!("{ids}[{index}]")
            }
            kind => unreachable!("task ids have names: {kind:?}"),
        }
    }

    fn array_length(&self, var: VarId) -> String {
        let length = self.facts.lengths.get(&var);
        length.cloned().unwrap_or_else(|| "0".to_owned())
    }

    /// An array of task ids, all of them none.
    pub(super) fn array(&mut self, var: VarId) {
        let line = format!("PTO2TaskId {}[{}];", self.name(var), self.array_length(var));
        self.out.line(&line);
    }

    fn each_id(&mut self, var: VarId, value: impl FnOnce(&str) -> String) {
        let (name, length) = (self.name(var).to_owned(), self.array_length(var));
        let index = self.names.give("k");
        let value = value(&index);
        self.out.line(&format!(
            "for (uint32_t {index} = 0; {index} < {length}; {index} += 1) {name}[{index}] = {value};"
        ));
    }

    pub(super) fn fill_array(&mut self, var: VarId, declares: bool) {
        if declares {
            self.array(var);
        }
        self.each_id(var, |_| NO_TASK.to_owned());
    }

    pub(super) fn copy_array(&mut self, var: VarId, from: VarId, declares: bool) {
        if declares {
            self.array(var);
        }
        let from = self.name(from).to_owned();
        self.each_id(var, |index| format!("{from}[{index}]"));
    }
}

/// A scalar as an argument: floats as their bits.
fn passed(text: &str, ty: &str) -> String {
    if matches!(ty, "f32" | "f64") {
        return format!("to_u64({text})");
    }
    text.to_owned()
}

const NO_TASK: &str = "PTO2TaskId::invalid()";

//! The tasks that are submitted while a function is followed, and what they use.

use super::trace::{Access, Dep, Instance, Kind};
use super::values::Value;
use super::view::{Owner, Root};
use super::walk::Walk;
use crate::ir::{At, AtArg, BatchId, Call, Create, Expr, Launch, SpanId, Stmt, TaskExpr, Type};

impl Walk<'_> {
    fn root(&mut self, create: &Create, task: u32, name: &str) -> u32 {
        let dims = create.dims.iter().map(|dim| self.num(dim)).collect();
        let scope = *self.scopes.last().expect("the root is open");
        self.trace.roots.push(Root {
            dims,
            manual_dep: create.manual_dep,
            inout: false,
            owner: Some(Owner { task, scope }),
            name: name.to_owned(),
        });
        self.trace.roots.len() as u32 - 1
    }

    // Instances.

    fn instance(&mut self, site: u32, kind: Kind, span: SpanId, name: &str) -> Instance {
        Instance {
            site,
            kind,
            span,
            name: name.to_owned(),
            guards: self.guards.clone(),
            path: self.path.clone(),
            manual: self.manual,
            ring: None,
            accesses: Vec::new(),
            deps: Vec::new(),
        }
    }

    fn ring(&self) -> usize {
        let scope = *self.scopes.last().expect("the root is open");
        self.trace.scopes[scope as usize].ring
    }

    fn happens(&mut self, instance: Instance) -> u32 {
        self.trace.instances.push(instance);
        self.trace.instances.len() as u32 - 1
    }

    pub(super) fn alloc(&mut self, stmt: &Stmt, batch: BatchId, creates: &[Create]) {
        let site = self.numbers.alloc(stmt);
        let mut instance = self.instance(site, Kind::Alloc, stmt.span, "alloc_tensors");
        instance.ring = Some(self.ring());
        let task = self.happens(instance);
        let roots = creates
            .iter()
            .map(|create| self.root(create, task, "a tensor"));
        let roots = roots.collect();
        self.batches.insert(batch, (task, roots));
    }

    pub(super) fn host(&mut self, expr: &Expr, kind: Kind, base: &Value) {
        let name = if kind == Kind::Get { "get" } else { "set" };
        let mut instance = self.instance(self.numbers.expr(expr), kind, expr.span, name);
        let access = (kind == Kind::Get, kind == Kind::Set);
        instance.accesses = accesses(base, access, None).collect();
        self.happens(instance);
    }

    pub(super) fn call(&mut self, expr: &Expr, call: &Call) -> Value {
        let args: Vec<Value> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let name = &self.function.callees[call.callee.index()].path;
        let mut instance = self.instance(self.numbers.expr(expr), Kind::Task, expr.span, name);
        for (index, (value, direction)) in args.iter().zip(&call.directions).enumerate() {
            if let Some(access) = direction {
                let access = (access.reads(), access.writes());
                instance
                    .accesses
                    .extend(accesses(value, access, Some(index)));
            }
        }
        if let Some(launch) = &call.launch {
            self.launch(launch, &mut instance);
        }
        let task = self.trace.instances.len() as u32;
        let mut outputs = Vec::new();
        for create in &call.outputs {
            let root = self.root(create, task, &format!("a tensor that `{name}` returns"));
            outputs.push(self.whole(root));
            instance.ring = Some(self.ring());
        }
        for output in &outputs {
            instance
                .accesses
                .extend(accesses(output, (false, true), None));
        }
        self.happens(instance);
        let tensors = match outputs.len() {
            0 => Value::Open,
            1 => outputs.remove(0),
            _ => Value::Tuple(outputs),
        };
        match (&call.launch, &expr.ty) {
            (None, _) => tensors,
            (Some(_), Type::Tuple(_)) => Value::Tuple(vec![tensors, Value::task(task)]),
            (Some(_), _) => Value::task(task),
        }
    }

    pub(super) fn region(&mut self, expr: &Expr, at: &At) -> Value {
        let mut instance = self.instance(self.numbers.expr(expr), Kind::Task, expr.span, &at.name);
        for (index, arg) in at.args.iter().enumerate() {
            if let AtArg::Tensor { var, access, .. } = arg {
                let access = (access.reads(), access.writes());
                instance
                    .accesses
                    .extend(accesses(self.get(*var), access, Some(index)));
            }
        }
        if let Some(launch) = &at.launch {
            self.launch(launch, &mut instance);
        }
        Value::task(self.happens(instance))
    }

    fn launch(&mut self, launch: &Launch, instance: &mut Instance) {
        for (deps, retain) in [(&launch.deps, true), (&launch.deps_wait, false)] {
            for dep in deps {
                let value = self.expr(dep);
                instance.deps.extend(dependencies(&value, retain));
            }
        }
        if let Some(blocks) = &launch.blocks {
            self.expr(blocks);
        }
        if let Some(predicate) = &launch.predicate {
            let base = self.element(&predicate.base, &predicate.indices);
            self.expr(&predicate.target);
            instance
                .accesses
                .extend(accesses(&base, (true, false), None));
        }
    }

    pub(super) fn task(&mut self, expr: &Expr, task: &TaskExpr) -> Value {
        match task {
            TaskExpr::None => Value::no_task(),
            TaskExpr::Array(_) => Value::Ids([].into()),
            TaskExpr::At { ids, index } => {
                let ids = self.expr(ids);
                let index = self.num(index);
                ids.at(&index.value)
            }
            TaskExpr::Set { ids, index, value } => {
                let task = self.expr(value);
                let index = self.num(index);
                let array = self.get(*ids).with(&index.value, &task);
                self.set(*ids, array);
                Value::Open
            }
            TaskExpr::Barrier(deps) => {
                let site = self.numbers.expr(expr);
                let mut instance = self.instance(site, Kind::Task, expr.span, "barrier");
                for dep in deps {
                    let value = self.expr(dep);
                    instance.deps.extend(dependencies(&value, true));
                }
                Value::task(self.happens(instance))
            }
            TaskExpr::IsValid(id) => {
                self.expr(id);
                Value::Open
            }
            TaskExpr::Allocated(batch) => self
                .batches
                .get(batch)
                .map_or(Value::Open, |(task, _)| Value::task(*task)),
        }
    }
}

fn accesses(
    value: &Value,
    (read, write): (bool, bool),
    arg: Option<usize>,
) -> impl Iterator<Item = Access> {
    let sole = value.views().len() == 1;
    value.views().iter().map(move |view| Access {
        view: view.clone(),
        sole,
        write,
        arg,
        looks: read && arg.is_some(),
    })
}

fn dependencies(value: &Value, retain: bool) -> impl Iterator<Item = Dep> {
    value.named().into_iter().map(move |named| Dep {
        task: named.task,
        rivals: named.rivals,
        retain,
    })
}

//! The same through the runtime.

use super::program::{COLUMNS, Kind, Op, Part, ROWS, Stmt, pick, pick_output};
use crate::common::{AFFINE, ENTRY, FILL, Outcome, UNLUCKY, UPDATE, info, submit};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, Error, RunReport, Runtime, Scalar, Scope, ScopeMode, Site, SliceItem, TaskArg,
    TaskId, Tensor, TensorCreateInfo,
};

const SITE: Site = Site::new("program.rs", 1);

struct Device<'l> {
    log: &'l mut Vec<u32>,
    last: u32,
}

/// What is at hand in a scope.
#[derive(Clone)]
struct Env<'s> {
    tensors: Vec<Tensor<'s>>,
    tasks: Vec<TaskId<'s>>,
}

fn view<'s>(op: &Op, tensor: Tensor<'s>, part: Part) -> Outcome<Tensor<'s>> {
    let (start, sides, turned) = op.place(part);
    let items = [0, 1].map(|i| SliceItem::Range(start[i], start[i] + sides[i]));
    let view = tensor.slice(&items, SITE)?;
    Ok(match op.reshaped() {
        _ if turned => view.transpose(0, 1, SITE)?,
        Some(dims) => view.reshape(&dims, SITE)?,
        None => view,
    })
}

fn fresh() -> TensorCreateInfo {
    info(ROWS, COLUMNS).init(7_u32.to_value())
}

impl Device<'_> {
    fn op<'s>(&self, scope: &'s Scope<'_>, env: &mut Env<'s>, op: &Op) -> Outcome {
        let k = op.k.wrapping_add(self.last);
        let deps = &env.tasks[env.tasks.len().saturating_sub(op.deps)..];
        let tensors = &env.tensors;
        let (from, to) = (pick(tensors, op.from), pick_output(tensors, op.to));
        let (a, o) = (view(op, from, op.from)?, view(op, to, op.to)?);
        let read = if op.no_dep[0] {
            TaskArg::NoDep
        } else {
            TaskArg::Input
        };
        let write = match (op.no_dep[1], op.kind) {
            (true, _) => TaskArg::NoDep(o),
            (false, Kind::Update) => TaskArg::InOut(o),
            (false, _) => TaskArg::OutputExisting(o),
        };
        let new = TaskArg::Output(fresh());
        let outputs = match op.kind {
            Kind::Fill => submit(scope, SITE, &FILL, &[write], k, deps)?,
            Kind::Affine => submit(scope, SITE, &AFFINE, &[read(a), write], k, deps)?,
            Kind::Update => submit(scope, SITE, &UPDATE, &[read(a), write], k, deps)?,
            Kind::Unlucky => submit(scope, SITE, &UNLUCKY, &[read(a)], op.k, deps)?,
            Kind::Fresh => submit(scope, SITE, &AFFINE, &[read(from), new], k, deps)?,
            Kind::FreshUpdate => submit(scope, SITE, &UPDATE, &[read(from), new], k, deps)?,
        };
        env.tasks.push(outputs.task_id());
        if !outputs.is_empty() {
            env.tensors.push(outputs.get_ref(0));
        }
        Ok(())
    }

    fn run(&mut self, scope: &Scope<'_>, outer: &Env<'_>, stmts: &[Stmt]) -> Outcome {
        let mut env: Env<'_> = outer.clone();
        for stmt in stmts {
            match stmt {
                Stmt::Create(manual_dep) => {
                    let info = if *manual_dep {
                        fresh().manual_dep()
                    } else {
                        fresh()
                    };
                    let outputs = scope.alloc_tensors(SITE, &[info])?;
                    env.tensors.push(outputs.get_ref(0));
                    env.tasks.push(outputs.task_id());
                }
                Stmt::Empty => {
                    let info = TensorCreateInfo::new(DType::U32, &[0, COLUMNS]);
                    env.tasks
                        .push(scope.alloc_tensors(SITE, &[info])?.task_id());
                }
                Stmt::Run(op) => self.op(scope, &mut env, op)?,
                Stmt::Get(part) => {
                    let tensor = pick(&env.tensors, *part);
                    self.last = scope.get(SITE, tensor, &[part.row, part.column])?;
                    self.log.push(self.last);
                }
                Stmt::Set(part, value) => {
                    let tensor = pick_output(&env.tensors, *part);
                    scope.set(SITE, tensor, &[part.row, part.column], *value)?;
                }
                Stmt::Scope(body) => {
                    self.run(&scope.enter(ScopeMode::Auto, SITE)?, &env, body)?;
                }
                Stmt::Loop(n, body) => {
                    for _ in 0..*n {
                        self.run(&scope.enter(ScopeMode::Auto, SITE)?, &env, body)?;
                    }
                }
                Stmt::Manual(body) => {
                    self.run(&scope.enter(ScopeMode::Manual, SITE)?, &env, body)?;
                }
            }
        }
        Ok(())
    }
}

/// Two inputs, then two tensors that are read and written.
pub(crate) fn arrays() -> [Array2<u32>; 4] {
    std::array::from_fn(|n| {
        Array2::from_shape_fn((ROWS, COLUMNS), |(r, c)| {
            (n * 1000 + r * COLUMNS + c) as u32
        })
    })
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Run {
    pub(crate) outcome: Result<RunReport, Error>,
    pub(crate) arrays: [Array2<u32>; 2],
    /// What the program read.
    pub(crate) log: Vec<u32>,
}

pub(crate) fn run(runtime: &Runtime, stmts: &[Stmt]) -> Run {
    let [a, b, mut x, mut y] = arrays();
    let mut log = Vec::new();
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::input(&b).unwrap(),
        EntryArg::inout(&mut x).unwrap(),
        EntryArg::inout(&mut y).unwrap(),
    ];
    let outcome = runtime.run(&ENTRY, args, |scope, tensors| {
        let mut device = Device {
            log: &mut log,
            last: 0,
        };
        let env = Env {
            tensors: tensors.to_vec(),
            tasks: Vec::new(),
        };
        device.run(scope, &env, stmts)
    });
    Run {
        outcome,
        arrays: [x, y],
        log,
    }
}

//! Random functions: batching keeps every effect in its place, and gives valid IR.

use crate::check::{check_lifetimes, check_nesting};
use crate::ir::{Block, Create, Expr, ExprKind, Function, Part, Stmt, StmtKind, Visit};
use crate::passes::{batch_allocs, insert_auto_scopes, verify};
use crate::testing::{Build, Random};

const LENGTHS: [&str; 2] = ["m", "n"];

fn name(random: &mut Random) -> &'static str {
    LENGTHS[random.below(2) as usize]
}

fn length(f: &Build, random: &mut Random, fuel: u64) -> Expr {
    match random.below(if fuel > 0 { 7 } else { 4 }) {
        0 | 1 => f.var(name(random)),
        2 => f.int(4),
        3 => f.get("x"),
        4 => f.add(length(f, random, fuel - 1), length(f, random, fuel - 1)),
        5 => {
            let assign = f.assign(name(random), length(f, random, fuel - 1));
            let inner: Block = ([assign], f.var(name(random))).into();
            f.expr(ExprKind::Block(inner), crate::ir::Type::usize())
        }
        _ => {
            let then: Block = ([], length(f, random, fuel - 1)).into();
            f.choose(then, Some(([], f.int(1)).into()))
        }
    }
}

fn argument(f: &Build, random: &mut Random, fuel: u64) -> Expr {
    match random.below(if fuel > 0 { 6 } else { 3 }) {
        0 => f.var("x"),
        1 | 2 => f.create_of([f.int(random.below(1000) as i64), length(f, random, fuel)]),
        3 => f.apply("inner", [argument(f, random, fuel - 1)]),
        4 => length(f, random, fuel - 1),
        _ => {
            let Block { stmts, .. } = block(f, random, fuel - 1, false);
            let tail = Some(Box::new(argument(f, random, fuel - 1)));
            f.expr(
                ExprKind::Block(Block { stmts, tail }),
                crate::ir::Type::Unit,
            )
        }
    }
}

fn block(f: &Build, random: &mut Random, fuel: u64, looping: bool) -> Block {
    let stmts = (0..random.below(6))
        .map(|_| stmt(f, random, fuel, looping))
        .collect();
    Block { stmts, tail: None }
}

fn stmt(f: &Build, random: &mut Random, fuel: u64, looping: bool) -> Stmt {
    match random.below(if fuel > 0 { 12 } else { 6 }) {
        0..3 => f.run(f.create_of([f.int(random.below(1000) as i64), length(f, random, fuel)])),
        3 => f.assign(name(random), length(f, random, fuel)),
        4 => f.run(f.apply("k", [argument(f, random, fuel), argument(f, random, fuel)])),
        5 if looping => f.stmt(StmtKind::Break),
        5 | 6 => f.run(f.slice(f.var("x"))),
        7 => {
            let body = block(f, random, fuel - 1, true);
            f.fresh("i");
            f.each("i", body)
        }
        8 => f.repeat(block(f, random, fuel - 1, true)),
        9 => f.manual(block(f, random, fuel - 1, looping)),
        _ => {
            let then = block(f, random, fuel - 1, looping);
            f.when(then, Some(block(f, random, fuel - 1, looping)))
        }
    }
}

/// Effects in the order they are evaluated, each create with the versions of the variables it reads.
#[derive(Default)]
struct Trace {
    events: Vec<String>,
    versions: Vec<u32>,
    assignments: u32,
}

impl Trace {
    fn of(function: &Function) -> Vec<String> {
        let mut trace = Self {
            versions: vec![0; function.vars.len()],
            ..Self::default()
        };
        trace.block(&function.body);
        trace.events
    }

    fn event(&mut self, text: impl Into<String>) {
        self.events.push(text.into());
    }

    fn create(&mut self, create: &Create) {
        create.parts(&mut |part| self.part(&part));
        let mut reads = Vec::new();
        create.parts(&mut |part| self.reads(&part, &mut reads));
        self.event(format!("create {}", reads.join(" ")));
    }

    fn reads(&self, part: &Part<'_>, into: &mut Vec<String>) {
        if let Part::Expr(expr) = part {
            match &expr.kind {
                ExprKind::Literal(value) => into.push(value.clone()),
                ExprKind::Var(var) => {
                    into.push(format!("v{}@{}", var.0, self.versions[var.index()]));
                }
                _ => expr.parts(&mut |part| self.reads(&part, into)),
            }
        }
    }
}

impl Visit for Trace {
    fn stmt(&mut self, stmt: &Stmt) {
        let looping = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
        if matches!(stmt.kind, StmtKind::While { .. }) {
            self.event("again");
        }
        if let StmtKind::Alloc { creates, .. } = &stmt.kind {
            return creates.iter().for_each(|create| self.create(create));
        }
        stmt.parts(&mut |part| self.part(&part));
        match &stmt.kind {
            StmtKind::Let { pattern, .. }
            | StmtKind::Assign {
                target: pattern, ..
            } => {
                self.assignments += 1;
                for var in pattern.vars() {
                    self.versions[var.index()] = self.assignments;
                }
            }
            StmtKind::Break => self.event("break"),
            _ if looping => self.event("loop ends"),
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Create(create) => return self.create(create),
            ExprKind::Scope { .. } => self.event("scope"),
            _ => {}
        }
        expr.parts(&mut |part| self.part(&part));
        match &expr.kind {
            ExprKind::Call(call) => self.event(format!("call {}", call.callee.0)),
            ExprKind::Get { .. } => self.event("get"),
            ExprKind::Scope { .. } => self.event("scope ends"),
            _ => {}
        }
    }
}

#[test]
fn batching_random_functions_keeps_the_order_of_effects() {
    let mut shared = 0;
    for seed in 1..3000_u64 {
        let random = &mut Random::new(seed);
        let f = Build::entry();
        let mut stmts: Vec<Stmt> = LENGTHS.iter().map(|name| f.bind(name, f.int(1))).collect();
        stmts.extend(block(&f, random, 3, false).stmts);
        let function = f.finish(Block { stmts, tail: None });
        let scoped = insert_auto_scopes(function.clone());
        assert_eq!(
            insert_auto_scopes(scoped.clone()),
            scoped,
            "seed {seed}\n{function}"
        );
        let _ = check_lifetimes(&scoped);
        let batched = batch_allocs(scoped.clone());
        let (before, after) = (Trace::of(&scoped), Trace::of(&batched));
        if let Some(at) = (0..before.len()).find(|at| before.get(*at) != after.get(*at)) {
            let at = at.saturating_sub(2);
            panic!(
                "seed {seed}\n{:?}\n{:?}\n{scoped}\n{batched}",
                &before[at..],
                &after[at..]
            );
        }
        if check_nesting(&function).is_empty() {
            assert_eq!(verify(&batched), Ok(()), "seed {seed}\n{batched}");
        }
        shared += batched.to_string().matches(", create").count();
    }
    assert!(shared > 1000, "only {shared} creates share a call");
}

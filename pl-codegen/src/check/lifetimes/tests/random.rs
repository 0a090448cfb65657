//! Random functions: the analysis finds exactly the uses that some run of the function makes too
//! late.

use crate::check::lifetimes::walk;
use crate::ir::{Block, Expr, ExprKind, Function, Pattern, ScopeMode, SpanId, Stmt, StmtKind};
use crate::testing::{Build, Random};
use std::collections::BTreeSet;

const VARS: [&str; 3] = ["a", "b", "c"];

fn name(random: &mut Random) -> &'static str {
    VARS[random.below(3) as usize]
}

fn value(f: &Build, random: &mut Random, fuel: u64) -> Expr {
    match random.below(if fuel > 0 { 7 } else { 4 }) {
        0 => f.create(),
        1 => f.slice(f.var(name(random))),
        2 | 3 => f.var(name(random)),
        4 => {
            let (then, otherwise) = (tail_block(f, random, fuel), tail_block(f, random, fuel));
            f.choose(then, Some(otherwise))
        }
        5 => f.scope_of(ScopeMode::Auto, tail_block(f, random, fuel)),
        _ => f.apply("helper", [value(f, random, fuel - 1)]),
    }
}

fn tail_block(f: &Build, random: &mut Random, fuel: u64) -> Block {
    let Block { stmts, .. } = block(f, random, fuel - 1, false);
    Block {
        stmts,
        tail: Some(Box::new(value(f, random, fuel - 1))),
    }
}

fn block(f: &Build, random: &mut Random, fuel: u64, looping: bool) -> Block {
    let stmts = (0..=random.below(3))
        .map(|_| stmt(f, random, fuel, looping))
        .collect();
    Block { stmts, tail: None }
}

fn stmt(f: &Build, random: &mut Random, fuel: u64, looping: bool) -> Stmt {
    match random.below(if fuel > 0 { 12 } else { 6 }) {
        0..3 => f.assign(name(random), value(f, random, fuel)),
        4 => f.assign_both([name(random), name(random)], [name(random), name(random)]),
        5 if looping && random.below(2) == 0 => f.stmt(StmtKind::Break),
        5 if looping => f.stmt(StmtKind::Continue),
        3 | 5 => f.call("k", &[name(random)]),
        6 | 7 => f.scope(block(f, random, fuel - 1, looping)),
        8 | 9 => f.each("i", block(f, random, fuel - 1, true)),
        10 => f.when(block(f, random, fuel - 1, looping), None),
        _ => {
            let then = block(f, random, fuel - 1, looping);
            f.when(then, Some(block(f, random, fuel - 1, looping)))
        }
    }
}

/// A handle by the scope instance that owns it; the function itself is instance 0.
type Handle = usize;

/// Why a block ends early.
#[derive(Clone, Copy, PartialEq)]
enum Jump {
    Break,
    Continue,
}

/// Runs a function once, branches and iterations at random.
struct Run<'a> {
    random: &'a mut Random,
    vars: Vec<Handle>,
    open: Vec<usize>,
    instances: usize,
    late: BTreeSet<SpanId>,
}

impl Run<'_> {
    fn needed(&mut self, handle: Handle, span: SpanId) -> Handle {
        if self.open.contains(&handle) {
            return handle;
        }
        self.late.insert(span);
        0
    }

    fn scope<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.instances += 1;
        self.open.push(self.instances);
        let value = body(self);
        self.open.pop();
        value
    }

    fn block(&mut self, block: &Block) -> Result<Handle, Jump> {
        for stmt in &block.stmts {
            self.stmt(stmt)?;
        }
        block.tail.as_ref().map_or(Ok(0), |tail| self.value(tail))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Jump> {
        match &stmt.kind {
            StmtKind::Let {
                pattern: Pattern::Var(var),
                init: Some(init),
                ..
            } => {
                self.vars[var.index()] = self.value(init)?;
            }
            StmtKind::Assign {
                target: Pattern::Var(var),
                value,
                ..
            } => {
                self.vars[var.index()] = self.value(value)?;
            }
            StmtKind::Assign { target, value, .. } => {
                let ExprKind::Tuple(items) = &value.kind else {
                    unreachable!()
                };
                let mut values = Vec::new();
                for item in items {
                    values.push(self.value(item)?);
                }
                for (var, value) in target.vars().into_iter().zip(values) {
                    self.vars[var.index()] = value;
                }
            }
            StmtKind::Expr(expr) => {
                self.value(expr)?;
            }
            StmtKind::For { body, .. } => {
                for _ in 0..self.random.below(5) {
                    if self.block(body) == Err(Jump::Break) {
                        break;
                    }
                }
            }
            StmtKind::Break => return Err(Jump::Break),
            StmtKind::Continue => return Err(Jump::Continue),
            _ => unreachable!(),
        }
        Ok(())
    }

    fn value(&mut self, expr: &Expr) -> Result<Handle, Jump> {
        Ok(match &expr.kind {
            ExprKind::Var(var) => self.needed(self.vars[var.index()], expr.span),
            ExprKind::Create(_) => self.open[self.open.len() - 1],
            ExprKind::Slice { base, .. } => self.value(base)?,
            ExprKind::Call(call) => {
                for arg in &call.args {
                    let handle = self.value(arg)?;
                    self.needed(handle, arg.span);
                }
                self.open[self.open.len() - 1]
            }
            ExprKind::If {
                then, otherwise, ..
            } => match otherwise {
                _ if self.random.below(2) == 0 => self.block(then)?,
                Some(block) => self.block(block)?,
                None => 0,
            },
            ExprKind::Scope { body, .. } => self.scope(|run| run.block(body))?,
            _ => unreachable!(),
        })
    }
}

fn late_in_some_run(function: &Function, random: &mut Random, runs: usize) -> BTreeSet<SpanId> {
    let mut late = BTreeSet::new();
    for _ in 0..runs {
        let vars = vec![0; function.vars.len()];
        let mut run = Run {
            random,
            vars,
            open: vec![0],
            instances: 0,
            late,
        };
        let _ = run.block(&function.body);
        late = run.late;
    }
    late
}

fn late_by_analysis(function: &Function) -> BTreeSet<SpanId> {
    let (graph, uses) = walk::build(function);
    let facts = graph.solve();
    let late = uses
        .iter()
        .filter(|each| facts.at(each.node).dead.is_some());
    late.map(|each| each.span).collect()
}

fn function(random: &mut Random, fuel: u64) -> Function {
    let f = Build::by_hand();
    let mut stmts: Vec<Stmt> = VARS.iter().map(|name| f.bind(name, f.var("x"))).collect();
    stmts.extend(block(&f, random, fuel, false).stmts);
    stmts.push(f.call("last", &VARS));
    f.finish(Block { stmts, tail: None })
}

#[test]
fn in_small_functions_exactly_what_some_run_uses_too_late_is_reported() {
    let mut late = 0;
    for seed in 1..2000 {
        let random = &mut Random::new(seed);
        let function = function(random, 2);
        let found = late_by_analysis(&function);
        let expected = late_in_some_run(&function, random, 300);
        assert_eq!(found, expected, "seed {seed}\n{function}");
        late += found.len();
    }
    assert!(
        late > 500,
        "only {late} late uses: the functions are too tame"
    );
}

/// Few runs reach every place of a larger function, so some reports may lack a run here.
#[test]
fn in_larger_functions_no_late_use_is_missed() {
    for seed in 1..200 {
        let random = &mut Random::new(seed);
        let function = function(random, 4);
        let found = late_by_analysis(&function);
        let missed = &late_in_some_run(&function, random, 100) - &found;
        assert!(missed.is_empty(), "seed {seed}: {missed:?}\n{function}");
    }
}

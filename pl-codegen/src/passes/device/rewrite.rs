//! Writes what was found into the function: directions, ids that are kept, and dependencies.

use super::ids::{Id, allocated, bind};
use super::plan::Plan;
use super::trace::{Trace, is_site};
use crate::ir::{
    Access, AtArg, BatchId, Block, Call, Expr, ExprKind, Function, Launch, PartMut, Pattern, Range,
    Scalar, SpanId, Stmt, StmtKind, TaskExpr, Type, VarId,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Changes the function.
pub(super) fn rewrite(
    function: &mut Function,
    trace: &Trace,
    plan: &Plan,
    inout: &HashSet<(u32, usize)>,
) {
    let mut body = std::mem::take(&mut function.body);
    let mut rewrite = Rewrite {
        function,
        inout,
        waits: BTreeMap::new(),
        ids: BTreeMap::new(),
        declared: HashMap::new(),
        blocks: 0,
        sites: 0,
        loops: Vec::new(),
        batches: Vec::new(),
    };
    let mut since: BTreeMap<u32, usize> = BTreeMap::new();
    for ((later, earlier), all) in &plan.waits {
        let waits = rewrite.waits.entry(*later).or_default();
        if plan.kept[earlier].turns.is_empty() {
            waits.extend(all.iter().map(|since| (*earlier, *since)));
        } else {
            waits.push((*earlier, 0));
        }
        let most = since.entry(*earlier).or_default();
        *most = all.iter().fold(*most, |most, since| most.max(*since));
    }
    for (site, kept) in &plan.kept {
        rewrite.keep(*site, kept, trace, since[site]);
    }
    rewrite.block(&mut body);
    function.body = body;
}

pub(super) struct Rewrite<'a> {
    pub(super) function: &'a mut Function,
    pub(super) inout: &'a HashSet<(u32, usize)>,
    /// The sites that each site waits for, and how often they have happened since.
    pub(super) waits: BTreeMap<u32, Vec<(u32, usize)>>,
    /// Ids that are kept, by site.
    pub(super) ids: BTreeMap<u32, Id>,
    /// Sites whose ids are declared before a statement: block and index.
    pub(super) declared: HashMap<(u32, u32), Vec<u32>>,
    pub(super) blocks: u32,
    pub(super) sites: u32,
    /// Variables of the loops around; `None` in a `while`.
    pub(super) loops: Vec<Option<VarId>>,
    /// Allocations that are visible, with their sites.
    pub(super) batches: Vec<(u32, BatchId)>,
}

impl Rewrite<'_> {
    fn block(&mut self, block: &mut Block) {
        let number = self.blocks;
        self.blocks += 1;
        let visible = self.batches.len();
        let stmts = std::mem::take(&mut block.stmts);
        let behind = stmts.len() as u32;
        for (index, stmt) in stmts.into_iter().enumerate() {
            self.declare(number, index as u32, &mut block.stmts);
            self.stmt(stmt, &mut block.stmts);
        }
        self.declare(number, behind, &mut block.stmts);
        if let Some(mut tail) = block.tail.take() {
            let span = tail.span;
            let Some(site) = self.site_of(&tail).filter(|_| tail.ty == Type::Unit) else {
                self.expr(&mut tail);
                block.tail = Some(tail);
                self.batches.truncate(visible);
                return;
            };
            let kind = StmtKind::Expr(*tail);
            if self.is_changed(site) {
                self.stmt(Stmt { kind, span }, &mut block.stmts);
            } else if let StmtKind::Expr(mut tail) = kind {
                self.expr(&mut tail);
                block.tail = Some(Box::new(tail));
            }
        }
        self.batches.truncate(visible);
    }

    fn is_changed(&self, site: u32) -> bool {
        self.waits.contains_key(&site) || self.ids.contains_key(&site)
    }

    /// The number of an expression that comes next, if it has one.
    fn site_of(&self, expr: &Expr) -> Option<u32> {
        is_site(expr).then_some(self.sites)
    }

    fn stmt(&mut self, mut stmt: Stmt, into: &mut Vec<Stmt>) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Alloc { batch, creates } => {
                let site = self.sites;
                self.sites += 1;
                for create in creates {
                    create.parts_mut(&mut |part| self.part(part));
                }
                let batch = *batch;
                self.batches.push((site, batch));
                into.push(stmt);
                if self.ids.get(&site).is_some_and(|id| !id.direct) {
                    self.store(site, allocated(batch, span), into);
                }
            }
            StmtKind::For { var, range, body } => {
                range.parts_mut(&mut |part| self.part(part));
                self.count(var, range, span);
                self.loops.push(*var);
                self.block(body);
                self.loops.pop();
                into.push(stmt);
            }
            StmtKind::While { cond, body } => {
                self.expr(cond);
                self.loops.push(None);
                self.block(body);
                self.loops.pop();
                into.push(stmt);
            }
            StmtKind::Expr(value) => {
                let site = self.site_of(value);
                let Some(site) = site.filter(|site| self.is_changed(*site)) else {
                    self.expr(value);
                    return into.push(stmt);
                };
                if matches!(value.ty, Type::Tensor(_) | Type::Tuple(_)) {
                    self.expr(value);
                    return into.push(stmt);
                }
                self.submit(value, site);
                value.ty = Type::TaskId;
                let StmtKind::Expr(value) = stmt.kind else {
                    return;
                };
                self.keep_or_drop(site, value, into);
            }
            StmtKind::Let {
                pattern,
                init: Some(value),
                ty,
            } => {
                let site = self.site_of(value);
                let gives = gives_value(&value.ty);
                let Some(site) = site.filter(|site| gives && self.ids.contains_key(site)) else {
                    self.expr(value);
                    return into.push(stmt);
                };
                self.submit(value, site);
                *ty = None;
                let bound = self.bound_id(pattern, value, Some(site));
                let named = self.read(bound, value.span);
                into.push(stmt);
                let id = self.ids.get_mut(&site).expect("just seen");
                if id.direct && !self.function.vars[bound.index()].mutable {
                    // It has a name already.
                    id.var = bound;
                } else {
                    self.store(site, named, into);
                }
            }
            _ => {
                stmt.parts_mut(&mut |part| self.part(part));
                into.push(stmt);
            }
        }
    }

    /// A loop that ids are kept for counts its turns.
    fn count(&mut self, var: &mut Option<VarId>, range: &Range, span: SpanId) {
        let depth = self.loops.len();
        let counted = self
            .ids
            .values()
            .any(|id| id.turns.iter().any(|turn| turn.0 == depth));
        if counted && var.is_none() {
            let ty = match &range.start.ty {
                Type::Scalar(Scalar::Named(_)) => range.start.ty.clone(),
                _ => Type::usize(),
            };
            *var = Some(self.variable("turn".to_owned(), ty, false, span));
        }
    }

    fn part(&mut self, part: PartMut<'_>) {
        match part {
            PartMut::Expr(expr) => self.expr(expr),
            PartMut::Block(block) => self.block(block),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        let Some(site) = self.site_of(expr) else {
            return expr.parts_mut(&mut |part| self.part(part));
        };
        let plain = expr.ty.clone();
        let had_launch = self.submit(expr, site);
        if !self.is_changed(site) {
            return;
        }
        // The value of the expression stays what it was.
        let span = expr.span;
        let unit = !had_launch && !matches!(plain, Type::Tensor(_) | Type::Tuple(_));
        if unit {
            expr.ty = Type::TaskId;
        }
        if had_launch && !self.ids.contains_key(&site) {
            return;
        }
        let mut stmts = Vec::new();
        let value = std::mem::replace(
            expr,
            Expr {
                kind: ExprKind::Tuple(Vec::new()),
                ty: plain.clone(),
                span,
            },
        );
        if unit {
            self.keep_or_drop(site, value, &mut stmts);
            expr.kind = ExprKind::Block(Block { stmts, tail: None });
            return;
        }
        let (mut pattern, tail) = self.pieces(&plain, span);
        let mut value = value;
        if self.ids.contains_key(&site) {
            let named = {
                let id = self.bound_id(&mut pattern, &mut value, None);
                self.read(id, span)
            };
            stmts.push(bind(pattern, value, span));
            self.store(site, named, &mut stmts);
        } else {
            value.ty = Type::Tuple(vec![plain, Type::TaskId]);
            pattern = Pattern::Tuple(vec![pattern, Pattern::Wildcard]);
            stmts.push(bind(pattern, value, span));
        }
        expr.kind = ExprKind::Block(Block {
            stmts,
            tail: Some(Box::new(tail)),
        });
    }

    /// Changes what a submit says: directions and dependencies. Says whether it had a launch before.
    fn submit(&mut self, expr: &mut Expr, site: u32) -> bool {
        self.sites += 1;
        let had_launch = launch_of(expr).is_some();
        let is_barrier = matches!(expr.kind, ExprKind::Task(_));
        match &mut expr.kind {
            ExprKind::At(at) => {
                if let Some(launch) = &mut at.launch {
                    launch.parts_mut(&mut |part| self.part(part));
                }
                for (index, arg) in at.args.iter_mut().enumerate() {
                    if let AtArg::Tensor { access, .. } = arg
                        && self.inout.contains(&(site, index))
                    {
                        *access = Access::ReadWrite;
                    }
                }
            }
            _ => expr.parts_mut(&mut |part| self.part(part)),
        }
        if let ExprKind::Call(Call { directions, .. }) = &mut expr.kind {
            for (index, direction) in directions.iter_mut().enumerate() {
                if self.inout.contains(&(site, index)) {
                    *direction = Some(Access::ReadWrite);
                }
            }
        }
        let earlier = self.waits.get(&site).cloned().unwrap_or_default();
        let deps: Vec<Expr> = earlier
            .iter()
            .filter_map(|(earlier, since)| self.name_of(*earlier, *since, expr.span))
            .collect();
        if !self.is_changed(site) || is_barrier && deps.is_empty() {
            return had_launch || is_barrier;
        }
        match &mut expr.kind {
            ExprKind::Call(Call { launch, .. }) => launch.get_or_insert_default().deps.extend(deps),
            ExprKind::At(at) => at.launch.get_or_insert_default().deps.extend(deps),
            ExprKind::Task(TaskExpr::Barrier(all)) => all.extend(deps),
            _ => {}
        }
        had_launch || is_barrier
    }
}

/// Whether a submit of this type gives tensors or an id.
const fn gives_value(ty: &Type) -> bool {
    matches!(ty, Type::Tensor(_) | Type::Tuple(_) | Type::TaskId)
}

pub(super) fn launch_of(expr: &Expr) -> Option<&Launch> {
    match &expr.kind {
        ExprKind::Call(call) => call.launch.as_deref(),
        ExprKind::At(at) => at.launch.as_deref(),
        _ => None,
    }
}

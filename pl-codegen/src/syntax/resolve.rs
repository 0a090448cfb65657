//! After a body was read: element types found on the way are written into the IR.

use super::lower::Lower;
use crate::ir::{Block, Expr, ExprKind, PartMut, StmtKind, Type};

impl Lower<'_> {
    /// Resolves every type in the function; reports new tiles whose element type nothing fixes.
    pub(crate) fn resolve_types(&mut self) {
        let mut body = std::mem::take(&mut self.function.body);
        self.resolve_block(&mut body);
        self.function.body = body;
        for index in 0..self.function.vars.len() {
            let ty = self.infer.resolve_type(&self.function.vars[index].ty);
            self.function.vars[index].ty = ty;
        }
    }

    fn resolve_block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            if let StmtKind::Let { ty: Some(ty), .. } = &mut stmt.kind {
                *ty = self.infer.resolve_type(ty);
            }
            stmt.parts_mut(&mut |part| self.resolve_part(part));
        }
        if let Some(tail) = &mut block.tail {
            self.resolve_expr(tail);
        }
    }

    fn resolve_part(&mut self, part: PartMut<'_>) {
        match part {
            PartMut::Expr(expr) => self.resolve_expr(expr),
            PartMut::Block(block) => self.resolve_block(block),
        }
    }

    fn resolve_expr(&mut self, expr: &mut Expr) {
        expr.ty = self.infer.resolve_type(&expr.ty);
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Create(create) => {
                create.elem = self.infer.resolve(&create.elem);
                self.require_elem(&create.elem.clone(), span, "create_tensor");
            }
            ExprKind::Operation { op, .. } if op.opens_element() => {
                if let Type::Tile(elem) = &expr.ty {
                    self.require_elem(&elem.clone(), span, op.name());
                }
            }
            _ => {}
        }
        expr.parts_mut(&mut |part| self.resolve_part(part));
    }
}

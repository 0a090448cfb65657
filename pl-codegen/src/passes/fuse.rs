//! Operations on tiles that can run together do.
//!
//! In each block of in-core code,
//! 1. a tile that one later statement of the block uses is made there (`inline`): a load, a product;
//! 2. a product takes in the loads of its factors, its scale, and the sum that it is added to (`product`);
//! 3. neighbouring statements of element-wise operations, reductions of rows, loads, stores and
//!    `copy_to` that use each other's tiles become one sweep (`sweep`).
//!
//! Nothing is moved past what it might see changed. Values are those of the operations one after the
//! other, up to rounding; which of them become tiles, and so use scratch, changes.

mod effects;
mod inline;
mod product;
mod sweep;

use crate::ir::{Block, Function, PartMut};

/// Fuses the operations of in-core code, regions included.
pub fn fuse(mut function: Function) -> Function {
    let mut body = std::mem::take(&mut function.body);
    inline::blocks(&mut body, function.vars.len());
    product::blocks(&mut body);
    let mentions = effects::mentions(&body, function.vars.len());
    blocks(&mut PartMut::Block(&mut body), &mut |block| {
        sweep::block(block, &function, &mentions);
    });
    function.body = body;
    function
}

/// Every block, the innermost first.
fn blocks(part: &mut PartMut<'_>, visit: &mut dyn FnMut(&mut Block)) {
    match part {
        PartMut::Expr(expr) => expr.parts_mut(&mut |mut part| blocks(&mut part, visit)),
        PartMut::Block(block) => {
            block.parts_mut(&mut |mut part| blocks(&mut part, visit));
            visit(block);
        }
    }
}

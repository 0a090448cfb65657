//! Operations on tiles that run together, after `fuse`.

use super::{Elem, Expr, Part, PartMut, SpanId, VarId};
use crate::ops::Op;
use serde::{Deserialize, Serialize};

/// Element-wise operations, reductions and copies in one sweep over the rows of their tiles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// What the steps take from outside, evaluated before the first of them.
    pub inputs: Vec<Expr>,
    /// The operations, in order.
    pub steps: Vec<Step>,
    /// Variables declared, and the steps whose results they are.
    pub kept: Vec<(VarId, u32)>,
}

/// An operation of a sweep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Which one.
    pub op: Op,
    /// What it takes.
    pub args: Vec<StepArg>,
    /// Element type of the result, if the operation does not decide it.
    pub elem: Option<Elem>,
    /// Where it is written.
    pub span: SpanId,
}

/// What an operation of a sweep takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StepArg {
    /// An input of the sweep.
    Input(u32),
    /// The result of an earlier step.
    Step(u32),
}

/// A matrix product together with what stands around it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Product {
    /// Which product.
    pub op: Op,
    /// The two factors.
    pub factors: [Factor; 2],
    /// The scalar that the product is multiplied with, and where.
    pub scale: Option<(Expr, SpanId)>,
    /// What it is added to; without, the product is a new tile.
    pub sum: Option<Sum>,
    /// Where the product is written.
    pub span: SpanId,
}

/// A factor of a product.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Factor {
    /// A tile; a tensor if it is loaded.
    pub value: Expr,
    /// Where it is loaded for this product only.
    pub load: Option<SpanId>,
    /// Where it is transposed after that.
    pub transpose: Option<SpanId>,
}

/// `copy_to(acc, acc * factor + product)`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sum {
    /// The tile.
    pub acc: Expr,
    /// What it is multiplied with, and where.
    pub factor: Option<(Expr, SpanId)>,
    /// Where the sum is written.
    pub add: SpanId,
}

macro_rules! walkers {
    ($part:ident, $name:ident $(, $mut:tt)?) => {
        impl Sweep {
            /// Visits the inputs.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                for input in &$($mut)? self.inputs {
                    visit($part::Expr(input));
                }
            }
        }

        impl Product {
            /// Visits the accumulator and its factor, the factors of the product, and its scale.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                if let Some(sum) = &$($mut)? self.sum {
                    visit($part::Expr(&$($mut)? sum.acc));
                    if let Some((factor, _)) = &$($mut)? sum.factor {
                        visit($part::Expr(factor));
                    }
                }
                for factor in &$($mut)? self.factors {
                    visit($part::Expr(&$($mut)? factor.value));
                }
                if let Some((scale, _)) = &$($mut)? self.scale {
                    visit($part::Expr(scale));
                }
            }
        }
    };
}

walkers!(Part, parts);
walkers!(PartMut, parts_mut, mut);

//! Rows of the table of operations by the names under which operations run.

use pl_codegen::ops::{Cost, Op};
use std::collections::HashMap;
use std::sync::LazyLock;

static BY_NAME: LazyLock<HashMap<&'static str, Op>> =
    LazyLock::new(|| Op::ALL.iter().map(|&op| (op.name(), op)).collect());

/// What the operation of that name costs. One that is not in the table counts as an addition.
pub(super) fn cost_of(operation: &str) -> Cost {
    BY_NAME
        .get(operation)
        .map_or(Cost::vector(1), |op| op.cost())
}

//! Every operation runs without data, and takes time unless it is a view.

use super::*;
use crate::calls::{Arguments, CALLS};
use pl_codegen::ops::OpKind;

static CALL: KernelInfo = kernel("call", 40, &[]);

/// Calls the operation with the number of scalar 0 on elements of the type with the number of scalar 1.
fn call(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let (_, call) = CALLS[args.scalar::<u32>(0) as usize];
    let dtype = DType::ALL[args.scalar::<u32>(1) as usize];
    let at = Arguments::ones(core, dtype)?;
    match call {
        Some(call) => call(core, dtype, &at),
        None => Ok(()),
    }
}

/// The time of a run that only calls the operation of this number.
fn duration(op: usize, dtype: DType) -> u64 {
    let dtype = DType::ALL.iter().position(|&other| other == dtype);
    let scalars = [op as u32, dtype.expect("it is one of all") as u32].map(Scalar::to_value);
    let timing = time(simulate(SIMPLE), |scope, _| {
        scope.submit(SITE, TaskSpec::new(&CALL, call, &[], &scalars))?;
        Ok(())
    });
    timing.total_ns
}

#[test]
fn an_operation_takes_time_without_data_unless_it_is_a_view() {
    let copies = CALLS.iter().position(|(_, call)| call.is_none());
    let copies = copies.expect("tensors are loaded");
    for (index, (op, call)) in CALLS.iter().enumerate() {
        let dtypes = DType::ALL
            .into_iter()
            .filter(|dtype| op.types().has(*dtype));
        for dtype in dtypes.filter(|_| call.is_some()) {
            let taken = duration(index, dtype) - duration(copies, dtype);
            let is_view = op.kind() == OpKind::View;
            assert_eq!(
                taken == 0,
                is_view,
                "`{}` of {dtype} takes {taken} ns",
                op.name()
            );
        }
    }
}

//! Every operation of the table works on the element types that the table says, and on no other.

use crate::calls::{Arguments, CALLS, Call};
use crate::support::arena;
use pl_codegen::ops::Op;
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;

fn run(op: Op, call: Call, dtype: DType) -> Result<(), OperationError> {
    let mut arena = arena();
    let core = arena.start_task();
    let at = Arguments::ones(&core, dtype).unwrap();
    call(&core, dtype, &at).inspect_err(|error| assert_eq!(error.operation, op.name()))
}

#[test]
fn operations_work_on_the_types_of_the_table_and_on_no_other() {
    for &(op, call) in CALLS {
        let Some(call) = call else { continue };
        for dtype in DType::ALL {
            let result = run(op, call, dtype);
            assert_eq!(
                result.is_ok(),
                op.types().has(dtype),
                "`{}` of {dtype}: {result:?}",
                op.name()
            );
            if let Err(error) = result {
                let text = error.to_string();
                let helps = ["`cast`", "compare", "write `"];
                assert!(helps.iter().any(|help| text.contains(help)), "{text}");
            }
        }
    }
}

//! A kernel that does nothing: what is left is the runtime's own work.

use pl_runtime::{Access, KernelInfo, OperationError, ParamInfo, Scratch, TaskArgs};

pub(crate) static KERNEL: KernelInfo = KernelInfo {
    name: "empty",
    file: "empty.rs",
    line: 1,
    params: &[
        ParamInfo {
            name: "a",
            access: Access::Read,
        },
        ParamInfo {
            name: "x",
            access: Access::ReadWrite,
        },
    ],
};

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
pub(crate) fn empty(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    Ok(())
}

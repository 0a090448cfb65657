//! The operation log: what the tasks of a run did, operation by operation.

use crate::dtype::DType;
use crate::site::Site;
use crate::task::{CoreType, KernelInfo};
use crate::tensor::MAX_RANK;
use crate::tile::Operation;
use pl_codegen::ops::OpKind;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// Version of the file's layout.
const SCHEMA: u32 = 1;

/// An operation of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedOp {
    /// Position of the task in program order, from 0, over all rings; `alloc_tensors` calls count.
    pub task: u64,
    /// The block of the task.
    pub block: u32,
    /// Name of the kernel.
    pub kernel: &'static str,
    /// The unit that works on it: `dma` for copies from and to tensors, `math`, `gemm`, `view` for
    /// those that move no element.
    pub op_kind: &'static str,
    /// Name of the operation; that of `copy_to` is `copy`.
    pub op_name: &'static str,
    /// Element type; none if it touched no tile.
    pub dtype: Option<DType>,
    dims: [usize; MAX_RANK],
    rank: usize,
    /// Bytes of a tile of that shape; of both operands and the result of a matrix product.
    pub bytes: u64,
    /// What it took: measured up to the next operation of the kernel; simulated with
    /// [`Executor::Timing`](crate::Executor::Timing).
    pub ns: u64,
    /// Where the kernel calls it.
    pub site: Site,
}

impl LoggedOp {
    pub(crate) fn new(
        task: u64,
        block: u32,
        kernel: &'static KernelInfo,
        cores: CoreType,
        operation: &Operation,
    ) -> Self {
        let mut dims = [0; MAX_RANK];
        let shape = operation.shape.as_ref();
        let own = shape.map_or(&[][..], |shape| shape.dims());
        dims[..own.len()].copy_from_slice(own);
        Self {
            task,
            block,
            kernel: kernel.name,
            op_kind: operation.kind.name(),
            op_name: operation.name,
            dtype: shape.map(|shape| shape.dtype),
            dims,
            rank: own.len(),
            // A view moves nothing.
            bytes: match operation.kind {
                OpKind::View => 0,
                _ => shape.map_or(0, |shape| shape.bytes),
            },
            ns: operation.ns[cores as usize],
            site: operation.site,
        }
    }

    /// The shape that its cost depends on: `[m, k, n]` of a matrix product, the argument of a reduction,
    /// otherwise the largest tile that it touches.
    pub fn shape(&self) -> &[usize] {
        &self.dims[..self.rank]
    }
}

impl fmt::Debug for LoggedOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dtype = self.dtype.map_or(String::new(), |dtype| dtype.to_string());
        write!(
            f,
            "LoggedOp(task {} block {} {}: {} {} {:?} {dtype}, {} bytes, {} ns, {})",
            self.task,
            self.block,
            self.kernel,
            self.op_kind,
            self.op_name,
            self.shape(),
            self.bytes,
            self.ns,
            self.site
        )
    }
}

#[derive(Serialize)]
struct Meta<'a> {
    version: u32,
    entry: &'a str,
    executor: &'a str,
    total: usize,
}

/// A line. Fields stand in it in this order.
#[derive(Serialize)]
struct Line<'a> {
    task: u64,
    block: u32,
    kernel: &'a str,
    op_kind: &'a str,
    op_name: &'a str,
    dtype: Option<String>,
    shape: &'a [usize],
    bytes: u64,
    ns: u64,
    site: String,
}

/// Writes a log: one line on the run, one for each operation.
pub(super) fn write(
    to: &mut impl Write,
    entry: &str,
    executor: &str,
    log: &[LoggedOp],
) -> io::Result<()> {
    let meta = Meta {
        version: SCHEMA,
        entry,
        executor,
        total: log.len(),
    };
    serde_json::to_writer(&mut *to, &meta)?;
    to.write_all(b"\n")?;
    for op in log {
        let line = Line {
            task: op.task,
            block: op.block,
            kernel: op.kernel,
            op_kind: op.op_kind,
            op_name: op.op_name,
            dtype: op.dtype.map(|dtype| dtype.to_string()),
            shape: op.shape(),
            bytes: op.bytes,
            ns: op.ns,
            site: format!("{}:{}", op.site.file_name(), op.site.line),
        };
        serde_json::to_writer(&mut *to, &line)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

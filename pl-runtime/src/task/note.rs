//! What a submitted task was, to be compared with the same task on another path.

use super::spec::Start;
use super::{CoreType, TaskArg, TaskKernel, TaskSpec};
use crate::dtype::ScalarValue;
use crate::site::Site;
use crate::task::TensorCreateInfo;
use crate::tensor::{RawTensor, View};
use std::fmt;

/// A submitted task.
#[derive(Clone, Debug)]
pub(crate) struct TaskNote {
    /// Ring, and number on it.
    position: (usize, u64),
    site: Site,
    pub(crate) kernel: TaskKernel,
    pub(crate) scalars: Vec<ScalarValue>,
    pub(crate) cores: Option<CoreType>,
    args: Vec<ArgNote>,
    blocks: u32,
    start: Start,
    /// Operator and target of the predicate.
    predicate: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
struct ArgNote {
    role: &'static str,
    tensor: TensorNote,
}

#[derive(Clone, PartialEq, Debug)]
enum TensorNote {
    /// Its elements; the task that owns it and which of its tensors it is, or its address.
    Existing {
        view: ViewNote,
        owner: Option<(usize, u64)>,
        at: usize,
    },
    New(TensorCreateInfo),
}

impl ArgNote {
    fn is_declared_more_in(&self, other: &Self) -> bool {
        (self.role, other.role) == ("output", "inout") && self.tensor == other.tensor
    }
}

/// A view, as far as it is about elements.
#[derive(Clone, Copy, Debug)]
struct ViewNote(View);

impl PartialEq for ViewNote {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        // The stride of a dimension with one element means nothing, nor does the place of none.
        let strides = || {
            let each = a.dims().iter().zip(a.strides()).zip(b.strides());
            each.into_iter().all(|((&dim, a), b)| dim <= 1 || a == b)
        };
        a.dtype() == b.dtype()
            && a.dims() == b.dims()
            && (a.elements() == 0 || a.offset() == b.offset() && strides())
    }
}

impl TaskNote {
    /// The task that is about to get this position.
    pub(crate) fn new(position: (usize, u64), site: Site, task: &TaskSpec<'_>) -> Self {
        let arg = |arg: &TaskArg<'_>| {
            let existing = |raw: &RawTensor| TensorNote::Existing {
                view: ViewNote(raw.view),
                owner: raw.owner.ring_local(),
                at: match raw.owner.ring_local() {
                    Some(_) => raw.list as usize,
                    None => raw.base.addr(),
                },
            };
            let (role, tensor) = match arg {
                TaskArg::Input(tensor) => ("input", existing(tensor.raw())),
                TaskArg::InOut(tensor) => ("inout", existing(tensor.raw())),
                TaskArg::OutputExisting(tensor) => ("output", existing(tensor.raw())),
                TaskArg::NoDep(tensor) => ("no_dep", existing(tensor.raw())),
                TaskArg::Output(info) => ("new", TensorNote::New(*info)),
            };
            ArgNote { role, tensor }
        };
        Self {
            position,
            site,
            kernel: TaskKernel {
                info: task.kernel,
                run: task.run,
            },
            scalars: task.scalars.to_vec(),
            cores: task.cores,
            args: task.args.iter().map(arg).collect(),
            blocks: task.blocks,
            start: task.start,
            predicate: task
                .predicate
                .map(|predicate| format!("{:?} {}", task.op, predicate.target)),
        }
    }

    /// Whether it runs nothing.
    pub(crate) fn is_dummy(&self) -> bool {
        self.start == Start::Never
    }

    /// Whether `other`, for the device, says that it reads what it only writes: else the device would
    /// not order it behind other writers.
    pub(crate) fn is_declared_more_in(&self, other: &Self) -> bool {
        let mut args = self.args.iter().zip(&other.args);
        args.any(|(a, b)| a.is_declared_more_in(b))
    }

    /// What is different in `other`, sites and that aside; `None` if nothing is.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let differs = |what: &str, a: &dyn fmt::Debug, b: &dyn fmt::Debug| {
            format!("{what} {a:?} here and {b:?} there")
        };
        let name = |note: &Self| note.kernel.info.name;
        // A barrier has no launch.
        let launch = |note: &Self| {
            let together = note.start == Start::Together && note.blocks > 1;
            (!note.is_dummy()).then_some((note.blocks, together))
        };
        if self.position != other.position {
            return Some(differs("position", &self.position, &other.position));
        }
        if name(self) != name(other) || self.is_dummy() != other.is_dummy() {
            return Some(differs("kernel", &name(self), &name(other)));
        }
        if self.scalars != other.scalars {
            return Some(differs("scalars", &self.scalars, &other.scalars));
        }
        if launch(self) != launch(other) {
            let what = "blocks, and whether they start together,";
            return Some(differs(what, &launch(self), &launch(other)));
        }
        if self.predicate != other.predicate {
            return Some(differs("predicate", &self.predicate, &other.predicate));
        }
        if self.args.len() != other.args.len() {
            return Some(differs("arguments", &self.args.len(), &other.args.len()));
        }
        let mut args = self.args.iter().zip(&other.args).enumerate();
        let (i, (a, b)) = args.find(|(_, (a, b))| a != b && !a.is_declared_more_in(b))?;
        Some(differs(&format!("argument {i}"), a, b))
    }
}

impl fmt::Display for TaskNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` submitted at {}", self.kernel.info.name, self.site)
    }
}

//! The kernels that a source submits, by function id.

use super::number::Number;
use super::scalar::{constant, type_name};
use super::{Linked, element};
use crate::ir::{Access, At, AtArg, Call, CoreType, DType, Dim, Function, Param, SpanId, Type};
use crate::passes::Source;
use std::collections::HashMap;
use std::sync::Arc;

/// A kernel with its function id, which is its position in [`Program::kernels`](super::Program).
#[derive(Clone, Debug)]
pub struct DeviceKernel {
    /// What tasks of it are submitted with.
    pub func_id: u32,
    /// Name in Rust, with the values of its generic parameters: `attend::<128>`; of a region the name
    /// that it is given.
    pub name: String,
    /// The cores that it is compiled for.
    pub core_type: CoreType,
    /// Whether it is one of the two parts, one for each type of core, of a kernel that runs on whole
    /// clusters. The part for matrix cores comes first.
    pub mixed: bool,
    /// What it runs.
    pub body: KernelBody,
    /// Tensors that it takes, in order; those that it returns come last.
    pub tensors: Vec<KernelParam>,
    /// Scalars that it takes behind them.
    pub scalars: Vec<ScalarParam>,
}

/// What a kernel runs.
#[derive(Clone, Debug)]
pub enum KernelBody {
    /// An in-core function.
    Function(Arc<Source>),
    /// A region of the entry, or of a helper.
    Region {
        /// Path of the file as rustc knows it.
        file: String,
        /// Line of the region.
        line: u32,
    },
}

/// A tensor that a kernel or entry takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelParam {
    /// Name in Rust.
    pub name: String,
    /// Element type.
    pub dtype: DType,
    /// What is done with it; of a tensor that a kernel returns [`Access::Write`].
    pub access: Access,
    /// Number of its dimensions, where it is known.
    pub rank: Option<usize>,
    /// Whether the submit allocates it.
    pub returned: bool,
}

/// A scalar that a kernel or entry takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarParam {
    /// Name in Rust.
    pub name: String,
    /// Type in Rust: `usize`, `f32`, ..
    pub ty: String,
}

/// The table while it grows.
pub(super) struct Kernels<'a> {
    linked: &'a Linked,
    table: Vec<DeviceKernel>,
    /// Function ids of a call's kernel, for its cores, by the name of its instance.
    found: HashMap<String, Vec<(CoreType, u32)>>,
}

impl<'a> Kernels<'a> {
    pub(super) fn new(linked: &'a Linked) -> Self {
        Self {
            linked,
            table: Vec::new(),
            found: HashMap::new(),
        }
    }

    pub(super) fn finish(self) -> Vec<DeviceKernel> {
        self.table
    }

    /// The function id of the kernel that is called, its second one if it runs on clusters, and its name.
    pub(super) fn of_call(
        &mut self,
        call: &Call,
        core_type: Option<CoreType>,
    ) -> ((u32, u32), String) {
        let core_type = core_type.unwrap_or(CoreType::Aiv);
        let source = &self.linked.kernels[call.callee.index()];
        let name = source.instance();
        let known = self.found.get(&name).into_iter().flatten();
        let known = known.copied().find(|(cores, id)| {
            let body = &self.table[*id as usize].body;
            *cores == core_type && matches!(body, KernelBody::Function(body) if same(body, source))
        });
        let id = match known {
            Some((_, id)) => id,
            None => {
                let id = self.add(source, &name, core_type);
                self.found
                    .entry(name.clone())
                    .or_default()
                    .push((core_type, id));
                id
            }
        };
        let second = if core_type == CoreType::Mix {
            id + 1
        } else {
            id
        };
        ((id, second), name)
    }

    fn add(&mut self, source: &Arc<Source>, name: &str, core_type: CoreType) -> u32 {
        let id = self.table.len() as u32;
        let parts: &[CoreType] = match core_type {
            CoreType::Mix => &[CoreType::Aic, CoreType::Aiv],
            CoreType::Aic => &[CoreType::Aic],
            CoreType::Aiv => &[CoreType::Aiv],
        };
        let (tensors, scalars) = params_of(source);
        for (part, core_type) in parts.iter().enumerate() {
            self.table.push(DeviceKernel {
                func_id: id + part as u32,
                name: name.to_owned(),
                core_type: *core_type,
                mixed: parts.len() > 1,
                body: KernelBody::Function(Arc::clone(source)),
                tensors: tensors.clone(),
                scalars: scalars.clone(),
            });
        }
        id
    }

    /// The function id and name of a region: each stands for itself.
    pub(super) fn of_region(
        &mut self,
        function: &Function,
        at: &At,
        span: SpanId,
    ) -> (u32, String) {
        let id = self.table.len() as u32;
        let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
        for arg in &at.args {
            match arg {
                AtArg::Tensor { var, access, .. } => tensors.push(KernelParam {
                    name: function.var(*var).name.clone(),
                    dtype: element(&function.var(*var).ty),
                    access: *access,
                    rank: None,
                    returned: false,
                }),
                AtArg::Scalar(var) => scalars.push(ScalarParam {
                    name: function.var(*var).name.clone(),
                    ty: type_name(&function.var(*var).ty).to_owned(),
                }),
                AtArg::Dim(dim) => scalars.push(ScalarParam {
                    name: function.dims[*dim as usize].clone(),
                    ty: "usize".to_owned(),
                }),
            }
        }
        let source = &self.linked.source;
        self.table.push(DeviceKernel {
            func_id: id,
            name: at.name.clone(),
            core_type: CoreType::Aiv,
            mixed: false,
            body: KernelBody::Region {
                file: source.file(span).to_owned(),
                line: source.line(span),
            },
            tensors,
            scalars,
        });
        (id, at.name.clone())
    }
}

/// Whether two kernels are the same instance of the same function.
fn same(a: &Arc<Source>, b: &Arc<Source>) -> bool {
    Arc::ptr_eq(a, b)
        || (a.unit.function.span == b.unit.function.span
            && a.constants == b.constants
            && a.types == b.types
            && a.unit == b.unit
            && a.callees.len() == b.callees.len()
            && a.callees.iter().zip(&b.callees).all(|(a, b)| same(a, b)))
}

/// What an entry takes.
pub(super) fn params(function: &Function) -> (Vec<KernelParam>, Vec<ScalarParam>) {
    let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
    for param in &function.params {
        let name = function.var(param.var).name.clone();
        match &param.ty {
            Type::Tensor(_) => tensors.push(KernelParam {
                name,
                dtype: element(&param.ty),
                access: param.access,
                rank: Some(param.dims.len()),
                returned: false,
            }),
            ty => scalars.push(ScalarParam {
                name,
                ty: type_name(ty).to_owned(),
            }),
        }
    }
    (tensors, scalars)
}

/// Dimensions of each tensor that an entry takes, those that are constants.
pub(super) fn shapes(function: &Function) -> Vec<Vec<Option<u64>>> {
    let length = |dim: &Dim| match dim {
        Dim::Const(value) => match constant(value)? {
            Number::Integer(length) => u64::try_from(length).ok(),
            Number::Float(_) => None,
        },
        Dim::Any | Dim::Named(_) => None,
    };
    let params = function.params.iter();
    params
        .filter(|param| matches!(param.ty, Type::Tensor(_)))
        .map(|param| param.dims.iter().map(length).collect())
        .collect()
}

/// What a kernel takes, and behind that what it returns.
fn params_of(source: &Source) -> (Vec<KernelParam>, Vec<ScalarParam>) {
    let mut function = source.unit.function.clone();
    let known = |ty: &Type| source.closed(ty);
    for Param { ty, .. } in &mut function.params {
        *ty = known(ty);
    }
    let (mut tensors, scalars) = params(&function);
    let returned = function.outputs.iter().map(|output| KernelParam {
        name: function.var(output.var).name.clone(),
        dtype: element(&known(&Type::Tensor(output.elem.clone()))),
        access: Access::Write,
        rank: Some(output.dims.iter().filter(|dim| **dim != Dim::Any).count()),
        returned: true,
    });
    tensors.extend(returned);
    (tensors, scalars)
}

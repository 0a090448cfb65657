//! C++: orchestration source for the device.
//!
//! The text follows the IR after `take_apart` and `tidy` statement by statement, and decides nothing.
//! `docs/device-source.md` says what becomes of each construct.

mod facts;
mod helpers;
mod kernels;
mod loops;
mod names;
mod number;
mod scalar;
mod stmt;
mod task;
mod tensor;
mod text;

pub use kernels::{DeviceKernel, KernelBody, KernelParam, ScalarParam};
pub use names::TAKEN as TAKEN_NAMES;

use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Access, BatchId, DType, Elem, Expr, ExprKind, Function, Kind, Scalar, SourceMap, SpanId, Stmt,
    StmtKind, Type, VarId, Visit,
};
use crate::passes::{Device, Hazard, Linked, close_scalar_types, take_apart, tidy};
use facts::{Facts, array_copies, declares_tensor, tensor_names};
use helpers::{Helper, Needs};
use kernels::Kernels;
use names::Names;
use number::c_type;
use scalar::type_name;
use std::collections::HashMap;
use text::Text;

/// An orchestration source, and what it needs to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of the entry in Rust.
    pub name: String,
    /// The C++ text.
    pub source: String,
    /// The kernels that it submits, by function id.
    pub kernels: Vec<DeviceKernel>,
    /// Tensors that the entry takes, in order.
    pub tensors: Vec<KernelParam>,
    /// Of each of them the dimensions, those that are constants.
    pub shapes: Vec<Vec<Option<u64>>>,
    /// Scalars that it takes behind them.
    pub scalars: Vec<ScalarParam>,
}

/// The orchestration source of an entry.
///
/// # Errors
/// As for [`program`].
pub fn orchestration(device: &Device) -> Result<String, Vec<Diagnostic>> {
    program(device).map(|program| program.source)
}

/// The orchestration source of an entry, with the table of its kernels.
///
/// # Errors
/// The function is no entry, or computes with numbers whose type the device does not have.
pub fn program(device: &Device) -> Result<Program, Vec<Diagnostic>> {
    let linked = &device.linked;
    let function = linked.function.function();
    if function.kind != Kind::Entry {
        return Err(vec![refused(function)]);
    }
    let params = |callee: crate::ir::CalleeId| {
        let source = &linked.kernels[callee.index()];
        let callee = &source.unit.function;
        callee.params.iter().map(|p| source.closed(&p.ty)).collect()
    };
    let function = tidy(take_apart(close_scalar_types(function.clone(), &params)));
    match unknown_number(&function) {
        Some(error) => Err(vec![error]),
        None => Ok(Printer::new(device, &function).program()),
    }
}

/// The first number of a type that the device does not have.
fn unknown_number(function: &Function) -> Option<Diagnostic> {
    struct First(Option<(SpanId, String)>);
    impl Visit for First {
        fn expr(&mut self, expr: &Expr) {
            if let Type::Scalar(Scalar::Named(name)) = &expr.ty
                && number::known_c_type(name).is_none()
            {
                self.0.get_or_insert((expr.span, name.clone()));
            }
            self.inside(expr);
        }
    }
    let mut first = First(None);
    first.block(&function.body);
    let (span, name) = first.0?;
    let text = format!("the device has no numbers of type `{name}`, so none is printed");
    let help = match name.as_str() {
        "char" => "compute with `u8` or `u32`",
        _ => "compute with `i64` or `u64`",
    };
    Some(Diagnostic::new(Code::NotAvailable, span, text, help))
}

fn refused(function: &Function) -> Diagnostic {
    let name = &function.name;
    let (code, what, help) = match function.kind {
        Kind::Host => (
            Code::NotAvailable,
            "an orchestrator of several chips, which are not printed yet",
            "print the entries that it calls",
        ),
        Kind::Incore | Kind::IncoreInline => (
            Code::WrongContext,
            "in-core code, and orchestration source is made of entries",
            "call `.orchestration_cpp()` on the kernel of a `#[pl::jit]` function that submits it",
        ),
        _ => (
            Code::WrongContext,
            "a helper, which is part of the source of the entry that calls it",
            "call `.orchestration_cpp()` on the kernel of that entry",
        ),
    };
    Diagnostic::new(code, function.span, format!("`{name}` is {what}"), help)
}

/// Prints one function.
struct Printer<'a> {
    function: &'a Function,
    source: &'a SourceMap,
    hazards: &'a [Hazard],
    out: Text,
    needs: Needs,
    names: Names,
    /// Names of the variables that have one.
    vars: Vec<String>,
    dims: Vec<String>,
    facts: Facts,
    kernels: Kernels<'a>,
    /// Names of the tensors of batches, where they are bound to one.
    tensors: HashMap<(BatchId, u32), VarId>,
    /// Numbers of batches, in the order in which they are printed.
    batches: HashMap<BatchId, usize>,
    /// A tensor that is certainly there, for variables that get theirs later.
    some_tensor: Option<VarId>,
    tasks: u32,
}

impl<'a> Printer<'a> {
    fn new(device: &'a Device, function: &'a Function) -> Self {
        let linked = &device.linked;
        let mut facts = Facts::default();
        facts.block(&function.body);
        for (var, ids) in array_copies(function) {
            if let Some(length) = facts.lengths.get(&ids).cloned() {
                facts.lengths.entry(var).or_insert(length);
            }
        }
        facts.deferred = declares_tensor(function);
        let mut names = Names::default();
        for helper in Helper::ALL {
            names.own(helper.name());
        }
        let mut vars: Vec<String> = vec![String::new(); function.vars.len()];
        for param in &function.params {
            if matches!(param.ty, Type::Tensor(_)) {
                let name = &function.var(param.var).name;
                let name = format!("ext_{}", name.strip_prefix("r#").unwrap_or(name));
                vars[param.var.index()] = names.give(&name);
            }
        }
        let dims = function.dims.iter().map(|dim| names.give(dim)).collect();
        let mut printer = Self {
            function,
            source: &linked.source,
            hazards: &device.hazards,
            out: Text::default(),
            needs: Needs::default(),
            names,
            vars,
            dims,
            facts,
            kernels: Kernels::new(linked),
            tensors: tensor_names(linked.function.function()),
            batches: HashMap::new(),
            some_tensor: function
                .params
                .iter()
                .find(|param| matches!(param.ty, Type::Tensor(_)))
                .map(|param| param.var),
            tasks: 0,
        };
        printer.name_scalars();
        printer.name_declared();
        printer
    }

    fn name_scalars(&mut self) {
        for param in &self.function.params {
            if !matches!(param.ty, Type::Tensor(_)) {
                self.give_name(param.var);
            }
        }
    }

    /// Names for what the body declares, in its order.
    fn name_declared(&mut self) {
        struct Declared(Vec<VarId>);
        impl Visit for Declared {
            fn stmt(&mut self, stmt: &Stmt) {
                match &stmt.kind {
                    StmtKind::Let { pattern, .. } => self.0.extend(pattern.vars()),
                    StmtKind::For { var: Some(var), .. } => self.0.push(*var),
                    _ => {}
                }
                stmt.parts(&mut |part| self.part(&part));
            }
            fn expr(&mut self, expr: &Expr) {
                if !matches!(expr.kind, ExprKind::At(_)) {
                    self.inside(expr);
                }
            }
        }
        let mut declared = Declared(Vec::new());
        declared.block(&self.function.body);
        for var in declared.0 {
            self.give_name(var);
        }
    }

    fn give_name(&mut self, var: VarId) {
        let wanted = &self.function.var(var).name;
        self.vars[var.index()] = self.names.give(wanted);
    }

    fn name(&self, var: VarId) -> &str {
        &self.vars[var.index()]
    }

    fn dim_name(&self, index: u32) -> String {
        self.dims[index as usize].clone()
    }

    fn program(mut self) -> Program {
        self.out.indent();
        self.prologue();
        self.block(&self.function.body);
        self.out.dedent();
        let (tensors, scalars) = kernels::params(self.function);
        let source = self.skeleton(tensors.len() + scalars.len());
        Program {
            name: self.function.name.clone(),
            source,
            kernels: self.kernels.finish(),
            shapes: kernels::shapes(self.function),
            tensors,
            scalars,
        }
    }

    /// External tensors, scalar parameters and named dimensions, as far as something reads them.
    fn prologue(&mut self) {
        let function = self.function;
        let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
        let (mut tensor, mut scalar) = (0, 0);
        let mut wanted = self.facts.read.clone();
        if self.facts.deferred {
            wanted.extend(self.some_tensor);
        }
        let named: Vec<_> = (0..function.dims.len() as u32)
            .filter(|dim| self.facts.dims.contains(dim))
            .filter_map(|dim| Some((dim, function.named_dim(dim)?)))
            .collect();
        wanted.extend(named.iter().map(|(_, (var, _))| *var));
        for param in &function.params {
            let read = wanted.contains(&param.var);
            let name = self.name(param.var);
            if matches!(param.ty, Type::Tensor(_)) {
                if read {
                    tensors.push(format!(
                        "const ChipTensor& {name} = orch_args.tensor({tensor}).ref();"
                    ));
                }
                tensor += 1;
            } else {
                let ty = c_type(type_name(&param.ty));
                if read {
                    scalars.push(format!(
                        "{ty} {name} = from_u64<{ty}>(orch_args.scalar({scalar}));"
                    ));
                }
                scalar += 1;
            }
        }
        let dims = named.iter().map(|(dim, (var, axis))| {
            let (name, tensor) = (&self.dims[*dim as usize], self.name(*var));
            format!("uint64_t {name} = {tensor}.shapes[{axis}];")
        });
        let dims: Vec<String> = dims.collect();
        if tensors.is_empty() && scalars.is_empty() {
            self.out.line("(void)orch_args;");
        }
        let sections = [
            ("// External tensors", tensors),
            ("// Scalar params", scalars),
            ("// Named dimensions", dims),
        ];
        for (heading, lines) in sections {
            if lines.is_empty() {
                continue;
            }
            self.out.line(heading);
            for line in &lines {
                self.out.line(line);
            }
            self.out.blank();
        }
    }

    /// The whole file.
    fn skeleton(&mut self, args: usize) -> String {
        let includes = self.needs.include_lines();
        let helpers = self.needs.pragmas() + &self.needs.definitions();
        let body = std::mem::take(&mut self.out).finish();
        let name = &self.function.name;
        let place = self.source.place(self.function.span);
        format!(
            "// {name} ({place})\n\n{includes}\n#include \"pto_orchestration_api.h\"\n\n{helpers}\
             extern \"C\" {{\n\n\
             __attribute__((visibility(\"default\")))\n\
             PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {{\n    \
             (void)orch_args;\n    \
             return PTO2OrchestrationConfig{{\n        \
             .expected_arg_count = {args},\n    \
             }};\n\
             }}\n\n\
             __attribute__((visibility(\"default\")))\n\
             void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {{\n{body}}}\n\n\
             }}  // extern \"C\"\n"
        )
    }
}

/// The element type of a tensor.
fn element(ty: &Type) -> DType {
    match ty {
        Type::Tensor(Elem::Known(dtype)) | Type::Tile(Elem::Known(dtype)) => *dtype,
        other => unreachable!("element types are known after linking: {other:?}"),
    }
}

/// The method that adds a tensor to the arguments of a task.
const fn add(access: Access) -> &'static str {
    match access {
        Access::Read => "add_input",
        Access::Write => "add_output",
        Access::ReadWrite => "add_inout",
    }
}

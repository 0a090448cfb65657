//! A kernel as data: what `f::kernel()` gives.

use crate::dtype::{ScalarType, ScalarValue};
use crate::error::{Error, Result, Unprintable};
pub use pl_codegen::compile::Stage;
use pl_codegen::diag::Diagnostic;
use pl_codegen::emit::cpp;
use pl_codegen::emit::rust::orchestration;
use pl_codegen::ir::Unit;
use pl_codegen::passes::{Constant, Source, device, link};
use std::sync::Arc;

/// A kernel with the functions it calls and the constants it captured, as data.
///
/// Made by `f::kernel()`, or `f::kernel::<f32, 128>()` for a generic `f`.
#[derive(Clone, Debug)]
pub struct Kernel(Arc<Source>);

impl Kernel {
    /// What the macro emits: IR as serialised at expansion, and what only the compiled program knows; of each
    /// call, which of `callees` it means.
    #[doc(hidden)]
    pub fn new(
        unit: &str,
        constants: &[ScalarValue],
        types: &[(&str, &'static str)],
        callees: &[Self],
        which: &[usize],
    ) -> Self {
        Self(Arc::new(Source {
            unit: Unit::from_text(unit).expect("the macro wrote it"),
            constants: constants.iter().copied().map(constant).collect(),
            types: types
                .iter()
                .map(|&(name, primitive)| (name.to_owned(), primitive))
                .collect(),
            callees: which
                .iter()
                .map(|&place| Arc::clone(&callees[place].0))
                .collect(),
        }))
    }

    /// The same kernel with lines that are counted from the first one of each function, and the name of the
    /// function for its file.
    pub(crate) fn relative(&self) -> Self {
        Self(relative(&self.0))
    }

    /// Every function of it, the entry first.
    pub(crate) fn sources(&self) -> Vec<&Source> {
        let mut sources: Vec<&Source> = vec![&self.0];
        let mut next = 0;
        while let Some(&source) = sources.get(next) {
            sources.extend(source.callees.iter().map(Arc::as_ref));
            next += 1;
        }
        sources
    }

    /// Name of the function.
    pub fn name(&self) -> &str {
        &self.0.unit.function.name
    }

    /// The IR after all passes, as text.
    pub fn ir(&self) -> String {
        self.ir_after(Stage::LAST)
    }

    /// The IR after one of the passes, as text.
    pub fn ir_after(&self, stage: Stage) -> String {
        stage.print(&self.0)
    }

    /// The orchestration function that the kernel becomes, as Rust: constants filled in, helpers
    /// spliced, scopes inserted, each kernel call a `submit`. Arithmetic is printed as operators; what
    /// runs checks it, and gives an error where it has no result.
    pub fn orchestration_rust(&self) -> String {
        orchestration(&link(&self.0))
    }

    /// The same for the device: C++ source over the interface of its runtime. Each statement stands for
    /// one of the kernel, in its order.
    ///
    /// # Errors
    /// The function is no entry.
    pub fn orchestration_cpp(&self) -> Result<String> {
        self.device_program().map(|program| program.source)
    }

    /// The C++ source, and the table of the kernels that it submits.
    ///
    /// # Errors
    /// As for [`Self::orchestration_cpp`].
    pub fn device_program(&self) -> Result<cpp::Program> {
        let device = device(link(&self.0));
        cpp::program(&device).map_err(|diagnostics| {
            let source = &device.linked.source;
            let render = |diagnostic: &Diagnostic| {
                let place = source.place(diagnostic.span);
                format!("{place}: {}", diagnostic.render(source))
            };
            let reasons = diagnostics.iter().map(render).collect();
            Error::Unprintable(Box::new(Unprintable { reasons }))
        })
    }

    /// Accesses that the device may exchange although the program orders them, and that no dependency can
    /// order; empty for most kernels. Each text names both places, the tensor, and what to do.
    pub fn device_hazards(&self) -> Vec<String> {
        let device = device(link(&self.0));
        let source = &device.linked.source;
        let hazards = device.hazards.iter();
        hazards.map(|hazard| hazard.render(source)).collect()
    }
}

fn relative(source: &Source) -> Arc<Source> {
    let mut source = source.clone();
    source.unit.source = source.unit.source.relative(&source.unit.function.name);
    for callee in &mut source.callees {
        *callee = relative(callee);
    }
    Arc::new(source)
}

fn constant(value: ScalarValue) -> Constant {
    let (ty, special) = match value.ty() {
        ScalarType::F64 => ("f64", true),
        ScalarType::F32 => ("f32", true),
        ScalarType::F16 => ("f16", true),
        ScalarType::Bf16 => ("bf16", true),
        ScalarType::I8 => ("i8", false),
        ScalarType::I16 => ("i16", false),
        ScalarType::I32 => ("i32", false),
        ScalarType::I64 => ("i64", false),
        ScalarType::Isize => ("isize", false),
        ScalarType::U8 => ("u8", false),
        ScalarType::U16 => ("u16", false),
        ScalarType::U32 => ("u32", false),
        ScalarType::U64 => ("u64", false),
        ScalarType::Usize => ("usize", false),
        ScalarType::Bool => {
            let text = if value.bits() == 0 { "false" } else { "true" };
            return Constant {
                ty: "bool",
                text: text.to_owned(),
                negative: false,
            };
        }
    };
    if !special {
        let value = value.as_i128();
        return Constant {
            ty,
            text: value.unsigned_abs().to_string(),
            negative: value < 0,
        };
    }
    let value = value.as_f64();
    let text = match ty {
        _ if value.is_nan() => format!("{ty}::NAN"),
        _ if value.is_infinite() => format!("{ty}::INFINITY"),
        // The shortest text that reads back as the same value of that type.
        "f32" => format!("{:?}", (value as f32).abs()),
        _ => format!("{:?}", value.abs()),
    };
    Constant {
        ty,
        text,
        negative: value.is_sign_negative(),
    }
}

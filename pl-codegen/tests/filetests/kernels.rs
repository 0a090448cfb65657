//! The kernels of a text, as the attribute sees them and as a program would link them.

use pl_codegen::compile::Stage;
use pl_codegen::emit::cpp;
use pl_codegen::emit::rust::orchestration;
use pl_codegen::ir::{Kind, Unit};
use pl_codegen::passes::{Constant, Source, device, link};
use pl_codegen::syntax::{Lowered, lower_file};
use quote::ToTokens;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// A diagnostic, as rustc would show it.
pub(crate) struct Error {
    pub(crate) line: u32,
    pub(crate) code: String,
    pub(crate) text: String,
}

/// What a text holds: its kernels, the errors found, and its integer constants.
#[derive(Default)]
pub(crate) struct Kernels {
    pub(crate) units: Vec<Unit>,
    pub(crate) errors: Vec<Error>,
    constants: BTreeMap<String, String>,
}

impl Kernels {
    pub(crate) fn read(text: &str) -> Self {
        let mut kernels = Self::default();
        for item in syn::parse_file(text).expect("programs parse as Rust").items {
            if let syn::Item::Const(constant) = item {
                let value = constant.expr.to_token_stream().to_string();
                kernels.constants.insert(constant.ident.to_string(), value);
            }
        }
        for lowered in lower_file(text).expect("just parsed") {
            kernels.add(lowered);
        }
        kernels
    }

    fn add(&mut self, lowered: Lowered) {
        let Lowered {
            unit,
            diagnostics,
            lints,
            expansion,
            ..
        } = lowered;
        for diagnostic in diagnostics.iter().chain(&lints) {
            self.errors.push(Error {
                line: unit.source.line(diagnostic.span),
                code: diagnostic.code.to_string(),
                text: diagnostic.render(&unit.source),
            });
        }
        // Whatever comes out must be Rust, also beside errors.
        if let Err(error) = syn::parse2::<syn::File>(expansion.clone()) {
            panic!("expansion is not Rust: {error}\n{expansion}");
        }
        // What depends on a callee is asserted, everything else reported by the attribute: once.
        let text = expansion.to_string();
        let count = text.matches("compile_error").count();
        let asserted =
            text.matches(":: core :: assert !").count() + text.matches("refusal").count();
        assert!(
            count == diagnostics.len() || asserted > 0,
            "{count} errors for {} diagnostics: {text}",
            diagnostics.len()
        );
        assert_eq!(text.matches("deprecated (").count(), lints.len(), "{text}");
        self.units.push(unit);
    }

    /// A kernel with everything around it, if the text has all of that.
    fn source(&self, unit: &Unit) -> Option<Source> {
        let constants = unit.function.captures.iter().map(|name| {
            let text = self.constants.get(name)?.clone();
            Some(Constant {
                ty: "usize",
                text,
                negative: false,
            })
        });
        let callees = unit.function.callees.iter().map(|callee| {
            let named = |unit: &&Unit| unit.function.name == callee.path;
            let unit = self.units.iter().find(named)?;
            self.source(unit).map(Arc::new)
        });
        Some(Source {
            unit: unit.clone(),
            constants: constants.collect::<Option<_>>()?,
            types: Vec::new(),
            callees: callees.collect::<Option<_>>()?,
        })
    }

    /// An entry with everything around it, if the text has all of that.
    fn linked(&self, unit: &Unit) -> Option<Source> {
        self.source(unit)
            .filter(|_| unit.function.kind == Kind::Entry)
    }

    /// A kernel after a pass.
    pub(crate) fn after(&self, stage: Stage, unit: &Unit) -> String {
        let alone = || Source {
            unit: unit.clone(),
            constants: Vec::new(),
            types: Vec::new(),
            callees: Vec::new(),
        };
        let text = match self.linked(unit) {
            Some(source) => stage.print(&source),
            None => stage.print(&alone()),
        };
        without_file(&text)
    }

    /// The function that an entry becomes, `..` for each place in the source.
    pub(crate) fn rust_without_places(&self, unit: &Unit) -> String {
        let text = self.rust(unit);
        let mut parts = text.split("Site::new(");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (_, rest) = part.split_once(')').expect("a file and a line");
            out += "..";
            out += rest;
        }
        out
    }

    /// An entry as it is printed for the device, and what its rules leave open.
    pub(crate) fn device(&self, unit: &Unit) -> String {
        let source = self.linked(unit);
        let device = device(link(&source.expect("the file has what the entry needs")));
        let mut text = device.linked.function.function().to_string();
        for hazard in &device.hazards {
            text += &hazard.render(&device.linked.source);
            text += "\n";
        }
        without_file(&text)
    }

    /// What the pass for the device does not do as it should.
    pub(crate) fn device_failures(&self, unit: &Unit) -> Option<String> {
        let once = device(link(&self.linked(unit)?));
        let twice = device(once.linked.clone());
        let (a, b) = (once.linked.function, twice.linked.function);
        (a != b || once.hazards != twice.hazards).then(|| {
            let (a, b) = (a.function(), b.function());
            format!("a second pass for the device changes it:\n{a}{b}")
        })
    }

    /// The function that an entry becomes.
    pub(crate) fn rust(&self, unit: &Unit) -> String {
        let source = self
            .linked(unit)
            .expect("the file has what the entry needs");
        without_file(&orchestration(&link(&source)))
    }

    /// The device orchestration source of an entry, if the text has what it needs.
    pub(crate) fn cpp(&self, unit: &Unit) -> Option<cpp::Program> {
        let source = self.linked(unit)?;
        let mut program = cpp::program(&device(link(&source))).expect("an entry");
        program.source = without_file(&program.source);
        Some(program)
    }

    /// A kernel after each pass that changes it, and an entry's Rust and C++.
    pub(crate) fn describe(&self, unit: &Unit) -> String {
        let links = self.linked(unit).is_some();
        let mut text = String::new();
        let mut previous = String::new();
        for stage in Stage::ALL {
            if stage == Stage::Linked && !links {
                continue;
            }
            let printed = self.after(stage, unit);
            if printed != previous {
                let _ = writeln!(text, "=== {stage:?}\n{printed}");
                previous = printed;
            }
        }
        if links {
            let _ = writeln!(text, "=== Rust\n{}", self.rust(unit));
        }
        if let Some(program) = self.cpp(unit) {
            let _ = writeln!(text, "=== C++\n{}", program.source);
        }
        text
    }
}

/// Text parsed outside rustc belongs to a numbered file without a name.
fn without_file(text: &str) -> String {
    let mut parts = text.split("<parsed string ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += "case.rs";
        out += part.split_once('>').map_or(part, |(_, rest)| rest);
    }
    out
}

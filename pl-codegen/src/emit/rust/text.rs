//! Emitted Rust as text.

use super::Sink;
use crate::ir::{At, CalleeId, CaptureId, Elem, Function, SourceMap, SpanId, VarId};
use std::collections::HashSet;
use std::fmt::Write;

/// Builds indented text.
pub(crate) struct TextSink<'a> {
    function: &'a Function,
    source: &'a SourceMap,
    text: String,
    indent: usize,
    /// Printed name of each variable.
    names: Vec<String>,
}

impl<'a> TextSink<'a> {
    /// Nothing written yet.
    pub(crate) fn new(function: &'a Function, source: &'a SourceMap) -> Self {
        let names = unique_names(function);
        Self {
            function,
            source,
            text: String::new(),
            indent: 0,
            names,
        }
    }

    /// What was written.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn start_line(&mut self) {
        if self.text.is_empty() || self.text.ends_with('\n') {
            self.text.extend(std::iter::repeat_n("    ", self.indent));
        }
    }
}

/// A printed name for each variable: its own where that is free, else with a number behind it.
///
/// In text there is no hygiene, and a helper that is spliced in brings names of its own.
fn unique_names(function: &Function) -> Vec<String> {
    let mut taken: HashSet<String> = function.dims.iter().cloned().collect();
    let mut names = Vec::new();
    for var in &function.vars {
        let mut name = var.name.clone();
        let mut count = 1;
        while is_ours(&name) || !taken.insert(name.clone()) {
            count += 1;
            name = format!("{}_{count}", var.name);
        }
        names.push(name);
    }
    names
}

/// `scope1`, `alloc0`
fn is_ours(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    stem != name && matches!(stem, "scope" | "alloc" | "args" | "task")
}

impl Sink for TextSink<'_> {
    const CHECKS: bool = false;

    fn at(&mut self, _: SpanId) {}

    fn put(&mut self, tokens: &str) {
        self.start_line();
        self.text.push_str(tokens);
    }

    fn line(&mut self) {
        self.text.push('\n');
    }

    fn indent(&mut self) {
        self.indent += 1;
    }

    fn dedent(&mut self) {
        self.indent -= 1;
    }

    fn open(&mut self) {
        self.put("{");
        self.line();
        self.indent();
    }

    fn close(&mut self) {
        self.dedent();
        self.put("}");
    }

    fn runtime(&mut self, path: &str) {
        self.put(path);
    }

    fn var(&mut self, var: VarId) {
        let name = self.names[var.index()].clone();
        self.put(&name);
    }

    fn local(&mut self, stem: &str, index: u32) {
        self.start_line();
        let _ = match stem {
            "dim" => write!(self.text, "{}", self.function.dims[index as usize]),
            _ => write!(self.text, "{stem}{index}"),
        };
    }

    fn literal(&mut self, text: &str) {
        self.put(text);
    }

    fn capture(&mut self, capture: CaptureId) {
        let text = self.function.captures[capture.index()].clone();
        self.put(&text);
    }

    fn callee_item(&mut self, callee: CalleeId, name: &str) {
        let path = &self.function.callees[callee.index()].path;
        self.put(&format!("{path}::{name}"));
    }

    fn some_writes(&mut self, params: &[(CalleeId, usize)]) {
        let function = self.function;
        let each = params.iter().map(|(callee, index)| {
            let path = &function.callees[callee.index()].path;
            format!("{path}::SIG.writes({index})")
        });
        let text = each.collect::<Vec<_>>().join(" || ");
        self.put(&text);
    }

    fn region_info(&mut self, _: &Function, at: &At, _: SpanId) {
        self.put(&format!("{:?}", at.name));
    }

    fn site(&mut self, span: SpanId) {
        let line = self.source.line(span);
        let file = self.source.file(span).to_owned();
        self.start_line();
        let _ = write!(self.text, "Site::new({file:?}, {line})");
    }

    fn elem(&mut self, elem: &Elem) {
        self.start_line();
        let _ = match elem {
            Elem::Known(dtype) => write!(self.text, "DType::{dtype:?}"),
            other => write!(self.text, "<{other} as Element>::DTYPE"),
        };
    }

    fn elem_type(&mut self, elem: &Elem) {
        self.put(&elem.to_string());
    }

    fn scalar_type(&mut self, text: &str) {
        self.put(text);
    }
}

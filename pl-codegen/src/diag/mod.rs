//! What is reported about a kernel.

mod catalogue;

pub use catalogue::Code;

use crate::ir::{SourceMap, SpanId};

/// One mistake: what is wrong, where, what else is involved, and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// The user's tokens it points at.
    pub span: SpanId,
    /// One sentence; names the user's construct first.
    pub message: String,
    /// Other places involved, with what happens there.
    pub notes: Vec<(SpanId, String)>,
    /// What to write instead.
    pub help: String,
}

impl Diagnostic {
    /// A diagnostic without notes.
    pub fn new(
        code: Code,
        span: SpanId,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            notes: Vec::new(),
            help: help.into(),
        }
    }

    /// Adds another place.
    #[must_use]
    pub fn note(mut self, span: SpanId, text: impl Into<String>) -> Self {
        self.notes.push((span, text.into()));
        self
    }

    /// The whole text as rustc shows it: message and code, then notes with their lines, then help.
    pub fn render(&self, source: &SourceMap) -> String {
        use std::fmt::Write;
        let mut text = format!("{} [{}]", self.message, self.code);
        for (span, note) in &self.notes {
            let _ = write!(text, "\nnote: {note} ({})", source.place(*span));
        }
        if !self.help.is_empty() {
            let _ = write!(text, "\nhelp: {}", self.help);
        }
        text
    }
}

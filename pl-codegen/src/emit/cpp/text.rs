//! Indented lines.

/// Builds the body of a function.
#[derive(Default)]
pub(super) struct Text {
    text: String,
    indent: usize,
}

impl Text {
    pub(super) fn indent(&mut self) {
        self.indent += 1;
    }

    pub(super) fn dedent(&mut self) {
        self.indent -= 1;
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n("    ", self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A line that ends in `{`, and what follows deeper.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent();
    }

    /// `}`, perhaps with more behind it.
    pub(super) fn close(&mut self, line: &str) {
        self.dedent();
        self.line(line);
    }

    /// An empty line, of which there are never two.
    pub(super) fn blank(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    pub(super) fn finish(mut self) -> String {
        while self.text.ends_with("\n\n") {
            self.text.pop();
        }
        self.text
    }
}

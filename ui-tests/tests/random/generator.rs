//! Writes random entries when the package is built. Every one compiles, and runs without an error for any `n` below 8.

use std::fmt::Write;

const PROGRAMS: u64 = 24;

/// The entries `p0`, `p1`, .., and `ALL`, which calls them.
pub(crate) fn programs() -> String {
    let mut text = String::new();
    for number in 0..PROGRAMS {
        let mut writer = Writer::new(number);
        let attribute = if writer.auto {
            ""
        } else {
            "(auto_scope = false)"
        };
        writer.block(4);
        let _ = write!(
            text,
            "\n#[pl::jit{attribute}]\npub(crate) fn p{number}(x: Tensor<f32, 8, 16>, n: usize, flag: bool, \
             y: InOut<Tensor<f32, 8, 16>>) {{\n    bump(0.5, y);\n{}}}\n",
            writer.text
        );
    }
    text.push_str("\npub(crate) const ALL: &[Program] = &[\n");
    for number in 0..PROGRAMS {
        let _ = writeln!(
            text,
            "    |rt, x, n, flag, y| p{number}(rt, x, n, flag, y),"
        );
    }
    text.push_str("];\n");
    text
}

struct Writer {
    state: u64,
    auto: bool,
    text: String,
    depth: usize,
    /// Tensors of 8 by 16 that may be named, with whether they may be written.
    tensors: Vec<(String, bool)>,
    /// Values below 8.
    values: Vec<String>,
    names: usize,
    /// In a MANUAL scope: the last task.
    last: Option<String>,
}

impl Writer {
    fn new(number: u64) -> Self {
        let named = |name: &str, writable| (name.to_owned(), writable);
        Self {
            state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            auto: !number.is_multiple_of(3),
            text: String::new(),
            depth: 1,
            tensors: vec![named("x", false), named("y", true)],
            values: vec!["n".to_owned()],
            names: 0,
            last: None,
        }
    }

    /// A number below `end` (Marsaglia's xorshift).
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % end
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn put(&mut self, line: &str) {
        let indent = self.depth * 4;
        let _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    fn tensor(&mut self, writable: bool) -> String {
        let known = self.tensors.iter().filter(|(_, w)| *w || !writable);
        let known: Vec<_> = known.map(|(name, _)| name.clone()).collect();
        let at = self.below(known.len());
        known[at].clone()
    }

    fn value(&mut self) -> String {
        let at = self.below(self.values.len());
        let value = self.values[at].clone();
        match self.below(4) {
            0 => self.below(8).to_string(),
            1 => format!("({value} * 3 + 1) % 8"),
            2 => format!("(7 - {value})"),
            _ => value,
        }
    }

    /// The same rows of each tensor, perhaps none.
    fn rows(&mut self) -> String {
        match self.below(4) {
            0 => String::new(),
            1 => {
                let row = self.value();
                format!(".slice(s![{row}..{row} + 1, ..])")
            }
            2 => {
                let row = self.value();
                format!(".slice(s![0..{row}, 4..12])")
            }
            _ => ".slice(s![2..6, 0..8])".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.below(4) {
            0 => "flag".to_owned(),
            1 => format!("{a} > {b}"),
            2 => format!("!flag && {a} != {b}"),
            _ => format!("flag || {a} % 2 == 0"),
        }
    }

    /// Statements in braces that are written already; what they declare is forgotten after them.
    fn block(&mut self, nesting: usize) {
        let (tensors, values) = (self.tensors.len(), self.values.len());
        let count = 1 + self.below(4);
        for _ in 0..count {
            self.statement(nesting);
        }
        self.tensors.truncate(tensors);
        self.values.truncate(values);
    }

    fn inside(&mut self, head: &str, nesting: usize, tail: &str) {
        self.put(head);
        self.depth += 1;
        self.block(nesting - 1);
        self.depth -= 1;
        self.put(tail);
    }

    /// A call, in a MANUAL scope behind the one before.
    fn call(&mut self, call: &str) {
        let Some(last) = &self.last else {
            return self.put(&format!("{call};"));
        };
        let line = format!("{last} = submit!({call}, deps = [{last}]);");
        self.put(&line);
    }

    fn statement(&mut self, nesting: usize) {
        let manual = self.last.is_some();
        let kinds = if nesting == 0 { 4 } else { 12 };
        match self.below(kinds) {
            0 => {
                let (a, b, rows) = (self.tensor(false), self.tensor(false), self.rows());
                let to = self.tensor(true);
                self.call(&format!("mix({a}{rows}, {b}{rows}, {to}{rows})"));
            }
            1 => {
                let (rows, to, by) = (self.rows(), self.tensor(true), self.below(8));
                self.call(&format!("bump({by}.25, {to}{rows})"));
            }
            2 if !manual => {
                let (a, b, new) = (self.tensor(false), self.tensor(false), self.name("t"));
                if self.below(2) == 0 {
                    self.put(&format!(
                        "let {new} = create_tensor::<f32>([8, 16]).init(0.75);"
                    ));
                } else {
                    self.put(&format!("let {new} = create_tensor::<f32>([8, 16]);"));
                    self.put(&format!("mix({a}, {b}, {new});"));
                }
                self.tensors.push((new, true));
            }
            3 if !manual => {
                let (a, new) = (self.tensor(false), self.name("t"));
                self.put(&format!("let {new} = made({a});"));
                self.tensors.push((new, true));
            }
            4 if !manual => {
                let (from, to, value) = (self.tensor(false), self.tensor(true), self.name("v"));
                let (a, b) = (self.value(), self.value());
                self.put(&format!("let {value} = {from}.get([{a}, 3]);"));
                self.put(&format!("{to}.set([{b}, 5], {value} * 0.5 + 1.0);"));
            }
            5 => {
                let counter = self.name("i");
                let end = ["0", "1", "3", "n", "8"][self.below(5)];
                let range = [
                    format!("0..{end}"),
                    format!("(0..{end}).step_by(3)"),
                    format!("(0..{end}).rev()"),
                    format!("(1..8).step_by({} + 1)", self.below(3)),
                ];
                let range = &range[self.below(4)];
                self.values.push(counter.clone());
                self.inside(&format!("for {counter} in {range} {{"), nesting, "}");
                self.values.pop();
            }
            6 => {
                let condition = self.condition();
                self.inside(&format!("if {condition} {{"), nesting, "} else {");
                self.depth += 1;
                self.block(nesting - 1);
                self.depth -= 1;
                self.put("}");
            }
            7 => {
                let (left, start) = (self.name("left"), self.value());
                let (skip, stop) = (self.below(8), self.below(8));
                self.put(&format!("let mut {left} = {start};"));
                self.put(&format!("while {left} > 0 {{"));
                self.depth += 1;
                self.put(&format!("{left} -= 1;"));
                self.put(&format!("if {left} == {skip} {{ continue; }}"));
                self.values.push(left.clone());
                self.block(nesting - 1);
                self.values.pop();
                self.put(&format!("if {left} == {stop} {{ break; }}"));
                self.depth -= 1;
                self.put("}");
            }
            8 if !manual && !self.auto => self.inside("scope!({", nesting, "});"),
            9 if !manual => {
                let last = self.name("last");
                self.put("manual_scope!({");
                self.depth += 1;
                self.put(&format!("let mut {last} = TaskId::NONE;"));
                self.last = Some(last.clone());
                self.block(nesting - 1);
                self.put(&format!("let {last} = barrier([{last}]);"));
                let to = self.tensor(true);
                self.put(&format!("submit!(bump(1.5, {to}), deps = [{last}]);"));
                self.last = None;
                self.depth -= 1;
                self.put("});");
            }
            10 if !manual => {
                let (a, b) = (self.name("a"), self.name("b"));
                let (first, second) = (self.tensor(true), self.tensor(true));
                let counter = self.name("i");
                self.put(&format!("let (mut {a}, mut {b}) = ({first}, {second});"));
                self.put(&format!("for {counter} in 0..n {{"));
                self.put(&format!("    mix({a}, x, {b});"));
                self.put(&format!(
                    "    if {counter} % 3 != 1 {{ ({a}, {b}) = ({b}, {a}); }}"
                ));
                self.put("}");
                self.put(&format!("bump(0.125, {a});"));
            }
            _ => {
                let (new, a, b) = (self.name("k"), self.value(), self.value());
                self.put(&format!("let {new} = ({a}).max({b}).min(6);"));
                self.values.push(new);
            }
        }
    }
}

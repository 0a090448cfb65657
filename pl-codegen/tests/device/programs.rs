//! Programs at random, as text.

use std::fmt::Write;

/// xorshift
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

const KERNELS: &str = "
#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}
#[pl::jit::incore]
fn up(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + load(x));
}
#[pl::jit::incore]
fn made(x: Tensor<f32, _>) -> Tensor<f32, 16> {
    load(x) * 2.0
}
#[pl::jit::incore]
fn flag(x: Tensor<f32, _>, p: InOut<Tensor<i32, 1>>) {
    store(p, load(p) + 1);
}
";

/// A program. Every tensor has 16 elements, and `n` is below 5.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
    let by_hand = random.below(2) == 0;
    let mut program = Program {
        random,
        text: KERNELS.to_owned(),
        indent: 1,
        loops: Vec::new(),
        tensors: ["x", "y", "z", "a", "b", "c"].map(str::to_owned).into(),
        ids: Vec::new(),
        names: 0,
        by_hand,
        manual: false,
    };
    let _ = writeln!(
        program.text,
        "#[pl::jit(auto_scope = {})]\nfn entry(n: usize, x: Tensor<f32, 16>, y: InOut<Tensor<f32, 16>>, \
         z: InOut<Tensor<f32, 16>>, p: InOut<Tensor<i32, 1>>) {{",
        !by_hand
    );
    for name in ["a", "b", "c"] {
        let end = program.random.of(&["", "", "", ".manual_dep()"]);
        program.line(&format!(
            "let mut {name} = create_tensor::<f32>([16]).init(0.0){end};"
        ));
    }
    program.block(3);
    program.text += "}\n";
    program.text
}

struct Program {
    random: Random,
    text: String,
    indent: usize,
    loops: Vec<String>,
    tensors: Vec<String>,
    ids: Vec<String>,
    names: u32,
    by_hand: bool,
    manual: bool,
}

impl Program {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(self.indent));
    }

    fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    fn open(&mut self, line: &str, fuel: u32, close: &str) {
        self.line(line);
        self.inside(fuel);
        self.line(close);
    }

    fn inside(&mut self, fuel: u32) {
        self.indent += 1;
        let (tensors, ids) = (self.tensors.len(), self.ids.len());
        self.block(fuel);
        self.tensors.truncate(tensors);
        self.ids.truncate(ids);
        self.indent -= 1;
    }

    fn block(&mut self, fuel: u32) {
        for _ in 0..=self.random.below(5) {
            self.stmt(fuel);
        }
    }

    fn stmt(&mut self, fuel: u32) {
        match self.random.below(if fuel > 0 { 17 } else { 11 }) {
            0 => self.line("(a, b) = (b, a);"),
            1 => match self.random.below(4) {
                0 => self.line("(a, b, c) = (b, c, a);"),
                1 => self.line("c = if n > 2 { a } else { b };"),
                2 => {
                    let jump = self.random.of(&["break", "continue"]);
                    if !self.loops.is_empty() && !self.manual {
                        self.line(&format!("if n > 3 {{ {jump}; }}"));
                    }
                }
                _ => self.line("flag(x, p);"),
            },
            2 => {
                let (name, x) = (self.name("t"), self.view());
                let value = match self.random.below(2) {
                    0 => "create_tensor::<f32>([16]).init(1.0)".to_owned(),
                    _ => format!("made({x})"),
                };
                self.line(&format!("let {name} = {value};"));
                self.tensors.push(name);
            }
            3 if self.random.below(3) == 0 => {
                let tensor = self.random.of(&["y", "z", "a"]).to_owned();
                let line = match self.random.below(2) {
                    0 => format!("{tensor}.set([3], 1.0);"),
                    _ => format!("let _ = {tensor}.get([5]);"),
                };
                self.line(&line);
            }
            3..11 => self.task(),
            11 | 12 => {
                let i = self.name("i");
                let header = self.random.of(&[
                    "0..n",
                    "0..n",
                    "0..3",
                    "(0..n).rev()",
                    "(0..4).step_by(2)",
                    "parallel(0..n)",
                ]);
                self.loops.push(i.clone());
                self.open(&format!("for {i} in {header} {{"), fuel - 1, "}");
                self.loops.pop();
            }
            13 => {
                let limit = self.random.below(4);
                self.open(&format!("if n > {limit} {{"), fuel - 1, "} else {");
                self.inside(fuel - 1);
                self.line("}");
            }
            14 if self.by_hand && !self.manual => self.open("scope!({", fuel - 1, "});"),
            _ if !self.manual => {
                self.manual = true;
                let loops = std::mem::take(&mut self.loops);
                self.loops.extend(loops.iter().cloned());
                self.open("manual_scope!({", fuel - 1, "});");
                self.loops = loops;
                self.manual = false;
            }
            _ => self.task(),
        }
    }

    fn task(&mut self) {
        let kernel = self.random.of(&["k", "up"]);
        let (x, y) = (self.view(), self.view());
        let call = format!("{kernel}({x}, {y})");
        match self.random.below(6) {
            0 => {
                let name = self.name("id");
                let deps = self.deps();
                self.line(&format!("let {name} = submit!({call}{deps});"));
                self.ids.push(name);
            }
            1 => {
                let deps = self.deps();
                self.line(&format!(
                    "submit!({call}{deps}, predicate = p.get([0]) > 0);"
                ));
            }
            _ => self.line(&format!("{call};")),
        }
    }

    fn deps(&mut self) -> String {
        let mut deps = Vec::new();
        for id in &self.ids.clone() {
            if self.random.below(3) == 0 {
                deps.push(id.clone());
            }
        }
        let option = self.random.of(&["deps", "deps", "deps_wait"]);
        if deps.is_empty() {
            String::new()
        } else {
            format!(", {option} = [{}]", deps.join(", "))
        }
    }

    /// A tensor, or a part of one: of two indices at most 10.
    fn view(&mut self) -> String {
        let at = self.random.below(self.tensors.len() as u64) as usize;
        let tensor = self.tensors[at].clone();
        let loops = self.loops.len() as u64;
        match self.random.below(6) {
            0 => {
                let start = self.random.below(15);
                let end = start + 1 + self.random.below(16 - start);
                format!("{tensor}.slice(s![{start}..{end}])")
            }
            1..4 if loops > 0 => {
                let i = self.loops[self.random.below(loops) as usize].clone();
                let (factor, width) = (1 + self.random.below(2), 1 + self.random.below(4));
                format!("{tensor}.slice(s![{i} * {factor}..{i} * {factor} + {width}])")
            }
            _ => tensor,
        }
    }
}

//! One program: what it expects, what is found, what becomes of it.

use crate::kernels::Kernels;
use pl_codegen::compile::Stage;
use pl_codegen::ir::{Kind, Unit};
use pl_codegen::passes::insert_auto_scopes;
use std::ops::Range;

/// What is shown of the programs of a file.
#[derive(Clone, Copy)]
pub(crate) enum Shown {
    /// Every function, after a pass.
    After(Stage),
    /// The functions that entries become.
    Rust,
    /// The bodies of the device orchestration source of entries.
    Cpp,
    /// Entries as they are printed for the device, and what its rules leave open.
    Device,
}

impl Shown {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let stages = Stage::ALL.into_iter();
        let mut named = stages.filter(|stage| format!("{stage:?}") == name);
        match named.next() {
            Some(stage) => Some(Self::After(stage)),
            None => match name {
                "Rust" => Some(Self::Rust),
                "Cpp" => Some(Self::Cpp),
                "Device" => Some(Self::Device),
                _ => None,
            },
        }
    }

    /// After linking and as Rust there are entries only.
    fn entries_only(self) -> bool {
        matches!(
            self,
            Self::Rust | Self::Cpp | Self::Device | Self::After(Stage::Linked)
        )
    }
}

/// `//~ PL0001 text`: a code, and text that the message contains.
pub(crate) struct Expected {
    line: u32,
    pub(crate) code: String,
    text: String,
}

pub(crate) struct Program {
    pub(crate) name: String,
    /// Its lines in the file, that of the closing brace not included.
    pub(crate) lines: Range<usize>,
    pub(crate) expected: Vec<Expected>,
    found: Kernels,
    /// What becomes of it, if it is accepted.
    pub(crate) becomes: Vec<String>,
}

impl Program {
    /// Reads a program from a file in which nothing else is left.
    pub(crate) fn read(name: String, lines: Range<usize>, shown: Shown, text: &str) -> Self {
        let found = Kernels::read(text);
        let expected = expectations(text);
        let mut program = Self {
            name,
            lines,
            expected,
            found,
            becomes: Vec::new(),
        };
        if !program.is_rejected() && program.found.errors.is_empty() {
            program.becomes = program.shown(shown);
        }
        program
    }

    pub(crate) fn is_rejected(&self) -> bool {
        !self.expected.is_empty()
    }

    /// Its own functions, without those that it shares with the file.
    fn units(&self) -> impl Iterator<Item = &Unit> {
        self.found.units.iter().filter(|unit| {
            let line = unit.source.line(unit.function.span) as usize;
            self.lines.contains(&line)
        })
    }

    /// What its entries are for the device, if it is accepted.
    pub(crate) fn cpp(&self) -> Vec<pl_codegen::emit::cpp::Program> {
        if self.is_rejected() || !self.found.errors.is_empty() {
            return Vec::new();
        }
        self.units()
            .filter_map(|unit| self.found.cpp(unit))
            .collect()
    }

    fn shown(&self, shown: Shown) -> Vec<String> {
        let units = self
            .units()
            .filter(|unit| !shown.entries_only() || unit.function.kind == Kind::Entry);
        let mut text = String::new();
        for unit in units {
            text += &match shown {
                Shown::After(stage) => self.found.after(stage, unit),
                Shown::Rust => self.found.rust_without_places(unit),
                Shown::Device => self.found.device(unit),
                Shown::Cpp => body(&self.found.cpp(unit).expect("all of it is there").source),
            };
        }
        text.lines().map(str::to_owned).collect()
    }

    /// What is not as it should be.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        let mut found: Vec<_> = self.found.errors.iter().collect();
        for expected in &self.expected {
            let hit = found.iter().position(|error| {
                error.line == expected.line
                    && error.code == expected.code
                    && error.text.contains(&expected.text)
            });
            match hit {
                Some(hit) => drop(found.remove(hit)),
                None => failures.push(format!(
                    "line {}: missing {} {}",
                    expected.line, expected.code, expected.text
                )),
            }
        }
        let unexpected = |error: &&crate::kernels::Error| {
            format!("line {}: unexpected {}", error.line, error.text)
        };
        failures.extend(found.iter().map(unexpected));
        if !self.is_rejected() && self.becomes.is_empty() {
            failures.push("nothing becomes of it".to_owned());
        }
        for unit in self.units() {
            let scoped = insert_auto_scopes(unit.function.clone());
            if insert_auto_scopes(scoped.clone()) != scoped {
                failures.push("a second insertion of scopes changes it".to_owned());
            }
            if !self.becomes.is_empty() {
                failures.extend(self.found.device_failures(unit));
            }
            if Unit::from_text(&unit.to_text()).expect("reads what it wrote") != *unit {
                failures.push("its IR is another one when it is read back".to_owned());
            }
        }
        failures
    }
}

/// The lines of the entry function, without places: they would change with every line above.
fn body(source: &str) -> String {
    let (_, body) = source
        .split_once("void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {\n")
        .expect("an entry function");
    let (body, _) = body.split_once("\n}\n").expect("its end");
    let mut text = String::new();
    for line in body.lines() {
        let line = line.strip_prefix("    ").unwrap_or(line);
        let comment = line.find("//").map_or(line.len(), |start| start + 2);
        let (code, comment) = line.split_at(comment);
        let place = [" (case.rs:", "  // case.rs:", " case.rs:"];
        let end = place.iter().find_map(|place| comment.find(place));
        let line = format!("{code}{}", &comment[..end.unwrap_or(comment.len())]);
        text += line.trim_end_matches("//").trim_end();
        text.push('\n');
    }
    text
}

/// The `//~` comments. A line may have several.
fn expectations(text: &str) -> Vec<Expected> {
    let mut expected = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for comment in line.split("//~").skip(1) {
            let comment = comment.trim();
            let (code, text) = comment.split_once(' ').unwrap_or((comment, ""));
            expected.push(Expected {
                line: index as u32 + 1,
                code: code.to_owned(),
                text: text.trim().to_owned(),
            });
        }
    }
    expected
}

//! The cases as C++: a writer, and what the program says of itself in its log.

use super::case::{Case, Op, Tag};
use super::replay::Replayed;
use ndarray::Array2;
use pl_runtime::cpp::{CompileOptions, CppError, Kernels, LogLevel, Orchestration};
use pl_runtime::{EntryArg, Runtime, ScopeMode};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// All cases in one source. The scalar says which one runs.
pub(crate) struct Cases {
    compiled: Orchestration,
    log: Arc<Mutex<Vec<String>>>,
}

const HEAD: &str = r#"#include "pto_orchestration_api.h"
static void at(const char* path) { if (!rt_is_fatal()) LOG_INFO("at %s", path); }
static void allocated(const char* name, TaskOutputTensors& all, uint32_t i, ChipTensor& into) {
    if (rt_is_fatal()) return;
    into = all.get_ref(i);
    LOG_INFO("output %s %u %u %llu %llu", name, unsigned(all.task_id().ring()), all.task_id().local(),
             (unsigned long long)into.buffer.addr, (unsigned long long)into.buffer.size);
}
static void submitted(const char* name, TaskOutputTensors& all, PTO2TaskId& into) {
    if (rt_is_fatal()) return;
    into = all.task_id();
    LOG_INFO("task %s %u:%u", name, unsigned(into.ring()), into.local());
}
"#;

impl Cases {
    pub(crate) fn compile(cases: &[Case]) -> Self {
        let (mut text, mut calls) = (HEAD.to_owned(), String::new());
        for (index, case) in cases.iter().enumerate() {
            let mut writer = Writer::default();
            for argument in ["e0", "e1"] {
                writer.tensor(argument);
            }
            writer.all(&case.program, "");
            let names = |kind: &str, all: &BTreeSet<String>| {
                all.iter().fold(String::new(), |text, name| {
                    text + &format!("    {kind} {name};\n")
                })
            };
            let _ = write!(
                text,
                "namespace {{ struct Names_{index} {{\n{}{}}}; }}\n\
                 static void case_{index}(const ChipTaskArgs& args) {{\n    Names_{index} n;\n    \
                 n.t_e0 = args.tensor(0).ref();\n    n.t_e1 = args.tensor(1).ref();\n{}}}\n",
                names("ChipTensor", &writer.tensors),
                names("PTO2TaskId", &writer.tasks),
                writer.text
            );
            let _ = writeln!(calls, "        case {index}: return case_{index}(args);");
        }
        let _ = write!(
            text,
            "extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs& args) {{\n    \
             switch (args.scalar(0)) {{\n{calls}    }}\n}}\n"
        );
        let options = CompileOptions {
            flags: ["-O0", "-Wall", "-Wextra", "-Werror"]
                .map(String::from)
                .into(),
            cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp")),
            ..CompileOptions::default()
        };
        // SAFETY: what is written above.
        let compiled = unsafe { Orchestration::compile_text("cases.cpp", &text, &options) };
        let mut compiled = compiled.unwrap_or_else(|error| panic!("{error}"));
        let log = Arc::<Mutex<Vec<String>>>::default();
        let lines = Arc::clone(&log);
        compiled.on_log(move |level, text| {
            assert_eq!(level, LogLevel::Info);
            lines.lock().unwrap().push(text.to_owned());
        });
        Self { compiled, log }
    }

    pub(crate) fn replay(&self, index: usize, runtime: &Runtime) -> Replayed {
        let [mut e0, mut e1] = [Array2::<f32>::zeros((8, 64)), Array2::<f32>::zeros((8, 64))];
        let mut args = [
            EntryArg::inout::<f32, 2>(&mut e0).unwrap(),
            EntryArg::inout::<f32, 2>(&mut e1).unwrap(),
        ];
        self.log.lock().unwrap().clear();
        let scalars = [index as u64];
        let result = self
            .compiled
            .run(runtime, &Kernels::none(), &mut args, &scalars);
        let result = result.map_err(|error| match error {
            CppError::Run(error) => error,
            other => panic!("{other}"),
        });
        let (mut outputs, mut tasks, mut path) = (Vec::new(), Vec::new(), "");
        // The first block of a ring lies at its start.
        let mut starts: HashMap<String, u64> = HashMap::new();
        let log = self.log.lock().unwrap();
        for line in log.iter() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["at", at] => path = at,
                ["task", task, id] => tasks.push(json!({"task": task, "id": id})),
                ["output", name, ring, local, address, size] => {
                    let number = |text: &str| text.parse::<u64>().unwrap();
                    let address = number(address);
                    let start = *starts.entry((*ring).to_owned()).or_insert(address);
                    outputs.push(json!({
                        "tensor": name,
                        "id": format!("{ring}:{local}"),
                        "offset": address - start,
                        "size": number(size),
                    }));
                }
                _ => panic!("{line}"),
            }
        }
        let step = |step: &str| step.parse::<u64>().map_or(json!(step), Value::from);
        let at = match &result {
            Ok(_) => Value::Null,
            Err(_) => path.split('/').skip(1).map(step).collect(),
        };
        Replayed {
            result,
            at,
            outputs,
            tasks,
        }
    }
}

/// Writes one program. Names are plain data: those of a scope are put back when it closes.
#[derive(Default)]
struct Writer {
    text: String,
    tensors: BTreeSet<String>,
    tasks: BTreeSet<String>,
    /// Loops around, and names given so far.
    loops: usize,
    count: usize,
}

impl Writer {
    fn tensor(&mut self, name: &str) -> String {
        let variable = format!("t_{name}");
        self.tensors.insert(variable.clone());
        format!("n.{variable}")
    }

    fn task(&mut self, name: &str) -> String {
        let variable = format!("k_{name}");
        self.tasks.insert(variable.clone());
        format!("n.{variable}")
    }

    fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn put(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    /// Says which operation comes; the path has `%d` for each loop around.
    fn at(&mut self, path: &str) {
        if self.loops == 0 {
            return self.put(&format!("at(\"{path}\");"));
        }
        let counters: Vec<_> = (0..self.loops).map(|i| format!(", i{i}")).collect();
        let counters = counters.concat();
        self.put(&format!(
            "{{ char path[256]; snprintf(path, sizeof path, \"{path}\"{counters}); at(path); }}"
        ));
    }

    fn infos(&mut self, bytes: impl Iterator<Item = usize>) -> Vec<String> {
        let mut names = Vec::new();
        for count in bytes {
            let id = self.fresh();
            self.put(&format!(
                "uint32_t s{id}[1] = {{{count}u}}; TensorCreateInfo c{id}(s{id}, 1, DataType::UINT8);"
            ));
            names.push(format!("c{id}"));
        }
        names
    }

    fn all(&mut self, program: &[Op], path: &str) {
        for (i, op) in program.iter().enumerate() {
            let path = format!("{path}/{i}");
            self.put("{");
            self.one(op, &path);
            self.put("}");
        }
    }

    fn one(&mut self, op: &Op, path: &str) {
        match op {
            Op::Scope(mode, body) => {
                self.at(&format!("{path}/begin"));
                let mode = match mode {
                    ScopeMode::Auto => "",
                    ScopeMode::Manual => "PTO2ScopeMode::MANUAL",
                };
                self.put(&format!("auto outer = n; PTO2_SCOPE({mode}) {{"));
                self.all(body, path);
                self.put("} n = outer;");
            }
            Op::Repeat(times, body) => {
                let counter = format!("i{}", self.loops);
                self.put(&format!(
                    "for (int {counter} = 0; {counter} < {times}; ++{counter}) {{"
                ));
                self.loops += 1;
                self.all(body, &format!("{path}/#%d"));
                self.loops -= 1;
                self.put("}");
            }
            Op::Alloc { task, tensors } => {
                self.at(path);
                let infos = self.infos(tensors.iter().map(|(_, count)| *count));
                let task = self.task(task);
                self.put(&format!(
                    "TaskOutputTensors all = alloc_tensors({}); {task} = all.task_id();",
                    infos.join(", ")
                ));
                self.outputs(tensors.iter().map(|(name, _)| name));
            }
            Op::Task { task, args, deps } => {
                self.at(path);
                self.put("CoreTaskArgs p;");
                for arg in args {
                    let line = match arg.tag {
                        Tag::In => format!("p.add_input({});", self.tensor(&arg.tensor)),
                        Tag::InOut => format!("p.add_inout({});", self.tensor(&arg.tensor)),
                        Tag::Out => format!("p.add_output({});", self.tensor(&arg.tensor)),
                        Tag::NoDep => format!("p.add_no_dep({});", self.tensor(&arg.tensor)),
                        Tag::New(count) => {
                            let info = self.infos([count].into_iter());
                            format!("p.add_output({});", info[0])
                        }
                    };
                    self.put(&line);
                }
                if !deps.is_empty() {
                    let ids: Vec<_> = deps.iter().map(|name| self.task(name)).collect();
                    self.put(&format!(
                        "PTO2TaskId d[] = {{{}}}; p.set_dependencies(d, {});",
                        ids.join(", "),
                        ids.len()
                    ));
                }
                self.put("TaskOutputTensors all = rt_submit_aiv_task(0, p);");
                let new = args.iter().filter(|arg| matches!(arg.tag, Tag::New(_)));
                self.outputs(new.map(|arg| &arg.tensor));
                let variable = self.task(task);
                self.put(&format!("submitted(\"{task}\", all, {variable});"));
            }
            Op::View {
                name,
                source,
                shape,
                offset,
            } => {
                self.at(path);
                let list = |values: &[usize]| {
                    let values: Vec<_> = values.iter().map(ToString::to_string).collect();
                    values.join(", ")
                };
                let (view, source) = (self.tensor(name), self.tensor(source));
                self.put(&format!(
                    "uint32_t s[] = {{{}}}, o[] = {{{}}}; {view} = {source}.view(s, o);",
                    list(shape),
                    list(offset)
                ));
            }
        }
    }

    fn outputs<'n>(&mut self, names: impl Iterator<Item = &'n String>) {
        for (i, name) in names.enumerate() {
            let variable = self.tensor(name);
            self.put(&format!("allocated(\"{name}\", all, {i}, {variable});"));
        }
    }
}

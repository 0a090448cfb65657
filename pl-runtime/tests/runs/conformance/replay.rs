//! Runs a case through the raw API and notes what can be seen.
//!
//! Handles live as long as their scope, so the names of a scope are a map of its own that starts
//! as a copy of the outer one. (No case uses a name after its scope has closed: such a program
//! does not compile in Rust.)

use super::case::{Op, Tag};
use crate::common::{ENTRY, NOTHING, nothing};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, Error, RunReport, Runtime, Scope, Site, SliceItem, TaskArg, TaskId,
    TaskOutputTensors, TaskSpec, Tensor, TensorCreateInfo,
};
use serde_json::{Value, json};
use std::collections::HashMap;

const SITE: Site = Site::new("case.rs", 3);

/// What became of a case, as far as the calls show it.
pub(crate) struct Replayed {
    pub(crate) result: Result<RunReport, Error>,
    /// Path of the operation that failed.
    pub(crate) at: Value,
    pub(crate) outputs: Vec<Value>,
    pub(crate) tasks: Vec<Value>,
}

pub(crate) fn replay(runtime: &Runtime, program: &[Op]) -> Replayed {
    let mut log = Log::default();
    let [mut e0, mut e1] = [Array2::<f32>::zeros((8, 64)), Array2::<f32>::zeros((8, 64))];
    let args = [
        EntryArg::inout(&mut e0).unwrap(),
        EntryArg::inout(&mut e1).unwrap(),
    ];
    let result = runtime.run(&ENTRY, args, |root, [e0, e1]| {
        let mut names = Names::default();
        names.tensors.insert("e0".into(), e0);
        names.tensors.insert("e1".into(), e1);
        log.all(root, &mut names, program)
    });
    let at = match &result {
        Ok(_) => Value::Null,
        Err(_) => log.path.into(),
    };
    Replayed {
        result,
        at,
        outputs: log.outputs,
        tasks: log.tasks,
    }
}

/// What the names of a program stand for at the moment.
#[derive(Clone, Default)]
struct Names<'s> {
    tensors: HashMap<String, Tensor<'s>>,
    tasks: HashMap<String, TaskId<'s>>,
}

impl<'s> Names<'s> {
    fn tensor(&self, name: &str) -> Tensor<'s> {
        self.tensors[name]
    }
}

#[derive(Default)]
struct Log {
    /// Of the operation in progress; stays where it is when one fails.
    path: Vec<Value>,
    outputs: Vec<Value>,
    tasks: Vec<Value>,
}

fn id(task: TaskId<'_>) -> String {
    let (ring, local) = task.position().unwrap();
    format!("{ring}:{local}")
}

fn bytes(count: usize) -> TensorCreateInfo {
    TensorCreateInfo::new(DType::U8, &[count])
}

impl Log {
    fn all<'s>(
        &mut self,
        scope: &'s Scope<'_>,
        names: &mut Names<'s>,
        program: &[Op],
    ) -> Result<(), Error> {
        for (i, op) in program.iter().enumerate() {
            self.path.push(i.into());
            self.one(scope, names, op)?;
            self.path.pop();
        }
        Ok(())
    }

    fn one<'s>(
        &mut self,
        scope: &'s Scope<'_>,
        names: &mut Names<'s>,
        op: &Op,
    ) -> Result<(), Error> {
        match op {
            Op::Scope(mode, body) => {
                self.path.push("begin".into());
                let inner = scope.enter(*mode, SITE)?;
                self.path.pop();
                let mut names: Names<'_> = names.clone();
                self.all(&inner, &mut names, body)?;
            }
            Op::Repeat(times, body) => {
                for i in 0..*times {
                    self.path.push(format!("#{i}").into());
                    self.all(scope, names, body)?;
                    self.path.pop();
                }
            }
            Op::Alloc { task, tensors } => {
                let infos: Vec<_> = tensors.iter().map(|(_, count)| bytes(*count)).collect();
                let allocated = scope.alloc_tensors(SITE, &infos)?;
                names.tasks.insert(task.clone(), allocated.task_id());
                self.outputs(
                    scope,
                    names,
                    allocated,
                    tensors.iter().map(|(name, _)| name),
                );
            }
            Op::Task { task, args, deps } => {
                let passed: Vec<_> = args
                    .iter()
                    .map(|arg| match arg.tag {
                        Tag::In => TaskArg::Input(names.tensor(&arg.tensor)),
                        Tag::InOut => TaskArg::InOut(names.tensor(&arg.tensor)),
                        Tag::Out => TaskArg::OutputExisting(names.tensor(&arg.tensor)),
                        Tag::NoDep => TaskArg::NoDep(names.tensor(&arg.tensor)),
                        Tag::New(count) => TaskArg::Output(bytes(count)),
                    })
                    .collect();
                let deps: Vec<_> = deps.iter().map(|name| names.tasks[name]).collect();
                let submitted = scope.submit(
                    SITE,
                    TaskSpec::new(&NOTHING, nothing, &passed, &[]).deps(&deps),
                )?;
                let new = args.iter().filter(|arg| matches!(arg.tag, Tag::New(_)));
                self.outputs(scope, names, submitted, new.map(|arg| &arg.tensor));
                self.tasks
                    .push(json!({"task": task, "id": id(submitted.task_id())}));
                names.tasks.insert(task.clone(), submitted.task_id());
            }
            Op::View {
                name,
                source,
                shape,
                offset,
            } => {
                let items: Vec<_> = shape
                    .iter()
                    .zip(offset)
                    .map(|(length, start)| SliceItem::Range(*start, start + length))
                    .collect();
                let view = names.tensor(source).slice(&items, SITE)?;
                names.tensors.insert(name.clone(), view);
            }
        }
        Ok(())
    }

    fn outputs<'s, 'n>(
        &mut self,
        scope: &Scope<'_>,
        names: &mut Names<'s>,
        allocated: TaskOutputTensors<'s>,
        as_names: impl Iterator<Item = &'n String>,
    ) {
        let mut count = 0;
        for name in as_names {
            let tensor = allocated.get_ref(count);
            count += 1;
            let (ring, offset) = scope.heap_offset(tensor).unwrap();
            let size = tensor.view().bytes().next_multiple_of(1024);
            assert_eq!(allocated.task_id().position().unwrap().0, ring);
            self.outputs.push(json!({
                "tensor": name,
                "id": id(allocated.task_id()),
                "offset": offset,
                "size": size,
            }));
            names.tensors.insert(name.clone(), tensor);
        }
        assert_eq!(count, allocated.len());
    }
}

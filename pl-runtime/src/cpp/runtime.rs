//! The runtime that the C++ side is bound to: its calls become calls of the orchestrator.

use super::abi::{self, ChipTensor, CreateInfo, Ops, Outputs, tag};
use super::intern;
use super::kernels::{Bodied, Bodies, Body};
use super::tensors::{Mark, Tensors, raw_id};
use super::{LogLevel, Logger};
use crate::dtype::{ScalarType, ScalarValue};
use crate::error::{Error, Result};
use crate::orchestrator::Orchestrator;
use crate::record::Count;
use crate::scope::{ScopeMode, TaskOutputTensors};
use crate::site::Site;
use crate::task::{MAX_TENSORS, PredicateOp, TaskArg, TaskId, TaskSpec, TensorCreateInfo};
use crate::tensor::{MAX_RANK, RawTensor, Tensor};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;

/// `PTO2Runtime` of the header.
#[repr(C)]
pub(super) struct BoundRuntime<'o> {
    /// First: the C++ side finds the calls here.
    ops: &'static Ops,
    pub(super) session: RefCell<Session<'o>>,
}

impl<'o> BoundRuntime<'o> {
    pub(super) fn new(ops: &'static Ops, session: Session<'o>) -> Self {
        Self {
            ops,
            session: RefCell::new(session),
        }
    }
}

/// One run of an orchestration.
pub(super) struct Session<'o> {
    orchestrator: &'o RefCell<Orchestrator>,
    bodies: &'o mut dyn Bodies,
    log: &'o Logger,
    /// Where the entry is: the site of what has none.
    entry: Site,
    tensors: Tensors,
    /// The scopes that the program has opened: what there was before each.
    scopes: Vec<(Mark, Site)>,
    /// Names of files by the address of the literal.
    files: HashMap<usize, &'static str>,
    /// Submitted tasks of kernels, dummies included.
    tasks: u64,
    /// The first error. Nothing happens after it.
    pub(super) error: Option<Error>,
    /// A panic of a call, to be resumed when the C++ frames are gone.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

/// A tensor argument, copied.
pub(super) enum Passed {
    Tensor(ChipTensor),
    Info(CreateInfo),
    Null,
}

/// A submit, its pointers followed.
pub(super) struct TaskCall<'c> {
    pub(super) args: Vec<(u8, Passed)>,
    pub(super) scalars: &'c [u64],
    pub(super) deps: &'c [u64],
    pub(super) dep_kinds: Option<&'c [u8]>,
    pub(super) predicate: Option<(abi::Predicate, ChipTensor)>,
    pub(super) error: Option<String>,
    pub(super) site: Site,
    pub(super) kernels: [i32; 3],
    pub(super) block_num: i64,
    pub(super) dummy: bool,
    pub(super) sync_start: bool,
}

/// What kind of a dependency (runtime specification, §3.3).
const WAIT: u8 = 1;
const WAIT_RETAIN: u8 = 3;

/// What to do about a mistake of the source that has no better answer.
const SEE_API: &str = "correct the call: docs/run-orchestration.md lists what each may be given";

impl<'o> Session<'o> {
    pub(super) fn new(
        orchestrator: &'o RefCell<Orchestrator>,
        bodies: &'o mut dyn Bodies,
        log: &'o Logger,
        entry: Site,
    ) -> Self {
        Self {
            orchestrator,
            bodies,
            log,
            entry,
            tensors: Tensors::default(),
            scopes: Vec::new(),
            files: HashMap::new(),
            tasks: 0,
            error: None,
            panic: None,
        }
    }

    /// Hands out the arguments of the entry.
    pub(super) fn entry_tensors(&mut self, raws: &[RawTensor]) -> Result<*const ChipTensor> {
        let handed = self.tensors.hand_out(raws);
        handed.map_err(|what| self.misuse(self.entry, &what))
    }

    /// Position of the innermost scope on the stack.
    fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn failed(&self) -> bool {
        self.error.is_some() || self.orchestrator.borrow().has_failed()
    }

    /// Keeps the error of a call; nothing happens after it.
    pub(super) fn keep<T>(&mut self, outcome: Result<T>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    pub(super) fn misuse(&self, site: Site, what: &str) -> Error {
        let mut orchestrator = self.orchestrator.borrow_mut();
        orchestrator.misuse(site, what, SEE_API)
    }

    pub(super) fn site(&mut self, file: Option<(usize, &str)>, line: i32) -> Site {
        let Some((address, name)) = file else {
            return Site::UNKNOWN;
        };
        let file = *self
            .files
            .entry(address)
            .or_insert_with(|| intern::text(name));
        Site::new(file, line.max(0) as u32)
    }

    pub(super) fn log(&self, level: LogLevel, text: &str) {
        (self.log)(level, text);
    }

    pub(super) fn report_fatal(&mut self, site: Site, code: i32, text: String) {
        let code = u32::try_from(code).unwrap_or(9);
        let error = self
            .orchestrator
            .borrow_mut()
            .report_fatal(site, code, text);
        self.error.get_or_insert(error);
    }

    pub(super) fn clusters(&self) -> u32 {
        self.orchestrator.borrow().clusters()
    }

    pub(super) fn scope_begin(&mut self, mode: i32, site: Site) -> Result<()> {
        let mode = match mode {
            0 => ScopeMode::Auto,
            1 => ScopeMode::Manual,
            other => return Err(self.misuse(site, &format!("scope mode {other} does not exist"))),
        };
        let mark = self.tensors.mark();
        self.orchestrator
            .borrow_mut()
            .open_scope(self.depth(), mode, site)?;
        self.scopes.push((mark, site));
        Ok(())
    }

    pub(super) fn scope_end(&mut self) -> Result<()> {
        let depth = self.depth();
        let Some((mark, _)) = self.scopes.pop() else {
            let what = "`rt_scope_end` closes a scope that was not opened";
            return Err(self.misuse(self.entry, what));
        };
        self.orchestrator.borrow_mut().close_scopes(depth);
        self.tensors.close(mark);
        Ok(())
    }

    /// The entry has returned: no scope may be open.
    pub(super) fn returned(&mut self) -> Result<()> {
        match self.scopes.last() {
            Some(&(_, site)) if !self.failed() => {
                let what = "the entry returns while a scope is open: `rt_scope_end` is missing";
                Err(self.misuse(site, what))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn get(&mut self, site: Site, tensor: &ChipTensor, index: &[u32]) -> Result<u64> {
        let raw = self.find(site, "get_tensor_data", tensor)?;
        let index: Vec<usize> = index.iter().map(|&i| i as usize).collect();
        let (depth, dtype) = (self.depth(), raw.view.dtype());
        let mut orchestrator = self.orchestrator.borrow_mut();
        let value = orchestrator.get(depth, site, &raw, &index, dtype)?;
        Ok(value.bits())
    }

    pub(super) fn set(
        &mut self,
        site: Site,
        tensor: &ChipTensor,
        index: &[u32],
        bits: u64,
    ) -> Result<()> {
        let raw = self.find(site, "set_tensor_data", tensor)?;
        let index: Vec<usize> = index.iter().map(|&i| i as usize).collect();
        let (depth, dtype) = (self.depth(), raw.view.dtype());
        let value = ScalarValue::from_element_bits(dtype, low_bytes(bits, dtype.bytes()));
        let mut orchestrator = self.orchestrator.borrow_mut();
        orchestrator.set(depth, site, &raw, &index, dtype, value)
    }

    fn find(&self, site: Site, call: &str, tensor: &ChipTensor) -> Result<RawTensor> {
        let found = self.tensors.find(tensor);
        found.map_err(|what| self.misuse(site, &format!("{call}: {what}")))
    }

    pub(super) fn alloc_tensors(&mut self, site: Site, infos: &[CreateInfo]) -> Result<Outputs> {
        let infos: Result<Vec<_>, String> = infos.iter().map(create_info).collect();
        let infos = infos.map_err(|what| self.misuse(site, &format!("alloc_tensors: {what}")))?;
        let outputs = self
            .orchestrator
            .borrow_mut()
            .alloc_tensors(self.depth(), site, &infos)?;
        self.outputs(site, outputs)
    }

    /// Hands out what a call has allocated.
    fn outputs(&mut self, site: Site, outputs: TaskOutputTensors<'_>) -> Result<Outputs> {
        let raws: Vec<RawTensor> = (0..outputs.len())
            .map(|i| *outputs.get_ref(i).raw())
            .collect();
        let tensors = match raws.as_slice() {
            [] => std::ptr::null(),
            raws => {
                let handed = self.tensors.hand_out(raws);
                handed.map_err(|what| self.misuse(site, &what))?
            }
        };
        Ok(Outputs {
            tensors,
            task: raw_id(outputs.task_id().key),
            count: raws.len() as u32,
        })
    }

    pub(super) fn submit(&mut self, call: &TaskCall<'_>) -> Result<Outputs> {
        let number = self.tasks;
        self.tasks += 1;
        let site = call.site;
        match self.try_submit(call) {
            Ok(outputs) => self.outputs(site, outputs?),
            Err(what) => Err(self.misuse(site, &format!("task {number}: {what}"))),
        }
    }

    /// The outer error is one in what was passed.
    fn try_submit<'s>(
        &mut self,
        call: &TaskCall<'_>,
    ) -> Result<Result<TaskOutputTensors<'s>>, String> {
        if let Some(what) = &call.error {
            return Err(what.clone());
        }
        let mut args = Vec::with_capacity(call.args.len());
        for (i, (tag, passed)) in call.args.iter().enumerate() {
            let arg = self.argument(*tag, passed);
            args.push(arg.map_err(|what| format!("argument {i}: {what}"))?);
        }
        let (mut deps, mut deps_wait) = (Vec::new(), Vec::new());
        for (i, &id) in call.deps.iter().enumerate() {
            let key = self.orchestrator.borrow().submitted(id).ok_or_else(|| {
                format!(
                    "dependency {i} is no task of this run; leave it out if `is_valid()` is false"
                )
            })?;
            match call.dep_kinds.map_or(WAIT_RETAIN, |kinds| kinds[i]) {
                WAIT => deps_wait.push(TaskId::new(key)),
                WAIT_RETAIN => deps.push(TaskId::new(key)),
                kind => {
                    return Err(format!(
                        "dependency {i} has kind {kind}; use WAIT or WAIT | RETAIN"
                    ));
                }
            }
        }
        let predicate = call.predicate.as_ref().map(|(predicate, tensor)| {
            let op = predicate_op(predicate.op)?;
            let raw = self
                .tensors
                .find(tensor)
                .map_err(|what| format!("the operand of its predicate: {what}"))?;
            let index = predicate
                .indices
                .get(..predicate.rank as usize)
                .ok_or_else(|| {
                    format!(
                        "its predicate has {} indices; use at most {MAX_RANK}",
                        predicate.rank
                    )
                })?;
            let index: Vec<usize> = index.iter().map(|&i| i as usize).collect();
            Ok::<_, String>((Tensor::new(raw), index, op, predicate.target))
        });
        let predicate = predicate.transpose()?;

        let body = self.body(call)?;
        let mixed;
        let (mut spec, scalars) = match &body {
            None => (TaskSpec::dummy(&args), Vec::new()),
            Some(body) => {
                let scalars = typed(call.scalars, body.scalars.as_deref())?;
                let spec = match body.kernels {
                    Bodied::One(kernel) => TaskSpec::new(kernel.info, kernel.run, &args, &[]),
                    Bodied::Mixed(kernels) => {
                        mixed = kernels;
                        TaskSpec::mixed(&mixed, &args, &[])
                    }
                };
                (spec, scalars)
            }
        };
        spec = spec.scalars(&scalars);
        if let Some(body) = &body {
            let blocks = u32::try_from(call.block_num)
                .ok()
                .filter(|&count| count > 0);
            let blocks = blocks
                .ok_or_else(|| format!("block_num is {}; use 1 to {}", call.block_num, u32::MAX))?;
            spec = spec.blocks(blocks);
            if let Some(cores) = body.cores {
                spec = spec.core_type(cores);
            }
            if call.sync_start {
                spec = spec.sync_start();
            }
            if let Some((tensor, index, op, target)) = &predicate {
                spec = spec.predicate(tensor, index, *op, *target);
            }
        }
        let spec = spec.deps(&deps).deps_wait(&deps_wait);
        let depth = self.depth();
        Ok(self
            .orchestrator
            .borrow_mut()
            .submit(depth, call.site, &spec))
    }

    fn argument(&self, tag: u8, passed: &Passed) -> Result<TaskArg<'static>, String> {
        let tensor = match passed {
            Passed::Tensor(tensor) => Tensor::new(self.tensors.find(tensor)?),
            Passed::Info(info) => return Ok(TaskArg::Output(create_info(info)?)),
            Passed::Null => return Err("it is null".into()),
        };
        match tag {
            tag::INPUT => Ok(TaskArg::Input(tensor)),
            tag::INOUT => Ok(TaskArg::InOut(tensor)),
            tag::OUTPUT_EXISTING => Ok(TaskArg::OutputExisting(tensor)),
            tag::NO_DEP => Ok(TaskArg::NoDep(tensor)),
            other => Err(format!("tag {other} does not exist")),
        }
    }

    /// What the task runs; none for a dummy.
    fn body(&mut self, call: &TaskCall<'_>) -> Result<Option<Body>, String> {
        if call.dummy {
            return Ok(None);
        }
        let ids = call.kernels.map(|id| u32::try_from(id).ok());
        if ids.iter().all(Option::is_none) {
            return Err(
                "no kernel is given; set one of `aic_kernel_id`, `aiv0_kernel_id` and \
                        `aiv1_kernel_id`"
                    .into(),
            );
        }
        self.bodies.find(ids).map(Some)
    }
}

/// Scalars of a task with the types of its kernel.
fn typed(scalars: &[u64], types: Option<&[ScalarType]>) -> Result<Vec<ScalarValue>, String> {
    let Some(types) = types else {
        let unsigned = |&bits| ScalarValue::from_bits(ScalarType::U64, bits);
        return Ok(scalars.iter().map(unsigned).collect());
    };
    if types.len() != scalars.len() {
        return Err(format!(
            "its kernel takes {}, and {} are passed",
            Count(types.len() as u64, "scalar"),
            scalars.len()
        ));
    }
    let each = types.iter().zip(scalars);
    Ok(each
        .map(|(&ty, &bits)| ScalarValue::from_bits(ty, bits))
        .collect())
}

fn create_info(info: &CreateInfo) -> Result<TensorCreateInfo, String> {
    let dtype = abi::dtype(info.dtype)?;
    let Some(dims) = info.shapes.get(..info.rank as usize) else {
        return Err(format!(
            "a tensor has 1 to {MAX_RANK} dimensions, not {}",
            info.rank
        ));
    };
    let dims: Vec<usize> = dims.iter().map(|&dim| dim as usize).collect();
    let mut created = TensorCreateInfo::new(dtype, &dims);
    if info.has_initial_value != 0 {
        let bits = low_bytes(info.initial_value, dtype.bytes());
        created = created.init(ScalarValue::from_element_bits(dtype, bits));
    }
    if info.manual_dep != 0 {
        created = created.manual_dep();
    }
    Ok(created)
}

fn predicate_op(op: u8) -> Result<PredicateOp, String> {
    const OPS: [PredicateOp; 6] = [
        PredicateOp::Eq,
        PredicateOp::Ne,
        PredicateOp::Gt,
        PredicateOp::Lt,
        PredicateOp::Ge,
        PredicateOp::Le,
    ];
    let at = usize::from(op).checked_sub(1);
    at.and_then(|at| OPS.get(at).copied())
        .ok_or_else(|| format!("its predicate compares with operator {op}, which does not exist"))
}

fn low_bytes(bits: u64, bytes: usize) -> u64 {
    bits & u64::MAX >> (64 - 8 * bytes as u32)
}

// Header and orchestrator have the same limits.
const _: () = assert!(MAX_TENSORS == 32);

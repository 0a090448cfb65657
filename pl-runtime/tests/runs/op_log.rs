//! The operation log and the high water of scratch scopes: what stands in them, on every executor.

use crate::common::{ENTRY, EXECUTORS, Outcome, kernel, serial, threads};
use ndarray::Array2;
use pl_runtime::{
    EntryArg, Executor, KernelInfo, LoggedOp, OperationError, RunConfig, RunReport, Runtime, Scope,
    Scratch, Site, SliceItem, TaskArg, TaskArgs, TaskSpec, Tensor, f16, tile,
};
use serde_json::Value;
use std::fs;
use std::path::Path;

static STEP: KernelInfo = kernel("step", 100, &[]);
static HALF: KernelInfo = kernel("half", 200, &[]);

const fn at(line: u32) -> Site {
    Site::new("src/kernels.rs", line)
}

/// A scope for each block of 16 columns; what is kept lies outside.
fn step(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let (x, y) = (args.tensor(0), args.tensor(1));
    let sum = tile::zeros(core, at(101), x.dtype(), &[x.dims()[0], 1])?;
    for j in (0..x.dims()[1]).step_by(16) {
        let s = &core.enter(at(102));
        let part = x.slice(&[SliceItem::Full, SliceItem::Range(j, j + 16)], at(103))?;
        let part = tile::load(s, at(103), part)?;
        let product = tile::dot(s, at(104), part, tile::transpose(s, at(104), part)?)?;
        {
            let s = &s.enter(at(105));
            tile::exp(s, at(106), product)?;
        }
        tile::copy_to(s, at(107), sum, tile::row_sum(s, at(107), part)?)?;
    }
    tile::store(core, at(108), y, sum)
}

/// A product of `f16`, whose copies are its own.
fn half(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let x = tile::load(core, at(201), args.tensor(0))?;
    let product = tile::dot(core, at(202), x, x)?;
    tile::store(core, at(203), args.tensor(1), product)
}

fn config(executor: Executor) -> RunConfig {
    RunConfig {
        executor,
        enable_op_log: true,
        enable_scratch_stats: true,
        ..RunConfig::default()
    }
}

/// Runs `body` on two arrays of `f32`, 8 by 48 and 8 by 1.
fn run(
    rt: &Runtime,
    body: impl for<'r> FnOnce(&'r Scope<'r>, [Tensor<'r>; 2]) -> Outcome,
) -> RunReport {
    let (x, mut y) = (Array2::<f32>::ones((8, 48)), Array2::<f32>::zeros((8, 1)));
    let args = [
        EntryArg::input::<f32, 2>(&x).unwrap(),
        EntryArg::output::<f32, 2>(&mut y).unwrap(),
    ];
    rt.run(&ENTRY, args, body).unwrap()
}

fn steps(scope: &Scope<'_>, x: Tensor<'_>, y: Tensor<'_>, n: usize) -> Outcome {
    for _ in 0..n {
        let args = [TaskArg::Input(x), TaskArg::OutputExisting(y)];
        scope.submit(site!(), TaskSpec::new(&STEP, step, &args, &[]))?;
    }
    Ok(())
}

/// What of an entry does not depend on time.
fn told(op: &LoggedOp) -> (u64, &str, &str, &str, Vec<usize>, u64, u32) {
    let shape = op.shape().to_vec();
    (
        op.task,
        op.kernel,
        op.op_kind,
        op.op_name,
        shape,
        op.bytes,
        op.site.line,
    )
}

#[test]
fn every_operation_is_logged_with_its_unit_shape_bytes_and_line() {
    let rt = Runtime::new(config(serial())).unwrap();
    let report = run(&rt, |scope, [x, y]| steps(scope, x, y, 1));
    let log: Vec<_> = report.op_log.iter().map(told).collect();
    let op = |kind, name, shape: &[usize], bytes, line| {
        (0, "step", kind, name, shape.to_vec(), bytes, line)
    };
    let turn = [
        op("dma", "load", &[8, 16], 512, 103),
        op("view", "transpose", &[8, 16], 0, 104),
        op("gemm", "dot", &[8, 16, 8], 4 * (128 + 128 + 64), 104),
        op("math", "exp", &[8, 8], 256, 106),
        op("math", "row_sum", &[8, 16], 512, 107),
        op("math", "copy", &[8, 1], 32, 107),
    ];
    let mut expected = vec![op("math", "zeros", &[8, 1], 32, 101)];
    (0..3).for_each(|_| expected.extend_from_slice(&turn));
    expected.push(op("dma", "store", &[8, 1], 32, 108));
    assert_eq!(log, expected);
    assert!(
        report
            .op_log
            .iter()
            .all(|op| op.site.file == "src/kernels.rs")
    );
    assert!(
        report.op_log.iter().any(|op| op.ns > 0),
        "times are measured"
    );
}

#[test]
fn the_log_is_in_the_order_of_the_program_on_every_executor() {
    let logs = EXECUTORS
        .into_iter()
        .chain([Executor::Timing])
        .map(|executor| {
            let rt = Runtime::new(config(executor)).unwrap();
            let report = run(&rt, |scope, [x, y]| steps(scope, x, y, 20));
            let again = run(&rt, |scope, [x, y]| steps(scope, x, y, 20));
            assert_eq!(report.op_log.len(), 20 * 20, "{executor:?}");
            assert_eq!(again.op_log.len(), 20 * 20, "a run leaves nothing behind");
            let log: Vec<_> = report
                .op_log
                .iter()
                .map(told)
                .map(|told| format!("{told:?}"))
                .collect();
            (log, report.scratch_scopes)
        });
    let logs: Vec<_> = logs.collect();
    assert!(logs.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn each_scratch_scope_reports_how_often_it_ran_and_what_it_used() {
    let rt = Runtime::new(config(threads(2))).unwrap();
    let report = run(&rt, |scope, [x, y]| steps(scope, x, y, 4));
    let scopes = report.scratch_scopes.iter();
    let told: Vec<_> = scopes
        .map(|s| (s.site.line, s.entered, s.max_bytes, s.max_at_end))
        .collect();
    // `sum` is 32 bytes, `part` 512, `product` 256 and its `exp` 256, the row sums 32.
    assert_eq!(
        told,
        [
            (102, 12, 512 + 256 + 256, 32 + 512 + 256 + 32),
            (105, 12, 256, 32 + 512 + 256 + 256)
        ]
    );
    assert_eq!(report.peak_scratch_bytes, 32 + 512 + 256 + 256);
    let text = report.to_string();
    let line = "scratch scope src/kernels.rs:105: entered 12 times, at most 256 bytes, 1056 in use at its end";
    assert!(text.contains(line), "{text}");
}

#[test]
fn what_an_operation_does_for_itself_is_part_of_it() {
    let rt = Runtime::new(config(serial())).unwrap();
    let x = Array2::from_elem((4, 4), f16::ONE);
    let mut y = Array2::from_elem((4, 4), f16::ZERO);
    let args = [
        EntryArg::input::<f16, 2>(&x).unwrap(),
        EntryArg::output::<f16, 2>(&mut y).unwrap(),
    ];
    let report = rt
        .run(&ENTRY, args, |scope, [x, y]| {
            let args = [TaskArg::Input(x), TaskArg::OutputExisting(y)];
            scope.submit(site!(), TaskSpec::new(&HALF, half, &args, &[]))?;
            Ok(())
        })
        .unwrap();
    let names: Vec<_> = report.op_log.iter().map(|op| op.op_name).collect();
    assert_eq!(names, ["load", "dot", "store"]);
    assert_eq!(report.op_log[1].shape(), [4, 4, 4]);
    assert_eq!(report.op_log[1].dtype, Some(pl_runtime::DType::F16));
    assert!(report.scratch_scopes.is_empty());
    // The `f32` copies that the product is computed with are no scratch: a device has no use for them.
    assert_eq!(report.peak_scratch_bytes, 64);
}

#[test]
fn blocks_are_told_apart() {
    let rt = Runtime::new(config(threads(2))).unwrap();
    let report = run(&rt, |scope, [x, _]| {
        let args = [TaskArg::Input(x)];
        let load = |core: &Scratch<'_>, args: &TaskArgs<'_>| {
            tile::load(core, at(301), args.partition(0, 0, at(301))?)?;
            Ok(())
        };
        scope.submit(site!(), TaskSpec::new(&STEP, load, &args, &[]).blocks(3))?;
        Ok(())
    });
    let log: Vec<_> = report
        .op_log
        .iter()
        .map(|op| (op.block, op.shape()[0]))
        .collect();
    assert_eq!(log, [(0, 3), (1, 3), (2, 2)]);
}

#[test]
fn nothing_is_kept_unless_it_is_asked_for() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let report = run(&rt, |scope, [x, y]| steps(scope, x, y, 2));
    assert!(report.op_log.is_empty() && report.scratch_scopes.is_empty());
}

#[test]
fn with_a_work_folder_the_log_is_written_there() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("op_log");
    drop(fs::remove_dir_all(&dir));
    let rt = Runtime::new(RunConfig {
        work_dir: Some(dir.clone()),
        enable_scratch_stats: false,
        ..config(serial())
    })
    .unwrap();
    run(&rt, |scope, [x, y]| steps(scope, x, y, 30));
    let report = run(&rt, |scope, [x, y]| steps(scope, x, y, 1));
    let folder = dir.join("dfx_outputs");
    assert_eq!(report.reports.as_deref(), Some(&*folder));
    let names = |path: &Path| -> Vec<_> {
        let entries = fs::read_dir(path).unwrap();
        entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    assert_eq!(names(&folder), ["op_log"], "no other report was asked for");
    assert_eq!(names(&folder.join("op_log")), ["op_log.jsonl"]);
    let text = fs::read_to_string(folder.join("op_log/op_log.jsonl")).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        r#"{"version":1,"entry":"entry","executor":"serial","total":20}"#
    );
    let lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), report.op_log.len());
    let ns = report.op_log[3].ns;
    let expected = format!(
        r#"{{"task":0,"block":0,"kernel":"step","op_kind":"gemm","op_name":"dot","dtype":"f32","shape":[8,16,8],"bytes":1280,"ns":{ns},"site":"kernels.rs:104"}}"#
    );
    assert_eq!(text.lines().nth(4).unwrap(), expected);
    fs::remove_dir_all(&dir).unwrap();
}

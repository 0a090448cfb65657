//! Random programs: every executor computes what plain sequential execution computes, or fails with
//! the same error at the same place.

mod common;

use common::{AFFINE, ENTRY, EXECUTORS, FILL, Outcome, UNLUCKY, UPDATE, alloc, info, submit};
use ndarray::Array2;
use pl_runtime::{
    EntryArg, Error, RunConfig, RunReport, Runtime, Scope, ScopeMode, Site, SliceItem, TaskArg,
    TaskId, Tensor, TensorCreateInfo,
};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const ROWS: usize = 24;
const COLUMNS: usize = 20;
const DEPTH: u32 = 6;

/// Part of a tensor, as fractions of what fits.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Counted from the newest tensor.
    tensor: usize,
    row: usize,
    column: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Fill,
    Affine,
    Update,
    Unlucky,
    /// Affine into a tensor that the submit allocates.
    Fresh,
}

#[derive(Clone, Debug)]
struct Op {
    kind: Kind,
    rows: usize,
    columns: usize,
    from: Part,
    to: Part,
    k: u32,
    /// Declared dependencies, in a MANUAL scope: how many of the tasks before.
    deps: usize,
}

#[derive(Clone, Debug)]
enum Stmt {
    Create,
    Run(Op),
    Get(Part),
    Set(Part, u32),
    Scope(Vec<Stmt>),
    Loop(usize, Vec<Stmt>),
    Manual(Vec<Op>),
}

fn part() -> impl Strategy<Value = Part> {
    (0..5_usize, 0..ROWS, 0..COLUMNS).prop_map(|(tensor, row, column)| Part {
        tensor,
        row,
        column,
    })
}

fn op() -> impl Strategy<Value = Op> {
    let kind = prop_oneof![
        3 => Just(Kind::Fill),
        5 => Just(Kind::Affine),
        6 => Just(Kind::Update),
        1 => Just(Kind::Unlucky),
        3 => Just(Kind::Fresh),
    ];
    let size = prop_oneof![2 => Just((ROWS, COLUMNS)), 3 => (1..=ROWS, 1..=COLUMNS)];
    (kind, size, part(), part(), 1..100_u32, 0..4_usize).prop_map(
        |(kind, (rows, columns), from, to, k, deps)| Op {
            kind,
            rows,
            columns,
            from,
            to,
            k,
            deps,
        },
    )
}

fn program() -> impl Strategy<Value = Vec<Stmt>> {
    let leaf = prop_oneof![
        3 => Just(Stmt::Create),
        8 => op().prop_map(Stmt::Run),
        1 => part().prop_map(Stmt::Get),
        1 => (part(), any::<u32>()).prop_map(|(part, value)| Stmt::Set(part, value)),
        1 => prop::collection::vec(op(), 1..5).prop_map(Stmt::Manual),
    ];
    let stmt = leaf.prop_recursive(DEPTH, 60, 8, |inner| {
        let body = prop::collection::vec(inner, 1..8);
        prop_oneof![
            2 => body.clone().prop_map(Stmt::Scope),
            1 => (1..4_usize, body).prop_map(|(n, body)| Stmt::Loop(n, body)),
        ]
    });
    prop::collection::vec(stmt, 1..10)
}

/// Plain sequential execution on ordinary vectors.
struct Plain {
    log: Vec<u32>,
    /// Position of the first failing task, and of the next one.
    failed: Option<u64>,
    sequence: u64,
    last: u32,
}

type Buffer = Rc<RefCell<Vec<u32>>>;

fn at(op: &Op, part: Part, row: usize, column: usize) -> usize {
    let (r, c) = (
        part.row % (ROWS - op.rows + 1),
        part.column % (COLUMNS - op.columns + 1),
    );
    (r + row) * COLUMNS + c + column
}

fn pick<T: Clone>(env: &[T], part: Part) -> T {
    env[env.len() - 1 - part.tensor % env.len()].clone()
}

/// Tensors that tasks may write: the first two are inputs.
fn pick_output<T: Clone>(env: &[T], part: Part) -> T {
    pick(&env[2..], part)
}

impl Plain {
    fn op(&mut self, env: &mut Vec<Buffer>, op: &Op) {
        let k = op.k.wrapping_add(self.last);
        let (from, mut to) = (pick(env, op.from), pick_output(env, op.to));
        let source = from.borrow().clone();
        let cells =
            |part| (0..op.rows).flat_map(move |r| (0..op.columns).map(move |c| at(op, part, r, c)));
        if let Kind::Fresh = op.kind {
            to = Rc::new(RefCell::new(vec![0; ROWS * COLUMNS]));
            for (i, cell) in to.borrow_mut().iter_mut().enumerate() {
                *cell = source[i].wrapping_mul(3).wrapping_add(k);
            }
            env.push(to);
        } else {
            for (i, o) in cells(op.from).zip(cells(op.to)) {
                let cell = &mut to.borrow_mut()[o];
                match op.kind {
                    Kind::Fill => *cell = k,
                    Kind::Affine => *cell = source[i].wrapping_mul(3).wrapping_add(k),
                    Kind::Update => {
                        *cell = cell.wrapping_mul(5).wrapping_add(source[i]).wrapping_add(k);
                    }
                    Kind::Unlucky => {
                        let first = source[cells(op.from).next().unwrap()];
                        if first.is_multiple_of(op.k) {
                            self.failed.get_or_insert(self.sequence);
                        }
                        break;
                    }
                    Kind::Fresh => unreachable!(),
                }
            }
        }
        self.sequence += 1;
    }

    fn run(&mut self, outer: &[Buffer], stmts: &[Stmt]) {
        let mut env = outer.to_vec();
        for stmt in stmts {
            match stmt {
                Stmt::Create => {
                    env.push(Rc::new(RefCell::new(vec![7; ROWS * COLUMNS])));
                    self.sequence += 1;
                }
                Stmt::Run(op) => self.op(&mut env, op),
                Stmt::Get(part) => {
                    self.last = pick(&env, *part).borrow()[part.row * COLUMNS + part.column];
                    self.log.push(self.last);
                }
                Stmt::Set(part, value) => {
                    let buffer = pick_output(&env, *part);
                    buffer.borrow_mut()[part.row * COLUMNS + part.column] = *value;
                }
                Stmt::Scope(body) => self.run(&env, body),
                Stmt::Loop(n, body) => (0..*n).for_each(|_| self.run(&env, body)),
                Stmt::Manual(ops) => {
                    let mut env = env.clone();
                    for op in ops {
                        self.op(&mut env, op);
                    }
                }
            }
        }
    }
}

const SITE: Site = Site::new("program.rs", 1);

/// The same through the runtime.
struct Device<'l> {
    log: &'l mut Vec<u32>,
    last: u32,
}

impl Device<'_> {
    fn op<'s>(
        &self,
        scope: &'s Scope<'_>,
        env: &mut Vec<Tensor<'s>>,
        op: &Op,
        deps: &[TaskId<'_>],
    ) -> Outcome<TaskId<'s>> {
        let k = op.k.wrapping_add(self.last);
        let view = |tensor: Tensor<'s>, part: Part| {
            let start = at(op, part, 0, 0);
            let (row, column) = (start / COLUMNS, start % COLUMNS);
            let items = [
                SliceItem::Range(row, row + op.rows),
                SliceItem::Range(column, column + op.columns),
            ];
            tensor.slice(&items, SITE)
        };
        let (from, to) = (pick(env, op.from), pick_output(env, op.to));
        let (a, o) = (view(from, op.from)?, view(to, op.to)?);
        let (input, output) = (TaskArg::Input(a), TaskArg::OutputExisting(o));
        let outputs = match op.kind {
            Kind::Fill => submit(scope, SITE, &FILL, &[output], k, deps)?,
            Kind::Affine => submit(scope, SITE, &AFFINE, &[input, output], k, deps)?,
            Kind::Update => submit(scope, SITE, &UPDATE, &[input, TaskArg::InOut(o)], k, deps)?,
            Kind::Unlucky => submit(scope, SITE, &UNLUCKY, &[input], op.k, deps)?,
            Kind::Fresh => {
                let args = [TaskArg::NoDep(from), TaskArg::Output(info(ROWS, COLUMNS))];
                let outputs = submit(scope, SITE, &AFFINE, &args, k, deps)?;
                env.push(outputs.get_ref(0));
                outputs
            }
        };
        Ok(outputs.task_id())
    }

    fn run(&mut self, scope: &Scope<'_>, outer: &[Tensor<'_>], stmts: &[Stmt]) -> Outcome {
        let mut env = outer.to_vec();
        for stmt in stmts {
            match stmt {
                Stmt::Create => {
                    use pl_runtime::Scalar;
                    let info: TensorCreateInfo = info(ROWS, COLUMNS).init(7_u32.to_value());
                    env.push(scope.alloc_tensors(SITE, &[info])?.get_ref(0));
                }
                Stmt::Run(op) => _ = self.op(scope, &mut env, op, &[])?,
                Stmt::Get(part) => {
                    self.last = scope.get(SITE, pick(&env, *part), &[part.row, part.column])?;
                    self.log.push(self.last);
                }
                Stmt::Set(part, value) => {
                    let tensor = pick_output(&env, *part);
                    scope.set(SITE, tensor, &[part.row, part.column], *value)?;
                }
                Stmt::Scope(body) => {
                    self.run(&scope.enter(ScopeMode::Auto, SITE)?, &env, body)?;
                }
                Stmt::Loop(n, body) => {
                    for _ in 0..*n {
                        self.run(&scope.enter(ScopeMode::Auto, SITE)?, &env, body)?;
                    }
                }
                Stmt::Manual(ops) => {
                    let inner = scope.enter(ScopeMode::Manual, SITE)?;
                    let mut env = env.clone();
                    let mut tasks = Vec::new();
                    for op in ops {
                        let deps = &tasks[tasks.len().saturating_sub(op.deps)..];
                        let task = self.op(&inner, &mut env, op, deps)?;
                        tasks.push(task);
                    }
                }
            }
        }
        Ok(())
    }
}

fn arrays() -> [Array2<u32>; 4] {
    std::array::from_fn(|n| {
        Array2::from_shape_fn((ROWS, COLUMNS), |(r, c)| {
            (n * 1000 + r * COLUMNS + c) as u32
        })
    })
}

/// Outcome, outputs and log.
type Run = (Result<RunReport, Error>, [Array2<u32>; 2], Vec<u32>);

fn on_device(runtime: &Runtime, stmts: &[Stmt]) -> Run {
    let [a, b, mut x, mut y] = arrays();
    let mut log = Vec::new();
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::input(&b).unwrap(),
        EntryArg::inout(&mut x).unwrap(),
        EntryArg::inout(&mut y).unwrap(),
    ];
    let outcome = runtime.run(&ENTRY, args, |scope, tensors| {
        Device {
            log: &mut log,
            last: 0,
        }
        .run(scope, &tensors, stmts)
    });
    (outcome, [x, y], log)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_executor_gives_the_sequential_result_or_the_same_error(
        stmts in program(),
        heap in 2..40_u64,
        window in 2..6_u32,
    ) {
        let mut plain = Plain { log: Vec::new(), failed: None, sequence: 0, last: 0 };
        let buffers = arrays().map(|array| Rc::new(RefCell::new(array.into_raw_vec_and_offset().0)));
        plain.run(&buffers, &stmts);

        let config = |executor| RunConfig {
            ring_heap: (heap * 1024).into(),
            ring_task_window: (1 << window).into(),
            executor,
            ..RunConfig::default()
        };
        let pool = Runtime::new(config(common::threads(4))).unwrap();
        let mut first: Option<Run> = None;
        for executor in EXECUTORS {
            let runtime = pool.with_config(config(executor)).unwrap();
            let run = on_device(&runtime, &stmts);
            match &run.0 {
                Ok(_) => {
                    prop_assert_eq!(plain.failed, None);
                    prop_assert_eq!(&run.2, &plain.log);
                    for (array, buffer) in run.1.iter().zip(&buffers[2..]) {
                        prop_assert_eq!(array.as_slice().unwrap(), &**buffer.borrow());
                    }
                }
                Err(Error::KernelFailed(failure)) => {
                    prop_assert_eq!(Some(failure.sequence), plain.failed);
                }
                Err(_) => {}
            }
            let Some(first) = &first else {
                first = Some(run);
                continue;
            };
            match (&first.0, &run.0) {
                (Ok(a), Ok(b)) => {
                    let mut b = b.clone();
                    b.executor.clone_from(&a.executor);
                    prop_assert_eq!(a, &b, "reports depend on the program alone");
                }
                (a, b) => prop_assert_eq!(a, b, "{:?}", executor),
            }
        }
    }
}

#[test]
fn a_larger_program_gives_the_same_on_all_executors() {
    const N: usize = 400;
    let mut results = Vec::new();
    for executor in EXECUTORS {
        let runtime = common::runtime(64 << 10, 16, executor);
        let mut x = Array2::<u32>::ones((ROWS, COLUMNS));
        let report = runtime
            .run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
                for i in 0..N as u32 {
                    let scope = root.enter(ScopeMode::Auto, SITE)?;
                    let t = alloc(&scope, SITE, ROWS, COLUMNS)?;
                    let args = [TaskArg::Input(x), TaskArg::OutputExisting(t)];
                    submit(&scope, SITE, &AFFINE, &args, i, &[])?;
                    for half in [SliceItem::Range(0, 12), SliceItem::From(12)] {
                        let half = [half, SliceItem::Full];
                        let (a, x) = (t.slice(&half, SITE)?, x.slice(&half, SITE)?);
                        let args = [TaskArg::Input(a), TaskArg::InOut(x)];
                        submit(&scope, SITE, &UPDATE, &args, i, &[])?;
                    }
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(report.kernel_tasks, [0, 3 * N as u64, 0, 0]);
        assert_eq!(report.alloc_tasks, [0, N as u64, 0, 0]);
        assert_eq!(report.scopes, N as u64 + 1);
        results.push((x, report.heap_high_water, report.heap_demand));
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

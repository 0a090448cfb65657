//! Operations against what numpy and torch gave for them, once: `golden/make.py` makes the files,
//! and says how they are read.

use crate::support::*;
use half::{bf16, f16};
use ndarray::ArrayD;
use ndarray_npy::{ReadableElement, read_npy};
use pl_codegen::ops::Op;
use pl_runtime::dtype::{DType, Element, Scalar, ScalarType, ScalarValue};
use pl_runtime::error::OperationError;
use pl_runtime::tile::{self, Scratch, Tile};
use pl_runtime::{Executor, KernelInfo, RunConfig, Runtime, SerialOrder, Site, TaskArgs, TaskSpec};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Operations that only copy: from and to device memory, which takes a running task, and into a tile
/// that is there. `tile_transfer.rs`, `tile_rows.rs` and `tile_scratch.rs` test them.
const COPIES: [&str; 7] = [
    "load",
    "load_padded",
    "store",
    "store_clipped",
    "copy_to",
    "gather_rows",
    "scatter_rows",
];

/// A line of `cases.json`.
#[derive(Deserialize, Debug)]
struct Case {
    op: String,
    args: Vec<Written>,
    /// Element type and lengths of each result.
    gives: Vec<(String, Vec<usize>)>,
    rel: f64,
    abs: f64,
}

/// An argument as a case has it.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Written {
    Input(String),
    Number(f64),
    Lengths(Vec<usize>),
}

/// An argument of an operation.
enum Arg<'s> {
    Tile(Tile<'s>),
    Number(f64),
    Lengths(Vec<usize>),
}

impl<'s> Arg<'s> {
    fn tile(&self) -> Tile<'s> {
        match self {
            Self::Tile(tile) => *tile,
            _ => panic!("a tile is needed"),
        }
    }

    fn number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            _ => panic!("a number is needed"),
        }
    }

    fn lengths(&self) -> &[usize] {
        match self {
            Self::Lengths(lengths) => lengths,
            _ => panic!("lengths are needed"),
        }
    }
}

/// An operation of two operands, one of which may be a number.
macro_rules! of_operands {
    ($operation:path, $s:expr, $args:expr) => {
        match (&$args[0], &$args[1]) {
            (Arg::Tile(a), Arg::Tile(b)) => $operation($s, SITE, *a, *b),
            (Arg::Tile(a), b) => $operation($s, SITE, *a, b.number()),
            (a, b) => $operation($s, SITE, a.number(), b.tile()),
        }
    };
}

/// What the operation of a case gives: one line for each operation; `None` if there is none.
fn run<'s>(
    s: &'s Scratch<'_>,
    case: &Case,
    args: &[Arg<'s>],
) -> Option<Result<Vec<Tile<'s>>, OperationError>> {
    let x = |at: usize| args[at].tile();
    let to = dtype_of(&case.gives[0].0);
    let one = match case.op.as_str() {
        "full" => tile::full(s, SITE, to, args[0].lengths(), args[1].number()),
        "zeros" => tile::zeros(s, SITE, to, args[0].lengths()),
        "cast" => tile::cast(s, SITE, to, x(0)),
        "iota" => tile::iota(s, SITE, to, args[0].lengths(), args[1].number()),
        "cast_rint" => tile::cast_rint(s, SITE, to, x(0)),
        "cast_round" => tile::cast_round(s, SITE, to, x(0)),
        "cast_floor" => tile::cast_floor(s, SITE, to, x(0)),
        "cast_ceil" => tile::cast_ceil(s, SITE, to, x(0)),
        "cast_trunc" => tile::cast_trunc(s, SITE, to, x(0)),
        "lt" => of_operands!(tile::lt, s, args),
        "le" => of_operands!(tile::le, s, args),
        "gt" => of_operands!(tile::gt, s, args),
        "ge" => of_operands!(tile::ge, s, args),
        "eq" => of_operands!(tile::eq, s, args),
        "ne" => of_operands!(tile::ne, s, args),
        "and" => tile::and(s, SITE, x(0), x(1)),
        "or" => tile::or(s, SITE, x(0), x(1)),
        "not" => tile::not(s, SITE, x(0)),
        "select" => match &args[2] {
            Arg::Tile(b) => tile::select(s, SITE, x(0), x(1), *b),
            b => tile::select(s, SITE, x(0), x(1), b.number()),
        },
        "clamp" => tile::clamp(s, SITE, x(0), args[1].number(), args[2].number()),
        "powi" => tile::powi(s, SITE, x(0), args[1].number()),
        "sigmoid" => tile::sigmoid(s, SITE, x(0)),
        "silu" => tile::silu(s, SITE, x(0)),
        "gelu" => tile::gelu(s, SITE, x(0)),
        "gelu_tanh" => tile::gelu_tanh(s, SITE, x(0)),
        "relu" => tile::relu(s, SITE, x(0)),
        "add" => of_operands!(tile::add, s, args),
        "sub" => of_operands!(tile::sub, s, args),
        "mul" => of_operands!(tile::mul, s, args),
        "div" => of_operands!(tile::div, s, args),
        "neg" => tile::neg(s, SITE, x(0)),
        "maximum" => of_operands!(tile::maximum, s, args),
        "minimum" => of_operands!(tile::minimum, s, args),
        "abs" => tile::abs(s, SITE, x(0)),
        "exp" => tile::exp(s, SITE, x(0)),
        "log" => tile::log(s, SITE, x(0)),
        "sqrt" => tile::sqrt(s, SITE, x(0)),
        "rsqrt" => tile::rsqrt(s, SITE, x(0)),
        "recip" => tile::recip(s, SITE, x(0)),
        "tanh" => tile::tanh(s, SITE, x(0)),
        "row_max" => tile::row_max(s, SITE, x(0)),
        "row_min" => tile::row_min(s, SITE, x(0)),
        "row_sum" => tile::row_sum(s, SITE, x(0)),
        "row_mean" => tile::row_mean(s, SITE, x(0)),
        "row_argmax" => tile::row_argmax(s, SITE, x(0)),
        "row_argmin" => tile::row_argmin(s, SITE, x(0)),
        "col_max" => tile::col_max(s, SITE, x(0)),
        "col_min" => tile::col_min(s, SITE, x(0)),
        "col_sum" => tile::col_sum(s, SITE, x(0)),
        "col_mean" => tile::col_mean(s, SITE, x(0)),
        "col_argmax" => tile::col_argmax(s, SITE, x(0)),
        "col_argmin" => tile::col_argmin(s, SITE, x(0)),
        "softmax" => tile::softmax(s, SITE, x(0)),
        "cumsum" => tile::cumsum(s, SITE, x(0)),
        "take_rows" => tile::take_rows(s, SITE, x(0), x(1)),
        "concat" => tile::concat(s, SITE, x(0), x(1), args[2].number()),
        "transpose" => tile::transpose(s, SITE, x(0)),
        "dot" => tile::dot(s, SITE, x(0), x(1)),
        "dot_f32" => tile::dot_f32(s, SITE, x(0), x(1)),
        "dot_acc" => tile::dot_acc(s, SITE, x(0), x(1), x(2)).map(|()| x(0)),
        _ => {
            let two = match case.op.as_str() {
                "sort" => tile::sort(s, SITE, x(0)),
                "sort_descending" => tile::sort_descending(s, SITE, x(0)),
                "top_k" => tile::top_k(s, SITE, x(0), args[1].number()),
                _ => return None,
            };
            return Some(two.map(|(a, b)| vec![a, b]));
        }
    };
    Some(one.map(|tile| vec![tile]))
}

/// Evaluates the body with `$T` standing for the Rust type of a dtype.
macro_rules! typed {
    ($dtype:expr, $T:ident => $body:expr) => {
        typed!(@ $dtype, $T, $body;
            F32 f32, F16 f16, Bf16 bf16, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32,
            U64 u64, Bool bool)
    };
    (@ $dtype:expr, $T:ident, $body:expr; $($variant:ident $ty:ty),*) => {
        match $dtype {
            $(DType::$variant => { type $T = $ty; $body })*
            other => panic!("no Rust type for {other}"),
        }
    };
}

/// An element type, and how a file has its elements.
trait Stored: Element {
    type Npy: ReadableElement + Copy;
    fn from_npy(stored: Self::Npy) -> Self;
}

macro_rules! stored {
    ($($ty:ty as $npy:ty: $from:expr;)*) => {$(
        impl Stored for $ty {
            type Npy = $npy;
            fn from_npy(stored: $npy) -> Self {
                let from: fn($npy) -> $ty = $from;
                from(stored)
            }
        }
    )*};
}
stored! {
    f32 as f32: |v| v; f16 as u16: f16::from_bits; bf16 as u16: bf16::from_bits; bool as bool: |v| v;
    i8 as i8: |v| v; i16 as i16: |v| v; i32 as i32: |v| v; i64 as i64: |v| v;
    u8 as u8: |v| v; u16 as u16: |v| v; u32 as u32: |v| v; u64 as u64: |v| v;
}

fn dtype_of(name: &str) -> DType {
    let found = DType::ALL.into_iter().find(|dtype| dtype.name() == name);
    found.unwrap_or_else(|| panic!("no element type {name}"))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(folder().join("cases.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The lengths and the elements of a file, whose name ends with their type.
fn read(name: &str) -> (Vec<usize>, Vec<ScalarValue>) {
    let path = folder().join(format!("{name}.npy"));
    let (_, dtype) = name.rsplit_once('.').unwrap();
    typed!(dtype_of(dtype), T => {
        let array: ArrayD<<T as Stored>::Npy> =
            read_npy(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let elements = array.iter().map(|&element| T::from_npy(element).to_value());
        (array.shape().to_vec(), elements.collect())
    })
}

fn make_input<'s>(core: &'s Scratch<'_>, layout: Layout, name: &str) -> Tile<'s> {
    let (dims, elements) = read(name);
    let (_, dtype) = name.rsplit_once('.').unwrap();
    typed!(dtype_of(dtype), T => {
        make_as::<T>(core, layout, &dims, |i| T::from_value(elements[i]).unwrap())
    })
}

fn is_close(ours: ScalarValue, expected: ScalarValue, case: &Case) -> bool {
    if !matches!(
        ours.ty(),
        ScalarType::F32 | ScalarType::F16 | ScalarType::Bf16
    ) {
        return ours == expected;
    }
    let (ours, expected) = (ours.as_f64(), expected.as_f64());
    if expected.is_nan() || expected.is_infinite() {
        return ours.to_bits() == expected.to_bits() || ours.is_nan() && expected.is_nan();
    }
    (ours - expected).abs() <= case.abs + case.rel * expected.abs()
}

#[test]
fn operations_give_what_numpy_and_torch_gave_in_any_layout() {
    // What is left of the results of each file.
    let mut results = BTreeMap::new();
    for case in &cases() {
        let expected = case.gives.iter().map(|(dtype, dims)| {
            let name = format!("{}.{dtype}", case.op);
            let (rest, start) = results
                .entry(name)
                .or_insert_with_key(|name| (read(name).1, 0));
            let elements = rest[*start..][..dims.iter().product()].to_vec();
            *start += elements.len();
            elements
        });
        let expected = expected.collect::<Vec<_>>();
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let args = case.args.iter().map(|arg| match arg {
                Written::Input(name) => Arg::Tile(make_input(&core, layout, &format!("in-{name}"))),
                Written::Number(number) => Arg::Number(*number),
                Written::Lengths(lengths) => Arg::Lengths(lengths.clone()),
            });
            let args = args.collect::<Vec<_>>();
            let tiles = run(&core, case, &args)
                .unwrap_or_else(|| panic!("add a line for `{}` to `run`", case.op))
                .unwrap_or_else(|error| panic!("{case:?}: {error}"));
            assert_eq!(tiles.len(), expected.len(), "{case:?}");
            for ((tile, expected), (dtype, dims)) in tiles.iter().zip(&expected).zip(&case.gives) {
                assert_eq!(
                    (tile.dims(), tile.dtype()),
                    (&dims[..], dtype_of(dtype)),
                    "{case:?}"
                );
                let ours = typed!(tile.dtype(), T => {
                    values::<T>(*tile).into_iter().map(Scalar::to_value).collect::<Vec<_>>()
                });
                for (at, (&ours, &expected)) in ours.iter().zip(expected).enumerate() {
                    assert!(
                        is_close(ours, expected, case),
                        "{case:?}, {layout:?}, element {at}: {} instead of {}",
                        ours.as_f64(),
                        expected.as_f64()
                    );
                }
            }
        }
    }
    for (name, (all, used)) in results {
        assert_eq!(
            all.len(),
            used,
            "{name} has more elements than the cases take"
        );
    }
}

#[test]
fn every_file_belongs_to_a_case_and_all_are_small() {
    let mut named = BTreeSet::from(["cases.json".to_owned(), "make.py".to_owned()]);
    for case in cases() {
        for arg in &case.args {
            if let Written::Input(name) = arg {
                named.insert(format!("in-{name}.npy"));
            }
        }
        named.extend(
            case.gives
                .iter()
                .map(|(dtype, _)| format!("{}.{dtype}.npy", case.op)),
        );
    }
    let files = fs::read_dir(folder()).unwrap().map(Result::unwrap);
    let mut bytes = 0;
    let found = files.map(|file| {
        bytes += file.metadata().unwrap().len();
        file.file_name().into_string().unwrap()
    });
    assert_eq!(found.collect::<BTreeSet<_>>(), named);
    assert!(bytes < 500_000, "{bytes} bytes; make the inputs smaller");
}

#[test]
fn every_operation_that_does_not_only_copy_has_a_case() {
    let named = cases()
        .into_iter()
        .map(|case| case.op)
        .collect::<BTreeSet<_>>();
    let without = Op::ALL
        .iter()
        .map(|op| op.name())
        .filter(|name| !named.contains(*name) && !COPIES.contains(name));
    assert_eq!(
        without.collect::<Vec<_>>(),
        [""; 0],
        "add cases to `golden/make.py`"
    );
    assert!(COPIES.iter().all(|name| !named.contains(*name)));
}

/// Runs every case once, on tiles of the shapes of its inputs that hold ones; a scratch scope for each.
fn all_cases(core: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    for (line, case) in (1..).zip(&cases()) {
        let s = &core.enter(Site::new("cases.json", line));
        let args = case.args.iter().map(|arg| {
            Ok(match arg {
                Written::Input(name) => {
                    let (dims, _) = read(&format!("in-{name}"));
                    let (_, dtype) = name.rsplit_once('.').unwrap();
                    Arg::Tile(tile::full(s, SITE, dtype_of(dtype), &dims, 1)?)
                }
                Written::Number(number) => Arg::Number(*number),
                Written::Lengths(lengths) => Arg::Lengths(lengths.clone()),
            })
        });
        let args = args.collect::<Result<Vec<_>, OperationError>>()?;
        run(s, case, &args).expect("`run` has all operations")?;
    }
    Ok(())
}

/// What a run of all cases reports, times aside.
fn reported(executor: Executor) -> (Vec<String>, Vec<String>, String) {
    static ALL: KernelInfo = KernelInfo {
        name: "all_cases",
        file: file!(),
        line: line!(),
        params: &[],
    };
    let config = RunConfig {
        executor,
        enable_op_log: true,
        enable_scratch_stats: true,
        scratch_bytes: 4 << 20,
        ..RunConfig::default()
    };
    let rt = Runtime::new(config).unwrap();
    let report = rt.run(&ALL, [], |scope, []| {
        scope.submit(SITE, TaskSpec::new(&ALL, all_cases, &[], &[]))?;
        Ok(())
    });
    let report = report.unwrap();
    let log = report.op_log.iter();
    let names = log.clone().map(|op| op.op_name.to_owned()).collect();
    let told = log.map(|op| {
        format!(
            "{} {} {:?} {}",
            op.op_kind,
            op.op_name,
            op.shape(),
            op.bytes
        )
    });
    let scratch = format!("{:?} {}", report.scratch_scopes, report.peak_scratch_bytes);
    (names, told.collect(), scratch)
}

#[test]
fn every_operation_is_logged_once_and_needs_the_same_scratch_without_data() {
    let serial = Executor::Serial {
        order: SerialOrder::ProgramOrder,
    };
    let (names, told, scratch) = reported(serial);
    let expected = cases().into_iter().flat_map(|case| {
        let inputs = case
            .args
            .iter()
            .filter(|arg| matches!(arg, Written::Input(_)));
        let inputs = inputs.map(|_| "full".to_owned()).collect::<Vec<_>>();
        inputs.into_iter().chain([case.op])
    });
    assert_eq!(names, expected.collect::<Vec<_>>());
    assert_eq!(reported(Executor::Timing), (names, told, scratch));
}

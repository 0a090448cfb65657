//! What attention over long contexts needs from the scratch of a core, on the kernels of the examples:
//! recycling, correctness, long contexts, isolation, nesting; and the same at every length, computed and
//! simulated.

#[path = "../examples/attention_family/flash.rs"]
mod flash;
#[path = "../examples/attention_family/online.rs"]
mod online;
#[path = "../examples/attention_family/paged.rs"]
mod paged;
#[path = "../examples/attention_family/prefetch.rs"]
mod prefetch;
#[path = "../examples/attention_family/reference.rs"]
mod reference;

use flash::{attend, flash_attention};
use ndarray::{Array, Array1, Array2, Array3, Array4, Axis, Dimension, IntoDimension, array, s};
use online::{fold, fold_visible};
use paged::paged_attention;
use pl::golden::{Case, Compare, Init};
use pl::prelude::*;
use pl::shape;
use prefetch::attend_prefetched;
use reference::{Float, Problem};

const GROUP: usize = 2;
const QUERIES: usize = 5;
const HEAD: usize = 16;
const TILE: usize = 16;
const SCALE: f32 = 0.25;

/// `attend` without its `scratch_scope!`.
#[pl::jit::incore(dims(G, M, N, D))]
fn attend_without_scopes<T: Element>(
    q: Tensor<T, G, M, D>,
    k: Tensor<T, N, D>,
    v: Tensor<T, N, D>,
    scale: f32,
    at: usize,
    window: usize,
    kv_tile: usize,
    o: Out<Tensor<T, G, M, D>>,
) {
    let q = load(q).reshape([G * M, D]);
    let max = full::<f32>([G * M, 1], f32::MIN);
    let sum = zeros::<f32>([G * M, 1]);
    let acc = zeros::<f32>([G * M, D]);
    let first = (at + 1).saturating_sub(window);
    let end = (at + M).min(N);
    for j in (first..end).step_by(kv_tile) {
        let e = (j + kv_tile).min(end);
        let score = dot_f32(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
        let values = load(v.slice(s![j..e, ..]));
        fold_visible::<T>(G, M, e - j, at, j, window, score, values, max, sum, acc);
    }
    store(o, cast::<T>(acc / sum).reshape([G, M, D]));
}

/// Attention of all queries in one task: a scope for each tile of queries, and in it one for each tile
/// of keys.
#[pl::jit::incore(dims(G, M, N, D))]
fn attend_nested<T: Element>(
    q: Tensor<T, G, M, D>,
    k: Tensor<T, N, D>,
    v: Tensor<T, N, D>,
    scale: f32,
    q_tile: usize,
    kv_tile: usize,
    o: Out<Tensor<T, G, M, D>>,
) {
    for i in (0..M).step_by(q_tile) {
        let rows = (i + q_tile).min(M) - i;
        scratch_scope!({
            let q = load(q.slice(s![.., i..i + rows, ..])).reshape([G * rows, D]);
            let max = full::<f32>([G * rows, 1], f32::MIN);
            let sum = zeros::<f32>([G * rows, 1]);
            let acc = zeros::<f32>([G * rows, D]);
            for j in (0..N).step_by(kv_tile) {
                let e = (j + kv_tile).min(N);
                scratch_scope!({
                    let score = dot_f32(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
                    fold::<T>(score, load(v.slice(s![j..e, ..])), max, sum, acc);
                });
            }
            let out = cast::<T>(acc / sum).reshape([G, rows, D]);
            store(o.slice(s![.., i..i + rows, ..]), out);
        });
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Sweep {
    Scoped,
    Unscoped,
    Prefetched,
}

fn config(executor: Executor) -> RunConfig {
    RunConfig {
        executor,
        enable_scratch_stats: true,
        ..RunConfig::default()
    }
}

fn serial() -> RunConfig {
    config(Executor::Serial {
        order: pl::SerialOrder::default(),
    })
}

fn random<T: Float, D: Dimension>(name: &str, dims: impl IntoDimension<Dim = D>) -> Array<T, D> {
    let mut case = Case::new("long context").quiet();
    case.input(name, dims, Init::uniform(-2.0, 2.0)).unwrap()
}

fn blank<T: Float, D: Dimension>(dims: D) -> Array<T, D> {
    Case::new("long context").quiet().output("o", dims)
}

/// Whether the rows of `o` that are looked at are those of the reference.
fn is_right<'t, T: Float>(
    problem: &Problem<'_>,
    q: &Array4<T>,
    context: impl Fn(usize, usize, usize) -> [&'t [T]; 2],
    o: &Array4<T>,
) -> bool {
    let (want, known) = problem.golden(q, context);
    Compare::close(T::TOLERANCE, T::TOLERANCE)
        .only(|at| known.contains(&[at[0], at[1], at[2]]))
        .check("o", o, &want)
        .passed
}

struct Context<T> {
    q: Array3<T>,
    k: Array2<T>,
    v: Array2<T>,
}

impl<T: Float> Context<T> {
    fn new(queries: usize, keys: usize) -> Self {
        Self {
            q: random("q", (GROUP, queries, HEAD)),
            k: random("k", (keys, HEAD)),
            v: random("v", (keys, HEAD)),
        }
    }

    /// Causal attention of the last queries.
    fn sweep(&self, config: RunConfig, sweep: Sweep) -> pl::Result<(Array3<T>, RunReport)> {
        let Self { q, k, v } = self;
        let mut o = blank(q.raw_dim());
        let rt = &Runtime::new(config)?;
        let keys = k.nrows();
        let (at, all) = (keys - q.dim().1, keys);
        let report = match sweep {
            Sweep::Scoped => attend::launch::<T>(rt, q, k, v, SCALE, at, all, TILE, &mut o),
            Sweep::Unscoped => {
                attend_without_scopes::launch::<T>(rt, q, k, v, SCALE, at, all, TILE, &mut o)
            }
            Sweep::Prefetched => {
                attend_prefetched::launch::<T>(rt, q, k, v, SCALE, at, all, TILE, &mut o)
            }
        }?;
        Ok((o, report))
    }

    #[track_caller]
    fn assert_right(&self, o: &Array3<T>, causal: bool) {
        let problem = Problem {
            lengths: &[self.k.nrows()],
            group: GROUP,
            causal,
            window: None,
        };
        let rows = |j| [&self.k, &self.v].map(|x| x.row(j).to_slice().unwrap());
        let batched = |x: &Array3<T>| x.clone().insert_axis(Axis(0));
        assert!(is_right(
            &problem,
            &batched(&self.q),
            |_, _, j| rows(j),
            &batched(o)
        ));
    }
}

fn bits<T: Float>(x: &Array3<T>) -> Array3<u64> {
    x.mapv(|x| x.wide().to_bits())
}

/// Runs a generic test on each element type.
macro_rules! each_type {
    ($test:ident) => {
        $test::<f32>();
        $test::<f16>();
        $test::<bf16>();
    };
}

#[test]
fn recycling_bounds_the_peak_by_the_footprint_of_one_tile() {
    fn of<T: Float>() {
        let run = |sweep, keys| {
            let context = Context::<T>::new(QUERIES, keys);
            context.sweep(serial(), sweep).unwrap().1
        };
        for sweep in [Sweep::Scoped, Sweep::Prefetched] {
            let one = run(sweep, TILE);
            let [scope] = &one.scratch_scopes[..] else {
                panic!("one scope: {:?}", one.scratch_scopes)
            };
            for keys in [2 * TILE, 7 * TILE, 40 * TILE + 3] {
                let many = run(sweep, keys);
                assert_eq!(many.peak_scratch_bytes, one.peak_scratch_bytes, "{keys}");
                assert_eq!(many.scratch_scopes[0].max_bytes, scope.max_bytes);
                let tiles = keys.div_ceil(TILE) as u64;
                assert_eq!(many.scratch_scopes[0].entered, tiles);
            }
        }
        let peak = |keys| run(Sweep::Unscoped, keys).peak_scratch_bytes;
        assert!(peak(2 * TILE) > peak(TILE) && peak(40 * TILE) > 10 * peak(TILE));
    }
    each_type!(of);
}

#[test]
fn correctness_a_sweep_with_scopes_gives_what_it_gives_without() {
    fn of<T: Float>() {
        for keys in [TILE, 3 * TILE, 7 * TILE + 5] {
            let context = Context::<T>::new(QUERIES, keys);
            let run = |sweep| context.sweep(serial(), sweep).unwrap().0;
            let scoped = run(Sweep::Scoped);
            context.assert_right(&scoped, true);
            assert_eq!(bits(&scoped), bits(&run(Sweep::Unscoped)), "{keys}");
        }
    }
    each_type!(of);
}

#[test]
fn long_context_completes_where_it_would_overflow_without_scopes() {
    fn of<T: Float>() {
        let context = Context::<T>::new(QUERIES, 16_384);
        let error = context
            .sweep(serial(), Sweep::Unscoped)
            .err()
            .expect("it overflows");
        let error = error.to_string();
        for part in ["limit 1048576", "scratch_scope!", "long_context.rs:"] {
            assert!(error.contains(part), "{part}: {error}");
        }
        let (o, _) = context.sweep(serial(), Sweep::Scoped).unwrap();
        context.assert_right(&o, true);
    }
    each_type!(of);
}

#[test]
fn isolation_running_values_and_prefetched_tiles_keep_their_bytes_across_scopes() {
    fn of<T: Float>() {
        for keys in [TILE, TILE + 1, 9 * TILE + 3] {
            let context = Context::<T>::new(QUERIES, keys);
            let run = |sweep, poison_scratch| {
                let config = RunConfig {
                    poison_scratch,
                    ..serial()
                };
                context.sweep(config, sweep).unwrap().0
            };
            // Whatever is read after its scope is NaN.
            let poisoned = run(Sweep::Prefetched, true);
            context.assert_right(&poisoned, true);
            for (sweep, poison) in [
                (Sweep::Prefetched, false),
                (Sweep::Scoped, true),
                (Sweep::Scoped, false),
            ] {
                assert_eq!(bits(&poisoned), bits(&run(sweep, poison)), "{sweep:?}");
            }
        }
    }
    each_type!(of);
}

#[test]
fn nesting_rewinds_to_the_save_point_of_each_scope() {
    fn of<T: Float>() {
        let run = |queries, keys| {
            let context = Context::<T>::new(queries, keys);
            let mut o = blank(context.q.raw_dim());
            let Context { q, k, v } = &context;
            let rt = Runtime::new(serial()).unwrap();
            let report =
                attend_nested::launch::<T>(&rt, q, k, v, SCALE, QUERIES, TILE, &mut o).unwrap();
            context.assert_right(&o, false);
            report
        };
        let one = run(QUERIES, TILE);
        for (queries, keys) in [(3 * QUERIES, TILE), (7 * QUERIES + 2, 5 * TILE + 1)] {
            let many = run(queries, keys);
            assert_eq!(many.peak_scratch_bytes, one.peak_scratch_bytes);
            let [outer, inner] = &many.scratch_scopes[..] else {
                panic!("two scopes: {:?}", many.scratch_scopes)
            };
            let blocks = queries.div_ceil(QUERIES) as u64;
            assert_eq!(outer.entered, blocks);
            assert_eq!(inner.entered, blocks * keys.div_ceil(TILE) as u64);
            assert!(inner.max_bytes < outer.max_bytes);
        }
    }
    each_type!(of);
}

/// Keys of a block of the cache.
const BLOCK: usize = 256;

#[derive(Clone, Copy, Debug)]
enum Form {
    Flash { prefetch: bool },
    Paged,
}

const FORMS: [Form; 3] = [
    Form::Flash { prefetch: false },
    Form::Flash { prefetch: true },
    Form::Paged,
];

/// The block table of one sequence with `keys` keys: its blocks in order.
fn table(keys: usize) -> Array2<i32> {
    let blocks = (0..keys.div_ceil(BLOCK) as i32).collect::<Array1<_>>();
    blocks.insert_axis(Axis(0))
}

/// Peak scratch of causal attention of the last queries over `keys` keys of a cache.
fn computed(form: Form, keys: usize, q: &Array4<f32>, [k, v]: [&Array4<f32>; 2]) -> usize {
    let rt = &Runtime::new(serial()).unwrap();
    let mut o = Array4::zeros(q.raw_dim());
    let n = &array![keys as i32];
    let long = [k, v].map(|x| x.to_shape((1, 1, x.dim().0 * BLOCK, HEAD)).unwrap());
    let report = match form {
        Form::Flash { prefetch } => {
            let [k, v] = long.each_ref().map(|x| x.view());
            let (o, tile) = (&mut o, TILE);
            flash_attention::<f32>(
                rt, q, &k, &v, n, SCALE, true, keys, QUERIES, tile, prefetch, o,
            )
        }
        Form::Paged => {
            let (table, o, tile) = (&table(keys), &mut o, TILE);
            paged_attention::<f32>(rt, q, k, v, table, n, SCALE, true, keys, QUERIES, tile, o)
        }
    };
    let problem = Problem {
        lengths: &[keys],
        group: GROUP,
        causal: true,
        window: None,
    };
    let context =
        |_, _, j| [k, v].map(|x| x.slice(s![j / BLOCK, 0, j % BLOCK, ..]).to_slice().unwrap());
    let report = report.unwrap();
    assert!(is_right(&problem, q, context, &o), "{form:?} {keys}");
    report.peak_scratch_bytes
}

fn simulated(form: Form, keys: usize) -> RunReport {
    let rt = &Runtime::new(config(Executor::Timing)).unwrap();
    let q = || shape::<f32>([1, GROUP, QUERIES, HEAD]);
    let n = &array![keys as i32];
    match form {
        Form::Flash { prefetch } => {
            let kv = || shape::<f32>([1, 1, keys, HEAD]);
            flash_attention::<f32>(
                rt,
                q(),
                kv(),
                kv(),
                n,
                SCALE,
                true,
                keys,
                QUERIES,
                TILE,
                prefetch,
                q(),
            )
        }
        Form::Paged => {
            let kv = || shape::<f32>([keys.div_ceil(BLOCK), 1, BLOCK, HEAD]);
            let table = &table(keys);
            paged_attention::<f32>(
                rt,
                q(),
                kv(),
                kv(),
                table,
                n,
                SCALE,
                true,
                keys,
                QUERIES,
                TILE,
                q(),
            )
        }
    }
    .unwrap()
}

#[test]
fn contexts_of_16_to_131072_keys_take_the_same_scratch() {
    let q = &random("q", (1, GROUP, QUERIES, HEAD));
    let longest = 131_072;
    let [k, v] = ["k", "v"].map(|name| random(name, (longest / BLOCK, 1, BLOCK, HEAD)));
    for form in FORMS {
        let first = computed(form, 16, q, [&k, &v]);
        for keys in [256, 1008, 4096, longest] {
            assert_eq!(computed(form, keys, q, [&k, &v]), first, "{form:?} {keys}");
        }
        assert_eq!(simulated(form, 16).peak_scratch_bytes, first, "{form:?}");
    }
}

#[test]
fn contexts_of_16_to_a_million_keys_are_simulated_in_the_same_scratch() {
    for form in FORMS {
        let first = simulated(form, 16);
        let mut total = 0;
        for keys in [16, 1 << 10, 1 << 14, 1 << 17, 1 << 20] {
            let report = simulated(form, keys);
            let peak = report.peak_scratch_bytes;
            assert_eq!(peak, first.peak_scratch_bytes, "{form:?} {keys}");
            let tiles = report.scratch_scopes[0].entered;
            assert_eq!(tiles, (keys / TILE) as u64, "{form:?} {keys}");
            let timing = report.timing.expect("the run was simulated");
            assert!(timing.total_ns > total, "{form:?}: {keys} keys take longer");
            total = timing.total_ns;
        }
    }
}

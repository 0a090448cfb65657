//! Attention over contexts of any length: the same scratch as with data, however long.

use super::*;
use ndarray::Array2;
use pl_runtime::SliceItem::{Full, Range};
use pl_runtime::shape;

const QUERIES: usize = 16;
const HEAD: usize = 32;
const TILE: usize = 16;

/// Flash attention of some queries over all keys, a scope for each tile of keys.
fn attend(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let [q, k, v, o] = std::array::from_fn(|i| args.tensor(i));
    let at = SITE;
    let q = tile::load(core, at, q)?;
    let m = tile::full(core, at, DType::F32, &[QUERIES, 1], f32::NEG_INFINITY)?;
    let l = tile::zeros(core, at, DType::F32, &[QUERIES, 1])?;
    let acc = tile::zeros(core, at, DType::F32, &[QUERIES, HEAD])?;
    for j in (0..k.dims()[0]).step_by(TILE) {
        let s = &core.enter(at);
        let rows = [Range(j, j + TILE), Full];
        let (k, v) = (k.slice(&rows, at)?, v.slice(&rows, at)?);
        let k = tile::transpose(s, at, tile::load(s, at, k)?)?;
        let scores = tile::mul(s, at, tile::dot(s, at, q, k)?, 0.2)?;
        let m_new = tile::maximum(s, at, m, tile::row_max(s, at, scores)?)?;
        let p = tile::exp(s, at, tile::sub(s, at, scores, m_new)?)?;
        let alpha = tile::exp(s, at, tile::sub(s, at, m, m_new)?)?;
        let l_new = tile::add(s, at, tile::mul(s, at, l, alpha)?, tile::row_sum(s, at, p)?)?;
        tile::copy_to(s, at, l, l_new)?;
        let kept = tile::mul(s, at, acc, alpha)?;
        let new = tile::dot(s, at, p, tile::load(s, at, v)?)?;
        tile::copy_to(s, at, acc, tile::add(s, at, kept, new)?)?;
        tile::copy_to(s, at, m, m_new)?;
    }
    tile::store(core, at, o, tile::div(core, at, acc, l)?)
}

static ATTEND: KernelInfo = kernel("attend", 40, &[]);

fn orchestrate(scope: &Scope<'_>, [q, k, v, o]: [Tensor<'_>; 4]) -> Outcome {
    let args = [
        TaskArg::Input(q),
        TaskArg::Input(k),
        TaskArg::Input(v),
        TaskArg::OutputExisting(o),
    ];
    scope.submit(SITE, TaskSpec::new(&ATTEND, attend, &args, &[]))?;
    Ok(())
}

fn config(executor: Executor) -> RunConfig {
    RunConfig {
        executor,
        scratch_bytes: 64 << 10,
        enable_scratch_stats: true,
        ..RunConfig::default()
    }
}

fn simulated(keys: usize) -> RunReport {
    let rt = Runtime::new(config(Executor::Timing)).unwrap();
    let input = |rows| EntryArg::input::<f32, 2>(shape([rows, HEAD])).unwrap();
    let o = EntryArg::output::<f32, 2>(shape([QUERIES, HEAD])).unwrap();
    let args = [input(QUERIES), input(keys), input(keys), o];
    rt.run(&ENTRY, args, orchestrate).unwrap()
}

fn computed(keys: usize) -> RunReport {
    let rt = Runtime::new(config(crate::common::serial())).unwrap();
    let [q, k] = [QUERIES, keys].map(|rows| Array2::<f32>::ones((rows, HEAD)));
    let mut o = Array2::<f32>::zeros((QUERIES, HEAD));
    let args = [
        EntryArg::input::<f32, 2>(&q).unwrap(),
        EntryArg::input::<f32, 2>(&k).unwrap(),
        EntryArg::input::<f32, 2>(&k).unwrap(),
        EntryArg::output::<f32, 2>(&mut o).unwrap(),
    ];
    let report = rt.run(&ENTRY, args, orchestrate).unwrap();
    assert!(o.iter().all(|x| (x - 1.0).abs() < 1e-5), "all values are 1");
    report
}

#[test]
fn peak_scratch_does_not_depend_on_the_length_and_is_that_of_a_run_with_data() {
    let expected = computed(TILE);
    for keys in [16, 64, 256, 1024] {
        let (data, timing) = (computed(keys), simulated(keys));
        assert_eq!(
            data.peak_scratch_bytes, expected.peak_scratch_bytes,
            "{keys}"
        );
        assert_eq!(
            timing.peak_scratch_bytes, expected.peak_scratch_bytes,
            "{keys}"
        );
        assert_eq!(data.scratch_scopes, timing.scratch_scopes, "{keys}");
    }
    let mut total = 0;
    for keys in [16, 1 << 10, 1 << 14, 1 << 17, 1 << 20] {
        let report = simulated(keys);
        assert_eq!(
            report.peak_scratch_bytes, expected.peak_scratch_bytes,
            "{keys}"
        );
        assert_eq!(report.scratch_scopes[0].entered, (keys / TILE) as u64);
        let timing = report.timing.unwrap();
        assert!(timing.total_ns > total, "{keys} keys take longer");
        total = timing.total_ns;
    }
}

#[test]
fn every_tile_of_keys_takes_the_same() {
    let total = |tiles| simulated(tiles * TILE).timing.unwrap().total_ns;
    let (one, two) = (total(1), total(2));
    assert_eq!(total(1000), one + 999 * (two - one));
}

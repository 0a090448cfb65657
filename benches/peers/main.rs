//! Kernels written in the language beside the same computation by `PyTorch` and ONNX Runtime.
//!
//! `cargo bench --bench peers [-- WORD ..]` runs the cases whose names contain all words. The peers come
//! from `PyPI`: `pip install torch onnx onnxruntime numpy`, and `PL_PEERS_PYTHON` names that Python.
//! Both sides run in turn, with pauses, since the threads of a peer spin after a call. A ratio is printed
//! only if the outputs agree.
#![allow(missing_docs, reason = "a benchmark")]

mod attention;
mod peer;
mod rows;

use half::{bf16, f16};
use ndarray::Array3;
use peer::Peer;
use pl::prelude::*;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Sequence and size of a head.
#[derive(Clone, Copy)]
struct Shape {
    s: usize,
    d: usize,
}

/// Runs our side; fills the buffer with the output, if there is one.
type Run = Box<dyn FnMut(&Runtime, Option<&mut Vec<f32>>)>;

/// Something that both sides compute.
struct Case {
    /// What the peer is told.
    request: Value,
    inputs: Vec<Array3<f32>>,
    /// Operations, for the rate; causal attention counts all of them.
    flops: f64,
    /// Largest difference of the outputs that counts as agreement.
    tolerance: f32,
    /// Whether memory is the limit: then a copy of the input is measured too.
    copies: bool,
    run: Run,
}

/// A float type, and how far two computations with it may differ.
trait Float: Element {
    const TOLERANCE: f32;
    fn from_f32(value: f32) -> Self;
    fn to_f32(self) -> f32;
}

impl Float for f32 {
    const TOLERANCE: f32 = 1e-5;
    fn from_f32(value: f32) -> Self {
        value
    }
    fn to_f32(self) -> f32 {
        self
    }
}

impl Float for f16 {
    const TOLERANCE: f32 = 2e-3;
    fn from_f32(value: f32) -> Self {
        Self::from_f32(value)
    }
    fn to_f32(self) -> f32 {
        self.to_f32()
    }
}

impl Float for bf16 {
    const TOLERANCE: f32 = 2e-2;
    fn from_f32(value: f32) -> Self {
        Self::from_f32(value)
    }
    fn to_f32(self) -> f32 {
        self.to_f32()
    }
}

/// Numbers from a normal distribution, nearly.
fn random(seed: u64, dims: (usize, usize, usize)) -> Array3<f32> {
    let mut rng = StdRng::seed_from_u64(seed);
    Array3::from_shape_simple_fn(dims, || {
        let sum: f32 = (0..4).map(|_| rng.random::<f32>()).sum();
        (sum - 2.0) * 1.732
    })
}

/// A case that is made when it is its turn: its inputs are large.
type Made = (String, Box<dyn Fn() -> Case>);

fn cases() -> Vec<Made> {
    let shapes = [Shape { s: 1024, d: 64 }, Shape { s: 4096, d: 128 }];
    let mut cases: Vec<Made> = Vec::new();
    for shape in shapes {
        for causal in [false, true] {
            cases.push(attention::case::<f32>(shape, causal));
        }
        cases.push(attention::case::<bf16>(shape, false));
        cases.push(attention::case::<f16>(shape, false));
    }
    cases.extend(rows::cases());
    cases
}

/// Seconds that a copy of as many floats takes on one thread.
fn copy(floats: usize) -> f64 {
    let (from, mut to) = (vec![1.0_f32; floats], vec![0.0_f32; floats]);
    let times = (0..25).map(|_| {
        let start = Instant::now();
        to.copy_from_slice(std::hint::black_box(&from));
        std::hint::black_box(&to);
        start.elapsed().as_secs_f64()
    });
    median(times.collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Measures both sides in turn and prints the ratio of the medians.
fn compare(title: &str, case: &mut Case, threads: usize, name: &str) -> Result<(), String> {
    const PAUSE: Duration = Duration::from_millis(50);
    let inputs: Vec<_> = case
        .inputs
        .iter()
        .map(|x| (x.as_slice().expect("in order"), x.shape()))
        .collect();
    let mut request = case.request.clone();
    request["threads"] = threads.into();
    let mut peer = Peer::start(name, request, &inputs)?;
    let rt = Runtime::new(RunConfig {
        executor: Executor::Threads { threads },
        ..RunConfig::default()
    })
    .expect("valid");
    let mut ours = Vec::new();
    (case.run)(&rt, Some(&mut ours));
    let first = peer.run();
    let (theirs, _) = peer.output();
    let pairs = || ours.iter().zip(&theirs);
    let off = pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let finite = pairs().all(|(a, b)| a.is_finite() && b.is_finite());
    if ours.len() != theirs.len() || !finite || off > case.tolerance {
        return Err(format!(
            "the outputs differ by {off:e}, more than {:e}: no ratio",
            case.tolerance
        ));
    }
    // Each side runs twice in its turn: after the pause, and at once again, with what it needs in the
    // caches. A long case has no use for that.
    let (rounds, twice) = if first > 0.3 { (7, false) } else { (25, true) };
    let mut times: [[Vec<f64>; 2]; 2] = Default::default();
    let turns = if twice { 2 } else { 1 };
    for _ in 0..rounds {
        std::thread::sleep(PAUSE);
        for times in &mut times[..turns] {
            let start = Instant::now();
            (case.run)(&rt, None);
            times[0].push(start.elapsed().as_secs_f64());
        }
        std::thread::sleep(PAUSE);
        for times in &mut times[..turns] {
            times[1].push(peer.run());
        }
    }
    for (times, when) in times.into_iter().zip(["", ", again at once"]) {
        if times[0].is_empty() {
            continue;
        }
        let [own, other] = times.map(median);
        let rate = |seconds: f64| case.flops / seconds / 1e9;
        println!(
            "{title:<34} {threads}T  ours {:9.3} ms {:6.1} G/s  {:<19} {:9.3} ms {:6.1} G/s  {:.2} times as fast  off {off:.1e}{when}",
            own * 1e3,
            rate(own),
            peer.name,
            other * 1e3,
            rate(other),
            other / own,
        );
        if case.copies {
            let copied = copy(case.inputs[0].len());
            println!(
                "{title:<34} {threads}T  {:.1} times as long as a copy of the input on one thread{when}",
                own / copied
            );
        }
    }
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().filter(|word| !word.starts_with('-')).collect();
    for (title, make) in cases() {
        if !words.iter().all(|word| title.contains(word.as_str())) {
            continue;
        }
        let mut case = make();
        for threads in [1, 2] {
            for peer in ["torch", "onnxruntime"] {
                if let Err(reason) = compare(&title, &mut case, threads, peer) {
                    println!("{title:<30} {threads}T  {peer}: {reason}");
                }
            }
        }
    }
}

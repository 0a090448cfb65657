//! The matrix product of tiles inside a kernel, beside the `gemm` crate called directly and the
//! multiply-adds that a core can do.
//!
//! `cargo bench -p pl-runtime --bench matmul`
#![allow(missing_docs, reason = "a benchmark")]

use pl_runtime::dtype::DType;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Arena};
use std::hint::black_box;
use std::time::Instant;

const SITE: Site = Site::new(file!(), line!());

/// Seconds of each, the best of several runs of about 5 ms, in turn.
fn best<const N: usize>(mut runs: [&mut dyn FnMut(); N]) -> [f64; N] {
    let time = |run: &mut dyn FnMut(), count: usize| {
        let start = Instant::now();
        (0..count).for_each(|_| run());
        start.elapsed().as_secs_f64() / count as f64
    };
    let counts = runs
        .each_mut()
        .map(|run| (0.005 / time(*run, 3)).ceil() as usize);
    let mut best = [f64::INFINITY; N];
    for _ in 0..30 {
        for ((best, run), count) in best.iter_mut().zip(&mut runs).zip(counts) {
            *best = best.min(time(*run, count));
        }
    }
    best
}

fn rate(flops: f64, mut run: impl FnMut()) -> f64 {
    let [seconds] = best([&mut run]);
    flops / seconds
}

/// Multiply-adds of chains that do not wait for each other.
#[cfg(target_arch = "x86_64")]
fn peak() -> f64 {
    use std::arch::x86_64::{_mm256_fmadd_ps, _mm256_set1_ps, _mm512_fmadd_ps, _mm512_set1_ps};
    const CHAINS: usize = 12;
    const ROUNDS: usize = 20_000;

    #[target_feature(enable = "avx512f")]
    fn avx512() {
        let (factor, more) = (_mm512_set1_ps(black_box(0.999)), _mm512_set1_ps(0.001));
        let mut sums = [_mm512_set1_ps(1.0); CHAINS];
        for _ in 0..ROUNDS {
            // No closure: it would be compiled for the baseline.
            for sum in &mut sums {
                *sum = _mm512_fmadd_ps(*sum, factor, more);
            }
        }
        black_box(sums);
    }
    #[target_feature(enable = "avx2,fma")]
    fn avx2() {
        let (factor, more) = (_mm256_set1_ps(black_box(0.999)), _mm256_set1_ps(0.001));
        let mut sums = [_mm256_set1_ps(1.0); CHAINS];
        for _ in 0..ROUNDS {
            for sum in &mut sums {
                *sum = _mm256_fmadd_ps(*sum, factor, more);
            }
        }
        black_box(sums);
    }
    let flops = |lanes: usize| (2 * ROUNDS * CHAINS * lanes) as f64;
    let mut best = 0.0_f64;
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the machine has it.
        best = best.max(rate(flops(16), || unsafe { avx512() }));
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the machine has it.
        best = best.max(rate(flops(8), || unsafe { avx2() }));
    }
    best
}

/// Not measured on other machines.
#[cfg(not(target_arch = "x86_64"))]
fn peak() -> f64 {
    f64::NAN
}

fn direct(out: &mut [f32], [m, k, n]: [usize; 3], a: &[f32], b: &[f32], b_strides: [isize; 2]) {
    assert!(out.len() == m * n && a.len() == m * k && b.len() == k * n);
    // SAFETY: the lengths are those of the matrices.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            false,
            a.as_ptr(),
            1,
            k as isize,
            b.as_ptr(),
            b_strides[1],
            b_strides[0],
            0.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

fn main() {
    let peak = peak();
    println!("multiply-adds: {:.1} GFLOP/s", peak / 1e9);
    let products = [
        [64, 64, 64],
        [128, 128, 128],
        [256, 256, 256],
        [128, 64, 256],
        [128, 256, 64],
        [256, 128, 128],
    ];
    for [m, k, n] in products {
        for transposed in [false, true] {
            let flops = (2 * m * k * n) as f64;
            let (a, b) = (vec![0.5_f32; m * k], vec![0.25_f32; k * n]);
            let mut out = vec![0.0; m * n];
            let strides = if transposed {
                [1, k as isize]
            } else {
                [n as isize, 1]
            };
            let mut direct = || direct(&mut out, [m, k, n], &a, &b, strides);
            let mut arena = Arena::new(4 << 20, false).unwrap();
            let s = &arena.start_task();
            let x = tile::full(s, SITE, DType::F32, &[m, k], 0.5).unwrap();
            let b_dims = if transposed { [n, k] } else { [k, n] };
            let y = tile::full(s, SITE, DType::F32, &b_dims, 0.25).unwrap();
            let y = if transposed {
                tile::transpose(s, SITE, y).unwrap()
            } else {
                y
            };
            let mut dot = || {
                let scope = &s.enter(SITE);
                black_box(tile::dot(scope, SITE, x, y).unwrap());
            };
            let [ours, theirs] = best([&mut dot, &mut direct]).map(|seconds| flops / seconds);
            println!(
                "{m:>3}x{k:>3} by {k:>3}x{n:>3}{}: dot {:6.1} GFLOP/s, gemm alone {:6.1}, ratio {:.2}, of the peak {:.2}",
                if transposed {
                    " transposed"
                } else {
                    "           "
                },
                ours / 1e9,
                theirs / 1e9,
                ours / theirs,
                ours / peak,
            );
        }
    }
}

//! `alloc_tensors` of one tensor in a scope of its own, scope exit included, against `malloc` and
//! `free` of as many bytes.

use super::peer::Peers;
use super::{ENTRY, Effort, SITE, median, on_the_caller, report, runtime};
use pl_runtime::{DType, RunConfig, Runtime, Scalar, ScopeMode, TensorCreateInfo};
use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;
use std::time::Instant;

const CALLS: u64 = 200_000;

/// Touched: by an initial value.
fn ours(runtime: &Runtime, bytes: usize, calls: u64, touch: bool) -> f64 {
    let info = TensorCreateInfo::new(DType::U8, &[bytes]);
    let infos = [if touch {
        info.init(1_u8.to_value())
    } else {
        info
    }];
    let mut taken = 0.0;
    runtime
        .run(&ENTRY, [], |root, []| {
            let start = Instant::now();
            for _ in 0..calls {
                let scope = root.enter(ScopeMode::Auto, SITE)?;
                black_box(scope.alloc_tensors(SITE, &infos)?.get_ref(0));
            }
            taken = start.elapsed().as_nanos() as f64 / calls as f64;
            Ok(())
        })
        .expect("a scope of one tensor always fits");
    taken
}

fn theirs(bytes: usize, calls: u64, touch: bool) -> f64 {
    let layout = Layout::from_size_align(bytes, 16).expect("small");
    let start = Instant::now();
    for _ in 0..calls {
        // SAFETY: allocated and freed with the same layout, not zero bytes; written inside.
        unsafe {
            let block = black_box(alloc(layout));
            assert!(!block.is_null());
            if touch {
                block.write_bytes(1, bytes);
                black_box(block);
            }
            dealloc(block, layout);
        }
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

pub(crate) fn run(effort: Effort, _: Option<&Peers>) {
    let calls = CALLS / effort.divisor;
    let default = runtime(on_the_caller());
    // What a program that streams blocks of this size needs: a ring that fits the cache.
    let fitting = |bytes: usize| {
        runtime(RunConfig {
            ring_heap: (4 * bytes as u64).into(),
            ring_task_window: 16.into(),
            ..on_the_caller()
        })
    };
    println!("  nanoseconds for enter + alloc_tensors + exit / malloc + free");
    for bytes in [1 << 10, 4 << 10, 64 << 10, 1 << 20] {
        let fitted = fitting(bytes);
        let writes = (1 << 30) / bytes as u64 / effort.divisor;
        let writes = writes.clamp(10, calls.max(10));
        let mut runs = [const { Vec::new() }; 6];
        // One lap first: the pages of the ring are there.
        ours(&default, bytes, writes, true);
        for _ in 0..2 * effort.repetitions {
            runs[0].push(ours(&default, bytes, calls, false));
            runs[1].push(theirs(bytes, calls, false));
            runs[2].push(ours(&fitted, bytes, calls, false));
            runs[3].push(ours(&default, bytes, writes, true));
            runs[4].push(theirs(bytes, writes, true));
            runs[5].push(ours(&fitted, bytes, writes, true));
        }
        let [plain, malloc, small, touched, malloc_touched, small_touched] = runs.map(median);
        let kib = bytes >> 10;
        report(&format!("{kib} KiB, untouched"), plain, malloc, 1.0);
        report(
            &format!("{kib} KiB, untouched, 16 slots"),
            small,
            malloc,
            1.0,
        );
        let never = f64::INFINITY;
        report(
            &format!("{kib} KiB, touched"),
            touched,
            malloc_touched,
            never,
        );
        let what = format!("{kib} KiB, touched, ring of four blocks");
        report(&what, small_touched, malloc_touched, never);
    }
}

//! One tensor allocated in a streaming scope, beside `malloc` and `free` of as many bytes. Neither
//! side touches the memory.

use criterion::{Criterion, criterion_group, criterion_main};
use pl_runtime::{
    DType, Executor, KernelInfo, RunConfig, Runtime, ScopeMode, SerialOrder, Site, TensorCreateInfo,
};
use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SITE: Site = Site::new("alloc.rs", 1);
static ENTRY: KernelInfo = KernelInfo {
    name: "stream",
    file: "alloc.rs",
    line: 1,
    params: &[],
};

fn stream(runtime: &Runtime, bytes: usize, count: u64) -> Duration {
    let infos = [TensorCreateInfo::new(DType::U8, &[bytes])];
    let start = Instant::now();
    runtime
        .run(&ENTRY, [], |root, []| {
            for _ in 0..count {
                let scope = root.enter(ScopeMode::Auto, SITE)?;
                black_box(scope.alloc_tensors(SITE, &infos)?.get_ref(0));
            }
            Ok(())
        })
        .unwrap();
    start.elapsed()
}

fn allocations(c: &mut Criterion) {
    let config = RunConfig {
        executor: Executor::Serial {
            order: SerialOrder::ProgramOrder,
        },
        ..RunConfig::default()
    };
    let runtime = Runtime::new(config).unwrap();
    let mut group = c.benchmark_group("allocate and free");
    for bytes in [1 << 10, 64 << 10] {
        group.bench_function(format!("alloc_tensors, {bytes} bytes"), |b| {
            b.iter_custom(|count| stream(&runtime, bytes, count));
        });
        group.bench_function(format!("malloc, {bytes} bytes"), |b| {
            let layout = Layout::from_size_align(bytes, 16).unwrap();
            b.iter(|| {
                // SAFETY: allocated and freed with the same layout, not zero bytes.
                unsafe {
                    let block = black_box(alloc(layout));
                    assert!(!block.is_null());
                    dealloc(block, layout);
                }
            });
        });
    }
}

criterion_group!(benches, allocations);
criterion_main!(benches);

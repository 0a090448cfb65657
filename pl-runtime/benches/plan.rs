//! Planning a program of a million tasks: scopes of 64 tasks in a chain, an allocation in each.

#[path = "support/empty.rs"]
mod empty;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use empty::{KERNEL, empty};
use pl_runtime::plan::Plan;
use pl_runtime::{
    DType, EntryArg, Error, RunConfig, RunReport, Runtime, ScopeMode, Site, TaskArg, TaskSpec,
    TensorCreateInfo, shape,
};
use std::time::Duration;

const TASKS: u64 = 1_000_000;
const SITE: Site = Site::new("plan.rs", 1);

fn program(runtime: &Runtime) -> Result<RunReport, Error> {
    let args = [EntryArg::inout::<f32, 2>(shape([8, 8]))?];
    runtime.run(&KERNEL, args, |root, [x]| {
        for _ in 0..TASKS / 64 {
            let scope = root.enter(ScopeMode::Auto, SITE)?;
            let info = TensorCreateInfo::new(DType::F32, &[64, 64]);
            let a = scope.alloc_tensors(SITE, &[info])?.get_ref(0);
            let args = [TaskArg::Input(a), TaskArg::InOut(x)];
            for _ in 1..64 {
                scope.submit(SITE, TaskSpec::new(&KERNEL, empty, &args, &[]))?;
            }
        }
        Ok(())
    })
}

fn plan(c: &mut Criterion) {
    let mut group = c.benchmark_group("a million tasks");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.measurement_time(Duration::from_secs(10));
    let config = RunConfig::default();
    group.bench_function("plan", |b| b.iter(|| Plan::new(&config, program).unwrap()));
    let plan = Plan::new(&config, program).unwrap();
    group.bench_function("advice", |b| b.iter(|| plan.advice()));
    group.bench_function("predict", |b| b.iter(|| plan.predict(&config)));
    group.finish();
}

criterion_group!(benches, plan);
criterion_main!(benches);

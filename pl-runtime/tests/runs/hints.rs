//! What an error tells to do can be done: the values it names are accepted, and then it is gone.

use crate::common::{
    AFFINE, FILL, Outcome, UPDATE, alloc, info, nothings, run, says, serial, submit, threads,
};
use pl_runtime::{
    DType, Error, Executor, KernelInfo, OperationError, RunConfig, Runtime, Scope, ScopeMode,
    Scratch, Site, SliceItem, TaskArg, TaskArgs, TaskSpec, tile,
};

/// The number that follows `text`.
fn number_behind(error: &str, text: &str) -> Option<u64> {
    let digits = error.split_once(text)?.1;
    let end = digits.find(|c: char| !c.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
}

/// Does what the help of an error says of the configuration. `false` if it says nothing of it.
fn apply(error: &str, config: &mut RunConfig) -> bool {
    let help = error.rsplit_once("help: ").expect("every error helps").1;
    for ring in 0..4 {
        let field = |name: &str| format!("`RunConfig::{name}` of ring {ring} to ");
        if let Some(bytes) = number_behind(help, &field("ring_heap")) {
            config.ring_heap.0[ring] = bytes;
            return true;
        }
        if let Some(slots) = number_behind(help, &field("ring_task_window")) {
            config.ring_task_window.0[ring] = slots.try_into().unwrap();
            return true;
        }
    }
    if let Some(bytes) = number_behind(help, "`RunConfig::ring_heap` to ") {
        config.ring_heap = bytes.into();
        return true;
    }
    if let Some(bytes) = number_behind(help, "`RunConfig::scratch_bytes` to ") {
        config.scratch_bytes = bytes.try_into().unwrap();
        return true;
    }
    false
}

fn small() -> RunConfig {
    RunConfig {
        ring_heap: 4096.into(),
        ring_task_window: 4.into(),
        scratch_bytes: 1024,
        executor: serial(),
        ..RunConfig::default()
    }
}

type Body<'b> = &'b dyn Fn(&Scope<'_>) -> Outcome;

fn nested(root: &Scope<'_>, body: Body<'_>) -> Outcome {
    let one = root.enter(ScopeMode::Auto, site!())?;
    let two = one.enter(ScopeMode::Auto, site!())?;
    body(&two.enter(ScopeMode::Auto, site!())?)
}

static LARGE: KernelInfo = KernelInfo {
    name: "large",
    file: file!(),
    line: line!(),
    params: &[],
};

fn large(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let bytes = args.scalar::<u64>(0) as usize;
    tile::zeros(core, site!(), DType::U8, &[512])?;
    tile::zeros(core, site!(), DType::U8, &[bytes]).map(|_| ())
}

fn run_large(root: &Scope<'_>, bytes: u64) -> Outcome {
    let scalars = [pl_runtime::Scalar::to_value(bytes)];
    let task = TaskSpec::new(&LARGE, large, &[], &scalars);
    root.submit(site!(), task).map(|_| ())
}

#[test]
fn a_size_that_an_error_suggests_is_accepted_and_enough() {
    let bodies: [(&str, Body<'_>); 7] = [
        ("SCOPE_DEADLOCK", &|root| nothings(root, 4)),
        ("SCOPE_DEADLOCK", &|root| {
            nothings(&root.enter(ScopeMode::Manual, site!())?, 20)
        }),
        ("FLOW_CONTROL_DEADLOCK", &|root| {
            nested(root, &|three| {
                nothings(three, 3)?;
                nothings(&three.enter(ScopeMode::Auto, site!())?, 1)
            })
        }),
        ("can never fit", &|root| {
            alloc(root, site!(), 64, 64).map(|_| ())
        }),
        ("does not fit now", &|root| {
            (0..3).try_for_each(|_| alloc(root, site!(), 16, 32).map(|_| ()))
        }),
        ("scratch of this core is full", &|root| run_large(root, 600)),
        ("scratch of this core is full", &|root| {
            run_large(root, 100_000)
        }),
    ];
    for (text, body) in bodies {
        let mut config = small();
        let mut errors = 0;
        loop {
            let rt = Runtime::new(config.clone()).expect("suggested values are accepted");
            let Err(error) = run(&rt, body) else { break };
            let error = error.to_string();
            assert!(error.contains(text), "{error}");
            assert!(apply(&error, &mut config), "{error}");
            errors += 1;
            assert!(errors < 4, "it does not end: {error}");
        }
        assert!(errors > 0, "{text}");
    }
}

#[test]
fn a_size_that_nobody_accepts_is_not_suggested() {
    let rt = Runtime::new(small()).unwrap();
    for rows in [1_usize << 36, 1 << 45, 1 << 58] {
        let error = run(&rt, |root| alloc(root, site!(), rows, 1).map(|_| ())).unwrap_err();
        let error = error.to_string();
        let mut config = small();
        if apply(&error, &mut config) {
            config.validate().unwrap();
        } else {
            assert!(error.contains("shrink the tensors"), "{error}");
        }
    }
    for bytes in [1_u64 << 39, 1 << 41, 1 << 62, u64::MAX >> 2] {
        let error = run(&rt, |root| run_large(root, bytes)).unwrap_err();
        let error = error.to_string();
        let mut config = small();
        if apply(&error, &mut config) {
            config.validate().unwrap();
        } else {
            assert!(error.contains("use smaller tiles"), "{error}");
        }
    }
}

#[test]
fn a_value_that_a_refused_configuration_suggests_is_accepted() {
    let executor = Executor::Threads { threads: 5000 };
    let cases = [
        RunConfig {
            ring_heap: 1000.into(),
            ..small()
        },
        RunConfig {
            ring_heap: u64::MAX.into(),
            ..small()
        },
        RunConfig {
            ring_heap: (1 << 50).into(),
            ..small()
        },
        RunConfig {
            ring_task_window: 12.into(),
            ..small()
        },
        RunConfig {
            ring_task_window: u32::MAX.into(),
            ..small()
        },
        RunConfig {
            scratch_bytes: 5,
            ..small()
        },
        RunConfig {
            scratch_bytes: usize::MAX,
            ..small()
        },
        RunConfig {
            executor,
            ..small()
        },
    ];
    for mut config in cases {
        let mut errors = 0;
        while let Err(error) = config.validate() {
            let text = error.to_string();
            match error {
                Error::Config(error) => match (error.field, error.ring) {
                    ("ring_heap", Some(ring)) => {
                        config.ring_heap.0[ring] = error.suggestion.parse().unwrap();
                    }
                    ("ring_task_window", Some(ring)) => {
                        config.ring_task_window.0[ring] = error.suggestion.parse().unwrap();
                    }
                    ("scratch_bytes", None) => {
                        config.scratch_bytes = error.suggestion.parse().unwrap();
                    }
                    (_, _) => {
                        let threads = error.suggestion.parse().unwrap();
                        config.executor = Executor::Threads { threads };
                    }
                },
                _ => assert!(apply(&text, &mut config), "{text}"),
            }
            errors += 1;
            assert!(errors <= 4, "one correction for each ring: {text}");
        }
        assert!(errors > 0);
    }
}

#[test]
fn a_full_manual_scope_is_not_told_to_open_another_one_inside() {
    let rt = Runtime::new(small()).unwrap();
    let error = run(&rt, |root| {
        nothings(&root.enter(ScopeMode::Manual, site!())?, 4)
    })
    .unwrap_err();
    says(&error, &["close this MANUAL one, and open another"]);
    run(&rt, |root| {
        (0..4).try_for_each(|_| nothings(&root.enter(ScopeMode::Manual, site!())?, 1))
    })
    .unwrap();
    let error = run(&rt, |root| nothings(root, 4)).unwrap_err();
    says(&error, &["split the scope"]);
    run(&rt, |root| {
        (0..4).try_for_each(|_| nothings(&root.enter(ScopeMode::Auto, site!())?, 1))
    })
    .unwrap();
}

#[test]
fn a_window_full_of_tasks_around_is_free_when_their_scope_closes_before() {
    let rt = Runtime::new(small()).unwrap();
    let body = |closes: bool| {
        run(&rt, |root| {
            nested(root, &|three| {
                let scope = three.enter(ScopeMode::Auto, site!())?;
                nothings(&scope, 3)?;
                if closes {
                    drop(scope);
                    nothings(&three.enter(ScopeMode::Auto, site!())?, 1)
                } else {
                    nothings(&scope.enter(ScopeMode::Auto, site!())?, 1)
                }
            })
        })
    };
    let error = body(false).unwrap_err();
    says(&error, &["into a scope that closes before this call"]);
    body(true).unwrap();
}

/// Two tasks that touch the same bytes, in a scope of this mode; `apart`, other bytes; `declared`.
fn two_tasks(mode: ScopeMode, apart: bool, declared: bool) -> Result<(), Error> {
    let config = RunConfig {
        ring_task_window: 64.into(),
        executor: threads(2),
        ..small()
    };
    run(&Runtime::new(config)?, |root| {
        let x = alloc(root, site!(), 4, 4)?;
        let y = alloc(root, site!(), 4, 4)?;
        let scope = root.enter(mode, site!())?;
        let fill = [TaskArg::OutputExisting(x)];
        let first = submit(&scope, site!(), &FILL, &fill, 1, &[])?.task_id();
        let deps = [first];
        let deps = if declared { &deps[..] } else { &[] };
        if apart {
            submit(
                &scope,
                site!(),
                &FILL,
                &[TaskArg::OutputExisting(y)],
                1,
                deps,
            )
            .map(|_| ())
        } else {
            let args = [TaskArg::Input(x), TaskArg::InOut(x)];
            submit(&scope, site!(), &UPDATE, &args, 0, deps).map(|_| ())
        }
    })
    .map(|_| ())
}

#[test]
fn each_way_out_of_a_missing_dependency_is_one() {
    let error = two_tasks(ScopeMode::Manual, false, false).unwrap_err();
    says(
        &error,
        &[
            "use an AUTO scope",
            "touch different bytes",
            "by hand: `TaskSpec::deps`",
        ],
    );
    two_tasks(ScopeMode::Auto, false, false).unwrap();
    two_tasks(ScopeMode::Manual, true, false).unwrap();
    two_tasks(ScopeMode::Manual, false, true).unwrap();
}

#[test]
fn bounds_that_a_view_suggests_are_inside() {
    let site = Site::new("kernels.rs", 1);
    let view = pl_runtime::View::contiguous(DType::F32, &[4, 8]).unwrap();
    let refused = |item: SliceItem| {
        let error = view.slice(&[SliceItem::Full, item], site).unwrap_err();
        error.to_string()
    };
    let part = |start, end| view.slice(&[SliceItem::Full, SliceItem::Range(start, end)], site);
    let end = number_behind(&refused(SliceItem::Range(5, 9)), ".min(").unwrap();
    part(5, end as usize).unwrap();
    let start = number_behind(&refused(SliceItem::Range(9, 12)), "at most at ").unwrap();
    part(start as usize, 8).unwrap();
    let start = number_behind(&refused(SliceItem::From(9)), "at most at ").unwrap();
    part(start as usize, 8).unwrap();
    let end = number_behind(&refused(SliceItem::Range(5, 3)), "end it at ").unwrap();
    part(5, end as usize).unwrap();
    let last = number_behind(&refused(SliceItem::Index(8)), "use 0 to ").unwrap();
    let negative = refused(SliceItem::Index((-1_isize).cast_unsigned()));
    assert!(negative.contains("index -1 is outside"), "{negative}");
    let index = SliceItem::Index(last as usize);
    view.slice(&[SliceItem::Full, index], site).unwrap();
    let axis = |error: OperationError| {
        number_behind(&error.to_string(), "dimensions are 0 to ").unwrap() as usize
    };
    view.dim(axis(view.dim(2, site).unwrap_err()), site)
        .unwrap();
    let last = axis(view.transpose(0, 5, site).unwrap_err());
    view.transpose(0, last, site).unwrap();
    let single = pl_runtime::View::strided(DType::F32, 0, &[], &[]);
    let error = single.dim(0, site).unwrap_err().to_string();
    assert!(error.ends_with("dimensions are none"), "{error}");
    let empty = pl_runtime::View::contiguous(DType::F32, &[0]).unwrap();
    let error = empty.slice(&[SliceItem::Index(0)], site).unwrap_err();
    assert!(error.to_string().contains("it is empty"), "{error}");
}

#[test]
fn calls_that_are_not_allowed_work_as_their_errors_say() {
    let rt = Runtime::new(small()).unwrap();
    // MANUAL inside MANUAL, where AUTO was refused.
    let open = |outer, inner| {
        run(&rt, |root| {
            let outer = root.enter(outer, site!())?;
            outer.enter(inner, site!()).map(|_| ())
        })
    };
    let error = open(ScopeMode::Manual, ScopeMode::Auto).unwrap_err();
    says(&error, &["make it MANUAL too, or the outer one AUTO"]);
    open(ScopeMode::Manual, ScopeMode::Manual).unwrap();
    open(ScopeMode::Auto, ScopeMode::Auto).unwrap();
    // A type and an index.
    let error = run(&rt, |root| {
        let x = alloc(root, site!(), 2, 2)?;
        root.get::<f32>(site!(), x, &[0, 0]).map(|_| ())
    });
    says(&error.unwrap_err(), &["use the element type u32"]);
    let args = |root: &Scope<'_>, count: usize| {
        root.alloc_tensors(site!(), &vec![info(0, 1); count])
            .map(|_| ())
    };
    let error = run(&rt, |root| args(root, 33)).unwrap_err().to_string();
    let most = number_behind(&error, "allocate 1 to ").unwrap();
    run(&rt, |root| args(root, most as usize)).unwrap();
    let pass = |count: usize| {
        run(&rt, |root| {
            let x = alloc(root, site!(), 4, 4)?;
            submit(
                root,
                site!(),
                &AFFINE,
                &vec![TaskArg::Input(x); count],
                0,
                &[],
            )
            .map(|_| ())
        })
    };
    let error = pass(33).unwrap_err().to_string();
    assert_eq!(number_behind(&error, "pass at most "), Some(32));
}

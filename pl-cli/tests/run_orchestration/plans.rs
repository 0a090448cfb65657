//! Sources are planned and audited as other programs are.

use crate::program::{Run, command_of, ended, entry, pl, source};

fn of(command: &str, args: &[&str]) -> Run {
    ended(command_of(command, args).output().unwrap())
}

#[test]
fn a_plan_gives_the_smallest_heap_that_completes() {
    let strips = source("strips.cpp");
    let args = [
        strips.as_str(),
        "--arg",
        "x=ones:f16:256x64",
        "y=zeros:f16:256x64",
    ];
    of("plan", &args).ran(&[
        "plan of 96 tasks",
        "ring 1: 32 tasks, 16 allocations",
        "completes in the rings given",
    ]);
    let json = of("plan", &[&args[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let minimum = json["rings"][1]["heap"]["minimum"].as_u64().unwrap();
    for (heap, code) in [(minimum, 0), (minimum - 1024, 1)] {
        let heap = format!("0,{heap},0,0");
        let args = [&args[..], &["--ring-heap", &heap]].concat();
        let (plan, run) = (of("plan", &args), pl(&args));
        assert_eq!(
            (plan.code, run.code),
            (code, code),
            "{heap}: {}{}",
            plan.stdout,
            run.stderr
        );
        let told = [plan.stdout, run.stderr].map(|text| text.contains("HEAP_RING_DEADLOCK"));
        assert_eq!(told, [code == 1; 2], "{heap}");
    }
}

#[test]
fn an_audit_names_what_the_device_leaves_unordered() {
    let clean = source("blend.cpp");
    let args = [
        "--arg",
        "a=ones:f32:64x128",
        "b=ones:f32:64x128",
        "y=zeros:f32:64x128",
    ];
    assert_eq!(
        of("audit", &[&[clean.as_str()][..], &args].concat()).code,
        0
    );
    let unordered = entry(
        "unordered",
        "    const ChipTensor& x = orch_args.tensor(0).ref();\n    const ChipTensor& y = orch_args.tensor(1).ref();\n    \
         CoreTaskArgs reads;\n    reads.add_input(x);\n    reads.add_inout(y);\n    rt_submit_aiv_task(0, reads);\n    \
         CoreTaskArgs writes;\n    writes.add_output(x);\n    rt_submit_aiv_task(1, writes);",
    );
    let run = of(
        "audit",
        &[&unordered, "--arg", "x=zeros:f32:8", "y=zeros:f32:8"],
    );
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    for part in ["unordered.cpp:12", "unordered.cpp:15"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

/// What an audit of two tasks says, of a source whose scope and whose arguments are these.
fn audited(name: &str, scope: &str, first: &str, second: &str) -> Run {
    let body = format!(
        "    const ChipTensor& x = orch_args.tensor(0).ref();\n    {scope} {{\n    CoreTaskArgs one;\n    \
         one.{first}(x);\n    PTO2TaskId first = rt_submit_aiv_task(0, one).task_id();\n    (void)first;\n    \
         CoreTaskArgs two;\n    two.{second}(x);\n    HELP\n    rt_submit_aiv_task(1, two);\n    }}"
    );
    let body = body.replace("HELP", if name.ends_with("helped") { HELP } else { "" });
    of("audit", &[&entry(name, &body), "--arg", "x=shape:f32:8"])
}

/// As the audit says it, for the arguments of the second task.
const HELP: &str = "two.set_dependencies(&first, 1);";

#[test]
fn an_audit_of_cpp_says_in_cpp_what_helps_and_that_helps() {
    let (auto, manual) = ("PTO2_SCOPE()", "PTO2_SCOPE(PTO2ScopeMode::MANUAL)");
    for (name, scope, first, second, or) in [
        (
            "war",
            auto,
            "add_input",
            "add_output",
            "or pass it to both with `add_inout`",
        ),
        (
            "waw",
            auto,
            "add_output",
            "add_output",
            "`add_inout` in place of `add_output`",
        ),
        (
            "raw_manual",
            manual,
            "add_output",
            "add_input",
            "an AUTO scope, `PTO2_SCOPE()`",
        ),
    ] {
        let run = audited(name, scope, first, second);
        assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
        for part in ["set_dependencies(&first, 1)", ".task_id();`", or] {
            assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
        }
        assert!(!run.stdout.contains("submit!"), "{}", run.stdout);
        audited(&format!("{name}_helped"), scope, first, second).ran(&[]);
        let (first, second) = match name {
            "war" => ("add_inout", "add_inout"),
            "waw" => (first, "add_inout"),
            _ => (first, second),
        };
        audited(&format!("{name}_or"), auto, first, second).ran(&[]);
    }
}

#[test]
fn what_cannot_be_planned_is_refused_and_crashes_are_told() {
    for command in ["plan", "audit"] {
        of(command, &[&source("blend.cpp")]).failed(2, &["takes 3 arguments"]);
        of(
            command,
            &[&entry(&format!("{command}_aborts"), "    std::abort();")],
        )
        .failed(1, &["crashed with signal 6 (SIGABRT)"]);
        of(command, &["/nowhere/x.cpp"]).failed(2, &["No such file"]);
    }
}

/// A source whose first task is in a MANUAL scope, and the second one there or behind it.
fn two_writes(name: &str, ends_before_second: bool) -> String {
    let (before, after) = if ends_before_second {
        ("}", "")
    } else {
        ("", "}")
    };
    entry(
        name,
        &format!(
            "    const ChipTensor& x = orch_args.tensor(0).ref();\n    PTO2_SCOPE(PTO2ScopeMode::MANUAL) {{\n    \
             CoreTaskArgs one;\n    one.add_inout(x);\n    rt_submit_aiv_task(0, one);\n    {before}\n    \
             CoreTaskArgs two;\n    two.add_inout(x);\n    rt_submit_aiv_task(1, two);\n    {after}"
        ),
    )
}

#[test]
fn what_follows_a_manual_scope_may_be_ordered_by_an_auto_scope_in_its_place() {
    let audit = of(
        "audit",
        &[&two_writes("behind_manual", true), "--arg", "x=shape:f32:8"],
    );
    assert_eq!(audit.code, 1, "{}{}", audit.stdout, audit.stderr);
    for part in [
        "unordered on the device, once: `kernel 1`",
        "or open an AUTO scope, `PTO2_SCOPE()`, in place of the MANUAL one",
    ] {
        assert!(audit.stdout.contains(part), "{part}: {}", audit.stdout);
    }
}

#[test]
fn a_missing_dependency_of_cpp_is_told_in_cpp() {
    let source = two_writes("undeclared", false);
    let run = pl(&[&source, "--arg", "x=zeros:f32:8"]);
    run.failed(
        1,
        &[
            "orch_error_code=201 MISSING_DEPENDENCY",
            "let the second wait for the first: keep `PTO2TaskId first = ",
            "`set_dependencies(&first, 1)`",
        ],
    );
    assert!(!run.stderr.contains("submit!"), "{}", run.stderr);
}

#[test]
fn a_full_ring_says_which_option_records_what_fills_it() {
    let source = entry(
        "fills",
        "    uint32_t shapes[1] = {512};\n    TensorCreateInfo info(shapes, 1);\n    alloc_tensors(info);",
    );
    pl(&[&source, "--ring-heap", "1024"])
        .failed(1, &["HEAP_RING_DEADLOCK", "`--ring-heap` of ring 0"]);
    let twice = entry(
        "fills_twice",
        "    uint32_t shapes[1] = {512};\n    TensorCreateInfo info(shapes, 1);\n    alloc_tensors(info);\n    \
         alloc_tensors(info);",
    );
    let run = pl(&[&twice, "--ring-heap", "2048"]);
    run.failed(1, &["which scope fills it: run it with `--output DIR`"]);
    assert!(!run.stderr.contains("RunConfig"), "{}", run.stderr);
}

/// A source that opens as many scopes as an element says that a task writes.
fn computed() -> String {
    entry(
        "computed",
        "    const ChipTensor& x = orch_args.tensor(0).ref();\n    CoreTaskArgs params;\n    params.add_output(x);\n    \
         rt_submit_aiv_task(0, params);\n    uint32_t at[1] = {0};\n    \
         int32_t n = get_tensor_data<int32_t>(x, 1, at);\n    for (int32_t i = 0; i < n; ++i) PTO2_SCOPE() {\n    \
         CoreTaskArgs more;\n    more.add_input(x);\n    rt_submit_aiv_task(1, more);\n    }",
    )
}

#[test]
fn elements_that_a_task_computes_are_told_by_their_place() {
    let source = computed();
    let args = [source.as_str(), "--arg", "x=zeros:i32:8"];
    for command in ["plan", "audit"] {
        let run = of(command, &args);
        run.failed(
            1,
            &["is not known, as simulated runs, plans and audits compute nothing"],
        );
        let option = run.stderr.split_once("`--value ").expect("it says which");
        let value = option.1.split_once('`').unwrap().0;
        assert_eq!(value, "computed.cpp:12=1");
        of(command, &[&args[..], &["--value", value]].concat()).ran(&[]);
    }
    of(
        "plan",
        &[&args[..], &["--value", "computed.cpp:12=5"]].concat(),
    )
    .ran(&["plan of 6 tasks"]);
    of(
        "plan",
        &[&args[..], &["--value", "computed.cpp:12=0.5"]].concat(),
    )
    .failed(1, &["0.5 in `--value`, which is no i32"]);
    of(
        "plan",
        &[&args[..], &["--value", "computed.cpp=1"]].concat(),
    )
    .failed(2, &["`computed.cpp` is no file and line"]);
}

#[test]
fn a_plan_has_the_cores_of_the_run() {
    let source = entry(
        "cores",
        "    for (int32_t i = 0; i < rt_available_cluster_count(); ++i) {\n    CoreTaskArgs params;\n    \
         params.launch_spec.set_block_num(static_cast<int16_t>(rt_available_aiv_count()));\n    \
         params.launch_spec.set_require_sync_start(true);\n    rt_submit_aiv_task(0, params);\n    }",
    );
    for (clusters, tasks) in [("0", "8 tasks"), ("3", "3 tasks")] {
        let args = [source.as_str(), "--clusters", clusters];
        pl(&args).ran(&[tasks]);
        of("plan", &args).ran(&[tasks]);
    }
    let too_many = entry(
        "too_many_blocks",
        "    CoreTaskArgs params;\n    params.launch_spec.set_block_num(40);\n    \
         params.launch_spec.set_require_sync_start(true);\n    rt_submit_aiv_task(0, params);",
    );
    for command in ["run-orchestration", "plan"] {
        let error = ["REQUIRE_SYNC_START_INVALID", "raise `--clusters` to 20"];
        of(command, &[&too_many]).failed(1, &error);
        of(command, &[&too_many, "--clusters", "20"]).ran(&["1 task"]);
    }
}

#[test]
fn an_audit_is_printed_as_json() {
    let source = two_writes("as_json", true);
    let run = of("audit", &[&source, "--arg", "x=shape:f32:8", "--json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["hazards"][0]["second"]["kernel"], "kernel 1");
    assert_eq!(json["hazards"][0]["times"], 1);
}

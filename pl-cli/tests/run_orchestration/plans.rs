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

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
    assert!(
        run.stdout.contains("unordered.cpp:12") && run.stdout.contains("unordered.cpp:15"),
        "{}",
        run.stdout
    );
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

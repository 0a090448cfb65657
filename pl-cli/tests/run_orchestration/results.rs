//! Sources run, compute, and leave results.

use crate::program::{
    Run, command, ended, entry, folder, kernel, npy, pl, source, values, written,
};
use std::fs;
use std::process::Stdio;

const BLEND: [&str; 4] = [
    "--arg",
    "a=ones:f32:64x128",
    "b=ones:f32:64x128",
    "y=zeros:f32:64x128",
];

fn blend(more: &[&str]) -> Run {
    let source = source("blend.cpp");
    pl(&[&[source.as_str()][..], &BLEND, more].concat())
}

#[test]
fn the_examples_of_the_dialect_run_without_kernels() {
    blend(&[]).ran(&[
        "blend.cpp ran\n",
        "2 scopes",
        "ring 1: 2 tasks, 1 allocation, window 16384, heap 32768 of 268435456 bytes (demand 32768)",
    ]);
    let strips = source("strips.cpp");
    pl(&[&strips, "--arg", "x=ones:f16:256x64", "y=zeros:f16:256x64"]).ran(&[
        "33 scopes",
        "ring 1: 32 tasks, 16 allocations",
        "ring 2: 32 tasks, 16 allocations",
    ]);
    let join = source("join.cpp");
    for mode in ["i64:0", "i64:1"] {
        pl(&[
            &join,
            "--arg",
            "x=ones:f32:256",
            "y=zeros:f32:256",
            "--scalar",
            mode,
        ])
        .ran(&[
            "4 scopes",
            "ring 1: 0 tasks, 1 allocation",
            "ring 2: 4 tasks, 0 allocations",
        ]);
    }
}

#[test]
fn kernels_of_cpp_compute_on_files_of_numpy() {
    let folder = folder("compute");
    let a: Vec<f32> = (0..64 * 128).map(|i| i as f32).collect();
    npy(&folder.join("a.npy"), "64, 128", &a);
    let a_file = format!("a={}/a.npy", folder.display());
    let out = folder.join("out");
    let run = pl(&[
        &source("blend.cpp"),
        "--kernels",
        &kernel(0, "add_rows.cpp"),
        &kernel(1, "damp.cpp"),
        "--arg",
        &a_file,
        "b=ones:f32:64x128",
        "--arg",
        "y=zeros:f32:64x128",
        "--output",
        out.to_str().unwrap(),
    ]);
    run.ran(&[
        &format!("wrote {}/y.npy\n", out.display()),
        "scope_stats.jsonl  healthy",
        "run.json: entry `blend`",
        "blend.cpp:25",
    ]);
    let expected: Vec<f32> = a.iter().map(|a| 0.5 * (a + 1.0)).collect();
    assert_eq!(values(&out.join("y.npy")), expected);
    assert_eq!(values(&out.join("a.npy")), a);
    let mut files: Vec<_> = fs::read_dir(&out)
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["a.npy", "b.npy", "dfx_outputs", "y.npy"]);
}

#[test]
fn scalars_choose_a_branch() {
    let out = folder("branch");
    for (mode, expected) in [("i64:0", 1.0), ("bits:0x1", 2.0), ("i64:-1", 2.0)] {
        let run = pl(&[
            &source("join.cpp"),
            "--kernels",
            &kernel(3, "bump.cpp"),
            "--arg",
            "x=zeros:f32:256",
            "y=zeros:f32:256",
            "--scalar",
            mode,
            "--output",
            out.to_str().unwrap(),
        ]);
        run.ran(&[]);
        assert_eq!(values(&out.join("y.npy")), [expected; 256], "{mode}");
    }
}

#[test]
fn an_error_of_the_run_is_told_with_its_code_its_site_and_the_option_to_change() {
    blend(&["--ring-heap", "0,16K,0,0"]).failed(
        1,
        &[
            "blend.cpp: orch_error_code=2 HEAP_RING_DEADLOCK",
            "/blend.cpp:28, scope opened at ",
            "set `--ring-heap` of ring 1 to 32768",
        ],
    );
    blend(&["--ring-heap", "0,32768,0,0"]).ran(&["(demand 32768)"]);
    let many = entry(
        "many",
        "    uint32_t shape[1] = {16};\n    for (int i = 0; i < 9; ++i) {\n        TensorCreateInfo info(shape, 1, DataType::FLOAT32);\n        \
         alloc_tensors(info);\n    }",
    );
    pl(&[&many, "--ring-task-window", "8"]).failed(
        1,
        &[
            "orch_error_code=1 SCOPE_DEADLOCK",
            "many.cpp:",
            "`--ring-task-window`",
        ],
    );
    pl(&[&many, "--ring-task-window", "16"]).ran(&["ring 0: 0 tasks, 9 allocations, window 16"]);
    pl(&[&entry(
        "fatal",
        "    rt_report_fatal(17, \"tokens: %d\", 3);",
    )])
    .failed(1, &["orch_error_code=17", "tokens: 3"]);
}

#[test]
fn a_failed_run_leaves_statistics_and_no_results() {
    let out = folder("failed");
    let run = blend(&["--ring-heap", "16K", "--output", out.to_str().unwrap()]);
    run.failed(1, &["HEAP_RING_DEADLOCK"]);
    for text in [
        "scope_stats.jsonl  failed",
        "Open scopes",
        "Start at `blend.cpp:25`",
    ] {
        assert!(run.stdout.contains(text), "{text}\nin\n{}", run.stdout);
    }
    assert!(!out.join("y.npy").exists());
}

#[test]
fn what_a_source_prints_stays_visible() {
    let run = pl(&[&entry("prints", "    std::printf(\"hello\\n\");")]);
    run.ran(&["hello\n", "ran\n"]);
}

#[test]
fn another_entry_and_flags_of_the_compiler_can_be_named() {
    let source = written(
        "renamed",
        "#include \"pto_orchestration_api.h\"\nextern \"C\" void other(const ChipTaskArgs&) {\n    for (int i = 0; i < COUNT; ++i) PTO2_SCOPE() {}\n}\n",
    );
    pl(&[&source, "--entry", "other", "--cxx-flag", "-DCOUNT=5"]).ran(&["6 scopes"]);
    pl(&[&source, "--cxx-flag", "-DCOUNT=5"])
        .failed(2, &["does not define `aicpu_orchestration_entry`"]);
}

#[test]
fn runs_at_the_same_time_share_a_new_cache() {
    let cache = folder("shared_cache");
    let (source, add) = (source("blend.cpp"), kernel(0, "add_rows.cpp"));
    let args = [&[source.as_str()][..], &BLEND, &["--kernels", &add]].concat();
    let start = || {
        let mut command = command(&args);
        command
            .env("XDG_CACHE_HOME", &cache)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    for child in children {
        ended(child.wait_with_output().unwrap()).ran(&["blend.cpp ran"]);
    }
    let entries = fs::read_dir(cache.join("pl/cpp")).unwrap().count();
    assert_eq!(entries, 2, "one for each source, nothing half done");
}

//! Whatever a source does ends its own process, and is told.

use crate::program::{Run, entry, pl, written};

fn crash(name: &str, body: &str) -> Run {
    pl(&[&entry(name, body)])
}

#[test]
fn signals_are_told_with_their_name() {
    crash(
        "null",
        "    volatile int* volatile p = reinterpret_cast<int*>(8);\n    *p = 1;",
    )
    .failed(
        1,
        &[
            "null.cpp crashed with signal 11 (SIGSEGV), in the run",
            "help: ",
        ],
    );
    crash("aborts", "    std::abort();").failed(
        1,
        &["aborts.cpp crashed with signal 6 (SIGABRT), in the run"],
    );
    crash(
        "divides",
        "    volatile int zero = 0;\n    volatile int x = 7 / zero;\n    (void)x;",
    )
    .failed(
        1,
        &["divides.cpp crashed with signal 8 (SIGFPE), in the run"],
    );
    let recursion = written(
        "recursion",
        "#include \"pto_orchestration_api.h\"\nint deeper(volatile int n) { volatile char room[4096]; room[0] = char(n); return deeper(n + 1) + room[0]; }\n\
         extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs&) { deeper(0); }\n",
    );
    pl(&[&recursion]).failed(
        1,
        &[
            "has overflowed its stack",
            "crashed with signal 6 (SIGABRT), in the run",
            "a stack that is full (a recursion without end",
        ],
    );
}

#[test]
fn an_end_of_the_process_is_no_success() {
    for code in [0, 1, 2, 3] {
        crash(&format!("exits_{code}"), &format!("    std::exit({code});")).failed(
            1,
            &[
                &format!("ended the process with exit code {code}, in the run"),
                "return from the entry",
            ],
        );
    }
    crash("quick_exit", "    std::_Exit(0);")
        .failed(1, &["ended the process with exit code 0, in the run"]);
}

#[test]
fn exceptions_are_errors_of_the_run() {
    crash("throws", "    throw std::runtime_error(\"out of luck\");")
        .failed(1, &["orch_error_code=9", "out of luck"]);
    crash("throws_int", "    throw 7;").failed(1, &["orch_error_code=9"]);
}

#[test]
fn a_crash_before_and_after_the_run_is_told_as_such() {
    let before = written(
        "before",
        "#include <cstdlib>\n#include \"pto_orchestration_api.h\"\nstatic int crash = (std::abort(), 1);\n\
         extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs&) {}\n",
    );
    pl(&[&before]).failed(
        1,
        &[
            "crashed with signal 6 (SIGABRT), while ",
            "before.cpp was loaded",
        ],
    );
    let run = crash("after", "    std::atexit([] { std::abort(); });");
    run.failed(
        1,
        &["after.cpp crashed with signal 6 (SIGABRT), after the run"],
    );
    assert!(
        run.stdout.contains("after.cpp ran"),
        "its report is there: {}",
        run.stdout
    );
}

#[test]
fn a_process_that_a_source_forks_off_ends_with_its_entry() {
    let source = written(
        "forks",
        "#include <sys/wait.h>\n#include <unistd.h>\n#include \"pto_orchestration_api.h\"\n\
         extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs&) {\n    pid_t child = fork();\n    \
         if (child == 0) return;\n    int status = -1;\n    waitpid(child, &status, 0);\n    \
         if (status != 0) rt_report_fatal(9, \"status %d\", status);\n    PTO2_SCOPE() {}\n}\n",
    );
    let out = crate::program::folder("forks_out");
    let run = pl(&[&source, "--output", out.to_str().unwrap()]);
    run.ran(&["forks.cpp ran", "2 scopes", "scope_stats.jsonl  healthy"]);
    assert_eq!(
        run.stdout.matches("forks.cpp ran").count(),
        1,
        "{}",
        run.stdout
    );
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn kernels_crash_as_sources_do() {
    let kernel = |name: &str, body: &str| {
        let kernel = written(
            name,
            &format!(
                "#include <cstdlib>\n#include <stdexcept>\nextern \"C\" void kernel_entry(int64_t*) {{ {body} }}\n"
            ),
        );
        let arg = "y=zeros:f32:4";
        let source = entry(
            &format!("{name}_source"),
            "    CoreTaskArgs params;\n    params.add_inout(orch_args.tensor(0).ref());\n    rt_submit_aiv_task(0, params);",
        );
        pl(&[&source, "--kernels", &format!("0={kernel}"), "--arg", arg])
    };
    kernel("kernel_aborts", "std::abort();")
        .failed(1, &["crashed with signal 6 (SIGABRT), in the run"]);
    kernel("kernel_throws", "throw std::runtime_error(\"no luck\");")
        .failed(1, &["the kernel threw: no luck"]);
    kernel("kernel_returns", "").ran(&["ring 0: 1 task"]);
}

#[test]
fn a_source_that_scribbles_on_the_log_is_not_believed() {
    let run = crash(
        "scribbles",
        "    std::fputs(\"garbage\", stdin);\n    if (FILE* f = std::fopen(\"/proc/self/fd/0\", \"w\")) { std::fputs(\"x\\n\\n{}\\n\", f); std::fclose(f); }\n    std::_Exit(0);",
    );
    run.failed(1, &["ended the process with exit code 0"]);
}

#[test]
fn the_process_that_runs_sources_is_not_advertised() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_pl"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.contains("run-orchestration ") && !help.contains("run-orchestration-child"),
        "{help}"
    );
}

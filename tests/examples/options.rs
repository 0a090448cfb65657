//! What the examples say about their options: help, and what cannot be used.

use crate::program::{run, run_with};

#[test]
fn help_and_the_printed_kernel_are_no_failures() {
    for example in ["hello_world", "softmax", "attention", "attention_family"] {
        let help = run(example, "--help");
        assert_eq!(help.code, Some(0));
        for option in ["--seed", "--threads", "--serial", "--ring-heap", "--print"] {
            assert!(help.stdout.contains(option), "{option}: {}", help.stdout);
        }
        for (form, part) in [
            ("ir", "submit "),
            ("rust", ".submit("),
            ("cpp", "rt_submit_aiv_task("),
        ] {
            let printed = run(example, &format!("--print {form}"));
            assert_eq!(printed.code, Some(0), "{}", printed.stderr);
            assert!(printed.stdout.contains(part), "{}", printed.stdout);
        }
        run(example, "--print python").refused(&["--print", "python"]);
    }
}

#[test]
fn sizes_that_no_example_can_have_are_refused() {
    let whole = "a size is a whole number, at least 1";
    for example in ["hello_world", "softmax"] {
        for size in ["0", "-3", "abc", "1.5", "", "1e3", "-0", "+"] {
            for args in [["--rows", size], ["--cols", size]] {
                run_with(example, args).refused(&[args[0], size, whole]);
            }
        }
        run(example, "--rows=-3").refused(&["--rows", "-3", whole]);
        run(example, "--rows").refused(&["--rows", "value"]);
        let larger = format!("--rows {}0", usize::MAX);
        run(example, &larger).refused(&["--rows", "make it smaller"]);
        run(example, "--rows 1000000 --cols 1000000").refused(&["bytes", "smaller"]);
        let max = usize::MAX;
        run(example, &format!("--rows {max} --cols {max}")).refused(&["smaller"]);
        run(example, &format!("--rows {max} --cols 1")).refused(&["smaller"]);
    }
    for option in ["--heads", "--kv-heads", "--head-dim", "--queries", "--keys"] {
        for size in ["0", "-3", "abc"] {
            run("attention", &format!("{option} {size}")).refused(&[option, size, whole]);
        }
    }
    let lengths = [
        "--head-dim",
        "--queries",
        "--keys",
        "--window",
        "--block-size",
    ];
    for option in lengths {
        for size in ["0", "-3", "abc", "1,"] {
            run("attention_family", &format!("{option} {size}")).refused(&[option, whole]);
        }
    }
    for example in ["attention", "attention_family"] {
        run(example, "--keys 999999999").refused(&["bytes", "smaller"]);
    }
    run("attention", "--heads 6 --kv-heads 4").refused(&["--heads 6", "--kv-heads 4"]);
    run(
        "attention",
        "--head-dim 1000000 --heads 1 --kv-heads 1 --queries 1 --keys 1",
    )
    .refused(&["--head-dim 1000000", "scratch"]);
}

#[test]
fn options_that_cannot_be_used_are_refused() {
    run("hello_world", "--nonsense").refused(&["--nonsense"]);
    run("hello_world", "--serial --threads 2").refused(&["--serial"]);
    run("hello_world", "--threads -2").refused(&["--threads", "-2"]);
    run("hello_world", "--seed -1").refused(&["--seed", "-1"]);
    run("hello_world", "--ring-heap -1").refused(&["--ring-heap", "-1"]);
    run("hello_world", "--threads 9999").refused(&["threads", "1024"]);
    run("hello_world", "--ring-heap 1,2").refused(&["--ring-heap", "1 or 4"]);
    run("hello_world", "--ring-heap 1000").refused(&["ring_heap", "1024"]);
    run("hello_world", "--ring-task-window 0,0,0,12").refused(&["ring 3", "12", "16"]);
    run("softmax", "--input x.npy --rows 3").refused(&["--input", "--rows"]);
    for (args, parts) in [
        ("--dtype f64", &["--dtype", "f64", "f32, f16, bf16"][..]),
        ("--kernel paging", &["--kernel", "flash, prefetch, paged"]),
        ("--block-size 16", &["--block-size needs --kernel paged"]),
        ("--wrong-block 3", &["--wrong-block needs --kernel paged"]),
        ("--heads 3", &["--heads 3", "--kv-heads 2"]),
        ("--head-dim 100000", &["--head-dim 100000", "scratch"]),
        ("--timing --keys 3000000000", &["--keys 3000000000", "i32"]),
        (
            "--timing --kernel paged --block-size 1 --keys 1000000000",
            &["bytes", "smaller"],
        ),
    ] {
        run("attention_family", args).refused(parts);
    }
}

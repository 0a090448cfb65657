//! The examples as a user runs them: last line, exit code, and what they say about bad input.

#[path = "examples/files.rs"]
mod files;
#[path = "examples/options.rs"]
mod options;
#[path = "examples/program.rs"]
mod program;
#[path = "examples/recordings.rs"]
mod recordings;
#[path = "examples/room.rs"]
mod room;

use program::{output, program, run, temporary};

const SMALL_ATTENTION: &str = "--heads 4 --kv-heads 2 --head-dim 64 --queries 96";

#[test]
fn hello_world_has_16_tasks_on_ring_3_and_26_scopes() {
    for executor in ["", "--threads 1", "--threads 3", "--serial"] {
        let run = run("hello_world", executor).passes();
        assert!(run.stdout.contains("26 scopes"), "{}", run.stdout);
        let rings: Vec<&str> = run
            .stdout
            .lines()
            .filter(|l| l.starts_with("ring "))
            .collect();
        assert!(
            matches!(rings[..], [ring] if ring.starts_with("ring 3: 16 tasks")),
            "{rings:?}"
        );
    }
}

#[test]
fn every_size_from_1_works() {
    for args in [
        "--rows 1 --cols 1",
        "--rows 129 --cols 257",
        "--rows 127 --cols 600 --a -3",
    ] {
        run("hello_world", args).passes();
    }
    for args in [
        "--rows 1 --cols 1",
        "--rows 33 --cols 1025",
        "--rows 65 --cols 3000",
    ] {
        run("softmax", args).passes();
    }
    for args in [
        "--heads 1 --kv-heads 1 --head-dim 1 --queries 1 --keys 1",
        "--heads 6 --kv-heads 2 --head-dim 5 --queries 3 --keys 7",
        "--heads 2 --kv-heads 1 --head-dim 129 --queries 131 --keys 129",
        "--heads 1 --kv-heads 1 --head-dim 128 --queries 129 --keys 257",
        "--heads 1 --kv-heads 1 --head-dim 3000 --queries 9 --keys 20",
    ] {
        run("attention", args).passes();
    }
}

#[test]
fn the_attention_family_is_right_in_each_type_at_any_lengths() {
    for kernel in ["flash", "prefetch", "paged"] {
        for dtype in ["f32", "f16", "bf16"] {
            for args in [
                "--keys 1 --queries 1 --heads 1 --kv-heads 1 --head-dim 1",
                // More queries than keys; heads that do not divide the rows of a tile.
                "--keys 7 --queries 19 --heads 3 --kv-heads 1 --head-dim 5",
                "--causal --keys 7 --queries 19 --heads 3 --kv-heads 3 --head-dim 5",
                // Behind, in and before the diagonal, at the edges of tiles and blocks.
                "--keys 300,37,129 --queries 131 --head-dim 16",
                "--causal --keys 300,37,129,128 --queries 131 --head-dim 16",
                "--causal --keys 129 --queries 129 --heads 2 --kv-heads 2 --head-dim 33",
                "--window 70 --keys 300,37 --queries 131 --head-dim 16",
                "--window 1 --keys 65,64,63 --queries 19 --head-dim 16",
                // Decode.
                "--window 33 --keys 333,1,129 --queries 1 --heads 6 --kv-heads 2 --head-dim 16",
                "--causal --keys 2000,1 --queries 1 --head-dim 16 --serial",
            ] {
                run(
                    "attention_family",
                    &format!("--kernel {kernel} --dtype {dtype} {args}"),
                )
                .passes();
            }
        }
    }
    for size in [1, 3, 200, 5000] {
        let args =
            format!("--kernel paged --window 90 --keys 300,5 --queries 40 --block-size {size}");
        run("attention_family", &args).passes();
    }
}

#[test]
fn a_block_that_the_cache_does_not_have_is_an_error_with_its_number() {
    for number in ["-1", "16", "2147483647"] {
        let args = format!("--kernel paged --keys 1000 --queries 1 --wrong-block {number}");
        for executor in ["", "--serial", "--timing"] {
            let run = run("attention_family", &format!("{args} {executor}"));
            let error = run.fails();
            let index = format!("index {number} is outside of dimension 0");
            for part in ["attention_family/paged.rs:", &index, "use 0 to 15"] {
                assert!(error.contains(part), "{part}: {error}");
            }
        }
    }
}

#[test]
fn every_example_can_be_simulated_at_sizes_that_no_machine_holds() {
    for (example, args) in [
        ("hello_world", "--rows 100000 --cols 10000"),
        ("softmax", "--rows 100000 --cols 1000000"),
        ("attention", "--queries 1 --keys 10000000"),
        (
            "attention_family",
            "--queries 1 --keys 1048576 --dtype bf16",
        ),
        (
            "attention_family",
            "--queries 1 --keys 1048576 --kernel prefetch",
        ),
        (
            "attention_family",
            "--queries 1 --keys 1048576,30 --kernel paged --heads 64 --kv-heads 1",
        ),
    ] {
        let args = format!("--timing {args}");
        let run = run(example, &args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("\nsimulated "), "{}", run.stdout);
        assert!(run.stdout.contains("\nkernel "), "{}", run.stdout);
    }
    run("attention", "--timing --serial").refused(&["--timing", "--serial"]);
    run("softmax", "--timing --input x.npy").refused(&["--timing", "--input"]);
}

#[test]
fn the_device_orders_the_tasks_of_every_example() {
    for (example, args) in [
        ("hello_world", ""),
        ("softmax", ""),
        ("attention", SMALL_ATTENTION),
        ("attention_family", ""),
        ("attention_family", "--kernel paged --keys 300,7"),
    ] {
        let audit = run(example, &format!("{args} --audit"));
        assert_eq!(audit.code, Some(0), "{}", audit.stderr);
        let clean = "the device orders every pair of accesses in conflict";
        assert_eq!(audit.last_line(), clean, "{}", audit.stdout);
    }
}

#[test]
fn every_example_does_the_same_as_the_cpp_that_is_printed_for_it() {
    for (example, args) in [
        ("hello_world", ""),
        ("softmax", ""),
        ("attention", SMALL_ATTENTION),
        (
            "attention_family",
            "--heads 2 --kv-heads 1 --keys 300,7 --queries 40",
        ),
        ("attention_family", "--kernel paged --keys 300,7"),
    ] {
        let mut program = program(example);
        program
            .args(args.split_whitespace())
            .env("PL_CHECK_CPP", "1")
            .env("XDG_CACHE_HOME", temporary("cache"));
        output(&mut program).passes();
    }
}

/// What `--print snapshot` says of an example is in its snapshot.
#[test]
fn every_example_becomes_what_its_snapshot_says() {
    for (example, args, name) in [
        ("hello_world", "", "hello_world"),
        ("softmax", "", "softmax"),
        ("attention", "", "attention"),
        ("attention_family", "", "attention_family_flash"),
        (
            "attention_family",
            "--kernel prefetch",
            "attention_family_prefetch",
        ),
        (
            "attention_family",
            "--kernel paged",
            "attention_family_paged",
        ),
    ] {
        let printed = run(example, &format!("{args} --print snapshot"));
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
        insta::assert_snapshot!(name, printed.stdout);
    }
}

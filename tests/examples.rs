//! The examples as a user runs them: last line, exit code, and what they say about bad input.

#[path = "examples/recordings.rs"]
mod recordings;

use ndarray::Array2;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a program left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    #[track_caller]
    fn passes(self) -> Self {
        let right = self.code == Some(0) && self.last_line().starts_with("PASS max_err=");
        assert!(right, "{:?}\n{}\n{}", self.code, self.stdout, self.stderr);
        self
    }

    /// Ends with 2 and one line that has all of `parts`.
    #[track_caller]
    fn refused(self, parts: &[&str]) {
        let Self {
            code,
            stdout,
            stderr,
        } = &self;
        assert_eq!(*code, Some(2), "{stdout}\n{stderr}");
        assert!(
            stdout.is_empty() && stderr.starts_with("error: "),
            "{stdout}\n{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
    }

    /// Ends with 1; the last line starts with FAIL. Gives what was written to stderr.
    #[track_caller]
    fn fails(self) -> String {
        assert_eq!(self.code, Some(1), "{}\n{}", self.stdout, self.stderr);
        assert!(self.last_line().starts_with("FAIL "), "{}", self.stdout);
        self.stderr
    }
}

fn run(example: &str, args: &str) -> Run {
    run_with(example, args.split_whitespace())
}

fn run_with(example: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    output(program(example).args(args))
}

fn program(example: &str) -> Command {
    Command::new(folder().join(format!("{example}{}", std::env::consts::EXE_SUFFIX)))
}

fn output(program: &mut Command) -> Run {
    let output = program.output().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Where the examples are, built from the sources as they are now. Cargo builds them before it runs
/// all tests, but not for `cargo test --test examples`; if there is nothing to do, this takes no time.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // target/profile/deps/this
        let this = std::env::current_exe().unwrap();
        let [profile, target] = [2, 3].map(|up| this.ancestors().nth(up).unwrap());
        let name = match profile.file_name().and_then(OsStr::to_str).unwrap() {
            "debug" => "dev",
            name => name,
        };
        let status = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["build", "--workspace", "--examples", "--frozen", "--quiet"])
            .args(["--profile", name])
            .arg("--target-dir")
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the examples cannot be built");
        profile.join("examples")
    })
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A path in the folder that cargo gives tests to write to.
fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

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
fn a_seed_decides_the_inputs() {
    let print = |seed: &str| {
        let path = temporary(&format!("seed_{seed}.npy"));
        run(
            "softmax",
            &format!(
                "--rows 2 --cols 2 --seed {seed} --output {}",
                path.display()
            ),
        )
        .passes();
        std::fs::read(path).unwrap()
    };
    assert_eq!(print("7"), print("7"));
    assert_ne!(print("7"), print("8"));
}

#[test]
fn softmax_gives_the_answer_of_numpy() {
    for name in ["small", "single", "wide", "fortran", "extreme", "late"] {
        let x = data(&format!("softmax_{name}_x.npy"));
        let y = temporary(&format!("softmax_{name}.npy"));
        run_with(
            "softmax",
            [
                "--input".as_ref(),
                x.as_os_str(),
                "--output".as_ref(),
                y.as_os_str(),
            ],
        )
        .passes();
        let got: Array2<f32> = ndarray_npy::read_npy(y).unwrap();
        let want: Array2<f32> =
            ndarray_npy::read_npy(data(&format!("softmax_{name}_y.npy"))).unwrap();
        assert_eq!(got.dim(), want.dim());
        for (index, &want) in want.indexed_iter() {
            let got = got[index];
            let same = (got - want).abs() <= 1e-6 || got.is_nan() && want.is_nan();
            assert!(same, "{name} {index:?}: {got} instead of {want}");
        }
    }
}

#[test]
fn an_input_that_cannot_be_used_is_refused_in_one_line() {
    let softmax = |path: &Path| run_with("softmax", ["--input".as_ref(), path.as_os_str()]);
    for (name, parts) in [
        ("missing.npy", &["missing.npy"][..]),
        ("bad_float64.npy", &["bad_float64.npy", "<f8", "np.float32"]),
        ("bad_int32.npy", &["i32", "np.float32"]),
        ("bad_rank_1.npy", &["1 dimensions, not 2"]),
        ("bad_rank_3.npy", &["3 dimensions, not 2"]),
        ("bad_empty.npy", &["without elements"]),
        ("make_golden.py", &["not a .npy file"]),
        (".", &["not a regular file"]),
    ] {
        softmax(&data(name)).refused(parts);
    }
}

#[test]
fn elements_may_stand_at_any_byte_of_a_file() {
    let path = temporary("unaligned.npy");
    for padding in 0..4 {
        let text = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}}{}\n",
            " ".repeat(padding)
        );
        let length = u32::try_from(text.len()).unwrap().to_le_bytes();
        let bytes = [b"\x93NUMPY\x02\x00", &length[..], text.as_bytes(), &[0; 8]].concat();
        std::fs::write(&path, bytes).unwrap();
        run_with("softmax", ["--input".as_ref(), path.as_os_str()]).passes();
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_damaged_file_is_refused_wherever_it_ends() {
    let whole = std::fs::read(data("softmax_single_x.npy")).unwrap();
    let path = temporary("damaged.npy");
    let refuses = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        run_with("softmax", ["--input".as_ref(), path.as_os_str()]).refused(&["damaged.npy"]);
    };
    for length in [0, 5, 6, 8, 9, 10, 11, 70, 127, 128, whole.len() - 1] {
        refuses(&whole[..length]);
    }
    refuses(&[&whole[..], b"more"].concat());
    let header = |text: &str| {
        let length = u16::try_from(text.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes(), &[0; 8]].concat()
    };
    let shape = |shape: &str| {
        header(&format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}\n"
        ))
    };
    refuses(&shape("(4000000000, 1000000000)"));
    refuses(&shape("(0, 18446744073709551615)"));
    refuses(&shape("(99999999999999999999, 1)"));
    refuses(&shape("(-1, 2)"));
    refuses(&header(&"(".repeat(60_000)));
    refuses(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}");
}

/// Runs softmax with an output that cannot be written; its one line to stderr.
fn refused_output(path: &Path) -> String {
    let run = run_with("softmax", ["--output".as_ref(), path.as_os_str()]);
    assert_eq!(run.code, Some(2), "{}\n{}", run.stdout, run.stderr);
    assert!(
        !run.last_line().starts_with("PASS max_err"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let named = format!("error: {}: cannot be written: ", path.display());
    assert!(run.stderr.starts_with(&named), "{}", run.stderr);
    run.stderr
}

#[test]
fn an_output_that_cannot_be_written_is_refused() {
    refused_output(&data("no/such/folder.npy"));
    refused_output(&data("softmax_small_x.npy/y.npy"));
    let error = refused_output(&data("."));
    assert!(error.contains("it is a folder"), "{error}");
    if cfg!(target_os = "linux") {
        refused_output(Path::new("/proc/softmax.npy"));
        let error = refused_output(Path::new("/dev/full"));
        assert!(error.contains("No space left"), "{error}");
        let metadata = std::fs::metadata("/dev/full").unwrap();
        assert!(!metadata.is_file(), "a device is never replaced");
    }
}

#[test]
fn an_output_is_replaced_as_a_whole_or_not_at_all() {
    let folder = temporary("outputs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("y.npy");
    std::fs::write(&path, "old").unwrap();
    let softmax = |path: &Path| run_with("softmax", ["--output".as_ref(), path.as_os_str()]);
    run("softmax", &format!("--rows 0 --output {}", path.display())).refused(&["--rows"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    softmax(&path).passes();
    let written: Array2<f32> = ndarray_npy::read_npy(&path).unwrap();
    assert_eq!(written.dim(), (512, 256));
    #[cfg(unix)]
    {
        let link = folder.join("link.npy");
        std::os::unix::fs::symlink("y.npy", &link).unwrap();
        std::fs::write(&path, "old").unwrap();
        softmax(&link).passes();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        let _: Array2<f32> = ndarray_npy::read_npy(&path).unwrap();
        std::fs::remove_file(link).unwrap();
    }
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left: {left:?}");
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

const SMALL_ATTENTION: &str = "--heads 4 --kv-heads 2 --head-dim 64 --queries 96";

#[test]
fn attention_needs_scratch_and_heap_that_do_not_depend_on_the_context() {
    let reports = ["512", "8192"].map(|keys| {
        let args = format!("{SMALL_ATTENTION} --keys {keys} --ring-heap 65536");
        let report = run("attention", &args).passes().stdout;
        let of_rings = |line: &&str| line.starts_with("ring ") || line.contains("peak scratch");
        report
            .lines()
            .filter(of_rings)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    assert_eq!(reports[0], reports[1]);
    assert!(reports[0][1].contains("of 65536 bytes"), "{reports:?}");
}

#[test]
fn attention_without_scratch_scope_overflows_the_scratch() {
    let args = format!("{SMALL_ATTENTION} --keys 8192 --no-scratch-scope");
    for executor in ["", " --serial"] {
        let error = run("attention", &format!("{args}{executor}")).fails();
        for part in [
            "attend_without_scope",
            "requested",
            "used",
            "1048576",
            "scratch_scope!",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
    run(
        "attention",
        &format!("{SMALL_ATTENTION} --keys 64 --no-scratch-scope"),
    )
    .passes();
}

#[test]
fn a_ring_that_is_too_small_fails_with_a_size_that_works() {
    let args = format!("{SMALL_ATTENTION} --keys 64 --ring-heap");
    let error = run("attention", &format!("{args} 1024")).fails();
    assert!(
        error.contains("HEAP_RING_DEADLOCK") && error.contains("ring 1"),
        "{error}"
    );
    let (_, size) = error.split_once("of ring 1 to ").expect("a suggestion");
    run("attention", &format!("{args} {}", size.trim())).passes();
}

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

/// Figure `name` of what a plan says of each ring, `unused` for rings that it does not name.
fn planned(plan: &str, name: &str, unused: u64) -> [u64; 4] {
    let mut figures = [unused; 4];
    let mut ring = 0;
    for line in plan.lines() {
        if let Some(rest) = line.strip_prefix("ring ") {
            ring = rest[..1].parse().unwrap();
        }
        if line.trim_start().starts_with(name) {
            let (_, rest) = line.split_once("minimum ").expect(line);
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            figures[ring] = digits.unwrap().parse().unwrap();
        }
    }
    figures
}

#[test]
fn with_the_planned_minimum_every_example_completes_and_with_one_step_less_it_fails_as_predicted() {
    for (example, args) in [
        ("hello_world", ""),
        ("softmax", ""),
        (
            "attention",
            "--heads 4 --kv-heads 2 --head-dim 64 --queries 96 --keys 64",
        ),
        (
            "attention_family",
            "--heads 2 --kv-heads 1 --keys 300,7 --queries 40",
        ),
        (
            "attention_family",
            "--heads 2 --kv-heads 1 --keys 300,7 --kernel paged",
        ),
    ] {
        let list = |values: [u64; 4]| values.map(|value| value.to_string()).join(",");
        let plan = run(example, &format!("{args} --plan")).stdout;
        let heaps = planned(&plan, "heap:", 1024);
        let windows = planned(&plan, "task window:", 4);
        let with = |heaps, windows| {
            format!(
                "{args} --ring-heap {} --ring-task-window {}",
                list(heaps),
                list(windows)
            )
        };
        run(example, &with(heaps, windows)).passes();
        for ring in 0..4 {
            let mut less = [(heaps, windows), (heaps, windows)];
            less[0].0[ring] -= 1024;
            less[1].1[ring] /= 2;
            for (heaps, windows) in less {
                if heaps[ring] == 0 || windows[ring] < 4 {
                    continue;
                }
                let args = with(heaps, windows);
                let plan = run(example, &format!("{args} --plan")).stdout;
                let predicted = plan
                    .split_once("fails in the rings given: ")
                    .expect(&plan)
                    .1;
                let error = run(example, &args).fails();
                assert!(error.contains(predicted.trim_end()), "{predicted}: {error}");
            }
        }
    }
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
fn saved_inputs_give_the_same_outputs_again() {
    let saved = temporary("saved_inputs");
    let _ = std::fs::remove_dir_all(&saved);
    let place = saved.to_str().expect("a path of this repository");
    for (example, args) in [
        ("softmax", "--rows 40 --cols 30"),
        ("attention_family", "--keys 50,7 --queries 9 --dtype f16"),
    ] {
        for place in [
            format!("{place}/{example}"),
            format!("{place}/{example}.safetensors"),
        ] {
            run(example, &format!("{args} --seed 7 --save-data {place}")).passes();
            let replayed = run(example, &format!("{args} --golden-data {place}")).passes();
            let drawn = run(example, &format!("{args} --seed 7")).passes();
            let verdict = |run: &Run| run.last_line().split(" (").next().unwrap().to_owned();
            assert_eq!(verdict(&replayed), verdict(&drawn));
        }
    }
    run(
        "softmax",
        &format!("--rows 41 --cols 30 --golden-data {place}/softmax"),
    )
    .refused(&["`x`", "[40, 30], not [41, 30]"]);
    run("softmax", "--golden-data no/such/folder").refused(&["no/such/folder/x.npy"]);
    run("softmax", "--golden-data x --seed 3").refused(&["--golden-data", "--seed"]);
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

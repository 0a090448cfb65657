//! Where the files of all recordings go, and what becomes of them when they cannot be written.

use super::*;
use crate::common::{in_a_process, is_the_process};
use std::thread;

/// All files of a run of [`program`] that is not simulated, but for the arguments.
const FILES: [&str; 7] = [
    "args_dump/args_dump.json",
    "chip_swimlane/merged_swimlane.json",
    "dep_gen/deps.dot",
    "dep_gen/deps.json",
    "pmu/pmu.csv",
    "scope_stats/run.json",
    "scope_stats/scope_stats.jsonl",
];

fn without_arguments(dir: &WorkDir) -> Vec<String> {
    let mut files = dir.files();
    files.retain(|name| !name.starts_with("args_dump/run-"));
    files
}

#[test]
fn each_flag_writes_its_own_files_and_all_are_off_by_default() {
    let dir = WorkDir::new("flags");
    let files = |set: fn(&mut RunConfig)| {
        let mut config = dir.config(serial());
        set(&mut config);
        let report = run_program(config);
        let files = without_arguments(&dir);
        assert_eq!(report.reports.is_some(), !files.is_empty());
        drop(fs::remove_dir_all(&dir.0));
        files
    };
    assert_eq!(files(|_| {}), [""; 0]);
    assert_eq!(
        files(|config| config.enable_dump_args = Some(DumpArgs::all())),
        FILES[..1]
    );
    assert_eq!(
        files(|config| config.enable_chip_swimlane = true),
        FILES[1..2]
    );
    assert_eq!(files(|config| config.enable_dep_gen = true), FILES[2..4]);
    assert_eq!(files(|config| config.enable_pmu = true), FILES[4..5]);
    assert_eq!(files(|config| config.enable_scope_stats = true), FILES[5..]);
}

#[test]
fn what_goes_to_files_needs_a_folder() {
    let refused = |set: fn(&mut RunConfig)| {
        let mut config = RunConfig::default();
        set(&mut config);
        Runtime::new(config).unwrap_err()
    };
    let parts = ["`RunConfig::work_dir` is not set", "build_output"];
    for (field, set) in [
        (
            "enable_chip_swimlane",
            (|c| c.enable_chip_swimlane = true) as fn(&mut RunConfig),
        ),
        ("enable_dump_args", |c| {
            c.enable_dump_args = Some(DumpArgs::all());
        }),
        ("enable_pmu", |c| c.enable_pmu = true),
    ] {
        let error = refused(set);
        says(&error, &parts);
        says(&error, &[field]);
    }
}

#[test]
fn all_at_once_on_each_executor_and_each_run_replaces_the_one_before() {
    for executor in KINDS {
        let dir = WorkDir::new(&format!("all_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(dir.all(executor)).unwrap();
        let mut counts = Vec::new();
        for tasks in [5, 2, 9] {
            run(&rt, |root| nothings(root, tasks)).unwrap();
            let expected = if executor == TIMING {
                &FILES[1..]
            } else {
                &FILES[..]
            };
            assert_eq!(without_arguments(&dir), expected);
            counts.push(
                dir.json("dep_gen/deps.json")["tasks"]
                    .as_array()
                    .unwrap()
                    .len(),
            );
        }
        assert_eq!(counts, [5, 2, 9]);
    }
}

#[test]
fn recordings_change_no_result_and_no_figure_of_the_report() {
    for executor in [serial(), TIMING] {
        let dir = WorkDir::new(&format!("same_{executor:?}").replace(' ', ""));
        let mut plain = run_program(dir.config(executor));
        let mut recorded = run_program(dir.all(executor));
        recorded.edges.clear();
        recorded.reports = None;
        plain.reports = None;
        assert_eq!(plain, recorded);
    }
}

#[test]
fn two_runtimes_with_one_folder_write_whole_files() {
    let dir = WorkDir::new("two");
    thread::scope(|scope| {
        for tasks in [3_usize, 40] {
            let dir = &dir;
            scope.spawn(move || {
                let rt = Runtime::new(dir.all(serial())).unwrap();
                for _ in 0..20 {
                    let mut x = Array2::<u32>::zeros((4, 4));
                    rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
                        (0..tasks).try_for_each(|_| program(root, x))
                    })
                    .unwrap();
                    let graph = dir.json("dep_gen/deps.json");
                    let found = graph["tasks"].as_array().unwrap().len();
                    assert!([3 * 4, 40 * 4].contains(&found), "{found}");
                    dir.json("chip_swimlane/merged_swimlane.json");
                }
            });
        }
    });
    assert_eq!(without_arguments(&dir), FILES);
    let index = dir.json("args_dump/args_dump.json");
    let listed = index["args"].as_array().unwrap();
    assert!([3 * 6, 40 * 6].contains(&listed.len()));
    for entry in listed {
        assert!(
            dir.path("args_dump")
                .join(entry["file"].as_str().unwrap())
                .is_file()
        );
    }
    let arguments = dir.files().len() - FILES.len();
    assert_eq!(
        arguments,
        listed.len(),
        "folders that no index names are gone"
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_before_the_run_starts() {
    let dir = WorkDir::new("unwritable");
    for (folder, file) in [
        ("dep_gen", "deps.json"),
        ("chip_swimlane", "merged_swimlane.json"),
        ("pmu", "pmu.csv"),
        ("args_dump", "args_dump.json"),
    ] {
        let rt = Runtime::new(dir.all(serial())).unwrap();
        drop(fs::remove_dir_all(&dir.0));
        fs::create_dir_all(dir.path("")).unwrap();
        fs::write(dir.path(folder), "a file").unwrap();
        let error = run(&rt, |_| unreachable!()).unwrap_err();
        assert!(matches!(error, Error::Report(_)), "{folder}");
        says(
            &error,
            &[
                dir.path(folder).to_str().unwrap(),
                "help:",
                "`RunConfig::work_dir`",
            ],
        );
        fs::remove_file(dir.path(folder)).unwrap();
        fs::create_dir_all(dir.path(folder).join(file)).unwrap();
        says(
            &run(&rt, |_| unreachable!()).unwrap_err(),
            &["is a directory"],
        );
        fs::remove_dir(dir.path(folder).join(file)).unwrap();
        run(&rt, |_| Ok(())).unwrap();
        assert_eq!(
            without_arguments(&dir),
            FILES,
            "nothing of the refused runs is left"
        );
    }
}

#[test]
fn files_that_cannot_be_completed_fail_a_run_that_succeeded_and_no_other() {
    let dir = WorkDir::new("lost");
    let rt = Runtime::new(dir.all(threads(2))).unwrap();
    let loses = |fails: bool| {
        let mut x = Array2::<u32>::zeros((4, 4));
        let args = [EntryArg::inout(&mut x).unwrap()];
        let error = rt
            .run(&ENTRY, args, |root, [x]| {
                fs::remove_dir_all(&dir.0).unwrap();
                program(root, x)?;
                if fails {
                    return Err(root.report_fatal(DEMO, 77, "its own"));
                }
                Ok(())
            })
            .unwrap_err();
        assert_eq!(x[[3, 3]], 117, "the tasks have run");
        error
    };
    says(&loses(false), &["the run succeeded", "help:"]);
    assert_eq!(loses(true).code(), Some(77));
    run(&rt, |_| Ok(())).unwrap();
    assert_eq!(without_arguments(&dir), FILES);
}

/// Runs a test of this file alone, after a shell `setup`. Gives what it writes to stderr.
fn alone(test: &str, setup: &str) -> String {
    let output = in_a_process(&format!("recordings::files::{test}"), setup);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn the_folder_is_printed_once_at_the_end_of_the_first_run() {
    if is_the_process() {
        let dir = WorkDir::new("printed");
        let rt = Runtime::new(dir.all(serial())).unwrap();
        for _ in 0..3 {
            run(&rt, |_| {
                eprintln!("in the run");
                Ok(())
            })
            .unwrap();
        }
        return;
    }
    let text = alone("the_folder_is_printed_once_at_the_end_of_the_first_run", "");
    let folder = WorkDir::new("printed").path("").display().to_string();
    let reports = format!("reports: {}", folder.trim_end_matches('/'));
    let lines: Vec<_> = text
        .lines()
        .filter(|l| l.contains("report") || l.contains("in the run"))
        .collect();
    assert_eq!(lines, ["in the run", &reports, "in the run", "in the run"]);
}

#[test]
fn a_filter_that_takes_no_task_is_told_with_the_kernels_that_there_are() {
    if is_the_process() {
        let dir = WorkDir::new("untaken");
        run_program(RunConfig {
            enable_dump_args: Some(DumpArgs::none().kernel("affin")),
            ..dir.config(serial())
        });
        return;
    }
    let text = alone(
        "a_filter_that_takes_no_task_is_told_with_the_kernels_that_there_are",
        "",
    );
    let told = "no task is taken by `affin` of `enable_dump_args`; kernels of this run are `affine`, `fill`, `update`";
    assert!(text.contains(told), "{text}");
}

#[test]
fn a_disk_that_fills_up_is_an_error_and_leaves_the_files_of_the_run_before() {
    if is_the_process() {
        for flag in 0..4 {
            let dir = WorkDir::new(&format!("full_{flag}"));
            let mut config = dir.config(serial());
            match flag {
                0 => config.enable_dep_gen = true,
                1 => config.enable_chip_swimlane = true,
                2 => config.enable_dump_args = Some(DumpArgs::all()),
                _ => config.enable_dump_args = Some(DumpArgs::none().kernel("fill")),
            }
            let rt = Runtime::new(config).unwrap();
            let record = |n: usize, rows: usize| {
                run(&rt, |root| {
                    let t = alloc(root, DEMO, rows, 1)?;
                    let fill = [TaskArg::OutputExisting(t)];
                    submit(root, DEMO, &FILL, &fill, 1, &[])?;
                    (0..n).try_for_each(|_| {
                        let scope = root.enter(ScopeMode::Auto, DEMO)?;
                        submit(&scope, DEMO, &NOTHING, &[TaskArg::Input(t)], 0, &[]).map(|_| ())
                    })
                })
            };
            record(3, 4).unwrap();
            let before = dir.files();
            // Many values, or one that is too large.
            let (n, rows) = if flag == 3 { (1, 200_000) } else { (5000, 4) };
            let error = record(n, rows).unwrap_err();
            assert!(matches!(error, Error::Report(_)), "{flag}");
            says(&error, &["too large", "the run succeeded", "help:"]);
            assert_eq!(dir.files(), before, "{flag}");
        }
        return;
    }
    alone(
        "a_disk_that_fills_up_is_an_error_and_leaves_the_files_of_the_run_before",
        "trap '' XFSZ && ulimit -f 100 &&",
    );
}

/// Peak of the resident memory of this process, in KiB.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_hundred_thousand_tasks_are_streamed_and_counted_in_bounded_memory() {
    if is_the_process() {
        let dir = WorkDir::new("many");
        let run_with = |config: RunConfig| {
            let rt = Runtime::new(RunConfig {
                ring_task_window: 256.into(),
                ..config
            })
            .unwrap();
            run(&rt, |root| {
                for _ in 0..1000 {
                    let scope = root.enter(ScopeMode::Auto, DEMO)?;
                    nothings(&scope, 100)?;
                }
                Ok(())
            })
            .unwrap();
        };
        run_with(dir.config(serial()));
        let before = peak_kib();
        for executor in KINDS {
            let config = dir.all(executor);
            run_with(RunConfig {
                enable_dep_gen: false,
                ..config
            });
        }
        let more = peak_kib() - before;
        // 8 bytes a task, and buffers.
        assert!(more < 16 << 10, "{more} KiB");
        let lanes = fs::metadata(dir.path("chip_swimlane/merged_swimlane.json")).unwrap();
        assert!(
            (20 << 20..70 << 20).contains(&lanes.len()),
            "{}",
            lanes.len()
        );
        assert!(
            dir.text("pmu/pmu.csv")
                .contains("nothing,kernels.rs:60,100000,100000,0,")
        );
        return;
    }
    alone(
        "a_hundred_thousand_tasks_are_streamed_and_counted_in_bounded_memory",
        "",
    );
}

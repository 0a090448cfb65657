//! Where the files go, and what becomes of them when they cannot be written.

use super::*;
use crate::common::{in_a_process, is_the_process};

#[test]
fn a_run_replaces_the_file_of_the_one_before() {
    let dir = WorkDir::new("overwrite");
    let rt = dir.runtime(1 << 20, 16, serial());
    let record = |n: u32| {
        run(&rt, |root| scopes(root, DEMO, n)).unwrap();
        assert_eq!(dir.lines().1.len() as u32, 2 * n + 2);
    };
    record(3);
    record(10_000);
    record(0);
    dir.holds_nothing_else();
}

#[test]
fn two_runtimes_with_one_folder_write_whole_files() {
    let dir = WorkDir::new("two");
    let lengths = [(Site::new("a.rs", 1), 20_u32), (Site::new("b.rs", 2), 2100)];
    let check = || {
        let (meta, records) = dir.lines();
        let n = lengths
            .iter()
            .find(|(site, _)| records[1].starts_with(site.file))
            .unwrap()
            .1;
        assert_eq!(
            (meta["fatal"].as_bool(), records.len() as u32),
            (Some(false), 2 * n + 2)
        );
        assert!(
            records[1..records.len() - 1]
                .iter()
                .all(|r| r[..4] == records[1][..4])
        );
    };
    thread::scope(|scope| {
        for (site, n) in lengths {
            let dir = &dir;
            scope.spawn(move || {
                let rt = dir.runtime(1 << 20, 16, serial());
                for _ in 0..10 {
                    run(&rt, |root| scopes(root, site, n)).unwrap();
                    check();
                }
            });
        }
    });
    check();
    dir.holds_nothing_else();
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_before_the_run_starts() {
    let dir = WorkDir::new("unwritable");
    fs::write(&dir.0, "a file").unwrap();
    let rt = dir.runtime(1 << 20, 16, serial());
    let mut began = false;
    let error = run(&rt, |_| {
        began = true;
        Ok(())
    })
    .unwrap_err();
    assert!(!began && matches!(error, Error::Report(_)));
    let folder = dir.folder();
    says(
        &error,
        &[
            folder.to_str().unwrap(),
            "ot a directory",
            "help:",
            "`RunConfig::work_dir`",
        ],
    );
    fs::remove_file(&dir.0).unwrap();
    fs::create_dir_all(dir.file()).unwrap();
    let error = run(&rt, |_| unreachable!()).unwrap_err();
    says(&error, &["is a directory"]);
    fs::remove_dir(dir.file()).unwrap();
    run(&rt, |_| Ok(())).unwrap();
    assert_eq!(dir.lines().1.len(), 2);
}

#[test]
fn a_file_that_cannot_be_written_fails_a_run_that_succeeded_and_no_other() {
    let dir = WorkDir::new("lost");
    let rt = dir.runtime(1 << 20, 16, serial());
    // Within what is held in memory, and beyond.
    for n in [1, 10_000] {
        let mut x = Array2::<u32>::zeros((1, 1));
        let error = rt
            .run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
                fs::remove_dir_all(&dir.0).unwrap();
                scopes(root, DEMO, n)?;
                root.set(DEMO, x, &[0, 0], 5_u32)
            })
            .unwrap_err();
        assert!(matches!(error, Error::Report(_)));
        says(
            &error,
            &[dir.folder().to_str().unwrap(), "the run succeeded"],
        );
        assert_eq!(x[[0, 0]], 5);
        let error = run(&rt, |root| {
            fs::remove_dir_all(&dir.0).unwrap();
            Err(root.report_fatal(DEMO, 77, "its own"))
        });
        assert_eq!(error.unwrap_err().code(), Some(77));
    }
    run(&rt, |_| Ok(())).unwrap();
    assert_eq!(dir.lines().1.len(), 2);
}

#[test]
fn nothing_is_written_unless_it_is_turned_on() {
    let dir = WorkDir::new("off");
    let mut config = dir.config(1 << 20, 16, serial());
    config.enable_scope_stats = false;
    let report = run(&Runtime::new(config).unwrap(), |_| Ok(())).unwrap();
    assert_eq!(report.reports, None);
    assert!(!dir.0.exists());
}

#[test]
fn the_folder_of_reports_is_printed_once_for_a_runtime() {
    if is_the_process() {
        let dir = WorkDir::new("printed");
        let rt = dir.runtime(1 << 20, 16, serial());
        (0..3).for_each(|_| drop(run(&rt, |_| Ok(())).unwrap()));
        return;
    }
    let output = in_a_process(
        "scope_stats::files::the_folder_of_reports_is_printed_once_for_a_runtime",
        "",
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
    let folder = WorkDir::new("printed").0.join("dfx_outputs");
    let expected = format!("reports: {}\n", folder.display());
    assert_eq!(text.matches(&expected).count(), 1, "{text}");
    assert_eq!(text.matches("reports:").count(), 1, "{text}");
}

#[test]
fn a_disk_that_fills_up_is_an_error_and_leaves_the_files_of_the_run_before() {
    if is_the_process() {
        let dir = WorkDir::new("full");
        let rt = dir.runtime(1 << 20, 16, serial());
        let record = |n: u32| run(&rt, |root| scopes(root, DEMO, n));
        record(3).unwrap();
        // At the end of the run, and on the way.
        for n in [1000, 10_000] {
            let error = record(n).unwrap_err();
            assert!(matches!(error, Error::Report(_)));
            says(&error, &["too large", "the run succeeded", "help:"]);
            assert_eq!(dir.lines().1.len(), 8);
            dir.holds_nothing_else();
        }
        return;
    }
    let output = in_a_process(
        "scope_stats::files::a_disk_that_fills_up_is_an_error_and_leaves_the_files_of_the_run_before",
        "trap '' XFSZ && ulimit -f 100 &&",
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
}

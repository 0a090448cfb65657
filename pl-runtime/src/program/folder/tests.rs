use super::{exchange_in_steps, replace};
use std::fs;
use std::path::Path;

fn files(version: &str) -> [(String, String); 3] {
    [
        ("orchestration/f.cpp".to_owned(), version.to_owned()),
        ("kernel_config.py".to_owned(), version.to_owned()),
        (
            "manifest.json".to_owned(),
            format!(
                "{{\"format\": \"pl-program\", \"version\": \"{version}\", \
                 \"orchestration\": {{\"source\": \"orchestration/f.cpp\"}}}}"
            ),
        ),
    ]
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Names in a folder, with those of temporary ones.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_folder_appears_with_the_folders_around_it_and_nothing_else() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("a/b/program/");
    replace(&folder, &files("1")).unwrap();
    assert_eq!(
        names(&folder),
        ["kernel_config.py", "manifest.json", "orchestration"]
    );
    assert_eq!(names(&around.path().join("a/b")), ["program"]);
    assert_eq!(read(&folder, "orchestration/f.cpp"), "1");
}

#[test]
fn the_folder_that_the_program_runs_in_is_refused() {
    let here = std::env::current_dir().unwrap();
    for folder in [Path::new("."), &here, here.parent().unwrap()] {
        let reason = replace(folder, &files("1")).unwrap_err();
        assert!(reason.starts_with("this program runs in it"), "{reason}");
    }
}

#[test]
fn what_was_written_before_is_replaced_and_what_is_yours_stays() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("program");
    fs::create_dir_all(folder.join("kernels/aiv")).unwrap();
    fs::write(folder.join("kernels/aiv/k.cpp"), "mine").unwrap();
    replace(&folder, &files("1")).unwrap();
    fs::write(folder.join("orchestration/helpers.h"), "mine, too").unwrap();
    let mut other = files("2");
    other[0].0 = "orchestration/g.cpp".to_owned();
    replace(&folder, &other).unwrap();
    assert_eq!(read(&folder, "kernels/aiv/k.cpp"), "mine");
    assert_eq!(read(&folder, "kernel_config.py"), "2");
    assert_eq!(names(&folder.join("orchestration")), ["g.cpp", "helpers.h"]);
    assert_eq!(names(around.path()), ["program"]);
}

#[test]
fn a_folder_of_something_else_is_refused_and_left_alone() {
    let around = tempfile::tempdir().unwrap();
    fs::write(around.path().join("thesis.tex"), "years").unwrap();
    let refused = replace(around.path(), &files("1")).unwrap_err();
    assert!(refused.contains("`thesis.tex` is in it"), "{refused}");
    assert_eq!(names(around.path()), ["thesis.tex"]);
    let refused = replace(&around.path().join("thesis.tex"), &files("1")).unwrap_err();
    assert!(refused.contains("ot a directory"), "{refused}");
    let refused = replace(Path::new("/"), &files("1")).unwrap_err();
    assert!(refused.contains("runs in it"), "{refused}");
}

#[test]
fn a_write_that_fails_leaves_the_old_folder_as_it_was() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("program");
    replace(&folder, &files("1")).unwrap();
    fs::create_dir(folder.join("kernels")).unwrap();
    let mut impossible = files("2");
    impossible[1].0 = "x".repeat(300);
    let refused = replace(&folder, &impossible).unwrap_err();
    assert!(refused.contains("cannot be written"), "{refused}");
    assert_eq!(
        names(&folder),
        [
            "kernel_config.py",
            "kernels",
            "manifest.json",
            "orchestration"
        ]
    );
    assert_eq!(read(&folder, "kernel_config.py"), "1");
    assert_eq!(names(around.path()), ["program"]);
}

#[test]
fn of_writers_at_one_time_the_files_of_one_are_there() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("program");
    fs::create_dir_all(folder.join("kernels/aiv")).unwrap();
    fs::write(folder.join("kernels/aiv/k.cpp"), "mine").unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                for round in 0..25 {
                    replace(folder, &files(&format!("{writer}.{round}"))).unwrap();
                    // Another writer may come between two reads, but not into one folder.
                    let held = fs::read_dir(folder).map(drop);
                    assert!(held.is_ok());
                }
            });
        }
    });
    let version = read(&folder, "kernel_config.py");
    assert_eq!(read(&folder, "orchestration/f.cpp"), version);
    assert!(read(&folder, "manifest.json").contains(&format!("\"{version}\"")));
    assert_eq!(read(&folder, "kernels/aiv/k.cpp"), "mine");
    assert_eq!(names(around.path()), ["program"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_the_folder_stays_one_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let around = tempfile::tempdir().unwrap();
    let (folder, link) = (around.path().join("program"), around.path().join("link"));
    let plain = around.path().join("plain");
    fs::create_dir(&plain).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    replace(&folder, &files("1")).unwrap();
    assert_eq!(mode(&folder), mode(&plain));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
    symlink(&folder, &link).unwrap();
    replace(&link, &files("2")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(read(&folder, "kernel_config.py"), "2");
    assert_eq!(mode(&folder), 0o750);
}

#[test]
fn where_names_cannot_be_exchanged_it_is_done_in_steps() {
    let around = tempfile::tempdir().unwrap();
    let (a, b) = (around.path().join("a"), around.path().join("b"));
    fs::create_dir(&a).unwrap();
    fs::create_dir(&b).unwrap();
    fs::write(a.join("new"), "").unwrap();
    exchange_in_steps(&a, &b).unwrap();
    assert_eq!((names(&a), names(&b)), (vec![], vec!["new".to_owned()]));
    assert!(exchange_in_steps(&around.path().join("none"), &b).is_err());
    assert_eq!(names(&b), ["new"]);
}

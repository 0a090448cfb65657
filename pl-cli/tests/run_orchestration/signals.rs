//! Runs that are killed.

use crate::program::{command, ended, entry, folder, source};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits for what must come, or fails.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            start.elapsed() < Duration::from_mins(1),
            "{what} does not come"
        );
        sleep(Duration::from_millis(10));
    }
}

fn kill(pid: u32, signal: &str) {
    let status = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// The process that `child` started.
fn worker(child: &Child) -> u32 {
    let path = format!("/proc/{0}/task/{0}/children", child.id());
    wait_for("the process", || {
        fs::read_to_string(&path)
            .ok()?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    })
}

fn is_running(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // What is left of one that nobody has waited for does not count.
    status
        .rsplit(')')
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

/// A source that runs without end, when it has begun.
fn endless(name: &str) -> Child {
    let mark = folder(&format!("{name}_mark")).join("began");
    let body = format!(
        "    if (FILE* f = std::fopen(\"{}\", \"w\")) std::fclose(f);\n    for (volatile int i = 0;; i = i + 1) {{}}",
        mark.display()
    );
    let mut command = command(&[&entry(name, &body)]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for("the run", || mark.exists().then_some(()));
    child
}

#[test]
fn a_run_without_end_that_is_killed_is_told() {
    for (signal, name) in [
        ("-TERM", "signal 15 (SIGTERM), in the run"),
        ("-KILL", "signal 9 (SIGKILL), in the run"),
    ] {
        let child = endless(&format!("endless{signal}"));
        kill(worker(&child), signal);
        ended(child.wait_with_output().unwrap()).failed(1, &[name, "help: "]);
    }
}

#[test]
fn no_run_outlives_the_program() {
    let mut child = endless("orphan");
    let worker = worker(&child);
    kill(child.id(), "-KILL");
    child.wait().unwrap();
    wait_for("its end", || (!is_running(worker)).then_some(()));
}

#[test]
fn a_compilation_that_was_killed_leaves_a_cache_that_works() {
    let folder = folder("killed");
    let (compiler, mark) = (folder.join("slow-c++"), folder.join("began"));
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *blend.cpp*) touch '{}'; sleep 1;; esac\nexec c++ \"$@\"\n",
        mark.display()
    );
    fs::write(&compiler, script).unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let args = [
        "--arg",
        "a=ones:f32:64x128",
        "b=ones:f32:64x128",
        "y=zeros:f32:64x128",
    ];
    let blend = source("blend.cpp");
    let run = || {
        let mut command = command(&[&[blend.as_str()][..], &args].concat());
        command.env("XDG_CACHE_HOME", &folder).env("CXX", &compiler);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut child = run();
    wait_for("the compilation", || mark.exists().then_some(()));
    let worker = worker(&child);
    kill(child.id(), "-KILL");
    child.wait().unwrap();
    wait_for("its end", || (!is_running(worker)).then_some(()));
    ended(run().wait_with_output().unwrap()).ran(&["blend.cpp ran"]);
}

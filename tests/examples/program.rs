//! Runs the examples.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a program left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn passes(self) -> Self {
        let right = self.code == Some(0) && self.last_line().starts_with("PASS max_err=");
        assert!(right, "{:?}\n{}\n{}", self.code, self.stdout, self.stderr);
        self
    }

    /// Ends with 2 and one line that has all of `parts`.
    #[track_caller]
    pub(crate) fn refused(self, parts: &[&str]) {
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
    pub(crate) fn fails(self) -> String {
        assert_eq!(self.code, Some(1), "{}\n{}", self.stdout, self.stderr);
        assert!(self.last_line().starts_with("FAIL "), "{}", self.stdout);
        self.stderr
    }
}

pub(crate) fn run(example: &str, args: &str) -> Run {
    run_with(example, args.split_whitespace())
}

pub(crate) fn run_with(example: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    output(program(example).args(args))
}

pub(crate) fn program(example: &str) -> Command {
    Command::new(folder().join(format!("{example}{}", std::env::consts::EXE_SUFFIX)))
}

pub(crate) fn output(program: &mut Command) -> Run {
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
    // None: they cannot be built, which is tried once for all tests.
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
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
        status.success().then(|| profile.join("examples"))
    });
    folder.as_deref().expect("the examples can be built")
}

pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A path in the folder that cargo gives tests to write to.
pub(crate) fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

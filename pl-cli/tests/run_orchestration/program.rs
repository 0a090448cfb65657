//! Calls of the program, and sources for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// It ended with this code, and stderr has these texts.
    #[track_caller]
    pub(crate) fn failed(&self, code: i32, texts: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        for text in texts {
            assert!(self.stderr.contains(text), "{text}\nin\n{}", self.stderr);
        }
    }

    /// It ran, and stdout has these texts.
    #[track_caller]
    pub(crate) fn ran(&self, texts: &[&str]) {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        for text in texts {
            assert!(self.stdout.contains(text), "{text}\nin\n{}", self.stdout);
        }
    }
}

fn tmp() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("run_orchestration")
}

/// A new folder of this name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = tmp().join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The program, with a cache of the tests' own.
pub(crate) fn command(args: &[&str]) -> Command {
    command_of("run-orchestration", args)
}

/// The same for another command.
pub(crate) fn command_of(name: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pl"));
    command
        .arg(name)
        .args(args)
        .env("XDG_CACHE_HOME", tmp().join("cache"))
        .env_remove("CXX");
    command
}

pub(crate) fn ended(output: Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run {
        code: output.status.code().expect("it does not crash itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

pub(crate) fn pl(args: &[&str]) -> Run {
    ended(command(args).output().unwrap())
}

/// A source of `pl-runtime/tests/data/cpp`.
pub(crate) fn source(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../pl-runtime/tests/data/cpp")
        .join(name);
    assert!(path.exists(), "{}", path.display());
    path.into_os_string().into_string().unwrap()
}

/// `ID=KERNEL.cpp` of such a source.
pub(crate) fn kernel(id: u32, name: &str) -> String {
    format!("{id}={}", source(name))
}

/// A source whose entry has this body, in a folder of its own.
pub(crate) fn entry(name: &str, body: &str) -> String {
    let text = format!(
        "#include <cstdio>\n#include <cstdlib>\n#include <stdexcept>\n#include \"pto_orchestration_api.h\"\n\
         extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {{\n    (void)orch_args;\n{body}\n}}\n"
    );
    written(name, &text)
}

/// A source of this text, in a folder of its own.
pub(crate) fn written(name: &str, text: &str) -> String {
    let path = folder(name).join(format!("{name}.cpp"));
    std::fs::write(&path, text).unwrap();
    path.into_os_string().into_string().unwrap()
}

/// A file of numpy with numbers of `f32`.
pub(crate) fn npy(path: &Path, dims: &str, values: &[f32]) {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({dims}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    std::fs::write(path, bytes).unwrap();
}

/// The numbers of a file of numpy with `f32`.
pub(crate) fn values(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).unwrap();
    let start = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let numbers = bytes[start..].chunks_exact(4);
    numbers
        .map(|number| f32::from_le_bytes(number.try_into().unwrap()))
        .collect()
}

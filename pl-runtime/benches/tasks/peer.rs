//! The other sides: compiled here, run as processes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that could be compiled.
pub(crate) struct Peers {
    pub(crate) chains_omp: Option<Program>,
    pub(crate) stencil_omp: Option<Program>,
    pub(crate) stencil_tbb: Option<Program>,
    /// The same, without the time to build the graph.
    pub(crate) stencil_tbb_reused: Option<Program>,
}

pub(crate) struct Program(PathBuf);

impl Peers {
    pub(crate) fn compile() -> Self {
        let omp = ["-O2", "-fopenmp"];
        let tbb = ["-O2", "-std=c++17", "-ltbb"];
        let reused = ["-O2", "-std=c++17", "-DREUSE", "-ltbb"];
        Self {
            chains_omp: compile("gcc", "chains_omp.c", "chains_omp", &omp),
            stencil_omp: compile("gcc", "stencil_omp.c", "stencil_omp", &omp),
            stencil_tbb: compile("g++", "stencil_tbb.cpp", "stencil_tbb", &tbb),
            stencil_tbb_reused: compile("g++", "stencil_tbb.cpp", "stencil_tbb_reused", &reused),
        }
    }
}

fn compile(compiler: &str, source: &str, name: &str, flags: &[&str]) -> Option<Program> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    let program = folder.join(name);
    let outcome = Command::new(compiler)
        .arg(sources.join(source))
        .arg("-o")
        .arg(&program)
        .args(flags)
        .output();
    match outcome {
        Ok(output) if output.status.success() => return Some(Program(program)),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let first = text.lines().next().unwrap_or_default();
            println!("peer {name} is missing: {compiler} says: {first}");
        }
        Err(reason) => println!("peer {name} is missing: {compiler} cannot be run: {reason}"),
    }
    if source.contains("tbb") {
        println!("  (oneTBB: `apt-get install libtbb-dev`)");
    }
    None
}

impl Program {
    /// The words of each line that it prints.
    pub(crate) fn run(&self, arguments: &[String]) -> Vec<Vec<String>> {
        let output = Command::new(&self.0)
            .args(arguments)
            .output()
            .expect("the peer was just compiled");
        assert!(
            output.status.success(),
            "{} {arguments:?}",
            self.0.display()
        );
        let text = String::from_utf8(output.stdout).expect("peers print numbers");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        text.lines().map(words).collect()
    }
}

/// Whether two sides have computed the same; says so if not.
pub(crate) fn agree(what: &str, ours: u64, theirs: u64) -> bool {
    if ours != theirs {
        println!("  {what}: no ratio, the results differ: {ours:x} here, {theirs:x} there");
    }
    ours == theirs
}

pub(crate) fn checksum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0_u64, |sum, value| sum.wrapping_mul(31).wrapping_add(value))
}

//! The program in the README compiles, runs, and is the one below.

// What follows stands in the README, word for word.
use pl::prelude::*;

#[pl::jit::incore]
fn double(x: Tensor<f32, 64, 256>, y: Out<Tensor<f32, 64, 256>>) {
    store(y, load(x) * 2.0);
}

#[pl::jit]
fn double_all(x: Tensor<f32, 1024, 256>, y: Out<Tensor<f32, 1024, 256>>) {
    for i in (0..1024).step_by(64) {
        double(x.slice(s![i..i + 64, ..]), y.slice(s![i..i + 64, ..]));
    }
}

use ndarray::Array2;

fn run(x: &Array2<f32>, y: &mut Array2<f32>) -> pl::Result<RunReport> {
    let rt = Runtime::new(RunConfig::default())?;
    double_all(&rt, x, y)
}

const README: &str = include_str!("../README.md");

#[test]
fn the_readme_shows_this_program() {
    let blocks: Vec<&str> = README
        .split("```rust\n")
        .skip(1)
        .map(|block| block.split_once("```").expect("the end of the block").0)
        .collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        assert!(include_str!("readme.rs").contains(block), "{block}");
    }
}

#[test]
fn the_dependencies_in_the_readme_are_this_crate_and_the_ndarray_it_takes() {
    let block = README.split_once("```toml\n").unwrap().1;
    let lines: Vec<&str> = block.split_once("```").unwrap().0.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0], "[dependencies]");
    assert!(lines[1].starts_with(concat!(env!("CARGO_PKG_NAME"), " = { path = \"")));
    let manifest = include_str!("../Cargo.toml");
    let (_, dependencies) = manifest.split_once("[workspace.dependencies]").unwrap();
    assert!(
        dependencies.lines().any(|line| line == lines[2]),
        "{lines:?}"
    );
    let version = lines[2].split('"').nth(1).unwrap();
    assert!(README.contains(&format!("`ndarray` {version}")));
}

#[test]
fn the_program_of_the_readme_runs() {
    let x = Array2::from_shape_fn((1024, 256), |(i, j)| (i * 256 + j) as f32);
    let mut y = Array2::zeros((1024, 256));
    let report = run(&x, &mut y).unwrap();
    assert_eq!(report.kernel_tasks.iter().sum::<u64>(), 16);
    assert_eq!(y, x.mapv(|x| x * 2.0));
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let commands = README
        .split_once("```sh\n")
        .unwrap()
        .1
        .split_once("```")
        .unwrap()
        .0;
    let test = commands
        .lines()
        .find(|line| line.starts_with("cargo test"))
        .unwrap();
    assert!(
        include_str!("../.ci/run").lines().any(|line| line == test),
        "{test}"
    );
}

#[test]
fn links_in_the_documentation_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    for page in pages.chain(top) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text
            .split("](")
            .skip(1)
            .map(|rest| rest.split_once(')').unwrap().0)
        {
            let file = link.split('#').next().unwrap();
            let leads = link.starts_with("https://") || page.with_file_name(file).exists();
            assert!(leads, "{}: {link}", page.display());
        }
    }
}

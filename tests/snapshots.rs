//! Snapshots: the program of `docs/snapshots.md`, and what moves in a file and what does not.
// What follows stands in the book, word for word.
use pl::plan::Plan;
use pl::prelude::*;
use pl::shape;

#[pl::jit::incore]
fn scale(x: Tensor<f32, 64, 128>, by: f32, y: Out<Tensor<f32, 64, 128>>) {
    store(y, load(x) * by);
}

#[pl::jit]
fn scale_twice(x: Tensor<f32, 512, 128>, y: Out<Tensor<f32, 512, 128>>) {
    for i in (0..512).step_by(64) {
        let half = create_tensor::<f32>([64, 128]);
        scale(x.slice(s![i..i + 64, ..]), 0.5, half);
        scale(half, 3.0, y.slice(s![i..i + 64, ..]));
    }
}

#[test]
fn what_scale_twice_becomes() {
    pl::assert_orchestration_snapshot!(scale_twice::kernel());
}

#[test]
fn which_scopes_scale_twice_opens() {
    let x = || shape([512, 128]);
    let plan = Plan::new(&RunConfig::default(), |rt| scale_twice(rt, x(), x())).unwrap();
    insta::assert_snapshot!(pl::testing::topology(&plan, &[scale_twice::kernel()]), @"
    1 run, ring 0
      1 x AUTO scope at scale_twice:1, ring 1
        8 x AUTO scope at scale_twice:2, ring 2, 32768 bytes
          8 x `alloc_tensors` at scale_twice:3, 32768 bytes
          8 x `scale` at scale_twice:4
          8 x `scale` at scale_twice:5
    ");
}
// To here.

use pl::testing;

const PAGE: &str = include_str!("../docs/snapshots.md");

#[test]
fn the_book_shows_this_program() {
    let (_, block) = PAGE.split_once("```rust\n").unwrap();
    let (program, _) = block.split_once("```").unwrap();
    assert!(include_str!("snapshots.rs").contains(program));
}

/// The same function twice, in places that differ in lines.
mod here {
    use super::scale;
    use pl::prelude::*;

    #[pl::jit(dims(N))]
    pub(super) fn moved(x: Tensor<f32, N, 128>, y: Out<Tensor<f32, N, 128>>) {
        let t = create_tensor::<f32>([64, 128]);
        scale(x.slice(s![0..64, ..]), 1.0, t);
        manual_scope!({
            submit!(scale(t, 2.0, y.slice(s![0..64, ..])));
        });
        twice(y);
    }

    #[pl::jit::inline(dims(N))]
    fn twice(y: InOut<Tensor<f32, N, 128>>) {
        at!("twice", {
            store(y, load(y) * 2.0);
        });
    }
}

#[rustfmt::skip]
mod there {
    use super::scale;
    use pl::prelude::*;

    #[pl::jit::inline(dims(N))]
    fn twice(y: InOut<Tensor<f32, N, 128>>) {
        at!("twice", {
            store(y, load(y) * 2.0);
        });
    }

    /// With text before it.
    #[pl::jit(
        dims(N)
    )]
    pub(super) fn moved(x: Tensor<f32, N, 128>, y: Out<Tensor<f32, N, 128>>) {
        let t = create_tensor::<f32>([64, 128]);
        scale(x.slice(s![0..64, ..]), 1.0, t);
        manual_scope!({
            submit!(scale(t, 2.0, y.slice(s![0..64, ..])));
        });
        twice(y);
    }
}

#[test]
fn a_function_that_moves_in_its_file_has_the_same_snapshots() {
    let (here, there) = (here::moved::kernel(), there::moved::kernel());
    assert_ne!(here.orchestration_rust(), there.orchestration_rust());
    assert_eq!(
        testing::orchestration(&here),
        testing::orchestration(&there)
    );
    let x = || shape([64, 128]);
    let config = RunConfig::default();
    let plans = [
        Plan::new(&config, |rt| here::moved(rt, x(), x())).unwrap(),
        Plan::new(&config, |rt| there::moved(rt, x(), x())).unwrap(),
    ];
    assert_ne!(
        plans[0].topology().to_string(),
        plans[1].topology().to_string()
    );
    let texts = [
        testing::topology(&plans[0], &[here]),
        testing::topology(&plans[1], &[there]),
    ];
    assert_eq!(texts[0], texts[1]);
    insta::assert_snapshot!(texts[0], @"
    1 run, ring 0
      1 x AUTO scope at moved:1, ring 1, 32768 bytes
        1 x `alloc_tensors` at moved:2, 32768 bytes
        1 x `scale` at moved:3
        1 x MANUAL scope at moved:4, ring 2
          1 x `scale` at moved:5
        1 x `twice` at twice:2
    ");
    // Without its kernel: no line that could move.
    insta::assert_snapshot!(testing::topology(&plans[0], &[]), @"
    1 run, ring 0
      1 x AUTO scope at snapshots.rs, ring 1, 32768 bytes
        1 x `alloc_tensors` at snapshots.rs, 32768 bytes
        1 x `scale` at snapshots.rs
        1 x MANUAL scope at snapshots.rs, ring 2
          1 x `scale` at snapshots.rs
        1 x `twice` at snapshots.rs
    ");
}

#[test]
fn a_snapshot_has_no_paths_and_no_lines_of_the_file() {
    let text = testing::orchestration(&here::moved::kernel());
    for part in ["snapshots.rs", "tests/", ".rs"] {
        assert!(!text.contains(part), "{part}: {text}");
    }
    for part in [
        "// IR",
        "// Rust",
        "// C++",
        "(moved:1)",
        "Site::new(\"moved\", 2)",
        "(twice:2)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_is_no_entry_says_in_its_snapshot_why_there_is_no_cpp() {
    let text = testing::cpp(&scale::kernel());
    assert!(text.lines().all(|line| line.starts_with("// ")), "{text}");
    assert!(
        text.contains("scale:1") && text.contains("in-core"),
        "{text}"
    );
    pl::assert_orchestration_snapshot!("scale_alone", scale::kernel());
}

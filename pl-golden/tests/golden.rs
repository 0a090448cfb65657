//! What a case draws, saves, replays and finds wrong.

use ndarray::{Array1, Array2, Ix2, array};
use pl_golden::{Case, Compare, GoldenError, Init};
use pl_runtime::{bf16, f16};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn case() -> Case {
    Case::new("test").quiet()
}

#[test]
fn every_wrong_element_is_counted_and_the_first_twenty_are_named() {
    let want = Array2::<f64>::zeros((10, 10));
    let mut got = Array2::<f32>::zeros((10, 10));
    got.row_mut(3).fill(1.0);
    got.row_mut(5).fill(2.0);
    got.row_mut(7).fill(3.0);
    let report = Compare::default().check("y", &got, &want);
    assert!(!report.passed);
    assert_eq!(
        (report.elements, report.mismatches, report.first.len()),
        (100, 30, 20)
    );
    assert_eq!(
        (&report.first[0].index[..], &*report.first[0].got),
        (&[3, 0][..], "1")
    );
    assert_eq!(report.first[19].index, [5, 9]);
    let text = report.to_string();
    assert!(
        text.starts_with("FAIL y: 30 of 100 elements differ"),
        "{text}"
    );
    assert!(text.contains("\n  y[3, 0] is 1, should be 0"), "{text}");
    assert!(text.ends_with("\n  and 10 more"), "{text}");
}

#[test]
fn tolerances_are_absolute_and_relative_to_what_is_wanted() {
    let wrong = |got: f32, want: f64, compare: Compare<'_>| {
        compare.check("y", &array![got], &array![want]).mismatches
    };
    assert_eq!(wrong(100.5, 100.0, Compare::close(0.0, 0.01)), 0);
    assert_eq!(wrong(101.5, 100.0, Compare::close(0.0, 0.01)), 1);
    assert_eq!(wrong(0.25, 0.0, Compare::close(0.25, 0.0)), 0);
    assert_eq!(
        wrong(0.1, 0.1, Compare::exact()),
        1,
        "0.1 is another number in f32"
    );
}

#[test]
fn what_is_not_finite_is_right_only_where_it_is_wanted_and_is_counted() {
    let (nan, infinite) = (f32::NAN, f32::INFINITY);
    let got = array![nan, infinite, infinite, 1.0, nan, 1.0, -infinite];
    let want = array![nan, infinite, -infinite, nan, 1.0, infinite, -infinite];
    let report = Compare::close(f64::MAX, f64::MAX).check("y", &got, &want);
    let wrong: Vec<usize> = report.first.iter().map(|m| m.index[0]).collect();
    assert_eq!(wrong, [2, 3, 4, 5]);
    assert_eq!((report.got.nan, report.got.infinite), (2, 3));
    assert_eq!((report.want.nan, report.want.infinite), (2, 4));
    assert!(report.max_error.is_infinite());
    assert!(
        report
            .to_string()
            .contains("NaN 2 (reference 2), infinite 3 (reference 4)")
    );
}

#[test]
fn integers_are_compared_as_such_however_large() {
    let report = Compare::exact().check("y", &array![i64::MAX], &array![i64::MAX - 1]);
    assert_eq!(report.first[0].got, "9223372036854775807");
    assert!(!report.passed);
    assert!(
        Compare::exact()
            .check("y", &array![u64::MAX], &array![u64::MAX])
            .passed
    );
}

#[test]
fn a_part_may_be_wrong_or_left_out_or_judged_by_the_caller() {
    let got = Array1::<f32>::from_iter((0..100).map(|i| if i < 5 { 9.0 } else { 0.0 }));
    let want = Array1::<f32>::zeros(100);
    assert!(Compare::exact().ratio(0.05).check("y", &got, &want).passed);
    assert!(!Compare::exact().ratio(0.04).check("y", &got, &want).passed);
    let rows = Compare::exact().only(|index| index[0] >= 5);
    let report = rows.check("y", &got, &want);
    assert_eq!((report.passed, report.elements), (true, 95));
    let ties = Compare::by(|_, got, want| got <= want || got > 8.0);
    assert!(ties.check("y", &got, &want).passed);
}

#[test]
fn an_output_that_is_a_view_is_compared_by_index() {
    let y = Array2::from_shape_fn((3, 4), |(i, j)| (i * 4 + j) as f32);
    let mut want = y.t().mapv(f64::from);
    assert!(Compare::exact().check("y", &y.t(), &want).passed);
    want[[3, 1]] += 1.0;
    let report = Compare::exact().check("y", &y.t(), &want);
    assert_eq!(report.first[0].index, [3, 1]);
}

#[test]
fn saved_inputs_are_replayed_whatever_the_seed() {
    let folder = folder("replay");
    for place in [folder.join("arrays"), folder.join("all.safetensors")] {
        let mut first = case().save_to(&*place);
        let x = first
            .input::<f16, Ix2>("x", [3, 4], Init::normal(0.0, 1.0))
            .unwrap();
        let h = first.input::<bf16, Ix2>("h", [2, 2], Init::ONES).unwrap();
        let given = first.given("ids", array![3_i32, 1, 2]).unwrap();
        let mut again = case().seed(99).replay_from(&*place);
        assert_eq!(
            again.input::<f16, Ix2>("x", [3, 4], Init::ZEROS).unwrap(),
            x
        );
        assert_eq!(
            again.input::<bf16, Ix2>("h", [2, 2], Init::ZEROS).unwrap(),
            h
        );
        assert_eq!(again.given("ids", array![0_i32, 0, 0]).unwrap(), given);
    }
}

#[test]
fn a_saved_input_that_does_not_fit_is_named_with_what_differs() {
    let folder = folder("replay_wrong");
    for place in [folder.join("arrays"), folder.join("all.safetensors")] {
        let mut first = case().save_to(&*place);
        first.input::<f32, Ix2>("x", [3, 4], Init::ONES).unwrap();
        let mut again = case().replay_from(&*place);
        let shape = again
            .input::<f32, Ix2>("x", [4, 3], Init::ONES)
            .unwrap_err()
            .to_string();
        assert!(
            shape.contains("`x`") && shape.contains("[3, 4], not [4, 3]"),
            "{shape}"
        );
        let ty = again
            .input::<f16, Ix2>("x", [3, 4], Init::ONES)
            .unwrap_err()
            .to_string();
        assert!(ty.contains("elements are f32, not f16"), "{ty}");
        let missing = again
            .input::<f32, Ix2>("w", [3, 4], Init::ONES)
            .unwrap_err();
        match missing {
            GoldenError::File(error) => assert!(error.path.ends_with("w.npy")),
            GoldenError::Replay { name, .. } => assert_eq!(name, "w"),
        }
    }
}

#[test]
fn the_last_line_says_how_it_went() {
    let mut good = case();
    good.compare("y", &array![1.0_f32], &array![1.0_f32], &Compare::exact())
        .unwrap();
    let report = good.finish();
    assert!(report.passed() && report.to_string().starts_with("PASS max_err=0.0e0 ("));
    let mut bad = case();
    bad.compare("y", &array![1.0_f32], &array![2.0_f32], &Compare::exact())
        .unwrap();
    let report = bad.finish();
    assert!(!report.passed() && report.to_string().starts_with("FAIL max_err=5.0e-1 ("));
    let unchecked = case().finish();
    assert!(unchecked.to_string().starts_with("validation skipped ("));
}

#[test]
fn outputs_are_saved_beside_the_inputs() {
    let folder = folder("outputs");
    let mut case = case().save_to(&*folder);
    case.compare(
        "y",
        &array![1.0_f32, 2.0],
        &array![1.0_f32, 2.0],
        &Compare::exact(),
    )
    .unwrap();
    let saved = pl_files::npy::read_npy(&folder.join("y.npy")).unwrap();
    assert_eq!(
        saved
            .into_array_dyn::<f32>()
            .unwrap()
            .into_raw_vec_and_offset()
            .0,
        [1.0, 2.0]
    );
}

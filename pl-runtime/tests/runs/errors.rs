//! What is refused, beyond the smallest program of each code (`codes`).

use crate::common::{EXECUTORS, Outcome, alloc, info, run, runtime, says, serial, zero};
use pl_runtime::{DType, Scope, ScopeMode, SliceItem, TensorCreateInfo};

#[test]
fn a_closed_inner_scope_on_ring_3_frees_nothing_of_the_open_one_around_it() {
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let error = run(&rt, |root| {
            let one = root.enter(ScopeMode::Auto, site!())?;
            let two = one.enter(ScopeMode::Auto, site!())?;
            let three = two.enter(ScopeMode::Auto, site!())?;
            let kept = three
                .alloc_tensors(site!(), &[info(32, 16).init(zero())])?
                .get_ref(0);
            alloc(&three.enter(ScopeMode::Auto, site!())?, site!(), 16, 16)?;
            let error = alloc(&three, site!(), 32, 16).unwrap_err();
            says(
                &error,
                &["ring 3", "requested 2048, used 3072, capacity 4096"],
            );
            assert_eq!(kept.dims(), [32, 16]);
            Err(error)
        });
        assert_eq!(error.unwrap_err().code(), Some(2));
    }
}

#[test]
fn a_block_larger_than_the_address_space_is_refused() {
    let rt = runtime(1 << 20, 64, serial());
    let huge = |n| vec![TensorCreateInfo::new(DType::F32, &[1 << 31, 1 << 29]); n];
    let error = run(&rt, |root| {
        root.alloc_tensors(site!(), &huge(1)).map(|_| ())
    })
    .unwrap_err();
    says(&error, &["can never fit", "shrink the tensors"]);
    let error = run(&rt, |root| {
        root.alloc_tensors(site!(), &huge(32)).map(|_| ())
    })
    .unwrap_err();
    assert_eq!(error.code(), Some(5));
}

fn nest(scope: &Scope<'_>, depth: usize) -> Outcome {
    if depth == 0 {
        Ok(())
    } else {
        nest(&scope.enter(ScopeMode::Auto, site!())?, depth - 1)
    }
}

#[test]
fn sixty_four_scopes_nest_and_the_next_is_code_5() {
    let rt = runtime(1 << 20, 64, serial());
    let report = run(&rt, |root| nest(root, 63)).unwrap();
    assert_eq!(report.scopes, 64);
    let error = run(&rt, |root| nest(root, 64)).unwrap_err();
    says(&error, &["orch_error_code=5", "64 scopes"]);
}

#[test]
fn an_error_that_the_orchestration_swallows_still_ends_the_run() {
    let rt = runtime(4096, 64, serial());
    let error = run(&rt, |root| {
        let _ = alloc(root, site!(), 100, 100);
        let _ = alloc(root, site!(), 1, 1);
        Ok(())
    })
    .unwrap_err();
    assert_eq!(error.code(), Some(2));
}

#[test]
fn a_slice_past_its_dimension_is_an_error_with_its_place() {
    let rt = runtime(1 << 20, 64, serial());
    let error = run(&rt, |root| {
        let x = alloc(root, site!(), 4, 4)?;
        x.slice(&[SliceItem::Range(2, 5), SliceItem::Full], site!())?;
        Ok(())
    })
    .unwrap_err();
    says(
        &error,
        &["orch_error_code=5", "`slice` at", "errors.rs:", "2..5"],
    );
    assert_eq!(error.code(), Some(5));
}

//! The last metre of each rule: what rustc shows the user.

/// One program for each mistake. The text is rustc's of the release the repository is built with.
#[test]
fn illegal_programs_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/fail/*.rs");
}

//! The last metre of each rule: what rustc shows the user.

/// One program for each mistake. The text is rustc's of the release the repository is built with.
#[test]
fn illegal_programs_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/fail/*.rs");
}

/// rustc shows lines of the standard library only where its source is installed, as it is beside
/// rust-analyzer: no case may depend on that.
#[test]
fn no_expected_error_shows_the_standard_library() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fail");
    let mut files = 0;
    for file in std::fs::read_dir(folder).expect("the folder is part of the repository") {
        let path = file.expect("readable").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "stderr")
        {
            let text = std::fs::read_to_string(&path).expect("readable");
            assert!(!text.contains("$RUST"), "{}", path.display());
            files += 1;
        }
    }
    assert!(files > 0, "errors are expected somewhere");
}

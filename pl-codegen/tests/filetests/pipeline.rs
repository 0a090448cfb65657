//! Whole programs through every pass.

use crate::file::{paths, stem};
use crate::kernels::Kernels;
use std::fs;

#[test]
fn every_pass_does_to_a_whole_program_what_its_snapshot_says() {
    for path in paths("pipeline") {
        let kernels = Kernels::read(&fs::read_to_string(&path).expect("readable"));
        let errors: Vec<&str> = kernels.errors.iter().map(|e| e.text.as_str()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        let text: String = kernels
            .units
            .iter()
            .map(|unit| kernels.describe(unit))
            .collect();
        insta::assert_snapshot!(stem(&path), text);
    }
}

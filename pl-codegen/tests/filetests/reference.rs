//! Three entries whose source in the dialect of the device's compiler is known, and what is printed for
//! them: the same text, but for places and for what is said here.

use crate::kernels::Kernels;
use std::fs;
use std::path::Path;

/// What is printed for the entry of a file of `reference/`, and the source that is known for it.
fn read(name: &str) -> (String, String) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |path: String| fs::read_to_string(package.join(path)).expect("readable");
    let kernels = Kernels::read(&text(format!("tests/reference/{name}.rs")));
    let errors: Vec<&str> = kernels.errors.iter().map(|e| e.text.as_str()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let printed = kernels.units.iter().find_map(|unit| kernels.cpp(unit));
    let known = text(format!("../pl-runtime/tests/data/cpp/{name}.cpp"));
    (
        without_places(&printed.expect("an entry").source),
        without_places(&known),
    )
}

/// Without the comment in front and the places in the Rust source.
fn without_places(source: &str) -> String {
    let start = source.find("#include").expect("includes");
    let mut text = String::new();
    for line in source[start..].lines() {
        let line = match line
            .find("  // case.rs:")
            .or_else(|| line.find(" (case.rs:"))
        {
            Some(end) => &line[..end],
            None => line,
        };
        text += line;
        text.push('\n');
    }
    text
}

/// The lines of the body of the entry function.
fn body(source: &str) -> &str {
    let start = "void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {\n";
    let (_, body) = source.split_once(start).expect("an entry");
    body.split_once("}\n\n}  // extern \"C\"")
        .expect("its end")
        .0
}

/// The known text with what we print otherwise.
fn with(known: &str, differences: &[(&str, &str)]) -> String {
    let mut text = known.to_owned();
    for (theirs, ours) in differences {
        assert!(text.contains(theirs), "the known text has no {theirs}");
        text = text.replace(theirs, ours);
    }
    text
}

#[test]
fn c165_e7_default_scopes_and_one_buffer() {
    let (printed, known) = read("blend");
    // Floats are the shortest text that reads back.
    let known = with(&known, &[("0.500000f", "0.5f")]);
    assert_eq!(printed, known);
}

#[test]
fn e8_nested_scopes_in_a_loop() {
    let (printed, known) = read("strips");
    let known = with(
        body(&known),
        &[
            // Slices are not clamped, and the rest of a dimension is not written out.
            (
                "static_cast<uint32_t>((i * 16))",
                "static_cast<uint32_t>(static_cast<uint64_t>((i * 16)))",
            ),
            (
                "{(strip_offsets[0] >= ext_x.shapes[0] ? 0u : std::min<uint32_t>(16, ext_x.shapes[0] - strip_offsets[0])), (strip_offsets[1] >= ext_x.shapes[1] ? 0u : std::min<uint32_t>(64, ext_x.shapes[1] - strip_offsets[1]))}",
                "{16, 64}",
            ),
        ],
    );
    assert_eq!(body(&printed), known);
}

#[test]
fn e9_a_manual_scope_with_dependencies_and_a_branch() {
    let (printed, known) = read("join");
    // What a MANUAL scope writes, the device does not order with what follows: both calls of `bump` race with
    // `combine` in the known text. Here they wait for it.
    let waits = |task: u32, n: u32| {
        let (params, scalar) = (format!("params_t{task}"), format!("(uint64_t){n}"));
        let indent = "                ";
        (
            format!("{params}.add_scalar({scalar});\n"),
            format!(
                "{params}.add_scalar({scalar});\n\
                 {indent}PTO2TaskId {params}_deps[1];\n\
                 {indent}uint32_t {params}_deps_count = 0;\n\
                 {indent}if (combine_id.is_valid()) {params}_deps[{params}_deps_count++] = combine_id;\n\
                 {indent}{params}.set_dependencies({params}_deps, {params}_deps_count);\n"
            ),
        )
    };
    let (third, fourth) = (waits(3, 1), waits(4, 2));
    let known = with(
        body(&known),
        &[
            (
                "        PTO2_SCOPE(PTO2ScopeMode::MANUAL) {\n",
                "        PTO2TaskId combine_id = PTO2TaskId::invalid();\n        \
                 PTO2_SCOPE(PTO2ScopeMode::MANUAL) {\n",
            ),
            (
                "rt_submit_aiv_task(2, params_t2);\n",
                "rt_submit_aiv_task(2, params_t2);\n            combine_id = task_2_outs.task_id();\n",
            ),
            (&third.0, &third.1),
            (&fourth.0, &fourth.1),
        ],
    );
    assert_eq!(body(&printed), known);
}

#[test]
fn the_page_on_device_source_shows_what_is_printed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/device-source.md");
    let page = fs::read_to_string(page).expect("readable");
    let block = |language: &str| {
        let (_, rest) = page
            .split_once(&format!("```{language}\n"))
            .expect("a block");
        rest.split_once("```").expect("its end").0
    };
    let kernels = Kernels::read(block("rust"));
    let printed = kernels.units.iter().find_map(|unit| kernels.cpp(unit));
    let printed = printed
        .expect("an entry")
        .source
        .replace("case.rs:", "blend.rs:");
    assert_eq!(body(&printed), block("cpp"));
}

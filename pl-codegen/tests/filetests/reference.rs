//! Three entries whose source in the dialect of the device's compiler is known, and what is printed for
//! them: the same text, but for places and for what is said here.
//!
//! Directions are those of the kernels' parameters: what the device's rules need beside is added before.

use crate::kernels::Kernels;
use std::fs;
use std::path::Path;

/// The entry of a file of `reference/`, and the text that is known for it.
fn read(name: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let text = |ending: &str| {
        fs::read_to_string(folder.join(format!("{name}.{ending}"))).expect("readable")
    };
    let kernels = Kernels::read(&text("rs"));
    let errors: Vec<&str> = kernels.errors.iter().map(|e| e.text.as_str()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let printed = kernels
        .units
        .iter()
        .find_map(|unit| kernels.cpp_as_linked(unit));
    (
        without_places(&printed.expect("an entry").source),
        text("cpp"),
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
    let (printed, known) = read("e7_blend");
    // Floats are the shortest text that reads back.
    let known = with(&known, &[("0.500000f", "0.5f")]);
    assert_eq!(printed, known);
}

#[test]
fn e8_nested_scopes_in_a_loop() {
    let (printed, known) = read("e8_strips");
    let known = with(
        &known,
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
            // In a loop the other compiler makes each write a read, too.
            ("params_t0.add_inout(u)", "params_t0.add_output(u)"),
            ("params_t1.add_inout(v)", "params_t1.add_output(v)"),
            ("params_t2.add_inout(w)", "params_t2.add_output(w)"),
        ],
    );
    let (_, prologue_and_loop) = body(&printed).split_once("\n\n").expect("a prologue");
    assert_eq!(prologue_and_loop, known);
}

#[test]
fn e9_a_manual_scope_with_dependencies_and_a_branch() {
    let (printed, known) = read("e9_join");
    let known = with(
        &known,
        &[
            // The id of the third task is not bound, so neither are its outputs.
            (
                "TaskOutputTensors task_2_outs = rt_submit_aiv_task(2",
                "rt_submit_aiv_task(2",
            ),
            // A write of a parameter that is read and written is a read there, too.
            ("params_t1.add_inout(ext_y)", "params_t1.add_output(ext_y)"),
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

//! How deep scopes nest, which is tedious to write out: 64 at once, the root included.

use crate::kernels::Kernels;

/// A kernel whose body is one line of code between so many lines of `open` and of `close`.
fn nested(attribute: &str, open: &str, levels: usize, close: &str) -> Kernels {
    let mut text = format!("{attribute}\nfn f(y: InOut<Tensor<f32, 64>>) {{\n");
    for _ in 0..levels {
        text += open;
        text += "\n";
    }
    text += "k(y);\n";
    for _ in 0..levels {
        text += close;
        text += "\n";
    }
    Kernels::read(&(text + "}\n"))
}

/// The code and the line of each error; the level `n` stands on line `n + 2`.
fn errors(kernels: &Kernels) -> Vec<(&str, u32)> {
    let errors = kernels.errors.iter();
    errors
        .map(|error| (error.code.as_str(), error.line))
        .collect()
}

const BY_HAND: &str = "#[pl::jit(auto_scope = false)]";

#[test]
fn sixty_three_scopes_by_hand_are_accepted_and_the_next_one_is_reported() {
    let of = |levels| nested(BY_HAND, "scope!({", levels, "});");
    assert_eq!(errors(&of(63)), []);
    assert_eq!(errors(&of(64)), [("PL0007", 66)]);
}

#[test]
fn those_within_the_first_one_too_many_are_the_same_mistake() {
    let deep = nested(BY_HAND, "scope!({", 70, "});");
    assert_eq!(errors(&deep), [("PL0007", 66)]);
}

#[test]
fn the_scope_of_the_body_and_those_of_loops_count() {
    let of = |levels| nested("#[pl::jit]", "for _ in 0..2 {", levels, "}");
    assert_eq!(errors(&of(62)), []);
    assert_eq!(errors(&of(63)), [("PL0007", 65)]);
}

#[test]
fn the_scopes_of_branches_count() {
    let of = |levels| nested("#[pl::jit]", "if y.dim(0) > 1 {", levels, "}");
    assert_eq!(errors(&of(62)), []);
    assert_eq!(errors(&of(63)), [("PL0007", 65)]);
}

#[test]
fn the_body_of_a_helper_opens_none() {
    let of = |levels| nested("#[pl::jit::inline]", "for _ in 0..2 {", levels, "}");
    assert_eq!(errors(&of(63)), []);
    assert_eq!(errors(&of(64)), [("PL0007", 66)]);
}

#[test]
fn blocks_loops_and_branches_without_scopes_do_not_count() {
    for (open, close) in [
        ("{", "}"),
        ("for _ in 0..2 {", "}"),
        ("if y.dim(0) > 1 {", "}"),
    ] {
        assert_eq!(errors(&nested(BY_HAND, open, 70, close)), [], "{open}");
    }
}

#[test]
fn loops_inside_a_manual_scope_open_none() {
    let open = "for _ in 0..2 {\n".repeat(70);
    let close = "}\n".repeat(70);
    let manual = nested(
        "#[pl::jit]",
        &format!("manual_scope!({{\n{open}"),
        1,
        &format!("{close}}});"),
    );
    assert_eq!(errors(&manual), []);
}

#[test]
fn scratch_scopes_are_not_counted() {
    let text = format!(
        "#[pl::jit::incore]\nfn f(y: InOut<Tensor<f32, 64>>) {{ {} store(y, load(y)); {} }}",
        "scratch_scope!({".repeat(70),
        "});".repeat(70)
    );
    assert_eq!(errors(&Kernels::read(&text)), []);
}

//! Programs of so many statements, each kind of another shape.

use std::fmt::Write;

/// A kind of program: its name, and the text for a number of statements.
pub(crate) type Program = (&'static str, fn(usize) -> String);

#[rustfmt::skip]
pub(crate) const ALL: &[Program] = &[
    ("mixed", |size| groups(size, 10, MIXED)),
    ("submits", |size| groups(size, 1, "k(x, y);")),
    ("chain", |size| groups(size, 2, "k(z, y); k(y, z);")),
    ("constant slices", |size| groups(size, 1, "k(x.slice(s![@..@ + 1, ..]), z.slice(s![@..@ + 1, ..]));")),
    ("slices again", |size| groups(size, 1, "k(z.slice(s![%..% + 1, ..]), z.slice(s![% + 1..% + 2, ..]));")),
    ("loops", |size| groups(size, 2, "for i in 0..n { k(x.slice(s![i..i + 1, ..]), z.slice(s![i..i + 1, ..])); }")),
    ("loops of constants", |size| groups(size, 2, "for i in 0..64 { k(x.slice(s![i..i + 1, ..]), z.slice(s![i..i + 1, ..])); }")),
    ("nested loops", |size| groups(size, 4, NESTED)),
    ("creates", |size| groups(size, 3, "let a@ = create_tensor::<f32>([64, 64]); k(x, a@); k(a@, y);")),
    ("rebound tensor", rebound),
    ("rebound number", |size| groups(size, 3, "m = m + n; let a@ = m.min(64); k(x.slice(s![0..a@, ..]), z.slice(s![0..a@, ..]));")),
    ("branches", |size| groups(size, 3, "if n > @ { k(x, z); k(x, y); }")),
    ("deep branches", deep),
    ("task ids", |size| groups(size, 2, "let t@ = submit!(k(x, y)); submit!(k(x, z), deps = [t@]);")),
    ("one task id", one_task_id),
    ("array of task ids", task_ids),
    ("manual scope", manual),
    ("elements", |size| groups(size, 2, "w.set([%, 0], 1.0); k(w, y);")),
];

/// Ten statements of all kinds.
const MIXED: &str = include_str!("../mixed.txt");

const NESTED: &str = "
    for i in 0..n { for j in 0..n { for l in 0..n {
        k(x.slice(s![i..i + 1, ..]), z.slice(s![j..j + 1, ..]));
    } } }
";

/// An entry with this body.
fn entry(body: &str) -> String {
    format!(
        "#[pl::jit::incore]
        fn k(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {{ store(y, load(x)); }}
        #[pl::jit]
        fn f(n: usize, x: Tensor<f32, 64, 64>, z: InOut<Tensor<f32, 64, 64>>,
            y: Out<Tensor<f32, 64, 64>>) {{
            let mut m = 0; let w = create_tensor::<f32>([64, 64]); {body}
        }}"
    )
}

/// Statements of which there are `each` in a group, until there are so many. `@` is the group's number, `%` that below 63.
fn repeated(size: usize, each: usize, group: &str) -> String {
    let mut text = String::new();
    for number in 0..size.div_ceil(each) {
        let _ = writeln!(
            text,
            "{}",
            group
                .replace('@', &number.to_string())
                .replace('%', &(number % 63).to_string())
        );
    }
    text
}

fn groups(size: usize, each: usize, group: &str) -> String {
    entry(&repeated(size, each, group))
}

fn rebound(size: usize) -> String {
    let again = repeated(
        size,
        3,
        "k(x, t); k(t, y); t = create_tensor::<f32>([64, 64]);",
    );
    entry(&format!(
        "let mut t = create_tensor::<f32>([64, 64]); {again}"
    ))
}

/// Branches in branches, as deep as parsers go.
fn deep(size: usize) -> String {
    let mut one = "k(x, y);".to_owned();
    for level in 0..48 {
        one = format!("if n > {level} {{ {one} k(x, z); }}");
    }
    groups(size, 97, &one)
}

fn one_task_id(size: usize) -> String {
    let again = repeated(size, 1, "t = submit!(k(x, y), deps = [t]);");
    entry(&format!("let mut t = TaskId::NONE; {again}"))
}

fn task_ids(size: usize) -> String {
    let again = repeated(size, 1, "ids[%] = submit!(k(x, y), deps = [ids]);");
    entry(&format!("let mut ids = TaskIds::<64>::new(); {again}"))
}

fn manual(size: usize) -> String {
    let again = repeated(
        size,
        2,
        "let t@ = submit!(k(x, z)); submit!(k(z, y), deps = [t@]);",
    );
    entry(&format!("manual_scope!({{ {again} }})"))
}

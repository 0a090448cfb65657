//! What a kernel becomes, as text for snapshot tests: the same on every machine, and the same after changes
//! that do not concern the kernel.
//!
//! Places are those of the function, not of the file: `blend:4` is the fourth line of the function `blend`,
//! counted from the first line on which it stands, which is that of `fn`. So text that moves in its file, or
//! a file that moves, changes no snapshot.

use crate::kernel::Kernel;
use crate::plan::Plan;
use crate::site::Site;
use pl_codegen::ir::SpanId;
use std::collections::HashMap;

/// The IR of a kernel after all passes.
pub fn ir(kernel: &Kernel) -> String {
    kernel.relative().ir()
}

/// The Rust that a kernel becomes.
pub fn rust(kernel: &Kernel) -> String {
    kernel.relative().orchestration_rust()
}

/// The C++ that an entry becomes; of another function, a comment that says why there is none.
pub fn cpp(kernel: &Kernel) -> String {
    let text = kernel.relative().orchestration_cpp();
    text.unwrap_or_else(|error| {
        let error = error.to_string();
        let lines = error.lines().map(|line| format!("// {line}\n"));
        lines.collect()
    })
}

/// IR, Rust and C++, one below the other: what
/// [`assert_orchestration_snapshot!`](crate::assert_orchestration_snapshot) compares.
pub fn orchestration(kernel: &Kernel) -> String {
    let forms = [
        ("IR", ir(kernel)),
        ("Rust", rust(kernel)),
        ("C++", cpp(kernel)),
    ];
    let sections = forms.map(|(name, text)| format!("// {name}\n\n{}\n", text.trim_end()));
    sections.join("\n")
}

/// The scopes of a plan with what is called in each ([`Plan::topology`]), one line for each place.
///
/// Places are those of the functions of `kernels`, the entries that were planned; others have the name of
/// their file alone.
pub fn topology(plan: &Plan, kernels: &[Kernel]) -> String {
    let mut places: HashMap<(&str, u32), (&str, u32)> = HashMap::new();
    for source in kernels.iter().flat_map(Kernel::sources) {
        let (name, map) = (&source.unit.function.name, &source.unit.source);
        let lines = map.lines.iter().zip(map.relative(name).lines);
        for (at, (&line, relative)) in lines.enumerate() {
            let file = map.file(SpanId(at as u32));
            let place = (name.as_str(), relative);
            places.entry((file, line)).or_insert(place);
        }
    }
    let place = |site: Site| match places.get(&(site.file, site.line)) {
        Some((function, line)) => format!("{function}:{line}"),
        None => site.file_name().to_owned(),
    };
    plan.topology().text(&place)
}

/// Compares what a kernel becomes, as IR, as Rust and as C++, with a snapshot of `insta`, which your crate
/// has among its `dev-dependencies`.
///
/// `assert_orchestration_snapshot!(kernel)`, or with a name for the snapshot before it, as for
/// `insta::assert_snapshot!`. What is compared is [`testing::orchestration`](crate::testing::orchestration).
#[macro_export]
macro_rules! assert_orchestration_snapshot {
    ($kernel:expr $(,)?) => {
        ::insta::assert_snapshot!($crate::testing::orchestration(&$kernel))
    };
    ($name:expr, $kernel:expr $(,)?) => {
        ::insta::assert_snapshot!($name, $crate::testing::orchestration(&$kernel))
    };
}

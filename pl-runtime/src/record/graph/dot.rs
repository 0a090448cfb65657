//! The graph in the language of Graphviz: a box for each scope, a node for each task, an edge for each
//! pair of tasks.

use super::{Known, Reason, Task, mode_name};
use std::io::{self, Write};

/// What is drawn where many tasks meet.
const MARK: &str = "color=red, penwidth=2";

pub(super) fn write(known: &Known<'_>, entry: &str, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "digraph {} {{", quoted(entry))?;
    writeln!(to, "  rankdir=LR;")?;
    writeln!(
        to,
        "  node [shape=box, fontname=\"sans-serif\", fontsize=10];"
    )?;
    writeln!(to, "  edge [fontname=\"sans-serif\", fontsize=8];")?;
    nodes(known, to)?;
    edges(known, to)?;
    writeln!(to, "}}")
}

/// By scope. A scope without tasks is not drawn.
fn nodes(known: &Known<'_>, to: &mut impl Write) -> io::Result<()> {
    let mut order: Vec<usize> = (0..known.graph.tasks.len()).collect();
    order.sort_by_key(|&task| known.graph.tasks[task].scope);
    let scope_of = |task: usize| known.graph.tasks[task].scope;
    for tasks in order.chunk_by(|&a, &b| scope_of(a) == scope_of(b)) {
        let number = scope_of(tasks[0]);
        let scope = &known.graph.scopes[number as usize];
        let mode = mode_name(scope.mode).to_uppercase();
        let label = format!("{mode} scope {}, ring {}", scope.site, scope.ring);
        writeln!(to, "  subgraph cluster_{number} {{")?;
        writeln!(to, "    label={}; color=gray;", quoted(&label))?;
        for &task in tasks {
            writeln!(to, "    t{task} [{}];", node(known, task))?;
        }
        writeln!(to, "  }}")?;
    }
    Ok(())
}

fn node(known: &Known<'_>, at: usize) -> String {
    let Task {
        key,
        kernel,
        site,
        blocks,
        ..
    } = &known.graph.tasks[at];
    let fans = known.fans[at];
    let name = kernel.map_or("alloc_tensors", |kernel| kernel.name);
    let mut label = format!("{name}\n{site}\ntask {}:{}", key.ring(), key.local());
    if *blocks > 1 {
        label = format!("{label}, {blocks} blocks");
    }
    let marked = fans.flags();
    for (flag, text, count) in [
        ("fan_in", "waits for", fans.fan_in),
        ("fan_out", "waited for by", fans.fan_out),
    ] {
        if marked.contains(&flag) {
            label = format!("{label}\n{text} {count} tasks");
        }
    }
    let mut attributes = format!("label={}", quoted(&label));
    if kernel.is_none() {
        attributes += ", style=dashed";
    }
    if !marked.is_empty() {
        attributes += ", ";
        attributes += MARK;
    }
    attributes
}

fn edges(known: &Known<'_>, to: &mut impl Write) -> io::Result<()> {
    let all: Vec<_> = known.edges().map(|(_, edge)| edge).collect();
    for of_task in all.chunk_by(|a, b| a.to == b.to) {
        let mut of_task: Vec<_> = of_task.to_vec();
        // One arrow for each producer, in the order of the producers; its reasons in theirs.
        of_task.sort_by_key(|edge| known.position(edge.from));
        for pair in of_task.chunk_by(|a, b| a.from == b.from) {
            let (Some(first), Some(second)) =
                (known.position(pair[0].from), known.position(pair[0].to))
            else {
                continue;
            };
            let reasons: Vec<String> = pair
                .iter()
                .map(|edge| {
                    let reason = Reason::of(edge.source).short;
                    match known.parameter(edge) {
                        Some(parameter) => format!("{reason} {parameter}"),
                        None => reason.to_owned(),
                    }
                })
                .collect();
            let label = quoted(&reasons.join("\n"));
            writeln!(to, "  t{first} -> t{second} [label={label}];")?;
        }
    }
    Ok(())
}

/// A quoted text: only quotes and backslashes mean something there.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_ends_where_it_should_whatever_is_in_it() {
        assert_eq!(quoted("a \"b\" c:\\d\ne\u{1}"), r#""a \"b\" c:\\d\ne ""#);
        assert_eq!(quoted("<b>&amp;</b>"), "\"<b>&amp;</b>\"");
    }
}

//! Long lines of emitted Rust, broken at their commas.

/// Columns that a line should fit in.
const WIDTH: usize = 100;

/// Breaks every line that is too long, as far as it has brackets to break at.
pub(super) fn wrap(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let code = line.trim_start();
        wrap_line(code, line.len() - code.len(), &mut out);
    }
    out
}

fn wrap_line(code: &str, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    let broken = if indent + code.len() > WIDTH {
        widest_group(code)
    } else {
        None
    };
    let Some((open, close)) = broken else {
        out.push_str(&margin);
        out.push_str(code);
        out.push('\n');
        return;
    };
    out.push_str(&margin);
    out.push_str(&code[..=open]);
    out.push('\n');
    for item in split(&code[open + 1..close]) {
        wrap_line(&format!("{},", item.trim()), indent + 4, out);
    }
    // What follows the bracket may be too long in its own right.
    wrap_line(&code[close..], indent, out);
}

/// The widest list of the line that is not inside another and has something in it: arguments or
/// elements, not an expression in parentheses.
fn widest_group(code: &str) -> Option<(usize, usize)> {
    let mut stack = Vec::new();
    let mut widest: Option<(usize, usize)> = None;
    for (at, byte) in significant(code) {
        match byte {
            b'(' | b'[' => stack.push(at),
            b')' | b']' => {
                // A closing bracket without an opening one ends a list broken before.
                let Some(open) = stack.pop() else { continue };
                let width = at - open;
                let is_list = code.as_bytes()[open] == b'[' || is_call(&code[..open]);
                if stack.is_empty()
                    && is_list
                    && width > 1
                    && widest.is_none_or(|(a, b)| b - a < width)
                {
                    widest = Some((open, at));
                }
            }
            _ => {}
        }
    }
    widest
}

/// Whether a bracket after this text holds arguments.
fn is_call(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>'))
}

/// The items between the commas of a list.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 0;
    let mut items = Vec::new();
    for (at, byte) in significant(list) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !list[start..].trim().is_empty() {
        items.push(&list[start..]);
    }
    items
}

/// Bytes outside string literals.
fn significant(code: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut quoted = false;
    let mut escaped = false;
    code.bytes().enumerate().filter(move |&(_, byte)| {
        let inside = quoted;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => {}
        }
        !inside && byte != b'"'
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_fits_stays() {
        assert_eq!(wrap("    f(a, b);\n"), "    f(a, b);\n");
    }

    #[test]
    fn a_long_line_breaks_at_the_commas_of_its_widest_list() {
        let (a, b) = ("a".repeat(40), "b".repeat(60));
        let line = format!("let x = g(1)?.f({a}, [{b}, 2])?;\n");
        let expected = format!("let x = g(1)?.f(\n    {a},\n    [{b}, 2],\n)?;\n");
        assert_eq!(wrap(&line), expected);
    }

    #[test]
    fn brackets_and_commas_in_strings_are_text() {
        let name = format!("{}, (\\\"[", "n".repeat(90));
        let line = format!("f(\"{name}\", 1);\n");
        assert_eq!(wrap(&line), format!("f(\n    \"{name}\",\n    1,\n);\n"));
    }

    #[test]
    fn an_expression_in_parentheses_stays_whole() {
        let (a, b) = ("a".repeat(60), "b".repeat(60));
        let line = format!("let x = ({a} + {b}) * 2;\n");
        assert_eq!(wrap(&line), line);
    }

    #[test]
    fn what_has_no_list_stays_long() {
        let line = format!("let {} = 1;\n", "n".repeat(120));
        assert_eq!(wrap(&line), line);
    }
}

//! Numbers and foreign text, as they are shown.

use super::lane::Resource;

/// A number of `unit`s of a resource.
pub(super) fn amount(resource: Resource, value: u64) -> String {
    match resource {
        Resource::Heap => bytes(value),
        _ => value.to_string(),
    }
}

/// With three digits at least, and exact if it can be.
pub(super) fn bytes(value: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if value < 1024 {
        return format!("{value} B");
    }
    let mut scaled = value as f64 / 1024.0;
    let mut unit = 0;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    let digits = if scaled.fract() == 0.0 {
        0
    } else if scaled >= 100.0 {
        1
    } else {
        2
    };
    format!("{scaled:.digits$} {}", UNITS[unit])
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// `1 scope`, `2 scopes`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Without characters that act on a terminal, line feeds apart.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() && c != '\n' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// The beginning of a text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = printable(text).replace('\n', " ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_the_largest_unit_they_fill() {
        for (value, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.50 KiB"),
            (6 << 20, "6 MiB"),
            (268_435_457, "256.0 MiB"),
            (u64::MAX, "16384 PiB"),
        ] {
            assert_eq!(bytes(value), text);
        }
    }

    #[test]
    fn excerpts_are_one_short_line() {
        assert_eq!(excerpt("a\nb\u{1b}"), "a b\u{fffd}");
        assert_eq!(excerpt(&"ü".repeat(81)), "ü".repeat(80) + "…");
    }
}

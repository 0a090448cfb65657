//! The pages of `docs/diagnostics`, by code.

use std::fmt::Write;

struct Entry {
    code: &'static str,
    title: &'static str,
    page: &'static str,
}

macro_rules! entries {
    ($($code:ident $variant:ident $title:literal;)*) => {
        /// Every diagnostic, in ascending order.
        const ENTRIES: &[Entry] = &[$(Entry {
            code: stringify!($code),
            title: $title,
            page: include_str!(concat!("../../docs/diagnostics/", stringify!($code), ".md")),
        }),*];
    };
}

pl_codegen::for_each_diagnostic!(entries);

/// The page of a code, in upper or lower case.
pub(crate) fn page(code: &str) -> Option<&'static str> {
    ENTRIES
        .iter()
        .find(|entry| entry.code.eq_ignore_ascii_case(code))
        .map(|entry| entry.page)
}

/// All codes with their titles.
pub(crate) fn list() -> String {
    lines(ENTRIES.iter())
}

/// What to say about a code that does not exist: the ones that are spelled most alike.
pub(crate) fn unknown(code: &str) -> String {
    let mut near: Vec<&Entry> = ENTRIES.iter().collect();
    near.sort_by_key(|entry| differences(entry.code, code));
    let near = lines(near.into_iter().take(3));
    format!(
        "error: there is no diagnostic `{code}`; `pl explain --list` lists all, near it are\n{near}"
    )
}

fn lines<'e>(entries: impl Iterator<Item = &'e Entry>) -> String {
    entries.fold(String::new(), |mut text, Entry { code, title, .. }| {
        let _ = writeln!(text, "{code}  {title}");
        text
    })
}

/// Number of positions, counted from the end, at which two codes differ.
fn differences(code: &str, given: &str) -> usize {
    let given = given.to_ascii_uppercase();
    let same = code
        .chars()
        .rev()
        .zip(given.chars().rev())
        .filter(|(a, b)| a == b)
        .count();
    code.chars().count().max(given.chars().count()) - same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_starts_with_its_code_and_title() {
        for Entry { code, title, page } in ENTRIES {
            assert_eq!(page.lines().next(), Some(&*format!("# {code}: {title}")));
        }
    }

    #[test]
    fn every_page_says_what_happened_why_and_what_to_write() {
        for Entry { code, page, .. } in ENTRIES {
            for heading in ["\n## Wrong\n", "\n## Right\n", "\n## Why\n"] {
                assert!(page.contains(heading), "{code}: {heading:?}");
            }
        }
    }

    #[test]
    fn codes_are_found_in_any_case() {
        assert_eq!(page("pl0001"), page("PL0001"));
        assert!(page("PL0001").unwrap().starts_with("# PL0001: AUTO scope"));
        assert_eq!(page("PL9999"), None);
    }

    #[test]
    fn an_unknown_code_names_the_nearest() {
        assert!(unknown("PL1003").contains("PL0003  AUTO scope by hand"));
        assert!(unknown("0104").contains("PL0104  "));
        assert!(unknown("").contains("PL0001"));
    }
}

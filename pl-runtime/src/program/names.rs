//! Names of files.

use std::collections::HashSet;
use std::fmt::Write;

/// Letters of a name that are kept.
const LENGTH: usize = 100;

/// Names that some systems give to devices, whatever stands behind the dot.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

/// Gives each file of a folder a name of its own, also where letters are not told apart by their case.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// `attend::<128>` becomes `attend_128`; letters that are not ASCII are spelled `u` and their number.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        let name = spelled(wanted);
        let mut given = name.clone();
        let mut number = 1;
        while !self.0.insert(given.to_lowercase()) {
            given = format!("{name}_{number}");
            number += 1;
        }
        given
    }
}

fn spelled(wanted: &str) -> String {
    let mut name = String::new();
    for letter in wanted.trim_start_matches("r#").chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => name.push(letter),
            _ if letter.is_ascii() => {
                if !name.is_empty() && !name.ends_with('_') {
                    name.push('_');
                }
            }
            _ => drop(write!(name, "u{:x}", letter as u32)),
        }
    }
    if !wanted.ends_with('_') {
        name.truncate(name.trim_end_matches('_').len());
    }
    name.truncate(LENGTH);
    let lower = name.to_lowercase();
    let port = lower.strip_prefix("com").or(lower.strip_prefix("lpt"));
    let is_port = port.is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit());
    if name.is_empty() || is_port || DEVICES.contains(&lower.as_str()) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_name_that_every_system_takes_is_kept() {
        assert_eq!(Names::default().give("rms_norm"), "rms_norm");
    }

    #[test]
    fn what_some_system_does_not_take_is_spelled() {
        for (wanted, given) in [
            ("attend::<128, f32>", "attend_128_f32"),
            ("größe", "gru00f6u00dfe".replace("00", "").as_str()),
            ("aux", "aux_"),
            ("COM1", "COM1_"),
            ("r#loop", "loop"),
            ("../up", "up"),
            ("\u{2500}", "u2500"),
            ("::", "_"),
        ] {
            assert_eq!(Names::default().give(wanted), given, "{wanted}");
        }
        assert!(Names::default().give(&"x".repeat(400)).len() < 120);
    }

    #[test]
    fn two_files_have_two_names_also_where_case_is_ignored() {
        let mut names = Names::default();
        assert_eq!(names.give("add"), "add");
        assert_eq!(names.give("Add"), "Add_1");
        assert_eq!(names.give("add"), "add_2");
    }
}

//! Tables of `docs/` that say which test holds what: the tests are there, and no test is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file or folder of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Rust files in a folder and the folders in it.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Every test of a folder as `file::test`: functions, the programs of `cases`, the files of `fail`.
fn tests_in(folder: &str) -> BTreeSet<String> {
    let mut paths = Vec::new();
    sources(&repository(folder), &mut paths);
    let mut tests = BTreeSet::new();
    for path in paths {
        let folder = stem(path.parent().unwrap());
        if folder == "fail" {
            tests.insert(format!("fail/{}", stem(&path)));
            continue;
        }
        let file = match stem(&path).as_str() {
            "tests" => folder.clone(),
            other => other.to_owned(),
        };
        // `build.rs` of ui-tests writes it.
        let generated = (file == "accepted").then_some("fn every_accepted_entry_links() {");
        let keyword = if folder == "cases" { "mod " } else { "fn " };
        for line in read(&path).lines().map(str::trim).chain(generated) {
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            if let Some(rest) = line.strip_prefix(keyword) {
                let name: String = rest
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                tests.insert(format!("{file}::{name}"));
            }
        }
    }
    tests
}

/// All tests that tables may name.
fn tests() -> BTreeSet<String> {
    [
        "pl-codegen/src",
        "pl-codegen/tests/cases",
        "pl-codegen/tests/filetests",
        "pl-runtime/tests",
        "ui-tests/tests",
    ]
    .into_iter()
    .flat_map(tests_in)
    .collect()
}

/// `c012`, `d7`, `r04`: the row that the beginning of a test's name stands for.
fn ids(test: &str) -> Vec<&str> {
    let name = test.rsplit(['/', ':']).next().unwrap();
    let is_id = |part: &&str| {
        let (letter, digits) = part.split_at(part.len().min(1));
        ["a", "b", "c", "d", "e", "r"].contains(&letter)
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
    };
    name.split('_').take_while(is_id).collect()
}

/// The cells of the rows of a page's tables.
fn cells(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    rows.map(|row| row.trim_end_matches(" |").split(" | ").collect())
}

/// What stands between backquotes and names a test.
fn named(cell: &str) -> impl Iterator<Item = &str> {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        !text.contains(['(', '#']) && (text.contains("::") || text.starts_with("fail/"))
    })
}

/// `C023` or `C023–C030`, `R1`: the numbers of a row.
fn numbers(cell: &str, letter: char) -> Vec<u32> {
    let mut ends = cell
        .split('–')
        .map(|end| end.strip_prefix(letter)?.parse().ok());
    match (ends.next().flatten(), ends.next()) {
        (Some(one), None) => vec![one],
        (Some(from), Some(Some(to))) => (from..=to).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_tests_named_in_the_table_exist() {
    let (tests, page) = (tests(), read(&repository("docs/reference-rows.md")));
    for test in cells(&page).flatten().flat_map(named) {
        assert!(tests.contains(test), "{test}");
    }
}

#[test]
fn each_row_of_the_reference_is_in_the_table_once() {
    let page = read(&repository("docs/reference-rows.md"));
    let rows = cells(&page).flat_map(|cells| numbers(cells[0], 'C'));
    assert_eq!(rows.collect::<Vec<_>>(), (1..=196).collect::<Vec<_>>());
    let rules = cells(&page).flat_map(|cells| numbers(cells[0], 'R'));
    assert_eq!(rules.collect::<Vec<_>>(), (1..=14).collect::<Vec<_>>());
}

#[test]
fn a_row_that_is_in_the_name_of_a_test_names_the_test() {
    let page = read(&repository("docs/reference-rows.md"));
    let mut held: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for cells in cells(&page) {
        let by: BTreeSet<&str> = cells.iter().flat_map(|cell| named(cell)).collect();
        for number in numbers(cells[0], 'C') {
            held.insert(format!("c{number:03}"), by.clone());
        }
        for number in numbers(cells[0], 'R') {
            held.insert(format!("r{number:02}"), by.clone());
        }
    }
    let mut seen = 0;
    for test in tests() {
        // Shorter ones are rows of `docs/pain-points.md`.
        for id in ids(&test)
            .into_iter()
            .filter(|id| id.len() == 4 || id.starts_with('r'))
        {
            let by = held
                .get(id)
                .unwrap_or_else(|| panic!("{test}: no row {id}"));
            assert!(
                by.contains(test.as_str()),
                "docs/reference-rows.md, {id}: {test}"
            );
            seen += 1;
        }
    }
    assert!(seen > 100, "the tests are found: {seen}");
}

#[test]
fn every_pain_point_has_a_test_of_its_number() {
    let page = read(&repository("docs/pain-points.md"));
    let rows: Vec<&str> = cells(&page)
        .map(|cells| cells[0])
        .filter(|row| row.len() > 1 && row[1..].bytes().all(|b| b.is_ascii_digit()))
        .collect();
    let expected: Vec<String> = [
        ('A', 1..=25),
        ('B', 1..=11),
        ('C', 1..=23),
        ('D', 1..=22),
        ('E', 2..=8),
    ]
    .into_iter()
    .flat_map(|(letter, numbers)| numbers.map(move |number| format!("{letter}{number}")))
    .collect();
    assert_eq!(rows, expected);
    let tests = tests();
    let held: BTreeSet<&str> = tests.iter().flat_map(|test| ids(test)).collect();
    for row in rows {
        let compiles = row != "B7";
        assert_eq!(
            held.contains(row.to_lowercase().as_str()),
            compiles,
            "{row}"
        );
    }
}

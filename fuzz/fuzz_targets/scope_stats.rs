//! Whatever stands in a file of scope statistics, reading and showing it does not panic, and each record is paired or
//! found. Good seeds are the files of `pl-cli/tests/scope_stats/corpus`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pl_cli::scope_stats::{Comparison, Detail, Kind, Tolerance, read};

fuzz_target!(|data: &[u8]| {
    let summary = read(data, None, Detail::Course).expect("memory can be read");
    let count = |kind| summary.findings.get(kind).map_or(0, |finding| finding.count);
    let unpaired = [Kind::EndWithoutBegin, Kind::BeginWithoutEnd, Kind::TooManyOpen].map(count);
    let left = unpaired.iter().sum::<u64>() + summary.open.len() as u64;
    assert_eq!(2 * summary.scopes + left, summary.records);
    let page = summary.html("file");
    assert_eq!(page.matches("</script").count(), 2);
    drop((summary.text("file"), summary.json("file")));
    drop(Comparison::new(&summary, &summary, Tolerance::default()).text(["a", "b"]));
});

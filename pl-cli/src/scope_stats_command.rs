//! `pl scope-stats`.

use crate::options::ScopeStats;
use crate::output::{Ending, print, refuse, replace};
use pl_cli::scope_stats::{Comparison, Detail, Summary, read};
use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) fn run(options: &ScopeStats) -> Ending {
    match run_or_refuse(options) {
        Ok(ending) => ending,
        Err(text) => refuse(&text),
    }
}

fn run_or_refuse(options: &ScopeStats) -> Result<Ending, String> {
    let detail = match options.html {
        Some(_) => Detail::Course,
        None => Detail::Peaks,
    };
    let name = options.file.to_string_lossy();
    let summary = load(&options.file, detail)?;
    if let Some(other) = &options.other {
        let after = load(other, detail)?;
        return Ok(compare(options, &summary, &after, &other.to_string_lossy()));
    }
    let ending = if summary.is_good() {
        Ending::Good
    } else {
        Ending::Bad
    };
    if let Some(out) = &options.html {
        replace(out, summary.html(&name))
            .map_err(|error| format!("{}: cannot be written: {error}", out.display()))?;
        if !options.json {
            let text = summary.text(&name) + &format!("\nwrote {}\n", out.display());
            return Ok(print(&text, ending));
        }
    }
    let text = if options.json {
        format!("{:#}\n", summary.json(&name))
    } else {
        summary.text(&name)
    };
    Ok(print(&text, ending))
}

fn compare(options: &ScopeStats, before: &Summary, after: &Summary, other: &str) -> Ending {
    let names = [&*options.file.to_string_lossy(), other];
    let comparison = Comparison::new(before, after, options.tolerance);
    let ending = if comparison.has_regression() {
        Ending::Regression
    } else if before.is_good() && after.is_good() {
        Ending::Good
    } else {
        Ending::Bad
    };
    let text = if options.json {
        format!("{:#}\n", comparison.json(names))
    } else {
        comparison.text(names)
    };
    print(&text, ending)
}

/// The summary of a file in which there is something.
fn load(path: &Path, detail: Detail) -> Result<Summary, String> {
    let refused = |why: &str| format!("{}: {why}", path.display());
    let summary = if path == "-" {
        read(io::stdin().lock(), None, detail)
    } else {
        File::open(path).and_then(|file| read(file, Some(path), detail))
    };
    let summary = summary.map_err(|error| match error.kind() {
        io::ErrorKind::IsADirectory => refused(
            "this is a folder; the file is `dfx_outputs/scope_stats/scope_stats.jsonl` below the work folder",
        ),
        _ => refused(&format!("cannot be read: {error}")),
    })?;
    if summary.is_empty() {
        return Err(refused(
            "this is no `scope_stats.jsonl`: neither metadata nor a record stands in it",
        ));
    }
    Ok(summary)
}

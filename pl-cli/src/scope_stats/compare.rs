//! Two runs side by side.

use super::format::amount;
use super::lane::{Lane, Resource};
use super::summary::Summary;
use super::text::{Table, write_findings};
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use std::fmt::Write;
use std::str::FromStr;

/// By how much a peak may grow, as a part of what it was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tolerance(f64);

impl FromStr for Tolerance {
    type Err = String;

    /// Reads `5%` or `5`, both five percent.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('%').unwrap_or(text).trim();
        match number.parse::<f64>() {
            Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(Self(percent / 100.0)),
            _ => Err("a tolerance is a percentage from 0 up, such as `5%`".into()),
        }
    }
}

/// A peak before and after.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// Of what.
    pub lane: Lane,
    /// Whether it is what was needed; otherwise it is the high water (the tensormap: live at exit).
    pub demand: bool,
    /// In the first run.
    pub before: u64,
    /// In the second run.
    pub after: u64,
    /// Whether it grew by more than the tolerance.
    pub regression: bool,
}

/// Two runs.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'s> {
    a: &'s Summary,
    b: &'s Summary,
    tolerance: Tolerance,
}

impl<'s> Comparison<'s> {
    /// `b` against `a`.
    pub fn new(a: &'s Summary, b: &'s Summary, tolerance: Tolerance) -> Self {
        Self { a, b, tolerance }
    }

    /// Every lane that one of them used.
    pub fn changes(&self) -> Vec<Change> {
        let (a, b) = (self.a, self.b);
        Lane::all()
            .filter_map(|lane| {
                let demand = a.demand(lane).zip(b.demand(lane));
                let peaks = |summary: &Summary| {
                    let figures = summary.figures(lane);
                    let peak = match lane.resource() {
                        Resource::Tensormap => figures.live,
                        _ => figures.high_water,
                    };
                    peak.map(|peak| peak.value)
                };
                let high = (peaks(a), peaks(b));
                if high == (None, None) {
                    return None;
                }
                let (before, after) = demand.unwrap_or((high.0.unwrap_or(0), high.1.unwrap_or(0)));
                let limit = before as f64 * (1.0 + self.tolerance.0);
                Some(Change {
                    lane,
                    demand: demand.is_some(),
                    before,
                    after,
                    regression: after > before && after as f64 > limit,
                })
            })
            .collect()
    }

    /// Whether a peak grew by more than the tolerance.
    pub fn has_regression(&self) -> bool {
        self.changes().iter().any(|change| change.regression)
    }

    /// For a terminal. The names are those of the files.
    pub fn text(&self, names: [&str; 2]) -> String {
        let mut text = String::new();
        let bold = Style::new().bold();
        let mut table = Table::default();
        table.heading(&["", "ring", "by", "before", "after", "", "peak site after"]);
        for change in self.changes() {
            let lane = change.lane;
            let style = match change.after.cmp(&change.before) {
                _ if change.regression => AnsiColor::Red.on_default().bold(),
                std::cmp::Ordering::Less => AnsiColor::Green.on_default(),
                _ => Style::new(),
            };
            let resource = lane.resource();
            let figures = self.b.figures(lane);
            let peak = if resource == Resource::Tensormap {
                figures.live
            } else {
                figures.high_water
            };
            let plain = Style::new();
            table.row([
                (resource.title().to_lowercase(), plain),
                (
                    lane.ring().map_or("all".into(), |ring| ring.to_string()),
                    plain,
                ),
                (if change.demand { "demand" } else { "peak" }.into(), plain),
                (amount(resource, change.before), plain),
                (amount(resource, change.after), style),
                (growth(&change), style),
                (self.b.sites.of(peak).to_owned(), plain),
            ]);
        }
        for (name, summary) in names.into_iter().zip([self.a, self.b]) {
            let name = super::format::printable(name).replace('\n', "\u{fffd}");
            writeln!(text, "{bold}{name}{bold:#}  {}", summary.status()).expect("a string");
            write_findings(&summary.findings, &mut text);
        }
        text.push('\n');
        table.write(&mut text);
        let regressions = self
            .changes()
            .iter()
            .filter(|change| change.regression)
            .count();
        let tolerance = 100.0 * self.tolerance.0;
        let verdict = match regressions {
            0 => format!("\nNo peak grew by more than {tolerance} %.\n"),
            1 => format!("\n1 peak grew by more than {tolerance} %.\n"),
            more => format!("\n{more} peaks grew by more than {tolerance} %.\n"),
        };
        text.push_str(&verdict);
        text
    }

    /// For other programs.
    pub fn json(&self, names: [&str; 2]) -> Value {
        let changes: Vec<_> = self
            .changes()
            .iter()
            .map(|change| {
                json!({
                    "resource": change.lane.resource().key(), "ring": change.lane.ring(),
                    "by": if change.demand { "demand" } else { "peak" },
                    "before": change.before, "after": change.after, "regression": change.regression,
                })
            })
            .collect();
        json!({
            "schema": 1, "tolerance": self.tolerance.0, "regression": self.has_regression(),
            "changes": changes, "a": self.a.json(names[0]), "b": self.b.json(names[1]),
        })
    }
}

fn growth(change: &Change) -> String {
    if change.before == change.after {
        return "=".into();
    }
    if change.before == 0 {
        return "new".into();
    }
    let percent = 100.0 * (change.after as f64 / change.before as f64 - 1.0);
    format!("{percent:+.2} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_percentage() {
        assert_eq!("5%".parse(), Ok(Tolerance(0.05)));
        assert_eq!("12.5".parse(), Ok(Tolerance(0.125)));
        for wrong in ["", "%", "-1", "nan", "inf", "5%%", "64K"] {
            assert!(wrong.parse::<Tolerance>().is_err(), "{wrong}");
        }
    }
}

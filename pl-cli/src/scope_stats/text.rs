//! The summary for a terminal.

use super::finding::{Finding, Findings, Severity};
use super::format::{amount, count, percent};
use super::lane::{Lane, Resource};
use super::sites::Sites;
use super::summary::{Peak, Summary};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;

const HEADING: Style = Style::new().bold();
const MUTED: Style = Style::new().dimmed();
const BAD: Style = AnsiColor::Red.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default();
const GOOD: Style = AnsiColor::Green.on_default();

/// Open scopes that are listed.
const OPEN: usize = 16;

/// `text` in a style.
fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// How near a share is to the whole.
pub(super) fn risk(share: Option<f64>) -> &'static str {
    match share {
        Some(share) if share >= 0.8 => "danger",
        Some(share) if share >= 0.5 => "warn",
        Some(_) => "ok",
        None => "none",
    }
}

fn style_of(share: Option<f64>) -> Style {
    match risk(share) {
        "danger" => BAD,
        "warn" => WARN,
        _ => Style::new(),
    }
}

/// Text in columns.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<(String, Style)>>,
}

impl Table {
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(super) fn heading(&mut self, cells: &[&str]) {
        self.row(cells.iter().map(|text| ((*text).to_owned(), HEADING)));
    }

    pub(super) fn write(&self, to: &mut String) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells
                .map(|(text, _)| text.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<_> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (text, style)) in row.iter().enumerate() {
                line.push_str(if column == 0 { "  " } else { "   " });
                line.push_str(&styled(*style, text));
                if column + 1 < row.len() {
                    let pad = widths[column] - text.chars().count();
                    line.extend(std::iter::repeat_n(' ', pad));
                }
            }
            to.push_str(line.trim_end());
            to.push('\n');
        }
    }
}

impl Summary {
    /// The summary for a terminal, with its colours. `name` is the file's.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        self.write_head(&mut text, name);
        self.write_peaks(&mut text);
        self.write_open(&mut text);
        write_findings(&self.findings, &mut text);
        writeln!(text, "\n{}", styled(HEADING, "What to do")).expect("a string");
        for advice in self.advice() {
            writeln!(text, "  {advice}").expect("a string");
        }
        text
    }

    /// In one word, how the run went.
    pub(super) fn status(&self) -> &'static str {
        let failed = self.run.as_ref().is_some_and(|run| !run.outcome.ok);
        if failed || self.metadata.fatal == Some(true) {
            "failed"
        } else if !self.open.is_empty() && !self.findings.lack_records() {
            "stopped inside a scope"
        } else if self.metadata.dropped.is_some_and(|dropped| dropped > 0) {
            "records were lost"
        } else if self.findings.has_warning() {
            "the file is damaged"
        } else {
            "healthy"
        }
    }

    fn write_head(&self, text: &mut String, name: &str) {
        let status = self.status();
        let style = if status == "healthy" { GOOD } else { BAD };
        let version = self.metadata.version;
        let version = version.map_or("no version".into(), |version| format!("version {version}"));
        let of = match self.metadata.total {
            Some(total) if total != self.records => format!("{} of {total} records", self.records),
            _ => count(self.records, "record", "records"),
        };
        writeln!(
            text,
            "{}  {}\n  {version}, {of}, {}, {}",
            styled(
                HEADING,
                &super::format::printable(name).replace('\n', "\u{fffd}")
            ),
            styled(style, status),
            count(self.scopes, "scope", "scopes"),
            count(self.sites.iter().count() as u64, "site", "sites"),
        )
        .expect("a string");
        let demand = match &self.run {
            Some(run) => format!(
                "run.json: entry `{}`, {}; heaps are judged by demand",
                super::format::excerpt(&run.entry),
                super::format::excerpt(&run.executor)
            ),
            None => {
                "no run.json, so demand is unknown: heaps are judged by high water, which grows \
                     wherever memory is not taken back before it must be"
                    .into()
            }
        };
        writeln!(text, "  {}", styled(MUTED, &demand)).expect("a string");
    }

    fn write_peaks(&self, text: &mut String) {
        let mut table = Table::default();
        table.heading(&[
            "",
            "ring",
            "capacity",
            "demand",
            "high water",
            "",
            "live at exit",
            "",
            "peak site",
        ]);
        for lane in self.lanes() {
            table.row(self.peak_row(lane));
        }
        if self.lanes().next().is_some() {
            text.push('\n');
            table.write(text);
        }
    }

    fn peak_row(&self, lane: Lane) -> Vec<(String, Style)> {
        let plain = Style::new();
        let resource = lane.resource();
        let figures = self.figures(lane);
        let share = |value: Option<u64>| value.and_then(|value| self.share(lane, value));
        let shown =
            |value: Option<u64>| value.map_or("-".to_owned(), |value| amount(resource, value));
        let with_share = |peak: Option<Peak>, judged: bool| {
            let value = peak.map(|peak| peak.value);
            let of = share(value);
            let style = if judged { style_of(of) } else { plain };
            let percent = of.map_or("-".to_owned(), percent);
            [(shown(value), style), (percent, style)]
        };
        let demand = self.demand(lane);
        let judged = match resource {
            Resource::Tensormap => figures.live,
            _ => figures.high_water,
        };
        let site = judged.map_or("", |peak| &self.sites.get(peak.site).name);
        let ring = lane
            .ring()
            .map_or("all".to_owned(), |ring| ring.to_string());
        let mut row = vec![
            (resource.title().to_lowercase(), plain),
            (ring, plain),
            (shown(self.capacity(lane)), plain),
            (shown(demand), style_of(share(demand))),
        ];
        row.extend(with_share(figures.high_water, demand.is_none()));
        row.extend(with_share(figures.live, false));
        row.push((site.to_owned(), plain));
        row
    }

    fn write_open(&self, text: &mut String) {
        if self.open.is_empty() {
            return;
        }
        writeln!(
            text,
            "\n{}",
            styled(HEADING, "Open scopes, the last one innermost")
        )
        .expect("a string");
        let left_out = self.open.len().saturating_sub(OPEN);
        if left_out > 0 {
            writeln!(text, "  ({left_out} outer ones are left out)").expect("a string");
        }
        let mut table = Table::default();
        for scope in &self.open[left_out..] {
            let cells = [
                self.sites.get(scope.site).name.clone(),
                format!("depth {}", scope.depth),
                format!("ring {}", scope.ring),
                format!("line {}", scope.line),
            ];
            table.row(cells.map(|cell| (cell, Style::new())));
        }
        table.write(text);
    }
}

/// Where it was found.
fn place(finding: &Finding) -> String {
    if finding.lines.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = finding.lines.iter().map(u64::to_string).collect();
    let more = if finding.count > finding.lines.len() as u64 {
        format!(", .. ({} in all)", finding.count)
    } else {
        String::new()
    };
    format!("line {}{more}: ", lines.join(", "))
}

pub(super) fn write_findings(findings: &Findings, text: &mut String) {
    if findings.iter().next().is_none() {
        return;
    }
    writeln!(text, "\n{}", styled(HEADING, "Findings")).expect("a string");
    for finding in findings.iter() {
        let (style, severity) = match finding.kind.severity() {
            Severity::Warning => (BAD, "warning"),
            Severity::Note => (WARN, "note"),
        };
        writeln!(
            text,
            "  {}[{}] {}{}",
            styled(style, severity),
            finding.kind.name(),
            place(finding),
            finding.text.replace('\n', "\n    ")
        )
        .expect("a string");
    }
}

impl Sites {
    /// The name of a peak's site.
    pub(super) fn of(&self, peak: Option<Peak>) -> &str {
        peak.map_or("", |peak| &self.get(peak.site).name)
    }
}

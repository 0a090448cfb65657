//! The summary as JSON.

use super::lane::{Lane, RINGS};
use super::summary::{Peak, Summary};
use serde_json::{Value, json};

/// Version of what [`Summary::json`] gives.
const SCHEMA: u32 = 1;
/// Sites that are listed.
const SITES: usize = 500;

impl Summary {
    /// Everything, for other programs. `name` is the file's.
    pub fn json(&self, name: &str) -> Value {
        let metadata = &self.metadata;
        let lanes: Vec<_> = self.lanes().map(|lane| self.lane_json(lane)).collect();
        let open = self.open.iter().map(|scope| {
            json!({
                "site": self.sites.get(scope.site).name, "depth": scope.depth, "ring": scope.ring,
                "line": scope.line,
            })
        });
        let open: Vec<_> = open.collect();
        let findings = self.findings.iter().map(|finding| {
            json!({
                "kind": finding.kind.name(),
                "severity": format!("{:?}", finding.kind.severity()).to_lowercase(),
                "count": finding.count, "lines": finding.lines, "text": finding.text,
            })
        });
        let findings: Vec<_> = findings.collect();
        let by_pressure = self.sites.by_pressure();
        let sites = by_pressure.iter().take(SITES).map(|site| {
            let rings: Vec<_> = (0..RINGS).filter(|ring| site.rings[*ring]).collect();
            json!({
                "site": site.name, "rings": rings, "scopes": site.scopes,
                "task_high_water": site.task_high_water, "heap_high_water": site.heap_high_water,
                "heap_live": site.heap_live, "heap_alloc": site.heap_alloc,
            })
        });
        let sites: Vec<_> = sites.collect();
        let run = self.run.as_ref().map(|run| {
            let outcome = &run.outcome;
            json!({
                "entry": run.entry, "executor": run.executor, "ok": outcome.ok, "code": outcome.code,
                "name": outcome.name, "text": outcome.text,
            })
        });
        json!({
            "schema": SCHEMA, "file": name, "status": self.status(), "good": self.is_good(),
            "version": metadata.version, "fatal": metadata.fatal, "dropped": metadata.dropped,
            "total": metadata.total, "records": self.records, "scopes": self.scopes,
            "run": run, "lanes": lanes, "open_scopes": open,
            "sites": sites, "sites_in_all": by_pressure.len(),
            "findings": findings, "advice": self.advice(),
        })
    }

    fn lane_json(&self, lane: Lane) -> Value {
        let figures = self.figures(lane);
        let peak = |peak: Option<Peak>| {
            peak.map(|peak| {
                json!({
                    "value": peak.value, "share": self.share(lane, peak.value),
                    "site": self.sites.get(peak.site).name, "scope": peak.scope, "line": peak.line,
                })
            })
        };
        json!({
            "resource": lane.resource().key(), "ring": lane.ring(), "unit": lane.resource().unit(),
            "capacity": self.capacity(lane), "demand": self.demand(lane), "scopes": figures.scopes,
            "high_water": peak(figures.high_water), "live_at_exit": peak(figures.live),
            "alloc_per_scope": peak(figures.alloc), "alloc_in_all": figures.total_alloc,
        })
    }
}

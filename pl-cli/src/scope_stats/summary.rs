//! What a file says.

use super::finding::Findings;
use super::lane::{Lane, Resource};
use super::metadata::Metadata;
use super::pairing::OpenScope;
use super::run::Run;
use super::series::{Series, Triple};
use super::sites::{SiteId, Sites};

/// A greatest value, and the first scope that had it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peak {
    /// In units of the resource.
    pub value: u64,
    /// Where the scope was opened.
    pub site: SiteId,
    /// Its number among the scopes of the lane, in the order in which they closed, from 1; `None` for
    /// a scope that has no end.
    pub scope: Option<u64>,
    /// The line that gave the value.
    pub line: u64,
}

/// Takes `new` if it is greater.
fn raise(peak: &mut Option<Peak>, new: Peak) {
    if peak.is_none_or(|peak| new.value > peak.value) {
        *peak = Some(new);
    }
}

/// Figures of one lane.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Scopes with both records.
    pub scopes: u64,
    /// Most that a scope can have occupied, with what was there before. Scopes that did not end count with
    /// what was in use when they were opened.
    pub high_water: Option<Peak>,
    /// Most in use when a scope closed.
    pub live: Option<Peak>,
    /// Most that one scope allocated.
    pub alloc: Option<Peak>,
    /// What all scopes allocated. What an inner scope on the same ring allocated counts for the outer ones too.
    pub total_alloc: u64,
    pub(super) series: Option<Box<Series>>,
}

impl Figures {
    /// Counts a scope that closed in `line`.
    pub(super) fn scope(&mut self, site: SiteId, line: u64, figures: Triple) {
        self.scopes += 1;
        let scope = Some(self.scopes);
        let peak = |value| Peak {
            value,
            site,
            scope,
            line,
        };
        raise(&mut self.high_water, peak(figures[0]));
        raise(&mut self.live, peak(figures[1]));
        raise(&mut self.alloc, peak(figures[2]));
        self.total_alloc = self.total_alloc.saturating_add(figures[2]);
        if let Some(series) = &mut self.series {
            series.push(self.scopes, site, figures);
        }
    }

    /// Counts what was in use when a scope was opened that did not end.
    pub(super) fn open(&mut self, site: SiteId, line: u64, value: u64) {
        let scope = None;
        let peak = Peak {
            value,
            site,
            scope,
            line,
        };
        raise(&mut self.high_water, peak);
    }
}

/// What a file says.
#[derive(Debug)]
pub struct Summary {
    /// Its first line.
    pub metadata: Metadata,
    /// Lines that are records.
    pub records: u64,
    /// Scopes with both records.
    pub scopes: u64,
    /// By [`Lane::index`].
    pub figures: [Figures; Lane::COUNT],
    /// All sites.
    pub sites: Sites,
    /// Scopes that were open when the file ended, outermost first.
    pub open: Vec<OpenScope>,
    /// What is wrong with the file.
    pub findings: Findings,
    /// What `run.json` says.
    pub run: Option<Run>,
}

impl Summary {
    /// Figures of a lane.
    pub fn figures(&self, lane: Lane) -> &Figures {
        &self.figures[lane.index()]
    }

    /// Size of a lane, if it is known and not 0.
    pub fn capacity(&self, lane: Lane) -> Option<u64> {
        self.metadata.capacity[lane.index()].filter(|capacity| *capacity > 0)
    }

    /// What the program needed of a lane, if `run.json` tells.
    pub fn demand(&self, lane: Lane) -> Option<u64> {
        let ring = lane.ring().filter(|_| lane.resource() == Resource::Heap)?;
        self.run.as_ref()?.heap_demand(ring)
    }

    /// What a lane is judged by: what is needed if it is known, otherwise the most that a scope can have
    /// occupied.
    pub fn pressure(&self, lane: Lane) -> Option<u64> {
        let figures = self.figures(lane);
        self.demand(lane)
            .or_else(|| figures.high_water.map(|peak| peak.value))
    }

    /// `value` by the size of the lane.
    pub fn share(&self, lane: Lane, value: u64) -> Option<f64> {
        self.capacity(lane)
            .map(|capacity| value as f64 / capacity as f64)
    }

    /// Lanes of which the file says something.
    pub fn lanes(&self) -> impl Iterator<Item = Lane> {
        Lane::all().filter(|lane| self.figures(*lane).high_water.is_some())
    }

    /// Whether neither metadata nor a record was found.
    pub fn is_empty(&self) -> bool {
        self.records == 0 && self.metadata == Metadata::default()
    }

    /// Whether the run ended well and the file is whole.
    pub fn is_good(&self) -> bool {
        !self.findings.has_warning()
    }
}

//! Goes through the file.

use super::finding::{Findings, Kind};
use super::format::count;
use super::lane::{Lane, RINGS, Resource};
use super::lines::{LONGEST, Line, Lines};
use super::metadata::{self, Metadata};
use super::pairing::{OpenScope, OpenScopes};
use super::record::{self, Phase, Record, Refused, Sample, Span};
use super::run::Run;
use super::series::Series;
use super::sites::{self, Oddity, SiteId, Sites};
use super::summary::{Figures, Summary};
use std::array;
use std::io::{self, Read};
use std::path::Path;

/// How much is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Peaks.
    Peaks,
    /// Their course over the scopes as well.
    Course,
}

/// Reads a file. `path` is where `run.json` may be beside it.
///
/// # Errors
/// If reading fails. What stands in the file is never an error.
pub fn read(input: impl Read, path: Option<&Path>, detail: Detail) -> io::Result<Summary> {
    let mut lines = Lines::new(input);
    let mut reader = Reader::new(detail);
    while let Some(line) = lines.next()? {
        if !reader.line(&line) {
            break;
        }
    }
    Ok(reader.finish(path))
}

struct Reader {
    metadata: Metadata,
    has_metadata: bool,
    records: u64,
    begins: u64,
    scopes: u64,
    figures: [Figures; Lane::COUNT],
    sites: Sites,
    open: OpenScopes,
    findings: Findings,
    /// Last heap position of each ring, and what it stands for, in version 5.
    unrolled: [Span; RINGS],
}

impl Reader {
    fn new(detail: Detail) -> Self {
        let series = (detail == Detail::Course).then(Box::<Series>::default);
        Self {
            metadata: Metadata::default(),
            has_metadata: false,
            records: 0,
            begins: 0,
            scopes: 0,
            figures: array::from_fn(|_| Figures {
                series: series.clone(),
                ..Figures::default()
            }),
            sites: Sites::default(),
            open: OpenScopes::default(),
            findings: Findings::default(),
            unrolled: [(0, 0); RINGS],
        }
    }

    /// Whether to go on.
    fn line(&mut self, line: &Line<'_>) -> bool {
        let mut bytes = line.bytes;
        if line.number == 1
            && let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf")
        {
            bytes = rest;
            self.findings.add(Kind::ByteOrderMark, Some(1), || {
                "a byte order mark stands before the first line".into()
            });
        }
        if line.number == 1 {
            if let Some(map) = metadata::looks_like(bytes) {
                self.metadata = Metadata::new(&map, &mut self.findings);
                self.has_metadata = true;
                return true;
            }
            self.findings.add(Kind::NoMetadata, Some(1), || {
                "the first line is not metadata, so capacities are unknown and no share is given"
                    .into()
            });
        }
        if line.cut {
            self.findings.add(Kind::LongLine, Some(line.number), || {
                format!("a line of more than {LONGEST} bytes is passed over")
            });
            return true;
        }
        if bytes.trim_ascii().is_empty() {
            self.findings.add(Kind::BlankLine, Some(line.number), || {
                "an empty line".into()
            });
            return true;
        }
        match record::parse(bytes) {
            Ok(record) => self.record(&record, line.number),
            Err(refused) => return self.refused(bytes, line, refused),
        }
        true
    }

    #[cold]
    fn refused(&mut self, bytes: &[u8], line: &Line<'_>, refused: Refused) -> bool {
        if line.number > 1 && metadata::looks_like(bytes).is_some() {
            self.findings.add(Kind::JoinedFiles, Some(line.number), || {
                "another run begins here: this line and what follows are not counted; split the file"
                    .into()
            });
            return false;
        }
        let (kind, text) = match refused {
            Refused::NotUtf8 => (Kind::NotUtf8, "bytes that are not UTF-8".to_owned()),
            Refused::NotJson(error) if !line.ended && error.is_eof() => (
                Kind::Truncated,
                "the file ends in the middle of this line: it was not written to its end"
                    .to_owned(),
            ),
            Refused::NotJson(error) => (Kind::NotJson, reason(&error)),
            Refused::Other(error) => (Kind::BadRecord, reason(&error)),
            Refused::Phase(phase) => (
                Kind::UnknownPhase,
                format!(
                    "phase \"{}\" is neither \"begin\" nor \"end\"",
                    super::format::excerpt(&phase)
                ),
            ),
            Refused::Ring(ring) => (
                Kind::BadRing,
                format!("ring {ring} does not exist: a runtime has rings 0 to 3"),
            ),
        };
        self.findings.add(kind, Some(line.number), || text);
        true
    }

    fn record(&mut self, record: &Record<'_>, line: u64) {
        self.records += 1;
        let site = self.site(&record.site, line);
        let (depth, ring) = (record.depth, record.ring);
        if ring as u64 != depth.min(RINGS as u64 - 1) {
            self.findings.add(Kind::RingOfOtherDepth, Some(line), || {
                format!(
                    "ring {ring} at depth {depth}, whose ring is {}; it counts for ring {ring}",
                    depth.min(RINGS as u64 - 1)
                )
            });
        }
        if let Some(keys) = record.sample.missing() {
            self.findings.add(Kind::MissingField, Some(line), || {
                format!("{keys} missing, so the record does not count for it")
            });
        }
        let mut sample = record.sample;
        if self.metadata.version == Some(5) {
            self.unroll(ring, &mut sample);
        }
        self.check_capacities(ring, &sample, line);
        let scope = OpenScope {
            site,
            depth,
            ring,
            line,
            sample,
        };
        match record.phase {
            Phase::Begin => self.begin(scope),
            Phase::End => self.end(&scope),
        }
    }

    fn site(&mut self, name: &str, line: u64) -> SiteId {
        let (id, oddity) = self.sites.id(name);
        if let Some(oddity) = oddity {
            let (kind, text) = match oddity {
                Oddity::Markup => (
                    Kind::OddSite,
                    format!(
                        "the site `{}` has markup or control characters, which are shown as text",
                        self.sites.get(id).name
                    ),
                ),
                Oddity::Long => (
                    Kind::LongSite,
                    format!("a site of {} bytes is cut", name.len()),
                ),
                Oddity::OneTooMany => (
                    Kind::ManySites,
                    format!(
                        "more than {} sites: further ones are counted together",
                        sites::MOST
                    ),
                ),
            };
            self.findings.add(kind, Some(line), || text);
        }
        id
    }

    /// More can be allocated than there is, but not at one time.
    fn check_capacities(&mut self, ring: usize, sample: &Sample, line: u64) {
        let spans = Resource::OF_RINGS.into_iter().zip(sample.spans);
        let used = spans.filter_map(|(resource, span)| {
            let (start, end) = span?;
            Some((Lane::new(resource, ring), end.checked_sub(start)?))
        });
        let tensormap = sample.tensormap.map(|entries| (Lane::TENSORMAP, entries));
        for (lane, used) in used.chain(tensormap) {
            let capacity = self.metadata.capacity[lane.index()];
            if let Some(capacity) = capacity.filter(|capacity| *capacity > 0 && used > *capacity) {
                self.findings.add(Kind::BeyondCapacity, Some(line), || {
                    format!("{used} in use, but the {lane} has {capacity}")
                });
            }
        }
    }

    /// Counts heap positions of version 5 on. What was allocated since the last sample of the ring is
    /// known but for whole laps.
    fn unroll(&mut self, ring: usize, sample: &mut Sample) {
        let heap = &mut sample.spans[Resource::Heap as usize];
        let capacity = self.metadata.capacity[Lane::new(Resource::Heap, ring).index()];
        let (Some((tail, head)), Some(capacity)) = (*heap, capacity.filter(|size| *size > 0))
        else {
            *heap = None;
            return;
        };
        let (tail, head) = (tail % capacity, head % capacity);
        let distance = |from: u64, to: u64| {
            if to >= from {
                to - from
            } else {
                capacity - from + to
            }
        };
        let (last, total) = self.unrolled[ring];
        // Starts one lap up, so that no tail is below 0.
        let total = if total == 0 { capacity } else { total };
        let total = total.saturating_add(distance(last, head));
        self.unrolled[ring] = (head, total);
        *heap = Some((total - distance(tail, head), total));
    }

    fn begin(&mut self, scope: OpenScope) {
        self.begins += 1;
        let Self {
            open,
            findings,
            sites,
            figures,
            ..
        } = self;
        let opened = open.begin(scope, findings, |lost| leave(&lost, sites, figures));
        if !opened {
            return;
        }
        let site = sites.get_mut(scope.site);
        site.open += 1;
        // All scopes that the device's runtime opens by hand have this site.
        if site.open > 1 && site.name != "(unknown):0" {
            let name = &site.name;
            findings.add(Kind::Recursion, Some(scope.line), || {
                format!("`{name}` is opened inside itself; scopes are paired by depth")
            });
        }
    }

    fn end(&mut self, end: &OpenScope) {
        let Self {
            open,
            findings,
            sites,
            figures,
            ..
        } = self;
        let begin = open.end(end, findings, |lost| leave(&lost, sites, figures));
        let Some(begin) = begin else { return };
        self.scopes += 1;
        let site = sites.get_mut(end.site);
        site.open -= 1;
        site.scopes += 1;
        site.rings[end.ring] = true;
        for (at, resource) in Resource::OF_RINGS.into_iter().enumerate() {
            let (Some(first), Some(last)) = (begin.sample.spans[at], end.sample.spans[at]) else {
                continue;
            };
            let Some(triple) = triple(first, last) else {
                findings.add(Kind::Backwards, Some(end.line), || {
                    format!(
                        "{} goes from {}..{} in line {} back to {}..{}",
                        resource.key(),
                        first.0,
                        first.1,
                        begin.line,
                        last.0,
                        last.1
                    )
                });
                continue;
            };
            figures[Lane::new(resource, end.ring).index()].scope(end.site, end.line, triple);
            match resource {
                Resource::TaskWindow => {
                    site.task_high_water = site.task_high_water.max(triple[0]);
                }
                Resource::Heap => {
                    site.heap_high_water = site.heap_high_water.max(triple[0]);
                    site.heap_live = site.heap_live.max(triple[1]);
                    site.heap_alloc = site.heap_alloc.saturating_add(triple[2]);
                }
                Resource::DepPool | Resource::Tensormap => {}
            }
        }
        if let Some(entries) = end.sample.tensormap {
            let triple = [entries, entries, 0];
            figures[Lane::TENSORMAP.index()].scope(end.site, end.line, triple);
        }
    }

    fn finish(mut self, path: Option<&Path>) -> Summary {
        if self.has_metadata {
            self.check_number();
        } else if self.findings.get(Kind::NoMetadata).is_none() {
            self.findings
                .add(Kind::NoMetadata, None, || "the file is empty".into());
        }
        let open = std::mem::take(&mut self.open).into_rest();
        for scope in &open {
            leave(scope, &mut self.sites, &mut self.figures);
        }
        let lacks_records = self.findings.lack_records();
        if let Some(last) = open.last() {
            self.findings.add(Kind::OpenScopes, Some(last.line), || {
                let were = super::format::count(open.len() as u64, "scope was", "scopes were");
                let site = &self.sites.get(last.site).name;
                if lacks_records {
                    format!("{were} open where the file ends, but what follows is missing")
                } else {
                    format!(
                        "{were} open when the file ended: the run stopped inside `{site}`, ring {}",
                        last.ring
                    )
                }
            });
        }
        let run = path
            .and_then(|path| Run::beside(path, &self.metadata, self.begins, &mut self.findings));
        Summary {
            metadata: self.metadata,
            records: self.records,
            scopes: self.scopes,
            figures: self.figures,
            sites: self.sites,
            open,
            findings: self.findings,
            run,
        }
    }

    fn check_number(&mut self) {
        let Some(total) = self.metadata.total else {
            return;
        };
        let expected = total.saturating_sub(self.metadata.dropped.unwrap_or(0));
        let records = self.records;
        let read = count(records, "record", "records");
        let text = || format!("{read}, but the metadata say {expected}");
        if records < expected {
            self.findings.add(Kind::MissingRecords, None, text);
        } else if records > expected {
            self.findings.add(Kind::ExtraRecords, None, text);
        }
    }
}

/// Counts a scope that has no end with what was in use when it was opened.
fn leave(scope: &OpenScope, sites: &mut Sites, figures: &mut [Figures; Lane::COUNT]) {
    sites.get_mut(scope.site).open -= 1;
    for (resource, span) in Resource::OF_RINGS.into_iter().zip(scope.sample.spans) {
        if let Some(used) = span.and_then(|(start, end)| end.checked_sub(start)) {
            figures[Lane::new(resource, scope.ring).index()].open(scope.site, scope.line, used);
        }
    }
    if let Some(entries) = scope.sample.tensormap {
        figures[Lane::TENSORMAP.index()].open(scope.site, scope.line, entries);
    }
}

/// High water, live at exit and allocated.
fn triple(begin: Span, end: Span) -> Option<[u64; 3]> {
    // Less was in use when it was opened than nothing.
    begin.1.checked_sub(begin.0)?;
    Some([
        end.1.checked_sub(begin.0)?,
        end.1.checked_sub(end.0)?,
        end.1.checked_sub(begin.1)?,
    ])
}

/// What serde says, without the line, which is always 1.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or(&text);
    format!(
        "{} in column {}",
        super::format::excerpt(text),
        error.column()
    )
}

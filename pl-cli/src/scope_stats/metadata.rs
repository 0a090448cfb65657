//! The first line of the file.

use super::finding::{Findings, Kind};
use super::format::count;
use super::lane::{Lane, RINGS, Resource};
use serde_json::{Map, Value};

/// What the first line says. Whatever it does not say is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// Layout of the file: 5 or 6.
    pub version: Option<u64>,
    /// Whether a fatal error was latched.
    pub fatal: Option<bool>,
    /// Records that were lost.
    pub dropped: Option<u64>,
    /// Records that were attempted.
    pub total: Option<u64>,
    /// Size of each lane.
    pub capacity: [Option<u64>; Lane::COUNT],
}

/// Whether a line is metadata.
pub(super) fn looks_like(line: &[u8]) -> Option<Map<String, Value>> {
    let Ok(Value::Object(map)) = serde_json::from_slice(line) else {
        return None;
    };
    let is_metadata =
        !map.contains_key("site") && (map.contains_key("version") || map.contains_key("heap_max"));
    is_metadata.then_some(map)
}

impl Metadata {
    pub(super) fn new(map: &Map<String, Value>, findings: &mut Findings) -> Self {
        let mut reader = Reader {
            map,
            wrong: Vec::new(),
        };
        let mut metadata = Self {
            version: reader.number("version"),
            fatal: reader.read("fatal", "`true` or `false`", Value::as_bool),
            dropped: reader.number("dropped"),
            total: reader.number("total"),
            capacity: [None; Lane::COUNT],
        };
        for resource in Resource::OF_RINGS {
            let sizes = reader.rings(&format!("{}_max", resource.key()));
            for (ring, size) in sizes.into_iter().enumerate() {
                metadata.capacity[Lane::new(resource, ring).index()] = size;
            }
        }
        metadata.capacity[Lane::TENSORMAP.index()] = reader.number("tensormap_max");
        if !reader.wrong.is_empty() {
            findings.add(Kind::BadMetadata, Some(1), || reader.wrong.join("; "));
        }
        metadata.check(findings);
        metadata
    }

    fn check(&self, findings: &mut Findings) {
        if let Some(version) = self.version.filter(|version| !matches!(version, 5 | 6)) {
            findings.add(Kind::Version, Some(1), || {
                format!("version {version} is neither 5 nor 6: it is read as version 6")
            });
        }
        if self.version == Some(5) {
            findings.add(Kind::Wrapping, Some(1), || {
                "heap positions of version 5 wrap: what is allocated between two samples of a ring is known \
                 but for whole laps, so high water and allocations are lower bounds"
                    .into()
            });
        }
        if self.fatal == Some(true) {
            findings.add(Kind::Fatal, Some(1), || {
                "a fatal error was latched; records after it, if any, are diagnostic only".into()
            });
        }
        if let Some(dropped) = self.dropped.filter(|dropped| *dropped > 0) {
            findings.add(Kind::Dropped, Some(1), || {
                format!(
                    "{} lost, so peaks are lower bounds: run again with less concurrency before you trust them",
                    count(dropped, "record was", "records were")
                )
            });
        }
        let zero: Vec<_> = Lane::all()
            .filter(|lane| self.capacity[lane.index()] == Some(0))
            .map(|lane| lane.to_string())
            .collect();
        if !zero.is_empty() {
            findings.add(Kind::ZeroCapacity, Some(1), || {
                format!("capacity 0, so no share can be given: {}", zero.join(", "))
            });
        }
    }
}

struct Reader<'r> {
    map: &'r Map<String, Value>,
    wrong: Vec<String>,
}

impl Reader<'_> {
    fn read<T>(
        &mut self,
        key: &str,
        expected: &str,
        convert: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.map.get(key);
        let read = value.and_then(convert);
        if read.is_none() {
            let text = match value {
                Some(_) => format!("`{key}` is not {expected}"),
                None => format!("`{key}` is missing"),
            };
            self.wrong.push(text);
        }
        read
    }

    fn number(&mut self, key: &str) -> Option<u64> {
        self.read(key, "a number", Value::as_u64)
    }

    /// One number for each ring, or one for all.
    fn rings(&mut self, key: &str) -> [Option<u64>; RINGS] {
        let sizes = self.read(key, "a list of 4 numbers", |value| match value {
            Value::Array(sizes) if sizes.len() >= RINGS => {
                let sizes: Option<Vec<u64>> = sizes[..RINGS].iter().map(Value::as_u64).collect();
                sizes
            }
            value => value.as_u64().map(|size| vec![size; RINGS]),
        });
        let mut rings = [None; RINGS];
        for (ring, size) in rings.iter_mut().zip(sizes.unwrap_or_default()) {
            *ring = Some(size);
        }
        rings
    }
}

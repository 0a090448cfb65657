//! One line of the file, as a record.

use super::lane::RINGS;
use serde::Deserialize;
use std::borrow::Cow;

/// Which side of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Begin,
    End,
}

/// A line as it stands. Strings are borrowed from it unless they have escapes.
#[derive(PartialEq, Eq, Debug, Deserialize)]
#[serde(expecting = "an object")]
struct Raw<'l> {
    #[serde(borrow)]
    site: Cow<'l, str>,
    #[serde(borrow)]
    phase: Cow<'l, str>,
    depth: u64,
    ring: u64,
    task_window_start: Option<u64>,
    task_window_end: Option<u64>,
    heap_start: Option<u64>,
    heap_end: Option<u64>,
    dep_pool_start: Option<u64>,
    dep_pool_end: Option<u64>,
    tensormap: Option<u64>,
}

impl<'l> Raw<'l> {
    /// A line as runtimes write it, with its keys in order and nothing unusual: reading those is most of the
    /// work, and this takes a third of the time of a JSON parser. `None` leaves the line to one.
    fn as_written(line: &'l [u8]) -> Option<Self> {
        let mut rest = Scanner(line);
        let raw = Self {
            site: Cow::Borrowed(rest.string(b"{\"site\": \"")?),
            phase: Cow::Borrowed(rest.string(b", \"phase\": \"")?),
            depth: rest.number(b", \"depth\": ")?,
            ring: rest.number(b", \"ring\": ")?,
            task_window_start: Some(rest.number(b", \"task_window_start\": ")?),
            task_window_end: Some(rest.number(b", \"task_window_end\": ")?),
            heap_start: Some(rest.number(b", \"heap_start\": ")?),
            heap_end: Some(rest.number(b", \"heap_end\": ")?),
            dep_pool_start: Some(rest.number(b", \"dep_pool_start\": ")?),
            dep_pool_end: Some(rest.number(b", \"dep_pool_end\": ")?),
            tensormap: Some(rest.number(b", \"tensormap\": ")?),
        };
        (rest.0 == b"}").then_some(raw)
    }
}

/// What has not been read of a line.
struct Scanner<'l>(&'l [u8]);

impl<'l> Scanner<'l> {
    /// A string without escapes behind `key`, which ends with its first quote.
    fn string(&mut self, key: &[u8]) -> Option<&'l str> {
        let text = self.0.strip_prefix(key)?;
        let end = text
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))?;
        let (text, rest) = text.split_at(end);
        self.0 = rest.strip_prefix(b"\"")?;
        std::str::from_utf8(text).ok()
    }

    /// A number behind `key`.
    fn number(&mut self, key: &[u8]) -> Option<u64> {
        let text = self.0.strip_prefix(key)?;
        let mut value = 0_u64;
        let mut digits = 0;
        while let Some(digit @ b'0'..=b'9') = text.get(digits) {
            value = value
                .checked_mul(10)?
                .checked_add(u64::from(digit - b'0'))?;
            digits += 1;
        }
        // JSON has no `007`.
        if digits == 0 || (digits > 1 && text[0] == b'0') {
            return None;
        }
        self.0 = &text[digits..];
        Some(value)
    }
}

/// From the oldest thing in use to the next one to come.
pub(super) type Span = (u64, u64);

/// What a sample says of the resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sample {
    /// In the order of `Resource::OF_RINGS`.
    pub(super) spans: [Option<Span>; 3],
    pub(super) tensormap: Option<u64>,
}

impl Sample {
    /// The first field that is not in it, as the subject of a sentence.
    pub(super) fn missing(&self) -> Option<&'static str> {
        let keys = [
            "`task_window_start` or `task_window_end` is",
            "`heap_start` or `heap_end` is",
            "`dep_pool_start` or `dep_pool_end` is",
        ];
        let of_rings = keys.iter().zip(self.spans).find(|(_, span)| span.is_none());
        match of_rings {
            Some((key, _)) => Some(key),
            None => self.tensormap.is_none().then_some("`tensormap` is"),
        }
    }
}

#[derive(PartialEq, Eq, Debug)]
pub(super) struct Record<'l> {
    pub(super) site: Cow<'l, str>,
    pub(super) phase: Phase,
    pub(super) depth: u64,
    pub(super) ring: usize,
    pub(super) sample: Sample,
}

/// Why a line is not a record.
#[derive(Debug)]
pub(super) enum Refused {
    NotUtf8,
    NotJson(serde_json::Error),
    /// JSON, but not an object with the fields of a record.
    Other(serde_json::Error),
    Phase(String),
    Ring(u64),
}

pub(super) fn parse(line: &[u8]) -> Result<Record<'_>, Refused> {
    let raw = match Raw::as_written(line) {
        Some(raw) => raw,
        None => serde_json::from_slice(line).map_err(|error| refused(line, error))?,
    };
    let phase = match &*raw.phase {
        "begin" => Phase::Begin,
        "end" => Phase::End,
        other => return Err(Refused::Phase(other.to_owned())),
    };
    let ring = match usize::try_from(raw.ring) {
        Ok(ring) if ring < RINGS => ring,
        _ => return Err(Refused::Ring(raw.ring)),
    };
    Ok(Record {
        site: raw.site,
        phase,
        depth: raw.depth,
        ring,
        sample: Sample {
            spans: [
                raw.task_window_start.zip(raw.task_window_end),
                raw.heap_start.zip(raw.heap_end),
                raw.dep_pool_start.zip(raw.dep_pool_end),
            ],
            tensormap: raw.tensormap,
        },
    })
}

#[cold]
fn refused(line: &[u8], error: serde_json::Error) -> Refused {
    if std::str::from_utf8(line).is_err() {
        Refused::NotUtf8
    } else if error.is_data() {
        Refused::Other(error)
    } else {
        Refused::NotJson(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"site": "a.cpp:41", "phase": "end", "depth": 5, "ring": 3, "task_window_start": 1, "task_window_end": 2, "heap_start": 3, "heap_end": 18446744073709551615, "dep_pool_start": 5, "dep_pool_end": 6, "tensormap": 7}"#;

    #[test]
    fn a_record_is_read_without_copying_its_site() {
        let record = parse(LINE.as_bytes()).unwrap();
        assert!(matches!(record.site, Cow::Borrowed("a.cpp:41")));
        assert_eq!(
            (record.phase, record.depth, record.ring),
            (Phase::End, 5, 3)
        );
        assert_eq!(
            record.sample,
            Sample {
                spans: [Some((1, 2)), Some((3, u64::MAX)), Some((5, 6))],
                tensormap: Some(7)
            }
        );
        assert_eq!(record.sample.missing(), None);
    }

    #[test]
    fn a_line_as_written_is_read_as_a_json_parser_reads_it() {
        let json = |line: &str| {
            serde_json::from_str::<Raw<'_>>(line)
                .ok()
                .map(|raw| format!("{raw:?}"))
        };
        let written = |line: &str| Raw::as_written(line.as_bytes()).map(|raw| format!("{raw:?}"));
        assert!(written(LINE).is_some());
        // Whatever one byte becomes: the short way gives the same or leaves it to the parser.
        for at in 0..LINE.len() {
            for byte in "\"\\\n 0917-.e,:{}[]aü\u{7f}".chars() {
                let line = format!("{}{byte}{}", &LINE[..at], &LINE[at + 1..]);
                if let Some(raw) = written(&line) {
                    assert_eq!(Some(raw), json(&line), "{line}");
                }
            }
        }
    }

    #[test]
    fn any_order_escapes_and_further_keys_are_read() {
        let text =
            r#" {"x": [{}], "ring":0,"depth":0,"phase":"begin","site":"\u0061\"","heap_start":1} "#;
        let record = parse(text.as_bytes()).unwrap();
        assert_eq!(record.site, "a\"");
        assert_eq!(record.sample.spans, [None; 3]);
        assert_eq!(
            record.sample.missing(),
            Some("`task_window_start` or `task_window_end` is")
        );
    }

    #[test]
    fn what_is_not_a_record_is_refused_with_its_reason() {
        let edited = |from: &str, to: &str| LINE.replace(from, to);
        let refused = |text: &str| parse(text.as_bytes()).unwrap_err();
        assert!(matches!(refused("{\"site\": "), Refused::NotJson(_)));
        assert!(
            matches!(refused(&edited("\"end\"", "\"middle\"")), Refused::Phase(p) if p == "middle")
        );
        assert!(matches!(
            refused(&edited(": 3, \"task", ": 4, \"task")),
            Refused::Ring(4)
        ));
        for (from, to) in [
            (": 5", ": -5"),
            (": 5", ": 5.5"),
            (": 5", ": \"5\""),
            ("\"depth\"", "\"d\""),
            ("615", "616"),
        ] {
            assert!(
                matches!(refused(&edited(from, to)), Refused::Other(_)),
                "{to}"
            );
        }
        assert!(matches!(
            parse(b"{\"site\": \"\xff\"}"),
            Err(Refused::NotUtf8)
        ));
        assert!(matches!(refused("[]"), Refused::Other(_)));
    }
}

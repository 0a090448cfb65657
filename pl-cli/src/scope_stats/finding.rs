//! What is wrong with a file, or worth knowing of it.

/// What a finding says of the figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// They hold.
    Note,
    /// The run failed, or they are not what the run did.
    Warning,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $severity:ident;)*) => {
        /// What can be found.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Kind {
            /// All, in the order of reports.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its stable name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it says of the figures.
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }

            /// One sentence, for the documentation.
            pub fn doc(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),*).trim_ascii(),)*
                }
            }
        }
    };
}

kinds! {
    /// `run.json` says that the run failed.
    Failed "failed" Warning;
    /// The metadata say that a fatal error was latched.
    Fatal "fatal" Warning;
    /// Scopes were open when the file ended: the run stopped inside the last one.
    OpenScopes "open-scopes" Warning;
    /// The device lost records, so peaks are lower bounds.
    Dropped "dropped" Warning;
    /// There are fewer records than the metadata say.
    MissingRecords "missing-records" Warning;
    /// There are more records than the metadata say.
    ExtraRecords "extra-records" Warning;
    /// The last line ends in the middle.
    Truncated "truncated" Warning;
    /// The first line is not metadata, so capacities are unknown.
    NoMetadata "no-metadata" Warning;
    /// A field of the metadata is missing or is not what it should be.
    BadMetadata "bad-metadata" Warning;
    /// A second line of metadata: files were joined, and what follows is not counted.
    JoinedFiles "joined-files" Warning;
    /// The version is neither 5 nor 6; the file is read as version 6.
    Version "version" Warning;
    /// A capacity of 0: no share can be given.
    ZeroCapacity "zero-capacity" Warning;
    /// A line that is not JSON.
    NotJson "not-json" Warning;
    /// A line with bytes that are not UTF-8.
    NotUtf8 "not-utf8" Warning;
    /// A line of more than 65536 bytes.
    LongLine "long-line" Warning;
    /// An object that is not a record: a field is missing or has another type.
    BadRecord "bad-record" Warning;
    /// A phase that is neither `begin` nor `end`.
    UnknownPhase "unknown-phase" Warning;
    /// A ring that does not exist.
    BadRing "bad-ring" Warning;
    /// A ring that is not the one of the depth.
    RingOfOtherDepth "ring-of-other-depth" Warning;
    /// A record without the fields of a resource, which it does not count for.
    MissingField "missing-field" Warning;
    /// The end of a scope whose begin is not in the file.
    EndWithoutBegin "end-without-begin" Warning;
    /// The begin of a scope whose end is not in the file, though the run went on.
    BeginWithoutEnd "begin-without-end" Warning;
    /// A scope at a depth whose outer scope has no begin.
    MissingOuter "missing-outer" Warning;
    /// A counter that goes backwards, so this scope does not count for the resource.
    Backwards "backwards" Warning;
    /// More is in use at one time than there is.
    BeyondCapacity "beyond-capacity" Warning;
    /// A scope below depth 63, the deepest that a runtime opens.
    TooDeep "too-deep" Warning;
    /// More than 1024 scopes open at a time; further ones are not paired.
    TooManyOpen "too-many-open" Warning;
    /// `run.json` cannot be read, or is of another run.
    BadRunJson "bad-run-json" Warning;
    /// Version 5 has heap positions that wrap; they are counted on, at most one lap between samples.
    Wrapping "wrapping" Note;
    /// A scope inside itself. Scopes are paired by depth, so its figures hold.
    Recursion "recursion" Note;
    /// A site with markup or control characters, which are shown as text.
    OddSite "odd-site" Note;
    /// A site of more than 256 bytes, shown cut.
    LongSite "long-site" Note;
    /// More than 10000 sites; further ones are counted together.
    ManySites "many-sites" Note;
    /// An empty line.
    BlankLine "blank-line" Note;
    /// A byte order mark at the start.
    ByteOrderMark "byte-order-mark" Note;
}

/// Lines that are named for one kind.
const LINES: usize = 5;

/// Everything of one kind.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// How many times it was found.
    pub count: u64,
    /// The first lines where it was found; none if it is of the file.
    pub lines: Vec<u64>,
    /// The first one, and what to do.
    pub text: String,
}

/// What was found, by kind.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    found: Vec<Finding>,
}

impl Findings {
    /// Adds one. `text` is asked for the first of a kind.
    pub(super) fn add(&mut self, kind: Kind, line: Option<u64>, text: impl FnOnce() -> String) {
        let finding = match self.found.iter_mut().position(|found| found.kind == kind) {
            Some(at) => &mut self.found[at],
            None => {
                self.found.push(Finding {
                    kind,
                    count: 0,
                    lines: Vec::new(),
                    text: text(),
                });
                self.found.last_mut().expect("just pushed")
            }
        };
        finding.count += 1;
        if let Some(line) = line
            && finding.lines.len() < LINES
            && finding.lines.last() != Some(&line)
        {
            finding.lines.push(line);
        }
    }

    /// In the order of reports.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        Kind::ALL.iter().filter_map(|kind| self.get(*kind))
    }

    /// What was found of a kind.
    pub fn get(&self, kind: Kind) -> Option<&Finding> {
        self.found.iter().find(|found| found.kind == kind)
    }

    /// Whether the end of the file is not the end of the run.
    pub(super) fn lack_records(&self) -> bool {
        [Kind::Truncated, Kind::MissingRecords, Kind::JoinedFiles]
            .iter()
            .any(|kind| self.get(*kind).is_some())
    }

    /// Whether something is worse than worth knowing.
    pub fn has_warning(&self) -> bool {
        self.found
            .iter()
            .any(|found| found.kind.severity() == Severity::Warning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_listed_once_with_its_count_and_first_lines() {
        let mut findings = Findings::default();
        findings.add(Kind::BlankLine, Some(2), || "first".into());
        for line in 10..20 {
            findings.add(Kind::NotJson, Some(line), || format!("at {line}"));
        }
        let listed: Vec<_> = findings
            .iter()
            .map(|f| (f.kind, f.count, f.lines.clone(), f.text.as_str()))
            .collect();
        assert_eq!(
            listed,
            [
                (Kind::NotJson, 10, vec![10, 11, 12, 13, 14], "at 10"),
                (Kind::BlankLine, 1, vec![2], "first"),
            ]
        );
        assert!(findings.has_warning());
    }

    #[test]
    fn names_of_kinds_are_unique() {
        let mut names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Kind::ALL.len());
    }
}

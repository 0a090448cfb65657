//! Files with damage at random: nothing is passed over in silence, nothing panics.

use crate::program::Recording;
use pl_cli::scope_stats::{Detail, Kind, read};

/// A sequence without a pattern that matters here.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn whole() -> Vec<u8> {
    let mut recording = Recording::new();
    recording.sample("(root):0", "begin", 0, (0, 0));
    for round in 0..6 {
        recording.sample("a.rs:3", "begin", 1, (0, 64 * round));
        recording.scope("b.rs:4", 2, (64 * round, 64 * round), 64);
        recording.sample("a.rs:3", "end", 1, (0, 64 * round + 64));
    }
    recording.sample("(root):0", "end", 0, (0, 0));
    recording.text(1 << 20).into_bytes()
}

fn damage(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let length = random.below(40).min(text.len() - at);
    match random.below(7) {
        0 => text[at] = random.below(256) as u8,
        1 => text[at] = b"\"\\{}[]:,\n0919-e."[random.below(16)],
        2 => drop(text.drain(at..at + length)),
        3 => text.truncate(at),
        4 => {
            let copy = text[at..at + length].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, copy);
        }
        5 => {
            let mut lines: Vec<_> = text
                .split_inclusive(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(a, b);
            *text = lines.concat();
        }
        _ => {
            let mut lines: Vec<_> = text
                .split_inclusive(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            let line = random.below(lines.len());
            if random.below(2) == 0 && lines.len() > 1 {
                lines.remove(line);
            } else {
                lines.insert(line, lines[line].clone());
            }
            *text = lines.concat();
        }
    }
}

/// Kinds of which each one is a line that is no record.
const LINES: [Kind; 8] = [
    Kind::NotJson,
    Kind::NotUtf8,
    Kind::LongLine,
    Kind::BadRecord,
    Kind::UnknownPhase,
    Kind::BadRing,
    Kind::Truncated,
    Kind::BlankLine,
];

#[test]
fn every_line_is_counted_or_found_whatever_the_damage() {
    let whole = whole();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut found = 0;
    for _ in 0..1500 {
        let mut text = whole.clone();
        for _ in 0..=random.below(4) {
            damage(&mut text, &mut random);
        }
        let summary = read(&*text, None, Detail::Course).unwrap();
        let count = |kind: Kind| {
            summary
                .findings
                .get(kind)
                .map_or(0, |finding| finding.count)
        };
        let lines = text.split_inclusive(|byte| *byte == b'\n').count() as u64;
        let metadata = u64::from(summary.findings.get(Kind::NoMetadata).is_none());
        let refused: u64 = LINES.into_iter().map(count).sum();
        let all = metadata + summary.records + refused;
        if count(Kind::JoinedFiles) == 0 {
            assert_eq!(all, lines, "{}", String::from_utf8_lossy(&text));
        } else {
            assert!(all < lines);
        }
        let unpaired =
            count(Kind::EndWithoutBegin) + count(Kind::BeginWithoutEnd) + summary.open.len() as u64;
        assert_eq!(
            2 * summary.scopes + unpaired,
            summary.records,
            "{}",
            String::from_utf8_lossy(&text)
        );
        found += u64::from(summary.findings.has_warning());
        // None of these may panic.
        let page = summary.html("x");
        assert_eq!(page.matches("</script").count(), 2);
        drop((summary.text("x"), summary.json("x")));
    }
    assert!(found > 1000, "{found}");
}

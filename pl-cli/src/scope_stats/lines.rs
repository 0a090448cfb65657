//! Lines of bounded length.

use std::io::{self, BufRead, BufReader, Read};

/// Bytes of the longest line that is read. A record of the device's runtime has some 250.
pub(super) const LONGEST: usize = 1 << 16;

/// A line without its end.
pub(super) struct Line<'l> {
    /// From 1.
    pub(super) number: u64,
    pub(super) bytes: &'l [u8],
    /// Whether a line feed follows.
    pub(super) ended: bool,
    /// Whether it was longer than [`LONGEST`]: the rest has been passed over.
    pub(super) cut: bool,
}

/// Goes through lines one by one.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 18, input),
            line: Vec::new(),
            number: 0,
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let limit = LONGEST as u64 + 1;
        if (&mut self.input)
            .take(limit)
            .read_until(b'\n', &mut self.line)?
            == 0
        {
            return Ok(None);
        }
        self.number += 1;
        let mut ended = self.line.pop_if(|last| *last == b'\n').is_some();
        let cut = self.line.len() > LONGEST;
        if cut {
            ended = self.pass_over_rest()?;
        }
        Ok(Some(Line {
            number: self.number,
            bytes: &self.line,
            ended,
            cut,
        }))
    }

    /// Whether there was a line feed.
    fn pass_over_rest(&mut self) -> io::Result<bool> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &[u8]) -> Vec<(u64, usize, bool, bool)> {
        let mut lines = Lines::new(text);
        let mut shape = vec![];
        while let Some(line) = lines.next().unwrap() {
            shape.push((line.number, line.bytes.len(), line.ended, line.cut));
        }
        shape
    }

    #[test]
    fn a_line_ends_at_a_line_feed_or_with_the_file() {
        assert_eq!(shape(b""), []);
        assert_eq!(
            shape(b"a\n\nbc"),
            [
                (1, 1, true, false),
                (2, 0, true, false),
                (3, 2, false, false)
            ]
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_read() {
        let mut text = vec![b'x'; LONGEST];
        text.push(b'\n');
        text.extend(vec![b'y'; 3 * LONGEST]);
        text.extend(b"\nz");
        assert_eq!(
            shape(&text),
            [
                (1, LONGEST, true, false),
                (2, LONGEST + 1, true, true),
                (3, 1, false, false)
            ]
        );
    }
}

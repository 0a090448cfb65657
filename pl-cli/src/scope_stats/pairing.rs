//! Which end belongs to which begin.

use super::finding::{Findings, Kind};
use super::record::Sample;
use super::sites::SiteId;

/// The deepest scope that a runtime opens.
const DEEPEST: u64 = 63;
/// Open scopes that are kept.
const MOST: usize = 1024;

/// A scope whose end has not been met.
#[derive(Clone, Copy, Debug)]
pub struct OpenScope {
    /// Where it was opened.
    pub site: SiteId,
    /// 0 = root.
    pub depth: u64,
    /// Whose samples it has.
    pub ring: usize,
    /// Of its begin.
    pub line: u64,
    pub(super) sample: Sample,
}

/// Scopes are nested, so their depths rise on the stack.
#[derive(Debug, Default)]
pub(super) struct OpenScopes {
    stack: Vec<OpenScope>,
}

impl OpenScopes {
    /// Opens a scope. `lost` takes those that are open at its depth or deeper: their ends are not in the
    /// file. Whether it was opened.
    pub(super) fn begin(
        &mut self,
        scope: OpenScope,
        findings: &mut Findings,
        lost: impl FnMut(OpenScope),
    ) -> bool {
        self.close_from(scope.depth, findings, lost);
        let (line, depth) = (scope.line, scope.depth);
        if depth > DEEPEST {
            findings.add(Kind::TooDeep, Some(line), || {
                format!("depth {depth}: a runtime opens no scope below depth {DEEPEST}")
            });
        }
        let expected = self.stack.last().map_or(0, |outer| outer.depth + 1);
        if depth != expected {
            findings.add(Kind::MissingOuter, Some(line), || {
                format!(
                    "a scope begins at depth {depth}, but none is open at depth {}",
                    depth - 1
                )
            });
        }
        if self.stack.len() == MOST {
            findings.add(Kind::TooManyOpen, Some(line), || {
                format!("more than {MOST} scopes are open")
            });
            return false;
        }
        self.stack.push(scope);
        true
    }

    /// The begin that belongs to an end, if it is there. `lost` takes the scopes inside it.
    pub(super) fn end(
        &mut self,
        end: &OpenScope,
        findings: &mut Findings,
        lost: impl FnMut(OpenScope),
    ) -> Option<OpenScope> {
        let same = |open: &&OpenScope| open.depth == end.depth;
        let at_depth = self.stack.iter().rev().find(same);
        let matches = at_depth.is_some_and(|open| open.site == end.site && open.ring == end.ring);
        if !matches {
            findings.add(Kind::EndWithoutBegin, Some(end.line), || match at_depth {
                Some(open) => format!(
                    "the scope that is open at depth {} began in line {} at another site or ring",
                    end.depth, open.line
                ),
                None => format!("no scope is open at depth {}", end.depth),
            });
            return None;
        }
        self.close_from(end.depth + 1, findings, lost);
        self.stack.pop()
    }

    /// Closes scopes at this depth or deeper.
    fn close_from(&mut self, depth: u64, findings: &mut Findings, mut lost: impl FnMut(OpenScope)) {
        while let Some(inner) = self.stack.pop_if(|inner| inner.depth >= depth) {
            findings.add(Kind::BeginWithoutEnd, Some(inner.line), || {
                format!("a scope at depth {} has no end; others follow", inner.depth)
            });
            lost(inner);
        }
    }

    /// Those that are still open, outermost first.
    pub(super) fn into_rest(self) -> Vec<OpenScope> {
        self.stack
    }
}

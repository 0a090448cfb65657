//! The stack of open scopes.

use super::Orchestrator;
use crate::audit::Declared;
use crate::config::RINGS;
use crate::error::Result;
use crate::machine::Call;
use crate::record::Phase;
use crate::scope::ScopeMode;
use crate::site::Site;

/// The most scopes that are open at one time, the root included.
const MAX_SCOPES: usize = 64;

/// A scope on the stack.
#[derive(Debug)]
pub(super) struct OpenScope {
    /// Counts all scopes of the run.
    pub(super) number: u64,
    pub(super) ring: usize,
    pub(super) site: Site,
    /// Tasks submitted directly in it, and the first of them.
    pub(super) tasks: u32,
    pub(super) first: Option<u64>,
    /// The declared dependencies of a MANUAL scope.
    pub(super) manual: Option<Box<Declared>>,
}

impl Orchestrator {
    pub(super) fn innermost(&self) -> &OpenScope {
        self.scopes.last().expect("the root scope is open")
    }

    /// Whether the innermost scope is MANUAL (no AUTO scope opens below one).
    pub(crate) fn in_manual(&self) -> bool {
        self.scopes
            .last()
            .is_some_and(|scope| scope.manual.is_some())
    }

    pub(super) fn open_root(&mut self) {
        assert!(self.scopes.is_empty(), "one run at a time");
        self.push_scope(Site::ROOT, ScopeMode::Auto);
    }

    #[inline]
    fn push_scope(&mut self, site: Site, mode: ScopeMode) {
        let manual = match mode {
            ScopeMode::Auto => None,
            ScopeMode::Manual => Some(self.spare_declared.pop().unwrap_or_default()),
        };
        let (number, ring) = (self.scope_count, self.scopes.len().min(RINGS - 1));
        self.scopes.push(OpenScope {
            number,
            ring,
            site,
            tasks: 0,
            first: None,
            manual,
        });
        self.scope_count += 1;
        if let Some(trace) = self.calls() {
            trace.open(site, mode);
        }
        if self.recorder.watches_scopes() {
            self.sample(Phase::Begin);
        }
    }

    /// Opens a scope inside the one at `depth`; gives its depth.
    #[inline]
    pub(crate) fn open_scope(
        &mut self,
        depth: usize,
        mode: ScopeMode,
        site: Site,
    ) -> Result<usize> {
        self.check_innermost(depth, site)?;
        if self.scopes.len() == MAX_SCOPES {
            let what = format!("{MAX_SCOPES} scopes are open already, the root included");
            return Err(self.misuse(
                site,
                what,
                "close some, or do not open one in each recursion",
            ));
        }
        if mode == ScopeMode::Auto && self.in_manual() {
            let outer = self.innermost().site;
            let what = format!("an AUTO scope is opened inside the MANUAL one opened at {outer}");
            return Err(self.misuse(site, what, "make it MANUAL too, or the outer one AUTO"));
        }
        self.charge(Call::ScopeBegin);
        self.push_scope(site, mode);
        Ok(self.scopes.len() - 1)
    }

    /// Closes the scope at `depth` and those inside it whose guards were forgotten.
    #[inline]
    pub(crate) fn close_scopes(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            // The root is none that the program has opened.
            if self.scopes.len() > 1 {
                self.charge(Call::ScopeEnd);
            }
            if self.recorder.watches_scopes() {
                self.sample(Phase::End);
            }
            let scope = self.scopes.last_mut().expect("there are more than `depth`");
            self.rings[scope.ring].scope_closed(scope.first);
            let manual = scope.manual.take();
            self.scopes.truncate(self.scopes.len() - 1);
            if let Some(trace) = self.calls() {
                trace.close();
            }
            if let Some(mut declared) = manual {
                declared.clear();
                self.spare_declared.push(declared);
            }
        }
    }
}

//! Reads `scope_stats.jsonl` of any size and in any state, and says what it means.
//!
//! [`read`] goes through the file once and keeps figures, not records: a [`Summary`] has the same size for
//! ten scopes and for ten million. Whatever is wrong with the file becomes a [`Finding`].

mod advice;
mod compare;
mod finding;
mod format;
mod html;
mod json;
mod lane;
mod lines;
mod metadata;
mod pairing;
mod read;
mod record;
mod run;
mod series;
mod sites;
mod summary;
mod text;

pub use compare::{Change, Comparison, Tolerance};
pub use finding::{Finding, Findings, Kind, Severity};
pub use lane::{Lane, RINGS, Resource};
pub use metadata::Metadata;
pub use pairing::OpenScope;
pub use read::{Detail, read};
pub use run::{Outcome, Run};
pub use sites::{Site, SiteId, Sites};
pub use summary::{Figures, Peak, Summary};

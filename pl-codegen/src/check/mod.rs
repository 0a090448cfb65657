//! Rules of the language that need a whole function to be judged. Checks report, and change nothing.

mod condition;
mod context;
mod dataflow;
mod elements;
mod launch;
mod lifetimes;
mod nesting;
mod overwritten;
mod shapes;
mod shared_ring;

pub use condition::{Callees, Condition, Need};
pub use context::{Refusal, refused};
pub use dataflow::{Touched, check_dataflow, touched};
pub use elements::check_elements;
pub use launch::{UsedWhole, used_whole};
pub use lifetimes::check_lifetimes;
pub use nesting::{CallSite, MAX_SCOPES, Opens, call_sites, check_nesting, opens};
pub use overwritten::check_overwritten;
pub use shapes::check_shapes;
pub use shared_ring::check_shared_ring;

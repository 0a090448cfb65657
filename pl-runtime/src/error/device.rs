//! What `RunConfig::check_cpp` finds.

use crate::site::Site;
use std::fmt;

/// An entry and the C++ that is printed for it do not do the same.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DeviceDifference {
    /// Name of the entry.
    pub entry: &'static str,
    /// Where it is defined.
    pub defined: Option<Site>,
    /// What is different.
    pub differences: Vec<String>,
}

impl std::error::Error for DeviceDifference {}

impl fmt::Display for DeviceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry `{}`", self.entry)?;
        if let Some(site) = self.defined {
            write!(f, " at {site}")?;
        }
        f.write_str(" does not do the same as the C++ that is printed for it")?;
        for difference in &self.differences {
            write!(f, "\n  - {difference}")?;
        }
        f.write_str(
            "\n  help: this is a mistake of `pl`: report it with what \
             `kernel().orchestration_cpp()` prints; `RunConfig::check_cpp` turns the comparison off",
        )
    }
}

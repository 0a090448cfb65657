//! What a linked function needs before it is printed for the device.

use super::Linked;
use crate::ir::{SourceMap, SpanId};

/// A linked function that is safe under the device's dependency rules, but for `hazards`.
#[derive(Clone, Debug)]
pub struct Device {
    /// The function.
    pub linked: Linked,
    /// What no dependency could cover.
    pub hazards: Vec<Hazard>,
}

/// Two accesses that the device may exchange, although the program orders them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// The later access, a call, region, `get` or `set`: where printed sources say `// hazard: ..`.
    pub span: SpanId,
    /// One sentence that names both accesses and the tensor.
    pub message: String,
    /// The earlier access, and what it does.
    pub earlier: (SpanId, String),
    /// What to do.
    pub help: String,
}

impl Hazard {
    /// The whole text: the later place and the message, then the earlier place, then the help.
    pub fn render(&self, source: &SourceMap) -> String {
        let (earlier, note) = &self.earlier;
        format!(
            "{}: {}\nnote: {note} ({})\nhelp: {}",
            source.place(self.span),
            self.message,
            source.place(*earlier),
            self.help
        )
    }
}

/// Makes the device's dependency rules order everything that the runtime here orders.
pub fn device(linked: Linked) -> Device {
    Device {
        linked,
        hazards: Vec::new(),
    }
}

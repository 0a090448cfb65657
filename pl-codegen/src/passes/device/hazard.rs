//! What no dependency can express.

use super::plan::{Open, Plan, Why};
use super::trace::{Instance, Kind, Trace};
use crate::ir::{SourceMap, SpanId};

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

/// One hazard for each pair of places, in the order of the later ones.
pub(super) fn hazards(trace: &Trace, plan: &Plan) -> Vec<Hazard> {
    plan.open.values().map(|open| hazard(trace, open)).collect()
}

fn hazard(trace: &Trace, open: &Open) -> Hazard {
    let (earlier, later) = (
        &trace.instances[open.earlier as usize],
        &trace.instances[open.later as usize],
    );
    let root = &trace.roots[open.root as usize];
    let tensor = match root.owner {
        None => format!("`{}`", root.name),
        Some(_) => root.name.clone(),
    };
    let does = |instance: &Instance| {
        let writes = |access: &&super::trace::Access| access.write;
        let of_root = instance
            .accesses
            .iter()
            .filter(|a| a.view.root == open.root);
        let verb = match of_root.filter(writes).count() {
            0 => "reads",
            _ => "writes",
        };
        format!("`{}` {verb} {tensor}", instance.name)
    };
    let (message, help) = match open.why {
        Why::Lifetime => (
            format!(
                "the device may reuse the memory of {tensor} before `{}` has ended",
                later.name
            ),
            "create it in a scope around the loop, or submit the task in an AUTO scope".to_owned(),
        ),
        Why::Unbounded => (
            format!(
                "{}, and the device does not make it wait for all of the tasks before that use it",
                does(later)
            ),
            "give the loop around the earlier tasks constant bounds, or collect their ids in \
             `TaskIds` and name them in `deps = [..]` of the later task"
                .to_owned(),
        ),
        Why::Host => (
            format!(
                "{}, and the device does not make it wait for `{}`",
                does(later),
                earlier.name
            ),
            match later.kind {
                Kind::Set if earlier.manual.is_none() => {
                    "before it, `get` an element of what the earlier task writes, or let a kernel \
                     write the value"
                        .to_owned()
                }
                _ => "submit the earlier task in an AUTO scope, or let a kernel do this".to_owned(),
            },
        ),
    };
    Hazard {
        span: later.span,
        message,
        earlier: (earlier.span, does(earlier)),
        help,
    }
}

//! What a linked function needs before it is printed for the device.
//!
//! The device orders a task behind earlier ones by two rules: the tensor's owner, and earlier writes that
//! a task that reads finds by the bytes. It does not order a write behind the tasks that read before it,
//! nor anything of a MANUAL scope or a predicate. This pass makes it do so:
//!
//! * [`directions`]: which arguments that are written are read as well, so that they find earlier writes;
//! * [`order`]: which tasks are still unordered, found by following the function ([`walk`]);
//! * [`rewrite`]: the id of the earlier task is kept, and the later one depends on it.
//!
//! What no dependency can express is a [`Hazard`].

mod directions;
mod eval;
mod guards;
mod hazard;
mod ids;
mod num;
mod order;
mod plan;
mod rewrite;
mod set;
mod tasks;
mod trace;
mod uses;
mod values;
mod view;
mod walk;

pub use hazard::Hazard;

use super::{Linked, Validated};

/// A linked function that is safe under the device's dependency rules, but for `hazards`.
#[derive(Clone, Debug)]
pub struct Device {
    /// The function.
    pub linked: Linked,
    /// What no dependency could cover.
    pub hazards: Vec<Hazard>,
}

/// Makes the device's dependency rules order everything that the runtime here orders.
///
/// # Panics
/// If the function that it gives breaks a rule of the IR, which is a mistake of this crate.
pub fn device(mut linked: Linked) -> Device {
    let mut function = linked.function.into_function();
    let mut trace = walk::follow(&function, &trace::Numbers::of(&function.body));
    let guards = guards::Guards::of(&trace);
    let inout = directions::derive(&mut trace, &guards);
    let plan = order::plan(&trace, &guards);
    rewrite::rewrite(&mut function, &trace, &plan, &inout);
    linked.function = Validated::new(function).unwrap_or_else(|broken| {
        panic!("the device's rules gave invalid IR: {}", broken.join("; "))
    });
    let hazards = hazard::hazards(&trace, &plan);
    Device { linked, hazards }
}

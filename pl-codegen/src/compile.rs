//! The order of checks and passes, at expansion and again at run time.

use crate::check::{
    CallSite, Condition, Opens, call_sites, check_dataflow, check_elements, check_lifetimes,
    check_nesting, check_overwritten, check_shapes, check_shared_ring, opens,
};
#[cfg(feature = "syntax")]
use crate::diag::Code;
use crate::diag::Diagnostic;
use crate::ir::Function;
use crate::passes::{
    Source, Validated, batch_allocs, fuse, insert_auto_scopes, link, outline, store_returned,
    store_scope_values,
};

/// A function after every pass that needs no other function.
pub struct Compiled {
    /// What is linked, and runs when it is fused.
    pub function: Validated,
    /// What its own body opens.
    pub opens: Opens,
    /// Where it calls others.
    pub calls: Vec<CallSite>,
    /// What must hold of those.
    pub conditions: Vec<Condition>,
    /// What is allowed, and likely not meant.
    pub lints: Vec<Diagnostic>,
}

/// Runs the checks and passes that need no other function.
///
/// # Errors
/// Everything that the checks report.
pub fn compile(function: &Function) -> Result<Compiled, Vec<Diagnostic>> {
    let scoped = insert_auto_scopes(store_returned(function.clone()));
    let mut diagnostics = check_nesting(&scoped);
    diagnostics.extend(check_lifetimes(&scoped));
    diagnostics.extend(check_overwritten(&scoped));
    diagnostics.extend(check_elements(&scoped));
    diagnostics.extend(check_shapes(&scoped));
    let (certain, conditions) = check_dataflow(&scoped);
    diagnostics.extend(certain);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let opens = opens(&scoped);
    let calls = call_sites(&scoped);
    let lints = check_shared_ring(&scoped);
    let function = Validated::new(outline(store_scope_values(batch_allocs(scoped))))
        .unwrap_or_else(|broken| panic!("passes gave invalid IR: {}", broken.join("; ")));
    Ok(Compiled {
        function,
        opens,
        calls,
        conditions,
        lints,
    })
}

/// What is wrong with a function of which not everything could be read.
#[cfg(feature = "syntax")]
pub(crate) fn certain(function: &Function) -> Vec<Diagnostic> {
    let scoped = insert_auto_scopes(store_returned(function.clone()));
    let mut diagnostics = check_nesting(&scoped);
    diagnostics.extend(check_lifetimes(&scoped));
    diagnostics.extend(check_overwritten(&scoped));
    diagnostics.extend(check_elements(&scoped));
    diagnostics.extend(check_shapes(&scoped));
    let (written, _) = check_dataflow(&scoped);
    diagnostics.extend(
        written
            .into_iter()
            .filter(|found| found.code == Code::WrittenInput),
    );
    diagnostics
}

/// A point in the pipeline at which IR can be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// As written.
    Lowered,
    /// What a kernel returns stored to its outputs.
    StoreReturned,
    /// AUTO scopes inserted.
    AutoScopes,
    /// Creates gathered into `alloc_tensors` calls.
    BatchAllocs,
    /// Handles that scopes give stored from inside.
    ScopeValues,
    /// Arguments of `at!` regions found.
    Outlined,
    /// Operations on tiles that run together.
    Fused,
    /// Constants filled in, helpers spliced, directions of all calls known.
    Linked,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 8] = [
        Self::Lowered,
        Self::StoreReturned,
        Self::AutoScopes,
        Self::BatchAllocs,
        Self::ScopeValues,
        Self::Outlined,
        Self::Fused,
        Self::LAST,
    ];
    /// The last one.
    pub const LAST: Self = Self::Linked;

    /// The function at this stage, as text.
    ///
    /// # Panics
    /// If the function did not compile; the macro makes no kernel then.
    pub fn print(self, source: &Source) -> String {
        let function = source.unit.function.clone();
        if self == Self::Lowered {
            return function.to_string();
        }
        let function = store_returned(function);
        match self {
            Self::Lowered | Self::StoreReturned => function.to_string(),
            Self::AutoScopes => insert_auto_scopes(function).to_string(),
            Self::BatchAllocs => batch_allocs(insert_auto_scopes(function)).to_string(),
            Self::ScopeValues => {
                store_scope_values(batch_allocs(insert_auto_scopes(function))).to_string()
            }
            Self::Outlined => {
                let function = store_scope_values(batch_allocs(insert_auto_scopes(function)));
                outline(function).to_string()
            }
            Self::Fused => {
                let function = store_scope_values(batch_allocs(insert_auto_scopes(function)));
                fuse(outline(function)).to_string()
            }
            Self::Linked => link(source).function.function().to_string(),
        }
    }
}

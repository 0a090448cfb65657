//! An audit as text and as JSON.

use super::{Audit, DeepScope, Hazard, Unkept};
use crate::error::{DECLARED_IN_CPP, Party};
use serde_json::{Value, json};
use std::fmt;

fn verb(party: &Party) -> &'static str {
    if party.writes { "writes" } else { "reads" }
}

/// How often.
struct Times(u64);

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("once"),
            times => write!(f, "{times} times"),
        }
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return f.write_str("the device orders every pair of accesses in conflict");
        }
        let mut first = true;
        let mut line = |f: &mut fmt::Formatter<'_>| {
            let end = if std::mem::take(&mut first) { "" } else { "\n" };
            f.write_str(end)
        };
        for hazard in &self.hazards {
            line(f)?;
            hazard.fmt(f)?;
        }
        for unkept in &self.unkept {
            line(f)?;
            unkept.fmt(f)?;
        }
        for scope in &self.deep_scopes {
            line(f)?;
            scope.fmt(f)?;
        }
        if self.unknown > 0 {
            line(f)?;
            write!(
                f,
                "{} more pairs were not looked at: too many dependencies lie between them; audit a smaller \
                 program",
                self.unknown
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            first,
            second,
            parameter,
            bytes: (start, end),
            manual,
            times,
        } = self;
        write!(
            f,
            "unordered on the device, {}: `{}` at {} {} bytes {start}..{end} of {parameter}, which `{}` \
             at {} {}\n  help: ",
            Times(*times),
            second.kernel,
            second.site,
            verb(second),
            first.kernel,
            first.site,
            verb(first),
        )?;
        if !second.site.is_rust() {
            return help_in_cpp(self, f);
        }
        if matches!(second.kernel, "get" | "set") {
            return f.write_str(
                "`get` an element that the first one writes before this, which waits for it",
            );
        }
        write!(
            f,
            "`let first = submit!({}(..));` and `submit!({}(..), deps = [first]);`",
            first.kernel, second.kernel
        )?;
        if *manual {
            f.write_str(", or an AUTO scope in place of the MANUAL one")
        } else if !first.writes {
            f.write_str(", or declare it `InOut<..>` in both")
        } else {
            f.write_str(", or declare the parameter that is written `InOut<..>`")
        }
    }
}

/// What orders the two calls in a source of C++.
fn help_in_cpp(hazard: &Hazard, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if matches!(hazard.second.kernel, "get" | "set") {
        return f.write_str(
            "`get_tensor_data` of an element that the first one writes, before this, waits for it",
        );
    }
    f.write_str(DECLARED_IN_CPP)?;
    f.write_str(if hazard.manual {
        ", or open an AUTO scope, `PTO2_SCOPE()`, in place of the MANUAL one"
    } else if hazard.first.writes {
        ", or pass what it writes with `add_inout` in place of `add_output`"
    } else {
        ", or pass it to both with `add_inout`"
    })
}

impl fmt::Display for Unkept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            made,
            user,
            reused,
            times,
        } = self;
        write!(
            f,
            "not kept on the device, {}: `{}` at {} uses what is made at {made}, whose scope may \
             close before it has run; the bytes may then be given to {reused}\n  help: pass the task that \
             made it in `{}`, or use an AUTO scope, or keep the tensor's scope open until a `{}` has waited for \
             the task",
            Times(*times),
            user.kernel,
            user.site,
            if user.site.is_rust() {
                "deps"
            } else {
                "set_dependencies"
            },
            if user.site.is_rust() {
                "get"
            } else {
                "get_tensor_data"
            },
        )
    }
}

impl fmt::Display for DeepScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scope,
            depth,
            held_by,
            bytes,
            times,
        } = self;
        write!(
            f,
            "held on ring 3, {}: the scope at {scope}, {depth} deep, gives nothing back while {bytes} bytes \
             made at {held_by} are live on the same ring\n  help: make those less than 3 scopes deep, or in a scope \
             that closes before this one opens",
            Times(*times),
        )
    }
}

impl Audit {
    /// The findings as JSON, indented, with a line end: `version` 1, sites as `file:line`.
    pub fn to_json(&self) -> String {
        let party = |party: &Party| -> Value {
            json!({
                "kernel": party.kernel,
                "site": party.site.to_string(),
                "writes": party.writes,
            })
        };
        let hazards: Vec<Value> = self
            .hazards
            .iter()
            .map(|hazard| {
                json!({
                    "first": party(&hazard.first),
                    "second": party(&hazard.second),
                    "parameter": hazard.parameter,
                    "bytes": [hazard.bytes.0, hazard.bytes.1],
                    "manual": hazard.manual,
                    "times": hazard.times,
                })
            })
            .collect();
        let unkept: Vec<Value> = self
            .unkept
            .iter()
            .map(|unkept| {
                json!({
                    "made": unkept.made.to_string(),
                    "user": party(&unkept.user),
                    "reused": unkept.reused.to_string(),
                    "times": unkept.times,
                })
            })
            .collect();
        let deep: Vec<Value> = self
            .deep_scopes
            .iter()
            .map(|deep| {
                json!({
                    "scope": deep.scope.to_string(),
                    "depth": deep.depth,
                    "held_by": deep.held_by.to_string(),
                    "bytes": deep.bytes,
                    "times": deep.times,
                })
            })
            .collect();
        let file = json!({
            "version": 1,
            "hazards": hazards,
            "unkept": unkept,
            "deep_scopes": deep,
            "unknown": self.unknown,
        });
        serde_json::to_string_pretty(&file).expect("numbers and texts") + "\n"
    }
}

//! `for` loops as C++.

use super::Printer;
use super::helpers::Helper;
use super::number::{Number, c_type};
use super::scalar::{constant, type_name};
use crate::ir::{Adaptor, BinaryOp, Block, Expr, Range, VarId};

impl Printer<'_> {
    pub(super) fn for_loop(&mut self, var: Option<VarId>, range: &Range, body: &Block) {
        self.keep_limit(BinaryOp::Lt, &range.end);
        let name = match var {
            Some(var) => self.name(var).to_owned(),
            None => self.names.give("i"),
        };
        let ty = c_type(type_name(&range.start.ty));
        // The body may change the variable; then something else must count.
        let changed = var.is_some_and(|var| self.facts.assigned.contains(&var));
        let head = match range.adaptors.as_slice() {
            _ if changed => None,
            [] => Some(self.ascending(&name, ty, range, "1")),
            [Adaptor::StepBy(step)] if is_wide(ty) || is_one(step) => {
                let step = self.scalar(step);
                Some(self.ascending(&name, ty, range, &step))
            }
            [Adaptor::Rev] => {
                let (start, end) = (self.scalar(&range.start), self.scalar(&range.end));
                Some(format!("for ({ty} {name} = {end}; {name}-- > {start};) {{"))
            }
            _ => None,
        };
        match head {
            Some(head) => self.out.open(&head),
            None => {
                let read = var.filter(|var| self.facts.read.contains(var));
                self.counted(read.map(|_| name.as_str()), ty, range);
            }
        }
        self.block(body);
        self.out.close("}");
    }

    fn ascending(&mut self, name: &str, ty: &str, range: &Range, step: &str) -> String {
        let (start, end) = (self.scalar(&range.start), self.scalar(&range.end));
        format!("for ({ty} {name} = {start}; {name} < {end}; {name} += {step}) {{")
    }

    /// A loop over the number of the iteration, from which the variable is computed. In 64 bits without
    /// a sign, in which every sum is the right one.
    fn counted(&mut self, name: Option<&str>, ty: &str, range: &Range) {
        let wide = |value: &Expr, this: &mut Self| match constant(value) {
            Some(Number::Integer(number)) if number >= 0 => this.scalar(value),
            _ if ty == "uint64_t" => this.scalar(value),
            _ => format!("static_cast<uint64_t>({})", this.scalar(value)),
        };
        let stem = name.unwrap_or("i").to_owned();
        let (start, end) = (self.scalar(&range.start), self.scalar(&range.end));
        let (first, last) = (wide(&range.start, self), wide(&range.end, self));
        let mut count = self.names.give(&format!("{stem}_count"));
        let trips = if first == "0" && ty.starts_with('u') {
            last
        } else {
            format!("({start} < {end} ? {last} - {first} : 0)")
        };
        self.out.line(&format!("uint64_t {count} = {trips};"));
        let (mut value, mut step, mut down) = (first, None::<String>, false);
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::StepBy(by) => {
                    let by = self.scalar(by);
                    let fewer = self.names.give(&format!("{stem}_count"));
                    let helper = self.needs.helper(Helper::DivCeil);
                    self.out.line(&format!(
                        "uint64_t {fewer} = {helper}<uint64_t>({count}, {by});"
                    ));
                    count = fewer;
                    step = Some(match step {
                        Some(step) => format!("{step} * {by}"),
                        None => by,
                    });
                }
                // Without a variable only the number of trips matters.
                Adaptor::Rev if name.is_none() => {}
                Adaptor::Rev => {
                    let last = self.names.give(&format!("{stem}_last"));
                    let far = times(&format!("({count} - 1)"), step.as_deref());
                    let sign = if down { '-' } else { '+' };
                    let sum = sum(&value, sign, &far);
                    self.out.line(&format!("uint64_t {last} = {sum};"));
                    value = last;
                    down = !down;
                }
            }
        }
        let number = self.names.give(&format!("{stem}_number"));
        self.out.open(&format!(
            "for (uint64_t {number} = 0; {number} < {count}; {number} += 1) {{"
        ));
        if let Some(name) = name {
            let far = times(&number, step.as_deref());
            let sign = if down { '-' } else { '+' };
            let sum = sum(&value, sign, &far);
            self.out.line(&if ty == "uint64_t" {
                format!("{ty} {name} = {sum};")
            } else {
                format!("{ty} {name} = static_cast<{ty}>({sum});")
            });
        }
    }
}

fn sum(first: &str, sign: char, far: &str) -> String {
    match (first, sign) {
        ("0", '+') => far.to_owned(),
        _ => format!("{first} {sign} {far}"),
    }
}

fn times(count: &str, step: Option<&str>) -> String {
    match step {
        Some(step) => format!("{count} * {step}"),
        None => count.to_owned(),
    }
}

/// Whether no step leads past the largest value, of all that a program can reach.
fn is_wide(ty: &str) -> bool {
    matches!(ty, "uint64_t" | "int64_t")
}

fn is_one(step: &Expr) -> bool {
    constant(step) == Some(Number::Integer(1))
}

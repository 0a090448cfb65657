//! Which arguments of which tasks are written to files.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The tasks whose arguments [`RunConfig::enable_dump_args`](super::RunConfig::enable_dump_args) writes
/// to files.
///
/// ```
/// use pl_runtime::DumpArgs;
/// // The first four tasks of `softmax`, and all tasks from 100 to 199.
/// let filter = DumpArgs::none().kernel("softmax").first(4).tasks(100..200);
/// assert_eq!("*:100..200".parse(), Ok(DumpArgs::none().tasks(100..200)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DumpArgs {
    rules: Vec<Rule>,
}

/// Tasks of one kernel, or of all, in a range of program order, and the first ones of these.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Rule {
    kernel: Option<String>,
    tasks: Range<u64>,
    first: u64,
}

impl Rule {
    const ALL: Self = Self {
        kernel: None,
        tasks: 0..u64::MAX,
        first: u64::MAX,
    };
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kernel.as_deref().unwrap_or("*"))?;
        match (self.tasks.start, self.tasks.end) {
            (0, u64::MAX) => Ok(()),
            (start, u64::MAX) => write!(f, ":{start}.."),
            (start, end) => write!(f, ":{start}..{end}"),
        }
    }
}

impl DumpArgs {
    /// All tasks. They may be many: a file for each argument.
    pub fn all() -> Self {
        Self {
            rules: vec![Rule::ALL],
        }
    }

    /// No task; for those that are added.
    pub fn none() -> Self {
        Self { rules: Vec::new() }
    }

    /// And the tasks of a kernel, by its name.
    #[must_use]
    pub fn kernel(self, name: impl Into<String>) -> Self {
        self.and(Rule {
            kernel: Some(name.into()),
            ..Rule::ALL
        })
    }

    /// And the tasks at these positions in program order, from 0; `alloc_tensors` calls count.
    #[must_use]
    pub fn tasks(self, tasks: Range<u64>) -> Self {
        self.and(Rule { tasks, ..Rule::ALL })
    }

    /// Of what was added last, only the `count` tasks that are submitted first.
    #[must_use]
    pub fn first(mut self, count: u64) -> Self {
        if let Some(rule) = self.rules.last_mut() {
            rule.first = count;
        }
        self
    }

    fn and(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// A selection that starts anew.
    pub(crate) fn start(&self) -> Selection {
        let rules = self.rules.iter().map(|rule| Selecting {
            rule: rule.clone(),
            left: rule.first,
        });
        Selection(rules.collect())
    }
}

impl FromStr for DumpArgs {
    type Err = String;

    /// Reads `KERNEL[:FIRST..LAST]`, several of them with commas between: the tasks of a kernel (`*`: of
    /// any), of these the ones at positions from `FIRST` to below `LAST` in program order. Either may be
    /// left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let rules = text.split(',').map(|rule| {
            let (kernel, range) = match rule.rsplit_once(':') {
                Some((kernel, range)) if !kernel.ends_with(':') => (kernel, Some(range)),
                _ => (rule, None),
            };
            if kernel.trim().is_empty() {
                return Err(format!(
                    "`{rule}` names no kernel; write `KERNEL`, `KERNEL:FIRST..LAST` or `*`"
                ));
            }
            Ok(Rule {
                kernel: (kernel.trim() != "*").then(|| kernel.trim().to_owned()),
                tasks: range.map_or(Ok(Rule::ALL.tasks), |range| read_range(rule, range))?,
                ..Rule::ALL
            })
        });
        Ok(Self {
            rules: rules.collect::<Result<_, _>>()?,
        })
    }
}

fn read_range(rule: &str, text: &str) -> Result<Range<u64>, String> {
    let number = |text: &str, missing: u64| match text.trim() {
        "" => Some(missing),
        text => text.parse().ok(),
    };
    text.split_once("..")
        .and_then(|(first, last)| Some(number(first, 0)?..number(last, u64::MAX)?))
        .filter(|range| !range.is_empty())
        .ok_or_else(|| {
            format!(
                "`{text}` in `{rule}` is no range of tasks; write `FIRST..LAST`, for example `0..4`"
            )
        })
}

/// A selection of the tasks of a run, which are submitted one after the other.
#[derive(Debug)]
pub(crate) struct Selection(Vec<Selecting>);

/// A rule, and how many tasks it may yet take.
#[derive(Debug)]
struct Selecting {
    rule: Rule,
    left: u64,
}

impl Selection {
    /// Whether the task at position `task` is selected, which runs kernels of these names.
    pub(crate) fn takes(&mut self, task: u64, kernels: &[&str]) -> bool {
        let mut any = false;
        for Selecting { rule, left } in &mut self.0 {
            let named = |name: &String| kernels.contains(&name.as_str());
            let fits = rule.tasks.contains(&task) && rule.kernel.as_ref().is_none_or(named);
            if fits && *left > 0 {
                *left -= 1;
                any = true;
            }
        }
        any
    }

    /// The rules that have taken no task, as they are written.
    pub(crate) fn unmatched(&self) -> Vec<String> {
        let unmatched = self
            .0
            .iter()
            .filter(|selecting| selecting.left == selecting.rule.first && selecting.left > 0);
        unmatched
            .map(|selecting| selecting.rule.to_string())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_taken_by_kernel_position_and_number() {
        let filter = DumpArgs::none().kernel("a").first(2).tasks(5..7);
        let mut selection = filter.start();
        let kernels = ["a", "b", "a", "a", "b", "b", "a", "b"];
        let taken: Vec<u64> = (0..)
            .zip(kernels)
            .filter(|&(task, kernel)| selection.takes(task, &[kernel]))
            .map(|(task, _)| task)
            .collect();
        assert_eq!(taken, [0, 2, 5, 6]);
        assert!(
            filter.start().takes(9, &["x", "a"]),
            "one kernel of several"
        );
        assert_eq!(selection.unmatched(), [""; 0]);
        assert!(!DumpArgs::none().start().takes(0, &["a"]));
        assert!(DumpArgs::all().start().takes(u64::MAX - 1, &["a"]));
    }

    #[test]
    fn what_has_taken_no_task_is_named_as_it_is_written() {
        let text = "a,b,*:7..9,c:1..,*";
        let mut selection = text.parse::<DumpArgs>().unwrap().start();
        assert_eq!(selection.unmatched().join(","), text);
        assert!(selection.takes(3, &["b"]));
        assert_eq!(selection.unmatched(), ["a", "*:7..9", "c:1.."]);
        let none = DumpArgs::none().kernel("a").first(0).start();
        assert_eq!(none.unmatched(), [""; 0]);
    }

    #[test]
    fn the_text_says_the_same_and_what_it_cannot_say_is_named() {
        let parse = str::parse::<DumpArgs>;
        assert_eq!(parse("*"), Ok(DumpArgs::all()));
        assert_eq!(parse("a, b"), Ok(DumpArgs::none().kernel("a").kernel("b")));
        assert_eq!(parse("*:3..9"), Ok(DumpArgs::none().tasks(3..9)));
        assert_eq!(parse("*:..9"), Ok(DumpArgs::none().tasks(0..9)));
        assert_eq!(parse("*:3.."), Ok(DumpArgs::none().tasks(3..u64::MAX)));
        for (text, part) in [
            ("", "names no kernel"),
            ("a,", "names no kernel"),
            (":1..2", "names no kernel"),
            ("a:", "is no range"),
            ("a:1", "is no range"),
            ("a:2..1", "is no range"),
            ("a:x..1", "is no range"),
            ("a:-1..1", "is no range"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}

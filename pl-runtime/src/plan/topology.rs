//! The scopes of a program as a tree.

use super::trace::{Event, Trace};
use crate::config::RINGS;
use crate::record::Count;
use crate::scope::ScopeMode;
use crate::site::Site;
use std::collections::HashMap;
use std::fmt::{self, Write};

/// The scopes that are opened at one place of the same parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeNode {
    /// Where they are opened; [`Site::ROOT`] for the root of each run.
    pub site: Site,
    /// How dependencies are found in them.
    pub mode: ScopeMode,
    /// Scopes around each.
    pub depth: usize,
    /// How many there are, in all scopes of the parent together.
    pub times: u64,
    /// Heap bytes that are allocated directly in one of them, the most of any.
    pub bytes: u64,
    /// What is in them, in the order in which it is met first.
    pub nodes: Vec<TopologyNode>,
}

/// What a scope has in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TopologyNode {
    /// Further scopes.
    Scope(ScopeNode),
    /// Calls that take a slot.
    Call(CallNode),
}

/// The calls at one place of the same scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallNode {
    /// Where they are.
    pub site: Site,
    /// Name of the kernel; `None` for `alloc_tensors`.
    pub kernel: Option<&'static str>,
    /// How many there are, in all such scopes together.
    pub times: u64,
    /// Heap bytes that one of them allocates, the most of any.
    pub bytes: u64,
}

impl ScopeNode {
    fn new(site: Site, mode: ScopeMode, depth: usize) -> Self {
        Self {
            site,
            mode,
            depth,
            times: 0,
            bytes: 0,
            nodes: Vec::new(),
        }
    }

    /// The ring that they allocate on.
    pub fn ring(&self) -> usize {
        self.depth.min(RINGS - 1)
    }

    /// As text, one line for each node, with `place` for sites.
    pub(crate) fn text(&self, place: &dyn Fn(Site) -> String) -> String {
        let mut text = String::new();
        self.print(place, &mut text)
            .expect("a string takes everything");
        text
    }

    fn print(&self, place: &dyn Fn(Site) -> String, text: &mut String) -> fmt::Result {
        let (indent, ring) = ("  ".repeat(self.depth), self.ring());
        if self.site == Site::ROOT {
            write!(text, "{}, ring {ring}", Count(self.times, "run"))?;
        } else {
            let (times, mode, site) = (self.times, self.mode, place(self.site));
            write!(
                text,
                "{indent}{times} x {mode} scope at {site}, ring {ring}"
            )?;
        }
        print_bytes(self.bytes, text)?;
        for node in &self.nodes {
            match node {
                TopologyNode::Scope(scope) => scope.print(place, text)?,
                TopologyNode::Call(call) => {
                    let (times, site) = (call.times, place(call.site));
                    let what = call.kernel.unwrap_or("alloc_tensors");
                    write!(text, "{indent}  {times} x `{what}` at {site}")?;
                    print_bytes(call.bytes, text)?;
                }
            }
        }
        Ok(())
    }
}

/// The end of a line.
fn print_bytes(bytes: u64, text: &mut String) -> fmt::Result {
    match bytes {
        0 => writeln!(text),
        bytes => writeln!(text, ", {bytes} bytes"),
    }
}

impl fmt::Display for ScopeNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|site| site.to_string()))
    }
}

/// A scope while the tree grows: the scopes in it are elsewhere.
struct Growing {
    scope: ScopeNode,
    /// What is in it: the numbers of scopes, and calls.
    inside: Vec<Inside>,
}

enum Inside {
    Scope(usize),
    Call(CallNode),
}

/// What tells apart what a scope has in it.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Scope(Site, bool),
    Call(Site, Option<&'static str>),
}

/// The tree of all scopes of a trace.
pub(super) fn topology(trace: &Trace) -> ScopeNode {
    let root = ScopeNode::new(Site::ROOT, ScopeMode::Auto, 0);
    let mut scopes = vec![Growing {
        scope: root,
        inside: Vec::new(),
    }];
    let mut places: HashMap<(usize, Key), usize> = HashMap::new();
    // Of each open scope, its number and its bytes so far.
    let mut open: Vec<(usize, u64)> = Vec::new();
    for event in &trace.events {
        match event {
            Event::Open(site, mode) => {
                let number = match open.last() {
                    None => 0,
                    Some(&(parent, _)) => {
                        let key = Key::Scope(*site, *mode == ScopeMode::Manual);
                        *places.entry((parent, key)).or_insert_with(|| {
                            let number = scopes.len();
                            scopes[parent].inside.push(Inside::Scope(number));
                            scopes.push(Growing {
                                scope: ScopeNode::new(*site, *mode, open.len()),
                                inside: Vec::new(),
                            });
                            number
                        })
                    }
                };
                scopes[number].scope.times += 1;
                open.push((number, 0));
            }
            Event::Close => {
                let (number, bytes) = open.pop().expect("it was opened");
                let scope = &mut scopes[number].scope;
                scope.bytes = scope.bytes.max(bytes);
            }
            Event::Task(task) => {
                let (number, bytes) = open.last_mut().expect("the root scope is open");
                *bytes += task.bytes;
                let kernel = task.kernel.map(|kernel| kernel.name);
                let inside = &mut scopes[*number].inside;
                let key = (*number, Key::Call(task.site, kernel));
                let at = *places.entry(key).or_insert_with(|| {
                    inside.push(Inside::Call(CallNode {
                        site: task.site,
                        kernel,
                        times: 0,
                        bytes: 0,
                    }));
                    inside.len() - 1
                });
                if let Inside::Call(call) = &mut inside[at] {
                    call.times += 1;
                    call.bytes = call.bytes.max(task.bytes);
                }
            }
            Event::Element(..) => {}
        }
    }
    // A scope comes behind the one around it.
    let mut done: Vec<Option<ScopeNode>> = scopes.iter().map(|_| None).collect();
    for (number, growing) in scopes.into_iter().enumerate().rev() {
        let mut scope = growing.scope;
        let inside = growing.inside.into_iter();
        scope.nodes = inside
            .map(|inside| match inside {
                Inside::Scope(number) => {
                    TopologyNode::Scope(done[number].take().expect("it is in one scope"))
                }
                Inside::Call(call) => TopologyNode::Call(call),
            })
            .collect();
        done[number] = Some(scope);
    }
    done[0].take().expect("the root")
}

//! `deps.json` and `deps.dot`: the tasks of a run, and why each waits for others.

mod dot;

use super::files::{Folder, NewFile};
use super::run_json::{Outcome, Rules};
use super::{Edge, EdgeSource};
use crate::config::RINGS;
use crate::scope::ScopeMode;
use crate::site::Site;
use crate::task::{KernelInfo, TaskKey};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};

const JSON: &str = "deps.json";
const DOT: &str = "deps.dot";
/// Version of the file's layout.
const SCHEMA: u32 = 1;
/// A task that more tasks than this wait for, or that waits for more, is marked.
const FAN: u32 = 16;

/// The tasks of a run and the scopes that they were submitted in.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// In program order.
    tasks: Vec<Task>,
    /// In the order in which they were opened.
    scopes: Vec<OpenedScope>,
    open: Vec<u32>,
    /// For each edge, the bytes of the conflict from the start of the buffer, where they are known.
    bytes: Vec<Option<(u64, u64)>>,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    key: TaskKey,
    /// `None` for `alloc_tensors`.
    kernel: Option<&'static KernelInfo>,
    site: Site,
    scope: u32,
    blocks: u32,
}

#[derive(Clone, Copy, Debug)]
struct OpenedScope {
    site: Site,
    mode: ScopeMode,
    ring: u32,
    outer: Option<u32>,
}

impl Graph {
    /// A new run begins.
    pub(crate) fn clear(&mut self) {
        self.tasks.clear();
        self.scopes.clear();
        self.open.clear();
        self.bytes.clear();
    }

    pub(crate) fn open(&mut self, site: Site, mode: ScopeMode, ring: u32) {
        let outer = self.open.last().copied();
        self.open.push(self.scopes.len() as u32);
        self.scopes.push(OpenedScope {
            site,
            mode,
            ring,
            outer,
        });
    }

    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// A task was submitted, in the scope that is open.
    pub(crate) fn task(
        &mut self,
        key: TaskKey,
        kernel: Option<&'static KernelInfo>,
        site: Site,
        blocks: u32,
    ) {
        self.tasks.push(Task {
            key,
            kernel,
            site,
            scope: self.open.last().copied().unwrap_or(0),
            blocks,
        });
    }

    /// An edge was found.
    pub(crate) fn edge(&mut self, bytes: Option<(u64, u64)>) {
        self.bytes.push(bytes);
    }
}

/// The two files of a run in progress.
#[derive(Debug)]
pub(super) struct GraphFiles {
    json: NewFile,
    dot: NewFile,
}

/// What stands at the head of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct About<'a> {
    pub(super) entry: &'a str,
    pub(super) executor: &'a str,
    pub(super) outcome: Outcome<'a>,
    pub(super) rules: Rules,
}

impl GraphFiles {
    pub(super) fn create(folder: &Folder) -> io::Result<Self> {
        Ok(Self {
            json: folder.file(JSON)?,
            dot: folder.file(DOT)?,
        })
    }

    pub(super) fn write(
        mut self,
        about: About<'_>,
        graph: &Graph,
        edges: &[Edge],
    ) -> io::Result<()> {
        let known = Known::new(graph, edges);
        known.json(about, self.json.writer())?;
        dot::write(&known, about.entry, self.dot.writer())?;
        self.json.publish(JSON)?;
        self.dot.publish(DOT)
    }
}

/// A graph, and what is looked up in it.
struct Known<'g> {
    graph: &'g Graph,
    edges: &'g [Edge],
    /// Position of each task in program order, by ring and number.
    positions: [Vec<u32>; RINGS],
    /// How many tasks wait for each, and for how many it waits.
    fans: Vec<Fans>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Fans {
    fan_in: u32,
    fan_out: u32,
}

impl Fans {
    fn flags(self) -> Vec<&'static str> {
        let flags = [("fan_in", self.fan_in), ("fan_out", self.fan_out)];
        let many = flags.iter().filter(|&&(_, count)| count > FAN);
        many.map(|&(name, _)| name).collect()
    }
}

impl<'g> Known<'g> {
    fn new(graph: &'g Graph, edges: &'g [Edge]) -> Self {
        let mut positions: [Vec<u32>; RINGS] = Default::default();
        for (at, task) in graph.tasks.iter().enumerate() {
            positions[task.key.ring()].push(at as u32);
        }
        let mut known = Self {
            graph,
            edges,
            positions,
            fans: vec![Fans::default(); graph.tasks.len()],
        };
        // The edges of a task follow one another; one producer may have several.
        for of_task in edges.chunk_by(|a, b| a.to == b.to) {
            let producers: BTreeSet<_> = of_task.iter().map(|edge| edge.from).collect();
            if let Some(to) = known.position(of_task[0].to) {
                known.fans[to].fan_in += producers.len() as u32;
            }
            for from in producers {
                if let Some(from) = known.position(from) {
                    known.fans[from].fan_out += 1;
                }
            }
        }
        known
    }

    /// None for a task that was refused when its dependencies had been found.
    fn position(&self, (ring, number): (usize, u64)) -> Option<usize> {
        let at = self.positions[ring].get(usize::try_from(number).ok()?)?;
        Some(*at as usize)
    }

    /// Edges between tasks that were submitted.
    fn edges(&self) -> impl Iterator<Item = (usize, &Edge)> {
        let edges = self.edges.iter().enumerate();
        edges.filter(|(_, edge)| self.position(edge.to).is_some())
    }

    fn json(&self, about: About<'_>, to: &mut impl Write) -> io::Result<()> {
        let About {
            entry,
            executor,
            outcome,
            rules,
        } = about;
        let head = Head {
            version: SCHEMA,
            entry,
            executor,
            outcome: outcome.name(),
            dependencies: rules.dependencies(),
        };
        let head = serde_json::to_string(&head)?;
        let open = head.strip_suffix('}').expect("it is an object");
        write!(to, "{open}, \"tasks\": [")?;
        let tasks = self.graph.tasks.iter().zip(&self.fans).enumerate();
        list(
            to,
            tasks.map(|(at, (task, fans))| self.node(at, task, *fans)),
        )?;
        write!(to, "], \"scopes\": [")?;
        let scopes = self.graph.scopes.iter().enumerate();
        list(
            to,
            scopes.map(|(id, scope)| ScopeLine {
                scope: id,
                site: scope.site.to_string(),
                mode: mode_name(scope.mode),
                ring: scope.ring,
                outer: scope.outer,
            }),
        )?;
        write!(to, "], \"edges\": [")?;
        list(to, self.edges().map(|(at, edge)| self.edge(at, edge)))?;
        to.write_all(b"]}\n")
    }

    fn node(&self, at: usize, task: &Task, fans: Fans) -> Node<'_> {
        let scope = &self.graph.scopes[task.scope as usize];
        Node {
            id: id((task.key.ring(), task.key.local())),
            task: at,
            ring: task.key.ring(),
            number: task.key.local().to_string(),
            kind: task.kernel.map_or("alloc_tensors", |_| "kernel"),
            kernel: task.kernel.map(|kernel| kernel.name),
            site: task.site.to_string(),
            scope: task.scope,
            scope_mode: mode_name(scope.mode),
            blocks: task.blocks,
            fan_in: fans.fan_in,
            fan_out: fans.fan_out,
            above_16: fans.flags(),
        }
    }

    fn edge(&self, at: usize, edge: &Edge) -> EdgeLine<'_> {
        let reason = Reason::of(edge.source);
        let bytes = self.graph.bytes.get(at).copied().flatten();
        EdgeLine {
            from: id(edge.from),
            to: id(edge.to),
            reason: reason.name,
            source: reason.source,
            argument: edge.argument,
            parameter: self.parameter(edge),
            bytes: bytes.map(|(start, end)| [start.to_string(), end.to_string()]),
        }
    }

    /// The parameter of the task that waits.
    fn parameter(&self, edge: &Edge) -> Option<&'static str> {
        let kernel = self.graph.tasks[self.position(edge.to)?].kernel?;
        Some(kernel.params.get(edge.argument?)?.name)
    }
}

fn id((ring, number): (usize, u64)) -> String {
    format!("{ring}:{number}")
}

fn mode_name(mode: ScopeMode) -> &'static str {
    match mode {
        ScopeMode::Auto => "auto",
        ScopeMode::Manual => "manual",
    }
}

/// What the reason of an edge is called.
struct Reason {
    name: &'static str,
    /// In the files of the device's runtime.
    source: &'static str,
    /// In a picture.
    short: &'static str,
}

impl Reason {
    fn of(source: EdgeSource) -> Self {
        let (name, source, short) = match source {
            EdgeSource::Explicit => ("declared", "explicit", "declared"),
            EdgeSource::Creator => ("allocated", "creator", "allocated"),
            EdgeSource::ReadAfterWrite => ("read_after_write", "tensormap", "RAW"),
            EdgeSource::WriteAfterRead => ("write_after_read", "tensormap", "WAR"),
            EdgeSource::WriteAfterWrite => ("write_after_write", "tensormap", "WAW"),
        };
        Self {
            name,
            source,
            short,
        }
    }
}

/// Values, each on a line.
fn list(to: &mut impl Write, values: impl Iterator<Item = impl Serialize>) -> io::Result<()> {
    for (at, value) in values.enumerate() {
        to.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *to, &value)?;
    }
    to.write_all(b"\n")
}

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    entry: &'a str,
    executor: &'a str,
    outcome: &'a str,
    dependencies: &'a str,
}

#[derive(Serialize)]
struct Node<'a> {
    id: String,
    task: usize,
    ring: usize,
    number: String,
    kind: &'a str,
    kernel: Option<&'a str>,
    site: String,
    scope: u32,
    scope_mode: &'a str,
    blocks: u32,
    fan_in: u32,
    fan_out: u32,
    above_16: Vec<&'static str>,
}

#[derive(Serialize)]
struct ScopeLine<'a> {
    scope: usize,
    site: String,
    mode: &'a str,
    ring: u32,
    outer: Option<u32>,
}

#[derive(Serialize)]
struct EdgeLine<'a> {
    from: String,
    to: String,
    reason: &'a str,
    source: &'a str,
    argument: Option<usize>,
    parameter: Option<&'a str>,
    bytes: Option<[String; 2]>,
}

//! How handles flow through a function, and where their owners are gone.
//!
//! One walk over the function builds a graph: a node for every place where a handle is made, read,
//! merged, or carried out of a scope. Facts then spread along the edges until nothing changes. A
//! fact only ever grows, by one owner for each open scope and by a death, so the work is bounded by
//! the edges and the depth of scopes, however loops nest.

use crate::ir::{CalleeId, ScopeMode, SpanId, VarId};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OriginId(pub(super) u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScopeId(pub(super) u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// A handle is made.
    Made(OriginId),
    /// Whatever flows in.
    Join,
    /// Out of a scope; with a place, as the value of the scope.
    Left(ScopeId, Option<SpanId>),
    /// Into the next iteration of a loop.
    NextIteration,
    /// Out of a loop.
    AfterLoop,
    /// A variable is read. A dead handle is reported here and goes no further.
    Read,
}

/// What makes a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Maker {
    Create,
    Call(CalleeId),
    TileOperation,
    /// A submit or a barrier: the handle is a task id.
    Task,
}

/// Where a handle is made.
pub(super) struct Origin {
    pub(super) span: SpanId,
    pub(super) maker: Maker,
    pub(super) owner: ScopeId,
    /// The variable it is put in at once.
    pub(super) name: Option<VarId>,
}

/// What a scope of the compiler is placed around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Around {
    Body,
    Loop,
    Branch,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    ByHand(ScopeMode),
    Implicit(Around),
    Scratch,
}

pub(super) struct ScopeInfo {
    pub(super) kind: ScopeKind,
    pub(super) span: SpanId,
}

/// A handle whose owner is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Death {
    pub(super) origin: OriginId,
    /// The value of the scope, if the handle left it that way.
    pub(super) value: Option<SpanId>,
    /// In an earlier iteration of a loop that still runs.
    pub(super) carried: bool,
}

/// What a handle may be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Fact {
    /// Made there, and the owner is still open; one origin for each owner.
    live: Vec<OriginId>,
    pub(super) dead: Option<Death>,
}

#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// Where each node's handle goes.
    next: Vec<Vec<NodeId>>,
    pub(super) origins: Vec<Origin>,
    pub(super) scopes: Vec<ScopeInfo>,
}

impl Graph {
    pub(super) fn add(&mut self, node: Node, inputs: &[NodeId]) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.next.push(Vec::new());
        for input in inputs {
            self.connect(*input, id);
        }
        id
    }

    pub(super) fn connect(&mut self, from: NodeId, to: NodeId) {
        self.next[from.0 as usize].push(to);
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(super) fn owner(&self, origin: OriginId) -> &ScopeInfo {
        &self.scopes[self.origins[origin.0 as usize].owner.0 as usize]
    }

    /// What each node receives; indexed by [`NodeId`] through [`Facts::at`].
    pub(super) fn solve(&self) -> Facts {
        let mut facts = vec![Fact::default(); self.nodes.len()];
        let mut pending = Vec::new();
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if let Node::Made(origin) = node {
                facts[i].live.push(*origin);
                pending.push(NodeId(i as u32));
            }
        }
        while let Some(from) = pending.pop() {
            let given = self.given(self.node(from), facts[from.0 as usize].clone());
            for to in &self.next[from.0 as usize] {
                if self.merge(&mut facts[to.0 as usize], &given) {
                    pending.push(*to);
                }
            }
        }
        Facts(facts)
    }

    /// What a node passes on.
    fn given(&self, node: Node, mut fact: Fact) -> Fact {
        match node {
            Node::Made(_) | Node::Join => {}
            Node::Left(scope, value) => {
                let owned = |origin: &OriginId| self.origins[origin.0 as usize].owner == scope;
                if let Some(at) = fact.live.iter().position(owned) {
                    let origin = fact.live.swap_remove(at);
                    fact.dead.get_or_insert(Death {
                        origin,
                        value,
                        carried: false,
                    });
                }
            }
            Node::NextIteration | Node::AfterLoop => {
                if let Some(death) = &mut fact.dead {
                    death.carried = node == Node::NextIteration;
                }
            }
            Node::Read => fact.dead = None,
        }
        fact
    }

    /// Whether there was anything new.
    fn merge(&self, into: &mut Fact, given: &Fact) -> bool {
        let mut risen = into.dead.is_none() && given.dead.is_some();
        into.dead = into.dead.or(given.dead);
        for origin in &given.live {
            let owner = |origin: &OriginId| self.origins[origin.0 as usize].owner;
            if into.live.iter().all(|known| owner(known) != owner(origin)) {
                into.live.push(*origin);
                risen = true;
            }
        }
        risen
    }
}

pub(super) struct Facts(Vec<Fact>);

impl Facts {
    pub(super) fn at(&self, id: NodeId) -> &Fact {
        &self.0[id.0 as usize]
    }
}

//! The device's rules, and those of the bytes.

use crate::run::{Kind, Node, Run, Use};
use pl_codegen::ir::Access;
use pl_codegen::passes::Device;

/// What is over when a node begins, and what is known of tensors by then.
struct Model<'a> {
    run: &'a Run,
    before: Vec<Vec<bool>>,
    /// Writes that the device has in its map: node, and which of its uses.
    map: Vec<(usize, usize)>,
}

/// Whether the device orders all that the bytes order, and keeps all memory that is used.
pub(crate) fn check(run: &Run, device: &Device) -> Result<(), String> {
    let mut model = Model {
        run,
        before: Vec::new(),
        map: Vec::new(),
    };
    for index in 0..run.nodes.len() {
        model.node(index);
    }
    for later in 0..run.nodes.len() {
        for earlier in 0..later {
            let (a, b) = (&run.nodes[earlier], &run.nodes[later]);
            let is_told = device
                .hazards
                .iter()
                .any(|hazard| hazard.span == b.span && hazard.earlier.0 == a.span);
            if conflict(a, b) && !model.before[later][earlier] && !is_told && !left_alone(a, b) {
                return Err(format!(
                    "{earlier} {} is not before {later} {}",
                    say(a),
                    say(b)
                ));
            }
        }
        model.memory(later, device)?;
    }
    Ok(())
}

/// Dependencies that were added between tasks, and those of them that order what neither the bytes nor
/// written dependencies order.
pub(crate) fn declared(written: &Run, run: &Run) -> (usize, usize) {
    let mut before: Vec<Vec<bool>> = Vec::new();
    let (mut all, mut needless) = (0, 0);
    for (later, node) in run.nodes.iter().enumerate() {
        let mut over = vec![false; later];
        let hosts = |at: &usize| matches!(run.nodes[*at].kind, Kind::Get | Kind::Set);
        let by_bytes = (0..later).filter(|at| conflict(&run.nodes[*at], node) || hosts(at));
        let by_hand = written.nodes[later].deps.iter().map(|dep| dep.0);
        for earlier in by_bytes.chain(by_hand) {
            over[earlier] = true;
            for (at, is) in before[earlier].iter().enumerate() {
                over[at] |= is;
            }
        }
        for (earlier, _) in &node.deps {
            if run.nodes[*earlier].kind == Kind::Task
                && !written.nodes[later]
                    .deps
                    .iter()
                    .any(|dep| dep.0 == *earlier)
            {
                all += 1;
                needless += usize::from(!over[*earlier]);
            }
        }
        before.push(over);
    }
    (all, needless)
}

fn say(node: &Node) -> String {
    let uses = node.uses.iter();
    let uses: Vec<String> = uses
        .map(|each| format!("{:?} of {} {:?}", each.says, each.root, each.rows))
        .collect();
    format!("(span {}: {})", node.span.0, uses.join(", "))
}

fn meet(a: &Use, b: &Use) -> bool {
    a.root == b.root && a.rows.start < b.rows.end && b.rows.start < a.rows.end
}

fn conflict(a: &Node, b: &Node) -> bool {
    let pairs = a
        .uses
        .iter()
        .flat_map(|x| b.uses.iter().map(move |y| (x, y)));
    pairs
        .into_iter()
        .any(|(x, y)| meet(x, y) && (x.writes() || y.writes()))
}

/// Where the order is the user's word.
fn left_alone(a: &Node, b: &Node) -> bool {
    let apart = a.turns.iter().zip(&b.turns).find(|(a, b)| a != b);
    (a.manual.is_some() && a.manual == b.manual) || apart.is_some_and(|(a, b)| a.0 == b.0 && a.2)
}

impl Model<'_> {
    fn node(&mut self, index: usize) {
        let node = &self.run.nodes[index];
        let mut waits: Vec<usize> = node.deps.iter().map(|dep| dep.0).collect();
        // What the orchestrator does, it has done.
        let hosts = self.run.nodes[..index].iter().enumerate();
        waits.extend(
            hosts
                .filter(|(_, node)| matches!(node.kind, Kind::Get | Kind::Set))
                .map(|(at, _)| at),
        );
        let mut covered = Vec::new();
        for each in &node.uses {
            let root = &self.run.roots[each.root];
            let found = self
                .map
                .iter()
                .copied()
                .filter(|(writer, at)| meet(&self.run.nodes[*writer].uses[*at], each));
            match node.kind {
                Kind::Get | Kind::Set => {
                    waits.extend(found.map(|(writer, _)| writer));
                    if let Some((owner, _)) = root.owner {
                        waits.push(owner);
                        if node.kind == Kind::Set {
                            waits.extend(self.keepers(each.root, index));
                        }
                    }
                }
                _ => {
                    if each.says.is_none() || node.manual.is_some() || each.fresh {
                        continue;
                    }
                    waits.extend(root.owner.map(|owner| owner.0));
                    if each.says == Some(Access::Write) || root.manual_dep {
                        continue;
                    }
                    for (writer, at) in found {
                        waits.push(writer);
                        let write = &self.run.nodes[writer].uses[at];
                        let covers =
                            each.rows.start <= write.rows.start && write.rows.end <= each.rows.end;
                        if each.writes() && covers {
                            covered.push((writer, at));
                        }
                    }
                }
            }
        }
        let mut before = vec![false; index];
        for earlier in waits {
            if earlier < index {
                before[earlier] = true;
                for (at, is) in self.before[earlier].iter().enumerate() {
                    before[at] |= is;
                }
            }
        }
        self.before.push(before);
        self.map.retain(|entry| !covered.contains(entry));
        if node.kind == Kind::Task && node.manual.is_none() {
            for (at, each) in node.uses.iter().enumerate() {
                let tracked = !each.fresh && !self.run.roots[each.root].manual_dep;
                if each.writes() && tracked {
                    self.map.push((index, at));
                }
            }
        }
    }

    /// Tasks that the device keeps a tensor for.
    fn keepers(&self, root: usize, before: usize) -> impl Iterator<Item = usize> {
        self.run.nodes[..before]
            .iter()
            .enumerate()
            .filter(move |(_, node)| {
                let keeps = |each: &Use| each.root == root && each.says.is_some();
                node.manual.is_none() && node.kind == Kind::Task && node.uses.iter().any(keeps)
            })
            .map(|(at, _)| at)
    }

    /// Whether the memory that a task uses is kept for it.
    fn memory(&self, index: usize, device: &Device) -> Result<(), String> {
        let node = &self.run.nodes[index];
        for each in &node.uses {
            let Some((owner, scope)) = self.run.roots[each.root]
                .owner
                .filter(|owner| owner.0 != index)
            else {
                continue;
            };
            let keeps = |other: &Use| other.root == each.root && other.says.is_some();
            let found = node.manual.is_none() && node.uses.iter().any(keeps);
            let declared = node.deps.contains(&(owner, true));
            let (ring, closed) = self.run.scopes[scope];
            let reused = self
                .run
                .nodes
                .iter()
                .skip(closed)
                .any(|node| node.ring == Some(ring));
            let is_told = device.hazards.iter().any(|hazard| hazard.span == node.span);
            if node.kind == Kind::Task && !found && !declared && reused && !is_told {
                return Err(format!("{index} {} does not keep {}", say(node), each.root));
            }
        }
        Ok(())
    }
}

//! Which instances the device orders, and which it should.

use super::guards::{Guards, implies};
use super::plan::{Plan, Why};
use super::set::Set;
use super::trace::{Access, Instance, Kind, Step, Trace, in_other_turn};
use super::uses::Uses;
use std::collections::{BTreeSet, HashMap};

/// Finds what is missing.
pub(super) fn plan(trace: &Trace, guards: &Guards) -> Plan {
    let mut sites: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, instance) in trace.instances.iter().enumerate() {
        sites.entry(instance.site).or_default().push(index as u32);
    }
    let mut manual: HashMap<u32, Set> = HashMap::new();
    let mut rings: HashMap<usize, Vec<u32>> = HashMap::new();
    for (index, instance) in trace.instances.iter().enumerate() {
        if let Some(scope) = instance.manual {
            manual.entry(scope).or_default().insert(index as u32);
        }
        if let Some(ring) = instance.ring {
            rings.entry(ring).or_default().push(index as u32);
        }
    }
    let mut plan = Plan::default();
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut order = Order {
            trace,
            guards,
            sites: &sites,
            manual: &manual,
            rings: &rings,
            plan: &mut plan,
            before: Vec::with_capacity(trace.instances.len()),
            hosts: Vec::new(),
            history: trace.roots.iter().map(|_| History::default()).collect(),
            changed: false,
            stalled: false,
            patient: rounds < PATIENCE,
        };
        for index in 0..trace.instances.len() as u32 {
            order.happens(index);
        }
        if !order.changed {
            let waited: BTreeSet<u32> = plan.waits.keys().map(|(_, earlier)| *earlier).collect();
            plan.kept.retain(|site, _| waited.contains(site));
            return plan;
        }
    }
}

/// Uses of a tensor so far.
#[derive(Default)]
struct History {
    all: Set,
    /// By [`Access::write`], and by who keeps track of them.
    uses: [[Uses; 3]; 2],
}

/// Who keeps track of a use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeper {
    /// The device: an argument of a task in an AUTO scope.
    Device,
    /// The program: an argument of a task in a MANUAL scope.
    Program,
    /// Neither: what a task allocates, what its predicate reads, and the orchestrator.
    Nobody,
}

impl History {
    fn of(&self, write: bool, keeper: Keeper) -> &Uses {
        &self.uses[usize::from(write)][keeper as usize]
    }

    fn of_mut(&mut self, write: bool, keeper: Keeper) -> &mut Uses {
        &mut self.uses[usize::from(write)][keeper as usize]
    }
}

pub(super) struct Order<'a> {
    pub(super) trace: &'a Trace,
    pub(super) guards: &'a Guards,
    /// The instances of each site.
    pub(super) sites: &'a HashMap<u32, Vec<u32>>,
    /// The instances of each MANUAL scope.
    manual: &'a HashMap<u32, Set>,
    /// The instances that allocate from each ring.
    rings: &'a HashMap<usize, Vec<u32>>,
    pub(super) plan: &'a mut Plan,
    /// What is certainly over when an instance begins, if both happen.
    pub(super) before: Vec<Set>,
    /// Accesses by the orchestrator, which itself waits.
    hosts: Vec<u32>,
    history: Vec<History>,
    /// Whether the plan is another one than when this began.
    pub(super) changed: bool,
    /// Whether what is found from here on may be covered by what was found before.
    pub(super) stalled: bool,
    /// Whether it may be looked at once more with what was found.
    pub(super) patient: bool,
}

/// How often a program is looked at before what is found is taken as it comes.
const PATIENCE: u32 = 64;

impl Order<'_> {
    pub(super) fn of(&self, index: u32) -> &Instance {
        &self.trace.instances[index as usize]
    }

    fn access(&self, (index, access): (u32, usize)) -> &Access {
        &self.of(index).accesses[access]
    }

    fn happens(&mut self, later: u32) {
        self.before.push(Set::default());
        self.after_hosts(later);
        self.after_declared(later);
        let site = self.of(later).site;
        let waits: Vec<u32> = self
            .plan
            .waits
            .range((site, 0)..=(site, u32::MAX))
            .map(|((_, earlier), _)| *earlier)
            .collect();
        for earlier in waits {
            self.after_site(later, earlier);
        }
        self.after_found(later);
        for access in 0..self.of(later).accesses.len() {
            self.needs(later, access);
        }
        self.needs_memory(later);
        self.remember(later);
    }

    /// What the orchestrator waited for is over.
    fn after_hosts(&mut self, later: u32) {
        for at in (0..self.hosts.len()).rev() {
            let host = self.hosts[at];
            self.after(later, host);
            if implies(&self.of(later).guards, &self.of(host).guards) {
                return;
            }
        }
    }

    fn after_declared(&mut self, later: u32) {
        let trace = self.trace;
        for dep in &trace.instances[later as usize].deps {
            let covered = |rival: &u32| {
                self.guards.exclude(*rival, dep.task) || self.before[*rival as usize].has(dep.task)
            };
            if dep.rivals.iter().all(covered) {
                self.after(later, dep.task);
            }
        }
    }

    /// Writes that the device certainly finds.
    fn after_found(&mut self, later: u32) {
        let trace = self.trace;
        for at in 0..self.of(later).accesses.len() {
            let access = &trace.instances[later as usize].accesses[at];
            if !access.sole {
                continue;
            }
            let history = &self.history[access.view.root as usize];
            let mut found = Vec::new();
            let finds = self.finds_tracked(later, access);
            history
                .of(true, Keeper::Nobody)
                .meeting(&access.view, &mut found);
            if finds {
                history
                    .of(true, Keeper::Device)
                    .meeting(&access.view, &mut found);
            }
            let none = Set::default();
            for write in self.uses_of(&found, &none, later, (access.view.root, true)) {
                if write.0 == later || self.before[later as usize].has(write.0) {
                    continue;
                }
                let earlier = self.access(write);
                let meets = earlier.sole
                    && (self.owns(write.0, later, access) || earlier.view.meets(&access.view));
                if meets && self.finds(write, later, access) {
                    self.after(later, write.0);
                }
            }
        }
    }

    /// The uses in these sets that may not be over yet, the latest first: all accesses of a tensor, or
    /// those that write.
    fn uses_of(
        &self,
        sets: &[&Set],
        without: &Set,
        later: u32,
        (root, writes): (u32, bool),
    ) -> Vec<(u32, usize)> {
        let without = [
            &self.before[later as usize],
            self.guards.excluded(later),
            without,
        ];
        let mut instances = Vec::new();
        for set in sets {
            set.each_without(&without, &mut |index| instances.push(index));
        }
        instances.sort_unstable_by(|a, b| b.cmp(a));
        instances.dedup();
        let mut uses = Vec::new();
        for index in instances {
            for (at, access) in self.of(index).accesses.iter().enumerate().rev() {
                if access.view.root == root && (access.write || !writes) {
                    uses.push((index, at));
                }
            }
        }
        uses
    }

    /// Whether the device makes `later` wait for what it keeps track of.
    fn finds_tracked(&self, later: u32, access: &Access) -> bool {
        let root = &self.trace.roots[access.view.root as usize];
        let instance = self.of(later);
        !root.manual_dep && (instance.kind.is_host() || (instance.manual.is_none() && access.looks))
    }

    /// Whether the device makes `later` wait for this write, if they meet.
    fn finds(&self, write: (u32, usize), later: u32, access: &Access) -> bool {
        let root = &self.trace.roots[access.view.root as usize];
        let tracked = |index: u32| self.of(index).manual.is_none() && !root.manual_dep;
        let kind = self.of(later).kind;
        let registered = tracked(write.0) && self.access(write).arg.is_some();
        match kind {
            // They look at every producer, whatever the tensor says.
            Kind::Get | Kind::Set => {
                self.of(write.0).kind == Kind::Set
                    || registered
                    || root.owner.is_some_and(|owner| owner.task == write.0)
            }
            _ => {
                self.owns(write.0, later, access)
                    || (registered && tracked(later) && access.looks)
                    || self.of(write.0).kind == Kind::Set
            }
        }
    }

    /// Whether the device makes `later` wait for the task that allocated the tensor.
    fn owns(&self, earlier: u32, later: u32, access: &Access) -> bool {
        let root = &self.trace.roots[access.view.root as usize];
        root.owner.is_some_and(|owner| owner.task == earlier)
            && self.of(later).manual.is_none()
            && (access.arg.is_some() || self.of(later).kind.is_host())
    }

    /// Whether `set` waits for this read: it does for all tasks that keep the tensor.
    fn kept_read(&self, read: (u32, usize), later: u32) -> bool {
        let host = self.of(later).kind == Kind::Set && self.of(read.0).kind.is_host();
        host || (self.keeps_reads(later, self.access(read).view.root)
            && self.keeper(read) == Keeper::Device)
    }

    /// Whether `later` waits for the reads that the device keeps track of.
    fn keeps_reads(&self, later: u32, root: u32) -> bool {
        let root = &self.trace.roots[root as usize];
        self.of(later).kind == Kind::Set && root.owner.is_some()
    }

    /// Who keeps track of a use, if it is one of a tensor that the device keeps track of.
    fn keeper(&self, (index, at): (u32, usize)) -> Keeper {
        let instance = self.of(index);
        match (instance.accesses[at].arg, instance.manual) {
            (Some(_), None) => Keeper::Device,
            (Some(_), Some(_)) => Keeper::Program,
            (None, _) => Keeper::Nobody,
        }
    }

    /// Everything that this access must come after does.
    fn needs(&mut self, later: u32, at: usize) {
        let access = self.access((later, at));
        let (root, writes) = (access.view.root, access.write);
        let history = &self.history[root as usize];
        let mut found = Vec::new();
        for write in [true, false] {
            if !write && !writes {
                continue;
            }
            let waits = if write {
                self.finds_tracked(later, access)
            } else {
                self.keeps_reads(later, root)
            };
            if !waits {
                history
                    .of(write, Keeper::Device)
                    .near(&access.view, &mut found);
            }
            for keeper in [Keeper::Program, Keeper::Nobody] {
                history.of(write, keeper).near(&access.view, &mut found);
            }
        }
        let none = Set::default();
        let own = self.of(later).manual.map(|scope| &self.manual[&scope]);
        for use_of in self.uses_of(&found, own.unwrap_or(&none), later, (root, !writes)) {
            let access = self.access((later, at));
            let other = self.access(use_of);
            let found = if other.write {
                self.finds(use_of, later, access)
            } else {
                self.kept_read(use_of, later)
            };
            if found
                || self.before[later as usize].has(use_of.0)
                || other.view.is_disjoint(&access.view)
                || self.guards.exclude(use_of.0, later)
                || self.left_alone(use_of.0, later)
            {
                continue;
            }
            self.require(use_of.0, later, root, Why::Unbounded);
        }
    }

    /// Whether the order of the two is the user's word: turns of a parallel loop, or tasks of one MANUAL
    /// scope.
    fn left_alone(&self, earlier: u32, later: u32) -> bool {
        let (a, b) = (self.of(earlier), self.of(later));
        (a.manual.is_some() && a.manual == b.manual) || in_other_turn(&a.path, &b.path)
    }

    /// What the device does not keep for a task is kept as long as it needs it.
    fn needs_memory(&mut self, later: u32) {
        let trace = self.trace;
        let instance = &trace.instances[later as usize];
        if instance.kind != Kind::Task {
            return;
        }
        for access in &instance.accesses {
            let root = &trace.roots[access.view.root as usize];
            let Some(owner) = root.owner.filter(|owner| owner.task != later) else {
                continue;
            };
            let by_argument = instance.manual.is_none()
                && instance
                    .accesses
                    .iter()
                    .any(|other| other.arg.is_some() && other.view.root == access.view.root);
            if by_argument || !self.is_reused(owner.scope, later) {
                continue;
            }
            let declared = instance
                .deps
                .iter()
                .any(|dep| dep.task == owner.task && dep.retain && dep.rivals.is_empty());
            let site = self.of(owner.task).site;
            let waits = self.plan.waits.contains_key(&(instance.site, site));
            if !declared && !waits {
                self.require(owner.task, later, access.view.root, Why::Lifetime);
            }
        }
    }

    /// Whether something may be allocated where the tensors of the scope were.
    fn is_reused(&self, scope: u32, user: u32) -> bool {
        let scope = &self.trace.scopes[scope as usize];
        let allocating = self.rings.get(&scope.ring).map_or(&[][..], Vec::as_slice);
        scope.closed.is_some_and(|closed| {
            let first = allocating.partition_point(|other| *other < closed);
            let mut later = allocating[first..].iter();
            later.any(|other| !self.guards.exclude(*other, user))
        })
    }

    fn remember(&mut self, index: u32) {
        let instance = &self.trace.instances[index as usize];
        if instance.kind.is_host() {
            self.hosts.push(index);
        }
        let in_order = instance.manual.is_none()
            && !instance
                .path
                .iter()
                .any(|step| matches!(step, Step::Turn { parallel: true, .. }));
        for (at, access) in instance.accesses.iter().enumerate() {
            let root = access.view.root;
            if access.write && access.sole && in_order && access.view.is_whole() {
                // What comes after this comes after those.
                self.forget(root, index);
            }
            let keeper = self.keeper((index, at));
            let history = &mut self.history[root as usize];
            history.all.insert(index);
            let uses = history.of_mut(access.write, keeper);
            uses.insert(&access.view, index);
        }
    }

    /// Forgets the uses of a tensor that are over when an instance begins, and happen only where it does.
    fn forget(&mut self, root: u32, index: u32) {
        let trace = self.trace;
        let before = &self.before[index as usize];
        let mut over = self.history[root as usize].all.clone();
        over.keep(before);
        if let Some(under) = self.guards.under(&self.of(index).guards) {
            over.keep(&under);
        }
        let mut instances = Vec::new();
        over.each_without(&[], &mut |earlier| instances.push(earlier));
        for earlier in instances {
            let accesses = trace.instances[earlier as usize].accesses.iter();
            for (at, access) in accesses.enumerate() {
                if access.view.root == root {
                    let keeper = self.keeper((earlier, at));
                    let uses = self.history[root as usize].of_mut(access.write, keeper);
                    uses.remove(&access.view, earlier);
                }
            }
            self.history[root as usize].all.remove(earlier);
        }
    }

    /// `earlier` is over when `later` begins, and what was over when `earlier` began.
    pub(super) fn after(&mut self, later: u32, earlier: u32) {
        if self.guards.exclude(earlier, later) {
            return;
        }
        let mut set = std::mem::take(&mut self.before[later as usize]);
        let inherited = &self.before[earlier as usize];
        // What was over when `earlier` began, where that happened.
        match self.guards.with_those_of(self.trace, earlier, later) {
            None => set.extend(inherited),
            Some(both) => set.extend_by(inherited, &both),
        }
        set.insert(earlier);
        self.before[later as usize] = set;
    }
}

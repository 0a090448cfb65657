//! The audit of a MANUAL scope: is every hazard among its tasks covered by declared edges?
//!
//! No task of an open scope retires, so all records and edges are at hand, and the answer depends
//! on the program alone: a task that happens to have completed earns no credit.

/// The declared edges among the tasks of one MANUAL scope. Tasks are named by their position in it.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Where the dependencies of each task begin in `edges`.
    begins: Vec<usize>,
    edges: Vec<u32>,
    /// Tasks that the orchestrator has waited for, with all that they depend on.
    waited: Vec<bool>,
    /// Walk that last visited the task.
    visited: Vec<u32>,
    walk: u32,
}

impl Declared {
    /// Forgets everything, for a new scope.
    pub(crate) fn clear(&mut self) {
        self.begins.clear();
        self.edges.clear();
        self.waited.clear();
        self.visited.clear();
        self.walk = 0;
    }

    /// Adds the next task, with its dependencies among the tasks before it.
    pub(crate) fn push(&mut self, dependencies: &[u32]) {
        self.begins.push(self.edges.len());
        self.edges.extend_from_slice(dependencies);
        self.waited.push(false);
        self.visited.push(0);
    }

    fn dependencies(&self, task: u32) -> std::ops::Range<usize> {
        let at = task as usize;
        self.begins[at]..self.begins.get(at + 1).copied().unwrap_or(self.edges.len())
    }

    /// Visits everything that `from` reach, themselves included, that is not below `lowest` and that
    /// the orchestrator has not waited for.
    fn visit(&mut self, from: &[u32], lowest: u32, mut see: impl FnMut(&mut Self, u32)) {
        self.walk += 1;
        let mut open = from.to_vec();
        while let Some(task) = open.pop() {
            let at = task as usize;
            // What a task that was waited for depends on was waited for too.
            if task < lowest || self.visited[at] == self.walk || self.waited[at] {
                continue;
            }
            self.visited[at] = self.walk;
            see(self, task);
            open.extend_from_slice(&self.edges[self.dependencies(task)]);
        }
    }

    /// The first of `hazards` (earlier tasks, each with what is to be said of it) that a task with
    /// these dependencies does not wait for.
    pub(crate) fn missing<H: Copy>(
        &mut self,
        hazards: &[(u32, H)],
        dependencies: &[u32],
    ) -> Option<H> {
        let uncovered = |declared: &Self, task: u32| {
            !declared.waited[task as usize] && !dependencies.contains(&task)
        };
        let tasks = hazards.iter().map(|&(task, _)| task);
        let lowest = tasks.filter(|&task| uncovered(self, task)).min()?;
        self.visit(dependencies, lowest, |_, _| ());
        let missing = hazards
            .iter()
            .find(|&&(task, _)| uncovered(self, task) && self.visited[task as usize] != self.walk);
        missing.map(|&(_, hazard)| hazard)
    }

    /// The orchestrator has waited for `task`.
    pub(crate) fn wait(&mut self, task: u32) {
        self.visit(&[task], 0, |declared, task| {
            declared.waited[task as usize] = true;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diamond() -> Declared {
        let mut declared = Declared::default();
        declared.push(&[]);
        declared.push(&[0]);
        declared.push(&[0]);
        declared.push(&[1, 2]);
        declared.push(&[]);
        declared
    }

    fn missing(declared: &mut Declared, tasks: &[u32], dependencies: &[u32]) -> Option<u32> {
        let hazards: Vec<_> = tasks.iter().map(|&task| (task, task)).collect();
        declared.missing(&hazards, dependencies)
    }

    #[test]
    fn a_path_of_declared_edges_covers_a_hazard() {
        let mut declared = diamond();
        assert_eq!(missing(&mut declared, &[0, 1, 2], &[3]), None);
        assert_eq!(missing(&mut declared, &[0], &[2]), None);
    }

    #[test]
    fn the_first_hazard_without_a_path_is_named() {
        let mut declared = diamond();
        assert_eq!(missing(&mut declared, &[0, 2], &[1]), Some(2));
        assert_eq!(missing(&mut declared, &[4], &[3]), Some(4));
        assert_eq!(missing(&mut declared, &[0], &[]), Some(0));
    }

    #[test]
    fn a_wait_walks_over_what_was_not_waited_for_yet_only() {
        let mut declared = Declared::default();
        declared.push(&[]);
        let mut seen = 0;
        for task in 1..1000 {
            declared.push(&[task - 1]);
            declared.visit(&[task], 0, |_, _| seen += 1);
            declared.wait(task);
        }
        assert_eq!(seen, 1000);
        assert!(declared.waited.iter().all(|&waited| waited));
    }

    #[test]
    fn a_wait_of_the_orchestrator_covers_the_task_and_its_ancestors() {
        let mut declared = diamond();
        declared.wait(1);
        assert_eq!(missing(&mut declared, &[0, 1], &[]), None);
        assert_eq!(missing(&mut declared, &[2], &[]), Some(2));
    }
}

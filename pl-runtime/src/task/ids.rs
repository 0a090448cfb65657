//! Arrays of task ids, as generated code keeps them.

use super::TaskId;
use crate::error::OperationError;
use crate::site::Site;

/// `N` task ids; `TaskId::NONE` until set.
///
/// The array is good for as long as the scopes of all of its tasks are open:
/// ```compile_fail,E0597
/// # use pl_runtime::{Error, Scope, ScopeMode, Site, TaskIds, TaskSpec};
/// # fn body(root: &Scope<'_>, site: Site) -> Result<(), Error> {
/// let mut ids = TaskIds::<2>::new();
/// for i in 0..2 {
///     let scope = root.enter(ScopeMode::Auto, site)?;
///     ids.set(scope.submit(site, TaskSpec::dummy(&[]))?.task_id(), i, site)?;
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TaskIds<'s, const N: usize>([TaskId<'s>; N]);

impl<const N: usize> Default for TaskIds<'_, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, const N: usize> TaskIds<'s, N> {
    /// None of them names a task.
    pub const fn new() -> Self {
        Self([TaskId::NONE; N])
    }

    /// Id `index`.
    ///
    /// # Errors
    /// There are not so many.
    pub fn get(&self, index: usize, site: Site) -> Result<TaskId<'s>, OperationError> {
        self.0
            .get(index)
            .copied()
            .ok_or_else(|| past(index, N, site))
    }

    /// Makes `task` id `index`.
    ///
    /// # Errors
    /// There are not so many.
    pub fn set(
        &mut self,
        task: TaskId<'s>,
        index: usize,
        site: Site,
    ) -> Result<(), OperationError> {
        *self.0.get_mut(index).ok_or_else(|| past(index, N, site))? = task;
        Ok(())
    }

    /// All of them.
    pub const fn as_slice(&self) -> &[TaskId<'s>] {
        &self.0
    }
}

#[cold]
fn past(index: usize, count: usize, site: Site) -> OperationError {
    let message = match count {
        0 => format!("there is no id {index} in `TaskIds::<0>`; make room for one at least"),
        _ => format!(
            "there is no id {index} in `TaskIds::<{count}>`; use 0 to {}, or make the array longer",
            count - 1
        ),
    };
    OperationError::new("TaskIds", site, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::TaskKey;

    const SITE: Site = Site::new("kernels.rs", 7);

    #[test]
    fn ids_are_none_until_set() {
        let mut ids = TaskIds::<3>::new();
        let task = TaskId::new(TaskKey::new(1, 5));
        ids.set(task, 1, SITE).unwrap();
        assert_eq!(ids.as_slice(), [TaskId::NONE, task, TaskId::NONE]);
        assert_eq!(ids.get(1, SITE), Ok(task));
    }

    #[test]
    fn an_index_past_the_end_is_an_error_with_those_that_exist() {
        let mut ids = TaskIds::<2>::new();
        let text = ids.get(2, SITE).unwrap_err().to_string();
        assert!(
            text.contains("no id 2") && text.contains("use 0 to 1"),
            "{text}"
        );
        assert!(ids.set(TaskId::NONE, 2, SITE).is_err());
    }
}

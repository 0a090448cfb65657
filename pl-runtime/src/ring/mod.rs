//! A ring: task slots and heap bytes that are handed out and taken back in one order.

mod heap;
mod memory;
mod retire;
mod window;

pub(crate) use heap::Heap;
pub(crate) use memory::{Memory, UNBACKED_HEAP};
pub(crate) use retire::Blocked;
pub(crate) use window::Window;

use crate::access::{Accesses, UNTRACKED};
use crate::config::MIN_RING_HEAP;
use crate::site::Site;
use crate::task::KernelInfo;
use crate::task::payload::{Parts, Payload, Payloads};
use crate::task::slot::{Body, ReadyTask, Slots, TaskRef};
use crate::tensor::{Permission, RawTensor};

/// What the orchestrator alone knows of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    /// Heap offset behind the task's block.
    pub(crate) block_end: u64,
    /// The same, unrolled: counted over all laps.
    unrolled_end: u64,
    pub(crate) bytes: u64,
    /// Submitted tasks that use what this one owns, now or before.
    pins: u64,
    /// Number of the scope, and position in it.
    pub(crate) scope: u64,
    pub(crate) ordinal: u32,
    /// Number of tensors that it owns, and the access list of the first, once there is an access.
    outputs: u32,
    lists: u32,
    /// The payload chunk of the task.
    chunk: u64,
    /// Dep-pool entries charged up to and with this task, from 1.
    dep_mark: u64,
    /// Entries of the device's tensormap.
    pub(crate) map_entries: u32,
    /// Submit that last took this task as a producer, and as an owner.
    pub(crate) edge_mark: u64,
    pin_mark: u64,
    pub(crate) site: Site,
    pub(crate) kernel: Option<&'static KernelInfo>,
}

/// What is to be known of a new task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewTask {
    pub(crate) bytes: u64,
    /// Number of tensors that it owns.
    pub(crate) outputs: usize,
    pub(crate) scope: u64,
    pub(crate) ordinal: u32,
    /// Tasks that it waits for, completed ones included.
    pub(crate) edges: u32,
    pub(crate) site: Site,
    pub(crate) kernel: Option<&'static KernelInfo>,
}

#[derive(Debug)]
pub(crate) struct Ring {
    pub(crate) window: Window,
    heap: Heap,
    memory: Memory,
    slots: Slots,
    meta: Vec<Meta>,
    payloads: Payloads,
    next: u64,
    /// The retire index: everything below it has been taken back.
    alive: u64,
    /// Oldest task whose scope is open.
    oldest_open: Option<u64>,
    dep_pool: u64,
    /// Where the dep pool's next entry goes, counted from 1 over all laps.
    dep_end: u64,
    pub(crate) high_water: u64,
    pub(crate) demand: u64,
}

impl Ring {
    /// A ring whose dep pool has `dep_pool` entries.
    pub(crate) fn new(window: u32, dep_pool: u32, memory: Memory) -> Self {
        Self {
            window: Window::new(window),
            heap: Heap::new(memory.bytes()),
            memory,
            slots: Slots::new(u64::from(window)),
            meta: Vec::new(),
            payloads: Payloads::default(),
            next: 0,
            alive: 0,
            oldest_open: None,
            dep_pool: u64::from(dep_pool),
            dep_end: 1,
            high_water: 0,
            demand: 0,
        }
    }

    /// Id of the next task.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// The retire index.
    pub(crate) fn alive(&self) -> u64 {
        self.alive
    }

    pub(crate) fn heap_bytes(&self) -> u64 {
        self.heap.size()
    }

    /// Entries of the dep pool.
    pub(crate) fn dep_pool(&self) -> u64 {
        self.dep_pool
    }

    /// First entry of the dep pool that is not retired, and the one behind the last; from 1, over
    /// all laps. Entries of completed producers count, so that this depends on the program alone.
    pub(crate) fn dep_pool_span(&self) -> (u64, u64) {
        let start = match self.alive {
            0 => 1,
            alive => self.meta(alive - 1).dep_mark,
        };
        (start, self.dep_end)
    }

    /// Unrolled heap offsets of the oldest byte that is not retired, and behind the newest.
    pub(crate) fn heap_span(&self) -> (u64, u64) {
        (self.heap.unrolled_start(), self.heap.unrolled_end())
    }

    /// How far the ring could retire if every submitted task had ended.
    pub(crate) fn limit(&self) -> u64 {
        self.oldest_open.unwrap_or(self.next)
    }

    /// Address of heap byte `offset`.
    pub(crate) fn address(&self, offset: u64) -> *mut u8 {
        self.memory.at(offset)
    }

    pub(crate) fn meta(&self, local: u64) -> &Meta {
        &self.meta[self.window.index(local)]
    }

    pub(crate) fn meta_mut(&mut self, local: u64) -> &mut Meta {
        let at = self.window.index(local);
        &mut self.meta[at]
    }

    pub(crate) fn task(&self, local: u64) -> TaskRef {
        self.slots.task(local)
    }

    /// Whether task `local` has completed: its kernel has ended and its writes are visible.
    pub(crate) fn is_completed(&self, local: u64) -> bool {
        local < self.alive || self.meta(local).kernel.is_none() || self.slots.is_completed(local)
    }

    /// Whether task `local`, whose scope is closed, and all submitted users of its blocks have
    /// completed. A task without kernel that nobody uses has not even touched its slot.
    pub(crate) fn is_consumed(&self, local: u64) -> bool {
        let meta = self.meta(local);
        (meta.kernel.is_none() || self.slots.is_completed(local))
            && (meta.pins == 0 || self.slots.released(local) == meta.pins as u32)
    }

    /// Keeps the blocks of task `local` until another task, submit `mark`, releases it. Gives the
    /// task to release; `None` if this submit has pinned it before.
    pub(crate) fn pin(&mut self, local: u64, mark: u64) -> Option<TaskRef> {
        let at = self.window.index(local);
        let meta = &mut self.meta[at];
        if meta.pin_mark == mark {
            return None;
        }
        meta.pin_mark = mark;
        meta.pins += 1;
        if meta.pins == 1 && meta.kernel.is_none() {
            self.slots.claim(local);
        }
        Some(self.slots.task(local))
    }

    /// The retire index with which a task with `bytes` heap bytes fits.
    #[inline]
    pub(crate) fn plan(&self, bytes: u64) -> Result<u64, Blocked> {
        retire::plan(
            &self.heap,
            self.window,
            self.next,
            self.alive,
            self.limit(),
            bytes,
            |task| self.meta(task).block_end,
        )
    }

    /// The access list of tensor `output` of task `local`; [`UNTRACKED`] if there was no access.
    pub(crate) fn list(&self, local: u64, output: u32) -> u32 {
        match self.meta(local).lists {
            UNTRACKED => UNTRACKED,
            first => first + output,
        }
    }

    /// The same; lists are opened if there are none.
    pub(crate) fn open_list(&mut self, local: u64, output: u32, accesses: &mut Accesses) -> u32 {
        let meta = self.meta_mut(local);
        if meta.lists == UNTRACKED {
            meta.lists = accesses.open(meta.outputs as usize);
        }
        meta.lists + output
    }

    /// Takes back the tasks below `index`, all of them CONSUMED. `free_lists` gets the first access
    /// list of each task that has some, and their number. Gives the number of their entries in the
    /// tensormap.
    #[inline]
    pub(crate) fn retire(&mut self, index: u64, mut free_lists: impl FnMut(u32, usize)) -> u64 {
        let mut entries = 0;
        if index <= self.alive {
            return entries;
        }
        for local in self.alive..index {
            let meta = self.meta(local);
            entries += u64::from(meta.map_entries);
            if meta.lists != UNTRACKED {
                free_lists(meta.lists, meta.outputs as usize);
            }
        }
        self.alive = index;
        let end = self.meta(index - 1).block_end;
        self.heap.refresh(index, end);
        if index < self.next {
            self.payloads.release_before(self.meta(index).chunk);
        }
        entries
    }

    /// Takes slot and block for a task that [`Self::plan`] found room for. Gives its local id and
    /// the heap offset of its block.
    #[inline]
    pub(crate) fn claim(&mut self, task: NewTask) -> (u64, u64) {
        let local = self.next;
        self.next += 1;
        self.dep_end += u64::from(task.edges);
        self.oldest_open.get_or_insert(local);
        let offset = self
            .heap
            .allocate(local, task.bytes)
            .expect("the plan found room");
        let meta = Meta {
            block_end: self.heap.top(),
            unrolled_end: self.heap.unrolled_end(),
            bytes: task.bytes,
            pins: 0,
            scope: task.scope,
            ordinal: task.ordinal,
            outputs: task.outputs as u32,
            lists: UNTRACKED,
            chunk: 0,
            dep_mark: self.dep_end,
            map_entries: 0,
            edge_mark: 0,
            pin_mark: 0,
            site: task.site,
            kernel: task.kernel,
        };
        let at = self.window.index(local);
        if at == self.meta.len() {
            self.meta.push(meta);
        } else {
            self.meta[at] = meta;
        }
        self.high_water = self
            .high_water
            .max(self.heap.unrolled_end() - self.heap.unrolled_start());
        self.demand = self.demand.max(self.pinned_bytes());
        if task.kernel.is_some() {
            self.slots.claim(local);
        }
        (local, offset)
    }

    /// Publishes task `local`, claimed and with a payload; gives it if it is ready.
    pub(crate) fn start(
        &mut self,
        local: u64,
        body: Body,
        producers: &[TaskRef],
    ) -> Option<ReadyTask> {
        self.slots.start(local, body, producers)
    }

    /// Fills `bytes` bytes of a claimed block, a multiple of 64, with a repeated pattern.
    pub(crate) fn fill(&self, offset: u64, bytes: u64, pattern: [u8; 64]) {
        self.memory.fill(offset, bytes, pattern);
    }

    #[inline]
    pub(crate) fn write_payload<'a, T>(&mut self, local: u64, parts: Parts<'a, T>) -> Payload
    where
        T: ExactSizeIterator<Item = (&'a RawTensor, Permission)>,
    {
        let payload = self.payloads.write(parts);
        self.meta_mut(local).chunk = self.payloads.newest();
        payload
    }

    /// Heap bytes, waste included, that no wait gives back while the open scopes are open.
    #[inline]
    pub(crate) fn pinned_bytes(&self) -> u64 {
        let limit = self.limit();
        let start = match (self.heap.anchor(), limit) {
            (_, 0) => 0,
            (Some(anchor), limit) if limit <= anchor => self.heap.unrolled_start(),
            _ => self.meta(limit - 1).unrolled_end,
        };
        self.heap.unrolled_end() - start
    }

    /// The oldest task that an open scope keeps, of those that `holds` is true for.
    pub(crate) fn oldest_pinned(&self, holds: impl Fn(&Meta) -> bool) -> Option<&Meta> {
        (self.limit()..self.next)
            .map(|local| self.meta(local))
            .find(|meta| holds(meta))
    }

    /// A heap size with which a block of `bytes` fits beside what is pinned now, for any placement:
    /// pinned bytes plus the largest block, on top of the request.
    pub(crate) fn heap_suggestion(&self, bytes: u64) -> u64 {
        let (mut live, mut largest) = (0_u64, bytes);
        for local in self.limit()..self.next {
            live = live.saturating_add(self.meta(local).bytes);
            largest = largest.max(self.meta(local).bytes);
        }
        let spare = if live == 0 { 0 } else { largest };
        let enough = live.saturating_add(bytes).saturating_add(spare);
        enough
            .checked_next_multiple_of(MIN_RING_HEAP)
            .unwrap_or(enough)
    }

    /// The scope whose first task on this ring was `first` has closed.
    pub(crate) fn scope_closed(&mut self, first: Option<u64>) {
        if first.is_some() && first == self.oldest_open {
            self.oldest_open = None;
        }
    }

    /// Forgets the run. All tasks are CONSUMED and retired.
    pub(crate) fn reset(&mut self) {
        assert_eq!(self.alive, self.next, "a ring is reset when it is empty");
        self.heap = Heap::new(self.memory.bytes());
        self.payloads.clear();
        (self.next, self.alive, self.oldest_open) = (0, 0, None);
        self.dep_end = 1;
        (self.high_water, self.demand) = (0, 0);
    }
}

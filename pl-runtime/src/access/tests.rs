use super::*;
use crate::dtype::DType;
use crate::site::Site;
use crate::tensor::{SliceItem::Range, View};
use proptest::prelude::*;

fn view(start: usize, end: usize) -> View {
    let view = View::contiguous(DType::F32, &[64]).unwrap();
    view.slice(&[Range(start, end)], Site::ROOT).unwrap()
}

fn region(view: &View) -> Region<'_> {
    Region::new(std::ptr::without_provenance(4096), view)
}

struct Table {
    accesses: Accesses,
    list: u32,
    tasks: u64,
    /// Tasks below are stale.
    stale: u64,
}

impl Table {
    fn new() -> Self {
        let mut accesses = Accesses::new();
        let list = accesses.open(1);
        Self {
            accesses,
            list,
            tasks: 0,
            stale: 0,
        }
    }

    /// One task with one access; the tasks that it depends on.
    fn task(&mut self, start: usize, end: usize, writes: bool) -> Vec<u64> {
        let view = view(start, end);
        let mut found = Vec::new();
        let stale = |task: TaskKey| task.local() < self.stale;
        let access = Access {
            list: self.list,
            region: region(&view),
            bytes: 256,
            writes,
            device: Mapping::default(),
        };
        self.accesses.conflicts(
            &access,
            false,
            stale,
            |conflict| found.push(conflict.task.local()),
            |_| unreachable!("nothing is mapped"),
        );
        let task = TaskKey::new(0, self.tasks);
        self.accesses.record(task, &access, stale);
        self.tasks += 1;
        found.sort_unstable();
        found
    }
}

#[test]
fn every_hazard_is_found_and_reads_do_not_order_reads() {
    let mut x = Table::new();
    assert_eq!(x.task(0, 64, true), [0_u64; 0]);
    assert_eq!(x.task(0, 32, false), [0], "read after write");
    assert_eq!(x.task(0, 64, false), [0]);
    assert_eq!(
        x.task(32, 64, true),
        [0, 2],
        "write after write, write after read"
    );
    assert_eq!(
        x.task(0, 8, false),
        [0],
        "the other half was written by the first task"
    );
    assert_eq!(x.task(0, 64, true), [0, 1, 2, 3, 4]);
    assert_eq!(
        x.task(10, 20, false),
        [5],
        "a covering write stands for all before it"
    );
}

#[test]
fn records_of_stale_tasks_are_not_found() {
    let mut x = Table::new();
    for _ in 0..10 {
        x.task(0, 64, false);
    }
    x.stale = 7;
    assert_eq!(x.task(0, 1, true), [7, 8, 9]);
}

fn mapped_access(list: u32, view: &View, inout: bool, device: bool) -> Access<'_> {
    Access {
        list,
        region: region(view),
        bytes: 256,
        writes: true,
        device: Mapping {
            inout,
            entered: true,
            looked_up: device,
        },
    }
}

#[test]
fn the_map_loses_what_an_inout_covers_whatever_is_looked_up() {
    // Bytes, whether it is an INOUT, and the tasks whose entries go.
    let program: [((usize, usize), bool, &[u64]); _] = [
        ((0, 32), false, &[]),
        ((32, 64), false, &[]),
        ((0, 64), false, &[]),
        ((0, 40), true, &[0]),
        ((0, 64), false, &[]),
        ((0, 64), true, &[1, 2, 3, 4]),
        ((0, 64), true, &[5]),
    ];
    for device in [false, true] {
        let mut accesses = Accesses::new();
        let list = accesses.open(1);
        for (task, (bytes, inout, expected)) in program.into_iter().enumerate() {
            let view = view(bytes.0, bytes.1);
            let access = mapped_access(list, &view, inout, device);
            let mut gone = Vec::new();
            accesses.conflicts(
                &access,
                false,
                |_| false,
                |_| {},
                |task| gone.push(task.local()),
            );
            gone.sort_unstable();
            assert_eq!(gone, expected, "task {task}");
            accesses.record(TaskKey::new(0, task as u64), &access, |_| false);
        }
    }
}

#[test]
fn the_device_finds_all_that_it_has_entered() {
    let mut accesses = Accesses::new();
    let list = accesses.open(1);
    for (task, bytes) in [(0, 32), (32, 64), (0, 64)].into_iter().enumerate() {
        let view = view(bytes.0, bytes.1);
        let access = mapped_access(list, &view, false, true);
        accesses.conflicts(&access, false, |_| false, |_| {}, |_| {});
        accesses.record(TaskKey::new(0, task as u64), &access, |_| false);
    }
    let mut found = Vec::new();
    let view = view(0, 8);
    let access = mapped_access(list, &view, false, true);
    accesses.find_mapped(&access, |_| false, |task| found.push(task.local()));
    assert_eq!(found, [0, 2]);
}

/// What the lists stand for, one by one: (task, first byte, end) of writes, reads and the map.
#[derive(Default)]
struct Model {
    writes: Vec<(TaskKey, usize, usize)>,
    reads: Vec<(TaskKey, usize, usize)>,
    mapped: Vec<(TaskKey, usize, usize)>,
}

impl Model {
    fn look_up(
        &mut self,
        (start, end): (usize, usize),
        (writes, inout): (bool, bool),
        stale: impl Fn(TaskKey) -> bool,
    ) -> (Vec<TaskKey>, Vec<TaskKey>) {
        let (mut found, mut unmapped) = (Vec::new(), Vec::new());
        let kept = |records: &mut Vec<(TaskKey, usize, usize)>, goes: bool, to: &mut Vec<_>| {
            records.retain(|&(task, a, b)| {
                let overlaps = !stale(task) && a < end && start < b;
                to.extend(overlaps.then_some(task));
                !(goes && overlaps && start <= a && b <= end)
            });
        };
        kept(&mut self.writes, writes, &mut found);
        if writes {
            kept(&mut self.reads, true, &mut found);
        }
        if inout {
            let covered = |&(_, a, b): &(_, usize, usize)| start <= a && b <= end;
            let gone = self.mapped.extract_if(.., |entry| covered(entry));
            unmapped.extend(gone.map(|(task, ..)| task).filter(|&task| !stale(task)));
        }
        (found, unmapped)
    }

    fn record(&mut self, task: TaskKey, (start, end): (usize, usize), writes: bool) {
        let record = (task, start, end);
        if writes {
            self.writes.push(record);
            self.mapped.push(record);
        } else {
            self.reads.push(record);
        }
    }
}

fn sorted(mut tasks: Vec<TaskKey>) -> Vec<TaskKey> {
    tasks.sort_unstable();
    tasks
}

proptest! {
    #[test]
    fn records_that_are_shared_say_what_each_would_say(
        program in prop::collection::vec(
            // Arguments of a task: byte, length, INPUT, OUTPUT_EXISTING or INOUT; its ring, and
            // whether that retires up to it.
            (prop::collection::vec((0..4_usize, 1..3_usize, 0..3_u8), 1..4), 0..2_usize, 0..8_u8),
            1..60,
        ),
    ) {
        let (mut accesses, mut model, mut alive) = (Accesses::new(), Model::default(), [0; 2]);
        let list = accesses.open(1);
        for (local, (args, ring, retires)) in program.into_iter().enumerate() {
            let task = TaskKey::new(ring, local as u64);
            let stale = |task: TaskKey| task.local() < alive[task.ring()];
            let access = |view, (.., kind): (_, _, u8)| Access {
                list,
                region: region(view),
                bytes: 256,
                writes: kind > 0,
                device: Mapping { inout: kind == 2, entered: kind > 0, looked_up: false },
            };
            let views: Vec<_> = args.iter().map(|&(start, length, _)| view(start, start + length)).collect();
            let (mut found, mut unmapped) = (Vec::new(), Vec::new());
            let (mut all, mut expected) = (Vec::new(), Vec::new());
            for (view, &arg) in views.iter().zip(&args) {
                accesses.conflicts(
                    &access(view, arg),
                    true,
                    stale,
                    |conflict| found.push(conflict.task),
                    |task| unmapped.push(task),
                );
                let (tasks, gone) =
                    model.look_up((arg.0, arg.0 + arg.1), (arg.2 > 0, arg.2 == 2), stale);
                all.extend(tasks);
                expected.extend(gone);
            }
            for (view, &arg) in views.iter().zip(&args) {
                accesses.record(task, &access(view, arg), stale);
                model.record(task, (arg.0, arg.0 + arg.1), arg.2 > 0);
            }
            let (mut found, mut all) = (sorted(found), sorted(all));
            found.dedup();
            all.dedup();
            prop_assert_eq!(found, all);
            prop_assert_eq!(sorted(unmapped), sorted(expected));
            if retires == 0 {
                alive[ring] = local as u64 + 1;
            }
        }
    }
}

#[test]
fn lists_are_used_again() {
    let mut accesses = Accesses::new();
    for _ in 0..1000 {
        let blocks = [1, 3, 1].map(|count| (accesses.open(count), count));
        for (first, count) in blocks {
            accesses.close(first, count);
        }
    }
    assert_eq!((accesses.lists.len(), accesses.used()), (5, 0));
}

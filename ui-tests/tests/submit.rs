//! Explicit submission: kernels that compile, run on every executor, and give the right values.
#![deny(warnings, clippy::pedantic)]
// Denied by name, they are not among the warnings that an attribute allows.
#![deny(unused, nonstandard_style, rust_2018_idioms, unreachable_pub)]
#![allow(clippy::cast_precision_loss, clippy::float_cmp)]

use ndarray::{Array1, Array2, array};
use pl::SerialOrder;
use pl::prelude::*;

/// Threads, and one legal order of tasks after the other.
fn runtimes() -> Vec<Runtime> {
    let serial = (0..8).map(|seed| Executor::Serial {
        order: SerialOrder::Random(seed),
    });
    let executors = serial.chain([Executor::Threads { threads: 4 }]);
    executors
        .map(|executor| {
            let config = RunConfig {
                executor,
                ..RunConfig::default()
            };
            Runtime::new(config).expect("valid")
        })
        .collect()
}

fn runtime() -> Runtime {
    Runtime::new(RunConfig::default()).expect("the default configuration is valid")
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

fn says(error: &pl::Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[pl::jit::incore]
fn scale(x: Tensor<f32, _>, by: f32, y: Out<Tensor<f32, _>>) {
    store(y, load(x) * by);
}

#[pl::jit::incore]
fn add_to(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + load(x));
}

mod order {
    use super::{Array1, add_to, numbers, runtimes, scale};
    use pl::prelude::*;

    #[pl::jit(dims(N))]
    fn chain(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
        let a = create_tensor::<f32>([N]);
        manual_scope!({
            let first = submit!(scale(x, 2.0, a));
            let mut last = submit!(scale(a, 3.0, y), deps = [first]);
            for _ in 0..3 {
                last = submit!(add_to(a, y), deps = [last]);
            }
        });
    }

    #[test]
    fn a_task_id_is_carried_through_a_loop() {
        for rt in runtimes() {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            chain(&rt, &x, &mut y).unwrap();
            assert_eq!(y, x * 12.0);
        }
    }

    #[pl::jit(dims(N))]
    fn none_first(x: Tensor<f32, N>, y: InOut<Tensor<f32, N>>) {
        manual_scope!({
            let mut last = TaskId::NONE;
            let mut valid = 0;
            for i in 0..4 {
                if last.is_valid() {
                    valid += 1;
                }
                if i != 2 {
                    last = submit!(add_to(x, y), deps = [TaskId::NONE, last]);
                }
            }
            if valid == 3 {
                submit!(add_to(x, y), deps = [last]);
            }
        });
    }

    #[test]
    fn no_task_is_nothing_to_wait_for() {
        for rt in runtimes() {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            none_first(&rt, &x, &mut y).unwrap();
            assert_eq!(y, x * 4.0);
        }
    }

    #[pl::jit(dims(N))]
    fn joined(x: Tensor<f32, N, 8>, y: Out<Tensor<f32, N, 8>>, z: Out<Tensor<f32, N, 8>>) {
        manual_scope!({
            let mut ids = TaskIds::<6>::new();
            for i in 0..N {
                ids[i] = submit!(rows(x.slice(s![i..i + 1, ..]), y.slice(s![i..i + 1, ..])));
            }
            let all = barrier([ids]);
            let again = barrier([all, ids[0], TaskId::NONE]);
            let nothing = barrier([]);
            submit!(
                rows(y, z),
                deps = [again, nothing],
                deps_wait = [ids, ids[1]]
            );
        });
    }

    #[pl::jit::incore]
    fn rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
        store(y, load(x) * 2.0);
    }

    #[test]
    fn a_barrier_joins_tasks_and_whole_arrays_of_them() {
        for rt in runtimes() {
            let x = numbers(40).into_shape_with_order((5, 8)).unwrap();
            let (mut y, mut z) = (x.clone(), x.clone());
            joined(&rt, &x, &mut y, &mut z).unwrap();
            assert_eq!(z, x * 4.0);
        }
    }

    #[pl::jit(dims(N))]
    fn outer_id(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
        let a = create_tensor::<f32>([N]);
        let before = submit!(scale(x, 2.0, a));
        manual_scope!({
            let inner = submit!(scale(a, 2.0, y), deps = [before]);
            submit!(add_to(a, y), deps = [inner, before]);
        });
        submit!(add_to(a, y), deps = [before]);
    }

    #[test]
    fn c144_a_manual_scope_waits_for_a_task_from_outside_and_c133_auto_takes_deps() {
        for rt in runtimes() {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            outer_id(&rt, &x, &mut y).unwrap();
            assert_eq!(y, x * 8.0);
        }
    }
}

mod helpers {
    use super::{Array1, add_to, numbers, runtimes, scale};
    use pl::prelude::*;

    #[pl::jit::inline]
    fn twice(x: Tensor<f32, _>, after: TaskId, y: Out<Tensor<f32, _>>) -> TaskId {
        let first = submit!(scale(x, 2.0, y), deps = [after]);
        submit!(add_to(x, y), deps = [first])
    }

    #[pl::jit::inline]
    fn scratch(n: usize) -> (Tensor<f32, _>, TaskId) {
        let t = create_tensor::<f32>([n]).init(1.0);
        let none = TaskId::NONE;
        (t, none)
    }

    #[pl::jit(dims(N))]
    fn through(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
        let (t, none) = scratch(N);
        manual_scope!({
            let mut last = none;
            let first = twice(x, none, t);
            if first.is_valid() && !none.is_valid() {
                last = twice(t, first, y);
            }
            for _ in 0..2 {
                let more = submit!(add_to(x, y), deps = [last]);
                last = more;
            }
            let ids = barrier([last, twice(x, last, t)]);
            submit!(add_to(t, y), deps = [ids]);
        });
    }

    #[test]
    fn c077_c132_task_ids_go_to_and_come_from_helpers() {
        for rt in runtimes() {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            through(&rt, &x, &mut y).unwrap();
            assert_eq!(y, x * 14.0);
        }
    }
}

mod blocks {
    use super::{Array1, Array2, array, numbers, runtime, runtimes, says};
    use pl::prelude::*;

    #[pl::jit::incore]
    fn rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
        let part = y.partition(0);
        let number = (block_idx() * 100 + block_num()) as f32;
        store(part, load(x.partition(0)) + number);
    }

    #[pl::jit]
    fn in_rows(x: Tensor<f32, _, _>, blocks: usize, y: Out<Tensor<f32, _, _>>) {
        submit!(rows(x, y), blocks = blocks);
    }

    #[test]
    fn c094_each_block_writes_its_part() {
        for rt in runtimes() {
            let x = numbers(14).into_shape_with_order((7, 2)).unwrap();
            for (blocks, block_of) in [
                (1, [0, 0, 0, 0, 0, 0, 0]),
                (3, [0, 0, 0, 1, 1, 1, 2]),
                (9, [0, 1, 2, 3, 4, 5, 6]),
            ] {
                let mut y = Array2::zeros((7, 2));
                in_rows(&rt, &x, blocks, &mut y).unwrap();
                let expected = Array2::from_shape_fn((7, 2), |(i, j)| {
                    x[[i, j]] + (block_of[i] * 100 + blocks) as f32
                });
                assert_eq!(y, expected);
            }
        }
    }

    /// As in Triton: the block finds its part of the input by its number.
    #[pl::jit::incore]
    fn sums(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, 1>>) {
        let mine = y.partition(0);
        let size = x.dim(0).div_ceil(block_num());
        let begin = (block_idx() * size).min(x.dim(0));
        let end = (begin + size).min(x.dim(0));
        if mine.dim(0) > 0 {
            store(mine, row_sum(load(x.slice(s![begin..end, ..]))));
        }
    }

    #[pl::jit(dims(M, N))]
    fn row_sums(x: Tensor<f32, M, N>, y: Out<Tensor<f32, M, 1>>) {
        submit!(
            sums(x, y),
            blocks = M.div_ceil(2).max(1),
            core_type = CoreType::Aiv
        );
    }

    #[test]
    fn a_block_finds_its_part_of_an_input_by_its_number() {
        for rt in runtimes() {
            let x = numbers(15).into_shape_with_order((5, 3)).unwrap();
            let mut y = Array2::zeros((5, 1));
            row_sums(&rt, &x, &mut y).unwrap();
            assert_eq!(y, array![[3.0], [12.0], [21.0], [30.0], [39.0]]);
        }
    }

    #[test]
    fn a_kernel_alone_is_one_block() {
        let x = numbers(6).into_shape_with_order((2, 3)).unwrap();
        let mut y = Array2::zeros((2, 1));
        sums::launch(&runtime(), &x, &mut y).unwrap();
        assert_eq!(y, array![[3.0], [12.0]]);
    }

    #[pl::jit::incore]
    fn whole(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
    }

    #[pl::jit]
    fn in_blocks(x: Tensor<f32, _>, blocks: usize, y: Out<Tensor<f32, _>>) {
        submit!(whole(x, y), blocks = blocks);
    }

    #[test]
    fn an_output_of_several_blocks_is_not_stored_whole() {
        let (x, mut y) = (numbers(4), Array1::zeros(4));
        let rt = runtime();
        in_blocks(&rt, &x, 1, &mut y).unwrap();
        assert_eq!(y, x);
        let error = in_blocks(&rt, &x, 2, &mut y).unwrap_err();
        assert_eq!(error.code(), Some(200));
        says(
            &error,
            &["`whole`", "block 0 of 2", "y.partition(0)", "submit.rs:"],
        );
    }

    #[test]
    fn no_blocks_and_too_many_are_errors() {
        let (x, mut y) = (numbers(4), Array1::zeros(4));
        let rt = runtime();
        let error = in_blocks(&rt, &x, 0, &mut y).unwrap_err();
        says(&error, &["0 blocks", "use 1 or more"]);
        let error = in_blocks(&rt, &x, 1 << 40, &mut y).unwrap_err();
        says(&error, &["1099511627776 blocks", "at most 4294967295"]);
    }

    #[pl::jit]
    fn together(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
        submit!(
            rows(x, y),
            blocks = 5,
            core_type = CoreType::Aic,
            sync_start = true,
        );
    }

    #[test]
    fn blocks_that_cannot_start_together_are_an_error() {
        let x = numbers(10).into_shape_with_order((5, 2)).unwrap();
        let mut y = Array2::zeros((5, 2));
        let with = |clusters| {
            let config = RunConfig {
                clusters,
                ..RunConfig::default()
            };
            Runtime::new(config).unwrap()
        };
        let error = together(&with(4), &x, &mut y).unwrap_err();
        assert_eq!(error.code(), Some(7));
        says(&error, &["5 blocks", "4 AIC blocks"]);
        together(&with(5), &x, &mut y).unwrap();
        assert_eq!(y[[4, 1]], x[[4, 1]] + 405.0);
    }
}

mod predicates {
    use super::{Array1, array, numbers, runtime, runtimes, scale};
    use pl::prelude::*;

    #[pl::jit]
    fn compared(n: InOut<Tensor<i32, 4>>, c: i32, x: Tensor<f32, 1>, y: InOut<Tensor<f32, 8>>) {
        submit!(
            scale(x, 2.0, y.slice(s![0..1])),
            predicate = n.get([1]) == c
        );
        submit!(
            scale(x, 2.0, y.slice(s![1..2])),
            predicate = n.get([1]) != c
        );
        submit!(scale(x, 2.0, y.slice(s![2..3])), predicate = n.get([1]) < c);
        submit!(
            scale(x, 2.0, y.slice(s![3..4])),
            predicate = n.get([1]) <= c
        );
        submit!(scale(x, 2.0, y.slice(s![4..5])), predicate = n.get([1]) > c);
        submit!(
            scale(x, 2.0, y.slice(s![5..6])),
            predicate = n.get([1]) >= c
        );
        submit!(
            scale(x, 2.0, y.slice(s![6..7])),
            predicate = c + 1 > n.get([1])
        );
        submit!(
            scale(x, 2.0, y.slice(s![7..8])),
            predicate = 3 > n.slice(s![1..2]).get([0])
        );
        n.set([1], 7);
    }

    #[test]
    fn a_kernel_runs_if_the_element_compares() {
        for rt in runtimes() {
            for (c, ran) in [
                (1, [0, 1, 0, 0, 1, 1, 0, 1]),
                (2, [1, 0, 0, 1, 0, 1, 1, 1]),
                (3, [0, 1, 1, 1, 0, 0, 1, 1]),
            ] {
                let mut n = array![0, 2, 0, 0];
                let mut y = Array1::zeros(8);
                compared(&rt, &mut n, c, &array![0.5], &mut y).unwrap();
                assert_eq!(y, Array1::from_iter(ran.map(|ran| ran as f32)), "{c}");
                assert_eq!(n, array![0, 7, 0, 0]);
            }
        }
    }

    #[pl::jit]
    fn flagged(on: Tensor<bool, 2>, x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
        submit!(scale(x, 1.0, y), predicate = on.get([0]));
        submit!(scale(x, 2.0, y), predicate = !on.get([1]));
    }

    #[test]
    fn an_element_that_is_a_truth_value_stands_alone() {
        let x = numbers(4);
        for (flags, by) in [
            ([true, true], 1.0),
            ([false, false], 2.0),
            ([false, true], 0.0),
        ] {
            let mut y = Array1::zeros(4);
            flagged(&runtime(), &Array1::from_iter(flags), &x, &mut y).unwrap();
            assert_eq!(y, &x * by);
        }
    }
}

mod constants {
    use super::{Array1, add_to, numbers, runtime, says};
    use pl::prelude::*;

    trait Count {
        const COUNT: usize;
    }

    enum Three {}

    impl Count for Three {
        const COUNT: usize = 3;
    }

    #[pl::jit]
    fn generic<const N: usize>(x: Tensor<f32, _>, n: usize, y: InOut<Tensor<f32, _>>) {
        manual_scope!({
            let mut ids: TaskIds<N> = TaskIds::<N>::new();
            let mut others = TaskIds::<{ Three::COUNT }>::new();
            for i in 0..n {
                ids[i] = submit!(add_to(x, y), deps = [ids, others[2]]);
                others[i % 3] = ids[i];
            }
        });
    }

    #[test]
    fn the_length_of_an_array_of_ids_is_a_constant() {
        let (x, mut y) = (numbers(4), Array1::zeros(4));
        generic::<5>(&runtime(), &x, 5, &mut y).unwrap();
        assert_eq!(y, &x * 5.0);
    }

    #[test]
    fn an_id_past_the_end_of_its_array_is_an_error() {
        let (x, mut y) = (numbers(4), Array1::zeros(4));
        let error = generic::<5>(&runtime(), &x, 6, &mut y).unwrap_err();
        says(
            &error,
            &["no id 5", "`TaskIds::<5>`", "use 0 to 4", "submit.rs:"],
        );
    }
}

mod data {
    use super::{add_to, scale};
    use pl::prelude::*;

    const DEEP: usize = 3;

    #[pl::jit]
    fn shown(n: InOut<Tensor<u8, 2>>, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        manual_scope!({
            let mut ids = TaskIds::<DEEP>::new();
            ids[DEEP - 1] = submit!(scale(x, 2.0, y));
            submit!(add_to(x, y), deps = [ids], predicate = n.get([1]) != 7);
        });
        n.set([0], 1);
    }

    #[test]
    fn a_kernel_as_data_says_how_its_tasks_run() {
        let kernel = shown::kernel();
        for (text, parts) in [
            (
                kernel.ir(),
                [
                    "let mut ids: TaskIds = TaskIds::<3>::new();",
                    "ids[3 - 1] = submit scale(in x, 2.0, out y);",
                    "submit add_to(in x, inout y) deps [ids] predicate n.get([1]) != 7;",
                ],
            ),
            (
                kernel.orchestration_rust(),
                [
                    "let mut ids = TaskIds::<3>::new();",
                    ".deps(ids.as_slice())",
                    ".predicate(&n, &[1], PredicateOp::Ne, 7)",
                ],
            ),
        ] {
            for part in parts {
                assert!(text.contains(part), "no {part:?} in:\n{text}");
            }
        }
    }
}

/// Kernels that return tensors.
mod returned {
    use super::{Array1, add_to, numbers, runtimes, scale};
    use pl::prelude::*;

    #[pl::jit::incore]
    fn doubled(x: Tensor<f32, 8>) -> Tensor<f32, 8> {
        load(x) * 2.0
    }

    #[pl::jit::incore]
    fn both(x: Tensor<f32, 8>) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
        let x = load(x);
        (x + 1.0, x + 2.0)
    }

    #[pl::jit]
    fn pairs(x: Tensor<f32, 8>, n: Tensor<i32, 1>, y: Out<Tensor<f32, 8>>) {
        manual_scope!({
            let (a, t) = submit!(doubled(x));
            let (mut b, mut last) = submit!(doubled(a), deps = [t]);
            for _ in 0..2 {
                (b, last) = submit!(doubled(b), deps = [last]);
            }
            submit!(doubled(x));
            let ((c, d), u) = submit!(both(b), deps = [last], predicate = n.get([0]) == 1);
            let v = submit!(scale(c, 1.0, y), deps = [u]);
            submit!(add_to(d, y), deps = [u, v]);
        });
    }

    #[test]
    fn a_submit_gives_what_the_kernel_returns_and_its_id() {
        for rt in runtimes() {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            pairs(&rt, &x, &Array1::ones(1), &mut y).unwrap();
            assert_eq!(y, x * 32.0 + 3.0);
        }
    }

    #[test]
    fn a_pair_is_told_apart_in_what_a_kernel_becomes() {
        let (ir, rust) = (pairs::kernel().ir(), pairs::kernel().orchestration_rust());
        let binds = "let (a, t): (Tensor<f32>, TaskId) = submit doubled(in x)";
        assert!(ir.contains(binds), "{ir}");
        for part in [
            "(task0.get_ref(0), task0.task_id())",
            "((task0.get_ref(0), task0.get_ref(1)), task0.task_id())",
        ] {
            assert!(rust.contains(part), "no {part:?} in:\n{rust}");
        }
    }
}

/// What errors say to write instead.
mod hints {
    use super::{Array1, Array2, add_to, numbers, runtimes, scale};
    use pl::prelude::*;

    #[pl::jit::incore]
    fn halves(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
        let (mine, part) = (x.partition(0), y.partition(0));
        let half = x.dim(1) / 2;
        store(part.slice(s![.., ..half]), load(mine.slice(s![.., half..])));
        store(part.slice(s![.., half..]), load(mine.slice(s![.., ..half])));
    }

    #[pl::jit]
    fn swapped(x: Tensor<f32, 6, 4>, y: Out<Tensor<f32, 6, 4>>) {
        submit!(halves(x, y), blocks = 4);
    }

    #[test]
    fn pl0205_pl0306_views_are_made_of_the_part_of_the_block() {
        for rt in runtimes() {
            let x = numbers(24).into_shape_with_order((6, 4)).unwrap();
            let mut y = Array2::zeros((6, 4));
            swapped(&rt, &x, &mut y).unwrap();
            assert_eq!(y.row(5).to_vec(), [22.0, 23.0, 20.0, 21.0]);
        }
    }

    #[pl::jit::inline]
    fn all_done(t: TaskId, x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) -> TaskId {
        submit!(add_to(x, y), deps = [t])
    }

    #[pl::jit(auto_scope = false)]
    fn helped(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>) {
        let mut ids = TaskIds::<2>::new();
        barrier([ids]);
        scope!({
            ids = TaskIds::<2>::new();
            ids[0] = submit!(add_to(x, y));
            ids[1] = all_done(barrier([ids]), x, y);
            submit!(add_to(x, y), deps = [ids]);
        });
        if y.get([1]) > 2.5 {
            submit!(scale(x, 4.0, y));
        }
    }

    #[test]
    fn pl0105_pl0209_an_array_is_one_id_for_a_helper_and_what_waits_is_in_the_scope() {
        for rt in runtimes() {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            helped(&rt, &x, &mut y).unwrap();
            assert_eq!(y, x * 4.0);
        }
    }
}

mod audit {
    use super::{Array1, numbers, runtime, runtimes, says, scale};
    use pl::prelude::*;

    #[pl::jit]
    fn forgotten(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let t = create_tensor::<f32>([8]);
        manual_scope!({
            submit!(scale(x, 2.0, t));
            submit!(scale(t, 2.0, y));
        });
    }

    #[test]
    fn a_forgotten_edge_is_named_with_what_to_write() {
        let (x, mut y) = (numbers(8), Array1::zeros(8));
        let error = forgotten(&runtime(), &x, &mut y).unwrap_err();
        assert_eq!(error.code(), Some(201));
        let hint = "`let first = submit!(scale(..));` and `submit!(scale(..), deps = [first]);`";
        says(&error, &[hint, "`x`", "bytes 0..32"]);
    }

    #[pl::jit]
    fn declared(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let t = create_tensor::<f32>([8]);
        manual_scope!({
            let first = submit!(scale(x, 2.0, t));
            submit!(scale(t, 2.0, y), deps = [first]);
        });
    }

    #[test]
    fn what_the_audit_says_to_write_orders_the_tasks() {
        for rt in runtimes() {
            let (x, mut y) = (numbers(8), Array1::zeros(8));
            declared(&rt, &x, &mut y).unwrap();
            assert_eq!(y, x * 4.0);
        }
    }
}

/// Task ids wherever the language has values.
mod values {
    use super::{Array1, add_to, numbers, runtimes};
    use pl::prelude::*;
    use ui_helpers::copy;

    #[pl::jit(dims(N))]
    fn everywhere(x: Tensor<f32, N>, on: bool, y: InOut<Tensor<f32, N>>) {
        manual_scope!({
            let (mut a, mut b) = (submit!(add_to(x, y)), TaskId::NONE);
            (a, b) = (b, a);
            let last = if on {
                submit!(add_to(x, y), deps = [b])
            } else {
                b
            };
            let mut later = TaskId::NONE;
            if on {
                later = submit!(add_to(x, y), deps = [last]);
            }
            let last = barrier([last, later, a]);
            let mut ids = TaskIds::<3>::new();
            ids[0] = last;
            let copied = ids;
            ids[0] = TaskId::NONE;
            let mut i = 0;
            while i < 2 {
                ids[i + 1] = submit!(add_to(x, y), deps = [copied[0], ids[i]]);
                i += 1;
            }
            for i in (0..3).rev() {
                if ids[i].is_valid() {
                    submit!(add_to(x, y), deps = [ids[i]]);
                    break;
                }
            }
        });
    }

    #[test]
    fn a_task_id_is_a_value_as_any_other() {
        for rt in runtimes() {
            for (on, times) in [(true, 6.0), (false, 4.0)] {
                let x = numbers(8);
                let mut y = Array1::zeros(8);
                everywhere(&rt, &x, on, &mut y).unwrap();
                assert_eq!(y, x * times);
            }
        }
    }

    #[pl::jit::incore(dims(N))]
    fn generic<T: Element, const BY: usize>(x: Tensor<T, N>, mut y: Out<Tensor<T, N>>) {
        let part = y;
        y = part.slice(s![..]);
        store(y, load(x) * (BY + N) as f32);
    }

    #[pl::jit]
    fn names<T: Element>(launch0: Tensor<T, _>, args0: Out<Tensor<T, _>>) {
        let t = create_tensor::<T>([8]);
        manual_scope!({
            let deps = pl::submit!(generic::<T, { 1 + 1 }>(launch0, t));
            let blocks = 1;
            let submit = submit!(generic::<T, 2>(t, args0), deps = [deps], blocks = blocks);
            barrier([submit]);
        });
    }

    #[test]
    fn generic_kernels_are_submitted_and_names_of_generated_code_are_free() {
        for rt in runtimes() {
            let mut y = Array1::zeros(8);
            names::<f32>(&rt, &numbers(8), &mut y).unwrap();
            assert_eq!(y, numbers(8) * 100.0);
        }
    }

    #[pl::jit(auto_scope = false, dims(M))]
    fn elsewhere(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>, z: Out<Tensor<f32, M>>) {
        scope!({
            let t = submit!(copy(x, y));
            scope!({
                let u = submit!(ui_helpers::copy(y, z), deps = [t]);
                submit!(
                    copy(x, z),
                    deps_wait = [u, t],
                    core_type = pl::CoreType::Mix
                );
            });
        });
    }

    #[test]
    fn kernels_of_other_crates_are_submitted() {
        for rt in runtimes() {
            let x = numbers(8);
            let (mut y, mut z) = (Array1::zeros(8), Array1::zeros(8));
            elsewhere(&rt, &x, &mut y, &mut z).unwrap();
            assert_eq!((&y, &z), (&x, &x));
        }
    }
}

/// The cheapest way through a grid, down and to the right, in blocks: a wave that runs as the ids say.
mod wavefront {
    use super::{Array2, runtimes};
    use ndarray::s;
    use pl::prelude::*;

    const BLOCK: usize = 4;
    const MOST: usize = 8;

    #[pl::jit::incore]
    fn relax(
        cost: Tensor<f32, BLOCK, BLOCK>,
        above: Tensor<f32, 1, BLOCK>,
        left: Tensor<f32, BLOCK, 1>,
        best: Out<Tensor<f32, BLOCK, BLOCK>>,
    ) {
        let (cost, above, left) = (load(cost), load(above), load(left));
        let ways = zeros([BLOCK, BLOCK]);
        for i in 0..BLOCK {
            for j in 0..BLOCK {
                let mut up = above.get([0, j]);
                let mut back = left.get([i, 0]);
                if i > 0 {
                    up = ways.get([i - 1, j]);
                }
                if j > 0 {
                    back = ways.get([i, j - 1]);
                }
                ways.set([i, j], cost.get([i, j]) + up.min(back));
            }
        }
        store(best, ways);
    }

    /// `best` has a border above and on the left.
    #[pl::jit(dims(M, N))]
    fn cheapest(cost: Tensor<f32, M, N>, best: InOut<Tensor<f32, _, _>>) {
        manual_scope!({
            // The task of each column's lowest block so far.
            let mut above = TaskIds::<MOST>::new();
            for i in 0..M / BLOCK {
                let (y, end) = (i * BLOCK, (i + 1) * BLOCK);
                let mut left = TaskId::NONE;
                for j in 0..N / BLOCK {
                    let (x, edge) = (j * BLOCK, (j + 1) * BLOCK);
                    left = submit!(
                        relax(
                            cost.slice(s![y..end, x..edge]),
                            best.slice(s![y..y + 1, x + 1..edge + 1]),
                            best.slice(s![y + 1..end + 1, x..x + 1]),
                            best.slice(s![y + 1..end + 1, x + 1..edge + 1]),
                        ),
                        deps = [above[j], left]
                    );
                    above[j] = left;
                }
            }
        });
    }

    #[test]
    fn the_wave_gives_what_a_plain_loop_gives() {
        let (m, n) = (24, 32);
        let cost = Array2::from_shape_fn((m, n), |(i, j)| ((i * 7 + j * 13) % 11) as f32);
        let mut border = Array2::from_elem((m + 1, n + 1), f32::INFINITY);
        border[[0, 1]] = 0.0;
        let mut expected = border.clone();
        for i in 0..m {
            for j in 0..n {
                let before = expected[[i, j + 1]].min(expected[[i + 1, j]]);
                expected[[i + 1, j + 1]] = cost[[i, j]] + before;
            }
        }
        for rt in runtimes() {
            let mut best = border.clone();
            cheapest(&rt, &cost, &mut best).unwrap();
            assert_eq!(best.slice(s![1.., 1..]), expected.slice(s![1.., 1..]));
        }
    }
}

/// What the book shows.
mod book {
    use super::{Array1, Array2, array, numbers, runtimes};
    use pl::prelude::*;

    #[pl::jit::incore]
    fn scale(x: Tensor<f32, _, _>, by: f32, y: Out<Tensor<f32, _, _>>) {
        let rows = y.partition(0);
        store(rows, load(x.partition(0)) * by);
    }

    #[pl::jit]
    fn twice(x: Tensor<f32, 4096, 64>, on: Tensor<bool, 1>, y: InOut<Tensor<f32, 4096, 64>>) {
        let t = create_tensor::<f32>([4096, 64]);
        manual_scope!({
            let first = submit!(scale(x, 2.0, t), blocks = 64);
            submit!(
                scale(t, 2.0, y),
                deps = [first],
                blocks = 64,
                predicate = on.get([0])
            );
        });
    }

    #[test]
    fn a_task_of_blocks_waits_for_another() {
        for rt in runtimes() {
            let x = Array2::from_elem((4096, 64), 1.5);
            let mut y = Array2::zeros((4096, 64));
            twice(&rt, &x, &array![false], &mut y).unwrap();
            assert!(y.iter().all(|&y| y == 0.0));
            twice(&rt, &x, &array![true], &mut y).unwrap();
            assert!(y.iter().all(|&y| y == 6.0));
        }
    }

    const N: usize = 16;

    #[pl::jit::incore]
    fn step(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        store(y, load(y) * 0.5 + load(x));
    }

    #[pl::jit]
    fn relax(x: Tensor<f32, N, 64>, y: InOut<Tensor<f32, N, 64>>) {
        manual_scope!({
            // The last task of each row; rows do not wait for each other.
            let mut rows = TaskIds::<N>::new();
            for _ in 0..4 {
                for i in 0..N {
                    rows[i] = submit!(
                        step(x.slice(s![i, ..]), y.slice(s![i, ..])),
                        deps = [rows[i]]
                    );
                }
            }
            let all = barrier([rows]);
            submit!(
                step(x.slice(s![0, ..]), y.slice(s![N - 1, ..])),
                deps = [all]
            );
        });
    }

    #[test]
    fn rows_wait_for_themselves_and_the_last_task_for_all() {
        for rt in runtimes() {
            let x = numbers(N * 64).into_shape_with_order((N, 64)).unwrap();
            let mut y = Array2::zeros((N, 64));
            relax(&rt, &x, &mut y).unwrap();
            let once = x.mapv(|x| x * 1.875);
            let last: Array1<f32> = &once.row(N - 1) * 0.5 + x.row(0);
            assert_eq!(y.row(3), once.row(3));
            assert_eq!(y.row(N - 1), last);
        }
    }
}

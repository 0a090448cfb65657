//! `pmu/pmu.csv`.

use super::*;

const HEADER: &str = "kernel,defined,tasks,blocks,failures,total_ns,min_ns,median_ns,max_ns,\
    scratch_peak_bytes,loaded_bytes,stored_bytes,matrix_ops,element_ops";

fn config(dir: &WorkDir, executor: Executor) -> RunConfig {
    RunConfig {
        enable_pmu: true,
        ..dir.config(executor)
    }
}

/// Reads a file as RFC 4180 describes it.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('"', true) if chars.peek() == Some(&'"') => field.push(chars.next().unwrap()),
            ('"', _) => {
                assert!(quoted || field.is_empty(), "quotes stand around a field");
                quoted = !quoted;
            }
            (',', false) => record.push(std::mem::take(&mut field)),
            ('\r', false) => {
                assert_eq!(chars.next(), Some('\n'));
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            (c, _) => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && record.is_empty());
    records
}

/// The rows by kernel, each by column.
fn rows(dir: &WorkDir) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut records = records(&dir.text("pmu/pmu.csv")).into_iter();
    let header = records.next().unwrap();
    assert_eq!(header.join(","), HEADER);
    let row = |record: Vec<String>| {
        assert_eq!(record.len(), header.len());
        (
            record[0].clone(),
            header.iter().cloned().zip(record).collect(),
        )
    };
    records.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> u64 {
    row[column].parse().unwrap()
}

#[test]
fn each_kernel_has_a_row_with_what_it_did() {
    for executor in KINDS {
        let dir = WorkDir::new(&format!("pmu_{executor:?}").replace(' ', ""));
        run_program(config(&dir, executor));
        let rows = rows(&dir);
        assert_eq!(
            rows.keys().collect::<Vec<_>>(),
            ["affine", "fill", "update"]
        );
        // Tiles of 16 elements of 4 bytes: loads, stores, operations.
        for (kernel, loads, stores, operations) in
            [("fill", 0, 1, 1), ("affine", 1, 1, 2), ("update", 2, 1, 3)]
        {
            let row = &rows[kernel];
            let of = |column| number(row, column);
            let expected = [1, 1, 0, 64 * loads, 64 * stores, 0, 16 * operations];
            let columns = [
                "tasks",
                "blocks",
                "failures",
                "loaded_bytes",
                "stored_bytes",
                "matrix_ops",
                "element_ops",
            ];
            assert_eq!(columns.map(of), expected, "{kernel}, {executor:?}");
            assert!(of("scratch_peak_bytes") >= 64);
            let times = ["min_ns", "median_ns", "max_ns"].map(of);
            assert!(times.is_sorted() && times[2] <= of("total_ns"), "{times:?}");
        }
        assert_eq!(rows["fill"]["defined"], "kernels.rs:10");
    }
}

#[test]
fn blocks_count_for_themselves_and_a_failure_is_counted() {
    use pl_runtime::{OperationError, Scratch, TaskArgs, TaskSpec};
    #[allow(clippy::unnecessary_wraps, reason = "a kernel")]
    fn third_fails(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        assert_ne!(args.block_idx(), 2);
        Ok(())
    }
    for executor in KINDS {
        let dir = WorkDir::new(&format!("pmu_blocks_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(config(&dir, executor)).unwrap();
        let blocks = |n| {
            let (dir, rt) = (&dir, &rt);
            let task = TaskSpec::new(&NOTHING, third_fails, &[], &[]).blocks(n);
            let outcome = run(rt, |root| {
                root.submit(DEMO, task)?;
                root.submit(DEMO, TaskSpec::new(&NOTHING, third_fails, &[], &[]))
                    .map(|_| ())
            });
            let rows = rows(dir);
            let row = &rows["nothing"];
            let counts = ["tasks", "blocks", "failures"].map(|column| number(row, column));
            (outcome.is_ok(), counts)
        };
        assert_eq!(blocks(2), (true, [2, 3, 0]));
        let (ok, [_, ran, failures]) = blocks(4);
        assert_eq!((ok, failures), (false, 1));
        assert!(
            (3..=4).contains(&ran),
            "the block that fails is the last one of its task"
        );
    }
}

#[test]
fn the_kernels_of_a_mixed_task_have_a_row_each_and_count_it_once() {
    use pl_runtime::{MixedKernels, OperationError, Scratch, TaskArgs, TaskSpec};
    #[allow(clippy::unnecessary_wraps, reason = "a kernel")]
    fn empty(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
        Ok(())
    }
    let kernels = MixedKernels::NONE
        .aic(&FILL, empty)
        .aiv0(&NOTHING, empty)
        .aiv1(&NOTHING, empty);
    for executor in KINDS {
        let dir = WorkDir::new(&format!("pmu_mixed_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(config(&dir, executor)).unwrap();
        let task = TaskSpec::mixed(&kernels, &[], &[]).blocks(3);
        run(&rt, |root| root.submit(DEMO, task).map(|_| ())).unwrap();
        let rows = rows(&dir);
        let of = |kernel: &str| ["tasks", "blocks"].map(|column| number(&rows[kernel], column));
        assert_eq!(
            (of("fill"), of("nothing")),
            ([1, 3], [1, 6]),
            "{executor:?}"
        );
    }
}

#[test]
fn a_matrix_product_counts_multiplications_and_additions() {
    use pl_runtime::{DType, OperationError, Scratch, TaskArgs, TaskSpec, tile};
    fn product(core: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
        let a = tile::zeros(core, DEMO, DType::F32, &[2, 3])?;
        let b = tile::zeros(core, DEMO, DType::F32, &[3, 5])?;
        tile::dot(core, DEMO, a, b).map(|_| ())
    }
    for executor in KINDS {
        let dir = WorkDir::new(&format!("pmu_product_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(config(&dir, executor)).unwrap();
        let task = TaskSpec::new(&NOTHING, product, &[], &[]);
        run(&rt, |root| root.submit(DEMO, task).map(|_| ())).unwrap();
        let rows = rows(&dir);
        assert_eq!(number(&rows["nothing"], "matrix_ops"), 2 * 2 * 3 * 5);
        assert_eq!(
            number(&rows["nothing"], "element_ops"),
            6 + 15,
            "what fills the factors"
        );
    }
}

#[test]
fn a_simulated_run_gives_the_same_file_each_time_and_the_model_s_times() {
    let dir = WorkDir::new("pmu_same");
    let mut files = (0..2).map(|_| {
        let report = run_program(config(&dir, TIMING));
        let timing = report.timing.unwrap();
        for row in rows(&dir).values() {
            let kernel = timing
                .kernels
                .iter()
                .find(|k| k.kernel == row["kernel"])
                .unwrap();
            assert_eq!(number(row, "total_ns"), kernel.ns);
        }
        dir.text("pmu/pmu.csv")
    });
    assert_eq!(files.next(), files.next());
}

#[test]
fn the_operation_log_beside_it_and_the_scratch_of_a_run_stay_as_they_are() {
    let dir = WorkDir::new("pmu_log");
    let log = |enable_pmu| {
        let report = run_program(RunConfig {
            enable_op_log: true,
            enable_pmu,
            ..dir.config(serial())
        });
        let names: Vec<_> = report
            .op_log
            .iter()
            .map(|op| (op.task, op.op_name))
            .collect();
        (names, report.peak_scratch_bytes)
    };
    assert_eq!(log(false), log(true));
    let report = run_program(config(&dir, serial()));
    assert_eq!(report.op_log.len(), 0, "it was not asked for");
}

#[test]
fn names_with_separators_and_quotes_are_fields_like_others() {
    let dir = WorkDir::new("pmu_odd");
    let rt = Runtime::new(config(&dir, serial())).unwrap();
    run(&rt, |root| {
        submit(root, ODD_SITE, &ODD, &[], 0, &[]).map(|_| ())
    })
    .unwrap();
    assert_eq!(rows(&dir).keys().collect::<Vec<_>>(), [ODD.name]);
}

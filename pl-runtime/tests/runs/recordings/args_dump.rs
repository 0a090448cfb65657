//! `args_dump/args_dump.json` and its `.npy` files.

use super::*;
use ndarray::{ArrayD, array};
use ndarray_npy::{ReadableElement, read_npy};
use pl_runtime::{DType, Scalar, SliceItem, TensorCreateInfo, bf16, f16};

const INDEX: &str = "args_dump/args_dump.json";

fn config(dir: &WorkDir, filter: DumpArgs) -> RunConfig {
    RunConfig {
        enable_dump_args: Some(filter),
        ..dir.config(serial())
    }
}

fn entries(dir: &WorkDir) -> Vec<Value> {
    dir.json(INDEX)["args"].as_array().unwrap().clone()
}

/// The entries as `task kernel parameter role stage`.
fn lines(dir: &WorkDir) -> Vec<String> {
    let text = |entry: &Value| {
        let of = |key: &str| entry[key].as_str().unwrap_or("-").to_owned();
        let keys = ["kernel", "parameter", "role", "stage"].map(of);
        format!("{} {}", entry["task"], keys.join(" "))
    };
    entries(dir).iter().map(text).collect()
}

fn array<T: ReadableElement>(dir: &WorkDir, entry: &Value) -> ArrayD<T> {
    let file = dir.path("args_dump").join(entry["file"].as_str().unwrap());
    read_npy(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn inputs_are_written_before_a_task_outputs_after_it_and_in_outs_both_times() {
    for executor in EXECUTORS {
        let dir = WorkDir::new(&format!("stages_{executor:?}").replace(' ', ""));
        run_program(RunConfig {
            executor,
            ..config(&dir, DumpArgs::all())
        });
        let expected = [
            "1 fill o output after",
            "2 affine a input before",
            "2 affine o output after",
            "3 update a input before",
            "3 update x inout before",
            "3 update x inout after",
        ];
        assert_eq!(lines(&dir), expected, "each waits for the one before");
        let first = |at: usize| {
            let values: ArrayD<u32> = array(&dir, &entries(&dir)[at]);
            assert_eq!(values.shape(), [4, 4]);
            values[[3, 3]]
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(first), [7, 7, 22, 7, 22, 117]);
        let index = dir.json(INDEX);
        assert_eq!(
            (&index["version"], &index["outcome"]),
            (&json!(1), &json!("ok"))
        );
        let mut entry = index["args"][4].clone();
        entry.as_object_mut().unwrap().remove("file").unwrap();
        let expected = json!({
            "task": 3, "ring": 1, "kernel": "update", "site": "src/demo.rs:45", "argument": 1,
            "parameter": "x", "role": "inout", "stage": "before", "dtype": "u32",
            "npy_dtype": "uint32", "shape": [4, 4],
        });
        assert_eq!(entry, expected);
    }
}

#[test]
fn the_filter_chooses_by_kernel_by_position_and_by_number() {
    let dir = WorkDir::new("filter");
    let tasks = |filter: DumpArgs| {
        run_program(config(&dir, filter));
        let mut tasks: Vec<u64> = entries(&dir)
            .iter()
            .map(|e| e["task"].as_u64().unwrap())
            .collect();
        tasks.dedup();
        let folder = dir.json(INDEX)["folder"].as_str().unwrap().to_owned();
        let files = dir.files();
        assert_eq!(
            files.len(),
            entries(&dir).len() + 1,
            "the files of the run before are gone"
        );
        assert!(
            files
                .iter()
                .all(|name| name == INDEX || name.contains(&folder))
        );
        tasks
    };
    assert_eq!(tasks(DumpArgs::none().kernel("affine")), [2]);
    assert_eq!(tasks(DumpArgs::none().tasks(2..9)), [2, 3]);
    assert_eq!(tasks(DumpArgs::all().first(1)), [1]);
    assert_eq!(dir.json(INDEX)["unmatched"], json!([]));
    assert_eq!(tasks("fill,update:0..3".parse().unwrap()), [1]);
    assert_eq!(dir.json(INDEX)["unmatched"], json!(["update:0..3"]));
    assert_eq!(tasks(DumpArgs::none()), [0_u64; 0]);
}

/// Writes nothing; its arguments are what is looked at.
static LOOKS: KernelInfo = kernel("looks", 95, &[]);

#[test]
fn a_view_is_written_densely_in_its_own_order() {
    let dir = WorkDir::new("views");
    let rt = Runtime::new(config(&dir, DumpArgs::all())).unwrap();
    let x = Array2::from_shape_fn((4, 6), |(i, j)| (10 * i + j) as u32);
    rt.run(&ENTRY, [EntryArg::input(&x).unwrap()], |root, [x]| {
        let part = x.slice(&[SliceItem::Range(1, 3), SliceItem::Range(2, 5)], DEMO)?;
        let turned = part.transpose(0, 1, DEMO)?;
        let empty = x.slice(&[SliceItem::Range(1, 1), SliceItem::Full], DEMO)?;
        let row = x.slice(&[SliceItem::Index(3), SliceItem::Full], DEMO)?;
        let args = [part, turned, empty, row].map(TaskArg::Input);
        submit(root, DEMO, &LOOKS, &args, 0, &[]).map(|_| ())
    })
    .unwrap();
    let read: Vec<ArrayD<u32>> = entries(&dir).iter().map(|e| array(&dir, e)).collect();
    assert_eq!(read[0], array![[12, 13, 14], [22, 23, 24]].into_dyn());
    assert_eq!(read[1], array![[12, 22], [13, 23], [14, 24]].into_dyn());
    assert_eq!(read[2].shape(), [0, 6]);
    assert_eq!(read[3], array![30, 31, 32, 33, 34, 35].into_dyn());
}

#[test]
fn every_element_type_has_a_type_that_numpy_reads() {
    let dir = WorkDir::new("types");
    let rt = Runtime::new(config(&dir, DumpArgs::all())).unwrap();
    let types = [
        (DType::F32, 1.5_f32.to_value()),
        (DType::F16, f16::from_f32(1.5).to_value()),
        (DType::Bf16, bf16::from_f32(-1.5).to_value()),
        (DType::I8, (-2_i8).to_value()),
        (DType::I16, (-2_i16).to_value()),
        (DType::I32, (-2_i32).to_value()),
        (DType::I64, (-2_i64).to_value()),
        (DType::U8, 3_u8.to_value()),
        (DType::U16, 3_u16.to_value()),
        (DType::U32, 3_u32.to_value()),
        (DType::U64, u64::MAX.to_value()),
        (DType::Bool, true.to_value()),
    ];
    run(&rt, |root| {
        for (dtype, value) in types {
            let info = TensorCreateInfo::new(dtype, &[2, 3]).init(value);
            let t = root.alloc_tensors(DEMO, &[info])?.get_ref(0);
            submit(root, DEMO, &LOOKS, &[TaskArg::Input(t)], 0, &[])?;
        }
        Ok(())
    })
    .unwrap();
    let entries = entries(&dir);
    let header = |at: usize| {
        let file = dir
            .path("args_dump")
            .join(entries[at]["file"].as_str().unwrap());
        let bytes = fs::read(file).unwrap();
        assert_eq!(&bytes[..6], b"\x93NUMPY");
        String::from_utf8_lossy(&bytes[10..70]).into_owned()
    };
    let descriptors = [
        "'<f4'", "'<f2'", "'<u2'", "'|i1'", "'<i2'", "'<i4'", "'<i8'", "'|u1'", "'<u2'", "'<u4'",
        "'<u8'", "'|b1'",
    ];
    for (at, descriptor) in descriptors.iter().enumerate() {
        assert!(header(at).contains(descriptor), "{at}: {}", header(at));
        assert_eq!(entries[at]["shape"], json!([2, 3]));
    }
    let named = |at: usize| {
        (
            entries[at]["dtype"].as_str(),
            entries[at]["npy_dtype"].as_str(),
        )
    };
    assert_eq!(named(1), (Some("f16"), Some("float16")));
    assert_eq!(named(2), (Some("bf16"), Some("uint16")));
    let bits = array::<f32>(&dir, &entries[0])[[1, 2]].to_bits();
    assert_eq!(bits, 1.5_f32.to_bits());
    assert_eq!(
        array::<u16>(&dir, &entries[2])[[1, 2]],
        bf16::from_f32(-1.5).to_bits()
    );
    assert_eq!(array::<i64>(&dir, &entries[6])[[1, 2]], -2);
    assert_eq!(array::<u64>(&dir, &entries[10])[[1, 2]], u64::MAX);
    assert!(array::<bool>(&dir, &entries[11])[[1, 2]]);
    let half = dir
        .path("args_dump")
        .join(entries[1]["file"].as_str().unwrap());
    let bytes = fs::read(half).unwrap();
    let expected = f16::from_f32(1.5).to_bits().to_le_bytes().repeat(6);
    assert_eq!(bytes[bytes.len() - 12..], expected);
}

#[test]
fn the_names_of_files_are_plain_whatever_a_kernel_is_called() {
    let dir = WorkDir::new("dump_odd");
    let rt = Runtime::new(config(&dir, DumpArgs::all())).unwrap();
    let x = Array2::<u32>::zeros((1, 1));
    rt.run(&ENTRY, [EntryArg::input(&x).unwrap()], |root, [x]| {
        submit(root, ODD_SITE, &ODD, &[TaskArg::Input(x)], 0, &[]).map(|_| ())
    })
    .unwrap();
    let entry = &entries(&dir)[0];
    assert_eq!(
        (&entry["kernel"], &entry["parameter"]),
        (&json!(ODD.name), &Value::Null)
    );
    let file = entry["file"].as_str().unwrap().rsplit('/').next().unwrap();
    assert!(
        file.chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.".contains(c)),
        "{file}"
    );
    assert_eq!(array::<u32>(&dir, entry).len(), 1);
}

#[test]
fn a_simulated_run_has_nothing_to_write_and_is_refused() {
    let dir = WorkDir::new("dump_timing");
    let refused = Runtime::new(RunConfig {
        executor: TIMING,
        ..config(&dir, DumpArgs::all())
    });
    says(
        &refused.unwrap_err(),
        &[
            "enable_dump_args",
            "computes no element",
            "Executor::default()",
        ],
    );
    assert!(!dir.0.exists());
}

#[test]
fn a_task_that_fails_leaves_what_its_outputs_held() {
    let dir = WorkDir::new("dump_failed");
    let rt = Runtime::new(config(&dir, DumpArgs::none().kernel("unlucky"))).unwrap();
    run(&rt, |root| {
        let t = alloc(root, DEMO, 4, 4)?;
        submit(root, DEMO, &FILL, &[TaskArg::OutputExisting(t)], 4, &[])?;
        submit(root, DEMO, &UNLUCKY, &[TaskArg::Input(t)], 2, &[]).map(|_| ())
    })
    .unwrap_err();
    assert_eq!(dir.json(INDEX)["outcome"], "failed");
    assert_eq!(lines(&dir), ["2 unlucky a input before"]);
    assert_eq!(
        array::<u32>(&dir, &entries(&dir)[0])[[0, 0]],
        4,
        "what it failed on"
    );
}

//! What the examples read and write: arrays of numpy, saved inputs.

use crate::program::{Run, data, run, run_with, temporary};
use ndarray::Array2;
use std::path::Path;

#[test]
fn softmax_gives_the_answer_of_numpy() {
    for name in ["small", "single", "wide", "fortran", "extreme", "late"] {
        let x = data(&format!("softmax_{name}_x.npy"));
        let y = temporary(&format!("softmax_{name}.npy"));
        run_with(
            "softmax",
            [
                "--input".as_ref(),
                x.as_os_str(),
                "--output".as_ref(),
                y.as_os_str(),
            ],
        )
        .passes();
        let got: Array2<f32> = ndarray_npy::read_npy(y).unwrap();
        let want: Array2<f32> =
            ndarray_npy::read_npy(data(&format!("softmax_{name}_y.npy"))).unwrap();
        assert_eq!(got.dim(), want.dim());
        for (index, &want) in want.indexed_iter() {
            let got = got[index];
            let same = (got - want).abs() <= 1e-6 || got.is_nan() && want.is_nan();
            assert!(same, "{name} {index:?}: {got} instead of {want}");
        }
    }
}

#[test]
fn an_input_that_cannot_be_used_is_refused_in_one_line() {
    let softmax = |path: &Path| run_with("softmax", ["--input".as_ref(), path.as_os_str()]);
    for (name, parts) in [
        ("missing.npy", &["missing.npy"][..]),
        ("bad_float64.npy", &["bad_float64.npy", "<f8", "np.float32"]),
        ("bad_int32.npy", &["i32", "np.float32"]),
        ("bad_rank_1.npy", &["1 dimensions, not 2"]),
        ("bad_rank_3.npy", &["3 dimensions, not 2"]),
        ("bad_empty.npy", &["without elements"]),
        ("make_golden.py", &["not a .npy file"]),
        (".", &["not a regular file"]),
    ] {
        softmax(&data(name)).refused(parts);
    }
}

#[test]
fn elements_may_stand_at_any_byte_of_a_file() {
    let path = temporary("unaligned.npy");
    for padding in 0..4 {
        let text = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}}{}\n",
            " ".repeat(padding)
        );
        let length = u32::try_from(text.len()).unwrap().to_le_bytes();
        let bytes = [b"\x93NUMPY\x02\x00", &length[..], text.as_bytes(), &[0; 8]].concat();
        std::fs::write(&path, bytes).unwrap();
        run_with("softmax", ["--input".as_ref(), path.as_os_str()]).passes();
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_damaged_file_is_refused_wherever_it_ends() {
    let whole = std::fs::read(data("softmax_single_x.npy")).unwrap();
    let path = temporary("damaged.npy");
    let refuses = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        run_with("softmax", ["--input".as_ref(), path.as_os_str()]).refused(&["damaged.npy"]);
    };
    for length in [0, 5, 6, 8, 9, 10, 11, 70, 127, 128, whole.len() - 1] {
        refuses(&whole[..length]);
    }
    refuses(&[&whole[..], b"more"].concat());
    let header = |text: &str| {
        let length = u16::try_from(text.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes(), &[0; 8]].concat()
    };
    let shape = |shape: &str| {
        header(&format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}\n"
        ))
    };
    refuses(&shape("(4000000000, 1000000000)"));
    refuses(&shape("(0, 18446744073709551615)"));
    refuses(&shape("(99999999999999999999, 1)"));
    refuses(&shape("(-1, 2)"));
    refuses(&header(&"(".repeat(60_000)));
    refuses(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}");
}

/// Runs softmax with an output that cannot be written; its one line to stderr.
fn refused_output(path: &Path) -> String {
    let run = run_with("softmax", ["--output".as_ref(), path.as_os_str()]);
    assert_eq!(run.code, Some(2), "{}\n{}", run.stdout, run.stderr);
    assert!(
        !run.last_line().starts_with("PASS max_err"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let named = format!("error: {}: cannot be written: ", path.display());
    assert!(run.stderr.starts_with(&named), "{}", run.stderr);
    run.stderr
}

#[test]
fn an_output_that_cannot_be_written_is_refused() {
    refused_output(&data("no/such/folder.npy"));
    refused_output(&data("softmax_small_x.npy/y.npy"));
    let error = refused_output(&data("."));
    assert!(error.contains("it is a folder"), "{error}");
    if cfg!(target_os = "linux") {
        refused_output(Path::new("/proc/softmax.npy"));
        let error = refused_output(Path::new("/dev/full"));
        assert!(error.contains("No space left"), "{error}");
        let metadata = std::fs::metadata("/dev/full").unwrap();
        assert!(!metadata.is_file(), "a device is never replaced");
    }
}

#[test]
fn an_output_is_replaced_as_a_whole_or_not_at_all() {
    let folder = temporary("outputs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("y.npy");
    std::fs::write(&path, "old").unwrap();
    let softmax = |path: &Path| run_with("softmax", ["--output".as_ref(), path.as_os_str()]);
    run("softmax", &format!("--rows 0 --output {}", path.display())).refused(&["--rows"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    softmax(&path).passes();
    let written: Array2<f32> = ndarray_npy::read_npy(&path).unwrap();
    assert_eq!(written.dim(), (512, 256));
    #[cfg(unix)]
    {
        let link = folder.join("link.npy");
        std::os::unix::fs::symlink("y.npy", &link).unwrap();
        std::fs::write(&path, "old").unwrap();
        softmax(&link).passes();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        let _: Array2<f32> = ndarray_npy::read_npy(&path).unwrap();
        std::fs::remove_file(link).unwrap();
    }
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left: {left:?}");
}

#[test]
fn a_seed_decides_the_inputs() {
    let print = |seed: &str| {
        let path = temporary(&format!("seed_{seed}.npy"));
        run(
            "softmax",
            &format!(
                "--rows 2 --cols 2 --seed {seed} --output {}",
                path.display()
            ),
        )
        .passes();
        std::fs::read(path).unwrap()
    };
    assert_eq!(print("7"), print("7"));
    assert_ne!(print("7"), print("8"));
}

#[test]
fn saved_inputs_give_the_same_outputs_again() {
    let saved = temporary("saved_inputs");
    let _ = std::fs::remove_dir_all(&saved);
    let place = saved.to_str().expect("a path of this repository");
    for (example, args) in [
        ("softmax", "--rows 40 --cols 30"),
        ("attention_family", "--keys 50,7 --queries 9 --dtype f16"),
    ] {
        for place in [
            format!("{place}/{example}"),
            format!("{place}/{example}.safetensors"),
        ] {
            run(example, &format!("{args} --seed 7 --save-data {place}")).passes();
            let replayed = run(example, &format!("{args} --golden-data {place}")).passes();
            let drawn = run(example, &format!("{args} --seed 7")).passes();
            let verdict = |run: &Run| run.last_line().split(" (").next().unwrap().to_owned();
            assert_eq!(verdict(&replayed), verdict(&drawn));
        }
    }
    run(
        "softmax",
        &format!("--rows 41 --cols 30 --golden-data {place}/softmax"),
    )
    .refused(&["`x`", "[40, 30], not [41, 30]"]);
    run("softmax", "--golden-data no/such/folder").refused(&["no/such/folder/x.npy"]);
    run("softmax", "--golden-data x --seed 3").refused(&["--golden-data", "--seed"]);
}

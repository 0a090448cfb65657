//! Folders of programs, as `write_program` writes them, and arguments by name.

use crate::program::{Run, command_of, ended, entry, folder, pl, source, values};
use ndarray::Array2;
use pl::prelude::*;
use pl_files::safetensors::write_safetensors;
use pl_files::{Data, npy::write_npy};
use std::fs;
use std::path::{Path, PathBuf};

#[pl::jit::incore]
fn scale(x: Tensor<f32, 4, 8>, by: f32, y: Out<Tensor<f32, 4, 8>>) {
    store(y, load(x) * by);
}

#[pl::jit]
fn twice(x: Tensor<f32, 4, 8>, by: f32, y: Out<Tensor<f32, 4, 8>>) {
    let t = create_tensor::<f32>([4, 8]);
    scale(x, by, t);
    scale(t, by, y);
}

#[pl::jit(dims(N))]
fn rows(x: Tensor<f32, N, 8>, y: Out<Tensor<f32, N, 8>>) {
    for i in (0..N).step_by(4) {
        scale(x.slice(s![i..i + 4, ..]), 2.0, y.slice(s![i..i + 4, ..]));
    }
}

/// A kernel of C++ that multiplies.
const SCALE: &str = "\
#include <cstring>
extern \"C\" void kernel_entry(int64_t* args) {
    const ChipTensor& x = *reinterpret_cast<const ChipTensor*>(args[0]);
    const ChipTensor& y = *reinterpret_cast<const ChipTensor*>(args[1]);
    float by;
    std::memcpy(&by, &args[2], sizeof by);
    for (uint64_t i = 0; i < y.numel(); ++i) {
        y.data_as<float>()[y.start_offset + i] = by * x.data_as<float>()[x.start_offset + i];
    }
}
";

/// The folder of a kernel, beside a folder for other files.
fn written(name: &str, kernel: &pl::Kernel) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let program = folder.join("program");
    kernel.write_program(&program).unwrap();
    (program, folder)
}

fn of(command: &str, program: &Path, args: &[&str]) -> Run {
    let program = program.to_str().unwrap();
    ended(
        command_of(command, &[&[program], args].concat())
            .output()
            .unwrap(),
    )
}

/// Runs [`twice`], each time by 2, with one argument as it is written; results go to `out`.
fn doubled(program: &Path, arg: &str, out: &Path) -> Run {
    let out = out.to_str().unwrap();
    let args = ["--arg", arg, "--scalar", "f32:2", "--output", out];
    of("run-orchestration", program, &args)
}

fn numbers() -> Array2<f32> {
    Array2::from_shape_fn((4, 8), |(i, j)| (i * 8 + j) as f32)
}

#[test]
fn a_folder_is_planned_and_audited_with_the_shapes_of_its_manifest() {
    let (program, _) = written("planned", &twice::kernel());
    of("plan", &program, &["--scalar", "f32:2"]).ran(&[
        "plan of 3 tasks",
        "ring 1: 2 tasks, 1 allocation",
        "heap: at most 1024 bytes live",
    ]);
    of("audit", &program, &["--scalar", "f32:2"]).ran(&["the device orders every pair"]);
}

#[test]
fn a_folder_runs_with_its_kernels_and_its_arguments_by_name() {
    let (program, folder) = written("ran", &twice::kernel());
    let (x, out) = (folder.join("x.npy"), folder.join("out"));
    write_npy(&x, &Data::of(&numbers())).unwrap();
    let x = format!("x={}", x.display());
    let run = || doubled(&program, &x, &out);
    run().ran(&["orchestration/twice.cpp ran"]);
    // Without kernels, tasks do nothing.
    assert_eq!(values(&out.join("y.npy")), [0.0; 32]);
    fs::create_dir_all(program.join("kernels/aiv")).unwrap();
    fs::write(program.join("kernels/aiv/scale.cpp"), SCALE).unwrap();
    run().ran(&["wrote "]);
    let expected = numbers().mapv(|x| 4.0 * x);
    assert_eq!(
        values(&out.join("y.npy")),
        expected.into_raw_vec_and_offset().0
    );
}

#[test]
fn a_folder_says_what_its_kernels_are_called() {
    let (program, _) = written("named", &twice::kernel());
    of("plan", &program, &["--scalar", "f32:2"]).ran(&["1 x `scale` at"]);
}

#[test]
fn kernels_that_only_the_device_compiles_can_be_left_out() {
    let (program, _) = written("device_only", &twice::kernel());
    fs::create_dir_all(program.join("kernels/aiv")).unwrap();
    let kernel = program.join("kernels/aiv/scale.cpp");
    fs::write(&kernel, "#include <pto/pto-inst.hpp>\n").unwrap();
    let run = |more: &[&str]| {
        of(
            "run-orchestration",
            &program,
            &[&["--scalar", "f32:2"], more].concat(),
        )
    };
    run(&[]).failed(
        2,
        &[
            "scale.cpp does not compile",
            "pto/pto-inst.hpp",
            "only the device's compiler takes it, `--no-kernels`",
        ],
    );
    run(&["--no-kernels"]).ran(&["2 tasks"]);
    // Those that are given run all the same.
    let given = format!("0={}", kernel.display());
    run(&["--no-kernels", "--kernels", &given]).failed(2, &["scale.cpp does not compile"]);
}

#[test]
fn rings_have_the_sizes_of_the_manifest_unless_others_are_given() {
    let (program, _) = written("rings", &twice::kernel());
    let config = RunConfig {
        ring_heap: PerRing([1024, 2048, 1024, 1024]),
        ring_task_window: 8.into(),
        ..RunConfig::default()
    };
    twice::kernel()
        .write_program_for(&program, &config)
        .unwrap();
    let plan = |args: &[&str]| of("plan", &program, &[&["--scalar", "f32:2"], args].concat());
    plan(&[]).ran(&["safe 2048, given 2048", "task window: minimum 4, given 8"]);
    plan(&["--ring-heap", "64K"]).ran(&["given 65536", "given 8"]);
    plan(&["--ring-heap", "0"]).ran(&["given 268435456", "given 8"]);
}

#[test]
fn what_a_folder_leaves_open_must_be_given() {
    let (program, _) = written("open", &rows::kernel());
    of("plan", &program, &[]).failed(
        2,
        &[
            "argument `x` is not given",
            "f32 [_, 8]",
            "--arg x=shape:f32:8x8",
        ],
    );
    of("run-orchestration", &program, &[]).failed(2, &["--arg x=zeros:f32:8x8"]);
    let x = "x=shape:f32:16x8";
    of("plan", &program, &["--arg", "y=shape:f32:16x8", x]).ran(&["plan of 4 tasks"]);
    let (program, _) = written("scalars", &twice::kernel());
    of("plan", &program, &[]).failed(
        2,
        &[
            "scalar `by` of type `f32` is not given",
            "`--scalar f32:VALUE`",
        ],
    );
}

#[test]
fn arguments_that_a_program_does_not_take_are_refused() {
    let (program, _) = written("refused", &rows::kernel());
    for (args, texts) in [
        (
            &["x=shape:f32:16x9"][..],
            &["argument `x`: f32 [16, 9] is given", "takes f32 [_, 8]"][..],
        ),
        (&["x=shape:f16:16x8"], &["f16 [16, 8] is given"]),
        (&["x=shape:f32:16"], &["f32 [16] is given"]),
        (
            &["x=shape:f32:16x8", "y=shape:f32:16x8", "z=shape:f32:1"],
            &["no argument `z`", "its tensors are `x`, `y`"],
        ),
    ] {
        of("plan", &program, &[&["--arg"], args].concat()).failed(2, texts);
    }
}

#[test]
fn a_folder_without_a_manifest_of_a_program_is_refused() {
    let empty = folder("no_program");
    of("plan", &empty, &[]).failed(2, &["manifest.json: cannot be read", "write_program"]);
    for (text, why) in [
        ("{", "no manifest of a program"),
        ("{\"format\": \"x\"}", "no manifest of a program"),
    ] {
        fs::write(empty.join("manifest.json"), text).unwrap();
        of("plan", &empty, &[]).failed(2, &[why]);
    }
    let (program, _) = written("later", &rows::kernel());
    let manifest = program.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"version\": 1", "\"version\": 2")).unwrap();
    of("plan", &program, &[]).failed(2, &["a manifest of another kind, pl-program 2"]);
}

#[test]
fn arrays_of_a_safetensors_file_are_arguments() {
    let (program, folder) = written("safetensors", &twice::kernel());
    let file = folder.join("inputs.safetensors");
    let (x, other) = (Data::of(&numbers()), Data::of(&numbers().mapv(|x| -x)));
    write_safetensors(&file, [("x", &x), ("layer.0:w", &other)]).unwrap();
    fs::create_dir_all(program.join("kernels/aiv")).unwrap();
    fs::write(program.join("kernels/aiv/scale.cpp"), SCALE).unwrap();
    let out = folder.join("out");
    let file = file.display();
    for (arg, factor) in [
        (file.to_string(), 4.0),
        (format!("x={file}"), 4.0),
        (format!("x={file}:layer.0:w"), -4.0),
    ] {
        doubled(&program, &arg, &out).ran(&["wrote "]);
        let expected = numbers().mapv(|x| factor * x);
        assert_eq!(
            values(&out.join("y.npy")),
            expected.into_raw_vec_and_offset().0,
            "{arg}"
        );
    }
    of(
        "plan",
        &program,
        &["--arg", &format!("x={file}:z"), "--scalar", "f32:2"],
    )
    .failed(2, &["no array is called `z`", "it has `layer.0:w`, `x`"]);
    // Which is which is only known of a program.
    pl(&[&source("blend.cpp"), "--arg", &file.to_string()]).failed(
        2,
        &["which of its arrays is which", "inputs.safetensors:NAME"],
    );
}

#[test]
fn shapes_take_no_memory_and_are_for_what_needs_no_elements() {
    let blend = source("blend.cpp");
    let args = ["a", "b", "y"].map(|name| format!("{name}=shape:f32:4294967295x1024"));
    let args = args.each_ref().map(String::as_str);
    let all = [&["--arg"], &args[..]].concat();
    of("plan", Path::new(&blend), &all).ran(&["plan of 3 tasks"]);
    of("audit", Path::new(&blend), &all).ran(&[]);
    of("run-orchestration", Path::new(&blend), &all).failed(
        2,
        &[
            "argument `a`: a run needs elements",
            "`a=zeros:..` in place of `a=shape:..`",
        ],
    );
}

#[test]
fn an_element_of_a_shape_is_not_known_and_that_of_an_array_is() {
    let source = entry(
        "reads",
        "    uint32_t at[1] = {0};\n    float n = get_tensor_data<float>(orch_args.tensor(0).ref(), 1, at);\n    \
         for (int i = 0; i < static_cast<int>(n); ++i) PTO2_SCOPE() {}",
    );
    let plan = |arg: &str| of("plan", Path::new(&source), &["--arg", arg]);
    plan("x=ones:f32:8").ran(&["completes in the rings given"]);
    plan("x=shape:f32:8").failed(1, &["reads is not known", "`--arg x=FILE.npy`"]);
}

#[test]
fn a_crash_leaves_no_results_of_an_earlier_run_and_takes_no_inputs() {
    let (program, folder) = written("crashed", &twice::kernel());
    let (out, kernel) = (folder.join("out"), program.join("kernels/aiv/scale.cpp"));
    fs::create_dir_all(kernel.parent().unwrap()).unwrap();
    fs::create_dir_all(&out).unwrap();
    write_npy(&out.join("x.npy"), &Data::of(&numbers())).unwrap();
    let x = format!("x={}", out.join("x.npy").display());
    let run = || doubled(&program, &x, &out);
    let statistics = out.join("dfx_outputs/scope_stats/scope_stats.jsonl");
    fs::write(&kernel, SCALE).unwrap();
    run().ran(&["wrote "]);
    assert!(out.join("y.npy").exists() && statistics.exists());
    let crash = SCALE.replace("    float by;", "    __builtin_trap();\n    float by;");
    fs::write(&kernel, crash).unwrap();
    run().failed(1, &["crashed with signal"]);
    assert!(!out.join("y.npy").exists());
    let left = fs::read_dir(statistics.parent().unwrap()).unwrap();
    let left: Vec<_> = left.map(|file| file.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(
        values(&out.join("x.npy")),
        numbers().into_raw_vec_and_offset().0
    );
}

//! What cannot be run ends with 2 and says why.

use crate::program::{command, ended, entry, folder, kernel, pl, source, written};
use std::fs;

#[test]
fn sources_that_do_not_build_are_refused() {
    let wrong = entry("wrong", "    int x = \"text\";");
    pl(&[&wrong]).failed(
        2,
        &[
            "wrong.cpp does not compile",
            "wrong.cpp:7:",
            "help: correct the source",
        ],
    );
    let empty = written("empty", "int nothing;\n");
    pl(&[&empty]).failed(2, &["empty.cpp does not define `", "help: "]);
    pl(&[&entry("undefined", "    extern void gone(); gone();")])
        .failed(2, &["undefined.cpp", "gone"]);
    pl(&["/nowhere/x.cpp"]).failed(2, &["/nowhere/x.cpp", "No such file"]);
    pl(&[&source("blend.cpp"), "--kernels", "0=/nowhere/k.cpp"])
        .failed(2, &["/nowhere/k.cpp", "No such file"]);
    let no_kernel = written("no_kernel", "int nothing;\n");
    pl(&[&source("blend.cpp"), "--kernels", &format!("0={no_kernel}")]).failed(
        2,
        &[
            "no_kernel.cpp does not define `kernel_entry`",
            "define `extern \"C\" void kernel_entry(int64_t* args)`",
        ],
    );
}

#[test]
fn without_a_compiler_it_says_what_to_install() {
    let mut command = command(&[&source("join.cpp")]);
    command.env("CXX", "/nowhere/c++").env("PATH", "/nowhere");
    ended(command.output().unwrap()).failed(
        2,
        &["no C++ compiler", "/nowhere/c++", "install g++ or clang++"],
    );
}

#[test]
fn missing_arguments_are_counted() {
    let blend = source("blend.cpp");
    pl(&[&blend]).failed(
        2,
        &["takes 3 arguments, and 0 tensors and 0 scalars are given"],
    );
    pl(&[&blend, "--arg", "a=ones:f32:64x128", "--scalar", "i64:1"]).failed(
        2,
        &["takes 3 arguments, and 1 tensor and 1 scalar are given"],
    );
}

#[test]
fn wrong_options_are_refused_before_anything_is_compiled() {
    let blend = source("blend.cpp");
    for (args, texts) in [
        (
            &["--arg", "a=zeros:f33:8"][..],
            &[
                "--arg <NAME=TENSOR>",
                "`f33` is no element type",
                "          ^^^",
            ][..],
        ),
        (
            &["--scalar", "i8:300"],
            &["this is no value of `i8`", "     ^^^"],
        ),
        (&["--kernels", "x=k.cpp"], &["`x` is no number of a kernel"]),
        (&["--ring-heap", "1,2"], &["2 sizes, for four rings"]),
        (
            &["--arg", "a=ones:f32:1", "--arg", "a=ones:f32:2"],
            &["two arguments are called `a`"],
        ),
        (
            &["--kernels", "1=a.cpp", "1=b.cpp"],
            &["kernel 1 is given twice"],
        ),
        (&["--nothing"], &["--nothing"]),
    ] {
        let cache = folder("unused_cache");
        let mut command = command(&[&[blend.as_str()][..], args].concat());
        command.env("XDG_CACHE_HOME", &cache);
        ended(command.output().unwrap()).failed(2, texts);
        assert_eq!(fs::read_dir(&cache).unwrap().count(), 0, "{args:?}");
    }
    pl(&[]).failed(2, &["<FILE>"]);
}

#[test]
fn sizes_that_no_ring_has_are_refused() {
    let source = entry("sizes", "");
    pl(&[&source, "--ring-heap", "5"]).failed(2, &["`--ring-heap`", "1024"]);
    pl(&[&source, "--ring-task-window", "7"]).failed(2, &["`--ring-task-window`", "power of two"]);
    pl(&[&source, "--ring-dep-pool", "9999999999"]).failed(2, &["`--ring-dep-pool`"]);
}

#[test]
fn files_of_arguments_are_checked() {
    let source = entry("files", "");
    let folder = folder("files_of_arguments");
    let damaged = folder.join("damaged.npy");
    fs::write(&damaged, "no array").unwrap();
    let arg = format!("x={}", damaged.display());
    pl(&[&source, "--arg", &arg]).failed(2, &["argument `x`: ", "damaged.npy: not a .npy file"]);
    pl(&[&source, "--arg", "x=/nowhere/x.npy"])
        .failed(2, &["argument `x`: /nowhere/x.npy: cannot be read"]);
    pl(&[&source, "--arg", "x=zeros:u8:4294967295x1073741824"])
        .failed(2, &["there is no memory for its"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_run() {
    let source = entry("unwritable", "    std::printf(\"ran\\n\");");
    let file = folder("unwritable_out").join("file");
    fs::write(&file, "").unwrap();
    let run = pl(&[&source, "--output", file.to_str().unwrap()]);
    run.failed(2, &["`--output`"]);
    assert!(!run.stdout.contains("ran"), "{}", run.stdout);
}

#[test]
fn kernels_that_nobody_submits_are_compiled_all_the_same() {
    let source = entry("unused_kernel", "");
    pl(&[&source, "--kernels", &kernel(9, "damp.cpp")]).ran(&["1 scope"]);
}

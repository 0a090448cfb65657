//! Compiling and loading: what can go wrong, and the cache.

use super::*;
use std::fs;

const GOOD: &str = "#include \"pto_orchestration_api.h\"\n#ifdef HAVE_LOCAL\n#include \"local.h\"\n#endif\n\
    extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs&) {}\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("cpp-compile")
        .join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn with(folder: &Path, flags: &[&str]) -> CompileOptions {
    CompileOptions {
        cache: Some(folder.join("cache")),
        flags: flags.iter().map(|&flag| flag.into()).collect(),
        ..CompileOptions::default()
    }
}

fn compile(path: &Path, options: &CompileOptions) -> Result<Orchestration, CppError> {
    // SAFETY: sources of these tests.
    unsafe { Orchestration::compile(path, options) }
}

fn refused(text: &str, options: &CompileOptions) -> String {
    // SAFETY: sources of these tests.
    let outcome = unsafe { Orchestration::compile_text("orch.cpp", text, options) };
    outcome.expect_err("it is wrong").to_string()
}

#[test]
fn a_source_may_have_any_name() {
    let folder = folder("names");
    for name in ["orch.cce", "orch.txt", "orch"] {
        let path = folder.join(name);
        fs::write(&path, GOOD).unwrap();
        compile(&path, &with(&folder, &[])).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let folder = folder("missing");
    let options = with(&folder, &[]);
    let none = CompileOptions {
        compiler: Some("no-such-compiler --fast".into()),
        ..options.clone()
    };
    let idle = CompileOptions {
        compiler: Some("true".into()),
        ..options.clone()
    };
    let elsewhere = CompileOptions {
        entry: Some("my_entry".into()),
        ..options.clone()
    };
    let cases = [
        (refused(GOOD, &none), ["no-such-compiler", "`CXX`"]),
        (
            refused(GOOD, &idle),
            ["orch.cpp does not compile", "wrote no library"],
        ),
        (
            refused(GOOD, &elsewhere),
            [
                "does not define `my_entry`",
                "void my_entry(const ChipTaskArgs&)",
            ],
        ),
        (refused("int x = y;\n", &options), ["orch.cpp:1", "‘y’"]),
        (
            refused("int x;\n", &options),
            [
                "framework_bind_runtime",
                "include \"pto_orchestration_api.h\"",
            ],
        ),
        (
            refused("#include \"pto_orchestration_api.h\"\n", &options),
            ["aicpu_orchestration_entry", "define"],
        ),
        (
            refused(
                &GOOD.replace("{}", "{ extern void other(); other(); }"),
                &options,
            ),
            ["cannot be loaded", "other"],
        ),
    ];
    for (text, parts) in cases {
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let error = compile(&folder.join("none.cpp"), &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("none.cpp") && error.contains("cannot read"),
        "{error}"
    );
}

#[test]
fn an_entry_of_another_name_can_be_asked_for() {
    let options = CompileOptions {
        entry: Some("second".into()),
        ..with(&folder("entry"), &[])
    };
    let text = GOOD.replace("aicpu_orchestration_entry", "second");
    // SAFETY: a source of these tests.
    unsafe { Orchestration::compile_text("orch.cpp", &text, &options) }.unwrap();
}

#[test]
fn arguments_are_counted() {
    let text = GOOD.to_owned()
        + "extern \"C\" PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& args)\n\
           { return PTO2OrchestrationConfig{int(args.scalar_count()) + 3}; }\n";
    // SAFETY: a source of these tests.
    let source = unsafe { Orchestration::compile_text("orch.cpp", &text, &options()) }.unwrap();
    let runtime = Runtime::new(RunConfig::default()).unwrap();
    let x = Array1::<f32>::zeros(1);
    let run = |tensors: usize, scalars: &[u64]| {
        let mut args: Vec<_> = (0..tensors)
            .map(|_| EntryArg::input::<f32, 1>(&x).unwrap())
            .collect();
        source.run(&runtime, &Kernels::none(), &mut args, scalars)
    };
    run(3, &[0]).unwrap();
    run(256, &[0; 128]).unwrap();
    let error = run(2, &[0]).unwrap_err();
    let CppError::TooFewArguments {
        expected: 4,
        tensors: 2,
        scalars: 1,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert!(
        run(257, &[])
            .unwrap_err()
            .to_string()
            .contains("at most 256")
    );
    assert!(
        run(3, &[0; 129])
            .unwrap_err()
            .to_string()
            .contains("at most 128")
    );
}

/// The entries of a cache, and when their libraries were made.
fn entries(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime)> {
    let entries = fs::read_dir(folder.join("cache")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path().join("library.so"));
    let made = |path: PathBuf| {
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        (path, modified)
    };
    let mut all: Vec<_> = paths.map(made).collect();
    all.sort();
    all
}

#[test]
fn a_source_is_compiled_again_only_if_something_has_changed() {
    let folder = folder("again");
    let path = folder.join("orch.cpp");
    fs::write(&path, GOOD).unwrap();
    fs::write(folder.join("local.h"), "// one\n").unwrap();
    let options = with(&folder, &["-DHAVE_LOCAL"]);
    compile(&path, &options).unwrap();
    let first = entries(&folder);
    assert_eq!(first.len(), 1);
    compile(&path, &options).unwrap();
    assert_eq!(entries(&folder), first, "nothing has changed");
    compile(&path, &with(&folder, &["-DHAVE_LOCAL", "-O0"])).unwrap();
    assert_eq!(entries(&folder).len(), 2, "other flags");
    // A header that the source includes.
    fs::write(folder.join("local.h"), "#error changed\n").unwrap();
    let error = compile(&path, &options).unwrap_err().to_string();
    assert!(error.contains("changed"), "{error}");
    fs::write(folder.join("local.h"), "// three\n").unwrap();
    compile(&path, &options).unwrap();
    assert_eq!(entries(&folder).len(), 2, "the entry was replaced");
}

#[test]
fn a_damaged_entry_is_made_again_and_what_a_killed_process_left_does_no_harm() {
    let folder = folder("damaged");
    let path = folder.join("orch.cpp");
    fs::write(&path, GOOD).unwrap();
    let options = with(&folder, &[]);
    compile(&path, &options).unwrap();
    let library = entries(&folder)[0].0.clone();
    let whole = fs::read(&library).unwrap();
    let own = library.parent().unwrap().to_owned();
    for damage in ["cut", "gone", "record", "empty"] {
        // Replaced, not overwritten: it may be loaded.
        match damage {
            "cut" => {
                fs::remove_file(&library).unwrap();
                fs::write(&library, &whole[..whole.len() / 2]).unwrap();
            }
            "gone" => fs::remove_file(&library).unwrap(),
            "record" => fs::write(own.join("record.json"), "{").unwrap(),
            _ => {
                fs::remove_dir_all(&own).unwrap();
                fs::create_dir(&own).unwrap();
            }
        }
        fs::create_dir_all(folder.join("cache/new-1-0/include")).unwrap();
        compile(&path, &options).unwrap_or_else(|error| panic!("{damage}: {error}"));
        fs::remove_dir_all(folder.join("cache/new-1-0")).unwrap();
        assert_eq!(fs::read(&library).unwrap().len(), whole.len(), "{damage}");
    }
}

#[test]
fn threads_and_processes_may_compile_the_same_source_at_one_time() {
    let folder = folder("together");
    let path = folder.join("orch.cpp");
    fs::write(&path, GOOD).unwrap();
    let options = with(&folder, &["-O0"]);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                let source = compile(&path, &options).unwrap();
                let runtime = Runtime::new(RunConfig::default()).unwrap();
                source
                    .run(&runtime, &Kernels::none(), &mut [], &[])
                    .unwrap();
            });
        }
    });
    assert_eq!(entries(&folder).len(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_to_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("open");
    let options = with(&folder, &[]);
    fs::create_dir(folder.join("cache")).unwrap();
    fs::set_permissions(folder.join("cache"), fs::Permissions::from_mode(0o777)).unwrap();
    let error = refused(GOOD, &options);
    assert!(error.contains("others can write"), "{error}");
}

//! `kernel().write_program(..)`: what the device's tools read.
//!
//! `kernel_config.py` is Python, so these tests need `python3`.

use pl::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[pl::jit::incore]
fn scale(x: Tensor<f32, 64>, by: f32, y: Out<Tensor<f32, 64>>) {
    store(y, load(x) * by);
}

#[pl::jit::incore]
fn größe(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
    store(y, load(x) + load(y));
}

#[pl::jit::incore]
fn made(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
    load(x) * 2.0
}

#[pl::jit]
fn program(x: Tensor<f32, 64>, n: i64, y: Out<Tensor<f32, 64>>, z: InOut<Tensor<f32, 64>>) {
    let t = made(x);
    scale(t, 0.5, y);
    submit!(scale(y, 2.0, t), core_type = CoreType::Aic);
    if n > 0 {
        größe(t, z);
    }
    at!("tail", {
        store(z, load(z) + 1.0);
    });
    let _ = x.get([0]);
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("program_folder")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Runs a script with the folder of a program as its argument.
fn python(script: &str, folder: &Path) -> String {
    let output = Command::new("python3")
        .args(["-c", script])
        .arg(folder)
        .output()
        .expect("these tests need `python3`");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

const CONFIG_SAYS: &str = r#"
import enum, json, pathlib, sys, types
root = pathlib.Path(sys.argv[1]).resolve()
tools = types.ModuleType("simpler.task_interface")
tools.ArgDirection = enum.Enum("ArgDirection", ["IN", "OUT", "INOUT"])
sys.modules["simpler"] = types.ModuleType("simpler")
sys.modules["simpler.task_interface"] = tools
config = {"__file__": str(root / "kernel_config.py")}
exec((root / "kernel_config.py").read_text(encoding="utf-8"), config)
manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
def said(signature):
    return [direction.name for direction in signature]
def wanted(entry):
    return [tensor["direction"] for tensor in entry["tensors"]]
assert config["RUNTIME_CONFIG"] == {"runtime": "tensormap_and_ringbuffer", "aicpu_thread_num": 0}
entry = config["ORCHESTRATION"]
assert pathlib.Path(entry["source"]) == root / manifest["orchestration"]["source"]
assert pathlib.Path(entry["source"]).is_file()
assert entry["function_name"] == "aicpu_orchestration_entry"
assert said(entry["signature"]) == wanted(manifest["orchestration"])
assert len(config["KERNELS"]) == len(manifest["kernels"])
for kernel, other in zip(config["KERNELS"], manifest["kernels"]):
    for key in ("func_id", "name", "core_type"):
        assert kernel[key] == other[key]
    assert pathlib.Path(kernel["source"]) == root / other["source"]
    assert said(kernel["signature"]) == wanted(other)
    print(kernel["func_id"], kernel["name"], other["source"], " ".join(wanted(other)), other["site"])
assert [tensor["dims"] for tensor in manifest["orchestration"]["tensors"]] == [[64]] * 3
assert all("dims" not in tensor for kernel in manifest["kernels"] for tensor in kernel["tensors"])
print(manifest["orchestration"]["expected_arg_count"], manifest["rings"]["ring_task_window"])
"#;

#[test]
fn kernel_config_has_the_three_names_that_the_devices_tools_read() {
    let folder = folder("config");
    program::kernel().write_program(&folder).expect("written");
    let line = |of: &str| {
        let text = fs::read_to_string(file!().rsplit_once("ui-tests/").map_or(file!(), |(_, f)| f));
        let text = text.expect("this file");
        let at = text.lines().position(|line| line.contains(of));
        at.expect("it is there") + 1
    };
    let site = |of: &str| format!("program_folder.rs:{}", line(of));
    let expected = [
        format!("0 made kernels/aiv/made.cpp IN OUT {}", site("fn made(")),
        format!("1 scale kernels/aiv/scale.cpp IN OUT {}", site("fn scale(")),
        format!("2 scale kernels/aic/scale.cpp IN OUT {}", site("fn scale(")),
        format!(
            "3 größe kernels/aiv/gruf6udfe.cpp IN INOUT {}",
            site("fn größe(")
        ),
        format!("4 tail kernels/aiv/tail.cpp INOUT {}", site("at!(\"tail\"")),
        "4 [0, 0, 0, 0]".to_owned(),
    ];
    let said = python(CONFIG_SAYS, &folder);
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_source_is_the_one_that_is_printed_and_a_second_write_gives_the_same_bytes() {
    let folder = folder("same");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    let all = || {
        [
            "orchestration/program.cpp",
            "kernel_config.py",
            "manifest.json",
        ]
        .map(&read)
    };
    let kernel = program::kernel();
    kernel.write_program(&folder).expect("written");
    let first = all();
    assert_eq!(first[0], kernel.orchestration_cpp().expect("an entry"));
    kernel.write_program(&folder).expect("written again");
    assert_eq!(all(), first);
}

#[test]
fn the_manifest_has_the_ring_sizes_of_a_configuration_and_the_hazards() {
    #[pl::jit]
    fn late_set(x: InOut<Tensor<f32, 64>>, y: Out<Tensor<f32, 64>>) {
        scale(x, 1.0, y);
        x.set([0], 1.0);
    }
    let folder = folder("rings");
    let config = RunConfig {
        ring_heap: PerRing([1 << 20, 1 << 21, 1 << 22, 1 << 23]),
        ..RunConfig::default()
    };
    let kernel = late_set::kernel();
    kernel.write_program_for(&folder, &config).expect("written");
    let script = "import json, sys\n\
                  m = json.load(open(sys.argv[1] + '/manifest.json', encoding='utf-8'))\n\
                  print(m['rings']['ring_heap'], len(m['hazards']), m['hazards'][0])";
    let said = python(script, &folder);
    assert!(
        said.starts_with("[1048576, 2097152, 4194304, 8388608] 1 program_folder.rs:"),
        "{said}"
    );
    assert_eq!(kernel.device_hazards().len(), 1);
    assert!(said.contains("`set` writes `x`"), "{said}");
}

#[test]
fn the_manifest_has_the_dimensions_that_are_constants() {
    const ROWS: usize = 3;
    #[pl::jit(dims(N))]
    fn shaped(x: Tensor<f32, { ROWS * 2 }, N, 64>, y: Out<Tensor<f32, ROWS, _>>) {
        at!("copy", {
            store(y.slice(s![0..1, 0..64]), load(x.slice(s![0, 0..1, ..])));
        });
    }
    let folder = folder("dims");
    shaped::kernel().write_program(&folder).expect("written");
    let script = "import json, sys\n\
                  m = json.load(open(sys.argv[1] + '/manifest.json', encoding='utf-8'))\n\
                  print([tensor['dims'] for tensor in m['orchestration']['tensors']])";
    assert_eq!(python(script, &folder), "[[6, None, 64], [3, None]]\n");
}

#[test]
fn what_cannot_be_written_says_why() {
    let folder = folder("refused");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("notes.txt"), "mine").expect("a file");
    let refused = program::kernel()
        .write_program(&folder)
        .expect_err("not a program");
    let text = refused.to_string();
    assert!(text.contains("no program can be written to"), "{text}");
    assert!(text.contains("`notes.txt` is in it"), "{text}");
    let refused = scale::kernel()
        .write_program(&folder)
        .expect_err("no entry");
    assert!(refused.to_string().contains("in-core code"), "{refused}");
}

//! `kernel_config.py`: what the device's tools read.

use super::manifest::{Manifest, TensorArg};
use std::fmt::Write;

/// The text, with the three names that they look for.
pub(super) fn python(manifest: &Manifest) -> String {
    let entry = &manifest.orchestration;
    let mut text = "\
        # Written by pl: what is changed here is lost. Sources of kernels are yours.\n\
        \n\
        from pathlib import Path\n\
        \n\
        from simpler.task_interface import ArgDirection as D\n\
        \n\
        _ROOT = Path(__file__).parent\n\
        \n\
        RUNTIME_CONFIG = {\n    \
            \"runtime\": \"tensormap_and_ringbuffer\",\n    \
            \"aicpu_thread_num\": 0,\n\
        }\n\
        \n\
        ORCHESTRATION = {\n"
        .to_owned();
    let _ = writeln!(text, "    \"source\": {},", path(&entry.source));
    let _ = writeln!(
        text,
        "    \"function_name\": {},",
        quoted(entry.function_name)
    );
    let _ = writeln!(text, "    \"signature\": {},", signature(&entry.tensors));
    text += "}\n\nKERNELS = [\n";
    for kernel in &manifest.kernels {
        text += "    {\n";
        for (key, value) in [
            ("func_id", kernel.func_id.to_string()),
            ("name", quoted(&kernel.name)),
            ("source", path(&kernel.source)),
            ("core_type", quoted(kernel.core_type)),
            ("signature", signature(&kernel.tensors)),
        ] {
            let _ = writeln!(text, "        \"{key}\": {value},");
        }
        text += "    },\n";
    }
    text + "]\n"
}

fn path(source: &str) -> String {
    let parts: Vec<String> = source.split('/').map(quoted).collect();
    format!("str(_ROOT / {})", parts.join(" / "))
}

fn signature(tensors: &[TensorArg]) -> String {
    let directions = tensors
        .iter()
        .map(|tensor| format!("D.{}", tensor.direction));
    format!("[{}]", directions.collect::<Vec<_>>().join(", "))
}

/// A string of JSON is one of Python.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string")
}

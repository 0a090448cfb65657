//! The process that computes the peers' side.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Names the Python that has the peers.
pub(crate) const PYTHON: &str = "PL_PEERS_PYTHON";

/// A case that a peer computes.
pub(crate) struct Peer {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    folder: PathBuf,
    /// Name and version.
    pub(crate) name: String,
}

/// An input of a case: its elements in row-major order, and its shape.
pub(crate) type Input<'a> = (&'a [f32], &'a [usize]);

impl Peer {
    /// Starts a peer on a case; the reason, if it does not have it.
    pub(crate) fn start(peer: &str, mut case: Value, inputs: &[Input<'_>]) -> Result<Self, String> {
        let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".into());
        let folder = std::env::temp_dir().join(format!("pl-peers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let files = inputs.iter().enumerate().map(|(index, (data, shape))| {
            let file = folder.join(format!("{index}.f32"));
            let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_ne_bytes()).collect();
            std::fs::write(&file, bytes).map_err(|error| error.to_string())?;
            Ok(json!([file, shape]))
        });
        case["inputs"] = files.collect::<Result<Vec<_>, String>>()?.into();
        case["output"] = json!(folder.join("out.f32"));
        case["peer"] = peer.into();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/peers.py");
        let mut process = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{python}: {error}; set {PYTHON}"))?;
        let to = process.stdin.take().expect("piped");
        let from = BufReader::new(process.stdout.take().expect("piped"));
        let mut peer = Self {
            process,
            to,
            from,
            folder,
            name: String::new(),
        };
        let answer = peer.ask(&case)?;
        match (&answer["name"], &answer["missing"]) {
            (Value::String(name), _) => peer.name.clone_from(name),
            (_, Value::String(reason)) => return Err(reason.clone()),
            _ => return Err(format!("the peer says {answer}")),
        }
        Ok(peer)
    }

    fn ask(&mut self, request: &Value) -> Result<Value, String> {
        writeln!(self.to, "{request}").map_err(|error| error.to_string())?;
        let mut line = String::new();
        self.from
            .read_line(&mut line)
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&line).map_err(|_| "the peer ended; see its message above".into())
    }

    /// Computes the case once; gives the seconds.
    pub(crate) fn run(&mut self) -> f64 {
        let answer = self.ask(&json!({"run": 1})).expect("a peer that runs");
        answer["seconds"].as_f64().expect("a number")
    }

    /// The output of the last run, and the peak of the process's memory in bytes.
    pub(crate) fn output(&mut self) -> (Vec<f32>, u64) {
        let answer = self.ask(&json!({"save": 1})).expect("a peer that runs");
        let bytes = std::fs::read(self.folder.join("out.f32")).expect("written");
        let floats = bytes.as_chunks().0.iter();
        (
            floats.map(|bytes| f32::from_ne_bytes(*bytes)).collect(),
            answer["peak"].as_u64().expect("a number"),
        )
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends with its input; if not, by force.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

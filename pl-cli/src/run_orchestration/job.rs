//! What the process that runs a source tells the one that started it.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// How far it has come. Each is a line of a file; the last one counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Stage {
    Starting,
    /// A file is being compiled and loaded.
    Loading(String),
    Running,
    Writing,
    /// It could not be run.
    Refused(String),
    /// The run failed.
    Failed(String),
    /// It was done, and this is what there is to say.
    Done {
        text: String,
        good: bool,
    },
}

impl Stage {
    /// What was being done.
    pub(super) fn doing(&self) -> String {
        match self {
            Self::Starting => "before it began".into(),
            Self::Loading(file) => format!("while {file} was loaded"),
            Self::Running => "in the run".into(),
            Self::Writing => "while its results were written".into(),
            Self::Refused(_) | Self::Failed(_) | Self::Done { .. } => "after the run".into(),
        }
    }
}

/// The file, which has no name.
#[derive(Debug)]
pub(super) struct Log(File);

impl Log {
    pub(super) fn new(file: File) -> Self {
        Self(file)
    }

    pub(super) fn add(&mut self, stage: &Stage) -> io::Result<()> {
        let mut line = serde_json::to_vec(stage)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }

    /// The last stage.
    pub(super) fn last(mut self) -> io::Result<Stage> {
        let mut text = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        self.0.read_to_end(&mut text)?;
        let lines = text.split(|byte| *byte == b'\n').rev();
        let mut stages = lines.filter_map(|line| serde_json::from_slice(line).ok());
        Ok(stages.next().unwrap_or(Stage::Starting))
    }
}

//! What goes to the user, and with which exit code.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// How a command ends. `docs/cli.md` and `pl --help` say the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It was done, and nothing is wrong.
    Good = 0,
    /// It was done, and what it looked at is not good.
    Bad = 1,
    /// It could not be done.
    Refused = 2,
    /// A peak grew.
    Regression = 3,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(ending as u8)
    }
}

/// Writes to stdout, without colours if it is not a terminal or `NO_COLOR` is set. A reader that has gone
/// away (`pl explain --list | head -1`) is no failure.
pub(crate) fn print(text: &str, ending: Ending) -> Ending {
    let mut stdout = anstream::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            refuse(&format!("stdout cannot be written: {error}"))
        }
        _ => ending,
    }
}

/// Says why it could not be done.
pub(crate) fn refuse(text: &str) -> Ending {
    complain(text);
    Ending::Refused
}

/// Says what went wrong.
pub(crate) fn complain(text: &str) {
    let bad = clap::builder::styling::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{bad}error:{bad:#} {text}");
}

/// Writes a file that appears when it is complete.
pub(crate) fn replace(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let new = path.with_file_name(name);
    fs::write(&new, contents)
        .and_then(|()| fs::rename(&new, path))
        .inspect_err(|_| drop(fs::remove_file(&new)))
}

//! What only the system knows of processes.

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::process::{ExitStatusExt, parent_id};
    use std::process::ExitStatus;

    /// The file that this process has been given as stdin.
    pub(in super::super) fn stdin() -> io::Result<File> {
        Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
    }

    /// Whether the process that started this one is there.
    pub(in super::super) fn is_parent(process: u32) -> bool {
        parent_id() == process
    }

    /// The signal that ended a process.
    pub(in super::super) fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
    }
}

#[cfg(not(unix))]
mod unix {
    use std::fs::File;
    use std::io;
    use std::process::ExitStatus;

    pub(in super::super) fn stdin() -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(in super::super) fn is_parent(_: u32) -> bool {
        true
    }

    pub(in super::super) fn signal(_: ExitStatus) -> Option<i32> {
        None
    }
}

pub(super) use unix::{is_parent, signal, stdin};

//! Files that appear under their names when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells the temporary files of this process apart.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A file being written under a name of its own, in the folder where it is to stay. It goes when it
/// is dropped, unless it has been published.
#[derive(Debug)]
pub(super) struct NewFile {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl NewFile {
    /// An empty file in `folder`, for what will be called `name`.
    pub(super) fn create(folder: &Path, name: &str) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{name}.{}.{number}.tmp", std::process::id()));
            match options.open(&path) {
                Ok(file) => {
                    let file = Some(BufWriter::with_capacity(1 << 16, file));
                    return Ok(Self { path, file });
                }
                // Left by another process that had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn writer(&mut self) -> &mut BufWriter<File> {
        self.file.as_mut().expect("it is open until it is finished")
    }

    /// Gives the file the name `name`, in place of one that has it.
    pub(super) fn publish(mut self, name: &str) -> io::Result<()> {
        drop(self.close()?);
        fs::rename(&self.path, self.path.with_file_name(name))?;
        self.path = PathBuf::new();
        Ok(())
    }

    /// The file, all of it written.
    pub(super) fn close(&mut self) -> io::Result<File> {
        let writer = self.file.take().expect("it is open until it is finished");
        writer.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        if let Some(writer) = self.file.take() {
            // Not flushed.
            drop(writer.into_parts());
        }
        // If it cannot be removed, nothing else can be done about it.
        drop(fs::remove_file(&self.path));
    }
}

/// The folder of one kind of files, made when the first one is.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder, in which nothing but a file may be called `name`.
    pub(super) fn prepared(&self, name: &str) -> io::Result<&Path> {
        fs::create_dir_all(&self.0)?;
        if self.0.join(name).is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(&self.0)
    }

    /// A file for what will be called `name`.
    pub(super) fn file(&self, name: &str) -> io::Result<NewFile> {
        NewFile::create(self.prepared(name)?, name)
    }
}

/// A folder for the files of one run, which an index beside it names. It goes when it is dropped, unless
/// its index has been published.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    name: String,
    kept: bool,
}

impl RunFolder {
    /// A new one in `folder`.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("run-{}-{number}", std::process::id());
            let path = folder.join(&name);
            match fs::create_dir(&path) {
                Ok(()) => {
                    let kept = false;
                    return Ok(Self { path, name, kept });
                }
                // Left by another process that had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Publishes the index, called `index`; then the folder that the index before has named goes.
    pub(super) fn replace(
        mut self,
        index: &str,
        publish: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let folder = self.path.parent().expect("it lies in a folder");
        // Nobody publishes another index between our look and our own.
        let lock = File::open(folder)?;
        lock.lock()?;
        let before = fs::read(folder.join(index)).ok();
        publish()?;
        self.kept = true;
        drop(lock);
        let before =
            before.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
        if let Some(name) = before.as_ref().and_then(|index| index["folder"].as_str())
            && name.starts_with("run-")
            && !name.contains(['/', '\\'])
        {
            // Whoever reads there has it open.
            drop(fs::remove_dir_all(folder.join(name)));
        }
        Ok(())
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if !self.kept {
            // If it cannot be removed, nothing else can be done about it.
            drop(fs::remove_dir_all(&self.path));
        }
    }
}

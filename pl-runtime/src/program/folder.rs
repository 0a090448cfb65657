//! A folder whose files change all at once.

use super::manifest::{FORMAT, NAME};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes files in place of those that were written here before; what else is in the folder stays.
///
/// Everything is written to a folder beside, which then takes the place of this one. Where that fails, the
/// old one is as it was. Of several writers one comes last, and its files are there.
pub(super) fn replace(folder: &Path, files: &[(String, String)]) -> Result<(), String> {
    let folder = normal(folder)?;
    let said = |what: &str, error: &io::Error| format!("{what}: {error}");
    let mut former = check(&folder)?;
    former.extend(files.iter().map(|(name, _)| name.clone()));
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|e| said("the folder around it cannot be made", &e))?;
    let new = tempfile::Builder::new()
        .prefix(".pl-program-")
        .tempdir_in(parent)
        .map_err(|e| said("the folder around it cannot be written to", &e))?;
    for (name, text) in files {
        let path = new.path().join(name);
        let written = fs::create_dir_all(path.parent().expect("below the folder"))
            .and_then(|()| fs::write(&path, text));
        written.map_err(|e| said(&format!("`{name}` cannot be written"), &e))?;
    }
    give_permissions(&folder, new.path())
        .map_err(|e| said("its permissions cannot be kept", &e))?;
    let keep = |old: &Path| {
        keep(old, new.path(), Path::new(""), &former)
            .map_err(|e| said("your files in it cannot be kept", &e))
    };
    keep(&folder)?;
    let swapped = swap(new.path(), &folder).map_err(|e| said("it cannot be replaced", &e))?;
    if let Some(old) = swapped {
        // What came while this was being done. The old folder goes with `new`, under whose name it is now.
        let late = keep_late(&old, &folder, &former);
        late.map_err(|e| said("files that came in the meantime cannot be kept", &e))?;
    } else {
        // The new folder has its name.
        let _ = new.keep();
    }
    Ok(())
}

/// Without a slash at the end, and without links: it is what they point to that is replaced.
fn normal(folder: &Path) -> Result<PathBuf, String> {
    if let Ok(real) = fs::canonicalize(folder) {
        return if std::env::current_dir().is_ok_and(|here| here.starts_with(&real)) {
            Err(
                "this program runs in it, and would be left in one that is gone; give a folder below it, or run the \
                 program elsewhere"
                    .to_owned(),
            )
        } else {
            Ok(real)
        };
    }
    match folder.file_name() {
        Some(_) => Ok(folder.components().collect()),
        None => Err("it has no name; give the folder of the program itself".to_owned()),
    }
}

/// The files that were written here before.
fn check(folder: &Path) -> Result<Vec<String>, String> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let manifest = fs::read_to_string(folder.join(NAME)).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or_default();
    if manifest["format"] == FORMAT {
        let source = manifest["orchestration"]["source"].as_str();
        return Ok(source.map(str::to_owned).into_iter().collect());
    }
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        if name != "kernels" {
            return Err(format!(
                "`{}` is in it, and it is not the folder of a program; give a new folder, or one that \
                 holds only `kernels`",
                name.display()
            ));
        }
    }
    Ok(Vec::new())
}

/// Takes over what is in the old folder and not in the new one, except what was written before.
fn keep(old: &Path, new: &Path, below: &Path, former: &[String]) -> io::Result<()> {
    let entries = match fs::read_dir(old.join(below)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let path = below.join(entry.file_name());
        let is_former = former.iter().any(|name| Path::new(name) == path);
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let target = new.join(&path);
        if kind.is_dir() {
            fs::create_dir_all(&target)?;
            keep(old, new, &path, former)?;
            give_permissions(&entry.path(), &target)?;
        } else if !is_former && fs::symlink_metadata(&target).is_err() {
            keep_file(&entry.path(), &target, kind)?;
        }
    }
    Ok(())
}

/// The same file under a second name, so that whoever has it open still writes to it; else a copy.
fn keep_file(old: &Path, new: &Path, kind: fs::FileType) -> io::Result<()> {
    let done = fs::hard_link(old, new).or_else(|error| {
        if kind.is_file() {
            fs::copy(old, new).map(drop)
        } else {
            Err(error)
        }
    });
    match done {
        // It has gone in the meantime.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // Somebody was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// What came into the old folder while the new one was written; another writer may have been there.
fn keep_late(old: &Path, new: &Path, former: &[String]) -> io::Result<()> {
    let mut all = former.to_vec();
    all.extend(check(old).unwrap_or_default());
    keep(old, new, Path::new(""), &all)
}

/// The permissions of a folder that is replaced, or those that a new folder has.
fn give_permissions(old: &Path, new: &Path) -> io::Result<()> {
    match fs::metadata(old) {
        Ok(old) => fs::set_permissions(new, old.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A folder for temporary files is closed to others.
            let plain = new.with_extension("permissions");
            fs::create_dir(&plain)?;
            let permissions = fs::metadata(&plain).map(|plain| plain.permissions());
            fs::remove_dir(&plain)?;
            fs::set_permissions(new, permissions?)
        }
        Err(error) => Err(error),
    }
}

/// Gives the new folder the name of the old one. If there was an old one, gives the name that it has now.
fn swap(new: &Path, folder: &Path) -> io::Result<Option<PathBuf>> {
    loop {
        match exchange(new, folder) {
            Ok(()) => return Ok(Some(new.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        match rename_to_free(new, folder) {
            Ok(()) => return Ok(None),
            // Another writer was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Exchanges the names of two folders.
#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        // A file system that cannot.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => exchange_in_steps(a, b),
        done => done.map_err(io::Error::from),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    exchange_in_steps(a, b)
}

/// Between two of the steps there is no folder of that name.
fn exchange_in_steps(new: &Path, folder: &Path) -> io::Result<()> {
    let aside = new.with_extension("old");
    fs::rename(folder, &aside)?;
    if let Err(error) = fs::rename(new, folder) {
        fs::rename(&aside, folder)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}

/// Renames a folder, unless there is one of that name.
#[cfg(target_os = "linux")]
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            rename_to_free_in_steps(from, to)
        }
        done => done.map_err(io::Error::from),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    rename_to_free_in_steps(from, to)
}

fn rename_to_free_in_steps(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

#[cfg(test)]
mod tests;

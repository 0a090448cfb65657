//! Compiles sources, once: libraries are kept in a cache.
//!
//! An entry of the cache is a folder, named after a hash of the source, the headers, the compiler and the
//! flags. It is made under another name and renamed when it is whole, so that processes may work at the
//! same time, or be killed. Before it is used, its library and all files that the source includes are
//! compared with what they were.

use super::error::CppError;
use super::{CompileOptions, SourceCode};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{env, process};

/// The headers, by name. They are part of the program: nothing needs to be installed.
const HEADERS: [(&str, &str); 6] = [
    (
        "pto_orchestration_api.h",
        include_str!("../../include/pto_orchestration_api.h"),
    ),
    (
        "pto_task_args.h",
        include_str!("../../include/pto_task_args.h"),
    ),
    ("pto_tensor.h", include_str!("../../include/pto_tensor.h")),
    (
        "pto_kernel_api.h",
        include_str!("../../include/pto_kernel_api.h"),
    ),
    // As kernels for the device include them.
    ("tensor.h", "#include \"pto_kernel_api.h\"\n"),
    ("intrinsic.h", "#include \"pto_kernel_api.h\"\n"),
];

/// What becomes of a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Orchestration,
    Kernel,
}

/// What is kept beside a library.
#[derive(Serialize, Deserialize)]
struct Record {
    library: u64,
    /// Files that the source includes, system headers left out.
    includes: Vec<(PathBuf, u64)>,
}

const LIBRARY: &str = "library.so";
const RECORD: &str = "record.json";

/// Folders of processes that were killed are older than this.
const ABANDONED: Duration = Duration::from_hours(1);

/// The library of a source.
pub(super) fn build(
    source: &SourceCode,
    kind: Kind,
    options: &CompileOptions,
) -> Result<PathBuf, CppError> {
    let compiler = Compiler::find(options)?;
    let cache = cache_folder(options)?;
    let flags = flags(kind, &compiler, options);
    let mut key = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), HEADERS, kind).hash(&mut key);
    (&compiler.command, &compiler.version, &flags).hash(&mut key);
    (&source.name, &source.path, &source.text).hash(&mut key);
    let entry = cache.join(format!("{:016x}", key.finish()));
    if let Some(library) = whole(&entry) {
        return Ok(library);
    }
    let work = Work::new(&cache)?;
    let include = work.0.join("include");
    fs::create_dir(&include).map_err(|e| cannot_write(&include, e))?;
    for (name, text) in HEADERS {
        let path = include.join(name);
        fs::write(&path, text).map_err(|e| cannot_write(&path, e))?;
    }
    compile(source, &compiler, &flags, &work.0)?;
    let record = record(&work.0, &include).map_err(|e| cannot_write(&work.0, e))?;
    let path = work.0.join(RECORD);
    let text = serde_json::to_vec(&record).expect("it has no map");
    fs::write(&path, text).map_err(|e| cannot_write(&path, e))?;
    fs::remove_dir_all(&include).map_err(|e| cannot_write(&include, e))?;
    publish(&work.0, &entry)
}

/// Gives a finished folder its name, unless another process was first.
fn publish(work: &Path, entry: &Path) -> Result<PathBuf, CppError> {
    for _ in 0..8 {
        match fs::rename(work, entry) {
            Ok(()) => return Ok(entry.join(LIBRARY)),
            Err(_) if whole(entry).is_some() => return Ok(entry.join(LIBRARY)),
            // What is there is damaged or stale.
            Err(_) if entry.exists() => drop(fs::remove_dir_all(entry)),
            Err(reason) => return Err(cannot_write(entry, reason)),
        }
    }
    let reason = io::Error::other("other processes keep writing it");
    Err(cannot_write(entry, reason))
}

/// The library of an entry, if nothing has changed.
fn whole(entry: &Path) -> Option<PathBuf> {
    let record = fs::read(entry.join(RECORD)).ok()?;
    let record: Record = serde_json::from_slice(&record).ok()?;
    let library = entry.join(LIBRARY);
    let same = |path: &Path, hash: u64| content(path).ok() == Some(hash);
    let includes = record.includes.iter();
    (same(&library, record.library) && includes.into_iter().all(|(path, hash)| same(path, *hash)))
        .then_some(library)
}

fn content(path: &Path) -> io::Result<u64> {
    let mut hash = DefaultHasher::new();
    fs::read(path)?.hash(&mut hash);
    Ok(hash.finish())
}

/// What was made in `work`, whose own headers are part of the key already.
fn record(work: &Path, include: &Path) -> io::Result<Record> {
    let rules = fs::read_to_string(work.join("includes.d"))?;
    let includes = make_rule(&rules)
        .into_iter()
        .filter(|path| !path.starts_with(include) && path.is_file())
        .map(|path| content(&path).map(|hash| (path, hash)));
    Ok(Record {
        library: content(&work.join(LIBRARY))?,
        includes: includes.collect::<io::Result<_>>()?,
    })
}

/// The files that a rule for `make` names after its colon.
fn make_rule(rule: &str) -> Vec<PathBuf> {
    let Some((_, files)) = rule.split_once(": ") else {
        return Vec::new();
    };
    let (mut all, mut one, mut chars) = (Vec::new(), String::new(), files.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(escaped) => one.push(escaped),
            },
            c if c.is_whitespace() => {
                if !one.is_empty() {
                    all.push(std::mem::take(&mut one).into());
                }
            }
            c => one.push(c),
        }
    }
    if !one.is_empty() {
        all.push(one.into());
    }
    all
}

fn flags(kind: Kind, compiler: &Compiler, options: &CompileOptions) -> Vec<String> {
    let mut flags: Vec<String> = [
        "-std=c++17",
        "-O1",
        "-fPIC",
        "-shared",
        "-fvisibility-inlines-hidden",
    ]
    .map(String::from)
    .into();
    // Else all libraries would share the variables of inline functions.
    if !compiler.version.contains("clang") {
        flags.push("-fno-gnu-unique".into());
    }
    if kind == Kind::Kernel {
        flags.extend(["-include".into(), "pto_kernel_api.h".into()]);
    }
    flags.extend(options.flags.iter().cloned());
    flags
}

fn compile(
    source: &SourceCode,
    compiler: &Compiler,
    flags: &[String],
    work: &Path,
) -> Result<(), CppError> {
    let mut command = Command::new(&compiler.command[0]);
    command
        .args(&compiler.command[1..])
        .args(flags)
        .arg("-I")
        .arg(work.join("include"))
        .args(["-MMD", "-MF"])
        .arg(work.join("includes.d"))
        .arg("-o")
        .arg(work.join(LIBRARY));
    // Whatever the file is called.
    command.args(["-x", "c++"]);
    match &source.path {
        Some(path) => command.arg(path),
        None => command.arg("-"),
    };
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let failed = |reason: io::Error| CppError::NoCompiler {
        tried: vec![(compiler.command.join(" "), reason.to_string())],
    };
    let mut child = command.spawn().map_err(failed)?;
    let mut stdin = child.stdin.take().expect("it is piped");
    if source.path.is_none() {
        // What the compiler does not read any more, it complains about.
        drop(write!(stdin, "# 1 \"{}\"\n{}", source.name, source.text));
    }
    drop(stdin);
    let output = child.wait_with_output().map_err(failed)?;
    let made = work.join(LIBRARY).is_file();
    if output.status.success() && made {
        return Ok(());
    }
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        said.push_str("the compiler reports success, and wrote no library: is it a C++ compiler?");
    }
    Err(CppError::Compile {
        source_name: source.name.clone(),
        command: format!("{command:?}"),
        output: said,
    })
}

/// A folder that is being filled; removed if it comes to nothing.
struct Work(PathBuf);

impl Work {
    fn new(cache: &Path) -> Result<Self, CppError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        remove_abandoned(cache);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = cache.join(format!("new-{}-{number}", process::id()));
        // Left by a process with the same number.
        drop(fs::remove_dir_all(&path));
        fs::create_dir(&path).map_err(|e| cannot_write(&path, e))?;
        Ok(Self(path))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn remove_abandoned(cache: &Path) {
    let Ok(folders) = fs::read_dir(cache) else {
        return;
    };
    let now = SystemTime::now();
    for folder in folders.flatten() {
        let new = folder.file_name().to_string_lossy().starts_with("new-");
        let modified = folder.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|then| now.duration_since(then).ok());
        if new && age.is_some_and(|age| age > ABANDONED) {
            drop(fs::remove_dir_all(folder.path()));
        }
    }
}

fn cannot_write(path: &Path, reason: io::Error) -> CppError {
    CppError::File {
        what: "cannot write",
        path: path.into(),
        reason,
        help: "name a folder that can be written in the variable `XDG_CACHE_HOME`",
    }
}

/// The folder of all entries.
fn cache_folder(options: &CompileOptions) -> Result<PathBuf, CppError> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let folder = match (&options.cache, set("XDG_CACHE_HOME"), set("HOME")) {
        (Some(folder), ..) => folder.clone(),
        (_, Some(cache), _) => PathBuf::from(cache).join("pl").join("cpp"),
        (.., Some(home)) => PathBuf::from(home).join(".cache").join("pl").join("cpp"),
        (None, None, None) => env::temp_dir().join("pl-cpp"),
    };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(&folder)
        .map_err(|e| cannot_write(&folder, e))?;
    // Names in a library are relative to the folder of the process otherwise.
    let folder = fs::canonicalize(&folder).map_err(|e| cannot_write(&folder, e))?;
    check_owner(&folder)?;
    Ok(folder)
}

/// What is in the folder is loaded: nobody else may write there.
#[cfg(unix)]
fn check_owner(folder: &Path) -> Result<(), CppError> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(folder).map_err(|e| cannot_write(folder, e))?;
    let probe = folder.join(format!("new-owner-{}", process::id()));
    let own = fs::create_dir(&probe).or_else(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => Ok(()),
        _ => Err(e),
    });
    let own = own.and_then(|()| fs::metadata(&probe));
    drop(fs::remove_dir(&probe));
    let own = match own {
        Ok(own) => own,
        // Another thread has removed it.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(cannot_write(folder, e)),
    };
    if metadata.uid() == own.uid() && metadata.mode() & 0o022 == 0 {
        return Ok(());
    }
    let reason = io::Error::new(io::ErrorKind::PermissionDenied, "others can write there");
    Err(cannot_write(folder, reason))
}

#[cfg(not(unix))]
fn check_owner(_: &Path) -> Result<(), CppError> {
    Ok(())
}

/// A C++ compiler that answers.
#[derive(Clone, Debug)]
struct Compiler {
    /// The command and its first arguments.
    command: Vec<String>,
    version: String,
}

impl Compiler {
    fn find(options: &CompileOptions) -> Result<Self, CppError> {
        let named = options.compiler.clone().or_else(|| env::var("CXX").ok());
        let candidates = match named.filter(|name| !name.trim().is_empty()) {
            Some(name) => vec![name],
            None => ["c++", "g++", "clang++"].map(String::from).into(),
        };
        let mut tried = Vec::new();
        for name in candidates {
            let command: Vec<String> = name.split_whitespace().map(String::from).collect();
            match version(&command) {
                Ok(version) => return Ok(Self { command, version }),
                Err(why) => tried.push((name, why)),
            }
        }
        Err(CppError::NoCompiler { tried })
    }
}

/// What a command says that it is; it is asked once.
fn version(command: &[String]) -> Result<String, String> {
    static KNOWN: LazyLock<Mutex<HashMap<Vec<String>, String>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(version) = known.get(command) {
        return Ok(version.clone());
    }
    let output = Command::new(&command[0])
        .args(&command[1..])
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .map_err(|reason| reason.to_string())?;
    if !output.status.success() {
        return Err(format!("`--version` ends with {}", output.status));
    }
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    known.insert(command.to_vec(), version.clone());
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_make_rule_are_told_apart() {
        let rule = "library.so: /a/b.cpp \\\n /a/with\\ space.h \\\n  c.h\n";
        let files = ["/a/b.cpp", "/a/with space.h", "c.h"].map(PathBuf::from);
        assert_eq!(make_rule(rule), files);
    }
}

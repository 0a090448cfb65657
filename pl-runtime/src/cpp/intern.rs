//! Names that live as long as the process: sites and kernels are told by `&'static`.

use crate::task::KernelInfo;
use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The most different names of one kind. A program that makes up more gets one name for the rest.
const MOST: usize = 1 << 16;

static TEXTS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
/// By name and file.
static KERNELS: LazyLock<Mutex<HashMap<[&str; 2], &'static KernelInfo>>> =
    LazyLock::new(Mutex::default);

/// A text, once for all that are the same.
pub(super) fn text(text: &str) -> &'static str {
    let mut known = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&same) = known.get(text) {
        return same;
    }
    if known.len() >= MOST {
        return "(too many names)";
    }
    let new: &'static str = Box::leak(text.into());
    known.insert(new);
    new
}

/// A kernel that is told of by its name and file.
pub(super) fn kernel(name: &str, file: &str) -> &'static KernelInfo {
    static REST: KernelInfo = KernelInfo {
        name: "(too many kernels)",
        file: "",
        line: 0,
        params: &[],
    };
    let key = [text(name), text(file)];
    let mut known = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&same) = known.get(&key) {
        return same;
    }
    if known.len() >= MOST {
        return &REST;
    }
    let [name, file] = key;
    let new: &'static KernelInfo = Box::leak(Box::new(KernelInfo {
        name,
        file,
        line: 0,
        params: &[],
    }));
    known.insert(key, new);
    new
}

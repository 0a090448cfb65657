//! How much memory the process may have.

use super::RINGS;
use crate::error::{Error, ReserveError};
use std::fs;

/// Bytes of user space that processors of today address.
const ADDRESS_SPACE: u64 = if cfg!(target_pointer_width = "64") {
    1 << 47
} else {
    1 << 31
};

/// Refuses heaps that together are larger than what the process may have. Nothing is mapped yet:
/// memory that is only mapped would be missed at its first touch, by a kill.
///
/// # Errors
/// [`Error::Reserve`], with the sum, the limit and whose it is.
pub(super) fn check_total(heaps: &[u64; RINGS]) -> Result<(), Error> {
    let total = heaps
        .iter()
        .fold(0_u64, |sum, &bytes| sum.saturating_add(bytes));
    let limits = [
        (ADDRESS_SPACE, "the address space of the process has"),
        (address_limit(), "RLIMIT_AS (`ulimit -v`) allows"),
        (cgroup_limit(), "the memory limit of the control group is"),
    ];
    let (limit, whose) = limits
        .into_iter()
        .min_by_key(|&(bytes, _)| bytes)
        .expect("there are three");
    if total <= limit {
        return Ok(());
    }
    let largest = (0..RINGS).max_by_key(|&ring| heaps[ring]).expect("four");
    // Half for the rings; the rest is for arrays, scratch and the program.
    let each = (limit / 2 / RINGS as u64 / 1024 * 1024).max(1024);
    Err(ReserveError::refuse(
        format!("the heaps of the rings take {total} bytes together, ring {largest} the most"),
        format!("{whose} {limit} bytes"),
        format!("set `RunConfig::ring_heap` to {each}, for all rings"),
    ))
}

fn address_limit() -> u64 {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"));
    let soft = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    soft.unwrap_or(u64::MAX)
}

/// The smallest limit of the process's control group and those around it, of either version.
fn cgroup_limit() -> u64 {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or(""), parts.next().unwrap_or("/"));
        let (root, file) = if controllers.is_empty() {
            ("/sys/fs/cgroup", "memory.max")
        } else if controllers.split(',').any(|name| name == "memory") {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            return Vec::new();
        };
        std::path::Path::new(path.trim_start_matches('/'))
            .ancestors()
            .filter_map(|group| {
                let text = fs::read_to_string(format!("{root}/{}/{file}", group.display())).ok()?;
                // Version 2 has the word `max` for no limit.
                text.trim().parse().ok()
            })
            .collect()
    });
    limits.min().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_heaps_that_each_exist_is_refused_with_its_bytes() {
        check_total(&[1 << 20; RINGS]).unwrap();
        let error = check_total(&[1 << 46; RINGS]).unwrap_err();
        assert_eq!(error.code(), Some(207_001));
        let text = error.to_string();
        assert!(text.contains("281474976710656 bytes"), "{text}");
        let each = text.rsplit_once("ring_heap` to ").unwrap().1;
        let each: u64 = each.split(',').next().unwrap().parse().unwrap();
        check_total(&[each; RINGS]).unwrap();
    }

    #[test]
    fn a_sum_that_overflows_is_refused_too() {
        assert!(check_total(&[u64::MAX; RINGS]).is_err());
    }
}

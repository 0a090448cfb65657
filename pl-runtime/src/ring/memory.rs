//! The memory of a ring's heap.
//!
//! # Invariants of the unsafe code
//! * The mapping is anonymous and stays where it is until the ring is dropped, after all runs. It
//!   is reached through raw pointers only. Memory without one gives addresses, and is never touched.
//! * Pages are mapped on first touch and read as zeros: a ring that is not used costs nothing, and
//!   all bytes are initialised.

use crate::config::{DEFAULT_RING_HEAP, RINGS};
use crate::error::{Error, ReserveError, less_than};
use memmap2::{MmapOptions, MmapRaw};

/// The largest heap without memory: more than any machine maps, and below 2^58 for all rings together,
/// which is what access lists take for addresses.
pub(crate) const UNBACKED_HEAP: u64 = 1 << 54;

/// Anonymous memory, aligned to a page (so to 1024).
#[derive(Debug)]
pub(crate) struct Memory {
    start: *mut u8,
    bytes: u64,
    /// `None`: nobody touches it.
    mapping: Option<MmapRaw>,
}

// SAFETY: an address; what may be done with the bytes is said above.
unsafe impl Send for Memory {}

impl Memory {
    /// Maps `bytes` bytes for ring `ring`.
    ///
    /// # Errors
    /// [`Error::Reserve`]: more than the address space has, or than the system allows.
    pub(crate) fn reserve(ring: usize, bytes: u64) -> Result<Self, Error> {
        let mapping = usize::try_from(bytes)
            .map_err(|_| std::io::Error::from(std::io::ErrorKind::OutOfMemory))
            .and_then(|length| MmapOptions::new().len(length).no_reserve_swap().map_anon())
            .map_err(|reason| {
                ReserveError::refuse(
                    format!("the heap of ring {ring}, {bytes} bytes, cannot be mapped"),
                    reason,
                    format!(
                        "set `RunConfig::ring_heap` of ring {ring} to {}",
                        less_than(bytes, DEFAULT_RING_HEAP)
                    ),
                )
            })?;
        let mapping = MmapRaw::from(mapping);
        Ok(Self {
            start: mapping.as_mut_ptr(),
            bytes,
            mapping: Some(mapping),
        })
    }

    /// Addresses for the heap of ring `ring` in a run that keeps no elements: apart from those of the
    /// other rings, and beyond those of arrays.
    pub(crate) fn unbacked(ring: usize, bytes: u64) -> Self {
        assert!(bytes <= UNBACKED_HEAP);
        let start = (RINGS + ring) * UNBACKED_HEAP as usize;
        Self {
            start: std::ptr::without_provenance_mut(start),
            bytes,
            mapping: None,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Address of byte `offset`, which may be the end.
    pub(crate) fn at(&self, offset: u64) -> *mut u8 {
        assert!(offset <= self.bytes);
        self.start.wrapping_add(offset as usize)
    }

    /// Fills `bytes` bytes, a multiple of 64, of a block that no published task uses.
    pub(crate) fn fill(&self, offset: u64, bytes: u64, pattern: [u8; 64]) {
        assert!(self.mapping.is_some(), "there are elements");
        assert!(bytes.is_multiple_of(64) && bytes <= self.bytes && offset <= self.bytes - bytes);
        let (start, length) = (self.at(offset), bytes as usize);
        if length == 0 {
            return;
        }
        // SAFETY: inside the mapping, and the ring hands a block to one task at a time, after all
        // users of its bytes have completed.
        unsafe {
            start.copy_from_nonoverlapping(pattern.as_ptr(), pattern.len());
            let mut done = pattern.len();
            while done < length {
                let part = done.min(length - done);
                start.add(done).copy_from_nonoverlapping(start, part);
                done += part;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_does_not_exist_is_refused_with_code_207001() {
        let error = Memory::reserve(2, 1 << 50).unwrap_err();
        assert_eq!(error.code(), Some(207_001));
        assert!(error.to_string().contains("ring 2"), "{error}");
    }

    #[test]
    fn a_fill_repeats_its_pattern_and_touches_nothing_else() {
        let memory = Memory::reserve(0, 8192).unwrap();
        memory.fill(1024, 1024 + 64, std::array::from_fn(|i| i as u8 + 1));
        // SAFETY: the test owns the mapping.
        let bytes = unsafe { std::slice::from_raw_parts(memory.at(0), 8192) };
        for (i, &byte) in bytes.iter().enumerate() {
            let filled = (1024..2112).contains(&i);
            assert_eq!(byte, if filled { (i % 64) as u8 + 1 } else { 0 }, "{i}");
        }
    }

    #[test]
    fn heaps_start_at_a_block_boundary() {
        let memory = Memory::reserve(0, 3000).unwrap();
        assert!(memory.at(0).addr().is_multiple_of(1024));
    }
}

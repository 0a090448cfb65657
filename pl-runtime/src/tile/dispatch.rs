//! Runs inner loops with the vector instructions of the machine at hand.
//!
//! # Invariants of the unsafe code
//! A function compiled for more than the baseline is called only after the machine said that it has
//! the features.

/// An inner loop. What it calls must be `#[inline(always)]`, or it is compiled for the baseline.
pub(super) trait Kernel {
    type Output;

    /// Runs the loop; `FMA` says whether [`f32::mul_add`] is one instruction.
    fn run<const FMA: bool>(self) -> Self::Output;
}

/// Runs a kernel that waits for memory, compiled for AVX2 where the machine has it: wider vectors
/// would make it larger, not faster.
#[inline]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the machine has the features.
        return unsafe { run_avx2(kernel) };
    }
    portable(kernel)
}

/// Runs a kernel that computes, compiled for AVX-512 or AVX2 where the machine has it.
#[inline]
pub(super) fn run_wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the machine has the features.
        return unsafe { run_avx512(kernel) };
    }
    run(kernel)
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<true>()
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<true>()
}

/// Runs `kernel` with the instructions that every machine of the target has.
#[inline]
pub(super) fn portable<K: Kernel>(kernel: K) -> K::Output {
    if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
        kernel.run::<true>()
    } else {
        kernel.run::<false>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [f32]);

    impl Kernel for Sum<'_> {
        type Output = f32;

        #[inline(always)]
        fn run<const FMA: bool>(self) -> f32 {
            self.0.iter().sum()
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same() {
        let data = (0..1000_u16).map(f32::from).collect::<Vec<_>>();
        let expected = data.iter().sum::<f32>().to_bits();
        assert_eq!(run(Sum(&data)).to_bits(), expected);
        assert_eq!(run_wide(Sum(&data)).to_bits(), expected);
        assert_eq!(portable(Sum(&data)).to_bits(), expected);
    }
}

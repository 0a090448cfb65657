//! How long things take on a device: the model that `Executor::Timing` computes with.

mod cost;
mod table;

pub(crate) use cost::{Counts, Met, Shape, Work};

use crate::dtype::DType;
use crate::task::CoreType;

/// The figures of a device that [`Executor::Timing`](crate::Executor::Timing) computes with. Time is in
/// whole nanoseconds; every duration is rounded up.
///
/// `docs/timing.md` says where the figures of [`a2a3`](Self::a2a3) come from.
///
/// ```
/// use pl_runtime::{DType, MachineModel};
/// let machine = MachineModel { clock_mhz: 1000, operation_cycles: 10, ..MachineModel::a2a3() };
/// // 64 elements of 4 bytes are one vector of 256 bytes: one cycle, and what each operation takes.
/// assert_eq!(machine.compute_ns(64, DType::F32), 11);
/// assert_eq!(machine.compute_ns(65, DType::F32), 12);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MachineModel {
    /// Clusters of one AIC and two AIV cores each, unless [`RunConfig::clusters`](crate::RunConfig::clusters)
    /// says another number: 1 to 65536.
    pub clusters: u32,
    /// Cycles of a core in a microsecond.
    pub clock_mhz: u32,
    /// Bytes that one instruction of the vector unit works on; it takes one cycle.
    pub vector_bytes: u32,
    /// Multiply-adds of the matrix unit in a cycle.
    pub matrix: MatrixRate,
    /// Cycles that every operation takes beside its work.
    pub operation_cycles: u32,
    /// Nanoseconds until the first byte of a copy between device memory and scratch arrives.
    pub dma_latency_ns: u32,
    /// Bytes that one core moves in a microsecond, at most.
    pub core_bandwidth: u32,
    /// Bytes that all cores together move in a microsecond. Each core has an equal share of them.
    pub memory_bandwidth: u32,
    /// What the calls of the orchestration take.
    pub orchestrator: OrchestratorCost,
}

/// Multiply-adds of the matrix unit of one core in a cycle, for each element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatrixRate {
    /// `f32`
    pub f32: u32,
    /// `f16`
    pub f16: u32,
    /// `bf16`
    pub bf16: u32,
    /// `i8` and `u8`
    pub int8: u32,
    /// The other integers.
    pub int: u32,
}

impl MatrixRate {
    /// That of one element type.
    pub fn of(&self, dtype: DType) -> u32 {
        match dtype {
            DType::F32 => self.f32,
            DType::F16 => self.f16,
            DType::Bf16 => self.bf16,
            DType::I8 | DType::U8 | DType::Bool => self.int8,
            _ => self.int,
        }
    }
}

/// Nanoseconds that calls of the orchestration take on the thread that orchestrates, waits not counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OrchestratorCost {
    /// To submit a task.
    pub submit_ns: u32,
    /// One call of `alloc_tensors`: the creates of a scope share one.
    pub alloc_ns: u32,
    /// To open a scope.
    pub scope_begin_ns: u32,
    /// To close one.
    pub scope_end_ns: u32,
    /// One `get` or `set`.
    pub get_ns: u32,
}

impl OrchestratorCost {
    /// Calls that take no time.
    pub const FREE: Self = Self {
        submit_ns: 0,
        alloc_ns: 0,
        scope_begin_ns: 0,
        scope_end_ns: 0,
        get_ns: 0,
    };
}

/// A call of the orchestration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Call {
    Submit,
    Alloc,
    ScopeBegin,
    ScopeEnd,
    Get,
}

impl Default for MachineModel {
    fn default() -> Self {
        Self::a2a3()
    }
}

impl MachineModel {
    /// A device of the a2a3 family with 24 clusters (910B).
    pub const fn a2a3() -> Self {
        Self {
            clusters: 24,
            clock_mhz: 1850,
            vector_bytes: 256,
            matrix: MatrixRate {
                f32: 1024,
                f16: 4096,
                bf16: 4096,
                int8: 8192,
                int: 64,
            },
            operation_cycles: 32,
            dma_latency_ns: 500,
            core_bandwidth: 100_000,
            memory_bandwidth: 1_600_000,
            orchestrator: OrchestratorCost {
                submit_ns: 1000,
                alloc_ns: 500,
                scope_begin_ns: 100,
                scope_end_ns: 100,
                get_ns: 200,
            },
        }
    }

    /// What one instruction of the vector unit on each vector of so many elements takes, as in an
    /// operation on a tile of that size: `copy_to`, or an addition.
    pub fn compute_ns(&self, elements: u64, dtype: DType) -> u64 {
        self.cycles_ns(self.vectors(elements, dtype))
    }

    /// What a matrix product of `[m, k]` and `[k, n]` takes.
    pub fn matrix_ns(&self, [m, k, n]: [u64; 3], dtype: DType) -> u64 {
        let steps = m.saturating_mul(k).saturating_mul(n);
        let rate = u64::from(self.matrix.of(dtype).max(1));
        self.cycles_ns(steps.div_ceil(rate))
    }

    /// What a copy of so many bytes between device memory and the scratch of a core takes, in a task
    /// that takes `cores`, of a device of so many clusters.
    pub fn dma_ns(&self, bytes: u64, cores: CoreType, clusters: u32) -> u64 {
        let rate = self.bandwidth(cores, clusters);
        ns_at(bytes, rate).saturating_add(u64::from(self.dma_latency_ns))
    }

    /// Bytes that one of `cores` moves in a microsecond: its own bandwidth, or its share of the
    /// memory's if as many tasks run as find cores.
    pub fn bandwidth(&self, cores: CoreType, clusters: u32) -> u32 {
        let share = self.memory_bandwidth / cores.at_once(clusters).max(1);
        self.core_bandwidth.min(share).max(1)
    }

    /// Vectors that elements fill.
    fn vectors(&self, elements: u64, dtype: DType) -> u64 {
        elements
            .saturating_mul(dtype.bytes() as u64)
            .div_ceil(u64::from(self.vector_bytes.max(1)))
    }

    /// Elements of a vector.
    fn lanes(&self, dtype: DType) -> u32 {
        (self.vector_bytes / dtype.bytes() as u32).max(1)
    }

    /// Cycles of an operation in nanoseconds, with what every operation takes.
    fn cycles_ns(&self, cycles: u64) -> u64 {
        let cycles = cycles.saturating_add(u64::from(self.operation_cycles));
        ns_at(cycles, self.clock_mhz)
    }

    /// What a call of the orchestration takes.
    pub(crate) fn call_ns(&self, call: Call) -> u64 {
        let cost = &self.orchestrator;
        u64::from(match call {
            Call::Submit => cost.submit_ns,
            Call::Alloc => cost.alloc_ns,
            Call::ScopeBegin => cost.scope_begin_ns,
            Call::ScopeEnd => cost.scope_end_ns,
            Call::Get => cost.get_ns,
        })
    }
}

/// How long `count` things take, of which `rate` are done in a microsecond; in nanoseconds, rounded up.
pub(crate) fn ns_at(count: u64, rate: u32) -> u64 {
    let rate = u64::from(rate.max(1));
    match count.checked_mul(1000) {
        Some(thousands) => thousands.div_ceil(rate),
        None => {
            let ns = (u128::from(count) * 1000).div_ceil(u128::from(rate));
            u64::try_from(ns).unwrap_or(u64::MAX)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: MachineModel = MachineModel {
        clock_mhz: 1000,
        operation_cycles: 7,
        dma_latency_ns: 100,
        core_bandwidth: 4000,
        memory_bandwidth: 8000,
        ..MachineModel::a2a3()
    };

    #[test]
    fn vector_work_is_counted_in_whole_vectors_of_bytes() {
        for (elements, dtype, ns) in [
            (0, DType::F32, 7),
            (1, DType::F32, 8),
            (64, DType::F32, 8),
            (65, DType::F32, 9),
            (128, DType::F16, 8),
            (256, DType::Bool, 8),
            (6400, DType::I64, 207),
        ] {
            assert_eq!(
                MACHINE.compute_ns(elements, dtype),
                ns,
                "{elements} {dtype}"
            );
        }
    }

    #[test]
    fn cycles_become_whole_nanoseconds_rounded_up() {
        let machine = MachineModel {
            clock_mhz: 1850,
            operation_cycles: 0,
            ..MACHINE
        };
        assert_eq!(machine.compute_ns(64, DType::F32), 1, "0.54");
        assert_eq!(machine.compute_ns(64 * 37, DType::F32), 20, "exactly");
        assert_eq!(machine.compute_ns(64 * 38, DType::F32), 21);
    }

    #[test]
    fn a_matrix_product_takes_its_multiply_adds_at_the_rate_of_its_type() {
        assert_eq!(MACHINE.matrix_ns([16, 16, 16], DType::F16), 7 + 1);
        assert_eq!(MACHINE.matrix_ns([16, 16, 16], DType::F32), 7 + 4);
        assert_eq!(MACHINE.matrix_ns([16, 16, 16], DType::I32), 7 + 64);
        assert_eq!(MACHINE.matrix_ns([1, 1, 1], DType::I8), 7 + 1);
        let most = MACHINE.matrix_ns([u64::MAX; 3], DType::F32);
        assert_eq!(most, 7 + (1 << 54), "no overflow");
    }

    #[test]
    fn a_core_moves_bytes_at_its_own_rate_or_at_its_share_of_the_memorys() {
        let ns = |cores, clusters| MACHINE.dma_ns(4000, cores, clusters);
        assert_eq!(
            ns(CoreType::Aiv, 1),
            100 + 1000,
            "8000 / 2 is as much as a core moves"
        );
        assert_eq!(ns(CoreType::Mix, 1), 100 + 1000, "the core's own rate");
        assert_eq!(
            ns(CoreType::Mix, 4),
            100 + 2000,
            "a quarter of the memory's"
        );
        assert_eq!(ns(CoreType::Aiv, 4), 100 + 4000);
        assert_eq!(MACHINE.dma_ns(0, CoreType::Aiv, 1), 100);
        assert_eq!(MACHINE.dma_ns(1, CoreType::Aiv, 1), 101, "rounded up");
    }
}

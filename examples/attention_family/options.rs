//! What can be asked for, and whether it can be done.

use crate::support::{Failure, RunOptions, require_memory, size};
use clap::{Parser, ValueEnum};
use pl::RunConfig;

/// Attention as it is used: causal, with a window, with grouped queries, over sequences of any lengths
#[derive(Parser)]
pub(crate) struct Options {
    /// How keys and values reach the kernel
    #[arg(long, default_value = "flash")]
    pub(crate) kernel: Form,
    /// Type of the elements; sums are f32
    #[arg(long, default_value = "f32")]
    pub(crate) dtype: Dtype,
    /// Each query sees the keys up to its own position; the queries are the last of their sequence
    #[arg(long)]
    causal: bool,
    /// Each query sees so many keys, its own position the last; implies --causal
    #[arg(long, value_name = "KEYS", value_parser = size, allow_negative_numbers = true)]
    pub(crate) window: Option<usize>,
    /// Query heads; a multiple of --kv-heads
    #[arg(long, default_value = "8", value_parser = size, allow_negative_numbers = true)]
    pub(crate) heads: usize,
    /// Heads of keys and values
    #[arg(long, default_value = "2", value_parser = size, allow_negative_numbers = true)]
    pub(crate) kv_heads: usize,
    /// Size of a head
    #[arg(long, default_value = "64", value_parser = size, allow_negative_numbers = true)]
    pub(crate) head_dim: usize,
    /// Queries of each sequence: 1 for decode, more for prefill
    #[arg(long, default_value = "200", value_parser = size, allow_negative_numbers = true)]
    pub(crate) queries: usize,
    /// Keys of each sequence, `1000,37,512` for three
    #[arg(long, value_name = "N[,N..]", default_value = "1000", value_delimiter = ',', value_parser = size, allow_negative_numbers = true)]
    pub(crate) keys: Vec<usize>,
    /// Keys of a block of the cache (paged) [default: 64]
    #[arg(long, value_name = "KEYS", value_parser = size, allow_negative_numbers = true)]
    block_size: Option<usize>,
    /// Write this number into the last entry of the block table (paged), to see an error
    #[arg(long, value_name = "BLOCK", allow_negative_numbers = true)]
    pub(crate) wrong_block: Option<i32>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// One tensor, a task for each tile of queries
    Flash,
    /// The same, with the next tile of keys loaded while one is computed with
    Prefetch,
    /// Blocks of a cache that a table names, a task for each
    Paged,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Dtype {
    F32,
    F16,
    Bf16,
}

/// Queries of each head in a task, and keys of a tile.
pub(crate) struct Tiles {
    pub(crate) queries: usize,
    pub(crate) keys: usize,
}

impl Options {
    pub(crate) fn causal(&self) -> bool {
        self.causal || self.window.is_some()
    }

    pub(crate) fn block_size(&self) -> usize {
        self.block_size.unwrap_or(64)
    }

    pub(crate) fn longest(&self) -> usize {
        self.keys.iter().copied().fold(1, usize::max)
    }

    /// Blocks that each sequence has in the cache.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = usize> {
        self.keys
            .iter()
            .map(|keys| keys.div_ceil(self.block_size()))
    }

    /// Lengths of the queries, and of the keys and values.
    pub(crate) fn shapes(&self) -> [[usize; 4]; 2] {
        let batch = self.keys.len();
        let keys = if self.kernel == Form::Paged {
            let blocks = self.blocks().fold(0, usize::saturating_add);
            [blocks, self.kv_heads, self.block_size(), self.head_dim]
        } else {
            [batch, self.kv_heads, self.longest(), self.head_dim]
        };
        [[batch, self.heads, self.queries, self.head_dim], keys]
    }

    /// Refuses what cannot be done; gives the largest tiles that fit the scratch of a core.
    pub(crate) fn tiles(&self) -> Result<Tiles, Failure> {
        let &Self {
            heads,
            kv_heads,
            head_dim: d,
            queries,
            ..
        } = self;
        if !heads.is_multiple_of(kv_heads) {
            return Err(Failure::usage(format!(
                "--heads {heads} is not a multiple of --kv-heads {kv_heads}"
            )));
        }
        if self.kernel != Form::Paged {
            let given = [
                ("--block-size", self.block_size.is_some()),
                ("--wrong-block", self.wrong_block.is_some()),
            ];
            if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
                return Err(Failure::usage(format!("{option} needs --kernel paged")));
            }
        }
        for (option, length) in [("--keys", self.longest()), ("--queries", queries)] {
            if length > MAX_POSITION {
                return Err(Failure::usage(format!(
                    "{option} {length}: positions are i32, so at most {MAX_POSITION}"
                )));
            }
        }
        // The block table is real in simulated runs too.
        let longest = self.longest().div_ceil(self.block_size());
        require_memory(&[&[2, self.keys.len(), longest]])?;
        if !self.run.only_shapes() {
            let [q, kv] = self.shapes();
            require_memory(&[&q, &kv, &kv, &q])?;
        }
        let group = heads / kv_heads;
        TILES
            .into_iter()
            .map(|[rows, keys]| Tiles {
                queries: (rows / group).clamp(1, queries),
                keys: keys.min(self.longest()),
            })
            .find(|tiles| tiles.fit(group, d))
            .ok_or_else(|| {
                Failure::usage(format!(
                    "--head-dim {d}: not even one query of {group} heads fits the scratch of a core; \
                     make it smaller"
                ))
            })
    }
}

/// Largest number of keys or queries; a sum of two is still an i32.
const MAX_POSITION: usize = i32::MAX as usize / 2;

/// Rows of a tile, of all heads of a group together, and its keys, in the order in which they are tried.
const TILES: [[usize; 2]; 6] = [[128, 128], [128, 64], [64, 64], [32, 32], [8, 16], [1, 1]];

impl Tiles {
    fn fit(&self, group: usize, d: usize) -> bool {
        let rows = self.queries.saturating_mul(group);
        // At most: four of scores and weights, and the mask; keys and values twice; queries, sums and
        // results; and columns.
        let scores = rows.saturating_mul(5 * self.keys + 10);
        let heads = d.saturating_mul(rows.saturating_mul(5).saturating_add(4 * self.keys));
        let bytes = scores
            .saturating_add(heads)
            .saturating_mul(size_of::<f32>());
        bytes <= RunConfig::default().scratch_bytes
    }
}

//! What the command line of `pl` is made of, for its tests and its fuzz targets.

pub mod scope_stats;

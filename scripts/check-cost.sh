#!/usr/bin/env bash
# What `cargo check` costs for a crate of 200 small kernels, beside the same crate with what the macros make of
# them written out. Prints the processor time of both and their ratio; fails if it is 3 or more.
#
#   scripts/check-cost.sh [number of kernels]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
kernels=${1:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=${CHECK_COST_TARGET:-$work/target}

mkdir -p "$work/with/src" "$work/without/src"
for crate in with without; do
    cat >"$work/$crate/Cargo.toml" <<TOML
[package]
name = "$crate"
version = "0.0.0"
edition = "2024"
[dependencies]
pl = { path = "$root" }
[workspace]
TOML
done

{
    echo '#![allow(unused)]'
    echo 'use pl::prelude::*;'
    for ((i = 0; i < kernels / 2; i++)); do
        cat <<RUST
#[pl::jit::incore]
pub fn scale_$i(x: Tensor<f32, _, _>, by: f32, y: Out<Tensor<f32, _, _>>) {
    let t = load(x);
    let m = row_max(t);
    store(y, exp(t - m) * by);
}
#[pl::jit]
pub fn entry_$i(x: Tensor<f32, 64, 64>, y: Out<Tensor<f32, 64, 64>>) {
    for i in (0..64).step_by(16) {
        let t = create_tensor::<f32>([16, 64]);
        scale_$i(x.slice(s![i..i + 16, ..]), 0.5, t);
        scale_$i(t, 2.0, y.slice(s![i..i + 16, ..]));
    }
}
RUST
    done
} >"$work/with/src/lib.rs"

# The same functions, expanded once.
cargo run --quiet --manifest-path "$root/pl-codegen/Cargo.toml" --features syntax --example expand_file \
    <"$work/with/src/lib.rs" >"$work/without/src/lib.rs"

# The least of five checks of the crate alone, in milliseconds of processor time.
best() {
    cargo check --quiet --manifest-path "$work/$1/Cargo.toml"
    local TIMEFORMAT='%U %S'
    for _ in 1 2 3 4 5; do
        touch "$work/$1/src/lib.rs"
        { time cargo check --quiet --manifest-path "$work/$1/Cargo.toml"; } 2>&1
    done | awk '{ t = int(($1 + $2) * 1000) } NR == 1 || t < best { best = t } END { print best }'
}

with=$(best with)
without=$(best without)
awk -v a="$with" -v b="$without" -v n="$kernels" 'BEGIN {
    printf "%d kernels: %d ms with macros, %d ms written out, ratio %.2f\n", n, a, b, a / b
    exit a / b >= 3
}'

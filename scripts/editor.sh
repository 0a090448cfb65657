#!/usr/bin/env bash
# Checks that an editor finds what each name in the examples' kernels stands for: asks rust-analyzer,
# which is installed if it is missing, for definitions and hover texts. Some two minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

rust-analyzer --version >/dev/null 2>&1 || rustup component add rust-analyzer
index=$(mktemp)
trap 'rm -f "$index"' EXIT
rust-analyzer lsif . >"$index" 2>/dev/null
cargo run -q -p pl-codegen --features syntax --example editor <"$index"

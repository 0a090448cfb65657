#!/usr/bin/env bash
# Opens the pages of `pl scope-stats --html` in a headless Chromium and uses them as a person would: looks for
# errors, sorts, hovers, zooms, types. Installs Chromium and Node.js from Debian's packages if they are missing.
# Screenshots stay in target/browser.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
if ((${#missing[@]})); then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

target=${CARGO_TARGET_DIR:-target}
cargo build -q -p pl-cli
rm -rf "$target/browser"
mkdir -p "$target/browser"
node scripts/browser/check.mjs "$target/debug/pl" "$target/browser"

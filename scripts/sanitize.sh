#!/usr/bin/env bash
# Checks the unsafe code of pl-runtime: loom's models, then the tests that share memory under AddressSanitizer and
# ThreadSanitizer; docs/architecture.md says which test is for what. Needs a nightly toolchain, and installs one if
# there is none.
#
#   scripts/sanitize.sh [loom] [address] [thread]      all three if none is named
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
host=$(rustc -vV | sed -n 's/^host: //p')

loom() {
    RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR="$target/loom" \
        cargo test -p pl-runtime --lib --release loom_tests
}

# The standard library is not instrumented (that needs its source); the target is named so that build
# scripts and procedural macros are not instrumented either.
sanitize() {
    local kind=$1 flags=$2
    shift 2
    RUSTFLAGS="-Zsanitizer=$kind $flags" CARGO_TARGET_DIR="$target/$kind" \
        CARGO_PROFILE_DEV_OPT_LEVEL=1 PROPTEST_CASES=32 \
        cargo +nightly test --target "$host" "$@"
}

# All tests but one that measures memory, of which the sanitizers take some themselves.
address() {
    export ASAN_OPTIONS=detect_stack_use_after_return=1 LSAN_OPTIONS="suppressions=$PWD/scripts/lsan.supp"
    sanitize address "" -p pl-runtime --lib --test runs --test tiles -- --skip in_bounded_memory
    # Entries that run as C++ as well.
    sanitize address "" -p ui-tests --test returned
}

# What shares memory between threads, hands blocks out again, or fails half-way. Left out: arithmetic on one thread;
# tests that measure memory, or ask for all that there is;
# sources of C++, which are not instrumented, so that what they hand from thread to thread cannot be seen; writers
# of folders, which share nothing but the file system, and end in the standard library's scoped threads, which are
# not instrumented either.
# `--cfg tsan` chooses locks that tell what they order (sync.rs). 66 is the exit code of a report. One test at a time:
# the harness's own threads would be reported.
thread() {
    TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.supp halt_on_error=1 exitcode=66" \
        sanitize thread "-Cunsafe-allow-abi-mismatch=sanitizer --cfg tsan" \
        -p pl-runtime --lib --test runs \
        -- --test-threads=1 --skip in_bounded_memory --skip heaps_larger_than_any_memory \
        --skip cpp:: --skip conformance:: --skip program::folder
}

if ! cargo +nightly --version >/dev/null 2>&1; then
    rustup toolchain install nightly --profile minimal
fi
[ $# -gt 0 ] || set -- loom address thread
for check in "$@"; do
    case $check in
    loom | address | thread) ;;
    *) echo "sanitize.sh: no such check: $check; use loom, address, thread" >&2 && exit 2 ;;
    esac
    printf '\n== %s (%ss so far)\n' "$check" "$SECONDS"
    "$check"
done
printf '\n== clean (%ss)\n' "$SECONDS"

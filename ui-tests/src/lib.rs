//! Programs that must not compile, programs that must, and snapshots of what the examples become.

//! Operations on tiles, against plain loops and the recorded values of `tests/golden`.

mod calls;
mod support;

mod arg;
mod bounded;
mod columns;
mod compare;
mod concat;
mod elementwise;
mod golden;
mod matmul;
mod reduce;
mod round;
mod rows;
mod scratch;
mod softmax;
mod sort;
mod sweep;
mod transfer;
mod types;
mod unary;
mod views;

//! Where emitted Rust goes: tokens at expansion, text at run time.

use crate::ir::{At, CalleeId, CaptureId, Elem, Function, SpanId, VarId};

/// Takes Rust piece by piece.
///
/// `put` takes tokens as text; spaces and line breaks in it are layout, which tokens do not have.
pub(crate) trait Sink {
    /// Whether arithmetic is written as what runs: calls that check it. To read, operators are better.
    const CHECKS: bool;
    /// What follows is written at this place of the user's source.
    fn at(&mut self, span: SpanId);
    /// Fixed tokens.
    fn put(&mut self, tokens: &str);
    /// Ends the line.
    fn line(&mut self);
    /// What follows is indented one step deeper.
    fn indent(&mut self);
    /// Back to the indentation from before.
    fn dedent(&mut self);
    /// `{`, and a deeper indentation.
    fn open(&mut self);
    /// `}`, and the indentation from before.
    fn close(&mut self);
    /// An item of the runtime.
    fn runtime(&mut self, path: &str);
    /// A variable of the user.
    fn var(&mut self, var: VarId);
    /// A variable of ours: `scope1`, `alloc0`.
    fn local(&mut self, stem: &str, index: u32);
    /// A number or truth value.
    fn literal(&mut self, text: &str);
    /// A constant of the surrounding code.
    fn capture(&mut self, capture: CaptureId);
    /// Something that the type of a called function has, generic arguments included.
    fn callee_item(&mut self, callee: CalleeId, name: &str);
    /// Whether one of these parameters is written.
    fn some_writes(&mut self, params: &[(CalleeId, usize)]);
    /// The kernel of an `at!` region, as reports and errors name it.
    fn region_info(&mut self, function: &Function, at: &At, span: SpanId);
    /// An expression for a place of the user's source.
    fn site(&mut self, span: SpanId);
    /// An expression for an element type's tag.
    fn elem(&mut self, elem: &Elem);
    /// An element type.
    fn elem_type(&mut self, elem: &Elem);
    /// A scalar type, as the user wrote it.
    fn scalar_type(&mut self, text: &str);
}

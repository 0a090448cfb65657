//! A function and its tables.

use super::{Access, Block, Elem, Kind, SpanId, Type, VarId};
use serde::{Deserialize, Serialize};

/// A kernel or helper.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Name in Rust.
    pub name: String,
    /// What it is for.
    pub kind: Kind,
    /// Whether the compiler places its scopes.
    pub auto_scope: bool,
    /// Type and const parameters of the Rust function, by name, in order.
    pub generics: Vec<Generic>,
    /// Named dimensions, `dims(M, K)`.
    pub dims: Vec<String>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Types returned: handles or scalars.
    pub returns: Vec<Type>,
    /// Where the tensors that a kernel returns are; empty for all other functions.
    pub outputs: Vec<Output>,
    /// Variables, indexed by [`VarId`].
    pub vars: Vec<Var>,
    /// Constants of the surrounding Rust code as written, indexed by [`CaptureId`](super::CaptureId).
    pub captures: Vec<String>,
    /// Functions called, indexed by [`CalleeId`](super::CalleeId).
    pub callees: Vec<Callee>,
    /// Contents.
    pub body: Block,
    /// The name, as a place.
    pub span: SpanId,
}

impl Function {
    /// The variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    /// Where a named dimension is read: the first parameter that has it, and which of its dimensions.
    pub fn named_dim(&self, index: u32) -> Option<(VarId, usize)> {
        self.params.iter().find_map(|param| {
            let axis = param
                .dims
                .iter()
                .position(|dim| *dim == Dim::Named(index))?;
            Some((param.var, axis))
        })
    }
}

/// A parameter of the Rust function's own `<..>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Generic {
    /// Name.
    pub name: String,
    /// `const N: usize` rather than `T: Element`.
    pub is_const: bool,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Its variable.
    pub var: VarId,
    /// Tensor, tile or scalar.
    pub ty: Type,
    /// Dimensions of a tensor; empty for others.
    pub dims: Vec<Dim>,
    /// What is done with a tensor.
    pub access: Access,
}

/// A tensor that a kernel returns: the submit allocates it, the task stores its value there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Output {
    /// The tensor, as the task sees it.
    pub var: VarId,
    /// The tile that is stored to it.
    pub value: VarId,
    /// Element type.
    pub elem: Elem,
    /// Dimensions, none of them [`Dim::Any`].
    pub dims: Vec<Dim>,
}

/// One dimension of a tensor parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Dim {
    /// `_`: any length.
    Any,
    /// A named dimension, by its position in [`Function::dims`].
    Named(u32),
    /// A constant.
    Const(super::Expr),
}

/// A variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Var {
    /// Name in Rust.
    pub name: String,
    /// Declared `mut`.
    pub mutable: bool,
    /// Type.
    pub ty: Type,
    /// Where it is declared.
    pub span: SpanId,
}

/// A function that is called.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Callee {
    /// Path as written, generic arguments included.
    pub path: String,
    /// The name at the call, as a place.
    pub span: SpanId,
}

/// Where the nodes of a function are written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourceMap {
    /// Paths as rustc knows them, each with the first [`SpanId`] that lies in it, ascending.
    pub files: Vec<(u32, String)>,
    /// Line of each [`SpanId`], from 1.
    pub lines: Vec<u32>,
}

impl SourceMap {
    /// Line of a place.
    pub fn line(&self, span: SpanId) -> u32 {
        self.lines.get(span.index()).copied().unwrap_or(0)
    }

    /// Path of a place.
    pub fn file(&self, span: SpanId) -> &str {
        let after = self.files.partition_point(|(first, _)| *first <= span.0);
        after
            .checked_sub(1)
            .map_or("", |index| &self.files[index].1)
    }

    /// `file.rs:12`
    pub fn place(&self, span: SpanId) -> String {
        let file = self.file(span);
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        format!("{name}:{}", self.line(span))
    }

    /// The same places with lines that are counted from the first one, and `name` in the place of files:
    /// what stands around the function, and where, does not change them.
    #[must_use]
    pub fn relative(&self, name: &str) -> Self {
        let written = self.lines.iter().copied().filter(|&line| line > 0);
        let first = written.min().unwrap_or(1);
        let count = |&line: &u32| if line == 0 { 0 } else { line - first + 1 };
        Self {
            files: vec![(0, name.to_owned())],
            lines: self.lines.iter().map(count).collect(),
        }
    }

    /// Adds the places of another function; its [`SpanId`]s move up by the number returned.
    pub fn append(&mut self, other: &Self) -> u32 {
        let base = self.lines.len() as u32;
        self.lines.extend(&other.lines);
        self.files.extend(
            other
                .files
                .iter()
                .map(|(first, file)| (first + base, file.clone())),
        );
        base
    }
}

/// What a kernel carries to run time: the function as written, before any pass.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The function.
    pub function: Function,
    /// Its places.
    pub source: SourceMap,
}

/// Element inference needs a default where nothing fixes a type.
impl Default for Elem {
    fn default() -> Self {
        Self::Unknown
    }
}

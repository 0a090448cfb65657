//! What holds between a call and its callee: facts known at compile time, shapes known at run time.

use crate::dtype::{DType, Scalar};
use crate::error::Error;
use crate::site::Site;
use crate::tensor::Tensor;
use crate::{KernelInfo, OperationError};
use std::any::type_name;
use std::marker::PhantomData;
use std::ops::Deref;

/// Facts about a kernel that its callers are checked against, at compile time.
///
/// The macro emits one for each kernel; nothing in it depends on generic parameters.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Why orchestration code may not call it, if so.
    pub refused: Option<&'static str>,
    /// Why in-core code may not call it, if so.
    pub refused_in_core: Option<&'static str>,
    /// Why it may not be called inside a MANUAL scope: it, or something it calls, opens an AUTO scope by hand.
    pub opens_auto: Option<&'static str>,
    /// Why it may not be called inside a MANUAL scope: it, or something it calls, opens a MANUAL scope.
    pub opens_manual: Option<&'static str>,
    /// How many scopes deep it nests.
    pub depth: u32,
    /// Which of its parameters it writes, in order.
    pub writes: &'static [bool],
    /// Whether it is the body of a task.
    pub task: bool,
    /// Whether it reaches what it writes through the part of its block alone.
    pub in_parts: bool,
}

/// Most scopes that may be open at once, the root included (device runtime specification, scope stack).
const MAX_DEPTH: u32 = pl_codegen::check::MAX_SCOPES;

const TOO_DEEP: &str = "this call nests scopes deeper than 64 [PL0007]\n\
                        help: give a callee on the way `auto_scope = false`, or merge scopes";

impl Signature {
    /// The facts of a helper that also calls `callee`, `depth` scopes deep in its own body.
    #[must_use]
    pub const fn calling(self, callee: Self, depth: u32) -> Self {
        Self {
            opens_auto: or(self.opens_auto, callee.opens_auto),
            opens_manual: or(self.opens_manual, callee.opens_manual),
            depth: if depth + callee.depth > self.depth {
                depth + callee.depth
            } else {
                self.depth
            },
            ..self
        }
    }

    /// Whether `submit!` takes it, or nothing does, which is said elsewhere.
    pub const fn is_task(self) -> bool {
        self.task || self.refused.is_some()
    }

    /// Whether it writes its parameter `index`; `false` if it has none, which rustc reports.
    pub const fn writes(self, index: usize) -> bool {
        index < self.writes.len() && self.writes[index]
    }

    /// Whether it has so many parameters.
    pub const fn takes(self, count: usize) -> bool {
        self.writes.len() == count
    }

    /// The error of a call from in-core code, if it is one.
    pub const fn refusal_in_core(self) -> Option<&'static str> {
        self.refused_in_core
    }

    /// The error of a call from orchestration code, `depth` scopes deep (not counting the root), if it is one.
    pub const fn refusal(self, inside_manual: bool, depth: u32) -> Option<&'static str> {
        if let Some(text) = self.refused {
            return Some(text);
        }
        if inside_manual && let Some(text) = or(self.opens_auto, self.opens_manual) {
            return Some(text);
        }
        if 1 + depth + self.depth > MAX_DEPTH {
            Some(TOO_DEEP)
        } else {
            None
        }
    }
}

impl Signature {
    /// The arguments of a call, to be taken as the callee's parameters: see [`Fit::pass`].
    pub const fn fit<A, P>(args: A, params: PhantomData<P>) -> Fit<A, P> {
        Fit {
            args,
            refused: Refused(params),
        }
    }
}

impl Signature {
    /// What a call from in-core code gives.
    ///
    /// # Errors
    /// That of the callee.
    #[inline]
    pub fn in_core<T, E: CallError>(result: Result<T, E>) -> Result<T, OperationError> {
        result.map_err(CallError::into_operation_error)
    }
}

/// The error of a callee. Orchestration code has another one than in-core code, which cannot call it; so
/// that this is said once, the call itself compiles.
pub trait CallError {
    /// The error of an operation.
    fn into_operation_error(self) -> OperationError;
}

impl CallError for OperationError {
    fn into_operation_error(self) -> OperationError {
        self
    }
}

impl CallError for Error {
    fn into_operation_error(self) -> OperationError {
        unreachable!("in-core code that calls orchestration code was compiled: {self}")
    }
}

/// What the primitive type is called that `T` stands for: a type parameter, or an alias.
pub struct TypeName<T>(AnyTypeName<T>);

/// What method lookup finds for what is no [`Scalar`]: kernels compute with it all the same where they do not run on
/// a device, `u128` for one.
pub struct AnyTypeName<T>(PhantomData<T>);

impl<T> TypeName<T> {
    /// Of this type.
    #[allow(clippy::new_without_default, reason = "only generated code makes it")]
    pub const fn new() -> Self {
        Self(AnyTypeName(PhantomData))
    }
}

impl<T: Scalar> TypeName<T> {
    /// The name.
    pub const fn name(&self) -> &'static str {
        T::NAME
    }
}

impl<T> Deref for TypeName<T> {
    type Target = AnyTypeName<T>;

    fn deref(&self) -> &AnyTypeName<T> {
        &self.0
    }
}

impl<T> AnyTypeName<T> {
    /// The name, as far as there is one.
    pub fn name(&self) -> &'static str {
        type_name::<T>()
    }
}

/// Arguments `A` on their way to a callee with parameters `P`.
///
/// rustc checks the arguments of a call against the handle types of its callee. What runs is
/// checked again; were it strict, every mistake would be reported twice. So arguments that do not
/// fit are accepted here: the program does not compile anyway.
pub struct Fit<A, P> {
    args: A,
    refused: Refused<P>,
}

impl<T> Fit<T, T> {
    /// The arguments, if they fit: literals take the types of the parameters.
    pub fn pass(self) -> T {
        self.args
    }
}

/// What method lookup finds if the arguments do not fit.
pub struct Refused<P>(PhantomData<P>);

impl<A, P> Deref for Fit<A, P> {
    type Target = Refused<P>;

    fn deref(&self) -> &Refused<P> {
        &self.refused
    }
}

impl<P> Refused<P> {
    /// Stands for the arguments.
    pub fn pass(&self) -> P {
        unreachable!("a call whose arguments do not fit was compiled")
    }
}

const fn or(a: Option<&'static str>, b: Option<&'static str>) -> Option<&'static str> {
    if a.is_some() { a } else { b }
}

/// One dimension of a tensor parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimSpec {
    /// `_`: any length.
    Any,
    /// This length.
    Exact(usize),
    /// A named dimension, by its position in `dims(..)`: one length in all places.
    Named(usize),
}

/// A tensor argument and what its parameter asks for.
pub struct BoundParam<'a> {
    /// Name of the parameter.
    pub name: &'static str,
    /// The argument.
    pub tensor: Tensor<'a>,
    /// Element type of the parameter.
    pub dtype: DType,
    /// Dimensions of the parameter.
    pub dims: &'a [DimSpec],
}

/// Checks element types and shapes of a call and gives the lengths of the named dimensions.
///
/// # Errors
/// A parameter whose argument has another element type, rank or length; a named dimension that is
/// not the same everywhere: the message names both parameters.
pub fn bind_dims<const N: usize>(
    kernel: &'static KernelInfo,
    site: Site,
    params: &[BoundParam<'_>],
    names: [&'static str; N],
) -> Result<[usize; N], OperationError> {
    let fail = |message: String| OperationError::new(kernel.name, site, message);
    let mut bound: [Option<(usize, &'static str)>; N] = [None; N];
    for param in params {
        let view = param.tensor.view();
        if view.dtype() != param.dtype || view.rank() != param.dims.len() {
            return Err(fail(format!(
                "parameter `{}` takes {}-dimensional {}, the argument is {view}; pass a view with \
                 the right number of dimensions and the right element type",
                param.name,
                param.dims.len(),
                param.dtype,
            )));
        }
        for (axis, (spec, &length)) in param.dims.iter().zip(view.dims()).enumerate() {
            match *spec {
                DimSpec::Any => {}
                DimSpec::Exact(expected) if expected == length => {}
                DimSpec::Exact(expected) => {
                    return Err(fail(format!(
                        "dimension {axis} of parameter `{}` is {expected}, the argument is {view}; \
                         pass a view of that length, or declare the dimension `_`",
                        param.name
                    )));
                }
                DimSpec::Named(name) => match bound[name] {
                    Some((first, owner)) if first != length => {
                        return Err(fail(format!(
                            "`{}` is {first} in `{owner}` but {length} in dimension {axis} of \
                             `{}`, {view}; pass tensors that agree",
                            names[name], param.name
                        )));
                    }
                    _ => bound[name] = Some((length, param.name)),
                },
            }
        }
    }
    Ok(bound.map(|length| length.map_or(0, |(length, _)| length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAF: Signature = Signature {
        refused: None,
        refused_in_core: None,
        opens_auto: None,
        opens_manual: None,
        depth: 0,
        writes: &[],
        task: false,
        in_parts: false,
    };

    #[test]
    fn what_a_callee_opens_reaches_its_callers_callers() {
        let inner = Signature {
            opens_auto: Some("inner"),
            depth: 2,
            ..LEAF
        };
        let outer = LEAF.calling(inner, 3);
        assert_eq!(outer.refusal(true, 0), Some("inner"));
        assert_eq!(outer.refusal(false, 0), None);
        assert_eq!(outer.depth, 5);
    }

    #[test]
    fn arguments_that_fit_are_passed_with_the_types_of_the_parameters() {
        let (n, x) = Signature::fit((3, 2.5), PhantomData::<(usize, f32)>).pass();
        assert_eq!((n, x), (3_usize, 2.5_f32));
    }

    #[test]
    #[should_panic(expected = "do not fit")]
    fn arguments_that_do_not_fit_compile_and_are_never_passed() {
        let _ = Signature::fit(("text",), PhantomData::<(usize, f32)>).pass();
    }

    #[test]
    fn a_type_that_is_no_scalar_of_kernels_has_a_name_too() {
        type Wide = u128;
        assert_eq!(TypeName::<crate::f16>::new().name(), "f16");
        assert_eq!(TypeName::<Wide>::new().name(), "u128");
    }

    #[test]
    fn sixty_four_scopes_with_the_root_are_the_most() {
        let callee = Signature { depth: 60, ..LEAF };
        assert_eq!(callee.refusal(false, 3), None);
        assert_eq!(callee.refusal(false, 4), Some(TOO_DEEP));
    }
}

//! The block macros as they behave outside a kernel, where the attribute does not see them.

macro_rules! only_in_kernels {
    ($dollar:tt $(#[doc = $doc:literal] $name:ident, $place:literal;)*) => {$(
        #[doc = $doc]
        #[macro_export]
        macro_rules! $name {
            () => { () };
            ($dollar($dollar rest:tt)+) => {
                ::core::compile_error!(::core::concat!(
                    "`", ::core::stringify!($name), "!` belongs into ", $place
                ))
            };
        }
    )*};
}

only_in_kernels! { $
    #[doc = "Opens a runtime scope: tensors created inside are freed when it closes. `scope!({ .. })`, or `scope!(ScopeMode::Manual, { .. })`."]
    scope, "a function marked `#[pl::jit]` or `#[pl::jit::inline]`";
    #[doc = "Opens a MANUAL scope: the runtime does not order its tasks among each other. `manual_scope!({ .. })`."]
    manual_scope, "a function marked `#[pl::jit]` or `#[pl::jit::inline]`";
    #[doc = "Recycles the scratch of the tiles made inside: `scratch_scope!({ .. })`."]
    scratch_scope, "a function marked `#[pl::jit::incore]`";
    #[doc = "Submits a task and gives its id: `let t = submit!(k(x, y), deps = [s], blocks = 8);`"]
    submit, "a function marked `#[pl::jit]` or `#[pl::jit::inline]`";
    #[doc = "Submits a task whose body stands in place: `at!(\"name\", { store(y, load(x)); })`. The tensors and scalars that it uses are its arguments."]
    at, "a function marked `#[pl::jit]`, `#[pl::jit::inline]` or `#[pl::jit::opaque]`";
    #[doc = "Selects a part of a tensor or tile: `x.slice(s![a..b, .., i])`."]
    s, "`.slice(..)` inside a kernel";
}

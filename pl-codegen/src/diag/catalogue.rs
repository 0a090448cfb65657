//! Every diagnostic's code and title, once.

use std::fmt;

/// Calls `$callback!` with the table: `CODE Variant "title";` for each diagnostic.
///
/// A code is never reused. `docs/diagnostics/CODE.md` explains it; `pl explain CODE` prints that page.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_diagnostic {
    ($callback:ident) => {
        $callback! {
            PL0001 AutoInsideManual "AUTO scope inside a MANUAL scope";
            PL0002 ManualInsideManual "MANUAL scope inside a MANUAL scope";
            PL0003 AutoByHand "AUTO scope by hand where the compiler places scopes";
            PL0004 ScopeInIncore "runtime scope in in-core code";
            PL0005 ScratchInOrchestration "`scratch_scope!` in orchestration code";
            PL0006 AutoScopeRefused "`auto_scope` on a function that has no scope policy";
            PL0007 TooDeep "scopes nested deeper than 64";
            PL0008 SharedRing "tensor kept by another one of ring 3";
            PL0101 UsedAfterScope "handle used after its scope";
            PL0102 ScopeValue "handle as the value of the scope that owns it";
            PL0103 LoopCarried "handle carried into the next iteration of its loop";
            PL0104 TileUsedAfterScratch "tile used after its `scratch_scope!`";
            PL0105 TaskAfterScope "task id used after the scope of its task";
            PL0201 Unsupported "Rust that kernels do not have";
            PL0202 UnknownOption "unknown option";
            PL0203 UnknownOperation "unknown operation";
            PL0205 ArgumentKind "wrong kind of argument";
            PL0206 NotAvailable "not available yet";
            PL0207 ReservedName "name that the language has taken";
            PL0208 OpaqueMacro "macro that the compiler cannot see through";
            PL0209 Signature "signature that a kernel cannot have";
            PL0210 OpenElement "element type that nothing fixes";
            PL0211 ScalarCall "call in a place that takes constants and operators only";
            PL0212 WrongContext "operation in the wrong kind of function";
            PL0213 Recursion "kernel that calls itself";
            PL0214 ShapeMismatch "shapes that do not fit";
            PL0215 ElementType "element type that an operation does not work on";
            PL0301 ReadUnwritten "tensor that is read and never written";
            PL0302 WrittenInput "input that is written";
            PL0303 UnwrittenOutput "output that is never written";
            PL0304 SharedByIterations "tensor that every iteration of a parallel loop writes";
            PL0305 Overwritten "second name of a tile that is read after the tile was overwritten";
            PL0306 WholeInBlocks "tensor that every block of a task uses whole and writes";
        }
    };
}

macro_rules! define {
    ($($code:ident $variant:ident $title:literal;)*) => {
        /// The stable code of a diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $variant,)*
        }

        impl Code {
            /// Every code, in ascending order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// `PL0001`, ...
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($code),)* }
            }

            /// What it is about, in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

for_each_diagnostic!(define);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

//! Names of dimensions, `dims(M, K)`: each is a name of its own.

use super::args::Args;
use super::expand::Reserved;
use super::lower::Lower;
use crate::diag::{Code, Diagnostic};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{FnArg, GenericParam, Pat, Signature};

impl Lower<'_> {
    /// Takes the names of dimensions; the arguments keep those that are nothing else.
    pub(crate) fn dim_names(&mut self, sig: &Signature, args: &mut Args) {
        args.dims.retain(|dim| {
            let clash = self.clash(sig, dim);
            self.function.dims.push(dim.unraw().to_string());
            let Some((message, help)) = clash else {
                return true;
            };
            self.report.at(dim.span(), Code::Signature, message, help);
            false
        });
    }

    /// What else the name stands for, and what to do about it.
    fn clash(&self, sig: &Signature, dim: &Ident) -> Option<(String, String)> {
        let name = dim.unraw().to_string();
        let is = |ident: &Ident| ident.unraw() == name;
        if self.lookup_dim(dim).is_some() {
            return Some((
                format!("two dimensions are called `{name}`"),
                "remove one of them: a name may stand in several places".to_owned(),
            ));
        }
        let param = sig.inputs.iter().any(|input| {
            matches!(input, FnArg::Typed(param)
                if matches!(&*param.pat, Pat::Ident(pat) if is(&pat.ident)))
        });
        if param {
            return Some((
                format!("`{name}` is a parameter and cannot be a dimension too"),
                format!("call the dimension `{}`", name.to_uppercase()),
            ));
        }
        let generic = sig.generics.params.iter().find_map(|param| match param {
            GenericParam::Const(constant) if is(&constant.ident) => {
                Some("remove it from `dims(..)`: a constant can be a dimension as it is".to_owned())
            }
            GenericParam::Type(ty) if is(&ty.ident) => {
                Some(format!("call the dimension `{name}_LENGTH`"))
            }
            _ => None,
        });
        if let Some(help) = generic {
            return Some((
                format!("`{name}` is a generic parameter of `{}`", sig.ident),
                help,
            ));
        }
        (Reserved::of(&name) == Some(Reserved::Primitive)).then(|| {
            (
                format!("`{name}` is a type and cannot be a dimension"),
                "call the dimension `M`".to_owned(),
            )
        })
    }

    /// Reports a variable of the name of a dimension, which is a constant of the function.
    pub(crate) fn refuse_dim(&mut self, name: &Ident, what: &str) {
        let other = name.unraw().to_string().to_lowercase();
        let place = self.report.place(name.span(), name.span());
        self.report.push(Diagnostic::new(
            Code::Signature,
            place,
            format!("`{name}` is a dimension and cannot be {what}"),
            format!("use a variable of another name, `let mut {other} = {name};`"),
        ));
        // A pattern, too: rustc would see a constant there.
        self.report.refuse(place, 0..0);
    }
}

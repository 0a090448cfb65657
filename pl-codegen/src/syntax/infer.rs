//! Element types of tiles: fixed by a parameter, by what is written, or by a later use.

use crate::ir::{Elem, Type};

/// Classes of element types that must be one and the same.
#[derive(Default)]
pub(crate) struct Infer {
    classes: Vec<Elem>,
}

impl Infer {
    /// A type that nothing fixes yet.
    pub(crate) fn open(&mut self) -> Elem {
        let class = Elem::Open(self.classes.len() as u32);
        self.classes.push(class.clone());
        class
    }

    /// What is known of a type.
    pub(crate) fn resolve(&self, elem: &Elem) -> Elem {
        let mut current = elem.clone();
        while let Elem::Open(class) = current {
            let next = self.classes[class as usize].clone();
            if next == current {
                break;
            }
            current = next;
        }
        current
    }

    /// Makes two types one. A contradiction is left to rustc, which sees the same code.
    pub(crate) fn unify(&mut self, a: &Elem, b: &Elem) {
        match (self.resolve(a), self.resolve(b)) {
            (Elem::Open(a), b) => self.classes[a as usize] = b,
            (a, Elem::Open(b)) => self.classes[b as usize] = a,
            _ => {}
        }
    }

    /// Makes the element types inside two types one.
    pub(crate) fn unify_types(&mut self, a: &Type, b: &Type) {
        match (a, b) {
            (Type::Tile(a) | Type::Tensor(a), Type::Tile(b) | Type::Tensor(b)) => self.unify(a, b),
            (Type::Tuple(a), Type::Tuple(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.unify_types(a, b);
                }
            }
            _ => {}
        }
    }

    /// The type with its element types resolved.
    pub(crate) fn resolve_type(&self, ty: &Type) -> Type {
        match ty {
            Type::Tile(elem) => Type::Tile(self.resolve(elem)),
            Type::Tensor(elem) => Type::Tensor(self.resolve(elem)),
            Type::Tuple(items) => {
                Type::Tuple(items.iter().map(|item| self.resolve_type(item)).collect())
            }
            other => other.clone(),
        }
    }
}

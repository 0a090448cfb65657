//! Plain sequential execution on ordinary vectors.

use super::program::{COLUMNS, Kind, Op, ROWS, Stmt, pick, pick_output};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) type Buffer = Rc<RefCell<Vec<u32>>>;

#[derive(Default)]
pub(crate) struct Plain {
    /// What the program reads.
    pub(crate) log: Vec<u32>,
    /// Position of the first failing task.
    pub(crate) failed: Option<u64>,
    /// Position of the next task.
    sequence: u64,
    last: u32,
}

fn buffer(value: u32) -> Buffer {
    Rc::new(RefCell::new(vec![value; ROWS * COLUMNS]))
}

fn affine(a: u32, k: u32) -> u32 {
    a.wrapping_mul(3).wrapping_add(k)
}

fn update(x: u32, a: u32, k: u32) -> u32 {
    x.wrapping_mul(5).wrapping_add(a).wrapping_add(k)
}

impl Plain {
    fn op(&mut self, env: &mut Vec<Buffer>, op: &Op) {
        let k = op.k.wrapping_add(self.last);
        let (from, to) = (pick(env, op.from), pick_output(env, op.to));
        let source = from.borrow().clone();
        match op.kind {
            Kind::Fresh | Kind::FreshUpdate => {
                let new = buffer(7);
                for (cell, &a) in new.borrow_mut().iter_mut().zip(&source) {
                    *cell = match op.kind {
                        Kind::Fresh => affine(a, k),
                        _ => update(*cell, a, k),
                    };
                }
                env.push(new);
            }
            Kind::Unlucky => {
                let first = source[op.cells(op.from).next().unwrap()];
                if first.is_multiple_of(op.k) {
                    self.failed.get_or_insert(self.sequence);
                }
            }
            Kind::Fill | Kind::Affine | Kind::Update => {
                let mut to = to.borrow_mut();
                for (i, o) in op.cells(op.from).zip(op.cells(op.to)) {
                    to[o] = match op.kind {
                        Kind::Fill => k,
                        Kind::Affine => affine(source[i], k),
                        _ => update(to[o], source[i], k),
                    };
                }
            }
        }
        self.sequence += 1;
    }

    pub(crate) fn run(&mut self, outer: &[Buffer], stmts: &[Stmt]) {
        let mut env = outer.to_vec();
        for stmt in stmts {
            match stmt {
                Stmt::Create(_) => {
                    env.push(buffer(7));
                    self.sequence += 1;
                }
                Stmt::Empty => self.sequence += 1,
                Stmt::Run(op) => self.op(&mut env, op),
                Stmt::Get(part) => {
                    self.last = pick(&env, *part).borrow()[part.row * COLUMNS + part.column];
                    self.log.push(self.last);
                }
                Stmt::Set(part, value) => {
                    let buffer = pick_output(&env, *part);
                    buffer.borrow_mut()[part.row * COLUMNS + part.column] = *value;
                }
                Stmt::Scope(body) | Stmt::Manual(body) => self.run(&env, body),
                Stmt::Loop(n, body) => (0..*n).for_each(|_| self.run(&env, body)),
            }
        }
    }
}

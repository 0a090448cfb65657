//! Random programs.

use proptest::prelude::*;

pub(crate) const ROWS: usize = 24;
pub(crate) const COLUMNS: usize = 20;
const DEPTH: u32 = 6;

/// Part of a tensor, as fractions of what fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Counted from the newest tensor.
    pub(crate) tensor: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Seen through a transposed view, if that fits.
    turned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Fill,
    Affine,
    Update,
    Unlucky,
    /// Affine into a tensor that the submit allocates.
    Fresh,
    /// Update of one, from its initial value.
    FreshUpdate,
}

#[derive(Clone, Debug)]
pub(crate) struct Op {
    pub(crate) kind: Kind,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) from: Part,
    pub(crate) to: Part,
    pub(crate) k: u32,
    /// Declared dependencies: how many of the tasks before.
    pub(crate) deps: usize,
    /// Through views of another shape, if the parts have no gaps.
    flat: bool,
    /// Which arguments are passed as `NoDep`.
    pub(crate) no_dep: [bool; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// A tensor with an initial value; whether it is marked `manual_dep`.
    Create(bool),
    /// A tensor without elements.
    Empty,
    Run(Op),
    Get(Part),
    Set(Part, u32),
    Scope(Vec<Stmt>),
    Loop(usize, Vec<Stmt>),
    /// A MANUAL scope; no AUTO scope inside.
    Manual(Vec<Stmt>),
}

impl Op {
    fn is_turned(&self, part: Part) -> bool {
        part.turned && self.rows <= COLUMNS && self.columns <= ROWS
    }

    /// First row and column of a part, and its sides; whether its rows are the view's columns.
    pub(crate) fn place(&self, part: Part) -> ([usize; 2], [usize; 2], bool) {
        let turned = self.is_turned(part);
        let (rows, columns) = if turned {
            (self.columns, self.rows)
        } else {
            (self.rows, self.columns)
        };
        let start = [
            part.row % (ROWS - rows + 1),
            part.column % (COLUMNS - columns + 1),
        ];
        (start, [rows, columns], turned)
    }

    /// The other shape of both parts, if they get one.
    pub(crate) fn reshaped(&self) -> Option<[usize; 2]> {
        let gapless =
            self.columns == COLUMNS && ![self.from, self.to].map(|p| p.turned).contains(&true);
        (self.flat && gapless).then_some([self.columns, self.rows])
    }

    /// Positions of the elements of a part in its tensor, in the view's order.
    pub(crate) fn cells(&self, part: Part) -> impl Iterator<Item = usize> {
        let ([row, column], _, turned) = self.place(part);
        let columns = self.columns;
        (0..self.rows).flat_map(move |r| {
            (0..columns).map(move |c| {
                let (r, c) = if turned { (c, r) } else { (r, c) };
                (row + r) * COLUMNS + column + c
            })
        })
    }
}

/// A tensor by its distance from the newest one.
pub(crate) fn pick<T: Clone>(env: &[T], part: Part) -> T {
    env[env.len() - 1 - part.tensor % env.len()].clone()
}

/// Tensors that tasks may write: the first two are inputs.
pub(crate) fn pick_output<T: Clone>(env: &[T], part: Part) -> T {
    pick(&env[2..], part)
}

fn part() -> impl Strategy<Value = Part> {
    (0..5_usize, 0..ROWS, 0..COLUMNS, prop::bool::weighted(0.3)).prop_map(
        |(tensor, row, column, turned)| Part {
            tensor,
            row,
            column,
            turned,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    let kind = prop_oneof![
        3 => Just(Kind::Fill),
        5 => Just(Kind::Affine),
        6 => Just(Kind::Update),
        1 => Just(Kind::Unlucky),
        3 => Just(Kind::Fresh),
        2 => Just(Kind::FreshUpdate),
    ];
    let size = prop_oneof![
        2 => Just((ROWS, COLUMNS)),
        1 => (0..=ROWS, Just(COLUMNS)),
        3 => (0..=ROWS, 0..=COLUMNS),
    ];
    let no_dep = [prop::bool::weighted(0.2), prop::bool::weighted(0.2)];
    let rest = (1..100_u32, 0..4_usize, any::<bool>(), no_dep);
    (kind, size, part(), part(), rest).prop_map(|(kind, size, from, to, rest)| {
        let (mut rows, mut columns) = size;
        let (k, deps, flat, no_dep) = rest;
        if kind == Kind::Unlucky {
            // It looks at an element.
            (rows, columns) = (rows.max(1), columns.max(1));
        }
        Op {
            kind,
            rows,
            columns,
            from,
            to,
            k,
            deps,
            flat,
            no_dep,
        }
    })
}

/// What any scope may hold.
fn leaf() -> impl Strategy<Value = Stmt> {
    prop_oneof![
        3 => any::<bool>().prop_map(Stmt::Create),
        1 => Just(Stmt::Empty),
        9 => op().prop_map(Stmt::Run),
        1 => part().prop_map(Stmt::Get),
        1 => (part(), any::<u32>()).prop_map(|(part, value)| Stmt::Set(part, value)),
    ]
}

fn manual() -> impl Strategy<Value = Stmt> {
    let stmt = leaf().prop_recursive(2, 10, 4, |inner| {
        prop::collection::vec(inner, 1..4).prop_map(Stmt::Manual)
    });
    prop::collection::vec(stmt, 1..4).prop_map(Stmt::Manual)
}

pub(crate) fn program() -> impl Strategy<Value = Vec<Stmt>> {
    let leaf = prop_oneof![14 => leaf(), 1 => manual()];
    let stmt = leaf.prop_recursive(DEPTH, 60, 8, |inner| {
        let body = prop::collection::vec(inner, 1..8);
        prop_oneof![
            2 => body.clone().prop_map(Stmt::Scope),
            1 => (1..4_usize, body).prop_map(|(n, body)| Stmt::Loop(n, body)),
        ]
    });
    prop::collection::vec(stmt, 1..10)
}

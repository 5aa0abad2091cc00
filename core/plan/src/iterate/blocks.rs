//! Results in dense blocks, such as BSR: `(i floordiv a : dense, j floordiv b : compressed, i mod a : dense,
//! j mod b : dense)`.
//!
//! The rows of a block row are computed one after another, twice: first to list the blocks that they reach,
//! then, once the blocks are sorted and cleared, to put the values into them. No values are stored in
//! between.

use super::{
    Fill, Row, SparseOperand,
    lookup::{LookUps, Reach},
    planner::Planner,
    terms,
};
use nnz_base::ids::{Dim, IndexVar, Lvl};
use nnz_encoding::{Affine, Encoding, Level};

/// A matrix in blocks of constant size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    pub rows: Blocked,
    pub columns: Blocked,
}

/// A dimension cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    pub var: IndexVar,
    /// How many coordinates a block has; at least 1.
    pub size: i64,
}

impl Blocks {
    /// The blocks of a result with these variables, if its encoding consists of blocks.
    fn of(encoding: &Encoding, indices: &[IndexVar]) -> Option<Blocks> {
        let [rows, columns, inner @ ..] = encoding.levels() else { return None };
        let formats = rows.format.is_dense()
            && columns.format.lists_entries()
            && columns.format.merges()
            && inner.iter().all(|level| level.format.is_dense());
        let outer = [blocked(&rows.expr)?, blocked(&columns.expr)?];
        let places: Option<Vec<(Dim, i64)>> = inner.iter().map(|level| place(&level.expr)).collect();
        let places = places?;
        let whole = outer.iter().filter(|(_, size)| *size > 1);
        let complete = places.len() == whole.clone().count() && whole.clone().all(|pair| places.contains(pair));
        let plain = encoding.explicit_val().is_none() && !encoding.is_slice();
        let matrix = indices.len() == 2 && outer[0].0 != outer[1].0 && !inner.is_empty();
        let of = |(dim, size): (Dim, i64)| Some(Blocked { var: *indices.get(dim.index())?, size });
        (formats && complete && plain && matrix).then_some(())?;
        Some(Blocks { rows: of(outer[0])?, columns: of(outer[1])? })
    }

    /// One per level.
    fn levels(self, encoding: &Encoding, indices: &[IndexVar]) -> Vec<Row> {
        let row = |(at, level): (usize, &Level)| {
            let var = *indices.get(level.expr.vars().first()?.index())?;
            let fill = if at == 1 { Fill::Append } else { Fill::Dense };
            Some(Row { lvl: Lvl::new(at), var, fill, full: true })
        };
        encoding.levels().iter().enumerate().filter_map(row).collect()
    }
}

/// A dimension, or its blocks.
fn blocked(expr: &Affine<Dim>) -> Option<(Dim, i64)> {
    let of_dim = expr.as_floordiv().and_then(|(dim, size)| Some((dim.as_var()?, size)));
    of_dim.or_else(|| Some((expr.as_var()?, 1))).filter(|(_, size)| *size > 0)
}

/// The place in a block.
fn place(expr: &Affine<Dim>) -> Option<(Dim, i64)> {
    let (dim, size) = expr.as_mod()?;
    Some((dim.as_var()?, size))
}

/// How a result in blocks is computed.
pub(super) struct BlockedPlan {
    pub(super) blocks: Blocks,
    pub(super) rows: Vec<Row>,
    pub(super) order: Vec<IndexVar>,
}

impl Planner<'_> {
    /// The plan of a result in blocks, if the rows of a block row can be computed one after another: the
    /// loop over them is outermost, and no operand needs walking to find them.
    pub(super) fn blocked(&self, wanted: &Encoding, operands: &[SparseOperand]) -> Option<BlockedPlan> {
        let indices = &self.kernel.result().indices;
        let blocks = Blocks::of(wanted, indices)?;
        let (row, column) = (blocks.rows.var, blocks.columns.var);
        let reduced = self.terms.iter().any(|term| terms::reductions(&term.body).next().is_some());
        let free = self.wishes.assembling.is_none() && !reduced;
        let order = self.ordered(&[row], &[column], operands).order;
        let exprs = self.terms.iter().map(|term| &term.body).collect();
        let reaches = LookUps { kernel: self.kernel, exprs, operands, order: &order }.reaches();
        let first = Lvl::new(0);
        let has_rows = |(operand, reach): (&SparseOperand, Reach)| match reach {
            Reach::AsStored => {
                let walks = !operand.encoding.format(first).is_full() && !operand.looks_up(first);
                operand.level_var(first) != Some(row) || !walks
            }
            // It becomes a matrix with dense rows, if it is one with some dense level. A diagonal becomes a list.
            Reach::Sorted => {
                let levels = operand.encoding.levels();
                let is_matrix = matches!(operand.indices.as_slice(), [i, j] if i != j);
                is_matrix && levels.iter().any(|level| level.format.is_full())
            }
            Reach::Located => true,
        };
        let found = free && order.first() == Some(&row) && operands.iter().zip(reaches).all(has_rows);
        found.then(|| BlockedPlan { blocks, rows: blocks.levels(wanted, indices), order })
    }
}

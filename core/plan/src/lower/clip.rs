//! Limits a loop over a `range` level to the coordinates at which the other dimension of the diagonal lies in the
//! tensor.
//!
//! On the diagonal `d = j - i`, `j` is `d + i`, so `0 <= j < J` means `-d <= i < J - d`. The bounds are compared before
//! the loop, not in it.

use super::{Lowerer, access::affine, levels::Level};
use crate::iterate::{OperandId, SparseOperand};
use nnz_base::ids::{Dim, Lvl, Sym};
use nnz_encoding::Affine;
use nnz_loops::{Binary, ExprId};

/// Which way a dimension goes as the coordinate of a range level grows by one.
#[derive(Clone, Copy, PartialEq)]
enum Slope {
    Up,
    Down,
}

impl Lowerer<'_> {
    /// The loop over a range level, shortened where the coordinates of other dimensions follow from it.
    pub(super) fn clipped(&mut self, id: OperandId, lvl: Lvl, level: Level) -> Level {
        let operand = &self.plan.operands[id.index()];
        let levels = self.cursor(id).levels.clone();
        let zero = self.b.index(0);
        let mut bounds = [zero, level.size(&mut self.b)];
        for (dim, slope) in slopes(operand, lvl) {
            let size = self.extent(operand.indices[dim.index()]);
            let rest = operand.inverse[dim.index()].substitute(&|other: Lvl| match other == lvl {
                true => Affine::Const(0),
                false => Affine::Var(other),
            });
            let rest = affine(&mut self.b, &rest, &|lvl: Lvl| levels.get(lvl.index()).copied());
            let [low, high] = self.within(slope, rest, size);
            bounds = [self.b.binary(Binary::Max, bounds[0], low), self.b.binary(Binary::Min, bounds[1], high)];
        }
        level.within(bounds)
    }

    /// The values of `x` for which `rest + x`, or `rest - x`, lies in `0..size`.
    fn within(&mut self, slope: Slope, rest: ExprId, size: ExprId) -> [ExprId; 2] {
        let (zero, one) = (self.b.index(0), self.b.index(1));
        match slope {
            Slope::Up => [self.b.sub(zero, rest), self.b.sub(size, rest)],
            Slope::Down => {
                let past = self.b.add(rest, one);
                [self.b.sub(past, size), past]
            }
        }
    }
}

/// Whether the loop over a range level keeps the dimension inside the tensor.
pub(super) fn is_clipped(operand: &SparseOperand, dim: Dim) -> bool {
    let last = operand.known_after(dim).checked_sub(1).map(Lvl::new);
    last.is_some_and(|lvl| slopes(operand, lvl).iter().any(|(other, _)| *other == dim))
}

/// The dimensions that follow from a range level and the levels above it, except its own.
fn slopes(operand: &SparseOperand, lvl: Lvl) -> Vec<(Dim, Slope)> {
    if !operand.encoding.format(lvl).clips() {
        return Vec::new();
    }
    let follows = |dim: Dim| Some((dim, slope(operand.inverse.get(dim.index())?, lvl)?));
    let own = |dim: &Dim| operand.inverse.get(dim.index()).and_then(Affine::as_var) == Some(lvl);
    (0..operand.indices.len()).map(Dim::new).filter(|dim| !own(dim)).filter_map(follows).collect()
}

/// The slope of a dimension over `lvl`, if it is a sum of levels whose innermost is `lvl`.
fn slope(inverse: &Affine<Lvl>, lvl: Lvl) -> Option<Slope> {
    let last = inverse.vars().into_iter().max()?;
    let at = |value: i64| inverse.eval(&|other| if other == lvl { value } else { 0 }, &|_: Sym| 0);
    match at(1)?.checked_sub(at(0)?)? {
        1 if last == lvl && is_sum(inverse) => Some(Slope::Up),
        -1 if last == lvl && is_sum(inverse) => Some(Slope::Down),
        _ => None,
    }
}

fn is_sum(expr: &Affine<Lvl>) -> bool {
    match expr {
        Affine::Var(_) | Affine::Const(_) => true,
        Affine::Add(a, b) | Affine::Mul(a, b) => is_sum(a) && is_sum(b),
        Affine::Sym(_) | Affine::FloorDiv(..) | Affine::CeilDiv(..) | Affine::Mod(..) => false,
    }
}

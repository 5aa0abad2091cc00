//! Makes a kernel from a body.

use std::sync::Arc;

use super::expression::{self, Known};
use nnz_base::ids::{Dim, IndexVar, TensorId};
use nnz_encoding::{Affine, AffineMap};
use nnz_kernel::{Access, Expr, IndexExpr, Kernel, Tensor, VarDecl};

/// A kernel that is being made.
pub(in crate::generic) struct Draft<'g> {
    /// The tensors that it may read; the last is the old value of the result.
    pub tensors: Vec<Tensor>,
    /// Which of them each operand is.
    pub places: Vec<TensorId>,
    pub extents: &'g [u64],
    /// The name of the result.
    pub result: String,
}

/// A body as an expression.
pub(in crate::generic) struct Said {
    pub kernel: Kernel,
    /// The last operand is the old value of the result.
    pub reads_old: bool,
}

impl Draft<'_> {
    /// The kernel; `None` if expressions cannot represent it.
    pub(in crate::generic) fn say(mut self, known: &Known<'_>) -> Option<Said> {
        let access = |(tensor, map): (&TensorId, &Arc<AffineMap>)| {
            Some(Expr::Access(Access { tensor: *tensor, indices: index_exprs(map)? }))
        };
        let accesses: Option<Vec<Expr>> = self.places.iter().zip(known.maps).map(access).collect();
        let meaning = expression::of_body(known, &accesses?)?;
        let (old, map) = (self.tensors.last()?.clone(), known.maps.last()?);
        if !meaning.reads_old {
            self.tensors.pop();
        }
        let vars: Option<Vec<IndexVar>> =
            map.results.iter().map(|result| result.as_var().map(|dim| IndexVar::new(dim.index()))).collect();
        let target = Access::of_vars(TensorId::new(self.tensors.len()), &vars?);
        self.tensors.push(Tensor { name: self.result, ..old });
        let named = |(at, extent): (usize, &u64)| VarDecl { name: format!("d{at}"), extent: Some(*extent) };
        let vars = self.extents.iter().enumerate().map(named).collect();
        let kernel = Kernel::declared(self.tensors, vars, target, meaning.expr).ok()?;
        // A condition as a factor is a number in a program, but absent in an expression where it does not hold, which
        // differs beside an infinity.
        if kernel.expr().nodes().into_iter().any(Expr::has_condition_as_factor) {
            return None;
        }
        Some(Said { kernel, reads_old: meaning.reads_old })
    }
}

/// An affine map as the compiler's indices: sums of multiples of loops.
pub(super) fn index_exprs(map: &AffineMap) -> Option<Vec<IndexExpr>> {
    map.results.iter().map(index_expr).collect()
}

fn index_expr(affine: &Affine<Dim>) -> Option<IndexExpr> {
    match affine {
        Affine::Var(dim) => Some(IndexExpr::var(IndexVar::new(dim.index()))),
        Affine::Const(offset) => Some(IndexExpr::constant(*offset)),
        Affine::Add(a, b) => index_expr(a)?.plus(&index_expr(b)?),
        Affine::Mul(a, b) => index_expr(a)?.times(b.as_const()?),
        Affine::Sym(_) | Affine::FloorDiv(..) | Affine::CeilDiv(..) | Affine::Mod(..) => None,
    }
}

//! Numbers of elements that their type does not count.

use nnz_base::diagnostic::Code;

use super::Checker;
use crate::{
    arrays,
    model::{Binary, Expr, ExprKind, Layout, Width},
};

impl Checker<'_> {
    pub(super) fn sizes(&mut self) {
        for buffer in &self.function.buffers {
            let Layout::Sparse(sparse) = &buffer.layout else { continue };
            let narrow = sparse.iterators.iter().all(|id| self.function.iterator(*id).width == Width::I32);
            let size = arrays::size(self.function, buffer).and_then(|size| product(&size));
            if let Some(size) = size.filter(|size| narrow && *size > i128::from(i32::MAX)) {
                let message = format!("`{}` has {size} elements, more than `int32` counts", buffer.name);
                let told = self.mistake(Code::NarrowPositions, buffer.place.0, message).label("offsets into it wrap");
                self.tell(told.help("declare its iterators with `\"int64\"`"));
            }
        }
    }
}

/// A product of numbers that are written out.
fn product(expr: &Expr) -> Option<i128> {
    if let ExprKind::Binary(Binary::Multiply, left, right) = expr.kind() {
        return product(left)?.checked_mul(product(right)?);
    }
    expr.as_constant().map(i128::from)
}

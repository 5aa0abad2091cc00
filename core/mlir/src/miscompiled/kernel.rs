//! Kernels of `linalg` over sparse tensors that MLIR 22 miscompiles.

use std::sync::Arc;

use super::{hint, is_permuted};
use crate::{
    attribute::Attribute,
    dialects::{
        arith::{FLOAT_PREDICATES, INTEGER_PREDICATES},
        linalg::MEMOIZED_MAPS,
    },
    ir::{Op, Operand, Region},
    mistake::Mistake,
};
use nnz_base::ids::Dim;
use nnz_encoding::{Affine, AffineMap, Encoding};

/// A kernel with its maps, one for each operand.
pub(super) struct Kernel<'o> {
    op: &'o Op,
    maps: Vec<&'o Arc<AffineMap>>,
    inputs: usize,
}

/// An operand of which not every place is stored.
struct Sparse<'o> {
    at: usize,
    operand: &'o Operand,
    encoding: &'o Encoding,
    map: &'o AffineMap,
}

/// One rule: what it finds in a kernel.
type Rule = fn(&Kernel<'_>) -> Option<Mistake>;

const RULES: &[Rule] = &[shifted, unordered, repeated, tuples_and_blocks, restarted, selected, blocked_result];

impl<'o> Kernel<'o> {
    pub(super) fn of(op: &'o Op) -> Option<Kernel<'o>> {
        let Some(Attribute::Array(maps)) = op.attribute("indexing_maps").or(op.attribute(MEMOIZED_MAPS)) else {
            return None;
        };
        let maps: Vec<_> = maps.iter().map(Attribute::as_map).collect::<Option<_>>()?;
        let inputs = op.segments.first().copied().unwrap_or(op.operands.len().saturating_sub(1));
        (maps.len() == op.operands.len()).then_some(Kernel { op, maps, inputs })
    }

    /// Every hint, one for each rule at most, and one for each comparison.
    pub(super) fn miscompiled(&self) -> Vec<Mistake> {
        if self.sparse().next().is_none() {
            return Vec::new();
        }
        RULES.iter().filter_map(|rule| rule(self)).chain(self.compared()).collect()
    }

    /// Its first result, which starts from this.
    pub(super) fn out(&self) -> Option<&'o Operand> {
        self.op.operands.get(self.inputs)
    }

    /// Whether the result is combined over a loop.
    pub(super) fn reduces(&self) -> bool {
        self.maps.first().is_some_and(|map| (0..map.dims).any(|at| self.is_reduction(Dim::new(at))))
    }

    fn is_reduction(&self, loop_: Dim) -> bool {
        let of_results = self.maps.get(self.inputs).map_or(&[][..], |map| &map.results);
        !of_results.iter().any(|result| result.vars().contains(&loop_))
    }

    fn sparse(&self) -> impl Iterator<Item = Sparse<'o>> {
        let operands = self.op.operands.iter().zip(&self.maps).enumerate();
        operands.filter_map(|(at, (operand, map))| {
            let encoding = operand.ty.encoding().filter(|encoding| !encoding.stores_all())?;
            Some(Sparse { at, operand, encoding, map })
        })
    }

    fn inputs(&self) -> impl Iterator<Item = Sparse<'o>> {
        let inputs = self.inputs;
        self.sparse().filter(move |sparse| sparse.at < inputs)
    }

    fn result(&self) -> Option<Sparse<'o>> {
        self.sparse().find(|sparse| sparse.at >= self.inputs)
    }

    fn body(&self) -> Option<&'o Region> {
        self.op.region(0)
    }

    fn has(&self, name: &str) -> bool {
        self.body().is_some_and(|body| body.operations.iter().any(|op| op.def.name == name))
    }

    /// Comparisons of two sparse operands that hold for zeros.
    fn compared(&self) -> impl Iterator<Item = Mistake> {
        let arguments = self.body().map_or(&[][..], |body| &body.arguments[..]);
        let values: Vec<_> =
            self.inputs().filter_map(|sparse| arguments.get(sparse.at)).map(|argument| argument.value).collect();
        let ops = self.body().into_iter().flat_map(|body| &body.operations).filter(|op| holds_for_zeros(op));
        let found = ops.filter(move |op| op.operands.iter().all(|operand| values.contains(&operand.value)));
        let message = "MLIR 22 answers `false` where neither operand is stored, though both are zero there";
        found.map(move |op| hint(op.span, message, "compares entries that are not stored"))
    }
}

/// A comparison by which zero and zero pass.
fn holds_for_zeros(op: &Op) -> bool {
    let (names, passing): (&[&str], &[&str]) = match op.def.name {
        "arith.cmpf" => (FLOAT_PREDICATES, &["oeq", "ole", "oge", "ueq"]),
        "arith.cmpi" => (INTEGER_PREDICATES, &["eq", "sle", "sge", "ule", "uge"]),
        _ => return false,
    };
    let number = op.attribute("predicate").and_then(Attribute::as_int).and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| names.get(number)).is_some_and(|name| passing.contains(name))
}

impl Sparse<'_> {
    fn hint(&self, message: &str, label: &str) -> Mistake {
        hint(self.operand.span, message, label)
    }
    fn is_blocked(&self) -> bool {
        self.encoding.levels().iter().any(|level| level.expr.as_floordiv().is_some())
    }
    /// The loops that follow the levels, outermost first.
    fn loops(&self) -> Vec<Dim> {
        let dims = self.encoding.levels().iter().flat_map(|level| level.expr.vars());
        dims.filter_map(|dim| self.map.results.get(dim.index())).flat_map(Affine::vars).collect()
    }
}

/// `A[i + 1]`
fn shifted(kernel: &Kernel<'_>) -> Option<Mistake> {
    let is_shift = |index: &Affine<Dim>| {
        let Affine::Add(one, other) = index else { return false };
        matches!((&**one, &**other), (Affine::Var(_), Affine::Const(_)) | (Affine::Const(_), Affine::Var(_)))
    };
    let found = kernel.inputs().find(|sparse| sparse.map.results.iter().any(is_shift))?;
    Some(found.hint("MLIR 22 crashes where a sparse tensor is accessed at a shifted coordinate", "accessed so"))
}

/// Whether several operands are merged.
fn merges(kernel: &Kernel<'_>) -> bool {
    kernel.inputs().count() > 1
}

fn unordered(kernel: &Kernel<'_>) -> Option<Mistake> {
    let is_unordered =
        |sparse: &Sparse<'_>| sparse.encoding.levels().iter().any(|level| level.format.props().nonordered);
    let found = kernel.inputs().find(is_unordered).filter(|_| merges(kernel))?;
    Some(found.hint("MLIR 22 merges a `nonordered` level as if it was sorted, and loses entries", "not in order"))
}

fn repeated(kernel: &Kernel<'_>) -> Option<Mistake> {
    let repeats = |sparse: &Sparse<'_>| sparse.encoding.levels().last().is_some_and(|it| it.format.props().nonunique);
    let found = kernel.inputs().find(repeats).filter(|_| merges(kernel))?;
    Some(found.hint("MLIR 22 drops the second of two entries at one coordinate where it merges operands", "may repeat"))
}

fn tuples_and_blocks(kernel: &Kernel<'_>) -> Option<Mistake> {
    let tuples = kernel.inputs().find(|sparse| !sparse.encoding.coo_segments().is_empty())?;
    let blocks = kernel.inputs().find(Sparse::is_blocked)?;
    let message = "MLIR 22 loses entries where it merges coordinates with blocks";
    Some(tuples.hint(message, "in coordinates").secondary(blocks.operand.span, "in blocks"))
}

/// A loop over which `sparse_tensor.reduce` combines lies around one of the result's.
fn restarted(kernel: &Kernel<'_>) -> Option<Mistake> {
    let is_inverted = |sparse: &Sparse<'_>| {
        let loops = sparse.loops();
        let outer = loops.iter().position(|at| kernel.is_reduction(*at));
        outer.is_some_and(|outer| loops[outer..].iter().any(|at| !kernel.is_reduction(*at)))
    };
    let found = kernel.inputs().find(is_inverted).filter(|_| kernel.has("sparse_tensor.reduce"))?;
    let message = "MLIR 22 starts `sparse_tensor.reduce` anew in each segment of this operand";
    Some(found.hint(message, "stored with a reduction around a dimension of the result"))
}

fn selected(kernel: &Kernel<'_>) -> Option<Mistake> {
    let found = kernel.result().filter(|result| is_permuted(result.encoding))?;
    let exchanges = kernel.has("sparse_tensor.select") && kernel.has("linalg.index");
    let message = "MLIR 22 exchanges the coordinates of `linalg.index` where the result is stored in another order";
    exchanges.then(|| found.hint(message, "stored in another order"))
}

fn blocked_result(kernel: &Kernel<'_>) -> Option<Mistake> {
    let found = kernel.result().filter(|result| result.is_blocked() && kernel.reduces())?;
    Some(found.hint("MLIR 22 drops the old values of a result in blocks, or crashes", "in blocks"))
}

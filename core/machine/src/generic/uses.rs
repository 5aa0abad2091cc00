//! Which values regions use. Idle operations use nothing.

use std::collections::HashSet;

use nnz_mlir::ir::{Op, Operand, Region, ValueId};

/// The operations of all blocks that run.
pub(super) fn in_use(region: &Region) -> impl Iterator<Item = &Op> {
    region.blocks().flatten().filter(|op| !op.idle)
}

/// Whether a value is used within a region.
pub(super) fn reads(region: &Region, value: ValueId) -> bool {
    in_use(region).any(|op| {
        op.operands.iter().any(|operand| operand.value == value)
            || op.regions.iter().flatten().any(|inner| reads(inner, value))
    })
}

/// The uses in a region of values that are computed outside of it, in the order of the text.
pub(super) fn of_outside(region: &Region) -> Vec<&Operand> {
    let (mut own, mut uses) = (HashSet::new(), Vec::new());
    collect(region, &mut own, &mut uses);
    uses.retain(|operand| !own.contains(&operand.value));
    uses
}

/// The values that the regions of an operation use and do not compute, each once.
pub(super) fn captured(op: &Op) -> Vec<ValueId> {
    let mut found: Vec<ValueId> =
        op.regions.iter().flatten().flat_map(of_outside).map(|operand| operand.value).collect();
    found.sort_unstable_by_key(|id| id.index());
    found.dedup();
    found
}

/// What a region computes itself, and what it uses.
fn collect<'r>(region: &'r Region, own: &mut HashSet<ValueId>, uses: &mut Vec<&'r Operand>) {
    let arguments = region.arguments.iter().chain(region.others.iter().flat_map(|block| &block.arguments));
    own.extend(arguments.map(|argument| argument.value));
    for op in in_use(region) {
        own.extend(&op.results);
        uses.extend(&op.operands);
        op.regions.iter().flatten().for_each(|inner| collect(inner, own, uses));
    }
}

#[cfg(test)]
mod tests {
    use nnz_base::{ids::FileId, source::Source};
    use nnz_mlir::ir::Function;

    use super::*;

    fn main(text: &str) -> Function {
        let checked = nnz_check::mlir::check_mlir(&Source::new(FileId(0), "a.mlir", text));
        let mut modules = nnz_mlir::modules(&checked).expect("a program");
        modules.remove(0).functions.remove(0)
    }

    /// Through two regions, and not the values of the regions themselves.
    #[test]
    fn captured_values_come_from_outside() {
        let function = main(
            "func.func @main(%a: f64, %b: f64, %p: i1, %n: index) {\n  scf.for %i = %n to %n step %n {\n    \
             %c = arith.addf %a, %a : f64\n    scf.if %p {\n      %d = arith.addf %b, %c : f64\n      \
             vector.print %d : f64\n    }\n  }\n  return\n}\n",
        );
        let body = function.body.as_ref().expect("a body");
        let ids = [0, 1, 2].map(|at| body.arguments[at].value);
        assert_eq!(captured(&body.operations[0]), ids);
        assert!(reads(body, ids[1]) && !reads(body, ValueId::new(99)));
    }
}

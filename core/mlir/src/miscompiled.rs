//! Operations that MLIR 22 accepts and miscompiles, or crashes on, as far as their text shows it. nnz computes them as
//! they are meant; a hint tells those whose programs MLIR has to run, too.

mod kernel;

use crate::{
    ir::{Function, Op, Region},
    mistake::Mistake,
    types::Type,
};
use kernel::Kernel;
use nnz_base::{diagnostic::Code, source::Span};
use nnz_encoding::{Encoding, Layout};

/// The hints of a function, in the order of its text.
pub fn miscompiled(function: &Function) -> Vec<Mistake> {
    let mut found = Vec::new();
    function.body.iter().for_each(|body| in_region(function, body, &mut found));
    found
}

fn in_region(function: &Function, region: &Region, found: &mut Vec<Mistake>) {
    for op in region.blocks().flatten() {
        let of_op = RULES.iter().find(|(name, _)| *name == op.def.name);
        found.extend(of_op.and_then(|(_, rule)| rule(function, op)));
        match Kernel::of(op) {
            Some(kernel) => found.extend(kernel.miscompiled()),
            None => op.regions.iter().flatten().for_each(|inner| in_region(function, inner, found)),
        }
    }
}

fn hint(span: Span, message: impl Into<String>, label: &str) -> Mistake {
    Mistake::new(Code::MlirMiscompiles, span, message).label(label)
}

type Rule = fn(&Function, &Op) -> Option<Mistake>;

/// Those of single operations outside kernels.
const RULES: &[(&str, Rule)] = &[
    ("tensor.collapse_shape", collapsed),
    ("tensor.extract_slice", sliced),
    ("sparse_tensor.assemble", assembled),
    ("sparse_tensor.convert", folded),
];

/// The encoding of the first operand, and that of the first result.
fn encodings(op: &Op) -> (Option<&Encoding>, Option<&Encoding>) {
    let operand = op.operands.first().and_then(|operand| operand.ty.encoding());
    (operand, op.result_types.first().and_then(Type::encoding))
}

/// The order of storage is not that of the dimensions.
fn is_permuted(encoding: &Encoding) -> bool {
    let mut seen = Vec::new();
    for dim in encoding.levels().iter().flat_map(|level| level.expr.vars()) {
        if !seen.contains(&dim) {
            seen.push(dim);
        }
    }
    !seen.is_sorted()
}

fn collapsed(_: &Function, op: &Op) -> Option<Mistake> {
    encodings(op).0.filter(|encoding| is_permuted(encoding))?;
    let message = "MLIR 22 collapses in the order of storage, which transposes this tensor";
    let help = "convert it to an encoding that stores the dimensions in their order, before";
    Some(hint(op.span, message, "of a tensor that is stored in another order").help(help))
}

fn sliced(_: &Function, op: &Op) -> Option<Mistake> {
    let (Some(whole), Some(part)) = encodings(op) else { return None };
    let first = whole.levels().first()?.format;
    let message = "MLIR 22 loses rows of a slice whose outermost level is not dense";
    (part.is_slice() && !first.is_dense()).then(|| hint(op.span, message, "a slice of such a tensor"))
}

fn assembled(_: &Function, op: &Op) -> Option<Mistake> {
    let made = encodings(op).1?;
    if made.levels().iter().any(|level| level.format.block().is_some()) {
        let message = "MLIR 22 keeps only a part of the values of a `structured` level that it assembles";
        return Some(hint(op.span, message, "assembles a structured level"));
    }
    let separate = made.coo_segments().iter().any(|segment| segment.layout == Layout::Soa);
    let message = "MLIR 22 reads coordinates as values where it assembles levels with `soa`";
    let note = "with its run-time library; without it the result is right";
    separate.then(|| hint(op.span, message, "assembles arrays of coordinates").note(note))
}

/// A result that starts from `tensor.empty` is sparse, and converted to a plain array.
fn folded(function: &Function, op: &Op) -> Option<Mistake> {
    let (Some(_), None) = encodings(op) else { return None };
    let maker = function.maker(op.operands.first()?.value)?;
    let kernel = Kernel::of(maker).filter(Kernel::reduces)?;
    let start = function.maker(kernel.out()?.value)?;
    if start.def.name != "tensor.empty" {
        return None;
    }
    let message = "MLIR 22 adds the products to memory that it has not initialized, since it folds this conversion into the kernel";
    let found = hint(op.span, message, "a plain array of it");
    Some(found.secondary(maker.span, "this kernel").secondary(start.span, "starts from undefined contents"))
}

//! Functions, control flow and affine computations in words.

use super::{Words, row};

pub(super) const WORDS: &[Words] = &[
    row(
        "func.call",
        "calls a function of the file with values of the types that it takes",
        "what the function costs; tensors are handed over, not copied",
    ),
    row("func.return", "ends the function and gives its results", ""),
    row(
        "scf.for",
        "a loop from a lower bound to an upper one, excluded, by a step; `iter_args` are carried along",
        "its body once for each value",
    ),
    row(
        "scf.parallel",
        "a loop over several variables whose iterations do not depend on each other",
        "its body once for each point",
    ),
    row("scf.reduce", "ends the body of a parallel loop", ""),
    row("scf.if", "one of two regions, by a condition", ""),
    row("scf.index_switch", "the region of the case that a number is, or the default", ""),
    row(
        "scf.while",
        "runs its first region, and while that ends with a true condition the second",
        "both once for each round",
    ),
    row("scf.condition", "ends the first region of a `scf.while`: whether it goes on, and with what", ""),
    row("scf.execute_region", "runs a region of several blocks once", ""),
    row("scf.yield", "ends a region and gives its values", ""),
    row("cf.assert", "stops the program with a message unless the condition holds", ""),
    row("cf.br", "goes on at a block", ""),
    row("cf.cond_br", "goes on at one of two blocks, by a condition", ""),
    row("cf.switch", "goes on at the block of the case that a number is, or the default", ""),
    row("affine.apply", "the value of an affine map", ""),
    row("affine.max", "the greatest of the results of an affine map", ""),
    row("affine.min", "the least of the results of an affine map", ""),
];

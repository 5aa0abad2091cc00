//! Scalars from outside of a body that become operands of its kernel, so that one plan and one code serve all their
//! values. Others become numbers of it.

use std::collections::HashSet;

use super::super::{
    Generic,
    uses::{in_use, reads},
};
use crate::{machine::Frame, value::Value};
use nnz_mlir::{
    dialects::constant_of,
    ir::{Op, Operand, Region, ValueId},
};

/// Which scalars may become operands, the most first: a kernel that expressions do not represent with one list may be
/// one with the next. The last list is empty.
pub(super) fn lists<'o>(frame: &Frame<'_>, generic: &Generic<'o>) -> Vec<Vec<&'o Operand>> {
    let Some(body) = generic.op.region(0) else { return vec![Vec::new()] };
    let mut uses = Uses::default();
    uses.collect(body);
    let factors = uses.factors();
    let mut lists = Vec::new();
    if all_are_there(generic, body) || uses.are_linear(body) {
        lists.push(uses.captured(frame));
    }
    lists.extend([factors, Vec::new()]);
    lists.dedup_by_key(|list| list.iter().map(|operand| operand.value).collect::<Vec<_>>());
    lists
}

/// The body reads no operand with an encoding, so nothing is absent.
fn all_are_there(generic: &Generic<'_>, body: &Region) -> bool {
    let encoded = |value: &Value| matches!(value, Value::Sparse(_));
    let mut read = generic.values.iter().zip(&body.arguments).filter(|(_, argument)| reads(body, argument.value));
    !read.any(|(value, _)| encoded(value))
}

/// The uses of values in a body.
#[derive(Default)]
struct Uses<'o> {
    /// What the body computes itself.
    own: HashSet<ValueId>,
    factors: Vec<&'o Operand>,
    others: Vec<&'o Operand>,
}

impl<'o> Uses<'o> {
    fn collect(&mut self, region: &'o Region) {
        self.own.extend(region.arguments.iter().map(|argument| argument.value));
        for op in in_use(region) {
            self.own.extend(&op.results);
            let multiplies = matches!(op.def.name, "arith.mulf" | "arith.muli" | "complex.mul");
            if multiplies { &mut self.factors } else { &mut self.others }.extend(&op.operands);
            op.regions.iter().flatten().for_each(|inner| self.collect(inner));
        }
    }

    fn is_outside(&self, operand: &Operand) -> bool {
        !self.own.contains(&operand.value) && operand.ty.scalar().is_some()
    }

    /// Those that are factors alone: a product is absent where its other factor is, whatever they are.
    fn factors(&self) -> Vec<&'o Operand> {
        let only = |operand: &&&Operand| self.others.iter().all(|other| other.value != operand.value);
        distinct(self.factors.iter().filter(only).filter(|operand| self.is_outside(operand)).copied())
    }

    /// All but constants, which may leave no choice or be an identity; factors may be constants.
    fn captured(&self, frame: &Frame<'_>) -> Vec<&'o Operand> {
        let varies = |operand: &&&Operand| {
            self.is_outside(operand) && frame.function.maker(operand.value).and_then(constant_of).is_none()
        };
        let others = self.factors.iter().chain(&self.others).filter(varies).copied();
        distinct(self.factors().into_iter().chain(others))
    }

    /// Only sums, products and quotients by scalars from outside: presence does not depend on the value of a scalar.
    fn are_linear(&self, body: &Region) -> bool {
        in_use(body).all(|op| {
            let divisor = op.operands.get(1).is_some_and(|operand| self.is_outside(operand));
            op.regions.is_empty() && (is_linear(op) || divisor && is_quotient(op))
        })
    }
}

/// A sum, a product, or what makes zero of zero; an absent operand of it is no zero that a scalar could turn into another
/// number.
fn is_linear(op: &Op) -> bool {
    const LINEAR: &[&str] = &[
        "arith.addf",
        "arith.addi",
        "complex.add",
        "arith.subf",
        "arith.subi",
        "complex.sub",
        "arith.mulf",
        "arith.muli",
        "complex.mul",
        "arith.negf",
        "complex.neg",
        "arith.extf",
        "arith.truncf",
        "arith.sitofp",
        "arith.extsi",
        "arith.extui",
        "arith.constant",
        "complex.constant",
        "linalg.index",
        "linalg.yield",
    ];
    LINEAR.contains(&op.def.name)
}

fn is_quotient(op: &Op) -> bool {
    matches!(op.def.name, "arith.divf" | "arith.divsi" | "arith.divui" | "complex.div")
}

/// Each value once, in the order in which they were made.
fn distinct<'o>(operands: impl Iterator<Item = &'o Operand>) -> Vec<&'o Operand> {
    let mut found: Vec<&Operand> = operands.collect();
    found.sort_by_key(|operand| operand.value.index());
    found.dedup_by_key(|operand| operand.value);
    found
}

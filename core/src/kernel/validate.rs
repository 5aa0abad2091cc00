//! What makes a kernel valid. Checks, in order:
//! - the expression is no deeper than [`MAX_DEPTH`];
//! - accesses name tensors and variables that exist, with one index per dimension, and encodings have
//!   the rank of their tensors;
//! - the result uses no variable twice and is no operand;
//! - every variable has one extent, which at least one access gives it;
//! - tensors share one element type, literals are values of it, operations apply to it;
//! - reductions have variables and do not shadow any;
//! - it is clear where each sum belongs (see [`sums`]).

mod sums;

use std::collections::BTreeSet;

use super::{
    Access, BinaryOp, Expr, KernelError, Place, Tensor, UnaryOp,
    print::{Names, literal_text},
};
use crate::{
    element::{Element, Scalar},
    ids::IndexVar,
};

/// Picked by gut feeling: far beyond what people write, and far below what recursion can bear.
const MAX_DEPTH: usize = 400;

/// The extent of every variable.
pub(super) fn validate(
    tensors: &[Tensor],
    vars: &[String],
    result: &Access,
    expr: &Expr,
) -> Result<Vec<u64>, Vec<KernelError>> {
    let depth = expr.depth();
    if depth > MAX_DEPTH {
        return Err(vec![KernelError::TooDeep { limit: MAX_DEPTH }]);
    }
    let mut validator = Validator { tensors, vars, result, expr, errors: Vec::new() };
    validator.check_ids();
    validator.stop_on_error()?;
    let extents = validator.extents(Some(result));
    validator.check_result();
    validator.check_elements();
    validator.check_reductions();
    validator.stop_on_error()?;
    sums::check(result, expr, &validator.names()).map_err(|error| vec![*error])?;
    Ok(extents)
}

/// The shape that the operands give the result of `result = expr`; the result's own shape is not asked.
///
/// # Errors
/// Operands that disagree, or a variable of the result that none of them bounds.
pub fn result_shape(
    tensors: &[Tensor],
    vars: &[String],
    result: &Access,
    expr: &Expr,
) -> Result<Vec<u64>, Vec<KernelError>> {
    if expr.depth() > MAX_DEPTH {
        return Err(vec![KernelError::TooDeep { limit: MAX_DEPTH }]);
    }
    let mut validator = Validator { tensors, vars, result, expr, errors: Vec::new() };
    validator.check_operand_ids();
    validator.check_vars(&result.indices);
    validator.stop_on_error()?;
    let extents = validator.extents(None);
    validator.stop_on_error()?;
    Ok(result.indices.iter().map(|var| extents[var.index()]).collect())
}

struct Validator<'k> {
    tensors: &'k [Tensor],
    vars: &'k [String],
    result: &'k Access,
    expr: &'k Expr,
    errors: Vec<KernelError>,
}

impl<'k> Validator<'k> {
    fn stop_on_error(&mut self) -> Result<(), Vec<KernelError>> {
        if self.errors.is_empty() { Ok(()) } else { Err(std::mem::take(&mut self.errors)) }
    }
    fn names(&self) -> Names<'k> {
        Names {
            tensors: self.tensors.iter().map(|tensor| tensor.name.as_str()).collect(),
            vars: self.vars.iter().map(String::as_str).collect(),
        }
    }
    fn name(&self, var: IndexVar) -> String {
        self.vars[var.index()].clone()
    }

    fn check_ids(&mut self) {
        self.check_access(self.result, 0);
        self.check_operand_ids();
        for tensor in self.tensors {
            let ranks = tensor.encoding.as_ref().map(|encoding| (tensor.shape.len(), encoding.dim_rank()));
            if let Some((shape_rank, encoding_rank)) = ranks.filter(|(shape, encoding)| shape != encoding) {
                let tensor = tensor.name.clone();
                self.errors.push(KernelError::EncodingRank { tensor, shape_rank, encoding_rank });
            }
        }
    }

    fn check_operand_ids(&mut self) {
        for (at, access) in self.expr.accesses().into_iter().enumerate() {
            self.check_access(access, at + 1);
        }
        for node in self.expr.nodes() {
            if let Expr::Reduce { vars, .. } = node {
                self.check_vars(vars);
            }
        }
    }

    fn check_access(&mut self, access: &Access, number: usize) {
        let place = Place { access: number, index: None };
        self.check_vars(&access.indices);
        let Some(tensor) = self.tensors.get(access.tensor.index()) else {
            let (tensor, count) = (access.tensor.index(), self.tensors.len());
            return self.errors.push(KernelError::NoTensor { tensor, count, place });
        };
        let (rank, given) = (tensor.shape.len(), access.indices.len());
        if rank != given {
            self.errors.push(KernelError::Arity { tensor: tensor.name.clone(), rank, given, place });
        }
    }

    fn check_vars(&mut self, vars: &[IndexVar]) {
        let count = self.vars.len();
        let missing = vars.iter().filter(|var| var.index() >= count);
        self.errors.extend(missing.map(|var| KernelError::NoVariable { var: var.index(), count }));
    }

    /// The extent of every variable, from the operands and, where given, the result.
    fn extents(&mut self, result: Option<&'k Access>) -> Vec<u64> {
        let mut bounds: Vec<Option<(u64, &Tensor, Place)>> = vec![None; self.vars.len()];
        let operands = self.expr.accesses().into_iter().enumerate().map(|(at, access)| (at + 1, access));
        for (number, access) in operands.chain(result.map(|access| (0, access))) {
            let tensor = &self.tensors[access.tensor.index()];
            for (index, (var, extent)) in access.indices.iter().zip(&tensor.shape).enumerate() {
                let place = Place { access: number, index: Some(index) };
                match &bounds[var.index()] {
                    None => bounds[var.index()] = Some((*extent, tensor, place)),
                    Some((first, ..)) if first == extent => {}
                    Some(first) => self.errors.push(mismatch(self.name(*var), *first, (*extent, tensor, place))),
                }
            }
        }
        let unbounded = self.vars.iter().zip(&bounds).filter(|(_, bound)| bound.is_none());
        self.errors.extend(unbounded.map(|(var, _)| KernelError::Unbounded { var: var.clone() }));
        bounds.into_iter().map(|bound| bound.map_or(0, |(extent, ..)| extent)).collect()
    }

    fn check_result(&mut self) {
        let indices = &self.result.indices;
        let repeated = |at: &usize| indices[..*at].contains(&indices[*at]);
        for at in (0..indices.len()).filter(repeated) {
            let place = Place { access: 0, index: Some(at) };
            self.errors.push(KernelError::RepeatedInResult { var: self.name(indices[at]), place });
        }
        for (at, access) in self.expr.accesses().into_iter().enumerate() {
            if access.tensor == self.result.tensor {
                let tensor = self.tensors[access.tensor.index()].name.clone();
                let place = Place { access: at + 1, index: None };
                self.errors.push(KernelError::ResultIsOperand { tensor, place });
            }
        }
    }

    fn check_elements(&mut self) {
        let result = &self.tensors[self.result.tensor.index()];
        let mut seen = BTreeSet::new();
        for (at, access) in self.expr.accesses().into_iter().enumerate() {
            let tensor = &self.tensors[access.tensor.index()];
            if tensor.element != result.element && seen.insert(access.tensor) {
                self.errors.push(KernelError::MixedElements {
                    first: result.element,
                    first_tensor: result.name.clone(),
                    second: tensor.element,
                    second_tensor: tensor.name.clone(),
                    place: Place { access: at + 1, index: None },
                });
            }
        }
        let nodes = self.expr.nodes();
        self.errors.extend(nodes.into_iter().filter_map(|node| operation_error(node, result.element)));
    }

    fn check_reductions(&mut self) {
        for node in self.expr.nodes() {
            let Expr::Reduce { vars, body, .. } = node else { continue };
            if vars.is_empty() {
                self.errors.push(KernelError::EmptyReduction);
            }
            let bound_below = body.nodes().into_iter().flat_map(|inner| match inner {
                Expr::Reduce { vars, .. } => vars.clone(),
                _ => Vec::new(),
            });
            let shadowed = bound_below.chain(self.result.indices.iter().copied()).find(|var| vars.contains(var));
            self.errors.extend(shadowed.map(|var| KernelError::Shadowed { var: self.name(var) }));
        }
    }
}

fn mismatch(var: String, first: (u64, &Tensor, Place), second: (u64, &Tensor, Place)) -> KernelError {
    KernelError::ExtentMismatch {
        var,
        first: first.0,
        first_tensor: first.1.name.clone(),
        first_place: first.2,
        second: second.0,
        second_tensor: second.1.name.clone(),
        second_place: second.2,
    }
}

fn operation_error(expr: &Expr, element: Element) -> Option<KernelError> {
    let unless = |legal: bool, operation| (!legal).then_some(KernelError::NoOperation { operation, element });
    match expr {
        Expr::Literal(scalar) => literal_error(*scalar, element),
        Expr::Unary(UnaryOp::Neg, _) => None,
        Expr::Unary(UnaryOp::Abs, _) => unless(!element.is_complex(), UnaryOp::Abs.name()),
        Expr::Unary(op, _) => unless(element.is_float(), op.name()),
        Expr::Binary(op @ (BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow), ..) => {
            unless(!element.is_complex(), op.name())
        }
        Expr::Reduce { op: op @ (super::ReduceOp::Min | super::ReduceOp::Max), .. } => {
            unless(!element.is_complex(), op.name())
        }
        Expr::Access(_) | Expr::Binary(..) | Expr::Reduce { .. } => None,
    }
}

/// Whole numbers are values of every type that can hold them; fractions only of floats and complex numbers.
fn literal_error(scalar: Scalar, element: Element) -> Option<KernelError> {
    let fits = match (scalar, element.int_range()) {
        (Scalar::Int(n), Some((low, high))) => (low..=high).contains(&n),
        (Scalar::Int(_), None) => true,
        (Scalar::Float(_), range) => range.is_none(),
        (Scalar::Complex(_), _) => element.is_complex(),
    };
    (!fits).then(|| KernelError::LiteralType { literal: literal_text(scalar), element })
}

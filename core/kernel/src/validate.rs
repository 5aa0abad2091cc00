//! What makes a kernel valid. Checks, in order:
//! - the expression is no deeper than [`MAX_DEPTH`];
//! - accesses name tensors and variables that exist, with one index per dimension, and encodings have
//!   the rank of their tensors;
//! - the result uses no variable twice and is no operand;
//! - every variable has one extent, which at least one access gives it, and no index leaves its
//!   dimension (see `extents`);
//! - the operands of an operation have one element type, to which it applies; so do the right side and the result;
//! - no type is too narrow for the values of a variable, or for the places that a reduction finds;
//! - reductions have variables, each named once, and do not shadow any;
//! - the presence of an operand of `unary` and `binary` does not depend on values;
//! - the place of each implicit sum is unambiguous (see [`sums`]).
//!
//! The last two concern the text as written, so a kernel derived from a valid one is not checked for them
//! again.

mod sums;

use super::{
    Access, AccessRef, Expr, KernelError, ResultAccess, Tensor, VarDecl, closed,
    extents::{self, Use},
    print::Names,
    typing,
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    ids::IndexVar,
};

/// Picked by gut feeling: far beyond what people write, and far below what recursion can bear.
const MAX_DEPTH: usize = 400;

/// The left side, and the extent of every variable, of a kernel as written.
pub(super) fn validate(
    tensors: &[Tensor],
    vars: &[VarDecl],
    result: &Access,
    expr: &Expr,
) -> Result<(ResultAccess, Vec<u64>), Vec<KernelError>> {
    let mut validator = Validator::new(tensors, vars, result, expr, MAX_DEPTH)?;
    let (target, extents) = validator.validate()?;
    validator.check_presence();
    validator.stop_on_error()?;
    sums::check(&target, expr, &validator.names()).map_err(|error| vec![*error])?;
    Ok((target, extents))
}

/// The same of a kernel that is made of a valid one, and may be deeper.
pub(super) fn validate_rewritten(
    tensors: &[Tensor],
    vars: &[VarDecl],
    result: &Access,
    expr: &Expr,
) -> Result<(ResultAccess, Vec<u64>), Vec<KernelError>> {
    Validator::new(tensors, vars, result, expr, 2 * MAX_DEPTH)?.validate()
}

/// The shape that the operands give the result of `result = expr`; the result's own shape is ignored.
///
/// # Errors
/// Operands that disagree, or a variable of the result that none of them bounds.
pub fn result_shape(
    tensors: &[Tensor],
    vars: &[VarDecl],
    result: &Access,
    expr: &Expr,
) -> Result<Vec<u64>, Vec<KernelError>> {
    let mut validator = Validator::new(tensors, vars, result, expr, MAX_DEPTH)?;
    validator.check_operand_ids();
    validator.check_vars(result.vars());
    let target = validator.target();
    validator.stop_on_error()?;
    let extents = validator.extents(None);
    validator.stop_on_error()?;
    Ok(target.indices.iter().map(|var| extents[var.index()]).collect())
}

struct Validator<'k> {
    tensors: &'k [Tensor],
    vars: &'k [VarDecl],
    result: &'k Access,
    expr: &'k Expr,
    errors: Vec<KernelError>,
}

impl<'k> Validator<'k> {
    fn new(
        tensors: &'k [Tensor],
        vars: &'k [VarDecl],
        result: &'k Access,
        expr: &'k Expr,
        limit: usize,
    ) -> Result<Validator<'k>, Vec<KernelError>> {
        match expr.depth() > limit {
            true => Err(vec![KernelError::TooDeep { limit }]),
            false => Ok(Validator { tensors, vars, result, expr, errors: Vec::new() }),
        }
    }

    fn validate(&mut self) -> Result<(ResultAccess, Vec<u64>), Vec<KernelError>> {
        self.check_ids();
        self.stop_on_error()?;
        let extents = self.extents(Some(self.result));
        let target = self.target();
        self.check_elements(&extents);
        self.check_reductions();
        self.stop_on_error()?;
        Ok((target, extents))
    }

    fn stop_on_error(&mut self) -> Result<(), Vec<KernelError>> {
        if self.errors.is_empty() { Ok(()) } else { Err(std::mem::take(&mut self.errors)) }
    }
    fn names(&self) -> Names<'k> {
        Names {
            tensors: self.tensors.iter().map(|tensor| tensor.name.as_str()).collect(),
            vars: self.vars.iter().map(|var| var.name.as_str()).collect(),
        }
    }
    fn name(&self, var: IndexVar) -> String {
        self.vars[var.index()].name.clone()
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
                self.check_vars(vars.iter().copied());
            } else if let Expr::Index(var, _) = node {
                self.check_vars([*var].into_iter());
            }
        }
    }

    fn check_access(&mut self, access: &Access, number: usize) {
        let place = AccessRef { access: number, index: None };
        self.check_vars(access.vars());
        let Some(tensor) = self.tensors.get(access.tensor.index()) else {
            let (tensor, count) = (access.tensor.index(), self.tensors.len());
            return self.errors.push(KernelError::NoTensor { tensor, count, place });
        };
        let (rank, given) = (tensor.shape.len(), access.indices.len());
        if rank != given {
            self.errors.push(KernelError::Arity { tensor: tensor.name.clone(), rank, given, place });
        }
    }

    fn check_vars(&mut self, vars: impl Iterator<Item = IndexVar>) {
        let count = self.vars.len();
        let missing = vars.filter(|var| var.index() >= count);
        self.errors.extend(missing.map(|var| KernelError::NoVariable { var: var.index(), count }));
    }

    /// The extent of every variable, from the operands and, where given, the result.
    fn extents(&mut self, result: Option<&'k Access>) -> Vec<u64> {
        let operands = self.expr.accesses().into_iter().enumerate().map(|(at, access)| (at + 1, access));
        let mut uses = Vec::new();
        for (number, access) in operands.chain(result.map(|access| (0, access))) {
            let tensor = &self.tensors[access.tensor.index()];
            uses.extend(tensor.shape.iter().enumerate().take(access.indices.len()).map(|(dim, size)| Use {
                access,
                tensor,
                place: AccessRef { access: number, index: Some(dim) },
                dim,
                size: *size,
            }));
        }
        let names = self.names();
        let given: Vec<Option<u64>> = self.vars.iter().map(|var| var.extent).collect();
        extents::extents(&uses, &given, &names, &mut self.errors)
    }

    /// The result's variables, which are distinct.
    fn target(&mut self) -> ResultAccess {
        let mut indices: Vec<IndexVar> = Vec::new();
        for (at, index) in self.result.indices.iter().enumerate() {
            let place = AccessRef { access: 0, index: Some(at) };
            match index.as_var() {
                None => self.errors.push(KernelError::ResultIndex { index: self.names().index(index), place }),
                Some(var) if indices.contains(&var) => {
                    self.errors.push(KernelError::RepeatedInResult { var: self.name(var), place });
                }
                Some(var) => indices.push(var),
            }
        }
        for (at, access) in self.expr.accesses().into_iter().enumerate() {
            if access.tensor == self.result.tensor {
                let tensor = self.tensors[access.tensor.index()].name.clone();
                let place = AccessRef { access: at + 1, index: None };
                self.errors.push(KernelError::ResultIsOperand { tensor, place });
            }
        }
        ResultAccess { tensor: self.result.tensor, indices }
    }

    fn check_elements(&mut self, extents: &[u64]) {
        let names = self.names();
        self.errors.extend(typing::check(self.tensors, self.expr, &names));
        let narrow = |node| self.narrow_index(node, extents).or_else(|| self.narrow_place(node, extents));
        let narrow = self.expr.nodes().into_iter().filter_map(narrow);
        let narrow: Vec<KernelError> = narrow.collect();
        self.errors.extend(narrow);
        let result = &self.tensors[self.result.tensor.index()];
        let found = self.expr.element(&|tensor| self.tensors[tensor.index()].element);
        if self.errors.is_empty() && found != result.element {
            let (tensor, element, expr) = (result.name.clone(), result.element, names.expr(self.expr));
            let computed = self.expr.computed_in(element, found);
            // Of a sum without a word each term would be converted before it is added up.
            let converted = if matches!(computed, Expr::Cast(..)) {
                let left: Vec<IndexVar> = self.result.vars().collect();
                Expr::Cast(element, Box::new(closed::written_out(self.expr, &left)))
            } else {
                computed
            };
            let converted = names.expr(&converted);
            self.errors.push(KernelError::ResultElement { tensor, element, expr, found, converted });
        }
    }

    /// A variable whose values the type cannot hold.
    fn narrow_index(&self, node: &Expr, extents: &[u64]) -> Option<KernelError> {
        let Expr::Index(var, element) = node else { return None };
        let last = extents.get(var.index())?.saturating_sub(1);
        (!holds(*element, last)).then(|| KernelError::NarrowIndex { var: self.name(*var), last, element: *element })
    }

    /// A place in a type that cannot hold the extent, which is the place where there are no terms.
    fn narrow_place(&self, node: &Expr, extents: &[u64]) -> Option<KernelError> {
        let Expr::Cast(element, found) = node else { return None };
        let Expr::Reduce { op, vars, .. } = &**found else { return None };
        let var = vars.first().filter(|_| op.is_place())?;
        let (var, most, operation) = (self.name(*var), *extents.get(var.index())?, op.name());
        (!holds(*element, most)).then_some(KernelError::NarrowPlace { operation, var, most, element: *element })
    }

    /// Whether an operand of `unary` or `binary` is present must not depend on values.
    fn check_presence(&mut self) {
        let by_value =
            |node: &Expr| matches!(node, Expr::Select { cond, other: None, .. } if !cond.is_index_condition());
        let open = |of: &Expr| of.nodes().into_iter().any(by_value);
        for node in self.expr.nodes() {
            if let Expr::Present { of, .. } = node
                && open(of)
            {
                self.errors.push(KernelError::OpenPresence { expr: self.names().expr(of) });
            }
        }
    }

    fn check_reductions(&mut self) {
        for node in self.expr.nodes() {
            let Expr::Reduce { vars, body, .. } = node else { continue };
            if vars.is_empty() {
                self.errors.push(KernelError::EmptyReduction);
            }
            let twice = vars.iter().enumerate().find(|(at, var)| vars[..*at].contains(var));
            self.errors.extend(twice.map(|(_, var)| KernelError::ReducedTwice { var: self.name(*var) }));
            let bound_below = body.bound_vars().into_iter();
            let shadowed = bound_below.chain(self.result.vars()).find(|var| vars.contains(var));
            self.errors.extend(shadowed.map(|var| KernelError::Shadowed { var: self.name(var) }));
        }
    }
}

/// Whether a type holds a coordinate: no integer type wraps, no floating-point type gives `inf`.
fn holds(element: Element, coordinate: u64) -> bool {
    let float = || Values::from_scalars(element, [Scalar::Float(coordinate as f64)]).get(0).map(Scalar::as_f64);
    match element.int_range() {
        Some((_, high)) => i128::from(coordinate) <= high,
        None => !element.is_float() || float().is_none_or(f64::is_finite),
    }
}

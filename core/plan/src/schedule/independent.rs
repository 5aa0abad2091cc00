//! Whether the iterations of a loop are independent: no two write the same entry of an array, and none reads an entry
//! that another one writes.
//!
//! An array is safe if the place of every access determines its iteration, in the same way for all accesses.
//! Places are decomposed as lowering builds them: `row * size + column` with `column` below `size`, and
//! segments of positions, which do not overlap. A place that cannot be decomposed counts as a conflict.

use std::collections::HashMap;

use super::{accesses::Accesses, draft::Draft};
use crate::{
    iterate::Plan,
    lower::{ArrayBinding, ScalarBinding},
};
use nnz_base::ids::{Lvl, TensorId};
use nnz_encoding::LevelFormat;
use nnz_loops::{ArrayId, Binary, Builder, Expr, ExprId, Stmt, VarId, visit};

/// Why iterations are not known to be independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// Two iterations may meet at an entry of this array.
    Array(String),
    /// Each iteration continues with the value of this variable that the one before has left.
    Carried(String),
}

/// How to compute the iteration from a place. If all accesses to an array have the same owner, equal places belong to
/// equal iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    /// The place is the iteration.
    Itself,
    /// Subtract this number first.
    Plus(ExprId, Box<Owner>),
    /// Divide by this size first, rounded down.
    Quotient(ExprId, Box<Owner>),
    /// Take the remainder of division by this size first.
    Remainder(ExprId, Box<Owner>),
    /// Find the segment of these positions in which the place lies.
    Segment(ArrayId, Box<Owner>),
    /// Find the position at which this array of distinct coordinates has the place.
    Coordinate(ArrayId, Box<Owner>),
}

/// The function around a loop, as far as proofs need it.
pub(super) struct Context<'d> {
    b: &'d Builder,
    plan: &'d Plan,
    arrays: &'d [ArrayBinding],
    scalars: &'d [ScalarBinding],
    lets: HashMap<VarId, ExprId>,
    ranges: HashMap<VarId, [ExprId; 2]>,
}

impl<'d> Context<'d> {
    /// `around` holds every loop and definition that a proof may use: those around the loop, the loop itself, and those
    /// in it.
    pub(super) fn new(draft: &'d Draft, plan: &'d Plan, around: &[Stmt]) -> Context<'d> {
        let Draft { b, arrays, scalars, .. } = draft;
        let mut context = Context { b, plan, arrays, scalars, lets: HashMap::new(), ranges: HashMap::new() };
        context.collect(around);
        context
    }

    pub(super) fn collect(&mut self, block: &[Stmt]) {
        visit::each(block, &mut |stmt| {
            if let Stmt::Let { var, value } = stmt {
                self.lets.insert(*var, *value);
            } else if let Stmt::For { var, lo, hi, .. } = stmt {
                self.ranges.insert(*var, [*lo, *hi]);
            }
        });
    }

    /// Checks that the iterations of the loop over `var` with this `body` are independent, for fixed values of the
    /// variables outside it.
    pub(super) fn check(&self, var: VarId, body: &[Stmt]) -> Result<(), Conflict> {
        self.check_all(var, body, None)
    }

    /// As [`Context::check`], but `other`, the variable of the next loop outside or inside, is not fixed: for any two
    /// values of `var` no access may conflict, whatever the values of `other`.
    pub(super) fn check_all(&self, var: VarId, body: &[Stmt], other: Option<VarId>) -> Result<(), Conflict> {
        let mut found = Accesses::of(self.b, body);
        found.declared.extend(other);
        if let Some(carried) = found.assigned.iter().find(|var| !found.declared.contains(var)) {
            return Err(Conflict::Carried(self.b.var_name(*carried).to_string()));
        }
        for array in &found.written {
            let proof = Proof { context: self, var, found: &found };
            let places = found.places.iter().filter(|(other, _)| other == array).map(|(_, place)| *place);
            let owners: Option<Vec<Owner>> = places.map(|place| proof.owner(place)).collect();
            let alike = owners.is_some_and(|owners| owners.windows(2).all(|pair| pair[0] == pair[1]));
            if !alike || found.unplaced.contains(array) {
                return Err(Conflict::Array(self.b.array_name(*array).to_string()));
            }
        }
        Ok(())
    }

    fn get(&self, id: ExprId) -> Option<&Expr> {
        self.b.get(id)
    }

    /// The expression, with a variable that a `let` defines replaced by its value.
    fn resolved(&self, id: ExprId) -> ExprId {
        match self.get(id) {
            Some(Expr::Var(var)) => self.lets.get(var).map_or(id, |value| self.resolved(*value)),
            _ => id,
        }
    }

    fn binary(&self, id: ExprId) -> Option<(Binary, ExprId, ExprId)> {
        let Expr::Binary(op, a, b) = self.get(self.resolved(id))? else { return None };
        Some((*op, *a, *b))
    }

    // Sizes.

    /// Whether `0 <= place < size` in every iteration.
    fn below(&self, place: ExprId, size: ExprId) -> bool {
        let in_strip = || {
            let (Binary::Add, start, within) = self.binary(place)? else { return None };
            let Some(Expr::Var(var)) = self.get(within) else { return None };
            let (Binary::Min, _, rest) = self.binary(self.ranges.get(var)?[1])? else { return None };
            let (Binary::Sub, whole, before) = self.binary(rest)? else { return None };
            Some(self.resolved(whole) == self.resolved(size) && before == start)
        };
        let bounded = || Some(self.most(place)? < self.number(size)?);
        self.is_natural(place) && (bounded() == Some(true) || in_strip() == Some(true))
    }

    /// The value of a size, if it is a literal or follows from the shapes of this kernel.
    fn number(&self, size: ExprId) -> Option<i128> {
        match self.get(self.resolved(size))? {
            Expr::Index(number) => Some((*number).into()),
            Expr::Var(var) if self.b.is_param(*var) => match self.scalars.get(var.index())? {
                ScalarBinding::Extent(var) => Some(self.plan.kernel.var(*var).extent.into()),
                ScalarBinding::LevelSize(..)
                | ScalarBinding::DimSize(..)
                | ScalarBinding::LevelOrigin(..)
                | ScalarBinding::BatchPart(_)
                | ScalarBinding::Value(_)
                | ScalarBinding::ResultEntries
                | ScalarBinding::Parts
                | ScalarBinding::Room
                | ScalarBinding::Slots => None,
            },
            Expr::Bool(_)
            | Expr::Value(..)
            | Expr::Var(_)
            | Expr::Load { .. }
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select { .. }
            | Expr::Cast { .. } => None,
        }
    }

    /// An upper bound of the expression's values.
    fn most(&self, id: ExprId) -> Option<i128> {
        let id = self.resolved(id);
        if let Some(number) = self.number(id) {
            return Some(number);
        }
        match *self.get(id)? {
            Expr::Var(var) => Some(self.most(self.ranges.get(&var)?[1])? - 1),
            Expr::Binary(Binary::Min, a, b) => match (self.most(a), self.most(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            Expr::Binary(Binary::Add, a, b) => self.most(a)?.checked_add(self.most(b)?),
            Expr::Binary(Binary::Mul, a, b) if self.is_natural(a) && self.is_natural(b) => {
                self.most(a)?.checked_mul(self.most(b)?)
            }
            Expr::Binary(Binary::Div, a, b) if self.is_natural(a) => self.most(a)?.checked_div(self.number(b)?),
            Expr::Binary(Binary::Rem, _, b) => Some(self.number(b)? - 1),
            Expr::Load { array, .. } => self.dimension_of(array).map(|size| i128::from(size) - 1),
            Expr::Index(_)
            | Expr::Bool(_)
            | Expr::Value(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select { .. }
            | Expr::Cast { .. } => None,
        }
    }

    /// Whether no value of the expression is below 0.
    fn is_natural(&self, id: ExprId) -> bool {
        let id = self.resolved(id);
        match self.get(id) {
            Some(Expr::Index(number)) => *number >= 0,
            Some(Expr::Var(var)) if self.b.is_param(*var) => self.number(id).is_some(),
            Some(Expr::Var(var)) => self.ranges.get(var).is_some_and(|[lo, _]| self.is_natural(*lo)),
            Some(Expr::Load { .. }) => true,
            Some(Expr::Binary(op, a, b)) => {
                matches!(op, Binary::Add | Binary::Mul | Binary::Div | Binary::Rem | Binary::Min)
                    && self.is_natural(*a)
                    && self.is_natural(*b)
            }
            _ => false,
        }
    }

    // What storage promises.

    fn format(&self, tensor: TensorId, lvl: Lvl) -> Option<LevelFormat> {
        let encoding = self.plan.kernel.tensor(tensor).encoding.as_ref()?;
        let plain = encoding.batch_rank() == 0 && !encoding.is_slice();
        (plain && lvl.index() < encoding.lvl_rank()).then(|| encoding.format(lvl))
    }

    /// The size of the dimension whose coordinates are in the array.
    fn dimension_of(&self, array: ArrayId) -> Option<u64> {
        let ArrayBinding::Coordinates(tensor, lvl) = *self.arrays.get(array.index())? else { return None };
        self.format(tensor, lvl).filter(|format| format.lists_entries())?;
        let tensor = self.plan.kernel.tensor(tensor);
        let dim = tensor.encoding.as_ref()?.levels().get(lvl.index())?.expr.as_var()?;
        tensor.shape.get(dim.index()).copied()
    }

    /// Whether the array's neighbouring entries delimit segments, which do not overlap.
    fn has_segments(&self, array: ArrayId) -> bool {
        let Some(ArrayBinding::Positions(tensor, lvl)) = self.arrays.get(array.index()) else { return false };
        self.format(*tensor, *lvl).is_some_and(LevelFormat::lists_entries)
    }

    /// Whether no coordinate occurs twice in the array, as in that of an outermost unique level.
    fn is_distinct(&self, array: ArrayId) -> bool {
        let outermost =
            matches!(self.arrays.get(array.index()), Some(ArrayBinding::Coordinates(_, lvl)) if lvl.index() == 0);
        outermost && self.has_unique(array)
    }

    /// Whether no coordinate is twice in a segment of the array.
    fn has_unique(&self, array: ArrayId) -> bool {
        let Some(ArrayBinding::Coordinates(tensor, lvl)) = self.arrays.get(array.index()) else { return false };
        let Some(format) = self.format(*tensor, *lvl).filter(|format| format.lists_entries()) else { return false };
        let below = self.format(*tensor, Lvl::new(lvl.index() + 1));
        !format.props().nonunique && !below.is_some_and(|format| format.is_branchless())
    }

    /// Whether the positions are those of the level that has the coordinates.
    fn are_of_one_level(&self, positions: ArrayId, coordinates: ArrayId) -> bool {
        let binding = |array: ArrayId| self.arrays.get(array.index());
        match (binding(positions), binding(coordinates)) {
            (Some(ArrayBinding::Positions(tensor, lvl)), Some(ArrayBinding::Coordinates(other, of))) => {
                (tensor, lvl) == (other, of)
            }
            _ => false,
        }
    }
}

/// The proof for one loop.
struct Proof<'c, 'd> {
    context: &'c Context<'d>,
    var: VarId,
    found: &'c Accesses,
}

impl Proof<'_, '_> {
    /// How to compute the iteration from a place, if that is possible.
    fn owner(&self, place: ExprId) -> Option<Owner> {
        let context = self.context;
        match *context.get(place)? {
            Expr::Var(var) if var == self.var => Some(Owner::Itself),
            Expr::Var(var) => match (context.lets.get(&var), context.ranges.get(&var)) {
                (Some(value), _) => self.owner(*value),
                (None, Some(range)) => self.segment(*range),
                (None, None) => None,
            },
            Expr::Binary(Binary::Add, a, b) => self.sum(a, b),
            Expr::Binary(Binary::Mul, a, b) => {
                context.number(b).filter(|size| *size > 0)?;
                Some(Owner::Quotient(b, Box::new(self.owner(a)?)))
            }
            Expr::Load { array, index } if context.is_distinct(array) || self.is_in_segment(array, index) => {
                Some(Owner::Coordinate(array, Box::new(self.owner(index)?)))
            }
            Expr::Index(_)
            | Expr::Bool(_)
            | Expr::Value(..)
            | Expr::Load { .. }
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select { .. }
            | Expr::Cast { .. } => None,
        }
    }

    fn sum(&self, a: ExprId, b: ExprId) -> Option<Owner> {
        let context = self.context;
        if let Some((Binary::Mul, quotient, size)) = context.binary(a) {
            if let Some(whole) = self.put_together(quotient, size, b) {
                return self.owner(whole);
            }
            if self.is_fixed(size) && context.below(b, size) {
                let quotient = self.owner(quotient).map(|owner| Owner::Quotient(size, Box::new(owner)));
                return quotient.or_else(|| Some(Owner::Remainder(size, Box::new(self.owner(b)?))));
            }
        }
        match (self.is_fixed(a), self.is_fixed(b)) {
            (_, true) => Some(Owner::Plus(b, Box::new(self.owner(a)?))),
            (true, _) => Some(Owner::Plus(a, Box::new(self.owner(b)?))),
            _ => None,
        }
    }

    /// `x`, where `quotient` is `x / size` and `rest` is `x % size`.
    fn put_together(&self, quotient: ExprId, size: ExprId, rest: ExprId) -> Option<ExprId> {
        let (Binary::Div, whole, divisor) = self.context.binary(quotient)? else { return None };
        let (Binary::Rem, other, modulus) = self.context.binary(rest)? else { return None };
        (whole == other && divisor == size && modulus == size).then_some(whole)
    }

    /// The owner of the entries that a loop over the positions of a segment visits.
    fn segment(&self, range: [ExprId; 2]) -> Option<Owner> {
        let (positions, of) = self.segment_of(range)?;
        Some(Owner::Segment(positions, Box::new(self.owner(of)?)))
    }

    /// The array whose neighbours, from this place on, bound a segment.
    fn segment_of(&self, [lo, hi]: [ExprId; 2]) -> Option<(ArrayId, ExprId)> {
        let context = self.context;
        let (Expr::Load { array, index }, Expr::Load { array: other, index: next }) =
            (context.get(context.resolved(lo))?, context.get(context.resolved(hi))?)
        else {
            return None;
        };
        let (Binary::Add, before, one) = context.binary(*next)? else { return None };
        let follows = array == other && before == *index && context.b.index_literal(one) == Some(1);
        (follows && context.has_segments(*array)).then_some((*array, *index))
    }

    /// Whether the loop runs over one segment of the array, whose coordinates are distinct there.
    fn is_in_segment(&self, coordinates: ArrayId, position: ExprId) -> bool {
        let context = self.context;
        let itself = matches!(context.get(position), Some(Expr::Var(var)) if *var == self.var);
        let Some(range) = context.ranges.get(&self.var).filter(|_| itself && context.has_unique(coordinates)) else {
            return false;
        };
        let fixed = range.iter().all(|bound| self.is_fixed(context.resolved(*bound)));
        fixed && self.segment_of(*range).is_some_and(|(positions, _)| context.are_of_one_level(positions, coordinates))
    }

    /// Whether the expression has the same value in all iterations.
    fn is_fixed(&self, id: ExprId) -> bool {
        let Some(expr) = self.context.get(id) else { return false };
        let itself = match expr {
            Expr::Var(var) => !self.found.declared.contains(var) && *var != self.var,
            Expr::Load { array, .. } => !self.found.written.contains(array),
            Expr::Index(_)
            | Expr::Bool(_)
            | Expr::Value(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select { .. }
            | Expr::Cast { .. } => true,
        };
        itself && expr.operands().into_iter().all(|operand| self.is_fixed(operand))
    }
}

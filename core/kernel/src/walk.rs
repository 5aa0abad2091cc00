//! Walks over expressions.

use std::collections::BTreeSet;

use super::{Access, BinaryOp, Expr, Literal, Over, ReduceOp, UnaryOp};
use nnz_base::{element::Element, ids::IndexVar};

/// An expression as additions see it.
#[derive(Clone, Copy, Debug)]
pub enum Sum<'e> {
    /// `a + b`, or `a - b`.
    Two { a: &'e Expr, b: &'e Expr, subtracted: bool },
    /// `-a`
    Negated(&'e Expr),
    /// Anything else.
    Term(&'e Expr),
}

/// The variables in their order, without repetitions.
fn each_once(vars: impl IntoIterator<Item = IndexVar>) -> Vec<IndexVar> {
    let mut seen = BTreeSet::new();
    vars.into_iter().filter(|var| seen.insert(*var)).collect()
}

impl Expr {
    /// The operands of this expression, in the order of the text.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => Vec::new(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Reduce { body: a, .. } => vec![a],
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) | Expr::Onto { from: a, reduce: b } => vec![a, b],
            Expr::Select { cond, then, other } => [cond, then].into_iter().chain(other).map(|part| &**part).collect(),
            Expr::Present { of, then, other } => {
                [of].into_iter().chain(then).chain(other).map(|part| &**part).collect()
            }
        }
    }

    /// This expression and all below it, in the order of the text, outer before inner.
    pub fn nodes(&self) -> Vec<&Expr> {
        let mut pending = vec![self];
        let mut nodes = Vec::new();
        while let Some(expr) = pending.pop() {
            nodes.push(expr);
            pending.extend(expr.operands().into_iter().rev());
        }
        nodes
    }

    /// The accesses, in the order of the text.
    pub fn accesses(&self) -> Vec<&Access> {
        let access = |expr: &'_ Expr| matches!(expr, Expr::Access(_));
        let accesses = self.nodes().into_iter().filter(|expr| access(expr));
        accesses.filter_map(|expr| if let Expr::Access(access) = expr { Some(access) } else { None }).collect()
    }

    /// The same expression with the accesses for which `replace` gives another one replaced.
    pub fn with_accesses(&self, replace: &dyn Fn(&Access) -> Option<Access>) -> Expr {
        self.replaced(&|part| if let Expr::Access(access) = part { replace(access).map(Expr::Access) } else { None })
    }

    /// The same expression with the largest parts for which `replace` gives another one replaced.
    pub fn replaced(&self, replace: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        replace(self).unwrap_or_else(|| self.with_parts(&|part| part.replaced(replace)))
    }

    /// The same operation on its operands, changed by `change`.
    pub fn with_parts(&self, change: &dyn Fn(&Expr) -> Expr) -> Expr {
        let part = |expr: &Expr| Box::new(change(expr));
        let maybe = |expr: &Option<Box<Expr>>| expr.as_deref().map(part);
        match self {
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => self.clone(),
            Expr::Unary(op, a) => Expr::Unary(*op, part(a)),
            Expr::Cast(to, a) => Expr::Cast(*to, part(a)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, part(a), part(b)),
            Expr::Compare(op, a, b) => Expr::Compare(*op, part(a), part(b)),
            Expr::Select { cond, then, other } => {
                Expr::Select { cond: part(cond), then: part(then), other: maybe(other) }
            }
            Expr::Present { of, then, other } => Expr::Present { of: part(of), then: maybe(then), other: maybe(other) },
            Expr::Onto { from, reduce } => Expr::Onto { from: part(from), reduce: part(reduce) },
            Expr::Reduce { op, over, vars, body } => {
                Expr::Reduce { op: op.clone(), over: *over, vars: vars.clone(), body: part(body) }
            }
        }
    }

    /// The expression with the variable `to` for `from`, where reductions bind it, too.
    pub fn renamed(&self, from: IndexVar, to: IndexVar) -> Expr {
        let other = |var: IndexVar| if var == from { to } else { var };
        match self {
            Expr::Access(access) => {
                let indices = access.indices.iter().map(|index| index.renamed(other)).collect();
                Expr::Access(Access { tensor: access.tensor, indices })
            }
            Expr::Index(var, element) => Expr::Index(other(*var), *element),
            Expr::Reduce { op, over, vars, body } => {
                let vars = vars.iter().map(|var| other(*var)).collect();
                Expr::Reduce { op: op.clone(), over: *over, vars, body: Box::new(body.renamed(from, to)) }
            }
            Expr::Literal(_) | Expr::Slot(..) | Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) => {
                self.with_parts(&|part| part.renamed(from, to))
            }
            Expr::Cast(..) | Expr::Select { .. } | Expr::Present { .. } | Expr::Onto { .. } => {
                self.with_parts(&|part| part.renamed(from, to))
            }
        }
    }

    /// The expression with `to` for `from` in the reductions that bind it.
    pub fn bound_renamed(&self, from: IndexVar, to: IndexVar) -> Expr {
        self.replaced(&|part| {
            let Expr::Reduce { vars, .. } = part else { return None };
            vars.contains(&from).then(|| part.renamed(from, to))
        })
    }

    /// The expression converted from one type to another: before it is added up or multiplied, if the other holds more.
    pub(super) fn computed_in(&self, to: Element, from: Element) -> Expr {
        let wider = from.is_integer() && (!to.is_integer() || to.bytes() > from.bytes() || from == Element::I1);
        let part = |part: &Expr| part.computed_in(to, from);
        match self {
            Expr::Reduce { op: ReduceOp::Sum | ReduceOp::Prod, .. } | Expr::Unary(UnaryOp::Neg, _) if wider => {
                self.with_parts(&part)
            }
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) if wider => self.with_parts(&part),
            // A quotient of whole numbers is cut before it is converted.
            Expr::Binary(BinaryOp::Div, ..) if from.is_integer() && !to.is_integer() => self.with_parts(&part),
            Expr::Literal(number) if wider => Expr::literal(to, number.value),
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => Expr::Cast(to, Box::new(self.clone())),
        }
    }

    /// The variables used and not bound by a reduction inside, each once, in the order of the text.
    pub fn free_vars(&self) -> Vec<IndexVar> {
        let mut vars: Vec<IndexVar> = match self {
            Expr::Access(access) => access.vars().collect(),
            Expr::Index(var, _) => vec![*var],
            Expr::Literal(_)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => self.operands().into_iter().flat_map(Expr::free_vars).collect(),
        };
        if let Expr::Reduce { vars: bound, .. } = self {
            let bound: BTreeSet<&IndexVar> = bound.iter().collect();
            vars.retain(|var| !bound.contains(var));
        }
        each_once(vars)
    }

    /// The variables that reductions inside bind, each once, in the order of the text.
    pub fn bound_vars(&self) -> Vec<IndexVar> {
        let nodes = self.nodes().into_iter();
        each_once(nodes.flat_map(|node| if let Expr::Reduce { vars, .. } = node { &vars[..] } else { &[] }).copied())
    }

    /// Whether a variable is used in it or bound by a reduction inside.
    pub fn mentions(&self, var: IndexVar) -> bool {
        self.nodes().into_iter().any(|node| match node {
            Expr::Access(access) => access.vars().any(|used| used == var),
            Expr::Index(used, _) => *used == var,
            Expr::Reduce { vars, .. } => vars.contains(&var),
            Expr::Literal(_) | Expr::Slot(..) | Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) => false,
            Expr::Cast(..) | Expr::Select { .. } | Expr::Present { .. } | Expr::Onto { .. } => false,
        })
    }

    /// The expression as additions see it.
    pub fn as_sum(&self) -> Sum<'_> {
        if let Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = self {
            Sum::Two { a, b, subtracted: *op == BinaryOp::Sub }
        } else if let Expr::Unary(UnaryOp::Neg, a) = self {
            Sum::Negated(a)
        } else {
            Sum::Term(self)
        }
    }

    /// The variables and the body of a sum by name over all terms.
    pub fn as_named_sum(&self) -> Option<(&[IndexVar], &Expr)> {
        let Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body } = self else { return None };
        Some((vars, body))
    }

    /// Whether it is a condition on index variables, numbers and scalars only: `i == 1`, `not (i < j) and j > s`. One that
    /// computes with a condition is none: `(i < 1) * 2 > s`.
    pub fn is_index_condition(&self) -> bool {
        self.is_condition_without_entries() && self.nodes().into_iter().any(|node| matches!(node, Expr::Index(..)))
    }

    /// The same, or a condition on numbers and scalars alone: `s > 5`.
    pub fn is_condition_without_entries(&self) -> bool {
        let other = |node: &Expr| match node {
            Expr::Access(access) => !access.indices.is_empty(),
            Expr::Reduce { .. } | Expr::Onto { .. } | Expr::Slot(..) | Expr::Present { .. } => true,
            Expr::Select { then, other, .. } => other.is_none() || !then.is_condition(),
            Expr::Unary(op, a) => *op != UnaryOp::Not && a.is_condition(),
            Expr::Binary(op, a, _) => !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) && a.is_condition(),
            Expr::Cast(to, a) => *to != Element::I1 && a.is_condition(),
            Expr::Literal(_) | Expr::Index(..) | Expr::Compare(..) => false,
        };
        self.is_condition() && !self.nodes().into_iter().any(other)
    }

    /// Whether it is a product, or a quotient, with a condition on index variables in it.
    pub fn has_condition_as_factor(&self) -> bool {
        let product = matches!(self, Expr::Binary(BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, ..));
        product && self.nodes().into_iter().any(Expr::is_index_condition)
    }

    /// Whether a condition on index variables is joined by `and` with what is not one, for a value: the condition of a
    /// choice is none.
    pub fn has_condition_joined(&self) -> bool {
        self.joins(false)
    }

    fn joins(&self, chooses: bool) -> bool {
        match self {
            Expr::Select { cond, then, other } => {
                cond.joins(true) || then.joins(false) || other.as_ref().is_some_and(|other| other.joins(false))
            }
            Expr::Binary(BinaryOp::And, a, b) if chooses => a.joins(true) || b.joins(true),
            Expr::Binary(BinaryOp::And, ..) if !self.is_index_condition() => {
                self.nodes().into_iter().any(Expr::is_index_condition)
            }
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => self.operands().into_iter().any(|part| part.joins(false)),
        }
    }

    /// Whether its form says that it is of type `i1`.
    fn is_condition(&self) -> bool {
        match self {
            Expr::Compare(..) => true,
            Expr::Cast(element, _) | Expr::Literal(Literal { element, .. }) => *element == Element::I1,
            Expr::Unary(UnaryOp::Not, a) => a.is_condition(),
            Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => a.is_condition() && b.is_condition(),
            Expr::Select { then, other: Some(other), .. } => then.is_condition() && other.is_condition(),
            Expr::Access(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => false,
        }
    }

    /// How many operations lie on the longest way to a leaf; counted without recursion.
    pub(super) fn depth(&self) -> usize {
        let mut pending = vec![(self, 1)];
        let mut deepest = 0;
        while let Some((expr, depth)) = pending.pop() {
            deepest = deepest.max(depth);
            pending.extend(expr.operands().into_iter().map(|operand| (operand, depth + 1)));
        }
        deepest
    }
}

//! Walks over expressions.

use std::collections::BTreeSet;

use super::{Access, BinaryOp, Expr, Literal, ReduceOp, UnaryOp};
use nnz_base::{element::Element, ids::IndexVar};

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
        match self {
            Expr::Access(access) => Expr::Access(replace(access).unwrap_or_else(|| access.clone())),
            _ => self.with_parts(&|part| part.with_accesses(replace)),
        }
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

    /// The expression converted from one type to another: before it is added up or multiplied, if the other holds more.
    pub(super) fn computed_in(&self, to: Element, from: Element) -> Expr {
        let wider = from.is_integer() && (!to.is_integer() || to.bytes() > from.bytes() || from == Element::I1);
        let part = |part: &Expr| part.computed_in(to, from);
        match self {
            Expr::Reduce { op: ReduceOp::Sum | ReduceOp::Prod, .. } | Expr::Unary(UnaryOp::Neg, _) if wider => {
                self.with_parts(&part)
            }
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) if wider => self.with_parts(&part),
            Expr::Literal(number) if wider => Expr::literal(to, number.value),
            _ => Expr::Cast(to, Box::new(self.clone())),
        }
    }

    /// The variables used and not bound by a reduction inside, each once, in the order of the text.
    pub fn free_vars(&self) -> Vec<IndexVar> {
        let mut vars: Vec<IndexVar> = match self {
            Expr::Access(access) => access.vars().collect(),
            Expr::Index(var, _) => vec![*var],
            _ => self.operands().into_iter().flat_map(Expr::free_vars).collect(),
        };
        if let Expr::Reduce { vars: bound, .. } = self {
            let bound: BTreeSet<&IndexVar> = bound.iter().collect();
            vars.retain(|var| !bound.contains(var));
        }
        let mut seen = BTreeSet::new();
        vars.retain(|var| seen.insert(*var));
        vars
    }

    /// Whether it is a condition on index variables, numbers and scalars only: `i == 1`, `not (i < j) and j > 2`.
    pub fn is_index_condition(&self) -> bool {
        let nodes = self.nodes();
        let other = |node: &&Expr| match node {
            Expr::Access(access) => !access.indices.is_empty(),
            Expr::Reduce { .. } | Expr::Onto { .. } | Expr::Slot(..) | Expr::Present { .. } => true,
            Expr::Select { other, .. } => other.is_none(),
            _ => false,
        };
        let varies = nodes.iter().any(|node| matches!(node, Expr::Index(..)));
        self.is_condition() && varies && !nodes.iter().any(other)
    }

    /// Whether it is a product, or a quotient, that a condition on index variables may leave absent.
    pub fn has_condition_as_factor(&self) -> bool {
        let product = matches!(self, Expr::Binary(BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, ..));
        product && self.nodes().into_iter().any(Expr::is_index_condition)
    }

    /// Whether its form says that it is of type `i1`.
    fn is_condition(&self) -> bool {
        match self {
            Expr::Compare(..) => true,
            Expr::Cast(element, _) | Expr::Literal(Literal { element, .. }) => *element == Element::I1,
            Expr::Unary(UnaryOp::Not, a) => a.is_condition(),
            Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => a.is_condition() && b.is_condition(),
            Expr::Select { then, other: Some(other), .. } => then.is_condition() && other.is_condition(),
            _ => false,
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

//! The additive terms of an expression, each with the variables that it is summed over.
//!
//! `sum(j, ...)` dissolves into its term's variables. A product over a sum is multiplied out where that
//! lets a part of it visit stored entries only: `b(i) * (A(i, j) + c(j))` with a sparse `A`. Integer
//! division is not linear, so it is left as it stands.

use std::collections::BTreeSet;

use super::{
    combine::{self, Combined},
    is_random_access, zero,
};
use crate::{
    element::Element,
    ids::IndexVar,
    kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp, UnaryOp},
};

/// `+ body` or `- body`, summed over `summed`.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub negated: bool,
    /// The variables absent from the left side, in the order of the text.
    pub summed: Vec<IndexVar>,
    pub body: Expr,
}

/// Multiplying out stops here; a product of many sums has exponentially many terms.
const MOST_TERMS: usize = 64;

/// The terms of `kernel`, in the order of the text, and what combines them; `sparse` tells the accesses to make the
/// most of.
pub(super) fn terms(kernel: &Kernel, sparse: &dyn Fn(&Access) -> bool) -> (ReduceOp, Vec<Term>) {
    let exact_division = !kernel.element().is_integer();
    let mut splitter = Splitter { kernel, result: &kernel.result().indices, sparse, exact_division, terms: Vec::new() };
    let sum = match combine::combined(kernel, kernel.expr()) {
        Some(Combined { op, old, reduction: Expr::Reduce { vars, body, .. } }) if op != ReduceOp::Sum => {
            let old = old.map(|old| Term { negated: false, summed: Vec::new(), body: Expr::Access(old) });
            let reduced = Term { negated: false, summed: vars, body: *body };
            // What is absent everywhere is no term; a sparse result has no entry of it.
            let dense = is_random_access(kernel.tensor(kernel.result().tensor));
            let never = dense && zero::simplify_open(kernel, &reduced.body, &|_| false, sparse).is_none();
            return (op, old.into_iter().chain((!never).then_some(reduced)).collect());
        }
        Some(Combined { reduction, .. }) => reduction,
        None => kernel.expr().clone(),
    };
    splitter.additive(sum, false, &[]);
    (ReduceOp::Sum, splitter.terms)
}

struct Splitter<'k> {
    kernel: &'k Kernel,
    result: &'k [IndexVar],
    sparse: &'k dyn Fn(&Access) -> bool,
    /// `(a + b) / c` is `a / c + b / c`.
    exact_division: bool,
    terms: Vec<Term>,
}

impl Splitter<'_> {
    fn additive(&mut self, expr: Expr, negated: bool, explicit: &[IndexVar]) {
        match expr {
            expr if self.cancels(&expr) => {
                // As one value, which no later step takes apart.
                let whole = Expr::Cast(self.kernel.element_of(&expr), Box::new(expr));
                self.factored(whole, negated, explicit);
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                self.additive(*a, negated, explicit);
                self.additive(*b, negated != (op == BinaryOp::Sub), explicit);
            }
            Expr::Unary(UnaryOp::Neg, a) => self.additive(*a, !negated, explicit),
            Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body } => {
                let explicit: Vec<IndexVar> = explicit.iter().copied().chain(vars).collect();
                self.additive(*body, negated, &explicit);
            }
            body => self.factored(body, negated, explicit),
        }
    }

    /// Whether a sum is absent where its sparse operands are, and one of its parts alone is not: `exp(A(i)) - 1`. Parts
    /// with variables of their own to be summed over are terms of their own.
    fn cancels(&self, expr: &Expr) -> bool {
        let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = expr else { return false };
        let left = |expr: &Expr| !zero::is_zero(expr) && zero::simplify(self.kernel, expr, self.sparse).is_some();
        !left(expr) && (left(a) || left(b)) && self.summed_over(expr).len() == 1
    }

    /// Over which variables the parts of a sum are summed, each set once: the `2` of `A(k) + 2` over none.
    fn summed_over(&self, expr: &Expr) -> BTreeSet<BTreeSet<IndexVar>> {
        match expr {
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                self.summed_over(a).into_iter().chain(self.summed_over(b)).collect()
            }
            Expr::Unary(UnaryOp::Neg, a) => self.summed_over(a),
            part => {
                let summed = part.free_vars().into_iter().filter(|var| !self.result.contains(var));
                BTreeSet::from([summed.collect()])
            }
        }
    }

    /// A whole term: its variables that the left side lacks are summed.
    fn factored(&mut self, body: Expr, negated: bool, explicit: &[IndexVar]) {
        let free = body.free_vars().into_iter().filter(|var| !self.result.contains(var) && !explicit.contains(var));
        let summed = explicit.iter().copied().chain(free).collect();
        self.multiplied_out(Term { negated, summed, body });
    }

    fn multiplied_out(&mut self, term: Term) {
        if !self.helps(&term.body) || self.terms.len() >= MOST_TERMS {
            return self.terms.push(term);
        }
        match self.expand(&term.body) {
            Some(Expanded::Sum { op, left, right }) => {
                let negated = term.negated != (op == BinaryOp::Sub);
                self.multiplied_out(Term { body: left, summed: term.summed.clone(), ..term });
                self.multiplied_out(Term { body: right, negated, summed: term.summed });
            }
            Some(Expanded::Reduced { vars, body }) => {
                let summed = term.summed.into_iter().chain(vars).collect();
                self.multiplied_out(Term { body, summed, ..term });
            }
            None => self.terms.push(term),
        }
    }

    /// Whether a part of `body` could then visit stored entries only, or a sum would be a term's own.
    fn helps(&self, body: &Expr) -> bool {
        let is_sum = |node: &Expr| matches!(node, Expr::Reduce { op: ReduceOp::Sum, over: Over::All, .. });
        let sums = body.nodes().into_iter().any(|node| is_sum(node) && self.sums_entries(node));
        self.sums_entries(body) && (sums || zero::simplify(self.kernel, body, self.sparse).is_some())
    }

    /// Whether a sparse operand stands in `expr` for its entries or their sum: what other reductions make of it is a number.
    fn sums_entries(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Access(access) => (self.sparse)(access),
            Expr::Reduce { op: ReduceOp::Sum, over: Over::All, body, .. } => self.sums_entries(body),
            Expr::Reduce { .. } => false,
            _ => expr.operands().into_iter().any(|part| self.sums_entries(part)),
        }
    }

    /// One step of multiplying out: the outermost sum under products moves outside.
    fn expand(&self, expr: &Expr) -> Option<Expanded> {
        match expr {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                Some(Expanded::Sum { op: *op, left: (**a).clone(), right: (**b).clone() })
            }
            Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body } => {
                Some(Expanded::Reduced { vars: vars.clone(), body: (**body).clone() })
            }
            Expr::Unary(UnaryOp::Neg, a) => {
                self.expand(a)?.wrap(&[], |part| Some(Expr::Unary(UnaryOp::Neg, Box::new(part))))
            }
            Expr::Binary(BinaryOp::Mul, a, b) => self.in_left(BinaryOp::Mul, a, b).or_else(|| {
                let wrap = |part| Expr::Binary(BinaryOp::Mul, a.clone(), Box::new(part));
                self.expand(b)?.wrap(&[a], |part| Some(wrap(part)))
            }),
            Expr::Binary(BinaryOp::Div, a, b) if self.exact_division => self.in_left(BinaryOp::Div, a, b),
            _ => None,
        }
    }

    fn in_left(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expanded> {
        self.expand(a)?.wrap(&[b], |part| Some(Expr::Binary(op, Box::new(part), Box::new(b.clone()))))
    }
}

enum Expanded {
    Sum { op: BinaryOp, left: Expr, right: Expr },
    Reduced { vars: Vec<IndexVar>, body: Expr },
}

impl Expanded {
    /// The same inside another operation; `None` where a variable of the sum is used by `others` too.
    fn wrap(self, others: &[&Expr], wrap: impl Fn(Expr) -> Option<Expr>) -> Option<Expanded> {
        match self {
            Expanded::Sum { op, left, right } => Some(Expanded::Sum { op, left: wrap(left)?, right: wrap(right)? }),
            Expanded::Reduced { vars, body } => {
                let used = |var: &IndexVar| others.iter().any(|other| mentions(other, *var));
                (!vars.iter().any(used)).then_some(())?;
                Some(Expanded::Reduced { vars, body: wrap(body)? })
            }
        }
    }
}

fn mentions(expr: &Expr, var: IndexVar) -> bool {
    expr.nodes().into_iter().any(|node| match node {
        Expr::Access(access) => access.vars().any(|used| used == var),
        Expr::Index(used, _) => *used == var,
        Expr::Reduce { vars, .. } => vars.contains(&var),
        _ => false,
    })
}

/// Terms with the same leader and the same variables as one term: one nest of loops does them all.
pub(super) fn merged(terms: Vec<(Term, Access)>) -> Vec<(Term, Access)> {
    let mut merged: Vec<(Term, Access)> = Vec::new();
    for (term, leader) in terms {
        let alike = merged.iter_mut().find(|(other, of)| {
            *of == leader && sorted(&other.summed) == sorted(&term.summed) && same_vars(other, &term)
        });
        match alike {
            Some((other, _)) => {
                let op = if other.negated == term.negated { BinaryOp::Add } else { BinaryOp::Sub };
                let body = std::mem::replace(&mut other.body, Expr::zero(Element::F64));
                other.body = Expr::Binary(op, Box::new(body), Box::new(term.body));
            }
            None => merged.push((term, leader)),
        }
    }
    merged
}

fn same_vars(a: &Term, b: &Term) -> bool {
    sorted(&a.body.free_vars()) == sorted(&b.body.free_vars())
}

fn sorted(vars: &[IndexVar]) -> Vec<IndexVar> {
    let mut vars = vars.to_vec();
    vars.sort_unstable();
    vars
}

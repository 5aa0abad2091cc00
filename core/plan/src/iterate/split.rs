//! Splits an expression into additive terms, each with the variables that it is summed over.
//!
//! `sum(j, ...)` dissolves into its term's variables. A product with a sum is multiplied out if a part of it can then
//! visit stored entries only: `b(i) * (A(i, j) + c(j))` with a sparse `A`. Integer division is not linear, so it is not
//! changed. Rounded numbers keep their written brackets: in `a + (b - c)` and in `sum(j, b - c)` the difference is one
//! value, and a product or quotient of a sum is multiplied out only if the sum has summation variables of its own.

use std::collections::BTreeSet;

use super::{
    combine::{self, Combined},
    is_finite, is_random_access,
    terms::reductions,
    zero,
};
use nnz_base::{
    element::Element,
    ids::{IndexVar, TensorId},
};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp, UnaryOp};

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

/// The terms of `kernel`, in the order of the text, and the operation that combines them; `sparse` tells which
/// accesses splitting should exploit.
pub(super) fn terms(kernel: &Kernel, sparse: &dyn Fn(&Access) -> bool, is_body: bool) -> (ReduceOp, Vec<Term>) {
    let exact = kernel.element().is_integer();
    let mut splitter = Splitter { kernel, result: &kernel.result().indices, sparse, exact, is_body, terms: Vec::new() };
    let sum = match combine::combined(kernel, kernel.expr()) {
        Some(Combined { op, first, reduction: Expr::Reduce { vars, body, .. } }) if op != ReduceOp::Sum => {
            let first = first.into_iter().map(|body| Term { negated: false, summed: Vec::new(), body });
            let reduced = Term { negated: false, summed: vars, body: *body };
            // What is absent everywhere is no term; a sparse result has no entry of it.
            let dense = is_random_access(kernel.tensor(kernel.result().tensor));
            let never = dense && zero::simplify_open(kernel, &reduced.body, &|_| false, sparse).is_none();
            return (op, first.chain((!never).then_some(reduced)).collect());
        }
        Some(Combined { reduction, .. }) => reduction,
        None => kernel.expr().clone(),
    };
    match splitter.is_reordered(&sum) {
        true => splitter.factored(splitter.as_one(sum), false, &[]),
        false => splitter.additive(sum, false, &[]),
    }
    (ReduceOp::Sum, splitter.terms)
}

struct Splitter<'k> {
    kernel: &'k Kernel,
    result: &'k [IndexVar],
    sparse: &'k dyn Fn(&Access) -> bool,
    /// Integers: sums are the same in any order, and `(a + b) / c` is not `a / c + b / c`.
    exact: bool,
    /// See [`super::Wishes`].
    is_body: bool,
    terms: Vec<Term>,
}

impl Splitter<'_> {
    fn additive(&mut self, expr: Expr, negated: bool, explicit: &[IndexVar]) {
        match expr {
            expr if self.cancels(&expr) => {
                self.factored(self.as_one(expr), negated, explicit);
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                self.additive(*a, negated, explicit);
                let b = self.in_brackets(*b, explicit);
                self.additive(b, negated != (op == BinaryOp::Sub), explicit);
            }
            Expr::Unary(UnaryOp::Neg, a) => {
                let a = self.in_brackets(*a, explicit);
                self.additive(a, !negated, explicit);
            }
            Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body } => {
                let explicit: Vec<IndexVar> = explicit.iter().copied().chain(vars).collect();
                let body = self.in_brackets(*body, &explicit);
                self.additive(body, negated, &explicit);
            }
            body => self.factored(body, negated, explicit),
        }
    }

    /// As one value, which no later step takes apart.
    fn as_one(&self, expr: Expr) -> Expr {
        Expr::Cast(self.kernel.element_of(&expr), Box::new(expr))
    }

    /// Whether the terms of a sum of rounded numbers, without a reduction, would be added otherwise than written: in a body, what a
    /// filter leaves out is no term, and not a zero; in a dense result those that visit every coordinate come first, and those of one operand are
    /// one. The first two may change places. A body's sum of operands that may both be absent would be added onto a zero.
    fn is_reordered(&self, expr: &Expr) -> bool {
        let dense_result = is_random_access(self.kernel.tensor(self.kernel.result().tensor));
        let reduces =
            || reductions(expr).next().is_some() || expr.free_vars().iter().any(|var| !self.result.contains(var));
        if self.exact || !is_sum(expr) || reduces() {
            return false;
        }
        let filter = |node: &Expr| matches!(node, Expr::Select { other: None, .. });
        if self.is_body && expr.nodes().into_iter().any(filter) {
            return true;
        }
        if !dense_result {
            return false;
        }
        let dense = |term: &&Expr| zero::simplify(self.kernel, term, self.sparse).is_some();
        let terms = summands(expr);
        let plain = |term: &&Expr| !term.accesses().into_iter().any(self.sparse);
        if self.is_body && !terms.iter().take(2).any(plain) {
            return true;
        }
        let first_sparse = terms.iter().position(|term| !dense(term)).unwrap_or(terms.len());
        let dense_later = terms.iter().skip((first_sparse + 1).max(2)).any(dense);
        dense_later || terms.len() > 2 && self.meets_again(&terms)
    }

    /// Whether two terms read the same sparse tensor.
    fn meets_again(&self, terms: &[&Expr]) -> bool {
        let sparse = |term: &Expr| -> BTreeSet<TensorId> {
            term.accesses().into_iter().filter(|access| (self.sparse)(access)).map(|access| access.tensor).collect()
        };
        let mut seen = BTreeSet::new();
        terms.iter().flat_map(|term| sparse(term)).any(|tensor| !seen.insert(tensor))
    }

    /// A sum of rounded numbers as one value; parts with variables of their own to be summed over stay terms of their own.
    fn in_brackets(&self, expr: Expr, explicit: &[IndexVar]) -> Expr {
        let stays = !self.exact && is_sum(&expr) && reductions(&expr).next().is_none();
        if stays && self.summed_over(&expr, explicit).len() == 1 { self.as_one(expr) } else { expr }
    }

    /// Whether a sum is absent where its sparse operands are, and one of its parts alone is not: `exp(A(i)) - 1`. Parts
    /// with variables of their own to be summed over are terms of their own.
    fn cancels(&self, expr: &Expr) -> bool {
        let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = expr else { return false };
        let left = |expr: &Expr| !zero::is_zero(expr) && zero::simplify(self.kernel, expr, self.sparse).is_some();
        !left(expr) && (left(a) || left(b)) && self.summed_over(expr, &[]).len() == 1
    }

    /// Over which variables but those of `explicit` the parts of a sum are summed, each set once: the `2` of `A(k) + 2` over none.
    fn summed_over(&self, expr: &Expr, explicit: &[IndexVar]) -> BTreeSet<BTreeSet<IndexVar>> {
        match expr {
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                self.summed_over(a, explicit).into_iter().chain(self.summed_over(b, explicit)).collect()
            }
            Expr::Unary(UnaryOp::Neg, a) => self.summed_over(a, explicit),
            part => {
                let bound = |var: &IndexVar| self.result.contains(var) || explicit.contains(var);
                BTreeSet::from([part.free_vars().into_iter().filter(|var| !bound(var)).collect()])
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
            Some(Expanded::Sum { op, left, right }) if self.exact || has_sums(&term.body) => {
                let negated = term.negated != (op == BinaryOp::Sub);
                self.multiplied_out(Term { body: left, summed: term.summed.clone(), ..term });
                self.multiplied_out(Term { body: right, negated, summed: term.summed });
            }
            Some(Expanded::Reduced { vars, body }) => {
                let summed = term.summed.into_iter().chain(vars).collect();
                self.multiplied_out(Term { body, summed, ..term });
            }
            _ => self.terms.push(term),
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
            Expr::Binary(BinaryOp::Mul, a, b) if is_special(a) || is_special(b) => None,
            Expr::Binary(BinaryOp::Div, _, b) if zero::is_zero(b) || is_special(b) => None,
            Expr::Binary(BinaryOp::Mul, a, b) => self.in_left(BinaryOp::Mul, a, b).or_else(|| {
                let wrap = |part| Expr::Binary(BinaryOp::Mul, a.clone(), Box::new(part));
                self.expand(b)?.wrap(&[a], |part| Some(wrap(part)))
            }),
            Expr::Binary(BinaryOp::Div, a, b) if !self.exact => self.in_left(BinaryOp::Div, a, b),
            _ => None,
        }
    }

    fn in_left(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expanded> {
        self.expand(a)?.wrap(&[b], |part| Some(Expr::Binary(op, Box::new(part), Box::new(b.clone()))))
    }
}

fn is_sum(expr: &Expr) -> bool {
    matches!(expr, Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..))
}

/// The terms of a sum, in the order in which they are added.
pub(super) fn summands(expr: &Expr) -> Vec<&Expr> {
    let (mut terms, mut rest) = (Vec::new(), expr);
    while let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, before, last) = rest {
        terms.push(&**last);
        rest = before;
    }
    terms.push(rest);
    terms.reverse();
    terms
}

fn has_sums(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Reduce { op: ReduceOp::Sum, over: Over::All, .. }))
}

/// Whether a number in `expr` makes infinities, of which differences are not what is multiplied out.
fn is_special(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| match node {
        Expr::Literal(number) => !is_finite(number.value),
        Expr::Binary(BinaryOp::Div, _, by) => zero::is_zero(by),
        _ => false,
    })
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

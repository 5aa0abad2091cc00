//! Splits an expression into additive terms, each with the variables over which it is summed.
//!
//! `sum(j, ...)` disappears: `j` becomes a variable of its term. A product with a sum is multiplied out if a part of it
//! can then visit stored entries only: `b(i) * (A(i, j) + c(j))` with a sparse `A`. Integer division is not linear, so
//! it is not changed. Floating-point expressions keep their brackets: in `a + (b - c)` and in `sum(j, b - c)` the
//! difference is one value, and a product or quotient of a sum is multiplied out only if the sum has summation
//! variables of its own.

use std::collections::BTreeSet;

use super::{
    combine::{self, Combined},
    factors, fold, is_random_access, masks,
    terms::reductions,
    zero,
};
use nnz_base::{
    element::Element,
    ids::{IndexVar, TensorId},
};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp, Sum, UnaryOp};

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

/// The terms of `kernel`, in the order of the text, and the operation that combines them; `sparse` says which accesses
/// splitting should exploit.
pub(super) fn terms(kernel: &Kernel, sparse: &dyn Fn(&Access) -> bool, is_body: bool) -> (ReduceOp, Vec<Term>) {
    let (op, terms) = unvalued(kernel, sparse, is_body);
    let valued = |term: Term| Term { body: factors::valued(kernel, &term.body), ..term };
    (op, terms.into_iter().map(valued).collect())
}

/// The same without marks on the reductions that are values.
pub(super) fn unvalued(kernel: &Kernel, sparse: &dyn Fn(&Access) -> bool, is_body: bool) -> (ReduceOp, Vec<Term>) {
    let exact = kernel.element().is_integer();
    let mut splitter = Splitter { kernel, result: &kernel.result().indices, sparse, exact, is_body, terms: Vec::new() };
    let sum = match combine::combined(kernel, kernel.expr()) {
        Some(Combined { op, first, reduction: Expr::Reduce { vars, body, .. } }) if op != ReduceOp::Sum => {
            let first = first.into_iter().map(|body| Term { negated: false, summed: Vec::new(), body });
            let reduced = Term { negated: false, summed: vars, body: *body };
            // A term that is absent everywhere is dropped: a sparse result has no entry of it.
            let dense = is_random_access(kernel.tensor(kernel.result().tensor));
            let valued = factors::valued(kernel, &reduced.body);
            let never = dense && zero::simplify_open(kernel, &valued, &|_| false, sparse).is_none();
            return (op, first.chain((!never).then_some(reduced)).collect());
        }
        Some(Combined { reduction, .. }) => reduction,
        None => kernel.expr().clone(),
    };
    match splitter.is_reordered(&sum) {
        true => splitter.factored(as_one(kernel, &sum), false, &[]),
        false => splitter.additive(&sum, false, &[]),
    }
    (ReduceOp::Sum, without_zeros(kernel, splitter.terms))
}

/// The terms without the numbers that are zero beside sums: an entry is where a sum has a term.
fn without_zeros(kernel: &Kernel, mut terms: Vec<Term>) -> Vec<Term> {
    let number = |term: &Term| fold::constant(&term.body, &|part| kernel.element_of(part));
    let is_zero = |term: &Term| number(term).is_some_and(|number| number.value.is_zero());
    if terms.iter().any(|term| !is_zero(term) && !term.summed.is_empty()) {
        terms.retain(|term| !is_zero(term));
    }
    terms
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
    fn additive(&mut self, expr: &Expr, negated: bool, explicit: &[IndexVar]) {
        if self.cancels(expr) {
            return self.factored(as_one(self.kernel, expr), negated, explicit);
        }
        match expr.as_sum() {
            Sum::Two { a, b, subtracted } => {
                self.additive(a, negated, explicit);
                self.additive(&self.in_brackets(b, explicit), negated != subtracted, explicit);
            }
            Sum::Negated(a) => self.additive(&self.in_brackets(a, explicit), !negated, explicit),
            Sum::Term(term) => match term.as_named_sum() {
                Some((vars, body)) => {
                    let explicit = [explicit, vars].concat();
                    self.additive(&self.in_brackets(body, &explicit), negated, &explicit);
                }
                None => self.factored(term.clone(), negated, explicit),
            },
        }
    }

    /// Whether loops would add the terms of a sum of rounded numbers otherwise than written. It has no reduction.
    /// - In a body, what a filter leaves out is no term, and not a zero.
    /// - A dense result starts with the terms that visit every coordinate, and terms of one operand share their loops. The
    ///   first two terms may change places.
    /// - A body's sum of operands that may both be absent would be added onto a zero.
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

    /// A floating-point sum as one value; parts that are summed over variables of their own stay separate terms.
    fn in_brackets(&self, expr: &Expr, explicit: &[IndexVar]) -> Expr {
        let stays = !self.exact && is_sum(expr) && reductions(expr).next().is_none();
        let is_one = stays && self.summed_over(expr, explicit).len() == 1;
        if is_one { as_one(self.kernel, expr) } else { expr.clone() }
    }

    /// Whether a sum is absent where its sparse operands are, and one of its parts alone is not: `exp(A(i)) - 1`. Parts
    /// that are summed over variables of their own are separate terms.
    fn cancels(&self, expr: &Expr) -> bool {
        let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = expr else { return false };
        let left = |expr: &Expr| !zero::is_zero(expr) && zero::simplify(self.kernel, expr, self.sparse).is_some();
        !left(expr) && (left(a) || left(b)) && self.summed_over(expr, &[]).len() == 1
    }

    /// The sets of variables, those of `explicit` aside, over which parts of a sum are summed: `{k}` and `{}` of `A(k) + 2`.
    fn summed_over(&self, expr: &Expr, explicit: &[IndexVar]) -> BTreeSet<BTreeSet<IndexVar>> {
        match expr.as_sum() {
            Sum::Two { a, b, .. } => {
                self.summed_over(a, explicit).into_iter().chain(self.summed_over(b, explicit)).collect()
            }
            Sum::Negated(a) => self.summed_over(a, explicit),
            Sum::Term(part) => {
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
            Some(Expanded::Sum { left, right, subtracted }) if self.exact || self.has_sums(&term.body) => {
                let negated = term.negated != subtracted;
                self.multiplied_out(Term { body: left, summed: term.summed.clone(), ..term });
                self.multiplied_out(Term { body: right, negated, summed: term.summed });
            }
            Some(Expanded::Reduced { vars, body }) => {
                let summed = term.summed.into_iter().chain(vars).collect();
                self.multiplied_out(Term { body, summed, ..term });
            }
            Some(Expanded::Sum { .. }) | None => self.terms.push(term),
        }
    }

    /// Whether multiplying out helps: a part of `body` could then visit stored entries only, or a sum would become a
    /// term of its own.
    fn helps(&self, body: &Expr) -> bool {
        let sums =
            body.nodes().into_iter().any(|node| node.as_named_sum().is_some() && sums_entries(node, self.sparse));
        sums_entries(body, self.sparse) && (sums || zero::simplify(self.kernel, body, self.sparse).is_some())
    }

    /// Whether a sum of entries in `expr` can become terms of its own; one in a divisor, a function, a choice or another
    /// reduction stays there.
    fn has_sums(&self, expr: &Expr) -> bool {
        if expr.as_named_sum().is_some() {
            return sums_entries(expr, self.sparse);
        }
        match expr {
            Expr::Binary(BinaryOp::Div, a, _) | Expr::Unary(UnaryOp::Neg, a) => self.has_sums(a),
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => self.has_sums(a) || self.has_sums(b),
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => false,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => false,
            Expr::Select { .. } | Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => false,
        }
    }

    /// One step of multiplying out: the outermost sum under products moves outside.
    fn expand(&self, expr: &Expr) -> Option<Expanded> {
        match expr.as_sum() {
            // A zero is no term of its own: `v(i) + 0` is absent where `v` is.
            Sum::Two { a, b, .. } if zero::is_zero(b) => self.expand(a),
            Sum::Two { a, b, subtracted: false } if zero::is_zero(a) => self.expand(b),
            Sum::Two { a, b, subtracted: true } if zero::is_zero(a) => {
                self.expand(b)?.wrap(&[], |part| Expr::Unary(UnaryOp::Neg, Box::new(part)))
            }
            Sum::Two { a, b, subtracted } => Some(Expanded::Sum { left: a.clone(), right: b.clone(), subtracted }),
            Sum::Negated(a) => self.expand(a)?.wrap(&[], |part| Expr::Unary(UnaryOp::Neg, Box::new(part))),
            Sum::Term(term) => match term.as_named_sum() {
                Some((vars, body)) if self.exact || sums_entries(term, self.sparse) => {
                    Some(Expanded::Reduced { vars: vars.to_vec(), body: body.clone() })
                }
                Some(_) => None,
                None => self.expand_product(term),
            },
        }
    }

    fn expand_product(&self, expr: &Expr) -> Option<Expanded> {
        let Expr::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), a, b) = expr else { return None };
        if *op == BinaryOp::Div {
            let found = if self.exact { None } else { self.in_left(BinaryOp::Div, a, b) };
            return found.filter(|found| !found.is_sum() || !self.vanishes(b) && !self.divides(b));
        }
        // Brackets without a sum of entries hold: each of its terms takes the bracket.
        let apart = |sum: &Expr, by: &Expr| (self.exact || self.has_sums(sum)) && !self.divides(by);
        let in_left = self.in_left(BinaryOp::Mul, a, b).filter(|found| !found.is_sum() || apart(a, b));
        in_left.or_else(|| {
            let found = self.expand(b)?.wrap(&[a], |part| Expr::Binary(BinaryOp::Mul, a.clone(), Box::new(part)))?;
            (!found.is_sum() || apart(b, a)).then_some(found)
        })
    }

    /// Whether `expr` divides by what may be absent, which makes an infinity: `inf * (a - b)` is not `inf * a - inf * b`.
    fn divides(&self, expr: &Expr) -> bool {
        let over_zero = |node: &Expr| matches!(node, Expr::Binary(BinaryOp::Div, _, by) if self.vanishes(by));
        expr.nodes().into_iter().any(over_zero)
    }

    /// Whether `expr` is absent where its sparse operands are, which may be dense copies behind masks.
    fn vanishes(&self, expr: &Expr) -> bool {
        let unmasked = masks::emptied(expr);
        zero::simplify(self.kernel, &factors::valued(self.kernel, &unmasked), self.sparse).is_none()
    }

    fn in_left(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expanded> {
        self.expand(a)?.wrap(&[b], |part| Expr::Binary(op, Box::new(part), Box::new(b.clone())))
    }
}

/// Marks an expression as one value, which no later step takes apart.
fn as_one(kernel: &Kernel, expr: &Expr) -> Expr {
    Expr::Cast(kernel.element_of(expr), Box::new(expr.clone()))
}

/// Whether `expr` has the entries of a sparse operand, or a sum of them; another reduction of them is a number.
pub(super) fn sums_entries(expr: &Expr, sparse: &dyn Fn(&Access) -> bool) -> bool {
    match expr {
        Expr::Access(access) => sparse(access),
        // An operand that stores nothing at a coordinate of the text.
        Expr::Select { cond, other: None, .. } if zero::is_zero(cond) => true,
        Expr::Reduce { op, over, .. } if *op != ReduceOp::Sum || !matches!(over, Over::All | Over::Stored) => false,
        Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => expr.operands().into_iter().any(|part| sums_entries(part, sparse)),
    }
}

fn is_sum(expr: &Expr) -> bool {
    matches!(expr.as_sum(), Sum::Two { .. })
}

/// The terms of a sum, in the order in which they are added.
pub(super) fn summands(expr: &Expr) -> Vec<&Expr> {
    let (mut terms, mut rest) = (Vec::new(), expr);
    while let Sum::Two { a, b, .. } = rest.as_sum() {
        terms.push(b);
        rest = a;
    }
    terms.push(rest);
    terms.reverse();
    terms
}

enum Expanded {
    Sum { left: Expr, right: Expr, subtracted: bool },
    Reduced { vars: Vec<IndexVar>, body: Expr },
}

impl Expanded {
    fn is_sum(&self) -> bool {
        matches!(self, Expanded::Sum { .. })
    }

    /// The same inside another operation; `None` where a variable of the sum is used by `others` too.
    fn wrap(self, others: &[&Expr], wrap: impl Fn(Expr) -> Expr) -> Option<Expanded> {
        match self {
            Expanded::Sum { left, right, subtracted } => {
                Some(Expanded::Sum { left: wrap(left), right: wrap(right), subtracted })
            }
            Expanded::Reduced { vars, body } => {
                let used = |var: &IndexVar| others.iter().any(|other| other.mentions(*var));
                (!vars.iter().any(used)).then_some(())?;
                Some(Expanded::Reduced { vars, body: wrap(body) })
            }
        }
    }
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

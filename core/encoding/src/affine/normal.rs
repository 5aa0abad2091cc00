//! A normal form for proving that two expressions are equal: a sum of integer multiples of variables and of
//! quotients `floor(sum / c)` that cannot be split further. `e mod c` is rewritten as `e - c * floor(e / c)`,
//! multiples of `c` are drawn out of a quotient, and `floor(floor(e / a) / b)` is `floor(e / (a * b))`.
//! Two expressions with the same normal form are equal everywhere; the converse need not hold.

use std::collections::BTreeMap;

use super::{Affine, floor_div};

/// `constant + sum of factor * term`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum<V: Ord> {
    constant: i64,
    terms: BTreeMap<Term<V>, i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term<V: Ord> {
    Var(V),
    /// `floor(sum / divisor)`, divisor > 1.
    Quotient(Box<Sum<V>>, i64),
}

impl<V: Copy + Ord> Sum<V> {
    pub fn constant(constant: i64) -> Self {
        Self { constant, terms: BTreeMap::new() }
    }
    pub fn var(var: V) -> Self {
        Self { constant: 0, terms: BTreeMap::from([(Term::Var(var), 1)]) }
    }
    /// The terms and their factors.
    pub fn terms(&self) -> impl Iterator<Item = (&Term<V>, i64)> {
        self.terms.iter().map(|(term, factor)| (term, *factor))
    }
    /// The sum is just this variable.
    pub fn is_var(&self, var: V) -> bool {
        *self == Sum::var(var)
    }

    /// The normal form of `expr` with `value(v)` in place of each variable. `None` if symbols, ceildiv,
    /// divisors that are not positive constants, or overflow prevent it.
    pub fn of<W: Copy + PartialEq>(expr: &Affine<W>, value: &impl Fn(W) -> Option<Sum<V>>) -> Option<Sum<V>> {
        let of = |e: &Affine<W>| Sum::of(e, value);
        match expr {
            Affine::Var(v) => value(*v),
            Affine::Const(c) => Some(Sum::constant(*c)),
            Affine::Sym(_) | Affine::CeilDiv(..) => None,
            Affine::Add(a, b) => of(a)?.plus(&of(b)?, 1),
            Affine::Mul(a, b) => Sum::constant(0).plus(&of(a)?, b.as_const()?),
            Affine::FloorDiv(a, b) => of(a)?.quotient(b.as_const()?),
            Affine::Mod(a, b) => {
                let (sum, c) = (of(a)?, b.as_const()?);
                let quotient = sum.clone().quotient(c)?;
                sum.plus(&quotient, c.checked_neg()?)
            }
        }
    }

    /// `self + factor * other`
    fn plus(mut self, other: &Sum<V>, factor: i64) -> Option<Sum<V>> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (term, f) in &other.terms {
            let total = self.terms.get(term).copied().unwrap_or(0).checked_add(f.checked_mul(factor)?)?;
            if total == 0 {
                self.terms.remove(term)
            } else {
                self.terms.insert(term.clone(), total)
            };
        }
        Some(self)
    }

    /// `floor(self / c)`
    fn quotient(self, c: i64) -> Option<Sum<V>> {
        if c < 1 {
            return None;
        }
        let mut whole = Sum::constant(floor_div(self.constant, c)?);
        let mut rest = Sum::constant(self.constant.rem_euclid(c));
        for (term, factor) in self.terms {
            let (quotient, remainder) = (floor_div(factor, c)?, factor.rem_euclid(c));
            whole.insert(term.clone(), quotient);
            rest.insert(term, remainder);
        }
        // What is left is drawn apart completely only if nothing is left, or a number below `c`.
        if rest.terms.is_empty() { Some(whole) } else { whole.plus(&rest.opaque_quotient(c)?, 1) }
    }

    fn insert(&mut self, term: Term<V>, factor: i64) {
        if factor != 0 {
            self.terms.insert(term, factor);
        }
    }

    fn opaque_quotient(self, c: i64) -> Option<Sum<V>> {
        if let (1, 0, Some((Term::Quotient(inner, d), 1))) = (self.terms.len(), self.constant, self.terms().next()) {
            return Some(Sum::term(Term::Quotient(inner.clone(), d.checked_mul(c)?)));
        }
        Some(Sum::term(Term::Quotient(Box::new(self), c)))
    }

    fn term(term: Term<V>) -> Self {
        Self { constant: 0, terms: BTreeMap::from([(term, 1)]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_base::ids::Dim;

    fn d() -> Affine<Dim> {
        Affine::Var(Dim(0))
    }
    fn normal(expr: &Affine<Dim>) -> Sum<Dim> {
        Sum::of(expr, &|v| Some(Sum::var(v))).unwrap()
    }

    #[test]
    fn blocks_put_together_again() {
        let nested = Affine::add(
            Affine::add(d().floordiv_const(4).scaled(4), d().mod_const(4).floordiv_const(2).scaled(2)),
            d().mod_const(2),
        );
        assert!(normal(&nested).is_var(Dim(0)));
        let commuted = Affine::add(d().mod_const(3), d().floordiv_const(3).scaled(3));
        assert!(normal(&commuted).is_var(Dim(0)));
        let wrong = Affine::add(d().floordiv_const(2).scaled(3), d().mod_const(2));
        assert!(!normal(&wrong).is_var(Dim(0)));
    }

    #[test]
    fn quotients() {
        assert_eq!(normal(&d().floordiv_const(2).floordiv_const(3)), normal(&d().floordiv_const(6)));
        assert!(normal(&d().scaled(2).floordiv_const(2)).is_var(Dim(0)));
        assert_ne!(normal(&d().mod_const(6)), normal(&d().mod_const(2)));
    }
}

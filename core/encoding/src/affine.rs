//! Affine expressions over dimensions (`Affine<Dim>`, in level specifications) or over levels
//! (`Affine<Lvl>`, in inverses), with symbols. The constructors simplify exactly as MLIR's do
//! (AffineExpr.cpp, MLIR 22), so that equal maps compare equal and print as MLIR prints them.

use nnz_base::ids::Sym;

mod map;
pub mod normal;
mod print;

pub use map::AffineMap;

/// An expression in simplified form; build it with the constructors below, not by hand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Affine<V> {
    Var(V),
    Sym(Sym),
    Const(i64),
    Add(Box<Affine<V>>, Box<Affine<V>>),
    Mul(Box<Affine<V>>, Box<Affine<V>>),
    FloorDiv(Box<Affine<V>>, Box<Affine<V>>),
    CeilDiv(Box<Affine<V>>, Box<Affine<V>>),
    Mod(Box<Affine<V>>, Box<Affine<V>>),
}

/// Why an expression is not affine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAffine {
    #[error("a product needs a constant or a symbol on one side")]
    Product,
    #[error("`{0}` needs a constant or a symbol on its right")]
    Divisor(&'static str),
    #[error("the constants of the expression leave the range of 64-bit integers")]
    Overflow,
}

impl<V: Copy + PartialEq> Affine<V> {
    pub fn as_var(&self) -> Option<V> {
        if let Affine::Var(var) = self { Some(*var) } else { None }
    }
    pub fn as_const(&self) -> Option<i64> {
        if let Affine::Const(c) = self { Some(*c) } else { None }
    }
    /// `(e, c)` of `e floordiv c`.
    pub fn as_floordiv(&self) -> Option<(&Affine<V>, i64)> {
        if let Affine::FloorDiv(e, c) = self { Some((e, c.as_const()?)) } else { None }
    }
    /// `(e, c)` of `e mod c`.
    pub fn as_mod(&self) -> Option<(&Affine<V>, i64)> {
        if let Affine::Mod(e, c) = self { Some((e, c.as_const()?)) } else { None }
    }
    /// `(e, c)` of `e * c`.
    fn as_scaled(&self) -> Option<(&Affine<V>, i64)> {
        if let Affine::Mul(e, c) = self { Some((e, c.as_const()?)) } else { None }
    }
    /// No variable occurs in it.
    pub(crate) fn is_symbolic(&self) -> bool {
        match self.operands() {
            Some((a, b)) => a.is_symbolic() && b.is_symbolic(),
            None => self.as_var().is_none(),
        }
    }
    /// A symbol occurs in it.
    pub fn has_symbol(&self) -> bool {
        match self.operands() {
            Some((a, b)) => a.has_symbol() || b.has_symbol(),
            None => matches!(self, Affine::Sym(_)),
        }
    }
    /// The two sides of an operation.
    pub fn operands(&self) -> Option<(&Affine<V>, &Affine<V>)> {
        match self {
            Affine::Var(_) | Affine::Sym(_) | Affine::Const(_) => None,
            Affine::Add(a, b)
            | Affine::Mul(a, b)
            | Affine::FloorDiv(a, b)
            | Affine::CeilDiv(a, b)
            | Affine::Mod(a, b) => Some((a, b)),
        }
    }
    /// The variables that occur, in order, repeats included.
    pub fn vars(&self) -> Vec<V> {
        match self.operands() {
            Some((a, b)) => [a.vars(), b.vars()].concat(),
            None => self.as_var().into_iter().collect(),
        }
    }

    /// The same expression with `value(v)` in place of each variable, simplified again.
    pub fn substitute<W: Copy + PartialEq>(&self, value: &impl Fn(V) -> Affine<W>) -> Affine<W> {
        let of = |e: &Affine<V>| e.substitute(value);
        let rebuilt = match self {
            Affine::Var(v) => Ok(value(*v)),
            Affine::Sym(s) => Ok(Affine::Sym(*s)),
            Affine::Const(c) => Ok(Affine::Const(*c)),
            Affine::Add(a, b) => Ok(Affine::add(of(a), of(b))),
            Affine::Mul(a, b) => Affine::mul(of(a), of(b)),
            Affine::FloorDiv(a, b) => Affine::floordiv(of(a), of(b)),
            Affine::CeilDiv(a, b) => Affine::ceildiv(of(a), of(b)),
            Affine::Mod(a, b) => Affine::modulo(of(a), of(b)),
        };
        // A symbolic side has no variables, so it stays symbolic.
        rebuilt.unwrap_or(Affine::Const(0))
    }

    /// The value at a point; `None` on overflow or division by a number that is not positive.
    pub fn eval(&self, var: &impl Fn(V) -> i64, sym: &impl Fn(Sym) -> i64) -> Option<i64> {
        let both = |a: &Affine<V>, b: &Affine<V>| Some((a.eval(var, sym)?, b.eval(var, sym)?));
        let divisor = |(a, b): (i64, i64)| (b > 0).then_some((a, b));
        match self {
            Affine::Var(v) => Some(var(*v)),
            Affine::Sym(s) => Some(sym(*s)),
            Affine::Const(c) => Some(*c),
            Affine::Add(a, b) => both(a, b).and_then(|(a, b)| a.checked_add(b)),
            Affine::Mul(a, b) => both(a, b).and_then(|(a, b)| a.checked_mul(b)),
            Affine::FloorDiv(a, b) => both(a, b).and_then(divisor).map(|(a, b)| a.div_euclid(b)),
            Affine::CeilDiv(a, b) => both(a, b).and_then(divisor).and_then(|(a, b)| ceil_div(a, b)),
            Affine::Mod(a, b) => both(a, b).and_then(divisor).map(|(a, b)| a.rem_euclid(b)),
        }
    }

    /// The greatest integer known to divide every value.
    fn known_divisor(&self) -> u64 {
        match self {
            Affine::Var(_) | Affine::Sym(_) => 1,
            Affine::Const(c) => c.unsigned_abs(),
            Affine::Mul(a, b) => a.known_divisor().saturating_mul(b.known_divisor()),
            Affine::Add(a, b) | Affine::Mod(a, b) => gcd(a.known_divisor(), b.known_divisor()),
            Affine::FloorDiv(a, b) | Affine::CeilDiv(a, b) => match b.as_const().map(i64::unsigned_abs) {
                Some(c) if c != 0 && a.known_divisor().is_multiple_of(c) => a.known_divisor() / c,
                _ => 1,
            },
        }
    }
    fn is_multiple_of(&self, c: i64) -> bool {
        self.known_divisor().is_multiple_of(c.unsigned_abs())
    }
}

#[expect(clippy::should_implement_trait, reason = "constructors, of which some can fail, beside each other")]
impl<V: Copy + PartialEq> Affine<V> {
    // Constructors.

    pub fn add(a: Affine<V>, b: Affine<V>) -> Affine<V> {
        simplify_add(&a, &b).unwrap_or_else(|| Affine::Add(a.into(), b.into()))
    }
    /// # Errors
    /// Both sides hold variables.
    pub fn mul(a: Affine<V>, b: Affine<V>) -> Result<Affine<V>, NotAffine> {
        if a.is_symbolic() || b.is_symbolic() { Ok(Affine::product(a, b)) } else { Err(NotAffine::Product) }
    }
    /// # Errors
    /// The divisor holds a variable.
    pub fn floordiv(a: Affine<V>, b: Affine<V>) -> Result<Affine<V>, NotAffine> {
        let simple = require_symbolic(&b, "floordiv").map(|()| simplify_floordiv(&a, &b))?;
        Ok(simple.unwrap_or_else(|| Affine::FloorDiv(a.into(), b.into())))
    }
    /// # Errors
    /// The divisor holds a variable.
    pub fn ceildiv(a: Affine<V>, b: Affine<V>) -> Result<Affine<V>, NotAffine> {
        let simple = require_symbolic(&b, "ceildiv").map(|()| simplify_ceildiv(&a, &b))?;
        Ok(simple.unwrap_or_else(|| Affine::CeilDiv(a.into(), b.into())))
    }
    /// # Errors
    /// The divisor holds a variable.
    pub fn modulo(a: Affine<V>, b: Affine<V>) -> Result<Affine<V>, NotAffine> {
        let simple = require_symbolic(&b, "mod").map(|()| simplify_mod(&a, &b))?;
        Ok(simple.unwrap_or_else(|| Affine::Mod(a.into(), b.into())))
    }
    pub fn scaled(self, c: i64) -> Affine<V> {
        Affine::product(self, Affine::Const(c))
    }
    pub fn negated(self) -> Affine<V> {
        self.scaled(-1)
    }
    pub fn sub(a: Affine<V>, b: Affine<V>) -> Affine<V> {
        Affine::add(a, b.negated())
    }

    /// One side is symbolic.
    fn product(a: Affine<V>, b: Affine<V>) -> Affine<V> {
        simplify_mul(&a, &b).unwrap_or_else(|| Affine::Mul(a.into(), b.into()))
    }
    /// `e floordiv c`.
    pub fn floordiv_const(self, c: i64) -> Affine<V> {
        let by = Affine::Const(c);
        simplify_floordiv(&self, &by).unwrap_or_else(|| Affine::FloorDiv(self.into(), by.into()))
    }
    /// `e mod c`.
    pub fn mod_const(self, c: i64) -> Affine<V> {
        let by = Affine::Const(c);
        simplify_mod(&self, &by).unwrap_or_else(|| Affine::Mod(self.into(), by.into()))
    }
}

fn require_symbolic<V: Copy + PartialEq>(divisor: &Affine<V>, op: &'static str) -> Result<(), NotAffine> {
    if divisor.is_symbolic() { Ok(()) } else { Err(NotAffine::Divisor(op)) }
}

fn simplify_add<V: Copy + PartialEq>(a: &Affine<V>, b: &Affine<V>) -> Option<Affine<V>> {
    if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
        return x.checked_add(y).map(Affine::Const);
    }
    // The constant, else the symbolic side, stands on the right.
    if a.as_const().is_some() || a.is_symbolic() && !b.is_symbolic() {
        return Some(Affine::add(b.clone(), a.clone()));
    }
    if b.as_const() == Some(0) {
        return Some(a.clone());
    }
    if let (Affine::Add(x, c), Some(d)) = (a, b.as_const())
        && let Some(c) = c.as_const()
    {
        return Some(Affine::add((**x).clone(), Affine::Const(c.checked_add(d)?)));
    }
    let ((x, c), (y, d)) = (a.as_scaled().unwrap_or((a, 1)), b.as_scaled().unwrap_or((b, 1)));
    if x == y {
        return Some(x.clone().scaled(c.checked_add(d)?));
    }
    if let Affine::Add(x, c) = a
        && c.as_const().is_some()
    {
        return Some(Affine::add(Affine::add((**x).clone(), b.clone()), (**c).clone()));
    }
    remainder_of_sum(a, b)
}

/// `e - (e floordiv q) * q` is `e mod q`.
fn remainder_of_sum<V: Copy + PartialEq>(a: &Affine<V>, b: &Affine<V>) -> Option<Affine<V>> {
    let Affine::Mul(left, right) = b else { return None };
    if right.as_const() == Some(-1)
        && let Affine::Mul(quotient, q) = &**left
    {
        let Affine::FloorDiv(e, divisor) = &**quotient else { return None };
        return (divisor == q && **e == *a).then(|| Affine::modulo(a.clone(), (**q).clone()).ok()).flatten();
    }
    let Affine::FloorDiv(e, divisor) = &**left else { return None };
    let q = divisor.as_const().filter(|&q| q > 0)?;
    (**e == *a && right.as_const() == Some(-q)).then(|| a.clone().mod_const(q))
}

fn simplify_mul<V: Copy + PartialEq>(a: &Affine<V>, b: &Affine<V>) -> Option<Affine<V>> {
    if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
        return x.checked_mul(y).map(Affine::Const);
    }
    if !b.is_symbolic() || a.as_const().is_some() {
        return Some(Affine::product(b.clone(), a.clone()));
    }
    match b.as_const() {
        Some(1) => return Some(a.clone()),
        Some(0) => return Some(Affine::Const(0)),
        _ => {}
    }
    let (x, c) = a.as_scaled()?;
    match b.as_const() {
        Some(d) => Some(x.clone().scaled(c.checked_mul(d)?)),
        None => Some(Affine::product(x.clone(), b.clone()).scaled(c)),
    }
}

fn simplify_floordiv<V: Copy + PartialEq>(a: &Affine<V>, b: &Affine<V>) -> Option<Affine<V>> {
    let c = b.as_const().filter(|&c| c != 0)?;
    if let Some(x) = a.as_const() {
        return floor_div(x, c).map(Affine::Const);
    }
    if c == 1 {
        return Some(a.clone());
    }
    if let Some((x, d)) = a.as_scaled()
        && d.checked_rem(c) == Some(0)
    {
        return Some(x.clone().scaled(d / c));
    }
    let Affine::Add(x, y) = a else { return None };
    (x.is_multiple_of(c) || y.is_multiple_of(c))
        .then(|| Affine::add((**x).clone().floordiv_const(c), (**y).clone().floordiv_const(c)))
}

fn simplify_ceildiv<V: Copy + PartialEq>(a: &Affine<V>, b: &Affine<V>) -> Option<Affine<V>> {
    let c = b.as_const().filter(|&c| c != 0)?;
    if let Some(x) = a.as_const() {
        return ceil_div(x, c).map(Affine::Const);
    }
    if c == 1 {
        return Some(a.clone());
    }
    let (x, d) = a.as_scaled()?;
    (d.checked_rem(c) == Some(0)).then(|| x.clone().scaled(d / c))
}

fn simplify_mod<V: Copy + PartialEq>(a: &Affine<V>, b: &Affine<V>) -> Option<Affine<V>> {
    let c = b.as_const().filter(|&c| c >= 1)?;
    if let Some(x) = a.as_const() {
        return Some(Affine::Const(x.rem_euclid(c)));
    }
    if a.is_multiple_of(c) {
        return Some(Affine::Const(0));
    }
    match a {
        Affine::Add(x, y) if x.is_multiple_of(c) => Some((**y).clone().mod_const(c)),
        Affine::Add(x, y) if y.is_multiple_of(c) => Some((**x).clone().mod_const(c)),
        Affine::Mod(x, d) if d.known_divisor() >= 1 && d.is_multiple_of(c) => Some((**x).clone().mod_const(c)),
        Affine::Var(_)
        | Affine::Sym(_)
        | Affine::Const(_)
        | Affine::Add(..)
        | Affine::Mul(..)
        | Affine::FloorDiv(..)
        | Affine::CeilDiv(..)
        | Affine::Mod(..) => None,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Rounds towards minus infinity; `None` on overflow and for a divisor of 0.
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Rounds towards plus infinity; `None` on overflow and for a divisor of 0.
fn ceil_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

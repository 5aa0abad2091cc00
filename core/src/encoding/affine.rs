//! Affine expressions over dimensions (`Affine<Dim>`, in level specifications) or over levels
//! (`Affine<Lvl>`, in inverses), with symbols. The constructors simplify as MLIR's do, so that equal
//! maps compare equal (encoding.md, section 3).

use crate::ids::Sym;

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

impl<V: Copy + PartialEq> Affine<V> {
    pub fn as_var(&self) -> Option<V> {
        match self {
            Affine::Var(var) => Some(*var),
            _ => None,
        }
    }
    pub fn as_const(&self) -> Option<i64> {
        match self {
            Affine::Const(c) => Some(*c),
            _ => None,
        }
    }
    /// `(e, c)` of `e floordiv c`.
    pub fn as_floordiv(&self) -> Option<(&Affine<V>, i64)> {
        match self {
            Affine::FloorDiv(e, c) => Some((e, c.as_const()?)),
            _ => None,
        }
    }
    /// `(e, c)` of `e mod c`.
    pub fn as_mod(&self) -> Option<(&Affine<V>, i64)> {
        match self {
            Affine::Mod(e, c) => Some((e, c.as_const()?)),
            _ => None,
        }
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
            Affine::CeilDiv(a, b) => both(a, b).and_then(divisor).map(|(a, b)| -(-a).div_euclid(b)),
            Affine::Mod(a, b) => both(a, b).and_then(divisor).map(|(a, b)| a.rem_euclid(b)),
        }
    }
}

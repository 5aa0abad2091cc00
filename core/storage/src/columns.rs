//! Affine expressions over whole columns of coordinates: from dimensions to levels and back.

use std::borrow::Cow;

use super::bounds::ceil_div;
use nnz_encoding::Affine;

/// A column of coordinates, borrowed if the expression is a plain variable.
pub(super) type Column<'a> = Cow<'a, [u64]>;

enum Part {
    Column(Vec<i64>),
    Const(i64),
}

/// `expr - origin` for each of `len` entries, wrapping: the caller knows by the intervals of the
/// expression's parts that nothing overflows. A negative result shows as a number of 2^63 or more.
pub(super) fn eval<'a, V: Copy + PartialEq>(
    expr: &Affine<V>,
    len: usize,
    origin: i64,
    column: &impl Fn(V) -> &'a [u64],
) -> Column<'a> {
    match fast(expr, column).filter(|_| origin == 0) {
        Some(column) => column,
        None => {
            let offset = |x: i64| x.wrapping_sub(origin) as u64;
            Cow::Owned(match part(expr, column) {
                Part::Column(values) => values.into_iter().map(offset).collect(),
                Part::Const(c) => vec![offset(c); len],
            })
        }
    }
}

/// The expressions of permutations and blocks, without a detour through signed columns.
fn fast<'a, V: Copy + PartialEq>(expr: &Affine<V>, column: &impl Fn(V) -> &'a [u64]) -> Option<Column<'a>> {
    if let Some(var) = expr.as_var() {
        return Some(Cow::Borrowed(column(var)));
    }
    let positive = |(e, c): (&Affine<V>, i64)| e.as_var().zip(u64::try_from(c).ok().filter(|&c| c > 0));
    if let Some((var, c)) = expr.as_floordiv().and_then(positive) {
        return Some(column(var).iter().map(|x| x / c).collect());
    }
    let (var, c) = expr.as_mod().and_then(positive)?;
    Some(column(var).iter().map(|x| x % c).collect())
}

fn part<'a, V: Copy + PartialEq>(expr: &Affine<V>, column: &impl Fn(V) -> &'a [u64]) -> Part {
    let both = |a, b, op| combine(part(a, column), part(b, column), op);
    match expr {
        Affine::Var(v) => Part::Column(column(*v).iter().map(|&x| x as i64).collect()),
        Affine::Const(c) => Part::Const(*c),
        Affine::Sym(_) => Part::Const(0),
        Affine::Add(a, b) => both(a, b, i64::wrapping_add),
        Affine::Mul(a, b) => both(a, b, i64::wrapping_mul),
        Affine::FloorDiv(a, b) => both(a, b, |a, b| if b > 0 { a.div_euclid(b) } else { 0 }),
        Affine::CeilDiv(a, b) => both(a, b, |a, b| if b > 0 { ceil_div(a, b) } else { 0 }),
        Affine::Mod(a, b) => both(a, b, |a, b| if b > 0 { a.rem_euclid(b) } else { 0 }),
    }
}

fn combine(a: Part, b: Part, op: fn(i64, i64) -> i64) -> Part {
    match (a, b) {
        (Part::Const(a), Part::Const(b)) => Part::Const(op(a, b)),
        (Part::Column(a), Part::Const(b)) => Part::Column(a.into_iter().map(|x| op(x, b)).collect()),
        (Part::Const(a), Part::Column(b)) => Part::Column(b.into_iter().map(|x| op(a, x)).collect()),
        (Part::Column(a), Part::Column(b)) => Part::Column(a.into_iter().zip(b).map(|(a, b)| op(a, b)).collect()),
    }
}

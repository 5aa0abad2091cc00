//! The sizes of levels, computed from the sizes of dimensions.
//!
//! The rule is MLIR's where MLIR's is right; beyond it, `d mod c` always has size c, `d floordiv c` has
//! `ceil(n / c)`, and any other expression gets the interval of its values. A level's stored coordinates
//! start at 0; adding its origin gives the expression's values, as for `j - i`.
//!
//! A product of a symbol, constants and dimensions, `c * 3 * i`, is a counter: its value is the number of earlier
//! entries with the same `i`, and the constants give the number of slices (Chou 2020, section 4: the counter `#i`).
//! Without constants, as in `#i`, the number of slices, and so the size of the level, follows from the data.

use super::StorageError;
use nnz_base::ids::{Dim, Lvl};
use nnz_encoding::{Affine, Encoding};

/// The coordinates of one level: `origin .. origin + size`, stored without the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub size: u64,
    pub origin: i64,
}

/// The counter of a level: entries that agree in `dims` go to slices 0, 1, ..., `slices - 1`, or to as many as are
/// needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pub dims: Vec<Dim>,
    pub slices: Option<u64>,
}

/// The bounds of every level.
///
/// # Errors
/// A shape of another rank, or one that contradicts a slice; an expression without a size.
pub fn of_levels(encoding: &Encoding, dim_sizes: &[u64]) -> Result<Vec<Bounds>, StorageError> {
    if encoding.dim_rank() != dim_sizes.len() {
        return Err(StorageError::Rank { encoding: encoding.dim_rank(), tensor: dim_sizes.len() });
    }
    check_slices(encoding, dim_sizes)?;
    let levels = encoding.levels().iter().enumerate();
    let bounds = levels.map(|(at, level)| of_level(&level.expr, dim_sizes).map_err(unsized_level(Lvl::new(at))));
    let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
    check_batches(encoding, &bounds)?;
    Ok(bounds)
}

/// The most positions that a level may have by multiplication; 2^31 values of 8 bytes are 16 GiB.
const MOST_POSITIONS: u128 = 1 << 31;

/// `parents * factor` positions of `lvl`.
///
/// # Errors
/// More than fit in memory.
pub(super) fn positions(lvl: Lvl, parents: u64, factor: u64) -> Result<u64, StorageError> {
    let positions = u128::from(parents) * u128::from(factor);
    if positions > MOST_POSITIONS { Err(StorageError::TooLarge { lvl, positions }) } else { Ok(positions as u64) }
}

/// The number of batches is bounded with the levels' sizes, so that it can be multiplied freely.
fn check_batches(encoding: &Encoding, bounds: &[Bounds]) -> Result<(), StorageError> {
    let sizes = bounds.iter().take(encoding.batch_rank()).enumerate();
    sizes
        .map(|(at, bounds)| (Lvl::new(at), bounds.size))
        .try_fold(1, |batches, (lvl, size)| positions(lvl, batches, size))?;
    Ok(())
}

fn unsized_level(lvl: Lvl) -> impl Fn(&'static str) -> StorageError {
    move |reason| StorageError::Unsized { lvl, reason }
}

fn check_slices(encoding: &Encoding, dim_sizes: &[u64]) -> Result<(), StorageError> {
    for (at, (dim, &tensor)) in encoding.dims().iter().zip(dim_sizes).enumerate() {
        if let Some(slice) = dim.slice.and_then(|slice| slice.size).filter(|&size| size != tensor) {
            return Err(StorageError::Slice { dim: Dim::new(at), slice, tensor });
        }
    }
    Ok(())
}

/// The bounds of one level expression, or why it has none.
pub fn of_level(expr: &Affine<Dim>, dim_sizes: &[u64]) -> Result<Bounds, &'static str> {
    if let Some(counter) = counter(expr)? {
        return Ok(Bounds { size: counter.slices.unwrap_or(0), origin: 0 });
    }
    let dim = |dim: Dim| interval_of(dim_sizes.get(dim.index()).copied().unwrap_or(0));
    let Some((low, high)) = interval(expr, &dim)? else { return Ok(Bounds { size: 0, origin: 0 }) };
    let size = high.checked_sub(low).and_then(|last| last.checked_add(1)).ok_or(TOO_LARGE)?;
    Ok(Bounds { size: size.unsigned_abs(), origin: low })
}

/// The counter that `expr` is; `None` if it is not a product with a symbol.
pub fn counter(expr: &Affine<Dim>) -> Result<Option<Counter>, &'static str> {
    let mut factors = Vec::new();
    flatten(expr, &mut factors);
    if factors.len() < 2 || !factors.iter().any(|factor| matches!(factor, Affine::Sym(_))) {
        return Ok(None);
    }
    let dims: Vec<Dim> = factors.iter().filter_map(|factor| factor.as_var()).collect();
    let constants: Vec<i64> = factors.iter().filter_map(|factor| factor.as_const()).collect();
    let plain = factors.iter().all(|f| matches!(f, Affine::Sym(_) | Affine::Var(_) | Affine::Const(_)));
    if dims.is_empty() || !plain {
        return Err("a counter is a symbol times a number of slices times dimensions, as `c * 3 * i`");
    }
    if constants.is_empty() {
        return Ok(Some(Counter { dims, slices: None }));
    }
    let slices = constants.iter().try_fold(1i64, |product, &c| product.checked_mul(c));
    let slices = slices.and_then(|n| u64::try_from(n).ok()).ok_or("the number of slices is out of range")?;
    Ok(Some(Counter { dims, slices: Some(slices) }))
}

fn flatten<'a>(expr: &'a Affine<Dim>, factors: &mut Vec<&'a Affine<Dim>>) {
    let Affine::Mul(a, b) = expr else { return factors.push(expr) };
    flatten(a, factors);
    flatten(b, factors);
}

/// The least and the greatest value; `None` if there is no value.
pub(crate) type Interval = Option<(i64, i64)>;

const TOO_LARGE: &str = "its values do not fit 64 bits";

/// The interval `0 .. size`.
fn interval_of(size: u64) -> Interval {
    let last = size.checked_sub(1)?;
    Some((0, i64::try_from(last).unwrap_or(i64::MAX)))
}

impl Bounds {
    /// The interval of the expression's values.
    pub(crate) fn interval(self) -> Interval {
        let (_, last) = interval_of(self.size)?;
        Some((self.origin, self.origin.saturating_add(last)))
    }
}

/// The interval of `expr`, every part of which fits 64 bits: its evaluation cannot overflow.
pub(crate) fn interval<V: Copy + PartialEq>(
    expr: &Affine<V>,
    var: &impl Fn(V) -> Interval,
) -> Result<Interval, &'static str> {
    let corners = |a: &Affine<V>, b: &Affine<V>, op: fn(i64, i64) -> Option<i64>| {
        let (Some((a0, a1)), Some((b0, b1))) = (interval(a, var)?, interval(b, var)?) else { return Ok(None) };
        let values: Option<Vec<i64>> =
            [(a0, b0), (a0, b1), (a1, b0), (a1, b1)].map(|(a, b)| op(a, b)).into_iter().collect();
        let values = values.ok_or(TOO_LARGE)?;
        Ok(values.iter().min().copied().zip(values.iter().max().copied()))
    };
    match expr {
        Affine::Var(v) => Ok(var(*v)),
        Affine::Const(c) => Ok(Some((*c, *c))),
        Affine::Sym(_) => Err("it depends on a symbol, which has no value here"),
        Affine::Add(a, b) => corners(a, b, i64::checked_add),
        Affine::Mul(a, b) => corners(a, b, i64::checked_mul),
        Affine::FloorDiv(a, b) => corners(a, b, |a, b| (b > 0).then(|| a.div_euclid(b))),
        Affine::CeilDiv(a, b) => corners(a, b, |a, b| (b > 0).then(|| ceil_div(a, b))),
        Affine::Mod(a, b) => {
            interval(a, var)?;
            let modulus = b.as_const().filter(|&c| c > 0).ok_or("its modulus is not a positive constant")?;
            Ok(Some((0, modulus - 1)))
        }
    }
}

/// Division that rounds up; `b > 0`.
pub(super) fn ceil_div(a: i64, b: i64) -> i64 {
    a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_base::ids::Sym;

    type E = Affine<Dim>;

    fn var(at: u32) -> Box<E> {
        Box::new(Affine::Var(Dim(at)))
    }
    fn con(c: i64) -> Box<E> {
        Box::new(Affine::Const(c))
    }

    #[test]
    fn blocks_are_rounded_up_and_differences_have_an_origin() {
        let size = |expr: E| of_level(&expr, &[7, 5]).map(|b| (b.size, b.origin));
        assert_eq!(size(Affine::FloorDiv(var(0), con(2))), Ok((4, 0)));
        assert_eq!(size(Affine::Mod(var(0), con(2))), Ok((2, 0)));
        assert_eq!(size(Affine::Mod(var(0), con(16))), Ok((16, 0)));
        let minus = Box::new(Affine::Mul(var(0), con(-1)));
        assert_eq!(size(Affine::Add(var(1), minus)), Ok((11, -6)));
        let inner = Box::new(Affine::Mod(var(0), con(4)));
        assert_eq!(size(Affine::FloorDiv(inner, con(2))), Ok((2, 0)));
        assert_eq!(of_level(&Affine::FloorDiv(var(0), con(2)), &[0]).map(|b| b.size), Ok(0));
    }

    #[test]
    fn a_counter_has_its_slices() {
        let symbol = Box::new(Affine::Sym(Sym(0)));
        let expr = Affine::Mul(var(0), Box::new(Affine::Mul(symbol.clone(), con(3))));
        assert_eq!(counter(&expr), Ok(Some(Counter { dims: vec![Dim(0)], slices: Some(3) })));
        let open = counter(&Affine::Mul(var(0), symbol.clone()));
        assert_eq!(open, Ok(Some(Counter { dims: vec![Dim(0)], slices: None })));
        assert!(of_level(&Affine::Add(var(0), symbol), &[4]).is_err());
    }
}

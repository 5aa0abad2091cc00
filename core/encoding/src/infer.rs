//! The inverse of a map: how each dimension follows from the levels.
//!
//! Every level expression is written as an integer combination of *digits*. A dimension that is blocked by 4 and by 2
//! has the digits `i floordiv 4`, `(i mod 4) floordiv 2` and `i mod 2`; one that is not blocked is a digit itself. The
//! levels are then a system of linear equations, and the map is invertible if the system can be solved in integers. So
//! permutations, blocks, nested blocks, diagonals (`j - i`) and mixtures are one case, where MLIR 22 knows only
//! permutations and simple blocks. An inverse that the user writes, in any form, is proved by substituting the levels
//! into it ([`proves`]).

use std::collections::BTreeMap;

use super::{
    Affine, COUNT, EncodingParts,
    affine::normal::Sum,
    linear::{Matrix, Solution},
};
use nnz_base::ids::{Dim, Lvl};

/// Why there is no inverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInverse {
    /// No level stores `part` of the dimension; the dimension itself if the whole is missing.
    Unstored { dim: Dim, part: Affine<Dim> },
    /// The level follows from the ones above it and stores nothing new.
    Redundant { lvl: Lvl },
    /// The levels fix only a multiple of the dimension, or a sum of it and others.
    Undetermined { dim: Dim },
    /// The expression is of a kind whose inverse nnz does not know.
    Opaque { lvl: Lvl },
}

/// A digit of a dimension: `floor(d / low) mod (high / low)`; the leading one has no `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Digit {
    dim: Dim,
    low: i64,
    high: Option<i64>,
}

impl Digit {
    fn whole(dim: Dim) -> Digit {
        Digit { dim, low: 1, high: None }
    }
    fn floordiv(self, c: i64) -> Option<Digit> {
        let low = self.low.checked_mul(c)?;
        self.high.is_none_or(|high| low < high && high % low == 0).then_some(Digit { low, ..self })
    }
    fn modulo(self, c: i64) -> Option<Digit> {
        let high = self.low.checked_mul(c)?;
        match self.high {
            Some(old) if high >= old => Some(self),
            Some(old) if old % high != 0 => None,
            _ => Some(Digit { high: Some(high), ..self }),
        }
    }
    /// As an expression of the dimension.
    fn expr(self) -> Affine<Dim> {
        let quotient = Affine::Var(self.dim).floordiv_const(self.low);
        self.high.map_or(quotient.clone(), |high| quotient.mod_const(high / self.low))
    }
}

/// A level: a sum of digits with factors, and a constant.
#[derive(Clone, Debug, Default)]
struct Row {
    digits: BTreeMap<Digit, i64>,
    constant: i64,
}

impl Row {
    fn of(expr: &Affine<Dim>) -> Option<Row> {
        if let Some(digit) = digit_of(expr) {
            return Some(Row { digits: BTreeMap::from([(digit, 1)]), constant: 0 });
        }
        match expr {
            Affine::Const(c) => Some(Row { digits: BTreeMap::new(), constant: *c }),
            Affine::Add(a, b) => Row::of(a)?.plus(&Row::of(b)?, 1),
            Affine::Mul(a, b) => Row::default().plus(&Row::of(a)?, b.as_const()?),
            Affine::Var(_) | Affine::Sym(_) | Affine::FloorDiv(..) | Affine::CeilDiv(..) | Affine::Mod(..) => None,
        }
    }
    fn plus(mut self, other: &Row, factor: i64) -> Option<Row> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (digit, f) in &other.digits {
            let entry = self.digits.entry(*digit).or_insert(0);
            *entry = entry.checked_add(f.checked_mul(factor)?)?;
        }
        Some(self)
    }
}

fn digit_of(expr: &Affine<Dim>) -> Option<Digit> {
    if let Some(dim) = expr.as_var() {
        return Some(Digit::whole(dim));
    }
    if let Some((e, c)) = expr.as_floordiv().filter(|(_, c)| *c > 0) {
        return digit_of(e)?.floordiv(c);
    }
    let (e, c) = expr.as_mod().filter(|(_, c)| *c > 0)?;
    digit_of(e)?.modulo(c)
}

/// One expression per dimension; `None` where a symbol keeps the map open.
///
/// # Errors
/// Every reason why there is no inverse, each with the level or dimension at fault.
pub(crate) fn infer(parts: &EncodingParts) -> Result<Option<Vec<Affine<Lvl>>>, Vec<NoInverse>> {
    let counts = parts.symbols.iter().any(|symbol| symbol == COUNT);
    let open = parts.levels.iter().any(|level| level.expr.has_symbol() && !(counts && level.counts().is_some()));
    match infer_closed(parts) {
        Ok(inverse) => Ok(Some(inverse)),
        Err(_) if open => unmentioned(parts).map_or(Ok(None), Err),
        Err(reasons) => Err(reasons),
    }
}

/// With symbols, a dimension that no level even mentions is lost for certain.
fn unmentioned(parts: &EncodingParts) -> Option<Vec<NoInverse>> {
    let mentioned: Vec<Dim> = parts.levels.iter().flat_map(|level| level.expr.vars()).collect();
    let missing = dims_of(parts).filter(|dim| !mentioned.contains(dim));
    let reasons: Vec<NoInverse> = missing.map(|dim| NoInverse::Unstored { dim, part: Affine::Var(dim) }).collect();
    (!reasons.is_empty()).then_some(reasons)
}

fn dims_of(parts: &EncodingParts) -> impl Iterator<Item = Dim> {
    (0..parts.dims.len()).map(Dim::new)
}

/// The levels without symbols, as equations over digits.
struct System {
    lvls: Vec<Lvl>,
    rows: Vec<Row>,
    digits: Vec<Digit>,
}

fn infer_closed(parts: &EncodingParts) -> Result<Vec<Affine<Lvl>>, Vec<NoInverse>> {
    let mut lvls = Vec::new();
    let mut rows = Vec::new();
    let mut opaque = Vec::new();
    for (at, level) in parts.levels.iter().enumerate().filter(|(_, level)| !level.expr.has_symbol()) {
        match Row::of(&level.expr) {
            Some(row) => {
                lvls.push(Lvl::new(at));
                rows.push(row);
            }
            None => opaque.push(NoInverse::Opaque { lvl: Lvl::new(at) }),
        }
    }
    if !opaque.is_empty() {
        return Err(opaque);
    }
    let digits = dims_of(parts).map(|dim| digits_of(dim, &rows)).collect::<Option<Vec<_>>>();
    let Some(digits) = digits.map(|digits| digits.concat()) else { return Err(clashing_blocks(&lvls, &rows)) };
    System { lvls, rows, digits }.solve(parts)
}

/// The digits that the levels cut a dimension into; `None` if their borders do not divide each other.
fn digits_of(dim: Dim, rows: &[Row]) -> Option<Vec<Digit>> {
    let stored = rows.iter().flat_map(|row| row.digits.keys()).filter(|digit| digit.dim == dim);
    let mut borders: Vec<i64> = stored.flat_map(|digit| [Some(digit.low), digit.high]).flatten().collect();
    borders.push(1);
    borders.sort_unstable();
    borders.dedup();
    if borders.windows(2).any(|pair| pair[1] % pair[0] != 0) {
        return None;
    }
    let highs = borders.iter().skip(1).map(|&high| Some(high)).chain([None]);
    Some(borders.iter().zip(highs).map(|(&low, high)| Digit { dim, low, high }).collect())
}

/// The levels that cut a dimension at borders which another level's borders do not divide.
fn clashing_blocks(lvls: &[Lvl], rows: &[Row]) -> Vec<NoInverse> {
    let clashes = |at: &usize| {
        let dims: Vec<Dim> = rows[*at].digits.keys().map(|digit| digit.dim).collect();
        dims.iter().any(|dim| digits_of(*dim, &rows[..*at]).is_some() && digits_of(*dim, &rows[..=*at]).is_none())
    };
    (0..rows.len()).filter(clashes).map(|at| NoInverse::Opaque { lvl: lvls[at] }).collect()
}

impl System {
    fn solve(&self, parts: &EncodingParts) -> Result<Vec<Affine<Lvl>>, Vec<NoInverse>> {
        let matrix = Matrix::new(self.rows.iter().map(|row| self.coefficients(row)).collect(), self.digits.len());
        match matrix.solve() {
            Some(Solution::Inverse(inverse)) => {
                let dims: Option<Vec<_>> = dims_of(parts).map(|dim| self.put_together(dim, &inverse)).collect();
                dims.ok_or_else(|| dims_of(parts).map(|dim| NoInverse::Undetermined { dim }).collect())
            }
            Some(Solution::None { redundant, unsolved }) => Err(self.reasons(&redundant, &unsolved)),
            None => Err(self.lvls.iter().map(|&lvl| NoInverse::Opaque { lvl }).collect()),
        }
    }

    /// A level's factor for every digit: `d` is the sum of its digits, each times its low border.
    fn coefficients(&self, row: &Row) -> Vec<i64> {
        let factor = |digit: &Digit| {
            let within = |whole: &&Digit| {
                whole.dim == digit.dim
                    && whole.low <= digit.low
                    && whole.high.is_none_or(|high| digit.high.is_some_and(|own| own <= high))
            };
            let wholes = row.digits.iter().filter(|(whole, _)| within(whole));
            wholes.fold(0i64, |sum, (whole, f)| sum.saturating_add(f.saturating_mul(digit.low / whole.low)))
        };
        self.digits.iter().map(factor).collect()
    }

    /// `d = sum over its digits of low * digit`, each digit a combination of levels.
    fn put_together(&self, dim: Dim, inverse: &[Vec<i64>]) -> Option<Affine<Lvl>> {
        let mut factors = vec![0i64; self.rows.len()];
        for (digit, solved) in self.digits.iter().zip(inverse).filter(|(digit, _)| digit.dim == dim) {
            for (factor, c) in factors.iter_mut().zip(solved) {
                *factor = factor.checked_add(c.checked_mul(digit.low)?)?;
            }
        }
        let mut order: Vec<usize> = (0..factors.len()).filter(|&at| factors[at] != 0).collect();
        order.sort_by_key(|&at| (factors[at] < 0, std::cmp::Reverse(factors[at].unsigned_abs())));
        let scaled = order.iter().map(|&at| Affine::Var(self.lvls[at]).scaled(factors[at]));
        let sum = scaled.reduce(Affine::add).unwrap_or(Affine::Const(0));
        let constants = order.iter().map(|&at| factors[at].checked_mul(self.rows[at].constant));
        let constant = constants.sum::<Option<i64>>()?;
        Some(Affine::add(sum, Affine::Const(constant.checked_neg()?)))
    }

    fn reasons(&self, redundant: &[usize], unsolved: &[usize]) -> Vec<NoInverse> {
        let levels = redundant.iter().map(|&row| NoInverse::Redundant { lvl: self.lvls[row] });
        let mut dims: Vec<Dim> = unsolved.iter().map(|&at| self.digits[at].dim).collect();
        dims.dedup();
        levels.chain(dims.into_iter().map(|dim| self.unsolved(dim, unsolved))).collect()
    }

    fn unsolved(&self, dim: Dim, unsolved: &[usize]) -> NoInverse {
        let used = |digit: &Digit| {
            let at = self.digits.iter().position(|other| other == digit);
            self.rows.iter().any(|row| at.is_some_and(|at| self.coefficients(row)[at] != 0))
        };
        let missing: Vec<Digit> =
            unsolved.iter().map(|&at| self.digits[at]).filter(|d| d.dim == dim && !used(d)).collect();
        let all = self.digits.iter().filter(|digit| digit.dim == dim).count();
        match missing.first() {
            Some(_) if missing.len() == all => NoInverse::Unstored { dim, part: Affine::Var(dim) },
            Some(digit) => NoInverse::Unstored { dim, part: digit.expr() },
            None => NoInverse::Undetermined { dim },
        }
    }
}

/// Whether `inverse`, with every level replaced by its expression, is provably the dimension itself.
pub fn proves(parts: &EncodingParts, dim: Dim, inverse: &Affine<Lvl>) -> bool {
    let level = |lvl: Lvl| Sum::of(&parts.levels.get(lvl.index())?.expr, &|d: Dim| Some(Sum::var(d)));
    Sum::of(inverse, &level).is_some_and(|sum| sum.is_var(dim))
}

//! Index maps, from the coordinates of one structure to those of another, at points.

use crate::model::{Binary, Expr, ExprKind, IndexMap, VariableId};

/// Coordinates that are tried for each dimension: small ones, and some beyond the blocks that formats have.
const TRIED: [i64; 8] = [0, 1, 2, 3, 5, 16, 33, 100];

/// So many points are tried at most.
const MOST_POINTS: usize = 4096;

/// A point, what it is mapped to, and where that goes back.
pub type Example = (Vec<i64>, Vec<i64>, Vec<i64>);

/// A point that does not come back, of those that are tried.
pub fn counterexample(there: &IndexMap, back: &IndexMap) -> Option<Example> {
    let count = TRIED.len().checked_pow(u32::try_from(there.variables.len()).ok()?)?.min(MOST_POINTS);
    (0..count).find_map(|number| {
        let from = tried(number, there.variables.len());
        let through = mapped(there, &from)?;
        let to = mapped(back, &through)?;
        (to != from).then_some((from, through, to))
    })
}

/// The point of a number: its digits pick coordinates.
fn tried(mut number: usize, dimensions: usize) -> Vec<i64> {
    let digit = |_| {
        let at = number % TRIED.len();
        number /= TRIED.len();
        TRIED[at]
    };
    (0..dimensions).map(digit).collect()
}

/// Where a map takes a point; `None` where it computes with more than numbers.
pub fn mapped(map: &IndexMap, point: &[i64]) -> Option<Vec<i64>> {
    map.results.iter().map(|result| value(result, &map.variables, point)).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "maps compute with few of the operations")]
fn value(expr: &Expr, variables: &[VariableId], point: &[i64]) -> Option<i64> {
    match expr.kind() {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Variable(id) => {
            let at = variables.iter().position(|variable| variable == id)?;
            point.get(at).copied()
        }
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (value(left, variables, point)?, value(right, variables, point)?);
            match op {
                Binary::Add => left.checked_add(right),
                Binary::Subtract => left.checked_sub(right),
                Binary::Multiply => left.checked_mul(right),
                Binary::FloorDivide if right > 0 => left.checked_div_euclid(right),
                Binary::FloorModulo if right > 0 => left.checked_rem_euclid(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `(1, 0)`.
pub fn point(coordinates: &[i64]) -> String {
    let coordinates: Vec<String> = coordinates.iter().map(i64::to_string).collect();
    format!("({})", coordinates.join(", "))
}

/// The greatest of each result where every variable is below its length; `None` where that is not known. Lengths are at
/// least 1.
pub fn greatest(map: &IndexMap, lengths: &[i64]) -> Option<Vec<i64>> {
    let within = |result| range(result, &map.variables, lengths).map(|(_, most)| most);
    map.results.iter().map(within).collect()
}

/// The least and the greatest value.
#[expect(clippy::wildcard_enum_match_arm, reason = "maps compute with few of the operations")]
fn range(expr: &Expr, variables: &[VariableId], lengths: &[i64]) -> Option<(i64, i64)> {
    match expr.kind() {
        ExprKind::Int(value) => Some((*value, *value)),
        ExprKind::Variable(id) => {
            let at = variables.iter().position(|variable| variable == id)?;
            Some((0, lengths.get(at)?.checked_sub(1)?))
        }
        ExprKind::Binary(op, left, right) => {
            combined(*op, range(left, variables, lengths)?, range(right, variables, lengths)?)
        }
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "maps compute with few of the operations")]
fn combined(op: Binary, (low, high): (i64, i64), (least, most): (i64, i64)) -> Option<(i64, i64)> {
    match op {
        Binary::Add => Some((low.checked_add(least)?, high.checked_add(most)?)),
        Binary::Subtract => Some((low.checked_sub(most)?, high.checked_sub(least)?)),
        Binary::Multiply => {
            let corners = [(low, least), (low, most), (high, least), (high, most)];
            let corners = corners.iter().map(|(one, other)| one.checked_mul(*other)).collect::<Option<Vec<i64>>>()?;
            Some((corners.iter().copied().min()?, corners.into_iter().max()?))
        }
        Binary::FloorDivide if least > 0 && least == most => Some((low.div_euclid(most), high.div_euclid(most))),
        Binary::FloorModulo if least > 0 && least == most && low >= 0 && high < most => Some((low, high)),
        Binary::FloorModulo if least > 0 => Some((0, most - 1)),
        _ => None,
    }
}

/// A result of a map with values for its variables, which are numbered from 0 on.
#[expect(clippy::wildcard_enum_match_arm, reason = "maps compute with few of the operations")]
pub fn placed(result: &Expr, values: &[Expr]) -> Option<Expr> {
    match result.kind() {
        ExprKind::Int(_) => Some(result.clone()),
        ExprKind::Variable(id) => values.get(id.index()).cloned(),
        ExprKind::Binary(op, left, right) => {
            Expr::binary(result.place, *op, placed(left, values)?, placed(right, values)?).ok()
        }
        _ => None,
    }
}

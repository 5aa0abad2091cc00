//! The index maps of a format description: each inverts the other.

use nnz_base::diagnostic::Code;

use super::Checker;
use crate::model::{Binary, Expr, ExprKind, IndexMap, Value, VariableId};

/// Coordinates that are tried for each dimension: small ones, and some beyond the blocks that formats have.
const TRIED: [i64; 8] = [0, 1, 2, 3, 5, 16, 33, 100];

/// So many points are tried at most.
const MOST_POINTS: usize = 4096;

impl Checker<'_> {
    pub(super) fn maps(&mut self) {
        let map = |key: &str| match self.function.attributes.get(key) {
            Some(Value::Map(map)) => Some(map),
            _ => None,
        };
        let (Some(there), Some(back)) = (map("idx_map"), map("inv_idx_map")) else { return };
        if there.results.len() != back.variables.len() || back.results.len() != there.variables.len() {
            let message = format!(
                "`idx_map` gives {} coordinates, and `inv_idx_map` takes {}",
                there.results.len(),
                back.variables.len()
            );
            return self.disagree(message, "the numbers of coordinates differ");
        }
        if let Some((from, through, to)) = counterexample(there, back) {
            let message = format!("`inv_idx_map` does not invert `idx_map` at {}", point(&from));
            self.disagree(message, &format!("it goes to {}, and back to {}", point(&through), point(&to)));
        }
    }

    fn disagree(&mut self, message: String, label: &str) {
        let place = self.read.attributes.unwrap_or(self.function.place.0);
        let told = self.mistake(Code::IndexMapsDisagree, place, message).label(label);
        self.tell(told.help("the order of coordinates is that of the iterators in both structures"));
    }
}

/// A point, what it is mapped to, and where that goes back.
type Example = (Vec<i64>, Vec<i64>, Vec<i64>);

fn counterexample(there: &IndexMap, back: &IndexMap) -> Option<Example> {
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
fn mapped(map: &IndexMap, point: &[i64]) -> Option<Vec<i64>> {
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
                Binary::FloorDivide if right > 0 => Some(left.div_euclid(right)),
                Binary::FloorModulo if right > 0 => Some(left.rem_euclid(right)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn point(coordinates: &[i64]) -> String {
    let coordinates: Vec<String> = coordinates.iter().map(i64::to_string).collect();
    format!("({})", coordinates.join(", "))
}

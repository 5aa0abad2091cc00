//! `vectorize` of a loop that adds up a sum: one sum per lane, added together at the end.
//!
//! ```text
//! for i in lo..hi { sum = sum + value(i) }
//! ```
//! becomes, with two lanes,
//! ```text
//! var lane_1 = 0
//! var lane_2 = 0
//! for i.block in 0..(hi - lo) / 2 {
//!   lane_1 = lane_1 + value(lo + i.block * 2)
//!   lane_2 = lane_2 + value(lo + i.block * 2 + 1)
//! }
//! for i_3 in lo + (hi - lo) / 2 * 2..hi { sum = sum + value(i_3) }
//! sum = sum + (lane_1 + lane_2)
//! ```
//! This adds in another order, so it is done only if the schedule says `reassociate()`.

use super::{
    draft::{Draft, Range},
    unroll::copied,
};
use nnz_base::element::Element;
use nnz_loops::{Binary, Expr, ExprId, Stmt, Type, VarId};

/// Two registers of AVX2 with `f64`, which hide some of the time that an addition takes.
const LANES: i64 = 8;

/// What the body of a loop adds up.
pub(super) struct Sum {
    var: VarId,
    element: Element,
}

impl Sum {
    /// The sum of a loop that consists of definitions, then `sum = sum + value` or `sum = sum - value`.
    pub(super) fn of(draft: &Draft, range: &Range) -> Option<Sum> {
        let (last, before) = range.body.split_last()?;
        let Stmt::Assign { var, value } = last else { return None };
        let Expr::Binary(Binary::Add | Binary::Sub, so_far, added) = draft.b.get(*value)? else { return None };
        let is_sum = matches!(draft.b.get(*so_far), Some(Expr::Var(read)) if read == var);
        let plain = before.iter().all(|stmt| {
            let reads = |value: &ExprId| draft.b.reads(*value, *var);
            matches!(stmt, Stmt::Comment(_)) || matches!(stmt, Stmt::Let { value, .. } if !reads(value))
        });
        let Some(Type::Element(element)) = draft.b.local_type(*var) else { return None };
        (is_sum && plain && !draft.b.reads(*added, *var)).then_some(Sum { var: *var, element })
    }

    /// The loop with a sum for each lane.
    pub(super) fn in_lanes(&self, draft: &mut Draft, range: Range) -> Vec<Stmt> {
        let mut made = Vec::new();
        let name = draft.b.var_name(range.var).to_string();
        let first = draft.fixed(&format!("{name}.first"), range.lo, &mut made);
        let length = draft.b.sub(range.hi, first);
        let length = draft.fixed(&format!("{name}.length"), length, &mut made);
        let lanes = self.lanes(draft, &mut made);
        let (zero, width) = (draft.b.index(0), draft.b.index(LANES));
        let blocks = draft.b.binary(Binary::Div, length, width);
        let counter = draft.b.local(&format!("{name}.block"), Type::Index);
        let at = draft.b.var(counter);
        let start = draft.b.mul(at, width);
        let mut body = Vec::new();
        for (offset, lane) in (0..).zip(&lanes) {
            let offset = draft.b.index(offset);
            let within = draft.b.add(start, offset);
            let value = draft.b.add(first, within);
            let (var, copy) = copied(draft, &range, Some((self.var, *lane)));
            body.push(Stmt::Let { var, value });
            body.extend(copy);
        }
        made.push(Stmt::For { var: counter, lo: zero, hi: blocks, kind: range.kind, body });
        let covered = draft.b.mul(blocks, width);
        let (lo, hi) = (draft.b.add(first, covered), draft.b.add(first, length));
        let (var, body) = copied(draft, &range, None);
        made.push(Stmt::For { var, lo, hi, kind: range.kind, body });
        made.push(self.together(draft, &lanes));
        draft.forget(&range);
        made
    }

    fn lanes(&self, draft: &mut Draft, made: &mut Vec<Stmt>) -> Vec<VarId> {
        let zero = draft.b.value(self.element, self.element.zero());
        let lane = |_| {
            let var = draft.b.local("lane", Type::Element(self.element));
            made.push(Stmt::Mut { var, value: zero });
            var
        };
        (0..LANES).map(lane).collect()
    }

    /// Adds the lanes in pairs, and their total to the sum.
    fn together(&self, draft: &mut Draft, lanes: &[VarId]) -> Stmt {
        let mut sums: Vec<ExprId> = lanes.iter().map(|lane| draft.b.var(*lane)).collect();
        while sums.len() > 1 {
            let add = |pair: &[ExprId]| match pair {
                [a, b] => draft.b.binary(Binary::Add, *a, *b),
                _ => pair[0],
            };
            sums = sums.chunks(2).map(add).collect();
        }
        let so_far = draft.b.var(self.var);
        let value = sums.into_iter().fold(so_far, |sum, more| draft.b.binary(Binary::Add, sum, more));
        Stmt::Assign { var: self.var, value }
    }
}

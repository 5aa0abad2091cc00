//! `unroll`: repeats the body of a loop several times, with a loop over the remaining iterations.
//!
//! ```text
//! for i in lo..hi { body(i) }
//! ```
//! becomes, twice in a row,
//! ```text
//! for i.block in 0..(hi - lo) / 2 {
//!   let i = lo + i.block * 2
//!   body(i)
//!   let i_1 = lo + (i.block * 2 + 1)
//!   body(i_1)
//! }
//! for i_2 in lo + (hi - lo) / 2 * 2..hi { body(i_2) }
//! ```
//! The iterations and their order are the same, so this is always legal.

use super::{
    Refusal,
    draft::{Draft, Range},
};
use crate::{
    iterate::Plan,
    lower::{LoopOver, NamedLoop},
};
use nnz_kernel::{LoopName, schedule::Count};
use nnz_loops::{Binary, Copies, ExprId, Stmt, Type, VarId};

/// The largest number of copies of a loop body.
const MOST_COPIES: u32 = 256;

pub(super) fn unroll(plan: &Plan, draft: &mut Draft, of: &LoopName, times: Count) -> Result<(), Refusal> {
    if times.get() > MOST_COPIES {
        return Err(Refusal::ManyCopies { times: times.get(), most: MOST_COPIES });
    }
    for var in draft.counted(plan, of)? {
        draft.replace(var, |draft, range| Ok::<_, Refusal>(unrolled(draft, range, times)))?;
    }
    Ok(())
}

fn unrolled(draft: &mut Draft, range: Range, times: Count) -> Vec<Stmt> {
    let mut made = Vec::new();
    let name = draft.b.var_name(range.var).to_string();
    let first = draft.fixed(&format!("{name}.first"), range.lo, &mut made);
    let length = draft.b.sub(range.hi, first);
    let length = draft.fixed(&format!("{name}.length"), length, &mut made);
    let (zero, times_expr) = (draft.b.index(0), draft.b.index(i64::from(times.get())));
    let blocks = match draft.b.index_literal(length) {
        Some(length) => draft.b.index(length.max(0) / i64::from(times.get())),
        None => draft.b.binary(Binary::Div, length, times_expr),
    };
    match draft.b.index_literal(blocks) {
        Some(0) => {}
        Some(1) => made.extend(block(draft, &range, times, [first, zero])),
        _ => {
            let counter = draft.b.local(&format!("{name}.block"), Type::Index);
            let at = draft.b.var(counter);
            let start = draft.b.mul(at, times_expr);
            let body = block(draft, &range, times, [first, start]);
            made.push(Stmt::For { var: counter, lo: zero, hi: blocks, kind: range.kind, body });
        }
    }
    let covered = draft.b.mul(blocks, times_expr);
    if draft.b.index_literal(length).is_none() || draft.b.index_literal(length) != draft.b.index_literal(covered) {
        let lo = draft.b.add(first, covered);
        let (var, body) = copied(draft, &range, None);
        let hi = draft.b.add(first, length);
        made.push(Stmt::For { var, lo, hi, kind: range.kind, body });
    }
    draft.forget(&range);
    made
}

/// The iterations of one block, the first at `first + start`.
fn block(draft: &mut Draft, range: &Range, times: Count, [first, start]: [ExprId; 2]) -> Vec<Stmt> {
    let mut body = Vec::new();
    for copy in 0..times.get() {
        let copy = draft.b.index(i64::from(copy));
        let within = draft.b.add(start, copy);
        let value = draft.b.add(first, within);
        body.extend(iteration(draft, range, value));
    }
    body
}

/// The body where the loop's variable is `value`.
fn iteration(draft: &mut Draft, range: &Range, value: ExprId) -> Vec<Stmt> {
    let (var, body) = copied(draft, range, None);
    [Stmt::Let { var, value }].into_iter().chain(body).collect()
}

/// A copy of the loop's variable and body. `instead` replaces one variable by another. The loops inside keep their
/// names.
pub(super) fn copied(draft: &mut Draft, range: &Range, instead: Option<(VarId, VarId)>) -> (VarId, Vec<Stmt>) {
    let mut copies = Copies::renaming(instead);
    let var = draft.b.copied_var(range.var, &mut copies);
    let body = draft.b.copied(&range.body, &mut copies);
    let inside: Vec<NamedLoop> = draft.loops.iter().filter_map(|named| renamed(named, &copies)).collect();
    draft.loops.extend(inside.into_iter().filter(|named| named.over.var() != Some(var)));
    (var, body)
}

/// The named loop of the copy that corresponds to this one, if the copy has it.
fn renamed(named: &NamedLoop, copies: &Copies) -> Option<NamedLoop> {
    let old = named.over.var()?;
    let new = Some(copies.var(old)).filter(|new| *new != old)?;
    let over = match &named.over {
        LoopOver::Range { .. } => LoopOver::Range { var: new },
        LoopOver::Entries { tensor, .. } => LoopOver::Entries { var: new, tensor: *tensor },
        LoopOver::Merged { .. } => return None,
    };
    Some(NamedLoop { name: named.name.clone(), over })
}

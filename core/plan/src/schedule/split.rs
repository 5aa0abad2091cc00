//! `split` and `divide`: one loop as two, over strips and within a strip.
//!
//! ```text
//! for i in lo..hi { body }
//! ```
//! becomes, in strips of 16,
//! ```text
//! for i0 in 0..(hi - lo + 15) / 16 {
//!   for i1 in 0..min(16, hi - lo - i0 * 16) {
//!     let i = lo + (i0 * 16 + i1)
//!     body
//!   }
//! }
//! ```
//! The iterations and their order are the same, so this is always legal.

use super::{
    Refusal,
    draft::{Draft, Range},
};
use crate::iterate::Plan;
use nnz_kernel::{LoopName, schedule::Count};
use nnz_loops::{Binary, Builder, ExprId, ForKind, Stmt, Type};

/// How a loop is cut.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// Into strips of this many iterations.
    EveryStrip(Count),
    /// Into this many parts of equal length.
    Parts(Count),
}

pub(super) fn strips(
    plan: &Plan,
    draft: &mut Draft,
    of: &LoopName,
    names: [&LoopName; 2],
    cut: Cut,
) -> Result<(), Refusal> {
    for var in draft.ranges(plan, of)? {
        draft.replace(var, |draft, range| Ok::<_, Refusal>(in_strips(draft, range, names, cut)))?;
    }
    Ok(())
}

/// How many strips there are, and how long each but the last is.
struct Strips {
    count: ExprId,
    size: ExprId,
    /// All strips have the same length.
    whole: bool,
}

fn in_strips(draft: &mut Draft, range: Range, names: [&LoopName; 2], cut: Cut) -> Vec<Stmt> {
    let mut made = Vec::new();
    let name = draft.b.var_name(range.var).to_string();
    let first = draft.fixed(&format!("{name}.first"), range.lo, &mut made);
    let length = draft.b.sub(range.hi, first);
    let length = draft.fixed(&format!("{name}.length"), length, &mut made);
    let strips = match cut {
        Cut::EveryStrip(size) => every(&mut draft.b, length, size),
        Cut::Parts(parts) => in_parts(draft, &name, length, parts, &mut made),
    };
    let [outer, inner] = names.map(|name| draft.b.local(name.as_str(), Type::Index));
    let b = &mut draft.b;
    let (zero, strip, within) = (b.index(0), b.var(outer), b.var(inner));
    let start = b.mul(strip, strips.size);
    let rest = b.sub(length, start);
    let end = if strips.whole { strips.size } else { b.binary(Binary::Min, strips.size, rest) };
    let at = b.add(start, within);
    let value = b.add(first, at);
    let body = [Stmt::Let { var: range.var, value }].into_iter().chain(range.body).collect();
    let body = vec![Stmt::For { var: inner, lo: zero, hi: end, kind: ForKind::Serial, body }];
    made.push(Stmt::For { var: outer, lo: zero, hi: strips.count, kind: range.kind, body });
    draft.rename(range.var, &[(names[0], outer), (names[1], inner)]);
    made
}

fn every(b: &mut Builder, length: ExprId, size: Count) -> Strips {
    let size = i64::from(size.get());
    if let Some(length) = b.index_literal(length) {
        let (count, whole) = (length.max(0).div_euclid(size), length % size == 0);
        return Strips { count: b.index(count + i64::from(!whole)), size: b.index(size), whole };
    }
    let (more, size) = (b.index(size - 1), b.index(size));
    let up = b.add(length, more);
    Strips { count: b.binary(Binary::Div, up, size), size, whole: false }
}

fn in_parts(draft: &mut Draft, name: &str, length: ExprId, parts: Count, made: &mut Vec<Stmt>) -> Strips {
    let parts = i64::from(parts.get());
    let (more, count) = (draft.b.index(parts - 1), draft.b.index(parts));
    if let Some(length) = draft.b.index_literal(length) {
        let size = (length.max(0) + parts - 1) / parts;
        return Strips { count, size: draft.b.index(size), whole: length == size * parts };
    }
    let up = draft.b.add(length, more);
    let size = draft.b.binary(Binary::Div, up, count);
    Strips { count, size: draft.fixed(&format!("{name}.part"), size, made), whole: false }
}

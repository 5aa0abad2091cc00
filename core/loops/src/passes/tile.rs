//! Register tiles. If loops add to a row of the result repeatedly, as
//!
//! ```text
//! for p in lo..hi { for k in 0..n { C[base + k] = C[base + k] + a(p) * B[.., k] } }
//! ```
//!
//! in the product of a sparse and a dense matrix, the row is processed in tiles of [`WIDTH`] entries that
//! stay in registers while the outer loops run. Every entry has the same additions in the same order, so the
//! result has the same bits.

use std::collections::HashSet;

use crate::{
    ArrayId, ArrayType, Binary, Builder, Copies, Expr, ExprId, ForKind, Function, Map, Stmt, Type, VarId, typing,
};
use nnz_base::element::Element;

/// Entries of a tile: of `f64` half of AVX2's registers, which leaves the other half to what is added.
const WIDTH: i64 = 32;

/// `function` with register tiles wherever they fit; `None` if they fit nowhere.
pub(super) fn with_tiles(function: &Function) -> Option<Function> {
    let mut nests = Vec::new();
    find(function, &function.body, &mut nests);
    if nests.is_empty() {
        return None;
    }
    let (b, body) = Builder::reopen(function, nests.iter_mut().flat_map(|nest| [&mut nest.outer, &mut nest.along]));
    let mut tiler = Tiler { b, nests };
    let body = tiler.block(&body);
    body.into_iter().for_each(|stmt| tiler.b.push(stmt));
    Some(tiler.b.finish())
}

/// The outermost nests of a block.
fn find(function: &Function, block: &[Stmt], nests: &mut Vec<Nest>) {
    for stmt in block {
        match Nest::of(function, stmt) {
            Some(nest) => nests.push(nest),
            None => stmt.blocks().into_iter().for_each(|inner| find(function, inner, nests)),
        }
    }
}

/// A loop over whose iterations a row of an array is updated.
struct Nest {
    /// The variable of the outermost loop, and its bounds.
    outer: VarId,
    bounds: [ExprId; 2],
    /// The variable of the innermost loop, which runs over the row.
    along: VarId,
    size: ExprId,
    array: ArrayId,
    /// The type of its entries.
    ty: Type,
    /// Where the row starts.
    base: ExprId,
    op: Binary,
    added: ExprId,
}

impl Nest {
    /// `stmt` as a nest of loops around one update of a row, the row the same for all of it.
    fn of(function: &Function, stmt: &Stmt) -> Option<Nest> {
        let Stmt::For { var: outer, lo, hi, kind: ForKind::Serial, .. } = stmt else { return None };
        let mut inside = Inside::default();
        let row = inside.leaf(stmt, 0)?;
        let Stmt::For { var: along, lo: first, hi: size, body, .. } = row else { return None };
        let [Stmt::Store { array, index, value }] = body.as_slice() else { return None };
        let Expr::Binary(op @ (Binary::Add | Binary::Sub), so_far, added) = *function.expr(*value) else { return None };
        let Expr::Load { array: loaded, index: at } = *function.expr(so_far) else { return None };
        let base = start_of_row(function, *index, *along)?;
        let fixed = |expr: ExprId| !any(function, expr, &|e| matches!(e, Expr::Var(v) if inside.declared.contains(v)));
        let reads =
            |expr: ExprId| any(function, expr, &|e| matches!(e, Expr::Load { array: read, .. } if read == array));
        let fits = loaded == *array
            && same(function, at, *index)
            && matches!(function.expr(*first), Expr::Index(0))
            && matches!(function.array(*array).ty, ArrayType::Values(Element::F64 | Element::F32))
            && fixed(base)
            && fixed(*size)
            && !matches!(function.expr(*size), Expr::Index(size) if *size < WIDTH)
            && !inside.evaluated.iter().chain([&added, &base]).any(|expr| reads(*expr));
        let (array, ty, bounds) = (*array, typing::loaded(function.array(*array).ty), [*lo, *hi]);
        fits.then_some(Nest { outer: *outer, bounds, along: *along, size: *size, array, ty, base, op, added })
    }
}

/// The statements between the outermost loop of a nest and its row.
#[derive(Default)]
struct Inside {
    declared: HashSet<VarId>,
    evaluated: Vec<ExprId>,
}

impl Inside {
    /// The innermost loop, if there is nothing but definitions beside the loops, and two loops at least.
    fn leaf<'s>(&mut self, stmt: &'s Stmt, depth: usize) -> Option<&'s Stmt> {
        let Stmt::For { var, lo, hi, kind: ForKind::Serial, body } = stmt else { return None };
        self.evaluated.extend([*lo, *hi]);
        if matches!(body.as_slice(), [Stmt::Store { .. }]) {
            return (depth > 0).then_some(stmt);
        }
        self.declared.insert(*var);
        let (last, before) = body.split_last()?;
        for stmt in before {
            if let Stmt::Let { var, value } = stmt {
                self.declared.insert(*var);
                self.evaluated.push(*value);
            } else if !matches!(stmt, Stmt::Comment(_)) {
                return None;
            }
        }
        self.leaf(last, depth + 1)
    }
}

/// The part of `index` beside `along`, where it is their sum.
fn start_of_row(function: &Function, index: ExprId, along: VarId) -> Option<ExprId> {
    let Expr::Binary(Binary::Add, left, right) = *function.expr(index) else { return None };
    let is_along = |expr: ExprId| matches!(function.expr(expr), Expr::Var(var) if *var == along);
    let base = if is_along(right) { left } else { is_along(left).then_some(right)? };
    (!any(function, base, &|e| matches!(e, Expr::Var(var) if *var == along))).then_some(base)
}

/// Whether `is` holds for a part of `expr`.
fn any(function: &Function, expr: ExprId, is: &dyn Fn(&Expr) -> bool) -> bool {
    let found = function.expr(expr);
    is(found) || found.operands().into_iter().any(|operand| any(function, operand, is))
}

/// Whether two expressions are written alike.
fn same(function: &Function, a: ExprId, b: ExprId) -> bool {
    if a == b {
        return true;
    }
    let (left, right) = (function.expr(a), function.expr(b));
    let parts = (left.operands(), right.operands());
    let heads = match left {
        Expr::Binary(a, ..) => matches!(right, Expr::Binary(b, ..) if a == b),
        Expr::Load { array: a, .. } => matches!(right, Expr::Load { array: b, .. } if a == b),
        Expr::Var(_) | Expr::Index(_) => left == right,
        Expr::Bool(_) | Expr::Value(..) | Expr::Unary(..) | Expr::Select { .. } | Expr::Cast { .. } => false,
    };
    heads && parts.0.len() == parts.1.len() && parts.0.iter().zip(&parts.1).all(|(a, b)| same(function, *a, *b))
}

/// A function while its nests are replaced.
struct Tiler {
    b: Builder,
    nests: Vec<Nest>,
}

impl Map for Tiler {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let found = self.nests.iter().position(|nest| stmt.is_loop() && stmt.declared() == [nest.outer]);
        match found {
            Some(at) => {
                let nest = self.nests.swap_remove(at);
                self.tiled(&nest, stmt)
            }
            None => stmt.map(self),
        }
    }
}

impl Tiler {
    /// The whole tiles, then what is left of the row. Only where the outer loop runs at all is the row
    /// known to lie within its array.
    fn tiled(&mut self, nest: &Nest, stmt: &Stmt) -> Stmt {
        let b = &mut self.b;
        let (width, zero) = (b.index(WIDTH), b.index(0));
        let tiles = b.binary(Binary::Div, nest.size, width);
        let covered = b.mul(tiles, width);
        let (tile, first) = (b.local("tile", Type::Index), b.local("first", Type::Index));
        let at = b.var(tile);
        let value = b.mul(at, width);
        let mut body = vec![Stmt::Let { var: first, value }];
        body.extend(self.one_tile(nest, stmt, first));
        let whole = Stmt::For { var: tile, lo: zero, hi: tiles, kind: ForKind::Serial, body };
        let then = std::iter::once(whole).chain(self.left(nest, stmt, covered)).collect();
        let [lo, hi] = nest.bounds;
        let cond = self.b.binary(Binary::Lt, lo, hi);
        Stmt::If { cond, then, other: Vec::new() }
    }

    /// The nest for what the tiles do not cover, if that can be anything.
    fn left(&mut self, nest: &Nest, stmt: &Stmt, covered: ExprId) -> Option<Stmt> {
        if covered == nest.size {
            return None;
        }
        let along = |row: &Stmt| {
            let Stmt::For { var, hi, kind, body, .. } = row else { return Vec::new() };
            vec![Stmt::For { var: *var, lo: covered, hi: *hi, kind: *kind, body: body.clone() }]
        };
        let cond = self.b.binary(Binary::Lt, covered, nest.size);
        Some(Stmt::If { cond, then: vec![with_row(stmt, &along)], other: Vec::new() })
    }

    /// The nest for the entries of the row from `first` on, in registers.
    fn one_tile(&mut self, nest: &Nest, stmt: &Stmt, first: VarId) -> Vec<Stmt> {
        let b = &mut self.b;
        let (mut before, mut updates, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for offset in 0..WIDTH {
            let (first, offset) = (b.var(first), b.index(offset));
            let along = b.add(first, offset);
            let index = b.add(nest.base, along);
            let register = b.local("tiled", nest.ty);
            let so_far = b.var(register);
            let value = b.load(nest.array, index);
            before.push(Stmt::Mut { var: register, value });
            let added = b.copied_expr(nest.added, &mut Copies::in_place(nest.along, along));
            let value = b.binary(nest.op, so_far, added);
            updates.push(Stmt::Assign { var: register, value });
            after.push(Stmt::Store { array: nest.array, index, value: so_far });
        }
        let loops = with_row(stmt, &|_| updates.clone());
        before.extend(b.copied(&[loops], &mut Copies::default()));
        before.extend(after);
        before
    }
}

/// A nest with its innermost loop replaced.
fn with_row(stmt: &Stmt, row: &dyn Fn(&Stmt) -> Vec<Stmt>) -> Stmt {
    let Stmt::For { var, lo, hi, kind, body } = stmt else { return stmt.clone() };
    let is_row =
        |stmt: &Stmt| matches!(stmt, Stmt::For { body, .. } if matches!(body.as_slice(), [Stmt::Store { .. }]));
    let inner = |stmt: &Stmt| if is_row(stmt) { row(stmt) } else { vec![with_row(stmt, row)] };
    Stmt::For { var: *var, lo: *lo, hi: *hi, kind: *kind, body: body.iter().flat_map(inner).collect() }
}

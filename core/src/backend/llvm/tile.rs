//! Register tiles: where loops add to a row of the result again and again, as
//!
//! ```text
//! for p in lo..hi { for k in 0..n { C[base + k] = C[base + k] + a(p) * B[.., k] } }
//! ```
//!
//! in the product of a sparse and a dense matrix, the row is taken in tiles of [`WIDTH`] entries that stay
//! in registers while the outer loops run. Every entry sees the same additions in the same order, so
//! that not one bit of the result changes.
//!
//! This is done for machine code only: the loops that a user is shown stay short.

use std::collections::{HashMap, HashSet};

use crate::{
    element::Element,
    loops::{ArrayId, ArrayType, Binary, Expr, ExprId, ForKind, Function, Map, Stmt, Type, Var, VarId},
};

/// Entries of a tile: of `f64` half of AVX2's registers, which leaves the other half to what is added.
const WIDTH: i64 = 32;

/// `function` with register tiles wherever they fit; `None` where they fit nowhere.
pub(super) fn with_tiles(function: &Function) -> Option<Function> {
    let mut tiler = Tiler { function: function.clone(), tiles: 0 };
    let body = tiler.block(&function.body);
    (tiler.tiles > 0).then_some(Function { body, ..tiler.function })
}

/// A loop over whose iterations a row of an array is updated.
struct Nest<'s> {
    outer: &'s Stmt,
    bounds: [ExprId; 2],
    /// The variable of the innermost loop.
    along: VarId,
    size: ExprId,
    array: ArrayId,
    /// Where the row starts.
    base: ExprId,
    op: Binary,
    added: ExprId,
}

impl<'s> Nest<'s> {
    /// `stmt` as a nest of loops around one update of a row, the row the same for all of it.
    fn of(function: &Function, stmt: &'s Stmt) -> Option<Nest<'s>> {
        let Stmt::For { lo, hi, kind: ForKind::Serial, .. } = stmt else { return None };
        let mut inside = Inside::default();
        let row = inside.leaf(stmt, 0)?;
        let Stmt::For { var: along, lo: first, hi: size, body, .. } = row else { return None };
        let [Stmt::Store { array, index, value }] = body.as_slice() else { return None };
        let (op, added) = match *function.expr(*value) {
            Expr::Binary(op @ (Binary::Add | Binary::Sub), so_far, added) => {
                let Expr::Load { array: loaded, index: at } = *function.expr(so_far) else { return None };
                (loaded == *array && same(function, at, *index)).then_some((op, added))?
            }
            _ => return None,
        };
        let base = start_of_row(function, *index, *along)?;
        let fixed = |expr: ExprId| !any(function, expr, &|e| matches!(e, Expr::Var(v) if inside.declared.contains(v)));
        let reads =
            |expr: ExprId| any(function, expr, &|e| matches!(e, Expr::Load { array: read, .. } if read == array));
        let fits = matches!(function.expr(*first), Expr::Index(0))
            && matches!(function.array(*array).ty, ArrayType::Values(Element::F64 | Element::F32))
            && fixed(base)
            && fixed(*size)
            && !inside.evaluated.iter().chain([&added, &base]).any(|expr| reads(*expr));
        let (array, bounds) = (*array, [*lo, *hi]);
        fits.then_some(Nest { outer: stmt, bounds, along: *along, size: *size, array, base, op, added })
    }
}

/// What stands between the outermost loop of a nest and its row.
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
            match stmt {
                Stmt::Let { var, value } => {
                    self.declared.insert(*var);
                    self.evaluated.push(*value);
                }
                Stmt::Comment(_) => {}
                _ => return None,
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
    let heads = match (left, right) {
        (Expr::Binary(a, ..), Expr::Binary(b, ..)) => a == b,
        (Expr::Load { array: a, .. }, Expr::Load { array: b, .. }) => a == b,
        (Expr::Var(_) | Expr::Index(_), _) => left == right,
        _ => false,
    };
    heads && parts.0.len() == parts.1.len() && parts.0.iter().zip(&parts.1).all(|(a, b)| same(function, *a, *b))
}

struct Tiler {
    function: Function,
    tiles: usize,
}

impl Map for Tiler {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match Nest::of(&self.function, stmt) {
            Some(nest) => self.tiled(&nest),
            None => stmt.map(self),
        }
    }
}

impl Tiler {
    /// The whole tiles, then what is left of the row. Only where the outer loop runs at all is the row
    /// known to lie within its array.
    fn tiled(&mut self, nest: &Nest<'_>) -> Stmt {
        self.tiles += 1;
        let (width, zero) = (self.expr(Expr::Index(WIDTH)), self.expr(Expr::Index(0)));
        let tiles = self.binary(Binary::Div, nest.size, width);
        let covered = self.binary(Binary::Mul, tiles, width);
        let (tile, first) = (self.var("tile", Type::Index), self.var("first", Type::Index));
        let at = self.expr(Expr::Var(tile));
        let start = self.binary(Binary::Mul, at, width);
        let mut body = vec![Stmt::Let { var: first, value: start }];
        body.extend(self.one_tile(nest, first));
        let whole = Stmt::For { var: tile, lo: zero, hi: tiles, kind: ForKind::Serial, body };
        let some_left = self.binary(Binary::Lt, covered, nest.size);
        let along = |row: &Stmt| match row {
            Stmt::For { var, hi, kind, body, .. } => {
                vec![Stmt::For { var: *var, lo: covered, hi: *hi, kind: *kind, body: body.clone() }]
            }
            _ => Vec::new(),
        };
        let left = Stmt::If { cond: some_left, then: vec![with_row(nest.outer, &along)], other: Vec::new() };
        let [lo, hi] = nest.bounds;
        let runs = self.binary(Binary::Lt, lo, hi);
        Stmt::If { cond: runs, then: vec![whole, left], other: Vec::new() }
    }

    /// The nest for the entries of the row from `first` on, in registers.
    fn one_tile(&mut self, nest: &Nest<'_>, first: VarId) -> Vec<Stmt> {
        let ty = match self.function.array(nest.array).ty {
            ArrayType::Values(element) => Type::Element(element),
            ArrayType::Indices(_) => Type::Index,
        };
        let (mut before, mut updates, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for offset in 0..WIDTH {
            let (first, offset) = (self.expr(Expr::Var(first)), self.expr(Expr::Index(offset)));
            let along = self.binary(Binary::Add, first, offset);
            let index = self.binary(Binary::Add, nest.base, along);
            let register = self.var("tiled", ty);
            let so_far = self.expr(Expr::Var(register));
            let value = self.expr(Expr::Load { array: nest.array, index });
            before.push(Stmt::Mut { var: register, value });
            let added = self.replaced(nest.added, nest.along, along, &mut HashMap::new());
            let value = self.binary(nest.op, so_far, added);
            updates.push(Stmt::Assign { var: register, value });
            after.push(Stmt::Store { array: nest.array, index, value: so_far });
        }
        before.push(with_row(nest.outer, &|_| updates.clone()));
        before.extend(after);
        before
    }

    /// `expr` with `var` replaced by `by`; `done` holds what has been replaced already.
    fn replaced(&mut self, expr: ExprId, var: VarId, by: ExprId, done: &mut HashMap<ExprId, ExprId>) -> ExprId {
        if let Some(known) = done.get(&expr) {
            return *known;
        }
        let found = self.function.expr(expr).clone();
        let new = match found {
            Expr::Var(found) if found == var => by,
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) | Expr::Var(_) => expr,
            other => {
                let replaced = other.map(|part| self.replaced(part, var, by, done));
                self.expr(replaced)
            }
        };
        done.insert(expr, new);
        new
    }

    fn expr(&mut self, expr: Expr) -> ExprId {
        self.function.exprs.push(expr);
        ExprId::new(self.function.exprs.len() - 1)
    }
    fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, left, right))
    }
    fn var(&mut self, name: &str, ty: Type) -> VarId {
        self.function.vars.push(Var { name: name.to_string(), ty });
        VarId::new(self.function.vars.len() - 1)
    }
}

/// A nest with its innermost loop replaced.
fn with_row(stmt: &Stmt, row: &dyn Fn(&Stmt) -> Vec<Stmt>) -> Stmt {
    let Stmt::For { var, lo, hi, kind, body } = stmt else { return stmt.clone() };
    let inner = |stmt: &Stmt| match stmt {
        Stmt::For { body, .. } if matches!(body.as_slice(), [Stmt::Store { .. }]) => row(stmt),
        stmt => vec![with_row(stmt, row)],
    };
    Stmt::For { var: *var, lo: *lo, hi: *hi, kind: *kind, body: body.iter().flat_map(inner).collect() }
}

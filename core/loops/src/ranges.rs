//! Bounds of `Index` expressions, from which an emitter knows where arithmetic cannot overflow and where a divisor
//! cannot be zero.

use std::{cell::RefCell, collections::HashMap};

use super::{ArrayType, Binary, Expr, ExprId, Function, Stmt, Unary, VarId, machine::Width, visit};

/// From `lo` to `hi`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub lo: i128,
    pub hi: i128,
}

impl Range {
    const FULL: Range = Range { lo: i64::MIN as i128, hi: i64::MAX as i128 };

    fn new(lo: i128, hi: i128) -> Range {
        Range { lo, hi }
    }
    fn around(self, other: Range) -> Range {
        Range::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }
    fn fits(self) -> bool {
        Range::FULL.lo <= self.lo && self.hi <= Range::FULL.hi
    }
    /// The range that holds every result of wrapping.
    fn wrapped(self) -> Range {
        if self.fits() { self } else { Range::FULL }
    }
}

/// The ranges of a verified function's expressions.
pub struct Ranges<'f> {
    function: &'f Function,
    vars: Vec<Range>,
    /// Before wrapping.
    known: RefCell<HashMap<ExprId, Range>>,
}

impl<'f> Ranges<'f> {
    pub fn new(function: &'f Function) -> Self {
        let vars = vec![Range::FULL; function.vars.len()];
        let mut ranges = Ranges { function, vars, known: RefCell::default() };
        visit::each(&function.body, &mut |stmt| ranges.stmt(stmt));
        ranges
    }

    /// The range of the expression's values; useful only for `Index`.
    pub fn of(&self, id: ExprId) -> Range {
        self.exact(id).wrapped()
    }

    /// Whether the expression's own operation gives its exact result.
    pub fn cannot_overflow(&self, id: ExprId) -> bool {
        self.exact(id).fits()
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Let { var, value } = stmt {
            self.set(*var, self.of(*value));
        } else if let Stmt::For { var, lo, hi, .. } = stmt {
            let (lo, hi) = (self.of(*lo), self.of(*hi));
            self.set(*var, Range::new(lo.lo, (hi.hi - 1).max(lo.lo)));
        }
    }

    fn set(&mut self, var: VarId, range: Range) {
        if let Some(known) = self.vars.get_mut(var.index()) {
            *known = range;
        }
    }

    fn exact(&self, id: ExprId) -> Range {
        if let Some(range) = self.known.borrow().get(&id) {
            return *range;
        }
        let range = self.expr(self.function.expr(id));
        self.known.borrow_mut().insert(id, range);
        range
    }

    fn expr(&self, expr: &Expr) -> Range {
        match *expr {
            Expr::Index(number) => Range::new(number.into(), number.into()),
            Expr::Var(var) => self.vars.get(var.index()).copied().unwrap_or(Range::FULL),
            Expr::Load { array, .. } => loaded(self.function.array(array).ty),
            Expr::Unary(op, a) => unary(op, self.of(a)),
            Expr::Binary(op, a, b) => binary(op, self.of(a), self.of(b)),
            Expr::Select { then, other, .. } => self.of(then).around(self.of(other)),
            Expr::Bool(_) | Expr::Value(..) | Expr::Cast { .. } => Range::FULL,
        }
    }
}

fn loaded(ty: ArrayType) -> Range {
    match ty {
        ArrayType::Indices(Width::W64) | ArrayType::Values(_) => Range::FULL,
        ArrayType::Indices(narrow) => Range::new(0, (1 << narrow.bits()) - 1),
    }
}

fn unary(op: Unary, a: Range) -> Range {
    match op {
        Unary::Neg => Range::new(-a.hi, -a.lo),
        Unary::Abs => Range::new(0, a.lo.abs().max(a.hi.abs())),
        Unary::Not | Unary::BitNot | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => {
            Range::FULL
        }
    }
}

fn binary(op: Binary, a: Range, b: Range) -> Range {
    match op {
        Binary::Add => Range::new(a.lo + b.lo, a.hi + b.hi),
        Binary::Sub => Range::new(a.lo - b.hi, a.hi - b.lo),
        Binary::Mul => product(a, b),
        Binary::Div if b.lo > 0 => Range::new(a.lo.min(0), a.hi.max(0)),
        Binary::Rem if b.lo > 0 => Range::new((1 - b.hi).max(a.lo).min(0), (b.hi - 1).min(a.hi).max(0)),
        Binary::Min => Range::new(a.lo.min(b.lo), a.hi.min(b.hi)),
        Binary::Max => Range::new(a.lo.max(b.lo), a.hi.max(b.hi)),
        Binary::Div | Binary::Rem | Binary::Pow | Binary::Function(_) => Range::FULL,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => Range::FULL,
        Binary::And | Binary::Or | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => Range::FULL,
    }
}

fn product(a: Range, b: Range) -> Range {
    let corners = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
    corners.into_iter().fold(Range::new(corners[0], corners[0]), |range, x| range.around(Range::new(x, x)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// The range of the last value that `text` stores, and whether it can overflow.
    fn check(value: &str, expected: [i64; 2], overflows: bool) {
        let text = format!(
            "kernel k(n: index, p: read indices<u32>, to: write indices<u64>,) {{
               for i in 2..n {{ for j in 0..p[i] {{ let h = j / 2 to[0] = {value} }} }} }}"
        );
        let function = parse(&text).expect("the text is a function");
        let ranges = Ranges::new(&function);
        let stored = last_value(&function.body).expect("something is stored");
        let found = ranges.of(stored);
        assert_eq!([found.lo, found.hi], expected.map(i128::from), "{value}");
        assert_eq!(ranges.cannot_overflow(stored), !overflows, "{value}");
    }

    fn last_value(block: &[Stmt]) -> Option<ExprId> {
        let stmt = block.last()?;
        if let Stmt::Store { value, .. } = stmt { Some(*value) } else { last_value(stmt.blocks()[0]) }
    }

    const FULL: [i64; 2] = [i64::MIN, i64::MAX];

    #[test]
    fn a_loop_s_next_iteration_is_a_number() {
        check("i + 1", [3, i64::MAX], false);
        check("i - 1", [1, i64::MAX - 2], false);
        check("i + 2", FULL, true);
        check("j + 1", [1, u32::MAX.into()], false);
        check("n + 1", FULL, true);
    }

    #[test]
    fn operations_bound_their_results() {
        check("h * 3 - j", [1 - i64::from(u32::MAX), (i64::from(u32::MAX) - 1) * 3], false);
        check("j % 1000 * -(j % 1000)", [-998_001, 0], false);
        check("j * i", FULL, true);
        check("n % 7", [-6, 6], false);
        check("i % 7", [0, 6], false);
        check("n / n", FULL, false);
        check("min(n, max(p[0], 5))", [i64::MIN, u32::MAX.into()], false);
        check("select(n < 2, h, -1)", [-1, i64::from(u32::MAX) - 1], false);
        check("-n", FULL, true);
        check("abs(-j)", [0, i64::from(u32::MAX) - 1], false);
    }
}

//! Which values whole numbers have, and whether one stays below another.

use nnz_base::element::Element;
use nnz_tir::{
    model::{Binary, BufferId, Expr, ExprKind, Unary},
    print::print_expr,
};

use super::{Emission, Holds};

/// From the least to the most; nothing where the least is more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) least: i128,
    pub(super) most: i128,
}

impl Interval {
    pub(super) fn point(value: i128) -> Interval {
        Interval { least: value, most: value }
    }
    /// All values of a type; of floating-point types no more is asked.
    pub(super) fn of(element: Element) -> Interval {
        let (least, most) = element.int_range().unwrap_or((i128::from(i64::MIN), i128::from(i64::MAX)));
        Interval { least, most }
    }
    pub(super) fn is_within(self, other: Interval) -> bool {
        self.least > self.most || other.least <= self.least && self.most <= other.most
    }
    fn union(self, other: Interval) -> Interval {
        Interval { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
    /// The hull of an operation that is extreme where its operands are.
    fn corners(self, other: Interval, op: impl Fn(i128, i128) -> i128) -> Interval {
        let all = [
            op(self.least, other.least),
            op(self.least, other.most),
            op(self.most, other.least),
            op(self.most, other.most),
        ];
        let [first, rest @ ..] = all;
        rest.into_iter().fold(Interval::point(first), |hull, value| hull.union(Interval::point(value)))
    }
}

impl Emission<'_> {
    /// The values of a whole number.
    pub(super) fn interval(&self, expr: &Expr) -> Interval {
        let (exact, of_type) = (self.exact(expr), Interval::of(expr.element()));
        if exact.is_within(of_type) { exact } else { of_type }
    }

    /// Whether an expression over whole numbers does not wrap.
    pub(super) fn fits(&self, expr: &Expr) -> bool {
        self.exact(expr).is_within(Interval::of(expr.element()))
    }

    /// The values as they are before they wrap.
    #[expect(clippy::wildcard_enum_match_arm, reason = "conditions are about variables and sums")]
    fn exact(&self, expr: &Expr) -> Interval {
        let all = self.exact_anywhere(expr);
        match expr.kind() {
            ExprKind::Variable(_) | ExprKind::Binary(..) if !self.holds.is_empty() => self.limited(expr, all),
            _ => all,
        }
    }

    /// What conditions around leave of the values.
    fn limited(&self, expr: &Expr, all: Interval) -> Interval {
        // Conditions may be about each other: those about an end are not asked for.
        if self.asks.replace(true) {
            return all;
        }
        let expr = self.resolved(expr);
        let limited = self.holds.iter().filter(|holds| holds.below == expr).fold(all, |all, holds| {
            let most = self.exact_anywhere(&holds.end).most - 1;
            if most < all.most {
                self.rely(holds);
            }
            Interval { most: all.most.min(most), ..all }
        });
        self.asks.set(false);
        limited
    }

    /// Notes that a condition around was needed.
    fn rely(&self, holds: &Holds) {
        self.relied.set(self.relied.get().max(Some(holds.depth)));
    }

    fn exact_anywhere(&self, expr: &Expr) -> Interval {
        if let Some((_, segment)) = self.position(expr) {
            let fact = self.known.of(segment.starts);
            let most = fact.and_then(|fact| fact.most).map_or(Interval::of(expr.element()).most, |most| most - 1);
            return Interval { least: fact.map_or(0, |fact| fact.least), most };
        }
        if let Some(starts) = self.row_of(expr) {
            let fact = self.known.of(starts);
            let most = fact.and_then(|fact| fact.most).map_or(Interval::of(expr.element()).most, |most| most - 1);
            return Interval { least: fact.map_or(0, |fact| fact.least), most };
        }
        match expr.kind() {
            ExprKind::Int(value) => Interval::point((*value).into()),
            ExprKind::Variable(id) => self.scope.get(*id).map_or(Interval::of(expr.element()), |known| known.range),
            ExprKind::Load(access) => self.loaded(access, expr.element()),
            ExprKind::Binary(op, left, right) if is_whole(left) => {
                self.parted(*op, left, right).unwrap_or_else(|| self.combined(*op, left, right))
            }
            ExprKind::Unary(Unary::Negate, operand) if is_whole(operand) => {
                let of = self.interval(operand);
                Interval { least: -of.most, most: -of.least }
            }
            ExprKind::Choice { parts, .. } if is_whole(expr) => {
                let [_, one, other] = &**parts;
                self.interval(one).union(self.interval(other))
            }
            ExprKind::Cast(operand) if is_whole(operand) => self.interval(operand),
            ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(_)
            | ExprKind::Math(..)
            | ExprKind::Choice { .. }
            | ExprKind::Least
            | ExprKind::Greatest
            | ExprKind::Offset(_)
            | ExprKind::Stride(..) => Interval::of(expr.element()),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other operations have other values")]
    /// The quotient and the remainder of what runs below a product, by its second factor.
    fn parted(&self, op: Binary, all: &Expr, by: &Expr) -> Option<Interval> {
        let rows = self.rows(all, by)?;
        let most = match op {
            Binary::FloorDivide => self.interval(&rows).most - 1,
            Binary::FloorModulo => self.interval(by).most - 1,
            _ => return None,
        };
        Some(Interval { least: 0, most })
    }

    /// The first factor of the product that a number stays below, by its loop or by a condition around, where the second
    /// factor is `by`: neither is 0 where it gets to.
    pub(super) fn rows(&self, all: &Expr, by: &Expr) -> Option<Expr> {
        let (all, by) = (self.resolved(all), self.resolved(by));
        let all = plain(&all);
        let of_loop = all.as_variable().and_then(|id| self.scope.get(id)?.end.as_ref());
        if let Some(rows) = of_loop.and_then(|end| self.first_factor(end, &by)) {
            return Some(rows);
        }
        let supposed = self.holds.iter().filter(|holds| *plain(&holds.below) == *all);
        { supposed }.find_map(|holds| {
            let rows = self.first_factor(&holds.end, &by)?;
            self.rely(holds);
            Some(rows)
        })
    }

    fn first_factor(&self, end: &Expr, by: &Expr) -> Option<Expr> {
        let ExprKind::Binary(Binary::Multiply, rows, size) = plain(end).kind() else { return None };
        let is_it = *plain(size) == *plain(by) && self.is_from_zero(rows) && self.is_from_zero(size);
        is_it.then(|| (**rows).clone())
    }

    fn loaded(&self, access: &nnz_tir::model::Access, element: Element) -> Interval {
        let of_type = Interval::of(element);
        let fact = self.known.of(access.buffer).filter(|_| !self.written.contains(&access.buffer));
        fact.map_or(of_type, |fact| Interval { least: fact.least, most: fact.most.unwrap_or(of_type.most) })
    }

    fn combined(&self, op: Binary, left: &Expr, right: &Expr) -> Interval {
        let (one, other) = (self.interval(left), self.interval(right));
        let of_type = Interval::of(left.element());
        if one.least > one.most || other.least > other.most {
            // Nothing gets here.
            return Interval { least: 0, most: -1 };
        }
        match op {
            Binary::Add => Interval { least: one.least + other.least, most: one.most + other.most },
            Binary::Subtract => Interval { least: one.least - other.most, most: one.most - other.least },
            Binary::Multiply => one.corners(other, i128::saturating_mul),
            Binary::Least => Interval { least: one.least.min(other.least), most: one.most.min(other.most) },
            Binary::Greatest => Interval { least: one.least.max(other.least), most: one.most.max(other.most) },
            Binary::FloorDivide if other.least > 0 => one.corners(other, i128::div_euclid),
            Binary::TruncateDivide if other.least > 0 => one.corners(other, |value, by| value / by),
            Binary::FloorModulo if other.least > 0 => Interval { least: 0, most: other.most - 1 },
            Binary::TruncateModulo if one.least >= 0 && other.least > 0 => Interval { least: 0, most: other.most - 1 },
            Binary::FloorDivide
            | Binary::TruncateDivide
            | Binary::FloorModulo
            | Binary::TruncateModulo
            | Binary::Divide
            | Binary::Power
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => of_type,
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::And
            | Binary::Or => Interval { least: 0, most: 1 },
        }
    }

    /// Whether an index is never negative.
    pub(super) fn is_from_zero(&self, index: &Expr) -> bool {
        let interval = self.interval(index);
        interval.least >= 0 || interval.least > interval.most
    }

    /// Whether an index stays below a size, by what numbers they have or by how they are written.
    pub(super) fn is_below(&self, index: &Expr, size: &Expr) -> bool {
        let interval = self.interval(index);
        interval.least > interval.most
            || interval.most < self.interval(size).least
            || self.is_below_as_written(&self.resolved(index), size)
    }

    /// Whether a condition around says that a number is below another one.
    fn is_supposed(&self, index: &Expr, end: &Expr) -> bool {
        let found = self.holds.iter().find(|holds| holds.below == *index && holds.end == *end);
        found.is_some_and(|holds| {
            self.rely(holds);
            true
        })
    }

    /// Whether `own + starts[i]` is a position of row `i` by a condition around: `own < starts[i + 1] - starts[i]`.
    fn in_row(&self, own: &Expr, start: &Expr) -> Option<BufferId> {
        let ExprKind::Load(first) = start.kind() else { return None };
        let [parent] = first.indices.as_slice() else { return None };
        let fact = self.known.of(first.buffer).filter(|fact| fact.ascending && fact.least >= 0)?;
        let own = self.resolved(own);
        let is_row = |end: &Expr| {
            let ExprKind::Binary(Binary::Subtract, end, before) = end.kind() else { return false };
            let (ExprKind::Load(behind), ExprKind::Load(_)) = (end.kind(), before.kind()) else { return false };
            let next = Expr::int(own.place, 1, parent.element());
            let next = Expr::binary(own.place, Binary::Add, self.resolved(parent), next);
            **before == self.resolved(start)
                && behind.buffer == first.buffer
                && next.ok().as_ref() == behind.indices.first()
        };
        let supposed = self.holds.iter().find(|holds| holds.below == own && is_row(&holds.end))?;
        self.rely(supposed);
        let is_fine = fact.least >= 0 && self.is_from_zero(&own);
        (is_fine && !self.written.contains(&first.buffer)).then_some(first.buffer)
    }

    /// The array of positions that an expression lies in a row of, by a condition around.
    fn row_of(&self, expr: &Expr) -> Option<BufferId> {
        let ExprKind::Binary(Binary::Add, left, right) = expr.kind() else { return None };
        self.in_row(left, right).or_else(|| self.in_row(right, left))
    }

    fn is_below_as_written(&self, index: &Expr, size: &Expr) -> bool {
        if let Some((_, segment)) = self.position(index) {
            return self.is_end_of(segment.starts, size);
        }
        if self.is_supposed(index, size) {
            return true;
        }
        if let Some(starts) = self.row_of(index) {
            return self.is_end_of(starts, size);
        }
        match (index.kind(), size.kind()) {
            (ExprKind::Variable(id), _)
                if self.scope.get(*id).is_some_and(|known| known.end.as_ref() == Some(size)) =>
            {
                true
            }
            (ExprKind::Binary(Binary::Add, index, one), ExprKind::Binary(Binary::Add, size, other))
                if one.as_constant().is_some() && one == other =>
            {
                self.is_below_as_written(index, size)
            }
            (_, ExprKind::Binary(Binary::Add, size, more)) if more.as_constant().is_some_and(|more| more >= 0) => {
                self.is_below_as_written(index, size)
            }
            (ExprKind::Load(access), _) => {
                !self.written.contains(&access.buffer) && self.is_end_of(access.buffer, size)
            }
            (ExprKind::Binary(Binary::FloorDivide, all, by), _) => {
                self.rows(all, by).is_some_and(|rows| *plain(&rows) == *plain(size))
            }
            (ExprKind::Binary(Binary::FloorModulo, all, by), _) => {
                self.rows(all, by).is_some() && *plain(by) == *plain(size)
            }
            (ExprKind::Cast(index), _) if is_whole(index) => self.is_below_as_written(index, size),
            _ => false,
        }
    }

    fn is_end_of(&self, buffer: BufferId, size: &Expr) -> bool {
        let end = self.known.of(buffer).and_then(|fact| fact.end.as_ref());
        end.is_some_and(|end| *end == print_expr(self.function, size))
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all others are no casts")]
/// The expression without casts to wider whole numbers.
fn plain(expr: &Expr) -> &Expr {
    match expr.kind() {
        ExprKind::Cast(within)
            if is_whole(within) && Interval::of(within.element()).is_within(Interval::of(expr.element())) =>
        {
            plain(within)
        }
        _ => expr,
    }
}

/// Whether an expression is a whole number.
pub(super) fn is_whole(expr: &Expr) -> bool {
    !expr.is_condition() && !expr.element().is_float()
}

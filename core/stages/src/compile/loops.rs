//! Loops.

use nnz_loops::{ExprId, ForKind, Stmt, Type};
use nnz_tir::model::{Expr, Loop, LoopKind};

use super::{
    Emission, Made,
    access::Touched,
    independent::Part,
    joined::Top,
    positions::Rows,
    ranges::Interval,
    scope::{Form, Known, Segment},
};

/// A loop of so few turns is written out if it says so.
const FEW: i64 = 16;

impl<'f> Emission<'f> {
    pub(super) fn count(&mut self, one: &'f Loop) -> Made<()> {
        if let (LoopKind::Unrolled, Some(turns)) = (one.kind, turns_of(one)) {
            return turns.into_iter().try_for_each(|turn| self.turn(one, turn));
        }
        match self.segment(one) {
            Some((rows, bounds)) => self.over_positions(one, rows, bounds),
            None => self.over_numbers(one),
        }
    }

    /// One turn of a loop that is written out.
    fn turn(&mut self, one: &'f Loop, turn: i64) -> Made<()> {
        let value = self.b.index(turn);
        let place = one.start.place;
        let meaning = Some(Expr::int(place, turn, one.end.element()));
        let range = Interval::point(turn.into());
        self.scope.bind(one.variable, Known { value, form: Form::Index, range, meaning, end: None, segment: None });
        self.statements(&one.body)
    }

    fn over_numbers(&mut self, one: &'f Loop) -> Made<()> {
        let bounds = [self.index(&one.start)?, self.index(&one.end)?];
        self.settle();
        let name = self.function.variable(one.variable).name.clone();
        let var = self.b.local(&name, Type::Index);
        let holds = std::mem::take(&mut self.holds);
        let range = Interval { least: self.interval(&one.start).least, most: self.interval(&one.end).most - 1 };
        self.holds = holds;
        let end = Some(self.resolved(&one.end)).filter(|end| self.is_fixed(end));
        let value = self.b.var(var);
        self.scope.bind(one.variable, Known { value, form: Form::Index, range, meaning: None, end, segment: None });
        self.looped(one, (var, bounds))
    }

    /// `for p in starts[i]..starts[i + 1]`, and what the loop counts is `p - starts[i]`.
    fn over_positions(&mut self, one: &'f Loop, Rows { starts, parent }: Rows, bounds: [&'f Expr; 2]) -> Made<()> {
        // In the order in which their difference is computed.
        let [hi, lo] = [self.index(bounds[1])?, self.index(bounds[0])?];
        self.settle();
        let name = self.function.variable(one.variable).name.clone();
        let var = self.b.local(&format!("p{name}"), Type::Index);
        let position = self.b.var(var);
        let value = self.b.sub(position, lo);
        let holds = std::mem::take(&mut self.holds);
        let range = Interval { least: 0, most: self.interval(&one.end).most - 1 };
        self.holds = holds;
        let segment = Some(Segment { position, starts, parent });
        self.scope.bind(one.variable, Known { value, form: Form::Index, range, meaning: None, end: None, segment });
        self.looped(one, (var, [lo, hi]))
    }

    fn looped(&mut self, one: &'f Loop, (var, [lo, hi]): (nnz_loops::VarId, [ExprId; 2])) -> Made<()> {
        let (faults, touched) = (self.faults.count(), self.touched.len());
        self.around.open(var);
        let body = self.body(&one.body)?;
        let body = self.around.close(body);
        let part = Part { variable: one.variable, touched: touched..self.touched.len() };
        let is_free = self.are_independent(std::slice::from_ref(&part));
        self.free.extend(is_free.then_some(one.variable));
        let is_free = is_free && self.faults.count() == faults;
        if is_free && self.inside == 0 && !self.allocates(touched) {
            self.keep(Top { var, bounds: [lo, hi], body, parts: vec![part] });
            return Ok(());
        }
        self.interrupt();
        let is_vector = is_free && one.kind == LoopKind::Vectorized && !nnz_loops::visit::any(&body, &Stmt::is_loop);
        let kind = if is_vector && self.inside > 0 { ForKind::Vector } else { ForKind::Serial };
        self.b.push(Stmt::For { var, lo, hi, kind, body });
        Ok(())
    }

    /// Whether arrays are allocated since: then threads would share them.
    fn allocates(&self, since: usize) -> bool {
        let is_array = |touched: &Touched| match touched {
            Touched::Own(id) => matches!(self.memory[id.index()], Some(super::Memory::Array(..))),
            Touched::Element { .. } => false,
        };
        self.touched.iter().skip(since).any(is_array)
    }
}

/// The turns of a loop that has few.
fn turns_of(one: &Loop) -> Option<Vec<i64>> {
    let (start, end) = (one.start.as_constant()?, one.end.as_constant()?);
    (end.checked_sub(start)? <= FEW).then(|| (start..end).collect())
}

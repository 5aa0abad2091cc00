//! Loops over one variable: all its values, the entries of one operand, or several operands merged.
//!
//! A merge keeps one position per operand. Each iteration takes the smallest coordinate at these positions, and
//! increments the positions of the operands that have it (Kjolstad 2017, section 6). A merge is a sequence of loops,
//! one per lattice point: when an operand ends, the loop over the remaining ones follows.

use super::{
    Lowerer,
    levels::{Level, Parent, Step, Walk},
};
use crate::iterate::{Case, Lattice, OperandId, Presence, Region, find};
use nnz_base::ids::IndexVar;
use nnz_kernel::{Access, Expr};
use nnz_loops::{Binary, ExprId, ForKind, Stmt, Type, VarId};

/// The body of a loop. It gets the expression simplified for the operands that are present at the coordinate.
pub(super) type Body<'b, 'k> = &'b mut dyn FnMut(&mut Lowerer<'k>, &Expr);

/// An operand's place in a merge.
pub(super) struct Finger {
    id: OperandId,
    pub(super) level: Level,
    pub(super) parent: Parent,
    pub(super) at: VarId,
    pub(super) end: ExprId,
}

impl<'k> Lowerer<'k> {
    /// Loops over the values of `var` where `expr` is not absent. A merge ignores `kind`: it is always serial.
    pub(super) fn var_loop(&mut self, var: IndexVar, kind: ForKind, expr: &Expr, body: Body<'_, 'k>) {
        let participants = self.participants(var, expr);
        let walked = |id: &OperandId| {
            let (operand, lvl) = (self.operand(*id), self.next_level(*id));
            !operand.encoding.format(lvl).is_full() && !operand.looks_up(lvl)
        };
        let walkers: Vec<OperandId> = participants.into_iter().filter(walked).collect();
        if walkers.is_empty() {
            let [first, _] = self.values_of(var);
            return self.all_values(var, first, kind, expr, body);
        }
        let plan = self.plan;
        let open = |id: OperandId| self.is_open(id, usize::from(walkers.contains(&id)));
        let operand = |access: &Access| find(&plan.operands, access);
        let Some(lattice) = Lattice::new(self.kernel, expr, walkers.clone(), &operand, &open) else {
            self.crowded = self.crowded.max(walkers.len());
            return;
        };
        match lattice.only_walker() {
            Some((walker, region)) => self.entries_of(var, walker, kind, &region.expr, body),
            None => self.merge(var, &lattice, body),
        }
    }

    /// Loops in the order of `vars`, outermost first.
    pub(super) fn nest_loops(&mut self, vars: &[IndexVar], expr: &Expr, body: Body<'_, 'k>) {
        let Some((first, rest)) = vars.split_first() else { return body(self, expr) };
        self.var_loop(*first, ForKind::Serial, expr, &mut |this, expr| {
            if !rest.is_empty() {
                this.hoist_entries(expr);
            }
            this.nest_loops(rest, expr, body);
        });
    }

    /// Every value of `var` from `first` on.
    fn all_values(&mut self, var: IndexVar, first: ExprId, kind: ForKind, expr: &Expr, body: Body<'_, 'k>) {
        let counter = self.b.local(&self.kernel.var(var).name, Type::Index);
        self.loop_over_coordinates(&self.kernel.var(var).name, counter);
        let (value, [_, end]) = (self.b.var(counter), self.values_of(var));
        self.for_loop(counter, [first, end], kind, |this| this.visit(var, value, &[], expr, body));
    }

    /// The entries of one operand.
    fn entries_of(&mut self, var: IndexVar, walker: OperandId, kind: ForKind, expr: &Expr, body: Body<'_, 'k>) {
        let (level, parent) = (self.level(walker, self.next_level(walker)), self.cursor(walker).place);
        let range = self.positions_of_walker(walker, &level, var);
        let at = self.b.local(&self.position_name(walker), Type::Index);
        self.loop_over_positions(&self.kernel.var(var).name, at, walker);
        let position = self.b.var(at);
        self.for_loop(at, range, kind, |this| {
            let step = level.step(&mut this.b, parent, position);
            let name = this.kernel.var(var).name.clone();
            let coordinate = this.named(&name, step.coordinate);
            this.visit(var, coordinate, &[(walker, step)], expr, body);
        });
    }

    /// Emits `body` at one coordinate. The operands in `found` have been walked to it, those whose level is full have a
    /// position for it, and others are looked up.
    fn visit(
        &mut self,
        var: IndexVar,
        coordinate: ExprId,
        found: &[(OperandId, Step)],
        expr: &Expr,
        body: Body<'_, 'k>,
    ) {
        if self.is_too_long() {
            return;
        }
        let (cursors, outer) = (self.cursors.clone(), self.coordinates.insert(var, coordinate));
        for id in self.participants(var, expr) {
            let lvl = self.next_level(id);
            let step = match found.iter().find(|(other, _)| *other == id) {
                Some((_, step)) => *step,
                None if self.operand(id).encoding.format(lvl).is_full() => {
                    let (level, parent) = (self.level(id, lvl), self.cursor(id).place);
                    level.step(&mut self.b, parent, coordinate)
                }
                None => continue,
            };
            self.enter(id, step, coordinate);
        }
        self.look_up(expr, body);
        self.cursors = cursors;
        match outer {
            Some(value) => self.coordinates.insert(var, value),
            None => self.coordinates.remove(&var),
        };
    }

    fn merge(&mut self, var: IndexVar, lattice: &Lattice, body: Body<'_, 'k>) {
        self.merging_loop(var, lattice.walkers.iter().copied());
        let fingers: Vec<Finger> = lattice.walkers.iter().map(|id| self.finger(*id, var)).collect();
        let counter = lattice.is_dense().then(|| {
            let [first, _] = self.values_of(var);
            self.accumulator_of(&self.kernel.var(var).name, Type::Index, first)
        });
        let streaks = if lattice.is_intersection() { self.streaks(&fingers) } else { Vec::new() };
        for live in lattice.loops() {
            match (counter, lattice.region(live)) {
                (Some(counter), Some(region)) if live.is_none() => {
                    let first = self.b.var(counter);
                    self.all_values(var, first, ForKind::Serial, &region.expr, body);
                }
                (None, Some(region)) if live.count() == 1 => self.rest_of_one(var, &fingers, live, region, body),
                _ => self.merge_loop(var, lattice, &fingers, (live, counter, &streaks), body),
            }
        }
    }

    fn finger(&mut self, id: OperandId, var: IndexVar) -> Finger {
        let (level, parent) = (self.level(id, self.next_level(id)), self.cursor(id).place);
        let [first, end] = self.positions_of_walker(id, &level, var);
        let name = self.position_name(id);
        let at = self.accumulator_of(&name, Type::Index, first);
        let end = self.b.define(&format!("{name}.end"), Type::Index, end);
        Finger { id, level, parent, at, end: self.b.var(end) }
    }

    /// The loop over the rest of one operand, after all others have ended.
    fn rest_of_one(&mut self, var: IndexVar, fingers: &[Finger], live: Presence, region: &Region, body: Body<'_, 'k>) {
        for finger in live.walkers().filter_map(|at| fingers.get(at)) {
            let at = self.b.local(&self.position_name(finger.id), Type::Index);
            let (position, first) = (self.b.var(at), self.b.var(finger.at));
            self.for_loop(at, [first, finger.end], ForKind::Serial, |this| {
                let step = finger.level.step(&mut this.b, finger.parent, position);
                let name = this.kernel.var(var).name.clone();
                let coordinate = this.named(&name, step.coordinate);
                this.visit(var, coordinate, &[(finger.id, step)], &region.expr, body);
            });
        }
    }

    /// The loop that runs until one of the operands in `live` ends. If every value is visited, `counter` is the
    /// coordinate.
    fn merge_loop(
        &mut self,
        var: IndexVar,
        lattice: &Lattice,
        fingers: &[Finger],
        (live, counter, streaks): (Presence, Option<VarId>, &[VarId]),
        body: Body<'_, 'k>,
    ) {
        let running: Vec<(usize, &Finger)> = live.walkers().filter_map(|at| Some((at, fingers.get(at)?))).collect();
        let lasts = running.iter().map(|(_, finger)| {
            let at = self.b.var(finger.at);
            self.b.binary(Binary::Lt, at, finger.end)
        });
        let lasts: Vec<ExprId> = lasts.collect();
        let Some(cond) = self.all(lasts) else { return };
        self.b.open();
        let steps: Vec<(usize, OperandId, Step)> =
            running.iter().map(|(at, finger)| (*at, finger.id, self.finger_step(var, finger))).collect();
        let coordinate = self.smallest(var, counter, &steps);
        let hits = steps.iter().map(|(at, _, step)| (*at, self.b.binary(Binary::Eq, step.coordinate, coordinate)));
        let hits: Vec<(usize, ExprId)> = hits.collect();
        let cases = lattice.cases(live);
        let exhaustive = cases.len() + usize::from(counter.is_none()) == 1 << live.count();
        let merging = Merging { var, coordinate, fingers, steps: &steps, hits: &hits, exhaustive, streaks };
        self.cases(&merging, &cases, body);
        if let Some(counter) = counter {
            self.move_by_one(counter);
        }
        let body = self.b.close();
        self.b.push(Stmt::While { cond, body });
    }

    fn finger_step(&mut self, var: IndexVar, finger: &Finger) -> Step {
        let at = self.b.var(finger.at);
        let step = finger.level.step(&mut self.b, finger.parent, at);
        let tensor = &self.kernel.tensor(self.operand(finger.id).tensor).name;
        let name = format!("{tensor}.{}", self.kernel.var(var).name);
        Step { coordinate: self.named(&name, step.coordinate), ..step }
    }

    /// The coordinate of this iteration of a merge.
    fn smallest(&mut self, var: IndexVar, counter: Option<VarId>, steps: &[(usize, OperandId, Step)]) -> ExprId {
        if let Some(counter) = counter {
            return self.b.var(counter);
        }
        let coordinates = steps.iter().map(|(_, _, step)| step.coordinate);
        let smallest = coordinates.reduce(|a, b| self.b.binary(Binary::Min, a, b));
        let zero = self.b.index(0);
        let name = self.kernel.var(var).name.clone();
        self.named(&name, smallest.unwrap_or(zero))
    }

    /// One `if` after another, the case with the most operands first. So when a case is chosen, no other operand has an
    /// entry at the coordinate.
    fn cases(&mut self, merging: &Merging<'_>, cases: &[Case<'_>], body: Body<'_, 'k>) {
        let Some((first, rest)) = cases.split_first() else { return self.miss(merging) };
        if rest.is_empty() && merging.exhaustive {
            return self.case(merging, first, body);
        }
        let hits = merging.hits.iter().filter(|(at, _)| first.present.has(*at)).map(|(_, hit)| *hit).collect();
        let Some(cond) = self.all(hits) else { return self.case(merging, first, body) };
        self.b.open();
        self.case(merging, first, body);
        let then = self.b.close();
        self.b.open();
        self.cases(merging, rest, body);
        let other = self.b.close();
        self.b.push(Stmt::If { cond, then, other });
    }

    fn case(&mut self, merging: &Merging<'_>, case: &Case<'_>, body: Body<'_, 'k>) {
        let present = merging.steps.iter().filter(|(at, ..)| case.present.has(*at));
        if let Some(region) = case.region {
            let found: Vec<(OperandId, Step)> = present.clone().map(|(_, id, step)| (*id, *step)).collect();
            self.visit(merging.var, merging.coordinate, &found, &region.expr, body);
        }
        // Positions move inside the branch: a processor that predicts the branch then need not wait for the comparison.
        for finger in present.filter_map(|(at, ..)| merging.fingers.get(*at)) {
            self.move_by_one(finger.at);
        }
    }

    pub(super) fn move_by_one(&mut self, var: VarId) {
        let (before, one) = (self.b.var(var), self.b.index(1));
        let value = self.b.add(before, one);
        self.assign(var, value);
    }

    /// No case applies: the operands that have the coordinate still move on. Of two operands exactly one has it, as
    /// both together would be a case.
    fn miss(&mut self, merging: &Merging<'_>) {
        match merging.hits {
            [(one, hit), (other, _)] => {
                self.either(*hit, |this| this.go_on(merging, *one), |this| this.go_on(merging, *other));
            }
            several => several.iter().for_each(|(at, hit)| self.either(*hit, |this| this.go_on(merging, *at), |_| {})),
        }
    }

    /// `if cond { then } else { other }`
    pub(super) fn either(&mut self, cond: ExprId, then: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        self.b.open();
        then(self);
        let then = self.b.close();
        self.b.open();
        other(self);
        let other = self.b.close();
        self.b.push(Stmt::If { cond, then, other });
    }

    /// The positions of the operand's next level that the loop over `var` visits. A branchless level has one.
    fn positions_of_walker(&mut self, id: OperandId, level: &Level, var: IndexVar) -> [ExprId; 2] {
        if let Some(range) = self.positions_in_part(id, level, var) {
            return range;
        }
        let parent = self.cursor(id).place;
        match level.walk(&mut self.b, parent) {
            Walk::Coordinates(range) | Walk::Positions(range) => range,
            Walk::Here => {
                let one = self.b.index(1);
                [parent.position, self.b.add(parent.position, one)]
            }
        }
    }

    fn all(&mut self, conditions: Vec<ExprId>) -> Option<ExprId> {
        conditions.into_iter().reduce(|a, b| self.b.binary(Binary::And, a, b))
    }

    fn position_name(&self, id: OperandId) -> String {
        format!("{}.p{}", self.kernel.tensor(self.operand(id).tensor).name, self.next_level(id).index())
    }
}

/// One iteration of a merge: its coordinate, the operands' steps, and a test for each whether it has the coordinate.
pub(super) struct Merging<'m> {
    var: IndexVar,
    coordinate: ExprId,
    pub(super) fingers: &'m [Finger],
    pub(super) steps: &'m [(usize, OperandId, Step)],
    hits: &'m [(usize, ExprId)],
    /// The last case needs no condition.
    exhaustive: bool,
    /// For intersections: how many steps each finger has taken since another one moved.
    pub(super) streaks: &'m [VarId],
}

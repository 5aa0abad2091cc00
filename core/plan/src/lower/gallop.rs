//! Galloping in intersections in which one operand lags far behind another.
//!
//! A step-by-step merge takes as many steps as the longer segment has entries. An operand that has taken many steps
//! while no other moved searches for the coordinate at which the others wait, in doubling strides and then by bisection
//! (Bentley and Yao 1976). That takes a number of steps logarithmic in the distance. In segments of about equal length
//! galloping never starts, and costs only a counter.

use super::{
    Lowerer,
    merge::{Finger, Merging},
};
use nnz_loops::{Binary, ExprId, Stmt, Type, VarId};

/// After this many steps on its own, a finger searches.
const PATIENCE: i64 = 16;

impl Lowerer<'_> {
    /// A counter for each finger: how many steps it has taken since another one moved.
    pub(super) fn streaks(&mut self, fingers: &[Finger]) -> Vec<VarId> {
        let zero = self.b.index(0);
        fingers.iter().map(|_| self.accumulator_of("streak", Type::Index, zero)).collect()
    }

    /// Advances the finger of the walker `at`, which is behind the others, by a search or by a step.
    pub(super) fn go_on(&mut self, merging: &Merging<'_>, at: usize) {
        let Some(finger) = merging.fingers.get(at) else { return };
        let Some(streak) = merging.streaks.get(at) else { return self.move_by_one(finger.at) };
        let (taken, patience, zero) = (self.b.var(*streak), self.b.index(PATIENCE), self.b.index(0));
        let waits = self.b.binary(Binary::Lt, taken, patience);
        self.either(
            waits,
            |this| {
                this.move_by_one(finger.at);
                this.move_by_one(*streak);
            },
            |this| {
                this.look(merging, finger);
                this.assign(*streak, zero);
            },
        );
        let others = merging.streaks.iter().filter(|other| *other != streak);
        others.for_each(|other| self.assign(*other, zero));
    }

    /// Moves a finger to the coordinate that the others wait at.
    fn look(&mut self, merging: &Merging<'_>, finger: &Finger) {
        let coordinates = merging.steps.iter().map(|(_, _, step)| step.coordinate);
        if let Some(target) = coordinates.reduce(|a, b| self.b.binary(Binary::Max, a, b)) {
            let target = self.named("target", target);
            self.look_for(finger, target);
        }
    }

    /// Moves a finger whose coordinate is below the target to the first that is not.
    fn look_for(&mut self, finger: &Finger, target: ExprId) {
        let (one, at) = (self.b.index(1), self.b.var(finger.at));
        let stride = self.accumulator_of("stride", Type::Index, one);
        let step = self.b.var(stride);
        let next = self.b.add(at, step);
        self.while_below(finger, [next, finger.end], target, &mut |this| {
            this.assign(finger.at, next);
            let doubled = this.b.add(step, step);
            this.assign(stride, doubled);
        });
        let bound = self.b.binary(Binary::Min, next, finger.end);
        let bound = self.accumulator_of("bound", Type::Index, bound);
        self.halve(finger, bound, target);
        let end = self.b.var(bound);
        self.assign(finger.at, end);
    }

    /// `while at < end && coordinate of at < target`
    fn while_below(
        &mut self,
        finger: &Finger,
        [at, end]: [ExprId; 2],
        target: ExprId,
        body: &mut dyn FnMut(&mut Self),
    ) {
        let inside = self.b.binary(Binary::Lt, at, end);
        let below = self.is_below(finger, at, target);
        let cond = self.b.binary(Binary::And, inside, below);
        self.b.open();
        body(self);
        let body = self.b.close();
        self.b.push(Stmt::While { cond, body });
    }

    /// Bisects until `bound` is the position after the finger's. The finger stays below the target; `bound` is the end
    /// or not below it.
    fn halve(&mut self, finger: &Finger, bound: VarId, target: ExprId) {
        let (one, two) = (self.b.index(1), self.b.index(2));
        let (at, end) = (self.b.var(finger.at), self.b.var(bound));
        let next = self.b.add(at, one);
        let cond = self.b.binary(Binary::Lt, next, end);
        self.b.open();
        let sum = self.b.add(at, end);
        let half = self.b.binary(Binary::Div, sum, two);
        let middle = self.named("middle", half);
        let below = self.is_below(finger, middle, target);
        self.either(below, |this| this.assign(finger.at, middle), |this| this.assign(bound, middle));
        let body = self.b.close();
        self.b.push(Stmt::While { cond, body });
    }

    fn is_below(&mut self, finger: &Finger, at: ExprId, target: ExprId) -> ExprId {
        let step = finger.level.step(&mut self.b, finger.parent, at);
        self.b.binary(Binary::Lt, step.coordinate, target)
    }

    pub(super) fn assign(&mut self, var: VarId, value: ExprId) {
        self.b.push(Stmt::Assign { var, value });
    }
}

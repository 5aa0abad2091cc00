//! Intersections in which one segment is far longer than another.
//!
//! Step by step a merge takes as many steps as the longer segment has entries. Instead, an operand that is
//! behind may look for the coordinate that the others wait at: in strides that double, and then by halves
//! (Bentley and Yao 1976), which takes steps in the logarithm of the distance. Both ways are in the code:
//! looking costs more where segments are about equally long.

use super::{
    Lowerer,
    merge::{Finger, Merging},
};
use crate::loops::{Binary, ExprId, Stmt, Type, VarId};

/// From this ratio of lengths on, looking is quicker than stepping.
const FAR_LONGER: i64 = 16;
/// What looking costs at the least, in entries of the shorter segment: where both are short, rows that step and
/// rows that look would only confuse a processor that foresees branches.
const AT_LEAST: i64 = 4;

impl Lowerer<'_> {
    /// Whether the longest segment is far longer than the shortest.
    pub(super) fn far_longer(&mut self, fingers: &[Finger]) -> Option<VarId> {
        let lengths = fingers.iter().map(|finger| {
            let at = self.b.var(finger.at);
            self.b.sub(finger.end, at)
        });
        let lengths: Vec<ExprId> = lengths.collect();
        let shortest = lengths.iter().copied().reduce(|a, b| self.b.binary(Binary::Min, a, b))?;
        let longest = lengths.iter().copied().reduce(|a, b| self.b.binary(Binary::Max, a, b))?;
        let (ratio, least) = (self.b.index(FAR_LONGER), self.b.index(AT_LEAST));
        let weighed = self.b.add(shortest, least);
        let many = self.b.mul(weighed, ratio);
        let far = self.b.binary(Binary::Lt, many, longest);
        Some(self.b.define("gallop", Type::Bool, far))
    }

    /// Where not all operands stand at the same coordinate: those behind go on, by looking or by a step.
    pub(super) fn catch_up(&mut self, merging: &Merging<'_>, far: VarId) {
        let cond = self.b.var(far);
        self.b.open();
        let coordinates = merging.steps.iter().map(|(_, _, step)| step.coordinate);
        if let Some(target) = coordinates.reduce(|a, b| self.b.binary(Binary::Max, a, b)) {
            let target = self.named("target", target);
            for (at, _, step) in merging.steps {
                if let Some(finger) = merging.fingers.get(*at) {
                    self.look_for(finger, step.coordinate, target);
                }
            }
        }
        let then = self.b.close();
        self.b.open();
        self.move_hits(merging);
        let other = self.b.close();
        self.b.push(Stmt::If { cond, then, other });
    }

    /// Moves a finger whose coordinate is below the target to the first that is not.
    fn look_for(&mut self, finger: &Finger, coordinate: ExprId, target: ExprId) {
        let behind = self.b.binary(Binary::Lt, coordinate, target);
        self.b.open();
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
        let then = self.b.close();
        self.b.push(Stmt::If { cond: behind, then, other: Vec::new() });
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

    /// Brings `bound` down to the position after the finger's, which stays below the target.
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
        self.b.open();
        self.assign(finger.at, middle);
        let then = self.b.close();
        self.b.open();
        self.assign(bound, middle);
        let other = self.b.close();
        self.b.push(Stmt::If { cond: below, then, other });
        let body = self.b.close();
        self.b.push(Stmt::While { cond, body });
    }

    fn is_below(&mut self, finger: &Finger, at: ExprId, target: ExprId) -> ExprId {
        let step = finger.level.step(&mut self.b, finger.parent, at);
        self.b.binary(Binary::Lt, step.coordinate, target)
    }

    fn assign(&mut self, var: VarId, value: ExprId) {
        self.b.push(Stmt::Assign { var, value });
    }
}

//! What updates make of old values.

use crate::{
    Entries,
    draw::Program,
    model::{Model, NEEDED, OPEN, State, without_zeros},
    product::{spelled_out, with_factors},
    tree::Tree,
};

impl Model<'_> {
    pub(crate) fn updated(&mut self, (old, op): (usize, &'static str)) -> Entries {
        match op {
            "min=" | "max=" => self.bounded(old, &op[..3]),
            "/=" => self.divided(old),
            "*=" => self.scaled(old),
            _ => self.added(old, &op[..1]),
        }
    }

    /// By `min` or `max`: an absent right side does nothing, and replaces an absent old value.
    fn bounded(&mut self, old: usize, op: &'static str) -> Entries {
        let program = self.program;
        let [whole, alone] =
            [without_part_zeros, without_zeros].map(|change| with_factors(program, &change(&program.right)));
        self.at_places(&mut |model, at| match model.old(old, at) {
            Some(old) => Some(model.onto_old(&whole).taken().map_or(old, |new| model.numbers.arithmetic(op, old, new))),
            // A zero that the right side chooses is not stored where there is no entry.
            None => model.state(&alone, OPEN).taken(),
        })
    }

    /// By `+` or `-`.
    fn added(&mut self, old: usize, op: &'static str) -> Entries {
        let program = self.program;
        let right = without_zeros(&spelled_out(program, &program.right));
        self.at_places(&mut |model, at| {
            let (old, right) = (model.old(old, at), model.state(&right, OPEN).taken());
            old.or(right).map(|_| model.numbers.arithmetic(op, old.unwrap_or(0.0), right.unwrap_or(0.0)))
        })
    }

    /// By `*`: an absent old value stays absent, and a sum takes it into its terms.
    fn scaled(&mut self, old: usize) -> Entries {
        let program = self.program;
        let whole = with_factors(program, &without_part_zeros(&program.right));
        let product = times(program, &Tree::Access(old, program.left.clone()), &whole);
        self.at_places(&mut |model, at| {
            let old = model.old(old, at)?;
            let is_absent = model.onto_old(&whole).is_absent();
            let value = if is_absent { Some(old) } else { model.right_side(&product).taken() };
            value.or(program.dense_result.then_some(0.0))
        })
    }

    /// By `/`: an absent old value stays absent.
    fn divided(&mut self, old: usize) -> Entries {
        let program = self.program;
        let whole = with_factors(program, &without_part_zeros(&program.right));
        self.at_places(&mut |model, at| {
            let old = model.old(old, at)?;
            Some(model.onto_old(&whole).taken().map_or(old, |right| model.numbers.arithmetic("/", old, right)))
        })
    }

    fn old(&self, tensor: usize, at: &[usize]) -> Option<f64> {
        self.entries[tensor].get(at).copied()
    }

    /// The right side where there is an old value.
    fn onto_old(&mut self, right: &Tree) -> State {
        self.takes_zeros = true;
        let found = self.right_side(right);
        self.takes_zeros = false;
        found
    }

    /// The right side as a whole: each of its arms is one.
    fn right_side(&mut self, tree: &Tree) -> State {
        match tree {
            Tree::Select(cond, then, other) => {
                let holds = self.condition(cond, NEEDED).or_zero() != 0.0;
                let arm = if holds { Some(then) } else { other.as_ref() };
                arm.map_or(State::Absent, |arm| self.right_side(arm)).yielded()
            }
            Tree::Unary { .. } | Tree::Regions { .. } => {
                self.region(tree).map_or(State::Absent, |arm| self.right_side(arm)).yielded()
            }
            _ => self.state(tree, OPEN),
        }
    }
}

/// The right side of an update without the zeros that variables choose, but those that it chooses as a whole, or that are
/// arms of its regions.
fn without_part_zeros(right: &Tree) -> Tree {
    let arm = |arm: &Tree| Box::new(without_part_zeros(arm));
    let given = |region: &Option<Box<Tree>>| region.as_deref().map(arm);
    match right {
        Tree::Select(cond, then, other) => Tree::Select(cond.clone(), arm(then), given(other)),
        Tree::Unary { of, present, absent } => {
            Tree::Unary { of: Box::new(without_zeros(of)), present: given(present), absent: given(absent) }
        }
        Tree::Regions { of: [a, b], regions: [overlap, left, right] } => Tree::Regions {
            of: [a, b].map(|of| Box::new(without_zeros(of))),
            regions: [given(overlap), given(left), given(right)],
        },
        _ => without_zeros(right),
    }
}

/// Each of the arms of `right`, the right side of an update, times the old value.
fn times(program: &Program, old: &Tree, right: &Tree) -> Tree {
    let next = |arm: &Tree| Box::new(times(program, old, arm));
    match right {
        Tree::Select(cond, then, other) => Tree::Select(cond.clone(), next(then), other.as_deref().map(next)),
        _ => spelled_out(program, &Tree::Binary("*", Box::new(old.clone()), Box::new(right.clone()))),
    }
}

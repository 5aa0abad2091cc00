//! Whether an expression may be there where no sparse operand stores anything.

use crate::{
    model::{Model, NEEDED, OPEN, Place, forced, reduced},
    numbers::{counts_zeros, holds},
    tree::{Condition, Tree},
};

/// Whether a region for an absent operand gives a value where no sparse operand stores anything.
pub(crate) fn gives_for_absent(model: &Model<'_>, tree: &Tree) -> bool {
    let gives = |part: &Tree| gives_for_absent(model, part);
    let there = |part: &Option<Box<Tree>>| part.as_deref().is_some_and(|part| is_there_without(model, part));
    let in_arm = |part: &Option<Box<Tree>>| part.as_deref().is_some_and(gives);
    match tree {
        Tree::Unary { of, present, .. } if is_asked_there(model, of) => gives(of) || in_arm(present),
        Tree::Unary { absent, .. } => there(absent),
        Tree::Regions { of: [a, b], regions: [overlap, left, right] } => {
            match [a, b].map(|of| is_asked_there(model, of)) {
                [true, true] => gives(a) || gives(b) || in_arm(overlap),
                [true, false] => there(left),
                [false, true] => there(right),
                [false, false] => false,
            }
        }
        Tree::Semiring { of: [a, b], .. } => {
            [a, b].into_iter().all(|of| is_asked_there(model, of)) && [a, b].into_iter().any(|of| gives(of))
        }
        _ => tree.parts().into_iter().any(gives),
    }
}

fn is_asked_there(model: &Model<'_>, of: &Tree) -> bool {
    match of {
        Tree::Reduce { over_stored: true, body, .. } => is_there_without(model, body),
        Tree::Semiring { of: [a, b], .. } => is_asked_there(model, a) && is_asked_there(model, b),
        _ => {
            let reduction = |part: &Tree| matches!(part, Tree::Reduce { .. } | Tree::Semiring { .. });
            is_there_without(model, &of.changed(&|part| reduction(part).then_some(Tree::Number(1.0))))
        }
    }
}

/// Whether `tree` may be present where no sparse operand stores anything.
pub(crate) fn is_there_without(model: &Model<'_>, tree: &Tree) -> bool {
    is_part_there_without(model, tree, OPEN)
}

/// The same of a part of it. As a factor a reduction is a value whatever it meets, and one over stored terms is in every
/// larger expression.
fn is_part_there_without(model: &Model<'_>, tree: &Tree, place: Place) -> bool {
    let there = |part: &Tree| is_part_there_without(model, part, place);
    let arm = |part: &Option<Box<Tree>>| part.as_deref().is_some_and(there);
    let needed = Place { needed: true, ..place };
    match tree {
        Tree::Reduce { .. } | Tree::Semiring { .. } if place.factor => true,
        Tree::Reduce { op, over_stored: true, .. } | Tree::Semiring { combine: op, .. }
            if place.needed
                && (op.starts_with("arg") || !reduced(model.numbers, op, &[], needed).is_absent())
                && *op != "plus" =>
        {
            true
        }
        Tree::Reduce { op, over_stored: false, vars, .. }
            if counts_zeros(op) || model.has_value_over_nothing(op, vars) =>
        {
            true
        }
        Tree::Access(tensor, vars) => model.has_value(*tensor, vars),
        Tree::Number(_) => true,
        Tree::Neg(a) => there(a),
        // One over all terms is a larger expression of what it reduces.
        Tree::Reduce { body, over_stored: false, .. } => is_part_there_without(model, body, NEEDED),
        Tree::Reduce { body, .. } | Tree::Scaled { body, .. } => is_there_without(model, body),
        Tree::Function(name, a) => model.numbers.function(name, 0.0) != 0.0 || is_part_there_without(model, a, needed),
        Tree::Binary(op, a, b) => {
            let [in_a, in_b] =
                forced(model.numbers, op, a, b).map(|forced| Place { factor: place.factor || forced, ..needed });
            let (a, b) = (is_part_there_without(model, a, in_a), is_part_there_without(model, b, in_b));
            if *op == "*" { a && b } else { a || b }
        }
        Tree::Holds(cond) => there_without(model, cond),
        Tree::Select(cond, then, other) => {
            let zero = |part: &Tree| matches!(part, Tree::Number(0.0));
            // A zero that is chosen needs the other arm to be there.
            let beside = !zero(then) || other.as_deref().is_none_or(there);
            (there_without(model, cond) && there(then) && beside)
                || other.as_deref().is_some_and(|x| !zero(x) && there(x))
        }
        Tree::Unary { of, present, absent } => arm(if is_asked_there(model, of) { present } else { absent }),
        Tree::Regions { of: [a, b], regions: [overlap, left, right] } => {
            match [a, b].map(|of| is_asked_there(model, of)) {
                [true, true] => arm(overlap),
                [true, false] => arm(left),
                [false, true] => arm(right),
                [false, false] => false,
            }
        }
        Tree::Semiring { of: [a, b], .. } => is_asked_there(model, a) && is_asked_there(model, b),
    }
}

fn there_without(model: &Model<'_>, cond: &Condition) -> bool {
    match cond {
        Condition::Values(op, a, b) => {
            holds(op, 0.0, 0.0) == 1.0 || [a, b].iter().any(|part| is_part_there_without(model, part, NEEDED))
        }
        Condition::Variables(..) => true,
    }
}

//! A factor of a sum over entries is applied to its terms.

use crate::{
    draw::Program,
    model::{constant, vanishes},
    tree::{Tree, Var},
};

/// `tree`, the right side or a term of it, with sums in products multiplied out.
pub(crate) fn spelled_out(program: &Program, tree: &Tree) -> Tree {
    let next = |part: &Tree| Box::new(spelled_out(program, part));
    match tree {
        Tree::Binary(op @ ("+" | "-"), a, b) => Tree::Binary(op, next(a), next(b)),
        Tree::Neg(a) => Tree::Neg(next(a)),
        Tree::Scaled { of_semiring, vars, asked, body } => {
            Tree::Scaled { of_semiring: *of_semiring, vars: vars.clone(), asked: asked.clone(), body: next(body) }
        }
        _ => match (sum(tree), multiplied(program, tree)) {
            (Some((vars, body, over_stored)), _) => Tree::Reduce { op: "sum", over_stored, vars, body: next(&body) },
            (None, Some(out)) => spelled_out(program, &out),
            (None, None) => tree.clone(),
        },
    }
}

/// `tree`, the right side of an update, with the factors of sums over stored terms in these terms.
pub(crate) fn with_factors(program: &Program, tree: &Tree) -> Tree {
    let next = |part: &Tree| Box::new(with_factors(program, part));
    let arm = |arm: &Option<Box<Tree>>| arm.as_deref().map(next);
    match tree {
        Tree::Binary(op @ ("*" | "/"), a, b)
            if constant(program.numbers, b).is_none() && (*op == "/" || constant(program.numbers, a).is_none()) =>
        {
            let of = |a: Tree, b: Tree| Tree::Binary(op, Box::new(a), Box::new(b));
            let (a, b) = (*next(a), if *op == "*" { *next(b) } else { (**b).clone() });
            scaled(program, &a, &|a| match *op {
                "*" => scaled(program, &b, &|b| of(a.clone(), b)),
                _ => of(a, b.clone()),
            })
        }
        // In a function nothing is multiplied out.
        Tree::Binary("min" | "max", ..) | Tree::Function(..) => tree.clone(),
        Tree::Binary(op, a, b) => Tree::Binary(op, next(a), next(b)),
        Tree::Neg(a) => Tree::Neg(next(a)),
        Tree::Select(cond, then, other) => Tree::Select(cond.clone(), next(then), arm(other)),
        Tree::Unary { of, present, absent } => {
            Tree::Unary { of: of.clone(), present: arm(present), absent: arm(absent) }
        }
        Tree::Regions { of, regions: [overlap, left, right] } => {
            Tree::Regions { of: of.clone(), regions: [arm(overlap), arm(left), arm(right)] }
        }
        other => other.clone(),
    }
}

fn scaled(program: &Program, tree: &Tree, by: &dyn Fn(Tree) -> Tree) -> Tree {
    let part = |part: &Tree| Box::new(scaled(program, part, by));
    match tree {
        _ if !sums_stored(program, tree) => by(tree.clone()),
        Tree::Neg(a) => Tree::Neg(part(a)),
        Tree::Binary(op, a, b) => Tree::Binary(op, part(a), part(b)),
        _ => match sum(tree) {
            Some((vars, asked, over_stored)) => Tree::Scaled {
                of_semiring: !over_stored,
                vars,
                body: Box::new(by(asked.clone())),
                asked: Box::new(asked),
            },
            None => by(tree.clone()),
        },
    }
}

/// Whether it is a sum over stored terms that have a sparse operand, or adds up such.
fn sums_stored(program: &Program, tree: &Tree) -> bool {
    match tree {
        Tree::Neg(a) => sums_stored(program, a),
        Tree::Binary("+" | "-", a, b) => sums_stored(program, a) || sums_stored(program, b),
        Tree::Scaled { .. } => true,
        Tree::Reduce { op: "sum", over_stored: true, .. } | Tree::Semiring { combine: "plus", .. } => {
            let sparse = |node: &Tree| matches!(node, Tree::Access(tensor, _) if !program.tensors[*tensor].dense);
            tree.nodes().into_iter().any(sparse)
        }
        _ => false,
    }
}

/// A sum, or a product over a semiring that is one.
fn sum(tree: &Tree) -> Option<(Vec<Var>, Tree, bool)> {
    match tree {
        Tree::Reduce { op: "sum", over_stored, vars, body } => Some((vars.clone(), (**body).clone(), *over_stored)),
        Tree::Scaled { vars, body, .. } => Some((vars.clone(), (**body).clone(), true)),
        Tree::Semiring { combine: "plus", term, var, of: [a, b] } => {
            let both = |op| Tree::Binary(op, a.clone(), b.clone());
            let term = match *term {
                "times" => both("*"),
                "plus" => both("+"),
                "minus" => both("-"),
                "max" => both("max"),
                "first" => numbered(a),
                "second" => numbered(b),
                _ => Tree::Number(1.0),
            };
            let regions = [Some(Box::new(term)), None, None];
            Some((vec![*var], Tree::Regions { of: [a.clone(), b.clone()], regions }, false))
        }
        _ => None,
    }
}

/// A reduction in an operand is a number, even where that has no terms, but for the sums in it.
fn numbered(operand: &Tree) -> Tree {
    let number = |x| Box::new(Tree::Number(x));
    let zero = || Tree::Unary { of: number(1.0), present: Some(number(0.0)), absent: None };
    operand.changed(&|part| {
        let is_number = match part {
            Tree::Reduce { op, .. } => *op != "sum",
            Tree::Semiring { combine, .. } => *combine != "plus",
            _ => false,
        };
        is_number.then(|| Tree::Binary("+", Box::new(zero()), Box::new(part.clone())))
    })
}

fn multiplied(program: &Program, tree: &Tree) -> Option<Tree> {
    if has_sums(program, tree) && sums_entries(program, tree) { expanded(program, tree) } else { None }
}

/// Whether a sum over entries is multiplied in it; one in a divisor is a value.
fn has_sums(program: &Program, tree: &Tree) -> bool {
    match tree {
        Tree::Binary("/", dividend, _) => has_sums(program, dividend),
        _ if sum(tree).is_some() && sums_entries(program, tree) => true,
        _ => tree.parts().into_iter().any(|part| has_sums(program, part)),
    }
}

/// Whether it has the entries of a sparse operand, or a sum of them; another reduction of them is a number.
fn sums_entries(program: &Program, tree: &Tree) -> bool {
    match tree {
        Tree::Access(tensor, _) => !program.tensors[*tensor].dense,
        // What the reduction within meets is what a filter lets through.
        Tree::Reduce { op: "sum", over_stored: true, body, .. } if is_over_stored(body) => true,
        Tree::Semiring { combine: "plus", of, .. } | Tree::Regions { of, .. }
            if of.iter().any(|of| is_over_stored(of)) =>
        {
            true
        }
        Tree::Reduce { .. } | Tree::Semiring { .. } if sum(tree).is_none() => false,
        _ => tree.parts().into_iter().any(|part| sums_entries(program, part)),
    }
}

pub(crate) fn is_over_stored(tree: &Tree) -> bool {
    match tree {
        Tree::Neg(a) => is_over_stored(a),
        Tree::Reduce { over_stored, .. } => *over_stored,
        Tree::Semiring { .. } => true,
        _ => false,
    }
}

/// The outermost sum under products moved outside.
fn expanded(program: &Program, tree: &Tree) -> Option<Tree> {
    match tree {
        Tree::Binary("+" | "-", ..) => Some(tree.clone()),
        Tree::Neg(a) => Some(wrapped(expanded(program, a)?, &|part| Tree::Neg(Box::new(part)))),
        Tree::Binary(op @ ("*" | "/"), a, b) => {
            // What divides by zero, where an operand is absent, is no factor of each part of a sum.
            let divides = |part: &Tree| {
                let by_zero = |node: &Tree| matches!(node, Tree::Binary("/", _, by) if vanishes(program, by));
                part.nodes().into_iter().any(by_zero)
            };
            let taken = |sum: &Tree, by: &Tree| {
                let by_zero = divides(by) || *op == "/" && vanishes(program, by);
                !matches!(sum, Tree::Binary(..)) || !by_zero && (*op == "/" || has_sums(program, sum))
            };
            if let Some(a) = expanded(program, a).filter(|a| taken(a, b)) {
                return Some(wrapped(a, &|part| Tree::Binary(op, Box::new(part), b.clone())));
            }
            let b = if *op == "*" { expanded(program, b).filter(|b| taken(b, a)) } else { None };
            b.map(|b| wrapped(b, &|part| Tree::Binary(op, a.clone(), Box::new(part))))
        }
        Tree::Scaled { .. } => Some(tree.clone()),
        // A sum over dense operands alone is one value.
        _ => sum(tree).filter(|_| sums_entries(program, tree)).map(|(vars, body, over_stored)| {
            match (Box::new(body), over_stored) {
                (body, true) => Tree::Scaled { of_semiring: false, vars, asked: body.clone(), body },
                (body, false) => Tree::Reduce { op: "sum", over_stored, vars, body },
            }
        }),
    }
}

/// `wrap` around each term of a sum.
fn wrapped(tree: Tree, wrap: &dyn Fn(Tree) -> Tree) -> Tree {
    match tree {
        Tree::Binary(op @ ("+" | "-"), a, b) => Tree::Binary(op, Box::new(wrap(*a)), Box::new(wrap(*b))),
        Tree::Reduce { op, over_stored, vars, body } => {
            Tree::Reduce { op, over_stored, vars, body: Box::new(wrap(*body)) }
        }
        Tree::Scaled { of_semiring, vars, asked, body } => {
            Tree::Scaled { of_semiring, vars, asked, body: Box::new(wrap(*body)) }
        }
        other => other,
    }
}

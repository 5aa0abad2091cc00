//! A factor of a sum over entries is applied to its terms.

use crate::{
    draw::Program,
    model::constant,
    tree::{Tree, Var},
};

/// `tree`, the right side or a term of it, with sums in products multiplied out.
pub(crate) fn spelled_out(program: &Program, tree: &Tree) -> Tree {
    let next = |part: &Tree| Box::new(spelled_out(program, part));
    match tree {
        Tree::Binary(op @ ("+" | "-"), a, b) => Tree::Binary(op, next(a), next(b)),
        Tree::Neg(a) => Tree::Neg(next(a)),
        _ => match (sum(tree), multiplied(program, tree)) {
            (Some((vars, body, over_stored)), _) => {
                // Its factors are applied to the terms that are left in.
                let body = if over_stored { body } else { *next(&body) };
                Tree::Reduce { op: "sum", over_stored, vars, body: Box::new(body) }
            }
            (None, Some(out)) => spelled_out(program, &out),
            (None, None) => tree.clone(),
        },
    }
}

/// A sum, or a product over a semiring that is one.
fn sum(tree: &Tree) -> Option<(Vec<Var>, Tree, bool)> {
    match tree {
        Tree::Reduce { op: "sum", over_stored, vars, body } => Some((vars.clone(), (**body).clone(), *over_stored)),
        Tree::Semiring { combine: "plus", term, var, of: [a, b] } => {
            let both = |op| Tree::Binary(op, a.clone(), b.clone());
            let term = match *term {
                "times" => both("*"),
                "plus" => both("+"),
                "minus" => both("-"),
                "max" => both("max"),
                "first" => (**a).clone(),
                "second" => (**b).clone(),
                _ => Tree::Number(1.0),
            };
            let regions = [Some(Box::new(term)), None, None];
            Some((vec![*var], Tree::Regions { of: [a.clone(), b.clone()], regions }, false))
        }
        _ => None,
    }
}

fn multiplied(program: &Program, tree: &Tree) -> Option<Tree> {
    if has_sums(program, tree) && sums_entries(program, tree) { expanded(tree) } else { None }
}

/// Whether a sum over entries is multiplied in it; one in a divisor is a value.
fn has_sums(program: &Program, tree: &Tree) -> bool {
    match tree {
        Tree::Binary("/", dividend, _) => has_sums(program, dividend),
        _ if sum(tree).is_some() && sums_entries(program, tree) => true,
        _ => tree.parts().into_iter().any(|part| has_sums(program, part)),
    }
}

/// Whether it has the entries of a sparse operand, or what a filter lets through, or a sum of them; another reduction of them is a number.
fn sums_entries(program: &Program, tree: &Tree) -> bool {
    match tree {
        Tree::Access(tensor, _) => !program.tensors[*tensor].dense,
        Tree::Select(_, _, None) => true,
        Tree::Reduce { .. } | Tree::Semiring { .. } if sum(tree).is_none() => false,
        _ => tree.parts().into_iter().any(|part| sums_entries(program, part)),
    }
}

/// The outermost sum under products moved outside.
fn expanded(tree: &Tree) -> Option<Tree> {
    match tree {
        Tree::Binary("+" | "-", ..) => Some(tree.clone()),
        Tree::Neg(a) => Some(wrapped(expanded(a)?, &|part| Tree::Neg(Box::new(part)))),
        Tree::Binary(op @ ("*" | "/"), a, b) => {
            let special = |part: &Tree| {
                part.nodes().into_iter().any(|node| match node {
                    Tree::Number(x) => !x.is_finite(),
                    Tree::Binary("/", _, by) => matches!(**by, Tree::Number(0.0)),
                    _ => false,
                })
            };
            if special(b) || *op == "*" && special(a) || *op == "/" && constant(b) == Some(0.0) {
                return None;
            }
            if let Some(a) = expanded(a) {
                return Some(wrapped(a, &|part| Tree::Binary(op, Box::new(part), b.clone())));
            }
            let b = if *op == "*" { expanded(b) } else { None };
            b.map(|b| wrapped(b, &|part| Tree::Binary(op, a.clone(), Box::new(part))))
        }
        _ => sum(tree).map(|(vars, body, over_stored)| Tree::Reduce {
            op: "sum",
            over_stored,
            vars,
            body: Box::new(body),
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
        other => other,
    }
}

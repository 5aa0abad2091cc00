//! The terms of a reduction over stored terms: those that are present and have a sparse operand that stores
//! an entry.

use super::{Access, BinaryOp, CompareOp, Expr, Over, ReduceOp, UnaryOp};
use nnz_base::{
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
};

/// What is known of the operands of a kernel before its sizes are.
pub struct Terms<'t> {
    /// Which accesses are to sparse operands.
    pub sparse: &'t dyn Fn(&Access) -> bool,
    /// The element type of an expression.
    pub element: &'t dyn Fn(&Expr) -> Element,
    /// Whether a reduction of these terms is over a range without values.
    pub is_empty: &'t dyn Fn(&[IndexVar], &Expr) -> bool,
}

/// The term `body` of a reduction over stored terms. A body that
/// would be present without any of them, such as `d(i) + W(i, j)` because of `d`, is left out where all of them are
/// absent. What `unary` gives for an absent operand counts as present.
pub fn of_stored(op: &ReduceOp, body: Expr, terms: &Terms<'_>) -> Expr {
    // Quotients of integers are not multiplied out.
    let is_term =
        |body: &Expr| *op == ReduceOp::Sum && !(terms.element)(body).is_integer() && takes_factors(body, terms);
    let stays = gives_for_absent(&body, terms) || !is_there_without(&body, Place::Whole, terms) || is_term(&body);
    let stored = if stays { None } else { some_stored(&body, terms) };
    match stored {
        Some(of) => Expr::Present { of: Box::new(of), then: Some(Box::new(body)), other: None },
        None => body,
    }
}

/// Whether a term of a sum is a product with a sum over entries: it is multiplied out, so it is absent where that sum is.
fn takes_factors(expr: &Expr, terms: &Terms<'_>) -> bool {
    let takes = |part: &Expr| takes_factors(part, terms);
    if let Expr::Reduce { op: ReduceOp::Sum, over: over @ (Over::All | Over::Stored), body, .. } = expr {
        let is_absent = |body: &Expr| over.is_stored() || !is_there_without(body, Place::Operand, terms);
        return body.accesses().into_iter().any(terms.sparse) && is_absent(body);
    }
    match expr {
        Expr::Binary(BinaryOp::Mul, a, b) => takes(a) || takes(b),
        Expr::Binary(BinaryOp::Div, a, _) | Expr::Unary(UnaryOp::Neg, a) => takes(a),
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => false,
    }
}

/// Whether a region for an absent operand gives a value where no sparse operand stores anything: the `absent` of a `unary`
/// does, and the `left` of a `binary` does not.
fn gives_for_absent(expr: &Expr, terms: &Terms<'_>) -> bool {
    let gives = |part: &Expr| gives_for_absent(part, terms);
    match expr {
        Expr::Present { of, then, .. } if is_asked_there(of, terms) => {
            gives(of) || !may_choose_nothing(of) && then.as_deref().is_some_and(gives)
        }
        Expr::Present { other, .. } => {
            let other = other.as_deref().filter(|other| !may_choose_nothing(other));
            other.is_some_and(|other| is_there_without(other, Place::Whole, terms))
        }
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => expr.operands().into_iter().any(gives),
    }
}

/// Whether a choice in `expr` gives nothing in one of its cases.
fn may_choose_nothing(expr: &Expr) -> bool {
    if matches!(expr, Expr::Reduce { .. } | Expr::Onto { .. }) {
        return false;
    }
    matches!(expr, Expr::Select { other: None, .. }) || expr.operands().into_iter().any(may_choose_nothing)
}

/// As [`is_there_without`], of an operand whose presence alone counts: a reduction in it is a number, but for one over
/// stored terms that is all of it.
fn is_asked_there(of: &Expr, terms: &Terms<'_>) -> bool {
    if let Expr::Reduce { over, body, .. } = of
        && over.is_stored()
    {
        return is_there_without(body, Place::Whole, terms);
    }
    let yes = || Expr::literal(Element::I1, Scalar::Int(1));
    is_there_without(&of.replaced(&|part| matches!(part, Expr::Reduce { .. }).then(yes)), Place::Whole, terms)
}

/// An expression that is present where some sparse operand of `body` is, in a reduction anywhere along its variables.
fn some_stored(body: &Expr, terms: &Terms<'_>) -> Option<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for part in stored_parts(body, terms) {
        if !found.contains(&part) {
            found.push(part);
        }
    }
    // Of any type, a condition that is present where the part is; its value is not used.
    let truth = |part: Expr| {
        let other = || Box::new(part.clone());
        if is_truth(&part) { part } else { Expr::Compare(CompareOp::Ne, other(), other()) }
    };
    let or = |a, b| Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b));
    if let [_] = found.as_slice() { found.pop() } else { found.into_iter().map(truth).reduce(or) }
}

fn stored_parts(body: &Expr, terms: &Terms<'_>) -> Vec<Expr> {
    match body {
        Expr::Access(access) => (terms.sparse)(access).then(|| body.clone()).into_iter().collect(),
        Expr::Reduce { vars, body, .. } => some_stored(body, terms).into_iter().map(|of| any(vars, of)).collect(),
        // What such a region gives counts as stored where it gives something.
        Expr::Present { of, other: Some(other), .. }
            if (!is_asked_there(of, terms) || may_choose_nothing(of))
                && may_choose_nothing(other)
                && is_there_without(other, Place::Whole, terms) =>
        {
            let given = Expr::Present { of: of.clone(), then: None, other: Some(other.clone()) };
            let others = body.operands().into_iter().flat_map(|part| stored_parts(part, terms));
            others.chain([given]).collect()
        }
        // Where the operand that decides may itself be left out, so is what the region gives without entries.
        Expr::Present { of, then: Some(then), .. }
            if may_choose_nothing(of) && is_asked_there(of, terms) && gives_for_absent(then, terms) =>
        {
            let given = Expr::Present { of: of.clone(), then: Some(then.clone()), other: None };
            let others = body.operands().into_iter().flat_map(|part| stored_parts(part, terms));
            others.chain([given]).collect()
        }
        Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Onto { .. } => body.operands().into_iter().flat_map(|part| stored_parts(part, terms)).collect(),
    }
}

/// Whether `of` is present anywhere along `vars`.
fn any(vars: &[IndexVar], of: Expr) -> Expr {
    let yes = Box::new(Expr::literal(Element::I1, Scalar::Int(1)));
    let body = Expr::Present { of: Box::new(of), then: Some(yes), other: None };
    Expr::Reduce { op: ReduceOp::Or, over: Over::Stored, vars: vars.to_vec(), body: Box::new(body) }
}

fn is_truth(part: &Expr) -> bool {
    matches!(part, Expr::Reduce { .. })
}

/// What an expression is a part of.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// A term or an arm: a reduction that is all of it may be absent.
    Whole,
    /// A larger expression: a reduction over stored terms is a value in it.
    Operand,
    /// A product, or another operation that is absent where this part is: every reduction is a value in it.
    Factor,
}

impl Place {
    fn within(self) -> Place {
        if self == Place::Factor { self } else { Place::Operand }
    }
}

/// Whether `expr` may be present where no sparse operand stores anything.
fn is_there_without(expr: &Expr, place: Place, terms: &Terms<'_>) -> bool {
    let there = |part: &Expr, place: Place| is_there_without(part, place, terms);
    match expr {
        Expr::Access(access) => !(terms.sparse)(access),
        Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => true,
        Expr::Cast(_, a) | Expr::Unary(UnaryOp::Neg, a) => there(a, place),
        Expr::Unary(op, a) => !op.preserves_zero() || there(a, place.within()),
        Expr::Reduce { op, over, vars, body } => {
            let is_number = *over == Over::All && gives_number(op) && (terms.is_empty)(vars, body);
            // A reduction over all terms is a larger expression of what it reduces.
            let within = if over.is_stored() { Place::Whole } else { Place::Operand };
            is_number || is_value((op, (terms.element)(body)), *over, place) || there(body, within)
        }
        Expr::Binary(op, a, b) => {
            let [in_a, in_b] = places(*op, [a, b], place);
            match op {
                BinaryOp::Mul | BinaryOp::And => there(a, in_a) && there(b, in_b),
                // A divisor makes nothing of an absent dividend.
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => there(a, in_a),
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow => {
                    there(a, in_a) || there(b, in_b)
                }
                BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Function(_) => {
                    there(a, in_a) || there(b, in_b)
                }
            }
        }
        Expr::Compare(op, a, b) => op.holds_of_equals() || there(a, place.within()) || there(b, place.within()),
        Expr::Onto { from, reduce } => there(from, Place::Operand) || there(reduce, Place::Whole),
        // A zero that is chosen where operands are absent is not there.
        Expr::Select { cond, then, other } => {
            let zero = |part: &Expr| matches!(part, Expr::Literal(number) if number.value.is_zero());
            // One that is chosen needs the other arm to be there.
            let beside = |part: &Expr| !zero(part) || other.as_deref().is_none_or(|other| there(other, place));
            let chosen = there(cond, Place::Operand) && there(then, place) && beside(then);
            chosen || other.as_deref().is_some_and(|other| !zero(other) && there(other, place))
        }
        Expr::Present { of, then, other } => {
            let arm = if is_asked_there(of, terms) { then } else { other };
            arm.as_deref().is_some_and(|arm| there(arm, place))
        }
    }
}

/// Whether a reduction is present in this place even without terms. One that gives zero without terms is then absent in
/// a larger expression, like one over all terms.
fn is_value((op, element): (&ReduceOp, Element), over: Over, place: Place) -> bool {
    match (over, place) {
        (Over::AllOrZero | Over::StoredOr(_), _) | (Over::All | Over::Stored, Place::Factor) => true,
        (Over::Stored, Place::Operand) => !op.gives_zero_of(element),
        (Over::Stored, Place::Whole) => false,
        (Over::All, Place::Operand | Place::Whole) => !zeros_give_zero(op),
    }
}

/// Whether a reduction without terms gives a number other than zero; an extent is one of zero values.
fn gives_number(op: &ReduceOp) -> bool {
    match op {
        ReduceOp::Custom(fold) => !fold.identity.value.is_zero(),
        ReduceOp::ArgMin | ReduceOp::ArgMax => false,
        ReduceOp::Sum | ReduceOp::Or | ReduceOp::Xor | ReduceOp::Pick => false,
        ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max | ReduceOp::And => true,
    }
}

/// Whether absent terms alone give zero: not from 3 on, and not for `left + 1`, which counts them.
fn zeros_give_zero(op: &ReduceOp) -> bool {
    let ReduceOp::Custom(fold) = op else { return true };
    let nothing = || Expr::Access(Access { tensor: TensorId::new(0), indices: Vec::new() });
    let of_nothing = fold.combine.replaced(&|part| matches!(part, Expr::Slot(..)).then(nothing));
    let terms = Terms { sparse: &|_| true, element: &|_| fold.identity.element, is_empty: &|_, _| false };
    fold.identity.value.is_zero() && !is_there_without(&of_nothing, Place::Whole, &terms)
}

/// The places of the operands. A factor beside a number is none: the number changes no zero. The least of unsigned
/// integers is absent where one of them is.
fn places(op: BinaryOp, operands: [&Expr; 2], place: Place) -> [Place; 2] {
    let [a, b] = operands.map(|operand| operand.nodes().into_iter().any(is_variable));
    let factor = |is_factor: bool| if is_factor { Place::Factor } else { place.within() };
    match op {
        BinaryOp::Mul | BinaryOp::And | BinaryOp::Min => [factor(b), factor(a)],
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => [factor(b), place.within()],
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow => [factor(b), place.within()],
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Max => [place.within(); 2],
        BinaryOp::Or | BinaryOp::Xor | BinaryOp::Function(_) => [place.within(); 2],
    }
}

fn is_variable(node: &Expr) -> bool {
    matches!(node, Expr::Access(_) | Expr::Index(..) | Expr::Slot(..))
}

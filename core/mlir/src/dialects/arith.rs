//! `arith`: numbers. Constants and conversions are in separate files.

use crate::{
    attribute::Attribute,
    checks::{Domain, all_alike, operands},
    constraints::{ANY, ELEMENTWISE, takes},
    draft::Draft,
    inherent::{EXACT, FAST_MATH, Kind, OVERFLOW, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::{
    diagnostic::did_you_mean,
    element::{Element, Scalar},
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    float("arith.addf"),
    float("arith.subf"),
    float("arith.mulf"),
    float("arith.divf"),
    float("arith.remf"),
    float("arith.maximumf"),
    float("arith.minimumf"),
    float("arith.maxnumf"),
    float("arith.minnumf"),
    Entry::scalar("arith.negf", takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same)
        .having(&[FAST_MATH])
        .verified(one_float),
    integer("arith.addi").having(&[OVERFLOW]),
    integer("arith.subi").having(&[OVERFLOW]),
    integer("arith.muli").having(&[OVERFLOW]),
    integer("arith.andi"),
    integer("arith.ori"),
    integer("arith.xori"),
    integer("arith.maxsi"),
    integer("arith.minsi"),
    integer("arith.maxui"),
    integer("arith.minui"),
    integer("arith.divsi").having(&[EXACT]),
    integer("arith.divui").having(&[EXACT]),
    integer("arith.remsi"),
    integer("arith.remui"),
    integer("arith.floordivsi"),
    integer("arith.ceildivsi"),
    integer("arith.ceildivui"),
    integer("arith.shli").having(&[OVERFLOW]),
    integer("arith.shrui").having(&[EXACT]),
    integer("arith.shrsi").having(&[EXACT]),
    Entry::scalar("arith.cmpf", takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), compare_syntax)
        .having(&[needs("predicate", Kind::Number(Element::I64, 0, FLOAT_PREDICATES.len() as i128 - 1)), FAST_MATH])
        .verified(two_floats_compared),
    Entry::scalar("arith.cmpi", takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), compare_syntax)
        .having(&[needs("predicate", Kind::Number(Element::I64, 0, INTEGER_PREDICATES.len() as i128 - 1))])
        .verified(two_integers_compared),
    Entry::scalar("arith.select", takes(&[ELEMENTWISE, ANY, ANY]).gives(&[ANY]), select_syntax).verified(condition),
];

const fn float(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same)
        .having(&[FAST_MATH])
        .verified(two_floats)
}

const fn integer(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same).verified(two_integers)
}

fn two_floats(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Float)?;
    all_alike(draft)
}

fn two_integers(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Integer)?;
    all_alike(draft)
}

fn one_float(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Float)?;
    all_alike(draft)
}

fn two_floats_compared(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Float)?;
    says_whether(draft)
}

fn two_integers_compared(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Integer)?;
    says_whether(draft)
}

/// Two operands of one type, and a bit for each of their elements.
fn says_whether(draft: &Draft) -> Result<(), Mistake> {
    let (one, other, result) = (draft.operand(0)?, draft.operand(1)?, draft.result()?);
    if one.ty.is_broken() || other.ty.is_broken() || result.is_broken() {
        return Ok(());
    }
    if one.ty != other.ty {
        return Err(Mistake::types(other.span, format!("this is `{}`, the first operand `{}`", other.ty, one.ty)));
    }
    match one.ty.with_element(Element::I1) {
        wanted if wanted == *result => Ok(()),
        wanted => Err(draft.wrong_result(format!("the result is `{wanted}`, not `{result}`"))),
    }
}

// Comparisons: `arith.cmpf olt, %a, %b : f64`.

/// `slt` of floats is `olt`, and the other way round; `lt` is either.
fn of_other_type(predicate: &str, known: &[&'static str]) -> Option<&'static str> {
    let stem = match predicate.len() {
        2 => predicate,
        3 => predicate.strip_prefix(['o', 's', 'u'])?,
        _ => return None,
    };
    let is_it = |name: &&&str| **name == stem || name.strip_prefix(['o', 's']) == Some(stem);
    known.iter().find(is_it).copied()
}

fn compare_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let predicate = if r.peek() == TokenKind::String {
        r.string()?
    } else {
        r.word_of(TokenKind::Ident, "a predicate")?.to_string()
    };
    let known: &[&str] = if draft.name() == "arith.cmpf" { FLOAT_PREDICATES } else { INTEGER_PREDICATES };
    let Some(number) = known.iter().position(|name| *name == predicate) else {
        let message = format!("`{predicate}` is not a predicate of `{}`", draft.name());
        let mistake = Mistake::syntax(span, message).label("not a predicate");
        return Err(
            match of_other_type(&predicate, known).or_else(|| did_you_mean(&predicate, known.iter().copied())) {
                Some(near) => mistake.guess(span, near),
                None => mistake,
            }
            .help(format!("there are {}", nnz_check::list_of(known))),
        );
    };
    r.expect(TokenKind::Comma)?;
    draft.attributes.set("predicate", Attribute::Number(Scalar::Int(number as i128), None));
    Form::same(r, draft)?;
    draft.results.iter_mut().for_each(|ty| *ty = ty.with_element(Element::I1));
    Ok(())
}

/// In the order of MLIR's numbers.
pub const FLOAT_PREDICATES: &[&str] = &[
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
];

pub const INTEGER_PREDICATES: &[&str] = &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

// `arith.select %c, %a, %b : f64`

fn select_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let first = r.colon_type()?;
    let (cond, ty) = if r.eat(TokenKind::Comma) { (first, r.ty()?) } else { (Type::I1, first) };
    draft.operands = r.resolve_all(&uses, &[cond, ty.clone(), ty.clone()])?;
    draft.results = vec![ty];
    Ok(())
}

fn condition(draft: &Draft) -> Result<(), Mistake> {
    match draft.operand(0)? {
        operand if operand.ty.element() != Some(Element::I1) && !operand.ty.is_broken() => {
            Err(Mistake::types(operand.span, format!("a condition is `i1`, and this is `{}`", operand.ty)))
        }
        operand if operand.ty.scalar().is_some() || operand.ty.is_broken() => Ok(()),
        operand => chosen_by_entries(draft, operand),
    }
}

/// A condition for each entry of the operands.
fn chosen_by_entries(draft: &Draft, condition: &Operand) -> Result<(), Mistake> {
    let result = draft.result()?;
    if result.is_broken() {
        return Ok(());
    }
    if matches!(result, Type::Memory(_)) || condition.ty != result.with_element(Element::I1) {
        let message = format!("`{}` has no condition for each entry of `{result}`", condition.ty);
        return Err(Mistake::types(condition.span, message)
            .label("of another shape")
            .help("an `i1` chooses all of it"));
    }
    if result.sparse().is_some() {
        let message = "nnz chooses entry by entry from dense tensors and vectors only";
        let help = "an `i1` chooses a whole tensor, and `arith.select` in a `linalg.generic` one entry or the other";
        return Err(Mistake::unsupported(condition.span, message).label("of a sparse tensor").help(help));
    }
    Ok(())
}

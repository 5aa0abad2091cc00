//! `arith`: constants, and conversions of numbers.

use crate::{
    attribute::Attribute,
    checks::{Domain, operands},
    constraints::{CONSTANT, ELEMENTWISE, takes},
    draft::Draft,
    inherent::{self, FAST_MATH, OVERFLOW, ROUNDING, needs},
    ir::Op,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::{Type, width},
};
use nnz_base::element::{Element, Scalar};

pub(super) static OPS: &[Entry] = &[
    Entry::host("arith.constant", takes(&[]).gives(&[CONSTANT]), constant_syntax)
        .having(&[needs("value", inherent::Kind::Any)])
        .verified(constant_type),
    cast("arith.extf", wider_float).having(&[FAST_MATH]),
    cast("arith.truncf", narrower_float).having(&[ROUNDING, FAST_MATH]),
    cast("arith.extsi", wider_integer),
    cast("arith.extui", wider_integer),
    cast("arith.trunci", narrower_integer).having(&[OVERFLOW]),
    cast("arith.sitofp", to_floats),
    cast("arith.uitofp", to_floats),
    cast("arith.fptosi", to_integers),
    cast("arith.fptoui", to_integers),
    cast("arith.index_cast", to_or_from_index),
    cast("arith.index_castui", to_or_from_index),
    cast("arith.bitcast", same_width),
];

const fn cast(name: &'static str, verify: fn(&Draft) -> Result<(), Mistake>) -> Entry {
    Entry::scalar(name, takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::cast).verified(verify)
}

/// The operand and result types of a conversion.
struct Rule {
    from: Kind,
    to: Kind,
    /// The relation of the widths, and the same in words.
    widths: fn(u32, u32) -> bool,
    wanted: &'static str,
}

/// What the elements of a conversion are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    /// Integers, and not `index`.
    Integer,
    Index,
    Number,
}

impl Kind {
    fn holds(self, element: Element) -> bool {
        let index = element == Element::Index;
        match self {
            Kind::Float => element.is_float(),
            Kind::Integer => element.is_integer() && !index,
            Kind::Index => index,
            Kind::Number => !element.is_complex() && !index,
        }
    }
    fn words(self) -> &'static str {
        match self {
            Kind::Float => "a floating-point type",
            Kind::Integer => "an integer type",
            Kind::Index => "`index`",
            Kind::Number => "an integer or floating-point type",
        }
    }
}

const ANY: fn(u32, u32) -> bool = |_, _| true;

fn wider_float(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Float, to: Kind::Float, widths: |from, to| from < to, wanted: "wider" })
}

fn narrower_float(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Float, to: Kind::Float, widths: |from, to| from > to, wanted: "narrower" })
}

fn wider_integer(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Integer, to: Kind::Integer, widths: |from, to| from < to, wanted: "wider" })
}

fn narrower_integer(draft: &Draft) -> Result<(), Mistake> {
    let widths = |from, to| from > to;
    conversion(draft, &Rule { from: Kind::Integer, to: Kind::Integer, widths, wanted: "narrower" })
}

fn to_floats(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Integer, to: Kind::Float, widths: ANY, wanted: "" })
}

fn to_integers(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Float, to: Kind::Integer, widths: ANY, wanted: "" })
}

fn to_or_from_index(draft: &Draft) -> Result<(), Mistake> {
    let index = draft.operand(0)?.ty.element() == Some(Element::Index);
    let [from, to] = if index { [Kind::Index, Kind::Integer] } else { [Kind::Integer, Kind::Index] };
    conversion(draft, &Rule { from, to, widths: ANY, wanted: "" })
}

fn same_width(draft: &Draft) -> Result<(), Mistake> {
    let widths = |from, to| from == to;
    conversion(draft, &Rule { from: Kind::Number, to: Kind::Number, widths, wanted: "of the same width" })
}

fn conversion(draft: &Draft, rule: &Rule) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Any)?;
    let (given, to) = (draft.operand(0)?, draft.result()?);
    let (Some(from), Some(into)) = (given.ty.element(), to.element()) else { return Ok(()) };
    let name = draft.name();
    if !rule.from.holds(from) {
        let message = format!("`{name}` takes {}, not `{}`", rule.from.words(), given.ty);
        return Err(Mistake::types(given.span, message));
    }
    if !rule.to.holds(into) {
        let message = format!("`{name}` makes {}, not `{to}`", rule.to.words());
        return Err(draft.wrong_result(message).label(format!("not {}", rule.to.words())));
    }
    if given.ty.with_element(into) != *to {
        let message = format!("`{name}` keeps the shape of `{}`, and this is `{to}`", given.ty);
        return Err(draft.wrong_result(message).label("another shape"));
    }
    if !(rule.widths)(width(from), width(into)) {
        let message = format!("`{name}` makes a type {} of `{from}`, not `{into}`", rule.wanted);
        return Err(draft.wrong_result(message).label(format!("not {}", rule.wanted)));
    }
    Ok(())
}

// `arith.constant 1.0 : f64`, `arith.constant dense<...> : tensor<...>`

fn constant_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    let value = r.attribute()?;
    draft.results = vec![type_of(&value, draft)?];
    draft.attributes.set("value", value);
    Ok(())
}

fn type_of(value: &Attribute, draft: &Draft) -> Read<Type> {
    match value {
        Attribute::Bool(_) => Ok(Type::I1),
        Attribute::Number(_, Some(ty)) => Ok(ty.clone()),
        Attribute::Number(Scalar::Float(_), None) => Ok(Type::Scalar(Element::F64)),
        Attribute::Number(_, None) => Ok(Type::Scalar(Element::I64)),
        Attribute::Dense(literal) => Ok(literal.ty.clone()),
        Attribute::Sparse(literal) => Ok(literal.ty.clone()),
        Attribute::Broken => Err(Mistake::told()),
        Attribute::Unit
        | Attribute::Text(_)
        | Attribute::Type(_)
        | Attribute::Array(_)
        | Attribute::Dictionary(_)
        | Attribute::Map(_)
        | Attribute::Encoding(_)
        | Attribute::Strided(_)
        | Attribute::Symbol(_)
        | Attribute::Word(_) => {
            let mistake = draft.mistake("a constant is a number, `dense<...>` or `sparse<...>`");
            Err(mistake.help("a list of numbers is `dense<[1.0, 2.0]> : tensor<2xf64>`"))
        }
    }
}

fn constant_type(draft: &Draft) -> Result<(), Mistake> {
    let value = draft.attribute("value").ok_or_else(|| draft.mistake("the constant has no value"))?;
    let (found, result) = (type_of(value, draft)?, draft.result()?);
    of_kind(value, &found, draft)?;
    if found == *result || result.is_broken() || found.is_broken() {
        return Ok(());
    }
    Err(draft.wrong_result(format!("the constant is `{found}`, its result `{result}`")))
}

/// A number is of a type of numbers, a list of a tensor's or a vector's.
fn of_kind(value: &Attribute, ty: &Type, draft: &Draft) -> Result<(), Mistake> {
    let one = matches!(value, Attribute::Number(..));
    let fits = matches!(value, Attribute::Bool(_)) || one == ty.scalar().is_some();
    match ty.scalar().or(ty.element()) {
        Some(Element::U8 | Element::U16 | Element::U32 | Element::U64) if one => {
            let message = format!("a constant's integers are signless, and `{ty}` is not");
            Err(draft.mistake(message).help("`255 : i8` has the same bits"))
        }
        _ if fits || ty.is_broken() => Ok(()),
        _ if one => Err(draft.mistake(format!("one number is no `{ty}`")).help("`dense<...>` is one for every entry")),
        _ => {
            let message = format!("`dense<...>` and `sparse<...>` are tensors or vectors, and `{ty}` is neither");
            Err(draft.mistake(message).label(format!("for a `{ty}`")))
        }
    }
}

/// The constant, if it is a number.
pub fn number(op: &Op) -> Option<Scalar> {
    let value = op.attribute("value")?;
    if let Attribute::Bool(truth) = value {
        return Some(Scalar::Int((*truth).into()));
    }
    if let Attribute::Number(scalar, _) = value { Some(*scalar) } else { None }
}

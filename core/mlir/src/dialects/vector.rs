//! `vector`: printing, and elementwise operations.

use crate::{
    attribute::Attribute,
    constraints::{PART_OF_VECTOR, VECTOR, takes},
    inherent::{Kind, may_have},
    ir::Op,
    machine::{Fault, Frame, Machine},
    operation::OpDef,
    print,
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
    value::Value,
};
use nnz_base::element::Element;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("vector.print", takes(&[PART_OF_VECTOR.optional()]), print_syntax, print_value)
        .having(&[may_have("punctuation", Kind::Word(PUNCTUATION)), may_have("stringLiteral", Kind::Text)]),
    OpDef::scalar(
        "vector.fma",
        takes(&[VECTOR, VECTOR, VECTOR]).gives(&[VECTOR]).alike(),
        Form::same,
        super::math::FMA,
    )
    .verified(super::math::three_floats),
];

const PUNCTUATION: &[&str] = &["no_punctuation", "newline", "comma", "open", "close"];

/// `vector.print %v : T`, `vector.print str "text"`, `vector.print punctuation <comma>`
fn print_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if r.eat_word("str") {
        draft.attributes.set("stringLiteral", Attribute::Text(r.string()?));
        return Ok(());
    }
    let value = if r.at(TokenKind::PercentId) { Some(r.value_use()?) } else { None };
    if let Some(name) = value {
        let ty = r.colon_type()?;
        draft.operands = vec![r.resolve(name, &ty)?];
        if ty.tensor().is_some() || matches!(ty, Type::Memory(_) | Type::Pointer) {
            return Err(Mistake::types(name.span, format!("`vector.print` prints scalars and vectors, not `{ty}`")));
        }
    }
    if r.eat_word("punctuation") {
        draft.attributes.set("punctuation", Attribute::Text(r.angles()?.trim().to_string()));
    } else if value.is_none() {
        draft.attributes.set("punctuation", Attribute::Text("newline".to_string()));
    }
    Ok(())
}

fn print_value(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    if let Some(text) = op.attribute("stringLiteral").and_then(Attribute::as_text) {
        return machine.print(text);
    }
    let mut text = match op.operands.first() {
        Some(operand) => match frame.get(operand.value)? {
            Value::Scalar(scalar) => print::scalar(operand.ty.element().unwrap_or(Element::F64), *scalar),
            other => print::vector(&*other.array()?),
        },
        None => String::new(),
    };
    let punctuation = op.attribute("punctuation").and_then(Attribute::as_text).unwrap_or("newline");
    text.push_str(match punctuation.trim_start_matches("#vector.punctuation<").trim_end_matches('>') {
        "comma" => ", ",
        "open" => "( ",
        "close" => " )",
        "no_punctuation" => "",
        _ => "\n",
    });
    machine.print(&text)
}

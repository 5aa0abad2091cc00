//! `vector` at run time: printing, and elementwise operations.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, Rule, host, scalar},
    print,
    value::Value,
};
use nnz_base::element::Element;
use nnz_mlir::{attribute::Attribute, ir::Op};

pub(super) static MEANINGS: &[Row] =
    &[host("vector.print", print_value), scalar("vector.fma", Rule::ProductAndSum, super::math::FMA)];

fn print_value(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    if let Some(text) = op.attribute("stringLiteral").and_then(Attribute::as_text) {
        return machine.print(text);
    }
    let mut text = match op.operands.first() {
        Some(operand) => {
            let value = frame.get(operand.value)?;
            if let Value::Scalar(scalar) = value {
                print::scalar(operand.ty.element().unwrap_or(Element::F64), *scalar)
            } else {
                print::vector(&*value.array()?)
            }
        }
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

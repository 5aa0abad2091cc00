//! The bodies of elementwise kernels: one function of scalars each.

use crate::{
    dialects::{
        linalg_named::{add, casts_unsigned, multiply, of_kind, subtract},
        linalg_structured::elements,
    },
    draft::Draft,
    ir::{Operand, Region},
    mistake::{Mistake, Read},
    read::{BodyBuilder, Reader},
};
use nnz_base::element::{Element, Scalar};

/// The body of a kernel whose scalar operation has this name.
pub(super) fn elementwise_body(r: &mut Reader<'_>, draft: &Draft, (kind, name): (&str, &str)) -> Read<Region> {
    let elements = elements(draft)?;
    let (to, inputs) = (elements.last().copied().unwrap_or(Element::F64), elements.len() - 1);
    let mut body = BodyBuilder::new(r, &elements).of(draft.span).unsigned(casts_unsigned(draft));
    let operands: Vec<usize> = match kind {
        "linalg.copy" => vec![body.cast(0, to)?],
        _ => (0..inputs).collect(),
    };
    match kind {
        "linalg.copy" => {}
        // The condition stays a bit.
        "linalg.select" => alike(draft, 1)?,
        _ => alike(draft, 0)?,
    }
    let result = match operands[..] {
        [one] if kind == "linalg.square" => body.binary(name, one, one)?,
        [one] if kind == "linalg.reciprocal" => {
            let unit = body.constant(Scalar::Float(1.0), to)?;
            body.binary(name, unit, one)?
        }
        [one] if name.is_empty() => one,
        _ => body.operation(name, &operands, to)?,
    };
    body.finish(&[result])
}

/// The operands from `first` on have the elements of the result: no kernel but a copy converts them.
fn alike(draft: &Draft, first: usize) -> Result<(), Mistake> {
    let Some((result, inputs)) = draft.operands.split_last() else { return Ok(()) };
    match inputs.iter().skip(first).find(|operand| operand.ty.element() != result.ty.element()) {
        Some(operand) => {
            let elements = |operand: &Operand| operand.ty.element().map_or(String::new(), |found| found.to_string());
            let (name, found, wanted) = (draft.name_of(operand), elements(operand), elements(result));
            Err(Mistake::types(operand.span, format!("`{name}` has elements `{found}`, the result `{wanted}`"))
                .label(format!("not of `{wanted}`"))
                .secondary(result.span, format!("`{wanted}`"))
                .help(format!("`{}` does not convert; `linalg.copy` does", draft.name())))
        }
        None => Ok(()),
    }
}

/// The scalar operation of a kernel, and how many operands it takes.
pub(super) fn scalar_operation(kernel: &str, element: Element) -> Option<(&'static str, usize)> {
    Some(match kernel.strip_prefix("linalg.")? {
        "add" => (add(element), 2),
        "sub" => (subtract(element), 2),
        "mul" => (multiply(element), 2),
        "div" => (of_kind(element, ["arith.divf", "complex.div", "arith.divsi"]), 2),
        "div_unsigned" => ("arith.divui", 2),
        "max" => (of_kind(element, ["arith.maximumf", "", "arith.maxsi"]), 2),
        "min" => (of_kind(element, ["arith.minimumf", "", "arith.minsi"]), 2),
        "max_unsigned" => (of_kind(element, ["arith.maximumf", "", "arith.maxui"]), 2),
        "min_unsigned" => (of_kind(element, ["arith.minimumf", "", "arith.minui"]), 2),
        "powf" => ("math.powf", 2),
        "abs" => ("math.absf", 1),
        "ceil" => ("math.ceil", 1),
        "erf" => ("math.erf", 1),
        "exp" => ("math.exp", 1),
        "floor" => ("math.floor", 1),
        "log" => ("math.log", 1),
        "negf" => ("arith.negf", 1),
        "round" => ("math.round", 1),
        "rsqrt" => ("math.rsqrt", 1),
        "sqrt" => ("math.sqrt", 1),
        "square" => ("arith.mulf", 1),
        "tanh" => ("math.tanh", 1),
        "reciprocal" => ("arith.divf", 1),
        "select" => ("arith.select", 3),
        "copy" => ("", 1),
        _ => return None,
    })
}

//! Constants of a known element type: `1`, `-2.5`, `0x1F`, `true`, `nan`, `(1, -2)`.

use num_complex::Complex;

use nnz_base::{
    arrays::Values,
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    ids::FileId,
};
use nnz_syntax::{NodeKind, NodeRef};

/// The constant of an expression node.
///
/// # Errors
/// Anything but a constant; a constant that the element type cannot hold.
pub fn value(file: FileId, node: NodeRef<'_>, element: Element) -> Result<Scalar, Box<Diagnostic>> {
    if let (negative, number) = unsigned(node)
        && number.kind() == NodeKind::ComplexNumber
    {
        return complex(file, number, element).map(|value| if negative { -value } else { value }).map(Scalar::Complex);
    }
    if element.is_complex() {
        return Ok(Scalar::Complex(Complex::new(real(file, node, part(element))?, 0.0)));
    }
    if element.is_float() {
        return Ok(Scalar::Float(real(file, node, element)?));
    }
    Ok(Scalar::Int(integer(file, node, element)?))
}

/// The type of a complex number's parts.
fn part(element: Element) -> Element {
    if element == Element::C32 { Element::F32 } else { Element::F64 }
}

fn error(file: FileId, node: NodeRef<'_>, code: Code, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, file, node.span(), message))
}

fn not_constant(file: FileId, node: NodeRef<'_>) -> Box<Diagnostic> {
    let mut error = error(file, node, Code::LiteralType, format!("`{}` is not a constant", shortened(node.text())));
    error.primary.message = "no constant".to_string();
    if let Some(own) = nnz_syntax::habits::constant(node.text()) {
        return Box::new(error.help(format!("`{}` is written `{own}`", node.text())).fix(
            format!("write `{own}`"),
            node.span(),
            own,
        ));
    }
    error.helps.push("a literal holds numbers, `true`, `false`, `inf`, `nan` and complex `(re, im)`".to_string());
    error
}

/// `true` is a constant, but of `i1`.
fn no_number(file: FileId, node: NodeRef<'_>, element: Element) -> Box<Diagnostic> {
    let own = match node.text() {
        "true" => "1",
        "false" => "0",
        _ => return not_constant(file, node),
    };
    let message = format!("`{}` is of `i1`, and `{element}` is wanted", node.text());
    let told = Diagnostic::new(Code::LiteralType, file, node.span(), message).label(format!("written `{own}`"));
    Box::new(told.fix(format!("write `{own}`"), node.span(), own))
}

/// `inf` and `nan` of an integer type.
fn no_infinity(file: FileId, node: NodeRef<'_>, element: Element) -> Box<Diagnostic> {
    let message = format!("`{element}` has no `{}`", node.text().trim_start_matches(['-', '+']));
    let error = Diagnostic::new(Code::LiteralType, file, node.span(), message).label("of floating-point types alone");
    match element.int_range() {
        Some((low, high)) => Box::new(error.help(format!("`{element}` holds {low} to {high}"))),
        None => Box::new(error),
    }
}

fn shortened(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn complex(file: FileId, node: NodeRef<'_>, element: Element) -> Result<Complex<f64>, Box<Diagnostic>> {
    if !element.is_complex() {
        let message = format!("a complex number where `{element}` is wanted");
        let error = Diagnostic::new(Code::LiteralType, file, node.span(), message);
        return Err(Box::new(error.label("a complex number")));
    }
    let mut parts = node.children().map(|child| real(file, child, part(element)));
    let mut next = || parts.next().unwrap_or_else(|| Err(not_constant(file, node)));
    let re = next()?;
    Ok(Complex::new(re, next()?))
}

/// The node inside its signs and brackets, and whether it is negated.
pub(super) fn unsigned(node: NodeRef<'_>) -> (bool, NodeRef<'_>) {
    let mut negative = false;
    let mut node = node;
    while node.kind() == NodeKind::Paren || is_signed(node) {
        let Some(inner) = node.children().next() else { break };
        negative ^= node.text().starts_with('-');
        node = inner;
    }
    (negative, node)
}

/// Whether a sign stands in front, and not `not`.
pub(super) fn is_signed(node: NodeRef<'_>) -> bool {
    node.kind() == NodeKind::Unary && node.text().starts_with(['-', '+'])
}

fn real(file: FileId, node: NodeRef<'_>, element: Element) -> Result<f64, Box<Diagnostic>> {
    let (negative, number) = unsigned(node);
    let magnitude = match (number.kind(), number.text()) {
        (NodeKind::Number, text) => match text.strip_prefix("0x") {
            // As in any notation of formulas: the bits of a float are said in attributes of MLIR alone.
            Some(digits) => u128::from_str_radix(digits, 16).ok().map(|number| number as f64),
            None => fast_float2::parse::<f64, _>(text).ok(),
        },
        (NodeKind::Name, "inf") => return Ok(if negative { f64::NEG_INFINITY } else { f64::INFINITY }),
        (NodeKind::Name, "nan") => return Ok(f64::NAN),
        _ => None,
    };
    let magnitude = magnitude.ok_or_else(|| no_number(file, node, element))?;
    let value = if negative { -magnitude } else { magnitude };
    match rounded(value, element) {
        held if held.is_infinite() => Err(too_large(file, node, element)),
        0.0 if is_more_than_zero(number.text()) => Err(too_small(file, node, element)),
        _ => Ok(value),
    }
}

/// Whether a digit in front of the exponent is not 0.
fn is_more_than_zero(number: &str) -> bool {
    let digits = number.strip_prefix("0x").unwrap_or_else(|| number.split(['e', 'E']).next().unwrap_or_default());
    digits.contains(|digit: char| digit.is_ascii_hexdigit() && digit != '0')
}

fn too_small(file: FileId, node: NodeRef<'_>, element: Element) -> Box<Diagnostic> {
    let message = format!("`{}` is too small for `{element}`", node.text());
    let error = Diagnostic::new(Code::LiteralRange, file, node.span(), message);
    let error = error.label(format!("rounds to 0 in `{element}`"));
    Box::new(error.fix("write `0`", node.span(), "0"))
}

fn too_large(file: FileId, node: NodeRef<'_>, element: Element) -> Box<Diagnostic> {
    let message = format!("`{}` is too large for `{element}`", node.text());
    let error = Diagnostic::new(Code::LiteralRange, file, node.span(), message);
    Box::new(error.label(format!("rounds to `inf` in `{element}`")))
}

fn rounded(value: f64, element: Element) -> f64 {
    Values::from_scalars(element, [Scalar::Float(value)]).get(0).map_or(value, Scalar::as_f64)
}

fn integer(file: FileId, node: NodeRef<'_>, element: Element) -> Result<i128, Box<Diagnostic>> {
    let (negative, number) = unsigned(node);
    let magnitude = match (number.kind(), number.text()) {
        (NodeKind::Number, text) => match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None if text.bytes().all(|b| b.is_ascii_digit()) => Some(text.parse().unwrap_or(i128::MAX)),
            None => return Err(fractional(file, node, element)),
        },
        (NodeKind::Name, "true") => Some(1),
        (NodeKind::Name, "false") => Some(0),
        _ => None,
    };
    let infinite = matches!(number.text(), "inf" | "nan") && number.kind() == NodeKind::Name;
    let magnitude = magnitude.ok_or_else(|| match infinite {
        true => no_infinity(file, node, element),
        false => not_constant(file, node),
    })?;
    let value = if negative { -magnitude } else { magnitude };
    match element.int_range() {
        Some((low, high)) if value < low || value > high => Err(out_of_range(file, node, element, (low, high))),
        _ => Ok(value),
    }
}

fn fractional(file: FileId, node: NodeRef<'_>, element: Element) -> Box<Diagnostic> {
    let message = format!("`{}` is not an integer, but the element type is `{element}`", node.text());
    let mut error = error(file, node, Code::LiteralType, message);
    error.primary.message = "has a fraction".to_string();
    error.helps.push("a floating-point type holds it, such as `f64`".to_string());
    error
}

fn out_of_range(file: FileId, node: NodeRef<'_>, element: Element, (low, high): (i128, i128)) -> Box<Diagnostic> {
    let mut error = error(file, node, Code::LiteralRange, format!("`{}` does not fit `{element}`", node.text()));
    error.primary.message = format!("`{element}` holds {low} to {high}");
    error
}

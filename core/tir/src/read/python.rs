//! What is asked of Python's tree.

use nnz_base::source::Span;
use ruff_python_ast::{Expr, Number};
use ruff_text_size::Ranged;

pub(super) fn span(of: &impl Ranged) -> Span {
    Span::new(of.start().to_usize(), of.end().to_usize())
}

/// `a.b.c`, if that is what an expression says.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    if let Expr::Attribute(attribute) = expr {
        return Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr.id));
    }
    expr.as_name_expr().map(|name| name.id.to_string())
}

/// The text of a string.
pub(super) fn text(expr: &Expr) -> Option<&str> {
    expr.as_string_literal_expr().map(|literal| literal.value.to_str())
}

/// The parts of a tuple or a list.
pub(super) fn items(expr: &Expr) -> Option<&[Expr]> {
    let tuple = expr.as_tuple_expr().map(|tuple| tuple.elts.as_slice());
    tuple.or_else(|| expr.as_list_expr().map(|list| list.elts.as_slice()))
}

/// The parts of a tuple or a list, or the expression itself.
pub(super) fn one_or_more(expr: &Expr) -> &[Expr] {
    items(expr).unwrap_or(std::slice::from_ref(expr))
}

/// Whether a value is written out: a number, a text, a truth value, or a list of such.
pub(super) fn is_literal(expr: &Expr) -> bool {
    let negated = || expr.as_unary_op_expr().is_some_and(|unary| unary.operand.is_number_literal_expr());
    expr.is_literal_expr() || negated() || items(expr).is_some_and(|items| items.iter().all(is_literal))
}

pub(super) fn int(expr: &Expr) -> Option<i64> {
    match &expr.as_number_literal_expr()?.value {
        Number::Int(value) => value.as_i64(),
        Number::Float(_) | Number::Complex { .. } => None,
    }
}

/// What an expression is, for messages.
pub(super) fn what(expr: &Expr) -> &'static str {
    match expr {
        Expr::Lambda(_) => "a lambda",
        Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => "a comprehension",
        Expr::FString(_) | Expr::TString(_) => "a text with values in it",
        Expr::Starred(_) => "a starred expression",
        Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) => "an expression of a coroutine",
        Expr::Named(_) => "an assignment within an expression",
        Expr::StringLiteral(_) | Expr::BytesLiteral(_) => "a text",
        Expr::NoneLiteral(_) | Expr::EllipsisLiteral(_) => "nothing",
        Expr::List(_) | Expr::Tuple(_) => "a list",
        Expr::Dict(_) | Expr::Set(_) => "a dictionary or a set",
        Expr::Slice(_) => "a slice",
        Expr::IpyEscapeCommand(_) => "a command",
        Expr::BoolOp(_)
        | Expr::BinOp(_)
        | Expr::UnaryOp(_)
        | Expr::If(_)
        | Expr::Compare(_)
        | Expr::Call(_)
        | Expr::NumberLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::Attribute(_)
        | Expr::Subscript(_)
        | Expr::Name(_) => "a value",
    }
}

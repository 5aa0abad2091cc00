//! Operators that other languages have for conditions and for the bits of integers: `&`, `|`, `~`; and `^`, a power or
//! the exclusive or. The element types of the operands decide which is meant.

use super::foreign::{comment_sign, is_number};
use crate::{
    ByElement, Parser, Reading, SyntaxError, SyntaxFix,
    habits::{self, Instead, Operator},
    parser::spaces,
};
use nnz_base::source::Span;

/// The edits that make `function(left, operand)` of `left op operand`, given the places of the three.
pub(super) fn called(p: &Parser, function: &str, (place, left, operand): (Span, Span, Span)) -> Vec<(Span, String)> {
    let gap = Span { start: left.end, end: place.end + spaces(p.text_at(operand)) };
    let closed = Span::at(operand.end as usize);
    vec![(Span::at(left.start as usize), format!("{function}(")), (gap, ", ".to_string()), (closed, ")".to_string())]
}

/// The error with what it is for operands of other elements.
pub(super) fn by_element(
    p: &Parser,
    error: SyntaxError,
    row: &Operator,
    (place, left, operand): (Span, Span, Span),
) -> SyntaxError {
    let Some(function) = habits::of_bits(row.written) else { return error };
    let (left_text, right_text) = (p.text_at(left).trim(), p.text_at(operand).trim());
    let title = format!("write `{function}({left_text}, {right_text})`");
    let fix = SyntaxFix { title, edits: called(p, function, (place, left, operand)), sure: false };
    let operands = vec![left, operand];
    let Instead::Operator(own) = row.instead else {
        let message = format!("`{}` is written `pow(x, y)` or `{function}(x, y)`", row.written);
        let fixes = error.fixes.iter().cloned().chain([fix]).collect();
        let label = "a power, or the exclusive or of bits?".to_string();
        let of_integers = Reading { message, label, helps: Vec::new(), fixes };
        return with(error, ByElement { operands, of_integers, of_others: None, of_unknown: None });
    };
    let of_integers = match (is_free(left_text), is_free(right_text)) {
        (false, false) => return error,
        (true, true) => bits(row.written, format!("{function}(x, y)"), Some(fix)),
        // `n(i) & 1 == 0`: each language reads it in its own way.
        _ => Reading {
            message: format!("`{}` stands between a condition and a number", row.written),
            label: "bits, or conditions?".to_string(),
            helps: vec![format!(
                "bits are taken by `{function}(x, y)`, conditions joined by `{own}`: put what belongs together in parentheses"
            )],
            fixes: Vec::new(),
        },
    };
    let others = match (is_free(left_text), is_free(right_text)) {
        (true, true) => format!("{left_text} != 0 {own} {right_text} != 0"),
        (true, false) => format!("{left_text} != 0 {own} {right_text}"),
        _ => format!("{left_text} {own} {right_text} != 0"),
    };
    let of_others = numbers(&error, (own, others), format!("{function}(x, y)"));
    with(error, ByElement { operands, of_integers, of_others: Some(of_others), of_unknown: None })
}

/// `~x`, whose operand is at `operand`.
pub(super) fn negated(p: &Parser, error: SyntaxError, place: Span, operand: Span) -> SyntaxError {
    let text = p.text_at(operand).trim();
    if p.text_at(place) != "~" || !is_free(text) {
        return error;
    }
    let edits = vec![
        (Span { start: place.start, end: place.end + spaces(p.text_at(operand)) }, "bitnot(".to_string()),
        (Span::at(operand.end as usize), ")".to_string()),
    ];
    let fix = SyntaxFix { title: format!("write `bitnot({text})`"), edits, sure: false };
    let of_integers = bits("~", "bitnot(x)".to_string(), Some(fix));
    let of_others = numbers(&error, ("not", format!("{text} == 0")), "bitnot(x)".to_string());
    with(error, ByElement { operands: vec![operand], of_integers, of_others: Some(of_others), of_unknown: None })
}

/// `x(i) % n`, or a comment of one word where nothing is called so.
pub(super) fn or_comment(error: SyntaxError, sign: usize, operand: Span) -> SyntaxError {
    let reading = |error: SyntaxError| {
        let SyntaxError { message, label, helps, fixes, .. } = error;
        Reading { message, label, helps, fixes }
    };
    let of_integers = reading(error.clone());
    let of_unknown = Some(reading(comment_sign(sign)));
    with(error, ByElement { operands: vec![operand], of_integers, of_others: None, of_unknown })
}

fn with(error: SyntaxError, by_element: ByElement) -> SyntaxError {
    SyntaxError { by_element: Some(Box::new(by_element)), ..error }
}

fn bits(written: &str, form: String, fix: Option<SyntaxFix>) -> Reading {
    let message = format!("`{written}` of integers is written `{form}`");
    let label = format!("write `{form}`");
    Reading { message, label, helps: Vec::new(), fixes: fix.into_iter().collect() }
}

/// The message for numbers, because no fix can know whether they are conditions.
fn numbers(error: &SyntaxError, (own, compared): (&str, String), form: String) -> Reading {
    let helps = vec![format!("`{own}` takes conditions: `{compared}`"), format!("the bits of integers are `{form}`")];
    Reading { message: error.message.clone(), label: error.label.clone(), helps, fixes: Vec::new() }
}

/// No comparison and nothing made of some, but perhaps of bits.
fn is_free(text: &str) -> bool {
    is_number(&text.replace(['&', '|', '~'], " "))
}

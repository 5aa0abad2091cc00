//! Reports the syntax errors of a statement, given what its names mean, with fixes that were tried.

use crate::{
    Checker, fixed,
    scope::{Meaning, Scope},
};
use nnz_base::{
    diagnostic::Diagnostic,
    element::Element,
    source::{Source, Span},
};
use nnz_syntax::{ByElement, NodeKind, NodeRef, Reading, SyntaxError, session};

/// The diagnostics for the syntax errors of a statement.
pub fn syntax_errors(c: &Checker<'_>, scope: &Scope, cut: &session::Statement<'_>) -> Vec<Diagnostic> {
    let read = |error: &SyntaxError| match (&error.by_element, cut.node) {
        (Some(readings), Some(node)) => c.syntax_diagnostic(&meant(error, readings, &elements(scope, node, readings))),
        _ => c.syntax_diagnostic(error),
    };
    let mut found: Vec<Diagnostic> = cut.errors.iter().map(|error| read(error)).collect();
    let statement = (c.text(cut.span), cut.span.start);
    fixed::settle(&mut found, statement, |text| fixed::Errors::of(&left(c, scope, text)));
    fixed::try_guesses(&mut found, statement, |text| left(c, scope, text));
    found
}

/// The diagnostics of a statement after a fix was applied.
fn left(c: &Checker<'_>, scope: &Scope, text: &str) -> Vec<Diagnostic> {
    let source = Source::new(c.source.id, "fixed", text);
    let tree = session::parse(source.text.clone());
    let mut inner = Checker::within(&source, scope);
    let mut found: Vec<Diagnostic> = tree.errors().iter().map(|error| inner.syntax_diagnostic(error)).collect();
    if found.is_empty() {
        for node in session::statements(&tree).iter().filter_map(|cut| cut.node) {
            super::statement(&mut inner, scope, node);
        }
        found = inner.take_diagnostics();
    }
    found
}

/// The elements of the names in the operands that an error has other readings for.
fn elements(scope: &Scope, node: NodeRef<'_>, readings: &ByElement) -> Vec<Element> {
    let within = |span: Span| readings.operands.iter().any(|operand| operand.cover(span) == *operand);
    let named = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::Call) && within(node.span());
    let tokens = node.descendants().filter(named).filter_map(NodeRef::first_token);
    let meanings = tokens.filter_map(|token| scope.get(token.text()));
    let elements = meanings.filter_map(|meaning| match meaning {
        Meaning::Tensor(ty) => ty.element,
        Meaning::Scalar(element) => Some(*element),
        Meaning::Encoding(_) | Meaning::Broken => None,
    });
    elements.collect()
}

fn meant(error: &SyntaxError, readings: &ByElement, elements: &[Element]) -> SyntaxError {
    if let (true, Some(reading)) = (elements.is_empty(), &readings.of_unknown) {
        return read_as(error, reading);
    }
    let all = |fits: fn(&Element) -> bool| !elements.is_empty() && elements.iter().all(fits);
    if all(|element| *element == Element::I1) {
        return error.clone();
    }
    match all(|element| element.is_integer() && *element != Element::I1) {
        true => read_as(error, &readings.of_integers),
        false => readings.of_others.as_ref().map_or(error.clone(), |others| read_as(error, others)),
    }
}

fn read_as(error: &SyntaxError, reading: &Reading) -> SyntaxError {
    let Reading { message, label, helps, fixes } = reading.clone();
    SyntaxError { message, label, helps, fixes, by_element: None, ..error.clone() }
}

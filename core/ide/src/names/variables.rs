//! The variables of one statement or map, which the checker's table of names leaves out: index variables, loops of a
//! schedule, dimensions and symbols of an affine map.

use nnz_base::source::Span;
use nnz_check::{
    Checked, DefinitionKind, Grammar,
    variables::{Variables, variables},
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

use super::{Access, NameKind, Named, Place};

/// The variable at a token, with its places in its statement or map.
pub(super) fn named(checked: &Checked, token: TokenRef<'_>) -> Option<Named> {
    if token.kind() != TokenKind::Ident {
        return None;
    }
    let map = token.node().ancestors().find(|node| node.kind() == NodeKind::AffineMap);
    let places = match map {
        Some(map) => in_map(map, token.text()),
        None => in_statement(checked, token)?,
    };
    let is_here = places.iter().any(|place| place.span == token.span());
    is_here.then(|| Named::new(token.text(), NameKind::Variable, places))
}

fn in_map(map: NodeRef<'_>, name: &str) -> Vec<Place> {
    let named = map.descendants().filter(|node| node.text() == name);
    let place = |node: NodeRef<'_>| {
        let introduces = node.kind() == NodeKind::VarDef;
        let is_it = introduces || node.kind() == NodeKind::ExprVar;
        is_it.then(|| Place { span: node.span(), access: access(introduces) })
    };
    named.filter_map(place).collect()
}

fn access(introduces: bool) -> Access {
    if introduces { Access::Write } else { Access::Read }
}

fn in_statement(checked: &Checked, token: TokenRef<'_>) -> Option<Vec<Place>> {
    let (_, variables) = of_statement(checked, token)?;
    let is_it = |span: Span| checked.source.slice(span) == token.text();
    let places = variables.places.iter().filter(|place| is_it(place.span));
    Some(places.map(|place| Place { span: place.span, access: access(place.introduces) }).collect())
}

/// The statement of nnz notation that holds the token, and its variables.
fn of_statement<'t>(checked: &Checked, token: TokenRef<'t>) -> Option<(NodeRef<'t>, Variables)> {
    if checked.grammar != Grammar::Notation {
        return None;
    }
    let statement = statement_of(token)?;
    Some((statement, variables(statement, &|name| is_number(checked, name, statement.span()))))
}

/// The node directly below the root that holds the token.
pub(crate) fn statement_of(token: TokenRef<'_>) -> Option<NodeRef<'_>> {
    token.node().ancestors().find(|node| node.parent().is_some_and(|parent| parent.kind() == NodeKind::Root))
}

/// Whether a scalar of this name is used in the statement.
fn is_number(checked: &Checked, name: &str, statement: Span) -> bool {
    let uses = &checked.symbols.uses;
    let first = uses.partition_point(|used| used.span.start < statement.start);
    let mut inside = uses[first..].iter().take_while(|used| used.span.start < statement.end);
    inside.any(|used| {
        let definition = used.definition.map(|id| &checked.symbols.definition(id).kind);
        matches!(definition, Some(DefinitionKind::Scalar(_))) && checked.source.slice(used.span) == name
    })
}

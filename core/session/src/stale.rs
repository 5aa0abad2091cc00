//! The effects of a failed statement: names that keep their old values, and names that are not defined.

use std::collections::{BTreeMap, BTreeSet};

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};
use nnz_check::{
    kernel::functions::CONSTANTS,
    scope::{Meaning, Scope},
    session::names_meant,
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef, session::Statement};

/// Each such name, with its place in the statement that failed.
#[derive(Default)]
pub(super) struct Stale {
    old: BTreeMap<String, Span>,
    missing: BTreeMap<String, Span>,
}

impl Stale {
    /// Notes a failed statement: the names that it was to replace have their old values, and those that it was to
    /// define are missing.
    pub(super) fn failed(&mut self, source: &Source, statement: &Statement<'_>, scope: &Scope) {
        let targets: Vec<TokenRef<'_>> = statement.node.into_iter().flat_map(targets).collect();
        for target in &targets {
            let known = scope.get(target.text()).is_some();
            let names = if known { &mut self.old } else { &mut self.missing };
            names.insert(target.text().to_string(), target.span());
        }
        // Which of the words in front of an `=` was to be defined is not known; one that means nothing may be.
        let meant = if targets.is_empty() { names_meant(source, statement) } else { Vec::new() };
        for name in meant.into_iter().filter(|name| scope.get(&name.text).is_none()) {
            self.missing.insert(name.text, name.span);
        }
    }

    /// Notes a statement that succeeded: its names are up to date.
    pub(super) fn ended(&mut self, statement: &Statement<'_>) {
        if !self.old.is_empty() || !self.missing.is_empty() {
            statement.node.into_iter().flat_map(targets).for_each(|target| {
                self.old.remove(target.text());
                self.missing.remove(target.text());
            });
        }
    }

    /// Explains errors about names that a failed statement was to define, once for each name in a statement.
    pub(super) fn explain(&self, source: &Source, diagnostics: &mut Vec<Diagnostic>) {
        let mut told = BTreeSet::new();
        diagnostics.retain_mut(|found| {
            let undefined = matches!(found.code, Code::UnknownName | Code::UnknownAlias | Code::NothingToUpdate);
            let name = source.text.get(found.primary.span.range()).filter(|_| undefined);
            let Some((name, failed)) = name.and_then(|name| self.missing.get_key_value(name)) else { return true };
            *found = consequence(source, name, *failed, found);
            told.insert(name)
        });
    }

    /// A hint for each old value that a statement uses.
    pub(super) fn hints(&self, source: &Source, statement: &Statement<'_>) -> Vec<Diagnostic> {
        let Some(node) = statement.node.filter(|_| !self.old.is_empty()) else { return Vec::new() };
        let used = |name: &str| uses(node).find(|token| token.text() == name);
        let found = self.old.iter().filter_map(|(name, failed)| Some((name, failed, used(name)?)));
        found.map(|(name, failed, used)| hint(source, name, *failed, used.span())).collect()
    }
}

/// Hides the constants whose names a failed statement was to define, such as `e`: whoever names a value so does not
/// mean the constant.
pub(super) fn hide_constants(statement: &Statement<'_>, scope: &mut Scope) {
    for target in statement.node.into_iter().flat_map(targets).map(TokenRef::text) {
        if is_constant(target) && scope.get(target).is_none() {
            scope.define(target, Meaning::Broken);
        }
    }
}

/// Explains an error about an unknown type that comes from a hidden constant.
pub(super) fn explain_constants(
    source: &Source,
    statement: &Statement<'_>,
    scope: &Scope,
    diagnostics: &mut [Diagnostic],
) {
    let Some(error) = hidden_constant(source, statement, scope) else { return };
    for found in diagnostics.iter_mut().filter(|found| found.code == Code::IncompleteType) {
        *found = error.clone();
    }
}

/// The error that a statement uses a hidden constant, if it does.
pub(super) fn hidden_constant(source: &Source, statement: &Statement<'_>, scope: &Scope) -> Option<Diagnostic> {
    let hidden = |token: &TokenRef<'_>| is_constant(token.text()) && scope.get(token.text()) == Some(&Meaning::Broken);
    let used = statement.node.and_then(|node| uses(node).find(hidden))?;
    let error = undefined(Code::UnknownName, source, used.text(), used.span());
    Some(error.help("define it again, or write the constant as a number"))
}

fn is_constant(name: &str) -> bool {
    CONSTANTS.iter().any(|(constant, _)| *constant == name)
}

fn hint(source: &Source, name: &str, failed: Span, used: Span) -> Diagnostic {
    let message = format!("`{name}` is as it was before: the statement that was to replace it failed");
    Diagnostic::new(Code::OldValue, source.id, used, message).label("the old one").secondary(failed, "this failed")
}

/// Replaces an error about an undefined name, because no other spelling would help.
fn consequence(source: &Source, name: &str, failed: Span, found: &Diagnostic) -> Diagnostic {
    let code = if found.code == Code::NothingToUpdate { Code::UnknownName } else { found.code };
    undefined(code, source, name, found.primary.span).secondary(failed, "this failed")
}

fn undefined(code: Code, source: &Source, name: &str, used: Span) -> Diagnostic {
    let message = format!("`{name}` is not defined, as the statement that was to define it failed");
    Diagnostic::new(code, source.id, used, message).label("not defined")
}

/// The names that a statement defines or updates.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn targets(node: NodeRef<'_>) -> Vec<TokenRef<'_>> {
    match node.kind() {
        NodeKind::AttrAlias | NodeKind::Definition => node.first_token().into_iter().collect(),
        NodeKind::Assignment => {
            let end = node.own_tokens().find(|token| assigns(token.kind())).map_or(0, |token| token.span().start);
            let heads = node.children().filter(|part| part.span().end <= end && part.kind() != NodeKind::TypeSpec);
            heads.filter_map(NodeRef::first_token).collect()
        }
        _ => Vec::new(),
    }
}

fn assigns(kind: TokenKind) -> bool {
    kind == TokenKind::Eq || updates(kind)
}

fn updates(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::PlusEq | TokenKind::MinusEq | TokenKind::StarEq | TokenKind::SlashEq)
}

/// The tokens that name what a statement uses: not what it replaces, names of arguments, and steps of schedules.
fn uses(node: NodeRef<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    // `min=` is a name and `=`.
    let reads = node.own_tokens().any(|token| updates(token.kind()) || token.kind() == TokenKind::Ident);
    let keeps = node.kind() == NodeKind::Assignment && reads;
    let replaced: Vec<Span> =
        if keeps { Vec::new() } else { targets(node).iter().map(|target| target.span()).collect() };
    node.tokens().filter(move |token| {
        matches!(token.kind(), TokenKind::Ident | TokenKind::HashId)
            && !replaced.contains(&token.span())
            && !names_argument(*token)
            && !token.node().ancestors().any(|node| node.kind() == NodeKind::Schedule)
    })
}

/// The `n` of `poisson2d(n = 3)`.
fn names_argument(token: TokenRef<'_>) -> bool {
    let node = token.node();
    node.kind() == NodeKind::NamedArg && node.first_token().is_some_and(|first| first.span() == token.span())
}

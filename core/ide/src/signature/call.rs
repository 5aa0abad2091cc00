//! The call around a place, found among the tokens before it, because unfinished text may have no tree.

use nnz_syntax::{TokenKind, TokenRef, Tree};

use crate::names::variables::statement_of;

/// A call that is open at the cursor.
pub(super) struct Site<'t> {
    pub(super) callee: TokenRef<'t>,
    /// The number of arguments before the cursor.
    pub(super) argument: usize,
    /// The name of `density = 0.1` at the cursor.
    pub(super) name: Option<&'t str>,
}

/// Nothing longer is looked back over.
const MOST: usize = 2048;

/// The tokens before `offset`, the nearest first; none in a comment or string.
fn before(tree: &Tree, offset: usize) -> impl Iterator<Item = TokenRef<'_>> {
    let last = offset.checked_sub(1).and_then(|at| tree.token_at(at));
    let inside = last.is_some_and(|last| {
        let ends_behind = last.kind() == TokenKind::String && last.span().end as usize > offset;
        last.kind() == TokenKind::Comment || ends_behind
    });
    let first =
        last.filter(|_| !inside).and_then(|last| if last.kind().is_trivia() { last.previous() } else { Some(last) });
    std::iter::successors(first, |token| token.previous()).take(MOST)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn site(tree: &Tree, offset: usize) -> Option<Site<'_>> {
    let (mut depth, mut argument, mut begins): (usize, usize, Option<TokenRef<'_>>) = (0, 0, None);
    let mut last: Option<TokenRef<'_>> = None;
    for token in before(tree, offset) {
        match token.kind() {
            kind if is_closing(kind) => depth += 1,
            TokenKind::LParen if depth == 0 => {
                let callee = token.previous().filter(|callee| is_callee(*callee, token))?;
                let name = begins.or(last).filter(|first| is_named(*first)).map(TokenRef::text);
                return Some(Site { callee, argument, name });
            }
            kind if kind.closing().is_some() => depth = depth.checked_sub(1)?,
            TokenKind::Comma if depth == 0 => {
                begins = begins.or(last).or(Some(token));
                argument += 1;
            }
            TokenKind::Semicolon => return None,
            _ => {}
        }
        if begins_statement(token) || begins_operation(tree, token) {
            return None;
        }
        last = Some(token);
    }
    None
}

fn begins_statement(token: TokenRef<'_>) -> bool {
    statement_of(token).is_some_and(|statement| statement.span().start == token.span().start)
}

/// `%y =` at the beginning of a line.
fn begins_operation(tree: &Tree, token: TokenRef<'_>) -> bool {
    let names_result = || token.following().is_some_and(|sign| sign.kind() == TokenKind::Eq);
    let before = token.previous().map_or(0, |before| before.span().end as usize)..token.span().start as usize;
    let begins_line = || tree.text().get(before).is_some_and(|between| between.contains(['\n', '\r']));
    token.kind() == TokenKind::PercentId && names_result() && begins_line()
}

fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket)
}

fn is_callee(callee: TokenRef<'_>, open: TokenRef<'_>) -> bool {
    matches!(callee.kind(), TokenKind::Ident | TokenKind::AtId) && callee.span().end == open.span().start
}

fn is_named(first: TokenRef<'_>) -> bool {
    first.kind() == TokenKind::Ident && first.following().is_some_and(|sign| sign.kind() == TokenKind::Eq)
}

/// The operation on the line of `offset`, and the number of commas between the two outside brackets.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn operation(tree: &Tree, offset: usize) -> Option<(TokenRef<'_>, usize)> {
    let (mut commas, mut behind) = (0, offset);
    for token in before(tree, offset) {
        let between = token.span().end as usize..behind;
        if tree.text().get(between)?.contains(['\n', '\r']) {
            return None;
        }
        behind = token.span().start as usize;
        match token.kind() {
            TokenKind::Comma => commas += 1,
            // Types follow the operands.
            TokenKind::Colon | TokenKind::LBrace | TokenKind::RBrace => return None,
            TokenKind::Ident if token.text().contains('.') => return Some((token, commas)),
            _ => {}
        }
    }
    None
}

/// The text of the statement before `offset` on its line.
pub(super) fn line_before(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    line.rsplit(';').next().unwrap_or_default().trim_start()
}

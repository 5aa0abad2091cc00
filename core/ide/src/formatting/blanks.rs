//! Decides whether there is a blank between two tokens of a line.

#![expect(clippy::wildcard_enum_match_arm, reason = "asks for a few of many kinds of tokens and nodes")]

use nnz_syntax::{NodeKind, TokenKind};

use super::pieces::Piece;

/// Where no rule speaks it stays as it was: some words mean something else when a blank divides them.
pub(super) fn blank_between(before: &Piece<'_>, next: &Piece<'_>) -> bool {
    let ruled = if keeps_blanks(before, next) { None } else { in_front(before, next).or_else(|| behind(before, next)) };
    ruled.unwrap_or(!next.joined)
}

/// Within sizes (`4x?xf64`), names with dashes (`compressed-nu`) and places of files; around the sign of `x(i) =+ w(i)`, which
/// a hint is about.
fn keeps_blanks(before: &Piece<'_>, next: &Piece<'_>) -> bool {
    let kind = next.node.kind();
    let is_word = matches!(kind, NodeKind::Shape | NodeKind::LvlFormat | NodeKind::Location);
    kind == before.node.kind() && is_word || is_turned(next) || is_turned(before)
}

/// The `+` of `=+ w(i)`.
fn is_turned(sign: &Piece<'_>) -> bool {
    if sign.node.kind() != NodeKind::Unary || !sign.joined {
        return false;
    }
    let token = sign.node.tree().token_at(sign.start);
    let is_behind_equals =
        token.and_then(|token| token.previous()).is_some_and(|before| before.kind() == TokenKind::Eq);
    is_behind_equals && sign.node.text().chars().nth(1).is_none_or(char::is_whitespace)
}

/// What the next token requires before it.
fn in_front(before: &Piece<'_>, next: &Piece<'_>) -> Option<bool> {
    use TokenKind::{Comma, LBrace, LBracket, LParen, RBrace, RBracket, RParen, Semicolon};
    match next.kind {
        Comma | Semicolon | RParen | RBracket => Some(false),
        RBrace => Some(next.node.kind() == NodeKind::Encoding && before.kind != LBrace),
        LParen | LBracket | LBrace => opening(before, next),
        _ if next.node.kind() == NodeKind::Schedule && before.node.kind() != NodeKind::Schedule => Some(true),
        _ => sign(next).and_then(|sign| sign.in_front(before, next)),
    }
}

/// What the token before requires after it.
fn behind(before: &Piece<'_>, next: &Piece<'_>) -> Option<bool> {
    use TokenKind::{Comma, LBrace, LBracket, LParen, Semicolon};
    match before.kind {
        Comma | Semicolon => Some(true),
        LParen | LBracket => Some(false),
        LBrace => Some(before.node.kind() == NodeKind::Encoding),
        _ => sign(before).and_then(|sign| sign.behind(before, next)),
    }
}

/// Brackets that belong to the word or the list before them.
fn opening(before: &Piece<'_>, next: &Piece<'_>) -> Option<bool> {
    use NodeKind::{Call, FormatArgs, LvlProps, LvlSizes, MapDims, MapLvlDecls, MapSymbols, ProgramCall, Slice, Step};
    let closed = matches!(before.kind, TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace);
    match next.node.kind() {
        Call | FormatArgs | LvlProps | LvlSizes | ProgramCall | Slice | Step => Some(false),
        MapDims | MapLvlDecls | MapSymbols if closed => Some(false),
        _ => None,
    }
}

/// What a sign is to the tokens around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Between two things, with blanks.
    Between,
    /// Between two things, without.
    Tight,
    /// Before a single operand: `-x`.
    Prefix,
    /// `<`, `>`
    Angle,
    /// `<<`
    Shift,
    /// `not`
    Word,
    /// The `:` of a command.
    Command,
}

impl Sign {
    fn in_front(self, before: &Piece<'_>, next: &Piece<'_>) -> Option<bool> {
        match self {
            Sign::Between => Some(!is_update(before)),
            Sign::Tight | Sign::Angle => Some(false),
            Sign::Shift => Some(!is_half_of_shift(before, next)),
            Sign::Prefix | Sign::Word | Sign::Command => None,
        }
    }
    fn behind(self, before: &Piece<'_>, next: &Piece<'_>) -> Option<bool> {
        match self {
            Sign::Between | Sign::Word => Some(true),
            Sign::Tight | Sign::Prefix => Some(false),
            // What is behind a type has a word of its own to say.
            Sign::Angle => (before.kind == TokenKind::Lt).then_some(false),
            Sign::Shift => Some(!is_half_of_shift(before, next)),
            Sign::Command => (before.start == before.node.span().start as usize).then_some(false),
        }
    }
}

/// The `min` of `y(i) min= x(i)`.
fn is_update(word: &Piece<'_>) -> bool {
    word.kind == TokenKind::Ident && word.node.kind() == NodeKind::Assignment && matches!(word.text(), "min" | "max")
}

/// Between the two signs of `<<`.
fn is_half_of_shift(before: &Piece<'_>, next: &Piece<'_>) -> bool {
    before.kind == next.kind && before.node.id() == next.node.id()
}

fn sign(piece: &Piece<'_>) -> Option<Sign> {
    use TokenKind::{Arrow, Colon, Eq, Gt, Ident, Lt, MinusEq, PlusEq, SlashEq, StarEq};
    let node = piece.node.kind();
    match piece.kind {
        Eq | PlusEq | MinusEq | StarEq | SlashEq | Arrow => Some(Sign::Between),
        Colon => colon(piece),
        Lt | Gt if !matches!(node, NodeKind::Binary | NodeKind::Shift) => {
            (node != NodeKind::Value).then_some(Sign::Angle)
        }
        Ident if node == NodeKind::Unary => Some(Sign::Word),
        _ => operator(node),
    }
}

fn colon(colon: &Piece<'_>) -> Option<Sign> {
    match colon.node.kind() {
        NodeKind::Range => Some(Sign::Tight),
        NodeKind::Command => Some(Sign::Command),
        NodeKind::Value => ends_value(colon).then_some(Sign::Between),
        NodeKind::LvlSpec | NodeKind::DimSpec | NodeKind::Definition | NodeKind::Assignment => Some(Sign::Between),
        _ => None,
    }
}

/// Whether a value comes before, whose type follows: `1.0 : f64`, and not `array<i64: 1>`.
fn ends_value(colon: &Piece<'_>) -> bool {
    use TokenKind::{Float, Gt, Int, RBracket, RParen};
    let before = colon.node.tree().token_at(colon.start).and_then(|token| token.previous());
    before.is_some_and(|before| matches!(before.kind(), Int | Float | Gt | RBracket | RParen))
}

/// An own token of an expression.
fn operator(node: NodeKind) -> Option<Sign> {
    match node {
        NodeKind::Binary | NodeKind::ExprBinary => Some(Sign::Between),
        NodeKind::Shift => Some(Sign::Shift),
        NodeKind::Unary | NodeKind::ExprNeg => Some(Sign::Prefix),
        _ => None,
    }
}

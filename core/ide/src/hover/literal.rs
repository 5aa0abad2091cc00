//! Constants: numbers, and the words and brackets of literals.

use super::{Said, Section, named::titled, plain, storage};
use nnz_base::element::Element;
use nnz_check::{Checked, DefinitionKind, Grammar};
use nnz_mlir::words;
use nnz_syntax::{NodeKind, TokenKind, TokenRef};

pub(super) fn of_literal(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    match checked.grammar {
        Grammar::Mlir => of_constant(checked, token).or_else(|| of_attribute(token)),
        Grammar::Notation => of_list(checked, token).or_else(|| of_number(checked, token)),
    }
}

/// `1.5 : f64`: how it is stored.
fn of_constant(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    if !matches!(token.kind(), TokenKind::Int | TokenKind::Float) {
        return None;
    }
    let colon = token.following().filter(|next| next.kind() == TokenKind::Colon)?;
    let element = Element::parse(colon.following()?.text())?;
    let minus = token.previous().filter(|before| before.kind() == TokenKind::Minus);
    let start = minus.map_or(token.span(), TokenRef::span).start as usize;
    let text = checked.source.text.get(start..token.span().end as usize)?;
    let bytes = plain::element_text(element);
    Some(titled(text, &format!("a constant of type `{element}`, {bytes}{}", stored(text, element))))
}

/// The bits of a float, and the number that is stored in place of one that its type does not have.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of elements are many")]
fn stored(text: &str, element: Element) -> String {
    let Ok(number) = text.parse::<f64>() else { return String::new() };
    match element {
        Element::F64 => format!(": `{:#018x}`", number.to_bits()),
        Element::F32 => {
            let near = number as f32;
            let inexact = f64::from(near) != number;
            let instead = if inexact { format!(", which is {}", f64::from(near)) } else { String::new() };
            format!(": `{:#010x}`{instead}", near.to_bits())
        }
        _ => String::new(),
    }
}

/// A part of the literal of a constant, or of an attribute's value: what the whole means.
fn of_attribute(token: TokenRef<'_>) -> Option<Said> {
    let (_, word) =
        plain::within(token, &["dense", "sparse", "array", "fastmath", "overflow"]).or_else(|| key(token))?;
    Some(titled(word.text(), words::of_attribute(word.text())?))
}

/// The `permutation` of `permutation = [1, 0]`, in whose value the token is.
fn key(token: TokenRef<'_>) -> Option<(nnz_base::source::Span, TokenRef<'_>)> {
    const MOST: usize = 40;
    let inside = |token: &TokenRef<'_>| {
        use TokenKind::{Colon, Comma, Eq, Ident, Int, LBracket, Minus, RBracket};
        matches!(token.kind(), Colon | Comma | Eq | Ident | Int | LBracket | Minus | RBracket)
    };
    let before = std::iter::successors(Some(token), |token| token.previous()).take(MOST).take_while(inside);
    let equals = { before }.find(|token| token.kind() == TokenKind::Eq)?;
    let name = equals.previous().filter(|name| name.kind() == TokenKind::Ident)?;
    Some((name.span(), name))
}

/// A literal of the notation: the tensor that it makes.
fn of_list(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let is_literal = |kind| matches!(kind, NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral);
    let mut around = token.node().ancestors();
    around.find(|node| is_literal(node.kind()))?;
    let definition = around.find(|node| node.kind() == NodeKind::Definition)?;
    let id = checked.definition_at(definition.first_token()?.span().start as usize)?;
    let known = checked.symbols.definition(id);
    let DefinitionKind::Tensor(Some(ty)) = &known.kind else { return None };
    let mut said = storage::of_tensor(checked.source.slice(known.name), ty, checked.contents_of(id));
    said.sections
        .extend(words::of_attribute(token.text()).map(|text| Section::Text(format!("`{}`: {text}.", token.text()))));
    Some(said)
}

/// A number of the notation outside kernels whose loops are known, which say more.
fn of_number(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let statement =
        token.node().ancestors().find(|node| matches!(node.kind(), NodeKind::Assignment | NodeKind::Definition))?;
    let is_number = matches!(token.kind(), TokenKind::Int | TokenKind::Float);
    if !is_number || checked.kernel_in(statement.span()).is_some() {
        return None;
    }
    let id = checked.definition_at(statement.first_token()?.span().start as usize)?;
    let DefinitionKind::Scalar(Some(element)) = &checked.symbols.definition(id).kind else {
        return Some(titled(token.text(), "a constant, of the element type of what it is combined with"));
    };
    Some(titled(token.text(), &format!("a constant of type `{element}`{}", stored(token.text(), *element))))
}

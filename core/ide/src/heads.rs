//! The heads of functions in MLIR: the places of parameters and results, found among the tokens, so that broken bodies and
//! unknown types do not matter.

use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind};
use nnz_syntax::{TokenKind, TokenRef};

/// A function's head after its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// `%A: tensor<4xf64>`
    pub(super) parameters: Vec<Span>,
    /// `(...) -> f64`
    pub(super) whole: Span,
}

/// No head has more tokens.
const MOST: usize = 4096;

pub(super) fn head(checked: &Checked, definition: &Definition) -> Option<Head> {
    let name = checked.tree.token_at(definition.name.start as usize)?;
    let open = name.following().filter(|token| token.kind() == TokenKind::LParen)?;
    let mut parameters = Vec::new();
    let (mut depth, mut part): (i32, Option<Span>) = (0, None);
    for token in following(open).take(MOST) {
        depth += nesting(token);
        if depth < 0 || depth == 0 && token.kind() == TokenKind::Comma {
            parameters.extend(part.take());
        } else {
            part = Some(part.map_or(token.span(), |part| part.cover(token.span())));
        }
        if depth < 0 {
            return Some(Head { parameters, whole: open.span().cover(results_end(token)) });
        }
    }
    None
}

fn following(token: TokenRef<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    std::iter::successors(token.following(), |token| token.following())
}

fn nesting(token: TokenRef<'_>) -> i32 {
    use TokenKind::{Gt, LBrace, LBracket, LParen, Lt, RBrace, RBracket, RParen};
    let opens = matches!(token.kind(), LParen | LBrace | LBracket | Lt);
    let closes = matches!(token.kind(), RParen | RBrace | RBracket | Gt);
    i32::from(opens) - i32::from(closes)
}

/// Where the types of the results end, behind the parenthesis that closes the parameters.
fn results_end(close: TokenRef<'_>) -> Span {
    let Some(arrow) = close.following().filter(|token| token.kind() == TokenKind::Arrow) else { return close.span() };
    let (mut depth, mut last) = (0, arrow);
    for token in following(arrow).take(MOST) {
        let ends = depth == 0 && last.span() != arrow.span() && !goes_on(last, token);
        if ends || token.kind() == TokenKind::LBrace && depth == 0 {
            break;
        }
        depth += nesting(token);
        last = token;
    }
    last.span()
}

/// `tensor` and `<`, `complex` and `<`: anything else after a type does not belong to it.
fn goes_on(last: TokenRef<'_>, token: TokenRef<'_>) -> bool {
    token.kind() == TokenKind::Lt && last.span().end == token.span().start
}

/// The function of a name, sigil included, that the text defines.
pub(super) fn function_named<'c>(checked: &'c Checked, name: &str) -> Option<&'c Definition> {
    let mut functions = checked.symbols.definitions.iter().filter(|d| matches!(d.kind, DefinitionKind::Function));
    functions.find(|definition| checked.source.slice(definition.name) == name)
}

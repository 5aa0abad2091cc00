//! `textDocument/semanticTokens`: the kind of each word of the text.

use std::ops::Range;

use nnz_base::source::Span;
use nnz_check::Checked;
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

/// The kind of a token, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenType {
    Keyword,
    /// An encoding: `#CSR`, `CSR`.
    Type,
    /// A level format.
    EnumMember,
    /// A property, or a key of an encoding.
    Property,
    /// A dimension, a level variable, an index variable, an SSA value.
    Variable,
    /// A symbol of a map.
    Parameter,
    Function,
    Number,
    String,
    Operator,
    Comment,
}

impl TokenType {
    pub const ALL: &'static [TokenType] = &[
        TokenType::Keyword,
        TokenType::Type,
        TokenType::EnumMember,
        TokenType::Property,
        TokenType::Variable,
        TokenType::Parameter,
        TokenType::Function,
        TokenType::Number,
        TokenType::String,
        TokenType::Operator,
        TokenType::Comment,
    ];

    /// As the protocol names it.
    pub fn name(self) -> &'static str {
        match self {
            TokenType::Keyword => "keyword",
            TokenType::Type => "type",
            TokenType::EnumMember => "enumMember",
            TokenType::Property => "property",
            TokenType::Variable => "variable",
            TokenType::Parameter => "parameter",
            TokenType::Function => "function",
            TokenType::Number => "number",
            TokenType::String => "string",
            TokenType::Operator => "operator",
            TokenType::Comment => "comment",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub kind: TokenType,
    /// The name is introduced here.
    pub declaration: bool,
}

/// The tokens that touch `range`, in order; stops early if `cancelled`. Words without a meaning to nnz have none.
pub fn semantic_tokens(checked: &Checked, range: Range<usize>, cancelled: &dyn Fn() -> bool) -> Vec<Token> {
    let tokens = checked.tree.tokens_in(range).enumerate();
    let wanted = tokens.take_while(|(count, _)| count % CHECK != 0 || !cancelled());
    wanted.filter_map(|(_, (node, token))| classify(node, token)).collect()
}

/// After so many tokens it is asked whether anybody still waits.
const CHECK: usize = 1024;

fn classify(node: NodeRef<'_>, token: TokenRef<'_>) -> Option<Token> {
    let kind = by_kind(node, token)?;
    let declares = [NodeKind::VarDef, NodeKind::AttrAlias, NodeKind::DimSpec, NodeKind::Definition];
    Some(Token { span: token.span(), kind, declaration: declares.contains(&node.kind()) })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn by_kind(node: NodeRef<'_>, token: TokenRef<'_>) -> Option<TokenType> {
    match token.kind() {
        TokenKind::Int | TokenKind::Float => Some(TokenType::Number),
        TokenKind::String => Some(TokenType::String),
        TokenKind::HashId | TokenKind::BangId => Some(TokenType::Type),
        TokenKind::PercentId => Some(TokenType::Variable),
        TokenKind::AtId => Some(TokenType::Function),
        TokenKind::Comment => Some(TokenType::Comment),
        TokenKind::Ident => of_word(node, token.text()),
        _ => None,
    }
}

/// What a bare word is, by the node that owns it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn of_word(node: NodeRef<'_>, text: &str) -> Option<TokenType> {
    match node.kind() {
        NodeKind::LvlFormat => Some(TokenType::EnumMember),
        NodeKind::LvlProp | NodeKind::Entry => Some(TokenType::Property),
        NodeKind::DimSpec | NodeKind::LvlBinding | NodeKind::ExprVar => Some(TokenType::Variable),
        NodeKind::VarDef if in_symbols(node) => Some(TokenType::Parameter),
        NodeKind::VarDef => Some(TokenType::Variable),
        NodeKind::ExprBinary => Some(TokenType::Operator),
        NodeKind::FormatName => Some(TokenType::Type),
        NodeKind::Definition | NodeKind::Assignment | NodeKind::Name | NodeKind::Call => Some(TokenType::Variable),
        NodeKind::NamedArg => Some(TokenType::Parameter),
        NodeKind::Command | NodeKind::Use | NodeKind::Read | NodeKind::Schedule => Some(TokenType::Keyword),
        NodeKind::Decomposition => Some(TokenType::Keyword),
        NodeKind::Step => Some(TokenType::Function),
        NodeKind::TensorType if text == "tensor" => Some(TokenType::Keyword),
        _ => None,
    }
}

fn in_symbols(node: NodeRef<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == NodeKind::MapSymbols)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use nnz_base::{ids::FileId, source::Source};
    use nnz_check::{Checked, scope::Scope, session::check_session};

    fn check(source: Source) -> Checked {
        check_session(&source, &Scope::default())
    }

    /// How many tokens are found in a part of a text of so many lines, and how many thousand are looked at for it.
    fn work(lines: usize, part: Range<usize>) -> (usize, usize) {
        let line = "y(i) = A(i, j) * x(j) // a comment\n";
        let text = line.repeat(lines);
        let checked = check(Source::new(FileId(0), "long.nnz", text));
        let looked = Cell::new(0);
        let part = part.start * line.len()..part.end * line.len();
        let found = semantic_tokens(&checked, part, &|| {
            looked.set(looked.get() + 1);
            false
        });
        (found.len(), looked.get())
    }

    #[test]
    fn work_is_in_proportion_to_what_is_asked() {
        let (few, _) = work(200, 0..200);
        let (many, thousands) = work(2000, 0..2000);
        assert_eq!((many, many / few), (2000 * 8, 10));
        assert_eq!(thousands, (2000 * 17usize).div_ceil(CHECK));
        assert_eq!(work(2000, 1500..1510), (10 * 8, 1));
    }

    #[test]
    fn nothing_is_collected_for_nobody() {
        let checked = check(Source::new(FileId(0), "a.nnz", "x : f64 = 1"));
        assert!(semantic_tokens(&checked, 0..11, &|| true).is_empty());
    }
}

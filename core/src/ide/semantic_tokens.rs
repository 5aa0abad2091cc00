//! `textDocument/semanticTokens`: what each word of the text is.

use std::ops::Range;

use crate::{
    check::Checked,
    source::Span,
    syntax::{NodeKind, NodeRef, TokenKind, TokenRef},
};

/// What a token is; the order is the legend's.
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

/// The tokens that touch `range`, in order. Words that mean nothing to nnz have none.
pub fn semantic_tokens(checked: &Checked, range: Range<usize>) -> Vec<Token> {
    let mut tokens = Vec::new();
    collect(checked.tree.root(), &range, &mut tokens);
    tokens.extend(comments(checked, &range));
    tokens.sort_by_key(|token| token.span.start);
    tokens
}

fn collect(node: NodeRef<'_>, range: &Range<usize>, tokens: &mut Vec<Token>) {
    let span = node.span();
    if (span.end as usize) < range.start || span.start as usize > range.end {
        return;
    }
    let own = node.own_tokens().filter_map(|token| classify(node, token));
    tokens.extend(own.filter(|token| (token.span.start as usize) < range.end));
    node.children().for_each(|child| collect(child, range, tokens));
}

fn comments(checked: &Checked, range: &Range<usize>) -> Vec<Token> {
    let here = |token: &TokenRef<'_>| range.contains(&(token.span().start as usize));
    let comment = checked.tree.tokens().filter(|token| token.kind() == TokenKind::Comment);
    let plain = |token: TokenRef<'_>| Token { span: token.span(), kind: TokenType::Comment, declaration: false };
    comment.filter(here).map(plain).collect()
}

fn classify(node: NodeRef<'_>, token: TokenRef<'_>) -> Option<Token> {
    let kind = by_kind(node, token)?;
    let declares = [NodeKind::VarDef, NodeKind::AttrAlias, NodeKind::DimSpec, NodeKind::Definition];
    Some(Token { span: token.span(), kind, declaration: declares.contains(&node.kind()) })
}

fn by_kind(node: NodeRef<'_>, token: TokenRef<'_>) -> Option<TokenType> {
    match token.kind() {
        TokenKind::Int | TokenKind::Float => Some(TokenType::Number),
        TokenKind::String => Some(TokenType::String),
        TokenKind::HashId | TokenKind::BangId => Some(TokenType::Type),
        TokenKind::PercentId => Some(TokenType::Variable),
        TokenKind::AtId => Some(TokenType::Function),
        TokenKind::Ident => of_word(node, token.text()),
        _ => None,
    }
}

/// What a bare word is, by the node that owns it.
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
        NodeKind::Step => Some(TokenType::Function),
        NodeKind::TensorType if text == "tensor" => Some(TokenType::Keyword),
        _ => None,
    }
}

fn in_symbols(node: NodeRef<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == NodeKind::MapSymbols)
}

//! The lossless tree: tokens that cover the text, and nodes over ranges of tokens, in preorder.

use std::sync::Arc;

use super::{NodeKind, TokenKind, lexer::Token};
use nnz_base::source::Span;

/// A place where the text does not follow the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub span: Span,
    /// One line: what was expected, and what was found.
    pub message: String,
    /// The label at the place; may be empty.
    pub label: String,
    /// Ways to fix it, one line each.
    pub helps: Vec<String>,
    /// The legal alternatives, for a help line; may be empty.
    pub expected: Vec<&'static str>,
    /// The text ended too early: more of it could be right.
    pub at_end: bool,
    /// The bracket that was not closed, if it is known.
    pub opened: Option<Span>,
    /// The first is the likeliest.
    pub fixes: Vec<SyntaxFix>,
    /// Other messages, by the element types of the operands.
    pub by_element: Option<Box<ByElement>>,
}

/// Other readings of an operator of other languages, `&`, which means something else for integers. The error itself
/// is about conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByElement {
    pub operands: Vec<Span>,
    pub of_integers: Reading,
    /// For operands that are neither conditions nor integers; `None`: as the error itself.
    pub of_others: Option<Reading>,
    /// Where no operand names anything; `None`: as of others.
    pub of_unknown: Option<Reading>,
}

/// One way to read a text, as an error with what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub message: String,
    pub label: String,
    pub helps: Vec<String>,
    /// None is sure.
    pub fixes: Vec<SyntaxFix>,
}

/// Edits that correct a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFix {
    pub title: String,
    pub edits: Vec<(Span, String)>,
    /// It can only be meant so.
    pub sure: bool,
}

impl Reading {
    fn places_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        self.fixes.iter_mut().flat_map(SyntaxFix::places_mut)
    }
}

impl SyntaxFix {
    fn places_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        self.edits.iter_mut().map(|(place, _)| place)
    }
}

impl SyntaxError {
    /// Every place that it names.
    pub(crate) fn places_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        let other = self.by_element.iter_mut().flat_map(|other| {
            let readings =
                std::iter::once(&mut other.of_integers).chain(&mut other.of_others).chain(&mut other.of_unknown);
            other.operands.iter_mut().chain(readings.flat_map(Reading::places_mut))
        });
        let fixes = self.fixes.iter_mut().flat_map(SyntaxFix::places_mut);
        std::iter::once(&mut self.span).chain(&mut self.opened).chain(fixes).chain(other)
    }
    pub fn new(span: Span, message: impl Into<String>) -> SyntaxError {
        let (label, helps, expected) = (String::new(), Vec::new(), Vec::new());
        let (message, fixes) = (message.into(), Vec::new());
        SyntaxError { span, message, label, helps, expected, at_end: false, opened: None, fixes, by_element: None }
    }
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> SyntaxError {
        self.label = label.into();
        self
    }
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> SyntaxError {
        self.helps.push(help.into());
        self
    }
    /// Edits that are certainly meant.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> SyntaxError {
        self.fixes = vec![SyntaxFix { title: title.into(), edits, sure: true }];
        self
    }
    /// Edits that are one way to read the text.
    #[must_use]
    pub fn guess(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> SyntaxError {
        self.fixes = vec![SyntaxFix { title: title.into(), edits, sure: false }];
        self
    }
    /// Another guess, beside those before.
    pub(crate) fn or_guess(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> SyntaxError {
        self.fixes.push(SyntaxFix { title: title.into(), edits, sure: false });
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeData {
    pub kind: NodeKind,
    /// Tokens `first..end`; leading and trailing trivia belong to the parent.
    pub first: u32,
    pub end: u32,
    pub depth: u32,
    /// Index of the first node after this node's subtree.
    pub next: u32,
    pub parent: u32,
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) text: Arc<str>,
    pub(super) tokens: Vec<Token>,
    pub(super) nodes: Vec<NodeData>,
    pub(super) errors: Vec<SyntaxError>,
    pub(super) looks: u64,
}

impl Tree {
    pub fn text(&self) -> &str {
        &self.text
    }
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }
    /// How many tokens the parser looked at ahead of the current one; the number must grow linearly with the text.
    pub fn looks(&self) -> u64 {
        self.looks
    }
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, index: 0 }
    }
    /// Whether an error of the syntax lies in `span`, or right behind it, where something is missing. A `;` there ends
    /// what is whole.
    pub fn has_error_in(&self, span: Span) -> bool {
        let first = self.errors.partition_point(|error| error.span.start < span.start);
        let semicolon = |place: u32| place == span.end && self.text[place as usize..].starts_with(';');
        self.errors.get(first).is_some_and(|error| error.span.start <= span.end && !semicolon(error.span.start))
    }
    /// The text ended in the middle of something, and nothing else is wrong with it.
    pub(crate) fn is_incomplete(&self) -> bool {
        !self.errors.is_empty() && self.errors.iter().all(|error| error.at_end)
    }
    /// Every token, including trivia, except the `Eof`.
    pub fn tokens(&self) -> impl Iterator<Item = TokenRef<'_>> {
        (0..self.tokens.len() - 1).map(|index| TokenRef { tree: self, index })
    }
    /// The token that holds the byte at `offset`; at the end of the text, the last one.
    pub fn token_at(&self, offset: usize) -> Option<TokenRef<'_>> {
        let after = self.tokens.partition_point(|token| token.start as usize <= offset);
        let index = after.checked_sub(1)?.min(self.tokens.len().checked_sub(2)?);
        Some(TokenRef { tree: self, index })
    }
    /// The tokens that touch `range` and are not spaces, each with the innermost node that holds it.
    pub fn tokens_in(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (NodeRef<'_>, TokenRef<'_>)> {
        let first = self.tokens.partition_point(|token| token.start as usize <= range.start).saturating_sub(1);
        let reaches = move |token: &TokenRef<'_>| (token.span().start as usize) < range.end;
        let tokens = (first..self.tokens.len() - 1).map(|index| TokenRef { tree: self, index }).take_while(reaches);
        let mut after = self.nodes.partition_point(|node| (node.first as usize) <= first);
        let spaces = |kind: TokenKind| matches!(kind, TokenKind::Whitespace | TokenKind::Newline);
        tokens.filter(move |token| !spaces(token.kind())).map(move |token| {
            let at = token.index as u32;
            while self.nodes.get(after).is_some_and(|node| node.first <= at) {
                after += 1;
            }
            (self.innermost(after, at), token)
        })
    }
    /// The innermost node that holds token `at`, where the nodes before `after` are those that begin there or earlier.
    fn innermost(&self, after: usize, at: u32) -> NodeRef<'_> {
        // Nodes are in preorder, so it is an ancestor of the last of them.
        let last = NodeRef { tree: self, index: after.saturating_sub(1) as u32 };
        last.ancestors().find(|node| node.holds(at)).unwrap_or(self.root())
    }
    /// The innermost node that holds the token.
    pub(crate) fn node_of(&self, token: TokenRef<'_>) -> NodeRef<'_> {
        let at = token.index as u32;
        self.innermost(self.nodes.partition_point(|node| node.first <= at), at)
    }
}

/// A token of a tree.
#[derive(Clone, Copy)]
pub struct TokenRef<'t> {
    tree: &'t Tree,
    index: usize,
}

impl<'t> TokenRef<'t> {
    #[inline]
    pub fn kind(self) -> TokenKind {
        self.tree.tokens[self.index].kind
    }
    /// Where it starts, which is faster to find than its end.
    #[inline]
    pub fn start(self) -> u32 {
        self.tree.tokens[self.index].start
    }
    #[inline]
    pub fn span(self) -> Span {
        let tokens = &self.tree.tokens;
        let end = tokens.get(self.index + 1).map_or(self.tree.text.len(), |next| next.start as usize);
        Span::new(tokens[self.index].start as usize, end)
    }
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }
    /// The nearest token before this one that is not trivia.
    pub fn previous(self) -> Option<TokenRef<'t>> {
        let index = (0..self.index).rev().find(|&at| !self.tree.tokens[at].kind.is_trivia())?;
        Some(TokenRef { tree: self.tree, index })
    }
    /// The nearest token after this one that is not trivia.
    pub fn following(self) -> Option<TokenRef<'t>> {
        let tokens = &self.tree.tokens;
        let found = (self.index + 1..tokens.len()).find(|&at| !tokens[at].kind.is_trivia());
        found.filter(|&at| tokens[at].kind != TokenKind::Eof).map(|index| TokenRef { tree: self.tree, index })
    }
    /// The innermost node that holds this token.
    pub fn node(self) -> NodeRef<'t> {
        self.tree.node_of(self)
    }
}

impl std::fmt::Debug for TokenRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.kind(), self.text())
    }
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> NodeRef<'t> {
    fn data(self) -> NodeData {
        self.tree.nodes[self.index as usize]
    }
    fn holds(self, token: u32) -> bool {
        let NodeData { first, end, .. } = self.data();
        first <= token && token < end
    }
    /// The same number for the same node of one tree, in preorder.
    pub fn id(self) -> u32 {
        self.index
    }
    pub fn tree(self) -> &'t Tree {
        self.tree
    }
    pub fn kind(self) -> NodeKind {
        self.data().kind
    }
    pub fn parent(self) -> Option<NodeRef<'t>> {
        (self.index != 0).then(|| NodeRef { tree: self.tree, index: self.data().parent })
    }
    pub fn children(self) -> impl Iterator<Item = NodeRef<'t>> {
        let end = self.data().next;
        let first = (self.index + 1 < end).then_some(self.index + 1);
        let sibling = move |&at: &u32| Some(self.tree.nodes[at as usize].next).filter(|&next| next < end);
        std::iter::successors(first, sibling).map(move |index| NodeRef { tree: self.tree, index })
    }
    /// The first child of a kind.
    pub fn child(self, kind: NodeKind) -> Option<NodeRef<'t>> {
        self.children().find(|child| child.kind() == kind)
    }
    pub fn children_of(self, kind: NodeKind) -> impl Iterator<Item = NodeRef<'t>> {
        self.children().filter(move |child| child.kind() == kind)
    }
    /// This node and everything below it, in preorder.
    pub fn descendants(self) -> impl Iterator<Item = NodeRef<'t>> {
        (self.index..self.data().next).map(move |index| NodeRef { tree: self.tree, index })
    }
    /// This node, its parent, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = NodeRef<'t>> {
        std::iter::successors(Some(self), |node| node.parent())
    }
    /// From the first to the last token that is not trivia; for an empty node, the place after the token before it.
    pub fn span(self) -> Span {
        let NodeData { first, end, .. } = self.data();
        let tokens = &self.tree.tokens;
        let last_in = |from: u32, to: u32| (from..to).rev().find(|&at| !tokens[at as usize].kind.is_trivia());
        let end_of = |at: u32| tokens[at as usize + 1].start as usize;
        match last_in(first, end) {
            Some(last) => Span::new(tokens[first as usize].start as usize, end_of(last)),
            None => Span::at(last_in(0, first).map_or(0, end_of)),
        }
    }
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }
    /// All tokens in the node's range that are not trivia, those of its children included.
    pub fn tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        let NodeData { first, end, .. } = self.data();
        let all = (first as usize..end as usize).map(move |index| TokenRef { tree: self.tree, index });
        all.filter(|token| !token.kind().is_trivia())
    }
    /// The tokens that are not trivia and belong to no child.
    pub fn own_tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        let mut children = self.children().peekable();
        self.tokens().filter(move |token| {
            let at = token.index as u32;
            while children.next_if(|child| child.data().end <= at).is_some() {}
            !children.peek().is_some_and(|child| child.holds(at))
        })
    }
    /// The first own token of a kind.
    pub fn token(self, kind: TokenKind) -> Option<TokenRef<'t>> {
        self.own_tokens().find(|token| token.kind() == kind)
    }
    pub fn first_token(self) -> Option<TokenRef<'t>> {
        self.tokens().next()
    }
}

impl std::fmt::Debug for NodeRef<'_> {
    /// The subtree, one node a line, for tests.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let base = self.data().depth;
        for node in self.descendants() {
            let indent = "  ".repeat((node.data().depth - base) as usize);
            writeln!(f, "{indent}{:?} {:?}", node.kind(), node.text())?;
        }
        Ok(())
    }
}

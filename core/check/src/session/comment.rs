//! Legal text that may be a slip: a comment that looks like a division, `x(i) // 2`; `x(i) =+ w(i)` for an update.

use super::Notation;
use crate::scope::Meaning;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    source::Span,
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

impl Notation<'_, '_> {
    /// Points out a comment that looks like an operand, because it is not computed with.
    pub(super) fn doubt_comment(&mut self, node: NodeRef<'_>) {
        let Some((comment, operand)) = self.comment_behind(node).filter(|(_, operand)| is_operand(operand)) else {
            return;
        };
        let message = format!("`//` begins a comment: `{operand}` is not computed with");
        let hint = Diagnostic::new(Code::CommentOperand, self.file(), comment, message).label("a comment");
        let rounded = match self.divides_integers(node) {
            true => "of integers, which has no rest".to_string(),
            false => format!("one rounded down `floor(... / {operand})`"),
        };
        self.c.report(
            hint.help(format!(
                "a quotient is written `... / {operand}`, {rounded}; two spaces before `//` end this hint"
            )),
        );
    }

    /// Points out `x(i) =+ w(i)`, an update whose signs are the other way round.
    pub(super) fn doubt_sign(&mut self, node: NodeRef<'_>) {
        let Some((place, sign)) = self.sign_behind(node) else { return };
        let message = format!("`={sign}` assigns what has a sign: it is no update");
        let hint = Diagnostic::new(Code::TurnedUpdate, self.file(), place, message).label("an `=` and a sign");
        let hint = hint.fix(format!("write `{sign}=`"), place, format!("{sign}="));
        self.c
            .report(hint.help(format!("an update is written `{sign}=`; `= {sign}...`, with a space, ends this hint")));
    }

    /// A `=+` or `=-` with a space after it, if there is a value to update.
    fn sign_behind(&self, node: NodeRef<'_>) -> Option<(Span, char)> {
        let head = node.children().next()?.first_token().filter(|_| node.kind() == NodeKind::Assignment)?;
        let equals = node.own_tokens().find(|token| token.kind() == TokenKind::Eq)?.span();
        let behind = self.c.source.text.get(equals.end as usize..)?;
        let sign = behind.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
        let spaced = behind[1..].starts_with(' ') && self.scope.get(head.text()).is_some();
        spaced.then(|| (Span { start: equals.start, end: equals.end + 1 }, sign))
    }

    /// Whether the last operand before the comment holds integers.
    fn divides_integers(&self, node: NodeRef<'_>) -> bool {
        let named = node.descendants().filter(|part| matches!(part.kind(), NodeKind::Call | NodeKind::Name));
        let element = |part: NodeRef<'_>| match self.scope.get(part.first_token()?.text())? {
            Meaning::Tensor(ty) => ty.element,
            Meaning::Scalar(element) => Some(*element),
            Meaning::Encoding(_) | Meaning::Broken => None,
        };
        named.filter_map(element).last().is_some_and(Element::is_integer)
    }

    /// The comment behind an operand, at most a space away, and its text.
    fn comment_behind(&self, node: NodeRef<'_>) -> Option<(Span, String)> {
        let computes = matches!(node.kind(), NodeKind::Definition | NodeKind::Assignment | NodeKind::Show);
        let last = node.tokens().filter(|token| !token.kind().is_trivia()).last()?;
        let is_operand =
            matches!(last.kind(), TokenKind::Ident | TokenKind::Int | TokenKind::Float | TokenKind::RParen);
        let end = last.span().end as usize;
        let rest = self.c.source.text.get(end..)?;
        let behind = rest.strip_prefix(' ').unwrap_or(rest);
        // Asked before the line's end is looked for, which may be far away.
        let inner = behind.strip_prefix("//")?.lines().next().unwrap_or_default().trim_end();
        let start = end + (rest.len() - behind.len());
        let text = inner.strip_prefix(' ').unwrap_or(inner).to_string();
        (computes && is_operand).then(|| (Span::new(start, start + "//".len() + inner.len()), text))
    }
}

/// A number or an access, or an expression of such: no words.
fn is_operand(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '(' | '-' | '.' | '_'));
    let tree = nnz_syntax::session::parse(text);
    let shown = tree.root().children().next().filter(|node| node.kind() == NodeKind::Show);
    let computes = |node: NodeRef<'_>| matches!(node.kind(), NodeKind::Number | NodeKind::Call);
    let is_whole = tree.errors().is_empty() && tree.root().children().count() == 1;
    begins && is_whole && shown.is_some_and(|node| node.descendants().any(computes))
}

#[cfg(test)]
mod tests {
    use super::is_operand;

    #[test]
    fn operands_are_no_words() {
        for text in ["2", "-2", "2.5", "x(i)", "(2 * n)", "A(i, j) + 1", "n * 2"] {
            assert!(is_operand(text), "{text}");
        }
        for text in
            ["", "two", "2 entries", "(see below)", "(n)", "x(i) is dense", "3x4", "= 2", "2: the second", ":help", "n"]
        {
            assert!(!is_operand(text), "{text}");
        }
    }
}

//! Completion in schedules: steps, and within a step's brackets the loops.

use std::collections::HashSet;

use super::{
    Completion, CompletionKind, Known,
    cursor::{Before, Cursor},
};
use nnz_kernel::schedule::{STEPS, StepInfo, step_info};
use nnz_syntax::TokenKind;

impl Cursor {
    /// `None` where no schedule has begun, or it has ended.
    pub(super) fn in_schedule(&self, known: &Known<'_>) -> Option<Vec<Completion>> {
        let at = self.before.iter().rposition(|token| token.text == "schedule")?;
        let (kernel, steps) = (&self.before[..at], &self.before[at + 1..]);
        if steps.iter().any(|token| matches!(token.kind, TokenKind::Eq | TokenKind::Semicolon)) {
            return None;
        }
        let brackets = |kind: TokenKind| steps.iter().filter(|token| token.kind == kind).count();
        if brackets(TokenKind::LParen) > brackets(TokenKind::RParen) {
            return Some(self.loops(right_side(kernel).iter().chain(steps), "a loop", known));
        }
        let begins = steps.last().is_none_or(|last| last.kind == TokenKind::Comma);
        begins.then(|| STEPS.iter().map(|info| self.step(info)).collect())
    }

    fn step(&self, info: &StepInfo) -> Completion {
        let item = self.item(info.name, &format!("{}: {}", info.usage, info.summary), CompletionKind::Function);
        item.with(&call_with_places(info.usage))
    }

    /// The names among `tokens` without another meaning: index variables, and names given by steps.
    pub(super) fn loops<'b>(
        &self,
        tokens: impl Iterator<Item = &'b Before>,
        detail: &str,
        known: &Known<'_>,
    ) -> Vec<Completion> {
        let named = tokens.filter(|token| token.kind == TokenKind::Ident && step_info(&token.text).is_none());
        let mut names: Vec<&str> = named.map(|token| token.text.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let taken: HashSet<&str> = known.taken(names.iter().copied());
        names.retain(|name| !taken.contains(name));
        names.into_iter().map(|name| self.item(name, detail, CompletionKind::Variable)).collect()
    }
}

/// `split(i, i0, i1, 16)` with a place for each argument.
pub(super) fn call_with_places(usage: &str) -> String {
    let Some((name, rest)) = usage.split_once('(') else { return usage.to_string() };
    let inside = rest.split(')').next().unwrap_or_default();
    let place = |(at, argument): (usize, &str)| format!("‹{at}|{}›", argument.trim());
    let places: Vec<String> = inside.split(',').filter(|part| !part.trim().is_empty()).enumerate().map(place).collect();
    format!("{name}({})", places.join(", "))
}

/// The tokens behind the last `=`.
pub(super) fn right_side(kernel: &[Before]) -> &[Before] {
    use TokenKind::*;
    let assigns = |token: &Before| matches!(token.kind, Eq | PlusEq | MinusEq | StarEq | SlashEq);
    kernel.iter().rposition(assigns).map_or(&[], |at| &kernel[at + 1..])
}

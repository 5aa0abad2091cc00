//! Completion in schedules: steps, and within a step's brackets the loops.

use super::{Before, Completion, CompletionKind, Cursor, Known};
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
            return Some(self.loops(kernel, steps, known));
        }
        let begins = steps.last().is_none_or(|last| last.kind == TokenKind::Comma);
        begins.then(|| STEPS.iter().map(|info| self.step(info)).collect())
    }

    fn step(&self, info: &StepInfo) -> Completion {
        self.item(info.name, &format!("{}: {}", info.usage, info.summary), CompletionKind::Function)
    }

    /// The index variables of the kernel, and what earlier steps have named.
    fn loops(&self, kernel: &[Before], steps: &[Before], known: &Known<'_>) -> Vec<Completion> {
        let tensors: Vec<&str> = known.value_names().collect();
        let is_loop = |token: &&Before| {
            let word = token.text.as_str();
            token.kind == TokenKind::Ident && !tensors.contains(&word) && step_info(word).is_none()
        };
        let named = right_side(kernel).iter().chain(steps).filter(is_loop);
        let mut names: Vec<&str> = named.map(|token| token.text.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(|name| self.item(name, "a loop", CompletionKind::Variable)).collect()
    }
}

/// The tokens behind the last `=`.
fn right_side(kernel: &[Before]) -> &[Before] {
    use TokenKind::*;
    let assigns = |token: &Before| matches!(token.kind, Eq | PlusEq | MinusEq | StarEq | SlashEq);
    kernel.iter().rposition(assigns).map_or(&[], |at| &kernel[at + 1..])
}

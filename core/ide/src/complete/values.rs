//! The values of a program that are in scope at a place, found among the tokens before it, so that broken operations do
//! not matter.

use std::collections::HashSet;

use nnz_check::{Checked, DefinitionKind};
use nnz_syntax::{TokenKind, TokenRef};

/// The search does not go farther back.
const MOST_TOKENS: usize = 20_000;
/// The most characters of a type that are shown.
const LONGEST: usize = 60;

/// Which of the values that are met on the way back are not in scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hidden {
    Nothing,
    /// Those of the operation that the place is in.
    Results,
    /// The variables of a region that has ended come before it.
    Variables,
}

/// Each value with its type as the text has it, or with its operation; the nearest first.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn in_scope(checked: &Checked, offset: usize) -> Vec<(&str, String)> {
    let Some(first) = offset.checked_sub(1).and_then(|at| checked.tree.token_at(at)) else { return Vec::new() };
    let start = function_start(checked, offset);
    let (mut closed, mut seen, mut found) = (0_usize, HashSet::new(), Vec::new());
    let same_line = !checked.source.text.get(first.span().range()).is_some_and(|text| text.contains(['\n', '\r']));
    let mut hidden = if same_line { Hidden::Results } else { Hidden::Nothing };
    for token in std::iter::successors(Some(first), |token| token.previous()).take(MOST_TOKENS) {
        if token.span().start < start {
            break;
        }
        let before = line_before(&checked.source.text, token);
        match token.kind() {
            TokenKind::RBrace => closed += 1,
            TokenKind::LBrace if closed > 0 => (closed, hidden) = (closed - 1, Hidden::Variables),
            TokenKind::LBrace => hidden = Hidden::Results,
            TokenKind::PercentId if closed == 0 && is_defined(checked, token) => {
                let hides = if is_result(before) { Hidden::Results } else { Hidden::Variables };
                if hidden != hides && seen.insert(token.text()) {
                    found.push((token.text(), described(checked, token)));
                }
            }
            _ => {}
        }
        if before.trim().is_empty() && (hidden == Hidden::Variables || begins_operation(token)) {
            hidden = Hidden::Nothing;
        }
    }
    found
}

/// Whether there are only other results before a name on its line.
fn is_result(before: &str) -> bool {
    !before.contains('=') && before.split(',').all(|part| part.trim().is_empty() || part.trim().starts_with('%'))
}

/// Where the function begins that the place is in, or the one before it.
fn function_start(checked: &Checked, offset: usize) -> u32 {
    let definitions = &checked.symbols.definitions;
    let before = definitions.partition_point(|definition| (definition.name.start as usize) < offset);
    let function = definitions[..before].iter().rev().find(|it| matches!(it.kind, DefinitionKind::Function));
    function.map_or(0, |function| function.name.start)
}

fn is_defined(checked: &Checked, token: TokenRef<'_>) -> bool {
    let definitions = &checked.symbols.definitions;
    let at = definitions.partition_point(|definition| definition.name.start < token.span().start);
    definitions.get(at).is_some_and(|definition| definition.name.start == token.span().start)
}

/// Not the `ins(...)` of an operation that began on an earlier line.
fn begins_operation(token: TokenRef<'_>) -> bool {
    token.kind() == TokenKind::PercentId || token.kind() == TokenKind::Ident && token.text().contains('.')
}

fn line_before<'t>(text: &'t str, token: TokenRef<'_>) -> &'t str {
    let before = text.get(..token.span().start as usize).unwrap_or_default();
    before.rsplit(['\n', '\r']).next().unwrap_or_default()
}

/// `%x: f64` says its type, `%x = op ... : f64` ends in it.
fn described(checked: &Checked, token: TokenRef<'_>) -> String {
    let behind = checked.source.text.get(token.span().end as usize..).unwrap_or_default();
    let line = behind.lines().next().unwrap_or_default();
    let line = line.split("//").next().unwrap_or_default().trim();
    let text = match line.strip_prefix(':') {
        Some(ty) => up_to_comma(ty.trim()),
        None => of_results(line),
    };
    text.chars().take(LONGEST).collect()
}

/// The type before a comma or bracket that does not belong to it.
fn up_to_comma(text: &str) -> &str {
    let mut depth = 0_i32;
    let ends = |c: char| {
        depth += i32::from(matches!(c, '<' | '(' | '[' | '{')) - i32::from(matches!(c, '>' | ')' | ']' | '}'));
        depth < 0 || depth == 0 && c == ','
    };
    text.find(ends).map_or(text, |end| text.get(..end).unwrap_or_default()).trim_end()
}

fn of_results(line: &str) -> &str {
    let line = line.trim_end_matches(['{', ' ']);
    let last = [" -> ", " to ", " : "].iter().filter_map(|mark| Some(line.rfind(mark)? + mark.len())).max();
    last.and_then(|at| line.get(at..)).unwrap_or_else(|| line.trim_start_matches(['=', ' ']))
}

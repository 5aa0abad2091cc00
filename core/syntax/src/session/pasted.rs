//! What is pasted from elsewhere: functions of MLIR, and statements with the prompt in front of them.

use crate::{
    NodeKind, Parser, SyntaxError, TokenKind,
    habits::{FENCE, fence_len},
    parser::line_start,
};
use nnz_base::source::Span;

/// Text that is pasted and is no statement, reported and passed over.
pub(super) fn parse_pasted(p: &mut Parser) -> bool {
    parse_fence(p) || parse_prompt(p) || parse_functions(p)
}

fn parse_fence(p: &mut Parser) -> bool {
    let start = p.span().start as usize;
    let Some(len) = fence_len(p.rest()).filter(|_| line_start(p, start) == start) else { return false };
    let line = Span::new(start, start + len);
    p.begin_statement();
    // The fix of the first removes all; the others spoil the statements in front of them.
    let first = p.add_to_fix(0, FENCE, vec![(line, String::new())]);
    let node = p.open(if first.is_some() { NodeKind::Stray } else { NodeKind::Error });
    if let Some(edits) = first {
        let error = SyntaxError::new(Span::new(start, start + "```".len()), FENCE).label("not needed");
        p.report(error.fix("remove the fence", edits));
    }
    p.bump_until(line.end as usize);
    p.close(node);
    true
}

const PROMPT: &str = "the prompt is no part of a statement";

/// The prompts of nnz, Julia, Python and MATLAB.
const PROMPTS: [&str; 5] = ["nnz>", "julia>", ">>>", ">>", "..."];

/// The prompt that a text begins with; that of IPython has a number.
fn prompt(text: &str) -> Option<&str> {
    let known = PROMPTS.iter().find_map(|known| text.get(..known.len()).filter(|found| found == known));
    known.or_else(|| {
        let (number, _) = text.strip_prefix("In [")?.split_once("]:")?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        text.get(.."In []:".len() + number.len()).filter(|_| is_number)
    })
}

/// `nnz> x = [1, 2]`: the statement behind the prompt is read like any other.
fn parse_prompt(p: &mut Parser) -> bool {
    let start = p.span().start as usize;
    if line_start(p, start) != start {
        return false;
    }
    let Some(own) = prompt(p.rest()).map(str::to_string) else { return false };
    let behind = &p.rest()[own.len()..];
    if !behind.is_empty() && !behind.starts_with([' ', '\t', '\n', '\r']) {
        return false;
    }
    let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    let place = Span::new(start, start + own.len());
    let whole = Span::new(start, start + own.len() + gap);
    p.begin_statement();
    let error = SyntaxError::new(place, PROMPT).label("not needed");
    // The fix of the first mends all lines with it.
    let edits = p.add_to_fix(0, PROMPT, vec![(whole, String::new())]);
    p.report(match edits {
        Some(edits) => error.fix(format!("remove `{own}`"), edits),
        None => error,
    });
    let node = p.open(NodeKind::Stray);
    p.bump_until(place.end as usize);
    p.close(node);
    true
}

/// Functions and modules of MLIR, one after the other: one error for all. Where the last is not closed, more text could
/// close it.
fn parse_functions(p: &mut Parser) -> bool {
    let Some(word) = mlir_word(p.rest()).filter(|_| p.at(TokenKind::Ident)) else { return false };
    let place = Span::new(p.span().start as usize, p.span().start as usize + word.len());
    let message = format!("`{word}` is MLIR: it stands in a `.mlir` file, which `use` brings in");
    let error = SyntaxError::new(place, message).label("no statement");
    let error = error.help("`use \"file.mlir\"`, then `y = @f(x)`");
    p.begin_statement();
    let node = p.open(NodeKind::Stray);
    let mut reported = Some(error);
    while p.at(TokenKind::Ident) && mlir_word(p.rest()).is_some() {
        let start = p.span().start as usize;
        let closed = function_len(p.rest());
        if let Some(error) = reported.take_if(|_| closed.is_some()) {
            p.report(error);
        }
        p.bump_until(start + closed.unwrap_or(p.rest().len()));
    }
    if let Some(error) = reported {
        p.report(error);
    }
    p.close(node);
    true
}

/// The word that a function or a module of MLIR begins with.
fn mlir_word(text: &str) -> Option<&'static str> {
    const ENDS: [char; 6] = [' ', '\t', '(', '{', '\n', '\r'];
    // The word comes first: each statement of a long line would look through all the rest of it.
    let is_here = |word: &&str| text.strip_prefix(*word).is_some_and(|rest| rest.is_empty() || rest.starts_with(ENDS));
    let word = ["func.func", "func", "module", "builtin.module"].into_iter().find(is_here)?;
    let head = text.split(['(', '{', '\n', '\r']).next()?;
    let (rest, opens) = (head[word.len()..].trim(), text[head.len()..].starts_with('{'));
    let is_function = word == "func.func" || word == "func" && rest.contains('@');
    let is_module = matches!(word, "module" | "builtin.module") && opens && !rest.contains('=');
    (is_function || is_module).then_some(word)
}

/// How long the function is that `text` begins with: up to the line on which its brackets are closed.
fn function_len(text: &str) -> Option<usize> {
    let (mut depth, mut len) = (0_i64, 0);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let code = line.split("//").next().unwrap_or_default();
        depth += code.matches(['(', '{', '[']).count() as i64 - code.matches([')', '}', ']']).count() as i64;
        let continues = |next: &&str| ["->", "attributes", "{"].iter().any(|sign| next.trim_start().starts_with(sign));
        let goes_on = lines.peek().is_some_and(continues);
        if depth <= 0 && !goes_on {
            return Some(len + line.trim_end().len());
        }
        len += line.len();
    }
    None
}

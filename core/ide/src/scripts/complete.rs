//! Completion in functions of scripts: members behind `T.`, and names that are declared.

use nnz_base::source::Span;
use nnz_tir::{
    Script,
    members::{Member, ROWS, Row},
    model::{Function, MATH, Role, name_of},
    read::Read,
};

use crate::complete::{Completion, CompletionKind, MOST, Snippet};

/// What fits at an offset, filtered by the start of the word there.
pub fn complete(script: &Script, offset: usize) -> Vec<Completion> {
    let Some(read) = script.functions.iter().find(|read| read.span.touches(offset)) else { return Vec::new() };
    let Some(before) = script.source.text.get(..offset) else { return Vec::new() };
    if is_prose(before) {
        return Vec::new();
    }
    let word = before.rfind(|c: char| !is_of_word(c)).map_or(before, |at| &before[at..]);
    let word = word.trim_start_matches(|c: char| !is_of_word(c));
    let items = match word.split_once('.') {
        Some((_, path)) => members(path, offset),
        None => names(&read.function, word, offset),
    };
    let mut items = if is_within(read, offset) { items } else { Vec::new() };
    items.truncate(MOST);
    items
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

fn is_within(read: &Read, offset: usize) -> bool {
    read.span.start as usize <= offset
}

/// Whether the line is within a comment or a text here.
fn is_prose(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut open: Option<char> = None;
    for c in line.chars() {
        match (open, c) {
            (None, '#') => return true,
            (None, '"' | '\'') => open = Some(c),
            (Some(quote), _) if quote == c => open = None,
            (None | Some(_), _) => {}
        }
    }
    open.is_some()
}

/// Members behind `T.`, of which a part may be written: `sp.comp`.
fn members(written: &str, offset: usize) -> Vec<Completion> {
    let typed = written.rsplit('.').next().unwrap_or_default();
    let replace = Span::new(offset - typed.len(), offset);
    let head = &written[..written.len() - typed.len()];
    let is_offered = |row: &&Row| row.member != Member::Unread && row.name.starts_with(written) && !row.is_old();
    let rows = ROWS.iter().filter(is_offered).map(|row| member(row, &row.name[head.len()..], replace));
    let math = MATH.iter().filter(|math| math.name.starts_with(written));
    let math = math.map(|math| item((math.name, "function of one number"), CompletionKind::Function, replace));
    rows.chain(math).collect()
}

/// With its parameters to fill in.
fn member(row: &Row, name: &str, replace: Span) -> Completion {
    let names: Vec<&str> = row.parameters.iter().map(|one| one.split('|').next().unwrap_or(one)).collect();
    let detail = if row.open { "…".to_string() } else { names.join(", ") };
    let required = names.iter().take(row.required).map(|name| format!("‹{name}›")).collect::<Vec<_>>().join(", ");
    let snippet = (row.required > 0).then(|| Snippet::of(&format!("{name}({required})")));
    Completion { snippet, ..item((name, &format!("T.{}({detail})", row.name)), CompletionKind::Function, replace) }
}

/// Iterators, buffers, parameters and variables of the function.
fn names(function: &Function, typed: &str, offset: usize) -> Vec<Completion> {
    let replace = Span::new(offset - typed.len(), offset);
    let declared = |place: Span| (place.end as usize) < offset - typed.len();
    let mut items: Vec<Completion> = Vec::new();
    let iterators = function.iterators.iter().filter(|one| declared(one.place.0));
    let buffers = function.buffers.iter().filter(|one| declared(one.place.0));
    let params = function.params.iter().filter(|one| declared(one.place.0));
    let variables = function.variables.iter().filter(|one| declared(one.place.0) && one.role != Role::Param);
    let all = iterators
        .map(|one| (one.name.as_str(), format!("{} iterator", one.word()), CompletionKind::Encoding))
        .chain(
            buffers.map(|one| {
                (one.name.as_str(), format!("buffer of {}", name_of(one.element)), CompletionKind::Variable)
            }),
        )
        .chain(params.map(|one| (one.name.as_str(), "parameter".to_string(), CompletionKind::Variable)))
        .chain(variables.map(|one| (one.name.as_str(), name_of(one.element).to_string(), CompletionKind::Variable)));
    for (name, detail, kind) in all.filter(|(name, ..)| name.starts_with(typed)) {
        if !items.iter().any(|known| known.label == name) {
            items.push(item((name, &detail), kind, replace));
        }
    }
    items
}

fn item((label, detail): (&str, &str), kind: CompletionKind, replace: Span) -> Completion {
    let (label, detail) = (label.to_string(), detail.to_string());
    Completion { insert: label.clone(), filter: label.clone(), label, snippet: None, detail, kind, replace }
}

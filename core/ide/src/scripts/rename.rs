//! Renaming in scripts: every place of a name of a function.

use nnz_base::{
    diagnostic::Edit,
    source::{Source, Span},
};
use nnz_tir::{Script, read::Thing, script};

use super::names::{mention, places};
use crate::names::{Access, NameKind, Named, Place};

/// What can be renamed at an offset.
///
/// # Errors
/// Why nothing can, in one line.
pub fn prepare_rename(script: &Script, offset: usize) -> Result<Named, String> {
    let Some((_, named)) = mention(script, offset) else {
        return Err("no name of a function of SparseTIR stands here".to_string());
    };
    let text = script.source.slice(named.span);
    let all = places(script, offset);
    if !all.iter().any(|(_, declares)| *declares) {
        return Err(format!("`{text}` is declared outside of the function"));
    }
    let place = |(span, declares)| Place { span, access: if declares { Access::Write } else { Access::Read } };
    Ok(Named::new(text, NameKind::Variable, all.into_iter().map(place).collect()))
}

/// The edits that give a thing another name.
///
/// # Errors
/// The name is taken, or the text would mean something else: in one line.
pub fn rename(before: &Script, old: &Named, name: &str) -> Result<Vec<Edit>, String> {
    if old.text == name {
        return Ok(Vec::new());
    }
    let file = before.source.id;
    let edit = |place: &Place| Edit { file, span: place.span, replacement: name.to_string() };
    let edits: Vec<Edit> = old.places.iter().map(edit).collect();
    let after = script(&Source::new(file, &before.source.name, replaced(&before.source.text, &edits)));
    let known: Vec<&str> = errors(before).collect();
    let new = errors(&after).find(|error| !known.contains(error));
    match new {
        Some(new) => Err(format!("`{}` cannot be called `{name}`: {new}", old.text)),
        None if things(before) != things(&after) => Err(format!("`{name}` is taken: something else is called so")),
        None => Ok(edits),
    }
}

fn errors(script: &Script) -> impl Iterator<Item = &str> {
    script.diagnostics.iter().filter(|one| one.is_error()).map(|one| one.message.as_str())
}

/// What each name of the functions means, in the order of reading.
fn things(script: &Script) -> Vec<Vec<Thing>> {
    script.functions.iter().map(|read| read.mentions.iter().map(|mention| mention.thing).collect()).collect()
}

/// The text with edits that stand in order.
fn replaced(text: &str, edits: &[Edit]) -> String {
    let mut made = String::with_capacity(text.len());
    let mut from = 0;
    for Edit { span: Span { start, end }, replacement, .. } in edits {
        made.push_str(text.get(from..*start as usize).unwrap_or_default());
        made.push_str(replacement);
        from = *end as usize;
    }
    made + text.get(from..).unwrap_or_default()
}

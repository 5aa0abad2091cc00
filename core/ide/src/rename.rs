//! `textDocument/prepareRename` and `rename`: whether something can be renamed, and the edits that rename it.

use std::collections::HashMap;

use nnz_base::{
    diagnostic::{Code, Diagnostic, Edit},
    source::{Source, Span},
};
use nnz_check::{Checked, DefinitionKind, Grammar, mlir::check_mlir, scope::Scope, session::check_session};
use nnz_syntax::{TokenKind, TokenRef, lexer};

use super::names::{NameKind, Named, Place, name_token, named_at, shared, standing, variables::statement_of};

/// What is named at `offset`, if it can be renamed.
///
/// # Errors
/// Why not, in one line.
pub fn prepare(checked: &Checked, offset: usize) -> Result<Named, String> {
    let Some(token) = name_token(checked, offset) else { return Err("no name stands here".to_string()) };
    let named = named_at(checked, offset).ok_or_else(|| unknown(token))?;
    match again(checked, &named) {
        None => Ok(named),
        Some(line) => Err(format!(
            "several symbols are called `{}`, in modules of their own: rename the one in line {line} by hand first",
            named.text
        )),
    }
}

/// The line of the second function of this name; calls of the two cannot be distinguished.
fn again(checked: &Checked, named: &Named) -> Option<usize> {
    let symbols = &checked.symbols;
    let definitions = symbols.definition_ids().map(|id| symbols.definition(id));
    let mut same = definitions
        .filter(|definition| matches!(definition.kind, DefinitionKind::Function))
        .filter(|definition| named.kind == NameKind::Function && checked.source.slice(definition.name) == named.text);
    same.nth(1).map(|definition| checked.source.line_col(definition.name.start as usize).line as usize + 1)
}

fn unknown(token: TokenRef<'_>) -> String {
    let text = token.text();
    match token.kind() == TokenKind::Ident {
        true => format!("`{text}` is a word of the language or of another text: nothing defines it here"),
        false => format!("`{text}` is not defined in this text"),
    }
}

/// The new name of a thing as texts write it: with its sigil, which may be left out.
///
/// # Errors
/// It is not a name.
pub fn new_name(old: &Named, wanted: &str) -> Result<String, String> {
    let (sigil, kind, words) = form(old.kind);
    let wanted = wanted.trim();
    let bare = wanted.strip_prefix(sigil).unwrap_or(wanted);
    let name = format!("{sigil}{bare}");
    let [first, _] = lexer::lex(&name)[..] else { return Err(format!("`{wanted}` is no name of {words}")) };
    let dotted = bare.contains('.') && !matches!(old.kind, NameKind::Value | NameKind::Block | NameKind::Function);
    let counts = bare.starts_with(|c: char| c.is_ascii_digit()) && !bare.bytes().all(|b| b.is_ascii_digit());
    if first.kind != kind || bare.is_empty() || dotted || counts || bare.contains('#') {
        return Err(format!("`{wanted}` is no name of {words}"));
    }
    Ok(name)
}

/// The sigil of a kind of names, its token, and what messages call it.
fn form(kind: NameKind) -> (&'static str, TokenKind, &'static str) {
    match kind {
        NameKind::Alias => ("#", TokenKind::HashId, "an alias"),
        NameKind::Type => ("!", TokenKind::BangId, "a type"),
        NameKind::Function => ("@", TokenKind::AtId, "a function"),
        NameKind::Value => ("%", TokenKind::PercentId, "a value"),
        NameKind::Block => ("^", TokenKind::CaretId, "a block"),
        NameKind::Tensor => ("", TokenKind::Ident, "a tensor"),
        NameKind::Variable => ("", TokenKind::Ident, "a variable"),
    }
}

/// The edits of one text that rename `old` to `name`, a name of the same kind.
///
/// # Errors
/// The name is taken, or the text would mean something else: in one line.
pub fn rename(checked: &Checked, old: &Named, name: &str) -> Result<Vec<Edit>, String> {
    if old.text == name {
        return Ok(Vec::new());
    }
    if let Some(place) = beside(checked, old, name) {
        return Err(format!(
            "`{name}` is taken: line {} has it",
            checked.source.line_col(place.start as usize).line + 1
        ));
    }
    if old.is_shared() && shared(checked, name).is_some() {
        return Err(format!("`{name}` is taken: a file in use defines it"));
    }
    let file = checked.source.id;
    let edit = |span| Edit { file, span, replacement: name.to_string() };
    let edits: Vec<Edit> = old.places.iter().map(|place| edit(place.span)).collect();
    let text = renamed_text(&checked.source.text, &edits);
    let renamed = Reading::of(&Source::new(file, &checked.source.name, text), checked.grammar);
    if let Some(place) = taken(&renamed.checked, old, name) {
        let line = renamed.checked.source.line_col(place.start as usize).line + 1;
        return Err(format!("`{name}` is taken: line {line} has it"));
    }
    match renamed.new_trouble(&Reading::of(&checked.source, checked.grammar)) {
        Some(trouble) => Err(format!("`{}` cannot be called `{name}`: {trouble}", old.text)),
        None => Ok(edits),
    }
}

/// A place of the name in a statement with a tensor or variable that would get this name.
fn beside(checked: &Checked, old: &Named, name: &str) -> Option<Span> {
    if !matches!(old.kind, NameKind::Tensor | NameKind::Variable) || checked.grammar != Grammar::Notation {
        return None;
    }
    let statement = |place: &Place| Some(statement_of(checked.tree.token_at(place.span.start as usize)?)?.span());
    let mut statements: Vec<Span> = old.places.iter().filter_map(statement).collect();
    statements.dedup();
    let inside = statements.into_iter().flat_map(|statement| checked.tree.tokens_in(statement.range()));
    let mut words = inside.map(|(_, token)| token).filter(|token| token.kind() == TokenKind::Ident);
    words.find(|token| token.text() == name).map(TokenRef::span)
}

/// A place of the renamed text that names the thing and did not before, or did and does not now.
fn taken(renamed: &Checked, old: &Named, name: &str) -> Option<Span> {
    let expected = moved(old, name);
    let here = || named_at(renamed, expected.first()?.start as usize);
    // By itself the text does not know what its files define.
    let now: Vec<Span> = match old.imported {
        true => standing(renamed, name).collect(),
        false => here().map(|named| named.places.iter().map(|place| place.span).collect()).unwrap_or_default(),
    };
    let other = now.iter().find(|span| expected.binary_search(span).is_err());
    other.or_else(|| expected.iter().find(|span| now.binary_search(span).is_err())).copied()
}

/// The places of a thing after its renaming.
fn moved(old: &Named, name: &str) -> Vec<Span> {
    let mut longer = 0_i64;
    let place = |span: Span| {
        let start = (i64::from(span.start) + longer) as usize;
        longer += name.len() as i64 - span.len() as i64;
        Span::new(start, start + name.len())
    };
    old.places.iter().map(|place| place.span).map(place).collect()
}

/// A text by itself, with all its mistakes.
struct Reading {
    checked: Checked,
    found: Vec<Diagnostic>,
}

impl Reading {
    fn of(source: &Source, grammar: Grammar) -> Reading {
        match grammar {
            Grammar::Notation => {
                let checked = check_session(source, &Scope::default());
                Reading { found: checked.diagnostics.clone(), checked }
            }
            Grammar::Mlir => {
                let checked = check_mlir(source);
                let mistakes = nnz_mlir::mistakes(&checked, &mut nnz_mlir::Known::default(), |_, _| Vec::new());
                Reading { found: checked.diagnostics.iter().cloned().chain(mistakes).collect(), checked }
            }
        }
    }

    /// The diagnostics of this text that the one before did not have.
    fn new_trouble(self, before: &Reading) -> Option<String> {
        let mut known: HashMap<Code, usize> = HashMap::new();
        before.found.iter().for_each(|found| *known.entry(found.code).or_default() += 1);
        let new = self.found.into_iter().find(|found| match known.get_mut(&found.code) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            Some(_) | None => true,
        });
        new.map(|found| found.message)
    }
}

/// The text with the edits, which are in order and do not overlap.
fn renamed_text(text: &str, edits: &[Edit]) -> String {
    let (mut renamed, mut end) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        renamed.push_str(text.get(end..edit.span.start as usize).unwrap_or_default());
        renamed.push_str(&edit.replacement);
        end = edit.span.end as usize;
    }
    renamed + text.get(end..).unwrap_or_default()
}

//! What a name at a place refers to, and every other place of the text that refers to it: for references, highlights
//! and renaming.

pub(crate) mod variables;

use nnz_base::source::Span;
use nnz_check::{Checked, DefId, DefinitionKind, Grammar};
use nnz_syntax::{NodeKind, TokenKind, TokenRef};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// `#CSR`
    Alias,
    /// `!t`
    Type,
    /// `@f`
    Function,
    /// `%x`
    Value,
    /// `^bb0`
    Block,
    /// A tensor or a scalar of a session, with all its later values.
    Tensor,
    /// An index variable or a loop within one statement, a variable of a map.
    Variable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Its name gets a value here.
    Write,
    Read,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub span: Span,
    pub access: Access,
}

/// A thing with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// With its sigil.
    pub text: String,
    pub kind: NameKind,
    /// In order; all of them in one text.
    pub places: Vec<Place>,
    /// It is defined in another file.
    pub imported: bool,
}

impl Named {
    pub(super) fn new(text: &str, kind: NameKind, mut places: Vec<Place>) -> Named {
        places.sort();
        places.dedup_by_key(|place| place.span);
        Named { text: text.to_string(), kind, places, imported: false }
    }
    /// Whether other files may name it.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, NameKind::Alias | NameKind::Function)
    }
    /// The place that touches `offset`.
    pub fn place_at(&self, offset: usize) -> Option<Place> {
        self.places.iter().rev().find(|place| place.span.touches(offset)).copied()
    }
}

/// The token of a name that `offset` touches: the one that begins there before the one that ends there.
pub(super) fn name_token(checked: &Checked, offset: usize) -> Option<TokenRef<'_>> {
    let at = checked.tree.token_at(offset).filter(|token| is_name(*token));
    let before = || checked.tree.token_at(offset.checked_sub(1)?).filter(|token| is_name(*token));
    at.or_else(before)
}

fn is_name(token: TokenRef<'_>) -> bool {
    use TokenKind::{AtId, BangId, CaretId, HashId, Ident, PercentId};
    matches!(token.kind(), Ident | HashId | BangId | PercentId | AtId | CaretId)
}

/// What is named at `offset`.
pub(crate) fn named_at(checked: &Checked, offset: usize) -> Option<Named> {
    let token = name_token(checked, offset)?;
    let defined = definition_of(checked, token).and_then(|id| named(checked, id));
    defined.or_else(|| variables::named(checked, token)).or_else(|| imported(checked, token.text()))
}

/// What this name refers to in a text, if other files can refer to it, too: a definition of the text, or one from a
/// file in use.
pub fn shared(checked: &Checked, name: &str) -> Option<Named> {
    let is_it = |id: &DefId| checked.source.slice(checked.symbols.definition(*id).name) == name;
    let own =
        checked.symbols.definition_ids().filter(|id| is_shared(&checked.symbols.definition(*id).kind)).find(is_it);
    own.map_or_else(|| imported(checked, name), |id| named(checked, id))
}

fn is_shared(kind: &DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Encoding(_) | DefinitionKind::Attribute | DefinitionKind::Function)
}

fn definition_of(checked: &Checked, token: TokenRef<'_>) -> Option<DefId> {
    let id = checked.definition_at(token.span().start as usize)?;
    let symbols = &checked.symbols;
    let stands = |span: Span| span.contains(token.span().start as usize);
    // A name that merely ends here is another.
    let used = symbols.uses_of(id).any(stands);
    (used || stands(symbols.definition(id).name)).then_some(id)
}

fn named(checked: &Checked, id: DefId) -> Option<Named> {
    let definition = checked.symbols.definition(id);
    let name = checked.source.slice(definition.name);
    let same = definitions_of(checked, id, name);
    let written = same.iter().map(|id| (checked.symbols.definition(*id).name, Access::Write));
    // They are in order.
    let is_same = |id| same.binary_search(&id).is_ok();
    let uses = checked.symbols.uses.iter().filter(|used| used.definition.is_some_and(is_same));
    let places = written.chain(uses.map(|used| (used.span, Access::Read)));
    let places = places.filter_map(|(span, access)| Some(Place { span: name_in(checked, span, name)?, access }));
    Some(Named::new(name, kind_of(&definition.kind), places.collect()))
}

/// A name of a session stands for one value after another, each of which may be made from the one before.
fn definitions_of(checked: &Checked, id: DefId, name: &str) -> Vec<DefId> {
    let symbols = &checked.symbols;
    let is_value =
        |id: DefId| matches!(symbols.definition(id).kind, DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_));
    if !is_value(id) {
        return vec![id];
    }
    let has_name = |id: &DefId| checked.source.slice(symbols.definition(*id).name) == name;
    symbols.definition_ids().filter(|id| is_value(*id)).filter(has_name).collect()
}

/// The name within a use: `%r` of `%r#1`, the `i` of `#i`.
fn name_in(checked: &Checked, span: Span, name: &str) -> Option<Span> {
    let text = checked.source.slice(span);
    let (start, end) = (span.start as usize, span.end as usize);
    match text {
        _ if text.starts_with(name) => Some(Span::new(start, start + name.len())),
        _ if text.ends_with(name) => Some(Span::new(end - name.len(), end)),
        _ => None,
    }
}

fn kind_of(kind: &DefinitionKind) -> NameKind {
    match kind {
        DefinitionKind::Encoding(_) | DefinitionKind::Attribute => NameKind::Alias,
        DefinitionKind::Type(_) => NameKind::Type,
        DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_) => NameKind::Tensor,
        DefinitionKind::Value => NameKind::Value,
        DefinitionKind::Function => NameKind::Function,
        DefinitionKind::Block => NameKind::Block,
        DefinitionKind::MapVariable(_) => NameKind::Variable,
    }
}

/// An encoding or function of a file in use: every place of the text that names it.
fn imported(checked: &Checked, name: &str) -> Option<Named> {
    let is_known = checked.used.iter().any(|used| defines(&used.file, name));
    if !is_known || checked.grammar != Grammar::Notation {
        return None;
    }
    let kind = if name.starts_with('@') { NameKind::Function } else { NameKind::Alias };
    let places = standing(checked, name).map(|span| Place { span, access: Access::Read });
    Some(Named { imported: true, ..Named::new(name, kind, places.collect()) })
}

/// The places of this name where it could refer to an encoding or function.
pub(super) fn standing(checked: &Checked, name: &str) -> impl Iterator<Item = Span> {
    let tokens = checked.tree.tokens().filter(move |token| token.text() == name && stands_for_itself(*token));
    tokens.map(|token| token.span())
}

/// Not the counter `#i` of a map.
fn stands_for_itself(token: TokenRef<'_>) -> bool {
    token.kind() == TokenKind::AtId || token.kind() == TokenKind::HashId && token.node().kind() == NodeKind::AliasRef
}

/// Whether a file defines an encoding or a function of this name, sigil included.
fn defines(file: &Checked, name: &str) -> bool {
    name.starts_with(['#', '@'])
        && file
            .symbols
            .definitions
            .iter()
            .any(|definition| is_shared(&definition.kind) && file.source.slice(definition.name) == name)
}

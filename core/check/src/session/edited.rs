//! Checks a text that differs in some statements from an already checked text: these statements are checked, and with
//! them later statements that use a name whose meaning changed. Everything else is reused, shifted to its new place.
//!
//! The result for a statement depends on its text and on the meaning of its names. If it has a mistake it depends on
//! all names, as a message may propose any of them; so statements with diagnostics are always rechecked. A text that
//! uses files, or in which an alias is edited, is checked as a whole.

use std::{collections::HashMap, ops::Range, sync::Arc};

use rustc_hash::FxHashSet;

use super::file::File;
use crate::{
    AffineMapSite, Checked, CheckedKernel, Contents, DefId, Definition, DefinitionKind, EncodingSite, NameUse,
    TypeSite,
    checked::{Defined, starting_in},
    checker::Alias,
    places::{self, Placed, Rest},
    scope::Scope,
    used::Files,
};
use nnz_base::source::{Change, Source, Span};
use nnz_storage::{Triplets, generate::Count};
use nnz_syntax::{
    Edited, NodeKind, Tree,
    session::{Statement as Cut, edited, parse, statements},
};

/// The check of a text that replaces an already checked one; `None` if all of it must be checked. `files` are those
/// that it may read; they may have changed.
pub fn check_edited(before: Checked, source: &Source, files: Option<&dyn Files>) -> Option<Checked> {
    let old_tree = before.tree.clone();
    let tree = edited(&old_tree, &source.text).map_or_else(|| parse(source.text.clone()), |(tree, _)| tree);
    if uses_files(&old_tree) || uses_files(&tree) {
        return None;
    }
    let (scope, old, new) = (Scope::default(), statements(&old_tree), statements(&tree));
    let mut check = Check::new((before, &old), File::new(source, &scope, files));
    check.all(&new)?;
    let c = check.file.c;
    Some(c.snapshot(tree))
}

fn uses_files(tree: &Tree) -> bool {
    tree.root().children().any(|node| node.kind() == NodeKind::Use)
}

/// A text while it is checked after an edit.
struct Check<'s> {
    before: Checked,
    found: Found,
    old: &'s [Cut<'s>],
    edited: Edited,
    file: File<'s>,
    /// The names that mean something else now, where the check has come to.
    changed: FxHashSet<Arc<str>>,
    /// The numbers of the old definitions in the new list.
    ids: Vec<Option<DefId>>,
    /// Old statements that are not reused yet.
    kept: Range<usize>,
    /// So many of the definitions are known to the scope.
    learned: usize,
}

/// The findings in the old statements, up to the current one.
struct Found {
    defined: Rest<Defined>,
    uses: Rest<NameUse>,
    types: Rest<TypeSite>,
    encodings: Rest<EncodingSite>,
    maps: Rest<AffineMapSite>,
    kernels: Rest<CheckedKernel>,
}

impl Found {
    fn of(before: &mut Checked) -> Found {
        let symbols = &mut before.symbols;
        Found {
            defined: Rest::of(&mut before.defined),
            uses: Rest::of(&mut symbols.uses),
            types: Rest::of(&mut symbols.types),
            encodings: Rest::of(&mut symbols.encodings),
            maps: Rest::of(&mut symbols.maps),
            kernels: Rest::of(&mut before.kernels),
        }
    }
}

impl<'s> Check<'s> {
    fn new((mut before, old): (Checked, &'s [Cut<'s>]), file: File<'s>) -> Check<'s> {
        let Change { before: from, now } = Change::between(&before.source.text, &file.c.source.text);
        let ids = vec![None; before.symbols.definitions.len()];
        let (edited, changed, found) = (Edited { before: from, now }, FxHashSet::default(), Found::of(&mut before));
        Check { before, found, old, edited, file, changed, ids, kept: 0..0, learned: 0 }
    }

    fn all(&mut self, new: &[Cut<'_>]) -> Option<()> {
        let (first, last) = self.alike(new);
        for (at, cut) in new.iter().enumerate().take(first) {
            self.one(at, cut)?;
        }
        let (old, now) = (first..self.old.len() - last, &new[first..new.len() - last]);
        self.take_over()?;
        let definitions = match self.is_clean(now) {
            true => self.anew_with_few(old.clone(), now)?,
            false => self.anew(old.clone(), now)?,
        };
        let (_, replaced) = places::range(&self.before.symbols.definitions, self.places(&old));
        if replaced.iter().chain(&self.file.c.symbols.definitions[definitions..]).any(is_alias) {
            return None;
        }
        for (at, cut) in (self.old.len() - last..).zip(&new[new.len() - last..]) {
            self.one(at, cut)?;
        }
        self.take_over()
    }

    /// How many statements the texts have in common at the beginning and at the end. Those beside the edit are not
    /// counted, because the text between two statements may belong to either.
    fn alike(&self, new: &[Cut<'_>]) -> (usize, usize) {
        let Edited { before, .. } = self.edited;
        let same = |(old, new): &(&Cut<'_>, &Cut<'_>)| {
            self.edited.moved(old.span) == new.span && old.errors.len() == new.errors.len()
        };
        let first = self.old.iter().zip(new).take_while(|pair| pair.0.span.end < before.start && same(pair)).count();
        let last = self.old.iter().rev().zip(new.iter().rev());
        let last = last.take_while(|pair| before.end < pair.0.span.start && same(pair)).count();
        let first = first.saturating_sub(1);
        (first, last.saturating_sub(1).min(self.old.len() - first).min(new.len() - first))
    }

    /// A statement with the text of the old one number `at`.
    fn one(&mut self, at: usize, cut: &Cut<'_>) -> Option<()> {
        let place = self.places(&(at..at + 1));
        let is_told = starting_in(&self.before.diagnostics, place, |one| one.primary.span).next().is_some();
        if !cut.errors.is_empty() || is_told || self.names_changed(cut) || self.file.may_read(cut) {
            return self.anew(at..at + 1, std::slice::from_ref(cut)).map(drop);
        }
        if self.kept.is_empty() {
            self.kept = at..at;
        }
        self.kept.end = at + 1;
        Some(())
    }

    fn names_changed(&self, cut: &Cut<'_>) -> bool {
        let mut tokens = cut.node.into_iter().flat_map(|node| node.tokens());
        !self.changed.is_empty() && tokens.any(|token| self.changed.contains(token.text()))
    }

    /// The places from the first of some old statements up to the one behind them.
    fn places(&self, statements: &Range<usize>) -> Span {
        let start = |at: usize| self.old.get(at).map_or(u32::MAX, |cut| cut.span.start);
        Span { start: start(statements.start), end: start(statements.end) }
    }

    /// Checks statements in place of old ones, and returns how many definitions there were before.
    fn anew(&mut self, old: Range<usize>, new: &[Cut<'_>]) -> Option<usize> {
        self.take_over()?;
        self.file.learn(self.learned, |_| true);
        let definitions = self.statements(old, new);
        self.learned = self.file.c.defined.len();
        Some(definitions)
    }

    fn statements(&mut self, old: Range<usize>, new: &[Cut<'_>]) -> usize {
        let (definitions, defined) = (self.file.c.symbols.definitions.len(), self.file.c.defined.len());
        new.iter().for_each(|cut| self.file.statement(cut));
        let place = self.places(&old);
        self.number(place, definitions);
        self.compare(place, defined);
        definitions
    }

    /// As [`Check::anew`] for statements without diagnostics, for which only the names they use matter: a text may
    /// define thousands above them. `None` if they have diagnostics after all.
    fn anew_with_few(&mut self, old: Range<usize>, new: &[Cut<'_>]) -> Option<usize> {
        let (words, told) = (words(new), self.file.c.diagnostics.len());
        self.file.learn(self.learned, |name| has(&words, name));
        let definitions = self.statements(old, new);
        (self.file.c.diagnostics.len() == told).then_some(definitions)
    }

    /// Whether statements have no diagnostics, as far as a check of them alone can say.
    fn is_clean(&self, new: &[Cut<'_>]) -> bool {
        let (words, outer) = (words(new), Scope::default());
        let mut alone = self.file.alone(&outer, |name| has(&words, name));
        new.iter().for_each(|cut| alone.statement(cut));
        alone.c.diagnostics.is_empty() && new.iter().all(|cut| cut.errors.is_empty())
    }

    /// Gives old definitions in `place` the numbers of those of the same names that were checked last.
    fn number(&mut self, place: Span, definitions: usize) {
        let (symbols, c) = (&self.before.symbols, &self.file.c);
        let now = c.symbols.definition_ids().skip(definitions);
        let now: HashMap<&str, DefId> = now.map(|id| (c.text(c.symbols.definition(id).name), id)).collect();
        let (first, old) = places::range(&symbols.definitions, place);
        for (id, one) in self.ids.iter_mut().skip(first).zip(old) {
            *id = now.get(self.before.source.slice(one.name)).copied();
        }
    }

    /// Notes which of the names that were defined in `place`, or are defined by the last check, mean something else
    /// now.
    fn compare(&mut self, place: Span, defined: usize) {
        let old: Vec<Defined> = self.found.defined.within(place, self.edited).collect();
        let old: HashMap<&Arc<str>, &Defined> = old.iter().map(|one| (&one.name, one)).collect();
        let c = &self.file.c;
        let now: HashMap<&Arc<str>, &Defined> = c.defined[defined..].iter().map(|one| (&one.name, one)).collect();
        let meaning = |one: &Defined, all| (one.known.clone(), one.id.is_some(), contents(all, one.id));
        for name in old.keys().chain(now.keys()) {
            let old = old.get(*name).map(|one| meaning(one, &self.before.contents));
            let now = now.get(*name).map(|one| meaning(one, &c.contents));
            match old == now {
                true => self.changed.remove(&***name),
                false => self.changed.insert((*name).clone()),
            };
        }
    }

    /// Reuses the findings in the statements before this one.
    fn take_over(&mut self) -> Option<()> {
        let place = self.places(&self.kept);
        if !std::mem::take(&mut self.kept).is_empty() {
            self.definitions(place);
            self.defined(place);
            self.sites(place);
            self.uses(place)?;
        }
        Some(())
    }

    fn definitions(&mut self, place: Span) {
        let (c, text) = (&mut self.file.c, &self.before.source);
        let range = places::numbers(&self.before.symbols.definitions, place);
        for at in range {
            let Some(one) = self.before.symbols.definitions.get_mut(at) else { return };
            if let DefinitionKind::Encoding(_) = one.kind {
                let id = DefId(c.symbols.definitions.len() as u32);
                c.aliases.insert(text.slice(one.name).to_string(), Alias::Local(id));
            }
            // Nobody asks for it again.
            let kind = std::mem::replace(&mut one.kind, DefinitionKind::Value);
            let mut one = Definition { kind, ..*one };
            one.go(self.edited);
            let Definition { name, whole, kind } = one;
            self.ids[at] = Some(c.define(name, whole, kind));
        }
    }

    /// The definitions of the statements, and what they say about them.
    fn defined(&mut self, place: Span) {
        let (c, before, ids) = (&mut self.file.c, &self.before, &self.ids);
        let number = |id: DefId| ids.get(id.0 as usize).copied().flatten();
        for one in self.found.defined.within(place, self.edited) {
            let id = one.id.and_then(number);
            let contents = one.id.and_then(|id| before.contents_of(id)).zip(id);
            c.contents.extend(contents.map(|(known, definition)| Contents { definition, ..known.clone() }));
            c.defined.push(Defined { id, ..one });
        }
    }

    fn sites(&mut self, place: Span) {
        let (c, found, edited) = (&mut self.file.c, &mut self.found, self.edited);
        c.symbols.types.extend(found.types.within(place, edited));
        c.symbols.encodings.extend(found.encodings.within(place, edited));
        c.symbols.maps.extend(found.maps.within(place, edited));
        c.kernels.extend(found.kernels.within(place, edited));
    }

    /// `None` if one is of a name that is gone.
    fn uses(&mut self, place: Span) -> Option<()> {
        for used in self.found.uses.within(place, self.edited) {
            let definition = match used.definition {
                Some(id) => Some(self.ids[id.0 as usize]?),
                None => None,
            };
            self.file.c.symbols.uses.push(NameUse { definition, ..used });
        }
        Some(())
    }
}

/// All words of some statements.
fn words<'t>(statements: &[Cut<'t>]) -> FxHashSet<&'t str> {
    let tokens = statements.iter().filter_map(|cut| cut.node).flat_map(|node| node.tokens());
    tokens.map(|token| token.text()).collect()
}

/// Encodings keep their `#`, also where they are named without it.
fn has(words: &FxHashSet<&str>, name: &str) -> bool {
    words.contains(name) || name.strip_prefix('#').is_some_and(|bare| words.contains(bare))
}

fn is_alias(one: &Definition) -> bool {
    match one.kind {
        DefinitionKind::Encoding(_) | DefinitionKind::Attribute | DefinitionKind::Type(_) => true,
        DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_) | DefinitionKind::MapVariable(_) => false,
        DefinitionKind::Value | DefinitionKind::Function | DefinitionKind::Block => false,
    }
}

/// What the text says about a definition.
fn contents(all: &[Contents], id: Option<DefId>) -> Option<(Count, Option<&Triplets>)> {
    let at = all.binary_search_by_key(&id?, |contents| contents.definition).ok()?;
    all.get(at).map(|contents| (contents.entries, contents.literal.as_deref()))
}

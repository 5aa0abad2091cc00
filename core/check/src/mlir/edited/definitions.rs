//! Merges the definitions of two checks into one list, and renumbers them.
//!
//! A list of definitions has two parts: what the items of a text define, one after another, and then values, blocks and
//! functions, in the order of the text. The edited function has definitions in both.

use std::collections::HashMap;

use super::uses_in;
use crate::{
    Checked, DefId, Definition, DefinitionKind, NameUse,
    places::{self, Placed},
    sections::splits,
};
use nnz_base::source::Span;
use nnz_syntax::Edited;
use std::ops::Range;

/// The definitions of the function in a run: those of the old list, and those of the new check in their place.
struct Block {
    old: Range<usize>,
    part: Range<usize>,
}

impl Block {
    /// The number in the new list of one behind this block.
    fn shifted(&self, id: usize) -> usize {
        if self.old.end <= id { id - self.old.len() + self.part.len() } else { id }
    }
}

pub(super) struct Numbers {
    pub(super) definitions: Vec<Definition>,
    blocks: [Block; 2],
    /// Those in the blocks of the old list that are functions.
    functions_before: Vec<DefId>,
    /// The function's own number in the new list.
    function: DefId,
}

fn is_function(one: &Definition) -> bool {
    matches!(one.kind, DefinitionKind::Function)
}

/// Where the second run begins.
fn runs(definitions: &[Definition]) -> usize {
    let is_named = |kind: &DefinitionKind| {
        matches!(kind, DefinitionKind::Value | DefinitionKind::Block | DefinitionKind::Function)
    };
    definitions.partition_point(|one| !is_named(&one.kind))
}

/// The definitions of both runs that lie in `span`.
fn blocks(definitions: &[Definition], span: Span) -> [Range<usize>; 2] {
    let (first, second) = definitions.split_at(runs(definitions));
    let in_run = |run: &[Definition], from: usize| {
        let Range { start, end } = places::numbers(run, span);
        from + start..from + end
    };
    [in_run(first, 0), in_run(second, first.len())]
}

impl Numbers {
    /// `None` if the function has no name of its own.
    pub(super) fn of(mut definitions: Vec<Definition>, part: &Checked, edited: Edited) -> Option<Numbers> {
        let new = &part.symbols.definitions;
        let ([old_first, old_second], [first, second]) = (blocks(&definitions, edited.before), blocks(new, edited.now));
        let blocks = [Block { old: old_first, part: first }, Block { old: old_second, part: second }];
        let replaced = blocks.iter().flat_map(|block| block.old.clone());
        let functions_before =
            replaced.filter(|at| is_function(&definitions[*at])).map(|at| DefId(at as u32)).collect();
        definitions.iter_mut().for_each(|one| one.go(edited));
        for Block { old, part } in blocks.iter().rev() {
            definitions.splice(old.clone(), new[part.clone()].iter().cloned());
        }
        let is_own = |one: &Definition| is_function(one) && places::within(one.name, edited.now);
        let function = DefId(definitions.iter().position(is_own)? as u32);
        Some(Numbers { definitions, blocks, functions_before, function })
    }

    /// All uses with the definitions' new numbers; `None` if a use outside the function is of a value in it.
    pub(super) fn uses(&self, before: Vec<NameUse>, part: &Checked, edited: Edited) -> Option<Vec<NameUse>> {
        let at = places::numbers(&before, edited.before).start;
        let mut uses = places::merged(before, &[], edited);
        for used in &mut uses {
            used.definition = match used.definition {
                Some(id) => Some(self.of_old(id)?),
                None => None,
            };
        }
        let (aliases, functions) = (self.aliases(), self.functions(part, edited));
        let renumbered = |used: &NameUse| {
            let called = Some(part.source.slice(used.span)).filter(|text| text.starts_with('@'));
            let definition = match called {
                Some(name) => functions.get(name).copied(),
                None => used.definition.and_then(|id| self.of_part(part, id, &aliases)),
            };
            NameUse { span: used.span, definition }
        };
        uses.splice(at..at, uses_in(&part.symbols, edited.now).map(renumbered));
        Some(uses)
    }

    fn of_old(&self, id: DefId) -> Option<DefId> {
        let at = id.0 as usize;
        let [first, second] = &self.blocks;
        if first.old.contains(&at) || second.old.contains(&at) {
            return self.functions_before.contains(&id).then_some(self.function);
        }
        Some(DefId(first.shifted(second.shifted(at)) as u32))
    }

    fn of_part(&self, part: &Checked, id: DefId, aliases: &HashMap<Span, DefId>) -> Option<DefId> {
        let at = id.0 as usize;
        let [first, second] = &self.blocks;
        if first.part.contains(&at) {
            return Some(DefId((at - first.part.start + first.old.start) as u32));
        }
        if second.part.contains(&at) {
            return Some(DefId((at - second.part.start + first.shifted(second.old.start)) as u32));
        }
        aliases.get(&part.symbols.definition(id).name).copied()
    }

    fn numbered(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        self.definitions.iter().enumerate().map(|(at, one)| (DefId(at as u32), one))
    }

    /// The aliases of the text by their places.
    fn aliases(&self) -> HashMap<Span, DefId> {
        let items = self.numbered().take(runs(&self.definitions));
        let aliases = items.filter(|(_, one)| !matches!(one.kind, DefinitionKind::MapVariable(_)));
        aliases.map(|(id, one)| (one.name, id)).collect()
    }

    /// The functions of the section that the edited function is in; of one name the last.
    fn functions<'c>(&self, part: &'c Checked, edited: Edited) -> HashMap<&'c str, DefId> {
        let splits = splits(&part.tree);
        let section = |span: Span| splits.partition_point(|split| *split < span.start);
        let named = self.numbered().skip(runs(&self.definitions));
        let functions = named.filter(|(_, one)| is_function(one));
        let near = functions.filter(|(_, one)| section(one.name) == section(edited.now));
        near.map(|(id, one)| (part.source.slice(one.name), id)).collect()
    }
}

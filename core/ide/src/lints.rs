//! Legal encodings, and tensor types with them, that are probably unintended or cost something.
//!
//! Checks and editors report them; running a text does not.

mod fixes;
mod peer;
mod unused;
mod widths;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    ids::Dim,
    source::Span,
};
use nnz_check::{Checked, DefId, DefinitionKind, Grammar, mlir::splits, types::TypeSite};
use nnz_encoding::{Affine, Encoding};

/// The findings, in no order.
pub(crate) fn lints(checked: &Checked) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = checked.symbols.types.iter().flat_map(|site| of_type(checked, site)).collect();
    // What holds of a type is said where it first stands.
    let mut said = HashSet::new();
    found.retain(|one| said.insert((one.message.clone(), checked.source.slice(one.primary.span).to_string())));
    found.extend(same_encodings(checked));
    found.extend(widths::wide(checked));
    found.extend(unused::unused(checked));
    found
}

fn of_type<'c>(checked: &'c Checked, site: &'c TypeSite) -> impl Iterator<Item = Diagnostic> + use<'c> {
    let of = encoded(site);
    let blocks = of.and_then(|(encoding, shape)| padded_blocks(checked, site, (encoding, shape)));
    let narrow = of.and_then(|(encoding, shape)| widths::narrow(checked, site, (encoding, shape)));
    blocks.into_iter().chain(narrow).chain(peer::of_type(checked, site))
}

/// The encoding of a type, and its shape.
fn encoded(site: &TypeSite) -> Option<(&Arc<Encoding>, &[Option<u64>])> {
    let tensor = site.tensor.as_ref()?;
    Some((tensor.encoding.as_ref()?, &tensor.shape))
}

/// A dimension, and the size of its blocks.
fn block_of(expr: &Affine<Dim>) -> Option<(Dim, u64)> {
    let Affine::FloorDiv(what, by) = expr else { return None };
    let (Affine::Var(dim), Affine::Const(block)) = (what.as_ref(), by.as_ref()) else { return None };
    Some((*dim, u64::try_from(*block).ok()?))
}

/// The first dimension that its blocks do not divide.
fn padded_blocks(
    checked: &Checked,
    site: &TypeSite,
    (encoding, shape): (&Encoding, &[Option<u64>]),
) -> Option<Diagnostic> {
    let blocks = encoding.levels().iter().filter_map(|level| block_of(&level.expr));
    let mut sized = blocks.filter_map(|(dim, block)| Some((dim, shape.get(dim.index()).copied()??, block)));
    let (dim, size, block) = sized.find(|(_, size, block)| *block > 0 && size % block != 0)?;
    let message = format!("blocks of {block} do not divide {size}: the last ones are padded");
    let label = format!("{size} is {} * {block} + {}", size / block, size % block);
    let found = Diagnostic::new(Code::PaddedBlocks, checked.source.id, site.shape, message).label(label);
    let found = fixes::of_blocks(found, checked, site, (dim, size, block));
    Some(match checked.grammar {
        Grammar::Mlir => found.note("MLIR 22 loses entries of such a tensor, or aborts"),
        Grammar::Notation => found,
    })
}

/// Aliases of an encoding that has a name already.
fn same_encodings(checked: &Checked) -> Vec<Diagnostic> {
    let splits = splits(&checked.tree);
    let section = |at: Span| splits.partition_point(|split| *split <= at.start);
    let (mut alike, mut again) = (HashMap::<(usize, String), Vec<(DefId, &Encoding)>>::new(), Vec::new());
    for id in checked.symbols.definition_ids() {
        let definition = checked.symbols.definition(id);
        let DefinitionKind::Encoding(Some(encoding)) = &definition.kind else { continue };
        let alike = alike.entry((section(definition.name), likeness(encoding))).or_default();
        match alike.iter().find(|(_, known)| *known == &**encoding) {
            Some((known, _)) => again.push((*known, id)),
            None => alike.push((id, encoding)),
        }
    }
    let uses = uses_of(checked, &again);
    again.into_iter().filter_map(|(known, id)| same_encoding(checked, known, id, uses.get(&id))).collect()
}

/// Where the second of each pair is named. Most texts have no pair, and many uses.
fn uses_of(checked: &Checked, pairs: &[(DefId, DefId)]) -> HashMap<DefId, Vec<Span>> {
    let mut uses: HashMap<DefId, Vec<Span>> = pairs.iter().map(|(_, id)| (*id, Vec::new())).collect();
    for used in checked.symbols.uses.iter().take_while(|_| !pairs.is_empty()) {
        if let Some(places) = used.definition.and_then(|id| uses.get_mut(&id)) {
            places.push(used.span);
        }
    }
    uses
}

/// The same text for equal encodings.
fn likeness(encoding: &Encoding) -> String {
    let levels: Vec<_> = encoding.levels().iter().map(|level| (&level.expr, level.format)).collect();
    format!("{levels:?} {:?} {:?}", encoding.pos_width(), encoding.crd_width())
}

/// An unused alias is reported as unused.
fn same_encoding(checked: &Checked, known: DefId, id: DefId, uses: Option<&Vec<Span>>) -> Option<Diagnostic> {
    let (known, again) = (checked.symbols.definition(known), checked.symbols.definition(id));
    let uses: Vec<Span> = uses.into_iter().flatten().filter(|place| **place != again.name).copied().collect();
    let text = |place: Span| checked.source.slice(place);
    let (old, new) = (text(known.name), text(again.name));
    // A name that is defined twice is an error.
    if uses.is_empty() || old.trim_start_matches('#') == new.trim_start_matches('#') {
        return None;
    }
    let message = format!("`{new}` is the encoding of `{old}`");
    let found = Diagnostic::new(Code::SameEncoding, checked.source.id, again.name, message).label("the same again");
    let edit = |span: Span, replacement: &str| Edit { file: checked.source.id, span, replacement: replacement.into() };
    let mut edits: Vec<Edit> = uses.into_iter().map(|place| edit(place, old)).collect();
    edits.push(edit(again.whole, ""));
    edits.sort_by_key(|edit| edit.span.start);
    let title = format!("use `{old}` everywhere");
    Some(found.secondary(known.name, "named here").fix_edits(title, edits, Applicability::MaybeIncorrect))
}

#[cfg(test)]
mod tests {
    use nnz_base::{diagnostic::Code, ids::FileId, source::Source};
    use nnz_check::{Checked, mlir::check_mlir};

    use super::lints;

    fn checked(text: &str) -> Checked {
        check_mlir(&Source::new(FileId(0), "any", text))
    }

    /// The text with every edit of the first fix of the only finding.
    fn mended(text: &str, code: Code) -> String {
        let found = lints(&checked(text));
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(one.code, code);
        let mut text = text.to_string();
        one.fixes[0].edits.iter().rev().for_each(|edit| text.replace_range(edit.span.range(), &edit.replacement));
        text
    }

    #[test]
    fn fixes_leave_nothing_to_tell_of() {
        let rows = "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = 64 }>\n";
        let two = format!("#A = {rows}#B = {rows}func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>)\n");
        let wide = format!("#A = {rows}func.func private @f(tensor<4000x4000xf64, #A>)\n");
        let narrow = wide.replace("64 }", "8 }");
        let two_blocks = "#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, \
            i mod 4 : dense, j mod 4 : dense) }>\nfunc.func private @f(tensor<9x8xf64, #A>)\n";
        let padded = [two_blocks.to_string(), two_blocks.replace("9x8", "8x7")].map(|text| (text, Code::PaddedBlocks));
        let cases = [(two, Code::SameEncoding), (wide, Code::WideWidth), (narrow, Code::NarrowWidth)];
        for (text, code) in cases.into_iter().chain(padded) {
            let after = checked(&mended(&text, code));
            assert!(after.diagnostics.is_empty() && lints(&after).is_empty(), "{:?}", after.diagnostics);
        }
    }
}

//! How an encoding, a type or a tensor is stored: its levels, their arrays, their bytes.

use std::sync::Arc;

use super::{
    Drawn, Said, Section, example,
    layout::{block, join_if_fits},
    words,
};
use nnz_check::{Checked, Contents, TensorType, scope::PartialType};
use nnz_encoding::{Encoding, named};
use nnz_storage::{
    generate::Count,
    model::{self, ArrayModel, LevelModel, StorageModel, Sure},
};
use nnz_view::number::grouped;

/// A name of an encoding: what it stores of any tensor, and of a small one.
pub(super) fn of_encoding(checked: &Checked, name: &str, encoding: &Arc<Encoding>) -> Said {
    let title = Section::Text(format!("**`{name}`** = `{}`", words::map_text(encoding)));
    let example = example::of(checked, encoding);
    let shown = example.as_ref().map(|example| example.section());
    let levels = block(&level_lines(&model::of_encoding(encoding, None, &[])));
    let sections = [title, levels].into_iter().chain(shown).chain(names_section(encoding));
    let drawn = example.map(|example| Drawn::Tensor(Arc::new(example.storage)));
    Said { sections: sections.collect(), drawn }
}

pub(super) fn of_type(name: &str, tensor: &TensorType) -> Option<Said> {
    let encoding = tensor.encoding.as_ref()?;
    let title = Section::Text(format!("**`{name}`**"));
    let model = model::of_encoding(encoding, Some(tensor.element), &tensor.shape);
    let sections = [title, typed_block(&model)].into_iter().chain(names_section(encoding)).collect();
    Some(Said { sections, drawn: Some(Drawn::Like(encoding.clone())) })
}

/// A tensor of the nnz notation, as far as its type and its entries are known.
pub(super) fn of_tensor(name: &str, ty: &PartialType, contents: Option<&Contents>) -> Said {
    let title = Section::Text(format!("**`{name}`**: `{ty}`"));
    let Some(encoding) = ty.format.as_ref().and_then(|format| format.encoding()) else {
        return Said::of([title].into_iter().chain(plain_text(ty).map(Section::Text)).collect());
    };
    let sizes = ty.shape.as_deref().unwrap_or_default();
    let model = model::of_encoding(encoding, ty.element, sizes);
    let literal = contents.and_then(|contents| contents.literal.as_deref());
    if let Some(example) = literal.and_then(|entries| example::of_entries(name, entries, encoding)) {
        let sections = vec![title, block(&array_lines(&model)), example.section()];
        return Said { sections, drawn: Some(Drawn::Tensor(Arc::new(example.storage))) };
    }
    let told = contents.map(|contents| counted_lines(&model, contents.entries));
    let lines = told.map(|told| [array_lines(&model), told].concat());
    let storage = lines.map_or_else(|| typed_block(&model), |lines| block(&lines));
    Said { sections: vec![title, storage], drawn: Some(Drawn::Like(encoding.clone())) }
}

/// The bytes of a plain array.
fn plain_text(ty: &PartialType) -> Option<String> {
    let places = ty.sizes()?.into_iter().try_fold(1u64, u64::checked_mul)?;
    let bytes = places.checked_mul(ty.element?.bytes() as u64)?;
    Some(format!("a plain array, row-major: {} values, {} bytes", grouped(places), grouped(bytes)))
}

/// The levels of a type, and its bytes at some densities.
pub(super) fn typed_block(model: &StorageModel) -> Section {
    let densities = density_lines(model);
    match densities.is_empty() {
        true => block(&level_lines(model)),
        false => block(&[array_lines(model), bytes_line(model).into_iter().collect(), densities].concat()),
    }
}

/// The same format in the words of other systems.
pub(super) fn names_section(encoding: &Encoding) -> Option<Section> {
    let names: Vec<String> =
        named::names_of(encoding).pairs().iter().map(|(system, name)| format!("{system} `{name}`")).collect();
    (!names.is_empty()).then(|| Section::Text(names.join(" · ")))
}

/// The level tree with its arrays, their sizes and the bytes in all.
fn level_lines(model: &StorageModel) -> Vec<String> {
    let mut lines = array_lines(model);
    lines.extend(bytes_line(model));
    lines.extend(legend_line(model));
    lines
}

fn array_lines(model: &StorageModel) -> Vec<String> {
    let values = format!("values    {}", array_text(&model.values));
    model.levels.iter().flat_map(level_line).chain([values]).collect()
}

fn bytes_line(model: &StorageModel) -> Option<String> {
    model.bytes().map(|bytes| format!("bytes     {bytes}"))
}

/// `bytes     7,900,808 for 448,800 entries`
fn counted_lines(model: &StorageModel, entries: Count) -> Vec<String> {
    let (most, limit) = match entries {
        Count::Exactly(count) => (count, ""),
        Count::AtMost(count) => (count, "at most "),
    };
    let of = format!("{limit}{} entries", grouped(most));
    match model.bytes_with(most) {
        Some(estimate) => {
            let sure = if limit.is_empty() { estimate.sure } else { Sure::AtMost };
            vec![format!("bytes     {}{} for {of}", sure.word(), bytes_text(estimate.bytes))]
        }
        None => bytes_line(model).into_iter().chain([format!("entries   {of}")]).chain(legend_line(model)).collect(),
    }
}

/// What a tensor of known sizes takes where one place of a hundred has an entry, and one in each row; and as a plain array.
fn density_lines(model: &StorageModel) -> Vec<String> {
    let sizes: Option<Vec<u64>> = model.dims.iter().map(|(_, size)| u64::try_from(size.value()?).ok()).collect();
    let Some((sizes, element)) = sizes.zip(model.element) else { return Vec::new() };
    let Some(places) = sizes.iter().try_fold(1u64, |places, size| places.checked_mul(*size)) else { return Vec::new() };
    let line = |head: &str, entries: u64| {
        let estimate = model.bytes_with(entries)?;
        let bytes = bytes_text(estimate.bytes);
        Some(format!("{head:<8}  {}{bytes} bytes, {} entries", estimate.sure.word(), grouped(entries)))
    };
    let rows = sizes.first().copied().filter(|_| sizes.len() > 1);
    let sparse = [line("1 %", places.div_ceil(100)), rows.and_then(|rows| line("1 a row", rows))];
    let plain = bytes_text(u128::from(places) * element.bytes() as u128);
    let sparse: Vec<String> = if model.legend.is_empty() { Vec::new() } else { sparse.into_iter().flatten().collect() };
    if sparse.is_empty() { Vec::new() } else { [sparse, vec![format!("plain     {plain} bytes")]].concat() }
}

fn bytes_text(bytes: u128) -> String {
    u64::try_from(bytes).map_or_else(|_| bytes.to_string(), grouped)
}

fn level_line(level: &LevelModel) -> Vec<String> {
    let head = format!("lvl {}  {} : {}", level.lvl.index(), level.expr, level.format);
    let cost = words::access_cost(level.format);
    let arrays: Vec<String> =
        level.arrays.iter().map(|array| format!("{}{}", &array.role.name(level.lvl)[..3], array_text(array))).collect();
    let mut lines = join_if_fits(&head, &format!("size {}, {cost}", level.size));
    if !arrays.is_empty() {
        lines.push(format!("       {}", arrays.join(" · ")));
    }
    lines
}

/// `[8 * nnz] index`
fn array_text(array: &ArrayModel) -> String {
    format!("[{}] {}", array.length, array.type_name)
}

fn legend_line(model: &StorageModel) -> Option<String> {
    let terms: Vec<String> = model.legend.iter().map(|(name, meaning)| format!("{name}: {meaning}")).collect();
    (!terms.is_empty()).then(|| terms.join("; "))
}

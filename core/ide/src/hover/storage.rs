//! How an encoding, a type or a tensor is stored: its levels, their arrays, their bytes.

use std::sync::Arc;

use super::{
    Drawn, Said, Section, example,
    layout::{COLUMNS, LINES, block, join_if_fits, wrap},
    named, plain, words,
};
use nnz_check::{
    Checked, Contents, TensorType,
    scope::{FormatPart, PartialType},
};
use nnz_encoding::{Encoding, named::names_of};
use nnz_storage::{
    generate::Count,
    model::{self, ArrayModel, LevelModel, StorageModel, Sure},
};
use nnz_view::number::grouped;

/// A name of an encoding: what it stores of any tensor, and of a small one.
pub(super) fn of_encoding(checked: &Checked, name: &str, encoding: &Arc<Encoding>) -> Said {
    let model = model::of_encoding(encoding, None, &[]);
    let example = example::of(checked, encoding);
    let arrays = in_sight(&model, example.as_ref().map(example::Example::lines));
    let legend = legend_line(&model).map(Section::Text);
    let sections = [title(name, encoding)].into_iter().chain(arrays).chain(legend).chain(names_section(encoding));
    let drawn = example.map(|example| Drawn::Tensor(Arc::new(example.storage)));
    Said { sections: sections.collect(), drawn }
}

/// With the map, if that fits on a line; the levels below repeat it.
fn title(name: &str, encoding: &Encoding) -> Section {
    let map = words::map_text(encoding);
    let fits = name.chars().count() + map.chars().count() + 3 <= COLUMNS;
    Section::Text(if fits { format!("**`{name}`** = `{map}`") } else { format!("**`{name}`**") })
}

/// The lines that are seen without scrolling, below a title and a line about it.
const IN_SIGHT: usize = LINES - 2;

/// The levels with their arrays, and the arrays of an example: in as few words as it takes to see them all at once.
fn in_sight(model: &StorageModel, example: Option<Vec<String>>) -> Vec<Section> {
    let example = example.unwrap_or_default();
    let height = |lines: &[String]| lines.iter().map(|line| wrap(line, 7).len()).sum::<usize>();
    let levels = Some(array_lines(model)).filter(|levels| height(levels) + example.len() <= IN_SIGHT);
    let levels = levels.unwrap_or_else(|| short_lines(model));
    let shown = height(&levels) + example.len() <= IN_SIGHT && !example.is_empty();
    [block(&levels)].into_iter().chain(shown.then(|| block(&example))).collect()
}

/// One line for each level, if it fits: its arrays, or its size where it has none.
fn short_lines(model: &StorageModel) -> Vec<String> {
    let values = format!("values    {}", array_text(&model.values));
    let level = |level: &LevelModel| {
        let arrays = arrays_of(level);
        let text = if arrays.is_empty() { format!("size {}", level.size) } else { arrays };
        join_if_fits(&head_of(level), &text)
    };
    model.levels.iter().flat_map(level).chain([values]).collect()
}

/// A tensor type.
pub(super) fn of_type(name: &str, tensor: &TensorType) -> Said {
    let Some(encoding) = tensor.encoding.as_ref() else {
        return named::titled(name, &plain::array_text(Some(&tensor.shape), tensor.element));
    };
    let title = Section::Text(format!("**`{name}`**"));
    let model = model::of_encoding(encoding, Some(tensor.element), &tensor.shape);
    let sections = [title, typed_block(&model)].into_iter().chain(names_section(encoding)).collect();
    Said { sections, drawn: Some(Drawn::Like(encoding.clone())) }
}

/// A tensor of the nnz notation, as far as its type and its entries are known.
pub(super) fn of_tensor(name: &str, ty: &PartialType, contents: Option<&Contents>) -> Said {
    let ty = contents.and_then(|contents| contents.read.as_deref()).unwrap_or(ty);
    // Of a file that is not read yet, not even the element type is known.
    let known = ty.format_name.clone().filter(|_| ty.element.is_none()).unwrap_or_else(|| ty.to_string());
    let title = Section::Text(format!("**`{name}`**: `{known}`"));
    if let Some(parts) = ty.parts() {
        let sizes = ty.shape.as_deref().unwrap_or_default();
        let of_part = |part: &FormatPart| typed_block(&model::of_encoding(&part.encoding, ty.element, sizes));
        return Said::of([title].into_iter().chain(parts.iter().map(of_part)).collect());
    }
    let Some(encoding) = ty.format.as_ref().and_then(|format| format.encoding()) else {
        let plain = ty.element.map(|element| Section::Text(plain::array_text(ty.shape.as_deref(), element)));
        return Said::of([title].into_iter().chain(plain).collect());
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

/// The levels of a type, and its bytes at some densities.
pub(super) fn typed_block(model: &StorageModel) -> Section {
    let densities = density_lines(model);
    match densities.is_empty() {
        true => block(&level_lines(model)),
        false => block(&[array_lines(model), bytes_line(model).into_iter().collect(), densities].concat()),
    }
}

/// The same format in the words of other systems; what is longer than a line spells the levels out once more.
pub(super) fn names_section(encoding: &Encoding) -> Option<Section> {
    let known = names_of(encoding).pairs();
    let is_name = |(_, name): &&_| AsRef::<str>::as_ref(name).chars().count() <= COLUMNS;
    let names: Vec<String> = known.iter().filter(is_name).map(|(system, name)| format!("{system} `{name}`")).collect();
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
    let of = format!("{limit}{} {}", grouped(most), if most == 1 { "entry" } else { "entries" });
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
        let noun = if entries == 1 { "entry" } else { "entries" };
        Some(format!("{head:<8}  {}{bytes} bytes, {} {noun}", estimate.sure.word(), grouped(entries)))
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
    let cost = level.format.find();
    let arrays = arrays_of(level);
    let mut lines = join_if_fits(&head_of(level), &format!("size {}, {cost}", level.size));
    if !arrays.is_empty() {
        lines.push(format!("       {arrays}"));
    }
    lines
}

fn head_of(level: &LevelModel) -> String {
    format!("lvl {}  {} : {}", level.lvl.index(), level.expr, level.format)
}

/// `pos[5] index · crd[nnz] index`
fn arrays_of(level: &LevelModel) -> String {
    let text = |array: &ArrayModel| format!("{}{}", &array.role.name(level.lvl)[..3], array_text(array));
    level.arrays.iter().map(text).collect::<Vec<_>>().join(" · ")
}

/// `[8 * nnz] index`
fn array_text(array: &ArrayModel) -> String {
    format!("[{}] {}", array.length, array.type_name)
}

fn legend_line(model: &StorageModel) -> Option<String> {
    let terms: Vec<String> = model.legend.iter().map(|(name, meaning)| format!("{name}: {meaning}")).collect();
    (!terms.is_empty()).then(|| terms.join("; "))
}

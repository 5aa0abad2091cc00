//! Historic forms of encodings (2020 to 2024), each accepted with a warning and a machine-applicable fix: the
//! `dimLevelType` attributes of 2021, the `lvlTypes` of 2023, level names with suffixes, block2_4.

use super::{
    Checker, DimPlaces, LevelPlaces, Places, entry as entries,
    level::{is_level_format, report_unknown_format},
    map::{AffineMapParts, Holder, read_affine_map},
};
use nnz_base::{
    arrays::Width,
    diagnostic::{Code, counted},
    ids::Dim,
    source::Span,
};
use nnz_encoding::{Affine, Dimension, Encoding, EncodingParts, Layout, Level, LevelFormat, NOutOfM, Props, Slice};
use nnz_syntax::{NodeKind, NodeRef};

/// The keys of the forms before `map`, which together correspond to the map.
pub(super) const LEVEL_KEYS: &[&str] =
    &["dimLevelType", "lvlTypes", "lvlType", "dimOrdering", "dimToLvl", "higherOrdering", "dimSlices"];

/// `pointerBitWidth`, `indexBitWidth`
pub(super) fn warn_key(entry: NodeRef<'_>, new: &str, c: &mut Checker<'_>) {
    let Some(token) = entry.first_token() else { return };
    let (old, key) = (token.text(), token.span());
    let diagnostic =
        c.diagnostic(Code::HistoricEncoding, key, format!("`{old}` is now called `{new}`")).label("its old name");
    c.report(diagnostic.respelt(format!("write `{new}`"), key, new));
}

// Levels by their historic names.

/// The property that turned `compressed` into today's `loose_compressed`.
pub(super) const HIGH: &str = "high";

/// The level format of a historic name and properties; `None` for today's names.
pub(super) fn level_format(name: &str, props: &[NodeRef<'_>], ty: NodeRef<'_>) -> Option<LevelFormat> {
    let flags: Vec<&str> = props.iter().map(|prop| prop.text()).collect();
    if flags.contains(&HIGH) && name == "compressed" {
        return Some(LevelFormat::LooseCompressed(Props::default()));
    }
    if name == "n_out_of_m" {
        let sizes = ty.child(NodeKind::LvlSizes)?;
        let mut sizes = sizes.children_of(NodeKind::LvlProp).map(|size| size.text().parse().ok());
        return NOutOfM::new(sizes.next()??, sizes.next()??).map(LevelFormat::Structured);
    }
    old_name(name)
}

/// A historic name without properties: `compressed-nu-no`, `compressed24`, `block2_4`, `2out4`.
fn old_name(name: &str) -> Option<LevelFormat> {
    if name == "compressed24" {
        return NOutOfM::new(2, 4).map(LevelFormat::Structured);
    }
    let block = name.strip_prefix("block").and_then(|sizes| sizes.split_once('_')).or_else(|| name.split_once("out"));
    if let Some((n, m)) = block.and_then(|(n, m)| Some((n.parse().ok()?, m.parse().ok()?))) {
        return NOutOfM::new(n, m).map(LevelFormat::Structured);
    }
    let (base, suffixes) = name.split_once(['-', '_'])?;
    let suffixes: Vec<&str> = suffixes.split(['-', '_']).collect();
    if !suffixes.iter().all(|suffix| matches!(*suffix, "nu" | "no" | "hi")) {
        return None;
    }
    let props = Props { nonunique: suffixes.contains(&"nu"), nonordered: suffixes.contains(&"no") };
    match (base, suffixes.contains(&"hi")) {
        ("compressed", false) => Some(LevelFormat::Compressed(props)),
        ("compressed", true) => Some(LevelFormat::LooseCompressed(props)),
        ("singleton", false) => Some(LevelFormat::Singleton { props, layout: Layout::Aos }),
        _ => None,
    }
}

pub(super) fn accept_level(ty: NodeRef<'_>, format: LevelFormat, c: &mut Checker<'_>) -> Option<LevelFormat> {
    warn_level(ty, format, c);
    Some(format)
}

pub(super) fn warn_level(ty: NodeRef<'_>, format: LevelFormat, c: &mut Checker<'_>) {
    let message = format!("`{}` is a historic spelling of `{format}`", ty.text());
    let diagnostic = c.diagnostic(Code::HistoricEncoding, ty.span(), message).label(format!("today `{format}`"));
    c.report(diagnostic.respelt(format!("write `{format}`"), ty.span(), format.to_string()));
}

// The attributes of 2021 to 2023.

/// Fills in the map that `dimLevelType`, `dimOrdering` and the like describe.
pub(super) fn read_levels(
    node: NodeRef<'_>,
    entries: &entries::Entries<'_>,
    parts: &mut EncodingParts,
    places: &mut Places,
    c: &mut Checker<'_>,
) {
    if let Some(map) = entries.map {
        let key = entries.historic[0].first_token().map_or(node.span(), |token| token.span());
        let diagnostic =
            c.diagnostic(Code::UnknownKey, key, "a map already says what this historic key says").label("said twice");
        return c.report(diagnostic.secondary(map.span(), "the map").help("remove the key"));
    }
    let value = |keys: &[&str], kind| find(entries, keys).filter(move |value: &NodeRef<'_>| value.kind() == kind);
    let Some(types) = value(&["dimLevelType", "lvlTypes", "lvlType"], NodeKind::Array) else {
        if let Some(other) = find(entries, &["dimLevelType", "lvlTypes", "lvlType"]) {
            let words: Vec<&str> = other.text().trim_matches('"').split(',').map(str::trim).collect();
            let list = format!("[\"{}\"]", words.join("\", \""));
            let diagnostic = c.diagnostic(Code::NoMap, other.span(), "the formats of levels are a list in brackets");
            return c.report(diagnostic.label("not a list").fix(format!("write `{list}`"), other.span(), list));
        }
        let diagnostic = c.diagnostic(Code::NoMap, node.span(), "an encoding needs a map").label("names no levels");
        return c.report(diagnostic.help("`dimLevelType` or `lvlTypes` is missing"));
    };
    let formats: Vec<(Span, Option<LevelFormat>)> =
        types.children().map(|name| (name.span(), read_level_name(name, c))).collect();
    if other_orderings(entries, c) {
        return;
    }
    let ordering = value(&["dimOrdering", "dimToLvl"], NodeKind::AffineMap);
    let higher = value(&["higherOrdering"], NodeKind::AffineMap);
    places.map = ordering.or(higher).map_or(places.map, |map| map.span());
    let read = |map: Option<NodeRef<'_>>, c: &mut Checker<'_>| map.map(|map| OldMap::read(map, c));
    let (ordering, higher) = (read(ordering, c), read(higher, c));
    let rank = ordering.as_ref().or(higher.as_ref()).map_or(formats.len(), |map| map.dims.len());
    let map = compose(ordering, higher).unwrap_or_else(|| OldMap::identity(rank));
    fill(parts, places, map, &formats, node, c);
    if let Some(slices) = value(&["dimSlices"], NodeKind::Array) {
        read_slices(slices, parts);
    }
}

/// Reports an order that is not an affine map: without it the levels would be in another order.
fn other_orderings(entries: &entries::Entries<'_>, c: &mut Checker<'_>) -> bool {
    let orders = |key: &str| matches!(key, "dimOrdering" | "dimToLvl" | "higherOrdering");
    let mut found = false;
    for entry in &entries.historic {
        let Some(key) = entry.first_token().filter(|key| orders(key.text())) else { continue };
        let value = entry.children().next();
        if value.is_some_and(|value| value.kind() == NodeKind::AffineMap) {
            continue;
        }
        found = true;
        let span = value.map_or(key.span(), |value| value.span());
        let diagnostic = c.diagnostic(Code::NoMap, span, format!("`{}` is an affine map", key.text()));
        let diagnostic = diagnostic.label("says no order");
        c.report(match value.and_then(permutation) {
            Some(map) => diagnostic.guess(span, map),
            None => diagnostic.help("as in `affine_map<(i, j) -> (j, i)>`"),
        });
    }
    found
}

/// The map that a list of dimensions may mean, `[1, 0]`: that of each level.
fn permutation(list: NodeRef<'_>) -> Option<String> {
    let dims: Vec<usize> = list.children().map(|item| item.text().parse().ok()).collect::<Option<_>>()?;
    let mut sorted = dims.clone();
    sorted.sort_unstable();
    let names =
        |dims: &mut dyn Iterator<Item = usize>| dims.map(|dim| format!("d{dim}")).collect::<Vec<_>>().join(", ");
    let whole = list.kind() == NodeKind::Array && !dims.is_empty() && sorted.into_iter().eq(0..dims.len());
    let (from, to) = (names(&mut (0..dims.len())), names(&mut dims.iter().copied()));
    whole.then(|| format!("affine_map<({from}) -> ({to})>"))
}

fn find<'t>(entries: &entries::Entries<'t>, keys: &[&str]) -> Option<NodeRef<'t>> {
    let entry =
        entries.historic.iter().find(|entry| entry.first_token().is_some_and(|key| keys.contains(&key.text())))?;
    entry.children().next()
}

fn level_word(name: &str) -> Option<LevelFormat> {
    match name {
        "dense" => Some(LevelFormat::Dense),
        "compressed" => Some(LevelFormat::Compressed(Props::default())),
        "singleton" => Some(LevelFormat::Singleton { props: Props::default(), layout: Layout::Aos }),
        "loose-compressed" | "loose_compressed" => Some(LevelFormat::LooseCompressed(Props::default())),
        other => old_name(other),
    }
}

fn read_level_name(value: NodeRef<'_>, c: &mut Checker<'_>) -> Option<LevelFormat> {
    let name = value.text().trim_matches('"');
    let plain = level_word(name);
    if plain.is_none() {
        let at = value.span();
        let quoted = value.text().starts_with('"') && at.len() > 2;
        let inside = if quoted { Span::new(at.start as usize + 1, at.end as usize - 1) } else { at };
        if is_level_format(name) {
            let message = format!("`{name}` was no level type of the historic form");
            let diagnostic = c.diagnostic(Code::UnknownLevelFormat, inside, message);
            c.report(diagnostic.label("stands in a map").help(format!("as in `map = (i) -> (i : {name})`")));
        } else {
            let meant = report_unknown_format(inside, name, c);
            return meant.map(|meant| level_word(meant).unwrap_or(LevelFormat::Dense));
        }
    }
    plain
}

/// A map of dimensions to levels without formats.
pub(crate) struct OldMap {
    pub(crate) dims: Vec<String>,
    symbols: Vec<String>,
    pub(crate) levels: Vec<Affine<Dim>>,
}

impl OldMap {
    pub(crate) fn identity(rank: usize) -> OldMap {
        let names = ["i", "j", "k", "l", "m", "n", "o", "p"];
        let dims = (0..rank).map(|at| names.get(at).map_or(format!("i{at}"), |name| name.to_string())).collect();
        OldMap { dims, symbols: Vec::new(), levels: (0..rank).map(|at| Affine::Var(Dim::new(at))).collect() }
    }

    pub(crate) fn read(map: NodeRef<'_>, c: &mut Checker<'_>) -> OldMap {
        let AffineMapParts { dims, symbols, results } = read_affine_map(map, Holder::Encoding, c);
        OldMap { dims, symbols, levels: results.into_iter().flatten().collect() }
    }
}

/// `higher` after `ordering`.
fn compose(ordering: Option<OldMap>, higher: Option<OldMap>) -> Option<OldMap> {
    match (ordering, higher) {
        (Some(ordering), Some(higher)) => {
            let put_in = |dim: Dim| ordering.levels.get(dim.index()).cloned().unwrap_or(Affine::Var(dim));
            let levels = higher.levels.iter().map(|level| level.substitute(&put_in)).collect();
            Some(OldMap { dims: ordering.dims.clone(), symbols: higher.symbols, levels })
        }
        (one, other) => one.or(other),
    }
}

fn fill(
    parts: &mut EncodingParts,
    places: &mut Places,
    map: OldMap,
    formats: &[(Span, Option<LevelFormat>)],
    node: NodeRef<'_>,
    c: &mut Checker<'_>,
) {
    if map.levels.len() != formats.len() {
        let (types, levels) = (counted(formats.len(), "level type"), counted(map.levels.len(), "level"));
        let listed = formats.iter().map(|(span, _)| *span).reduce(Span::cover).unwrap_or(node.span());
        let message = format!("{types} for an ordering of {levels}");
        let diagnostic = c.diagnostic(Code::LevelVariables, listed, message).label(types);
        let diagnostic = diagnostic.help("an ordering permutes the dimensions, and each has one level type");
        let ordering = node.descendants().find(|node| node.kind() == NodeKind::AffineMap);
        c.report(match ordering {
            Some(ordering) => diagnostic.secondary(ordering.span(), levels),
            None => diagnostic,
        });
        return;
    }
    let whole = node.span();
    places.dims = map.dims.iter().map(|_| DimPlaces { name: whole, inverse: None, slice: None }).collect();
    parts.dims = map.dims.into_iter().map(|name| Dimension { name, slice: None }).collect();
    parts.symbols = map.symbols;
    for (expr, (span, format)) in map.levels.into_iter().zip(formats) {
        let format = format.unwrap_or(LevelFormat::Dense);
        let place = LevelPlaces { whole: *span, expr: *span, format: *span };
        // `compressed24` blocked its dimension by itself.
        if let (LevelFormat::Structured(block), Some(_)) = (format, expr.as_var())
            && let Ok(m) = i64::try_from(block.m())
        {
            parts.levels.push(Level { name: None, expr: expr.clone().floordiv_const(m), format: LevelFormat::Dense });
            parts.levels.push(Level { name: None, expr: expr.mod_const(m), format });
            places.levels.extend([place, place]);
        } else {
            parts.levels.push(Level { name: None, expr, format });
            places.levels.push(place);
        }
    }
}

/// `[ (0, 4, 1), (0, 8, ?) ]`
fn read_slices(slices: NodeRef<'_>, parts: &mut EncodingParts) {
    for (dim, tuple) in parts.dims.iter_mut().zip(slices.children_of(NodeKind::Tuple)) {
        let mut numbers = tuple.children().map(|number| number.text().parse().ok());
        let (offset, size, stride) = (numbers.next(), numbers.next(), numbers.next());
        dim.slice = Some(Slice { offset: offset.flatten(), size: size.flatten(), stride: stride.flatten() });
    }
}

/// One warning for all historic keys of an encoding, with the whole of it rewritten.
pub(super) fn offer_modern_form(
    node: NodeRef<'_>,
    entries: &entries::Entries<'_>,
    encoding: &Encoding,
    whole: bool,
    c: &mut Checker<'_>,
) {
    let mut keys = entries.historic.iter().filter_map(|entry| entry.first_token());
    let Some(first) = keys.next() else { return };
    let message = format!("`{}` is a historic form of `map`", first.text());
    let diagnostic = c.diagnostic(Code::HistoricEncoding, first.span(), message).label("today a part of `map`");
    let diagnostic = keys.fold(diagnostic, |d, key| d.secondary(key.span(), "a historic key, too"));
    // Beside a mistake in another key it would take that away.
    c.report(match whole {
        true => diagnostic.respelt("write it as a map", node.span(), encoding.to_string()),
        false => diagnostic,
    });
}

/// The width that a type of 2020 stands for: `i32`, `index`.
pub(crate) fn width_of_type(name: &str) -> Option<Width> {
    [Width::Index, Width::W8, Width::W16, Width::W32, Width::W64].into_iter().find(|width| width.type_name() == name)
}

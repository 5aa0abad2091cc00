//! Encodings: from the syntax tree to an [`Encoding`]. Each broken rule is reported at the wrong token.
//!
//! `map` reads maps, `level` level types, `entry` the keys besides the map; `rules` puts the verifier's findings into
//! words; `legacy` reads historic forms.

use std::sync::Arc;

use super::{Checker, DefinitionKind, EncodingSite, Grammar, checker::Alias};
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean, nearest_first},
    source::Span,
};
use nnz_encoding::{Encoding, EncodingParts, named};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

pub(super) mod entry;
pub(super) mod legacy;
pub(super) mod level;
pub(super) mod map;
mod misspelt;
mod rules;
pub(crate) mod slice;

pub use misspelt::SPARSE_ATTRIBUTES;

/// The notation of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `map = (i, j) -> (i floordiv 2 : dense, ...)`
    Mlir,
    /// A bare map, as NVIDIA's Universal Sparse Tensor writes formats: `(i, j) -> (i / 2 : dense, ...)`
    Ust,
}

/// Where the parts of an encoding are written.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub whole: Span,
    pub map: Span,
    pub dims: Vec<DimPlaces>,
    pub levels: Vec<LevelPlaces>,
    pub pos_width: Option<Span>,
    pub crd_width: Option<Span>,
    pub explicit_val: Option<Span>,
    pub implicit_val: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DimPlaces {
    pub name: Span,
    pub inverse: Option<Span>,
    pub slice: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LevelPlaces {
    pub whole: Span,
    pub expr: Span,
    pub format: Span,
}

impl Places {
    pub(super) fn new(whole: Span) -> Self {
        let (dims, levels) = (Vec::new(), Vec::new());
        let (pos_width, crd_width, explicit_val, implicit_val) = (None, None, None, None);
        Self { whole, map: whole, dims, levels, pos_width, crd_width, explicit_val, implicit_val }
    }
}

/// The encoding of a node `Encoding`, `Map`, `AliasRef` or `FormatName`; `None` for other nodes, and for a
/// broken encoding, which is reported.
pub fn encoding_of(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    encoding_for_rank(node, None, c)
}

/// The same for a known rank of the tensor, on which `CSF` and `COO` depend.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
pub(crate) fn encoding_for_rank(node: NodeRef<'_>, rank: Option<usize>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    match node.kind() {
        NodeKind::AliasRef => record_name(node, reference_to(node, c), c),
        NodeKind::Encoding => written_encoding(node, c),
        NodeKind::Map => bare_map(node, c),
        NodeKind::FormatName => {
            let encoding = named_format(node, rank, c);
            record_name(node, encoding, c)
        }
        NodeKind::Value => {
            c.misspells_encoding(node);
            None
        }
        _ => None,
    }
}

fn record_name(node: NodeRef<'_>, encoding: Option<Arc<Encoding>>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    c.record_encoding(EncodingSite { span: node.span(), encoding: encoding.clone(), dims: vec![], levels: vec![] });
    encoding
}

/// Resolves `#name` and records the use; an unknown name is reported.
pub(super) fn reference_to(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    match c.alias(node.text()) {
        Some(Alias::Imported(encoding)) => Some(encoding),
        Some(Alias::Local(id)) => {
            c.record_use(node.span(), Some(id));
            if let DefinitionKind::Encoding(encoding) = &c.symbols.definition(id).kind {
                encoding.clone()
            } else {
                None
            }
        }
        None => {
            c.record_use(node.span(), None);
            unknown_alias(node, c);
            None
        }
    }
}

fn unknown_alias(node: NodeRef<'_>, c: &mut Checker<'_>) {
    // It may be defined in a file that is in use and was not read, or has errors.
    if c.uses_unread_files {
        return;
    }
    let name = node.text();
    let span = node.span();
    let begins = |known: &&str| known.len() > 2 && (name.starts_with(known) || known.starts_with(name));
    let bare = name.trim_start_matches('#');
    let format = named::FORMATS.iter().find(|format| format.name == bare);
    // `#CSC` is no slip of `#CSR`.
    let fits = |known: &&str| format.is_none() || known.eq_ignore_ascii_case(name);
    let names = || c.alias_names().into_iter().filter(fits);
    let nearest = did_you_mean(name, names()).or_else(|| names().find(begins)).map(str::to_string);
    if nearest.is_none() && !c.is_first_use(name) {
        return;
    }
    let mut diagnostic =
        c.diagnostic(Code::UnknownAlias, span, format!("`{name}` is not defined")).label("no such alias");
    if let Some(later) = c.later_aliases.get(name).copied() {
        diagnostic = diagnostic.secondary(later, "defined here, below its first use").help("move the definition up");
    } else if let Some(nearest) = nearest {
        if let Some(Alias::Local(id)) = c.aliases.get(&nearest) {
            c.meant.push(*id);
        }
        diagnostic = diagnostic.guess(span, nearest);
    } else if let Some(encoding) = format.and_then(|format| named::lookup(format.name, &[], None).ok()) {
        diagnostic = match c.grammar {
            Grammar::Mlir => {
                let definition = format!("{name} = {encoding}\n");
                diagnostic.fix(format!("define it as {bare}"), Span::at(section_start(node)), definition)
            }
            Grammar::Notation => {
                diagnostic.fix(format!("write out the encoding of {bare}"), span, encoding.to_string())
            }
        };
    } else {
        diagnostic = diagnostic.help(format!("define it above: `{name} = {}`", value_meant(node)));
    }
    c.report(diagnostic);
}

/// What an undefined name stands for, by what is in front of it.
fn value_meant(node: NodeRef<'_>) -> &'static str {
    let line = &node.tree().text()[..node.span().start as usize];
    let line = line[line.rfind(['\n', '\r']).map_or(0, |end| end + 1)..].trim_end();
    let open = line.rfind("indexing_maps").is_some_and(|at| !line[at..].contains(']'));
    if line.ends_with("linalg.generic") {
        "{ indexing_maps = [affine_map<...>, ...], iterator_types = [\"parallel\", ...] }"
    } else if open || line.ends_with("affine.apply") || line.ends_with("order =") {
        "affine_map<(i, j) -> (...)>"
    } else {
        "#sparse_tensor.encoding<{ map = ... }>"
    }
}

/// The place of the first definition of a program, or of the part between `// -----` that contains the node.
fn section_start(node: NodeRef<'_>) -> usize {
    let (tree, before) = (node.tree(), |start: &u32| *start <= node.span().start);
    let split = super::sections::splits(tree).into_iter().take_while(before).last().unwrap_or(0);
    let mut tokens = tree.tokens_in(split as usize..tree.text().len()).map(|(_, token)| token);
    tokens.find(|token| !token.kind().is_trivia()).map_or(split, |token| token.span().start) as usize
}

/// `#sparse_tensor.encoding<{ ... }>`
fn written_encoding(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    let (before, unmended) = (c.error_count(), c.unmended_count());
    let mut places = Places::new(node.span());
    let mut parts = EncodingParts::default();
    let entries = entry::read(node, &mut parts, &mut places, c);
    let without_map = entries.historic.is_empty() && entries.map.is_none();
    if without_map && before == c.error_count() {
        rules::report_no_map(node, &places, c);
    } else if !entries.historic.is_empty() {
        legacy::read_levels(node, &entries, &mut parts, &mut places, c);
    }
    let broken = without_map || c.unmended_count() > unmended || node.tree().has_error_in(node.span());
    let whole = c.error_count() == before;
    let encoding = if broken { None } else { rules::verified(parts, &places, c) };
    if let Some(encoding) = &encoding {
        legacy::offer_modern_form(node, &entries, encoding.as_ref(), whole, c);
    }
    record_site(node, &places, encoding, c)
}

/// `(i, j) -> (i : dense, j : compressed)` where an encoding is wanted.
fn bare_map(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    let before = c.unmended_count();
    let mut places = Places::new(node.span());
    let mut parts = EncodingParts::default();
    map::read(node, Notation::Ust, &mut parts, &mut places, c);
    let broken = c.unmended_count() > before || node.tree().has_error_in(node.span());
    let encoding = if broken { None } else { rules::verified(parts, &places, c) };
    if let (Grammar::Mlir, Some(encoding)) = (c.grammar, &encoding) {
        let message = "a bare map is the notation of nnz and of the Universal Sparse Tensor, not of MLIR";
        let diagnostic = c.diagnostic(Code::OtherNotation, node.span(), message).label("a bare map");
        c.report(diagnostic.respelt("write it as MLIR does", node.span(), encoding.to_string()));
    }
    record_site(node, &places, encoding, c)
}

fn record_site(
    node: NodeRef<'_>,
    places: &Places,
    encoding: Option<Arc<Encoding>>,
    c: &mut Checker<'_>,
) -> Option<Arc<Encoding>> {
    let dims = places.dims.iter().map(|dim| dim.name).collect();
    let levels = places.levels.iter().map(|level| level.whole).collect();
    c.record_encoding(EncodingSite { span: node.span(), encoding: encoding.clone(), dims, levels });
    encoding
}

/// `CSR`, `BSR(2, 2)`, `BSRRight((2, 2))`
fn named_format(node: NodeRef<'_>, rank: Option<usize>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    let name = node.first_token()?;
    let arguments = format_arguments(node, c)?;
    match named::lookup(name.text(), &arguments, rank) {
        Ok(encoding) => {
            if let Some(lvl) = encoding.beyond_mlir().filter(|_| c.grammar == Grammar::Mlir) {
                level::report_beyond_mlir(name.span(), encoding.format(lvl).name(), c);
            } else if c.grammar == Grammar::Mlir {
                let message = format!("`{}` is a name of nnz's notation, not of MLIR", name.text());
                let diagnostic = c.diagnostic(Code::OtherNotation, node.span(), message).label("no name in MLIR");
                let alias = format!("#{}", node.text());
                let known = c.aliases.get(&alias).cloned();
                if let Some(Alias::Local(id)) = known {
                    c.meant.push(id);
                }
                c.report(match known {
                    Some(_) => diagnostic.fix(format!("write `{alias}`"), node.span(), alias),
                    None => diagnostic.respelt("write it out", node.span(), encoding.to_string()),
                });
            }
            Some(Arc::new(encoding))
        }
        Err(error) => {
            report_name_error(node, name.text(), &error, c);
            None
        }
    }
}

/// What is meant by `CSR(i, j)`, a format that takes no sizes.
fn without_sizes(node: NodeRef<'_>, list: NodeRef<'_>) -> String {
    let name = node.first_token().map_or("", |token| token.text());
    if name == "tensor" {
        let inside = list.text().trim_matches(['(', ')']);
        let (sizes, rest): (Vec<&str>, Vec<&str>) =
            inside.split(',').map(str::trim).partition(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let sizes: String = sizes.iter().map(|size| format!("{size}x")).collect();
        return format!("a type is written in angle brackets: `tensor<{sizes}{}>`", rest.join(", "));
    }
    let takes_none = named::FORMATS.iter().any(|format| format.name == name && format.arguments.is_empty());
    let indices = list.text();
    match takes_none && indices.contains(',') {
        true => format!("indices stand behind the name of the result: `C{indices} : {name} = ...`"),
        false if takes_none => format!("`{name}` takes none: `B : {name} = A` converts `A`"),
        false => "as in `BSR(2, 2)`".to_string(),
    }
}

pub(super) fn format_arguments(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Vec<u64>> {
    let Some(list) = node.child(NodeKind::FormatArgs) else { return Some(Vec::new()) };
    let values = list.descendants().filter(|value| value.kind() == NodeKind::Value);
    let mut sizes = Vec::new();
    for value in values {
        match value.text().parse::<u64>() {
            Ok(size) => sizes.push(size),
            Err(_) => {
                let message = format!("`{}` is not a size: a format takes whole numbers", value.text());
                let told = c.diagnostic(Code::FormatArguments, value.span(), message).label("no whole number");
                let inside = Span::new(list.span().start as usize + 1, list.span().end as usize - 1);
                c.report(match sizes_in(list.text().trim_matches(['(', ')'])) {
                    Some(meant) => told.guess(inside, &meant),
                    None => told.help(without_sizes(node, list)),
                });
                return None;
            }
        }
    }
    Some(sizes)
}

/// `2, 2` of `2x2`, `2:2`, `2; 2` and `rows = 2, cols = 2`.
fn sizes_in(written: &str) -> Option<String> {
    let parts = written.split(['x', ';', ':', '*', ',']).map(|part| part.rsplit('=').next().unwrap_or_default().trim());
    let sizes: Vec<&str> = parts.collect();
    let numbers = sizes.iter().all(|size| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()));
    numbers.then(|| sizes.join(", "))
}

/// What other libraries call formats that nnz has under another name.
fn habitual(name: &str, plain: bool) -> Option<&'static str> {
    match name.to_uppercase().as_str() {
        // Which takes the sizes of its blocks.
        "BCSR" | "BSR_MATRIX" if plain => Some("BSR(2, 2)"),
        "BCSR" | "BSR_MATRIX" => Some("BSR"),
        "CRS" => Some("CSR"),
        "CCS" => Some("CSC"),
        _ => None,
    }
}

/// The mistake in the name of a format or its arguments, in a few words.
fn arguments_label(error: &named::NameError, given: bool) -> &'static str {
    match error {
        named::NameError::Arguments(_) if given => "not as many as it takes",
        named::NameError::Arguments(_) => "takes sizes in parentheses",
        named::NameError::Size(_) => "not such sizes",
        named::NameError::Rank { .. } => "for another rank",
        named::NameError::Scalar => "a format of levels",
        named::NameError::Unknown(_) => "no format",
    }
}

/// `BSR(3, 3)` for `BSR(3)`: blocks are often square.
fn meant_arguments(node: NodeRef<'_>, error: &named::NameError) -> Option<String> {
    if let (named::NameError::Size(format), Some(arguments)) = (error, node.child(NodeKind::FormatArgs)) {
        let sizes = arguments.text().trim_matches(['(', ')']).split(',').map(|size| size.trim().parse::<u64>());
        let sizes: Vec<u64> = sizes.collect::<Result<_, _>>().ok()?;
        let &[n, m] = sizes.as_slice() else { return None };
        return (format.arguments == ["n", "m"] && n > m && m > 0).then(|| format!("{}({m}, {n})", format.name));
    }
    let named::NameError::Arguments(format) = error else { return None };
    let Some(arguments) = node.child(NodeKind::FormatArgs) else {
        let sizes = if format.arguments == ["n", "m"] {
            "2, 4".to_string()
        } else {
            vec!["2"; format.arguments.len()].join(", ")
        };
        return Some(format!("{}({sizes})", format.name));
    };
    if format.arguments.is_empty() {
        return Some(format.name.to_string());
    }
    let size = arguments.text().trim_matches(['(', ')']).trim();
    let square = format.arguments == ["rows", "columns"] && size.parse::<u64>().is_ok();
    square.then(|| format!("{}({size}, {size})", format.name))
}

fn report_name_error(node: NodeRef<'_>, name: &str, error: &named::NameError, c: &mut Checker<'_>) {
    let diagnostic = name_error(c, node, name, error);
    c.report(diagnostic);
}

/// The error for a wrong name of a format, or wrong arguments of it.
pub(super) fn name_error(c: &Checker<'_>, node: NodeRef<'_>, name: &str, error: &named::NameError) -> Diagnostic {
    use named::NameError;
    let names = || named::FORMATS.iter().map(|format| format.name);
    let code = match error {
        NameError::Unknown(_) => Code::UnknownFormatName,
        NameError::Scalar | NameError::Arguments(_) | NameError::Size(_) | NameError::Rank { .. } => {
            Code::FormatArguments
        }
    };
    let name_span = node.token(TokenKind::Ident).map_or(node.span(), |token| token.span());
    let arguments = node.child(NodeKind::FormatArgs).map(|arguments| arguments.span());
    let span = if code == Code::FormatArguments { arguments.unwrap_or(name_span) } else { name_span };
    let label = arguments_label(error, arguments.is_some());
    let mut diagnostic = c.diagnostic(code, span, error.to_string()).label(label);
    if let Some(meant) = meant_arguments(node, error) {
        diagnostic = diagnostic.guess(node.span(), meant);
    }
    if code == Code::UnknownFormatName {
        let plain = node.child(NodeKind::FormatArgs).is_none();
        if let Some(nearest) = habitual(name, plain).or_else(|| did_you_mean(name, named::spellings())) {
            diagnostic = diagnostic.guess(span, nearest);
        }
        let alias = format!("#{name}");
        diagnostic = if c.alias(&alias).is_some() {
            diagnostic.fix(format!("write `{alias}`, which is defined above"), span, alias)
        } else if c.grammar == Grammar::Mlir {
            diagnostic
                .help(format!("an encoding has a name with `#`: `{alias} = #sparse_tensor.encoding<{{ map = ... }}>`"))
        } else {
            let names = nearest_first(name, names().collect());
            diagnostic.help(format!("formats: {}", super::list_of(&names)))
        };
    }
    if let NameError::Rank { rank, .. } = error {
        diagnostic = match formats_of(*rank).as_slice() {
            [] => diagnostic,
            all => diagnostic.help(format!("formats of rank {rank}: {}", super::list_of(all))),
        };
    }
    diagnostic
}

/// The names of formats that have this rank without further numbers.
pub(crate) fn formats_of(rank: usize) -> Vec<&'static str> {
    let same = |format: &&named::FormatName| {
        !format.name.starts_with("Batched") && named::lookup(format.name, &[], Some(rank)).is_ok()
    };
    named::FORMATS.iter().filter(same).map(|format| format.name).take(8).collect()
}

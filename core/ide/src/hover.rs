//! `textDocument/hover`: the thing under the cursor, and how it is stored.
//!
//! A code section is at most 60 columns wide and 14 lines high, which editors show without wrapping
//! or scrolling.

use super::words::{self, Word};
use nnz_base::{element::Element, source::Span};
use nnz_check::{Checked, DefinitionKind, Grammar, MapVariable, TensorType, kernel::functions, scope::PartialType};
use nnz_encoding::{Encoding, named};
use nnz_kernel::schedule::step_info;
use nnz_mlir::{
    types::{Type, written},
    types_at,
};
use nnz_storage::model::{self, ArrayModel, LevelModel, StorageModel};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// Markdown of the simplest kind: backticks and emphasis.
    Text(String),
    Code(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The place that the hover describes.
    pub span: Span,
    pub sections: Vec<Section>,
}

const COLUMNS: usize = 60;
const LINES: usize = 14;

pub fn hover(checked: &Checked, offset: usize) -> Option<Hover> {
    let token = checked.tree.token_at(offset).filter(|token| !token.kind().is_trivia())?;
    let named = || of_step(token).or_else(|| of_name(checked, token)).or_else(|| of_function(token));
    let named = || of_value(checked, token).or_else(named);
    let sections = of_word(token).or_else(named).or_else(|| of_node(checked, token))?;
    Some(Hover { span: token.span(), sections })
}

/// A word of the encoding language.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn of_word(token: TokenRef<'_>) -> Option<Vec<Section>> {
    let list = match token.node().kind() {
        NodeKind::ExprCount => return Some(word_sections(&words::COUNT)),
        NodeKind::LvlFormat => &words::FORMATS,
        NodeKind::LvlProp => words::PROPERTIES,
        NodeKind::Entry => words::KEYS,
        NodeKind::ExprBinary => words::OPERATORS,
        _ => return None,
    };
    words::find(list, token.text()).map(word_sections)
}

fn word_sections(word: &Word) -> Vec<Section> {
    vec![Section::Text(format!("**`{}`**: {}", word.name, word.summary)), Section::Text(word.text.to_string())]
}

/// A name with a definition.
fn of_name(checked: &Checked, token: TokenRef<'_>) -> Option<Vec<Section>> {
    let definition = checked.symbols.definition(checked.definition_at(token.span().start as usize)?);
    let name = checked.source.slice(definition.name);
    match &definition.kind {
        DefinitionKind::Encoding(encoding) => Some(encoding_sections(name, encoding.as_ref()?)),
        DefinitionKind::Type(tensor) => tensor_sections(name, tensor.as_ref()?),
        DefinitionKind::MapVariable(variable) => Some(vec![Section::Text(variable_text(name, *variable))]),
        DefinitionKind::Tensor(ty) => Some(partial_sections(name, ty.as_ref()?)),
        DefinitionKind::Scalar(element) => Some(vec![Section::Text(format!("**`{name}`**: `{}`", (*element)?))]),
        DefinitionKind::Attribute | DefinitionKind::Value | DefinitionKind::Function | DefinitionKind::Block => None,
    }
}

/// A value of an MLIR program.
fn of_value(checked: &Checked, token: TokenRef<'_>) -> Option<Vec<Section>> {
    if token.kind() != TokenKind::PercentId || checked.grammar != Grammar::Mlir {
        return None;
    }
    let here = token.span().start as usize;
    // Uses in unknown operations are not read; definitions are.
    let defined = checked.definition_at(here).map(|id| checked.symbols.definition(id).name.start as usize);
    let types = types_at(checked, here).or_else(|| types_at(checked, defined?))?;
    if types.is_empty() || types.contains(&Type::Broken) {
        return None;
    }
    let texts: Vec<String> = types.iter().map(|ty| written(checked, ty)).collect();
    let title = Section::Text(format!("**`{}`**: `{}`", token.text(), texts.join(", ")));
    let tensor = types.first().and_then(Type::sparse).filter(|_| types.len() == 1);
    let storage =
        tensor.and_then(|tensor| Some(storage_section(tensor.encoding.as_ref()?, Some(tensor.element), &tensor.shape)));
    Some([title].into_iter().chain(storage).collect())
}

/// A step of a schedule, or the word before the first.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn of_step(token: TokenRef<'_>) -> Option<Vec<Section>> {
    let node = token.node();
    let is_first = node.first_token().is_some_and(|first| first.span() == token.span());
    match node.kind() {
        NodeKind::Schedule if is_first => {
            let text = "how the loops of the kernel are arranged, step by step; a schedule never changes the result";
            Some(vec![Section::Text(format!("**`schedule`**: {text}"))])
        }
        NodeKind::Step if is_first => {
            let info = step_info(token.text())?;
            Some(vec![Section::Text(format!("**`{}`**: {}", info.usage, info.summary))])
        }
        _ => None,
    }
}

/// What is called and is no tensor: a function, a reduction, a conversion, a semiring.
fn of_function(token: TokenRef<'_>) -> Option<Vec<Section>> {
    let node = token.node();
    let called = node.kind() == NodeKind::Call && node.first_token().is_some_and(|first| first.span() == token.span());
    let (usage, summary) = functions::describe(token.text()).filter(|_| called)?;
    Some(vec![Section::Text(format!("**`{usage}`**: {summary}"))])
}

/// A tensor of the nnz notation, as far as its type is known.
fn partial_sections(name: &str, ty: &PartialType) -> Vec<Section> {
    let encoding = ty.format.as_ref().and_then(|format| format.encoding());
    let sizes = ty.shape.as_deref().unwrap_or_default();
    let storage = encoding.map(|encoding| storage_section(encoding, ty.element, sizes));
    std::iter::once(Section::Text(format!("**`{name}`**: `{ty}`"))).chain(storage).collect()
}

fn variable_text(name: &str, variable: MapVariable) -> String {
    match variable {
        MapVariable::Dim => format!("**`{name}`**: a dimension, an axis of the tensor"),
        MapVariable::Lvl => format!("**`{name}`**: a level, an axis of storage"),
        MapVariable::Symbol => format!("**`{name}`**: a symbol of the map"),
    }
}

/// The tensor type or the encoding that the token belongs to.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn of_node(checked: &Checked, token: TokenRef<'_>) -> Option<Vec<Section>> {
    token.node().ancestors().find_map(|node| match node.kind() {
        NodeKind::TensorType => {
            let site = checked.type_at(node.span().start as usize)?;
            tensor_sections(node.text(), site.tensor.as_ref()?)
        }
        NodeKind::Encoding => of_encoding(checked, token, node),
        _ => None,
    })
}

fn tensor_sections(name: &str, tensor: &TensorType) -> Option<Vec<Section>> {
    let encoding = tensor.encoding.as_ref()?;
    let storage = storage_section(encoding, Some(tensor.element), &tensor.shape);
    let title = Section::Text(format!("**`{name}`**"));
    Some([title, storage].into_iter().chain(names_section(encoding)).collect())
}

/// Only on the words that open the encoding: inside it, its parts speak for themselves.
fn of_encoding(checked: &Checked, token: TokenRef<'_>, node: NodeRef<'_>) -> Option<Vec<Section>> {
    let opens = token.kind() == TokenKind::HashId || token.text() == "encoding";
    let site = checked.encoding_at(node.span().start as usize).filter(|_| opens)?;
    let alias = node.parent().filter(|parent| parent.kind() == NodeKind::AttrAlias);
    let name = alias.and_then(|alias| alias.first_token()).map_or("encoding", |token| token.text());
    Some(encoding_sections(name, site.encoding.as_ref()?))
}

fn encoding_sections(name: &str, encoding: &Encoding) -> Vec<Section> {
    let title = Section::Text(format!("**`{name}`** = `{}`", words::map_text(encoding)));
    vec![title, storage_section(encoding, None, &[])].into_iter().chain(names_section(encoding)).collect()
}

/// The same format in the words of other systems.
fn names_section(encoding: &Encoding) -> Option<Section> {
    let names: Vec<String> =
        named::names_of(encoding).pairs().iter().map(|(system, name)| format!("{system} `{name}`")).collect();
    (!names.is_empty()).then(|| Section::Text(names.join(" · ")))
}

/// The level tree with its arrays, their sizes and the bytes in all.
fn storage_section(encoding: &Encoding, element: Option<Element>, sizes: &[Option<u64>]) -> Section {
    let model = model::of_encoding(encoding, element, sizes);
    let mut lines: Vec<String> = model.levels.iter().flat_map(level_lines).collect();
    lines.push(format!("values    {}", array_text(&model.values)));
    lines.extend(model.bytes().map(|bytes| format!("bytes     {bytes}")));
    lines.extend(legend_line(&model));
    let fitted = lines.iter().flat_map(|line| wrap(line)).take(LINES);
    Section::Code(fitted.collect::<Vec<_>>().join("\n"))
}

fn level_lines(level: &LevelModel) -> Vec<String> {
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

fn join_if_fits(left: &str, right: &str) -> Vec<String> {
    let (a, b) = (left.chars().count(), right.chars().count());
    match COLUMNS.checked_sub(a + b + 2) {
        Some(_) => vec![format!("{left:<width$}  {right}", width = a.max(28.min(COLUMNS - b - 2)))],
        None => vec![left.to_string(), format!("       {right}")],
    }
}

/// Cuts a line at spaces so that no piece is wider than a hover.
fn wrap(line: &str) -> Vec<String> {
    if line.chars().count() <= COLUMNS {
        return vec![line.to_string()];
    }
    let indent = " ".repeat(7);
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.last_mut().filter(|last| last.chars().count() + word.trim_end().chars().count() <= COLUMNS);
        match last {
            Some(last) => last.push_str(word),
            None => lines.push(format!("{indent}{word}")),
        }
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

//! `textDocument/hover`: the thing under the cursor, how it is stored and what it costs. There is a file for each kind of
//! thing.
//!
//! A code section is at most 60 columns wide and 14 lines high, which editors show without wrapping or scrolling. A
//! hover is computed only when the editor asks for it.

mod about;
mod example;
mod files;
mod kernel;
mod layout;
mod literal;
mod named;
mod operation;
mod plain;
mod storage;

pub use about::about;

use std::sync::Arc;

use super::words::{self, Word};
use nnz_base::source::Span;
use nnz_check::{Checked, DefinitionKind, MapVariable};
use nnz_encoding::Encoding;
use nnz_storage::Storage;
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};
use nnz_view::picture::{self, Theme};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// Markdown of the simplest kind: backticks and emphasis.
    Text(String),
    Code(String),
}

#[derive(Clone, Debug)]
pub struct Hover {
    /// The place that the hover describes.
    pub span: Span,
    pub sections: Vec<Section>,
    /// What can be drawn of it.
    pub drawn: Option<Drawn>,
}

/// A small tensor that a picture shows.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// This one.
    Tensor(Arc<Storage>),
    /// A standard one in this encoding.
    Like(Arc<Encoding>),
}

impl Hover {
    /// A picture of the storage in SVG, and what it shows. It is made on request, because few clients ask for it.
    pub fn picture(&self, theme: Theme) -> Option<(String, &'static str)> {
        match self.drawn.as_ref()? {
            Drawn::Tensor(storage) => Some((picture::svg(storage, theme)?, "this tensor, as it is stored")),
            Drawn::Like(encoding) => {
                let example = example::standard(encoding)?;
                Some((picture::svg(&example.storage, theme)?, "a small example, stored so"))
            }
        }
    }
}

/// The hover of a token.
#[derive(Default)]
struct Said {
    sections: Vec<Section>,
    drawn: Option<Drawn>,
}

impl Said {
    fn of(sections: Vec<Section>) -> Said {
        Said { sections, drawn: None }
    }
    fn text(text: String) -> Said {
        Said::of(vec![Section::Text(text)])
    }
}

/// The small tensor that the picture shows as an example.
pub(crate) fn standard(drawn: &Drawn) -> Option<Arc<Storage>> {
    match drawn {
        Drawn::Tensor(storage) => Some(storage.clone()),
        Drawn::Like(encoding) => Some(Arc::new(example::standard(encoding)?.storage)),
    }
}

pub fn hover(checked: &Checked, offset: usize) -> Option<Hover> {
    let token = checked.tree.token_at(offset).filter(|token| !token.kind().is_trivia())?;
    let said = of_word(checked, token).or_else(|| of_named(checked, token)).or_else(|| of_node(checked, token));
    let said = said.or_else(|| plain::of_type(checked, token)).or_else(|| literal::of_literal(checked, token));
    let Said { sections, drawn } = said.or_else(|| kernel::around(checked, token))?;
    Some(Hover { span: token.span(), sections, drawn })
}

/// A word of the encoding language, and what the encoding around it stores.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn of_word(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let list = match token.node().kind() {
        NodeKind::ExprCount => return Some(word_sections(&words::COUNT)),
        NodeKind::LvlFormat => &words::FORMATS,
        NodeKind::LvlProp => words::PROPERTIES,
        NodeKind::Entry => words::KEYS,
        NodeKind::ExprBinary => words::OPERATORS,
        _ => return None,
    };
    let said = words::find(list, token.text()).map(word_sections)?;
    Some(Said { drawn: encoding_around(checked, token).map(Drawn::Like), ..said })
}

/// The encoding that the token is written in, if it has no error.
fn encoding_around(checked: &Checked, token: TokenRef<'_>) -> Option<Arc<Encoding>> {
    let node = token.node().ancestors().find(|node| node.kind() == NodeKind::Encoding)?;
    checked.encoding_at(node.span().start as usize)?.encoding.clone()
}

fn word_sections(word: &Word) -> Said {
    let title = Section::Text(format!("**`{}`**: {}", word.name, word.summary));
    Said::of(vec![title, Section::Text(word.text.to_string())])
}

/// A word or a name with a meaning of its own.
fn of_named(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let told = operation::of_value(checked, token).or_else(|| operation::of_operation(checked, token));
    told.or_else(|| named::of_step(token))
        .or_else(|| named::of_command(token))
        .or_else(|| files::of_file(checked, token))
        .or_else(|| kernel::of_result(checked, token))
        .or_else(|| of_name(checked, token))
        .or_else(|| named::of_format(checked, token))
        .or_else(|| named::of_generator(checked, token))
        .or_else(|| named::of_function(checked, token))
}

/// A name with a definition.
fn of_name(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let id = checked.definition_at(token.span().start as usize)?;
    let definition = checked.symbols.definition(id);
    let name = checked.source.slice(definition.name);
    match &definition.kind {
        DefinitionKind::Encoding(encoding) => Some(storage::of_encoding(checked, name, encoding.as_ref()?)),
        DefinitionKind::Type(tensor) => Some(storage::of_type(name, tensor.as_ref()?)),
        DefinitionKind::MapVariable(variable) => Some(Said::text(variable_text(name, *variable))),
        DefinitionKind::Tensor(ty) => {
            let mut said = storage::of_tensor(name, ty.as_ref()?, checked.contents_of(id));
            said.sections.extend(files::source_of(checked, definition));
            Some(said)
        }
        DefinitionKind::Scalar(element) => Some(Said::text(format!("**`{name}`**: `{}`", (*element)?))),
        DefinitionKind::Function => operation::signature(&checked.tree, definition.whole).map(Said::of),
        DefinitionKind::Attribute => Some(of_attribute(name, checked.source.slice(definition.whole))),
        DefinitionKind::Block => Some(named::titled(name, BLOCK)),
        DefinitionKind::Value => None,
    }
}

const BLOCK: &str =
    "a block of operations; its parameters get their values from the operation around it, or from branches to it";

/// An alias of a map or of the attributes of kernels: what it stands for.
fn of_attribute(name: &str, whole: &str) -> Said {
    let lines: Vec<String> = whole.lines().map(|line| line.trim_end().to_string()).collect();
    Said::of(vec![Section::Text(format!("**`{name}`**")), layout::block(&lines)])
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
fn of_node(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    token.node().ancestors().find_map(|node| match node.kind() {
        NodeKind::TensorType => {
            let site = checked.type_at(node.span().start as usize)?;
            Some(storage::of_type(node.text(), site.tensor.as_ref()?))
        }
        NodeKind::Encoding => of_encoding(checked, token, node),
        _ => None,
    })
}

/// Only on the words that open the encoding: inside it, its parts speak for themselves.
fn of_encoding(checked: &Checked, token: TokenRef<'_>, node: NodeRef<'_>) -> Option<Said> {
    let opens = token.kind() == TokenKind::HashId || token.text() == "encoding";
    let site = checked.encoding_at(node.span().start as usize).filter(|_| opens)?;
    let alias = node.parent().filter(|parent| parent.kind() == NodeKind::AttrAlias);
    let name = alias.and_then(|alias| alias.first_token()).map_or("encoding", |token| token.text());
    Some(storage::of_encoding(checked, name, site.encoding.as_ref()?))
}

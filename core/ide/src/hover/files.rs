//! The files of a session, `use "formats.mlir"` and `read "matrix.mtx"`, and the word `decompose`.

use super::{Said, Section, layout::block, named::titled};
use nnz_check::{Checked, Definition, DefinitionKind};
use nnz_storage::files::FileKind;
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

const USE: &str =
    "the encodings and tensors that another file defines, and the functions of a program, which are called as `@f(A)`";
const READ: &str = "a tensor from a file: Matrix Market (`.mtx`), FROSTT (`.tns`), DLMC (`.smtx`) or SciPy (`.npz`)";

const PARTS: &str = "a tensor in several formats: each entry is stored in the first that takes it. Blocks, diagonals and slots of rows are \
    taken where half of their places hold entries, or as much as `filled = 0.25` says; the last format takes what is left. Kernels add up \
    the parts";

/// The word, or the name of the file behind it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
pub(super) fn of_file(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let node = token.node();
    match node.kind() {
        NodeKind::Use if token.kind() == TokenKind::String => Some(of_used(checked, token)),
        NodeKind::Use => Some(titled("use \"FILE\"", USE)),
        NodeKind::Read if token.kind() == TokenKind::String => Some(Said::text(kind_text(token.text()))),
        NodeKind::Read => Some(titled("read \"FILE\"", READ)),
        NodeKind::Decomposition => Some(titled("decompose(A, [FORMAT, ...])", PARTS)),
        _ => None,
    }
}

/// What a file gives the text.
fn of_used(checked: &Checked, path: TokenRef<'_>) -> Said {
    let Some(used) = checked.used.iter().find(|used| used.path == path.span()) else {
        return Said::text(format!("**`{}`**: a file that was not read", unquoted(path.text())));
    };
    let names = used.file.symbols.definitions.iter().filter(|definition| is_shared(definition));
    let names: Vec<&str> = names.map(|definition| used.file.source.slice(definition.name)).collect();
    let title = Section::Text(format!("**`{}`**: what it defines", unquoted(path.text())));
    Said::of(vec![title, block(&[names.join("  ")])])
}

fn is_shared(definition: &Definition) -> bool {
    match definition.kind {
        DefinitionKind::Encoding(_) | DefinitionKind::Function => true,
        DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_) => true,
        DefinitionKind::Attribute | DefinitionKind::Type(_) | DefinitionKind::Value => false,
        DefinitionKind::Block | DefinitionKind::MapVariable(_) => false,
    }
}

fn kind_text(path: &str) -> String {
    let path = unquoted(path);
    let what = match FileKind::of_path(path) {
        Some(FileKind::MatrixMarket) => {
            "a matrix in Matrix Market format: its header has the sizes and the element type"
        }
        Some(FileKind::Frostt) => {
            "a tensor in FROSTT format: a line for each entry, and as many dimensions as coordinates there"
        }
        Some(FileKind::Dlmc) => "a matrix in DLMC format: its rows and columns, without values",
        Some(FileKind::Scipy) => "a matrix that SciPy's `save_npz` wrote, with its sizes and element type",
        None => "a file of no kind that nnz reads",
    };
    format!("**`{path}`**: {what}")
}

fn unquoted(path: &str) -> &str {
    path.trim_matches('"')
}

/// Of a tensor that is read: where its sizes come from.
pub(super) fn source_of(checked: &Checked, definition: &Definition) -> Option<Section> {
    let token = checked.tree.token_at(definition.name.start as usize)?;
    let statement = token.node().ancestors().find(|node| node.kind() == NodeKind::Definition)?;
    let read = statement.descendants().find(|node| node.kind() == NodeKind::Read)?;
    let path = read.descendants().flat_map(NodeRef::own_tokens).find(|token| token.kind() == TokenKind::String)?;
    Some(Section::Text(format!("It is read when the session runs. {}.", kind_text(path.text()))))
}

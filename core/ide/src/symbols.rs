//! `textDocument/documentSymbol` and `workspace/symbol`: the definitions of a text; those inside a function are its
//! children.

use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind};
use nnz_syntax::{NodeKind, TokenKind, TokenRef};

use super::{heads::head, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Encoding,
    /// An alias of something that is no encoding.
    Alias,
    Function,
    Tensor,
    Scalar,
    /// A value within a function.
    Value,
    /// An operation that runs loops.
    Kernel,
    /// A file in use.
    File,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// An encoding's text, a type; may be empty.
    pub detail: String,
    pub kind: SymbolKind,
    /// The whole definition.
    pub span: Span,
    /// Its name.
    pub selection: Span,
    pub children: Vec<Symbol>,
}

/// In the order of the text.
pub fn symbols(checked: &Checked) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> =
        checked.symbols.definitions.iter().filter_map(|definition| symbol(checked, definition)).collect();
    symbols.extend(files(checked));
    symbols.sort_by_key(|symbol| (symbol.span.start, symbol.selection.start));
    adopt(&mut symbols, values(checked));
    symbols
}

/// Values and blocks come below their function; the variables of a map are too small for an outline.
fn symbol(checked: &Checked, definition: &Definition) -> Option<Symbol> {
    let (kind, detail) = match &definition.kind {
        DefinitionKind::Encoding(encoding) => (SymbolKind::Encoding, encoding.as_deref().map(words::map_text)),
        DefinitionKind::Attribute => (SymbolKind::Alias, None),
        DefinitionKind::Type(_) => (SymbolKind::Alias, None),
        DefinitionKind::Function => (SymbolKind::Function, signature(checked, definition)),
        DefinitionKind::Tensor(ty) => (SymbolKind::Tensor, ty.as_ref().map(ToString::to_string)),
        DefinitionKind::Scalar(element) => (SymbolKind::Scalar, element.map(|element| element.to_string())),
        DefinitionKind::Value | DefinitionKind::Block | DefinitionKind::MapVariable(_) => return None,
    };
    let name = checked.source.slice(definition.name).to_string();
    let detail = detail.unwrap_or_default();
    Some(Symbol { name, detail, kind, span: definition.whole, selection: definition.name, children: Vec::new() })
}

/// The types of a function on one line.
fn signature(checked: &Checked, definition: &Definition) -> Option<String> {
    const MOST: usize = 200;
    let head = head(checked, definition)?;
    let text = checked.source.slice(head.whole);
    (text.len() <= MOST).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn files(checked: &Checked) -> Vec<Symbol> {
    let uses = checked.tree.root().children_of(NodeKind::Use);
    let file = |node: nnz_syntax::NodeRef<'_>| {
        let path = node.token(TokenKind::String)?;
        let name = path.text().trim_matches('"').to_string();
        let (kind, detail) = (SymbolKind::File, String::new());
        Some(Symbol { name, detail, kind, span: node.span(), selection: path.span(), children: Vec::new() })
    };
    uses.filter_map(file).collect()
}

/// The results with a name, and all kernels, of the operations of functions.
fn values(checked: &Checked) -> Vec<Symbol> {
    let mut values = Vec::new();
    for function in checked.tree.root().descendants().filter(|node| node.kind() == NodeKind::Function) {
        let (mut before, mut result) = (TokenKind::Eof, None);
        for token in function.tokens() {
            let begins = !matches!(before, TokenKind::Comma | TokenKind::LParen | TokenKind::LBracket);
            if token.kind() == TokenKind::PercentId && begins {
                result = Some(token);
            } else if matches!(token.kind(), TokenKind::Ident | TokenKind::String) {
                values.extend(value(token, result.filter(|_| before == TokenKind::Eq)));
            }
            before = token.kind();
        }
    }
    values
}

/// The operation at `word`, if an outline shows it.
fn value(word: TokenRef<'_>, result: Option<TokenRef<'_>>) -> Option<Symbol> {
    let operation = word.text().trim_matches('"');
    let kernel = is_kernel(operation);
    let named = result.filter(|result| !result.text().bytes().skip(1).all(|byte| byte.is_ascii_digit()));
    let selection = named.or(kernel.then_some(word))?;
    let detail = if named.is_some() { operation } else { "" };
    Some(Symbol {
        name: selection.text().trim_matches('"').to_string(),
        detail: detail.to_string(),
        kind: if kernel { SymbolKind::Kernel } else { SymbolKind::Value },
        span: result.map_or(word.span(), |result| result.span().cover(word.span())),
        selection: selection.span(),
        children: Vec::new(),
    })
}

/// Operations that loops compute.
fn is_kernel(operation: &str) -> bool {
    let ends = matches!(operation, "linalg.yield" | "linalg.index");
    operation.starts_with("linalg.") && !ends || operation == "sparse_tensor.convert"
}

/// Puts each of `values` below the function around it; both are in order.
fn adopt(symbols: &mut [Symbol], values: Vec<Symbol>) {
    let mut functions = symbols.iter_mut().filter(|symbol| symbol.kind == SymbolKind::Function).peekable();
    for value in values {
        while functions.next_if(|function| function.span.end <= value.span.start).is_some() {}
        if let Some(function) = functions.peek_mut().filter(|function| function.span.start <= value.span.start) {
            function.children.push(value);
        }
    }
}

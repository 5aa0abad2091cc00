//! Completion of the attributes of kernels, of their values, and of types by their names, in MLIR programs.

use nnz_base::source::Span;
use nnz_check::{Checked, DefinitionKind, Grammar};
use nnz_mlir::words;
use nnz_syntax::{TokenKind, TokenRef, Tree};

use super::{Completion, CompletionKind, Known, cursor::Cursor};

const MAPS: &str = "indexing_maps";
const ITERATORS: &str = "iterator_types";
const WORDS: &[&str] = &["parallel", "reduction"];
const MAP: &str = "affine_map";

/// The maps that kernels use most, the identity first.
const USUAL: &[&str] = &[
    "(i, j) -> (i, j)",
    "(i, j) -> (j, i)",
    "(i, j) -> (i)",
    "(i, j) -> (j)",
    "(i, j, k) -> (i, k)",
    "(i, j, k) -> (k, j)",
    "(i, j, k) -> (i, j)",
];

/// The types of dialects that have names of their own.
const TYPES: &[&str] =
    &["!sparse_tensor.storage_specifier", "!sparse_tensor.iter_space", "!sparse_tensor.iterator", "!llvm.ptr"];

impl Cursor {
    /// Aliases of maps and traits, each with what it stands for.
    pub(super) fn attribute_aliases(&self, known: &Known<'_>) -> Vec<Completion> {
        let of_kind = |kind: &DefinitionKind| matches!(kind, DefinitionKind::Attribute);
        self.aliased(known.checked, &of_kind)
    }

    /// Behind `!`: aliases of types, and the types of dialects.
    pub(super) fn type_names(&self, known: &Known<'_>) -> Vec<Completion> {
        let aliases = self.aliased(known.checked, &|kind| matches!(kind, DefinitionKind::Type(_)));
        let of_dialects = TYPES
            .iter()
            .map(|name| self.item(name, words::of_attribute(name).unwrap_or_default(), CompletionKind::Keyword));
        aliases.into_iter().chain(of_dialects).collect()
    }

    fn aliased(&self, checked: &Checked, is_it: &dyn Fn(&DefinitionKind) -> bool) -> Vec<Completion> {
        let definitions = checked.symbols.definitions.iter().filter(|definition| is_it(&definition.kind));
        let before = definitions.take_while(|definition| definition.name.start < self.replace.start);
        let item = |definition: &nnz_check::Definition| {
            let behind = Span::new(definition.name.end as usize, definition.whole.end as usize);
            let value = checked.source.slice(behind).trim_start_matches([' ', '=']).lines().next().unwrap_or_default();
            self.item(checked.source.slice(definition.name), value, CompletionKind::Encoding)
        };
        before.map(item).collect()
    }

    /// A map and a trait, behind `#name = `.
    pub(super) fn kernel_attributes(&self) -> Vec<Completion> {
        let map = self.item(MAP, "from the loops of a kernel to coordinates", CompletionKind::Keyword);
        let map = map.inserting(format!("{MAP}<(i, j) -> (i, j)>")).with("affine_map<(‹i, j›) -> (‹i, j›)>");
        let text = format!("{{ {MAPS} = [{MAP}<(i, j) -> (i, j)>], {ITERATORS} = [\"parallel\", \"parallel\"] }}");
        let trait_ = self.item("trait", "the maps and loops of a kernel", CompletionKind::Keyword).inserting(text);
        vec![map, trait_]
    }

    /// What stands behind `indexing_maps = ` and `iterator_types = `, in their lists and in `affine_map<`; `None`
    /// elsewhere. `open` is the innermost open bracket.
    pub(super) fn values_of_kernels(&self, open: Option<usize>) -> Option<Vec<Completion>> {
        if self.last_is(&[TokenKind::Lt]) {
            let word = self.text_before(self.before.len() - 1)?;
            return (word.text == MAP).then(|| self.maps_with("", ""));
        }
        if self.last_is(&[TokenKind::Eq]) {
            let key = self.text_before(self.before.len() - 1)?.text.clone();
            return self.of_key(&key, ("[", "]"));
        }
        let list = open.filter(|open| self.before.get(*open).is_some_and(|it| it.kind == TokenKind::LBracket))?;
        let key = self.text_before(list.checked_sub(1)?)?.text.clone();
        let begins = self.last_is(&[TokenKind::LBracket, TokenKind::Comma]);
        self.of_key(&key, ("", "")).map(|items| if begins { items } else { Vec::new() })
    }

    fn of_key(&self, key: &str, (open, close): (&str, &str)) -> Option<Vec<Completion>> {
        match key {
            MAPS => Some(self.maps_with(&format!("{open}{MAP}<"), &format!(">{close}"))),
            ITERATORS => Some(WORDS.iter().map(|word| self.iterator(word, (open, close))).collect()),
            _ => None,
        }
    }

    fn maps_with(&self, before: &str, behind: &str) -> Vec<Completion> {
        let item = |map: &&str| {
            let text = format!("{before}{map}{behind}");
            self.item(&text, "an access by the variables of the loops", CompletionKind::Keyword)
        };
        USUAL.iter().map(item).collect()
    }

    fn iterator(&self, word: &str, (open, close): (&str, &str)) -> Completion {
        let meaning = words::of_attribute(word).unwrap_or_default();
        self.item(&format!("{open}\"{word}\"{close}"), meaning, CompletionKind::Keyword)
    }
}

/// In a string of `iterator_types`: its words.
pub(super) fn in_string(checked: &Checked, offset: usize) -> Option<Vec<Completion>> {
    let token = string_at(&checked.tree, offset).filter(|_| checked.grammar == Grammar::Mlir)?;
    let before = std::iter::successors(token.previous(), |token| token.previous());
    let listed = |token: &TokenRef<'_>| matches!(token.kind(), TokenKind::String | TokenKind::Comma);
    let open = { before }.find(|token| !listed(token)).filter(|open| open.kind() == TokenKind::LBracket)?;
    let equals = open.previous().filter(|token| token.kind() == TokenKind::Eq)?;
    equals.previous().filter(|key| key.text() == ITERATORS)?;
    let start = token.span().start as usize + 1;
    let closed = token.text().len() > 1 && token.text().ends_with('"');
    let end = if closed { token.span().end as usize - 1 } else { offset };
    let typed = checked.source.text.get(start..offset)?;
    let quote = if closed { "" } else { "\"" };
    let words = WORDS.iter().filter(|word| word.starts_with(typed));
    Some(words.map(|word| in_quotes(word, quote, Span::new(start, end))).collect())
}

fn string_at(tree: &Tree, offset: usize) -> Option<TokenRef<'_>> {
    let token = offset.checked_sub(1).and_then(|at| tree.token_at(at))?;
    let closed = token.text().len() > 1 && token.text().ends_with('"');
    let behind = closed && token.span().end as usize == offset;
    (token.kind() == TokenKind::String && !behind).then_some(token)
}

fn in_quotes(word: &str, quote: &str, replace: Span) -> Completion {
    Completion {
        label: word.to_string(),
        insert: format!("{word}{quote}"),
        snippet: None,
        filter: word.to_string(),
        detail: words::of_attribute(word).unwrap_or_default().to_string(),
        kind: CompletionKind::Keyword,
        replace,
    }
}

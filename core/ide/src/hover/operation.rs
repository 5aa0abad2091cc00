//! MLIR programs: values, operations, their attributes, functions.

use super::{
    Drawn, Said, Section, kernel,
    layout::{self, wrap},
    plain, storage,
};
use nnz_base::source::Span;
use nnz_check::{Checked, Grammar};
use nnz_mlir::{
    function_at,
    types::{Type, written},
    types_at, words,
};
use nnz_storage::model;
use nnz_syntax::{TokenKind, TokenRef, Tree};

/// A value: its type, and how it is stored.
pub(super) fn of_value(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
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
    let encoded = tensor.and_then(|tensor| Some((tensor, tensor.encoding.as_ref()?)));
    let storage = encoded.map(|(tensor, encoding)| {
        storage::typed_block(&model::of_encoding(encoding, Some(tensor.element), &tensor.shape))
    });
    let drawn = encoded.map(|(_, encoding)| Drawn::Like(encoding.clone()));
    let plain = types.first().filter(|_| types.len() == 1).and_then(plain::of_value).map(Section::Text);
    Some(Said { sections: [title].into_iter().chain(storage).chain(plain).collect(), drawn })
}

/// An operation, in custom or generic syntax: what it does and costs, and of a kernel its loops; or an attribute.
pub(super) fn of_operation(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    let is_word = matches!(token.kind(), TokenKind::Ident | TokenKind::String);
    if checked.grammar != Grammar::Mlir || !is_word {
        return None;
    }
    let name = token.text().trim_matches('"');
    let Some(mut said) = in_words(name) else {
        return words::of_attribute(name).map(|text| Said::text(format!("**`{name}`**: {text}")));
    };
    said.sections.extend(kernels(checked, token));
    Some(said)
}

/// What an operation does and costs.
pub(super) fn in_words(name: &str) -> Option<Said> {
    let (does, costs) = words::of_operation(name)?;
    let costs = (!costs.is_empty()).then(|| Section::Text(format!("Costs: {costs}.")));
    Some(Said::of([Section::Text(format!("**`{name}`**: {does}"))].into_iter().chain(costs).collect()))
}

/// The loops of a kernel and of a conversion.
fn kernels(checked: &Checked, token: TokenRef<'_>) -> Vec<Section> {
    let name = token.text().trim_matches('"');
    let offset = token.span().start as usize;
    if !nnz_machine::becomes_loops(name) {
        return Vec::new();
    }
    let Some((function, wrong)) = function_at(checked, offset) else { return Vec::new() };
    // What is wrong with the function may be wrong with its kernels.
    if wrong.iter().any(|found| found.is_error() && found.primary.span.start >= function.span.start) {
        return Vec::new();
    }
    nnz_machine::sites_at(&checked.source, &function, token.span()).iter().flat_map(kernel::of_site).collect()
}

/// The head of a function, without its body.
pub(super) fn signature(tree: &Tree, whole: Span) -> Option<Vec<Section>> {
    let tokens = tree.tokens_in(whole.range()).map(|(_, token)| token);
    let opens = |token: &TokenRef<'_>| {
        token.kind() == TokenKind::LBrace && token.previous().is_none_or(|before| before.kind() != TokenKind::Lt)
    };
    let end = { tokens }.find(opens).map_or(whole.end, |brace| brace.span().start);
    let head = tree.text().get(whole.start as usize..end as usize)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    Some(vec![layout::block(&wrap(&words.join(" "), 4))])
}

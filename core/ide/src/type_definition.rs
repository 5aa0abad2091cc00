//! `textDocument/typeDefinition`: the alias that names the encoding of a tensor or value, or its type.

use nnz_base::source::Span;
use nnz_check::{Checked, DefinitionKind, TensorType};
use nnz_mlir::{types::Type, types_at};
use nnz_syntax::TokenKind;

use super::{
    definition::definition_named,
    names::{NameKind, name_token, named_at},
};

/// The file and the place of the alias.
pub fn type_definition(checked: &Checked, offset: usize) -> Option<(&Checked, Span)> {
    let alias = of_name(checked, offset).or_else(|| of_type(checked, offset))?;
    let own = definition_named(checked, &alias).map(|span| (checked, span));
    let used = || checked.used.iter().rev().find_map(|used| Some((&*used.file, definition_named(&used.file, &alias)?)));
    own.or_else(used)
}

/// `#CSR` or `!t`
fn of_name(checked: &Checked, offset: usize) -> Option<String> {
    let token = name_token(checked, offset)?;
    if token.kind() == TokenKind::PercentId {
        return of_value(checked, token.span().start as usize);
    }
    let named = named_at(checked, offset).filter(|named| named.kind == NameKind::Tensor)?;
    checked.symbols.definitions.iter().rev().find_map(|definition| {
        if let DefinitionKind::Tensor(Some(ty)) = &definition.kind
            && checked.source.slice(definition.name) == named.text
        {
            ty.format_name.clone()
        } else {
            None
        }
    })
}

fn of_value(checked: &Checked, here: usize) -> Option<String> {
    let defined = checked.definition_at(here).map(|id| checked.symbols.definition(id).name.start as usize);
    let types = types_at(checked, here).or_else(|| types_at(checked, defined?))?;
    let tensor = types.first().and_then(Type::sparse)?;
    let encoding = || alias(checked, |kind| tensor.encoding.is_some() && kind.encoding() == tensor.encoding.as_deref());
    encoding().or_else(|| alias(checked, |kind| is_type(kind, tensor)))
}

fn is_type(kind: &DefinitionKind, tensor: &TensorType) -> bool {
    if let DefinitionKind::Type(Some(known)) = kind { known == tensor } else { false }
}

fn alias(checked: &Checked, is_it: impl Fn(&DefinitionKind) -> bool) -> Option<String> {
    let found = checked.symbols.definitions.iter().find(|definition| is_it(&definition.kind))?;
    Some(checked.source.slice(found.name).to_string())
}

/// The alias within the type at `offset`.
fn of_type(checked: &Checked, offset: usize) -> Option<String> {
    let site = checked.type_at(offset)?;
    let mut tokens = checked.tree.tokens_in(site.span.range()).map(|(_, token)| token);
    tokens
        .find(|token| token.kind() == TokenKind::HashId && !token.text().contains('.'))
        .map(|token| token.text().to_string())
}

//! The inverse of a map, written out or left to be inferred.

use nnz_check::Checked;
use nnz_encoding::{Encoding, EncodingParts};
use nnz_syntax::NodeKind;

use super::{Refactoring, Written, rewrite};

pub(super) fn refactorings(checked: &Checked, written: &Written<'_>) -> Option<Refactoring> {
    let Written { encoding, map, .. } = written;
    let is_explicit = map
        .descendants()
        .any(|node| node.kind() == NodeKind::DimSpec && node.own_tokens().any(|token| token.text() == "="));
    let (title, text) = match is_explicit {
        true => ("leave the inverse of the map to be inferred", inferred(encoding)?),
        false => ("write the inverse of the map", encoding.map_text_with_inverse()?),
    };
    Some(rewrite(checked, title.to_string(), vec![(map.span(), text)]))
}

/// The map without its inverse, if the same is inferred.
fn inferred(encoding: &Encoding) -> Option<String> {
    let parts = EncodingParts {
        symbols: encoding.symbols().to_vec(),
        dims: encoding.dims().to_vec(),
        levels: encoding.levels().to_vec(),
        ..Default::default()
    };
    let inferred = Encoding::new(parts).ok()?;
    (inferred.inverse() == encoding.inverse()).then(|| inferred.map_text())
}

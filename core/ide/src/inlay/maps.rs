//! The inverse of a map, where it is inferred and says more than an order.

use std::ops::Range;

use nnz_check::{Checked, EncodingSite};
use nnz_encoding::Encoding;
use nnz_syntax::NodeKind;

use super::{HintKind, InlayHint, starting_in};

pub(super) fn hints(checked: &Checked, range: &Range<usize>) -> Vec<InlayHint> {
    let sites = starting_in(&checked.symbols.encodings, range, |site| site.span.start);
    sites.iter().filter(|site| !site.dims.is_empty()).filter_map(|site| hint(checked, site)).collect()
}

fn hint(checked: &Checked, site: &EncodingSite) -> Option<InlayHint> {
    let encoding: &Encoding = site.encoding.as_deref().filter(|encoding| encoding.permutation().is_none())?;
    let first = checked.tree.token_at(site.dims.first()?.start as usize)?;
    let map = first.node().ancestors().find(|node| node.kind() == NodeKind::Map)?;
    let written = map
        .descendants()
        .any(|node| node.kind() == NodeKind::DimSpec && node.own_tokens().any(|token| token.text() == "="));
    let inverse = encoding.inverse_text().filter(|_| !written)?;
    Some(InlayHint {
        offset: map.span().end,
        text: inverse.join(", "),
        kind: HintKind::Inverses,
        tooltip: "How each dimension follows from the levels (`l0` is the outermost): the inverse that is inferred."
            .to_string(),
    })
}

//! `textDocument/inlayHint`: what follows from a text but is not written in it, for a part of the text.

mod kernels;
mod maps;
mod sizes;

use std::ops::Range;

use nnz_check::Checked;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// The shape, the entries and the bytes of a tensor that a generator makes.
    Sizes,
    /// How dimensions follow from levels.
    Inverses,
    /// The order of a kernel's loops.
    Loops,
    /// The format that a kernel converts an operand to.
    Conversions,
}

impl HintKind {
    pub const ALL: [HintKind; 4] = [HintKind::Sizes, HintKind::Inverses, HintKind::Loops, HintKind::Conversions];

    /// As settings call it.
    pub fn name(self) -> &'static str {
        match self {
            HintKind::Sizes => "sizes",
            HintKind::Inverses => "inverses",
            HintKind::Loops => "loops",
            HintKind::Conversions => "conversions",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// It comes after this byte.
    pub offset: u32,
    pub text: String,
    pub kind: HintKind,
    /// A sentence.
    pub tooltip: String,
}

/// The hints of the wanted kinds in `range`, in order; fewer once `cancelled` says so.
pub fn inlay_hints(
    checked: &Checked,
    range: Range<usize>,
    wanted: &dyn Fn(HintKind) -> bool,
    cancelled: &dyn Fn() -> bool,
) -> Vec<InlayHint> {
    let mut found = Vec::new();
    if wanted(HintKind::Sizes) {
        found.extend(sizes::hints(checked, &range));
    }
    if wanted(HintKind::Inverses) {
        found.extend(maps::hints(checked, &range));
    }
    if wanted(HintKind::Loops) || wanted(HintKind::Conversions) {
        found.extend(kernels::hints(checked, &range, cancelled));
    }
    found.retain(|hint| wanted(hint.kind) && range.contains(&(hint.offset as usize).saturating_sub(1)));
    found.sort_by_key(|hint| hint.offset);
    found
}

/// Those of `sites` (sorted by their starts) that start in `range`.
fn starting_in<'s, T>(sites: &'s [T], range: &Range<usize>, start: impl Fn(&T) -> u32) -> &'s [T] {
    let first = sites.partition_point(|site| (start(site) as usize) < range.start);
    let end = sites.partition_point(|site| (start(site) as usize) < range.end);
    sites.get(first..end).unwrap_or_default()
}

//! Widths of coordinates and positions that are too narrow for a shape, or needlessly wide.

use std::sync::Arc;

use nnz_base::{
    arrays::Width,
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    ids::Dim,
    source::Span,
};
use nnz_check::{Checked, Definition, DefinitionKind, types::TypeSite};
use nnz_encoding::{Affine, Encoding, Level};

use super::{block_of, encoded, fixes};

/// The size of a level, if its expression is a dimension, the blocks of one, or the places in a block.
fn size_of(level: &Level, shape: &[Option<u64>]) -> Option<u64> {
    let size = |dim: &Dim| shape.get(dim.index()).copied().flatten();
    if let Affine::Var(dim) = &level.expr {
        return size(dim);
    }
    if let Affine::Mod(_, by) = &level.expr
        && let Affine::Const(number) = by.as_ref()
    {
        return u64::try_from(*number).ok();
    }
    let (dim, block) = block_of(&level.expr)?;
    (block > 0).then_some(size(&dim)?.div_ceil(block.max(1)))
}

/// Coordinates that may not fit, else positions that do not with one entry for each place above.
pub(super) fn narrow(
    checked: &Checked,
    site: &TypeSite,
    (encoding, shape): (&Encoding, &[Option<u64>]),
) -> Option<Diagnostic> {
    let (crd, pos) = (encoding.crd_width(), encoding.pos_width());
    let mut above = 1u64;
    for level in encoding.levels() {
        let size = size_of(level, shape)?;
        if level.format.stores_plain_coordinates() && size > 0 && size - 1 > crd.max() {
            let (most, last) = (crd.max(), size - 1);
            let message =
                format!("coordinates of {} bits end at {most}, and this tensor has some up to {last}", crd.bits());
            return Some(told(checked, site, message, ("crdWidth", Width::for_number(last))));
        }
        if level.format.has_positions() && above > pos.max() {
            let message = format!(
                "positions of {} bits end at {}, and one entry in each segment needs {above}",
                pos.bits(),
                pos.max()
            );
            return Some(told(checked, site, message, ("posWidth", Width::for_number(above))));
        }
        above = above.saturating_mul(size);
    }
    None
}

fn told(checked: &Checked, site: &TypeSite, message: String, (key, width): (&str, Width)) -> Diagnostic {
    let found = Diagnostic::new(Code::NarrowWidth, checked.source.id, site.shape, message).label("too large for it");
    let place = fixes::definition_of(checked, site).and_then(|whole| written(checked, whole, key));
    match place {
        Some((place, _)) => {
            let edit = Edit { file: checked.source.id, span: place, replacement: width.bits().to_string() };
            let title = format!("write `{key} = {}`", width.bits());
            found.fix_edits(title, vec![edit], Applicability::MaybeIncorrect)
        }
        None => found.help(format!("`{key} = {}` would do", width.bits())),
    }
}

/// Below so many places nobody counts the bytes.
const MANY: u64 = 1 << 20;

/// Widths written in aliases that no tensor of the text needs.
pub(super) fn wide(checked: &Checked) -> Vec<Diagnostic> {
    checked.symbols.definitions.iter().filter_map(|definition| too_wide(checked, definition)).collect()
}

fn too_wide(checked: &Checked, definition: &Definition) -> Option<Diagnostic> {
    let DefinitionKind::Encoding(Some(encoding)) = &definition.kind else { return None };
    let (place, written) = written(checked, definition.whole, "crdWidth")?;
    let shapes: Vec<&[Option<u64>]> =
        checked.symbols.types.iter().filter_map(|site| shape_with(site, encoding)).collect();
    // A type of which not all is known may need anything.
    let whole: Option<Vec<u64>> = shapes.iter().flat_map(|shape| shape.iter().copied()).collect();
    let places = |shape: &&[Option<u64>]| shape.iter().flatten().fold(1u64, |all, size| all.saturating_mul(*size));
    if shapes.iter().map(places).max()? < MANY {
        return None;
    }
    let enough = Width::for_number(whole?.into_iter().max()?.saturating_sub(1)).bits();
    let name = checked.source.slice(definition.name);
    let message = format!("no tensor of `{name}` here has coordinates of more than {enough} bits");
    let found = Diagnostic::new(Code::WideWidth, checked.source.id, place, message).label(format!("of {written} bits"));
    (enough < written).then(|| found.fix(format!("write `{enough}`"), place, enough.to_string()))
}

fn shape_with<'s>(site: &'s TypeSite, encoding: &Arc<Encoding>) -> Option<&'s [Option<u64>]> {
    encoded(site).filter(|(of, _)| Arc::ptr_eq(of, encoding)).map(|(_, shape)| shape)
}

/// The number behind `crdWidth =` or `posWidth =`, with its place.
fn written(checked: &Checked, whole: Span, key: &str) -> Option<(Span, u32)> {
    let text = checked.source.slice(whole);
    let behind = text.find(key)? + key.len();
    let number = text[behind..].trim_start().strip_prefix('=')?.trim_start();
    let digits = number.split(|c: char| !c.is_ascii_digit()).next()?;
    let start = whole.start as usize + text.len() - number.len();
    Some((Span::new(start, start + digits.len()), digits.parse().ok().filter(|bits| *bits > 0)?))
}

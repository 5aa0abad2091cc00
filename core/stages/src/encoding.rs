//! Buffers over iterators as encodings: each iterator is a level.
//!
//! Dense fixed is `dense`, compressed varied is `compressed`; compressed fixed is padded rows, a counter over all slots
//! and a `singleton`, as in ELL. No level format is dense varied (rows of any length without coordinates).

use nnz_base::{
    arrays::Width,
    format::{Layout, LevelFormat, Props},
    ids::{Dim, Sym},
};
use nnz_encoding::{Affine, COUNT, Dimension, Encoding, EncodingParts, Level};
use nnz_tir::model::{Function, IteratorId, IteratorKind, Width as Bits};

/// The encoding of a buffer over these iterators.
///
/// # Errors
/// Why there is none, in one line.
pub fn encoding(function: &Function, ids: &[IteratorId]) -> Result<Encoding, String> {
    let mut parts = EncodingParts::default();
    for (at, id) in ids.iter().enumerate() {
        let name = function.iterator(*id).name.to_lowercase();
        parts.dims.push(Dimension { name, slice: None });
        let above = ids.get(..at).unwrap_or_default();
        let levels = levels(function, *id, above)?;
        if levels.len() > 1 {
            parts.symbols = vec![COUNT.to_string()];
        }
        parts.levels.extend(levels);
    }
    let width = ids.iter().find(|id| function.iterator(**id).parent().is_some());
    let width = width.map_or(Width::Index, |id| width_of(function.iterator(*id).width));
    (parts.pos_width, parts.crd_width) = (width, width);
    Encoding::new(parts).map_err(|_| "its levels make no encoding".to_string())
}

fn width_of(bits: Bits) -> Width {
    match bits {
        Bits::I32 => Width::W32,
        Bits::I64 => Width::W64,
    }
}

/// The levels of an iterator below others.
fn levels(function: &Function, id: IteratorId, above: &[IteratorId]) -> Result<Vec<Level>, String> {
    let iterator = function.iterator(id);
    let var = Affine::Var(Dim::new(above.len()));
    let level = |expr, format| Level { name: None, expr, format };
    let one = |format| Ok(vec![level(var.clone(), format)]);
    match &iterator.kind {
        IteratorKind::DenseFixed => one(LevelFormat::Dense),
        IteratorKind::DenseVaried { .. } => {
            Err(format!("`{}` is ragged: no level format has rows of any length without coordinates", iterator.name))
        }
        IteratorKind::Flatten { .. } => Err(format!("`{}` is flattened", iterator.name)),
        IteratorKind::CompressedVaried { sorted, .. } => {
            behind_path(function, id, above)?;
            one(LevelFormat::Compressed(Props { nonunique: false, nonordered: !sorted }))
        }
        IteratorKind::CompressedFixed { .. } => {
            behind_path(function, id, above)?;
            if above.len() != 1 {
                return Err(format!(
                    "rows of a fixed length, as `{}` has, are levels only below one dimension",
                    iterator.name
                ));
            }
            let count = Affine::mul(Affine::Var(Dim::new(0)), Affine::Sym(Sym(0)));
            let count = count.map_err(|_| "no level counts".to_string())?;
            let column = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
            Ok(vec![level(count, LevelFormat::Dense), level(var, column)])
        }
    }
}

/// Positions of a level are counted below all levels above it: those are its ancestors.
fn behind_path(function: &Function, id: IteratorId, above: &[IteratorId]) -> Result<(), String> {
    let path = function.path(id);
    if path.split_last().is_some_and(|(_, ancestors)| ancestors == above) {
        return Ok(());
    }
    let name = &function.iterator(id).name;
    let other = above.iter().find(|other| !path.contains(other));
    Err(match other {
        Some(other) => {
            format!("the rows of `{name}` are the same for all coordinates of `{}`", function.iterator(*other).name)
        }
        None => format!("the ancestors of `{name}` are no levels above it"),
    })
}

/// A line for each buffer over iterators: its encoding with a name, or why it has none.
pub fn encodings(function: &Function) -> Vec<String> {
    let sparse = function.buffers.iter().filter(|buffer| !buffer.iterators().is_empty());
    let line = |buffer: &nnz_tir::model::Buffer| match encoding(function, buffer.iterators()) {
        Ok(encoding) => format!("#{} = {encoding}", buffer.name),
        Err(why) => format!("// {}: {why}", buffer.name),
    };
    sparse.map(line).collect()
}

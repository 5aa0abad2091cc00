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
use nnz_tir::model::{Binary, Expr, ExprKind, Function, IndexMap, IteratorId, IteratorKind, Value, Width as Bits};

/// The encoding of a buffer over these iterators. Where the function has an index map to them (`"idx_map"` of a format
/// description), dimensions are the coordinates that it takes.
///
/// # Errors
/// Why there is none, in one line.
pub fn encoding(function: &Function, ids: &[IteratorId]) -> Result<Encoding, String> {
    let mut parts = EncodingParts::default();
    let mapped = mapped(function, ids)?;
    parts.dims = mapped.dims;
    let rows = mapped.levels.first().cloned().flatten();
    for ((at, id), expr) in ids.iter().enumerate().zip(mapped.levels) {
        let Some(expr) = expr else { continue };
        fits_block(function, *id, &expr)?;
        let levels = levels(function, *id, ids.get(..at).unwrap_or_default(), (expr, rows.as_ref()))?;
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

/// The dimensions, and what each iterator runs over; `None` for a root of length 1, which is no level.
struct Mapped {
    dims: Vec<Dimension>,
    levels: Vec<Option<Affine<Dim>>>,
}

fn mapped(function: &Function, ids: &[IteratorId]) -> Result<Mapped, String> {
    let dimension = |name: &str| Dimension { name: name.to_lowercase(), slice: None };
    let map = match function.attributes.get(IDX_MAP) {
        Some(Value::Map(map)) if map.results.len() == ids.len() => map,
        _ => {
            let dims = ids.iter().map(|id| dimension(&function.iterator(*id).name)).collect();
            return Ok(Mapped { dims, levels: (0..ids.len()).map(|at| Some(Affine::Var(Dim::new(at)))).collect() });
        }
    };
    let dims = map.variables.iter().map(|id| dimension(&function.variables[id.index()].name)).collect();
    let levels = map.results.iter().zip(ids).map(|(result, id)| {
        let root = function.iterator(*id).kind == IteratorKind::DenseFixed && *result.kind() == ExprKind::Int(0);
        if root { Ok(None) } else { affine(result, map).map(Some) }
    });
    Ok(Mapped { dims, levels: levels.collect::<Result<_, String>>()? })
}

/// The key of a description that says to which coordinates those of the tensor go.
const IDX_MAP: &str = "idx_map";

#[expect(clippy::wildcard_enum_match_arm, reason = "maps compute with few of the operations")]
fn affine(expr: &Expr, map: &IndexMap) -> Result<Affine<Dim>, String> {
    let no = || format!("`{IDX_MAP}` computes more than sums, multiples and parts of blocks");
    match expr.kind() {
        ExprKind::Int(value) => Ok(Affine::Const(*value)),
        ExprKind::Variable(id) => {
            let at = map.variables.iter().position(|variable| variable == id).ok_or_else(no)?;
            Ok(Affine::Var(Dim::new(at)))
        }
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (affine(left, map)?, affine(right, map)?);
            match op {
                Binary::Add => Ok(Affine::add(left, right)),
                Binary::Subtract => Ok(Affine::sub(left, right)),
                Binary::Multiply => Affine::mul(left, right).map_err(|_| no()),
                Binary::FloorDivide => Affine::floordiv(left, right).map_err(|_| no()),
                Binary::FloorModulo => Affine::modulo(left, right).map_err(|_| no()),
                _ => Err(no()),
            }
        }
        _ => Err(no()),
    }
}

fn width_of(bits: Bits) -> Width {
    match bits {
        Bits::I32 => Width::W32,
        Bits::I64 => Width::W64,
    }
}

/// A level of `i mod 4` has 4 coordinates.
fn fits_block(function: &Function, id: IteratorId, expr: &Affine<Dim>) -> Result<(), String> {
    let iterator = function.iterator(id);
    let length = if let ExprKind::Int(length) = iterator.length.kind() { Some(*length) } else { None };
    match expr.as_mod().zip(length) {
        Some(((_, c), length)) if c != length => {
            Err(format!("`{}` has {length} coordinates, and its index map goes to {c}", iterator.name))
        }
        _ => Ok(()),
    }
}

/// The levels of an iterator below others, which runs over `var`; `rows` are what the first of all runs over.
fn levels(
    function: &Function,
    id: IteratorId,
    above: &[IteratorId],
    (var, rows): (Affine<Dim>, Option<&Affine<Dim>>),
) -> Result<Vec<Level>, String> {
    let iterator = function.iterator(id);
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
            let below =
                || format!("rows of a fixed length, as `{}` has, are levels only below one dimension", iterator.name);
            let rows = rows.and_then(Affine::as_var).filter(|_| above.len() == 1).ok_or_else(below)?;
            let count = Affine::mul(Affine::Var(rows), Affine::Sym(Sym(0)));
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

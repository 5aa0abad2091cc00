//! What makes an encoding legal. [`verify`] checks, and reports all at once:
//! - there is at least one level, and no more dimensions and levels than nnz takes;
//! - a singleton level follows a compressed, loose_compressed or singleton level, or, as in ELL, a dense level if a
//!   level above counts a dimension that another level above stores;
//! - the singletons of one COO segment agree on their layout;
//! - a level that counts is dense or compressed, without properties;
//! - batch levels lead;
//! - a structured level is the last, all levels above it are dense, and it holds `d mod m` of a dimension
//!   blocked by its m, or a whole dimension; others are blocked by its m or not at all;
//! - a range level holds a dimension that a level above adds to or subtracts from another;
//! - a run-length level is the last;
//! - coordinates of 2 bits belong to a structured level of at most 4;
//! - slices have no size or stride of 0, and do not stand on blocked dimensions;
//! - the implicit value is zero;
//! - the levels determine every dimension, none of them twice, and an inverse that was written is right.

use super::{
    Affine, COUNT, EncodingParts, Level, LevelFormat, MAX_LEVELS, MAX_RANK, NOutOfM,
    infer::{self, NoInverse},
};
use nnz_base::{
    arrays::Width,
    ids::{Dim, Lvl},
};

/// A broken rule, naming the level, dimension or field that breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodingError {
    NoLevels,
    TooManyDims { dims: usize },
    TooManyLevels { levels: usize },
    SingletonWithoutParent { lvl: Lvl },
    MixedLayouts { lvl: Lvl, first: Lvl },
    BatchNotLeading { lvl: Lvl, above: Lvl },
    StructuredNotLast { lvl: Lvl },
    StructuredBelow { lvl: Lvl, above: Lvl },
    StructuredNotBlocked { lvl: Lvl, block: NOutOfM },
    StructuredOtherBlock { lvl: Lvl, other: Lvl, block: NOutOfM },
    RangeAlone { lvl: Lvl },
    CountFormat { lvl: Lvl },
    RunLengthNotLast { lvl: Lvl },
    TwoBitWidth { structured: Option<NOutOfM> },
    TwoBitPositions,
    EmptySlice { dim: Dim },
    ZeroStride { dim: Dim },
    SliceOfBlock { dim: Dim },
    ImplicitNonzero,
    NoInverse(NoInverse),
    WrongInverse { dim: Dim, right: Option<Affine<Lvl>> },
}

/// The part of an encoding that breaks a rule; `check` knows its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingPart {
    Map,
    Dim(Dim),
    Slice(Dim),
    Inverse(Dim),
    Lvl(Lvl),
    LvlExpr(Lvl),
    LvlFormat(Lvl),
    PosWidth,
    CrdWidth,
    ExplicitVal,
    ImplicitVal,
}

impl EncodingError {
    pub fn place(&self) -> EncodingPart {
        match self {
            EncodingError::NoLevels | EncodingError::TooManyDims { .. } | EncodingError::TooManyLevels { .. } => {
                EncodingPart::Map
            }
            EncodingError::SingletonWithoutParent { lvl }
            | EncodingError::MixedLayouts { lvl, .. }
            | EncodingError::BatchNotLeading { lvl, .. }
            | EncodingError::StructuredNotLast { lvl }
            | EncodingError::StructuredBelow { above: lvl, .. } => EncodingPart::LvlFormat(*lvl),
            EncodingError::StructuredNotBlocked { lvl, .. } => EncodingPart::LvlExpr(*lvl),
            EncodingError::RangeAlone { lvl }
            | EncodingError::CountFormat { lvl }
            | EncodingError::RunLengthNotLast { lvl } => EncodingPart::LvlFormat(*lvl),
            EncodingError::StructuredOtherBlock { other, .. } => EncodingPart::LvlExpr(*other),
            EncodingError::TwoBitWidth { .. } => EncodingPart::CrdWidth,
            EncodingError::TwoBitPositions => EncodingPart::PosWidth,
            EncodingError::EmptySlice { dim }
            | EncodingError::ZeroStride { dim }
            | EncodingError::SliceOfBlock { dim } => EncodingPart::Slice(*dim),
            EncodingError::ImplicitNonzero => EncodingPart::ImplicitVal,
            EncodingError::NoInverse(NoInverse::Unstored { dim, .. } | NoInverse::Undetermined { dim }) => {
                EncodingPart::Dim(*dim)
            }
            EncodingError::NoInverse(NoInverse::Redundant { lvl } | NoInverse::Opaque { lvl }) => {
                EncodingPart::LvlExpr(*lvl)
            }
            EncodingError::WrongInverse { dim, .. } => EncodingPart::Inverse(*dim),
        }
    }
}

/// The inverse, inferred or proved; `None` where a symbol keeps it open.
///
/// # Errors
/// Every broken rule.
pub fn verify(parts: &EncodingParts) -> Result<Option<Vec<Affine<Lvl>>>, Vec<EncodingError>> {
    let mut errors = Vec::new();
    if parts.levels.is_empty() {
        return Err(vec![EncodingError::NoLevels]);
    }
    // What follows takes its time with their number.
    if parts.dims.len() > MAX_RANK {
        return Err(vec![EncodingError::TooManyDims { dims: parts.dims.len() }]);
    }
    if parts.levels.len() > MAX_LEVELS {
        return Err(vec![EncodingError::TooManyLevels { levels: parts.levels.len() }]);
    }
    check_singletons(parts, &mut errors);
    check_batch(parts, &mut errors);
    check_structured(parts, &mut errors);
    check_ranges(parts, &mut errors);
    check_counts(parts, &mut errors);
    check_runs(parts, &mut errors);
    check_widths(parts, &mut errors);
    check_slices(parts, &mut errors);
    if parts.implicit_val.as_ref().is_some_and(|constant| !constant.value.is_zero()) {
        errors.push(EncodingError::ImplicitNonzero);
    }
    match find_inverse(parts) {
        Ok(inverse) if errors.is_empty() => return Ok(inverse),
        Ok(_) => {}
        Err(more) => errors.extend(more),
    }
    Err(errors)
}

fn formats(parts: &EncodingParts) -> impl DoubleEndedIterator<Item = (Lvl, LevelFormat)> {
    parts.levels.iter().enumerate().map(|(at, level)| (Lvl::new(at), level.format))
}

fn check_singletons(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    let mut above = None;
    let mut first = None;
    for (lvl, format) in formats(parts) {
        match (format.layout(), first) {
            (None, _) => first = None,
            (Some(_), None) if !above.is_some_and(LevelFormat::heads_tuples) && !is_padded(parts, lvl) => {
                errors.push(EncodingError::SingletonWithoutParent { lvl });
                first = format.layout().map(|layout| (lvl, layout));
            }
            (Some(layout), None) => first = Some((lvl, layout)),
            (Some(layout), Some((first, wanted))) if layout != wanted => {
                errors.push(EncodingError::MixedLayouts { lvl, first });
            }
            (Some(_), Some(_)) => {}
        }
        above = Some(format);
    }
}

fn check_batch(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    let Some((above, _)) = formats(parts).find(|(_, format)| !format.is_batch()) else { return };
    let late = formats(parts).filter(|(lvl, format)| *lvl > above && format.is_batch());
    errors.extend(late.map(|(lvl, _)| EncodingError::BatchNotLeading { lvl, above }));
}

fn check_structured(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    let last = Lvl::new(parts.levels.len() - 1);
    for (lvl, format) in formats(parts) {
        let Some(block) = format.block() else { continue };
        if lvl != last {
            errors.push(EncodingError::StructuredNotLast { lvl });
            continue;
        }
        let above = formats(parts).filter(|(above, format)| *above < lvl && !format.is_dense());
        let sparse: Vec<(Lvl, LevelFormat)> = above.collect();
        // A structured level above is not the last, which is reported there.
        let wrong = sparse.iter().filter(|(_, format)| format.block().is_none());
        errors.extend(wrong.map(|&(above, _)| EncodingError::StructuredBelow { lvl, above }));
        if sparse.is_empty() {
            errors.extend(structured_block(parts, lvl, block));
        }
    }
}

/// `d mod m` in the structured level, or a dimension `d` that is not blocked: n entries out of all its coordinates. As
/// in MLIR, other dimensions may be blocked by m, too.
fn structured_block(parts: &EncodingParts, lvl: Lvl, block: NOutOfM) -> Option<EncodingError> {
    let of_m = |c: i64| u64::try_from(c) == Ok(block.m());
    let expr = &parts.levels[lvl.index()].expr;
    let blocked = expr.as_mod().filter(|(_, c)| of_m(*c));
    if blocked.map_or(expr.as_var(), |(e, _)| e.as_var()).is_none() {
        return Some(EncodingError::StructuredNotBlocked { lvl, block });
    }
    let other = parts.levels.iter().position(|level| {
        let quotient = level.expr.as_floordiv().or(level.expr.as_mod());
        quotient.is_some_and(|(_, c)| !of_m(c))
    })?;
    Some(EncodingError::StructuredOtherBlock { lvl, other: Lvl::new(other), block })
}

/// Whether the levels above hold at most one entry each, so that a singleton may lie below them: they are
/// full, and count a dimension that they also store.
fn is_padded(parts: &EncodingParts, lvl: Lvl) -> bool {
    let above = &parts.levels[..lvl.index()];
    let stores = |dim: Dim| above.iter().any(|level| level.expr.as_var() == Some(dim));
    let counts = above.iter().filter_map(Level::counts).any(stores);
    above.last().is_some_and(|level| level.format.is_full()) && counts
}

fn check_counts(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    let holds = |format: LevelFormat| format.is_dense() || format.heads_tuples() && format.merges();
    if !parts.symbols.iter().any(|symbol| symbol == COUNT) {
        return;
    }
    let wrong = formats(parts).filter(|(lvl, format)| parts.levels[lvl.index()].counts().is_some() && !holds(*format));
    errors.extend(wrong.map(|(lvl, _)| EncodingError::CountFormat { lvl }));
}

fn check_runs(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    let runs = formats(parts).filter(|(_, format)| format.shares_positions()).map(|(lvl, _)| lvl);
    let above = runs.filter(|lvl| lvl.index() + 1 < parts.levels.len());
    errors.extend(above.map(|lvl| EncodingError::RunLengthNotLast { lvl }));
}

fn check_ranges(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    let alone = |lvl: &Lvl| {
        let (above, from) = parts.levels.split_at(lvl.index());
        let dim = from.first().and_then(|level| level.expr.as_var());
        let mixes = |expr: &Affine<Dim>| dim.is_some_and(|dim| expr.vars().contains(&dim) && expr.vars().len() > 1);
        !above.iter().any(|level| mixes(&level.expr))
    };
    let ranges = formats(parts).filter(|(_, format)| format.clips()).map(|(lvl, _)| lvl);
    errors.extend(ranges.filter(alone).map(|lvl| EncodingError::RangeAlone { lvl }));
}

fn check_widths(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    if parts.pos_width == Width::W2 {
        errors.push(EncodingError::TwoBitPositions);
    }
    let structured = formats(parts).find_map(|(_, format)| format.block());
    if parts.crd_width == Width::W2 && structured.is_none_or(|block| block.m() > 4) {
        errors.push(EncodingError::TwoBitWidth { structured });
    }
}

fn check_slices(parts: &EncodingParts, errors: &mut Vec<EncodingError>) {
    for (at, dimension) in parts.dims.iter().enumerate() {
        let (dim, Some(slice)) = (Dim::new(at), dimension.slice) else { continue };
        if slice.size == Some(0) {
            errors.push(EncodingError::EmptySlice { dim });
        } else if slice.stride == Some(0) {
            errors.push(EncodingError::ZeroStride { dim });
        } else if parts.levels.len() != parts.dims.len() {
            errors.push(EncodingError::SliceOfBlock { dim });
        }
    }
}

fn find_inverse(parts: &EncodingParts) -> Result<Option<Vec<Affine<Lvl>>>, Vec<EncodingError>> {
    let inferred = infer::infer(parts);
    if parts.inverse.iter().all(Option::is_none) {
        return inferred.map_err(|reasons| reasons.into_iter().map(EncodingError::NoInverse).collect());
    }
    let right = inferred.as_ref().ok().and_then(|inferred| inferred.as_ref());
    let written = parts.inverse.iter().enumerate().filter_map(|(at, e)| Some((Dim::new(at), e.as_ref()?)));
    let wrong: Vec<EncodingError> = written
        .filter(|(dim, expr)| !infer::proves(parts, *dim, expr))
        .map(|(dim, _)| EncodingError::WrongInverse { dim, right: right.and_then(|all| all.get(dim.index()).cloned()) })
        .collect();
    let complete = parts.inverse.iter().cloned().collect::<Option<Vec<_>>>();
    match (inferred, complete) {
        (Ok(inverse), _) if wrong.is_empty() => Ok(inverse),
        (Err(reasons), Some(written)) if wrong.is_empty() => proved_without_inference(reasons, written),
        (Ok(_), _) => Err(wrong),
        (Err(reasons), _) => Err(reasons.into_iter().map(EncodingError::NoInverse).collect()),
    }
}

/// A proved inverse settles every doubt except that a level repeats what others store.
fn proved_without_inference(
    reasons: Vec<NoInverse>,
    written: Vec<Affine<Lvl>>,
) -> Result<Option<Vec<Affine<Lvl>>>, Vec<EncodingError>> {
    let redundant = |reason: &NoInverse| matches!(reason, NoInverse::Redundant { .. });
    let repeats: Vec<EncodingError> = reasons.into_iter().filter(redundant).map(EncodingError::NoInverse).collect();
    if repeats.is_empty() { Ok(Some(written)) } else { Err(repeats) }
}

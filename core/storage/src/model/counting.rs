//! The levels of an encoding, with formulas for what they store.

use super::{ArrayModel, LevelModel, Role};
use crate::{bounds, formula::Formula};
use nnz_base::{
    arrays::Width,
    ids::{Dim, Lvl},
};
use nnz_encoding::{
    Affine, CooSegment, Encoding, Layout, LevelFormat,
    format::{Below, Stores},
};

/// Where the coordinates of a level lie, if it belongs to a COO segment that keeps tuples.
enum Tuple {
    None,
    /// The start of tuples over this number of levels.
    Of(usize),
    /// In the tuples of a level above.
    Above,
}

/// Counts positions from the outermost level inwards.
pub(super) struct Counting<'a> {
    encoding: &'a Encoding,
    pub(super) batches: Formula,
    /// Positions of the level above, in each batch.
    pub(super) parents: Formula,
    pub(super) legend: Vec<(String, String)>,
}

impl<'a> Counting<'a> {
    pub(super) fn new(encoding: &'a Encoding) -> Self {
        Counting { encoding, batches: Formula::from(1u64), parents: Formula::from(1u64), legend: Vec::new() }
    }

    pub(super) fn level(&mut self, dims: &[(String, Formula)], lvl: Lvl) -> LevelModel {
        let level = &self.encoding.levels()[lvl.index()];
        let size = level_size(&level.expr, dims);
        if let Some(dim) = level.counts() {
            let name = self.encoding.dims().get(dim.index()).map_or_else(|| dim.to_string(), |dim| dim.name.clone());
            self.legend.push(("K".into(), format!("the most entries with the same {name}")));
        }
        let above = std::mem::take(&mut self.parents);
        let one = Formula::from(1u64);
        let (positions, below) = match level.format.below() {
            Below::Batch => {
                self.batches = &self.batches * &size;
                (None, above)
            }
            Below::Size => (None, &above * &size),
            Below::Segment => (Some(&above + &one), self.stored(lvl)),
            Below::Pair => (Some(&(&above * &Formula::from(2u64)) + &one), self.stored(lvl)),
            Below::One => (None, above),
            Below::Exactly(count) => (None, &above * &Formula::from(count)),
        };
        let coordinates = level.format.has_coordinates().then(|| below.clone());
        self.parents = below;
        let (pos, crd) = (self.encoding.pos_width(), self.encoding.coordinates_width(lvl));
        let role = if level.format.has_mask() { Role::Mask } else { Role::Coordinates };
        let positions = positions.map(|length| self.array(Role::Positions, length, pos));
        let coordinates = coordinates.and_then(|length| match self.tuple_of(lvl) {
            Tuple::None => Some(self.array(role, length, crd)),
            Tuple::Of(levels) => Some(self.array(role, length, crd).of_tuples(levels)),
            Tuple::Above => None,
        });
        let expr = self.encoding.level_text(lvl);
        LevelModel { lvl, expr, format: level.format, size, arrays: positions.into_iter().chain(coordinates).collect() }
    }

    fn array(&self, role: Role, length: Formula, width: Width) -> ArrayModel {
        let length = &length * &self.batches;
        let bytes = match width.bits() {
            bits @ 0..8 => length.div_ceil(u64::from(8 / bits.max(1))),
            bits => &length * &Formula::from(u64::from(bits / 8)),
        };
        ArrayModel { role, tuple: 1, type_name: width.type_name().into(), length, bytes: Some(bytes), entries: None }
    }

    /// Whether the coordinates of a level lie in tuples.
    fn tuple_of(&self, lvl: Lvl) -> Tuple {
        let tuples = self.encoding.coo_segments().into_iter().filter(|segment| segment.layout == Layout::Aos);
        let holds =
            |segment: &CooSegment| (segment.head.index()..segment.head.index() + segment.len).contains(&lvl.index());
        match { tuples }.find(holds) {
            None => Tuple::None,
            Some(segment) if segment.head == lvl => Tuple::Of(segment.len),
            Some(_) => Tuple::Above,
        }
    }

    /// The number of positions that a compressed level stores: a name of its own.
    fn stored(&mut self, lvl: Lvl) -> Formula {
        let at = lvl.index();
        let format = self.encoding.format(lvl);
        let (name, meaning) = match format.row().stores {
            Stores::Coordinates if format.has_holes() => {
                (format!("slots{at}"), format!("slots of the hash tables of level {at}"))
            }
            Stores::Ends => ("runs".to_string(), "runs of equal values".to_string()),
            Stores::Deltas => (format!("nnz{at}"), format!("stored coordinates of level {at}, and fillers")),
            Stores::Coordinates | Stores::Mask | Stores::Nothing => self.stored_coordinates(at),
        };
        self.legend.push((name.clone(), meaning));
        Formula::name(name)
    }

    /// What the positions of level `at` are called, by what lies below them.
    fn stored_coordinates(&self, at: usize) -> (String, String) {
        let below = self.encoding.levels()[at + 1..].iter().map(|level| level.format);
        let rest: Vec<LevelFormat> = below.skip_while(|format| format.is_branchless()).collect();
        if rest.is_empty() {
            ("nnz".to_string(), "stored entries".to_string())
        } else if rest.iter().all(|format| format.is_full()) {
            ("nnzb".to_string(), "stored blocks".to_string())
        } else {
            (format!("nnz{at}"), format!("stored coordinates of level {at}"))
        }
    }
}

/// The size of a level; `?` where it does not follow from the sizes that are known.
fn level_size(expr: &Affine<Dim>, dims: &[(String, Formula)]) -> Formula {
    let size = |dim: Dim| dims.get(dim.index()).map_or_else(Formula::default, |(_, size)| size.clone());
    if let Some(dim) = expr.as_var() {
        return size(dim);
    }
    let positive = |c: i64| u64::try_from(c).ok().filter(|&c| c > 0);
    if let Some((dim, by)) = expr.as_floordiv().and_then(|(e, c)| e.as_var().zip(positive(c))) {
        return size(dim).div_ceil(by);
    }
    if let Some(by) = expr.as_mod().and_then(|(_, c)| positive(c)) {
        return Formula::from(by);
    }
    if let Ok(Some(counter)) = bounds::counter(expr) {
        return counter.slices.map_or_else(|| Formula::name("K"), Formula::from);
    }
    let known: Option<Vec<u64>> = dims.iter().map(|(_, size)| u64::try_from(size.value()?).ok()).collect();
    match known.map(|sizes| bounds::of_level(expr, &sizes)) {
        Some(Ok(bounds)) => Formula::from(bounds.size),
        _ => Formula::name("?"),
    }
}

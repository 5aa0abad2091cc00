//! Encodings: how the levels of storage are computed from the dimensions of a tensor, and what each level stores. The
//! language is MLIR's `#sparse_tensor.encoding` (SparseTensorAttrDefs.td, MLIR 22); items beyond it say so.
//!
//! An [`Encoding`] is valid by construction: [`Encoding::new`] is the only way to make one, and its
//! errors name a level, dimension or field; `check` turns that name into a place in the text.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod affine;
mod linear;
pub mod infer;
pub mod mlir;
pub mod named;
pub mod print;
pub mod verify;
pub mod remark;
pub mod groups;

pub use affine::{Affine, AffineMap};
pub use infer::NoInverse;
pub use nnz_base::format;
pub use nnz_base::format::{DeltaBits, Layout, LevelFormat, NOutOfM, Props};
pub use remark::Remark;
pub use verify::{EncodingError, EncodingPart};

use nnz_base::{
    arrays::Width,
    element::Scalar,
    ids::{Dim, Lvl, Sym},
};

/// One dimension: the user's name for it, and its slice if the encoding views a part of a parent.
#[derive(Clone, Debug)]
pub struct Dimension {
    pub name: String,
    pub slice: Option<Slice>,
}

/// `slice(offset, size, stride)`; `None` stands for `?`, known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    pub offset: Option<u64>,
    pub size: Option<u64>,
    pub stride: Option<u64>,
}

/// One level, outermost first.
#[derive(Clone, Debug)]
pub struct Level {
    /// The user's name, where the map declares level variables.
    pub name: Option<String>,
    /// The level's coordinate as a function of the dimensions' coordinates.
    pub expr: Affine<Dim>,
    pub format: LevelFormat,
}

/// A typed constant: the value of `explicitVal` or `implicitVal`, with its type's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub value: Scalar,
    pub type_text: String,
}

/// The parts of an encoding, unchecked.
#[derive(Clone, Debug, Default)]
pub struct EncodingParts {
    pub symbols: Vec<String>,
    pub dims: Vec<Dimension>,
    pub levels: Vec<Level>,
    /// The inverse that the user wrote: empty, or one expression per dimension.
    pub inverse: Vec<Option<Affine<Lvl>>>,
    pub pos_width: Width,
    pub crd_width: Width,
    pub explicit_val: Option<Constant>,
    pub implicit_val: Option<Constant>,
}

/// A verified encoding. Equality is MLIR's: names do not count.
#[derive(Clone, Debug)]
pub struct Encoding {
    parts: EncodingParts,
    /// How dimensions follow from levels; `None` where a symbol keeps it open.
    inverse: Option<Vec<Affine<Lvl>>>,
}

/// The symbol behind `#i`, the count of a dimension: it is the product of the dimension and this symbol, as
/// MLIR's documentation writes ELL's counter with a symbol of the user's.
pub const COUNT: &str = "#";

/// The most dimensions of a tensor.
pub const MAX_RANK: usize = 64;
/// The most levels of an encoding: two for every dimension, one for blocks and one for places in them.
pub const MAX_LEVELS: usize = 2 * MAX_RANK;

impl Level {
    /// The dimension that the level counts: its coordinate is the number of earlier entries with the same
    /// coordinate in that dimension (the counter `#i` of Chou, Kjolstad and Amarasinghe 2020, section 4).
    pub fn counts(&self) -> Option<Dim> {
        let Affine::Mul(a, b) = &self.expr else { return None };
        matches!(**b, Affine::Sym(_)).then(|| a.as_var())?
    }
}

/// Whether the level may have positions without an entry: by its format, or because it is a singleton below
/// full levels, of whose positions not every one has an entry.
fn has_holes(levels: &[Level], lvl: Lvl) -> bool {
    let is_singleton = |level: &&Level| level.format.is_branchless();
    let Some((last, above)) = levels.get(..=lvl.index()).and_then(<[Level]>::split_last) else { return false };
    if last.format.has_holes() {
        return true;
    }
    let head = above.iter().rev().find(|level| !is_singleton(level));
    is_singleton(&last) && head.is_some_and(|head| head.format.is_full())
}

impl Encoding {
    /// Verifies `parts` and infers the inverse map.
    ///
    /// # Errors
    /// Every broken rule, in the order of the levels (see [`verify`]).
    pub fn new(parts: EncodingParts) -> Result<Encoding, Vec<EncodingError>> {
        let inverse = verify::verify(&parts)?;
        Ok(Encoding { parts, inverse })
    }

    pub fn dims(&self) -> &[Dimension] {
        &self.parts.dims
    }
    pub fn levels(&self) -> &[Level] {
        &self.parts.levels
    }
    pub fn symbols(&self) -> &[String] {
        &self.parts.symbols
    }
    pub fn dim_rank(&self) -> usize {
        self.parts.dims.len()
    }
    pub fn lvl_rank(&self) -> usize {
        self.parts.levels.len()
    }
    pub fn pos_width(&self) -> Width {
        self.parts.pos_width
    }
    pub fn crd_width(&self) -> Width {
        self.parts.crd_width
    }
    pub fn explicit_val(&self) -> Option<&Constant> {
        self.parts.explicit_val.as_ref()
    }
    pub fn implicit_val(&self) -> Option<&Constant> {
        self.parts.implicit_val.as_ref()
    }
    /// One expression over the levels per dimension; `None` where a symbol keeps it open.
    pub fn inverse(&self) -> Option<&[Affine<Lvl>]> {
        self.inverse.as_deref()
    }
    pub fn format(&self, lvl: Lvl) -> LevelFormat {
        self.parts.levels[lvl.index()].format
    }

    /// Level `l` stores dimension `p[l]`, if the map is a permutation.
    pub fn permutation(&self) -> Option<Vec<Dim>> {
        let dims: Option<Vec<Dim>> = self.levels().iter().map(|level| level.expr.as_var()).collect();
        dims.filter(|dims| dims.len() == self.dim_rank())
    }
    pub fn is_identity(&self) -> bool {
        self.permutation().is_some_and(|p| p.iter().enumerate().all(|(at, dim)| dim.index() == at))
    }
    pub fn is_slice(&self) -> bool {
        self.dims().iter().any(|dim| dim.slice.is_some())
    }
    /// The first level that MLIR 22 lacks: by its format, or because it counts.
    pub fn beyond_mlir(&self) -> Option<Lvl> {
        let counts = self.parts.symbols.iter().any(|symbol| symbol == COUNT);
        let beyond = |level: &Level| !level.format.is_mlir() || counts && level.counts().is_some();
        self.levels().iter().position(beyond).map(Lvl::new)
    }
    /// Whether positions of the level may have no entry, so that a loop must test each. A bitmap marks them
    /// in its bytes; elsewhere the stored coordinate is the level's size.
    pub fn has_holes(&self, lvl: Lvl) -> bool {
        has_holes(self.levels(), lvl)
    }
    /// Whether a loop over the level needs its size.
    pub fn walks_by_size(&self, lvl: Lvl) -> bool {
        self.format(lvl).is_full() || self.has_holes(lvl) || self.format(lvl).shares_positions()
    }
    /// The width of a level's array of coordinates; a bitmap has bytes.
    pub fn coordinates_width(&self, lvl: Lvl) -> Width {
        if self.format(lvl).has_mask() { Width::W8 } else { self.crd_width() }
    }
    /// Whether zeros are stored that cannot be distinguished from entries: those of padding, or of an all-dense tensor.
    pub fn has_fill(&self) -> bool {
        self.levels().iter().all(|level| level.format.is_full())
            || self.levels().last().is_some_and(|level| level.format.pads())
    }
    pub fn all_dense(&self) -> bool {
        self.levels().iter().all(|level| level.format.is_dense())
    }
    /// Whether every coordinate is stored: all levels are dense or batch levels.
    pub fn stores_all(&self) -> bool {
        self.levels().iter().all(|level| level.format.is_dense() || level.format.is_batch())
    }
    /// The number of leading batch levels.
    pub fn batch_rank(&self) -> usize {
        self.levels().iter().take_while(|level| level.format.is_batch()).count()
    }

    /// Maximal runs of one (loose_)compressed level and the singletons below it.
    pub fn coo_segments(&self) -> Vec<CooSegment> {
        let heads = (0..self.lvl_rank()).filter(|&at| self.levels()[at].format.heads_tuples());
        heads.filter_map(|at| self.coo_segment_at(at)).collect()
    }

    fn coo_segment_at(&self, head: usize) -> Option<CooSegment> {
        let singletons = self.levels()[head + 1..].iter().map_while(|level| level.format.layout());
        let layouts: Vec<Layout> = singletons.collect();
        let layout = *layouts.first()?;
        Some(CooSegment { head: Lvl::new(head), len: layouts.len() + 1, layout })
    }
}

/// A run of levels that stores tuples of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CooSegment {
    pub head: Lvl,
    /// Levels in the run, the head included.
    pub len: usize,
    pub layout: Layout,
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.parts, &other.parts);
        let level = |level: &Level| (level.expr.clone(), level.format);
        a.symbols.len() == b.symbols.len()
            && a.dims.iter().map(|dim| dim.slice).eq(b.dims.iter().map(|dim| dim.slice))
            && a.levels.iter().map(level).eq(b.levels.iter().map(level))
            && (a.pos_width, a.crd_width) == (b.pos_width, b.crd_width)
            && (&a.explicit_val, &a.implicit_val) == (&b.explicit_val, &b.implicit_val)
    }
}

/// The display names of symbols if the map has none.
pub fn symbol_name(symbols: &[String], sym: Sym) -> String {
    symbols.get(sym.index()).cloned().unwrap_or_else(|| sym.to_string())
}

//! The level formats, one row each: all that other code needs to know about a format. Only `storage/levels` and
//! `plan/lower/levels` have code for each format.

use super::{Layout, LevelFormat, Props};

/// A level format and its properties. No field has a default, so that a new format must state them all.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// As the encoding's text names it, without properties.
    pub name: &'static str,
    /// A line for completion, and a paragraph for hovers.
    pub summary: &'static str,
    pub text: &'static str,
    pub mlir: Mlir,
    pub written: Written,
    /// What may be in parentheses after the name.
    pub properties: &'static [&'static str],
    /// What its levels do with coordinates, where a property does not apply.
    pub order: &'static str,
    /// What it takes to find a coordinate.
    pub find: &'static str,
    pub below: Below,
    pub stores: Stores,
    /// See [`LevelFormat::is_full`] and so on.
    pub is_full: bool,
    pub is_sequential: bool,
    /// The coordinates of a segment are in no order, though no property says so.
    pub is_unordered: bool,
    pub has_holes: bool,
    /// As [`LevelFormat::merges`], where coordinates are unique and ordered.
    pub walks: bool,
    pub locates: bool,
    /// As [`LevelFormat::is_cut`], where coordinates are ordered.
    pub is_cut: bool,
    pub heads_tuples: bool,
    pub pads: bool,
    pub clips: bool,
    pub assembles: Option<Assembles>,
    /// TACO's letter, and that of the format whose coordinates may repeat.
    pub taco: Option<[char; 2]>,
    /// The axis of SparseTIR that a level with unique coordinates is.
    pub sparsetir: Option<&'static str>,
    /// Whether NVIDIA's Universal Sparse Tensor has it; its name there is this one in capitals.
    pub ust: bool,
}

/// Whether the format is a level type of MLIR 22.
#[derive(Clone, Copy, Debug)]
pub enum Mlir {
    Has,
    Lacks {
        /// What to write for it there.
        instead: &'static str,
    },
}

/// What follows the name.
#[derive(Clone, Copy, Debug)]
pub enum Written {
    /// Properties at most.
    Word(fn(Props, Layout) -> LevelFormat),
    /// `[n, m]`
    WithBlock,
    /// `[b]`
    WithBits,
}

/// Which positions of the level lie below position `p` of the level above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// One for each coordinate: from `p * size` on.
    Size,
    /// `p` again, in the batch of each coordinate.
    Batch,
    /// `p` itself.
    One,
    /// From `p * n` on, so many.
    Exactly(u64),
    /// `pos[p]..pos[p + 1]`: segments follow each other.
    Segment,
    /// `pos[2 * p]..pos[2 * p + 1]`.
    Pair,
}

/// What the array of coordinates stores for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// There is no such array.
    Nothing,
    Coordinates,
    /// How many coordinates are skipped.
    Deltas,
    /// A byte: whether there is an entry.
    Mask,
    /// Where a run ends.
    Ends,
}

/// How loops can put coordinates into a level, one after another ("assembly" in Chou 2020, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assembles {
    /// Every coordinate has a place.
    InPlace,
    /// Coordinates are appended and their segments closed.
    Appending,
    /// A coordinate is appended with each position of the level above.
    WithParent,
}

/// Every format, in the order of MLIR's documentation, then those beyond MLIR.
pub const ROWS: &[Row] =
    &[DENSE, BATCH, COMPRESSED, LOOSE_COMPRESSED, SINGLETON, structured(1), RANGE, DELTA, BITMAP, HASHED, RUN_LENGTH];

/// The format of this name.
pub fn named(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

impl LevelFormat {
    #[inline]
    pub fn row(self) -> Row {
        match self {
            LevelFormat::Dense => DENSE,
            LevelFormat::Batch => BATCH,
            LevelFormat::Compressed(_) => COMPRESSED,
            LevelFormat::LooseCompressed(_) => LOOSE_COMPRESSED,
            LevelFormat::Singleton { .. } => SINGLETON,
            LevelFormat::Structured(block) => structured(block.n()),
            LevelFormat::Range => RANGE,
            LevelFormat::Delta(_) => DELTA,
            LevelFormat::Bitmap => BITMAP,
            LevelFormat::Hashed => HASHED,
            LevelFormat::RunLength => RUN_LENGTH,
        }
    }
}

const DENSE: Row = Row {
    name: "dense",
    summary: "every coordinate, no arrays",
    text: "Stores every coordinate from 0 to the level's size; no arrays. Position `p * size + c` belongs to coordinate `c` below parent `p`, so any coordinate is found in O(1).",
    mlir: Mlir::Has,
    written: Written::Word(|_, _| LevelFormat::Dense),
    properties: &[],
    order: "store no coordinates that could repeat or be unordered",
    find: "find O(1)",
    below: Below::Size,
    stores: Stores::Nothing,
    is_full: true,
    is_sequential: false,
    is_unordered: false,
    has_holes: false,
    walks: true,
    locates: true,
    is_cut: true,
    heads_tuples: false,
    pads: false,
    clips: false,
    assembles: Some(Assembles::InPlace),
    taco: Some(['d', 'd']),
    sparsetir: Some("dense_fixed"),
    ust: true,
};

const BATCH: Row = Row {
    name: "batch",
    summary: "like dense, and a leading axis of every array",
    text: "Stores every coordinate, and makes this level a leading axis of every array of the tensor; positions restart at 0 in each batch. Only as leading levels.",
    mlir: Mlir::Has,
    written: Written::Word(|_, _| LevelFormat::Batch),
    properties: &[],
    order: "store no coordinates that could repeat or be unordered",
    find: "find O(1)",
    below: Below::Batch,
    stores: Stores::Nothing,
    is_full: true,
    is_sequential: false,
    is_unordered: false,
    has_holes: false,
    walks: true,
    locates: true,
    is_cut: true,
    heads_tuples: false,
    pads: false,
    clips: false,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: true,
};

const COMPRESSED: Row = Row {
    name: "compressed",
    summary: "a segment of coordinates per parent",
    text: "Stores the coordinates that occur: positions `pos[p]` to `pos[p+1]` hold the segment of parent `p` in `crd`. `pos` has one entry more than there are parents. Iterated in O(entries), searched in O(log entries). Properties: `nonunique`, `nonordered`.",
    mlir: Mlir::Has,
    written: Written::Word(|props, _| LevelFormat::Compressed(props)),
    properties: &["nonunique", "nonordered"],
    order: "store no coordinates that could repeat or be unordered",
    find: "find O(log n)",
    below: Below::Segment,
    stores: Stores::Coordinates,
    is_full: false,
    is_sequential: false,
    is_unordered: false,
    has_holes: false,
    walks: true,
    locates: false,
    is_cut: true,
    heads_tuples: true,
    pads: false,
    clips: false,
    assembles: Some(Assembles::Appending),
    taco: Some(['s', 'u']),
    sparsetir: Some("sparse_variable"),
    ust: true,
};

const LOOSE_COMPRESSED: Row = Row {
    name: "loose_compressed",
    summary: "segments with gaps between them",
    text: "As `compressed`, but the segment of parent `p` is `pos[2p]` to `pos[2p+1]`, two positions per parent, so that gaps may lie between segments. Properties: `nonunique`, `nonordered`.",
    mlir: Mlir::Has,
    written: Written::Word(|props, _| LevelFormat::LooseCompressed(props)),
    properties: &["nonunique", "nonordered"],
    order: "store no coordinates that could repeat or be unordered",
    find: "find O(log n)",
    below: Below::Pair,
    stores: Stores::Coordinates,
    is_full: false,
    is_sequential: false,
    is_unordered: false,
    has_holes: false,
    walks: true,
    locates: false,
    is_cut: true,
    heads_tuples: true,
    pads: false,
    clips: false,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: false,
};

const SINGLETON: Row = Row {
    name: "singleton",
    summary: "exactly one coordinate per parent",
    text: "Stores exactly one coordinate per parent, in `crd`; no positions. Stands below a `compressed(nonunique)` level or another singleton, which together store tuples of coordinates (COO). Properties: `nonunique`, `nonordered`, `soa`.",
    mlir: Mlir::Has,
    written: Written::Word(|props, layout| LevelFormat::Singleton { props, layout }),
    properties: &["nonunique", "nonordered", "soa"],
    order: "store no coordinates that could repeat or be unordered",
    find: "one per parent",
    below: Below::One,
    stores: Stores::Coordinates,
    is_full: false,
    is_sequential: false,
    is_unordered: false,
    has_holes: false,
    walks: false,
    locates: false,
    is_cut: false,
    heads_tuples: false,
    pads: false,
    clips: false,
    assembles: Some(Assembles::WithParent),
    taco: Some(['q', 'c']),
    sparsetir: None,
    ust: true,
};

const fn structured(n: u64) -> Row {
    Row {
        name: "structured",
        summary: "exactly n of every m coordinates",
        text: "`structured[n, m]` stores exactly `n` coordinates of every block of `m`, each within its block; no positions. Below `dense` levels only, as the last level, on `j mod m` after `j floordiv m`.",
        mlir: Mlir::Has,
        written: Written::WithBlock,
        properties: &[],
        order: "store every coordinate once, in order",
        find: "find O(n of m)",
        below: Below::Exactly(n),
        stores: Stores::Coordinates,
        is_full: false,
        is_sequential: false,
        is_unordered: false,
        has_holes: false,
        walks: false,
        locates: false,
        is_cut: false,
        heads_tuples: false,
        pads: true,
        clips: false,
        assembles: None,
        taco: None,
        sparsetir: Some("sparse_fixed"),
        ust: true,
    }
}

const RANGE: Row = Row {
    name: "range",
    summary: "every coordinate of a diagonal (not MLIR)",
    text: "Not MLIR: RANGE of NVIDIA's Universal Sparse Tensor. Stores a slot for every coordinate of a dimension that a level above adds to or subtracts from another, as in `(i, j) -> (j - i : compressed, i : range)`, which is DIA; no arrays. Slots that lead out of the tensor hold zero and are not visited.",
    mlir: Mlir::Lacks { instead: "`dense` keeps the same slots, and visits those outside the tensor too" },
    written: Written::Word(|_, _| LevelFormat::Range),
    properties: &[],
    order: "store no coordinates that could repeat or be unordered",
    find: "find O(1)",
    below: Below::Size,
    stores: Stores::Nothing,
    is_full: true,
    is_sequential: false,
    is_unordered: false,
    has_holes: false,
    walks: false,
    locates: false,
    is_cut: false,
    heads_tuples: false,
    pads: true,
    clips: true,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: true,
};

const DELTA: Row = Row {
    name: "delta",
    summary: "how many coordinates are skipped, in b bits (not MLIR)",
    text: "Not MLIR: DELTA of NVIDIA's Universal Sparse Tensor. `delta[b]` is `compressed`, but `crd` holds how many coordinates lie between an entry and the one before it, at most `2^b - 1`; a wider gap takes filler entries with the value zero. Iterated in O(entries), in order; a single coordinate cannot be searched.",
    mlir: Mlir::Lacks { instead: "`compressed` stores the coordinates themselves" },
    written: Written::WithBits,
    properties: &[],
    order: "store every coordinate once, in order",
    find: "find O(n)",
    below: Below::Segment,
    stores: Stores::Deltas,
    is_full: false,
    is_sequential: true,
    is_unordered: false,
    has_holes: false,
    walks: false,
    locates: false,
    is_cut: false,
    heads_tuples: false,
    pads: true,
    clips: false,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: true,
};

const BITMAP: Row = Row {
    name: "bitmap",
    summary: "a slot and a byte for every coordinate (not MLIR)",
    text: "Not MLIR: the bitmap format of SuiteSparse:GraphBLAS. Stores a slot for every coordinate, as `dense`, and in `mask` a byte that says which slots have an entry. Iterated in O(size), any coordinate found in O(1); a stored zero stays an entry.",
    mlir: Mlir::Lacks { instead: "`dense` stores every coordinate, `compressed` those that occur" },
    written: Written::Word(|_, _| LevelFormat::Bitmap),
    properties: &[],
    order: "store every coordinate once, in order",
    find: "find O(1)",
    below: Below::Size,
    stores: Stores::Mask,
    is_full: false,
    is_sequential: false,
    is_unordered: false,
    has_holes: true,
    walks: false,
    locates: true,
    is_cut: false,
    heads_tuples: false,
    pads: false,
    clips: false,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: false,
};

const HASHED: Row = Row {
    name: "hashed",
    summary: "a hash table of coordinates per parent (not MLIR)",
    text: "Not MLIR: the hash maps of Chou 2018. Positions `pos[p]` to `pos[p+1]` hold the table of parent `p` in `crd`, a power of two slots with linear probing; a free slot holds the level's size. Iterated in O(slots), in no order; any coordinate found in O(1) on average.",
    mlir: Mlir::Lacks { instead: "`compressed` stores the coordinates themselves" },
    written: Written::Word(|_, _| LevelFormat::Hashed),
    properties: &[],
    order: "store every coordinate once, in no order",
    find: "find O(1) on average",
    below: Below::Segment,
    stores: Stores::Coordinates,
    is_full: false,
    is_sequential: false,
    is_unordered: true,
    has_holes: true,
    walks: false,
    locates: true,
    is_cut: false,
    heads_tuples: false,
    pads: false,
    clips: false,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: false,
};

const RUN_LENGTH: Row = Row {
    name: "run_length",
    summary: "runs of equal values (not MLIR)",
    text: "Not MLIR: run-length encoding. Every coordinate lies in a run of equal values; positions `pos[p]` to `pos[p+1]` are the runs of parent `p`, `crd` says where each ends, and there is one value a run, zeros too. Only as the last level.",
    mlir: Mlir::Lacks { instead: "`dense` stores every coordinate, `compressed` those that occur" },
    written: Written::Word(|_, _| LevelFormat::RunLength),
    properties: &[],
    order: "store no coordinates that could repeat or be unordered",
    find: "find O(log runs)",
    below: Below::Segment,
    stores: Stores::Ends,
    is_full: false,
    is_sequential: true,
    is_unordered: false,
    has_holes: false,
    walks: false,
    locates: false,
    is_cut: false,
    heads_tuples: false,
    pads: true,
    clips: false,
    assembles: None,
    taco: None,
    sparsetir: None,
    ust: false,
};

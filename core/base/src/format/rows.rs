//! The level formats, one row each.

use std::sync::LazyLock;

use super::{
    DeltaBits, Layout, NOutOfM, Props,
    row::{Assembles, Below, Mlir, Row, Stores, Written},
};

/// Calls `$define` with every level format, in the order of MLIR's documentation, then those beyond MLIR: what it stores,
/// the module of its code (in `nnz-storage` and in `nnz-plan`), its row below, its variant, and what that holds.
#[macro_export]
macro_rules! level_formats {
    ($define:ident) => {
        $define! {
            /// All coordinates; no arrays.
            dense DENSE Dense;
            /// All coordinates; every array of the tensor gets this level as a leading axis.
            batch BATCH Batch;
            /// A segment `pos[p]..pos[p+1]`.
            compressed COMPRESSED Compressed(props: Props);
            /// A segment `pos[2p]..pos[2p+1]`, gaps allowed.
            loose_compressed LOOSE_COMPRESSED LooseCompressed(props: Props);
            /// Exactly one coordinate.
            singleton SINGLETON Singleton { props: Props, layout: Layout };
            /// Exactly n of m coordinates.
            structured STRUCTURED Structured(block: NOutOfM);
            /// All coordinates of a dimension that a level above adds to or subtracts from another; those that lead out of the
            /// other dimension are stored and not visited (RANGE of the Universal Sparse Tensor).
            range RANGE Range;
            /// A segment `pos[p]..pos[p+1]` of the numbers of coordinates skipped (DELTA of the Universal Sparse Tensor).
            delta DELTA Delta(bits: DeltaBits);
            /// A slot for every coordinate, and a byte that tells whether there is an entry (the bitmap format of
            /// SuiteSparse:GraphBLAS, Davis 2019).
            bitmap BITMAP Bitmap;
            /// A hash table of coordinates (Chou 2018, section 3).
            hashed HASHED Hashed;
            /// All coordinates in runs of equal values; the end of each run is stored (run-length encoding, Donenfeld 2022).
            run_length RUN_LENGTH RunLength;
        }
    };
}

macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $module:ident $row:ident $variant:ident $(($($one:ident: $its:ty),*))? $({ $($named:ident: $of:ty),* })?;
    )*) => {
        /// What a level stores per parent position: the level types of MLIR 22's encoding attribute, then those that
        /// only nnz has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LevelFormat {
            $($(#[$doc])* $variant $(($($its),*))? $({ $($named: $of),* })?,)*
        }

        /// Every format.
        pub static ROWS: &[&Row] = &[$(&$row),*];

        impl LevelFormat {
            #[inline]
            pub fn row(self) -> &'static Row {
                match self {
                    $(LevelFormat::$variant { .. } => &$row,)*
                }
            }

            pub(super) fn held(self) -> Held {
                match self {
                    $(LevelFormat::$variant $(($($one),*))? $({ $($named),* })? => Held {
                        $($($one: Some($one),)*)?
                        $($($named: Some($named),)*)?
                        ..Held::default()
                    },)*
                }
            }
        }
    };
}
level_formats!(define);

/// What a format says besides its name.
#[derive(Clone, Copy, Default)]
pub(super) struct Held {
    pub(super) props: Option<Props>,
    pub(super) layout: Option<Layout>,
    pub(super) block: Option<NOutOfM>,
    pub(super) bits: Option<DeltaBits>,
}

/// The format of this name.
pub fn named(name: &str) -> Option<&'static Row> {
    ROWS.iter().copied().find(|row| row.name == name)
}

/// The names of MLIR 22's level formats.
pub fn of_mlir() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(true));
    &NAMES
}

/// The names of the level formats that nnz's notation has beyond MLIR.
pub fn beyond_mlir() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(false));
    &NAMES
}

fn names(of_mlir: bool) -> Vec<&'static str> {
    let rows = ROWS.iter().filter(|row| matches!(row.mlir, Mlir::Has) == of_mlir);
    rows.map(|row| row.name).collect()
}

static DENSE: Row = Row {
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

static BATCH: Row = Row {
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

static COMPRESSED: Row = Row {
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

static LOOSE_COMPRESSED: Row = Row {
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

static SINGLETON: Row = Row {
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

static STRUCTURED: Row = Row {
    name: "structured",
    summary: "exactly n of every m coordinates",
    text: "`structured[n, m]` stores exactly `n` coordinates of every block of `m`, each within its block; no positions. Below `dense` levels only, as the last level, on `j mod m` after `j floordiv m`.",
    mlir: Mlir::Has,
    written: Written::WithBlock(LevelFormat::Structured),
    properties: &[],
    order: "store every coordinate once, in order",
    find: "find O(n of m)",
    below: Below::Exactly(1),
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
};

static RANGE: Row = Row {
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

static DELTA: Row = Row {
    name: "delta",
    summary: "how many coordinates are skipped, in b bits (not MLIR)",
    text: "Not MLIR: DELTA of NVIDIA's Universal Sparse Tensor. `delta[b]` is `compressed`, but `crd` holds how many coordinates lie between an entry and the one before it, at most `2^b - 1`; a wider gap takes filler entries with the value zero. Iterated in O(entries), in order; a single coordinate cannot be searched.",
    mlir: Mlir::Lacks { instead: "`compressed` stores the coordinates themselves" },
    written: Written::WithBits(LevelFormat::Delta),
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

static BITMAP: Row = Row {
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

static HASHED: Row = Row {
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

static RUN_LENGTH: Row = Row {
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

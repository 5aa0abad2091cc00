//! The meaning of the words of an encoding, for hovers and completion.

use nnz_encoding::{Encoding, LevelFormat};
use nnz_storage::model;

/// A word with a line for completion and a paragraph for hovers.
pub(super) struct Word {
    pub name: &'static str,
    pub summary: &'static str,
    pub text: &'static str,
}

/// The level formats, in the order of MLIR's documentation, then those beyond MLIR.
pub(super) const FORMATS: &[Word] = &[
    Word {
        name: "dense",
        summary: "every coordinate, no arrays",
        text: "Stores every coordinate from 0 to the level's size; no arrays. Position `p * size + c` belongs to coordinate `c` below parent `p`, so any coordinate is found in O(1).",
    },
    Word {
        name: "batch",
        summary: "like dense, and a leading axis of every array",
        text: "Stores every coordinate, and makes this level a leading axis of every array of the tensor; positions restart at 0 in each batch. Only as leading levels.",
    },
    Word {
        name: "compressed",
        summary: "a segment of coordinates per parent",
        text: "Stores the coordinates that occur: positions `pos[p]` to `pos[p+1]` hold the segment of parent `p` in `crd`. `pos` has one entry more than there are parents. Iterated in O(entries), searched in O(log entries). Properties: `nonunique`, `nonordered`.",
    },
    Word {
        name: "loose_compressed",
        summary: "segments with gaps between them",
        text: "As `compressed`, but the segment of parent `p` is `pos[2p]` to `pos[2p+1]`, two positions per parent, so that gaps may lie between segments. Properties: `nonunique`, `nonordered`.",
    },
    Word {
        name: "singleton",
        summary: "exactly one coordinate per parent",
        text: "Stores exactly one coordinate per parent, in `crd`; no positions. Stands below a `compressed(nonunique)` level or another singleton, which together store tuples of coordinates (COO). Properties: `nonunique`, `nonordered`, `soa`.",
    },
    Word {
        name: "structured",
        summary: "exactly n of every m coordinates",
        text: "`structured[n, m]` stores exactly `n` coordinates of every block of `m`, each within its block; no positions. Below `dense` levels only, as the last level, on `j mod m` after `j floordiv m`.",
    },
    Word {
        name: "range",
        summary: "every coordinate of a diagonal (not MLIR)",
        text: "Not MLIR: RANGE of NVIDIA's Universal Sparse Tensor. Stores a slot for every coordinate of a dimension that a level above adds to or subtracts from another, as in `(i, j) -> (j - i : compressed, i : range)`, which is DIA; no arrays. Slots that lead out of the tensor hold zero and are not visited.",
    },
    Word {
        name: "delta",
        summary: "how many coordinates are skipped, in b bits (not MLIR)",
        text: "Not MLIR: DELTA of NVIDIA's Universal Sparse Tensor. `delta[b]` is `compressed`, but `crd` holds how many coordinates lie between an entry and the one before it, at most `2^b - 1`; a wider gap takes filler entries with the value zero. Iterated in O(entries), in order; a single coordinate cannot be searched.",
    },
    Word {
        name: "bitmap",
        summary: "a slot and a byte for every coordinate (not MLIR)",
        text: "Not MLIR: the bitmap format of SuiteSparse:GraphBLAS. Stores a slot for every coordinate, as `dense`, and in `mask` a byte that says which slots have an entry. Iterated in O(size), any coordinate found in O(1); a stored zero stays an entry.",
    },
    Word {
        name: "hashed",
        summary: "a hash table of coordinates per parent (not MLIR)",
        text: "Not MLIR: the hash maps of Chou 2018. Positions `pos[p]` to `pos[p+1]` hold the table of parent `p` in `crd`, a power of two slots with linear probing; a free slot holds the level's size. Iterated in O(slots), in no order; any coordinate found in O(1) on average.",
    },
    Word {
        name: "run_length",
        summary: "runs of equal values (not MLIR)",
        text: "Not MLIR: run-length encoding. Every coordinate lies in a run of equal values; positions `pos[p]` to `pos[p+1]` are the runs of parent `p`, `crd` says where each ends, and there is one value a run, zeros too. Only as the last level.",
    },
];

/// The properties of a level.
pub(super) const PROPERTIES: &[Word] = &[
    Word {
        name: "nonunique",
        summary: "equal coordinates may repeat in a segment",
        text: "Equal coordinates may repeat in a segment: one entry for each stored value below. The head of a COO segment needs it wherever two entries share its coordinate.",
    },
    Word {
        name: "nonordered",
        summary: "the coordinates of a segment are in no order",
        text: "The coordinates of a segment are in no order, so that it can be iterated but not merged or searched without sorting.",
    },
    Word {
        name: "soa",
        summary: "one coordinates array per level of a COO segment",
        text: "Structure of arrays: each level of this COO segment keeps an array of coordinates of its own. Without it the segment keeps one array of tuples.",
    },
];

/// The keys of an encoding's body.
pub(super) const KEYS: &[Word] = &[
    Word {
        name: "map",
        summary: "how levels follow from dimensions",
        text: "How the levels of storage follow from the dimensions of the tensor: on the left the dimensions, on the right one level after the other, outermost first, each an expression over the dimensions and a level format.",
    },
    Word {
        name: "posWidth",
        summary: "bits of a position: 8, 16, 32, 64",
        text: "The bits of each position: 8, 16, 32 or 64; 0 or absent means `index`, 64 bits. Data that do not fit are an error.",
    },
    Word {
        name: "crdWidth",
        summary: "bits of a coordinate: 8, 16, 32, 64",
        text: "The bits of each coordinate: 8, 16, 32 or 64; 0 or absent means `index`, 64 bits. Data that do not fit are an error.",
    },
    Word {
        name: "explicitVal",
        summary: "every stored value is this one",
        text: "A promise that every stored value is this constant, of the tensor's element type. nnz checks it; MLIR 22 does not.",
    },
    Word {
        name: "implicitVal",
        summary: "the value of absent entries: zero",
        text: "The value of absent entries, of the tensor's element type. Only zero is legal.",
    },
];

/// The operators of affine expressions that are words.
pub(super) const OPERATORS: &[Word] = &[
    Word {
        name: "floordiv",
        summary: "the block that a coordinate lies in",
        text: "`i floordiv 4` is the block of 4 that coordinate `i` lies in; with `i mod 4` below it, it stores blocks.",
    },
    Word {
        name: "mod",
        summary: "the place within a block",
        text: "`i mod 4` is the place of coordinate `i` within its block of 4; it needs `i floordiv 4` above it.",
    },
];

/// `#i`
pub(super) const COUNT: Word = Word {
    name: "#i",
    summary: "how many entries with the same i come before (not MLIR)",
    text: "Not MLIR: the counter of Chou 2020. The level's coordinate is how many entries come before that have the same coordinate in the dimension: `(i, j) -> (#i : dense, i : dense, j : singleton)` is ELL, rows padded to the longest. The level is `dense` or `compressed`, and as large as the data need.",
};

pub(super) fn find(words: &'static [Word], name: &str) -> Option<&'static Word> {
    words.iter().find(|word| word.name == name)
}

/// The properties that a format takes (encoding attribute documentation, MLIR 22).
pub(super) fn properties_of(format: &str) -> &'static [&'static str] {
    match format {
        "compressed" | "loose_compressed" => &["nonunique", "nonordered"],
        "singleton" => &["nonunique", "nonordered", "soa"],
        _ => &[],
    }
}

/// How finding one coordinate and visiting all of a level's entries cost.
pub(super) fn access_cost(format: LevelFormat) -> &'static str {
    match format {
        LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Range => "find O(1)",
        LevelFormat::Compressed(props) | LevelFormat::LooseCompressed(props) if props.nonordered => "find O(n)",
        LevelFormat::Compressed(_) | LevelFormat::LooseCompressed(_) => "find O(log n)",
        LevelFormat::Singleton { .. } => "one per parent",
        LevelFormat::Structured(_) => "find O(n of m)",
        LevelFormat::Delta(_) => "find O(n)",
        LevelFormat::Bitmap => "find O(1)",
        LevelFormat::Hashed => "find O(1) on average",
        LevelFormat::RunLength => "find O(log runs)",
    }
}

/// An encoding's map on one line: `(i, j) -> (i : dense, j : compressed)`.
pub(super) fn map_text(encoding: &Encoding) -> String {
    let model = model::of_encoding(encoding, None, &[]);
    let dims: Vec<&str> = encoding.dims().iter().map(|dim| dim.name.as_str()).collect();
    let levels: Vec<String> = model.levels.iter().map(|level| format!("{} : {}", level.expr, level.format)).collect();
    format!("({}) -> ({})", dims.join(", "), levels.join(", "))
}

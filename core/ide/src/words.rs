//! The meaning of the words of an encoding, for hovers and completion.

use std::sync::LazyLock;

use nnz_encoding::{Encoding, format::ROWS};
use nnz_storage::model;

/// A word with a line for completion and a paragraph for hovers.
pub(super) struct Word {
    pub name: &'static str,
    pub summary: &'static str,
    pub text: &'static str,
}

/// The level formats, in the order of MLIR's documentation, then those beyond MLIR.
pub(super) static FORMATS: LazyLock<Vec<Word>> =
    LazyLock::new(|| ROWS.iter().map(|row| Word { name: row.name, summary: row.summary, text: row.text }).collect());

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
    ROWS.iter().find(|row| row.name == format).map_or(&[], |row| row.properties)
}

/// An encoding's map on one line: `(i, j) -> (i : dense, j : compressed)`.
pub(super) fn map_text(encoding: &Encoding) -> String {
    let model = model::of_encoding(encoding, None, &[]);
    let dims: Vec<&str> = encoding.dims().iter().map(|dim| dim.name.as_str()).collect();
    let levels: Vec<String> = model.levels.iter().map(|level| format!("{} : {}", level.expr, level.format)).collect();
    format!("({}) -> ({})", dims.join(", "), levels.join(", "))
}

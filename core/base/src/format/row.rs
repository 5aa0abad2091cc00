//! The row of a level format: all that other code needs to know about it. Only `storage/levels` and `plan/lower/levels`
//! have code for each format.

use super::{DeltaBits, Layout, LevelFormat, NOutOfM, Props};

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
    /// Of a block `n` is the block's.
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
    WithBlock(fn(NOutOfM) -> LevelFormat),
    /// `[b]`
    WithBits(fn(DeltaBits) -> LevelFormat),
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

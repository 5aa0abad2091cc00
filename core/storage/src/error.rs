//! Errors in data that is not a valid storage of a tensor.

use super::{Part, TripletsError};
use nnz_base::{
    arrays::{Width, WidthOverflow},
    element::Scalar,
    ids::{Dim, Lvl},
    memory,
};

/// Which of a level's arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayKind {
    Positions,
    Coordinates,
}

impl std::fmt::Display for ArrayKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ArrayKind::Positions => "positions",
            ArrayKind::Coordinates => "coordinates",
        })
    }
}

/// A broken invariant: the level or dimension, the place in its array, and the number found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StorageError {
    #[error("the encoding has {encoding} dimensions, the tensor {tensor}")]
    Rank { encoding: usize, tensor: usize },
    #[error("the encoding has {encoding} levels, the storage {storage}")]
    Levels { encoding: usize, storage: usize },
    #[error("level {} is `{format}`, but its arrays are those of another format", lvl.index())]
    Format { lvl: Lvl, format: String },
    #[error("level {}: its size is not known from the dimensions' sizes: {reason}", lvl.index())]
    Unsized { lvl: Lvl, reason: &'static str },
    #[error("the levels do not determine dimension {}", dim.index())]
    NotInvertible { dim: Dim },
    #[error("dimension {} has size {tensor}, but its slice says {slice}", dim.index())]
    Slice { dim: Dim, slice: u64, tensor: u64 },
    #[error(
        "dimension {} has size {size}, which slice({}, {}, {}) does not fit, or the encoding says another slice",
        dim.index(), part.offset, part.size, part.stride
    )]
    Part { dim: Dim, part: Part, size: u64 },
    #[error("level {} would have {positions} positions, more than fit in memory; a compressed level has those alone that occur", lvl.index())]
    TooLarge { lvl: Lvl, positions: u128 },
    #[error("the tensor has {elements} elements, more than fit in memory as a dense array")]
    TooLargeDense { elements: u128 },

    #[error("level {}: {got} {array} where {expected} belong", lvl.index())]
    Length { lvl: Lvl, array: ArrayKind, expected: u64, got: u64 },
    #[error("level {}: the {array} are not stored in the {bits} bits that the encoding says", lvl.index())]
    StoredWidth { lvl: Lvl, array: ArrayKind, bits: u32 },
    #[error("level {}: positions start at {got}, not at 0 (entry {at})", lvl.index())]
    Start { lvl: Lvl, at: usize, got: u64 },
    #[error("level {}: position {got} at entry {at} is below the one before it, {before}", lvl.index())]
    Decrease { lvl: Lvl, at: usize, before: u64, got: u64 },
    #[error("level {}: position {got} at entry {at} is past the {coordinates} coordinates", lvl.index())]
    End { lvl: Lvl, at: usize, got: u64, coordinates: u64 },
    #[error("level {}: coordinate {coordinate} at position {at} is outside the level's size {size}", lvl.index())]
    OutOfRange { lvl: Lvl, at: usize, coordinate: u64, size: u64 },
    #[error("level {}: coordinate {got} at position {at} follows {before}, but the level is ordered", lvl.index())]
    Order { lvl: Lvl, at: usize, before: u64, got: u64 },
    #[error("level {}: coordinate {coordinate} at position {at} repeats, but the level is unique", lvl.index())]
    Repeated { lvl: Lvl, at: usize, coordinate: u64 },
    #[error("level {}: delta {delta} at position {at} is larger than its bits allow, {most}", lvl.index())]
    Delta { lvl: Lvl, at: usize, delta: u64, most: u64 },
    #[error("level {}: byte {at} of the mask is {got}, neither 0 nor 1", lvl.index())]
    Mask { lvl: Lvl, at: usize, got: u64 },
    #[error("level {}: the hash table at position {at} has {slots} slots, not a power of two of which one is free", lvl.index())]
    HashTable { lvl: Lvl, at: usize, slots: u64 },
    #[error("level {}: coordinate {coordinate} at position {at} is not found from its home slot", lvl.index())]
    HashSlot { lvl: Lvl, at: usize, coordinate: u64 },
    #[error("level {}: the runs of a segment end at {got}, not at the level's size {size} (position {at})", lvl.index())]
    RunEnd { lvl: Lvl, at: usize, got: u64, size: u64 },
    #[error("the entry at ({}) stands in two slices", tuple(coordinates))]
    TwoSlices { coordinates: Vec<u64> },
    #[error("{got} values where {expected} belong")]
    ValuesLength { expected: u64, got: u64 },
    #[error("value {at} is {got}, but the encoding promises that every stored value is {promised}")]
    ExplicitValue { at: usize, got: String, promised: String },
    #[error("the implicit value is {got}, but absent entries are zero")]
    ImplicitValue { got: String },
    #[error("{0}")]
    Values(TripletsError),
    #[error("{0}")]
    NoRoom(memory::NoRoom),
    #[error("stopped before the tensor was stored")]
    Stopped,

    #[error(
        "level {}: {array} reach {largest}, which does not fit {} bits; {} bits would do",
        lvl.index(), width.bits(), wanted.bits()
    )]
    Overflow { lvl: Lvl, array: ArrayKind, largest: u64, width: Width, wanted: Width },
    #[error(
        "level {}: the block at ({}) has {found} nonzeros, but `structured[{n}, {m}]` holds {n}",
        lvl.index(), tuple(block)
    )]
    BlockFull { lvl: Lvl, block: Vec<u64>, found: u64, n: u64, m: u64 },
    #[error("level {} is of size {size}, and `structured[{n}, {m}]` keeps {n} coordinates of it", lvl.index())]
    Narrow { lvl: Lvl, size: u64, n: u64, m: u64 },
    #[error("level {}: {row} has {found} nonzeros, but the map counts {slices} slices", lvl.index())]
    RowFull { lvl: Lvl, row: String, found: u64, slices: u64 },
}

impl StorageError {
    /// The fault, in a few words, for a label where the text asks for the data.
    pub fn label(&self) -> String {
        if let StorageError::Overflow { array, largest, .. } = self {
            return format!("{array} up to {largest}");
        }
        if let StorageError::ExplicitValue { got, .. } = self {
            return format!("holds {got}");
        }
        if matches!(self, StorageError::Stopped) {
            return "not stored to its end".to_string();
        }
        let label = if self.is_no_room() { "wants more memory than there is" } else { "not to be stored so" };
        label.to_string()
    }

    /// Whether the only problem is that memory is short.
    pub fn is_no_room(&self) -> bool {
        matches!(self, StorageError::NoRoom(_) | StorageError::TooLarge { .. } | StorageError::TooLargeDense { .. })
    }

    /// A width overflow of `numbers`, named by the largest of them.
    pub fn overflow(lvl: Lvl, array: ArrayKind, overflow: WidthOverflow, largest: u64) -> StorageError {
        let wanted = Width::for_number(largest);
        StorageError::Overflow { lvl, array, largest, width: overflow.width, wanted }
    }
    pub(super) fn length(lvl: Lvl, array: ArrayKind, expected: u64, got: usize) -> StorageError {
        StorageError::Length { lvl, array, expected, got: got as u64 }
    }
}

impl From<TripletsError> for StorageError {
    fn from(error: TripletsError) -> Self {
        StorageError::Values(error)
    }
}

impl From<memory::NoRoom> for StorageError {
    fn from(error: memory::NoRoom) -> Self {
        StorageError::NoRoom(error)
    }
}

fn tuple(coordinates: &[u64]) -> String {
    coordinates.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// A scalar as messages show it.
pub(super) fn scalar_text(scalar: Scalar) -> String {
    match scalar {
        Scalar::Float(x) => x.to_string(),
        Scalar::Int(x) => x.to_string(),
        Scalar::Complex(x) => format!("({}, {})", x.re, x.im),
    }
}

//! The kinds of text.

/// The two kinds of text that have encodings and tensor types; these have the same syntax in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Definitions, statements and `:commands` of nnz.
    Notation,
    /// An MLIR file, which has only the level formats of MLIR.
    Mlir,
}

impl Grammar {
    pub const ALL: [Grammar; 2] = [Grammar::Notation, Grammar::Mlir];

    /// What the names of its files end in, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Grammar::Notation => "nnz",
            Grammar::Mlir => "mlir",
        }
    }
}

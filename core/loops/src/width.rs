//! How wide the entries of index arrays are.

use nnz_base::{arrays, element::Repr};

/// The bits of an index array's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    W8,
    W16,
    W32,
    W64,
}

impl Width {
    pub const ALL: [Width; 4] = [Width::W8, Width::W16, Width::W32, Width::W64];

    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            Width::W8 => "u8",
            Width::W16 => "u16",
            Width::W32 => "u32",
            Width::W64 => "u64",
        }
    }
    pub fn repr(self) -> Repr {
        match self {
            Width::W8 => Repr::U8,
            Width::W16 => Repr::U16,
            Width::W32 => Repr::U32,
            Width::W64 => Repr::U64,
        }
    }
    pub fn bits(self) -> u32 {
        match self {
            Width::W8 => 8,
            Width::W16 => 16,
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }
}

impl From<Width> for arrays::Width {
    fn from(width: Width) -> arrays::Width {
        match width {
            Width::W8 => arrays::Width::W8,
            Width::W16 => arrays::Width::W16,
            Width::W32 => arrays::Width::W32,
            Width::W64 => arrays::Width::W64,
        }
    }
}

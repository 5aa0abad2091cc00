//! Remarks on a legal encoding: promises that data can break, and how MLIR 22 treats it.

use super::{Encoding, EncodingPart, mlir, mlir::MlirMap};
use nnz_base::{arrays::Width, ids::Lvl};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A level above a singleton promises that no coordinate repeats: one entry per coordinate.
    UniqueHead {
        lvl: Lvl,
        below: Lvl,
    },
    /// Duplicates of this level each have their own segment below.
    NonuniqueAbove {
        lvl: Lvl,
        below: Lvl,
    },
    /// `explicitVal = 0`: every stored entry would be an absent one.
    ExplicitZero,
    SecondSegment {
        lvl: Lvl,
    },
    /// A level below a COO segment.
    BelowSegment {
        lvl: Lvl,
    },
    TwoBitWidth,
    /// A level format that MLIR lacks.
    BeyondMlir {
        lvl: Lvl,
    },
    Mlir(MlirMap),
}

impl Remark {
    pub fn place(&self) -> EncodingPart {
        match self {
            Remark::UniqueHead { lvl, .. }
            | Remark::NonuniqueAbove { lvl, .. }
            | Remark::SecondSegment { lvl }
            | Remark::BelowSegment { lvl }
            | Remark::BeyondMlir { lvl } => EncodingPart::LvlFormat(*lvl),
            Remark::ExplicitZero => EncodingPart::ExplicitVal,
            Remark::TwoBitWidth => EncodingPart::CrdWidth,
            Remark::Mlir(MlirMap::RefusedInverse(dim)) => EncodingPart::Inverse(*dim),
            Remark::Mlir(_) => EncodingPart::Map,
        }
    }
}

impl Encoding {
    /// All remarks, outermost level first.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks: Vec<Remark> =
            (1..self.lvl_rank()).filter_map(|at| self.remark_on_pair(Lvl::new(at))).collect();
        remarks.extend(self.remark_on_segments());
        if self.explicit_val().is_some_and(|constant| constant.value.is_zero()) {
            remarks.push(Remark::ExplicitZero);
        }
        if self.crd_width() == Width::W2 {
            remarks.push(Remark::TwoBitWidth);
        }
        match (self.beyond_mlir(), mlir::of_map(&self.parts, self.inverse())) {
            (Some(lvl), _) => remarks.push(Remark::BeyondMlir { lvl }),
            (None, MlirMap::Same) => {}
            (None, other) => remarks.push(Remark::Mlir(other)),
        }
        remarks
    }

    fn remark_on_pair(&self, below: Lvl) -> Option<Remark> {
        let lvl = Lvl::new(below.index() - 1);
        let nonunique = self.format(lvl).props().nonunique;
        let counted = self.levels()[..=lvl.index()].iter().any(|level| level.counts().is_some());
        match self.format(below) {
            format if format.is_branchless() && !nonunique && !counted => Some(Remark::UniqueHead { lvl, below }),
            format if format.heads_tuples() && nonunique => Some(Remark::NonuniqueAbove { lvl, below }),
            _ => None,
        }
    }

    fn remark_on_segments(&self) -> Option<Remark> {
        let segments = self.coo_segments();
        if let Some(second) = segments.get(1) {
            return Some(Remark::SecondSegment { lvl: second.head });
        }
        let first = segments.first()?;
        let lvl = Lvl::new(first.head.index() + first.len);
        (lvl.index() < self.lvl_rank()).then_some(Remark::BelowSegment { lvl })
    }
}

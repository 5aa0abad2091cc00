//! What an encoding stores as a whole: the places of a block, a diagonal, a slot of every row. A decomposed tensor
//! has parts in several encodings, and a part takes the groups of which enough is stored.

use super::{Encoding, LevelFormat};
use nnz_base::ids::{Dim, Lvl};

/// The places that an encoding stores together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Groups {
    /// Each entry is stored by itself.
    Entries,
    /// All places below a position of level `below`, the first level that is stored in full. `most` is how many entries
    /// they may have, if not all.
    Below { below: Lvl, most: Option<u64>, covers: Vec<Covers> },
    /// A slot for every coordinate of a dimension: the first entries of all rows, the second ones, and so on.
    Slots(Dim),
    /// Every place of the tensor.
    Whole,
    /// Zeros at places that are no entries, wherever entries leave gaps.
    Padded,
}

/// How much of a dimension a group covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// So many coordinates, from a multiple of their number on.
    Block(i64),
    All,
    /// Along a diagonal.
    Askew,
}

impl Covers {
    /// Whether groups of which each covers so much lie within those that cover `outer`, and never across their borders.
    fn lies_within(self, outer: Covers) -> bool {
        match (self, outer) {
            (Covers::Block(inner), Covers::Block(outer)) => outer % inner == 0,
            (Covers::Block(_) | Covers::All, Covers::All) => true,
            (Covers::All, Covers::Block(_)) | (Covers::Askew, _) | (_, Covers::Askew) => false,
        }
    }
}

/// Why a list of parts is none that a tensor can be decomposed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// Part `at` takes every entry, and there are parts behind it.
    TakesAll { at: usize },
    /// Part `at` stores every place of the tensor.
    Whole { at: usize },
    /// Part `at` fills gaps with zeros, which may be at places of other parts.
    Pads { at: usize },
    /// The groups of part `at` would hold places of part `before`.
    Overlaps { at: usize, before: usize },
}

impl Encoding {
    pub fn groups(&self) -> Groups {
        if let Some(dim) = self.slots() {
            return Groups::Slots(dim);
        }
        let below = self.lvl_rank() - self.levels().iter().rev().take_while(|level| is_full(level.format)).count();
        let pads = |levels: &[super::Level]| levels.iter().any(|level| level.format.pads());
        let (above, inner) = self.levels().split_at(below);
        match (above.split_last(), inner) {
            _ if self.stores_all() => Groups::Whole,
            (None, _) => Groups::Whole,
            (Some((last, above)), []) if !pads(above) && last.format.block().is_some() => self.structured(),
            _ if pads(above) => Groups::Padded,
            (Some(_), []) => Groups::Entries,
            (Some(_), _) => self.below(below, None),
        }
    }

    /// The dimension whose entries are counted, if each coordinate has room for as many as the fullest.
    fn slots(&self) -> Option<Dim> {
        let (last, above) = self.levels().split_last()?;
        let padded = above.iter().all(|level| level.format == LevelFormat::Dense) && last.format.is_branchless();
        self.levels().iter().find_map(super::Level::counts).filter(|_| padded)
    }

    fn below(&self, below: usize, most: Option<u64>) -> Groups {
        let covers = (0..self.dim_rank()).map(|dim| self.covers(Dim::new(dim), below)).collect();
        Groups::Below { below: Lvl::new(below), most, covers }
    }

    /// `n` of every `m` entries, in the last level.
    fn structured(&self) -> Groups {
        let most = self.levels().last().and_then(|level| level.format.block()).map(|block| block.n());
        self.below(self.lvl_rank() - 1, most)
    }

    /// How much of a dimension the levels from `below` on go through, where those above stay.
    fn covers(&self, dim: Dim, below: usize) -> Covers {
        let (above, inner) = self.levels().split_at(below);
        let askew = above.iter().any(|level| level.expr.vars().len() > 1 && level.expr.vars().contains(&dim));
        if askew {
            return Covers::Askew;
        }
        let of_dim = inner.iter().filter(|level| level.expr.vars().contains(&dim));
        of_dim.fold(Covers::Block(1), |known, level| match (known, level.expr.as_mod()) {
            (Covers::Block(1), Some((e, c))) if e.as_var() == Some(dim) => Covers::Block(c),
            (Covers::Block(1), None) if level.expr.as_var() == Some(dim) => Covers::All,
            _ => Covers::Askew,
        })
    }
}

fn is_full(format: LevelFormat) -> bool {
    matches!(format, LevelFormat::Dense | LevelFormat::Range)
}

/// Why `parts` cannot hold each entry of a tensor once, in places of its own.
pub fn misfit(parts: &[&Encoding]) -> Option<Misfit> {
    let groups: Vec<Groups> = parts.iter().map(|part| part.groups()).collect();
    (0..groups.len()).find_map(|at| misfit_of(&groups, at))
}

fn misfit_of(groups: &[Groups], at: usize) -> Option<Misfit> {
    match &groups[at] {
        Groups::Whole => Some(Misfit::Whole { at }),
        Groups::Padded => Some(Misfit::Pads { at }),
        Groups::Entries => (at + 1 < groups.len()).then_some(Misfit::TakesAll { at }),
        Groups::Slots(_) => None,
        Groups::Below { covers, .. } => {
            let before = groups[..at].iter().position(|before| !lies_within(covers, before));
            before.map(|before| Misfit::Overlaps { at, before })
        }
    }
}

fn lies_within(covers: &[Covers], before: &Groups) -> bool {
    match before {
        Groups::Below { covers: outer, .. } => covers.iter().zip(outer).all(|(inner, outer)| inner.lies_within(*outer)),
        Groups::Entries | Groups::Slots(_) | Groups::Whole | Groups::Padded => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::lookup;

    fn of(text: &str) -> Encoding {
        let (name, sizes) = text.split_once(' ').unwrap_or((text, ""));
        let sizes: Vec<u64> = sizes.split_whitespace().map(|size| size.parse().unwrap()).collect();
        lookup(name, &sizes, Some(2)).unwrap()
    }

    fn misfit_of(parts: &[&str]) -> Option<Misfit> {
        let parts: Vec<Encoding> = parts.iter().map(|part| of(part)).collect();
        misfit(&parts.iter().collect::<Vec<_>>())
    }

    #[test]
    fn formats_store_groups() {
        let below = |below: usize, most, covers: [Covers; 2]| Groups::Below {
            below: Lvl::new(below),
            most,
            covers: covers.to_vec(),
        };
        assert_eq!(of("CSR").groups(), Groups::Entries);
        assert_eq!(of("COO").groups(), Groups::Entries);
        assert_eq!(of("JDS").groups(), Groups::Entries);
        assert_eq!(of("dense").groups(), Groups::Whole);
        assert_eq!(of("DELTA 4").groups(), Groups::Padded);
        assert_eq!(of("ELL").groups(), Groups::Slots(Dim(0)));
        assert_eq!(of("BSR 2 3").groups(), below(2, None, [Covers::Block(2), Covers::Block(3)]));
        assert_eq!(of("CROW").groups(), below(1, None, [Covers::Block(1), Covers::All]));
        assert_eq!(of("DIA").groups(), below(1, None, [Covers::Askew, Covers::Askew]));
        assert_eq!(of("NM 2 4").groups(), below(2, Some(2), [Covers::Block(1), Covers::Block(4)]));
    }

    #[test]
    fn parts_have_places_of_their_own() {
        assert_eq!(misfit_of(&["BSR 8 8", "BSR 4 2", "CSR"]), None);
        assert_eq!(misfit_of(&["CROW", "BSR 1 4", "ELL", "COO"]), None);
        assert_eq!(misfit_of(&["DIA", "ELL", "CSR"]), None);
        assert_eq!(misfit_of(&["BSR 6 6", "BSR 4 4"]), Some(Misfit::Overlaps { at: 1, before: 0 }));
        assert_eq!(misfit_of(&["BSR 2 2", "BSR 4 4"]), Some(Misfit::Overlaps { at: 1, before: 0 }));
        assert_eq!(misfit_of(&["DIA", "BSR 2 2"]), Some(Misfit::Overlaps { at: 1, before: 0 }));
        assert_eq!(misfit_of(&["BSR 2 2", "CROW"]), Some(Misfit::Overlaps { at: 1, before: 0 }));
        assert_eq!(misfit_of(&["ELL", "BSR 2 2"]), Some(Misfit::Overlaps { at: 1, before: 0 }));
        assert_eq!(misfit_of(&["CSR", "BSR 2 2"]), Some(Misfit::TakesAll { at: 0 }));
        assert_eq!(misfit_of(&["DensedLeft", "CSR"]), Some(Misfit::Whole { at: 0 }));
    }
}

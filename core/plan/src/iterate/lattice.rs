//! Merge lattices: which coordinates of a variable a loop must visit, and which operands are present there.
//!
//! The lattice of Kjolstad 2017 (section 5) is derived here from the meaning of the expression, not from
//! rules for each operation. It considers every combination of present and absent among the walked operands,
//! and keeps those for which the expression is not absent (see [`super::zero::simplify`]). So every operation
//! has a lattice, however it treats absent entries: unions, intersections, complements, and the dense lattice
//! if nothing needs to be present.

use super::zero;
use nnz_base::id;
use nnz_kernel::{Access, Expr, Kernel};

id!(/// One way of accessing a sparse tensor: a tensor with its indices.
    OperandId, "operand");

/// Which of a lattice's walkers are present, as bits in the order of the walkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Presence(u32);

impl Presence {
    pub fn all(walkers: usize) -> Presence {
        Presence(if walkers >= 32 { u32::MAX } else { (1 << walkers) - 1 })
    }
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
    pub fn has(self, walker: usize) -> bool {
        self.0 >> walker & 1 == 1
    }
    pub fn is_within(self, other: Presence) -> bool {
        self.0 & !other.0 == 0
    }
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
    /// The numbers of the walkers that are present.
    pub(crate) fn walkers(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |at| self.has(*at))
    }
    fn without(self, walker: usize) -> Presence {
        Presence(self.0 & !(1 << walker))
    }
    /// This and every presence within it, the fullest first.
    pub(super) fn subsets(self) -> Vec<Presence> {
        let mut subsets: Vec<Presence> = (0..=self.0).map(Presence).filter(|other| other.is_within(self)).collect();
        subsets.sort_by_key(|other| (std::cmp::Reverse(other.count()), other.0));
        subsets
    }
}

/// The simplified expression if exactly these walkers are present.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub present: Presence,
    pub expr: Expr,
}

/// The coordinates that a loop over one variable visits.
#[derive(Clone, Debug, PartialEq)]
pub struct Lattice {
    /// The operands whose levels are walked.
    pub walkers: Vec<OperandId>,
    /// The regions to visit, the fullest first.
    pub regions: Vec<Region>,
}

/// One case of a merge step: what to do if the walkers are present as stated, and no earlier case applies.
#[derive(Clone, Debug, PartialEq)]
pub struct Case<'l> {
    pub present: Presence,
    /// `None`: there is nothing to do.
    pub region: Option<&'l Region>,
}

/// The largest number of walkers that a loop merges, unless it visits only what all of them store. The number of loops grows
/// as 3 to the power of this.
pub const MOST_WALKERS: usize = 5;

impl Lattice {
    /// The lattice of `expr` over `walkers`; `operand` names an access's operand, and of those that are `open` loops to come
    /// tell whether they have an entry. `None` for more than [`MOST_WALKERS`], unless all of them must be present.
    pub fn new(
        kernel: &Kernel,
        expr: &Expr,
        walkers: Vec<OperandId>,
        operand: &dyn Fn(&Access) -> Option<OperandId>,
        open: &dyn Fn(OperandId) -> bool,
    ) -> Option<Lattice> {
        let open = |access: &Access| operand(access).is_some_and(open);
        let region = |present: Presence| {
            let absent = |access: &Access| {
                let walker = operand(access).and_then(|id| walkers.iter().position(|walker| *walker == id));
                walker.is_some_and(|at| !present.has(at))
            };
            zero::simplify_open(kernel, expr, &absent, &open).map(|expr| Region { present, expr })
        };
        let all = Presence::all(walkers.len());
        let presences = match walkers.len() > MOST_WALKERS {
            false => all.subsets(),
            // If nothing tests presence, an absent expression stays absent when more operands are.
            true => {
                let asks = expr.nodes().into_iter().any(Expr::asks);
                let needs_all = !asks && all.walkers().all(|walker| region(all.without(walker)).is_none());
                needs_all.then(|| vec![all])?
            }
        };
        let regions = presences.into_iter().filter_map(region).collect();
        Some(Lattice { walkers, regions })
    }

    /// Whether every coordinate is visited: the expression has a value even where no walker is present.
    pub fn is_dense(&self) -> bool {
        self.regions.iter().any(|region| region.present.is_none())
    }

    pub fn region(&self, present: Presence) -> Option<&Region> {
        self.regions.iter().find(|region| region.present == present)
    }

    /// The loops of a merge, one after another: each runs while all of its walkers last.
    pub fn loops(&self) -> Vec<Presence> {
        if self.is_intersection() {
            return vec![Presence::all(self.walkers.len())];
        }
        let all = Presence::all(self.walkers.len()).subsets().into_iter();
        all.filter(|live| self.regions.iter().any(|region| region.present.is_within(*live))).collect()
    }

    /// The cases to distinguish in the loop over `live`, the fullest first. A case with nothing to do comes
    /// before the regions that would otherwise match it.
    pub fn cases(&self, live: Presence) -> Vec<Case<'_>> {
        if self.is_intersection() {
            return self.regions.iter().map(|region| Case { present: region.present, region: Some(region) }).collect();
        }
        let hides = |present: Presence| {
            self.regions.iter().any(|region| region.present.is_within(present) && region.present != present)
        };
        let cases = live.subsets().into_iter().map(|present| Case { present, region: self.region(present) });
        cases.filter(|case| case.region.is_some() || hides(case.present)).collect()
    }

    /// Whether only coordinates are visited that all walkers store.
    pub(crate) fn is_intersection(&self) -> bool {
        let all = Presence::all(self.walkers.len());
        matches!(self.regions.as_slice(), [region] if region.present == all && all.count() > 1)
    }

    /// The one walker, if only its entries are visited.
    pub(crate) fn only_walker(&self) -> Option<(OperandId, &Region)> {
        match (self.walkers.as_slice(), self.regions.as_slice()) {
            ([walker], [region]) if !region.present.is_none() => Some((*walker, region)),
            _ => None,
        }
    }
}

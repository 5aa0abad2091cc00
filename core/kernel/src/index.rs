//! The index of one dimension: a variable, or a sum of multiples of variables.

use nnz_base::ids::IndexVar;

/// `offset + c * v + ...`: each variable once, no factor 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexExpr {
    terms: Vec<(i64, IndexVar)>,
    offset: i64,
    /// A window, even where it is a variable alone: the dimension may be larger than the variable's extent.
    window: bool,
}

impl IndexExpr {
    pub fn var(var: IndexVar) -> Self {
        Self { terms: vec![(1, var)], offset: 0, window: false }
    }

    pub fn constant(offset: i64) -> Self {
        Self { terms: Vec::new(), offset, window: false }
    }

    /// `from + step * var`, whose extent does not follow from the dimension's size.
    pub fn window(from: i64, step: i64, var: IndexVar) -> Self {
        let terms = if step == 0 { Vec::new() } else { vec![(step, var)] };
        Self { terms, offset: from, window: true }
    }

    /// The variables with their factors, in the order of the text; no factor is 0.
    pub fn terms(&self) -> &[(i64, IndexVar)] {
        &self.terms
    }
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// The variable, if the index is just a variable that runs over the whole dimension.
    pub fn as_var(&self) -> Option<IndexVar> {
        match (self.terms.as_slice(), self.offset) {
            ([(1, var)], 0) if !self.window => Some(*var),
            _ => None,
        }
    }

    pub fn vars(&self) -> impl Iterator<Item = IndexVar> + '_ {
        self.terms.iter().map(|(_, var)| *var)
    }

    /// The same with other variables, no two of them alike.
    #[must_use]
    pub fn renamed(&self, to: impl Fn(IndexVar) -> IndexVar) -> IndexExpr {
        let terms = self.terms.iter().map(|(factor, var)| (*factor, to(*var))).collect();
        IndexExpr { terms, ..self.clone() }
    }

    /// `self + other`; `None` where a number does not fit 64 bits.
    pub fn plus(mut self, other: &IndexExpr) -> Option<IndexExpr> {
        self.offset = self.offset.checked_add(other.offset)?;
        for (factor, var) in &other.terms {
            match self.terms.iter_mut().find(|(_, known)| known == var) {
                Some((known, _)) => *known = known.checked_add(*factor)?,
                None => self.terms.push((*factor, *var)),
            }
        }
        self.terms.retain(|(factor, _)| *factor != 0);
        Some(self)
    }

    /// `self * factor`; `None` where a number does not fit 64 bits.
    pub fn times(mut self, factor: i64) -> Option<IndexExpr> {
        self.offset = self.offset.checked_mul(factor)?;
        for (known, _) in &mut self.terms {
            *known = known.checked_mul(factor)?;
        }
        self.terms.retain(|(factor, _)| *factor != 0);
        Some(self)
    }

    /// The least and the greatest value if each variable runs from 0 to its extent; `None` if one has no
    /// values, or an unknown extent.
    pub(super) fn range(&self, extent: impl Fn(IndexVar) -> Option<u64>) -> Option<(i128, i128)> {
        let start = i128::from(self.offset);
        self.terms.iter().try_fold((start, start), |(low, high), (factor, var)| {
            let last = i128::from(extent(*var)?.checked_sub(1)?);
            let reach = last.checked_mul(i128::from(*factor))?;
            Some((low.checked_add(reach.min(0))?, high.checked_add(reach.max(0))?))
        })
    }
}

impl From<IndexVar> for IndexExpr {
    fn from(var: IndexVar) -> Self {
        IndexExpr::var(var)
    }
}

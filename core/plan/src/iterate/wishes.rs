//! What a schedule asks of the plan. The planner ignores a wish that it cannot fulfil, so the caller must
//! check the plan.

use nnz_base::ids::IndexVar;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// In each, the loops over earlier variables are outside those over later ones.
    pub orders: Vec<Vec<IndexVar>>,
    pub assembling: Option<Assembling>,
    /// The kernel is the body of a program's kernel. There conditions on index variables are numbers, which are present
    /// even where they do not hold, so no loops follow them. And a sum with one absent operand is the other operand,
    /// including the sign of a zero.
    pub is_body: bool,
}

/// A way of getting the entries of a sparse result into order; see [`super::Method`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assembling {
    Append,
    Workspace,
    Insert,
}

impl Wishes {
    /// Whether loops nested in this order are as wished.
    pub fn allow(&self, order: &[IndexVar]) -> bool {
        self.orders.iter().all(|wished| {
            let there: Vec<&IndexVar> = wished.iter().filter(|var| order.contains(var)).collect();
            let nested: Vec<&IndexVar> = order.iter().filter(|var| wished.contains(var)).collect();
            there == nested
        })
    }

    /// Whether another of `vars`, which is not `chosen` yet, must come before `var`.
    pub(crate) fn holds_back(&self, var: IndexVar, chosen: &[IndexVar], vars: &[IndexVar]) -> bool {
        let earlier = |wished: &Vec<IndexVar>| {
            let before = wished.iter().take_while(|other| **other != var);
            wished.contains(&var) && before.into_iter().any(|other| vars.contains(other) && !chosen.contains(other))
        };
        self.orders.iter().any(earlier)
    }
}

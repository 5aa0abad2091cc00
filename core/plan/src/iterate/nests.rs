//! The nests of loops of a plan, however its result comes about.

use super::{Assembly, Nest, OperandId, Plan, ResultPlan, Term, assembly::Method};
use nnz_base::ids::IndexVar;

/// One nest of loops.
pub(super) struct LoopNest {
    pub term: Term,
    /// Outermost first.
    pub loops: Vec<IndexVar>,
    pub leader: Option<OperandId>,
}

impl Plan {
    pub(super) fn loop_nests(&self) -> Vec<LoopNest> {
        let of_nest = |nest: &Nest| LoopNest { term: nest.term.clone(), loops: nest.loop_order(), leader: nest.leader };
        match &self.result {
            ResultPlan::Dense { everywhere, vars, nests } => {
                let dense = everywhere.iter().map(|term| LoopNest {
                    term: term.clone(),
                    loops: vars.iter().chain(&term.summed).copied().collect(),
                    leader: None,
                });
                dense.chain(nests.iter().map(of_nest)).collect()
            }
            ResultPlan::Inherited { nest, .. } => vec![of_nest(nest)],
            ResultPlan::Assembled(assembly) => {
                let Assembly { expr, method, .. } = assembly;
                let term = Term { negated: false, summed: Vec::new(), body: expr.clone() };
                let leader = if let Method::Insert { leader } = method { *leader } else { None };
                vec![LoopNest { term, loops: assembly.loop_order(), leader }]
            }
        }
    }
}

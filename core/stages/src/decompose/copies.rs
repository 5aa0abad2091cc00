//! Iterations that copy the entries of a buffer into a part.

use nnz_tir::{
    maps::placed,
    model::{Access, Attributes, Expr, Iteration, Kind, Place, Running, Statement, StatementKind, Step, Value},
    rules::illegal,
};

use super::{
    PREPROCESS,
    merged::{Merged, Part},
};
use crate::fault::Done;

/// How the names of such iterations begin.
pub(super) const PREFIX: &str = "rewrite_";

impl Merged<'_> {
    /// One for each buffer of a rule.
    pub(super) fn copies(&mut self, part: &Part<'_>) -> Done<Vec<Statement>> {
        part.ruled.buffers.iter().map(|(before, theirs)| self.copy(part, (*before, *theirs))).collect()
    }

    fn copy(
        &mut self,
        part: &Part<'_>,
        (before, theirs): (nnz_tir::model::BufferId, nnz_tir::model::BufferId),
    ) -> Done<Statement> {
        let (place, rule) = (Place(part.ruled.rule.place.0), part.ruled.rule);
        let buffer = part.buffers[theirs.index()];
        let described = part.ruled.description.buffer(theirs).iterators();
        let mut steps: Vec<Step> = Vec::new();
        for id in described {
            let iterator = part.iterators[id.index()];
            let name = part.ruled.description.iterator(*id).name.to_lowercase();
            let variable = self.new_coordinate(&name, iterator, &steps);
            steps.push(Step::One(Running { place, iterator, kind: Kind::Spatial, variable }));
        }
        let variables: Vec<Expr> =
            steps.iter().flat_map(Step::running).map(|running| self.value_of(running.variable, place)).collect();
        let at = |id| described.iter().position(|other| other == id).and_then(|at| variables.get(at).cloned());
        let after: Vec<Expr> = part.ruled.after.iter().filter_map(at).collect();
        let old = rule.back.results.iter().map(|result| placed(result, &after)).collect::<Option<Vec<Expr>>>();
        let old = old.ok_or_else(|| Box::new(illegal(rule.places.back.0, "this map gives no whole numbers")))?;
        let element = self.function.buffer(before).element;
        let value = Expr::load(Access { place, buffer: before, indices: old }, element);
        let store = StatementKind::Store(Access { place, buffer, indices: variables }, value);
        let attributes = Attributes::from([(PREPROCESS.to_string(), Value::Bool(true))]);
        let name = format!("{PREFIX}{}", self.function.buffer(buffer).name);
        let body = vec![Statement { place, kind: store }];
        let copy = Iteration { name, steps, attributes, init: Vec::new(), body };
        Ok(Statement { place, kind: StatementKind::Iteration(Box::new(copy)) })
    }
}

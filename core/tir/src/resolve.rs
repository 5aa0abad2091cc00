//! How an element of a sparse buffer is found in an iteration.

use crate::model::{Access, Expr, Function, Iteration, IteratorId, Running, Step, VariableId};

/// How a coordinate becomes a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is the coordinate of the iterator itself, which is at this position.
    Matched,
    /// Every coordinate is stored: it is the position.
    Dense,
    /// It is searched for among the coordinates of the row.
    Searched,
}

/// How the element that a statement names is found, for each coordinate. `around` are the iterations that it stands in.
pub fn resolve(function: &Function, around: &[&Iteration], access: &Access) -> Vec<How> {
    let iterators = function.buffer(access.buffer).iterators();
    let mut matched: Vec<IteratorId> = Vec::new();
    let mut found = Vec::new();
    for (iterator, index) in iterators.iter().zip(&access.indices) {
        let is_matched = is_matched(function, around, (*iterator, index), &matched);
        matched.extend(is_matched.then_some(*iterator));
        found.push(match function.iterator(*iterator).is_compressed() {
            _ if is_matched => How::Matched,
            true => How::Searched,
            false => How::Dense,
        });
    }
    found
}

/// Whether a coordinate is the name of the iterator's own, and so are those of its ancestors. Fusing changes nothing of it.
fn is_matched(
    function: &Function,
    around: &[&Iteration],
    (iterator, index): (IteratorId, &Expr),
    matched: &[IteratorId],
) -> bool {
    let Some((running, step)) = index.as_variable().and_then(|variable| runs(around, variable)) else { return false };
    let is_attached = matches!(step, Step::Attached(..));
    let path = function.path(iterator);
    let ancestors = path.iter().filter(|above| **above != iterator);
    running.iterator == iterator && !is_attached && { ancestors }.all(|above| matched.contains(above))
}

/// The iterator whose coordinate a variable is, and the entry that it stands in.
pub fn runs<'f>(around: &[&'f Iteration], variable: VariableId) -> Option<(&'f Running, &'f Step)> {
    let steps = around.iter().flat_map(|iteration| &iteration.steps);
    let all = steps.flat_map(|step| step.running().iter().map(move |running| (running, step)));
    { all }.find(|(running, _)| running.variable == variable)
}

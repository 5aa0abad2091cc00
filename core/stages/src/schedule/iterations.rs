//! `sparse_reorder` and `sparse_fuse`: the iterators of a sparse iteration.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::{diagnostic::did_you_mean, source::Span};
use nnz_tir::{
    model::{Call, Iteration, IteratorId, Kind, Running, Statement, StatementKind, Step, VariableId},
    sites::{loads, sites},
};

use super::{
    State,
    handles::{Value, wanted},
    illegal, nest,
};
use crate::fault::Done;

impl State {
    /// Whether a step on blocks and loops is of an iteration here: `annotate`.
    pub(super) fn is_of_iteration(&mut self, call: &Call) -> bool {
        call.method == "annotate"
            && matches!(self.given(call, (0, "block_or_loop")), Ok(Some((Value::Iteration(_), _))))
    }

    pub(super) fn get_iteration(&mut self, call: &Call) -> Done<Value> {
        let (name, place) = self.text(call, (0, "name"))?;
        let known: Vec<String> = { sites(&self.function) }
            .iter()
            .filter_map(|site| Some(site.statement.iteration()?.name.clone()))
            .collect();
        if known.contains(&name) {
            return Ok(Value::Iteration(name));
        }
        let told = illegal(place, format!("there is no sparse iteration `{name}`"));
        Err(Box::new(match did_you_mean(&name, known.iter().map(String::as_str)) {
            Some(near) => told.help(format!("there is `{near}`")),
            None => told.help(format!("there are {}", known.join(", "))),
        }))
    }

    fn iteration(&mut self, call: &Call) -> Done<Iteration> {
        match self.needed(call, (0, "iteration"))? {
            (Value::Iteration(name), place) => {
                let found = { sites(&self.function) }
                    .into_iter()
                    .filter_map(|site| site.statement.iteration())
                    .find(|one| one.name == name)
                    .cloned();
                found.ok_or_else(|| Box::new(illegal(place, format!("there is no sparse iteration `{name}`"))))
            }
            (other, place) => Err(wanted(place, "a sparse iteration", &other)),
        }
    }

    pub(super) fn get_iterators(&mut self, call: &Call) -> Done<Value> {
        let iteration = self.iteration(call)?;
        Ok(Value::Many(iteration.running().map(|running| Value::Iterator(running.iterator)).collect()))
    }

    fn iterators(&mut self, call: &Call) -> Done<Vec<IteratorId>> {
        let (given, place) = self.needed(call, (1, "iterators"))?;
        let Value::Many(given) = given else { return Err(wanted(place, "a list of iterators", &given)) };
        let one = |value: Value| match value {
            Value::Iterator(id) => Ok(id),
            other => Err(wanted(place, "an iterator", &other)),
        };
        given.into_iter().map(one).collect()
    }

    pub(super) fn sparse_reorder(&mut self, call: &Call) -> Done<Value> {
        let place = call.place.0;
        let iteration = self.iteration(call)?;
        let order = self.iterators(call)?;
        let old: Vec<IteratorId> = iteration.running().map(|running| running.iterator).collect();
        let is_same = order.len() == old.len() && old.iter().all(|id| order.contains(id));
        if !is_same {
            let message =
                format!("`{}` has {} iterators, and the new order names each once", iteration.name, old.len());
            return Err(Box::new(illegal(place, message)));
        }
        self.check_parents(&iteration, &order, place)?;
        self.check_sums(&iteration, &order, place)?;
        let steps = reordered(&iteration.steps, &order);
        let steps = steps.ok_or_else(|| illegal(place, "fused iterators stay beside each other"))?;
        set_steps(&mut self.function.body, &iteration.name, &steps);
        Ok(Value::Nothing)
    }

    fn check_parents(&self, iteration: &Iteration, order: &[IteratorId], place: Span) -> Done<()> {
        let at = |id: IteratorId| order.iter().position(|other| *other == id);
        for step in &iteration.steps {
            let attached = if let Step::Attached(_, parent) = step { Some(*parent) } else { None };
            for running in step.running() {
                let parent = attached.or_else(|| self.function.iterator(running.iterator).parent());
                if parent.is_some_and(|parent| at(parent) > at(running.iterator)) {
                    let names =
                        [Some(running.iterator), parent].map(|id| id.map_or("", |id| &self.function.iterator(id).name));
                    let message = format!("`{}` would run before its parent `{}`", names[0], names[1]);
                    return Err(Box::new(illegal(place, message).help("a parent stands before its children")));
                }
            }
        }
        Ok(())
    }

    /// Of two iterators that change places one finds each element of the result.
    fn check_sums(&self, iteration: &Iteration, new: &[IteratorId], place: Span) -> Done<()> {
        let runs: Vec<&Running> = iteration.running().collect();
        let at = |id: IteratorId| new.iter().position(|other| *other == id);
        for (outer, one) in runs.iter().enumerate() {
            for other in &runs[outer + 1..] {
                let is_fine = self.finds(iteration, one) || self.finds(iteration, other);
                if at(other.iterator) < at(one.iterator) && !is_fine {
                    let names = [one, other].map(|running| &self.function.iterator(running.iterator).name);
                    let message = format!(
                        "`{}` and `{}` cannot change places: both add to the same elements",
                        names[0], names[1]
                    );
                    let told = illegal(place, message);
                    return Err(Box::new(told.help("sums keep their order, since rounding depends on it")));
                }
            }
        }
        Ok(())
    }

    /// Whether a spatial iterator is an index of every element of what the iteration writes.
    fn finds(&self, iteration: &Iteration, running: &Running) -> bool {
        let all: Vec<&Statement> = statements(&iteration.body);
        let written: Vec<_> =
            all.iter().filter_map(|statement| statement.written()).map(|target| target.buffer).collect();
        let accesses: Vec<_> =
            all.iter().flat_map(|statement| loads(statement).into_iter().chain(statement.written())).collect();
        let names = |access: &&nnz_tir::model::Access| position(access, running.variable);
        running.kind == Kind::Spatial
            && written.iter().all(|buffer| {
                let places: Vec<_> = accesses.iter().filter(|access| access.buffer == *buffer).map(&names).collect();
                places.iter().all(|place| place.is_some() && *place == places[0])
            })
    }

    pub(super) fn sparse_fuse(&mut self, call: &Call) -> Done<Value> {
        let place = call.place.0;
        let iteration = self.iteration(call)?;
        let chain = self.iterators(call)?;
        let plain = |step: &Step| if let Step::One(running) = step { Some(running.iterator) } else { None };
        let ids: Vec<Option<IteratorId>> = iteration.steps.iter().map(plain).collect();
        let start =
            ids.windows(chain.len().max(1)).position(|ids| ids.iter().copied().eq(chain.iter().copied().map(Some)));
        let Some(start) = start.filter(|_| chain.len() > 1) else {
            let told = illegal(place, "iterators that are fused stand beside each other, in this order");
            return Err(Box::new(told.help("`sparse_reorder` brings them together")));
        };
        for pair in chain.windows(2) {
            let child = self.function.iterator(pair[1]);
            if child.parent() != Some(pair[0]) || !child.is_varied() {
                let message =
                    format!("`{}` is no varied child of `{}`", child.name, self.function.iterator(pair[0]).name);
                return Err(Box::new(illegal(place, message)));
            }
        }
        let fused: Vec<Running> =
            iteration.steps[start..start + chain.len()].iter().flat_map(Step::running).cloned().collect();
        let mut steps = iteration.steps.clone();
        steps.splice(start..start + chain.len(), [Step::Fused(fused)]);
        set_steps(&mut self.function.body, &iteration.name, &steps);
        Ok(Value::Nothing)
    }
}

fn position(access: &nnz_tir::model::Access, variable: VariableId) -> Option<usize> {
    access.indices.iter().position(|index| index.as_variable() == Some(variable))
}

fn statements(body: &[Statement]) -> Vec<&Statement> {
    body.iter()
        .flat_map(|statement| [vec![statement], statement.bodies().into_iter().flat_map(statements).collect()].concat())
        .collect()
}

/// The steps in the order of their iterators; `None` where fused ones would be parted.
fn reordered(steps: &[Step], order: &[IteratorId]) -> Option<Vec<Step>> {
    let mut made: Vec<Step> = Vec::new();
    let mut rest = order;
    while let Some(next) = rest.first() {
        let step = steps.iter().find(|step| step.running().first().is_some_and(|running| running.iterator == *next))?;
        let ids: Vec<IteratorId> = step.running().iter().map(|running| running.iterator).collect();
        rest = rest.strip_prefix(ids.as_slice())?;
        made.push(step.clone());
    }
    Some(made)
}

fn set_steps(body: &mut [Statement], name: &str, steps: &[Step]) {
    for statement in body {
        if let StatementKind::Iteration(iteration) = &mut statement.kind
            && iteration.name == name
        {
            iteration.steps = steps.to_vec();
        }
        nest::bodies(statement).into_iter().for_each(|body| set_steps(body, name, steps));
    }
}

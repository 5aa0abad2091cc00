//! Sparse iterations: the points that they visit, and what they initialize first.

use nnz_base::{element::Scalar, source::Span};
use nnz_tir::model::{Iteration, IteratorId, Kind, Running, Statement, Step};

use crate::{
    fault::Done,
    machine::{Here, Machine},
    number::held,
};

/// An iterator that is to run, and the one whose coordinate is the position of its parent.
type Run<'f> = (&'f Running, Option<IteratorId>);

impl<'f> Machine<'f> {
    /// Every element of the result is initialized first.
    pub(crate) fn iteration(&mut self, iteration: &'f Iteration, place: Span) -> Done<()> {
        self.around.push(iteration);
        let runs = runs(iteration);
        let first = match iteration.init.is_empty() {
            true => Ok(()),
            false => self.points(&self.spatial(&runs), &iteration.init, place),
        };
        let done = first.and_then(|()| self.points(&runs, &iteration.body, place));
        self.around.pop();
        done
    }

    /// The spatial iterators, and those that they hang off.
    fn spatial(&self, runs: &[Run<'f>]) -> Vec<Run<'f>> {
        let mut wanted: Vec<IteratorId> = Vec::new();
        let mut kept: Vec<Run<'f>> = Vec::new();
        for (running, attached) in runs.iter().rev() {
            if running.kind == Kind::Spatial || wanted.contains(&running.iterator) {
                wanted.extend(attached.or_else(|| self.function.iterator(running.iterator).parent()));
                kept.push((running, *attached));
            }
        }
        kept.reverse();
        kept
    }

    fn points(&mut self, runs: &[Run<'f>], body: &'f [Statement], place: Span) -> Done<()> {
        let Some(((running, attached), rest)) = runs.split_first() else {
            self.step(place)?;
            return self.statements(body);
        };
        let parent = match attached {
            Some(id) => self.coordinate_of(*id),
            None => self.parent_position(running.iterator),
        };
        let range = self.levels[running.iterator.index()].range(parent);
        let element = self.function.variable(running.variable).element;
        for position in range.clone() {
            let coordinate = self.levels[running.iterator.index()].coordinate(position, &range);
            self.scalars[running.variable.index()] = Some(held(Scalar::Int(i128::from(coordinate)), element));
            self.here.push(Here { iterator: running.iterator, position, variable: running.variable });
            let done = self.points(rest, body, place);
            self.here.pop();
            done?;
        }
        Ok(())
    }

    /// The position of the parent of an iterator; a root has one parent.
    fn parent_position(&self, id: IteratorId) -> u64 {
        self.function.iterator(id).parent().map_or(0, |parent| self.position_of(parent))
    }

    fn position_of(&self, id: IteratorId) -> u64 {
        self.here.iter().rev().find(|here| here.iterator == id).map_or(0, |here| here.position)
    }

    /// The coordinate of an iterator that runs.
    fn coordinate_of(&self, id: IteratorId) -> u64 {
        let here = self.here.iter().rev().find(|here| here.iterator == id);
        match here.and_then(|here| self.scalars[here.variable.index()]) {
            Some(Scalar::Int(coordinate)) => u64::try_from(coordinate).unwrap_or(0),
            Some(Scalar::Float(_) | Scalar::Complex(_)) | None => 0,
        }
    }
}

fn runs(iteration: &Iteration) -> Vec<Run<'_>> {
    let of_step = |step: &'_ Step| match step {
        Step::One(_) | Step::Fused(_) => None,
        Step::Attached(_, parent) => Some(*parent),
    };
    iteration.steps.iter().flat_map(|step| step.running().iter().map(move |running| (running, of_step(step)))).collect()
}

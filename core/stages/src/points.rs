//! Sparse iterations: the points that they visit, and what they initialize first.

use nnz_base::{element::Scalar, source::Span};
use nnz_tir::model::{Iteration, IteratorId, Kind, Running, Step};

use crate::{
    fault::Done,
    machine::{Here, Machine, Visited},
    number::held,
};

/// An iterator that is to run, and the one whose coordinate is the position of its parent.
type Run<'f> = (&'f Running, Option<IteratorId>);

/// What is done at a point.
enum Task<'f> {
    Init(&'f Iteration),
    Body(&'f Iteration),
    /// Both, the first where the spatial coordinates are new.
    Each(&'f Iteration, Visited),
}

impl<'f> Machine<'f> {
    /// Every element of the result is initialized first. Where a spatial iterator hangs off a reduction, it is at its
    /// first visit.
    pub(crate) fn iteration(&mut self, iteration: &'f Iteration, place: Span) -> Done<()> {
        self.around.push(iteration);
        let runs = runs(iteration);
        let spatial: Vec<Run<'f>> = runs.iter().copied().filter(|(running, _)| running.kind == Kind::Spatial).collect();
        let is_below = spatial.iter().any(|run| self.hangs_off_reduction(run, &runs));
        let done = match (iteration.init.is_empty(), is_below) {
            (true, _) => self.points(&runs, &mut Task::Body(iteration), place),
            (false, true) => self.points(&runs, &mut Task::Each(iteration, Visited::new()), place),
            (false, false) => {
                let first = self.points(&spatial, &mut Task::Init(iteration), place);
                first.and_then(|()| self.points(&runs, &mut Task::Body(iteration), place))
            }
        };
        self.around.pop();
        done
    }

    fn hangs_off_reduction(&self, (running, attached): &Run<'f>, runs: &[Run<'f>]) -> bool {
        let path = self.function.path(running.iterator);
        let above = path.iter().filter(|above| **above != running.iterator).chain(attached);
        let is_reduction =
            |id: &IteratorId| runs.iter().any(|(other, _)| other.iterator == *id && other.kind == Kind::Reduction);
        { above }.any(is_reduction)
    }

    fn points(&mut self, runs: &[Run<'f>], task: &mut Task<'f>, place: Span) -> Done<()> {
        let Some(((running, attached), rest)) = runs.split_first() else {
            self.step(place)?;
            return self.task(task);
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
            let done = self.points(rest, task, place);
            self.here.pop();
            done?;
        }
        Ok(())
    }

    fn task(&mut self, task: &mut Task<'f>) -> Done<()> {
        match task {
            Task::Init(iteration) => self.statements(&iteration.init),
            Task::Body(iteration) => self.statements(&iteration.body),
            Task::Each(iteration, visited) => {
                let key = iteration.running().filter(|running| running.kind == Kind::Spatial);
                let key: Vec<u64> = key.map(|running| self.position_of(running.iterator)).collect();
                if visited.insert(key) {
                    self.statements(&iteration.init)?;
                }
                self.statements(&iteration.body)
            }
        }
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

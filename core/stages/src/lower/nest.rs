//! Sparse iterations as loops and blocks.

use nnz_base::element::Element;
use nnz_tir::model::{
    Attributes, Block, BlockVariable, BlockVariableKind, Expr, Iteration, IteratorId, Kind, Loop, LoopKind, Place,
    Role, Running, Statement, StatementKind, Step, Value, Variable, VariableId,
};

use super::{Lowering, Position, rewrite::Rewrite};
use crate::fault::{Done, unread};

/// An iterator that runs, by the numbers of the lowered function.
#[derive(Clone)]
struct Run<'f> {
    running: &'f Running,
    iterator: IteratorId,
    /// The iterator whose coordinate is the position of its parent.
    attached: Option<IteratorId>,
    fused: Fused,
}

#[derive(Clone, Copy, PartialEq)]
enum Fused {
    No,
    /// It has no loop: it stays at its first position.
    Held,
    /// It runs over the positions of all its parents.
    Last,
}

/// What stands in the innermost block.
#[derive(Clone, Copy)]
struct Inner<'f> {
    name: &'f str,
    suffix: &'f str,
    attributes: &'f Attributes,
    body: &'f [Statement],
}

impl<'f> Lowering<'f> {
    pub(super) fn iteration(&mut self, iteration: &'f Iteration, place: Place) -> Done<Vec<Statement>> {
        self.around.push(iteration);
        let runs = self.runs(iteration);
        let (name, attributes) = (iteration.name.as_str(), &iteration.attributes);
        let mut lowered = Vec::new();
        if !iteration.init.is_empty() {
            let spatial = self.spatial(&runs)?;
            let inner = Inner { name, suffix: "_init", attributes, body: &iteration.init };
            lowered.extend(self.nest(&spatial, inner, place)?);
        }
        lowered.extend(self.nest(&runs, Inner { name, suffix: "", attributes, body: &iteration.body }, place)?);
        self.around.pop();
        Ok(lowered)
    }

    fn runs(&self, iteration: &'f Iteration) -> Vec<Run<'f>> {
        let moved = |id: IteratorId| self.structure.moved[id.index()].0;
        let of_step = |step: &'f Step| {
            let all = step.running();
            let fused = |at: usize| match step {
                Step::Fused(_) if at + 1 < all.len() => Fused::Held,
                Step::Fused(_) if all.len() > 1 => Fused::Last,
                Step::Fused(_) | Step::One(_) | Step::Attached(..) => Fused::No,
            };
            let attached = match step {
                Step::Attached(_, parent) => Some(moved(*parent)),
                Step::One(_) | Step::Fused(_) => None,
            };
            let run = |(at, running): (usize, &'f Running)| Run {
                running,
                iterator: moved(running.iterator),
                attached,
                fused: fused(at),
            };
            all.iter().enumerate().map(run).collect::<Vec<_>>()
        };
        iteration.steps.iter().flat_map(of_step).collect()
    }

    /// The spatial iterators alone.
    fn spatial(&self, runs: &[Run<'f>]) -> Done<Vec<Run<'f>>> {
        let is_reduction =
            |id: &IteratorId| runs.iter().any(|run| run.iterator == *id && run.running.kind == Kind::Reduction);
        let spatial = runs.iter().filter(|run| run.running.kind == Kind::Spatial);
        let below = spatial.clone().find(|run| {
            let path = self.lowered.path(run.iterator);
            path.iter().filter(|above| **above != run.iterator).chain(&run.attached).any(is_reduction)
        });
        match below {
            None => Ok(spatial.cloned().collect()),
            Some(run) => {
                let name = &self.lowered.iterator(run.iterator).name;
                let told = unread(
                    run.running.place.0,
                    format!("the spatial `{name}` hangs off a reduction, and that is not lowered yet"),
                );
                Err(Box::new(told.label("its parent is a reduction")))
            }
        }
    }

    fn nest(&mut self, runs: &[Run<'f>], inner: Inner<'f>, place: Place) -> Done<Vec<Statement>> {
        let groups = self.groups(runs);
        self.blocks((&groups, 0), inner, place)
    }

    /// A new block begins with each varied iterator whose parent the block binds. Fused ones stay together.
    fn groups(&self, runs: &[Run<'f>]) -> Vec<Vec<Run<'f>>> {
        let mut groups: Vec<Vec<Run<'f>>> = vec![Vec::new()];
        let mut inside_fused = false;
        for run in runs {
            let parent = run.attached.or_else(|| self.lowered.iterator(run.iterator).parent());
            let current = groups.last().map_or(&[][..], Vec::as_slice);
            let binds = current.iter().any(|bound| Some(bound.iterator) == parent);
            if binds && !inside_fused && self.lowered.iterator(run.iterator).is_varied() {
                groups.push(Vec::new());
            }
            inside_fused = run.fused == Fused::Held;
            if let Some(group) = groups.last_mut() {
                group.push(run.clone());
            }
        }
        groups
    }

    /// The blocks from one on, each within the one before.
    fn blocks(
        &mut self,
        (groups, at): (&[Vec<Run<'f>>], usize),
        inner: Inner<'f>,
        place: Place,
    ) -> Done<Vec<Statement>> {
        let Some(group) = groups.get(at) else { return self.statements(inner.body) };
        let extents = group.iter().map(|run| self.extent_of(run, place)).collect::<Done<Vec<Expr>>>()?;
        let mut variables = Vec::new();
        let mut loops = Vec::new();
        for (run, extent) in group.iter().zip(extents) {
            let (variable, own) = self.block_variable(run, &extent, place)?;
            variables.push(variable);
            loops.extend(own.map(|own| (own, extent)));
        }
        let body = self.blocks((groups, at + 1), inner, place)?;
        group.iter().for_each(|run| drop(self.positions.remove(&run.iterator)));
        let mut attributes = inner.attributes.clone();
        attributes.insert("sparse".to_string(), Value::Bool(true));
        let name = format!("{}{}{at}", inner.name, inner.suffix);
        let (predicate, reads, writes, init) = (None, None, None, Vec::new());
        let block = Block { name, variables, predicate, reads, writes, attributes, init, body };
        let block = Statement { place, kind: StatementKind::Block(Box::new(block)) };
        Ok(loops.into_iter().rev().fold(vec![block], |body, (variable, end)| {
            let start = Expr::int(place, 0, end.element());
            let one = Loop { variable, kind: LoopKind::Serial, start, end, attributes: Attributes::new(), body };
            vec![Statement { place, kind: StatementKind::Loop(one) }]
        }))
    }

    /// How many positions a loop runs over.
    fn extent_of(&mut self, run: &Run<'f>, place: Place) -> Done<Expr> {
        if run.fused == Fused::Last {
            let count = self.lowered.count(run.iterator);
            return count.ok_or_else(|| {
                let told = unread(run.running.place.0, "the number of positions of a fused iterator is not known");
                Box::new(told.label("without a count").help("declare it with `(length, nnz)`"))
            });
        }
        let attached = match run.attached {
            Some(parent) => Some(self.coordinate_of(parent, place)?),
            None => None,
        };
        // Its position is not known before its block: only the parent's is asked for.
        let position = Position { variable: VariableId(u32::MAX), attached, fused: false };
        self.positions.insert(run.iterator, position);
        let extent = self.extent(run.iterator, place);
        let position = self.positions.remove(&run.iterator);
        let extent = extent?;
        if let Some(position) = position.filter(|position| position.attached.is_some()) {
            self.positions.insert(run.iterator, position);
        }
        Ok(extent)
    }

    /// The variable of a block for an iterator, and that of its loop, if it has one.
    fn block_variable(
        &mut self,
        run: &Run<'f>,
        extent: &Expr,
        place: Place,
    ) -> Done<(BlockVariable, Option<VariableId>)> {
        let name = self.function.variable(run.running.variable).name.clone();
        let element = self.lowered.iterator(run.iterator).width.element();
        let own = self.new_variable(&format!("v{name}"), element, Role::Block);
        let attached = self.positions.get(&run.iterator).and_then(|position| position.attached.clone());
        self.positions.insert(run.iterator, Position { variable: own, attached, fused: run.fused == Fused::Held });
        let kind = match run.running.kind {
            Kind::Spatial => BlockVariableKind::Spatial,
            Kind::Reduction => BlockVariableKind::Reduce,
        };
        let looped = (run.fused != Fused::Held).then(|| self.new_variable(&name, extent.element(), Role::Loop));
        let value = looped.map_or(Expr::int(place, 0, element), |id| Expr::variable(place, id, extent.element()));
        let end = match run.fused {
            Fused::No => self.bound(run.iterator),
            Fused::Held => Expr::int(place, 1, element),
            Fused::Last => extent.clone(),
        };
        let start = Expr::int(place, 0, end.element());
        Ok((BlockVariable { variable: own, kind, start, end, value }, looped))
    }

    fn new_variable(&mut self, name: &str, element: Element, role: Role) -> VariableId {
        let id = VariableId::new(self.lowered.variables.len());
        let name = self.names.of_variable(name);
        self.lowered.variables.push(Variable { name, place: self.function.place, element, role });
        id
    }
}

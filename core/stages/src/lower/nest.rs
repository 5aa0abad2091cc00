//! Sparse iterations as loops and blocks.

use nnz_base::element::Element;
use nnz_tir::model::{
    Attributes, Block, BlockVariable, BlockVariableKind, Expr, Iteration, IteratorId, Kind, Loop, LoopKind, Place,
    Role, Running, Statement, StatementKind, Step, Value, Variable, VariableId,
};

use super::{Fused, Lowering, Position, rewrite::Rewrite};
use crate::fault::Done;

/// An iterator that runs, by the numbers of the lowered function.
#[derive(Clone)]
struct Run<'f> {
    running: &'f Running,
    kind: Kind,
    iterator: IteratorId,
    /// The iterator whose coordinate is the position of its parent.
    attached: Option<IteratorId>,
    fused: Fused,
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
            let spatial = self.spatial(&runs);
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
            let attached = match step {
                Step::Attached(_, parent) => Some(moved(*parent)),
                Step::One(_) | Step::Fused(_) => None,
            };
            let is_fused = matches!(step, Step::Fused(_)) && self.can_fuse(all);
            let fused = move |at: usize| match all.get(at + 1) {
                _ if !is_fused => Fused::No,
                Some(below) => Fused::Held(moved(below.iterator)),
                None => Fused::Last,
            };
            let run = move |(at, running): (usize, &'f Running)| {
                let (kind, iterator) = (running.kind, moved(running.iterator));
                Run { running, kind, iterator, attached, fused: fused(at) }
            };
            all.iter().enumerate().map(run).collect::<Vec<_>>()
        };
        iteration.steps.iter().flat_map(of_step).collect()
    }

    /// Whether one loop runs over all positions of the last: the first hangs off nothing, and all counts are known.
    fn can_fuse(&self, all: &[Running]) -> bool {
        let is_root = all.first().is_some_and(|first| self.function.iterator(first.iterator).parent().is_none());
        all.len() > 1 && is_root && all.iter().all(|one| self.function.count(one.iterator).is_some())
    }

    /// The spatial iterators, and those that they hang off.
    fn spatial(&self, runs: &[Run<'f>]) -> Vec<Run<'f>> {
        let mut wanted: Vec<IteratorId> = Vec::new();
        let mut kept: Vec<Run<'f>> = Vec::new();
        for run in runs.iter().rev() {
            if run.kind == Kind::Reduction && !wanted.contains(&run.iterator) {
                continue;
            }
            wanted.extend(run.attached.or_else(|| self.lowered.iterator(run.iterator).parent()));
            let fused = match run.fused {
                Fused::Held(below) if !is_fused(&kept, below) => Fused::No,
                Fused::No | Fused::Held(_) | Fused::Last => run.fused,
            };
            kept.push(Run { kind: Kind::Spatial, fused, ..run.clone() });
        }
        kept.reverse();
        kept
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
            inside_fused = matches!(run.fused, Fused::Held(_));
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
        let (extents, before) = self.with_searches(|lowering| {
            group.iter().map(|run| lowering.extent_of(run, place)).collect::<Done<Vec<Expr>>>()
        })?;
        let mut variables = Vec::new();
        let mut loops = Vec::new();
        for (run, extent) in group.iter().zip(extents) {
            let (variable, own) = self.block_variable(run, &extent, place)?;
            variables.push(variable);
            loops.extend(own.map(|own| (own, extent)));
        }
        let body = self.blocks((groups, at + 1), inner, place)?;
        self.positions.retain(|id, _| !group.iter().any(|run| run.iterator == *id));
        let mut attributes = inner.attributes.clone();
        attributes.insert("sparse".to_string(), Value::Bool(true));
        let name = format!("{}{}{at}", inner.name, inner.suffix);
        let (predicate, reads, writes, init) = (None, None, None, Vec::new());
        let block = Block { name, variables, predicate, reads, writes, attributes, init, body };
        let block = Statement { place, kind: StatementKind::Block(Box::new(block)) };
        let nest = loops.into_iter().rev().fold(vec![block], |body, (variable, end)| {
            let start = Expr::int(place, 0, end.element());
            let one = Loop { variable, kind: LoopKind::Serial, start, end, attributes: Attributes::new(), body };
            vec![Statement { place, kind: StatementKind::Loop(one) }]
        });
        Ok([before, nest].concat())
    }

    /// How many positions a loop runs over.
    fn extent_of(&mut self, run: &Run<'f>, place: Place) -> Done<Expr> {
        let count = self.lowered.count(run.iterator).filter(|_| run.fused != Fused::No);
        if let Some(count) = count {
            return Ok(count);
        }
        if !self.lowered.iterator(run.iterator).is_varied() {
            return Ok(self.bound(run.iterator));
        }
        let above = self.parents(run.iterator, run.attached, place)?;
        self.extent(run.iterator, above, place)
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
        let own = self.new_variable(self.names.of_block(&format!("v{name}")), element, Role::Block);
        self.positions.insert(run.iterator, Position { variable: own, attached: run.attached, fused: run.fused });
        let kind = match run.kind {
            Kind::Spatial => BlockVariableKind::Spatial,
            Kind::Reduction => BlockVariableKind::Reduce,
        };
        let is_held = matches!(run.fused, Fused::Held(_));
        let looped = (!is_held).then(|| self.new_variable(self.names.of_loop(&name), extent.element(), Role::Loop));
        let value = looped.map_or(Expr::int(place, 0, element), |id| Expr::variable(place, id, extent.element()));
        let end = match run.fused {
            Fused::No => self.bound(run.iterator),
            Fused::Held(_) => Expr::int(place, 1, element),
            Fused::Last => extent.clone(),
        };
        let start = Expr::int(place, 0, end.element());
        Ok((BlockVariable { variable: own, kind, start, end, value }, looped))
    }

    fn new_variable(&mut self, name: String, element: Element, role: Role) -> VariableId {
        let id = VariableId::new(self.lowered.variables.len());
        self.lowered.variables.push(Variable { name, place: self.function.place, element, role });
        id
    }
}

/// Whether an iterator is there, in a fused loop.
fn is_fused(runs: &[Run<'_>], id: IteratorId) -> bool {
    runs.iter().any(|run| run.iterator == id && run.fused != Fused::No)
}

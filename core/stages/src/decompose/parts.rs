//! An iteration as one for each part, behind one that initializes the result.

use std::collections::HashMap;

use nnz_base::element::Element;
use nnz_tir::{
    maps::placed,
    model::{
        Access, Binary, BufferId, Expr, Iteration, IteratorId, Kind, Layout, Place, Region, Role, Running, Statement,
        StatementKind, Step, Variable, VariableId,
    },
    rules::illegal,
    sites::loads_of,
};

use super::{
    merged::{Merged, Part},
    named,
};
use crate::{
    fault::{Done, unread},
    lower::{names::Names, rewrite::Rewrite},
};

/// What stands for a variable of the iteration before.
type Meanings = HashMap<VariableId, Expr>;

impl Merged<'_> {
    /// What an iteration becomes.
    pub(super) fn divided(&mut self, iteration: &Iteration, place: Place) -> Done<Vec<Statement>> {
        let coordinates = self.checked(iteration, place.0)?;
        let mut made = self.initialized(iteration, place)?;
        for part in self.parts.clone() {
            made.push(self.part(iteration, &part, (&coordinates, place))?);
        }
        Ok(made)
    }

    /// The initialization alone, over the spatial iterators and those that they hang off.
    fn initialized(&mut self, iteration: &Iteration, place: Place) -> Done<Vec<Statement>> {
        if iteration.init.is_empty() {
            return Ok(Vec::new());
        }
        let mut wanted: Vec<IteratorId> = Vec::new();
        let mut kept: Vec<&Running> = Vec::new();
        for running in iteration.running().collect::<Vec<_>>().into_iter().rev() {
            if running.kind == Kind::Spatial || wanted.contains(&running.iterator) {
                wanted.extend(self.function.iterator(running.iterator).parent());
                kept.push(running);
            }
        }
        let (mut steps, mut meanings) = (Vec::new(), Meanings::new());
        for running in kept.into_iter().rev() {
            let own = self.coordinate_named(running, &steps);
            meanings.insert(running.variable, self.value_of(own, place));
            steps.push(Step::One(Running { kind: Kind::Spatial, variable: own, ..running.clone() }));
        }
        let mut moved = Moved { meanings: &meanings, elements: &HashMap::new() };
        let body = moved.statements(&iteration.init)?;
        if steps.is_empty() {
            return Ok(body);
        }
        let (name, attributes) = (named(iteration, "init"), iteration.attributes.clone());
        let first = Iteration { name, steps, attributes, init: Vec::new(), body };
        Ok(vec![Statement { place, kind: StatementKind::Iteration(Box::new(first)) }])
    }

    fn part(
        &mut self,
        iteration: &Iteration,
        part: &Part<'_>,
        (coordinates, place): (&[VariableId], Place),
    ) -> Done<Statement> {
        let (mut steps, mut meanings) = (Vec::new(), Meanings::new());
        let mut own: HashMap<IteratorId, Expr> = HashMap::new();
        for step in &iteration.steps {
            self.replaced(step, part, &mut steps, (&mut meanings, &mut own));
        }
        let steps = self.in_order(steps, part)?;
        let after: Vec<Expr> =
            { part.ruled.after.iter() }.filter_map(|id| own.get(&part.iterators[id.index()]).cloned()).collect();
        for (variable, old) in coordinates.iter().zip(&part.ruled.rule.back.results) {
            let element = self.function.variable(*variable).element;
            let old = placed(old, &after).map(|old| old.into_type(element));
            let told = || illegal(part.ruled.rule.places.back.0, "this map gives no whole numbers");
            meanings.insert(*variable, old.ok_or_else(|| Box::new(told()))?);
        }
        let mut elements = HashMap::new();
        for (before, theirs) in &part.ruled.buffers {
            let buffer = part.buffers[theirs.index()];
            let indices = self.function.buffer(buffer).iterators().iter().filter_map(|id| own.get(id).cloned());
            elements.insert(*before, (buffer, indices.collect::<Vec<Expr>>()));
        }
        let body = Moved { meanings: &meanings, elements: &elements }.statements(&iteration.body)?;
        let body = self.inside(body, iteration, (coordinates, &meanings))?;
        let name = named(iteration, &part.ruled.rule.name);
        let (attributes, init) = (iteration.attributes.clone(), Vec::new());
        let made = Iteration { name, steps, attributes, init, body };
        Ok(Statement { place, kind: StatementKind::Iteration(Box::new(made)) })
    }

    /// The entries of a list of iterators that stand for one: those of the part for what is decomposed.
    fn replaced(
        &mut self,
        step: &Step,
        part: &Part<'_>,
        steps: &mut Vec<Step>,
        (meanings, own): (&mut Meanings, &mut HashMap<IteratorId, Expr>),
    ) {
        let ruled = part.ruled;
        let replacing = |id: IteratorId| ruled.iterators.iter().find(|(before, _)| *before == id).map(|(_, ids)| ids);
        let is_kept = step.running().iter().all(|running| replacing(running.iterator).is_none());
        let mut kept = Vec::new();
        for running in step.running() {
            let Some(ids) = replacing(running.iterator) else {
                let variable = self.coordinate_named(running, steps);
                meanings.insert(running.variable, self.value_of(variable, running.place));
                kept.push(Running { variable, ..running.clone() });
                if !is_kept {
                    steps.extend(kept.pop().map(Step::One));
                }
                continue;
            };
            for id in ids {
                let iterator = part.iterators[id.index()];
                let name = ruled.description.iterator(*id).name.to_lowercase();
                let variable = self.new_coordinate(&name, iterator, steps);
                own.insert(iterator, self.value_of(variable, running.place));
                steps.push(Step::One(Running { iterator, variable, ..running.clone() }));
            }
        }
        match (step, kept.as_slice()) {
            (_, []) => {}
            (Step::Attached(_, parent), [one, ..]) => steps.push(Step::Attached(one.clone(), *parent)),
            (Step::One(_), [one, ..]) => steps.push(Step::One(one.clone())),
            (Step::Fused(_), all) => steps.push(Step::Fused(all.to_vec())),
        }
    }

    /// The entries with every parent before its children, else as they are.
    fn in_order(&self, mut rest: Vec<Step>, part: &Part<'_>) -> Done<Vec<Step>> {
        let mut made: Vec<Step> = Vec::new();
        while !rest.is_empty() {
            let runs = |id: IteratorId| made.iter().flat_map(Step::running).any(|running| running.iterator == id);
            let is_free = |step: &Step| {
                let first = step.running().first();
                let parent = first.and_then(|running| self.function.iterator(running.iterator).parent());
                matches!(step, Step::Attached(..)) || parent.is_none_or(runs)
            };
            let Some(at) = rest.iter().position(is_free) else {
                let told = illegal(part.ruled.rule.places.iterators.0, "an iterator would run without its parent");
                return Err(Box::new(told.help("the iteration runs over the parents of all iterators")));
            };
            made.push(rest.remove(at));
        }
        Ok(made)
    }

    /// Where plain arrays are used, blocks that stand out beyond the matrix are left out.
    fn inside(
        &self,
        body: Vec<Statement>,
        iteration: &Iteration,
        (coordinates, meanings): (&[VariableId], &Meanings),
    ) -> Done<Vec<Statement>> {
        let ids = self.rules[0].before.iter().zip(coordinates);
        let beyond = ids.filter(|(_, variable)| {
            let is_plain = meanings.get(variable).is_some_and(|old| old.as_variable().is_some());
            !is_plain && iteration.body.iter().any(|statement| self.indexes_plainly(statement, **variable))
        });
        let mut condition: Option<Expr> = None;
        for (id, variable) in beyond {
            let Some(old) = meanings.get(variable) else { continue };
            let told = |_| Box::new(unread(old.place.0, "this coordinate is no whole number").label("of another type"));
            let below = Expr::binary(old.place, Binary::Less, old.clone(), self.function.iterator(*id).length.clone());
            let below = below.map_err(told)?;
            condition = Some(match condition {
                Some(before) => Expr::binary(old.place, Binary::And, before, below).map_err(told)?,
                None => below,
            });
        }
        Ok(match condition {
            Some(condition) => {
                let place = condition.place;
                vec![Statement { place, kind: StatementKind::If { condition, then: body, otherwise: Vec::new() } }]
            }
            None => body,
        })
    }

    /// Whether a variable finds elements of a dense buffer.
    fn indexes_plainly(&self, statement: &Statement, variable: VariableId) -> bool {
        let is_plain = |access: &&Access| matches!(self.function.buffer(access.buffer).layout, Layout::Dense(_));
        let loads = statement.exprs().into_iter().flat_map(loads_of);
        let named = loads
            .chain(statement.written())
            .filter(is_plain)
            .any(|access| access.indices.iter().any(|index| crate::schedule::mentions(index, &[variable])));
        named || statement.bodies().into_iter().flatten().any(|inner| self.indexes_plainly(inner, variable))
    }

    /// A coordinate called like that of another iteration.
    fn coordinate_named(&mut self, running: &Running, steps: &[Step]) -> VariableId {
        let name = self.function.variable(running.variable).name.clone();
        self.new_coordinate(&name, running.iterator, steps)
    }

    /// A new coordinate of an iterator; its name is that of nothing else beside it.
    pub(super) fn new_coordinate(&mut self, name: &str, id: IteratorId, steps: &[Step]) -> VariableId {
        let beside = steps.iter().flat_map(Step::running).map(|running| self.function.variable(running.variable));
        let beside: Vec<&str> = beside.map(|variable| variable.name.as_str()).collect();
        let name = Names::of(&self.function).of_loop_beside(name, &beside);
        let element = self.function.iterator(id).width.element();
        let place = self.function.place;
        self.function.variables.push(Variable { name, place, element, role: Role::Iteration });
        VariableId::new(self.function.variables.len() - 1)
    }

    pub(super) fn value_of(&self, variable: VariableId, place: Place) -> Expr {
        Expr::variable(place, variable, self.function.variable(variable).element)
    }
}

/// Statements with other coordinates, and elements of a part for those of a decomposed buffer.
struct Moved<'m> {
    meanings: &'m Meanings,
    elements: &'m HashMap<BufferId, (BufferId, Vec<Expr>)>,
}

impl Moved<'_> {
    fn access<'f>(&mut self, access: &'f Access) -> Done<Access> {
        if let Some((buffer, indices)) = self.elements.get(&access.buffer) {
            return Ok(Access { place: access.place, buffer: *buffer, indices: indices.clone() });
        }
        let indices = access.indices.iter().map(|index| Rewrite::<'f>::expr(self, index)).collect::<Done<_>>()?;
        Ok(Access { indices, ..access.clone() })
    }
}

impl<'f> Rewrite<'f> for Moved<'_> {
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        let meaning = expr.as_variable().and_then(|id| self.meanings.get(&id));
        Ok(meaning.cloned().unwrap_or_else(|| expr.clone()))
    }
    fn load(&mut self, access: &'f Access, element: Element) -> Done<Expr> {
        Ok(Expr::load(self.access(access)?, element))
    }
    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        Ok(StatementKind::Store(self.access(target)?, self.expr(value)?))
    }
    fn regions(&mut self, regions: &'f [Region]) -> Done<Option<Vec<Region>>> {
        Ok(Some(regions.to_vec()))
    }
    fn special(&mut self, _: &'f Statement) -> Done<Option<Vec<Statement>>> {
        Ok(None)
    }
}

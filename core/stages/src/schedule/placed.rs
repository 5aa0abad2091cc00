//! `compute_at` and `reverse_compute_at`: a copy of only what one turn of a loop needs, or has written, within that loop.

use nnz_base::source::Span;
use nnz_tir::{
    model::{
        Access, Binary, Block, BlockVariable, BlockVariableKind, BufferId, Call, Expr, Origin, Statement,
        StatementKind, VariableId,
    },
    sites::loads,
};

use super::{
    State,
    blocks::{around, empty},
    handles::Value,
    illegal,
    nest::{all_within, blocks, copied_block, has_loop, read, written},
    parts::{Part, parts_within},
    split::binary,
    substitute::substituted,
};
use crate::fault::Done;

/// A block that computes each element of a buffer once, with the statement of the function that it is all of.
struct Copy {
    block: Block,
    root: usize,
    target: Access,
}

impl State {
    pub(super) fn compute_at(&mut self, call: &Call) -> Done<Value> {
        let (copy, place) = self.copy(call)?;
        let (variable, at) = self.loop_of(call, (1, "loop"))?;
        let one = self.found(variable, at)?.clone();
        let to = copy.target.buffer;
        let root = self.root_of_loop(variable);
        let name = self.function.buffer(to).name.clone();
        if root <= copy.root || self.function.buffer(to).origin != Origin::Allocated {
            let told = illegal(place, format!("`{name}` is not computed for later loops alone"));
            return Err(Box::new(told.help("move a block that fills an allocated buffer to the loops that read it")));
        }
        let uses =
            |body: &[Statement]| all_within(body).into_iter().flat_map(loads).filter(|one| one.buffer == to).count();
        if uses(&self.function.body) != uses(&one.body) || uses(&one.body) == 0 {
            let told = illegal(at, format!("`{name}` is not read in this loop alone"));
            return Err(Box::new(told.help("choose a loop around all that reads it")));
        }
        let between = &self.function.body[copy.root + 1..=root];
        self.check_kept(&read(&copy.block.body), between, place)?;
        if written(between).contains(&to) {
            return Err(Box::new(illegal(place, format!("`{name}` is written by other blocks, too"))));
        }
        let parts = parts_within(&one.body, (to, false), &|id| self.counts(id));
        let nest = self.nest_of(&copy, &parts)?;
        self.replace(variable, |mut one| {
            one.body.insert(0, nest.clone());
            one
        });
        self.function.body.remove(copy.root);
        Ok(Value::Nothing)
    }

    pub(super) fn reverse_compute_at(&mut self, call: &Call) -> Done<Value> {
        let (copy, place) = self.copy(call)?;
        let (variable, at) = self.loop_of(call, (1, "loop"))?;
        let one = self.found(variable, at)?.clone();
        let (root, to) = (self.root_of_loop(variable), copy.target.buffer);
        let [from] = read(&copy.block.body)[..] else {
            let told = illegal(place, "the block reads more than one buffer");
            return Err(Box::new(told.help("move a block of `cache_write`")));
        };
        if root >= copy.root || !self.begins_with(from, to, root) {
            let name = &self.function.buffer(from).name;
            let told = illegal(place, format!("`{name}` may have elements that these loops do not write"));
            return Err(Box::new(told.help("move a block of `cache_write` into the loops before it")));
        }
        let between = &self.function.body[root..copy.root];
        if read(between).contains(&to) || written(between).contains(&to) {
            let name = &self.function.buffer(to).name;
            let told = illegal(place, format!("`{name}` is used before it is written here"));
            return Err(Box::new(told.help("choose a block whose buffer nothing else uses")));
        }
        let writes = |body: &[Statement]| {
            all_within(body).into_iter().filter_map(Statement::written).filter(|target| target.buffer == from).count()
        };
        if writes(between) != writes(&one.body) {
            let name = &self.function.buffer(from).name;
            let told = illegal(at, format!("`{name}` is not written in this loop alone"));
            return Err(Box::new(told.help("choose a loop around all that writes it")));
        }
        let parts = parts_within(&one.body, (from, true), &|id| self.counts(id));
        let nest = self.nest_of(&copy, &parts)?;
        self.replace(variable, |mut one| {
            one.body.push(nest.clone());
            one
        });
        self.function.body.remove(copy.root);
        Ok(Value::Nothing)
    }

    /// The block of an argument, if it goes once over all elements of its result, in loops that have nothing else.
    fn copy(&mut self, call: &Call) -> Done<(Copy, Span)> {
        let (block, place) = self.block_of(call, (0, "block"))?;
        let root = self.root_of(&block.name);
        let is_whole = copied_block(&self.function.body[root]).is_some_and(|found| found.name == block.name);
        let target = match block.body.as_slice() {
            [Statement { kind: StatementKind::Store(target, _), .. }] if is_whole => target.clone(),
            _ => {
                let told = illegal(place, format!("`{}` is no copy in loops of its own", block.name));
                return Err(Box::new(told.help("move a block of `cache_read` or `cache_write`")));
            }
        };
        Ok((Copy { block, root, target }, place))
    }

    /// Whether a variable counts a loop from 0 on, or is bound to one that does.
    fn counts(&self, id: VariableId) -> bool {
        let of_loop =
            |id| super::nest::find(&self.function.body, id).is_some_and(|one| one.start.as_constant() == Some(0));
        let all = blocks(&self.function);
        let bound = all.iter().flat_map(|block| &block.variables).find(|one| one.variable == id);
        of_loop(id) || bound.and_then(|one| one.value.as_variable()).is_some_and(of_loop)
    }

    /// Whether a value is that of a loop up to a size.
    fn is_all(&self, value: &Expr, size: &Expr) -> bool {
        let one = value.as_variable().and_then(|id| super::nest::find(&self.function.body, id));
        one.is_some_and(|one| one.start.as_constant() == Some(0) && one.end == *size)
    }

    fn root_of_loop(&self, variable: VariableId) -> usize {
        self.function.body.iter().position(|statement| has_loop(statement, variable)).unwrap_or(0)
    }

    /// Buffers are not written by some statements.
    fn check_kept(&self, buffers: &[BufferId], between: &[Statement], place: Span) -> Done<()> {
        let writes = written(between);
        let Some(id) = buffers.iter().find(|id| writes.contains(id)) else { return Ok(()) };
        let name = &self.function.buffer(*id).name;
        let told = illegal(place, format!("`{name}` is written before the block would run"));
        Err(Box::new(told.help("the block stays where its buffers have the same elements")))
    }

    /// Whether a buffer begins as a copy of another, before a statement of the function.
    fn begins_with(&self, buffer: BufferId, other: BufferId, before: usize) -> bool {
        let copies = self.function.body[..before].iter().rposition(|statement| {
            let block = copied_block(statement);
            block.is_some_and(|block| written(&block.body) == [buffer] && read(&block.body) == [other])
        });
        copies.is_some_and(|at| {
            let between = written(&self.function.body[at + 1..before]);
            !between.contains(&buffer) && !between.contains(&other)
        })
    }

    /// The loops of a copy over parts of its dimensions.
    fn nest_of(&mut self, copy: &Copy, parts: &[Part]) -> Done<Statement> {
        let place = self.function.place;
        let sizes = self.sizes(copy.target.buffer, place.0)?;
        let (mut loops, mut variables, mut predicate) = (Vec::new(), Vec::new(), None);
        let mut body = copy.block.body.clone();
        for (at, (old, size)) in copy.block.variables.iter().zip(&sizes).enumerate() {
            let (value, below) = self.dimension((at, size), parts.get(at), &mut loops)?;
            predicate = match (predicate, below) {
                (Some(before), Some(below)) => Some(binary(Binary::And, before, below)?),
                (before, below) => before.or(below),
            };
            let (kind, name) = (size.element(), self.function.variable(old.variable).name.clone());
            let variable = self.new_block_variable(&name, kind);
            body = substituted(&body, old.variable, &Expr::variable(place, variable, kind))?;
            let (start, end, kind) = (Expr::int(place, 0, kind), size.clone(), BlockVariableKind::Spatial);
            variables.push(BlockVariable { variable, kind, start, end, value });
        }
        let (name, attributes) = (copy.block.name.clone(), copy.block.attributes.clone());
        let block = Block { name, variables, predicate, attributes, body, ..empty() };
        Ok(around(loops, Statement { place, kind: StatementKind::Block(Box::new(block)) }))
    }

    /// Where a copy is in a dimension, and when that is inside; with the loop over the part, if it has more than one place.
    fn dimension(
        &mut self,
        (at, size): (usize, &Expr),
        part: Option<&Part>,
        loops: &mut Vec<(VariableId, Expr)>,
    ) -> Done<(Expr, Option<Expr>)> {
        let (place, kind) = (self.function.place, size.element());
        let (extent, outer) = match part {
            Some(Part::Of { outer, span }) => (Expr::int(place, *span, kind), outer.clone()),
            Some(Part::All) | None => (size.clone(), None),
        };
        let outer = outer.map(|outer| outer.into_type(kind));
        let value = match outer.clone().filter(|_| extent.as_constant() == Some(1)) {
            Some(outer) => outer,
            None => {
                let own = self.new_loop(&format!("ax{at}"), kind);
                loops.push((own, extent));
                let own = Expr::variable(place, own, kind);
                outer.clone().map_or(Ok(own.clone()), |outer| binary(Binary::Add, outer, own))?
            }
        };
        let is_inside = outer.is_none() || self.is_all(&value, size);
        let below = (!is_inside).then(|| binary(Binary::Less, value.clone(), size.clone())).transpose()?;
        Ok((value, below))
    }
}

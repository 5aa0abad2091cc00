//! The function with what the descriptions of all rules declare, under names that end with that of the rule.

use std::collections::HashMap;

use nnz_base::{diagnostic::Diagnostic, element::Element};
use nnz_tir::{
    model::{
        Access, Buffer, BufferId, Expr, Function, Iterator, IteratorId, IteratorKind, Layout, Origin, Param, ParamId,
        ParamKind, Region, Role, Sparse, Statement, StatementKind, Variable, VariableId,
    },
    rules::{Ruled, illegal},
};

use crate::{
    fault::{Done, unread},
    lower::rewrite::Rewrite,
};

pub(super) struct Merged<'r> {
    pub(super) function: Function,
    pub(super) rules: &'r [Ruled<'r>],
    pub(super) parts: Vec<Part<'r>>,
}

/// A rule, with the numbers of what its description declares.
#[derive(Clone)]
pub(super) struct Part<'r> {
    pub(super) ruled: &'r Ruled<'r>,
    /// Of each iterator and buffer of the description the one in the function.
    pub(super) iterators: Vec<IteratorId>,
    pub(super) buffers: Vec<BufferId>,
}

/// A name of a description, in the function.
pub(super) fn suffixed(name: &str, ruled: &Ruled<'_>) -> String {
    format!("{name}_{}", ruled.rule.name)
}

impl<'r> Merged<'r> {
    pub(super) fn of(function: &Function, rules: &'r [Ruled<'r>]) -> Done<Merged<'r>> {
        let mut merged = Merged { function: function.clone(), rules, parts: Vec::new() };
        for ruled in rules {
            let part = merged.add(ruled)?;
            merged.parts.push(part);
        }
        merged.check_names()?;
        Ok(merged)
    }

    /// The buffers of the function that are decomposed.
    pub(super) fn buffers(&self) -> Vec<BufferId> {
        self.rules.iter().flat_map(|ruled| ruled.buffers.iter().map(|(own, _)| *own)).collect()
    }

    fn add(&mut self, ruled: &'r Ruled<'r>) -> Done<Part<'r>> {
        self.check(ruled)?;
        let description = ruled.description;
        let mut moving = Moving { ruled, variables: self.variables(ruled) };
        let params = self.function.params.len();
        let (iterators, buffers) = (self.function.iterators.len(), self.function.buffers.len());
        let param = |id: ParamId| ParamId::new(params + id.index());
        let iterator = |id: IteratorId| IteratorId::new(iterators + id.index());
        for declared in &description.params {
            let kind = match declared.kind {
                ParamKind::Handle => ParamKind::Handle,
                ParamKind::Scalar(id) => moving.scalar(id, declared)?,
                ParamKind::Array(id) => ParamKind::Array(BufferId::new(buffers + id.index())),
            };
            let name = suffixed(&declared.name, ruled);
            self.function.params.push(Param { name, kind, ..declared.clone() });
        }
        for id in description.iterator_ids() {
            let moved = moving.iterator(id, (param, iterator))?;
            self.function.iterators.push(moved);
        }
        for buffer in &description.buffers {
            let moved = moving.buffer(buffer, (param, iterator))?;
            self.function.buffers.push(moved);
        }
        Ok(Part {
            ruled,
            iterators: description.iterator_ids().map(iterator).collect(),
            buffers: (0..description.buffers.len()).map(|at| BufferId::new(buffers + at)).collect(),
        })
    }

    /// Every rule is for the same buffers, and names the parents of its iterators.
    fn check(&self, ruled: &Ruled<'_>) -> Done<()> {
        let (description, first) = (ruled.description, &self.rules[0]);
        if ruled.buffers.iter().map(|(own, _)| own).ne(first.buffers.iter().map(|(own, _)| own)) {
            let told = illegal(ruled.rule.places.buffers.0, "the rules are for different buffers");
            return Err(Box::new(told.help("every rule of a decomposition stores a part of the same buffers")));
        }
        let orphan = ruled
            .after
            .iter()
            .find(|id| description.iterator(**id).parent().is_some_and(|parent| !ruled.after.contains(&parent)));
        if let Some(orphan) = orphan {
            let message = format!("`{}` stands without its parent", description.iterator(*orphan).name);
            let told = illegal(ruled.rule.places.iterators.0, message);
            return Err(Box::new(told.help("name the parent in the map, too")));
        }
        Ok(())
    }

    /// The variables of a description: parameters get names of their own, captured ones are known.
    fn variables(&mut self, ruled: &Ruled<'_>) -> HashMap<VariableId, Expr> {
        let mut moved = HashMap::new();
        for (at, variable) in ruled.description.variables.iter().enumerate() {
            let known = ruled.rule.description.constants.iter().find(|(name, _)| *name == variable.name);
            let value = match (variable.role, known) {
                (Role::Captured, Some((_, value))) => Expr::int(variable.place, *value, variable.element),
                (Role::Captured, None)
                | (Role::Param | Role::Iteration | Role::Loop | Role::Block | Role::Let | Role::Map, _) => {
                    let id = VariableId::new(self.function.variables.len());
                    let name = suffixed(&variable.name, ruled);
                    self.function.variables.push(Variable { name, ..variable.clone() });
                    Expr::variable(variable.place, id, variable.element)
                }
            };
            moved.insert(VariableId::new(at), value);
        }
        moved
    }

    fn check_names(&self) -> Done<()> {
        let all = { self.function.params.iter().map(|one| &one.name) }
            .chain(self.function.iterators.iter().map(|one| &one.name))
            .chain(self.function.buffers.iter().filter(|one| !self.is_param(one)).map(|one| &one.name));
        let mut names: Vec<&String> = all.collect();
        names.sort();
        let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
        let place = self.rules.first().map_or(self.function.place.0, |ruled| ruled.rule.places.name.0);
        let told = illegal(place, format!("`{}` would be declared twice", pair[0]));
        Err(Box::new(told.help("call the rule otherwise, or what its description declares")))
    }

    /// Whether a buffer is a parameter, whose name it has.
    fn is_param(&self, buffer: &Buffer) -> bool {
        let Origin::Handle(id) = buffer.origin else { return false };
        matches!(self.function.param(id).kind, ParamKind::Array(_))
    }

    /// An element of a decomposed buffer outside of an iteration at the top.
    pub(super) fn elsewhere(&self, statement: &Statement) -> Box<Diagnostic> {
        let told = illegal(statement.place.0, "this uses a decomposed buffer outside of a sparse iteration");
        Box::new(told.help("only iterations of the function itself are decomposed"))
    }
}

/// What takes declarations of a description into the function.
struct Moving<'r> {
    ruled: &'r Ruled<'r>,
    variables: HashMap<VariableId, Expr>,
}

impl<'r> Moving<'r> {
    fn scalar(&self, id: VariableId, declared: &Param) -> Done<ParamKind> {
        let moved = self.variables.get(&id).and_then(Expr::as_variable);
        let told = || Box::new(unread(declared.place.0, "this parameter is no number").label("not understood"));
        moved.map(ParamKind::Scalar).ok_or_else(told)
    }

    fn iterator(
        &mut self,
        id: IteratorId,
        (param, other): (impl Fn(ParamId) -> ParamId, impl Fn(IteratorId) -> IteratorId),
    ) -> Done<Iterator> {
        let declared = self.ruled.description.iterator(id);
        let kind = match &declared.kind {
            IteratorKind::DenseFixed => IteratorKind::DenseFixed,
            IteratorKind::DenseVaried { parent, count, indptr } => IteratorKind::DenseVaried {
                parent: other(*parent),
                count: count.as_ref().map(|count| self.expr(count)).transpose()?,
                indptr: param(*indptr),
            },
            IteratorKind::CompressedFixed { parent, columns, indices, .. } => IteratorKind::CompressedFixed {
                parent: other(*parent),
                columns: self.expr(columns)?,
                indices: param(*indices),
                sorted: declared.is_sorted(),
            },
            IteratorKind::CompressedVaried { parent, count, indptr, indices, sorted } => {
                IteratorKind::CompressedVaried {
                    parent: other(*parent),
                    count: self.expr(count)?,
                    indptr: param(*indptr),
                    indices: param(*indices),
                    // Rows that are too long stand several times.
                    sorted: *sorted && !holds_rows(self.ruled.description, id),
                }
            }
            IteratorKind::Flatten { .. } => {
                let told = illegal(self.ruled.rule.places.description.0, "a flattened iterator cannot be filled");
                return Err(Box::new(told.help("use iterators that have the arrays of one level")));
            }
        };
        let name = suffixed(&declared.name, self.ruled);
        Ok(Iterator { name, length: self.expr(&declared.length)?, kind, ..declared.clone() })
    }

    fn buffer(
        &mut self,
        declared: &Buffer,
        (param, other): (impl Fn(ParamId) -> ParamId, impl Fn(IteratorId) -> IteratorId),
    ) -> Done<Buffer> {
        let place = self.ruled.rule.places.description.0;
        let (Layout::Sparse(sparse), Origin::Handle(handle)) = (&declared.layout, &declared.origin) else {
            let told = illegal(place, format!("`{}` of the description is no sparse buffer", declared.name));
            return Err(Box::new(told.help("a description declares buffers by `T.sp.match_buffer`")));
        };
        let iterators = sparse.iterators.iter().copied().map(other).collect();
        let layout = Layout::Sparse(Sparse { iterators, ..sparse.clone() });
        let name = suffixed(&declared.name, self.ruled);
        Ok(Buffer { name, origin: Origin::Handle(param(*handle)), layout, ..declared.clone() })
    }
}

/// Whether rows of a fixed length hang off an iterator.
pub(super) fn holds_rows(function: &Function, id: IteratorId) -> bool {
    let is_fixed = |other: &IteratorId| matches!(function.iterator(*other).kind, IteratorKind::CompressedFixed { .. });
    function.iterator_ids().filter(is_fixed).any(|other| function.path(other).contains(&id))
}

impl<'f> Rewrite<'f> for Moving<'_> {
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        let moved = expr.as_variable().and_then(|id| self.variables.get(&id));
        Ok(moved.cloned().unwrap_or_else(|| expr.clone()))
    }
    fn load(&mut self, access: &'f Access, _: Element) -> Done<Expr> {
        let told = unread(access.place.0, "a size of a description is read from a buffer");
        Err(Box::new(told.label("not known before it runs")))
    }
    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        Ok(StatementKind::Store(target.clone(), value.clone()))
    }
    fn regions(&mut self, regions: &'f [Region]) -> Done<Option<Vec<Region>>> {
        Ok(Some(regions.to_vec()))
    }
    fn special(&mut self, _: &'f Statement) -> Done<Option<Vec<Statement>>> {
        Ok(None)
    }
}

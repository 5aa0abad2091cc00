//! One nest of loops: along the levels of the sparse operand, then over the dense variables.

use super::{
    ArrayBinding, Lowerer, ScalarBinding,
    access::affine,
    levels::{Level, Place, Segment, Step, Walk},
    values::combine,
};
use crate::{
    encoding::Affine,
    ids::{Dim, IndexVar, Lvl, TensorId},
    iterate::{Combine, Iterates, Nest, SparseOperand},
    kernel::ReduceOp,
    loops::{ArrayId, Binary, ExprId, ForKind, Stmt, Type, VarId},
};

/// What a nest adds to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Result,
    /// The dense copy of the sparse operand.
    Workspace(TensorId),
}

/// What is in the target before the nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Before {
    /// Nothing of use: the nest initialises it.
    Nothing,
    Initialised,
}

/// A nest, and how far its loops have got.
struct Walker<'n> {
    nest: &'n Nest,
    operand: &'n SparseOperand,
    target: Target,
    before: Before,
    place: Place,
    /// The coordinate of each level entered so far.
    levels: Vec<ExprId>,
    /// Where the loops that do not change the entry add up.
    accumulator: Option<Accumulator>,
}

/// A register for one entry of the target.
#[derive(Clone, Copy)]
struct Accumulator {
    value: VarId,
    /// How many entries went in, where that matters.
    count: Option<VarId>,
}

impl Lowerer<'_> {
    /// Fills the workspace: zeros, then every entry added where it belongs.
    pub(super) fn scatter(&mut self, nest: &Nest) {
        if let Some(operand) = &self.plan.sparse {
            self.b.comment(format!("a dense copy of {}", self.kernel.tensor(operand.tensor).name));
            let operand = SparseOperand { indices: nest.target.clone(), ..operand.clone() };
            self.nest_over(nest, &operand, Target::Workspace(operand.tensor), Before::Nothing);
        }
    }

    pub(super) fn nest(&mut self, nest: &Nest, target: Target, before: Before) {
        if let Some(operand) = &self.plan.sparse {
            self.nest_over(nest, operand, target, before);
        }
    }

    fn nest_over(&mut self, nest: &Nest, operand: &SparseOperand, target: Target, before: Before) {
        let place = Place { position: self.b.index(0), batch: None };
        let mut walker = Walker { nest, operand, target, before, place, levels: Vec::new(), accumulator: None };
        if walker.initialises_at(0) {
            self.initialise_rest(&walker);
        }
        self.loops(&mut walker, 0);
        self.coordinates.clear();
    }

    /// The loops from the `at`th on.
    fn loops(&mut self, walker: &mut Walker<'_>, at: usize) {
        if at > 0 && walker.initialises_at(at) {
            self.initialise_rest(walker);
        }
        let placement = &walker.nest.placement;
        if at == placement.accumulate_after && at < walker.nest.graph.loops.len() {
            self.accumulate(walker, at);
        } else {
            self.one_loop(walker, at);
        }
    }

    /// The loops from the `at`th on, combined in a register and stored once.
    fn accumulate(&mut self, walker: &mut Walker<'_>, at: usize) {
        if let Combine::WithZeros(op) = walker.nest.combine {
            return self.accumulate_counted(walker, at, op);
        }
        let once = walker.stores_once();
        let target = match walker.target {
            Target::Result => self.kernel.result().tensor,
            Target::Workspace(tensor) => tensor,
        };
        let start = if once { self.initial(walker.target) } else { self.zero_of_tensor(target) };
        let ty = Type::Element(self.kernel.tensor(target).element);
        let sum = self.accumulator_of("sum", ty, start);
        walker.accumulator = Some(Accumulator { value: sum, count: None });
        self.one_loop(walker, at);
        walker.accumulator = None;
        let value = self.b.var(sum);
        self.add_to_target(walker, value, if once { Update::Replace } else { Update::Add { negated: false } });
    }

    /// The same for a reduction by name: where fewer entries are stored than there are, zero takes part.
    fn accumulate_counted(&mut self, walker: &mut Walker<'_>, at: usize, op: ReduceOp) {
        let (start, none) = (self.identity(op), self.b.index(0));
        let value = self.accumulator(op.name(), start);
        let count = self.b.local("count", Type::Index);
        self.b.push(Stmt::Mut { var: count, value: none });
        walker.accumulator = Some(Accumulator { value, count: Some(count) });
        self.one_loop(walker, at);
        walker.accumulator = None;
        let one = self.b.index(1);
        let sizes: Vec<ExprId> = walker.nest.term.summed.iter().map(|var| self.extent(*var)).collect();
        let all = sizes.into_iter().fold(one, |product, size| self.b.mul(product, size));
        let (seen, so_far, zero) = (self.b.var(count), self.b.var(value), self.zero());
        let some_absent = self.b.binary(Binary::Lt, seen, all);
        let with_zero = self.b.binary(combine(op), so_far, zero);
        self.b.when(some_absent, |b| b.push(Stmt::Assign { var: value, value: with_zero }));
        self.add_to_target(walker, so_far, Update::Replace);
    }

    /// One more entry in the register.
    fn take_in(&mut self, walker: &Walker<'_>, accumulator: Accumulator, value: ExprId) {
        let so_far = self.b.var(accumulator.value);
        let value = match walker.nest.combine {
            Combine::Sum => self.added(Some(so_far), walker.nest.term.negated, value),
            Combine::WithZeros(op) => self.b.binary(combine(op), so_far, value),
        };
        self.b.push(Stmt::Assign { var: accumulator.value, value });
        if let Some(var) = accumulator.count {
            let (seen, one) = (self.b.var(var), self.b.index(1));
            let value = self.b.add(seen, one);
            self.b.push(Stmt::Assign { var, value });
        }
    }

    fn one_loop(&mut self, walker: &mut Walker<'_>, at: usize) {
        let Some(next) = walker.nest.graph.loops.get(at) else { return self.innermost(walker) };
        let kind = if at == 0 && walker.nest.placement.parallel { ForKind::Parallel } else { ForKind::Serial };
        match next.iterates {
            Iterates::Dense(var) => self.dense_loops(&[var], kind, &mut |this| this.loops(walker, at + 1)),
            Iterates::Level { lvl, .. } => self.level_loop(walker, lvl, kind, at),
        }
    }

    fn level_loop(&mut self, walker: &mut Walker<'_>, lvl: Lvl, kind: ForKind, at: usize) {
        let level = self.level(walker, lvl);
        let parent = walker.place;
        match level.walk(&mut self.b, parent) {
            Walk::Here => {
                let step = level.step(&mut self.b, parent, parent.position);
                self.enter(walker, lvl, step, at);
            }
            walk @ (Walk::Coordinates(range) | Walk::Positions(range)) => {
                let name = match walk {
                    Walk::Positions(_) => {
                        format!("{}.p{}", self.kernel.tensor(walker.operand.tensor).name, lvl.index())
                    }
                    _ => self.level_name(walker.operand, lvl),
                };
                let var = self.b.local(&name, Type::Index);
                let value = self.b.var(var);
                self.for_loop(var, range, kind, |this| {
                    let step = level.step(&mut this.b, parent, value);
                    this.enter(walker, lvl, step, at);
                });
            }
        }
        walker.place = parent;
    }

    /// The body of a level's iteration: its coordinate, the dimensions that follow, the next loop.
    fn enter(&mut self, walker: &mut Walker<'_>, lvl: Lvl, step: Step, at: usize) {
        let coordinate = self.level_value(walker.operand, lvl, step.coordinate);
        walker.levels.push(coordinate);
        walker.place = step.place;
        let mut guards = self.bind_dims(walker);
        guards.extend(step.present);
        match guards.into_iter().reduce(|a, b| self.b.binary(Binary::And, a, b)) {
            None => self.below(walker, at),
            Some(cond) => {
                self.b.open();
                self.below(walker, at);
                let then = self.b.close();
                self.b.push(Stmt::If { cond, then, other: Vec::new() });
            }
        }
        walker.levels.pop();
    }

    /// What is inside the `at`th loop; the entry is loaded once, before dense loops.
    fn below(&mut self, walker: &mut Walker<'_>, at: usize) {
        let reached = walker.levels.len() == walker.operand.encoding.lvl_rank();
        if reached && at + 1 < walker.nest.graph.loops.len() {
            let ty = Type::Element(self.kernel.tensor(walker.operand.tensor).element);
            let value = self.entry_value(walker);
            let var = self.b.define(&format!("{}.value", self.kernel.tensor(walker.operand.tensor).name), ty, value);
            self.entry = Some(self.b.var(var));
        }
        self.loops(walker, at + 1);
        self.entry = None;
    }

    /// The value of the level's expression, named where it is more than a variable.
    fn level_value(&mut self, operand: &SparseOperand, lvl: Lvl, stored: ExprId) -> ExprId {
        let name = self.level_name(operand, lvl);
        let expr = &operand.encoding.levels()[lvl.index()].expr;
        let value = if crate::iterate::is_plain(expr) || expr.has_symbol() {
            stored
        } else {
            let origin = self.parameters.scalar(&mut self.b, ScalarBinding::LevelOrigin(operand.tensor, lvl));
            self.b.add(stored, origin)
        };
        self.named(&name, value)
    }

    /// `value`, or a `let` of it where it is not a variable or a literal already.
    fn named(&mut self, name: &str, value: ExprId) -> ExprId {
        if self.b.is_simple(value) {
            return value;
        }
        let var = self.b.define(name, Type::Index, value);
        self.b.var(var)
    }

    /// A level is called as the variable that it is, or as its part.
    fn level_name(&self, operand: &SparseOperand, lvl: Lvl) -> String {
        let expr = &operand.encoding.levels()[lvl.index()].expr;
        let var = |dim: Dim| operand.indices.get(dim.index()).map(|var| self.plan.vars[var.index()].name.clone());
        let of = |e: &Affine<Dim>| e.as_var().and_then(var);
        let plain = of(expr);
        let outer = || expr.as_floordiv().and_then(|(e, _)| of(e)).map(|name| format!("{name}.outer"));
        let inner = || expr.as_mod().and_then(|(e, _)| of(e)).map(|name| format!("{name}.inner"));
        let tensor = &self.kernel.tensor(operand.tensor).name;
        plain.or_else(outer).or_else(inner).unwrap_or_else(|| format!("{tensor}.l{}", lvl.index()))
    }

    /// Gives the dimensions that are known now their coordinates, and says what must hold of them.
    fn bind_dims(&mut self, walker: &Walker<'_>) -> Vec<ExprId> {
        let operand = walker.operand;
        let known = (0..operand.indices.len()).map(Dim::new);
        let mut guards = Vec::new();
        for dim in known.filter(|dim| operand.known_after(*dim) == walker.levels.len()) {
            let var = operand.indices[dim.index()];
            let inverse = &operand.inverse[dim.index()];
            let value = affine(&mut self.b, inverse, &|lvl: Lvl| walker.levels.get(lvl.index()).copied());
            let name = self.plan.vars[var.index()].name.clone();
            let value = self.named(&name, value);
            guards.extend(self.range_guards(operand, dim, value));
            if operand.binding_dim(var) == Some(dim) {
                self.coordinates.insert(var, value);
            } else {
                let bound = self.coordinate(var);
                guards.push(self.b.binary(Binary::Eq, value, bound));
            }
        }
        guards
    }

    /// What keeps a coordinate inside its dimension where the levels reach beyond it: blocks that do not
    /// divide it, diagonals that leave the matrix.
    fn range_guards(&mut self, operand: &SparseOperand, dim: Dim, value: ExprId) -> Vec<ExprId> {
        let var = operand.indices[dim.index()];
        if self.is_exact(operand, dim) {
            return Vec::new();
        }
        let size = self.extent(var);
        let below = self.b.binary(Binary::Lt, value, size);
        let levels = operand.levels_of(dim);
        let is_plain = |lvl: &Lvl| crate::iterate::is_plain(&operand.encoding.levels()[lvl.index()].expr);
        if levels.iter().all(is_plain) {
            return vec![below];
        }
        let zero = self.b.index(0);
        vec![self.b.binary(Binary::Le, zero, value), below]
    }

    /// Whether the dimension is a level, or blocks that divide it and places in them.
    fn is_exact(&self, operand: &SparseOperand, dim: Dim) -> bool {
        let levels = operand.levels_of(dim);
        let exprs: Vec<&Affine<Dim>> = levels.iter().map(|lvl| &operand.encoding.levels()[lvl.index()].expr).collect();
        let of_dim = |pair: Option<(&Affine<Dim>, i64)>| pair.filter(|(e, _)| e.as_var() == Some(dim)).map(|(_, c)| c);
        match exprs.as_slice() {
            [level] => level.as_var() == Some(dim),
            [outer, inner] => {
                let extent = self.plan.vars[operand.indices[dim.index()].index()].extent;
                let block = of_dim(outer.as_floordiv()).filter(|c| of_dim(inner.as_mod()) == Some(*c));
                block.and_then(|c| u64::try_from(c).ok()).is_some_and(|c| extent.is_multiple_of(c))
            }
            _ => false,
        }
    }

    /// The level's size and arrays, as seen from the walker's place.
    fn level(&mut self, walker: &Walker<'_>, lvl: Lvl) -> Level {
        let operand = walker.operand;
        let format = operand.encoding.format(lvl);
        let expr = &operand.encoding.levels()[lvl.index()].expr;
        let sized = operand.encoding.walks_by_size(lvl);
        let size = sized.then(|| self.level_size(operand.tensor, lvl, expr, &operand.indices));
        let batch = walker.place.batch;
        let positions = ArrayBinding::Positions(operand.tensor, lvl);
        let positions = format.has_positions().then(|| self.segment(positions, batch));
        let coordinates = ArrayBinding::Coordinates(operand.tensor, lvl);
        let coordinates = format.has_coordinates().then(|| self.segment(coordinates, batch));
        Level::new(&mut self.b, format, size, positions, coordinates)
    }

    fn segment(&mut self, binding: ArrayBinding, batch: Option<ExprId>) -> Segment {
        let array = self.parameters.array(&mut self.b, binding);
        let start = match batch {
            None => self.b.index(0),
            Some(batch) => {
                let part = self.parameters.scalar(&mut self.b, ScalarBinding::BatchPart(array));
                self.b.mul(batch, part)
            }
        };
        Segment { array, start }
    }

    /// The operand's value at the walker's place.
    fn entry_value(&mut self, walker: &Walker<'_>) -> ExprId {
        let values = self.segment(ArrayBinding::Values(walker.operand.tensor), walker.place.batch);
        let at = self.b.add(values.start, walker.place.position);
        self.b.load(values.array, at)
    }

    fn innermost(&mut self, walker: &mut Walker<'_>) {
        let term = &walker.nest.term;
        let entry = self.entry.unwrap_or_else(|| self.entry_value(walker));
        self.entry = Some(entry);
        let value = self.value(&term.body);
        match walker.accumulator {
            Some(accumulator) => self.take_in(walker, accumulator, value),
            None if walker.stores_once() => {
                let initial = self.initial(walker.target);
                let value = self.added(Some(initial), term.negated, value);
                self.add_to_target(walker, value, Update::Replace);
            }
            None => self.add_to_target(walker, value, Update::Add { negated: term.negated }),
        }
    }

    fn add_to_target(&mut self, walker: &Walker<'_>, value: ExprId, update: Update) {
        let (array, at) = self.target_entry(walker.target, &walker.nest.target);
        let value = match update {
            Update::Replace => value,
            Update::Add { negated } => {
                let before = self.b.load(array, at);
                self.added(Some(before), negated, value)
            }
        };
        self.b.store(array, at, value);
    }

    fn target_entry(&mut self, target: Target, indices: &[IndexVar]) -> (ArrayId, ExprId) {
        match target {
            Target::Result => {
                let array = self.parameters.array(&mut self.b, ArrayBinding::Result);
                (array, self.offset(self.kernel.result().tensor, indices))
            }
            Target::Workspace(tensor) => {
                let array = self.parameters.array(&mut self.b, ArrayBinding::Workspace(tensor));
                (array, self.row_major(indices))
            }
        }
    }

    /// What an entry is before the first nest adds to it.
    fn initial(&mut self, target: Target) -> ExprId {
        match target {
            Target::Result => self.everywhere(),
            Target::Workspace(tensor) => self.zero_of_tensor(tensor),
        }
    }

    /// Initialises the part of the target that lies below the covering loops.
    fn initialise_rest(&mut self, walker: &Walker<'_>) {
        let covered = &walker.nest.placement.covered;
        match walker.target {
            Target::Workspace(_) if covered.is_empty() => {
                let (array, _) = self.target_entry(walker.target, &[]);
                let one = self.b.index(1);
                let sizes: Vec<ExprId> = walker.nest.target.iter().map(|var| self.extent(*var)).collect();
                let entries = sizes.into_iter().fold(one, |product, size| self.b.mul(product, size));
                let zero = self.initial(walker.target);
                self.fill(array, entries, zero);
            }
            Target::Workspace(_) => {
                let rest: Vec<IndexVar> =
                    walker.nest.target.iter().copied().filter(|var| !covered.contains(var)).collect();
                self.dense_loops(&rest, ForKind::Serial, &mut |this| {
                    let (array, at) = this.target_entry(walker.target, &walker.nest.target);
                    let zero = this.initial(walker.target);
                    this.b.store(array, at, zero);
                });
            }
            Target::Result => {
                let vars = &self.plan.result_vars;
                let rest: Vec<IndexVar> = vars.iter().copied().filter(|var| !covered.contains(var)).collect();
                self.initialise(&rest, covered.is_empty());
            }
        }
    }

    /// Stores the terms that visit every coordinate at every value of `rest`; `outermost` says that no
    /// loop is around. Without such terms that is zeros, which need no coordinates.
    pub(super) fn initialise(&mut self, rest: &[IndexVar], outermost: bool) {
        let indices = self.kernel.result().indices.clone();
        let tensor = self.kernel.result().tensor;
        if outermost && self.plan.everywhere.is_empty() {
            let (array, _) = self.target_entry(Target::Result, &[]);
            let entries = self.entries(tensor, &indices);
            let zero = self.zero();
            return self.fill(array, entries, zero);
        }
        let kind = if outermost { ForKind::Parallel } else { ForKind::Serial };
        self.dense_loops(rest, kind, &mut |this| {
            let value = this.everywhere();
            let (array, at) = this.target_entry(Target::Result, &indices);
            this.b.store(array, at, value);
        });
    }

    fn fill(&mut self, array: ArrayId, entries: ExprId, zero: ExprId) {
        let var = self.b.local("at", Type::Index);
        let (at, first) = (self.b.var(var), self.b.index(0));
        self.for_loop(var, [first, entries], ForKind::Parallel, |this| this.b.store(array, at, zero));
    }
}

/// How a value gets into the target.
#[derive(Clone, Copy)]
enum Update {
    Replace,
    Add { negated: bool },
}

impl Walker<'_> {
    fn stores_once(&self) -> bool {
        self.before == Before::Nothing && self.nest.placement.stores_once()
    }
    /// Whether the target is initialised inside the first `at` loops.
    fn initialises_at(&self, at: usize) -> bool {
        self.before == Before::Nothing && !self.stores_once() && self.nest.placement.covering == at
    }
}

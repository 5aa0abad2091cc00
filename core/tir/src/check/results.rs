//! What iterations write: kinds of iterators, and initializations.

use std::collections::HashMap;

use nnz_base::{diagnostic::Code, element::Element, source::Span};

use super::Checker;
use crate::model::{Access, BufferId, Expr, Iteration, Kind, Running, Statement, StatementKind, VariableId};
use crate::sites::{accumulates, locals, own, sites};

impl Checker<'_> {
    pub(super) fn results(&mut self) {
        let locals = locals(self.function);
        let mut initialized: HashMap<BufferId, Span> = HashMap::new();
        for site in sites(self.function) {
            let Some(iteration) = site.statement.iteration() else { continue };
            let outputs: Vec<&Statement> =
                own(&iteration.body).into_iter().filter(|one| is_result(one, &locals)).collect();
            self.kinds(iteration, &outputs);
            self.init(iteration, &outputs, site.statement.place.0);
            self.stale(iteration, &locals);
            self.again(iteration, site.statement.place.0, &mut initialized);
            self.halves(iteration, &outputs);
        }
    }

    /// Spatial coordinates belong to the result, and those of reductions do not.
    fn kinds(&mut self, iteration: &Iteration, outputs: &[&Statement]) {
        let lets = lets(&iteration.body);
        for running in iteration.running() {
            let target =
                |one: &&&Statement| one.written().is_some_and(|target| mentions(target, running.variable, &lets));
            let with = outputs.iter().find(target);
            match (running.kind, with) {
                (Kind::Spatial, None) => self.not_in_output(running, outputs),
                (Kind::Reduction, Some(store)) => self.in_output(running, store),
                (Kind::Spatial, Some(_)) | (Kind::Reduction, None) => {}
            }
        }
    }

    fn not_in_output(&mut self, running: &Running, outputs: &[&Statement]) {
        let Some(target) = outputs.first().and_then(|store| store.written()) else { return };
        let name = &self.function.variable(running.variable).name;
        let message = format!("the spatial coordinate `{name}` is not in `{}`", self.source.slice(target.place.0));
        let place = self.function.variable(running.variable).place.0;
        let told = self.mistake(Code::SpatialNotInOutput, place, message).label("only its last value remains");
        let told = told.secondary(target.place.0, "the same element for all of them");
        self.tell(told.help(format!("if they should be added, make `{name}` a reduction (`R`)")));
    }

    fn in_output(&mut self, running: &Running, store: &Statement) {
        let Some(target) = store.written() else { return };
        let name = &self.function.variable(running.variable).name;
        let message = format!("the reduction `{name}` is a coordinate of `{}`", self.source.slice(target.place.0));
        let place = self.function.variable(running.variable).place.0;
        let told = self.mistake(Code::ReductionInOutput, place, message).label("each value has an element of its own");
        let told = told.secondary(target.place.0, "the result");
        self.tell(told.help(format!("make `{name}` spatial (`S`)")));
    }

    fn init(&mut self, iteration: &Iteration, outputs: &[&Statement], place: Span) {
        let reduces = iteration.running().any(|running| running.kind == Kind::Reduction);
        let sum = outputs.iter().find(|store| accumulates(store)).and_then(|store| store.written());
        match (reduces, iteration.init.first(), sum) {
            (true, None, Some(target)) => {
                let name = &self.function.buffer(target.buffer).name;
                let message = format!("the reduction adds to what `{name}` holds before");
                let told =
                    self.mistake(Code::ReductionWithoutInit, target.place.0, message).label("nothing initializes it");
                self.tell(told.help(format!("begin the body with `with T.init():` and a first value of `{name}`")));
            }
            (false, Some(first), _) => {
                let told = self.mistake(Code::InitWithoutReduction, first.place.0, "no iterator is a reduction");
                let told = told.label("initialized for nothing").secondary(place, "all its iterators are spatial");
                self.tell(told.help("store the value in the body, or make an iterator a reduction (`R`)"));
            }
            (true, Some(_), _) | (true, None, None) | (false, None, _) => {}
        }
    }

    /// The first reduction is varied, and so may be empty.
    fn stale(&mut self, iteration: &Iteration, locals: &[BufferId]) {
        let first = iteration.running().find(|running| running.kind == Kind::Reduction);
        let Some(running) = first.filter(|first| self.function.iterator(first.iterator).is_varied()) else { return };
        let target = iteration.init.first().and_then(Statement::written);
        let Some(target) = target.filter(|target| !locals.contains(&target.buffer)) else { return };
        let (name, iterator) =
            (&self.function.buffer(target.buffer).name, &self.function.iterator(running.iterator).name);
        let message = format!("the prototype's code leaves rows of `{name}` as they are where `{iterator}` is empty");
        let told = self
            .mistake(Code::StaleRows, target.place.0, message)
            .label(format!("runs at the first entry of `{iterator}`"));
        let told = told.secondary(running.place.0, "the first reduction");
        self.tell(told.help(format!("pass zeros in `{name}`, or put a fixed reduction first")));
    }

    /// Each iteration that initializes a buffer forgets what the ones before computed.
    fn again(&mut self, iteration: &Iteration, place: Span, initialized: &mut HashMap<BufferId, Span>) {
        let mut targets: Vec<BufferId> =
            iteration.init.iter().filter_map(Statement::written).map(|it| it.buffer).collect();
        targets.dedup();
        for buffer in targets {
            let Some(first) = initialized.insert(buffer, place) else { continue };
            let name = &self.function.buffer(buffer).name;
            let message = format!("`{name}` is initialized again: what was computed before is lost");
            let told = self.mistake(Code::SeveralInits, place, message).label("initializes the same result");
            let told = told.secondary(first, "computes it before");
            self.tell(told.help("initialize it in the first iteration alone"));
        }
    }

    fn halves(&mut self, iteration: &Iteration, outputs: &[&Statement]) {
        let reduces = iteration.running().any(|running| running.kind == Kind::Reduction);
        let half = |access: &&Access| self.function.buffer(access.buffer).element == Element::F16;
        let sums = outputs.iter().filter(|store| reduces && accumulates(store));
        let Some(target) = sums.filter_map(|store| store.written()).find(half) else { return };
        let name = &self.function.buffer(target.buffer).name;
        let told = self.mistake(Code::HalfSums, target.place.0, format!("`{name}` sums in `float16`"));
        self.tell(told.label("each term loses digits").help("sum in a buffer of type `float32`"));
    }
}

/// Whether a statement stores into what outlives the iteration.
fn is_result(statement: &Statement, locals: &[BufferId]) -> bool {
    statement.written().is_some_and(|target| !locals.contains(&target.buffer))
}

/// The values that names of a body stand for.
fn lets(body: &[Statement]) -> HashMap<VariableId, &Expr> {
    let named = own(body).into_iter().filter_map(|statement| match &statement.kind {
        StatementKind::Let(variable, value) => Some((*variable, value)),
        StatementKind::Iteration(_)
        | StatementKind::Block(_)
        | StatementKind::Loop(_)
        | StatementKind::While(..)
        | StatementKind::If { .. }
        | StatementKind::Store(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Allocate(_)
        | StatementKind::Domain(..) => None,
    });
    named.collect()
}

/// Whether the coordinates of an element depend on a variable.
fn mentions(access: &Access, variable: VariableId, lets: &HashMap<VariableId, &Expr>) -> bool {
    access.indices.iter().any(|index| depends(index, variable, lets))
}

fn depends(expr: &Expr, variable: VariableId, lets: &HashMap<VariableId, &Expr>) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        let named = part.as_variable();
        // A name stands only for what was known before it, so this ends.
        found |= named == Some(variable)
            || named.and_then(|named| lets.get(&named)).is_some_and(|value| depends(value, variable, lets));
    });
    found
}

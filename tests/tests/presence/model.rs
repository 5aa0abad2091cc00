//! The meaning of a program: at every point an expression has a value or is absent. Written from the notation's
//! documentation.

use std::collections::BTreeMap;

use crate::{
    Entries,
    draw::Program,
    numbers::{Numbers, counts_zeros, holds},
    product::{is_over_stored, spelled_out},
    tree::{Condition, Tree, Var},
    without::{gives_for_absent, is_there_without},
};

/// What an expression comes to at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum State {
    Absent,
    /// A number of the text, or what operations make of absent operands: it is absent once it comes to zero.
    Number(f64),
    /// A number that is present, even if it is zero: a region gives it, or a reduction without terms.
    There(f64),
    Value(f64),
}

use State::{Absent, Number, There, Value};

impl State {
    pub(crate) fn or_zero(self) -> f64 {
        match self {
            Absent => 0.0,
            Number(x) | There(x) | Value(x) => x,
        }
    }

    pub(crate) fn is_absent(self) -> bool {
        self == Absent
    }

    /// Absent, or a zero of the text.
    fn is_nothing(self) -> bool {
        matches!(self, Absent | Number(0.0))
    }

    /// What a region gives is present.
    pub(crate) fn yielded(self) -> State {
        if let Number(x) = self { There(x) } else { self }
    }

    pub(crate) fn taken(self) -> Option<f64> {
        (!self.is_absent()).then(|| self.or_zero())
    }
}

/// The result of an operation on `operands`, of which none is absent.
fn computed(operands: &[State], value: f64) -> State {
    let any = |is: fn(&State) -> bool| operands.iter().any(is);
    match value {
        _ if any(|x| matches!(x, Value(_))) => Value(value),
        _ if any(|x| matches!(x, There(_))) => There(value),
        0.0 => Absent,
        _ => Number(value),
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// An operation around it would be absent where it is: a reduction that met nothing is a zero here.
    pub(crate) factor: bool,
    /// A reduction over stored terms has its identity here without terms.
    pub(crate) needed: bool,
}

pub(crate) const OPEN: Place = Place { factor: false, needed: false };
pub(crate) const NEEDED: Place = Place { factor: false, needed: true };

pub(crate) struct Model<'p> {
    pub(crate) program: &'p Program,
    pub(crate) numbers: Numbers,
    pub(crate) entries: Vec<BTreeMap<&'p [usize], f64>>,
    point: Vec<usize>,
    /// A reduction over all terms is a number even where it met nothing: on the right side of an update, onto an old value.
    pub(crate) takes_zeros: bool,
    /// A place that the text names is looked up: what it stores counts as dense.
    knows_places: bool,
}

/// Whether `tree` is absent where no sparse operand stores anything.
pub(crate) fn vanishes(program: &Program, tree: &Tree) -> bool {
    !is_there_without(&Model { knows_places: true, ..Model::new(program) }, tree)
}

/// What the program stores.
pub(crate) fn result(program: &Program) -> Entries {
    let mut model = Model::new(program);
    match program.update {
        None => model.made(),
        Some(update) => model.updated(update),
    }
}

/// A zero that variables choose is absent.
pub(crate) fn without_zeros(right: &Tree) -> Tree {
    right.changed(&|part| {
        let Tree::Select(cond, then, other) = part else { return None };
        let Condition::Variables(op, a, b, by) = **cond else { return None };
        let [then, other] = [Some(then), other.as_ref()].map(|arm| arm.map(|arm| Box::new(without_zeros(arm))));
        let zero = |arm: &Option<Box<Tree>>| arm.as_deref().is_some_and(|arm| *arm == Tree::Number(0.0));
        Some(match (then?, other) {
            // Where zeros are all there is to choose, they are numbers.
            (then, other) if zero(&other) && zero(&Some(then.clone())) => *then,
            (then, other) if zero(&other) => Tree::Select(cond.clone(), then, None),
            (then, Some(other)) if zero(&Some(then.clone())) => {
                Tree::Select(Box::new(Condition::Variables(opposite(op), a, b, by)), other, None)
            }
            (then, other) => Tree::Select(cond.clone(), then, other),
        })
    })
}

fn opposite(op: &str) -> &'static str {
    match op {
        "==" => "!=",
        "!=" => "==",
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        _ => "<",
    }
}

impl<'p> Model<'p> {
    fn new(program: &'p Program) -> Model<'p> {
        let entries = program.tensors.iter().map(|tensor| tensor.entries.iter().map(|(at, x)| (&at[..], *x)).collect());
        let point = program.fixed.iter().map(|fixed| fixed.unwrap_or(0)).collect();
        let (numbers, entries) = (program.numbers, entries.collect());
        Model { program, numbers, entries, point, takes_zeros: false, knows_places: false }
    }

    /// Whether an access has a value where no sparse operand stores anything.
    pub(crate) fn has_value(&self, tensor: usize, vars: &[Var]) -> bool {
        let at: Option<Vec<usize>> = vars.iter().map(|var| self.program.fixed[*var]).collect();
        let is_stored = |at: &Vec<usize>| self.entries[tensor].contains_key(&at[..]);
        !self.is_sparse(tensor) || self.knows_places && at.as_ref().is_some_and(is_stored)
    }

    fn made(&mut self) -> Entries {
        let program = self.program;
        let right = without_zeros(&spelled_out(program, &program.right));
        let dense = program.dense_result || program.left.is_empty();
        self.at_places(&mut |model, _| {
            let state = model.state(&right, if dense { NEEDED } else { OPEN });
            (dense || !state.is_absent()).then(|| state.or_zero())
        })
    }

    /// What `value` gives at each place of the left side, where it gives something.
    pub(crate) fn at_places(&mut self, value: &mut dyn FnMut(&mut Self, &[usize]) -> Option<f64>) -> Entries {
        let left = &self.program.left;
        let mut found = Entries::new();
        self.each(left, &mut |model| {
            let at: Vec<usize> = left.iter().map(|var| model.point[*var]).collect();
            let value = value(model, &at);
            found.extend(value.map(|value| (at, value)));
        });
        found
    }

    fn each(&mut self, vars: &[Var], visit: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = vars.split_first() else { return visit(self) };
        for x in 0..self.program.sizes[self.program.vars[*first]] {
            self.point[*first] = x;
            self.each(rest, visit);
        }
    }

    /// Whether a reduction over all terms has none, and then a value that is not zero.
    pub(crate) fn has_value_over_nothing(&self, op: &str, vars: &[Var]) -> bool {
        let is_empty = vars.iter().any(|var| self.program.sizes[self.program.vars[*var]] == 0);
        is_empty && !op.starts_with("arg") && self.numbers.combined(op, &[]) != 0.0
    }

    fn is_sparse(&self, tensor: usize) -> bool {
        !self.program.tensors[tensor].dense
    }

    pub(crate) fn state(&mut self, tree: &Tree, place: Place) -> State {
        if let Some(number) = constant(self.numbers, tree) {
            return Number(number);
        }
        let needed = Place { needed: true, ..place };
        match tree {
            Tree::Access(tensor, vars) => {
                let at: Vec<usize> = vars.iter().map(|var| self.point[*var]).collect();
                self.entries[*tensor].get(&at[..]).map_or(Absent, |x| Value(*x))
            }
            Tree::Number(x) => Number(*x),
            Tree::Neg(a) => negated(self.numbers, self.state(a, place)),
            Tree::Function(name, a) => match self.state(a, needed) {
                Absent if self.numbers.function(name, 0.0) == 0.0 => Absent,
                Absent => Number(self.numbers.function(name, 0.0)),
                a => computed(&[a], self.numbers.function(name, a.or_zero())),
            },
            Tree::Binary(op, a, b) => {
                let [in_a, in_b] =
                    forced(self.numbers, op, a, b).map(|forced| Place { factor: place.factor || forced, ..needed });
                let (a, b) = (self.state(a, in_a), self.state(b, in_b));
                binary(self.numbers, op, a, b)
            }
            Tree::Holds(cond) => self.condition(cond, place),
            Tree::Select(cond, then, other) => self.select(cond, [Some(then), other.as_deref()], place),
            Tree::Unary { .. } | Tree::Regions { .. } => {
                let region = self.region(tree);
                self.arm(region, place)
            }
            Tree::Reduce { op: op @ ("argmin" | "argmax"), over_stored, vars, body } => {
                self.place_of(&op[3..], *over_stored, vars[0], body, place)
            }
            Tree::Reduce { op, over_stored, vars, body } => {
                if *over_stored {
                    self.over_stored(op, vars, body, place)
                } else {
                    self.over_all(op, vars, body, place)
                }
            }
            Tree::Scaled { of_semiring, vars, asked, body } => {
                let terms = self.within(|model| match of_semiring {
                    true => model.values_where(vars, asked, body, true),
                    false => model.terms_of(vars, asked, body),
                });
                reduced(self.numbers, "sum", &terms, place)
            }
            Tree::Semiring { combine, term, var, of } => {
                let terms = self.within(|model| model.products(term, *var, of));
                let op = match *combine {
                    "plus" => "sum",
                    other => other,
                };
                reduced(self.numbers, op, &terms, place)
            }
        }
    }

    /// The region that `unary` or `binary` gives here.
    pub(crate) fn region<'t>(&mut self, tree: &'t Tree) -> Option<&'t Tree> {
        match tree {
            Tree::Unary { of, present, absent } => if self.is_there(of) { present } else { absent }.as_deref(),
            Tree::Regions { of: [a, b], regions: [overlap, left, right] } => match (self.is_there(a), self.is_there(b))
            {
                (true, true) => overlap.as_deref(),
                (true, false) => left.as_deref(),
                (false, true) => right.as_deref(),
                (false, false) => None,
            },
            _ => None,
        }
    }

    fn arm(&mut self, arm: Option<&Tree>, place: Place) -> State {
        arm.map_or(Absent, |arm| self.state(arm, place)).yielded()
    }

    pub(crate) fn condition(&mut self, cond: &Condition, place: Place) -> State {
        let place = Place { needed: true, ..place };
        match cond {
            Condition::Values(op, a, b) => {
                if let (Some(a), Some(b)) = (constant(self.numbers, a), constant(self.numbers, b)) {
                    return Number(holds(op, a, b));
                }
                let (a, b) = (self.state(a, place), self.state(b, place));
                match a.is_nothing() && b.is_nothing() {
                    true if holds(op, 0.0, 0.0) == 1.0 => Number(1.0),
                    true => Absent,
                    false => {
                        let zero = |x: State| if x.is_absent() { Number(0.0) } else { x };
                        computed(&[zero(a), zero(b)], holds(op, a.or_zero(), b.or_zero()))
                    }
                }
            }
            Condition::Variables(op, a, b, by) => {
                let b = b.map_or(0.0, |b| self.point[b] as f64) + *by as f64;
                Value(holds(op, self.point[*a] as f64, b))
            }
        }
    }

    fn select(&mut self, cond: &Condition, [then, other]: [Option<&Tree>; 2], place: Place) -> State {
        let cond = self.condition(cond, NEEDED);
        let arms = [then, other].map(|arm| arm.map_or(Absent, |arm| self.state(arm, place)));
        let chosen = if cond.or_zero() == 0.0 { arms[1] } else { arms[0] };
        // A zero that is chosen because an operand is absent is not there.
        let not_zero = |x: State| if x == Number(0.0) { Absent } else { x };
        let zero_instead = other.is_some() && arms.contains(&Absent) && arms.contains(&Number(0.0));
        match cond {
            Absent | Number(_) => not_zero(chosen),
            There(_) | Value(_) if zero_instead => Absent,
            There(_) => chosen.yielded(),
            Value(_) => chosen.taken().map_or(Absent, Value),
        }
    }

    /// Whether the operand of a region is present. A reduction in it is a number, but for one over stored terms that is
    /// the whole operand.
    fn is_there(&mut self, of: &Tree) -> bool {
        match of {
            Tree::Reduce { over_stored: true, vars, body, .. } => !self.stored_terms(vars, body).is_empty(),
            Tree::Semiring { term, var, of, .. } => !self.products(term, *var, of).is_empty(),
            Tree::Neg(a) => self.is_there(a),
            _ => !self.state(&with_numbers(of), OPEN).is_absent(),
        }
    }

    /// What `found` finds in a reduction or a condition, in which an update does not matter.
    fn within<T>(&mut self, found: impl FnOnce(&mut Self) -> T) -> T {
        let takes_zeros = std::mem::take(&mut self.takes_zeros);
        let found = found(self);
        self.takes_zeros = takes_zeros;
        found
    }

    fn over_all(&mut self, op: &str, vars: &[Var], body: &Tree, place: Place) -> State {
        let mut terms = Vec::new();
        self.within(|model| model.each(vars, &mut |model| terms.push(model.state(body, NEEDED))));
        if terms.is_empty() && self.numbers.combined(op, &[]) != 0.0 {
            return Value(self.numbers.combined(op, &[]));
        }
        let counts = counts_zeros(op) && !terms.is_empty();
        if !counts && terms.iter().all(|term| term.is_absent()) {
            return if place.factor || self.takes_zeros { There(0.0) } else { Absent };
        }
        let zeros = op != "sum" && op != "reduce";
        let numbers: Vec<f64> = terms.iter().filter(|x| zeros || !x.is_absent()).map(|x| x.or_zero()).collect();
        Value(self.numbers.combined(op, &numbers))
    }

    fn over_stored(&mut self, op: &str, vars: &[Var], body: &Tree, place: Place) -> State {
        let terms = self.within(|model| model.stored_terms(vars, body));
        reduced(self.numbers, op, &terms, place)
    }

    /// The first coordinate with the least or the greatest value, the extent if there is no term.
    fn place_of(&mut self, op: &str, over_stored: bool, var: Var, body: &Tree, place: Place) -> State {
        let mut terms = Vec::new();
        self.within(|model| {
            model.each(&[var], &mut |model| {
                terms.push(match over_stored {
                    true => model.stored_terms(&[], body).first().copied(),
                    false => model.state(body, NEEDED).taken(),
                });
            });
        });
        let is_empty = terms.iter().all(Option::is_none);
        let extent = terms.len() as f64;
        match (is_empty, over_stored) {
            (true, false) if place.factor || self.takes_zeros => return There(0.0),
            (true, true) if extent > 0.0 && place.needed => return There(extent),
            (true, true) if place.factor => return There(0.0),
            (true, _) => return Absent,
            (false, _) => {}
        }
        let values: Vec<(usize, f64)> = terms
            .iter()
            .enumerate()
            .filter(|(_, term)| !over_stored || term.is_some())
            .map(|(x, term)| (x, term.unwrap_or(0.0)))
            .collect();
        let best = self.numbers.combined(op, &values.iter().map(|(_, value)| *value).collect::<Vec<_>>());
        let first = values.iter().find(|(_, value)| *value == best || value.is_nan() && best.is_nan());
        Value(first.map_or(extent, |(x, _)| *x as f64))
    }

    fn stored_terms(&mut self, vars: &[Var], body: &Tree) -> Vec<f64> {
        self.terms_of(vars, body, body)
    }

    /// The values of `value` where `body` is a term.
    fn terms_of(&mut self, vars: &[Var], body: &Tree, value: &Tree) -> Vec<f64> {
        let sparse = |node: &&Tree| matches!(node, Tree::Access(tensor, _) if self.is_sparse(*tensor));
        let asks = body.nodes().iter().any(sparse);
        let any = !asks || gives_for_absent(self, body) || !is_there_without(self, body);
        self.values_where(vars, body, value, any)
    }

    /// The values of `value` where `body` is present, and, unless `any` will do, one of its sparse operands stores an entry.
    fn values_where(&mut self, vars: &[Var], body: &Tree, value: &Tree, any: bool) -> Vec<f64> {
        let mut terms = Vec::new();
        self.each(vars, &mut |model| {
            let left_in = !model.state(body, OPEN).is_absent() && (any || model.some_stored(body));
            terms.extend(model.state(value, OPEN).taken().filter(|_| left_in));
        });
        terms
    }

    /// The terms of a product over a semiring.
    fn products(&mut self, term: &str, var: Var, [a, b]: &[Box<Tree>; 2]) -> Vec<f64> {
        let mut terms = Vec::new();
        self.each(&[var], &mut |model| {
            if model.is_there(a) && model.is_there(b) {
                let [x, y] = [a, b].map(|part| model.state(part, NEEDED).or_zero());
                terms.push(match term {
                    "times" => model.numbers.arithmetic("*", x, y),
                    "plus" => model.numbers.arithmetic("+", x, y),
                    "minus" => model.numbers.arithmetic("-", x, y),
                    "first" => x,
                    "second" => y,
                    "max" => model.numbers.arithmetic("max", x, y),
                    _ => 1.0,
                });
            }
        });
        terms
    }

    /// Whether a sparse operand of `tree` stores an entry here, in a reduction anywhere along its variables.
    fn some_stored(&mut self, tree: &Tree) -> bool {
        match tree {
            Tree::Access(tensor, _) => self.is_sparse(*tensor) && !self.state(tree, OPEN).is_absent(),
            Tree::Reduce { vars, .. } => self.some_stored_along(vars, tree),
            Tree::Semiring { var, .. } => self.some_stored_along(&[*var], tree),
            _ => tree.parts().into_iter().any(|part| self.some_stored(part)),
        }
    }

    fn some_stored_along(&mut self, vars: &[Var], tree: &Tree) -> bool {
        let mut any = false;
        self.each(vars, &mut |model| any |= tree.parts().into_iter().any(|part| model.some_stored(part)));
        any
    }
}

pub(crate) fn reduced(numbers: Numbers, op: &str, terms: &[f64], place: Place) -> State {
    match (terms.is_empty(), op) {
        (false, _) => Value(numbers.combined(op, terms)),
        // A sum over stored terms is a sum.
        (true, "sum" | "reduce" | "count" | "any" | "some") if place.factor => There(0.0),
        (true, "sum" | "reduce" | "count" | "any" | "some") => Absent,
        (true, _) if place.needed => There(numbers.combined(op, &[])),
        (true, _) => Absent,
    }
}

/// `of` with a number that is present for each reduction, but for those in the operands of other regions, and for those over
/// stored terms that are an arm of a choice or all of a region.
fn with_numbers(of: &Tree) -> Tree {
    let choice = |arm: &Tree| Box::new(if is_over_stored(arm) { arm.clone() } else { with_numbers(arm) });
    let arm = |arm: &Option<Box<Tree>>| arm.as_deref().map(choice);
    of.changed(&|part| match part {
        Tree::Reduce { .. } | Tree::Semiring { .. } => {
            let number = Box::new(Tree::Number(1.0));
            Some(Tree::Unary { of: number.clone(), present: Some(number), absent: None })
        }
        Tree::Select(cond, then, other) => Some(Tree::Select(
            Box::new(cond.changed(&|part| Some(with_numbers(part)))),
            choice(then),
            other.as_deref().map(choice),
        )),
        Tree::Unary { of, present, absent } => {
            Some(Tree::Unary { of: of.clone(), present: arm(present), absent: arm(absent) })
        }
        Tree::Regions { of, regions: [overlap, left, right] } => {
            Some(Tree::Regions { of: of.clone(), regions: [arm(overlap), arm(left), arm(right)] })
        }
        _ => None,
    })
}

fn negated(numbers: Numbers, a: State) -> State {
    if a.is_absent() { Absent } else { computed(&[a], numbers.negated(a.or_zero())) }
}

fn binary(numbers: Numbers, op: &str, a: State, b: State) -> State {
    let zero = |x: State| if x.is_absent() { Number(0.0) } else { x };
    let both = || computed(&[zero(a), zero(b)], numbers.arithmetic(op, a.or_zero(), b.or_zero()));
    let some_absent = a.is_absent() || b.is_absent();
    match op {
        "*" if some_absent => Absent,
        "/" | "//" if a.is_absent() => Absent,
        "*" | "/" | "//" => both(),
        _ if a.is_nothing() && b.is_nothing() && some_absent => Absent,
        "+" if a.is_absent() => b,
        "-" if a.is_absent() => negated(numbers, b),
        "+" | "-" if b.is_absent() => a,
        _ => both(),
    }
}

/// Which operands make the operation absent where they are. A finite number beside them changes no zero.
pub(crate) fn forced(numbers: Numbers, op: &str, a: &Tree, b: &Tree) -> [bool; 2] {
    let scales = |other: &Tree| !constant(numbers, other).is_some_and(f64::is_finite);
    match op {
        "*" => [scales(b), scales(a)],
        "/" | "//" => [scales(b) || constant(numbers, b) == Some(0.0), false],
        _ => [false, false],
    }
}

/// The value of an expression of numbers alone.
pub(crate) fn constant(numbers: Numbers, tree: &Tree) -> Option<f64> {
    match tree {
        Tree::Number(x) => Some(*x),
        Tree::Neg(a) => Some(numbers.negated(constant(numbers, a)?)),
        Tree::Function(name, a) => Some(numbers.function(name, constant(numbers, a)?)),
        Tree::Binary(op, a, b) => Some(numbers.arithmetic(op, constant(numbers, a)?, constant(numbers, b)?)),
        Tree::Holds(cond) => match &**cond {
            Condition::Values(op, a, b) => Some(holds(op, constant(numbers, a)?, constant(numbers, b)?)),
            Condition::Variables(..) => None,
        },
        _ => None,
    }
}

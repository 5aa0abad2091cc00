//! Counts the work of a function: makes a copy of it that counts how often each of its blocks runs, and computes what
//! one run of each block does.

use std::collections::BTreeSet;

use super::{
    AccessMode, Array, ArrayId, ArrayType, Binary, Expr, ExprId, ForKind, Function, Space, Stmt, Type, Unary, VarId,
    Verified, machine::Width, typing, uses::Uses, verify,
};

/// A function that counts. Its last parameter is the array of the counters, zeros at first.
#[derive(Clone, Debug)]
pub struct Counting {
    pub function: Verified<Function>,
    /// What is done each time that a counter is increased.
    done: Vec<Done>,
}

/// What is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Arithmetic on values; that on positions and coordinates does not count.
    pub operations: u64,
    /// How many entries are loaded from each array that is a parameter.
    pub loads: Vec<u64>,
}

impl Counting {
    /// `None` for a function that allocates arrays, copies or launches kernels.
    pub fn of(function: &Function) -> Option<Counting> {
        if function.arrays.len() > function.array_params {
            return None;
        }
        let mut counter = Counter::new(function);
        let body = counter.block(&function.body);
        counter.finish(body)
    }

    pub fn counters(&self) -> usize {
        self.done.len()
    }

    /// The total work of a run with these counters.
    pub fn total(&self, counters: impl IntoIterator<Item = u64>) -> Done {
        let mut total = Done::default();
        for (done, times) in self.done.iter().zip(counters) {
            total.add(done, times);
        }
        total
    }
}

impl Done {
    fn add(&mut self, other: &Done, times: u64) {
        self.operations = self.operations.saturating_add(other.operations.saturating_mul(times));
        self.loads.resize(self.loads.len().max(other.loads.len()), 0);
        for (sum, more) in self.loads.iter_mut().zip(&other.loads) {
            *sum = sum.saturating_add(more.saturating_mul(times));
        }
    }

    fn load(&mut self, array: ArrayId, entries: usize) {
        self.loads.resize(self.loads.len().max(array.index() + 1), 0);
        self.loads[array.index()] += entries as u64;
    }

    fn is_nothing(&self) -> bool {
        self.operations == 0 && self.loads.is_empty()
    }
}

struct Counter {
    function: Function,
    types: Vec<Type>,
    /// Variables whose value is of use.
    read: BTreeSet<VarId>,
    /// The array of the counters. They are no variables: there may be thousands, each alive throughout, and LLVM takes
    /// quadratic time for so many.
    counters: ArrayId,
    done: Vec<Done>,
}

impl Counter {
    fn new(function: &Function) -> Counter {
        let (types, read) = (typing::types(function), Uses::of(function, &function.body).read);
        let counters = ArrayId::new(function.arrays.len());
        Counter { types, read, counters, function: function.clone(), done: Vec::new() }
    }

    fn finish(mut self, body: Vec<Stmt>) -> Option<Counting> {
        let len = self.expr(Expr::Index(self.done.len() as i64));
        let ty = ArrayType::Indices(Width::W64);
        let name = self.fresh("runs");
        self.function.arrays.push(Array { name, ty, mode: AccessMode::ReadWrite, space: Space::Host, len: Some(len) });
        self.function.array_params += 1;
        self.function.body = body;
        Some(Counting { function: verify(self.function).ok()?, done: self.done })
    }

    /// `wanted`, or the first of `wanted_1`, `wanted_2`, ... that is free.
    fn fresh(&self, wanted: &str) -> String {
        let is_free = |name: &String| {
            let arrays = self.function.arrays.iter().map(|array| &array.name);
            arrays.chain(self.function.vars.iter().map(|var| &var.name)).all(|other| other != name)
        };
        let numbered = (1..).map(|n| format!("{wanted}_{n}"));
        std::iter::once(wanted.to_string()).chain(numbered).find(is_free).unwrap_or_default()
    }

    fn expr(&mut self, expr: Expr) -> ExprId {
        self.function.exprs.push(expr);
        ExprId::new(self.function.exprs.len() - 1)
    }

    /// A new counter.
    fn open(&mut self) -> usize {
        self.done.push(Done::default());
        self.done.len() - 1
    }

    /// Increases a counter by one, or by one where `guard` holds.
    fn increase(&mut self, counter: usize, guard: Option<ExprId>) -> Stmt {
        let (array, index) = (self.counters, self.expr(Expr::Index(counter as i64)));
        let (old, one) = (self.expr(Expr::Load { array, index }), self.expr(Expr::Index(1)));
        let more = match guard {
            None => one,
            Some(cond) => {
                let other = self.expr(Expr::Index(0));
                self.expr(Expr::Select { cond, then: one, other })
            }
        };
        let value = self.expr(Expr::Binary(Binary::Add, old, more));
        Stmt::Store { array, index, value }
    }

    fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        if block.is_empty() {
            return Vec::new();
        }
        let counter = self.open();
        let mut counted = vec![self.increase(counter, None)];
        for stmt in block {
            self.stmt(stmt, counter, &mut counted);
        }
        if self.done[counter].is_nothing() {
            counted.remove(0);
        }
        counted
    }

    /// Adds a statement, behind those that count what it evaluates only sometimes.
    fn stmt(&mut self, stmt: &Stmt, counter: usize, counted: &mut Vec<Stmt>) {
        if let Stmt::LoadVector { vars, array, .. } = stmt {
            self.done[counter].load(*array, vars.len());
        }
        if !self.is_idle(stmt) && !matches!(stmt, Stmt::While { .. }) {
            stmt.exprs().into_iter().for_each(|id| self.evaluated(id, None, counter, counted));
        }
        let made = match stmt {
            Stmt::For { var, lo, hi, kind, body } => {
                let kind = if *kind == ForKind::Rolled { *kind } else { ForKind::Serial };
                Stmt::For { var: *var, lo: *lo, hi: *hi, kind, body: self.block(body) }
            }
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: *cond, then: self.block(then), other: self.block(other) }
            }
            Stmt::While { cond, body } => {
                let tests = self.tests(*cond);
                counted.extend(tests.iter().cloned());
                let mut body = self.block(body);
                body.extend(tests);
                Stmt::While { cond: *cond, body }
            }
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::Store { .. } | Stmt::Sort { .. } => {
                stmt.clone()
            }
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Atomic { .. } | Stmt::Alloc { .. } => {
                stmt.clone()
            }
            Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) | Stmt::Comment(_) => {
                stmt.clone()
            }
        };
        counted.push(made);
    }

    /// What counts one test of the condition of a loop.
    fn tests(&mut self, cond: ExprId) -> Vec<Stmt> {
        let counter = self.open();
        let mut counted = vec![self.increase(counter, None)];
        self.evaluated(cond, None, counter, &mut counted);
        counted
    }

    /// Whether it only names a value that nothing reads, which no machine code computes.
    fn is_idle(&self, stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Let { var, .. } if !self.read.contains(var))
    }

    /// Counts what evaluating an expression does where `guard` holds.
    fn evaluated(&mut self, id: ExprId, guard: Option<ExprId>, counter: usize, counted: &mut Vec<Stmt>) {
        if self.is_operation(id) {
            self.done[counter].operations += 1;
        }
        match *self.function.expr(id) {
            Expr::Select { cond, then, other } => {
                self.evaluated(cond, guard, counter, counted);
                self.sometimes(then, guard, cond, counted);
                let otherwise = self.expr(Expr::Unary(Unary::Not, cond));
                self.sometimes(other, guard, otherwise, counted);
            }
            Expr::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                self.evaluated(left, guard, counter, counted);
                let needed = if op == Binary::And { left } else { self.expr(Expr::Unary(Unary::Not, left)) };
                self.sometimes(right, guard, needed, counted);
            }
            Expr::Load { array, index } => {
                self.done[counter].load(array, 1);
                self.evaluated(index, guard, counter, counted);
            }
            Expr::Binary(_, left, right) => {
                [left, right].into_iter().for_each(|id| self.evaluated(id, guard, counter, counted));
            }
            Expr::Unary(_, from) | Expr::Cast { from, .. } => self.evaluated(from, guard, counter, counted),
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) | Expr::Var(_) => {}
        }
    }

    /// As [`Counter::evaluated`], with a counter of its own, where `cond` holds too.
    fn sometimes(&mut self, id: ExprId, guard: Option<ExprId>, cond: ExprId, counted: &mut Vec<Stmt>) {
        if !self.does_something(id) {
            return;
        }
        let guard = match guard {
            Some(guard) => self.expr(Expr::Binary(Binary::And, guard, cond)),
            None => cond,
        };
        let counter = self.open();
        let counts = self.increase(counter, Some(guard));
        counted.push(counts);
        self.evaluated(id, Some(guard), counter, counted);
    }

    /// Whether it has operations on values or loads.
    fn does_something(&self, id: ExprId) -> bool {
        let expr = self.function.expr(id);
        let inside = || expr.operands().into_iter().any(|id| self.does_something(id));
        self.is_operation(id) || expr.array().is_some() || inside()
    }

    /// Whether it computes with values itself; a comparison does.
    fn is_operation(&self, id: ExprId) -> bool {
        let (Expr::Unary(_, first) | Expr::Binary(_, first, _)) = self.function.expr(id) else { return false };
        matches!(self.types.get(first.index()), Some(Type::Element(_)))
    }
}

#[cfg(test)]
mod tests;

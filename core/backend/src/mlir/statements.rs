//! Statements.

use std::collections::HashMap;

use super::{Emitter, Slot, Value, helpers::Helper, types::register};
use nnz_loops::{ArrayId, ArrayType, ExprId, ForKind, Stmt, VarId, uses::Uses};

impl Emitter<'_> {
    pub(super) fn statements(&mut self, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.statement(stmt));
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.memo = vec![HashMap::new()];
        match stmt {
            Stmt::Let { var, value } => {
                let value = self.expr(*value);
                self.vars.insert(*var, Slot::Value(value));
            }
            Stmt::Mut { var, value } => self.declare(*var, *value),
            Stmt::Assign { var, value } => {
                let value = self.expr(*value);
                self.set(*var, &value);
            }
            Stmt::Store { array, index, value } => self.store(*array, *index, *value),
            Stmt::Sort { array, lo, hi } => self.sort(*array, *lo, *hi),
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Atomic { .. } => self.refuse(stmt),
            Stmt::Alloc { .. } | Stmt::Barrier | Stmt::Shuffle { .. } => self.refuse(stmt),
            Stmt::Copy { .. } | Stmt::Launch(_) => self.refuse(stmt),
            Stmt::For { var, lo, hi, kind, body } => {
                let range = [self.expr(*lo).one(), self.expr(*hi).one()];
                match kind {
                    ForKind::Serial | ForKind::Rolled | ForKind::Vector => self.serial_for(*var, range, body),
                    ForKind::Parallel | ForKind::Balanced(_) => self.parallel_for(*var, range, body),
                    ForKind::Block(_) | ForKind::Thread(_) | ForKind::Warp | ForKind::Lane => self.refuse(stmt),
                }
            }
            Stmt::While { cond, body } => self.while_loop(*cond, body),
            Stmt::If { cond, then, other } => self.branch(*cond, then, other),
            Stmt::Comment(text) => self.line(&format!("// {text}")),
        }
    }

    fn refuse(&mut self, stmt: &Stmt) {
        self.module.refused.set(self.module.refused.get().or(Some(stmt.construct())));
    }

    fn declare(&mut self, var: VarId, value: ExprId) {
        let value = self.expr(value);
        let cells = self.new_cells(self.function.var(var).ty);
        self.vars.insert(var, Slot::Cells(cells));
        self.set(var, &value);
    }

    fn set(&mut self, var: VarId, value: &Value) {
        let Some(Slot::Cells(cells)) = self.vars.get(&var).cloned() else { return };
        let ty = register(self.function.var(var).ty);
        for (value, cell) in value.values().iter().zip(cells.values()) {
            self.line(&format!("memref.store {value}, {cell}[] : memref<{ty}>"));
        }
    }

    fn store(&mut self, array: ArrayId, index: ExprId, value: ExprId) {
        let index = self.expr(index).one();
        let value = self.expr(value);
        let entry = self.entry(self.function.array(array).ty, value);
        let (name, ty) = self.array(array);
        self.line(&format!("memref.store {entry}, {name}[{index}] : {ty}"));
    }

    fn sort(&mut self, array: ArrayId, lo: ExprId, hi: ExprId) {
        let ArrayType::Indices(width) = self.function.array(array).ty else { return };
        let helper = Helper::Sort(width);
        self.module.helpers.borrow_mut().insert(helper);
        let (lo, hi, name) = (self.expr(lo).one(), self.expr(hi).one(), self.array(array).0);
        self.line(&format!("func.call @{}({lo}, {hi}, {name}) : {}", helper.name(), helper.signature()));
    }

    /// A region between braces; `opening` ends with the first.
    fn region(&mut self, opening: &str, body: &[Stmt], closing: &str) {
        self.line(opening);
        self.indent += 1;
        self.statements(body);
        self.indent -= 1;
        self.line(closing);
    }

    fn loop_variable(&mut self, var: VarId) -> String {
        let name = format!("%{}", super::identifier(&self.function.var(var).name));
        self.vars.insert(var, Slot::Value(Value::One(name.clone())));
        name
    }

    fn serial_for(&mut self, var: VarId, [lo, hi]: [String; 2], body: &[Stmt]) {
        let step = self.op("arith.constant 1 : index".to_string());
        let name = self.loop_variable(var);
        self.region(&format!("scf.for {name} = {lo} to {hi} step {step} {{"), body, "}");
    }

    /// The body becomes a function of the loop's variable, of the variables around it that it looks at, and
    /// of the arrays.
    fn parallel_for(&mut self, var: VarId, [lo, hi]: [String; 2], body: &[Stmt]) {
        let step = self.op("arith.constant 1 : index".to_string());
        let mut inner = Emitter::new(self.function, self.module);
        let name = inner.loop_variable(var);
        let mut passed = vec![Passed { outside: name.clone(), inside: name.clone(), ty: "index".to_string() }];
        passed.extend(self.captured(body, &mut inner));
        let arrays = (0..self.function.arrays.len()).map(|at| self.array(ArrayId::new(at)));
        passed.extend(arrays.map(|(name, ty)| Passed { outside: name.clone(), inside: name, ty }));
        inner.statements(body);
        let function = format!("{}_{}", super::name(self.function), name.trim_start_matches('%'));
        let params: Vec<String> = passed.iter().map(|passed| format!("{}: {}", passed.inside, passed.ty)).collect();
        self.module.bodies.borrow_mut().push_str(&inner.finish(&function, &params, "private ", ""));
        let (args, types): (Vec<String>, Vec<String>) = passed.into_iter().map(|p| (p.outside, p.ty)).unzip();
        self.line(&format!("scf.parallel ({name}) = ({lo}) to ({hi}) step ({step}) {{"));
        self.line(&format!("  func.call @{function}({}) : ({}) -> ()", args.join(", "), types.join(", ")));
        self.line("}");
    }

    /// The present values of the variables that `body` looks at, declared in `inner`.
    fn captured(&mut self, body: &[Stmt], inner: &mut Self) -> Vec<Passed> {
        let used: Vec<VarId> = Uses::of(self.function, body).read.into_iter().collect();
        let mut passed = Vec::new();
        for var in used.into_iter().filter(|var| self.vars.contains_key(var)).collect::<Vec<_>>() {
            let (outside, ty) = (self.variable(var).values(), register(self.function.var(var).ty));
            let name = super::identifier(&self.function.var(var).name);
            let inside: Vec<String> = match outside.len() {
                1 => vec![format!("%{name}")],
                _ => vec![format!("%{name}.re"), format!("%{name}.im")],
            };
            let pairs = outside.into_iter().zip(inside.clone());
            passed.extend(pairs.map(|(outside, inside)| Passed { outside, inside, ty: ty.clone() }));
            inner.vars.insert(var, Slot::Value(Value::of(inside)));
        }
        passed
    }

    fn while_loop(&mut self, cond: ExprId, body: &[Stmt]) {
        self.line("scf.while : () -> () {");
        self.indent += 1;
        let cond = self.expr(cond).one();
        self.line(&format!("scf.condition({cond})"));
        self.indent -= 1;
        self.region("} do {", body, "  scf.yield");
        self.line("}");
    }

    fn branch(&mut self, cond: ExprId, then: &[Stmt], other: &[Stmt]) {
        let cond = self.expr(cond).one();
        match other {
            [] => self.region(&format!("scf.if {cond} {{"), then, "}"),
            other => {
                self.line(&format!("scf.if {cond} {{"));
                self.indent += 1;
                self.statements(then);
                self.indent -= 1;
                self.region("} else {", other, "}");
            }
        }
    }
}

/// An argument of a parallel loop's body: a value around the loop and its name in the body.
struct Passed {
    outside: String,
    inside: String,
    ty: String,
}

//! Statements.

use super::{
    Emitter,
    helpers::Helper,
    types::{c_type, entry_type},
};
use nnz_loops::{
    ArrayId, ArrayType, Expr, ExprId, ForKind, Stmt, Type, VarId,
    machine::{Class, Float, class},
};

impl Emitter<'_> {
    fn line(&mut self, text: &str) {
        let indent = self.indent * 4;
        self.out.push_str(&format!("{:indent$}{text}\n", ""));
    }

    pub(super) fn block(&mut self, block: &[Stmt]) {
        self.indent += 1;
        block.iter().for_each(|stmt| self.stmt(stmt));
        for stmt in block.iter().rev() {
            if let Stmt::Alloc { array } = stmt {
                let text = format!("free({});", self.names.array(*array));
                self.line(&text);
            }
        }
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, value } => self.declare("const ", *var, *value),
            Stmt::Mut { var, value } => self.declare("", *var, *value),
            Stmt::Assign { var, value } => {
                let text = format!("{} = {};", self.names.var(*var), self.value(*value));
                self.line(&text);
            }
            Stmt::Store { array, index, value } => self.store(*array, *index, *value),
            Stmt::Sort { array, lo, hi } => self.sort(*array, *lo, *hi),
            Stmt::Alloc { array } => self.alloc(*array),
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Atomic { .. } => self.refuse(stmt),
            Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) => self.refuse(stmt),
            Stmt::For { kind, .. } if kind.is_gpu() => self.refuse(stmt),
            Stmt::For { var, lo, hi, kind, body } => self.for_loop(*var, [*lo, *hi], *kind, body),
            Stmt::While { cond, body } => {
                let text = format!("while ({}) {{", self.expr(*cond).text);
                self.braces(&text, body);
            }
            Stmt::If { cond, then, other } => self.branch("", *cond, then, other),
            Stmt::Comment(text) => self.line(&format!("// {}", comment(text))),
        }
    }

    fn refuse(&mut self, stmt: &Stmt) {
        self.needs.refused.set(self.needs.refused.get().or(Some(stmt.construct())));
    }

    /// One byte more than its entries take: no memory at all may have no address.
    fn alloc(&mut self, id: ArrayId) {
        self.header("stdlib.h");
        let array = self.function.array(id);
        let (name, ty) = (self.names.array(id).to_string(), entry_type(array.ty));
        let len = array.len.map_or("0".to_string(), |len| self.value(len));
        self.line(&format!("{ty} *restrict {name} = malloc((size_t)({len}) * sizeof *{name} + 1);"));
        self.line(&format!("if (!{name}) abort();"));
    }

    fn braces(&mut self, opening: &str, body: &[Stmt]) {
        self.line(opening);
        self.block(body);
        self.line("}");
    }

    fn declare(&mut self, qualifier: &str, var: VarId, value: ExprId) {
        let ty = self.function.var(var).ty;
        if ty == Type::Bool {
            self.header("stdbool.h");
        }
        if let Class::Complex(part) = class(ty) {
            self.used(Helper::Complex(part));
        }
        let text = format!("{qualifier}{} {} = {};", c_type(ty), self.names.var(var), self.value(value));
        self.line(&text);
        if !self.read.contains(&var) {
            let text = format!("(void){};", self.names.var(var));
            self.line(&text);
        }
    }

    fn store(&mut self, array: ArrayId, index: ExprId, value: ExprId) {
        let subscript = self.subscript(index);
        let stored = match self.function.array(array).ty {
            ArrayType::Indices(width) => self.index_entry(width, value),
            ArrayType::Values(element) => match class(Type::Element(element)) {
                Class::Float(narrow @ (Float::F16 | Float::BF16)) => {
                    self.used(Helper::Narrow(narrow));
                    format!("{}({})", Helper::Narrow(narrow).name(), self.value(value))
                }
                Class::Int(_) | Class::Float(_) | Class::Complex(_) => self.value(value),
            },
        };
        let text = format!("{}[{subscript}] = {stored};", self.names.array(array));
        self.line(&text);
    }

    fn sort(&mut self, array: ArrayId, lo: ExprId, hi: ExprId) {
        let ArrayType::Indices(width) = self.function.array(array).ty else { return };
        let helper = Helper::Sort(width);
        self.used(helper);
        let (lo, hi) = (self.value(lo), self.value(hi));
        let text = format!("{}({lo}, {hi}, {});", helper.name(), self.names.array(array));
        self.line(&text);
    }

    /// The upper bound is evaluated once: a name for it where it could change or costs something.
    fn for_loop(&mut self, var: VarId, [lo, hi]: [ExprId; 2], kind: ForKind, body: &[Stmt]) {
        let (name, start) = (self.names.var(var).to_string(), self.value(lo));
        let mut bound = self.value(hi);
        let mut declared = String::new();
        if !self.is_fixed(hi) {
            let end = self.names.fresh(&format!("{name}_end"));
            // OpenMP wants a loop of one variable.
            match kind.is_concurrent() {
                false => declared = format!(", {end} = {bound}"),
                true => self.line(&format!("const int64_t {end} = {bound};")),
            }
            bound = end;
        }
        let openmp = match kind {
            ForKind::Serial | ForKind::Rolled => None,
            ForKind::Parallel | ForKind::Balanced(_) => Some("parallel for"),
            ForKind::Vector => Some("simd"),
            ForKind::Block(_) | ForKind::Thread(_) | ForKind::Warp | ForKind::Lane => None,
        };
        if let Some(what) = openmp {
            self.out.push_str(&format!("#ifdef _OPENMP\n#pragma omp {what}\n#endif\n"));
        }
        self.braces(&format!("for (int64_t {name} = {start}{declared}; {name} < {bound}; {name}++) {{"), body);
    }

    fn is_fixed(&self, id: ExprId) -> bool {
        match self.function.expr(id) {
            Expr::Index(number) => i32::try_from(*number).is_ok(),
            Expr::Var(var) => !self.changing.contains(var),
            Expr::Bool(_) | Expr::Value(..) | Expr::Load { .. } | Expr::Unary(..) | Expr::Binary(..) => false,
            Expr::Select { .. } | Expr::Cast { .. } => false,
        }
    }

    fn branch(&mut self, before: &str, cond: ExprId, then: &[Stmt], other: &[Stmt]) {
        let text = format!("{before}if ({}) {{", self.expr(cond).text);
        self.line(&text);
        self.block(then);
        match other {
            [] => self.line("}"),
            [Stmt::If { cond, then, other }] => self.branch("} else ", *cond, then, other),
            _ => self.braces("} else {", other),
        }
    }
}

/// No line continues after a backslash, and there are no trigraphs.
fn comment(text: &str) -> String {
    text.replace('\\', "/").replace("??", "? ?")
}

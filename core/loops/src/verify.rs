//! What makes loop IR legal. A function that passes can be compiled without a panic, and is wrong at
//! run time only by an access outside an array.
//!
//! Checks:
//! - every array, variable and expression id is in range, and an expression uses only expressions
//!   before it in the arena, so the arena has no cycles;
//! - the names of arrays and variables are distinct words (letters, digits, `_`, `.`; no digit first),
//!   and a comment is one line: the printed text parses back;
//! - scalar parameters are of type `Index` or an element type; index arrays have an unsigned machine type;
//! - every expression has a type under the rules of [`super::typing`];
//! - a variable is declared exactly once, before its uses and in scope of them; a loop declares its own;
//! - `Let` and `Mut` give their variable a value of its type; only a `Mut` variable is assigned;
//! - loads are from `Read` or `ReadWrite` arrays, stores to `Write` or `ReadWrite` ones, both at an
//!   `Index`; what is stored has the array's element type (index arrays take `Index`);
//! - what is sorted is a `ReadWrite` index array, between two `Index`;
//! - loop variables and bounds are `Index`; conditions are `Bool`;
//! - a parallel loop stands at the top level of the body;
//! - a loop that is `Balanced` by an array has iterations over the positions in it, from one entry to the next;
//! - a parallel or `Vector` loop assigns only variables declared inside.

mod words;

use std::{collections::HashSet, ops::Deref};

pub(super) use words::{RESERVED, is_name};

use super::{
    AccessMode, Array, ArrayId, ArrayType, Expr, ExprId, ForKind, Function, Stmt, Type, Var, VarId,
    passes::positions::positions_of, typing, typing::TypeError,
};
use nnz_base::element::Repr;

/// A value that has passed [`verify`]. It is read-only, and the only thing that back ends take.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified<T>(T);

impl<T> Verified<T> {
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Verified<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A broken rule; from lowering, a bug in nnz.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoopError {
    #[error("{0} is not an array of the function")]
    NoArray(ArrayId),
    #[error("{0} is not a variable of the function")]
    NoVar(VarId),
    #[error("{0} is not an expression of the function")]
    NoExpr(ExprId),
    #[error("{0} uses {1}, which does not come before it")]
    ForwardExpr(ExprId, ExprId),
    #[error("the name `{0}` is given twice")]
    DuplicateName(String),
    #[error("`{0}` is not a name")]
    BadName(String),
    #[error("a comment of several lines")]
    LongComment,
    #[error("{0} parameters are claimed of {1} variables")]
    TooManyParams(usize, usize),
    #[error("the parameter `{0}` is a truth value")]
    BoolParam(String),
    #[error("the index array `{0}` is not of an unsigned machine type")]
    BadIndexRepr(String),
    #[error("{0}: {1}")]
    IllTyped(ExprId, TypeError),
    #[error("`{0}` is declared twice")]
    Redeclared(String),
    #[error("`{0}` is used outside its scope")]
    OutOfScope(String),
    #[error("`{name}` is of type {expected} and gets a value of type {found}")]
    WrongType { name: String, expected: Type, found: Type },
    #[error("`{0}` is assigned, but is not a `var` of this function")]
    NotAssignable(String),
    #[error("`{0}` is assigned in a parallel or vector loop, but is declared outside it")]
    SharedAssign(String),
    #[error("`{0}` is stored to, but is read-only")]
    StoreToRead(String),
    #[error("`{0}` is loaded from, but is write-only")]
    LoadFromWrite(String),
    #[error("`{0}` is sorted, but is not an index array that is read and written")]
    SortOf(String),
    #[error("a loop is divided by `{0}`, whose positions its iterations do not run over")]
    Unbalanced(String),
    #[error("a parallel loop inside another statement")]
    NestedParallel,
}

/// Checks `function` against every rule above.
///
/// # Errors
/// Every broken rule found; a function with an id out of range is checked no further.
pub fn verify(function: Function) -> Result<Verified<Function>, Vec<LoopError>> {
    let mut verifier = Verifier {
        function: &function,
        types: Vec::with_capacity(function.exprs.len()),
        scope: Vec::new(),
        declared: HashSet::new(),
        errors: Vec::new(),
    };
    verifier.run();
    let errors = verifier.errors;
    if errors.is_empty() { Ok(Verified(function)) } else { Err(errors) }
}

/// A variable in scope.
#[derive(Clone, Copy)]
struct Local {
    var: VarId,
    assignable: Assignable,
}

#[derive(Clone, Copy, PartialEq)]
enum Assignable {
    No,
    Yes,
    /// Declared outside the parallel loop that is being checked.
    OutsideParallel,
}

struct Verifier<'f> {
    function: &'f Function,
    /// The type of each expression so far; `None` where it has none.
    types: Vec<Option<Type>>,
    scope: Vec<Local>,
    declared: HashSet<VarId>,
    errors: Vec<LoopError>,
}

impl<'f> Verifier<'f> {
    fn run(&mut self) {
        self.check_names();
        self.check_params();
        for at in 0..self.function.exprs.len() {
            self.check_expr(ExprId::new(at));
        }
        self.check_block(&self.function.body, Depth::Top);
    }

    fn check_names(&mut self) {
        let function = self.function;
        let mut seen = HashSet::new();
        let arrays = function.arrays.iter().map(|array| array.name.as_str());
        for name in arrays.chain(function.vars.iter().map(|var| var.name.as_str())) {
            if !seen.insert(name) {
                self.errors.push(LoopError::DuplicateName(name.to_string()));
            }
            self.check_name(name);
        }
        self.check_name(&function.name);
    }

    fn check_name(&mut self, name: &str) {
        if !is_name(name) {
            self.errors.push(LoopError::BadName(name.to_string()));
        }
    }

    fn check_params(&mut self) {
        let Function { vars, scalar_params, arrays, .. } = self.function;
        if *scalar_params > vars.len() {
            self.errors.push(LoopError::TooManyParams(*scalar_params, vars.len()));
        }
        for (at, var) in vars.iter().take(*scalar_params).enumerate() {
            if var.ty == Type::Bool {
                self.errors.push(LoopError::BoolParam(var.name.clone()));
            }
            self.declare(VarId::new(at), Assignable::No);
        }
        for array in arrays {
            if matches!(array.ty, ArrayType::Indices(repr) if !is_index_repr(repr)) {
                self.errors.push(LoopError::BadIndexRepr(array.name.clone()));
            }
        }
    }

    fn check_expr(&mut self, id: ExprId) {
        let expr = self.function.expr(id);
        let ty = match typing::type_of(self.function, expr, &|operand| self.operand_type(operand)) {
            Ok(ty) => Some(ty),
            Err(TypeError::Unknown) => None,
            Err(error) => {
                self.errors.push(LoopError::IllTyped(id, error));
                None
            }
        };
        let later = expr.operands().into_iter().find(|operand| *operand >= id);
        self.errors.extend(later.map(|operand| LoopError::ForwardExpr(id, operand)));
        self.check_expr_ids(expr);
        self.types.push(ty);
    }

    fn check_expr_ids(&mut self, expr: &Expr) {
        match expr {
            Expr::Var(var) if self.var(*var).is_none() => self.errors.push(LoopError::NoVar(*var)),
            Expr::Load { array, .. } => match self.array(*array) {
                None => self.errors.push(LoopError::NoArray(*array)),
                Some(array) if array.mode == AccessMode::Write => {
                    self.errors.push(LoopError::LoadFromWrite(array.name.clone()));
                }
                Some(_) => {}
            },
            _ => {}
        }
    }

    fn operand_type(&self, id: ExprId) -> Option<Type> {
        self.types.get(id.index()).copied().flatten()
    }
    fn var(&self, id: VarId) -> Option<&'f Var> {
        self.function.vars.get(id.index())
    }
    fn array(&self, id: ArrayId) -> Option<&'f Array> {
        self.function.arrays.get(id.index())
    }

    fn check_block(&mut self, block: &'f [Stmt], depth: Depth) {
        let outer = self.scope.len();
        for stmt in block {
            self.check_stmt(stmt, depth);
        }
        self.scope.truncate(outer);
    }

    fn check_stmt(&mut self, stmt: &'f Stmt, depth: Depth) {
        match stmt {
            Stmt::Let { var, value } => self.check_declaration(*var, *value, Assignable::No),
            Stmt::Mut { var, value } => self.check_declaration(*var, *value, Assignable::Yes),
            Stmt::Assign { var, value } => self.check_assign(*var, *value),
            Stmt::Store { array, index, value } => self.check_store(*array, *index, *value),
            Stmt::Sort { array, lo, hi } => self.check_sort(*array, [*lo, *hi]),
            Stmt::For { var, lo, hi, kind, body } => self.check_for(*var, [*lo, *hi], *kind, body, depth),
            Stmt::While { cond, body } => {
                self.check_use(*cond, "a condition", Type::Bool);
                self.check_block(body, Depth::Inner);
            }
            Stmt::If { cond, then, other } => {
                self.check_use(*cond, "a condition", Type::Bool);
                self.check_block(then, Depth::Inner);
                self.check_block(other, Depth::Inner);
            }
            Stmt::Comment(text) if text.contains(['\n', '\r']) => self.errors.push(LoopError::LongComment),
            Stmt::Comment(_) => {}
        }
    }

    fn check_declaration(&mut self, id: VarId, value: ExprId, assignable: Assignable) {
        match self.var(id) {
            Some(var) => self.check_use(value, &var.name, var.ty),
            None => self.errors.push(LoopError::NoVar(id)),
        }
        self.declare(id, assignable);
    }

    fn declare(&mut self, var: VarId, assignable: Assignable) {
        if !self.declared.insert(var)
            && let Some(var) = self.var(var)
        {
            self.errors.push(LoopError::Redeclared(var.name.clone()));
        }
        self.scope.push(Local { var, assignable });
    }

    fn check_assign(&mut self, id: VarId, value: ExprId) {
        let Some(var) = self.var(id) else { return self.errors.push(LoopError::NoVar(id)) };
        let local = self.scope.iter().find(|local| local.var == id).map(|local| local.assignable);
        match local {
            Some(Assignable::Yes) => {}
            Some(Assignable::OutsideParallel) => self.errors.push(LoopError::SharedAssign(var.name.clone())),
            Some(Assignable::No) | None => self.errors.push(LoopError::NotAssignable(var.name.clone())),
        }
        self.check_use(value, &var.name, var.ty);
    }

    fn check_store(&mut self, id: ArrayId, index: ExprId, value: ExprId) {
        let Some(array) = self.array(id) else { return self.errors.push(LoopError::NoArray(id)) };
        if array.mode == AccessMode::Read {
            self.errors.push(LoopError::StoreToRead(array.name.clone()));
        }
        self.check_use(index, "an array index", Type::Index);
        self.check_use(value, &array.name, typing::loaded(array.ty));
    }

    fn check_sort(&mut self, id: ArrayId, bounds: [ExprId; 2]) {
        let Some(array) = self.array(id) else { return self.errors.push(LoopError::NoArray(id)) };
        if !matches!(array.ty, ArrayType::Indices(_)) || array.mode != AccessMode::ReadWrite {
            self.errors.push(LoopError::SortOf(array.name.clone()));
        }
        for bound in bounds {
            self.check_use(bound, "a sort's bound", Type::Index);
        }
    }

    fn check_for(&mut self, id: VarId, bounds: [ExprId; 2], kind: ForKind, body: &'f [Stmt], depth: Depth) {
        for bound in bounds {
            self.check_use(bound, "a loop's bound", Type::Index);
        }
        match self.var(id) {
            Some(var) if var.ty != Type::Index => {
                self.errors.push(LoopError::WrongType { name: var.name.clone(), expected: var.ty, found: Type::Index })
            }
            Some(_) => {}
            None => self.errors.push(LoopError::NoVar(id)),
        }
        let outer = self.scope.clone();
        match kind {
            ForKind::Serial | ForKind::Short => {}
            ForKind::Parallel => self.enter_parallel(depth),
            ForKind::Balanced(by) => {
                self.check_balance(id, by, body);
                self.enter_parallel(depth);
            }
            ForKind::Vector => self.share_variables(),
        }
        self.declare(id, Assignable::No);
        self.check_block(body, Depth::Inner);
        self.scope = outer;
    }

    fn check_balance(&mut self, id: VarId, by: ArrayId, body: &[Stmt]) {
        let Some(array) = self.array(by) else { return self.errors.push(LoopError::NoArray(by)) };
        if positions_of(self.function, id, body) != Some(by) {
            self.errors.push(LoopError::Unbalanced(array.name.clone()));
        }
    }

    fn enter_parallel(&mut self, depth: Depth) {
        if depth != Depth::Top {
            self.errors.push(LoopError::NestedParallel);
        }
        self.share_variables();
    }

    /// What is declared so far can no longer be assigned.
    fn share_variables(&mut self) {
        for local in &mut self.scope {
            if local.assignable == Assignable::Yes {
                local.assignable = Assignable::OutsideParallel;
            }
        }
    }

    /// Checks that `id` is an expression of type `expected` over variables in scope.
    fn check_use(&mut self, id: ExprId, name: &str, expected: Type) {
        if id.index() >= self.function.exprs.len() {
            return self.errors.push(LoopError::NoExpr(id));
        }
        if let Some(found) = self.operand_type(id).filter(|found| *found != expected) {
            self.errors.push(LoopError::WrongType { name: name.to_string(), expected, found });
        }
        self.check_scope(id);
    }

    fn check_scope(&mut self, root: ExprId) {
        let mut pending = vec![root];
        let mut seen = HashSet::new();
        while let Some(id) = pending.pop() {
            let Some(expr) = self.function.exprs.get(id.index()).filter(|_| seen.insert(id)) else { continue };
            if let Expr::Var(var) = expr
                && !self.scope.iter().any(|local| local.var == *var)
            {
                let name = self.var(*var).map_or(var.to_string(), |var| var.name.clone());
                self.errors.push(LoopError::OutOfScope(name));
            }
            pending.extend(expr.operands());
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Top,
    Inner,
}

fn is_index_repr(repr: Repr) -> bool {
    matches!(repr, Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64)
}

#[cfg(test)]
mod tests;

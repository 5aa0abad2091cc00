//! What makes loop IR legal. A function that passes can be compiled without a panic, and is wrong at
//! run time only by an access outside an array.
//!
//! Checks:
//! - every array, variable and expression id is in range, and an expression uses only expressions
//!   before it in the arena, so the arena has no cycles;
//! - the names of arrays and variables are distinct words (letters, digits, `_`, `.`; no digit first),
//!   and a comment is one line: the printed text parses back;
//! - scalar parameters are of type `Index` or an element type;
//! - every expression has a type under the rules of [`super::typing`];
//! - a variable is declared exactly once, before its uses and in scope of them; a loop declares its own;
//! - `Let` and `Mut` give their variable a value of its type; only a `Mut` variable is assigned;
//! - loads are from `Read` or `ReadWrite` arrays, stores to `Write` or `ReadWrite` ones, both at an
//!   `Index`; what is stored has the array's element type (index arrays take `Index`);
//! - a sort is of a `ReadWrite` index array, between two `Index` bounds;
//! - loop variables and bounds are `Index`; conditions are `Bool`;
//! - a parallel loop stands at the top level of the body, and a `Rolled` one has no loop inside;
//! - a loop that is `Balanced` by an array has iterations over the positions in it, from one entry to the next;
//! - a parallel or `Vector` loop assigns only variables declared inside;
//! - an allocated array is allocated once, before its uses and in scope of them, with a length; lengths are computed
//!   from constants and scalar parameters, and no constant index lies outside a constant length;
//! - arrays are in memory that the function sees: host functions access host arrays, and pass device arrays to kernels;
//!   kernels have device parameters, shared arrays of a block, local arrays of a thread;
//! - no store in a parallel, vector or GPU loop is to an entry that is provably the same in all iterations
//!   (`conflicts`); the interpreter finds the other races;
//! - atomic statements are on types that hardware supports; vector accesses fill at most 16 bytes, and start at a
//!   multiple of their number of entries;
//! - a kernel is a nest of GPU loops ([`super::nest`]); all threads that meet at a barrier or shuffle reach it;
//! - a launch gives a kernel its arguments, no written array twice, and as many threads as its loops have;
//! - a copy is between host and device arrays of one type, and of no more entries than they are known to have.

mod accesses;
mod conflicts;
mod errors;
mod launches;
mod scopes;

use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
};

pub use errors::LoopError;
use scopes::{Assignable, Local, Seen};

use super::{
    Array, ArrayId, Expr, ExprId, ForKind, Function, Module, Stmt, Type, Var, VarId, nest::Nest,
    segments::positions_of, typing, typing::TypeError, visit, words::is_name,
};

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

/// Checks `function` against every rule above.
///
/// # Errors
/// Every broken rule found; a function with an id out of range is checked no further.
pub fn verify(function: Function) -> Result<Verified<Function>, Vec<LoopError>> {
    let errors = errors(&function, Role::Host(&[]));
    if errors.is_empty() { Ok(Verified(function)) } else { Err(errors) }
}

/// A broken rule in a function of a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in `{function}`: {error}")]
pub struct ModuleError {
    pub function: String,
    pub error: LoopError,
}

/// Checks every function of `module`.
///
/// # Errors
/// As [`verify`].
pub fn verify_module(module: Module) -> Result<Verified<Module>, Vec<ModuleError>> {
    let kernels = module.kernels.iter().map(|kernel| (kernel, Role::Kernel));
    let functions = kernels.chain(module.host.iter().map(|host| (host, Role::Host(&module.kernels))));
    let (mut found, mut names) = (Vec::new(), HashSet::new());
    for (function, role) in functions {
        let twice = (!names.insert(&function.name)).then(|| LoopError::DuplicateName(function.name.clone()));
        let errors = errors(function, role).into_iter().chain(twice);
        found.extend(errors.map(|error| ModuleError { function: function.name.clone(), error }));
    }
    if found.is_empty() { Ok(Verified(module)) } else { Err(found) }
}

/// What a function is for.
#[derive(Clone, Copy, PartialEq)]
enum Role<'f> {
    /// It runs on the CPU, and may launch these kernels.
    Host(&'f [Function]),
    Kernel,
}

fn errors(function: &Function, role: Role<'_>) -> Vec<LoopError> {
    let mut verifier = Verifier {
        function,
        role,
        types: Vec::with_capacity(function.exprs.len()),
        scope: Vec::new(),
        allocated: Vec::new(),
        declared: HashSet::new(),
        ever_allocated: HashSet::new(),
        lets: HashMap::new(),
        seen: Seen::default(),
        errors: Vec::new(),
    };
    verifier.run();
    verifier.errors
}

struct Verifier<'f> {
    function: &'f Function,
    role: Role<'f>,
    /// The type of each expression so far; `None` where it has none.
    types: Vec<Option<Type>>,
    scope: Vec<Local>,
    /// The arrays in scope that are no parameters.
    allocated: Vec<ArrayId>,
    declared: HashSet<VarId>,
    ever_allocated: HashSet<ArrayId>,
    /// The expression of each variable that never changes.
    lets: HashMap<VarId, ExprId>,
    seen: Seen,
    errors: Vec<LoopError>,
}

impl<'f> Verifier<'f> {
    fn run(&mut self) {
        self.check_names();
        self.check_params();
        for at in 0..self.function.exprs.len() {
            self.check_expr(ExprId::new(at));
        }
        self.check_arrays();
        self.check_block(&self.function.body, Depth::Top);
        // What follows takes for granted that what statements refer to is there.
        if self.errors.is_empty() && self.role == Role::Kernel {
            self.errors.extend(Nest::of(self.function).err().map(LoopError::from));
        }
        if self.errors.is_empty() {
            self.errors = conflicts::find(self.function);
        }
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
        let Function { vars, scalar_params, .. } = self.function;
        if *scalar_params > vars.len() {
            self.errors.push(LoopError::TooManyParams(*scalar_params, vars.len()));
        }
        for (at, var) in vars.iter().take(*scalar_params).enumerate() {
            if var.ty == Type::Bool {
                self.errors.push(LoopError::BoolParam(var.name.clone()));
            }
            self.declare(VarId::new(at), Assignable::No);
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
        let unknown = expr.var().filter(|var| self.var(*var).is_none());
        self.errors.extend(unknown.map(LoopError::NoVar));
        let Expr::Load { array, index } = *expr else { return };
        match self.array(array) {
            None => self.errors.push(LoopError::NoArray(array)),
            Some(declared) => {
                self.check_readable(declared);
                self.check_seen(declared);
                self.check_inside(declared, index);
            }
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
        let outer = (self.scope.len(), self.allocated.len());
        for stmt in block {
            self.check_stmt(stmt, depth);
        }
        self.scope.truncate(outer.0);
        self.allocated.truncate(outer.1);
    }

    fn check_stmt(&mut self, stmt: &'f Stmt, depth: Depth) {
        match stmt {
            Stmt::Let { var, value } => {
                self.check_declaration(*var, *value, Assignable::No);
                self.lets.insert(*var, *value);
            }
            Stmt::Mut { var, value } => self.check_declaration(*var, *value, Assignable::Yes),
            Stmt::Assign { var, value } => self.check_assign(*var, *value),
            Stmt::Store { array, index, value } => self.check_store(*array, *index, *value),
            Stmt::Sort { array, lo, hi } => self.check_sort(*array, [*lo, *hi]),
            Stmt::LoadVector { vars, array, index } => self.check_load_vector(vars, *array, *index),
            Stmt::StoreVector { array, index, values } => self.check_store_vector(*array, *index, values),
            Stmt::Atomic { op, array, index, value, old } => self.check_atomic(*op, *array, [*index, *value], *old),
            Stmt::Alloc { array } => self.check_alloc(*array),
            Stmt::Barrier => self.only_in_kernels("a barrier"),
            Stmt::Shuffle { var, value, by, width, .. } => self.check_shuffle(*var, *value, *by, *width),
            Stmt::Copy { from, to, len } => self.check_copy([*from, *to], *len, depth),
            Stmt::Launch(launch) => self.check_launch(launch, depth),
            Stmt::For { var, lo, hi, kind, body } => self.check_for(*var, [*lo, *hi], *kind, body, depth),
            Stmt::While { cond, body } => {
                self.check_use(*cond, "a condition", Type::Bool);
                self.check_block(body, depth.inner());
            }
            Stmt::If { cond, then, other } => {
                self.check_use(*cond, "a condition", Type::Bool);
                self.check_block(then, depth.inner());
                self.check_block(other, depth.inner());
            }
            Stmt::Comment(text) if text.contains(['\n', '\r']) => self.errors.push(LoopError::LongComment),
            Stmt::Comment(_) => {}
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
        self.check_kind(kind);
        match kind {
            ForKind::Serial => {}
            ForKind::Rolled if visit::any(body, &Stmt::is_loop) => self.errors.push(LoopError::NotInnermost),
            ForKind::Rolled => {}
            ForKind::Parallel => self.enter_parallel(depth),
            ForKind::Balanced(by) => {
                self.check_balance(id, by, body);
                self.enter_parallel(depth);
            }
            ForKind::Vector => self.share_variables(),
            ForKind::Block(_) | ForKind::Thread(_) | ForKind::Warp | ForKind::Lane => self.share_variables(),
        }
        self.declare(id, Assignable::No);
        self.check_block(body, if kind.is_concurrent() { Depth::Concurrent } else { depth.inner() });
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
}

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Top,
    Inner,
    /// In a loop whose iterations may run at the same time.
    Concurrent,
}

impl Depth {
    /// Of a block in a statement.
    fn inner(self) -> Depth {
        if self == Depth::Concurrent { self } else { Depth::Inner }
    }
}

#[cfg(test)]
mod tests;

//! Checks of arrays: their space, their length, and accesses to their entries.

use super::{Assignable, LoopError, Role, Verifier};
use crate::{
    AccessMode, Array, ArrayId, ArrayType, AtomicOp, Binary, Expr, ExprId, ForKind, Space, Type, VarId, WARP,
    sizes::{constant, is_size_of_params},
    typing,
};
use nnz_base::element::{Element, Repr};

/// Bytes of shared arrays that a block has without asking for more.
const SHARED_BYTES: i64 = 49_152;
/// Bytes that one access moves at most.
const VECTOR_BYTES: usize = 16;

impl<'f> Verifier<'f> {
    pub(super) fn check_arrays(&mut self) {
        let params = self.function.array_params;
        if params > self.function.arrays.len() {
            self.errors.push(LoopError::TooManyParams(params, self.function.arrays.len()));
        }
        for (at, array) in self.function.arrays.iter().enumerate() {
            self.check_length(array);
            if at < params && !self.takes(array.space) {
                self.errors.push(LoopError::ParamSpace { name: array.name.clone(), space: array.space.name() });
            }
        }
        self.check_shared();
    }

    /// Whether a parameter may be in that memory.
    fn takes(&self, space: Space) -> bool {
        match (self.role, space) {
            (_, Space::Device) => true,
            (Role::Host(_), Space::Host) => true,
            (Role::Kernel, Space::Host) => false,
            (_, Space::Shared | Space::Local) => false,
        }
    }

    fn check_length(&mut self, array: &Array) {
        let Some(len) = array.len else { return };
        let name = array.name.clone();
        match self.operand_type(len) {
            None => self.errors.push(LoopError::NoExpr(len)),
            Some(Type::Index) if is_size_of_params(self.function, len) => {}
            Some(Type::Index) => self.errors.push(LoopError::UnknownLength(name)),
            Some(found) => self.errors.push(LoopError::WrongType { name, expected: Type::Index, found }),
        }
    }

    fn check_shared(&mut self) {
        let shared = self.function.arrays.iter().filter(|array| array.space == Space::Shared);
        let bytes = |array: &Array| {
            let len = array.len.and_then(|len| constant(self.function, len)).unwrap_or(0);
            len.saturating_mul(array.ty.repr().bytes() as i64)
        };
        let bytes = shared.map(bytes).fold(0, i64::saturating_add);
        if bytes > SHARED_BYTES {
            self.errors.push(LoopError::TooMuchShared(bytes, SHARED_BYTES));
        }
    }

    pub(super) fn check_alloc(&mut self, id: ArrayId) {
        let Some(array) = self.array(id) else { return self.errors.push(LoopError::NoArray(id)) };
        let name = || array.name.clone();
        let fits = match (self.role, array.space) {
            (Role::Host(_), Space::Host | Space::Device) => true,
            // That shared arrays stand in front of the loops over threads is the nest's to say.
            (Role::Kernel, Space::Shared) => true,
            (Role::Kernel, Space::Local) => array.len.is_none_or(|len| constant(self.function, len).is_some()),
            (Role::Host(_), Space::Shared | Space::Local) | (Role::Kernel, Space::Host | Space::Device) => false,
        };
        if !fits {
            self.errors.push(LoopError::AllocSpace { name: name(), space: array.space.name() });
        }
        if array.len.is_none() {
            self.errors.push(LoopError::NoLength(name()));
        }
        if id.index() < self.function.array_params || !self.ever_allocated.insert(id) {
            self.errors.push(LoopError::Reallocated(name()));
        }
        self.allocated.push(id);
    }

    /// A parameter, or allocated and in scope.
    pub(super) fn check_allocated(&mut self, id: ArrayId) {
        if id.index() >= self.function.array_params
            && !self.allocated.contains(&id)
            && let Some(array) = self.array(id)
        {
            self.errors.push(LoopError::OutOfScope(array.name.clone()));
        }
    }

    pub(super) fn check_readable(&mut self, array: &Array) {
        if array.mode == AccessMode::Write {
            self.errors.push(LoopError::LoadFromWrite(array.name.clone()));
        }
    }

    pub(super) fn check_writable(&mut self, array: &Array) {
        if array.mode == AccessMode::Read {
            self.errors.push(LoopError::StoreToRead(array.name.clone()));
        }
    }

    /// Whether this function looks into that memory.
    pub(super) fn check_seen(&mut self, array: &Array) {
        let seen = match (self.role, array.space) {
            (Role::Host(_), space) => space == Space::Host,
            // A host array is no parameter of a kernel, which is said there.
            (Role::Kernel, _) => true,
        };
        if !seen {
            self.errors.push(LoopError::WrongSpace { name: array.name.clone(), space: array.space.name() });
        }
    }

    /// A constant index is inside an array of constant length.
    pub(super) fn check_inside(&mut self, array: &Array, index: ExprId) {
        let (Some(index), Some(len)) =
            (constant(self.function, index), array.len.and_then(|len| constant(self.function, len)))
        else {
            return;
        };
        if index < 0 || len <= index {
            self.errors.push(LoopError::Outside { array: array.name.clone(), index, len });
        }
    }

    /// The array, where a statement may touch its entries from `index` on.
    fn touched(&mut self, id: ArrayId, index: ExprId) -> Option<&'f Array> {
        let Some(array) = self.array(id) else {
            self.errors.push(LoopError::NoArray(id));
            return None;
        };
        self.check_allocated(id);
        self.check_seen(array);
        self.check_use(index, "an array index", Type::Index);
        self.check_inside(array, index);
        Some(array)
    }

    pub(super) fn check_store(&mut self, id: ArrayId, index: ExprId, value: ExprId) {
        let Some(array) = self.touched(id, index) else { return };
        self.check_writable(array);
        self.check_use(value, &array.name, typing::loaded(array.ty));
    }

    pub(super) fn check_sort(&mut self, id: ArrayId, bounds: [ExprId; 2]) {
        let Some(array) = self.array(id) else { return self.errors.push(LoopError::NoArray(id)) };
        if !matches!(array.ty, ArrayType::Indices(_)) || array.mode != AccessMode::ReadWrite {
            self.errors.push(LoopError::SortOf(array.name.clone()));
        }
        self.check_allocated(id);
        self.check_seen(array);
        for bound in bounds {
            self.check_use(bound, "a sort's bound", Type::Index);
        }
        if self.role == Role::Kernel {
            self.errors.push(LoopError::OnlyOnHost("a sort"));
        }
    }

    pub(super) fn check_load_vector(&mut self, vars: &[VarId], id: ArrayId, index: ExprId) {
        if let Some(array) = self.touched(id, index) {
            self.check_readable(array);
            self.check_together(array, index, vars.len());
            vars.iter().for_each(|var| self.check_result(*var, typing::loaded(array.ty)));
        }
        vars.iter().for_each(|var| self.declare(*var, Assignable::No));
    }

    pub(super) fn check_store_vector(&mut self, id: ArrayId, index: ExprId, values: &[ExprId]) {
        let Some(array) = self.touched(id, index) else { return };
        self.check_writable(array);
        self.check_together(array, index, values.len());
        for value in values {
            self.check_use(*value, &array.name, typing::loaded(array.ty));
        }
    }

    /// That so many entries from `index` on are moved at once.
    fn check_together(&mut self, array: &Array, index: ExprId, count: usize) {
        let name = || array.name.clone();
        if !(2..=VECTOR_BYTES).contains(&count)
            || !count.is_power_of_two()
            || count * array.ty.repr().bytes() > VECTOR_BYTES
        {
            return self.errors.push(LoopError::BadVector { array: name(), count });
        }
        if !self.is_multiple(index, count as i64) {
            self.errors.push(LoopError::Unaligned { array: name(), count });
        }
    }

    /// Whether the expression is known to be a multiple of `of`.
    fn is_multiple(&self, id: ExprId, of: i64) -> bool {
        let multiple = |id: ExprId| self.is_multiple(id, of);
        match self.function.exprs.get(id.index()) {
            Some(Expr::Index(number)) => number % of == 0,
            Some(Expr::Var(var)) => self.lets.get(var).is_some_and(|value| multiple(*value)),
            Some(Expr::Binary(Binary::Add | Binary::Sub, a, b)) => multiple(*a) && multiple(*b),
            Some(Expr::Binary(Binary::Mul, a, b)) => multiple(*a) || multiple(*b),
            _ => false,
        }
    }

    pub(super) fn check_atomic(&mut self, op: AtomicOp, id: ArrayId, [index, value]: [ExprId; 2], old: Option<VarId>) {
        if let Some(array) = self.touched(id, index) {
            self.check_readable(array);
            self.check_writable(array);
            if !has_atomic(array.ty, op) {
                let (array, ty) = (array.name.clone(), array.ty.to_string());
                self.errors.push(LoopError::NoAtomic { array, op: op.name(), ty });
            }
            let ty = typing::loaded(array.ty);
            self.check_use(value, &array.name, ty);
            if let AtomicOp::CompareExchange { expected } = op {
                self.check_use(expected, &array.name, ty);
            }
            old.into_iter().for_each(|old| self.check_result(old, ty));
        }
        old.into_iter().for_each(|old| self.declare(old, Assignable::No));
    }

    pub(super) fn check_shuffle(&mut self, var: VarId, value: ExprId, by: ExprId, width: i64) {
        self.only_in_kernels("a shuffle");
        if !(1..=WARP).contains(&width) || width.count_ones() != 1 {
            self.errors.push(LoopError::BadWidth(width));
        }
        self.check_use(by, "a lane", Type::Index);
        match self.var(var) {
            Some(declared) => self.check_use(value, &declared.name, declared.ty),
            None => self.errors.push(LoopError::NoVar(var)),
        }
        self.declare(var, Assignable::No);
    }

    /// The variable that a statement declares with a value of type `found`.
    fn check_result(&mut self, id: VarId, found: Type) {
        match self.var(id) {
            Some(var) if var.ty != found => {
                self.errors.push(LoopError::WrongType { name: var.name.clone(), expected: var.ty, found });
            }
            Some(_) => {}
            None => self.errors.push(LoopError::NoVar(id)),
        }
    }

    pub(super) fn only_in_kernels(&mut self, what: &'static str) {
        if self.role != Role::Kernel {
            self.errors.push(LoopError::OnlyInKernels(what));
        }
    }

    /// Kernels have no loops of the CPU, and other functions have no loops of kernels.
    pub(super) fn check_kind(&mut self, kind: ForKind) {
        match (self.role, kind.is_gpu()) {
            (Role::Host(_), true) => self.errors.push(LoopError::OnlyInKernels("a GPU loop")),
            (Role::Kernel, false) if kind.is_concurrent() => {
                self.errors.push(LoopError::OnlyOnHost("a parallel or vector loop"));
            }
            (Role::Host(_), false) | (Role::Kernel, true | false) => {}
        }
    }
}

/// Whether hardware does that to entries of the type in one step.
fn has_atomic(ty: ArrayType, op: AtomicOp) -> bool {
    let is_word = |repr: Repr| matches!(repr, Repr::I32 | Repr::I64 | Repr::U32 | Repr::U64);
    match ty {
        ArrayType::Values(Element::F32 | Element::F64) => matches!(op, AtomicOp::Add | AtomicOp::Exchange),
        ArrayType::Values(_) | ArrayType::Indices(_) => is_word(ty.repr()),
    }
}

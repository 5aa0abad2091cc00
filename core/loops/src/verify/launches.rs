//! Checks that a launch gives a kernel its arguments, and that copies between memories fit.

use super::{Depth, LoopError, Role, Verifier};
use crate::{
    AccessMode, Array, ArrayId, Axis, ExprId, Function, Launch, Space, Type,
    nest::Nest,
    sizes::{constant, size},
};

impl<'f> Verifier<'f> {
    pub(super) fn check_launch(&mut self, launch: &Launch, depth: Depth) {
        for size in launch.blocks.iter().chain(&launch.threads) {
            self.check_use(*size, "the size of a launch", Type::Index);
        }
        let Role::Host(kernels) = self.role else { return self.errors.push(LoopError::OnlyOnHost("a launch")) };
        let Some(kernel) = kernels.get(launch.kernel.index()) else {
            return self.errors.push(LoopError::NoKernel(launch.kernel));
        };
        self.not_in_parallel("a launch", depth);
        self.check_scalars(kernel, launch);
        self.check_launched_arrays(kernel, launch);
        self.check_sizes(kernel, launch);
    }

    fn not_in_parallel(&mut self, what: &'static str, depth: Depth) {
        if depth == Depth::Concurrent {
            self.errors.push(LoopError::InParallel(what));
        }
    }

    pub(super) fn check_copy(&mut self, ids: [ArrayId; 2], len: ExprId, depth: Depth) {
        self.check_use(len, "the length of a copy", Type::Index);
        if self.role == Role::Kernel {
            return self.errors.push(LoopError::OnlyOnHost("a copy"));
        }
        self.not_in_parallel("a copy", depth);
        let [from, to] = ids.map(|id| self.copied(id, len));
        let (Some(from), Some(to)) = (from, to) else { return };
        self.check_readable(from);
        self.check_writable(to);
        let negative = constant(self.function, len).is_some_and(|len| len < 0).then_some("the length is negative");
        if let Some(reason) = no_copy(from, to).or(negative) {
            let (from, to) = (from.name.clone(), to.name.clone());
            self.errors.push(LoopError::NoCopy { from, to, reason });
        }
    }

    /// An array from which, or to which, `len` entries are copied.
    fn copied(&mut self, id: ArrayId, len: ExprId) -> Option<&'f Array> {
        let Some(array) = self.array(id) else {
            self.errors.push(LoopError::NoArray(id));
            return None;
        };
        self.check_allocated(id);
        let lens = array.len.and_then(|len| constant(self.function, len)).zip(constant(self.function, len));
        if let Some((len, given)) = lens.filter(|(len, given)| len < given) {
            self.errors.push(LoopError::CopyLength { array: array.name.clone(), len, given });
        }
        Some(array)
    }

    fn check_scalars(&mut self, kernel: &Function, launch: &Launch) {
        self.check_count(kernel, "scalars", kernel.scalar_params, launch.scalars.len());
        for (scalar, param) in launch.scalars.iter().zip(kernel.vars.iter().take(kernel.scalar_params)) {
            self.check_use(*scalar, &param.name, param.ty);
        }
    }

    fn check_count(&mut self, kernel: &Function, what: &'static str, wanted: usize, given: usize) {
        if wanted != given {
            self.errors.push(LoopError::LaunchCount { kernel: kernel.name.clone(), what, wanted, given });
        }
    }

    fn check_launched_arrays(&mut self, kernel: &Function, launch: &Launch) {
        self.check_count(kernel, "arrays", kernel.array_parameters().len(), launch.arrays.len());
        for (at, (id, param)) in launch.arrays.iter().zip(kernel.array_parameters()).enumerate() {
            let Some(array) = self.array(*id) else {
                self.errors.push(LoopError::NoArray(*id));
                continue;
            };
            self.check_allocated(*id);
            if let Some(reason) = self.misfit(array, kernel, param, launch) {
                let (array, param) = (array.name.clone(), param.name.clone());
                self.errors.push(LoopError::LaunchArray { array, param, reason });
            }
            if launch.arrays[..at].contains(id) && is_written(kernel, launch, *id) {
                self.errors.push(LoopError::LaunchTwice(array.name.clone()));
            }
        }
    }

    fn misfit(&self, array: &Array, kernel: &Function, param: &Array, launch: &Launch) -> Option<&'static str> {
        let len = |of: &Function, array: &Array| array.len.and_then(|len| constant(of, len));
        let wanted = param.len.and_then(|len| self.at_launch(kernel, launch, len));
        if array.space != param.space {
            return Some("another memory");
        }
        if array.ty != param.ty {
            return Some("another type");
        }
        if !allows(array.mode, param.mode) {
            return Some("another way of access");
        }
        let lens = wanted.zip(len(self.function, array));
        lens.filter(|(wanted, given)| wanted != given).map(|_| "another length")
    }

    /// What a number of the kernel is when it is launched so, where that follows from constants.
    fn at_launch(&self, kernel: &Function, launch: &Launch, id: ExprId) -> Option<i64> {
        size(kernel, id, &|param| constant(self.function, *launch.scalars.get(param.index())?))
    }

    fn check_sizes(&mut self, kernel: &Function, launch: &Launch) {
        // A kernel that is no nest is reported as one.
        let Ok(nest) = Nest::of(kernel) else { return };
        let threads = nest.threads(kernel);
        for axis in Axis::ALL {
            let blocks = match nest.block(axis) {
                None => Some(1),
                Some(layer) => {
                    let [lo, hi] = [layer.lo, layer.hi].map(|bound| self.at_launch(kernel, launch, bound));
                    lo.zip(hi).map(|(lo, hi)| hi.saturating_sub(lo).max(0))
                }
            };
            self.check_size("blocks", axis, blocks, launch.blocks[axis.index()]);
            self.check_size("threads", axis, Some(threads[axis.index()]), launch.threads[axis.index()]);
        }
    }

    fn check_size(&mut self, what: &'static str, axis: Axis, wanted: Option<i64>, given: ExprId) {
        if let (Some(wanted), Some(given)) = (wanted, constant(self.function, given))
            && wanted != given
        {
            self.errors.push(LoopError::LaunchSize { what, axis: axis.name(), wanted, given });
        }
    }
}

/// Why entries cannot be copied from one array to another.
fn no_copy(from: &Array, to: &Array) -> Option<&'static str> {
    match (from.space, to.space) {
        (Space::Host, Space::Device) | (Space::Device, Space::Host) => {
            (from.ty != to.ty).then_some("they hold different types")
        }
        (Space::Host, Space::Host)
        | (Space::Device, Space::Device)
        | (Space::Shared | Space::Local, _)
        | (_, Space::Shared | Space::Local) => Some("one has to be in host memory, the other in device memory"),
    }
}

/// Whether an array that may be accessed so may be given for a parameter that is.
fn allows(array: AccessMode, param: AccessMode) -> bool {
    array == param || array == AccessMode::ReadWrite
}

fn is_written(kernel: &Function, launch: &Launch, id: ArrayId) -> bool {
    let params = launch.arrays.iter().zip(kernel.array_parameters());
    params.into_iter().any(|(array, param)| *array == id && param.mode != AccessMode::Read)
}

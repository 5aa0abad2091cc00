//! Takes a kernel function apart: its block and thread loops, outermost first, around the body of one thread.

use super::{
    ArrayId, Axis, ExprId, ForKind, Function, MAX_THREADS, Space, Stmt, VarId, WARP, sizes, sizes::constant, visit,
};

/// Borrowed from a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Nest<'f> {
    pub layers: Vec<Layer<'f>>,
    pub body: &'f [Stmt],
}

/// A loop of the nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer<'f> {
    /// The statements before it, inside the loop around it: `let`s, comments, allocations of shared arrays.
    pub before: &'f [Stmt],
    pub var: VarId,
    pub lo: ExprId,
    pub hi: ExprId,
    pub kind: ForKind,
}

/// Why a function is not a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NestError {
    #[error("a kernel without a loop over threads")]
    NoThreads,
    #[error("the GPU loop over `{0}` is not the only one in its block, or not the last statement")]
    NotNested(String),
    #[error("the GPU loop over `{0}` is inside another statement")]
    Inside(String),
    #[error("the GPU loop over `{0}` is outside of one that must be outside of it, or along an axis that has one")]
    Order(String),
    #[error("before the GPU loop over `{0}` stands more than `let`s, comments and shared arrays of a block")]
    Between(String),
    #[error("the bounds of the GPU loop over `{0}` are more than constants and scalar parameters")]
    Bounds(String),
    #[error("the loop over the threads `{0}` does not run from 0 to a constant; lanes are 32")]
    Extent(String),
    #[error("a block of {0} threads; it may have 1024")]
    TooManyThreads(i64),
    #[error("a shuffle in a kernel without lanes")]
    NoLanes,
}

impl<'f> Nest<'f> {
    /// # Errors
    /// What keeps `function` from being a kernel.
    pub fn of(function: &'f Function) -> Result<Nest<'f>, NestError> {
        let mut nest = Nest { layers: Vec::new(), body: &function.body };
        while let Some(at) = nest.body.iter().position(|stmt| gpu_var(stmt).is_some()) {
            nest.enter(function, at)?;
        }
        nest.check_body(function)?;
        match nest.layers.last().map(|layer| layer.kind) {
            Some(ForKind::Thread(_) | ForKind::Lane) => {}
            Some(ForKind::Block(_) | ForKind::Warp) | None => return Err(NestError::NoThreads),
            Some(ForKind::Serial | ForKind::Rolled | ForKind::Parallel | ForKind::Balanced(_) | ForKind::Vector) => {
                return Err(NestError::NoThreads);
            }
        }
        let count = nest.threads(function).into_iter().try_fold(1, i64::checked_mul).unwrap_or(i64::MAX);
        if count > MAX_THREADS { Err(NestError::TooManyThreads(count)) } else { Ok(nest) }
    }

    /// Threads of a block along x, y and z.
    pub fn threads(&self, function: &Function) -> [i64; 3] {
        let mut threads = [1; 3];
        for layer in &self.layers {
            if let Some(axis) = thread_axis(layer.kind) {
                // Warps and lanes are both along x.
                threads[axis.index()] *= constant(function, layer.hi).unwrap_or(1);
            }
        }
        threads
    }

    /// The block loop along `axis`.
    pub fn block(&self, axis: Axis) -> Option<&Layer<'f>> {
        self.layers.iter().find(|layer| layer.kind == ForKind::Block(axis))
    }

    /// Goes into the GPU loop that is statement `at` of the present body.
    fn enter(&mut self, function: &'f Function, at: usize) -> Result<(), NestError> {
        let (before, rest) = self.body.split_at(at);
        let [Stmt::For { var, lo, hi, kind, body }] = rest else {
            let name = rest.first().and_then(gpu_var).map_or(String::new(), |var| function.var(var).name.clone());
            return Err(NestError::NotNested(name));
        };
        let layer = Layer { before, var: *var, lo: *lo, hi: *hi, kind: *kind };
        self.check(function, &layer)?;
        self.layers.push(layer);
        self.body = body;
        Ok(())
    }

    fn check(&self, function: &Function, layer: &Layer<'f>) -> Result<(), NestError> {
        let name = || function.var(layer.var).name.clone();
        let outer = self.layers.last().map(|layer| layer.kind);
        let taken = self.layers.iter().any(|other| place(other.kind) == place(layer.kind));
        let follows = if layer.kind == ForKind::Lane {
            outer == Some(ForKind::Warp)
        } else if layer.kind.is_thread() {
            outer != Some(ForKind::Warp) && outer != Some(ForKind::Lane)
        } else {
            !outer.is_some_and(ForKind::is_thread)
        };
        if taken || !follows {
            return Err(NestError::Order(name()));
        }
        let first_threads = layer.kind.is_thread() && !outer.is_some_and(ForKind::is_thread);
        let is_shared = |id: ArrayId| function.arrays.get(id.index()).is_some_and(|array| array.space == Space::Shared);
        let stands = |stmt: &Stmt| {
            matches!(stmt, Stmt::Let { .. } | Stmt::Comment(_))
                || matches!(stmt, Stmt::Alloc { array } if first_threads && is_shared(*array))
        };
        if !layer.before.iter().all(stands) {
            return Err(NestError::Between(name()));
        }
        let bounds = [layer.lo, layer.hi];
        if !bounds.into_iter().all(|bound| sizes::is_size_of_params(function, bound)) {
            return Err(NestError::Bounds(name()));
        }
        let fits = match (layer.kind, bounds.map(|bound| constant(function, bound))) {
            (ForKind::Lane, [Some(0), Some(hi)]) => hi == WARP,
            (ForKind::Thread(_) | ForKind::Warp, [Some(0), Some(hi)]) => hi > 0,
            (kind, _) => !kind.is_thread(),
        };
        if fits { Ok(()) } else { Err(NestError::Extent(name())) }
    }

    fn check_body(&self, function: &Function) -> Result<(), NestError> {
        let shuffles = visit::any(self.body, &|stmt| matches!(stmt, Stmt::Shuffle { .. }));
        if shuffles && self.layers.iter().all(|layer| layer.kind != ForKind::Lane) {
            return Err(NestError::NoLanes);
        }
        let mut inside = None;
        visit::each(self.body, &mut |stmt| inside = inside.or(gpu_var(stmt)));
        inside.map_or(Ok(()), |var| Err(NestError::Inside(function.var(var).name.clone())))
    }
}

fn gpu_var(stmt: &Stmt) -> Option<VarId> {
    let Stmt::For { var, kind, .. } = stmt else { return None };
    kind.is_gpu().then_some(*var)
}

/// The axis of a block along which a loop's iterations are threads.
pub(crate) fn thread_axis(kind: ForKind) -> Option<Axis> {
    match kind {
        ForKind::Thread(axis) => Some(axis),
        ForKind::Warp | ForKind::Lane => Some(Axis::X),
        ForKind::Block(_) | ForKind::Serial | ForKind::Rolled => None,
        ForKind::Parallel | ForKind::Balanced(_) | ForKind::Vector => None,
    }
}

/// What only one loop of a nest may be; warps are the threads along x, and lanes are inside them.
fn place(kind: ForKind) -> (bool, Option<Axis>) {
    match kind {
        ForKind::Block(axis) => (true, Some(axis)),
        ForKind::Lane => (false, None),
        ForKind::Thread(_) | ForKind::Warp | ForKind::Serial | ForKind::Rolled => (false, thread_axis(kind)),
        ForKind::Parallel | ForKind::Balanced(_) | ForKind::Vector => (false, None),
    }
}

//! Launches run block after block. In a block every thread runs up to its next stop, a barrier or a shuffle, and waits
//! there for the others. A thread keeps its state as a stack of frames, from which it continues.

use super::{ArrayId, BackendError, Cell, Machine, Space, Stmt, Watch, memory::Slot};
use nnz_loops::{Axis, ExprId, ForKind, Launch, ShuffleFrom, VarId, WARP, nest::Nest};

/// A thread of a block.
struct Thread<'p, 'r> {
    vars: Vec<Cell>,
    /// Its local arrays, while another thread runs.
    local: Vec<Slot<'r>>,
    frames: Vec<Frame<'p>>,
    stop: Stop<'p>,
}

/// What a thread is in the middle of.
enum Frame<'p> {
    /// What is left of a block.
    Block(&'p [Stmt]),
    For {
        var: VarId,
        next: i64,
        hi: i64,
        body: &'p [Stmt],
    },
    While {
        cond: ExprId,
        body: &'p [Stmt],
    },
}

/// The state of a thread.
#[derive(Clone, Copy)]
enum Stop<'p> {
    Running,
    /// A barrier or a shuffle.
    At(&'p Stmt),
    Done,
}

impl Stop<'_> {
    fn is(&self, other: &Stop<'_>) -> bool {
        match (self, other) {
            (Stop::Running, Stop::Running) | (Stop::Done, Stop::Done) => true,
            (Stop::At(one), Stop::At(other)) => std::ptr::eq(*one, *other),
            (Stop::Running | Stop::At(_) | Stop::Done, _) => false,
        }
    }
    fn is_shuffle(&self) -> bool {
        matches!(self, Stop::At(Stmt::Shuffle { .. }))
    }
}

/// A kernel on a grid.
struct Grid<'p> {
    nest: Nest<'p>,
    blocks: [i64; 3],
    threads: [i64; 3],
    local: Vec<ArrayId>,
}

impl<'p, 'r> Machine<'p, 'r> {
    pub(super) fn launch(&mut self, launch: &Launch) -> Result<(), BackendError> {
        let code = &self.kernels[launch.kernel.index()];
        let scalars = launch.scalars.iter().map(|scalar| self.eval(*scalar)).collect::<Result<Vec<Cell>, _>>()?;
        let size = |sizes: [ExprId; 3]| -> Result<[i64; 3], BackendError> {
            Ok([self.index(sizes[0])?, self.index(sizes[1])?, self.index(sizes[2])?])
        };
        let (blocks, threads) = (size(launch.blocks)?, size(launch.threads)?);
        let arrays = self.lend(launch);
        let mut kernel = Machine::new(code, &[], arrays, &scalars);
        kernel.watch = Watch::grid();
        kernel.steps_left = self.steps_left;
        let told = |text: String| format!("in `{}`: {text}", code.function.name);
        kernel.grid(blocks, threads).map_err(|error| error.retold(told))?;
        self.steps_left = kernel.steps_left;
        for (id, slot) in launch.arrays.iter().zip(kernel.arrays) {
            if !matches!(slot, Slot::Same(_)) {
                self.arrays[id.index()] = slot;
            }
        }
        Ok(())
    }

    /// The arrays of a launch, which are the kernel's until it is done.
    fn lend(&mut self, launch: &Launch) -> Vec<Slot<'r>> {
        let mut lent = Vec::with_capacity(launch.arrays.len());
        for id in &launch.arrays {
            let first = launch.arrays[..lent.len()].iter().position(|other| other == id);
            lent.push(match first {
                Some(first) => Slot::Same(first),
                None => std::mem::replace(&mut self.arrays[id.index()], Slot::Absent),
            });
        }
        lent
    }

    fn grid(&mut self, blocks: [i64; 3], threads: [i64; 3]) -> Result<(), BackendError> {
        let function = &self.code.function;
        let nest = Nest::of(function).map_err(|error| BackendError::Failed(error.to_string()))?;
        self.check_lengths()?;
        self.check_size("threads", threads, nest.threads(function))?;
        self.check_size("blocks", blocks, self.iterations(&nest)?)?;
        let local = (0..function.arrays.len()).map(ArrayId::new);
        let local = local.filter(|id| function.array(*id).space == Space::Local).collect();
        let grid = Grid { nest, blocks, threads, local };
        for number in 0..blocks.iter().product() {
            self.grid_block(&grid, number)?;
        }
        Ok(())
    }

    /// The block loops' iterations along x, y and z.
    fn iterations(&self, nest: &Nest<'_>) -> Result<[i64; 3], BackendError> {
        let mut blocks = [1; 3];
        for axis in Axis::ALL {
            if let Some(layer) = nest.block(axis) {
                blocks[axis.index()] = self.index(layer.hi)?.saturating_sub(self.index(layer.lo)?).max(0);
            }
        }
        Ok(blocks)
    }

    fn check_size(&self, what: &str, given: [i64; 3], wanted: [i64; 3]) -> Result<(), BackendError> {
        if given == wanted {
            return Ok(());
        }
        Err(BackendError::Failed(format!("launched with {given:?} {what}; its loops have {wanted:?}")))
    }

    fn check_lengths(&self) -> Result<(), BackendError> {
        for (at, array) in self.code.function.array_parameters().iter().enumerate() {
            let slot = self.slot(ArrayId::new(at));
            let Some(wanted) = array.len.map(|len| self.index(len)).transpose()? else { continue };
            if usize::try_from(wanted) != Ok(slot.len()) {
                let (name, given) = (&array.name, slot.len());
                return Err(BackendError::Failed(format!("`{name}` has {wanted} entries and is given {given}")));
            }
        }
        Ok(())
    }

    fn grid_block(&mut self, grid: &Grid<'p>, number: i64) -> Result<(), BackendError> {
        let block = coordinates(number, grid.blocks);
        let count = grid.threads.iter().product();
        let mut threads = Vec::with_capacity(usize::try_from(count).unwrap_or_default());
        for thread in 0..count {
            self.watch.thread(number, thread);
            threads.push(self.thread(grid, block, thread)?);
        }
        self.watch.barrier();
        loop {
            for (warp, of_warp) in threads.chunks_mut(WARP as usize).enumerate() {
                self.warp(grid, number, warp as i64 * WARP, of_warp)?;
            }
            self.check_together(&threads, "a barrier", number)?;
            if threads.iter().all(|thread| thread.stop.is(&Stop::Done)) {
                return Ok(());
            }
            threads.iter_mut().for_each(|thread| thread.stop = Stop::Running);
            self.watch.barrier();
        }
    }

    /// A thread at the start of the body. The first one allocates the shared arrays.
    fn thread(&mut self, grid: &Grid<'p>, block: [i64; 3], number: i64) -> Result<Thread<'p, 'r>, BackendError> {
        let thread = coordinates(number, grid.threads);
        for layer in &grid.nest.layers {
            let before = layer.before.iter().filter(|stmt| number == 0 || !matches!(stmt, Stmt::Alloc { .. }));
            before.into_iter().try_for_each(|stmt| self.stmt(stmt))?;
            let at = match layer.kind {
                ForKind::Block(axis) => self.index(layer.lo)?.saturating_add(block[axis.index()]),
                ForKind::Thread(axis) => thread[axis.index()],
                ForKind::Warp => thread[0] / WARP,
                ForKind::Lane => thread[0] % WARP,
                ForKind::Serial | ForKind::Rolled | ForKind::Parallel | ForKind::Balanced(_) | ForKind::Vector => 0,
            };
            self.vars[layer.var.index()] = Cell::Index(at);
        }
        let local = grid.local.iter().map(|_| Slot::Absent).collect();
        let frames = vec![Frame::Block(grid.nest.body)];
        Ok(Thread { vars: self.vars.clone(), local, frames, stop: Stop::Running })
    }

    /// Runs the threads of a warp up to a barrier or the end; if all are at a shuffle, they exchange values and
    /// continue.
    fn warp(
        &mut self,
        grid: &Grid<'p>,
        block: i64,
        first: i64,
        threads: &mut [Thread<'p, 'r>],
    ) -> Result<(), BackendError> {
        loop {
            for (thread, number) in threads.iter_mut().zip(first..) {
                self.watch.thread(block, number);
                let told = |text: String| format!("{text}, in thread {number} of block {block}");
                self.resume(grid, thread).map_err(|error| error.retold(told))?;
            }
            if !threads.iter().any(|thread| thread.stop.is_shuffle()) {
                return Ok(());
            }
            self.check_together(threads, "a shuffle", block)?;
            self.shuffle(grid, [block, first], threads)?;
        }
    }

    fn check_together(&self, threads: &[Thread<'_, '_>], what: &str, block: i64) -> Result<(), BackendError> {
        let apart = |thread: &&Thread<'_, '_>| !thread.stop.is(&threads[0].stop);
        match threads.iter().find(apart) {
            None => Ok(()),
            Some(_) => Err(BackendError::Failed(format!("threads of block {block} part before {what}"))),
        }
    }

    /// Runs a thread until it stops.
    fn resume(&mut self, grid: &Grid<'p>, thread: &mut Thread<'p, 'r>) -> Result<(), BackendError> {
        self.swap(grid, thread);
        let stopped = self.run(&mut thread.frames);
        self.swap(grid, thread);
        thread.stop = stopped?;
        Ok(())
    }

    fn swap(&mut self, grid: &Grid<'p>, thread: &mut Thread<'p, 'r>) {
        std::mem::swap(&mut self.vars, &mut thread.vars);
        for (id, local) in grid.local.iter().zip(&mut thread.local) {
            std::mem::swap(&mut self.arrays[id.index()], local);
        }
    }

    fn run(&mut self, frames: &mut Vec<Frame<'p>>) -> Result<Stop<'p>, BackendError> {
        while let Some(frame) = frames.last_mut() {
            let enter = match frame {
                Frame::Block(left) => match left.split_first() {
                    None => None,
                    Some((stmt, rest)) => {
                        *left = rest;
                        if let Stmt::Barrier | Stmt::Shuffle { .. } = stmt {
                            return Ok(Stop::At(stmt));
                        }
                        frames.extend(self.entered(stmt)?);
                        continue;
                    }
                },
                Frame::For { next, hi, .. } if *next >= *hi => None,
                Frame::For { var, next, body, .. } => {
                    self.vars[var.index()] = Cell::Index(*next);
                    *next += 1;
                    Some(*body)
                }
                Frame::While { cond, body } => self.truth(*cond)?.then_some(*body),
            };
            match enter {
                None => drop(frames.pop()),
                Some(body) => {
                    self.step()?;
                    frames.push(Frame::Block(body));
                }
            }
        }
        Ok(Stop::Done)
    }

    /// The frame of a statement with blocks; any other is run at once.
    fn entered(&mut self, stmt: &'p Stmt) -> Result<Option<Frame<'p>>, BackendError> {
        if let Stmt::For { var, lo, hi, body, .. } = stmt {
            return Ok(Some(Frame::For { var: *var, next: self.index(*lo)?, hi: self.index(*hi)?, body }));
        }
        if let Stmt::While { cond, body } = stmt {
            return Ok(Some(Frame::While { cond: *cond, body }));
        }
        if let Stmt::If { cond, then, other } = stmt {
            return Ok(Some(Frame::Block(if self.truth(*cond)? { then } else { other })));
        }
        self.stmt(stmt)?;
        Ok(None)
    }

    /// Of the warp whose first thread is `first`.
    fn shuffle(
        &mut self,
        grid: &Grid<'p>,
        [block, first]: [i64; 2],
        threads: &mut [Thread<'p, 'r>],
    ) -> Result<(), BackendError> {
        let mut given = Vec::with_capacity(threads.len());
        for (thread, number) in threads.iter_mut().zip(first..) {
            self.watch.thread(block, number);
            let Stop::At(Stmt::Shuffle { value, by, .. }) = thread.stop else { continue };
            self.swap(grid, thread);
            let operands = self.eval(*value).and_then(|value| Ok((value, self.index(*by)?)));
            self.swap(grid, thread);
            given.push(operands?);
        }
        for (lane, thread) in threads.iter_mut().enumerate() {
            let Stop::At(Stmt::Shuffle { var, from, width, .. }) = thread.stop else { continue };
            let (own, by) = given[lane];
            let source = source(*from, lane as i64, by, *width).and_then(|source| given.get(source));
            let taken = source.map_or(own, |(value, _)| *value);
            thread.vars[var.index()] = taken;
            thread.stop = Stop::Running;
        }
        Ok(())
    }
}

/// The lane of its group whose value `lane` takes, if there is one.
fn source(from: ShuffleFrom, lane: i64, by: i64, width: i64) -> Option<usize> {
    let start = lane - lane % width;
    let source = match from {
        ShuffleFrom::Index => start.wrapping_add(by),
        ShuffleFrom::Up => lane.wrapping_sub(by),
        ShuffleFrom::Down => lane.wrapping_add(by),
        ShuffleFrom::Xor => lane ^ by,
    };
    usize::try_from(source).ok().filter(|_| (start..start + width).contains(&source))
}

/// The counts along x, y and z of a number that counts along x first.
fn coordinates(number: i64, sizes: [i64; 3]) -> [i64; 3] {
    let [x, y, _] = sizes;
    [number % x, number / x % y, number / (x * y)]
}

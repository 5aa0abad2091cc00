//! Watches a function while it runs: its steps, or its races. A race is two iterations of a parallel loop that write
//! the same entry, or two threads or blocks of a grid that access the same entry without a barrier between them, if at
//! least one stores.

use std::{cell::RefCell, collections::HashMap};

use super::{ArrayId, BackendError, Cell, Space, Stmt, steps::Steps};
use nnz_base::memory;

/// What is watched.
pub(super) enum Watch {
    Nothing,
    /// The iterations of a parallel loop.
    Loop(RefCell<Writers>),
    /// The threads of a grid.
    Grid(RefCell<Grid>),
    /// What is done, for people to follow.
    Steps(RefCell<Steps>),
}

/// What is done to an entry.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Touch {
    Read,
    Store,
    Atomic,
}

/// Who got into whose way.
pub(super) enum Conflict {
    Iterations([i64; 2]),
    Threads { threads: [i64; 2], block: i64 },
    Blocks([i64; 2]),
}

impl Conflict {
    /// What to say of the entry.
    pub(super) fn on(&self, entry: &str) -> String {
        match self {
            Conflict::Iterations([first, now]) => {
                format!("iterations {first} and {now} of a parallel loop both write `{entry}`")
            }
            Conflict::Threads { threads: [first, now], block } => format!(
                "threads {first} and {now} of block {block} meet at `{entry}` without a barrier between, and one stores"
            ),
            Conflict::Blocks([first, now]) => format!("blocks {first} and {now} meet at `{entry}`, and one stores"),
        }
    }
}

impl Watch {
    pub(super) fn iterations() -> Watch {
        Watch::Loop(RefCell::default())
    }
    pub(super) fn grid() -> Watch {
        Watch::Grid(RefCell::default())
    }

    pub(super) fn is_steps(&self) -> bool {
        matches!(self, Watch::Steps(_))
    }

    /// The statement begins, or another iteration of it.
    pub(super) fn begin(&mut self, stmt: &Stmt) -> Result<(), BackendError> {
        if let Watch::Steps(steps) = self { steps.get_mut().begin(stmt) } else { Ok(()) }
    }

    pub(super) fn set(&mut self, var: usize, value: Cell) {
        if let Watch::Steps(steps) = self {
            steps.get_mut().set(var, value);
        }
    }

    pub(super) fn iteration(&mut self, at: i64) {
        if let Watch::Loop(writers) = self {
            writers.get_mut().iteration = at;
        }
    }

    /// What is allocated in an iteration is its own.
    pub(super) fn allocated(&mut self, id: ArrayId) {
        if let Watch::Loop(writers) = self
            && !writers.get_mut().own.contains(&id)
        {
            writers.get_mut().own.push(id);
        }
    }

    /// From now on that thread of that block runs, both counted along x, then y, then z.
    pub(super) fn thread(&mut self, block: i64, thread: i64) {
        if let Watch::Grid(grid) = self {
            (grid.get_mut().block, grid.get_mut().thread) = (block, thread);
        }
    }

    /// The threads of the block have met, or it is done.
    pub(super) fn barrier(&mut self) {
        if let Watch::Grid(grid) = self {
            grid.get_mut().of_block.clear();
        }
    }

    /// Takes note of an access; the conflict, if it is one.
    pub(super) fn touch(
        &self,
        id: ArrayId,
        at: i64,
        how: Touch,
        space: impl FnOnce() -> Space,
    ) -> Result<Option<Conflict>, BackendError> {
        match self {
            Watch::Nothing | Watch::Steps(_) => Ok(None),
            Watch::Loop(writers) => writers.borrow_mut().touched(id, at, how),
            Watch::Grid(grid) => grid.borrow_mut().touched((id, at), how, space()),
        }
    }
}

/// Which iteration of the parallel loop wrote each entry first, and whether all writes of it were atomic.
#[derive(Default)]
pub(super) struct Writers {
    iteration: i64,
    of_entry: HashMap<(ArrayId, i64), (i64, bool)>,
    /// Arrays that each iteration allocates.
    own: Vec<ArrayId>,
}

impl Writers {
    fn touched(&mut self, id: ArrayId, at: i64, how: Touch) -> Result<Option<Conflict>, BackendError> {
        if how == Touch::Read || self.own.contains(&id) {
            return Ok(None);
        }
        let now = self.iteration;
        room(&mut self.of_entry)?;
        let (first, atomic) = self.of_entry.entry((id, at)).or_insert((now, true));
        *atomic &= how == Touch::Atomic;
        Ok((*first != now && !*atomic).then_some(Conflict::Iterations([*first, now])))
    }
}

/// Who has touched each entry of a launch.
#[derive(Default)]
pub(super) struct Grid {
    block: i64,
    thread: i64,
    /// Threads of the present block since its last barrier.
    of_block: HashMap<(ArrayId, i64), Touches>,
    /// Blocks.
    of_grid: HashMap<(ArrayId, i64), Touches>,
}

impl Grid {
    fn touched(&mut self, entry: (ArrayId, i64), how: Touch, space: Space) -> Result<Option<Conflict>, BackendError> {
        let (block, thread) = (self.block, self.thread);
        if space == Space::Local {
            return Ok(None);
        }
        room(&mut self.of_block)?;
        if let Some(first) = self.of_block.entry(entry).or_default().add(thread, how) {
            return Ok(Some(Conflict::Threads { threads: [first, thread], block }));
        }
        if space != Space::Device {
            return Ok(None);
        }
        room(&mut self.of_grid)?;
        let first = self.of_grid.entry(entry).or_default().add(block, how);
        Ok(first.map(|first| Conflict::Blocks([first, block])))
    }
}

/// Who has read, stored and atomically changed an entry: nobody, or the first one, and another than it if there was one.
#[derive(Default)]
struct Touches {
    read: [Option<i64>; 2],
    stored: Option<i64>,
    changed: [Option<i64>; 2],
}

impl Touches {
    /// Whom `who` gets into the way of.
    fn add(&mut self, who: i64, how: Touch) -> Option<i64> {
        let stored = self.stored.filter(|other| *other != who);
        match how {
            Touch::Read => note(&mut self.read, who),
            Touch::Atomic => note(&mut self.changed, who),
            Touch::Store => {
                let others = self.read.iter().chain(&self.changed).flatten();
                let met = others.copied().find(|other| *other != who);
                self.stored = Some(who);
                return stored.or(met);
            }
        }
        stored
    }
}

fn note(seen: &mut [Option<i64>; 2], who: i64) {
    match seen {
        [None, _] => seen[0] = Some(who),
        [Some(first), second @ None] if *first != who => *second = Some(who),
        _ => {}
    }
}

/// Room for one more entry.
fn room<T>(map: &mut HashMap<(ArrayId, i64), T>) -> Result<(), BackendError> {
    if map.len() == map.capacity() {
        let more = map.len().max(1);
        memory::ask(|| map.try_reserve(more), more * size_of::<((ArrayId, i64), T)>())?;
    }
    Ok(())
}

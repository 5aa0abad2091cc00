//! The leaves of a coordinate tree, in the order of storage.

use nnz_base::ids::Lvl;
use nnz_storage::{Fibers, Storage};

/// One entry, or padding.
pub(super) struct Leaf {
    /// The coordinates of the levels.
    pub path: Vec<i64>,
    /// Where each of them is in its level.
    pub positions: Vec<u64>,
    /// The coordinates of the dimensions; `None` for padding.
    pub dims: Option<Vec<u64>>,
}

/// The first leaves, and whether there are more; `None` if the levels do not give coordinates.
pub(super) fn first(storage: &Storage, most: usize) -> Option<(Vec<Leaf>, bool)> {
    let fibers = Fibers::new(storage).ok()?;
    let mut walk = Walk { fibers, depth: storage.levels().len(), most, found: Vec::new(), is_cut: false };
    walk.below(&mut Vec::new(), &mut Vec::new());
    Some((walk.found, walk.is_cut))
}

struct Walk<'a> {
    fibers: Fibers<'a>,
    depth: usize,
    most: usize,
    found: Vec<Leaf>,
    is_cut: bool,
}

impl Walk<'_> {
    fn below(&mut self, path: &mut Vec<i64>, positions: &mut Vec<u64>) {
        if path.len() == self.depth {
            return self.leaf(path, positions);
        }
        let fiber = self.fibers.below(Lvl::new(path.len()), positions.last().copied().unwrap_or(0));
        for (position, coordinate) in fiber.children(0..self.most as u64 + 1) {
            path.push(coordinate);
            positions.push(position);
            self.below(path, positions);
            path.pop();
            positions.pop();
            if self.is_cut {
                return;
            }
        }
    }

    fn leaf(&mut self, path: &[i64], positions: &[u64]) {
        if self.found.len() == self.most {
            self.is_cut = true;
            return;
        }
        let dims = self.fibers.dims(path);
        self.found.push(Leaf { path: path.to_vec(), positions: positions.to_vec(), dims });
    }
}

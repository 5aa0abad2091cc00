//! A tensor as text: a title line, and its entries if they fit.

use std::{collections::BTreeMap, ops::ControlFlow};

use super::{Line, Markup, Role, Screen, matrix, matrix::Grid, number, spy};
use nnz_base::{element::Scalar, ids::Lvl, memory};
use nnz_storage::{Fibers, Storage};

/// A tensor to be shown.
#[derive(Clone, Copy)]
pub struct TensorView<'a> {
    pub name: &'a str,
    /// The name of the encoding, `CSR`, or its text.
    pub encoding: &'a str,
    pub storage: &'a Storage,
}

/// More rows than this are a plot, not a table.
const MAX_ROWS: u64 = 40;
/// More slices than this are left out.
const MAX_SLICES: u64 = 12;
/// How many entries a list shows.
const MAX_LISTED: usize = 10;
/// A walk through the tree gives up after as many nodes, so that nothing shown takes long.
const MAX_VISITED: usize = 200_000;

/// How much of a shape with so many elements is stored. Blocks that go beyond the shape, and entries that repeat, make it
/// more than all.
fn share(stored: u64, elements: f64) -> String {
    if stored as f64 > elements { format!("for {elements} elements") } else { number::percent(stored as f64, elements) }
}

impl TensorView<'_> {
    /// `A: 3x4xf64, CSR, 3 stored (25 %), 80 bytes`
    pub fn title(&self) -> Line {
        let (storage, nse) = (self.storage, self.storage.nse() as u64);
        let elements = storage.dim_sizes().iter().fold(1.0, |product, &size| product * size as f64);
        let shape: String = storage.dim_sizes().iter().map(|size| format!("{size}x")).collect();
        Line::of(Role::Name, self.name)
            .text(": ")
            .with(Role::Type, format!("{shape}{}", storage.element()))
            .text(", ")
            .with(Role::Format, self.encoding)
            .text(format!(", {} stored ({})", number::grouped(nse), share(nse, elements)))
            .text(format!(", {}", memory::size_text(storage.bytes() as u64)))
    }

    /// The title, and below it the entries, a plot of them, or the first of them.
    pub fn value(&self, screen: Screen) -> Markup {
        Markup::new().line(self.title()).then(self.entries(screen))
    }

    /// The title, and the spy plot of a matrix.
    pub fn spy(&self, screen: Screen) -> Markup {
        Markup::new().line(self.title()).then(spy::plot(self.storage, screen))
    }

    fn entries(&self, screen: Screen) -> Markup {
        match self.storage.dim_sizes() {
            sizes if sizes.contains(&0) => Markup::of(Role::Note, "no elements"),
            [] | [_] => self.vector(screen).unwrap_or_else(|| self.list(screen)),
            [rows, columns] => self
                .small(1, *rows, *columns, screen)
                .and_then(|entries| {
                    matrix::fitted(&Grid::new(&entries, &[], *rows, *columns), self.storage.element(), screen)
                })
                .unwrap_or_else(|| spy::plot(self.storage, screen)),
            [outer @ .., rows, columns] => {
                self.slices(outer, *rows, *columns, screen).unwrap_or_else(|| self.list(screen))
            }
        }
    }

    /// A scalar, or a vector on one line.
    fn vector(&self, screen: Screen) -> Option<Markup> {
        let size = self.storage.dim_sizes().first().copied().unwrap_or(1);
        if let Some(entries) = self.small(1, 1, size, screen) {
            return matrix::fitted(&Grid::new(&entries, &[], 1, size), self.storage.element(), screen);
        }
        self.storage.encoding().all_dense().then(|| matrix::long_vector(self.storage, screen))
    }

    /// Every matrix of the last two dimensions, one below another.
    fn slices(&self, outer: &[u64], rows: u64, columns: u64, screen: Screen) -> Option<Markup> {
        let count = outer.iter().try_fold(1u64, |product, &size| product.checked_mul(size))?;
        let entries = self.small(count, rows, columns, screen).filter(|_| count <= MAX_SLICES)?;
        let mut markup = Markup::new();
        for at in 0..count {
            let prefix = coordinates(at, outer);
            let grid = Grid::new(&entries, &prefix, rows, columns);
            let named: String = prefix.iter().map(|c| format!("{c}, ")).collect();
            markup.push(Line::of(Role::Heading, format!("{}({named}:, :)", self.name)));
            markup = markup.then(matrix::fitted(&grid, self.storage.element(), screen)?);
        }
        Some(markup)
    }

    /// All entries, if `slices` tables of them could fit the screen.
    fn small(&self, slices: u64, rows: u64, columns: u64, screen: Screen) -> Option<BTreeMap<Vec<u64>, Scalar>> {
        let fits = slices.checked_mul(rows).is_some_and(|rows| rows <= MAX_ROWS) && columns <= screen.width as u64 / 2;
        fits.then(|| self.collect(usize::MAX)).flatten().map(|(entries, _)| entries)
    }

    /// The first entries, one a line.
    fn list(&self, screen: Screen) -> Markup {
        let Some((entries, whole)) = self.collect(MAX_LISTED) else { return spy::unknown() };
        let line = |(at, value): (&Vec<u64>, &Scalar)| {
            let at: Vec<String> = at.iter().map(u64::to_string).collect();
            let value = number::brief(*value, self.storage.element(), screen.precision);
            Line::of(Role::Plain, format!("  ({}) = ", at.join(", "))).with(Role::Number, value)
        };
        let mut markup: Markup = entries.iter().map(line).collect();
        if !whole {
            markup.push(Line::of(Role::Absent, format!("  {}", screen.ellipsis())));
        }
        markup
    }

    /// At most `most` stored entries by their coordinates, repeated ones summed, and whether these are
    /// all; `None` where the levels do not determine the dimensions.
    fn collect(&self, most: usize) -> Option<(BTreeMap<Vec<u64>, Scalar>, bool)> {
        let fibers = Fibers::new(self.storage).ok()?;
        let mut walk = Walk { fibers: &fibers, storage: self.storage, most, visited: 0, entries: BTreeMap::new() };
        let whole = walk.below(&mut Vec::new(), 0).is_continue();
        Some((walk.entries, whole))
    }
}

/// The coordinates of slice number `at` of dimensions of these sizes, row-major.
fn coordinates(at: u64, sizes: &[u64]) -> Vec<u64> {
    let mut rest = at;
    let mut coordinates: Vec<u64> =
        sizes.iter().rev().map(|&size| (rest % size.max(1), rest /= size.max(1)).0).collect();
    coordinates.reverse();
    coordinates
}

/// A walk over the leaves of the coordinate tree.
struct Walk<'a> {
    fibers: &'a Fibers<'a>,
    storage: &'a Storage,
    most: usize,
    visited: usize,
    entries: BTreeMap<Vec<u64>, Scalar>,
}

impl Walk<'_> {
    fn below(&mut self, path: &mut Vec<i64>, position: u64) -> ControlFlow<()> {
        if path.len() == self.storage.levels().len() {
            return self.leaf(path, position);
        }
        let fiber = self.fibers.below(Lvl::new(path.len()), position);
        for (child, coordinate) in fiber.children(0..fiber.len()) {
            path.push(coordinate);
            let flow = self.below(path, child);
            path.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn leaf(&mut self, path: &[i64], position: u64) -> ControlFlow<()> {
        self.visited += 1;
        if self.visited > MAX_VISITED || self.entries.len() >= self.most {
            return ControlFlow::Break(());
        }
        if let (Some(dims), Some(value)) = (self.fibers.dims(path), self.storage.values().get(position as usize)) {
            self.entries.entry(dims).and_modify(|sum| *sum = add(*sum, value)).or_insert(value);
        }
        ControlFlow::Continue(())
    }
}

fn add(a: Scalar, b: Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.wrapping_add(b)),
        (Scalar::Complex(a), Scalar::Complex(b)) => Scalar::Complex(a + b),
        (a, b) => Scalar::Float(a.as_f64() + b.as_f64()),
    }
}

//! A spy plot: the entries of a matrix as Braille dots in a border.
//!
//! Up to a million entries, all are drawn, in one pass. Beyond that a sample is drawn until [`BUDGET`] is
//! spent, so the user does not wait. Multiples of the golden ratio spread the sample evenly over the storage,
//! so it is fair whenever it stops.

use std::time::{Duration, Instant};

use super::{Charset, Line, Markup, Role, Screen, markup::elide, number};
use nnz_storage::{Fibers, Storage, unpack};

/// Larger tensors are sampled.
const MAX_EXACT: usize = 1_000_000;
const MAX_SAMPLES: usize = 1_000_000;
const BUDGET: Duration = Duration::from_millis(50);
/// Lines of the plot, without its border.
const MAX_LINES: usize = 24;

/// The plot of a matrix; for another rank a note.
pub(super) fn plot(storage: &Storage, screen: Screen) -> Markup {
    let &[rows, columns] = storage.dim_sizes() else {
        return Markup::of(Role::Note, "only a matrix can be plotted: a tensor with two dimensions");
    };
    let mut canvas = Canvas::new(rows, columns, screen);
    match mark(storage, &mut canvas) {
        Some(seen) => canvas.framed().line(legend(&canvas, seen, storage.nse(), screen)),
        None => unknown(),
    }
}

/// The message for a storage whose entries have no known place.
pub(super) fn unknown() -> Markup {
    Markup::of(Role::Note, "the levels of this encoding do not determine the dimensions, so entries have no place")
}

fn legend(canvas: &Canvas, seen: usize, nse: usize, screen: Screen) -> Line {
    let side = (canvas.scale() * 10.0).ceil() / 10.0;
    let dot = if side > 1.0 { format!("one dot: {side} x {side} elements") } else { "one dot: one element".to_owned() };
    let sampled = format!(", a sample of {} of {} entries", number::grouped(seen as u64), number::grouped(nse as u64));
    let text = if seen < nse { dot + &sampled } else { dot };
    let room = screen.width.saturating_sub(canvas.margin() + 1);
    Line::of(Role::Note, elide(&text, room, screen.ellipsis())).indented(canvas.margin() + 1)
}

/// Marks the entries, and returns how many were visited.
fn mark(storage: &Storage, canvas: &mut Canvas) -> Option<usize> {
    places(storage, MAX_EXACT, MAX_SAMPLES, &mut |row, column| canvas.mark(row, column))
}

/// Visits the entries of a matrix, or a sample of so many if there are more than `most`. Returns how many were visited.
pub(super) fn places(storage: &Storage, most: usize, samples: usize, visit: &mut dyn FnMut(u64, u64)) -> Option<usize> {
    let fibers = Fibers::new(storage).ok()?;
    if storage.nse() > most && fibers.has_paths() {
        return Some(sample(storage, &fibers, samples, visit));
    }
    let entries = unpack(storage).ok()?;
    if let [rows, columns] = entries.coords() {
        rows.iter().zip(columns).for_each(|(&row, &column)| visit(row, column));
    }
    Some(storage.nse())
}

fn sample(storage: &Storage, fibers: &Fibers<'_>, samples: usize, visit: &mut dyn FnMut(u64, u64)) -> usize {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio
    let (start, nse) = (Instant::now(), storage.nse());
    for at in 0..samples {
        if at % 1024 == 0 && start.elapsed() > BUDGET {
            return at;
        }
        let fraction = u128::from((at as u64).wrapping_mul(GOLDEN));
        let position = ((fraction * nse as u128) >> 64) as u64;
        let is_entry = storage.values().get(position as usize).is_some_and(|value| !value.is_zero());
        if let Some(&[row, column]) = fibers.dims(&fibers.path(position)).as_deref().filter(|_| is_entry) {
            visit(row, column);
        }
    }
    samples
}

/// Dots over a matrix: each covers a square part of it.
struct Canvas {
    rows: u64,
    columns: u64,
    /// Dots down and across.
    height: usize,
    width: usize,
    dots: Vec<bool>,
    cell: Cell,
}

/// How many dots one character shows, down and across.
#[derive(Clone, Copy)]
enum Cell {
    /// 4 x 2
    Braille,
    /// 2 x 1
    Halves,
}

impl Cell {
    fn size(self) -> (usize, usize) {
        match self {
            Cell::Braille => (4, 2),
            Cell::Halves => (2, 1),
        }
    }
}

impl Canvas {
    fn new(rows: u64, columns: u64, screen: Screen) -> Canvas {
        let cell = match screen.charset {
            Charset::Unicode => Cell::Braille,
            Charset::Ascii => Cell::Halves,
        };
        let (down, across) = cell.size();
        let margin = rows.to_string().len() + 2;
        let most_down = MAX_LINES * down;
        let most_across = screen.width.saturating_sub(margin + 3).max(4) * across;
        let scale = (rows as f64 / most_down as f64).max(columns as f64 / most_across as f64).max(1.0);
        let dots = |size: u64, most: usize| ((size as f64 / scale).ceil() as usize).clamp(1, most);
        let (height, width) = (dots(rows, most_down), dots(columns, most_across));
        Canvas { rows, columns, height, width, dots: vec![false; height * width], cell }
    }

    fn mark(&mut self, row: u64, column: u64) {
        let place =
            |at: u64, size: u64, dots: usize| (u128::from(at) * dots as u128 / u128::from(size.max(1))) as usize;
        let (down, across) = (place(row, self.rows, self.height), place(column, self.columns, self.width));
        if let Some(dot) = self.dots.get_mut(down * self.width + across) {
            *dot = true;
        }
    }

    fn is_marked(&self, down: usize, across: usize) -> bool {
        down < self.height && across < self.width && self.dots[down * self.width + across]
    }

    /// Rows of the matrix to a dot, or columns where those are more.
    fn scale(&self) -> f64 {
        (self.rows as f64 / self.height as f64).max(self.columns as f64 / self.width as f64)
    }
    /// Columns of the screen left of the border.
    fn margin(&self) -> usize {
        self.rows.saturating_sub(1).to_string().len() + 1
    }

    /// The dots in a border that bears the first and last coordinates.
    fn framed(&self) -> Markup {
        let (down, across) = self.cell.size();
        let (lines, characters) = (self.height.div_ceil(down), self.width.div_ceil(across));
        let frame = Frame::of(self.cell);
        let bar = frame.across.repeat(characters);
        let label = |at: usize| match at {
            0 => "0".to_owned(),
            at if at + 1 == lines => self.rows.saturating_sub(1).to_string(),
            _ => String::new(),
        };
        let mut markup = Markup::new().line(self.column_labels(characters));
        markup.push(Line::of(Role::Border, format!("{}{bar}{}", frame.top.0, frame.top.1)).indented(self.margin()));
        for at in 0..lines {
            let mut line = Line::new();
            line.push_right(Role::Border, label(at), self.margin() - 1);
            line.push(Role::Border, format!(" {}", frame.side));
            line.push(Role::Mark, (0..characters).map(|column| self.character(at, column)).collect::<String>());
            markup.push(line.with(Role::Border, frame.side));
        }
        markup
            .line(Line::of(Role::Border, format!("{}{bar}{}", frame.bottom.0, frame.bottom.1)).indented(self.margin()))
    }

    fn column_labels(&self, characters: usize) -> Line {
        let last = self.columns.saturating_sub(1).to_string();
        let mut line = Line::of(Role::Border, "0");
        if characters > last.len() {
            line.push_right(Role::Border, last, characters - 1);
        }
        line.indented(self.margin() + 1)
    }

    fn character(&self, line: usize, column: usize) -> char {
        let (down, across) = self.cell.size();
        let at = |y: usize, x: usize| u32::from(self.is_marked(line * down + y, column * across + x));
        match self.cell {
            // The bits of U+2800 + n: down the left column, down the right one, then the lowest row.
            Cell::Braille => {
                let bits = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 0), (3, 1)];
                let pattern = bits.iter().enumerate().fold(0, |n, (bit, (y, x))| n | at(*y, *x) << bit);
                char::from_u32(0x2800 + pattern).unwrap_or(' ')
            }
            Cell::Halves => [' ', '\'', '.', ':'][(at(0, 0) | at(1, 0) << 1) as usize],
        }
    }
}

/// The characters of a border.
struct Frame {
    top: (&'static str, &'static str),
    bottom: (&'static str, &'static str),
    across: &'static str,
    side: &'static str,
}

impl Frame {
    fn of(cell: Cell) -> Frame {
        match cell {
            Cell::Braille => Frame { top: ("┌", "┐"), bottom: ("└", "┘"), across: "─", side: "│" },
            Cell::Halves => Frame { top: ("+", "+"), bottom: ("+", "+"), across: "-", side: "|" },
        }
    }
}

//! A small matrix with all its entries, absent ones as dots.

use std::collections::BTreeMap;

use super::{Line, Markup, Role, Screen, markup::display_width, number};
use nnz_base::element::{Element, Scalar};
use nnz_storage::Storage;

/// One matrix of a tensor's entries.
pub(super) struct Grid<'a> {
    entries: &'a BTreeMap<Vec<u64>, Scalar>,
    /// The coordinates of the outer dimensions.
    prefix: &'a [u64],
    rows: u64,
    columns: u64,
}

impl<'a> Grid<'a> {
    pub(super) fn new(entries: &'a BTreeMap<Vec<u64>, Scalar>, prefix: &'a [u64], rows: u64, columns: u64) -> Self {
        Self { entries, prefix, rows, columns }
    }

    /// The entry; in a vector or a scalar there is only row 0, which is no coordinate.
    fn get(&self, row: u64, column: u64) -> Option<Scalar> {
        let rank = self.entries.keys().next()?.len();
        let at = [self.prefix, &[row, column]].concat();
        self.entries.get(&at[at.len().saturating_sub(rank)..]).copied()
    }
}

/// The grid with as many digits as fit the screen; `None` if it does not fit at all.
pub(super) fn fitted(grid: &Grid<'_>, element: Element, screen: Screen) -> Option<Markup> {
    let drawn = |digits| {
        let text = |value| number::brief(value, element, digits);
        draw(grid, &text, screen)
    };
    let fewer = [6, 4, 3].into_iter().filter(|digits| *digits < screen.precision);
    std::iter::once(screen.precision).chain(fewer).map(drawn).find(|markup| markup.width() <= screen.width)
}

fn draw(grid: &Grid<'_>, text: &dyn Fn(Scalar) -> String, screen: Screen) -> Markup {
    let cell = |row, column| grid.get(row, column).map(text);
    let rows: Vec<Vec<Option<String>>> =
        (0..grid.rows).map(|row| (0..grid.columns).map(|column| cell(row, column)).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_deref().map_or(1, display_width));
        cells.max().unwrap_or(1)
    };
    let widths: Vec<usize> = (0..grid.columns as usize).map(width).collect();
    rows.iter().enumerate().map(|(at, row)| row_line(row, &widths, brackets(at, rows.len(), screen), screen)).collect()
}

fn row_line(row: &[Option<String>], widths: &[usize], (open, close): (&str, &str), screen: Screen) -> Line {
    let mut line = Line::of(Role::Border, open);
    for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
        line.push(Role::Plain, if at == 0 { " " } else { "  " });
        match cell {
            Some(text) => line.push_right(Role::Number, text, *width),
            None => line.push_right(Role::Absent, screen.dot(), *width),
        }
    }
    line.text(" ").with(Role::Border, close)
}

/// The pieces of tall brackets beside row `at` of `rows`.
fn brackets(at: usize, rows: usize, screen: Screen) -> (&'static str, &'static str) {
    match (at, rows - 1) {
        (0, 0) => ("[", "]"),
        (0, _) => (screen.pick("⎡", "["), screen.pick("⎤", "]")),
        (at, last) if at == last => (screen.pick("⎣", "["), screen.pick("⎦", "]")),
        _ => (screen.pick("⎢", "["), screen.pick("⎥", "]")),
    }
}

/// The first values of a dense vector and the last of them, on one line.
pub(super) fn long_vector(storage: &Storage, screen: Screen) -> Markup {
    const LAST: usize = 2;
    let text = |at: usize| {
        let value = storage.values().get(at)?;
        Some(number::brief(value, storage.element(), screen.precision))
    };
    let len = storage.values().len();
    let tail: Vec<String> = (len.saturating_sub(LAST)..len).filter_map(text).collect();
    let mut room = screen.width.saturating_sub(6 + tail.iter().map(|text| text.len() + 2).sum::<usize>());
    let fits = |text: &String| {
        let fits = text.len() + 2 <= room;
        room = room.saturating_sub(text.len() + 2);
        fits
    };
    let head: Vec<String> = (0..len.saturating_sub(LAST)).map_while(text).take_while(fits).collect();
    let line = Line::of(Role::Border, "[ ")
        .with(Role::Number, head.join("  "))
        .with(Role::Absent, format!("  {}  ", screen.ellipsis()))
        .with(Role::Number, tail.join("  "))
        .with(Role::Border, " ]");
    Markup::new().line(line)
}

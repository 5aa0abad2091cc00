//! The coordinates of the items of `data`, by SciPy's format.

use super::{Archive, in_array, npy::Array};
use crate::files::{FileError, Note, error::Others};
use nnz_base::{
    arrays::Values,
    diagnostic::counted,
    element::{Element, Scalar},
    memory::{self, NoRoom},
};

/// Formats that `save_npz` writes, and the others of SciPy, which it does not.
const FORMATS: [&str; 5] = ["csr", "csc", "coo", "bsr", "dia"];

/// The checked arrays besides `data`.
pub(super) enum Places {
    /// The coordinates of each item, one vector per dimension. There are `items` values; those behind the last
    /// coordinates are room to grow.
    Each { coords: Vec<Vec<u64>>, items: usize },
    /// Block row and block column of each of the `items` blocks.
    Blocks { rows: Vec<u64>, columns: Vec<u64>, items: usize },
    /// Item `j` of diagonal `d` is in column `j`, `offsets[d]` to the right of the main one.
    Diagonals { offsets: Vec<i64>, sizes: [u64; 2] },
}

/// Coordinates, then values with their element type.
type Entries = (Vec<Vec<u64>>, (Element, Values));

impl Places {
    /// # Errors
    /// Arrays that are absent, or contradict each other or the shape.
    pub(super) fn read(archive: &mut Archive<'_>, format: &str, sizes: &[u64]) -> Result<Places, FileError> {
        match (format, sizes) {
            ("coo", _) if archive.has("coords") => each(stacked_coordinates(archive, sizes)?),
            ("csr", &[size]) => {
                let (_, coords, items) = compressed(archive, 1, size)?;
                Ok(Places::Each { coords: vec![coords], items })
            }
            ("csr", &[rows, columns]) => {
                let (rows, columns, items) = compressed(archive, rows, columns)?;
                Ok(Places::Each { coords: vec![rows, columns], items })
            }
            ("csc", &[rows, columns]) => {
                let (columns, rows, items) = compressed(archive, columns, rows)?;
                Ok(Places::Each { coords: vec![rows, columns], items })
            }
            ("coo", &[rows, columns]) => {
                each(vec![coordinates(archive, "row", rows)?, coordinates(archive, "col", columns)?])
            }
            ("bsr", &[rows, columns]) => blocks(archive, [rows, columns]),
            ("dia", &[rows, columns]) => {
                Ok(Places::Diagonals { offsets: archive.indices("offsets")?, sizes: [rows, columns] })
            }
            _ if FORMATS.contains(&format) => {
                Err(in_array("shape", format!("a shape of {} sizes is not one of `{format}`", sizes.len())))
            }
            _ => Err(in_array("format", format!("unknown format `{format}`"))
                .help(format!("formats that are read: {}", FORMATS.join(", ")))),
        }
    }

    /// What the arrays of coordinates hold behind the entries.
    pub(super) fn note(&self) -> Option<Note> {
        let (found, items) = match self {
            Places::Each { coords, items } => (coords.first().map_or(0, Vec::len), *items),
            Places::Blocks { rows, items, .. } => (rows.len(), *items),
            Places::Diagonals { .. } => return None,
        };
        items.checked_sub(found).filter(|entries| *entries > 0).map(|entries| Note::RoomBehind { entries })
    }

    /// # Errors
    /// Data of another shape than the places.
    pub(super) fn entries(self, data: Array) -> Result<Entries, FileError> {
        match self {
            Places::Each { coords, items } => each_entry(coords, items, &data),
            Places::Blocks { rows, columns, items } => block_entries((&rows, &columns, items), &data),
            Places::Diagonals { offsets, sizes } => diagonal_entries(&offsets, sizes, &data),
        }
    }
}

fn blocks(archive: &mut Archive<'_>, sizes: [u64; 2]) -> Result<Places, FileError> {
    let block = archive.array("data")?.shape;
    let [_, height, width] = block[..] else {
        return Err(in_array("data", format!("the shape {block:?} is not that of blocks: count, rows, columns")));
    };
    let [rows, columns] = sizes;
    if rows.checked_rem(height) != Some(0) || columns.checked_rem(width) != Some(0) {
        return Err(in_array("data", format!("blocks of {height}x{width} do not divide the matrix {rows}x{columns}")));
    }
    let (block_rows, block_columns, items) = compressed(archive, rows / height, columns / width)?;
    Ok(Places::Blocks { rows: block_rows, columns: block_columns, items })
}

/// The outer and the inner coordinate of each item, from `indptr` and `indices`, and how many of the latter there are.
fn compressed(archive: &mut Archive<'_>, outer: u64, inner: u64) -> Result<(Vec<u64>, Vec<u64>, usize), FileError> {
    let positions = archive.indices("indptr")?;
    let mut inner_coords = coordinates(archive, "indices", inner)?;
    let outer_coords = outer_coordinates(&positions, outer, inner_coords.len())?;
    let items = inner_coords.len();
    // SciPy allows room to grow behind the last position.
    inner_coords.truncate(outer_coords.len());
    Ok((outer_coords, inner_coords, items))
}

fn outer_coordinates(positions: &[i64], outer: u64, items: usize) -> Result<Vec<u64>, FileError> {
    let error = |message: String| Err(in_array("indptr", message));
    if positions.len() as u64 != outer.saturating_add(1) {
        return error(format!(
            "{} positions for {outer} rows or columns; one more than these is needed",
            positions.len()
        ));
    }
    if positions.first() != Some(&0) {
        return error(format!("the first position is {}, not 0", positions.first().copied().unwrap_or(0)));
    }
    let mut coords = memory::array(items)?;
    for (coordinate, pair) in (0u64..).zip(positions.windows(2)) {
        let &[from, to] = pair else { continue };
        let count = usize::try_from(to.saturating_sub(from)).ok().filter(|count| coords.len() + count <= items);
        let Some(count) = count else {
            let row = format!("row or column {coordinate} would have the entries {from} to {to}");
            return error(match to < from {
                true => format!("{row}: the end lies before the beginning"),
                false => format!("{row}, and `indices` holds {items}"),
            });
        };
        coords.extend(std::iter::repeat_n(coordinate, count));
    }
    Ok(coords)
}

fn coordinates(archive: &mut Archive<'_>, name: &str, size: u64) -> Result<Vec<u64>, FileError> {
    in_range(name, &archive.indices(name)?, size)
}

/// `indices` as coordinates of a dimension.
fn in_range(name: &str, indices: &[i64], size: u64) -> Result<Vec<u64>, FileError> {
    let coordinate = |index: &i64| u64::try_from(*index).ok().filter(|&index| index < size);
    let mut coordinates = memory::array(indices.len())?;
    coordinates.extend(indices.iter().map_while(coordinate));
    let mut wrong = indices.iter().enumerate().skip(coordinates.len()).filter(|(_, index)| coordinate(index).is_none());
    let outside = |(at, index)| in_array(name, format!("item {at} is {index}, outside the size {size}"));
    let Some(first) = wrong.next() else { return Ok(coordinates) };
    let mut others = Others::default();
    wrong.for_each(|item| others.add(|| outside(item)));
    Err(outside(first).others(others).help(match size {
        0 => "the shape leaves no room for entries".to_string(),
        _ => format!("coordinates count from 0 to {}; correct this one or the shape", size - 1),
    }))
}

/// Places of all items, as coordinates of equal number.
fn each(coords: Vec<Vec<u64>>) -> Result<Places, FileError> {
    let items = coords.first().map_or(0, Vec::len);
    match coords.iter().all(|column| column.len() == items) {
        true => Ok(Places::Each { coords, items }),
        false => {
            let counts: Vec<_> = coords.iter().map(|column| column.len().to_string()).collect();
            Err(in_array("row", format!("the coordinates are of different number: {}", counts.join(", "))))
        }
    }
}

fn each_entry(coords: Vec<Vec<u64>>, items: usize, data: &Array) -> Result<Entries, FileError> {
    let (element, mut values) = data.values().map_err(|error| error.of("data"))?;
    if data.shape.len() != 1 {
        return Err(in_array("data", format!("the shape {:?} is not that of a list of values", data.shape)));
    }
    if values.len() != items {
        return Err(in_array(
            "data",
            format!("{} for {}", counted(values.len(), "value"), counted(items, "coordinate")),
        ));
    }
    values.truncate(coords.first().map_or(items, Vec::len));
    Ok((coords, (element, values)))
}

/// The coordinates of a tensor of any rank: an array with a row for each dimension.
fn stacked_coordinates(archive: &mut Archive<'_>, sizes: &[u64]) -> Result<Vec<Vec<u64>>, FileError> {
    let array = archive.array("coords")?;
    let indices = array.indices().map_err(|error| error.of("coords"))?;
    let error = |message: String| Err(in_array("coords", message));
    let &[rank, entries] = array.shape.as_slice() else {
        return error(format!("the shape {:?} is not that of coordinates", array.shape));
    };
    if rank != sizes.len() as u64 || array.fortran {
        return error(format!("{rank} rows of coordinates, by column or for {} dimensions", sizes.len()));
    }
    let rows = indices.chunks(usize::try_from(entries).unwrap_or(usize::MAX).max(1));
    let mut coords: Vec<Vec<u64>> =
        rows.zip(sizes).map(|(row, &size)| in_range("coords", row, size)).collect::<Result<_, _>>()?;
    coords.resize(sizes.len(), Vec::new());
    Ok(coords)
}

/// Entries gathered one by one.
struct Gathered {
    rows: Vec<u64>,
    columns: Vec<u64>,
    values: Values,
}

impl Gathered {
    /// None yet, with room for `count`.
    fn with_room(element: Element, count: usize) -> Result<Gathered, NoRoom> {
        let values = Values::with_room(element, count)?;
        Ok(Gathered { rows: memory::array(count)?, columns: memory::array(count)?, values })
    }
    /// Leaves out zeros.
    fn push(&mut self, row: u64, column: u64, value: Option<Scalar>) {
        if let Some(value) = value.filter(|value| !value.is_zero()) {
            self.rows.push(row);
            self.columns.push(column);
            self.values.push(value);
        }
    }
    fn entries(self, element: Element) -> Entries {
        (vec![self.rows, self.columns], (element, self.values))
    }
}

fn block_entries((rows, columns, items): (&[u64], &[u64], usize), data: &Array) -> Result<Entries, FileError> {
    let [count, height, width] = data.shape[..] else {
        return Err(in_array("data", "the data are not blocks"));
    };
    if count != items as u64 {
        return Err(in_array("data", format!("{count} blocks for {items} places")));
    }
    let (element, mut values) = data.values().map_err(|error| error.of("data"))?;
    let within = || (0..height).flat_map(|i| (0..width).map(move |j| (i, j)));
    if data.fortran {
        let place = |block| within().map(move |(i, j)| (block + count * (i + height * j)) as usize);
        values = values.picked(&(0..rows.len() as u64).flat_map(place).collect::<Vec<_>>());
    }
    let entries = rows.len().saturating_mul(usize::try_from(height * width).unwrap_or(usize::MAX));
    values.truncate(entries);
    let blocks = || rows.iter().zip(columns);
    let coords = vec![
        filled(entries, blocks().flat_map(|(row, _)| within().map(move |(i, _)| row * height + i)))?,
        filled(entries, blocks().flat_map(|(_, column)| within().map(move |(_, j)| column * width + j)))?,
    ];
    Ok((coords, (element, values)))
}

/// An array of `count` numbers.
fn filled(count: usize, numbers: impl Iterator<Item = u64>) -> Result<Vec<u64>, FileError> {
    let mut array = memory::array(count)?;
    array.extend(numbers);
    Ok(array)
}

fn diagonal_entries(offsets: &[i64], sizes: [u64; 2], data: &Array) -> Result<Entries, FileError> {
    let (element, values) = data.values().map_err(|error| error.of("data"))?;
    let [count, length] = data.shape[..] else {
        return Err(in_array("data", format!("the shape {:?} is not that of diagonals", data.shape)));
    };
    if count != offsets.len() as u64 {
        return Err(in_array("data", format!("{count} diagonals for {} offsets", offsets.len())));
    }
    let mut seen = std::collections::BTreeSet::new();
    if let Some(twice) = offsets.iter().find(|offset| !seen.insert(**offset)) {
        return Err(in_array("offsets", format!("the diagonal {twice} is there twice")));
    }
    let most = values.iter().filter(|value| !value.is_zero()).count();
    let mut gathered = Gathered::with_room(element, most)?;
    for (diagonal, &offset) in (0u64..).zip(offsets) {
        for column in 0..length.min(sizes[1]) {
            let row = i64::try_from(column).ok().and_then(|column| u64::try_from(column.checked_sub(offset)?).ok());
            let at = if data.fortran { diagonal + count * column } else { diagonal * length + column };
            if let Some(row) = row.filter(|&row| row < sizes[0]) {
                gathered.push(row, column, values.get(at as usize));
            }
        }
    }
    Ok(gathered.entries(element))
}

//! Where each entry of a tensor is stored: its coordinate and its position at every level. The terminal lists it; as
//! JSON it is the source of an interactive picture.

use serde_json::{Value, json};

use super::{
    Line, Markup, Role, Screen, TensorView,
    leaves::{self, Leaf},
    markup::display_width,
    number, spy,
};
use nnz_base::ids::Lvl;
use nnz_storage::{
    Storage,
    model::{self, ArrayModel, LevelModel},
};

/// As many entries are listed on a screen.
const MOST_LINES: usize = 40;
/// The most entries that a picture can distinguish, and numbers of an array that it shows.
const MOST_LEAVES: usize = 256;
/// A picture of a larger matrix has as many points.
const MOST_POINTS: usize = 30_000;

impl TensorView<'_> {
    /// The title, the arrays, and a line for each entry: the coordinates and positions of its levels, and its value.
    pub fn storage(&self, screen: Screen) -> Markup {
        self.levels(screen).blank().then(self.places(screen))
    }

    fn places(&self, screen: Screen) -> Markup {
        let Some((leaves, is_cut)) = leaves::first(self.storage, MOST_LINES) else { return spy::unknown() };
        let rows = std::iter::once(self.head()).chain(leaves.iter().map(|leaf| self.row(leaf, screen.precision)));
        let table = aligned(&rows.collect::<Vec<_>>());
        let more = format!("{} the first {MOST_LINES} of the leaves", screen.ellipsis());
        if is_cut { table.line(Line::of(Role::Note, more)) } else { table }
    }

    /// The names of the columns: dimensions, levels, the value.
    fn head(&self) -> Vec<String> {
        let dims = self.storage.encoding().dims().iter().map(|dim| dim.name.clone());
        let levels = model::of_storage(self.storage, 0).levels.into_iter().map(|level| format!("{} @", level.expr));
        dims.chain(levels).chain(["value".to_string()]).collect()
    }

    fn row(&self, leaf: &Leaf, digits: usize) -> Vec<String> {
        let rank = self.storage.dim_sizes().len();
        let padding = || vec!["-".to_string(); rank];
        let dims = leaf.dims.as_ref().map_or_else(padding, |dims| dims.iter().map(u64::to_string).collect());
        let levels = leaf.path.iter().zip(&leaf.positions).map(|(at, position)| format!("{at} @{position}"));
        dims.into_iter().chain(levels).chain([self.text(leaf, digits)]).collect()
    }

    fn text(&self, leaf: &Leaf, digits: usize) -> String {
        let value = self.storage.values().get(leaf.positions.last().copied().unwrap_or(0) as usize);
        value.map_or(String::new(), |value| number::brief(value, self.storage.element(), digits))
    }

    /// The arrays with their numbers as text, abbreviated if they are long; the first leaves of the coordinate tree
    /// with their positions; the places of the entries of a matrix that has more, or of a sample of them.
    pub fn storage_json(&self) -> Value {
        let storage = self.storage;
        let model = model::of_storage(storage, MOST_LEAVES);
        let (leaves, is_cut) = leaves::first(storage, MOST_LEAVES).unwrap_or_default();
        let entry = |leaf: &Leaf| {
            let value = self.text(leaf, Screen::DEFAULT_PRECISION);
            json!({ "path": leaf.path, "positions": leaf.positions, "dims": leaf.dims, "value": value })
        };
        json!({
            "kind": "storage",
            "name": self.name,
            "encoding": self.encoding,
            "map": storage.encoding().to_string(),
            "element": storage.element().name(),
            "shape": storage.dim_sizes(),
            "dims": storage.encoding().dims().iter().map(|dim| dim.name.as_str()).collect::<Vec<_>>(),
            "nse": storage.nse(),
            "bytes": storage.bytes(),
            "levels": model.levels.iter().map(level).collect::<Vec<_>>(),
            "values": array(&model.values, Lvl::new(0)),
            "entries": leaves.iter().map(entry).collect::<Vec<_>>(),
            "all": !is_cut,
            "points": is_cut.then(|| points(storage)),
        })
    }
}

fn level(level: &LevelModel) -> Value {
    json!({
        "expr": level.expr,
        "format": level.format.to_string(),
        "size": level.size.to_string(),
        "find": level.format.find(),
        "arrays": level.arrays.iter().map(|it| array(it, level.lvl)).collect::<Vec<_>>(),
    })
}

fn array(array: &ArrayModel, lvl: Lvl) -> Value {
    let known = |formula: &nnz_storage::Formula| formula.value().and_then(|number| u64::try_from(number).ok());
    let entries = array.entries.as_ref();
    json!({
        "name": array.role.name(lvl),
        "role": array.role.word(),
        "type": array.type_name,
        "tuple": array.tuple,
        "length": known(&array.length),
        "bytes": array.bytes.as_ref().and_then(known),
        "first": entries.map(|entries| &entries.first),
        "omitted": entries.map(|entries| entries.omitted),
        "last": entries.map(|entries| &entries.last),
    })
}

/// Rows and columns; null for a tensor that is not a matrix.
fn points(storage: &Storage) -> Value {
    if storage.dim_sizes().len() != 2 {
        return Value::Null;
    }
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    let seen = spy::places(storage, MOST_POINTS, MOST_POINTS, &mut |row, column| {
        rows.push(row);
        columns.push(column);
    });
    json!({ "rows": rows, "columns": columns, "seen": seen })
}

/// A table whose columns are as wide as they need to be; the first row is its head.
fn aligned(rows: &[Vec<String>]) -> Markup {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |(at, row): (usize, &Vec<String>)| {
        let mut line = Line::new();
        for (column, (text, width)) in row.iter().zip(&widths).enumerate() {
            line.push(Role::Plain, if column == 0 { "" } else { "  " });
            let role = if at == 0 {
                Role::Heading
            } else if column + 1 == columns {
                Role::Number
            } else {
                Role::Plain
            };
            line.push_right(role, text, *width);
        }
        line
    };
    rows.iter().enumerate().map(line).collect()
}

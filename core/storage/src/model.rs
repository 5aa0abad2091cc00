//! The contents of a storage as data, which the terminal, hovers and JSON render.
//!
//! [`of_storage`] describes arrays that exist, and abbreviates long ones; [`of_encoding`] describes the arrays that an
//! encoding would make, with lengths as formulas over the unknown sizes.

mod counting;
mod estimate;
#[cfg(test)]
mod tests;

use counting::Counting;
pub use estimate::{Estimate, Sure};

use super::{Storage, dump::value_text, formula::Formula};
use nnz_base::{
    element::Element,
    ids::{Dim, Lvl},
};
use nnz_encoding::{Encoding, LevelFormat};

/// The arrays of a tensor, level by level.
#[derive(Clone, Debug, PartialEq)]
pub struct StorageModel {
    /// The dimensions' names and sizes.
    pub dims: Vec<(String, Formula)>,
    /// `None` if the tensor is unknown.
    pub element: Option<Element>,
    pub batches: Formula,
    pub levels: Vec<LevelModel>,
    pub values: ArrayModel,
    /// The names in the formulas, with their meanings.
    pub legend: Vec<(String, String)>,
}

/// One level: its format and its arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelModel {
    pub lvl: Lvl,
    /// As in the map, with the user's names: `j floordiv 3`.
    pub expr: String,
    pub format: LevelFormat,
    pub size: Formula,
    /// Positions before coordinates; none for dense and batch levels, nor for those whose coordinates lie in the tuples
    /// of a level above.
    pub arrays: Vec<ArrayModel>,
}

/// One array.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayModel {
    pub role: Role,
    /// How many levels' coordinates an entry holds: more than one in a COO segment without `soa`.
    pub tuple: usize,
    /// The type of an entry, as MLIR names it; `(index, index)` for tuples.
    pub type_name: String,
    /// Entries.
    pub length: Formula,
    /// `None` where the element type is not known.
    pub bytes: Option<Formula>,
    /// `None` if there is no tensor, only its encoding.
    pub entries: Option<Entries>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Positions,
    Coordinates,
    /// Which coordinates have an entry.
    Mask,
    Values,
}

impl Role {
    /// The array's name at a level: `pos[1]`.
    pub fn name(self, lvl: Lvl) -> String {
        match self {
            Role::Positions => format!("pos[{}]", lvl.index()),
            Role::Coordinates => format!("crd[{}]", lvl.index()),
            Role::Mask => format!("mask[{}]", lvl.index()),
            Role::Values => "values".into(),
        }
    }
    pub fn word(self) -> &'static str {
        match self {
            Role::Positions => "positions",
            Role::Coordinates => "coordinates",
            Role::Mask => "mask",
            Role::Values => "values",
        }
    }
}

impl ArrayModel {
    /// The same array with the coordinates of so many levels in each entry.
    fn of_tuples(self, levels: usize) -> ArrayModel {
        let type_name = format!("({})", vec![self.type_name.as_str(); levels].join(", "));
        let bytes = self.bytes.map(|bytes| &bytes * &Formula::from(levels as u64));
        ArrayModel { tuple: levels, type_name, bytes, ..self }
    }
}

/// The entries of an array as text, without the middle if it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    pub first: Vec<String>,
    pub omitted: usize,
    pub last: Vec<String>,
}

impl Entries {
    /// At most `most` of `len` entries, mostly from the start.
    pub fn new(len: usize, most: usize, text: impl Fn(usize) -> String) -> Entries {
        let (first, last) = if len <= most { (len, 0) } else { (most - most / 4, most / 4) };
        let texts = |range: std::ops::Range<usize>| range.map(&text).collect();
        Entries { first: texts(0..first), omitted: len - first - last, last: texts(len - last..len) }
    }
}

impl std::fmt::Display for Entries {
    /// `0 2 2 ... 3`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gap = (self.omitted > 0).then(|| "...".to_string());
        let shown: Vec<String> = self.first.iter().cloned().chain(gap).chain(self.last.iter().cloned()).collect();
        f.write_str(&shown.join(" "))
    }
}

impl StorageModel {
    pub fn arrays(&self) -> impl Iterator<Item = &ArrayModel> {
        self.levels.iter().flat_map(|level| &level.arrays).chain([&self.values])
    }
    /// Bytes of all arrays; `None` where the element type is not known.
    pub fn bytes(&self) -> Option<Formula> {
        self.arrays().try_fold(Formula::default(), |sum, array| Some(&sum + array.bytes.as_ref()?))
    }
    /// `4 x 6 x f64, 8 values, 232 bytes`
    pub fn title(&self) -> String {
        let mut shape: Vec<String> = self.dims.iter().map(|(_, size)| size.to_string()).collect();
        shape.extend(self.element.map(|element| element.to_string()));
        let bytes = self.bytes().map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
        format!("{}, {} values{bytes}", shape.join(" x "), self.values.length)
    }
}

impl std::fmt::Display for StorageModel {
    /// The dump for people: a line per level and per array, columns aligned.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.title())?;
        for level in &self.levels {
            writeln!(f, "level {}  {} : {}, size {}", level.lvl.index(), level.expr, level.format, level.size)?;
            level.arrays.iter().try_for_each(|array| array_line(f, array, level.lvl))?;
        }
        array_line(f, &self.values, Lvl(0))?;
        self.legend.iter().try_for_each(|(name, meaning)| writeln!(f, "{name}: {meaning}"))
    }
}

fn array_line(f: &mut std::fmt::Formatter<'_>, array: &ArrayModel, lvl: Lvl) -> std::fmt::Result {
    let indent = if array.role == Role::Values { "" } else { "  " };
    let bytes = array.bytes.as_ref().map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
    write!(f, "{indent}{} : {} x {}{bytes}", array.role.name(lvl), array.length, array.type_name)?;
    match &array.entries {
        Some(entries) => writeln!(f, " = {entries}"),
        None => writeln!(f),
    }
}

/// Describes `storage`, with at most `most` entries of each array.
pub fn of_storage(storage: &Storage, most: usize) -> StorageModel {
    let known = |&size: &u64| Some(size);
    let sizes: Vec<Option<u64>> = storage.dim_sizes().iter().map(known).collect();
    let mut model = of_encoding(storage.encoding(), Some(storage.element()), &sizes);
    for (level, bounds) in model.levels.iter_mut().zip(storage.bounds()) {
        level.size = Formula::from(bounds.size);
        let lvl = level.lvl;
        level.arrays.iter_mut().for_each(|array| fill(array, storage, lvl, most));
    }
    let (element, values) = (storage.element(), storage.values());
    let text = |at: usize| values.get(at).map_or(String::new(), |value| value_text(element, value));
    model.values.length = Formula::from(values.len() as u64);
    model.values.bytes = Some(Formula::from(values.bytes() as u64));
    model.values.entries = Some(Entries::new(values.len(), most, text));
    model.legend.clear();
    model
}

/// Puts the entries of an existing array in place of its formulas.
fn fill(array: &mut ArrayModel, storage: &Storage, lvl: Lvl, most: usize) {
    let stored = match array.role {
        Role::Positions => storage.positions(lvl),
        Role::Coordinates | Role::Mask => storage.coordinates(lvl),
        Role::Values => None,
    };
    let Some(stored) = stored else { return };
    array.length = Formula::from(stored.len() as u64);
    array.bytes = Some(Formula::from((stored.bytes() * array.tuple) as u64));
    let of_level = |lvl: Lvl, at: usize| {
        let origin = if array.role == Role::Coordinates { i128::from(storage.shown_origin(lvl)) } else { 0 };
        let column = if array.role == Role::Positions { storage.positions(lvl) } else { storage.coordinates(lvl) };
        column.map_or_else(String::new, |column| (i128::from(column.at(at)) + origin).to_string())
    };
    let tuple = |at: usize| {
        let parts: Vec<String> = (0..array.tuple).map(|k| of_level(Lvl::new(lvl.index() + k), at)).collect();
        format!("({})", parts.join(", "))
    };
    let entry = |at: usize| if array.tuple > 1 { tuple(at) } else { of_level(lvl, at) };
    array.entries = Some(Entries::new(stored.len(), most, entry));
}

/// Describes what `encoding` stores of a tensor whose sizes may be unknown (`None`); a dimension
/// without a size in `sizes` is unknown too.
pub fn of_encoding(encoding: &Encoding, element: Option<Element>, sizes: &[Option<u64>]) -> StorageModel {
    let dims: Vec<(String, Formula)> = (0..encoding.dim_rank()).map(|at| dimension(encoding, sizes, at)).collect();
    let mut counts = Counting::new(encoding);
    let levels = (0..encoding.lvl_rank()).map(|at| counts.level(&dims, Lvl::new(at))).collect();
    let length = &counts.parents * &counts.batches;
    let bytes = element.map(|element| &length * &Formula::from(element.bytes() as u64));
    let type_name = element.map_or("element".into(), |element| element.to_string());
    let values = ArrayModel { role: Role::Values, tuple: 1, type_name, length, bytes, entries: None };
    let mut legend = size_legend(&dims);
    legend.append(&mut counts.legend);
    StorageModel { dims, element, batches: counts.batches, levels, values, legend }
}

/// A dimension's name, and its size or the name of that: `I` for `i`.
fn dimension(encoding: &Encoding, sizes: &[Option<u64>], at: usize) -> (String, Formula) {
    let name = encoding.dims().get(at).map_or_else(|| Dim::new(at).to_string(), |dim| dim.name.clone());
    let slice = encoding.dims().get(at).and_then(|dim| dim.slice?.size);
    let size = match sizes.get(at).copied().flatten().or(slice) {
        Some(size) => Formula::from(size),
        None => Formula::name(name.to_uppercase()),
    };
    (name, size)
}

fn size_legend(dims: &[(String, Formula)]) -> Vec<(String, String)> {
    let unknown = dims.iter().filter(|(_, size)| size.value().is_none());
    unknown.map(|(name, size)| (size.to_string(), format!("size of dimension {name}"))).collect()
}

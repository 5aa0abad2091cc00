//! The contents of a storage as data that every view renders: the terminal, hovers, JSON.
//!
//! [`of_storage`] describes arrays that exist, elided where they are long; [`of_encoding`] the arrays
//! that an encoding would make, their lengths as formulas over the sizes that are not known.

use super::{Storage, bounds, dump::value_text, formula::Formula};
use nnz_base::{
    arrays::Width,
    element::Element,
    ids::{Dim, Lvl},
};
use nnz_encoding::{
    Affine, CooSegment, Encoding, Layout, LevelFormat,
    format::{Below, Stores},
};

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

/// Where the coordinates of a level lie, if it belongs to a COO segment that keeps tuples.
enum Tuple {
    None,
    /// The start of tuples over this number of levels.
    Of(usize),
    /// In the tuples of a level above.
    Above,
}

/// Counts positions from the outermost level inwards.
struct Counting<'a> {
    encoding: &'a Encoding,
    batches: Formula,
    /// Positions of the level above, in each batch.
    parents: Formula,
    legend: Vec<(String, String)>,
}

impl<'a> Counting<'a> {
    fn new(encoding: &'a Encoding) -> Self {
        Counting { encoding, batches: Formula::from(1u64), parents: Formula::from(1u64), legend: Vec::new() }
    }

    fn level(&mut self, dims: &[(String, Formula)], lvl: Lvl) -> LevelModel {
        let level = &self.encoding.levels()[lvl.index()];
        let size = level_size(&level.expr, dims);
        if let Some(dim) = level.counts() {
            let name = self.encoding.dims().get(dim.index()).map_or_else(|| dim.to_string(), |dim| dim.name.clone());
            self.legend.push(("K".into(), format!("the most entries with the same {name}")));
        }
        let above = std::mem::take(&mut self.parents);
        let one = Formula::from(1u64);
        let (positions, below) = match level.format.below() {
            Below::Batch => {
                self.batches = &self.batches * &size;
                (None, above)
            }
            Below::Size => (None, &above * &size),
            Below::Segment => (Some(&above + &one), self.stored(lvl)),
            Below::Pair => (Some(&(&above * &Formula::from(2u64)) + &one), self.stored(lvl)),
            Below::One => (None, above),
            Below::Exactly(count) => (None, &above * &Formula::from(count)),
        };
        let coordinates = level.format.has_coordinates().then(|| below.clone());
        self.parents = below;
        let (pos, crd) = (self.encoding.pos_width(), self.encoding.coordinates_width(lvl));
        let role = if level.format.has_mask() { Role::Mask } else { Role::Coordinates };
        let positions = positions.map(|length| self.array(Role::Positions, length, pos));
        let coordinates = coordinates.and_then(|length| match self.tuple_of(lvl) {
            Tuple::None => Some(self.array(role, length, crd)),
            Tuple::Of(levels) => Some(self.array(role, length, crd).of_tuples(levels)),
            Tuple::Above => None,
        });
        let expr = self.encoding.level_text(lvl);
        LevelModel { lvl, expr, format: level.format, size, arrays: positions.into_iter().chain(coordinates).collect() }
    }

    fn array(&self, role: Role, length: Formula, width: Width) -> ArrayModel {
        let length = &length * &self.batches;
        let bytes = match width.bits() {
            bits @ 0..8 => length.div_ceil(u64::from(8 / bits.max(1))),
            bits => &length * &Formula::from(u64::from(bits / 8)),
        };
        ArrayModel { role, tuple: 1, type_name: width.type_name().into(), length, bytes: Some(bytes), entries: None }
    }

    /// Whether the coordinates of a level lie in tuples.
    fn tuple_of(&self, lvl: Lvl) -> Tuple {
        let tuples = self.encoding.coo_segments().into_iter().filter(|segment| segment.layout == Layout::Aos);
        let holds =
            |segment: &CooSegment| (segment.head.index()..segment.head.index() + segment.len).contains(&lvl.index());
        match { tuples }.find(holds) {
            None => Tuple::None,
            Some(segment) if segment.head == lvl => Tuple::Of(segment.len),
            Some(_) => Tuple::Above,
        }
    }

    /// The number of positions that a compressed level stores: a name of its own.
    fn stored(&mut self, lvl: Lvl) -> Formula {
        let at = lvl.index();
        let format = self.encoding.format(lvl);
        let (name, meaning) = match format.row().stores {
            Stores::Coordinates if format.has_holes() => {
                (format!("slots{at}"), format!("slots of the hash tables of level {at}"))
            }
            Stores::Ends => ("runs".to_string(), "runs of equal values".to_string()),
            Stores::Deltas => (format!("nnz{at}"), format!("stored coordinates of level {at}, and fillers")),
            Stores::Coordinates | Stores::Mask | Stores::Nothing => self.stored_coordinates(at),
        };
        self.legend.push((name.clone(), meaning));
        Formula::name(name)
    }

    /// What the positions of level `at` are called, by what lies below them.
    fn stored_coordinates(&self, at: usize) -> (String, String) {
        let below = self.encoding.levels()[at + 1..].iter().map(|level| level.format);
        let rest: Vec<LevelFormat> = below.skip_while(|format| format.is_branchless()).collect();
        if rest.is_empty() {
            ("nnz".to_string(), "stored entries".to_string())
        } else if rest.iter().all(|format| format.is_full()) {
            ("nnzb".to_string(), "stored blocks".to_string())
        } else {
            (format!("nnz{at}"), format!("stored coordinates of level {at}"))
        }
    }
}

/// The size of a level; `?` where it does not follow from the sizes that are known.
fn level_size(expr: &Affine<Dim>, dims: &[(String, Formula)]) -> Formula {
    let size = |dim: Dim| dims.get(dim.index()).map_or_else(Formula::default, |(_, size)| size.clone());
    if let Some(dim) = expr.as_var() {
        return size(dim);
    }
    let positive = |c: i64| u64::try_from(c).ok().filter(|&c| c > 0);
    if let Some((dim, by)) = expr.as_floordiv().and_then(|(e, c)| e.as_var().zip(positive(c))) {
        return size(dim).div_ceil(by);
    }
    if let Some(by) = expr.as_mod().and_then(|(_, c)| positive(c)) {
        return Formula::from(by);
    }
    if let Ok(Some(counter)) = bounds::counter(expr) {
        return counter.slices.map_or_else(|| Formula::name("K"), Formula::from);
    }
    let known: Option<Vec<u64>> = dims.iter().map(|(_, size)| u64::try_from(size.value()?).ok()).collect();
    match known.map(|sizes| bounds::of_level(expr, &sizes)) {
        Some(Ok(bounds)) => Formula::from(bounds.size),
        _ => Formula::name("?"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use expect_test::expect;

    use super::*;
    use crate::{Triplets, pack};
    use nnz_base::arrays::Values;
    use nnz_encoding::named;

    #[test]
    fn an_encoding_without_a_tensor_has_formulas() {
        let model = of_encoding(&named::csr().unwrap(), None, &[]);
        expect![[r#"
            I x J, nnz values
            level 0  i : dense, size I
            level 1  j : compressed, size J
              pos[1] : I + 1 x index, 8 * I + 8 bytes
              crd[1] : nnz x index, 8 * nnz bytes
            values : nnz x element
            I: size of dimension i
            J: size of dimension j
            nnz: stored entries
        "#]]
        .assert_eq(&model.to_string());
    }

    #[test]
    fn known_sizes_are_put_in() {
        let model = of_encoding(&named::csf(3).unwrap(), Some(Element::F32), &[Some(10), None, Some(20)]);
        expect![[r#"
            10 x J x 20 x f32, nnz values, 12 * nnz + 16 * nnz0 + 16 * nnz1 + 32 bytes
            level 0  i : compressed, size 10
              pos[0] : 2 x index, 16 bytes
              crd[0] : nnz0 x index, 8 * nnz0 bytes
            level 1  j : compressed, size J
              pos[1] : nnz0 + 1 x index, 8 * nnz0 + 8 bytes
              crd[1] : nnz1 x index, 8 * nnz1 bytes
            level 2  k : compressed, size 20
              pos[2] : nnz1 + 1 x index, 8 * nnz1 + 8 bytes
              crd[2] : nnz x index, 8 * nnz bytes
            values : nnz x f32, 4 * nnz bytes
            J: size of dimension j
            nnz0: stored coordinates of level 0
            nnz1: stored coordinates of level 1
            nnz: stored entries
        "#]]
        .assert_eq(&model.to_string());
    }

    #[test]
    fn levels_beyond_mlir_have_their_arrays() {
        let check = |encoding: &Encoding, expected: expect_test::Expect| {
            expected.assert_eq(&of_encoding(encoding, None, &[]).to_string());
        };
        let column = |format| named::permuted(&[0, 1], &[LevelFormat::Dense, format]).unwrap();
        check(
            &named::lookup("ELL", &[], None).unwrap(),
            expect![[r#"
            I x J, I * K values
            level 0  #i : dense, size K
            level 1  i : dense, size I
            level 2  j : singleton(soa), size J
              crd[2] : I * K x index, 8 * I * K bytes
            values : I * K x element
            I: size of dimension i
            J: size of dimension j
            K: the most entries with the same i
        "#]],
        );
        check(
            &named::lookup("DELTA", &[4], None).unwrap(),
            expect![[r#"
            I x J, nnz1 values
            level 0  i : dense, size I
            level 1  j : delta[4], size J
              pos[1] : I + 1 x index, 8 * I + 8 bytes
              crd[1] : nnz1 x index, 8 * nnz1 bytes
            values : nnz1 x element
            I: size of dimension i
            J: size of dimension j
            nnz1: stored coordinates of level 1, and fillers
        "#]],
        );
        check(
            &column(LevelFormat::Bitmap),
            expect![[r#"
            I x J, I * J values
            level 0  i : dense, size I
            level 1  j : bitmap, size J
              mask[1] : I * J x i8, I * J bytes
            values : I * J x element
            I: size of dimension i
            J: size of dimension j
        "#]],
        );
        check(
            &column(LevelFormat::Hashed),
            expect![[r#"
            I x J, slots1 values
            level 0  i : dense, size I
            level 1  j : hashed, size J
              pos[1] : I + 1 x index, 8 * I + 8 bytes
              crd[1] : slots1 x index, 8 * slots1 bytes
            values : slots1 x element
            I: size of dimension i
            J: size of dimension j
            slots1: slots of the hash tables of level 1
        "#]],
        );
        check(
            &column(LevelFormat::RunLength),
            expect![[r#"
            I x J, runs values
            level 0  i : dense, size I
            level 1  j : run_length, size J
              pos[1] : I + 1 x index, 8 * I + 8 bytes
              crd[1] : runs x index, 8 * runs bytes
            values : runs x element
            I: size of dimension i
            J: size of dimension j
            runs: runs of equal values
        "#]],
        );
    }

    #[test]
    fn long_arrays_are_elided() {
        let ten = Triplets::new(
            vec![3, 10],
            Element::I32,
            vec![vec![1; 10], (0..10).collect()],
            Values::I32((0..10).collect()),
        );
        let storage = pack(&ten.unwrap(), &Arc::new(named::csr().unwrap())).unwrap();
        expect![[r#"
            3 x 10 x i32, 10 values, 152 bytes
            level 0  i : dense, size 3
            level 1  j : compressed, size 10
              pos[1] : 4 x index, 32 bytes = 0 0 10 10
              crd[1] : 10 x index, 80 bytes = 0 1 2 ... 9
            values : 10 x i32, 40 bytes = 0 1 2 ... 9
        "#]]
        .assert_eq(&of_storage(&storage, 4).to_string());
    }
}

//! The state that packing carries from level to level: the sorted entries and the position of each.

use crate::{Bounds, StorageError, bounds, columns::Column};
use nnz_base::{
    arrays::Values,
    element::{Scalar, Value},
    ids::Lvl,
    memory,
};
use nnz_encoding::Encoding;

/// The arrays of a level before they are parted by batch and narrowed.
#[derive(Default)]
pub(crate) struct RawLevel {
    pub(crate) positions: Option<Vec<u64>>,
    pub(crate) coordinates: Option<Vec<u64>>,
}

/// The position of each entry at the level built last; never falling.
enum Owner<'a> {
    /// All below the root.
    Root,
    /// Entry e at position e.
    Each,
    List(Column<'a>),
}

/// Entries that are sorted and distinct by their level coordinates, being stored level by level.
pub(crate) struct Builder<'a> {
    encoding: &'a Encoding,
    bounds: &'a [Bounds],
    /// One column of coordinates per level; taken by the level that stores it.
    columns: Vec<Column<'a>>,
    len: usize,
    values: &'a Values,
    /// Where each entry came from, once a level has put them in another order.
    order: Option<Vec<usize>>,
    owner: Owner<'a>,
    /// Positions of the level built last.
    count: u64,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(
        encoding: &'a Encoding,
        bounds: &'a [Bounds],
        columns: Vec<Column<'a>>,
        values: &'a Values,
    ) -> Self {
        Builder { encoding, bounds, columns, len: values.len(), values, order: None, owner: Owner::Root, count: 1 }
    }

    pub(super) fn size(&self, lvl: Lvl) -> u64 {
        self.bounds[lvl.index()].size
    }
    fn origin_of(&self, entry: usize) -> usize {
        self.order.as_ref().map_or(entry, |order| order[entry])
    }
    pub(super) fn is_zero(&self, entry: usize) -> bool {
        let at = self.origin_of(entry);
        nnz_base::with_values!(self.values, v => v[at].is_zero())
    }
    /// Whether two values are one; zeros of different signs are two, on which branch cuts and quotients depend.
    pub(super) fn is_same(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.origin_of(a), self.origin_of(b));
        let signs = |at: usize| self.values.get(at).map(signs);
        nnz_base::with_values!(self.values, v => v[a] == v[b]) && signs(a) == signs(b)
    }

    /// # Errors
    /// There is no room for the arrays of a level: a number for each position above it, and for each entry its place
    /// and its coordinate.
    pub(super) fn check_room(&self) -> Result<(), StorageError> {
        Ok(memory::room_for(u128::from(self.count) + 2 * self.len as u128, 8)?)
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }
    pub(super) fn column(&self, lvl: Lvl) -> &[u64] {
        &self.columns[lvl.index()]
    }
    fn owner_of(&self, entry: usize) -> u64 {
        match &self.owner {
            Owner::Root => 0,
            Owner::Each => entry as u64,
            Owner::List(owners) => owners[entry],
        }
    }
    /// The entries and the position of each.
    pub(super) fn owners(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len).map(|entry| self.owner_of(entry))
    }
    fn take_column(&mut self, lvl: Lvl) -> Column<'a> {
        std::mem::take(&mut self.columns[lvl.index()])
    }

    /// Every position gets `size` positions below it, and each entry the one of its coordinate.
    pub(super) fn fill(&mut self, lvl: Lvl) -> Result<(), StorageError> {
        let size = self.bounds[lvl.index()].size;
        let coordinates = self.take_column(lvl);
        let position = |(owner, &coordinate): (u64, &u64)| owner * size + coordinate;
        self.grow(lvl, size)?;
        self.owner = Owner::List(match self.owner {
            Owner::Root => coordinates,
            Owner::Each | Owner::List(_) => self.owners().zip(coordinates.iter()).map(position).collect(),
        });
        Ok(())
    }

    /// Multiplies the number of positions.
    pub(super) fn grow(&mut self, lvl: Lvl, factor: u64) -> Result<(), StorageError> {
        self.count = bounds::positions(lvl, self.count, factor)?;
        Ok(())
    }

    /// The coordinates of position `position` of the level above `lvl`, all levels above being dense.
    pub(super) fn dense_coordinates(&self, lvl: Lvl, position: u64) -> Vec<u64> {
        let mut rest = position;
        let mut coordinates: Vec<u64> = Vec::with_capacity(lvl.index());
        for bounds in self.bounds[..lvl.index()].iter().rev() {
            coordinates.push(rest % bounds.size.max(1));
            rest /= bounds.size.max(1);
        }
        coordinates.reverse();
        coordinates
    }

    pub(super) fn set_owners(&mut self, owners: Vec<u64>) {
        self.owner = Owner::List(owners.into());
    }

    /// Gives every entry its position among `count`.
    pub(super) fn set_places(&mut self, owners: Vec<u64>, count: u64) {
        self.set_owners(owners);
        self.count = count;
    }

    /// Moves every position of the level built last to its place among `count`.
    pub(super) fn spread(&mut self, places: &[u64], count: u64) {
        let owners = self.owners().map(|position| places[position as usize]).collect();
        self.owner = Owner::List(owners);
        self.count = count;
    }

    /// The same to places in any order, after which the entries are put in theirs.
    pub(super) fn scatter(&mut self, places: &[u64], count: u64) {
        self.spread(places, count);
        let owners: Vec<u64> = self.owners().collect();
        let mut order: Vec<usize> = (0..self.len).collect();
        order.sort_by_key(|&entry| owners[entry]);
        let moved = |column: &Column<'a>| match column.len() {
            0 => Column::default(),
            _ => order.iter().map(|&entry| column[entry]).collect(),
        };
        self.columns = self.columns.iter().map(moved).collect();
        self.owner = Owner::List(order.iter().map(|&entry| owners[entry]).collect());
        self.order = Some(order.into_iter().map(|entry| self.origin_of(entry)).collect());
    }

    /// A segment of positions below each position: one per distinct coordinate, or per distinct tuple of them
    /// if singletons follow; one per entry if the coordinates need not be unique. Returns the starts of the
    /// segments, and the end of the last.
    pub(super) fn split(&mut self, lvl: Lvl) -> Vec<u64> {
        let (tuple, per_entry) = self.tuple_at(lvl);
        let (positions, owner, count) = if per_entry {
            (self.segments(0..self.len), Owner::Each, self.len as u64)
        } else {
            let heads: Vec<usize> = (0..self.len).filter(|&entry| self.is_head(entry, &tuple)).collect();
            let segments = self.segments(heads.iter().copied());
            (segments, Owner::List(owners_by_heads(&heads, self.len).into()), heads.len() as u64)
        };
        (self.owner, self.count) = (owner, count);
        positions
    }

    /// The levels whose coordinates are stored together from `lvl` on, and whether every entry gets a
    /// position of its own there.
    fn tuple_at(&self, lvl: Lvl) -> (std::ops::Range<usize>, bool) {
        let segment = self.encoding.coo_segments().into_iter().find(|segment| segment.head == lvl);
        let end = lvl.index() + segment.map_or(1, |segment| segment.len);
        let nonunique = self.encoding.format(Lvl::new(end - 1)).props().nonunique;
        (lvl.index()..end, nonunique || end == self.encoding.lvl_rank())
    }

    fn is_head(&self, entry: usize, tuple: &std::ops::Range<usize>) -> bool {
        let differs = |column: &Column<'_>| column[entry] != column[entry - 1];
        entry == 0
            || self.owner_of(entry) != self.owner_of(entry - 1)
            || self.columns[tuple.clone()].iter().any(differs)
    }

    /// The starts of the segments that `heads`, in order, make below their owners.
    fn segments(&self, heads: impl ExactSizeIterator<Item = usize>) -> Vec<u64> {
        if matches!(self.owner, Owner::Each) && heads.len() == self.len {
            return (0..=self.len as u64).collect();
        }
        let mut starts = vec![0; self.count as usize + 1];
        heads.for_each(|entry| starts[self.owner_of(entry) as usize + 1] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        starts
    }

    /// The coordinate of each position of `lvl`, which must have entries at every position.
    pub(super) fn coordinates(&mut self, lvl: Lvl) -> Vec<u64> {
        let column = self.take_column(lvl);
        if matches!(self.owner, Owner::Each) {
            return column.into_owned();
        }
        let is_first = |&entry: &usize| entry == 0 || self.owner_of(entry) != self.owner_of(entry - 1);
        (0..self.len).filter(is_first).map(|entry| column[entry]).collect()
    }

    pub(super) fn has_holes(&self, lvl: Lvl) -> bool {
        self.encoding.has_holes(lvl)
    }

    /// The coordinate of each position of `lvl`, and the level's size where there is no entry.
    ///
    /// # Errors
    /// There is not enough room for them.
    pub(super) fn padded_coordinates(&mut self, lvl: Lvl) -> Result<Vec<u64>, StorageError> {
        memory::room_for(self.count.into(), 8)?;
        let column = self.take_column(lvl);
        let mut coordinates = vec![self.bounds[lvl.index()].size; self.count as usize];
        self.owners().zip(column.iter()).for_each(|(owner, &coordinate)| coordinates[owner as usize] = coordinate);
        Ok(coordinates)
    }

    /// The number of positions below the last level and, unless entry e is at position e, the position of each entry in
    /// the order they came.
    pub(crate) fn finish(self) -> (u64, Option<Vec<u64>>) {
        if let Some(order) = &self.order {
            let mut owners = vec![0; self.len];
            self.owners().zip(order).for_each(|(owner, &came)| owners[came] = owner);
            return (self.count, Some(owners));
        }
        let owners = match self.owner {
            Owner::Each => None,
            Owner::Root => Some(vec![0; self.len]),
            Owner::List(owners) => Some(owners.into_owned()),
        };
        (self.count, owners)
    }
}

fn owners_by_heads(heads: &[usize], len: usize) -> Vec<u64> {
    let ends = heads.iter().skip(1).copied().chain([len]);
    let runs = heads.iter().zip(ends).enumerate();
    runs.flat_map(|(position, (&start, end))| std::iter::repeat_n(position as u64, end - start)).collect()
}

/// Whether the parts of a number are negative, zeros too.
fn signs(value: Scalar) -> [bool; 2] {
    match value {
        Scalar::Float(x) => [x.is_sign_negative(), false],
        Scalar::Complex(z) => [z.re.is_sign_negative(), z.im.is_sign_negative()],
        Scalar::Int(x) => [x < 0, false],
    }
}

//! Level formats and their properties. A property exists only where it is legal: `dense(nonunique)` cannot be
//! constructed.

mod row;
mod rows;

pub use row::{Assembles, Below, Mlir, Row, Stores, Written};
pub use rows::{LevelFormat, ROWS, beyond_mlir, named, of_mlir};

/// What may stand in parentheses behind the names of formats.
pub const PROPERTIES: [&str; 3] = ["nonunique", "nonordered", "soa"];

/// Properties of a level that stores coordinates. The default is unique and ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Props {
    /// Equal coordinates may repeat in a segment.
    pub nonunique: bool,
    /// The coordinates of a segment are in no order.
    pub nonordered: bool,
}

/// How a COO segment keeps the coordinates of its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// One array of tuples.
    Aos,
    /// One array per level (`soa`).
    Soa,
}

/// `structured[n, m]`: exactly n of every m; `n <= m` and `m >= 1` by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NOutOfM {
    n: u64,
    m: u64,
}

impl NOutOfM {
    pub fn new(n: u64, m: u64) -> Option<Self> {
        (n <= m && m >= 1).then_some(Self { n, m })
    }
    pub fn n(self) -> u64 {
        self.n
    }
    pub fn m(self) -> u64 {
        self.m
    }
}

/// The bits of a delta: 1 to 63 by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeltaBits(u8);

impl DeltaBits {
    pub const MOST: u64 = 63;

    pub fn new(bits: u64) -> Option<Self> {
        u8::try_from(bits).ok().filter(|bits| (1..=Self::MOST).contains(&u64::from(*bits))).map(Self)
    }
    pub fn bits(self) -> u64 {
        self.0.into()
    }
    /// The largest delta; one with the value zero may be a filler, which only bridges a gap.
    pub fn most(self) -> u64 {
        (1 << self.0) - 1
    }
}

impl LevelFormat {
    /// Its name in the text of encodings, without properties.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    /// A level type of MLIR 22.
    pub fn is_mlir(self) -> bool {
        matches!(self.row().mlir, Mlir::Has)
    }
    /// Every coordinate of the level exists below every position ("full" in Chou 2018, section 3), at the
    /// position `parent * size + coordinate`; in a `range` level, every one that lies in the tensor.
    pub fn is_full(self) -> bool {
        self.row().is_full
    }
    /// Every position has exactly one below it ("branchless" in Chou 2018, section 3).
    pub fn is_branchless(self) -> bool {
        self.row().below == Below::One
    }
    /// A position of the level depends on the positions before it: a loop must visit them in order, on one
    /// thread.
    pub fn is_sequential(self) -> bool {
        self.row().is_sequential
    }
    /// A position may stand for many coordinates, so a tensor can have more entries than values.
    pub fn shares_positions(self) -> bool {
        self.row().stores == Stores::Ends
    }
    /// Some of the level's positions have no entry, which the array of coordinates marks.
    pub fn has_holes(self) -> bool {
        self.row().has_holes
    }
    /// There are `size` positions below each, in its batch.
    pub fn multiplies(self) -> bool {
        self.row().below == Below::Size
    }
    /// The coordinates below a position are ordered and unique, each at its own position, which can be read
    /// again: loops can merge the level with others.
    pub fn merges(self) -> bool {
        self.row().walks && self.props() == Props::default()
    }
    /// The position of a coordinate below any position, and whether it is stored at all, can be found without a
    /// walk ("locate" in Chou 2018, section 3).
    pub fn locates(self) -> bool {
        self.row().locates
    }
    /// A loop over every coordinate is a walk of the level: it has a place for each.
    pub fn has_every_place(self) -> bool {
        self.is_full() || self.multiplies()
    }
    /// If the level is outermost, any range of its coordinates has a range of positions, which can be found
    /// without walking the level.
    pub fn is_cut(self) -> bool {
        self.row().is_cut && !self.props().nonordered
    }
    /// What it costs to find a coordinate: `find O(log n)`.
    pub fn find(self) -> &'static str {
        let unordered = self.heads_tuples() && self.props().nonordered;
        if unordered { "find O(n)" } else { self.row().find }
    }
    /// Singletons may follow, which store tuples together with it.
    pub fn heads_tuples(self) -> bool {
        self.row().heads_tuples
    }
    pub fn has_positions(self) -> bool {
        matches!(self.row().below, Below::Segment | Below::Pair)
    }
    /// It has an array of coordinates, or one from which they follow.
    pub fn has_coordinates(self) -> bool {
        self.row().stores != Stores::Nothing
    }
    /// The array of coordinates holds the coordinates themselves.
    pub fn stores_plain_coordinates(self) -> bool {
        matches!(self.row().stores, Stores::Coordinates | Stores::Ends)
    }
    /// There is padding: slots without an entry, with the value zero, that cannot be distinguished from entries.
    pub fn pads(self) -> bool {
        self.row().pads
    }
    /// How a kernel's loops can fill the level; `None` if only packing can.
    pub fn assembles(self) -> Option<Assembles> {
        self.row().assembles
    }
    /// Every coordinate has the position `parent * size + coordinate`, and no test for an entry is needed.
    pub fn is_dense(self) -> bool {
        self.is_full() && self.locates() && self.multiplies()
    }
    /// For each coordinate there is a byte that says whether it has an entry.
    pub fn has_mask(self) -> bool {
        self.row().stores == Stores::Mask
    }
    /// The array of coordinates lists those of all entries, one segment after another.
    pub fn lists_entries(self) -> bool {
        let Row { below, stores, has_holes, .. } = *self.row();
        below == Below::Segment && stores == Stores::Coordinates && !has_holes
    }
    /// A loop visits only the coordinates whose other dimensions on the diagonal lie in the tensor.
    pub fn clips(self) -> bool {
        self.row().clips
    }
    /// A leading axis of every array of the tensor.
    pub fn is_batch(self) -> bool {
        self.row().below == Below::Batch
    }
    /// How a level that stores tuples with the level above keeps its coordinates.
    pub fn layout(self) -> Option<Layout> {
        self.held().layout
    }
    /// The format with another layout, or itself if it has none.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> LevelFormat {
        match self.row().written {
            Written::Word(format) => format(self.props(), layout),
            Written::WithBlock(_) | Written::WithBits(_) => self,
        }
    }
    /// How many coordinates the level stores out of how many, if that is fixed.
    pub fn block(self) -> Option<NOutOfM> {
        self.held().block
    }
    /// The numbers in brackets behind the name: `[n, m]`, `[b]`.
    pub fn arguments(self) -> Vec<u64> {
        let block = self.block().map_or(Vec::new(), |block| vec![block.n(), block.m()]);
        block.into_iter().chain(self.held().bits.map(DeltaBits::bits)).collect()
    }
    /// The positions below a position of the level above.
    pub fn below(self) -> Below {
        match (self.row().below, self.block()) {
            (Below::Exactly(_), Some(block)) => Below::Exactly(block.n()),
            (below, _) => below,
        }
    }
    /// The format with other properties, or itself if it takes none.
    #[must_use]
    pub fn with_props(self, props: Props) -> LevelFormat {
        match self.row().written {
            Written::Word(format) => format(props, self.layout().unwrap_or(Layout::Aos)),
            Written::WithBlock(_) | Written::WithBits(_) => self,
        }
    }
    /// The properties. Formats that take none are unique, and all of these except `hashed` are ordered.
    pub fn props(self) -> Props {
        let plain = Props { nonunique: false, nonordered: self.row().is_unordered };
        self.held().props.unwrap_or(plain)
    }
}

impl std::fmt::Display for LevelFormat {
    /// MLIR's printed form: `compressed(nonunique, nonordered)`, `structured[2, 4]`; likewise `delta[4]`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        let arguments = self.arguments();
        if !arguments.is_empty() {
            return write!(f, "{arguments:?}");
        }
        if self.row().properties.is_empty() {
            return Ok(());
        }
        let Props { nonunique, nonordered } = self.props();
        let soa = self.layout() == Some(Layout::Soa);
        let all = [nonunique, nonordered, soa].into_iter().zip(PROPERTIES);
        let set: Vec<&str> = all.filter(|(on, _)| *on).map(|(_, name)| name).collect();
        if set.is_empty() { Ok(()) } else { write!(f, "({})", set.join(", ")) }
    }
}

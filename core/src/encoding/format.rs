//! Level formats and their properties. A property lives only where it is legal, so that
//! `dense(nonunique)` cannot be written down.

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

/// What a level stores per parent position (encoding.md, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelFormat {
    /// All coordinates; no arrays.
    Dense,
    /// All coordinates; every array of the tensor gets this level as a leading axis.
    Batch,
    /// A segment `pos[p]..pos[p+1]`.
    Compressed(Props),
    /// A segment `pos[2p]..pos[2p+1]`, gaps allowed.
    LooseCompressed(Props),
    /// Exactly one coordinate.
    Singleton { props: Props, layout: Layout },
    /// Exactly n of m coordinates.
    Structured(NOutOfM),
}

impl LevelFormat {
    /// As the encoding's text names it, without properties.
    pub fn name(self) -> &'static str {
        match self {
            LevelFormat::Dense => "dense",
            LevelFormat::Batch => "batch",
            LevelFormat::Compressed(_) => "compressed",
            LevelFormat::LooseCompressed(_) => "loose_compressed",
            LevelFormat::Singleton { .. } => "singleton",
            LevelFormat::Structured(_) => "structured",
        }
    }
    /// Every coordinate of the level is there below every position ("full" in Chou 2018, section 3).
    pub fn is_full(self) -> bool {
        matches!(self, LevelFormat::Dense | LevelFormat::Batch)
    }
    /// Every position has exactly one below it ("branchless" in Chou 2018, section 3).
    pub fn is_branchless(self) -> bool {
        matches!(self, LevelFormat::Singleton { .. })
    }
    pub fn has_positions(self) -> bool {
        matches!(self, LevelFormat::Compressed(_) | LevelFormat::LooseCompressed(_))
    }
    pub fn has_coordinates(self) -> bool {
        !matches!(self, LevelFormat::Dense | LevelFormat::Batch)
    }
    /// Unique and ordered for the formats that have no properties.
    pub fn props(self) -> Props {
        match self {
            LevelFormat::Compressed(props)
            | LevelFormat::LooseCompressed(props)
            | LevelFormat::Singleton { props, .. } => props,
            LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Structured(_) => Props::default(),
        }
    }
}

impl std::fmt::Display for LevelFormat {
    /// MLIR's printed form: `compressed(nonunique, nonordered)`, `structured[2, 4]`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        if let LevelFormat::Structured(block) = self {
            return write!(f, "[{}, {}]", block.n(), block.m());
        }
        let Props { nonunique, nonordered } = self.props();
        let soa = matches!(self, LevelFormat::Singleton { layout: Layout::Soa, .. });
        let all = [(nonunique, "nonunique"), (nonordered, "nonordered"), (soa, "soa")];
        let set: Vec<&str> = all.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        if set.is_empty() { Ok(()) } else { write!(f, "({})", set.join(", ")) }
    }
}

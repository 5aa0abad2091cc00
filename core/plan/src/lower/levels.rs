//! How to walk the levels of a sparse operand. There is one file per format; each gives the loop over the positions or
//! coordinates below a parent position, and what one step of the loop finds.

mod batch;
mod bitmap;
mod compressed;
mod delta;
mod dense;
mod hashed;
mod loose_compressed;
mod range;
mod run_length;
mod singleton;
mod structured;

use nnz_encoding::LevelFormat;
use nnz_loops::{ArrayId, Builder, ExprId, Type, VarId};

/// The position of a walk above a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    /// The position in the level above, counted in its batch.
    pub(super) position: ExprId,
    /// The number of the batch, if there are batch levels.
    pub(super) batch: Option<ExprId>,
}

/// An array of a level, as seen from the batch that the walk is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) array: ArrayId,
    /// Where the batch's part starts.
    pub(super) start: ExprId,
}

impl Segment {
    fn load(self, b: &mut Builder, at: ExprId) -> ExprId {
        let at = b.add(self.start, at);
        b.load(self.array, at)
    }
}

/// The parts of a level; its arrays depend on its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) format: LevelFormat,
    /// The number of coordinates, if a loop over the level needs it.
    size: Option<ExprId>,
    pub(super) positions: Option<Segment>,
    pub(super) coordinates: Option<Segment>,
    /// What an iteration of a sequential level leaves to the next.
    state: Option<VarId>,
    /// The coordinates that a loop over a range level visits.
    bounds: Option<[ExprId; 2]>,
}

/// The loop of a level.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walk {
    /// Over every coordinate.
    Coordinates([ExprId; 2]),
    /// Over stored positions.
    Positions([ExprId; 2]),
    /// No loop: one coordinate at the parent's position.
    Here,
}

/// The result of one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) coordinate: ExprId,
    pub(super) place: Parent,
    /// Whether there is an entry; `None` for always.
    pub(super) present: Option<ExprId>,
}

/// What loops do with a level of a format.
struct Code {
    walk: fn(&Level, &mut Builder, Parent) -> Walk,
    step: fn(&Level, &mut Builder, Parent, ExprId) -> Step,
    locate: fn(&Level, &mut Builder, Parent, ExprId) -> Step,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $module:ident $row:ident $variant:ident $(($($held:tt)*))? $({ $($named:tt)* })?;)*) => {
        /// The code of each format, in a file of its own.
        fn code(format: LevelFormat) -> Code {
            match format {
                $(LevelFormat::$variant { .. } => $module::CODE,)*
            }
        }
    };
}
nnz_base::level_formats!(codes);

impl Level {
    /// `size` is given if a loop over the encoding needs it.
    pub(super) fn new(
        b: &mut Builder,
        format: LevelFormat,
        size: Option<ExprId>,
        positions: Option<Segment>,
        coordinates: Option<Segment>,
    ) -> Level {
        let state = format.is_sequential().then(|| b.local(format.name(), Type::Index));
        Level { format, size, positions, coordinates, state, bounds: None }
    }

    /// The coordinates of a range, which are not stored.
    pub(super) fn of_range(b: &mut Builder, bounds: [ExprId; 2]) -> Level {
        let size = Some(b.index(0));
        Level { bounds: Some(bounds), ..Level::new(b, LevelFormat::Range, size, None, None) }
    }

    /// The same, limited to the coordinates within `bounds`.
    pub(super) fn within(self, bounds: [ExprId; 2]) -> Level {
        Level { bounds: Some(bounds), ..self }
    }

    /// The loop below `parent`. The loop of a sequential level visits every position, in order.
    pub(super) fn walk(&self, b: &mut Builder, parent: Parent) -> Walk {
        (code(self.format).walk)(self, b, parent)
    }

    /// The coordinate and the place of the iteration with loop variable `at`; called once per iteration.
    pub(super) fn step(&self, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
        (code(self.format).step)(self, b, parent, at)
    }

    /// The position of a coordinate below `parent`, and whether it is stored ("locate" in Chou 2018, section 3). Only
    /// for formats that locate. Emits the statements that a search needs.
    pub(super) fn locate(&self, b: &mut Builder, parent: Parent, coordinate: ExprId) -> Step {
        (code(self.format).locate)(self, b, parent, coordinate)
    }

    /// The stored coordinate at a position of this level.
    fn coordinate(&self, b: &mut Builder, at: ExprId) -> ExprId {
        match self.coordinates {
            Some(coordinates) => coordinates.load(b, at),
            None => at,
        }
    }

    /// The number of coordinates.
    pub(super) fn size(&self, b: &mut Builder) -> ExprId {
        self.size.unwrap_or_else(|| b.index(0))
    }

    /// An entry of the positions.
    fn position(&self, b: &mut Builder, at: ExprId) -> ExprId {
        match self.positions {
            Some(positions) => positions.load(b, at),
            None => at,
        }
    }
}

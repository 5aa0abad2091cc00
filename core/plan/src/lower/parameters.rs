//! The parameters of the function, which are made on first use, and what to bind to each.

use nnz_base::{
    arrays::Width,
    ids::{Dim, IndexVar, Lvl, TensorId},
};
use nnz_encoding::Encoding;
use nnz_kernel::Kernel;
use nnz_loops::{AccessMode, ArrayId, ArrayType, Builder, ExprId, Type, VarId, machine};

/// The array that a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayBinding {
    Positions(TensorId, Lvl),
    /// 2-bit coordinates are expanded to bytes when they are bound.
    Coordinates(TensorId, Lvl),
    /// The values of an operand: of a dense one in the order of its levels.
    Values(TensorId),
    /// The result's values.
    Result,
    /// The positions and coordinates of a sparse result, as wide as [`result_width`] says.
    ResultPositions(Lvl),
    ResultCoordinates(Lvl),
    /// Per part of the loops and per level of a sparse result: the start of the part's positions;
    /// [`Self::Ends`] has the ends.
    Starts,
    Ends,
    /// The ends of the parts of the loops: as values of the outermost variable, and as positions of an operand whose
    /// first level is that variable.
    Cuts,
    OperandCuts(TensorId),
    /// The values of one row of the result, by its last variable; one such array per part.
    Workspace,
    /// Which row touched an entry of the workspace last.
    Stamps,
    /// The coordinate in each slot of a workspace that is a hash table.
    Keys,
}

/// The scalar that a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarBinding {
    /// The extent of a variable.
    Extent(IndexVar),
    LevelSize(TensorId, Lvl),
    /// The size of a dimension that is accessed with more than a variable.
    DimSize(TensorId, Dim),
    /// The number added to the level's stored coordinates to give its expression's values.
    LevelOrigin(TensorId, Lvl),
    /// How many entries one batch has in an array.
    BatchPart(ArrayId),
    /// The value of a tensor without dimensions.
    Value(TensorId),
    /// How many values an inherited result has.
    ResultEntries,
    /// How many parts the loops of a sparse result run in.
    Parts,
    /// How many entries a sparse result with a bound has room for; its arrays have a spare place behind them.
    Room,
    /// How many slots a workspace that is a hash table has.
    Slots,
}

impl ArrayBinding {
    /// What an array of the result is called.
    fn part(self) -> String {
        match self {
            ArrayBinding::ResultPositions(lvl) => format!("pos{}", lvl.index()),
            ArrayBinding::ResultCoordinates(lvl) => format!("crd{}", lvl.index()),
            ArrayBinding::Starts => "starts".to_string(),
            ArrayBinding::Ends => "ends".to_string(),
            ArrayBinding::Cuts => "cuts".to_string(),
            ArrayBinding::Stamps => "stamps".to_string(),
            ArrayBinding::Keys => "keys".to_string(),
            ArrayBinding::Result | ArrayBinding::Workspace => "values".to_string(),
            ArrayBinding::Positions(..) | ArrayBinding::Coordinates(..) => "values".to_string(),
            ArrayBinding::Values(_) | ArrayBinding::OperandCuts(_) => "values".to_string(),
        }
    }
}

pub(super) struct Parameters<'k> {
    kernel: &'k Kernel,
    arrays: Vec<ArrayBinding>,
    scalars: Vec<(ScalarBinding, VarId)>,
}

impl<'k> Parameters<'k> {
    pub(super) fn new(kernel: &'k Kernel) -> Self {
        Self { kernel, arrays: Vec::new(), scalars: Vec::new() }
    }

    pub(super) fn into_bindings(self) -> (Vec<ArrayBinding>, Vec<ScalarBinding>) {
        (self.arrays, self.scalars.into_iter().map(|(binding, _)| binding).collect())
    }

    pub(super) fn array(&mut self, b: &mut Builder, binding: ArrayBinding) -> ArrayId {
        if let Some(at) = self.arrays.iter().position(|other| *other == binding) {
            return ArrayId::new(at);
        }
        self.arrays.push(binding);
        let values = |tensor: TensorId| ArrayType::Values(self.kernel.tensor(tensor).element);
        let name = |tensor: TensorId| self.kernel.tensor(tensor).name.as_str();
        match binding {
            ArrayBinding::Positions(tensor, lvl) => {
                let ty =
                    ArrayType::Indices(index_width(self.encoding(tensor).map_or(Width::Index, Encoding::pos_width)));
                b.array(&format!("{}.pos{}", name(tensor), lvl.index()), ty, AccessMode::Read)
            }
            ArrayBinding::Coordinates(tensor, lvl) => {
                let width = self.encoding(tensor).map_or(Width::Index, |encoding| encoding.coordinates_width(lvl));
                let ty = ArrayType::Indices(index_width(width));
                b.array(&format!("{}.crd{}", name(tensor), lvl.index()), ty, AccessMode::Read)
            }
            ArrayBinding::Values(tensor) if self.kernel.tensor(tensor).encoding.is_some() => {
                b.array(&format!("{}.values", name(tensor)), values(tensor), AccessMode::Read)
            }
            ArrayBinding::Values(tensor) => b.array(name(tensor), values(tensor), AccessMode::Read),
            ArrayBinding::Result => {
                let tensor = self.kernel.result().tensor;
                b.array(name(tensor), values(tensor), AccessMode::ReadWrite)
            }
            ArrayBinding::Workspace => {
                let tensor = self.kernel.result().tensor;
                b.array(&format!("{}.row", name(tensor)), values(tensor), AccessMode::ReadWrite)
            }
            ArrayBinding::ResultPositions(_)
            | ArrayBinding::ResultCoordinates(_)
            | ArrayBinding::Ends
            | ArrayBinding::Stamps
            | ArrayBinding::Keys => {
                let name = format!("{}.{}", name(self.kernel.result().tensor), binding.part());
                let width = result_width(self.kernel, binding);
                b.array(&name, ArrayType::Indices(index_width(width)), AccessMode::ReadWrite)
            }
            ArrayBinding::Starts | ArrayBinding::Cuts => {
                let name = format!("{}.{}", name(self.kernel.result().tensor), binding.part());
                b.array(&name, ArrayType::Indices(machine::Width::W64), AccessMode::Read)
            }
            ArrayBinding::OperandCuts(tensor) => {
                b.array(&format!("{}.cuts", name(tensor)), ArrayType::Indices(machine::Width::W64), AccessMode::Read)
            }
        }
    }

    fn encoding(&self, tensor: TensorId) -> Option<&Encoding> {
        self.kernel.tensor(tensor).encoding.as_deref()
    }

    pub(super) fn arrays(&self) -> &[ArrayBinding] {
        &self.arrays
    }

    /// A scalar parameter, if the function has it already.
    pub(super) fn known(&self, b: &mut Builder, binding: ScalarBinding) -> Option<ExprId> {
        let (_, var) = self.scalars.iter().find(|(other, _)| *other == binding)?;
        Some(b.var(*var))
    }

    pub(super) fn scalar(&mut self, b: &mut Builder, binding: ScalarBinding) -> ExprId {
        if let Some(known) = self.known(b, binding) {
            return known;
        }
        let (name, ty) = self.scalar_name(binding);
        let var = b.param(&name, ty);
        self.scalars.push((binding, var));
        b.var(var)
    }

    fn scalar_name(&self, binding: ScalarBinding) -> (String, Type) {
        let name = |tensor: TensorId| self.kernel.tensor(tensor).name.as_str();
        let text = match binding {
            ScalarBinding::Extent(var) => format!("{}.size", self.kernel.var(var).name),
            ScalarBinding::LevelSize(tensor, lvl) => format!("{}.size{}", name(tensor), lvl.index()),
            ScalarBinding::DimSize(tensor, dim) => format!("{}.dim{}", name(tensor), dim.index()),
            ScalarBinding::LevelOrigin(tensor, lvl) => format!("{}.origin{}", name(tensor), lvl.index()),
            ScalarBinding::BatchPart(array) => match self.arrays.get(array.index()) {
                Some(ArrayBinding::Positions(tensor, lvl)) => format!("{}.pos{}.part", name(*tensor), lvl.index()),
                Some(ArrayBinding::Coordinates(tensor, lvl)) => format!("{}.crd{}.part", name(*tensor), lvl.index()),
                _ => "values.part".to_string(),
            },
            ScalarBinding::ResultEntries => format!("{}.entries", name(self.kernel.result().tensor)),
            ScalarBinding::Parts => format!("{}.parts", name(self.kernel.result().tensor)),
            ScalarBinding::Room => format!("{}.room", name(self.kernel.result().tensor)),
            ScalarBinding::Slots => format!("{}.slots", name(self.kernel.result().tensor)),
            ScalarBinding::Value(tensor) => {
                return (name(tensor).to_string(), Type::Element(self.kernel.tensor(tensor).element));
            }
        };
        (text, Type::Index)
    }

    pub(super) fn extent(&mut self, b: &mut Builder, var: IndexVar) -> ExprId {
        self.scalar(b, ScalarBinding::Extent(var))
    }

    /// The size of a dimension of an access: the extent of the variable that it is accessed with.
    pub(super) fn dim_size(&mut self, b: &mut Builder, indices: &[IndexVar], dim: Dim) -> ExprId {
        match indices.get(dim.index()) {
            Some(var) => self.extent(b, *var),
            None => b.index(0),
        }
    }
}

/// The width of an array that the loops of a sparse result fill: the encoding's own if no number can be too
/// large for it, else 64 bits, narrowed with a check at the end. No array has 2^32 entries.
pub fn result_width(kernel: &Kernel, binding: ArrayBinding) -> Width {
    let tensor = kernel.tensor(kernel.result().tensor);
    let Some(encoding) = &tensor.encoding else { return Width::W64 };
    let fits = |lvl: Lvl, width: Width| {
        let expr = &encoding.levels()[lvl.index()].expr;
        let inner = expr.as_floordiv().or(expr.as_mod()).map_or(expr, |(of, _)| of);
        let size = inner.as_var().and_then(|dim| tensor.shape.get(dim.index()));
        width.bits() >= 8 && size.is_some_and(|size| *size <= width.max())
    };
    let plain = |encoding: &Encoding| encoding.levels().iter().all(|level| level.expr.as_var().is_some());
    match binding {
        ArrayBinding::ResultPositions(_) if encoding.pos_width() == Width::W32 => Width::W32,
        ArrayBinding::ResultCoordinates(lvl) if fits(lvl, encoding.coordinates_width(lvl)) => {
            encoding.coordinates_width(lvl)
        }
        // In a result of blocks these are positions of blocks, and the counting run may find more of them than 32 bits
        // hold.
        ArrayBinding::Stamps if plain(encoding) && most_rows(&tensor.shape) <= Width::W32.max() => Width::W32,
        ArrayBinding::ResultPositions(_) | ArrayBinding::ResultCoordinates(_) | ArrayBinding::Stamps => Width::W64,
        ArrayBinding::Positions(..) | ArrayBinding::Coordinates(..) | ArrayBinding::Values(_) => Width::W64,
        ArrayBinding::Result | ArrayBinding::Workspace | ArrayBinding::Keys => Width::W64,
        ArrayBinding::Starts | ArrayBinding::Ends | ArrayBinding::Cuts | ArrayBinding::OperandCuts(_) => Width::W64,
    }
}

/// No more rows than this lie along any one dimension.
fn most_rows(shape: &[u64]) -> u64 {
    let shortest = shape.iter().copied().min().unwrap_or(1).max(1);
    shape.iter().fold(1u64, |product, size| product.saturating_mul(*size)) / shortest
}

fn index_width(width: Width) -> machine::Width {
    match width {
        Width::W2 | Width::W8 => machine::Width::W8,
        Width::W16 => machine::Width::W16,
        Width::W32 => machine::Width::W32,
        Width::Index | Width::W64 => machine::Width::W64,
    }
}

//! The position of an entry of a randomly accessed tensor, and affine expressions as index arithmetic.

use super::{Lowerer, ScalarBinding, parameters::ArrayBinding};
use nnz_base::ids::{Dim, IndexVar, Lvl, TensorId};
use nnz_encoding::{Affine, Encoding};
use nnz_kernel::{Access, IndexExpr};
use nnz_loops::{Binary, Builder, ExprId, Type};

impl Lowerer<'_> {
    /// The value of a variable, which some loop has bound.
    pub(super) fn coordinate(&mut self, var: IndexVar) -> ExprId {
        self.coordinates.get(&var).copied().unwrap_or_else(|| self.unbound(var))
    }

    /// Stands for a variable that no loop binds: nothing declares it, which the verifier reports.
    pub(super) fn unbound(&mut self, var: IndexVar) -> ExprId {
        let undeclared = self.b.local(&self.kernel.var(var).name, Type::Index);
        self.b.var(undeclared)
    }

    /// Has the verifier report those of `vars` that no loop binds, even if nothing asks for their values.
    pub(super) fn expect_bound(&mut self, vars: impl IntoIterator<Item = IndexVar>) {
        for var in vars {
            if !self.coordinates.contains_key(&var) {
                let missing = self.unbound(var);
                self.b.define("missing", Type::Index, missing);
            }
        }
    }

    /// The offset of `tensor(indices)` in the tensor's array, row-major over its levels.
    pub(super) fn offset(&mut self, tensor: TensorId, indices: &[IndexVar]) -> ExprId {
        match self.kernel.tensor(tensor).encoding.clone() {
            None => self.row_major(indices),
            Some(encoding) => self.level_major(&encoding, indices),
        }
    }

    /// The offset of a randomly accessed tensor's entry whose coordinates are more than variables.
    pub(super) fn computed_offset(&mut self, access: &Access) -> ExprId {
        let tensor = self.kernel.tensor(access.tensor);
        let dims = (0..tensor.shape.len()).map(Dim::new);
        let sizes: Vec<ExprId> =
            dims.map(|dim| self.parameters.scalar(&mut self.b, ScalarBinding::DimSize(access.tensor, dim))).collect();
        let coordinates: Vec<ExprId> = access.indices.iter().map(|index| self.computed(index)).collect();
        let axes: Vec<[ExprId; 2]> = match &tensor.encoding {
            None => sizes.into_iter().zip(coordinates).map(|(size, at)| [size, at]).collect(),
            Some(encoding) => {
                encoding.levels().iter().map(|level| self.level_axis(&level.expr, &sizes, &coordinates)).collect()
            }
        };
        horner(&mut self.b, &axes)
    }

    /// The size and the coordinate of a plain level, from the sizes and coordinates of the dimensions.
    fn level_axis(&mut self, expr: &Affine<Dim>, sizes: &[ExprId], coordinates: &[ExprId]) -> [ExprId; 2] {
        let size = match (expr.as_mod(), expr.as_floordiv()) {
            (Some((_, modulus)), _) => self.b.index(modulus),
            (None, Some((dims, block))) => {
                let size = affine(&mut self.b, dims, &|dim: Dim| sizes.get(dim.index()).copied());
                let (last, block) = (self.b.index(block - 1), self.b.index(block));
                let padded = self.b.add(size, last);
                self.b.binary(Binary::Div, padded, block)
            }
            (None, None) => affine(&mut self.b, expr, &|dim: Dim| sizes.get(dim.index()).copied()),
        };
        [size, affine(&mut self.b, expr, &|dim: Dim| coordinates.get(dim.index()).copied())]
    }

    /// An index such as `2 * i + k - 1`, from the values of its variables.
    fn computed(&mut self, index: &IndexExpr) -> ExprId {
        let mut sum = None;
        for (factor, var) in index.terms() {
            let (value, factor) = (self.coordinate(*var), self.b.index(*factor));
            let scaled = self.b.mul(factor, value);
            sum = Some(match sum {
                Some(sum) => self.b.add(sum, scaled),
                None => scaled,
            });
        }
        let offset = self.b.index(index.offset());
        sum.map_or(offset, |sum| self.b.add(sum, offset))
    }

    pub(super) fn row_major(&mut self, indices: &[IndexVar]) -> ExprId {
        let axes: Vec<[ExprId; 2]> = indices.iter().map(|var| [self.extent(*var), self.coordinate(*var)]).collect();
        horner(&mut self.b, &axes)
    }

    fn level_major(&mut self, encoding: &Encoding, indices: &[IndexVar]) -> ExprId {
        let coordinates: Vec<ExprId> = indices.iter().map(|var| self.coordinate(*var)).collect();
        let axes = encoding.levels().iter().map(|level| {
            let size = self.plain_size(&level.expr, indices);
            let at = affine(&mut self.b, &level.expr, &|dim: Dim| coordinates.get(dim.index()).copied());
            [size, at]
        });
        let axes: Vec<[ExprId; 2]> = axes.collect();
        horner(&mut self.b, &axes)
    }

    /// How many entries a randomly accessed tensor has, padding included.
    pub(super) fn entries(&mut self, tensor: TensorId, indices: &[IndexVar]) -> ExprId {
        let sizes: Vec<ExprId> = match self.kernel.tensor(tensor).encoding.clone() {
            None => indices.iter().map(|var| self.extent(*var)).collect(),
            Some(encoding) => encoding.levels().iter().map(|level| self.plain_size(&level.expr, indices)).collect(),
        };
        let one = self.b.index(1);
        sizes.into_iter().fold(one, |product, size| self.b.mul(product, size))
    }

    /// The size of a level whose expression is a dimension, its blocks or the place in a block.
    fn plain_size(&mut self, expr: &Affine<Dim>, indices: &[IndexVar]) -> ExprId {
        if let Some((_, modulus)) = expr.as_mod() {
            return self.b.index(modulus);
        }
        if let Some((dim, block)) = expr.as_floordiv().and_then(|(e, c)| Some((e.as_var()?, c))) {
            let size = self.parameters.dim_size(&mut self.b, indices, dim);
            let (last, block) = (self.b.index(block - 1), self.b.index(block));
            let padded = self.b.add(size, last);
            return self.b.binary(Binary::Div, padded, block);
        }
        match expr.as_var() {
            Some(dim) => self.parameters.dim_size(&mut self.b, indices, dim),
            None => self.b.index(0),
        }
    }

    /// The size of a level of the sparse operand; a parameter if the expression does not give it.
    pub(super) fn level_size(
        &mut self,
        tensor: TensorId,
        lvl: Lvl,
        expr: &Affine<Dim>,
        indices: &[IndexVar],
    ) -> ExprId {
        if crate::iterate::is_plain(expr) {
            return self.plain_size(expr, indices);
        }
        self.parameters.scalar(&mut self.b, ScalarBinding::LevelSize(tensor, lvl))
    }

    pub(super) fn operand_array(&mut self, tensor: TensorId) -> nnz_loops::ArrayId {
        self.parameters.array(&mut self.b, ArrayBinding::Values(tensor))
    }
}

/// `((c0 * s1 + c1) * s2 + c2) ...`, from pairs `[size, coordinate]`.
fn horner(b: &mut Builder, axes: &[[ExprId; 2]]) -> ExprId {
    let zero = b.index(0);
    axes.iter().fold(zero, |offset, [size, coordinate]| {
        let scaled = b.mul(offset, *size);
        b.add(scaled, *coordinate)
    })
}

/// `expr` as index arithmetic. Operands of divisions are not negative, so truncation is the floor.
pub(super) fn affine<V: Copy + PartialEq>(
    b: &mut Builder,
    expr: &Affine<V>,
    var: &impl Fn(V) -> Option<ExprId>,
) -> ExprId {
    let mut both = |x: &Affine<V>, y: &Affine<V>, op: Binary| {
        let (x, y) = (affine(b, x, var), affine(b, y, var));
        b.binary(op, x, y)
    };
    match expr {
        Affine::Add(x, y) => both(x, y, Binary::Add),
        Affine::Mul(x, y) => both(x, y, Binary::Mul),
        Affine::FloorDiv(x, y) => both(x, y, Binary::Div),
        Affine::Mod(x, y) => both(x, y, Binary::Rem),
        Affine::CeilDiv(x, y) => {
            let (x, y) = (affine(b, x, var), affine(b, y, var));
            let one = b.index(1);
            let last = b.sub(y, one);
            let padded = b.add(x, last);
            b.binary(Binary::Div, padded, y)
        }
        Affine::Const(c) => b.index(*c),
        Affine::Var(v) => var(*v).unwrap_or_else(|| b.index(0)),
        Affine::Sym(_) => b.index(0),
    }
}

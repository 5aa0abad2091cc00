//! The lengths of array parameters. A length is stated if it follows from scalar parameters that the loops have anyway;
//! no parameter is added for it. Back ends check lengths at every call, so they must be exact.

use super::{ArrayBinding, ScalarBinding, parameters::Parameters};
use crate::iterate::{Assembly, Method, Plan, ResultPlan, Space, is_plain};
use nnz_base::ids::{Dim, IndexVar, Lvl, TensorId};
use nnz_encoding::format::Below;
use nnz_loops::{ArrayId, Binary, Builder, ExprId};

/// Gives the array parameters their lengths.
pub(super) fn state(plan: &Plan, parameters: &Parameters<'_>, b: &mut Builder) {
    let mut lengths = Lengths { plan, parameters, b };
    for (at, binding) in parameters.arrays().iter().enumerate() {
        let id = ArrayId::new(at);
        if let Some(len) = lengths.of(id, *binding) {
            lengths.b.set_length(id, len);
        }
    }
}

struct Lengths<'l, 'k> {
    plan: &'l Plan,
    parameters: &'l Parameters<'k>,
    b: &'l mut Builder,
}

impl<'l> Lengths<'l, '_> {
    fn of(&mut self, id: ArrayId, binding: ArrayBinding) -> Option<ExprId> {
        match binding {
            ArrayBinding::Positions(tensor, lvl) => {
                let part = self.segments(tensor, lvl);
                self.in_batches(id, tensor, part)
            }
            ArrayBinding::Coordinates(tensor, lvl) => {
                let part = self.positions(tensor, lvl.index() + 1);
                self.in_batches(id, tensor, part)
            }
            ArrayBinding::Values(tensor) => {
                let part = self.values(tensor);
                self.in_batches(id, tensor, part).or_else(|| self.inherited_from(tensor))
            }
            ArrayBinding::Result => self.result(),
            // Only data say how many entries a sparse result has.
            ArrayBinding::ResultPositions(_) | ArrayBinding::ResultCoordinates(_) => None,
            ArrayBinding::Starts | ArrayBinding::Ends => {
                let levels = self.number(self.assembly()?.rows.len() as u64)?;
                self.in_parts(levels)
            }
            ArrayBinding::Cuts | ArrayBinding::OperandCuts(_) => {
                let parts = self.known(ScalarBinding::Parts)?;
                self.and_one(parts)
            }
            ArrayBinding::Workspace | ArrayBinding::Stamps | ArrayBinding::Keys => {
                let entries = self.workspace()?;
                self.in_parts(entries)
            }
        }
    }

    fn number(&mut self, number: u64) -> Option<ExprId> {
        Some(self.b.index(i64::try_from(number).ok()?))
    }

    /// A parameter, if the loops have it.
    fn known(&mut self, binding: ScalarBinding) -> Option<ExprId> {
        self.parameters.known(self.b, binding)
    }

    fn and_one(&mut self, count: ExprId) -> Option<ExprId> {
        let one = self.b.index(1);
        Some(self.b.add(count, one))
    }

    /// The length of a level's array of positions, for one batch. Behind pairs there may be a slot that nothing reads, so
    /// only data say.
    fn segments(&mut self, tensor: TensorId, lvl: Lvl) -> Option<ExprId> {
        let parents = self.positions(tensor, lvl.index())?;
        let encoding = self.plan.kernel.tensor(tensor).encoding.as_ref()?;
        match encoding.format(lvl).below() {
            Below::Segment => self.and_one(parents),
            Below::Pair | Below::Size | Below::Batch | Below::One | Below::Exactly(_) => None,
        }
    }

    /// The number of positions in the last of the first `levels` levels, for one batch.
    fn positions(&mut self, tensor: TensorId, levels: usize) -> Option<ExprId> {
        let encoding = self.plan.kernel.tensor(tensor).encoding.as_ref()?;
        let mut count = self.b.index(1);
        for (at, level) in encoding.levels().iter().enumerate().take(levels) {
            let each = match level.format.below() {
                Below::Size => self.level_size(tensor, Lvl::new(at))?,
                Below::Exactly(entries) => self.number(entries)?,
                Below::One | Below::Batch => continue,
                Below::Segment | Below::Pair => return None,
            };
            count = self.b.mul(count, each);
        }
        Some(count)
    }

    /// The length of an operand's array, from the length of its part for one batch.
    fn in_batches(&mut self, id: ArrayId, tensor: TensorId, part: Option<ExprId>) -> Option<ExprId> {
        let part = part.or_else(|| self.known(ScalarBinding::BatchPart(id)))?;
        self.times_batches(tensor, part)
    }

    fn times_batches(&mut self, tensor: TensorId, part: ExprId) -> Option<ExprId> {
        let encoding = self.plan.kernel.tensor(tensor).encoding.as_ref();
        let levels = encoding.map_or(&[][..], |encoding| encoding.levels());
        let batches = levels.iter().take_while(|level| level.format.is_batch()).count();
        (0..batches).rev().try_fold(part, |len, at| {
            let size = self.level_size(tensor, Lvl::new(at))?;
            Some(self.b.mul(size, len))
        })
    }

    /// The number of values of a tensor, for one batch.
    fn values(&mut self, tensor: TensorId) -> Option<ExprId> {
        let declared = self.plan.kernel.tensor(tensor);
        if let Some(encoding) = &declared.encoding {
            return self.positions(tensor, encoding.lvl_rank());
        }
        let one = self.b.index(1);
        (0..declared.shape.len()).try_fold(one, |product, at| {
            let size = self.dim_size(tensor, Dim::new(at))?;
            Some(self.b.mul(product, size))
        })
    }

    fn level_size(&mut self, tensor: TensorId, lvl: Lvl) -> Option<ExprId> {
        let expr = &self.plan.kernel.tensor(tensor).encoding.as_ref()?.levels()[lvl.index()].expr;
        if !is_plain(expr) {
            return self.known(ScalarBinding::LevelSize(tensor, lvl));
        }
        if let Some((_, block)) = expr.as_mod() {
            return Some(self.b.index(block));
        }
        let (of, block) = expr.as_floordiv().unwrap_or((expr, 1));
        let size = self.dim_size(tensor, of.as_var()?)?;
        let (last, block) = (self.b.index(block - 1), self.b.index(block));
        let padded = self.b.add(size, last);
        Some(self.b.binary(Binary::Div, padded, block))
    }

    fn dim_size(&mut self, tensor: TensorId, dim: Dim) -> Option<ExprId> {
        let vars = self.vars_of(tensor, dim);
        let extent = vars.into_iter().find_map(|var| self.known(ScalarBinding::Extent(var)));
        extent.or_else(|| self.known(ScalarBinding::DimSize(tensor, dim)))
    }

    /// The variables that run over the whole dimension.
    fn vars_of(&self, tensor: TensorId, dim: Dim) -> Vec<IndexVar> {
        let kernel = &self.plan.kernel;
        let accesses = kernel.expr().accesses().into_iter().filter(|access| access.tensor == tensor);
        let read = accesses.filter_map(|access| access.indices.get(dim.index())?.as_var());
        let operands = self.plan.operands.iter().filter(|operand| operand.tensor == tensor);
        let walked = operands.filter_map(|operand| operand.indices.get(dim.index()).copied());
        let result = Some(kernel.result()).filter(|result| result.tensor == tensor);
        let written = result.and_then(|result| result.indices.get(dim.index()).copied());
        let whole = |var: &IndexVar| kernel.tensor(tensor).shape.get(dim.index()) == Some(&kernel.var(*var).extent);
        read.chain(walked).chain(written).filter(whole).collect()
    }

    fn result(&mut self) -> Option<ExprId> {
        match &self.plan.result {
            ResultPlan::Dense { .. } => {
                let tensor = self.plan.kernel.result().tensor;
                let part = self.values(tensor)?;
                self.times_batches(tensor, part)
            }
            ResultPlan::Inherited { .. } => self.known(ScalarBinding::ResultEntries),
            ResultPlan::Assembled(_) => None,
        }
    }

    /// An inherited result has a value for each of the operand's.
    fn inherited_from(&mut self, tensor: TensorId) -> Option<ExprId> {
        let ResultPlan::Inherited { operand, .. } = &self.plan.result else { return None };
        let from = self.plan.operands.get(operand.index()).filter(|operand| operand.tensor == tensor);
        from.and_then(|_| self.known(ScalarBinding::ResultEntries))
    }

    fn assembly(&self) -> Option<&'l Assembly> {
        match &self.plan.result {
            ResultPlan::Assembled(assembly) => Some(assembly),
            ResultPlan::Dense { .. } | ResultPlan::Inherited { .. } => None,
        }
    }

    /// How many entries one part of the loops has in a workspace.
    fn workspace(&mut self) -> Option<ExprId> {
        let assembly = self.assembly().filter(|assembly| !matches!(assembly.method, Method::Append | Method::List))?;
        match &assembly.space {
            Space::Dense => self.known(ScalarBinding::Extent(assembly.workspace_var()?)),
            Space::Hashed(_) => self.known(ScalarBinding::Slots),
        }
    }

    /// `each`, times the number of parts of the loops.
    fn in_parts(&mut self, each: ExprId) -> Option<ExprId> {
        if !self.assembly()?.in_parts {
            return Some(each);
        }
        let parts = self.known(ScalarBinding::Parts)?;
        Some(self.b.mul(parts, each))
    }
}

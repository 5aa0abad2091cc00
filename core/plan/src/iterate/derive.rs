//! Operands converted to another encoding, so that loops can follow their levels.

use std::sync::Arc;

use super::{
    Condition, SparseOperand, conditions,
    lookup::{LookUps, Reach},
};
use nnz_base::ids::{Dim, IndexVar, TensorId};
use nnz_encoding::{Affine, Dimension, Encoding, EncodingParts, Level, LevelFormat, Props};
use nnz_kernel::{Access, Expr, Kernel, Tensor};

/// A row with more coordinates than this is added up or looked up in a hash table, where the operands bound how many are
/// touched: clearing an array of 2^24 entries of 16 bytes takes longer than most kernels.
pub(super) const LARGEST_DENSE: u64 = 1 << 24;

/// A tensor that is made from an operand before the loops run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Its number in the plan's kernel, which has its encoding.
    pub tensor: TensorId,
    pub from: TensorId,
    /// The indices of the access that it was first made for.
    pub indices: Vec<IndexVar>,
    /// For each of its dimensions, the dimensions of the operand whose coordinates agree there: one, or
    /// the several of a diagonal such as `A(i, i)`.
    pub dims: Vec<Vec<Dim>>,
    pub reason: DeriveReason,
}

/// Why an operand cannot be read as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeriveReason {
    /// Its levels are stored in another order than the loops go.
    Order,
    /// Its levels are not its dimensions, or have no order, and it is merged with another sparse operand.
    Layout,
    /// A level is a hash table, and no other operand gives the coordinates to search for.
    Search,
    /// Entries repeat, and the kernel does not sum over them.
    Repeated,
    /// One variable for several dimensions.
    Diagonal,
    /// A vector that the loops around would walk anew in each of their steps.
    Anew,
}

impl std::fmt::Display for DeriveReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DeriveReason::Order => "the loops read it in another order than it is stored in",
            DeriveReason::Layout => "its levels cannot be walked beside the other operands",
            DeriveReason::Search => "it can be searched, but nothing else says at which coordinates",
            DeriveReason::Repeated => "entries may repeat, and the kernel is no sum over them",
            DeriveReason::Diagonal => "one index variable runs along several of its dimensions",
            DeriveReason::Anew => "the loops around would walk it anew in each of their steps",
        })
    }
}

/// The tensors of a kernel, to which derived ones are added as loops ask for them.
pub(super) struct Deriver<'k> {
    pub kernel: &'k Kernel,
    pub tensors: Vec<Tensor>,
    pub derived: Vec<Derived>,
    pub conditions: Vec<Condition>,
}

impl<'k> Deriver<'k> {
    pub(super) fn new(kernel: &'k Kernel, conditions: &[Condition]) -> Self {
        let (tensors, conditions) = (kernel.tensors().to_vec(), conditions.to_vec());
        Deriver { kernel, tensors, derived: Vec::new(), conditions }
    }

    /// `expr` with every one of `operands` accessed such that loops in `order` can reach it.
    pub(super) fn concordant(&mut self, expr: &Expr, operands: &[SparseOperand], order: &[IndexVar]) -> Expr {
        let reaches = LookUps { kernel: self.kernel, exprs: vec![expr], operands, order }.reaches();
        let mut replaced = Vec::new();
        for (operand, reach) in operands.iter().zip(reaches) {
            match reach {
                Reach::AsStored => {}
                Reach::Sorted => replaced.push((operand, self.derive(operand, order))),
                Reach::Located => replaced.push((operand, self.located(operand))),
            }
        }
        expr.with_accesses(&|access| {
            replaced.iter().find(|(operand, _)| operand.is(access)).map(|(_, derived)| derived.clone())
        })
    }

    /// The access to a derived tensor in place of `operand`.
    fn derive(&mut self, operand: &SparseOperand, order: &[IndexVar]) -> Access {
        let rank = |var: &IndexVar| order.iter().position(|other| other == var);
        let mut indices = operand.indices.clone();
        indices.sort_by_key(rank);
        indices.dedup();
        let dims_of = |var: &IndexVar| {
            let dims = (0..operand.indices.len()).filter(|at| operand.indices[*at] == *var);
            dims.map(Dim::new).collect::<Vec<Dim>>()
        };
        // The dimensions keep the order of the operand's, and the levels follow the loops.
        let mut kept = indices.clone();
        kept.sort_by_key(|var| operand.indices.iter().position(|other| other == var));
        let dims: Vec<Vec<Dim>> = kept.iter().map(dims_of).collect();
        let level_dims = indices.iter().filter_map(|var| kept.iter().position(|other| other == var).map(Dim::new));
        let level_dims: Vec<Dim> = level_dims.collect();
        if let Some(condition) = &operand.condition {
            return Access::of_vars(self.turned(condition, &level_dims), &kept);
        }
        let names = dims.iter().map(|dims| operand.encoding.dims()[dims[0].index()].name.clone()).collect();
        let outer_dense = kept.len() == 2 && operand.encoding.levels().iter().any(|level| level.format.is_full());
        let encoding = sorted(names, &level_dims, outer_dense);
        let tensor = self.tensor(operand, dims, encoding, reason(operand));
        Access::of_vars(tensor, &kept)
    }

    /// The access to a vector with a place for every coordinate, in place of `operand`; one of many coordinates becomes a
    /// hash table.
    fn located(&mut self, operand: &SparseOperand) -> Access {
        let small = self.kernel.tensor(operand.tensor).shape.iter().all(|size| *size <= LARGEST_DENSE);
        let format = if small { LevelFormat::Bitmap } else { LevelFormat::Hashed };
        let encoding = vector(operand, format);
        let tensor = self.tensor(operand, vec![vec![Dim::new(0)]], encoding, DeriveReason::Anew);
        Access::of_vars(tensor, &operand.indices)
    }

    /// The condition with its levels in another order, made once.
    fn turned(&mut self, condition: &Condition, levels: &[Dim]) -> TensorId {
        let encoding = conditions::encoding(levels);
        let same = |other: &&Condition| {
            let alike = Condition { tensor: condition.tensor, ..(*other).clone() } == *condition;
            let Tensor { encoding: known, shape, .. } = &self.tensors[other.tensor.index()];
            alike && *known == encoding && *shape == self.tensors[condition.tensor.index()].shape
        };
        if let Some(known) = self.conditions.iter().find(same) {
            return known.tensor;
        }
        let id = TensorId::new(self.tensors.len());
        let of = &self.tensors[condition.tensor.index()];
        self.tensors.push(Tensor { name: format!("{}.reordered", of.name), encoding, ..of.clone() });
        self.conditions.push(Condition { tensor: id, ..condition.clone() });
        id
    }

    /// The derived tensor, made once.
    fn tensor(
        &mut self,
        operand: &SparseOperand,
        dims: Vec<Vec<Dim>>,
        encoding: Option<Arc<Encoding>>,
        reason: DeriveReason,
    ) -> TensorId {
        let same = |derived: &&Derived| {
            let tensor = &self.tensors[derived.tensor.index()];
            derived.from == operand.tensor && derived.dims == dims && tensor.encoding == encoding
        };
        if let Some(known) = self.derived.iter().find(same) {
            return known.tensor;
        }
        let source = self.kernel.tensor(operand.tensor);
        let shape = dims.iter().map(|dims| source.shape[dims[0].index()]).collect();
        let id = TensorId::new(self.tensors.len());
        let copies = self.derived.iter().filter(|derived| derived.from == operand.tensor).count();
        let name =
            format!("{}.converted{}", source.name, if copies == 0 { String::new() } else { (copies + 1).to_string() });
        self.tensors.push(Tensor { name, element: source.element, shape, encoding });
        let (from, indices) = (operand.tensor, operand.indices.clone());
        self.derived.push(Derived { tensor: id, from, indices, dims, reason });
        id
    }
}

fn reason(operand: &SparseOperand) -> DeriveReason {
    let repeated = (1..operand.indices.len()).any(|at| operand.indices[..at].contains(&operand.indices[at]));
    match operand.mergeable() {
        Some(_) => DeriveReason::Order,
        None if operand.is_looked_up() => DeriveReason::Search,
        None if repeated => DeriveReason::Diagonal,
        None if !operand.unique => DeriveReason::Repeated,
        None => DeriveReason::Layout,
    }
}

/// The encoding of a vector like `operand` with a level of this format.
fn vector(operand: &SparseOperand, format: LevelFormat) -> Option<Arc<Encoding>> {
    let name = operand.encoding.dims()[0].name.clone();
    let parts = EncodingParts {
        dims: vec![Dimension { name, slice: None }],
        levels: vec![Level { name: None, expr: Affine::Var(Dim::new(0)), format }],
        ..EncodingParts::default()
    };
    Encoding::new(parts).ok().map(Arc::new)
}

/// An encoding whose levels are the dimensions in the given order, all compressed; the outermost is dense if
/// `outer_dense`.
pub fn sorted(names: Vec<String>, levels: &[Dim], outer_dense: bool) -> Option<Arc<Encoding>> {
    let format = |at: usize| match at {
        0 if outer_dense => LevelFormat::Dense,
        _ => LevelFormat::Compressed(Props::default()),
    };
    let level = |(at, dim): (usize, &Dim)| Level { name: None, expr: Affine::Var(*dim), format: format(at) };
    let parts = EncodingParts {
        dims: names.into_iter().map(|name| Dimension { name, slice: None }).collect(),
        levels: levels.iter().enumerate().map(level).collect(),
        ..EncodingParts::default()
    };
    Encoding::new(parts).ok().map(Arc::new)
}

//! From a checked kernel to one that can run.
//!
//! What the loops of this version cannot take is not refused where a copy helps: a second sparse
//! operand is copied into a dense array, and a sparse result is computed densely and then packed. Each
//! copy is said, with its size. A copy would turn `0 * inf` at an absent entry into NaN, so that
//! kernels whose values are not finite are refused instead.

use std::sync::Arc;

use super::names::{Computed, Kind, Number, Tensor, Value};
use crate::{
    arrays::Values,
    element::Scalar,
    encoding::{Encoding, named},
    ids::TensorId,
    iterate::{PlanError, is_random_access},
    kernel::{self, Access, Kernel, VarDecl},
    lower::{LowerError, Lowered, lower},
    run::Operand,
    storage::{self, StorageError},
};

/// A dense copy of more entries is not made.
const MOST_COPIED: u64 = 1 << 27;

/// A lowered kernel with its operands.
pub(super) struct Ready {
    pub kernel: Kernel,
    pub lowered: Lowered,
    operands: Vec<Data>,
    /// The encoding that the result is packed into after it was computed densely.
    packed: Option<Arc<Encoding>>,
    /// What was not asked for and costs something, and the tensor that it is about.
    pub costs: Vec<(Option<TensorId>, String)>,
}

/// The data of an operand.
enum Data {
    Value(Value),
    /// A row-major copy of a sparse operand.
    Copy(Values),
}

/// Why a kernel is not ready, and the tensor to blame.
pub(super) struct NotReady {
    pub tensor: Option<TensorId>,
    pub message: String,
    pub help: Option<String>,
    pub bug: bool,
}

impl Ready {
    /// # Errors
    /// What this version cannot lower, even with copies.
    pub(super) fn new(computed: &Computed) -> Result<Ready, NotReady> {
        let operands = computed.operands.iter().cloned().map(Data::Value).collect();
        let mut draft = Draft { tensors: computed.kernel.tensors().to_vec(), operands, costs: Vec::new() };
        let packed = draft.dense_result(&computed.kernel)?;
        // Each round copies one operand, so that there are no more rounds than operands.
        for _ in 0..=computed.kernel.tensors().len() {
            let kernel = draft.kernel(&computed.kernel)?;
            match lower(&kernel) {
                Ok(lowered) => {
                    let Draft { operands, mut costs, .. } = draft;
                    costs.extend(
                        lowered
                            .plan
                            .hints
                            .iter()
                            .map(|hint| (lowered.plan.sparse.as_ref().map(|sparse| sparse.tensor), hint.to_string())),
                    );
                    return Ok(Ready { kernel, lowered, operands, packed, costs });
                }
                Err(LowerError::Plan(error)) => draft.copy(&kernel, &error)?,
                Err(error) => return Err(NotReady::of(&error)),
            }
        }
        Err(NotReady::plain("the kernel cannot be lowered".to_string()))
    }

    /// One per tensor of the kernel, the result's empty.
    pub(super) fn operands(&self) -> Vec<Option<Operand<'_>>> {
        let tensors = self.kernel.tensors().iter();
        let mut operands: Vec<_> = self.operands.iter().zip(tensors).map(|(data, t)| Some(operand(data, t))).collect();
        operands.resize(self.kernel.tensors().len(), None);
        operands
    }

    /// The result made of the values that a run gave.
    ///
    /// # Errors
    /// A result that does not fit its encoding.
    pub(super) fn result(
        &self,
        name: &str,
        kind: Kind,
        values: Values,
        origin: Computed,
    ) -> Result<Value, StorageError> {
        let tensor = self.kernel.tensor(self.kernel.result().tensor);
        if tensor.shape.is_empty() {
            let value = values.get(0).unwrap_or(tensor.element.zero());
            return Ok(Value::Number(Arc::new(Number { element: tensor.element, value, origin: Some(origin) })));
        }
        let storage = match (&self.packed, &tensor.encoding) {
            (Some(encoding), _) => {
                storage::pack(&storage::from_dense(&tensor.shape, tensor.element, &values)?, encoding)?
            }
            (None, encoding) => {
                let plain = || named::dense(tensor.shape.len()).map(Arc::new);
                let unsized_ = StorageError::Rank { encoding: 0, tensor: tensor.shape.len() };
                let encoding = encoding.clone().or_else(plain).ok_or(unsized_)?;
                storage::pack::empty(&encoding, tensor.element, tensor.shape.clone())?.with_values(values)?
            }
        };
        let tensor = Tensor { name: name.to_string(), kind, storage, origin: Some(origin) };
        Ok(Value::Tensor(Arc::new(tensor)))
    }
}

fn operand<'a>(data: &'a Data, tensor: &kernel::Tensor) -> Operand<'a> {
    match data {
        Data::Copy(values) => Operand::Dense(values),
        Data::Value(Value::Number(number)) => Operand::Scalar(number.value),
        Data::Value(Value::Tensor(data)) => match tensor.encoding {
            Some(_) => Operand::Stored(&data.storage),
            None => Operand::Dense(data.storage.values()),
        },
    }
}

/// A kernel whose tensors are made dense until it can be lowered.
struct Draft {
    tensors: Vec<kernel::Tensor>,
    operands: Vec<Data>,
    costs: Vec<(Option<TensorId>, String)>,
}

impl Draft {
    fn kernel(&self, of: &Kernel) -> Result<Kernel, NotReady> {
        let vars = of.vars().iter().map(|var| VarDecl { name: var.name.clone(), extent: Some(var.extent) }).collect();
        let result = Access::of_vars(of.result().tensor, &of.result().indices);
        Kernel::declared(self.tensors.clone(), vars, result, of.expr().clone()).map_err(|errors| {
            NotReady::plain(errors.first().map_or("the kernel is not valid".to_string(), ToString::to_string))
        })
    }

    /// Takes a sparse result's encoding away and gives it back.
    ///
    /// # Errors
    /// A result that is too large to be computed as a dense array.
    fn dense_result(&mut self, of: &Kernel) -> Result<Option<Arc<Encoding>>, NotReady> {
        let result = of.result().tensor;
        let sparse = self.tensors.get_mut(result.index()).filter(|tensor| !is_random_access(tensor));
        let Some(tensor) = sparse else { return Ok(None) };
        let entries = tensor.shape.iter().fold(1u64, |product, size| product.saturating_mul(*size));
        let bytes = entries.saturating_mul(tensor.element.bytes() as u64);
        if entries > MOST_COPIED {
            let message =
                format!("`{}` is too large to be computed: a sparse result is a dense array first", tensor.name);
            let help = Some(format!("the dense array would take {}", size_text(bytes)));
            return Err(NotReady { tensor: Some(result), message, help, bug: false });
        }
        let text = format!("`{}` is computed as a dense array of {} and then packed", tensor.name, size_text(bytes));
        self.costs.push((Some(result), text));
        Ok(tensor.encoding.take())
    }

    /// Makes a dense copy of the operand that `error` is about.
    fn copy(&mut self, kernel: &Kernel, error: &PlanError) -> Result<(), NotReady> {
        let refused = |tensor| NotReady { tensor, help: None, bug: false, message: error.to_string() };
        let at = self.to_copy(kernel, error).ok_or_else(|| refused(None))?;
        let id = Some(TensorId::new(at));
        let Some(Data::Value(Value::Tensor(data))) = self.operands.get(at) else { return Err(refused(id)) };
        let entries = data.storage.dim_sizes().iter().fold(1u64, |product, size| product.saturating_mul(*size));
        let bytes = entries.saturating_mul(data.storage.element().bytes() as u64);
        if entries > MOST_COPIED {
            let help = format!("a dense copy of `{}` would take {}", data.name, size_text(bytes));
            return Err(NotReady { help: Some(help), ..refused(id) });
        }
        if self.operands.iter().any(has_special_values) {
            let help = "a dense copy would help, but would turn `0 * inf` at absent entries into NaN";
            return Err(NotReady { help: Some(help.to_string()), ..refused(id) });
        }
        let values = storage::to_dense(&data.storage).map_err(|error| NotReady::plain(error.to_string()))?;
        let text = format!("`{}` is copied into a dense array of {} first", data.name, size_text(bytes));
        self.costs.push((id, text));
        self.operands[at] = Data::Copy(values);
        self.tensors[at].encoding = None;
        Ok(())
    }

    /// Of two sparse operands the one with fewer elements; else the one that is named.
    fn to_copy(&self, kernel: &Kernel, error: &PlanError) -> Option<usize> {
        let named = |name: &str| {
            let operands = kernel.tensors().iter().take(self.operands.len());
            operands.enumerate().find(|(_, t)| t.name == name && !is_random_access(t)).map(|(at, _)| at)
        };
        let elements = |at: &usize| self.tensors[*at].shape.iter().fold(1u64, |n, size| n.saturating_mul(*size));
        match error {
            PlanError::TwoSparse { first, second } => {
                [named(first), named(second)].into_iter().flatten().min_by_key(elements)
            }
            PlanError::TwoAccesses { first, .. } => named(first.split('(').next()?),
            PlanError::Undetermined { tensor, .. } | PlanError::AffineAccess { tensor, .. } => named(tensor),
            PlanError::SparseResult { .. } | PlanError::NotYet { .. } => None,
        }
    }
}

fn has_special_values(data: &Data) -> bool {
    let finite = |scalar: Scalar| match scalar {
        Scalar::Float(x) => x.is_finite(),
        Scalar::Complex(z) => z.re.is_finite() && z.im.is_finite(),
        Scalar::Int(_) => true,
    };
    match data {
        Data::Value(Value::Tensor(tensor)) => !tensor.storage.values().iter().all(finite),
        Data::Value(Value::Number(number)) => !finite(number.value),
        Data::Copy(values) => !values.iter().all(finite),
    }
}

fn size_text(bytes: u64) -> String {
    crate::view::number::bytes(bytes)
}

impl NotReady {
    fn plain(message: String) -> NotReady {
        NotReady { tensor: None, message, help: None, bug: false }
    }
    fn of(error: &LowerError) -> NotReady {
        let help = match error {
            LowerError::Bug { loops, .. } => Some(loops.clone()),
            LowerError::Plan(_) | LowerError::TooLarge { .. } => None,
        };
        NotReady { tensor: None, message: error.to_string(), bug: help.is_some(), help }
    }
}

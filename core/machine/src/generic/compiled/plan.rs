//! The kernel of a body with the data of its operands.

use std::sync::Arc;

use super::{
    super::{Declined, Generic, names},
    captured,
    draft::{Draft, Said},
    expression::Known,
    reduction::is_identity,
    request, without_sign,
};
use crate::{
    Caught, Given,
    machine::{Fault, Frame},
    meaning::Meanings,
    value::Value,
};
use nnz_base::{ids::TensorId, source::Source};
use nnz_encoding::AffineMap;
use nnz_kernel::{Access, Expr, Kernel, ReduceOp, Tensor};
use nnz_mlir::{
    ir::{self as mlir, ValueId},
    types::Type,
};
use nnz_run::{self as run, Operand, Prepared, Refusal};

/// A kernel and its operands' data.
pub(super) struct Plan {
    pub(super) kernel: Kernel,
    data: Vec<Given>,
}

impl Plan {
    /// The plan of a body. Scalars from outside become operands where nothing depends on their values, so that one plan
    /// serves all values; otherwise they become numbers.
    pub(super) fn of(
        around: (&Source, &Frame<'_>, &Meanings),
        generic: &Generic<'_>,
        result: usize,
    ) -> Result<Result<Plan, Declined>, Fault> {
        let mut found = Err(Declined::Unsaid);
        for scalars in captured::lists(around.1, generic) {
            found = Plan::with(around, generic, result, &scalars)?;
            if !matches!(&found, Err(declined) if declined.bug().is_none()) {
                break;
            }
        }
        Ok(found)
    }

    fn with(
        (source, frame, meanings): (&Source, &Frame<'_>, &Meanings),
        generic: &Generic<'_>,
        result: usize,
        scalars: &[&mlir::Operand],
    ) -> Result<Result<Plan, Declined>, Fault> {
        let used: Vec<usize> = (0..generic.inputs).chain([generic.inputs + result]).collect();
        let Some(out) = generic.values.get(generic.inputs + result) else {
            return Ok(Err(Declined::Operand));
        };
        if !matches!(out, Value::Sparse(_) | Value::Array(_)) {
            return Ok(Err(unfit(out)));
        }
        let (mut tensors, mut data) = (Vec::new(), Vec::new());
        for at in used.iter().copied() {
            match operand((source, &tensors), generic, at)? {
                Ok((tensor, its)) => {
                    tensors.push(tensor);
                    data.push(its);
                }
                Err(declined) => return Ok(Err(declined)),
            }
        }
        // The old result is an operand too, the last; the compiler drops one that is not read.
        for (at, scalar) in scalars.iter().enumerate() {
            let Some(element) = scalar.ty.scalar() else { return Ok(Err(Declined::Outside)) };
            let name = names::distinct(&tensors, names::of(source, scalar));
            tensors.insert(generic.inputs + at, Tensor { name, element, shape: Vec::new(), encoding: None });
            data.insert(generic.inputs + at, Given::Scalar(frame.get(scalar.value)?.scalar()?));
        }
        let outer = |id| match scalars.iter().position(|scalar| scalar.value == id) {
            Some(at) => Some(Expr::Access(Access { tensor: TensorId::new(generic.inputs + at), indices: Vec::new() })),
            None => outer(frame, id),
        };
        let starts_at_identity = |op: &ReduceOp| starts_at_identity(out, op);
        let maps: Vec<Arc<AffineMap>> = used.iter().filter_map(|at| generic.maps.get(*at).cloned()).collect();
        let encoded = |at: &usize| matches!(generic.values.get(*at), Some(Value::Sparse(_)));
        let known = Known {
            op: generic.op,
            meanings,
            maps: &maps,
            inputs: generic.inputs,
            result,
            loops: generic.extents.len(),
            encoded: used.iter().map(encoded).collect(),
            elements: tensors.iter().map(|tensor| tensor.element).collect(),
            outer: &outer,
            starts_at_identity: &starts_at_identity,
        };
        let name = names::distinct(&tensors, names::of_result(source, generic.op));
        let places = (0..generic.inputs).chain([tensors.len() - 1]).map(TensorId::new).collect();
        let draft = Draft { tensors, places, extents: &generic.extents, result: name };
        let Said { kernel, reads_old } = match draft.say(&known) {
            Ok(said) => said,
            Err(declined) => return Ok(Err(declined)),
        };
        if !reads_old {
            data.pop();
        } else if generic.adds_up(result, &kernel) && data.last().is_some_and(Given::has_negative_zeros) {
            // The old value may be -0, and then the sum may be, too.
            return Ok(Err(Declined::NegativeZeros));
        }
        Ok(Ok(Plan { kernel, data }))
    }

    /// For a run that ends here.
    pub(super) fn caught(self) -> Caught {
        Caught { kernel: self.kernel, operands: self.data }
    }

    pub(super) fn prepared(
        &self,
        plans: &mut run::Plans,
        tell: &mut dyn FnMut(run::Hidden),
    ) -> Result<Prepared<'_>, Refusal> {
        run::prepare(request(&self.kernel), self.data.iter().map(|data| Some(data.operand())), plans, tell)
    }
}

/// A scalar that was computed outside the body.
fn outer(frame: &Frame<'_>, id: ValueId) -> Option<Expr> {
    let element = frame.function.types.get(id.index()).and_then(Type::scalar)?;
    Some(Expr::literal(element, frame.get(id).ok()?.scalar().ok()?))
}

/// Whether a result has no entries or only identities, so that a reduction may ignore it.
fn starts_at_identity(out: &Value, op: &ReduceOp) -> bool {
    match out {
        Value::Sparse(tensor) => tensor.is_empty(),
        Value::Array(array) => array.values.iter().all(|value| is_identity(op, value)),
        Value::Scalar(_)
        | Value::Entries(_)
        | Value::Memory(_)
        | Value::Name(_)
        | Value::Specifier(_)
        | Value::Walk(_) => false,
    }
}

/// Why the compiler does not take an operand.
fn unfit(value: &Value) -> Declined {
    if matches!(value, Value::Memory(_) | Value::Name(_)) { Declined::Buffers } else { Declined::Operand }
}

/// An operand as the compiler has it.
fn operand(
    (source, tensors): (&Source, &[Tensor]),
    generic: &Generic<'_>,
    at: usize,
) -> Result<Result<(Tensor, Given), Declined>, Fault> {
    let (Some(operand), Some(value)) = (generic.op.operands.get(at), generic.values.get(at)) else {
        return Ok(Err(Declined::Operand));
    };
    let Some(element) = operand.ty.element() else { return Ok(Err(Declined::Operand)) };
    let (encoding, data) = match value {
        Value::Scalar(scalar) => (None, Given::Scalar(*scalar)),
        Value::Sparse(tensor) => (Some(tensor.encoding().clone()), Given::Stored(tensor.storage()?)),
        Value::Memory(_) | Value::Name(_) => return Ok(Err(unfit(value))),
        Value::Array(_) | Value::Entries(_) | Value::Specifier(_) | Value::Walk(_) => {
            let array = value.array()?.into_owned();
            match array.values.get(0).filter(|_| array.shape.is_empty()) {
                Some(scalar) => (None, Given::Scalar(scalar)),
                None => (None, Given::Dense(array.values)),
            }
        }
    };
    let name = names::distinct(tensors, names::of(source, operand));
    Ok(Ok((Tensor { name, element, shape: value.sizes(), encoding }, data)))
}

impl Given {
    fn has_negative_zeros(&self) -> bool {
        matches!(self, Given::Stored(storage) if storage.values().iter().any(|value| without_sign(value).is_some()))
    }
    fn operand(&self) -> Operand<'_> {
        match self {
            Given::Scalar(scalar) => Operand::Scalar(*scalar),
            Given::Dense(values) => Operand::Dense(values),
            Given::Stored(storage) => Operand::Stored(storage),
        }
    }
}

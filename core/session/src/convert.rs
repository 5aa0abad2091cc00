//! Definitions that only change how a tensor is stored, `B : CSC = A`, carried out by compiled loops where
//! loops can: they are a kernel like any other, which `:show loops B` shows and `:time B` times.

use std::sync::Arc;

use super::{
    define::Made,
    evaluate::Evaluation,
    kernels::Ready,
    limits,
    names::{Computed, Kind, Tensor, Value},
};
use nnz_backend::{Target, resolved};
use nnz_check::{
    scope::{Format, Word},
    session::{Init, TensorDefinition},
};
use nnz_kernel::{self as kernel, Kernel};
use nnz_plan::iterate;
use nnz_storage as storage;

impl Evaluation<'_> {
    /// The tensor of a definition, if it is the same tensor stored otherwise and loops can store it so.
    /// What is wrong with a definition is left to be said by the general way.
    pub(super) fn converted_by_loops(&mut self, definition: &TensorDefinition) -> Option<Made> {
        let Init::Convert(source) = &definition.init else { return None };
        let Some(Value::Tensor(tensor)) = self.names.get(&source.text) else { return None };
        let tensor = tensor.clone();
        let rank = tensor.storage.dim_sizes().len();
        let format = definition.spec.known_format(rank).filter(|_| keeps_type(definition, &tensor))?;
        let kind = Kind::of(&format, definition.spec.format_name.clone());
        let kernel = conversion(&tensor, &definition.name, &format)?;
        let value = self.converted(&definition.name, kind, kernel, tensor)?;
        Some(Made { tensor: value, notes: Vec::new(), doubts: Vec::new() })
    }

    fn converted(&mut self, name: &Word, kind: Kind, kernel: Kernel, source: Arc<Tensor>) -> Option<Arc<Tensor>> {
        let operands = vec![Value::Tensor(source.clone())];
        let origin = Computed { kernel: Arc::new(kernel), schedule: Arc::default(), operands };
        let told = self.hints.len();
        let direct = |ready: &Ready| iterate::is_direct(&ready.lowered.plan);
        let fits = |ready: &Ready| limits::refusal(ready, self.host.memory()).is_none();
        let ready = Ready::new(&origin, "", &mut |_| ()).ok().filter(|ready| direct(ready) && fits(ready))?;
        if resolved(self.options.target) == Target::Interpreter {
            return by_library(name, kind, &source, origin);
        }
        let compiled = self.compile(&ready, name.span);
        self.hints.truncate(told);
        let means = self.means();
        let value = ready.run((&name.text, kind), &compiled.ok()?, means, origin).ok()?;
        match value {
            Value::Tensor(tensor) => Some(tensor),
            Value::Number(_) => None,
        }
    }
}

/// The interpreter would take a hundred times as long as the library, which stores the same.
fn by_library(name: &Word, kind: Kind, source: &Tensor, origin: Computed) -> Option<Arc<Tensor>> {
    let encoding = origin.kernel.tensor(origin.kernel.result().tensor).encoding.clone()?;
    let storage = storage::convert(&source.storage, &encoding).ok()?;
    Some(Arc::new(Tensor { name: name.text.clone(), kind, storage, origin: Some(origin) }))
}

/// Whether the definition asks for the tensor as it is, but for its encoding.
fn keeps_type(definition: &TensorDefinition, tensor: &Tensor) -> bool {
    let (spec, sizes) = (&definition.spec, tensor.storage.dim_sizes());
    let fits = |shape: &Vec<Option<u64>>| {
        shape.len() == sizes.len() && shape.iter().zip(sizes).all(|(wanted, size)| wanted.is_none_or(|it| it == *size))
    };
    spec.element.is_none_or(|element| element == tensor.storage.element()) && spec.shape.as_ref().is_none_or(fits)
}

fn conversion(source: &Tensor, name: &Word, format: &Format) -> Option<Kernel> {
    let storage = &source.storage;
    let described = |name: &str, encoding| kernel::Tensor {
        name: name.to_string(),
        element: storage.element(),
        shape: storage.dim_sizes().to_vec(),
        encoding,
    };
    let from = match source.kind {
        Kind::Plain => described(&source.name, None),
        Kind::Encoded(_) => described(&source.name, Some(storage.encoding().clone())),
    };
    let to = match format {
        Format::Plain => described(&name.text, None),
        Format::Encoded(encoding) => described(&name.text, Some(encoding.clone())),
    };
    iterate::conversion(&from, &to)
}

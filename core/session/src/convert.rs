//! Definitions of tensors. One that only changes how a tensor is stored, `B : CSC = A`, is a kernel like any other if
//! loops can assemble the encoding: `:show loops B` shows it and `:time B` times it.

use std::sync::Arc;

use super::{
    define::Made,
    evaluation::{Evaluation, Result},
    kernels::Places,
    names::{Applied, Computed, Kind, Tensor, Value},
    shown::Definition,
};
use nnz_backend::{BackendError, Target, resolved};
use nnz_base::diagnostic::{Code, Diagnostic};
use nnz_check::{
    scope::{Format, Word},
    session::{Init, TensorDefinition},
};
use nnz_kernel::{self as kernel, Kernel};
use nnz_plan::iterate;
use nnz_run::{self as run, Hidden, Prepared, RunError};
use nnz_storage::{self as storage, Storage};
use nnz_view::Markup;

impl Evaluation<'_> {
    pub(super) fn tensor(&mut self, definition: &TensorDefinition) -> Result<Definition> {
        let Made { tensor, notes, doubts } = match self.converted_by_loops(definition)? {
            Some(made) => made,
            None => self.definer().tensor(definition)?,
        };
        self.hints.extend(doubts);
        let title = tensor.view().title();
        let literal = matches!(definition.init, nnz_check::session::Init::Literal(_));
        let defined = self.define(&definition.name, Value::Tensor(tensor));
        let said = (!literal).then(|| notes.into_iter().fold(Markup::new().line(title), Markup::line));
        Ok(Definition { said, ..defined })
    }

    /// The tensor of a definition, if it is the same tensor in another encoding and loops can assemble that.
    ///
    /// # Errors
    /// A bug of nnz; entries that cannot be stored so, unless there are too many even to try, which the general way says.
    pub(super) fn converted_by_loops(&mut self, definition: &TensorDefinition) -> Result<Option<Made>> {
        let Some((kind, applied)) = self.conversion_of(definition)? else { return Ok(None) };
        let converted = self.converted(definition, kind, applied)?;
        Ok(converted.map(|tensor| Made { tensor, notes: Vec::new(), doubts: Vec::new() }))
    }

    fn conversion_of(&self, definition: &TensorDefinition) -> Result<Option<(Kind, Applied)>> {
        let Init::Convert(source) = &definition.init else { return Ok(None) };
        let Some(value @ Value::Tensor(tensor)) = self.names.get(&source.text) else { return Ok(None) };
        let rank = tensor.storage.dim_sizes().len();
        let format = definition.spec.known_format(rank).filter(|_| keeps_type(definition, tensor));
        let Some(format) = format else { return Ok(None) };
        let kernel = conversion(tensor, &definition.name, &format)
            .map_err(|error| self.refused(&error.into(), &Places::only(definition.name.span)))?;
        let kind = Kind::of(&format, definition.spec.format_name.clone());
        let applied = |kernel| Applied::new(kernel, Arc::default(), vec![value.clone()]);
        Ok(kernel.map(|kernel| (kind, applied(kernel))))
    }

    fn converted(
        &mut self,
        definition: &TensorDefinition,
        kind: Kind,
        applied: Applied,
    ) -> Result<Option<Arc<Tensor>>> {
        let name = &definition.name;
        let mut costs = Vec::new();
        let made = match applied.prepare(None, &mut |cost| costs.push(cost)) {
            Err(refusal) if refusal.is_bug() => return Err(self.refused(&refusal, &Places::only(name.span))),
            // One pass of loops cannot do it.
            Err(_) => None,
            Ok(prepared) => {
                let stored = self.stored_otherwise(definition, (&applied, &prepared), costs)?;
                stored.map(|storage| (storage, prepared.outline().clone()))
            }
        };
        let Some((storage, outline)) = made else { return Ok(None) };
        let (name, origin) = (name.text.clone(), Some(Computed { applied, outline }));
        Ok(Some(Arc::new(Tensor { name, kind, storage: storage.into(), origin })))
    }

    /// `costs` are those of the loops.
    fn stored_otherwise(
        &mut self,
        definition: &TensorDefinition,
        (applied, prepared): (&Applied, &Prepared<'_>),
        costs: Vec<Hidden>,
    ) -> Result<Option<Storage>> {
        if !iterate::is_direct(&prepared.lowered().plan) || prepared.too_much(self.host.memory_free()).is_some() {
            return Ok(None);
        }
        let launch = self.launch();
        let is_long = !prepared.is_short(launch.engine) && resolved(launch.engine.target()) == Target::Cpu;
        if is_long && let Some(stored) = self.by_loops(&definition.name, prepared)? {
            let (place, from) = ((self.source.id, definition.init_span), self.options.told_from);
            // That entries move from a dense tensor is what the statement says.
            let hidden = costs.iter().filter(|cost| cost.code != Code::EveryCoordinate);
            hidden.for_each(|cost| self.hints.tell_cost(cost, from, place));
            return Ok(Some(stored));
        }
        self.by_library(definition, applied)
    }

    /// The library stores the same in a hundredth of the interpreter's time, and few entries are not worth machine code.
    fn by_library(&self, definition: &TensorDefinition, applied: &Applied) -> Result<Option<Storage>> {
        let encoding = applied.kernel.tensor(applied.kernel.result().tensor).encoding.as_ref();
        let (Some(encoding), Some(Value::Tensor(source))) = (encoding, applied.operands.first()) else {
            return Ok(None);
        };
        let stored = storage::convert_while(&source.storage, encoding, &|| !self.host.cancelled());
        stored.map(Some).map_err(|error| self.definer().data_error(&error, definition))
    }

    /// `None` if the loops cannot be compiled, which is told, or if the entries do not fit the encoding or the memory. The
    /// library then reports the reason.
    fn by_loops(&mut self, name: &Word, prepared: &Prepared<'_>) -> Result<Option<Storage>> {
        let (launch, mut instead) = (self.launch(), None);
        let target = (launch.engine.target(), launch.order);
        let code = prepared.compile_or(target, launch.cache, &mut |reason| instead = Some(reason));
        let code = code.map_err(|error| self.backend_failed(name.span, &error))?;
        if let Some(reason) = instead {
            let text = format!("is converted without loops: {reason}");
            let hint = Diagnostic::new(Code::HiddenCost, self.source.id, name.span, text).label("not compiled");
            self.hints.push(hint);
            return Ok(None);
        }
        match run::run(prepared.lowered(), &code, &prepared.operands(), launch.means) {
            Ok(storage) => Ok(Some(storage)),
            Err(RunError::Storage { .. } | RunError::TooLarge { .. } | RunError::Memory { .. }) => Ok(None),
            Err(RunError::Backend(BackendError::NoRoom(_))) => Ok(None),
            Err(
                error @ (RunError::Missing { .. }
                | RunError::Mismatch { .. }
                | RunError::Outgrown { .. }
                | RunError::OtherCode
                | RunError::Backend(_)),
            ) => Err(self.run_failed(name.span, error)),
        }
    }
}

/// Whether the definition changes nothing of the tensor but its encoding.
fn keeps_type(definition: &TensorDefinition, tensor: &Tensor) -> bool {
    let (spec, sizes) = (&definition.spec, tensor.storage.dim_sizes());
    let fits = |shape: &Vec<Option<u64>>| {
        shape.len() == sizes.len() && shape.iter().zip(sizes).all(|(wanted, size)| wanted.is_none_or(|it| it == *size))
    };
    spec.element.is_none_or(|element| element == tensor.storage.element()) && spec.shape.as_ref().is_none_or(fits)
}

fn conversion(
    source: &Tensor,
    name: &Word,
    format: &Format,
) -> std::result::Result<Option<Kernel>, iterate::PlanError> {
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
        Format::Plain | Format::Parts(_) => described(&name.text, None),
        Format::Encoded(encoding) => described(&name.text, Some(encoding.clone())),
    };
    iterate::conversion(&from, &to)
}

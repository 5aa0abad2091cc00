//! A kernel over another encoding of one of its operands.

use std::sync::Arc;

use super::{
    define::Made,
    evaluation::{Evaluation, Result},
    kernels::Places,
    names::{Applied, Kind, Tensor, Value},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    source::Span,
};
use nnz_check::{
    command,
    scope::{Format, Word},
    session::{Init, TensorDefinition},
    spec::{Spec, format_named},
};
use nnz_kernel as kernel;
use nnz_run::Refusal;

/// The operand and the formats over which a kernel is compared by default.
#[derive(Clone, Debug)]
pub struct UsualFormats {
    /// The operand whose format changes.
    pub operand: String,
    /// Its own first; each with its name.
    pub formats: Vec<(String, Spec)>,
}

/// A tensor of more places is not stored whole unless that is asked for.
const FEW_PLACES: u64 = 1 << 22;

/// The usual formats of a tensor. Its own is what it is stored in, whatever the name now means.
fn usual(tensor: &Tensor, span: Span) -> Vec<(String, Spec)> {
    let sizes = tensor.storage.dim_sizes();
    let places = sizes.iter().try_fold(1_u64, |places, size| places.checked_mul(*size));
    let sparse: &[&str] = match sizes.len() {
        1 => &["SparseVector"],
        2 => &["CSR", "CSC", "DCSR", "COO"],
        _ => &["CSF", "COO"],
    };
    let dense = places.is_some_and(|places| places <= FEW_PLACES).then_some("dense");
    let own = tensor.encoding_text();
    let own_format = tensor.ty().format.unwrap_or(Format::Plain);
    let others = sparse.iter().copied().chain(dense);
    let others = others.filter_map(|name| Some((name, format_named(name, &[], sizes.len())?)));
    let others = others.filter(|(_, format)| format.encoding() != own_format.encoding()).collect::<Vec<_>>();
    let all = std::iter::once((own, own_format)).chain(others);
    all.map(|(name, format)| (name.to_string(), Spec::stored(span, format, name))).collect()
}

impl Evaluation<'_> {
    /// The operand that is named, or the first that is stored sparse, or the first; and its usual formats.
    pub(super) fn usual_formats(&mut self, name: &Word, operand: Option<&Word>) -> Result<UsualFormats> {
        let Applied { kernel, operands, .. } = self.origin(name)?.applied;
        let names = || kernel.tensors().iter().zip(&operands).map(|(tensor, _)| tensor.name.as_str());
        let tensors = kernel.tensors().iter().zip(&operands).filter_map(|(tensor, value)| match value {
            Value::Tensor(value) => Some((&tensor.name, value)),
            Value::Parts(_) | Value::Number(_) => None,
        });
        let tensors: Vec<_> = tensors.collect();
        let is_sparse = |(_, value): &&(&String, &Arc<Tensor>)| value.kind != Kind::Plain;
        let chosen = match operand {
            Some(operand) => tensors.iter().find(|(name, _)| **name == operand.text),
            None => tensors.iter().find(is_sparse).or(tensors.first()),
        };
        match (chosen, operand) {
            (Some((operand, value)), _) => {
                Ok(UsualFormats { operand: operand.to_string(), formats: usual(value, name.span) })
            }
            (None, Some(operand)) if names().any(|known| known == operand.text) => {
                Err(Box::new(command::no_tensor(self.source.id, operand)))
            }
            (None, Some(operand)) => Err(self.no_operand(name, operand, names().collect())),
            (None, None) => {
                let message = format!("`{}` reads no tensor that could have another format", name.text);
                let error = self.error(Code::UnknownName, name.span, message).label("computed from numbers");
                Err(Box::new(error.help("a kernel that reads a tensor is compared, such as `y(i) = A(i, j) * x(j)`")))
            }
        }
    }

    /// The kernel that computed a name, with one of its operands stored as `spec` says. The operand's name then means
    /// that.
    pub(super) fn stored_as(&mut self, (name, operand): (&Word, &Word), spec: &Spec) -> Result<Applied> {
        let Applied { kernel, schedule, operands, .. } = self.origin(name)?.applied;
        let names = || kernel.tensors().iter().zip(&operands).map(|(tensor, _)| tensor.name.as_str());
        let at = names().position(|known| known == operand.text);
        let value = at.and_then(|at| operands.get(at)).cloned();
        let value = value.ok_or_else(|| self.no_operand(name, operand, names().collect()))?;
        let stored = self.converted_operand(operand, value, spec)?;
        let encoding = match stored.kind {
            Kind::Plain => None,
            Kind::Encoded(_) => Some(stored.storage.encoding().clone()),
        };
        let otherwise = |tensor: &kernel::Tensor| match tensor.name == operand.text {
            true => kernel::Tensor { encoding: encoding.clone(), ..tensor.clone() },
            false => tensor.clone(),
        };
        let tensors = kernel.tensors().iter().map(otherwise).collect();
        let rewritten = kernel.rewritten(tensors, kernel.declarations(), kernel.expr().clone());
        let rewritten =
            rewritten.map_err(|errors| self.refused(&Refusal::rewrite(errors), &Places::only(name.span)))?;
        let mut operands = operands;
        at.and_then(|at| operands.get_mut(at)).into_iter().for_each(|value| *value = Value::Tensor(stored.clone()));
        Ok(Applied::new(rewritten, schedule, operands))
    }

    fn converted_operand(&mut self, name: &Word, value: Value, spec: &Spec) -> Result<Arc<Tensor>> {
        let Value::Tensor(tensor) = &value else { return Err(Box::new(command::no_tensor(self.source.id, name))) };
        let own = tensor.storage.element();
        if spec.element.is_some_and(|element| element != own) {
            let message = format!("`{}` holds `{own}`, and keeps it when formats are compared", name.text);
            return Err(Box::new(self.error(Code::ValueType, spec.span, message).label("another element type")));
        }
        self.names.define(&name.text, value);
        let init = Init::Convert(name.clone());
        let definition = TensorDefinition { name: name.clone(), spec: spec.clone(), init, init_span: name.span };
        if let Some(refusal) = definition.refusal(self.source.id, &self.names.scope) {
            return Err(Box::new(refusal));
        }
        let Made { tensor, .. } = match self.converted_by_loops(&definition)? {
            Some(made) => made,
            None => self.definer().tensor(&definition)?,
        };
        Ok(tensor)
    }

    /// `names` are the operands of the kernel.
    fn no_operand(&self, kernel: &Word, operand: &Word, mut names: Vec<&str>) -> Box<Diagnostic> {
        names.sort_unstable();
        let (message, label) = match self.names.get(&operand.text) {
            Some(_) => (format!("`{}` does not read `{}`", kernel.text, operand.text), "no operand of it"),
            None => (format!("there is no tensor `{}`", operand.text), "not defined in the session"),
        };
        let error = self.error(Code::UnknownName, operand.span, message).label(label);
        Box::new(match (did_you_mean(&operand.text, names.iter().copied()), names.as_slice()) {
            (Some(near), _) => error.guess(operand.span, near),
            (None, []) => error,
            (None, names) => error.help(format!("there is `{}`", names.join("`, `"))),
        })
    }
}

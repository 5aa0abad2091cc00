//! A kernel over another encoding of one of its operands.

use std::sync::Arc;

use super::{
    define::Made,
    evaluate::{Evaluation, Places, Result},
    names::{Applied, Kind, Tensor, Value},
};
use nnz_base::diagnostic::{Code, Diagnostic, did_you_mean};
use nnz_check::{
    command,
    scope::Word,
    session::{Init, TensorDefinition},
    spec::Spec,
};
use nnz_kernel as kernel;
use nnz_run::Refusal;

impl Evaluation<'_> {
    /// The kernel that computed a name, with one of its operands stored as `spec` says. The operand's name then means
    /// that.
    pub(super) fn stored_as(&mut self, (name, operand): (&Word, &Word), spec: &Spec) -> Result<Applied> {
        let Applied { kernel, schedule, operands } = self.origin(name)?.applied;
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
        Ok(Applied { kernel: Arc::new(rewritten), schedule, operands })
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

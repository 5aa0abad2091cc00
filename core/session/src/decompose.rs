//! `A = decompose(A, [BSR(32, 32), CSR])`: a tensor in several formats.

use std::sync::Arc;

use super::{
    define::entries,
    evaluation::{Evaluation, Result},
    names::{Kind, Parts, Tensor, Value},
    shown::Definition,
};
use nnz_base::diagnostic::Code;
use nnz_check::{kernel::OfPart, session::Decomposition};
use nnz_storage::{self as storage, Storage, StorageError};

impl Evaluation<'_> {
    pub(super) fn decomposition(&mut self, decomposition: &Decomposition) -> Result<Definition> {
        let stored = self.split(decomposition)?;
        let name = decomposition.name.text.clone();
        let parts = stored.into_iter().enumerate().zip(decomposition.parts.iter()).map(|((part, storage), format)| {
            let (name, kind) = (OfPart { tensor: name.clone(), part }.name(), Kind::Encoded(format.name.clone()));
            Arc::new(Tensor { name, kind, storage: storage.into(), origin: None })
        });
        let (formats, stored) = (Arc::clone(&decomposition.parts), parts.collect());
        let parts = Parts { name: name.clone(), formats, stored };
        let said = Some(parts.titles());
        let defined = self.define(&decomposition.name, Value::Parts(Arc::new(parts)));
        Ok(Definition { said, ..defined })
    }

    fn split(&self, decomposition: &Decomposition) -> Result<Vec<Storage>> {
        let Decomposition { source, parts, filled, .. } = decomposition;
        let missing = || self.error(Code::UnknownName, source.span, format!("`{}` is no tensor", source.text));
        let stored = self.names.get(&source.text).map(Value::stored).ok_or_else(missing)?;
        let formats: Vec<_> = parts.iter().map(|part| Arc::clone(&part.encoding)).collect();
        let goes_on = || !self.host.cancelled();
        let split = entries(stored).and_then(|entries| storage::decompose(entries, &formats, *filled, &goes_on));
        split.map_err(|error| self.not_split(decomposition, &error))
    }

    /// The last part takes what is left, so that it is the one that may not fit.
    fn not_split(&self, decomposition: &Decomposition, error: &StorageError) -> Box<nnz_base::diagnostic::Diagnostic> {
        if *error == StorageError::Stopped {
            return self.error(Code::Cancelled, decomposition.source.span, "stopped");
        }
        let place = decomposition.places.last().copied().unwrap_or(decomposition.source.span);
        Box::new(nnz_check::session::storage_error(self.source.id, place, error))
    }
}

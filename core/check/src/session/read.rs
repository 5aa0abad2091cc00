//! Files of data: what is said of one where a text names it.

use super::TensorDefinition;
use crate::scope::{PartialType, Word};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
};
use nnz_storage::{
    Triplets,
    files::{self, Cause, FileError, FileKind, FilePlace, Note, Read, ReadOptions},
};

impl TensorDefinition {
    /// What the type asks of a file that is read. `x : SparseVector = read "x.mtx"`: a format of one dimension asks for
    /// a vector, too.
    pub fn read_options(&self) -> ReadOptions {
        let vector = || (self.spec.rank() == Some(1)).then(|| vec![None]);
        let shape = self.spec.shape.clone().or_else(vector);
        ReadOptions { element: self.spec.element, shape, ..ReadOptions::default() }
    }

    /// What the statement makes of these bytes: how many entries of which type; and what it says, up to the first error.
    pub(super) fn of_file(
        &self,
        file: FileId,
        path: &Word,
        bytes: Vec<u8>,
    ) -> (Option<(u64, PartialType)>, Vec<Diagnostic>) {
        let Some(kind) = FileKind::of_path(&path.text) else { return (None, Vec::new()) };
        match files::read_from(kind, &bytes, &self.read_options(), &files::unwatched) {
            Ok(read) => {
                let made = (read.triplets.len() as u64, self.type_of(&read.triplets));
                (Some(made), self.said_of(file, path, &read))
            }
            Err(error) => (None, vec![file_error(file, path, &error)]),
        }
    }

    /// The type of the tensor that these entries become.
    fn type_of(&self, read: &Triplets) -> PartialType {
        PartialType {
            element: Some(read.element()),
            shape: Some(read.shape().iter().copied().map(Some).collect()),
            format: self.spec.known_format(read.rank()),
            format_name: self.spec.format_name.clone(),
        }
    }

    fn said_of(&self, file: FileId, path: &Word, read: &Read) -> Vec<Diagnostic> {
        let doubts = read.notes.iter().filter(|note| note.is_doubt());
        let mut said: Vec<Diagnostic> = doubts.map(|note| file_doubt(file, path, note)).collect();
        let found: Vec<Option<u64>> = read.triplets.shape().iter().copied().map(Some).collect();
        said.extend(self.misfit(file, &found).or_else(|| self.unstorable(file, &read.triplets)));
        said
    }

    /// Why entries cannot be stored as the type says, if its encoding takes some data only.
    pub(super) fn unstorable(&self, file: FileId, triplets: &Triplets) -> Option<Diagnostic> {
        let format = self.spec.known_format(triplets.rank())?;
        let encoding = format.encoding().filter(|encoding| super::data::takes_some_only(encoding))?;
        let error = nnz_storage::pack(triplets, encoding).err()?;
        Some(self.data_error(file, &error))
    }
}

/// The error in a file of data, with its place there.
pub fn file_error(file: FileId, path: &Word, error: &FileError) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(code_of(error), file, path.span, format!("`{}`: {error}", path.text));
    diagnostic.data = error.data_place(&path.text).map(Box::new);
    diagnostic.notes.extend(error.notes());
    diagnostic.helps.extend(error.help.clone());
    diagnostic.label(match &error.place {
        FilePlace::Text { .. } => "read here".to_string(),
        FilePlace::Array(name) => format!("its array `{name}` does not fit"),
        FilePlace::Whole => "not to be read".to_string(),
    })
}

fn code_of(error: &FileError) -> Code {
    match error.cause {
        Cause::Stopped => Code::Cancelled,
        Cause::NoRoom => Code::TooLarge,
        Cause::Malformed | Cause::Unsupported => Code::BadFile,
    }
}

/// The warning for a note of a reader which doubts that the file is what it is read as.
pub fn file_doubt(file: FileId, path: &Word, note: &Note) -> Diagnostic {
    let message = format!("`{}`: {note}", path.text);
    Diagnostic::new(Code::DoubtfulFile, file, path.span, message).label(note.label())
}

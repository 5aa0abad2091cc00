//! Compares what is known of a definition's data, before it is read or made, with its type.

use super::{Init, TensorDefinition};
use crate::{
    encoding::formats_of,
    list_of,
    literal::Literal,
    scope::{Meaning, Scope, plural},
    used,
};
use nnz_base::{
    arrays::Width,
    diagnostic::{Code, Diagnostic},
    element::Element,
    ids::FileId,
    source::Span,
};
use nnz_encoding::{Encoding, Level};
use nnz_storage::{
    ArrayKind, StorageError,
    generate::{self, Count, GenerateError},
};

impl TensorDefinition {
    /// The sizes of the data as far as the text gives them; a file's contents give the rest.
    pub(crate) fn data_shape(&self, scope: &Scope) -> Option<Vec<Option<u64>>> {
        let known = |sizes: &[u64]| Some(sizes.iter().copied().map(Some).collect());
        match &self.init {
            Init::Literal(literal) => known(literal.shape()),
            Init::Generate { .. } => known(&self.generated().ok()?),
            Init::Convert(name) => match scope.get(&name.text) {
                Some(Meaning::Tensor(ty)) => ty.shape.clone(),
                _ => None,
            },
            Init::Read(_) => None,
        }
    }

    /// The shape of the tensor that the generator would make.
    fn generated(&self) -> Result<Vec<u64>, GenerateError> {
        let Init::Generate { generator, arguments, .. } = &self.init else { return Ok(Vec::new()) };
        generate::shape(&generator.text, arguments, self.spec.sizes().as_deref(), self.element())
    }

    /// How many entries a generator would make.
    pub(super) fn count(&self) -> Option<Count> {
        let Init::Generate { generator, arguments, .. } = &self.init else { return None };
        let sizes = self.spec.sizes();
        generate::size(&generator.text, arguments, sizes.as_deref(), self.element()).ok().map(|(_, count)| count)
    }

    /// The element type of a generator's tensor.
    pub fn element(&self) -> Element {
        self.spec.element.unwrap_or(Element::F64)
    }

    /// The reason why there can be no such tensor, if the text determines that.
    pub fn refusal(&self, file: FileId, scope: &Scope) -> Option<Diagnostic> {
        match (&self.init, self.generated()) {
            (_, Err(error)) => Some(generator_refusal(file, self, &error)),
            (Init::Read(path), _) => used::unknown_kind(file, path),
            (Init::Literal(Literal::Entries(entries)), _) if self.spec.shape.is_some() => {
                self.unstorable(file, entries)
            }
            // A constant is not filled in for this.
            (Init::Literal(_), _) => None,
            _ => self.misfit(file, &self.data_shape(scope)?),
        }
    }

    /// The error of data that cannot be stored as the type says.
    pub fn data_error(&self, file: FileId, error: &StorageError) -> Diagnostic {
        let diagnostic = storage_error(file, self.init_span, error);
        let diagnostic = diagnostic.secondary(self.spec.span, "stored as this says");
        if let StorageError::Overflow { array, wanted, .. } = error {
            let field = if matches!(array, ArrayKind::Positions) { "posWidth" } else { "crdWidth" };
            let width = wanted.bits();
            return diagnostic.help(format!("write `{field} = {width}` in the encoding, or leave the width out"));
        }
        if let StorageError::BlockFull { n, m, .. } = error {
            let help = format!("`pruned_2_4` makes data for `structured[2, 4]`; others keep {n} of every {m}");
            return diagnostic.help(help);
        }
        diagnostic
    }

    /// Why data of these sizes do not fit the declared type.
    pub fn misfit(&self, file: FileId, found: &[Option<u64>]) -> Option<Diagnostic> {
        let error = |code, message| Diagnostic::new(code, file, self.init_span, message);
        let differs =
            |(wanted, found): (&Option<u64>, &Option<u64>)| matches!((wanted, found), (Some(w), Some(f)) if w != f);
        if let Some(wanted) = &self.spec.shape
            && (wanted.len() != found.len() || wanted.iter().zip(found).any(differs))
        {
            let message = format!("the data are {}, but the type says {}", by(found), by(wanted));
            let error = error(Code::ShapeMismatch, message).label(format!("of size {}", by(found)));
            return Some(error.secondary(self.spec.span, "declared here"));
        }
        if self.spec.known_format(found.len()).is_some() {
            return None;
        }
        let name = self.spec.format_name.as_ref().map_or("the encoding".to_string(), |name| format!("`{name}`"));
        let message = format!("{name} is no format for {}", plural(found.len(), "dimension"));
        let error = error(Code::WrongArity, message).label(format!("of size {}", by(found)));
        let error = error.secondary(self.spec.span, "the format is asked for here");
        Some(match formats_of(found.len()).as_slice() {
            [] => error,
            known => error.help(format!("formats of rank {}: {}", found.len(), list_of(known))),
        })
    }
}

/// Whether an encoding takes some data and not others of the same shape.
pub(super) fn takes_some_only(encoding: &Encoding) -> bool {
    let counted = |level: &Level| level.format.block().is_some();
    let narrow = encoding.pos_width() != Width::default() || encoding.crd_width() != Width::default();
    narrow || encoding.explicit_val().is_some() || encoding.levels().iter().any(counted)
}

/// The error of data that cannot be stored as is asked for at `span`.
pub fn storage_error(file: FileId, span: Span, error: &StorageError) -> Diagnostic {
    let data = if error.is_no_room() { Code::TooLarge } else { Code::BadData };
    let code = if matches!(error, StorageError::Stopped) { Code::Cancelled } else { data };
    Diagnostic::new(code, file, span, error.to_string()).label(error.label())
}

fn by(sizes: &[Option<u64>]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| size.map_or("?".into(), |size| size.to_string())).collect();
    sizes.join("x")
}

/// The error for an argument that a generator does not take.
pub fn generator_refusal(file: FileId, definition: &TensorDefinition, error: &GenerateError) -> Diagnostic {
    let span = guilty(&definition.init, error).unwrap_or(definition.init_span);
    let code = match error {
        GenerateError::Missing { .. } => Code::IncompleteType,
        GenerateError::Shape { .. } => Code::ShapeMismatch,
        GenerateError::TooLarge { .. } | GenerateError::NoRoom(_) => Code::TooLarge,
        GenerateError::Stopped => Code::Cancelled,
        GenerateError::Unknown { .. }
        | GenerateError::Parameter { .. }
        | GenerateError::Value { .. }
        | GenerateError::Element { .. }
        | GenerateError::Triplets(_) => Code::GeneratorArgument,
    };
    let mut diagnostic = Diagnostic::new(code, file, span, error.to_string()).label(error.label());
    diagnostic.helps.extend(error.help());
    diagnostic
}

/// The argument that an error is about.
fn guilty(init: &Init, error: &GenerateError) -> Option<Span> {
    let Init::Generate { places, .. } = init else { return None };
    if let GenerateError::Value { name, .. } = error { places.get(*name).copied() } else { None }
}

//! Definitions: the tensors that literals, files, generators and conversions make.
//!
//! Everything becomes triplets, is checked against the declared type, and is packed. Data that contradict a
//! declaration are reported at the token that declared it.

use std::{borrow::Cow, ops::ControlFlow, sync::Arc};

use super::names::{Kind, Names, Tensor, Value};
use nnz_base::{
    arrays::Values,
    diagnostic::{Code, Diagnostic, counted},
    element::{Element, Scalar},
    host::{ByteSource, Host},
    ids::FileId,
    memory,
};
use nnz_check::{
    literal::{self, Literal},
    scope::{Format, Word},
    session::{Init, TensorDefinition, file_doubt, file_error, generator_refusal},
    used,
};
use nnz_encoding::named;
use nnz_storage::{
    self as storage, LevelStorage, Storage, StorageError, Triplets,
    files::{self, FileKind, Progress},
    generate,
};
use nnz_view::{Line, Role};

/// A tensor, and its reader's notes and warnings.
pub(super) struct Made {
    pub tensor: Arc<Tensor>,
    pub notes: Vec<Line>,
    /// Warnings that the data may not be what was meant.
    pub doubts: Vec<Diagnostic>,
}

#[derive(Default)]
struct Said {
    notes: Vec<Line>,
    doubts: Vec<Diagnostic>,
}

/// Carries out a definition.
pub(super) struct Definer<'a> {
    pub host: &'a dyn Host,
    pub names: &'a Names,
    pub file: FileId,
    /// The name of the text.
    pub text: &'a str,
    /// See [`super::Options`].
    pub drop_zeros: bool,
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Definer<'_> {
    /// # Errors
    /// Files that cannot be read; data that do not fit the declared type or its encoding.
    pub(super) fn tensor(&self, definition: &TensorDefinition) -> Result<Made> {
        if let Some(made) = self.filled(definition) {
            return made;
        }
        let mut said = Said::default();
        let triplets = match &definition.init {
            Init::Literal(literal) => literal.triplets().map_err(|error| self.data_error(&error, definition))?,
            Init::Read(path) => Cow::Owned(self.read(path, definition, &mut said)?),
            Init::Generate { .. } => {
                let made = self.generate(definition)?;
                said.notes.extend(no_entries(definition, &made));
                Cow::Owned(made)
            }
            Init::Convert(name) => Cow::Owned(self.convert(name, definition)?),
        };
        let format = self.format(&triplets, definition)?;
        let encoding = match &format {
            Format::Encoded(encoding) => encoding.clone(),
            Format::Plain | Format::Parts(_) => self.plain_encoding(triplets.rank(), definition)?,
        };
        let listed = triplets.len();
        let storage = storage::pack_while(triplets, &encoding, &|| !self.host.cancelled());
        let storage = storage.map_err(|error| self.data_error(&error, definition))?;
        if matches!(definition.init, Init::Read(_)) {
            said.notes.extend(repeated(listed, storage.values().len()));
        }
        let kind = Kind::of(&format, definition.spec.format_name.clone());
        let tensor = Tensor { name: definition.name.text.clone(), kind, storage: storage.into(), origin: None };
        Ok(Made { tensor: Arc::new(tensor), notes: said.notes, doubts: said.doubts })
    }

    /// An array of one value, without coordinates on the way.
    fn filled(&self, definition: &TensorDefinition) -> Option<Result<Made>> {
        let Init::Literal(Literal::Same { shape, element, value }) = &definition.init else { return None };
        if definition.spec.known_format(shape.len()) != Some(Format::Plain) {
            return None;
        }
        let count: u64 = shape.iter().product();
        let room = memory::room_for(count.into(), element.bytes() as u64).map_err(StorageError::from);
        if let Err(error) = room {
            return Some(Err(self.data_error(&error, definition)));
        }
        let values = literal::same(*element, *value, count as usize);
        let storage = plain(shape.clone(), *element, values)?;
        let tensor =
            Tensor { name: definition.name.text.clone(), kind: Kind::Plain, storage: storage.into(), origin: None };
        Some(Ok(Made { tensor: Arc::new(tensor), notes: Vec::new(), doubts: Vec::new() }))
    }

    fn error(&self, code: Code, span: nnz_base::source::Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, self.file, span, message))
    }

    fn plain_encoding(&self, rank: usize, definition: &TensorDefinition) -> Result<Arc<nnz_encoding::Encoding>> {
        let none = || {
            let error = self.error(Code::WrongArity, definition.spec.span, "a tensor of rank 0 is a scalar");
            Box::new(error.label("no dimensions"))
        };
        named::dense(rank).filter(|_| rank > 0).map(Arc::new).ok_or_else(none)
    }

    fn format(&self, triplets: &Triplets, definition: &TensorDefinition) -> Result<Format> {
        let found: Vec<Option<u64>> = triplets.shape().iter().copied().map(Some).collect();
        match (definition.misfit(self.file, &found), definition.spec.known_format(found.len())) {
            (None, Some(format)) => Ok(format),
            (Some(misfit), _) => Err(Box::new(misfit)),
            (None, None) => Err(self.error(Code::CompilerBug, definition.init_span, "no format")),
        }
    }

    pub(super) fn data_error(&self, error: &StorageError, definition: &TensorDefinition) -> Box<Diagnostic> {
        Box::new(definition.data_error(self.file, error))
    }

    // Where the entries come from.

    fn read(&self, path: &Word, definition: &TensorDefinition, said: &mut Said) -> Result<Triplets> {
        let (kind, source) = open(self.host, (self.file, self.text), path)?;
        let watch = |progress: Progress| self.watch(&format!("reading {}", path.text), progress);
        let read = files::read_from(kind, source.as_ref(), &definition.read_options(), &watch)
            .map_err(|error| Box::new(file_error(self.file, path, &error)));
        self.ended();
        let read = read?;
        for note in &read.notes {
            match note.is_doubt() {
                true => said.doubts.push(file_doubt(self.file, path, note)),
                false => said.notes.push(Line::of(Role::Note, note.to_string())),
            }
        }
        if !self.drop_zeros {
            return Ok(read.triplets);
        }
        // Entries at one place may add up to zero.
        let summed = storage::summed(read.triplets).map_err(|error| self.data_error(&error, definition))?;
        Ok(summed.without_zeros())
    }

    fn watch(&self, what: &str, progress: Progress) -> ControlFlow<()> {
        self.host.progress(what, progress.done, progress.total);
        if self.host.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Says that nothing is being made any more, however the work ended.
    fn ended(&self) {
        self.host.progress("", 1, 1);
    }

    fn generate(&self, definition: &TensorDefinition) -> Result<Triplets> {
        let Init::Generate { generator, arguments, .. } = &definition.init else {
            return Err(self.error(Code::CompilerBug, definition.init_span, "no generator"));
        };
        let (sizes, what) = (definition.spec.sizes(), format!("making {}", definition.name.text));
        let watch = |progress: Progress| self.watch(&what, progress);
        let made = generate::make(&generator.text, arguments, sizes.as_deref(), definition.element(), &watch);
        self.ended();
        made.map_err(|error| Box::new(generator_refusal(self.file, definition, &error)))
    }

    fn convert(&self, name: &Word, definition: &TensorDefinition) -> Result<Triplets> {
        let stored = self.names.get(&name.text).map(Value::stored).filter(|stored| !stored.is_empty());
        let Some(stored) = stored else {
            return Err(self.error(Code::UnknownName, name.span, format!("`{}` is no tensor", name.text)));
        };
        let triplets = entries(stored).map_err(|error| self.data_error(&error, definition))?;
        match definition.spec.element {
            Some(element) if element != triplets.element() => self.cast(triplets, element, name),
            _ => Ok(triplets),
        }
    }

    fn cast(&self, triplets: Triplets, element: Element, name: &Word) -> Result<Triplets> {
        let from = triplets.element();
        let (shape, _, coords, values) = triplets.into_parts();
        let misfit = |value: Scalar| {
            let text = nnz_view::number::exact(value, from);
            let message = format!("the value {text} of `{}` does not fit `{element}`", name.text);
            let error = self.error(Code::LiteralRange, name.span, message).label(format!("holds {text}"));
            Box::new(error.help(format!("a kernel converts values whatever is lost: `{element}(...)`")))
        };
        let scalars: Result<Vec<Scalar>> =
            values.iter().map(|value| cast_scalar(value, element).ok_or_else(|| misfit(value))).collect();
        let values = Values::from_scalars(element, scalars?);
        Triplets::new(shape, element, coords, values).map_err(|error| {
            Box::new(self.error(Code::BadData, name.span, error.to_string()).label("not such entries"))
        })
    }
}

/// The entries of a tensor that is stored in one format or in several.
pub(super) fn entries(stored: &[Arc<Tensor>]) -> std::result::Result<Triplets, StorageError> {
    let mut parts = stored.iter().map(|tensor| storage::unpack(&tensor.storage));
    match (stored.len(), parts.next()) {
        (1, Some(only)) => only,
        (_, first) => storage::joined(&first.into_iter().chain(parts).collect::<std::result::Result<Vec<_>, _>>()?),
    }
}

/// Entries of a file at coordinates of others; an encoding with padding hides how many.
fn repeated(listed: usize, stored: usize) -> Option<Line> {
    let more = listed.checked_sub(stored).filter(|more| *more > 0)?;
    let (entries, are) = (counted(more, "entry"), if more == 1 { "is" } else { "are" });
    Some(Line::of(Role::Note, format!("{entries} of the file {are} at coordinates of others, and added to them")))
}

/// `random(seed = 1)` of few places, which makes no entry.
fn no_entries(definition: &TensorDefinition, made: &Triplets) -> Option<Line> {
    let Init::Generate { generator, arguments, .. } = &definition.init else { return None };
    let open = generator.text == "random" && !arguments.contains_key("density");
    let few = open && made.is_empty() && made.shape().iter().all(|size| *size > 0);
    few.then(|| Line::of(Role::Note, "the density is 0.01 unless it is given: that is less than one entry here"))
}

/// Opens the data file that a text names.
///
/// # Errors
/// A name of an unknown kind of file; a file that cannot be read.
pub(super) fn open(
    host: &dyn Host,
    (file, text): (FileId, &str),
    path: &Word,
) -> Result<(FileKind, Box<dyn ByteSource>)> {
    match FileKind::of_path(&path.text) {
        Some(kind) => match host.open(&host.find(&path.text, text)) {
            Ok(source) => Ok((kind, source)),
            Err(reason) => Err(Box::new(used::unreadable(file, path, &reason))),
        },
        None => Err(used::unknown_kind(file, path)
            .map_or_else(|| Box::new(used::unreadable(file, path, "its name does not tell what is in it")), Box::new)),
    }
}

/// `value` as it is stored as an `element`; `None` where it does not fit.
pub(super) fn rounded(value: Scalar, element: Element) -> Option<Scalar> {
    Values::from_scalars(element, [cast_scalar(value, element)?]).get(0)
}

/// `value` as an `element`; `None` where it does not fit. Only numbers with a fraction are rounded, and not to zero.
fn cast_scalar(value: Scalar, element: Element) -> Option<Scalar> {
    match (value, element.int_range()) {
        (Scalar::Int(x), Some((low, high))) => (low <= x && x <= high).then_some(value),
        (Scalar::Float(x), Some((low, high))) => {
            let whole = x.fract() == 0.0 && low as f64 <= x && x <= high as f64;
            whole.then_some(Scalar::Int(x as i128)).filter(|scalar| cast_scalar(*scalar, element).is_some())
        }
        (Scalar::Complex(x), None) if element.is_complex() => Some(Scalar::Complex(x)),
        (Scalar::Complex(x), _) => (x.im == 0.0).then(|| cast_scalar(Scalar::Float(x.re), element))?,
        (Scalar::Int(x), None) => {
            let held = Values::from_scalars(element, [value]).get(0)?;
            let real = if let Scalar::Complex(z) = held { z.re } else { held.as_f64() };
            (real.is_finite() && real as i128 == x).then_some(held)
        }
        (Scalar::Float(x), None) if element.is_complex() => Some(Scalar::Complex(num_complex::Complex::new(x, 0.0))),
        (Scalar::Float(x), None) => {
            let rounded = Values::from_scalars(element, [value]).get(0)?.as_f64();
            let lost = x.is_finite() && !rounded.is_finite() || x != 0.0 && rounded == 0.0;
            (!lost).then_some(value)
        }
    }
}

/// The storage of a row-major array; `None` if it has no dimensions or too many.
pub(super) fn plain(shape: Vec<u64>, element: Element, values: Values) -> Option<Storage> {
    let encoding = Arc::new(named::dense(shape.len())?);
    let levels = encoding.levels().iter().map(|level| LevelStorage::new(level.format, None, None));
    let levels = levels.collect::<Option<Vec<_>>>()?;
    Storage::new(encoding, element, shape, levels, values).ok()
}

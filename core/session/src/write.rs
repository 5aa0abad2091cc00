//! Writing files, and converting them.

use super::{
    define::Made,
    evaluation::{Evaluation, Result},
    names::{Tensor, Value},
    shown::{Definition, Written},
};
use nnz_base::{
    diagnostic::Code,
    host::{Content, write_while},
};
use nnz_check::{
    command::{self, View},
    scope::Word,
    session::{Init, TensorDefinition, storage_error},
    spec::Spec,
    used,
};
use nnz_storage::{
    self as storage,
    files::{self, FileKind},
};
use nnz_view::{Line, Markup};

/// A file of data that was read and stored in another encoding.
#[derive(Clone, Debug)]
pub struct Converted {
    title: Line,
    /// The reader's notes.
    notes: Vec<Line>,
    pub(crate) definition: Definition,
    pub written: Written,
}

impl Converted {
    /// In the form for definitions.
    pub fn json(&self) -> serde_json::Value {
        self.definition.json()
    }

    /// The data that were read.
    pub fn markup(&self) -> Markup {
        self.notes.iter().cloned().fold(Markup::new().line(self.title.clone()), Markup::line)
    }
}

/// What a tensor is called that has no other name.
const NAMELESS: &str = "T";

impl Evaluation<'_> {
    /// A tensor's entries, in the order of its storage; the picture of a kernel's iteration graph where the path
    /// ends in `.svg`.
    pub(super) fn write(&mut self, name: &Word, path: &Word) -> Result<Written> {
        if command::is_picture(&path.text) {
            let picture = self.code_of(View::Svg, name)?.plain_text();
            return self.write_file((path, None), &mut |out| out.write_all(picture.as_bytes()));
        }
        let tensor = self.tensor_named(name)?.clone();
        self.write_entries(&tensor, path)
    }

    /// Reads a file of data, and writes it as another from another encoding.
    pub(super) fn convert_file(&mut self, input: &Word, spec: &Spec, output: &Word) -> Result<Converted> {
        let (name, span) = (Word { text: NAMELESS.to_string(), span: input.span }, input.span);
        let init = Init::Read(input.clone());
        let definition = TensorDefinition { name, spec: spec.clone(), init, init_span: span };
        if let Some(refusal) = definition.refusal(self.source.id, &self.names.scope) {
            return Err(Box::new(refusal));
        }
        let Made { tensor, notes, doubts } = self.definer().tensor(&definition)?;
        self.hints.extend(doubts);
        let definition = Definition::of(NAMELESS, &Value::Tensor(tensor.clone()).meaning());
        let written = self.write_entries(&tensor, output)?;
        let title = nnz_view::TensorView { name: &input.text, ..tensor.view() }.title();
        Ok(Converted { title, notes, definition, written })
    }

    fn write_entries(&self, tensor: &Tensor, path: &Word) -> Result<Written> {
        let bad = |message: String| Box::new(self.error(Code::BadFile, path.span, message).label("not written"));
        if let Some(refusal) = command::unwritable(self.source.id, path, Some(tensor.storage.dim_sizes())) {
            return Err(Box::new(refusal));
        }
        let kind = FileKind::of_path(&path.text).ok_or_else(|| bad("no kind of file".to_string()))?;
        let stored = storage::unpack(&tensor.storage)
            .map_err(|error| Box::new(storage_error(self.source.id, path.span, &error)))?;
        let triplets = if self.options.drop_zeros { stored.without_zeros() } else { stored };
        let packing = files::Packing::of_path(&path.text);
        let content: Content<'_> = &mut |out| files::write(kind, &triplets, packing, out);
        self.write_file((path, Some(triplets.len())), content)
    }

    fn write_file(&self, (path, entries): (&Word, Option<usize>), content: Content<'_>) -> Result<Written> {
        let written = write_while(self.host, &path.text, content).map_err(|reason| match self.host.cancelled() {
            true => self.error(Code::Cancelled, path.span, "stopped"),
            false => Box::new(used::unwritable(self.source.id, path, &reason)),
        })?;
        Ok(Written { path: path.text.clone(), entries, bytes: written.bytes, replaced: written.replaced })
    }
}

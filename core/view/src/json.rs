//! JSON output: fixed shapes, with whole arrays.

use serde_json::{Value, json};

use super::TensorView;
use nnz_base::{
    arrays::IndexArray,
    diagnostic::{Applicability, DataPlace, Diagnostic, Edit, Fix, Label},
    element::{Element, Scalar},
    ids::{FileId, Lvl},
    source::{Source, Span},
};
use nnz_storage::Storage;

/// A diagnostic in the shape of rustc's `--error-format=json`; `rendered` is null, for the edge to
/// fill in. Offsets are bytes; lines and columns count from 1, columns in characters.
pub fn diagnostic(diagnostic: &Diagnostic, sources: &dyn Fn(FileId) -> Option<Source>) -> Value {
    // What is wrong in a file of data is at fault, and the word that names the file leads there.
    let leads = diagnostic.data.is_none();
    let labels = std::iter::once((&diagnostic.primary, diagnostic.reason(), leads));
    let labels = labels.chain(diagnostic.secondary.iter().map(|label| (label, label.message.as_str(), false)));
    let spans = labels.filter_map(|(label, said, primary)| label_span(label, said, primary, sources));
    let spans: Vec<Value> = diagnostic.data.as_deref().map(data_span).into_iter().chain(spans).collect();
    let notes = diagnostic.notes.iter().map(|note| child("note", note, Vec::new()));
    let helps = diagnostic.helps.iter().map(|help| child("help", help, Vec::new()));
    let fixes = diagnostic.fixes.iter().map(|fix| child("help", &fix.title, fix_spans(fix, sources)));
    json!({
        "$message_type": "diagnostic",
        "message": diagnostic.message,
        "code": { "code": diagnostic.code.text(), "explanation": diagnostic.code.explanation() },
        "level": diagnostic.severity().name(),
        "spans": spans,
        "children": notes.chain(helps).chain(fixes).collect::<Vec<_>>(),
        "rendered": null,
    })
}

fn child(level: &str, message: &str, spans: Vec<Value>) -> Value {
    json!({ "message": message, "code": null, "level": level, "spans": spans, "children": [], "rendered": null })
}

fn label_span(label: &Label, said: &str, primary: bool, sources: &dyn Fn(FileId) -> Option<Source>) -> Option<Value> {
    let mut object = span(&sources(label.file)?, label.span);
    object["is_primary"] = primary.into();
    object["label"] = said.into();
    Some(object)
}

/// The line of a data file, without byte offsets.
fn data_span(place: &DataPlace) -> Value {
    let word = DataPlace { line: 1, ..place.clone() };
    let (source, inside) = (word.source(FileId(0)), word.span());
    let mut object = span(&source, inside);
    for key in ["line_start", "line_end"] {
        object[key] = place.line.into();
    }
    for key in ["byte_start", "byte_end"] {
        object[key] = Value::Null;
    }
    object["is_primary"] = true.into();
    object["label"] = place.message.as_str().into();
    object
}

fn fix_spans(fix: &Fix, sources: &dyn Fn(FileId) -> Option<Source>) -> Vec<Value> {
    let applicability = match fix.applicability {
        Applicability::MachineApplicable => "MachineApplicable",
        Applicability::MaybeIncorrect => "MaybeIncorrect",
    };
    let edit_span = |edit: &Edit| {
        let mut object = span(&sources(edit.file)?, edit.span);
        object["is_primary"] = true.into();
        object["suggested_replacement"] = edit.replacement.as_str().into();
        object["suggestion_applicability"] = applicability.into();
        Some(object)
    };
    fix.edits.iter().filter_map(edit_span).collect()
}

/// A place, with the members that say more about it null.
fn span(source: &Source, span: Span) -> Value {
    let span = span.sanitized(&source.text);
    let (line_start, column_start) = source.line_and_character(span.start as usize);
    let (line_end, column_end) = source.line_and_character(span.end as usize);
    json!({
        "file_name": &*source.name,
        "byte_start": span.start,
        "byte_end": span.end,
        "line_start": line_start,
        "line_end": line_end,
        "column_start": column_start,
        "column_end": column_end,
        "is_primary": false,
        "text": highlights(source, span),
        "label": null,
        "suggested_replacement": null,
        "suggestion_applicability": null,
        "expansion": null,
    })
}

/// The lines that `span` is on, each with the part of it that is meant; a long line or the rest of
/// many is left out.
fn highlights(source: &Source, span: Span) -> Vec<Value> {
    const MAX_LINES: usize = 6;
    const MAX_BYTES: usize = 1000;
    let line = |offset: u32| source.line_col(offset as usize).line as usize;
    let lines = (line(span.start)..=line(span.end)).take(MAX_LINES);
    let spans = lines.map(|line| source.lines.line_span(&source.text, line));
    spans.filter(|line| line.len() <= MAX_BYTES).map(|line| highlight(source, line, span)).collect()
}

fn highlight(source: &Source, line: Span, span: Span) -> Value {
    let text = source.slice(line).trim_end_matches(['\n', '\r']);
    let column = |offset: u32| {
        let bytes = (offset.max(line.start) - line.start) as usize;
        text.char_indices().take_while(|(at, _)| *at < bytes).count() + 1
    };
    json!({ "text": text, "highlight_start": column(span.start), "highlight_end": column(span.end) })
}

impl TensorView<'_> {
    /// Arrays whole, coordinates one array per level, positions and coordinates only where a level has
    /// them. No array is there twice on the way, as `json!` of an array would make it.
    pub fn json(&self) -> Value {
        let storage = self.storage;
        let mut object = json!({
            "kind": "tensor",
            "name": self.name,
            "shape": storage.dim_sizes(),
            "element": storage.element().name(),
            "encoding": self.encoding,
            "nse": storage.nse(),
        });
        object["levels"] = (0..storage.levels().len()).map(|at| level(storage, at)).collect();
        let mut values = Vec::with_capacity(storage.values().len());
        values.extend(storage.values().iter().map(|value| scalar(value, storage.element())));
        object["values"] = Value::Array(values);
        object
    }
}

fn level(storage: &Storage, at: usize) -> Value {
    let (format, bounds) = (storage.encoding().levels()[at].format, storage.bounds()[at]);
    let mut object = json!({ "level": at, "format": format.to_string(), "size": bounds.size });
    let array = |array: &IndexArray, origin: i64| -> Value {
        array.iter().map(|entry| Value::from((entry as i64).wrapping_add(origin))).collect()
    };
    if let Some(positions) = storage.levels()[at].positions() {
        object["positions"] = array(positions, 0);
    }
    if let Some(coordinates) = storage.levels()[at].coordinates() {
        let key = if format.has_mask() { "mask" } else { "coordinates" };
        object[key] = array(coordinates, storage.shown_origin(Lvl::new(at)));
    }
    object
}

/// A number; a pair for a complex number; a string for values that are not JSON numbers: `"nan"`, `"inf"`, `"-inf"`.
pub fn scalar(value: Scalar, element: Element) -> Value {
    let float = |x: f64| {
        let shortest = super::number::exact(Scalar::Float(x), element);
        let number = shortest.parse().ok().filter(|x: &f64| x.is_finite()).and_then(serde_json::Number::from_f64);
        number.map_or(Value::String(shortest), Value::Number)
    };
    match value {
        Scalar::Float(x) => float(x),
        Scalar::Complex(z) => Value::Array(vec![float(z.re), float(z.im)]),
        Scalar::Int(x) => match (i64::try_from(x), u64::try_from(x)) {
            (Ok(x), _) => x.into(),
            (_, Ok(x)) => x.into(),
            _ => x.to_string().into(),
        },
    }
}

//! What statements and requests give, for machines: one object each,
//! `{"kind": "tensor" | "scalar" | "timing" | "text" | ...}`.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::{
    DefinitionInfo,
    lower::LoweredSite,
    names::{Number, Tensor, Value},
    shown::{Called, Definition, Named, Shown, Used, Written},
    timing::Timed,
};
use nnz_backend::FloatOrder;
use nnz_base::{
    arrays::IndexArray,
    memory::{self, NoRoom},
};
use nnz_storage::Storage;
use nnz_view::{Markup, json as of_view, steps::StepsView};

impl Shown {
    /// With the arrays of tensors, if `data`.
    pub(crate) fn json(&self, data: bool) -> Json {
        match self {
            Shown::Done => json!({ "kind": "done" }),
            Shown::Failed(_) => json!({ "kind": "error" }),
            Shown::Encoding(name) => json!({ "kind": "encoding", "name": name }),
            Shown::Definition(definition) => definition.json(),
            Shown::Value(named) => named.json(data),
            Shown::Storage(stored) => in_parts(stored, &|tensor| tensor.view().storage_json()),
            Shown::Dump(stored) => in_parts(stored, &|tensor| tensor_json(tensor, data)),
            Shown::Type { name, text } => json!({ "kind": "type", "name": name, "type": text }),
            Shown::Names(infos) => names(infos),
            Shown::Timed(timed) => timed.json(),
            Shown::Steps { name, trace } => StepsView { name, trace }.json(),
            Shown::Written(written) => written.json(),
            Shown::Used(used) => used.json(),
            Shown::Called(called) => called.json(data),
            Shown::Text(markup) => text(markup),
        }
    }
}

/// A text.
pub fn text(markup: &Markup) -> Json {
    json!({ "kind": "text", "text": markup.plain_text() })
}

impl Named {
    pub(crate) fn json(&self, data: bool) -> Json {
        match &self.value {
            Value::Tensor(tensor) => tensor_json(tensor, data),
            Value::Parts(parts) => {
                let stored: Vec<Json> = parts.stored.iter().map(|part| tensor_json(part, data)).collect();
                json!({ "kind": "parts", "name": &*parts.name, "parts": stored })
            }
            Value::Number(number) => number_json(&self.name, number),
        }
    }

    /// Whether there is room for [`Named::json`] with data.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn room(&self) -> Result<(), NoRoom> {
        match &self.value {
            Value::Tensor(_) | Value::Parts(_) => {
                let numbers = self.value.stored().iter().map(|tensor| numbers(&tensor.storage)).sum();
                memory::room_for(numbers, size_of::<Json>() as u64)
            }
            Value::Number(_) => Ok(()),
        }
    }
}

impl Definition {
    pub(crate) fn json(&self) -> Json {
        json!({ "kind": "definition", "name": self.name, "type": self.ty })
    }
}

impl Used {
    fn json(&self) -> Json {
        let Used { path, encodings, functions, replaced, .. } = self;
        json!({ "kind": "used", "path": path, "encodings": encodings, "functions": functions, "replaced": replaced })
    }
}

impl Called {
    /// With the arrays of tensors, if `data`.
    pub fn json(&self, data: bool) -> Json {
        let results: Vec<Json> = self.results.iter().map(|result| result.json(data)).collect();
        json!({ "kind": "call", "function": self.function, "printed": self.printed, "results": results })
    }
}

impl Written {
    pub fn json(&self) -> Json {
        let Written { path, entries, bytes, replaced } = self;
        json!({ "kind": "written", "path": path, "entries": entries, "bytes": bytes, "replaced": replaced })
    }
}

impl LoweredSite {
    pub fn json(&self) -> Json {
        json!({
            "kind": "lowered",
            "place": self.place,
            "operation": self.operation,
            "notes": self.notes,
            "evaluated": self.evaluated,
            "view": self.view.name(),
            "text": self.markup.plain_text(),
        })
    }
}

impl Timed {
    pub fn json(&self) -> Json {
        let encodings: Map<String, Json> =
            self.encodings.iter().map(|(name, encoding)| (name.clone(), encoding.as_str().into())).collect();
        json!({
            "kind": "timing",
            "kernel": self.kernel,
            "schedule": self.schedule,
            "encodings": encodings,
            "target": self.target(),
            "threads": self.threads,
            "reassociate": self.float_order == FloatOrder::Relaxed,
            "median_ns": self.loops.median_ns,
            "min_ns": self.loops.min_ns,
            "spread": self.loops.spread,
            "runs": self.loops.runs,
            "before": self.before.told(),
            "before_ns": self.before.ns(),
            "flops": self.loops.work.flops,
            "flops_are": if self.loops.work.is_estimate { "about" } else { "counted" },
            "bytes": self.loops.work.bytes,
        })
    }
}

/// That of the only tensor, or of each part.
fn in_parts(stored: &[Arc<Tensor>], json: &dyn Fn(&Tensor) -> Json) -> Json {
    match stored {
        [only] => json(only),
        parts => json!({ "kind": "parts", "parts": parts.iter().map(|part| json(part)).collect::<Vec<Json>>() }),
    }
}

/// The arrays of a tensor, or its name alone.
fn tensor_json(tensor: &Tensor, data: bool) -> Json {
    if data { tensor.view().json() } else { json!({ "kind": "tensor", "name": &*tensor.name }) }
}

fn number_json(name: &str, found: &Number) -> Json {
    let value = of_view::scalar(found.value, found.element);
    json!({ "kind": "scalar", "name": name, "element": found.element.name(), "value": value })
}

fn names(infos: &[DefinitionInfo]) -> Json {
    let names: Vec<Json> = infos.iter().map(|info| json!({ "name": info.name, "type": info.type_text })).collect();
    json!({ "kind": "names", "names": names })
}

/// How many numbers the arrays of `storage` have.
pub(crate) fn numbers(storage: &Storage) -> u128 {
    let arrays = storage.levels().iter().flat_map(|level| [level.positions(), level.coordinates()]);
    arrays.flatten().map(IndexArray::len).sum::<usize>() as u128 + storage.values().len() as u128
}

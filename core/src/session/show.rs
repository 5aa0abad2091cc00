//! What a name looks like.

use serde_json::{Value as Json, json};

use super::names::{Names, Number, Value};
use crate::{
    check::scope::Meaning,
    view::{Line, Markup, Role, Screen, json, number},
};

/// A value with its title, for a person and for a machine.
pub(super) fn value(name: &str, value: &Value, screen: Screen) -> (Markup, Json) {
    match value {
        Value::Tensor(tensor) => (tensor.view().value(screen), tensor.view().json()),
        Value::Number(number) => (Markup::new().line(number_line(name, number)), number_json(name, number)),
    }
}

fn number_line(name: &str, found: &Number) -> Line {
    let line = Line::of(Role::Name, name).text(": ").with(Role::Type, found.element.name());
    line.text(" = ").with(Role::Number, number::exact(found.value, found.element))
}

fn number_json(name: &str, found: &Number) -> Json {
    let value = json::scalar(found.value, found.element);
    json!({ "kind": "scalar", "name": name, "element": found.element.name(), "value": value })
}

/// What a name stands for, in one line.
pub(super) fn type_of(name: &str, meaning: &Meaning) -> (Markup, Json) {
    let text = match meaning {
        Meaning::Encoding(encoding) => encoding.to_string(),
        Meaning::Tensor(ty) => ty.to_string(),
        Meaning::Scalar(element) => element.name().to_string(),
        Meaning::Broken => "unknown".to_string(),
    };
    let line = Line::of(Role::Name, name).text(": ").with(Role::Type, &text);
    (Markup::new().line(line), json!({ "kind": "type", "name": name, "type": text }))
}

/// Every name, one a line.
pub(super) fn vars(names: &Names) -> (Markup, Json) {
    let infos: Vec<_> = names.infos().collect();
    let width = infos.iter().map(|info| info.name.len()).max().unwrap_or(0) + 2;
    let line = |info: &super::DefinitionInfo| {
        let mut line = Line::new();
        line.push_left(Role::Name, &info.name, width);
        line.with(Role::Type, &info.type_text)
    };
    let markup = match infos.is_empty() {
        true => Markup::of(Role::Note, "nothing is defined yet; `:help` shows how to begin"),
        false => infos.iter().map(line).collect(),
    };
    let names: Vec<Json> = infos.iter().map(|info| json!({ "name": info.name, "type": info.type_text })).collect();
    (markup, json!({ "kind": "names", "names": names }))
}

//! Shows the value of a name.

use serde_json::{Value as Json, json};

use super::{
    Options,
    names::{Names, Number, Tensor, Value},
};
use nnz_base::{
    arrays::IndexArray,
    memory::{self, NoRoom},
};
use nnz_check::scope::Meaning;
use nnz_storage::Storage;
use nnz_view::{Line, Markup, Role, Screen, json as of_view, number};

/// A value with its title, for a person.
pub(super) fn text(name: &str, value: &Value, screen: Screen) -> Markup {
    match value {
        Value::Tensor(tensor) => tensor.view().value(screen),
        Value::Number(number) => Markup::new().line(number_line(name, number)),
    }
}

/// As [`text`] and [`json()`].
///
/// # Errors
/// There is no room for the latter.
pub(super) fn value(name: &str, value: &Value, options: Options) -> Result<(Markup, Json), NoRoom> {
    Ok((text(name, value, options.screen), json(name, value, options)?))
}

/// A value for a machine.
///
/// # Errors
/// There is no room for it.
pub(super) fn json(name: &str, value: &Value, options: Options) -> Result<Json, NoRoom> {
    match value {
        Value::Tensor(tensor) => data(tensor, options),
        Value::Number(number) => Ok(number_json(name, number)),
    }
}

/// The arrays of a tensor, if the options ask for data.
fn data(tensor: &Tensor, options: Options) -> Result<Json, NoRoom> {
    if !options.data {
        return Ok(json!({ "kind": "tensor", "name": &*tensor.name }));
    }
    memory::room_for(numbers(&tensor.storage), size_of::<Json>() as u64)?;
    Ok(tensor.view().json())
}

/// The text of all arrays of a tensor, and the same for machines.
///
/// # Errors
/// There is no room for them.
pub(super) fn dump(tensor: &Tensor, options: Options) -> Result<(Markup, Json), NoRoom> {
    // Each number becomes a string of its own, and its digits are in memory twice.
    const TEXT: usize = 2 * size_of::<String>() + 48;
    memory::room_for(numbers(&tensor.storage), TEXT as u64)?;
    Ok((tensor.view().dump(), data(tensor, options)?))
}

/// How many numbers the arrays of `storage` have.
fn numbers(storage: &Storage) -> u128 {
    let arrays = storage.levels().iter().flat_map(|level| [level.positions(), level.coordinates()]);
    arrays.flatten().map(IndexArray::len).sum::<usize>() as u128 + storage.values().len() as u128
}

fn number_line(name: &str, found: &Number) -> Line {
    let line = Line::of(Role::Name, name).text(": ").with(Role::Type, found.element.name());
    line.text(" = ").with(Role::Number, number::exact(found.value, found.element))
}

fn number_json(name: &str, found: &Number) -> Json {
    let value = of_view::scalar(found.value, found.element);
    json!({ "kind": "scalar", "name": name, "element": found.element.name(), "value": value })
}

/// The meaning of a name, in one line.
pub(super) fn type_of(name: &str, meaning: &Meaning) -> (Markup, Json) {
    let text = match meaning {
        Meaning::Encoding(encoding) => encoding.to_string(),
        Meaning::Tensor(ty) => ty.to_string(),
        Meaning::Scalar(element) => element.name().to_string(),
        Meaning::Broken => "unknown".to_string(),
    };
    named_type(name, &text)
}

/// A type as text, with what it is the type of.
pub(super) fn named_type(name: &str, text: &str) -> (Markup, Json) {
    let line = Line::of(Role::Name, name).text(": ").with(Role::Type, text);
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

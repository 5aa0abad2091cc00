//! Hovers of names in scripts: what an iterator runs over, and what arrays are behind it and behind a buffer.

use nnz_stages::encoding::encoding;
use nnz_tir::{
    Script,
    arrays::{Array, extent, format_name, of_iterator, size},
    model::{Buffer, BufferId, Function, IteratorId, Kind, Layout, Origin, ParamId, Role, VariableId, name_of},
    print::print_expr,
    read::Thing,
    resolve::{How, resolve, runs},
    sites::{loads, sites},
};

use super::names::mention;
use crate::hover::{Hover, Section};

pub fn hover(script: &Script, offset: usize) -> Option<Hover> {
    let (read, mention) = mention(script, offset)?;
    let function = &read.function;
    let sections = match mention.thing {
        Thing::Iterator(id) => iterator(function, id),
        Thing::Buffer(id) => {
            let found = element(function, offset);
            buffer(function, id).into_iter().chain(found).collect()
        }
        Thing::Variable(id) => vec![variable(function, id)],
        Thing::Param(id) => vec![param(function, id)],
    };
    Some(Hover { span: mention.span, sections, drawn: None })
}

fn iterator(function: &Function, id: IteratorId) -> Vec<Section> {
    let iterator = function.iterator(id);
    let path: Vec<&str> = function.path(id).into_iter().map(|id| function.iterator(id).name.as_str()).collect();
    let parent = iterator.parent().map_or(String::new(), |id| format!(", child of `{}`", function.iterator(id).name));
    let positions = function.count(id).map_or("…".to_string(), |count| print_expr(function, &count));
    let mut lines = vec![
        format!("{:<9} {}", "length", print_expr(function, &iterator.length)),
        format!("{:<9} {positions}", "positions"),
        format!("{:<9} {}", "extent", extent(function, iterator)),
        format!("{:<9} {}", "path", path.join(", ")),
    ];
    lines.extend(of_iterator(function, id).iter().map(|array| array.line(function)));
    let text = format!("**`{}`**: {} iterator{parent}", iterator.name, iterator.word());
    vec![Section::Text(text), Section::Code(lines.join("\n"))]
}

fn buffer(function: &Function, id: BufferId) -> Vec<Section> {
    let buffer = function.buffer(id);
    let names: Vec<String> = buffer.iterators().iter().map(|id| format!("`{}`", function.iterator(*id).name)).collect();
    let format = format_name(function, buffer.iterators()).filter(|_| !names.is_empty());
    let over = if names.is_empty() { String::new() } else { format!(" over {}", names.join(", ")) };
    let format = format.map_or(String::new(), |name| format!(": {name}"));
    let text = format!("**`{}`**: buffer of `{}`{over}{format}", buffer.name, name_of(buffer.element));
    let mut sections = vec![Section::Text(text), Section::Code(arrays(function, buffer).join("\n"))];
    if let Layout::Sparse(sparse) = &buffer.layout {
        sections.push(match encoding(function, &sparse.iterators) {
            Ok(encoding) => Section::Code(encoding.to_string()),
            Err(why) => Section::Text(format!("No encoding: {why}.")),
        });
        let value = sparse.default.as_ref().map_or("0".to_string(), |value| print_expr(function, value));
        sections.push(Section::Text(format!("What is not stored reads as `{value}`.")));
    }
    sections
}

/// The arrays of a buffer: those of its iterators, and its values.
fn arrays(function: &Function, buffer: &Buffer) -> Vec<String> {
    let structure = buffer.iterators().iter().flat_map(|id| of_iterator(function, *id));
    let mut lines: Vec<String> = structure.map(|array| array.line(function)).collect();
    let size = size(function, buffer);
    match buffer.origin {
        Origin::Handle(param) => {
            let values = Array { param, holds: "values", element: buffer.element, size };
            lines.push(values.line(function));
        }
        Origin::Allocated | Origin::Declared | Origin::Region(_) => {
            let size = size.map_or("…".to_string(), |size| print_expr(function, &size));
            lines.push(format!(
                "{:<8} {}[{size}] in {} memory",
                "values",
                name_of(buffer.element),
                buffer.scope.name()
            ));
        }
    }
    lines
}

/// How the element at an offset is found.
fn element(function: &Function, offset: usize) -> Option<Section> {
    let sites = sites(function);
    let inside = sites.iter().filter(|site| !site.around.is_empty());
    let mut accesses = inside.flat_map(|site| {
        let accesses = loads(site.statement).into_iter().chain(site.statement.written());
        accesses.map(move |access| (site, access))
    });
    // The innermost one ends first.
    let at =
        |access: &nnz_tir::model::Access| access.place.0.start as usize <= offset && access.place.0.contains(offset);
    let (site, access) =
        accesses.by_ref().filter(|(_, access)| at(access)).min_by_key(|(_, access)| access.place.0.len())?;
    let iterators = function.buffer(access.buffer).iterators();
    let found = resolve(function, &site.around, access);
    let lines = found.iter().zip(&access.indices).zip(iterators).map(|((how, index), iterator)| {
        let how = match how {
            How::Matched => "the position of the loop",
            How::Dense => "the position itself",
            How::Searched => "searched for",
        };
        format!("{} = {}: {how}", function.iterator(*iterator).name, print_expr(function, index))
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| Section::Code(lines.join("\n")))
}

fn variable(function: &Function, id: VariableId) -> Section {
    let variable = function.variable(id);
    let is = match variable.role {
        Role::Param => "parameter".to_string(),
        Role::Captured => "number of the Python around".to_string(),
        Role::Iteration => coordinate(function, id),
        Role::Loop => "variable of a loop".to_string(),
        Role::Block => "variable of a block".to_string(),
        Role::Let => "name of a value".to_string(),
        Role::Map => "coordinate of an index map".to_string(),
    };
    Section::Text(format!("**`{}`**: {is}, `{}`", variable.name, name_of(variable.element)))
}

/// `spatial coordinate of `I``.
fn coordinate(function: &Function, id: VariableId) -> String {
    let sites = sites(function);
    let mut iterations = sites.iter().filter_map(|site| site.statement.iteration());
    let Some((running, _)) = iterations.find_map(|iteration| runs(&[iteration], id)) else {
        return "coordinate".to_string();
    };
    let kind = match running.kind {
        Kind::Spatial => "spatial",
        Kind::Reduction => "reduction",
    };
    format!("{kind} coordinate of `{}`", function.iterator(running.iterator).name)
}

/// What a handle passes.
fn param(function: &Function, id: ParamId) -> Section {
    let of_structure =
        |iterator: &IteratorId| of_iterator(function, *iterator).into_iter().find(|array| array.param == id);
    let structure = function.iterator_ids().find_map(|iterator| Some((iterator, of_structure(&iterator)?)));
    let values = function.buffers.iter().find(|buffer| buffer.origin == Origin::Handle(id));
    let name = &function.param(id).name;
    let passes = match (structure, values) {
        (Some((iterator, array)), _) => format!("`{}` of `{}`", array.holds, function.iterator(iterator).name),
        (None, Some(buffer)) => format!("the values of `{}`", buffer.name),
        (None, None) => "nothing that the function binds".to_string(),
    };
    Section::Text(format!("**`{name}`**: handle, passes {passes}"))
}

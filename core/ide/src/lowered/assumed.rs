//! Kernels of tensors whose sizes are known only from data: their statement is checked again by itself, with
//! [`ASSUMED_SIZE`] for open sizes and `f64` for open element types.

use std::collections::HashMap;

use super::notation::{Found, Missing};
use crate::kernels::KernelPlace;
use nnz_base::{element::Element, ids::FileId, source::Source};
use nnz_check::{
    Checked, Definition, DefinitionKind,
    scope::{Meaning, PartialType, Scope},
    session::check_session,
};
use nnz_kernel::{ASSUMED_SIZE, Schedule, Tensor};
use nnz_plan::iterate;
use nnz_syntax::{NodeKind, NodeRef};

/// # Errors
/// A statement that is wrong with these sizes, or reads what is not known.
pub(super) fn assignment(checked: &Checked, node: NodeRef<'_>) -> Result<Found, Missing> {
    let sizes = sizes_of_vars(checked, node);
    let scope = scope(checked, node, &sizes);
    let alone = check_session(&Source::new(FileId(0), "", node.text()), &scope);
    let Some(known) = alone.kernels.first() else { return Err(missing(&alone)) };
    let kernel = (*known.kernel).clone();
    Ok(Found { kernel, schedule: known.scheduled.schedule.clone(), notes: notes() })
}

fn missing(alone: &Checked) -> Missing {
    let error = alone.diagnostics.iter().find(|found| found.is_error());
    error.map_or(Missing::Types, |error| {
        let message = &error.message;
        Missing::Data(format!("not planned before data are read: with {ASSUMED_SIZE} for every open size, {message}"))
    })
}

/// `B : CSC = A`
///
/// # Errors
/// Types that are not known; entries that no loops bring into their places.
pub(super) fn conversion(checked: &Checked, place: &KernelPlace, from: NodeRef<'_>) -> Result<Found, Missing> {
    let (tensors, notes) = converted_tensors(checked, place, from).ok_or(Missing::Types)?;
    let kernel = iterate::conversion(&tensors[0], &tensors[1]).map_err(|bug| Missing::Data(bug.to_string()))?;
    let kernel = kernel.ok_or_else(|| Missing::Data(packed(checked.source.slice(place.selection))))?;
    Ok(Found { kernel, schedule: Schedule::default(), notes })
}

/// The text for a conversion without loops.
pub(super) fn packed(name: &str) -> String {
    format!("the entries of `{name}` are packed, without loops")
}

/// What is read and what it becomes, and what is assumed of them.
fn converted_tensors(checked: &Checked, place: &KernelPlace, from: NodeRef<'_>) -> Option<([Tensor; 2], Vec<String>)> {
    let to = definitions(checked, place.whole.end).rev().find(|known| known.name == place.selection)?;
    let read =
        definitions(checked, place.whole.start).rev().find(|known| checked.source.slice(known.name) == from.text())?;
    let mut open = false;
    let mut tensor = |known: &Definition| {
        let DefinitionKind::Tensor(Some(ty)) = &known.kind else { return None };
        open |= ty.sizes().is_none() || ty.element.is_none();
        let encoding = ty.format.as_ref()?.encoding().cloned();
        let name = checked.source.slice(known.name).to_string();
        Some(Tensor { name, element: ty.element.unwrap_or(Element::F64), shape: assumed_sizes(ty)?, encoding })
    };
    let (from, mut to) = (tensor(read)?, tensor(to)?);
    to.shape.clone_from(&from.shape);
    Some(([from, to], if open { notes() } else { Vec::new() }))
}

fn notes() -> Vec<String> {
    vec![format!("as if sizes that only data tell were {ASSUMED_SIZE}, and elements `f64`")]
}

fn assumed_sizes(ty: &PartialType) -> Option<Vec<u64>> {
    Some(ty.shape.as_ref()?.iter().map(|size| size.unwrap_or(ASSUMED_SIZE)).collect())
}

/// The definitions that end before a place.
fn definitions(checked: &Checked, before: u32) -> impl DoubleEndedIterator<Item = &Definition> {
    let all = &checked.symbols.definitions;
    all.iter().filter(move |known| known.whole.end <= before)
}

/// What the names mean in the statement.
fn scope(checked: &Checked, node: NodeRef<'_>, sizes: &HashMap<&str, u64>) -> Scope {
    let mut scope = Scope::default();
    for file in checked.used.iter().map(|used| &used.file) {
        define(&file.source, &file.symbols.definitions, &mut scope);
    }
    let before: Vec<Definition> = definitions(checked, node.span().start).cloned().collect();
    define(&checked.source, &before, &mut scope);
    for call in calls(node) {
        let Some((name, Meaning::Tensor(ty))) =
            call.first_token().and_then(|name| Some((name, scope.get(name.text())?)))
        else {
            continue;
        };
        let ty = filled(ty, call, sizes);
        scope.define(name.text(), Meaning::Tensor(ty));
    }
    scope
}

fn define(source: &Source, definitions: &[Definition], scope: &mut Scope) {
    for known in definitions {
        let meaning = match &known.kind {
            DefinitionKind::Encoding(Some(encoding)) => Meaning::Encoding(encoding.clone()),
            DefinitionKind::Tensor(Some(ty)) => Meaning::Tensor((**ty).clone()),
            DefinitionKind::Scalar(Some(element)) => Meaning::Scalar(*element),
            DefinitionKind::Encoding(None) | DefinitionKind::Tensor(None) | DefinitionKind::Scalar(None) => {
                Meaning::Broken
            }
            DefinitionKind::Attribute
            | DefinitionKind::Type(_)
            | DefinitionKind::Value
            | DefinitionKind::Function
            | DefinitionKind::Block
            | DefinitionKind::MapVariable(_) => continue,
        };
        scope.define(source.slice(known.name), meaning);
    }
}

fn calls(node: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    node.descendants().filter(|part| part.kind() == NodeKind::Call)
}

/// The type with the sizes of the variables that index it.
fn filled(ty: &PartialType, call: NodeRef<'_>, sizes: &HashMap<&str, u64>) -> PartialType {
    let indices: Vec<&str> = call.children().map(NodeRef::text).collect();
    let size = |(at, known): (usize, &Option<u64>)| {
        let of_var = || indices.get(at).and_then(|var| sizes.get(var)).copied();
        Some(known.or_else(of_var).unwrap_or(ASSUMED_SIZE))
    };
    let shape = ty.shape.as_ref().map(|shape| shape.iter().enumerate().map(size).collect());
    PartialType { element: ty.element.or(Some(Element::F64)), shape, ..ty.clone() }
}

/// The known sizes of the dimensions that a variable alone indexes.
fn sizes_of_vars<'t>(checked: &Checked, node: NodeRef<'t>) -> HashMap<&'t str, u64> {
    let mut sizes = HashMap::new();
    for call in calls(node) {
        let Some(name) = call.first_token() else { continue };
        let known =
            definitions(checked, node.span().start).rev().find(|known| checked.source.slice(known.name) == name.text());
        let Some(DefinitionKind::Tensor(Some(ty))) = known.map(|known| &known.kind) else { continue };
        let indices = call.children().enumerate().filter(|(_, index)| index.kind() == NodeKind::Name);
        sizes.extend(indices.filter_map(|(at, index)| Some((index.text(), ty.extent(at)?))));
    }
    sizes
}

//! `sparse_tensor`: tensors with encodings as a whole. What stands in kernels' bodies and what looks into the
//! arrays have files of their own.

use std::sync::Arc;

use crate::{
    arrays::Values,
    check::TensorType,
    element::{Element, Scalar},
    program::{
        attribute::Attribute,
        ir::Op,
        machine::{Fault, Frame, Machine},
        operation::OpDef,
        read::{Draft, Form, Mistake, Read, Reader},
        types::{Type, compatible},
        value::{Array, Sparse, Value, advance, entries},
    },
    storage::{self, Storage, Triplets},
};

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("sparse_tensor.convert", Form::cast, convert).verified(convert_types),
    OpDef::host("sparse_tensor.print", Form::operands, print).verified(one_tensor),
    OpDef::host("sparse_tensor.load", load_syntax, load),
    OpDef::host("sparse_tensor.number_of_entries", count_syntax, count).verified(one_tensor),
    OpDef::host("sparse_tensor.lvl", level_syntax, level_size),
    OpDef::host("sparse_tensor.reinterpret_map", Form::cast, reinterpret).verified(one_tensor),
    OpDef::host("sparse_tensor.concatenate", concatenate_syntax, concatenate),
    OpDef::host("sparse_tensor.foreach", foreach_syntax, foreach).verified(one_or_more),
    OpDef::host("sparse_tensor.has_runtime_library", flag_syntax, |_, _, _| Ok(vec![Value::Scalar(Scalar::Int(0))])),
];

/// The first operand is a tensor with an encoding.
pub(super) fn one_or_more(draft: &Draft) -> Result<(), Mistake> {
    let operand = draft.operand(0)?;
    match &operand.ty {
        Type::Tensor(_) | Type::Broken => Ok(()),
        other => Err(Mistake::types(operand.span, format!("`{}` takes a tensor, not `{other}`", draft.name()))),
    }
}

/// The one operand is a tensor with an encoding.
pub(super) fn one_tensor(draft: &Draft) -> Result<(), Mistake> {
    let operand = draft.operand(0)?;
    if operand.ty.sparse().is_some() || operand.ty.is_broken() {
        return Ok(());
    }
    let message = format!("`{}` takes a tensor with an encoding, not `{}`", draft.name(), operand.ty);
    Err(Mistake::types(operand.span, message))
}

// Conversions.

fn convert_types(draft: &Draft) -> Result<(), Mistake> {
    let (operand, to) = (draft.operand(0)?, draft.result()?);
    let tensors = operand.ty.tensor().zip(to.tensor());
    let fits = tensors.is_some_and(|(from, to)| compatible(&from.shape, &to.shape));
    if fits || operand.ty.is_broken() || to.is_broken() {
        return match tensors {
            Some((from, to))
                if from.element != to.element && (from.element.is_complex() != to.element.is_complex()) =>
            {
                Err(Mistake::types(operand.span, format!("`{}` entries do not become `{}`", from.element, to.element)))
            }
            _ => Ok(()),
        };
    }
    Err(Mistake::types(operand.span, format!("`{}` cannot become `{to}`", operand.ty)))
}

/// Entries stay entries; of a dense tensor those are entries that are not zero.
pub(super) fn convert(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = frame.operand(op, 0)?.clone();
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    Ok(vec![converted(value, to)?])
}

pub(super) fn converted(value: Value, to: &TensorType) -> Result<Value, Fault> {
    check_sizes(&value, to)?;
    let same = match (&value, &to.encoding) {
        (Value::Sparse(tensor), Some(encoding)) => tensor.encoding() == encoding && tensor.element() == to.element,
        (Value::Array(array), None) => array.element == to.element,
        _ => false,
    };
    if same {
        return Ok(value);
    }
    let triplets = with_element(triplets(&value)?, to.element)?;
    match &to.encoding {
        Some(encoding) => Ok(Value::Sparse(Sparse::packed(triplets, encoding)?)),
        None => {
            let values = storage::convert::dense_of(&triplets)?;
            Ok(Value::Array(Array { element: to.element, shape: triplets.shape().to_vec(), values: values.into() }))
        }
    }
}

fn check_sizes(value: &Value, to: &TensorType) -> Result<(), Fault> {
    let sizes = value.sizes();
    match sizes.iter().zip(&to.shape).find(|(size, wanted)| wanted.is_some_and(|wanted| wanted != **size)) {
        Some((size, wanted)) => {
            Err(Fault::new(format!("a dimension has size {size}, and its type says {}", wanted.unwrap_or(0))))
        }
        None => Ok(()),
    }
}

/// The entries of any tensor; those of a dense one are those that are not zero.
pub(super) fn triplets(value: &Value) -> Result<Triplets, Fault> {
    match value {
        Value::Sparse(tensor) => tensor.triplets(),
        Value::Entries(entries) => Ok((**entries).clone()),
        other => {
            let array = other.array()?;
            Ok(storage::from_dense(&array.shape, array.element, &array.values)?)
        }
    }
}

/// Any tensor as a dense one.
pub(super) fn densified(value: Value) -> Result<Array, Fault> {
    if let Value::Sparse(tensor) = &value {
        let triplets = tensor.triplets()?;
        let values = storage::convert::dense_of(&triplets)?;
        return Ok(Array { element: triplets.element(), shape: triplets.shape().to_vec(), values: values.into() });
    }
    Ok(value.array()?.into_owned())
}

fn with_element(triplets: Triplets, element: Element) -> Result<Triplets, Fault> {
    if triplets.element() == element {
        return Ok(triplets);
    }
    let (shape, _, coords, values) = triplets.into_parts();
    let values = Values::from_scalars(
        element,
        values.iter().map(|value| crate::backend::interp::scalar::convert(element, value)),
    );
    Ok(Triplets::new(shape, element, coords, values).map_err(storage::StorageError::from)?)
}

// Looking at tensors.

fn print(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let text = storage::dump::mlir_print(&*frame.operand(op, 0)?.sparse()?.storage()?);
    machine.print(&text)
}

/// `%t hasInserts : T`
fn load_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    r.eat_word("hasInserts");
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(name, &ty)?];
    draft.results = vec![ty];
    one_tensor(draft)
}

fn load(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    Ok(vec![frame.operand(op, 0)?.sparse()?.finished().map(Value::Sparse)?])
}

fn count_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::unary(r, draft)?;
    draft.results = vec![Type::INDEX];
    Ok(())
}

fn count(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    Ok(vec![Value::index(frame.operand(op, 0)?.sparse()?.storage()?.nse() as u64)])
}

/// `%t, %l : T`
fn level_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [tensor, level] = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(tensor, &ty)?, r.resolve(level, &Type::INDEX)?];
    draft.results = vec![Type::INDEX];
    one_tensor(draft)
}

fn level_size(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let sizes = frame.operand(op, 0)?.sparse()?.storage()?.lvl_sizes();
    let level = frame.operand(op, 1)?.number()?;
    match usize::try_from(level).ok().and_then(|level| sizes.get(level)) {
        Some(size) => Ok(vec![Value::index(*size)]),
        None => Err(Fault::new(format!("there is no level {level} of {}", sizes.len()))),
    }
}

fn flag_syntax(_: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.results = vec![Type::I1];
    Ok(())
}

/// The same arrays under another map.
fn reinterpret(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let to = op.result_types.first().and_then(Type::sparse).ok_or_else(|| Fault::new("no tensor to make"))?;
    let Some(encoding) = &to.encoding else { return Err(Fault::new("no encoding to read the arrays by")) };
    let shape = reinterpreted_shape(&storage, to)?;
    let (element, (levels, values)) = (storage.element(), Arc::unwrap_or_clone(storage).into_parts());
    Ok(vec![Value::Sparse(Sparse::new(Storage::new(encoding.clone(), element, shape, levels, values)?))])
}

/// The sizes that make levels of the same sizes.
fn reinterpreted_shape(storage: &Storage, to: &TensorType) -> Result<Vec<u64>, Fault> {
    if let Some(shape) = to.shape.iter().copied().collect::<Option<Vec<u64>>>() {
        return Ok(shape);
    }
    let order = to.encoding.as_ref().and_then(|encoding| encoding.permutation());
    let order = order.ok_or_else(|| Fault::new("the sizes of the new dimensions are not known"))?;
    let mut shape = vec![0; to.shape.len()];
    for (dim, size) in order.iter().zip(storage.lvl_sizes()) {
        if let Some(slot) = shape.get_mut(dim.index()) {
            *slot = size;
        }
    }
    Ok(shape)
}

// `sparse_tensor.concatenate %a, %b {dimension = 0 : index} : T, T to U`

fn concatenate_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.operands = r.resolve_all(&uses, &types)?;
    let rank = draft.results.first().and_then(Type::rank).unwrap_or(0);
    match dimension(draft.attribute("dimension")) {
        Some(dim) if dim < rank => {}
        _ => return Err(draft.mistake(format!("`dimension` names one of {rank} dimensions"))),
    }
    match draft.operands.iter().find(|operand| operand.ty.rank() != Some(rank) && !operand.ty.is_broken()) {
        Some(other) => Err(Mistake::types(other.span, format!("a tensor of {rank} dimensions is wanted here"))),
        None => Ok(()),
    }
}

pub(super) fn dimension(attribute: Option<&Attribute>) -> Option<usize> {
    attribute.and_then(Attribute::as_int).and_then(|dim| usize::try_from(dim).ok())
}

pub(super) fn concatenate(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let dim = dimension(op.attribute("dimension")).unwrap_or(0);
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let parts = frame.all(&op.operands)?;
    let mut shape = parts.first().map(Value::sizes).unwrap_or_default();
    let mut coords = vec![Vec::new(); shape.len()];
    let mut values = Values::with_capacity(to.element, 0);
    let mut reached = 0u64;
    for part in &parts {
        let triplets = triplets(part)?;
        let others = |(at, (size, whole)): (usize, (&u64, &u64))| at != dim && size != whole;
        if triplets.shape().iter().zip(&shape).enumerate().any(others) {
            return Err(Fault::new("the tensors differ in a dimension other than that of concatenation"));
        }
        for (at, column) in triplets.coords().iter().enumerate() {
            coords[at].extend(column.iter().map(|c| if at == dim { c + reached } else { *c }));
        }
        triplets.values().iter().for_each(|value| values.push(value));
        reached = reached.saturating_add(triplets.shape().get(dim).copied().unwrap_or(0));
    }
    if let Some(size) = shape.get_mut(dim) {
        *size = reached;
    }
    let whole = Triplets::new(shape, to.element, coords, values).map_err(storage::StorageError::from)?;
    Ok(vec![converted(Value::Entries(whole.into()), to)?])
}

// `sparse_tensor.foreach in %t init(%x) {order = ...} : T, U -> U do {^bb0(%i: index, ..., %v: f64, %x: U): ...}`

fn foreach_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.expect_word("in")?;
    let source = r.value_use()?;
    let inits = if r.eat_word("init") { r.parenthesized(Reader::value_use)? } else { Vec::new() };
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    draft.results = r.optional_results()?;
    r.expect_word("do")?;
    let uses: Vec<_> = [source].into_iter().chain(inits).collect();
    draft.operands = r.resolve_all(&uses, &types)?;
    let region = r.region(Vec::new())?;
    let (rank, carried) = (types.first().and_then(Type::rank).unwrap_or(0), draft.results.len());
    if region.arguments.len() != rank + 1 + carried {
        let message =
            format!("the region takes {} values, and {} are given", region.arguments.len(), rank + 1 + carried);
        return Err(draft.mistake(message));
    }
    draft.regions = vec![Some(region)];
    Ok(())
}

/// The entries in the order of the levels, zeros of dense levels among them; of a dense tensor all, of a constant `sparse<...>` those given.
fn foreach(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let mut carried = frame.all(op.operands.get(1..).unwrap_or_default())?;
    let region = op.region(0).ok_or_else(|| Fault::new("`sparse_tensor.foreach` without a region"))?;
    for (at, value) in visited(&source, op)? {
        let mut arguments: Vec<Value> = at.into_iter().map(Value::index).collect();
        arguments.push(Value::Scalar(value));
        arguments.append(&mut carried);
        machine.step(1)?;
        carried = machine.region(frame, region, arguments)?;
    }
    Ok(carried)
}

type Visited = Vec<(Vec<u64>, Scalar)>;

fn visited(source: &Value, op: &Op) -> Result<Visited, Fault> {
    let mut visited: Visited = match source {
        Value::Array(array) => {
            let mut at = vec![0; array.shape.len()];
            let mut all = Vec::new();
            for entry in 0..entries(&array.shape)? {
                all.extend(array.values.get(entry).map(|value| (at.clone(), value)));
                advance(&mut at, &array.shape);
            }
            all
        }
        other => {
            let triplets = match other {
                Value::Sparse(tensor) => tensor.visited()?,
                other => triplets(other)?,
            };
            (0..triplets.len()).filter_map(|entry| triplets.entry(entry)).collect()
        }
    };
    if let Some(order) = op.attribute("order").and_then(Attribute::as_map) {
        visited.sort_by_key(|(at, _)| crate::program::generic::place(order, at));
    }
    Ok(visited)
}

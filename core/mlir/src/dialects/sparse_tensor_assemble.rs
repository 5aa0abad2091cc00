//! `sparse_tensor`: assembling tensors from given arrays, and disassembling them.

use std::sync::Arc;

use super::{
    regions::each,
    sparse_tensor_arrays::{Field, encoding_of, fields, numbers},
};
use crate::{
    constraints::{ANY, TENSOR, takes},
    ir::{Op, Operand},
    machine::{Fault, Frame, Machine},
    operation::{Group, OpDef},
    read::{Draft, Mistake, Read, Reader},
    types::Type,
    value::{Array, Sparse, Value},
};
use nnz_base::{
    arrays::{IndexArray, Values, Width},
    element::{Element, Scalar},
    ids::Lvl,
};
use nnz_encoding::{Encoding, LevelFormat};
use nnz_storage::{ArrayKind, LevelStorage, Storage, StorageError};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("sparse_tensor.assemble", takes(&[TENSOR.many(), TENSOR]).gives(&[TENSOR]), assemble_syntax, assemble)
        .grouped(&[Group::Rest, Group::One])
        .verified(assemble_types),
    OpDef::host(
        "sparse_tensor.disassemble",
        takes(&[TENSOR, TENSOR.many(), TENSOR.many()]).gives(&[ANY.many()]),
        disassemble_syntax,
        disassemble,
    )
    .grouped(&[Group::One, Group::Rest, Group::One])
    .verified(disassemble_types),
];

// `sparse_tensor.assemble (%pos, %crd), %values : (T, U), V to W`

fn assemble_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let levels = r.parenthesized(Reader::value_use)?;
    r.expect(TokenKind::Comma)?;
    let values = r.value_use()?;
    draft.attributes = r.optional_dictionary()?;
    r.expect(TokenKind::Colon)?;
    let types = r.parenthesized(Reader::ty)?;
    r.expect(TokenKind::Comma)?;
    let value_type = r.ty()?;
    r.expect_word("to")?;
    let to = r.ty()?;
    draft.group(r.resolve_all(&levels, &types)?);
    draft.group(vec![r.resolve(values, &value_type)?]);
    draft.results = vec![to];
    Ok(())
}

fn assemble_types(draft: &Draft) -> Result<(), Mistake> {
    let to = draft.result()?;
    let Some(encoding) = encoding_of(to) else {
        return if to.is_broken() { Ok(()) } else { Err(draft.mistake(format!("`{to}` has no encoding to assemble"))) };
    };
    match draft.group_of(1) {
        [values] if values.ty.element() == to.element() || values.ty.is_broken() => {}
        [values] => {
            let message = format!("`{}` is no array of the values of `{to}`", values.ty);
            return Err(Mistake::types(values.span, message));
        }
        _ => return Err(draft.mistake("the values are missing")),
    }
    if to.shape().is_none_or(|shape| shape.contains(&None)) {
        return Err(draft.mistake("the sizes of an assembled tensor are stated in its type: there is no `?`"));
    }
    check_fields(draft, encoding, draft.group_of(0))
}

/// One operand for each array, of its width.
fn check_fields(draft: &Draft, encoding: &Encoding, operands: &[Operand]) -> Result<(), Mistake> {
    let fields = fields(encoding);
    if fields.len() != operands.len() {
        let message = format!(
            "the encoding has {} arrays of positions and coordinates, and {} are given",
            fields.len(),
            operands.len()
        );
        return Err(draft.mistake(message));
    }
    for (field, operand) in fields.iter().zip(operands) {
        let width = match field {
            Field::Positions(_) => encoding.pos_width(),
            Field::Coordinates(_) | Field::Tuples { .. } => encoding.crd_width(),
        };
        let wanted = Element::parse(width.type_name());
        if operand.ty.element() != wanted && !operand.ty.is_broken() {
            let message = format!("the array holds `{}`, and this is `{}`", width.type_name(), operand.ty);
            return Err(Mistake::types(operand.span, message));
        }
        tuple_length(*field, operand)?;
    }
    Ok(())
}

/// An array of tuples has one of its coordinates for each level that they stand for.
fn tuple_length(field: Field, operand: &Operand) -> Result<(), Mistake> {
    let shape = operand.ty.shape();
    match (field, shape.as_deref()) {
        (Field::Tuples { len, .. }, Some([.., _, Some(found)])) if *found != len as u64 => {
            Err(Mistake::types(operand.span, format!("the tuples have {len} coordinates, and these {found}")))
        }
        (Field::Tuples { len, .. }, Some([] | [_])) => {
            let message =
                format!("tuples of {len} coordinates are rows of two dimensions, and this is `{}`", operand.ty);
            Err(Mistake::types(operand.span, message))
        }
        _ => Ok(()),
    }
}

fn assemble(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let to = op.result_types.first().and_then(Type::sparse).ok_or_else(|| Fault::new("no tensor to make"))?;
    let encoding = to.encoding.as_ref().ok_or_else(|| Fault::new("no encoding to assemble"))?;
    let shape: Option<Vec<u64>> = to.shape.iter().copied().collect();
    let shape = shape.ok_or_else(|| Fault::new("the sizes of an assembled tensor are written in its type"))?;
    let mut arrays = Given::default();
    for (field, operand) in fields(encoding).into_iter().zip(op.group(0)) {
        let array = frame.get(operand.value)?.array()?.into_owned();
        arrays.add(field, array.values.iter().map(|value| Value::Scalar(value).number()).collect::<Result<_, _>>()?);
    }
    let values = match op.group(1).first() {
        Some(operand) => frame.get(operand.value)?.array()?.values.as_ref().clone(),
        None => return Err(Fault::new("no values to assemble")),
    };
    let storage = arrays.storage(encoding, to.element, shape, values)?;
    Ok(vec![Value::Sparse(Sparse::new(storage))])
}

/// Arrays by level.
#[derive(Default)]
struct Given {
    positions: Vec<(Lvl, Vec<u64>)>,
    coordinates: Vec<(Lvl, Vec<u64>)>,
}

impl Given {
    fn add(&mut self, field: Field, numbers: Vec<u64>) {
        match field {
            Field::Positions(lvl) => self.positions.push((lvl, numbers)),
            Field::Coordinates(lvl) => self.coordinates.push((lvl, numbers)),
            Field::Tuples { head, len } => {
                for at in 0..len {
                    let column = numbers.iter().skip(at).step_by(len).copied().collect();
                    self.coordinates.push((Lvl::new(head.index() + at), column));
                }
            }
        }
    }

    fn take(list: &mut Vec<(Lvl, Vec<u64>)>, lvl: Lvl) -> Option<Vec<u64>> {
        let at = list.iter().position(|(known, _)| *known == lvl)?;
        Some(list.swap_remove(at).1)
    }

    /// The tensor of these arrays; of each what its level uses.
    fn storage(
        mut self,
        encoding: &Arc<Encoding>,
        element: Element,
        shape: Vec<u64>,
        mut values: Values,
    ) -> Result<Storage, Fault> {
        let sizes = Sparse::empty(encoding, element, shape.clone())?.storage()?.lvl_sizes();
        let mut used = Used::start(encoding);
        let mut levels = Vec::new();
        for (at, size) in sizes.into_iter().enumerate() {
            let (lvl, format) = (Lvl::new(at), encoding.format(Lvl::new(at)));
            let positions = Given::take(&mut self.positions, lvl).map(|positions| used.positions(format, positions));
            used.fill(format, size);
            let coordinates = Given::take(&mut self.coordinates, lvl);
            let mut coordinates = coordinates.map(|coordinates| used.coordinates(coordinates));
            if let (LevelFormat::LooseCompressed(_), Some(positions), Some(coordinates)) =
                (format, &positions, &mut coordinates)
            {
                clear_free_slots(positions, coordinates);
            }
            let positions = narrowed(positions, encoding.pos_width(), lvl, ArrayKind::Positions)?;
            let coordinates = narrowed(coordinates, encoding.coordinates_width(lvl), lvl, ArrayKind::Coordinates)?;
            let level = LevelStorage::new(format, positions, coordinates);
            levels.push(level.ok_or_else(|| Fault::new(format!("level {at} is `{format}`, and has other arrays")))?);
        }
        values.truncate(used.count);
        Ok(Storage::new(encoding.clone(), element, shape, levels, values)?)
    }
}

/// How many positions of the level above are used: arrays may be longer than that.
struct Used {
    count: usize,
    /// Batches have arrays of equal length, used or not.
    whole: bool,
}

impl Used {
    fn start(encoding: &Encoding) -> Used {
        let whole = encoding.batch_rank() > 0;
        Used { count: if whole { usize::MAX } else { 1 }, whole }
    }

    fn positions(&mut self, format: LevelFormat, mut positions: Vec<u64>) -> Vec<u64> {
        if self.whole {
            return positions;
        }
        let loose = matches!(format, LevelFormat::LooseCompressed(_));
        positions.truncate(if loose { self.count.saturating_mul(2) } else { self.count.saturating_add(1) });
        let end = positions.iter().copied().max().unwrap_or(0);
        if loose {
            // One slot more than the pairs, which nothing reads.
            positions.push(end);
        }
        self.count = usize::try_from(end).unwrap_or(usize::MAX);
        positions
    }

    fn coordinates(&self, mut coordinates: Vec<u64>) -> Vec<u64> {
        coordinates.truncate(self.count);
        coordinates
    }

    fn fill(&mut self, format: LevelFormat, size: u64) {
        let times = match format {
            LevelFormat::Dense => size,
            LevelFormat::Structured(block) => block.n(),
            _ => 1,
        };
        if !self.whole {
            self.count = self.count.saturating_mul(usize::try_from(times).unwrap_or(usize::MAX));
        }
    }
}

/// What stands in slots that no segment holds means nothing.
fn clear_free_slots(positions: &[u64], coordinates: &mut [u64]) {
    let mut held = vec![false; coordinates.len()];
    for pair in positions.chunks_exact(2) {
        let bounds = [pair[0], pair[1]].map(|at| usize::try_from(at).unwrap_or(usize::MAX).min(held.len()));
        if bounds[0] < bounds[1] {
            held[bounds[0]..bounds[1]].fill(true);
        }
    }
    coordinates.iter_mut().zip(held).filter(|(_, held)| !held).for_each(|(coordinate, _)| *coordinate = 0);
}

fn narrowed(
    numbers: Option<Vec<u64>>,
    width: Width,
    lvl: Lvl,
    array: ArrayKind,
) -> Result<Option<IndexArray>, StorageError> {
    let Some(numbers) = numbers else { return Ok(None) };
    let largest = numbers.iter().copied().max().unwrap_or(0);
    IndexArray::new(numbers, width).map(Some).map_err(|overflow| StorageError::overflow(lvl, array, overflow, largest))
}

// `sparse_tensor.disassemble %t : T out_lvls(%a, %b : U, V) out_vals(%c : W) -> (U, V), W, (index, index), index`

fn disassemble_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.group(vec![r.resolve(source, &ty)?]);
    for word in ["out_lvls", "out_vals"] {
        r.expect_word(word)?;
        r.expect(TokenKind::LParen)?;
        let uses = r.value_uses()?;
        let types = r.colon_types()?;
        r.expect(TokenKind::RParen)?;
        draft.group(r.resolve_all(&uses, &types)?);
    }
    r.expect(TokenKind::Arrow)?;
    draft.results = r.parenthesized(Reader::ty)?;
    r.expect(TokenKind::Comma)?;
    draft.results.push(r.ty()?);
    r.expect(TokenKind::Comma)?;
    let lengths = r.parenthesized(Reader::ty)?;
    draft.results.extend(lengths);
    r.expect(TokenKind::Comma)?;
    draft.results.push(r.ty()?);
    Ok(())
}

fn disassemble_types(draft: &Draft) -> Result<(), Mistake> {
    let ty = &draft.operand(0)?.ty;
    let Some(encoding) = encoding_of(ty) else {
        return if ty.is_broken() { Ok(()) } else { Err(draft.mistake(format!("`{ty}` has no encoding"))) };
    };
    check_fields(draft, encoding, draft.group_of(1))?;
    match draft.group_of(2) {
        [values] if values.ty.element() == ty.element() || values.ty.is_broken() => {}
        [values] => {
            let element = ty.element().map_or(String::new(), |element| element.to_string());
            return Err(Mistake::types(
                values.span,
                format!("the values are `{element}`, and this is `{}`", values.ty),
            ));
        }
        _ => return Err(draft.mistake("`out_vals` names one array")),
    }
    let arrays = draft.operands.get(1..).unwrap_or_default();
    let wanted = 2 * arrays.len();
    if draft.results.len() != wanted {
        return Err(draft.mistake(format!("there are {wanted} results: the arrays, the values and how long each is")));
    }
    each(arrays, &draft.results, |given, wanted| format!("this array is `{}`, and its result `{wanted}`", given.ty))
}

/// The arrays are written to the front of the ones given.
fn disassemble(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let mut arrays = Vec::new();
    let mut lengths = Vec::new();
    for (field, operand) in fields(storage.encoding()).into_iter().zip(op.group(1)) {
        let numbers = numbers(&storage, field);
        lengths.push(numbers.len());
        let scalars = numbers.into_iter().map(|number| Scalar::Int(number.into()));
        arrays.push(written(frame.get(operand.value)?, scalars)?);
    }
    if let Some(operand) = op.group(2).first() {
        lengths.push(storage.nse());
        arrays.push(written(frame.get(operand.value)?, storage.values().iter())?);
    }
    let types = op.result_types.iter().skip(arrays.len());
    let lengths: Vec<Value> = lengths.into_iter().zip(types).map(|(length, ty)| length_of(length, ty)).collect();
    arrays.extend(lengths);
    Ok(arrays)
}

/// A length, as a scalar or as a tensor without dimensions.
fn length_of(length: usize, ty: &Type) -> Value {
    let scalar = Scalar::Int(length as i128);
    match (ty.tensor(), ty.element()) {
        (Some(_), Some(element)) => {
            let values = Values::from_scalars(element, [scalar]).into();
            Value::Array(Array { element, shape: Vec::new(), values })
        }
        _ => Value::Scalar(scalar),
    }
}

fn written(target: &Value, scalars: impl Iterator<Item = Scalar>) -> Result<Value, Fault> {
    let mut array: Array = target.array()?.into_owned();
    let room = array.values.len();
    let values = Arc::make_mut(&mut array.values);
    for (at, scalar) in scalars.enumerate() {
        if at >= room {
            return Err(Fault::new(format!("an array of {room} entries is too short for what it is to take")));
        }
        values.set(at, scalar);
    }
    Ok(Value::Array(array))
}

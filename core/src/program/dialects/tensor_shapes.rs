//! `tensor`: changes of shape, and parts of tensors.

use crate::{
    arrays::Values,
    check::TensorType,
    diagnostic::counted,
    element::Scalar,
    program::{
        attribute::Attribute,
        inherent::{COUNT, Inherent, Kind, groups, needs},
        ir::{Op, Operand},
        machine::{Fault, Frame, Machine},
        operation::{Group, OpDef},
        read::{Draft, Mistake, Read, Reader},
        types::{Type, compatible},
        value::{Array, Value, advance, by, entries},
    },
    storage::Triplets,
    syntax::TokenKind,
};

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("tensor.collapse_shape", reassociation_syntax, reshaped)
        .having(&[needs("reassociation", Kind::Groups)])
        .verified(collapse_types),
    OpDef::host("tensor.expand_shape", reassociation_syntax, reshaped)
        .having(&[needs("reassociation", Kind::Groups), needs("static_output_shape", Kind::Numbers)])
        .verified(expand_types)
        .grouped(&[Group::One, Group::Rest]),
    OpDef::host("tensor.reshape", reshape_syntax, reshape).verified(reshape_types),
    OpDef::host("tensor.extract_slice", part_syntax, extract_slice)
        .having(&[groups(4), OFFSETS, SIZES, STRIDES])
        .verified(extracted_part),
    OpDef::host("tensor.insert_slice", insert_slice_syntax, insert_slice)
        .having(&[groups(5), OFFSETS, SIZES, STRIDES])
        .verified(inserted_part),
    OpDef::host("tensor.pad", pad_syntax, pad)
        .having(&[groups(3), needs("static_low", Kind::Numbers), needs("static_high", Kind::Numbers)])
        .verified(pad_types),
    OpDef::host("tensor.concat", concat_syntax, concat).having(&[needs("dim", COUNT)]).verified(concat_types),
];

pub(super) const OFFSETS: Inherent = needs("static_offsets", Kind::Numbers);
pub(super) const SIZES: Inherent = needs("static_sizes", Kind::Numbers);
pub(super) const STRIDES: Inherent = needs("static_strides", Kind::Numbers);

/// Which element of what: the entries of a tensor, moved.
fn rebuilt(
    source: &Value,
    (shape, to): (Vec<u64>, &TensorType),
    mut moved: impl FnMut(&[u64]) -> Option<Vec<u64>>,
) -> Result<Value, Fault> {
    let triplets = super::sparse_tensor::triplets(source)?;
    let mut coords = vec![Vec::new(); shape.len()];
    let mut values = Values::with_capacity(to.element, triplets.len());
    for entry in 0..triplets.len() {
        let Some((at, value)) = triplets.entry(entry) else { continue };
        let Some(place) = moved(&at) else { continue };
        coords.iter_mut().zip(place).for_each(|(column, at)| column.push(at));
        values.push(value);
    }
    let triplets = Triplets::new(shape, to.element, coords, values).map_err(crate::storage::StorageError::from)?;
    super::sparse_tensor::converted(Value::Entries(triplets.into()), to)
}

/// The type of the one result.
fn result(op: &Op) -> Result<&TensorType, Fault> {
    op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))
}

/// `%t [[0, 1], [2]] output_shape [%a, 2] : T into U`
fn reassociation_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let start = r.span();
    let groups = r.attribute()?;
    draft.attributes.set_at("reassociation", groups, start.cover(r.last_span()));
    let mut sizes = Vec::new();
    if r.eat_word("output_shape") {
        sizes = mixed(r, draft, "static_output_shape")?;
    }
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("into")?;
    let to = r.ty()?;
    if from.element() != to.element() && !from.is_broken() && !to.is_broken() {
        return Err(Mistake::types(source.span, format!("`{from}` cannot become `{to}`")));
    }
    draft.group(vec![r.resolve(source, &from)?]);
    draft.group(sizes);
    draft.results = vec![to];
    Ok(())
}

/// `[%a, 2, %b]`: the values, and an attribute with `-1` in their places.
fn mixed(r: &mut Reader<'_>, draft: &mut Draft, name: &str) -> Read<Vec<Operand>> {
    let start = r.span();
    let mut places = Vec::new();
    let items = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, |r| {
        places.push(r.span());
        if r.at(TokenKind::PercentId) {
            let name = r.value_use()?;
            return Ok((Attribute::Number(Scalar::Int(-1), None), Some(r.resolve(name, &Type::INDEX)?)));
        }
        Ok((Attribute::Number(Scalar::Int(r.integer()?), None), None))
    })?;
    let (attributes, operands): (Vec<_>, Vec<_>) = items.into_iter().unzip();
    draft.attributes.set_items(name, Attribute::Array(attributes), start.cover(r.last_span()), places);
    Ok(operands.into_iter().flatten().collect())
}

/// The numbers of [`mixed`], the open ones taken from `open` in turn.
fn numbers(op: &Op, name: &str, open: Vec<u64>) -> Vec<u64> {
    let mut open = open.into_iter();
    let known = op.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    known.into_iter().map(|n| u64::try_from(n).ok().or_else(|| open.next()).unwrap_or(0)).collect()
}

fn collapse_types(draft: &Draft) -> Result<(), Mistake> {
    regrouped(draft, &draft.operand(0)?.ty, draft.result()?, "a result")
}

fn expand_types(draft: &Draft) -> Result<(), Mistake> {
    let result = draft.result()?;
    regrouped(draft, result, &draft.operand(0)?.ty, "an operand")?;
    let (Some(shape), true) = (result.shape(), draft.attribute("static_output_shape").is_some()) else { return Ok(()) };
    one_for_each(draft, "static_output_shape", &shape)?;
    open_numbers(draft, "static_output_shape", 1)?;
    let written = known_numbers(draft, "static_output_shape");
    let differs = |(one, other): (&Option<u64>, &Option<u64>)| one.zip(*other).is_some_and(|(one, other)| one != other);
    match written.iter().zip(&shape).position(differs) {
        Some(dim) => {
            let message = format!("dimension {dim} of the result has another size in `static_output_shape`");
            Err(draft.wrong_item("static_output_shape", dim, message))
        }
        None => Ok(()),
    }
}

/// Groups of dimensions of `wide` in their order, one for each dimension of `narrow`, which has all their entries.
fn regrouped(draft: &Draft, wide: &Type, narrow: &Type, which: &str) -> Result<(), Mistake> {
    let groups: Vec<Vec<usize>> = match draft.attribute("reassociation") {
        Some(Attribute::Array(groups)) => groups.iter().filter_map(Attribute::as_ints).map(of_usize).collect(),
        _ => return Err(draft.mistake("`reassociation` lists the dimensions that become one")),
    };
    let ty = narrow;
    let (Some(wide), Some(narrow)) = (wide.shape(), narrow.shape()) else { return Ok(()) };
    if narrow.len() != groups.len() {
        let (groups, has) = (counted(groups.len(), "group"), counted(narrow.len(), "dimension"));
        let mistake = draft.wrong("reassociation", format!("{groups} of dimensions for {which} of {has}"));
        return Err(mistake.label(groups));
    }
    if !groups.is_empty() && !groups.iter().flatten().copied().eq(0..wide.len()) {
        let has = counted(wide.len(), "dimension");
        return Err(draft.wrong("reassociation", format!("`reassociation` names each of {has} once, in their order")));
    }
    same_count(draft)?;
    for (dim, (group, size)) in groups.iter().zip(&narrow).enumerate() {
        let sizes = group.iter().filter_map(|dim| wide.get(*dim).copied());
        let product = sizes.map(|size| Some(size?.into())).try_fold(1u128, |product, size| product.checked_mul(size?));
        if product != size.map(u128::from) {
            let known = |size: Option<String>| size.unwrap_or_else(|| "`?`".to_string());
            let (found, wanted) = (known(size.map(|size| size.to_string())), known(product.map(|p| p.to_string())));
            return Err(draft.wrong_result(format!(
                "dimension {dim} of `{ty}` has size {found}, and its group of dimensions {wanted} entries"
            )));
        }
    }
    Ok(())
}

/// A number for each dimension of a shape.
fn one_for_each(draft: &Draft, name: &str, shape: &[Option<u64>]) -> Result<(), Mistake> {
    let given = draft.attribute(name).and_then(Attribute::as_ints).unwrap_or_default().len();
    if given == shape.len() {
        return Ok(());
    }
    let what = name.trim_start_matches("static_").replace('_', " ");
    let (given, has) = (counted(given, "number"), counted(shape.len(), "dimension"));
    Err(draft.wrong(name, format!("{given} of `{what}` for a tensor of {has}")).label(given))
}

/// A value for each number that a list leaves open.
fn open_numbers(draft: &Draft, name: &str, group: usize) -> Result<(), Mistake> {
    let open = known_numbers(draft, name).iter().filter(|number| number.is_none()).count();
    let given = draft.group_of(group).len();
    if open == given {
        return Ok(());
    }
    let (open, given) = (counted(open, "number"), counted(given, "value"));
    Err(draft.wrong(name, format!("`{name}` leaves {open} open, for which there are {given}")))
}

/// As many entries in the result as in the operand, where both types say how many.
fn same_count(draft: &Draft) -> Result<(), Mistake> {
    let count = |ty: &Type| ty.shape()?.into_iter().try_fold(1u128, |count, size| count.checked_mul(size?.into()));
    let (operand, result) = (draft.operand(0)?, draft.result()?);
    match count(&operand.ty).zip(count(result)) {
        Some((from, to)) if from != to => {
            let message = format!("`{}` has {from} entries, and the result {to}", draft.name_of(operand));
            Err(draft
                .wrong_result(message)
                .label(format!("{to} entries"))
                .secondary(operand.span, format!("`{}`: {from} entries", operand.ty)))
        }
        _ => Ok(()),
    }
}

/// The numbers of [`mixed`] as far as they are known, and where they stand.
fn known_numbers(draft: &Draft, name: &str) -> Vec<Option<u64>> {
    let known = draft.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    known.into_iter().map(|number| u64::try_from(number).ok()).collect()
}

pub(super) fn extracted_part(draft: &Draft) -> Result<(), Mistake> {
    part_within(draft, draft.operand(0)?, 1)?;
    let result = draft.result()?;
    part_fits(draft, result, "the result", |message| draft.wrong_result(message))
}

fn inserted_part(draft: &Draft) -> Result<(), Mistake> {
    let source = draft.operand(0)?;
    part_within(draft, draft.operand(1)?, 2)?;
    let name = format!("`{}`", draft.name_of(source));
    part_fits(draft, &source.ty, &name, |message| Mistake::types(source.span, message))
}

/// What is cut out or put in has the sizes of the part, of which some that are 1 may be left out.
fn part_fits(draft: &Draft, ty: &Type, name: &str, wrong: impl Fn(String) -> Mistake) -> Result<(), Mistake> {
    let (sizes, Some(shape)) = (known_numbers(draft, "static_sizes"), ty.shape()) else { return Ok(()) };
    let differs = |(size, of_type): &(&Option<u64>, &Option<u64>)| size.zip(**of_type).is_some_and(|(a, b)| a != b);
    if sizes.len() != shape.len() {
        let mut left = shape.iter().peekable();
        let extra = sizes.iter().filter(|size| left.next_if(|wanted| !differs(&(*size, *wanted))).is_none());
        let ones = extra.filter(|size| size.is_some_and(|size| size != 1)).count() == 0;
        return match ones && left.next().is_none() {
            true => Ok(()),
            false => {
                let sizes = sizes.iter().map(|size| size.map_or("?".to_string(), |size| size.to_string()));
                let sizes = sizes.collect::<Vec<_>>().join("x");
                Err(wrong(format!("the part is {sizes}, and {name} is `{ty}`")))
            }
        };
    }
    let Some(dim) = sizes.iter().zip(&shape).position(|pair| differs(&pair)) else { return Ok(()) };
    let [size, of_type] = [sizes[dim], shape[dim]].map(Option::unwrap_or_default);
    let message = format!("the part has size {size} in dimension {dim}, and {name} {of_type}");
    let mistake = wrong(message).label(format!("size {of_type} in dimension {dim}"));
    Err(match draft.attributes.item_span("static_sizes", dim) {
        Some(place) => mistake.secondary(place, format!("size {size}")),
        None => mistake,
    })
}

/// A part that stays within the tensor, as far as numbers in the text tell.
fn part_within(draft: &Draft, whole: &Operand, groups: usize) -> Result<(), Mistake> {
    let shape = whole.ty.shape().unwrap_or_default();
    let [offsets, sizes, strides] =
        ["static_offsets", "static_sizes", "static_strides"].map(|name| known_numbers(draft, name));
    if let Some((name, numbers)) = [("offsets", &offsets), ("sizes", &sizes), ("strides", &strides)]
        .into_iter()
        .find(|(_, numbers)| numbers.len() != shape.len() && !whole.ty.is_broken())
    {
        let (given, has) = (numbers.len(), counted(shape.len(), "dimension"));
        let mistake = draft.wrong(&format!("static_{name}"), format!("{given} {name} for a tensor of {has}"));
        return Err(mistake.label(format!("{given} {name}")));
    }
    for (at, name) in ["static_offsets", "static_sizes", "static_strides"].into_iter().enumerate() {
        open_numbers(draft, name, groups + at)?;
    }
    for (dim, size) in shape.iter().enumerate() {
        let (Some(size), Some(offset), Some(count), Some(stride)) = (*size, offsets[dim], sizes[dim], strides[dim])
        else {
            continue;
        };
        let last = count.checked_sub(1).map(|steps| u128::from(steps) * u128::from(stride) + u128::from(offset));
        if last.is_some_and(|last| last >= u128::from(size)) {
            let name = draft.name_of(whole);
            let message = format!("the part reaches beyond dimension {dim} of `{name}`, which has size {size}");
            let mistake = draft.wrong_item("static_sizes", dim, message);
            return Err(mistake.label(format!("up to coordinate {}", last.unwrap_or(0))));
        }
    }
    Ok(())
}

/// A collapse or an expansion: the same entries in row-major order.
fn reshaped(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let to = result(op)?;
    let groups: Vec<Vec<usize>> = match op.attribute("reassociation") {
        Some(Attribute::Array(groups)) => groups.iter().filter_map(Attribute::as_ints).map(of_usize).collect(),
        _ => Vec::new(),
    };
    let sizes = source.sizes();
    let shape = if op.def.name == "tensor.collapse_shape" {
        collapsed(&sizes, &groups)
    } else {
        expanded(&sizes, &groups, to, &numbers(op, "static_output_shape", frame.numbers(op.group(1))?))?
    };
    Ok(vec![row_major(&source, shape, to)?])
}

fn of_usize(numbers: Vec<i128>) -> Vec<usize> {
    numbers.into_iter().map(|number| usize::try_from(number).unwrap_or(usize::MAX)).collect()
}

fn collapsed(sizes: &[u64], groups: &[Vec<usize>]) -> Vec<u64> {
    let size = |dim: &usize| sizes.get(*dim).copied().unwrap_or(1);
    groups.iter().map(|group| group.iter().map(size).fold(1, u64::saturating_mul)).collect()
}

/// The sizes of the expanded dimensions; one of each group may follow from the others.
fn expanded(sizes: &[u64], groups: &[Vec<usize>], to: &TensorType, written: &[u64]) -> Result<Vec<u64>, Fault> {
    if written.len() == to.shape.len() {
        return Ok(written.to_vec());
    }
    let mut shape: Vec<u64> = to.shape.iter().map(|size| size.unwrap_or(0)).collect();
    for (group, whole) in groups.iter().zip(sizes) {
        let known: u64 = group.iter().filter_map(|dim| to.shape.get(*dim).copied().flatten()).product();
        for dim in group.iter().filter(|dim| to.shape.get(**dim).is_some_and(Option::is_none)) {
            shape[*dim] = whole.checked_div(known).unwrap_or(0);
        }
    }
    Ok(shape)
}

/// The same entries in row-major order, under another shape.
fn row_major(source: &Value, shape: Vec<u64>, to: &TensorType) -> Result<Value, Fault> {
    let sizes = source.sizes();
    let count = |shape: &[u64]| shape.iter().try_fold(1u128, |count, size| count.checked_mul((*size).into()));
    if count(&sizes) != count(&shape) || shape.len() != to.shape.len() {
        return Err(Fault::new(format!("a tensor of {} cannot become one of {}", by(&sizes), by(&shape))));
    }
    if to.encoding.is_none()
        && let Value::Array(array) = source
    {
        return Ok(Value::Array(Array { element: array.element, shape, values: array.values.clone() }));
    }
    let target = shape.clone();
    rebuilt(source, (shape, to), |at| {
        let mut offset =
            at.iter().zip(&sizes).fold(0u128, |offset, (at, size)| offset * u128::from(*size) + u128::from(*at));
        let mut place = vec![0; target.len()];
        for (at, size) in place.iter_mut().zip(&target).rev() {
            *at = (offset % u128::from(*size).max(1)) as u64;
            offset /= u128::from(*size).max(1);
        }
        Some(place)
    })
}

/// `%t(%shape) : (T, tensor<2xindex>) -> U`
fn reshape_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let shape = r.parenthesized(Reader::value_use)?;
    draft.attributes = r.optional_dictionary()?;
    r.expect(TokenKind::Colon)?;
    let ty = r.function_type()?;
    let uses: Vec<_> = [source].into_iter().chain(shape).collect();
    draft.operands = r.resolve_all(&uses, &ty.inputs)?;
    draft.results = ty.results;
    Ok(())
}

/// The shape is a list of numbers, one for each dimension of the result.
fn reshape_types(draft: &Draft) -> Result<(), Mistake> {
    let (source, shape, result) = (draft.operand(0)?, draft.operand(1)?, draft.result()?);
    if [&source.ty, &shape.ty, result].iter().any(|ty| ty.is_broken()) {
        return Ok(());
    }
    let whole = shape.ty.element().is_some_and(|element| element.is_integer());
    let sizes = shape.ty.tensor().map(|tensor| &tensor.shape[..]);
    let wrong = |message: String| Err(Mistake::types(shape.span, message));
    match (sizes, result.rank()) {
        (Some([Some(count)]), Some(rank)) if *count != rank as u64 => {
            wrong(format!("{} for a result of {}", counted(*count as usize, "size"), counted(rank, "dimension")))
        }
        (Some([_]), _) if whole => same_count(draft),
        _ => wrong(format!("a tensor of one dimension says the shape, not `{}`", shape.ty)),
    }
}

fn reshape(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let shape = frame.operand(op, 1)?.array()?;
    let shape = shape.values.iter().map(|size| Value::Scalar(size).number()).collect::<Result<Vec<_>, _>>()?;
    Ok(vec![row_major(&source, shape, result(op)?)?])
}

/// Offsets, sizes and strides: `[0, %i] [2, 2] [1, 1]`.
fn parts(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    for name in ["static_offsets", "static_sizes", "static_strides"] {
        let open = mixed(r, draft, name)?;
        draft.group(open);
    }
    Ok(())
}

/// `%t[0, 0] [2, 2] [1, 1] : T to U`
pub(super) fn part_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let mut rest = Draft::of(draft);
    parts(r, &mut rest)?;
    draft.attributes = rest.attributes;
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.group(vec![r.resolve(source, &from)?]);
    draft.operands.append(&mut rest.operands);
    draft.segments.append(&mut rest.segments);
    Ok(())
}

/// The part of a tensor that an operation means: offset, size and stride of each dimension.
pub(super) struct Part {
    pub(super) offsets: Vec<u64>,
    pub(super) sizes: Vec<u64>,
    pub(super) strides: Vec<u64>,
}

impl Part {
    /// The groups of operands behind `first` leave offsets, sizes and strides open.
    pub(super) fn of(frame: &Frame<'_>, op: &Op, first: usize) -> Result<Part, Fault> {
        let open = |at: usize| frame.numbers(op.group(first + at));
        Ok(Part {
            offsets: numbers(op, "static_offsets", open(0)?),
            sizes: numbers(op, "static_sizes", open(1)?),
            strides: numbers(op, "static_strides", open(2)?),
        })
    }

    pub(super) fn check(&self, whole: &[u64]) -> Result<(), Fault> {
        if [&self.offsets, &self.sizes, &self.strides].iter().any(|numbers| numbers.len() != whole.len()) {
            return Err(Fault::new(format!("a part of a tensor of {} dimensions names as many", whole.len())));
        }
        for (dim, size) in whole.iter().enumerate() {
            let Some(steps) = self.sizes[dim].checked_sub(1) else { continue };
            let last = steps.checked_mul(self.strides[dim]).and_then(|past| past.checked_add(self.offsets[dim]));
            if last.is_none_or(|last| last >= *size) || self.strides[dim] == 0 {
                let message = format!("the part reaches beyond dimension {dim}, which has size {size}");
                return Err(Fault::new(message));
            }
        }
        Ok(())
    }

    /// Where a coordinate of the whole stands in the part.
    fn inside(&self, at: &[u64]) -> Option<Vec<u64>> {
        let dims = at.iter().zip(&self.offsets).zip(self.strides.iter().zip(&self.sizes));
        dims.map(|((at, offset), (stride, size))| {
            let past = at.checked_sub(*offset)?;
            (past % stride == 0 && past / stride < *size).then(|| past / stride)
        })
        .collect()
    }
}

/// Which dimensions of `sizes` are left out to give `rank` of them: those of size 1, the last first.
fn kept(sizes: &[u64], shape: &[Option<u64>]) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut wanted = shape.iter().peekable();
    for (dim, size) in sizes.iter().enumerate() {
        let left = sizes.len() - dim;
        let fits = wanted.peek().is_some_and(|want| want.is_none_or(|want| want == *size));
        if fits && (*size != 1 || left <= wanted.len() || wanted.peek().is_some_and(|want| **want == Some(1))) {
            kept.push(dim);
            wanted.next();
        }
    }
    kept
}

fn extract_slice(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let part = Part::of(frame, op, 1)?;
    part.check(&source.sizes())?;
    let to = result(op)?;
    let kept = kept(&part.sizes, &to.shape);
    let shape: Vec<u64> = kept.iter().map(|dim| part.sizes[*dim]).collect();
    if shape.len() != to.shape.len() {
        return Err(Fault::new(format!(
            "a part of {} is not a tensor of {} dimensions",
            by(&part.sizes),
            to.shape.len()
        )));
    }
    let place = |at: &[u64]| part.inside(at).map(|at| kept.iter().map(|dim| at[*dim]).collect());
    Ok(vec![rebuilt(&source, (shape, to), place)?])
}

/// `%t into %u[0, 0] [2, 2] [1, 1] : T into U`
fn insert_slice_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    r.expect_word("into")?;
    let target = r.value_use()?;
    let mut rest = Draft::of(draft);
    parts(r, &mut rest)?;
    draft.attributes = rest.attributes;
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("into")?;
    let to = r.ty()?;
    draft.group(vec![r.resolve(source, &from)?]);
    draft.group(vec![r.resolve(target, &to)?]);
    draft.operands.append(&mut rest.operands);
    draft.segments.append(&mut rest.segments);
    draft.results = vec![to];
    Ok(())
}

fn insert_slice(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.array()?.into_owned();
    let mut target = frame.operand(op, 1)?.array()?.into_owned();
    let part = Part::of(frame, op, 2)?;
    part.check(&target.shape)?;
    if entries(&part.sizes)? != source.values.len() {
        return Err(Fault::new(format!("{} entries for a part of {}", source.values.len(), by(&part.sizes))));
    }
    let mut at = vec![0; part.sizes.len()];
    let values = std::sync::Arc::make_mut(&mut target.values);
    for entry in 0..source.values.len() {
        let place: Vec<u64> = (0..at.len()).map(|dim| part.offsets[dim] + at[dim] * part.strides[dim]).collect();
        let offset = crate::program::value::offset(&target.shape, &place)?;
        values.set(offset, source.values.get(entry).unwrap_or(source.element.zero()));
        advance(&mut at, &part.sizes);
    }
    Ok(vec![Value::Array(target)])
}

/// `%t low[1, %a] high[0, 2] {^bb0(%i: index, ...): tensor.yield %v : f64} : T to U`
fn pad_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    r.eat_word("nofold");
    let mut rest = Draft::of(draft);
    for name in ["low", "high"] {
        r.expect_word(name)?;
        let open = mixed(r, &mut rest, &format!("static_{name}"))?;
        rest.group(open);
    }
    let region = r.region(Vec::new())?;
    draft.attributes = rest.attributes;
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("to")?;
    let to = r.ty()?;
    super::tensor::check_body(draft, &region, &to)?;
    draft.group(vec![r.resolve(source, &from)?]);
    draft.operands.append(&mut rest.operands);
    draft.segments.append(&mut rest.segments);
    draft.regions = vec![Some(region)];
    draft.results = vec![to];
    Ok(())
}

/// Each size with what stands before and behind it, where the text tells them all.
fn pad_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    let (Some(shape), Some(into)) = (from.ty.shape(), to.shape()) else { return Ok(()) };
    if shape.len() != into.len() || from.ty.element() != to.element() {
        return Err(draft
            .wrong_result(format!("`{}` is not padded to `{to}`", from.ty))
            .label("another kind of tensor"));
    }
    for (name, group) in [("static_low", 1), ("static_high", 2)] {
        one_for_each(draft, name, &shape)?;
        open_numbers(draft, name, group)?;
    }
    let pads = |name| draft.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    let (low, high) = (pads("static_low"), pads("static_high"));
    for (dim, ((size, into), (low, high))) in shape.iter().zip(&into).zip(low.iter().zip(&high)).enumerate() {
        let known = [low, high].iter().all(|pad| **pad >= 0);
        let (Some(size), Some(into), true) = (size, into, known) else { continue };
        let wanted = i128::from(*size).saturating_add(*low).saturating_add(*high);
        if wanted != i128::from(*into) {
            let message = format!("dimension {dim} is {wanted} with what pads it, and the result has {into}");
            return Err(draft.wrong_result(message).label(format!("{into} instead of {wanted}")));
        }
    }
    Ok(())
}

fn pad(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let low = numbers(op, "static_low", frame.numbers(op.group(1))?);
    let high = numbers(op, "static_high", frame.numbers(op.group(2))?);
    let (sizes, to) = (source.sizes(), result(op)?);
    let dims = sizes.iter().zip(low.iter().zip(&high));
    let shape: Vec<u64> = dims.map(|(size, (low, high))| size.saturating_add(*low).saturating_add(*high)).collect();
    let region = op.region(0).ok_or_else(|| Fault::new("`tensor.pad` without a region"))?;
    let moved = |at: &[u64]| at.iter().zip(&low).map(|(at, low)| at + low).collect::<Vec<u64>>();
    if to.encoding.is_some() && pads_with_zero(frame, region) {
        return Ok(vec![rebuilt(&source, (shape, to), |at| Some(moved(at)))?]);
    }
    let source = super::sparse_tensor::densified(source)?;
    let mut values = super::tensor::over_all(machine, frame, region, &shape, source.element)?;
    let mut at = vec![0; source.shape.len()];
    for entry in 0..source.values.len() {
        let offset = crate::program::value::offset(&shape, &moved(&at))?;
        values.set(offset, source.values.get(entry).unwrap_or(source.element.zero()));
        advance(&mut at, &source.shape);
    }
    super::tensor::made(to, shape, values)
}

/// Whether a region yields a zero from outside of it.
fn pads_with_zero(frame: &Frame<'_>, region: &crate::program::ir::Region) -> bool {
    let yielded = region.yielded().and_then(|op| op.operands.first()).map(|operand| operand.value);
    let value = yielded.and_then(|id| frame.get(id).ok()).and_then(|value| value.scalar().ok());
    region.operations.len() == 1 && value.is_some_and(Scalar::is_zero)
}

/// `tensor.concat dim(0) %a, %b : (T, T) -> U`
fn concat_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.expect_word("dim")?;
    r.expect(TokenKind::LParen)?;
    let span = r.span();
    let dim = r.integer()?;
    r.expect(TokenKind::RParen)?;
    draft.attributes.set_at("dim", Attribute::Number(Scalar::Int(dim), None), span);
    let uses = r.value_uses()?;
    draft.attributes.append(r.optional_dictionary()?);
    r.expect(TokenKind::Colon)?;
    let ty = r.function_type()?;
    draft.operands = r.resolve_all(&uses, &ty.inputs)?;
    draft.results = ty.results;
    Ok(())
}

/// Sizes add up in one dimension, and are the result's in the others.
fn concat_types(draft: &Draft) -> Result<(), Mistake> {
    let result = draft.result()?;
    let dim = super::sparse_tensor::dimension(draft.attribute("dim"));
    let (Some(into), Some(dim)) = (result.shape(), dim) else { return Ok(()) };
    if dim >= into.len() {
        return Err(draft.wrong("dim", format!("`dim` names one of {}", counted(into.len(), "dimension"))));
    }
    let mut sum = Some(0u64);
    for operand in &draft.operands {
        let Some(shape) = operand.ty.shape() else { return Ok(()) };
        let others = |shape: &[Option<u64>]| {
            shape.iter().enumerate().map(|(at, size)| size.filter(|_| at != dim)).collect::<Vec<_>>()
        };
        if !compatible(&others(&shape), &others(&into)) || operand.ty.element() != result.element() {
            return Err(Mistake::types(operand.span, format!("`{}` is no part of `{result}`", operand.ty)));
        }
        sum = sum.zip(shape.get(dim).copied().flatten()).map(|(sum, size)| sum.saturating_add(size));
    }
    match (sum, into.get(dim).copied().flatten()) {
        (Some(sum), Some(size)) if sum != size => {
            let message = format!("the tensors have {sum} in dimension {dim} together, and the result has {size}");
            Err(draft.wrong_result(message).label(format!("{size} instead of {sum}")))
        }
        _ => Ok(()),
    }
}

fn concat(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    super::sparse_tensor_concatenate::concatenate(machine, frame, op)
}

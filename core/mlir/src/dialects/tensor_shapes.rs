//! `tensor`: changes of shape.

use crate::{
    attribute::{Attribute, Attributes},
    constraints::{ANY_TENSOR, DENSE_TENSOR, INDEX_VALUE, TENSOR, takes},
    draft::Draft,
    inherent::{COUNT, Kind, NUMBERS, groups, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    operation::{Group, Regions},
    read::{Entry, Reader},
    types::{Type, compatible},
};
use nnz_base::{diagnostic::counted, element::Scalar};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("tensor.collapse_shape", takes(&[TENSOR]).gives(&[TENSOR]).alike(), reassociation_syntax)
        .having(&[needs("reassociation", Kind::Groups)])
        .verified(collapse_types),
    Entry::host(
        "tensor.expand_shape",
        takes(&[TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]).alike(),
        reassociation_syntax,
    )
    .having(&[needs("reassociation", Kind::Groups), needs("static_output_shape", NUMBERS)])
    .verified(expand_types)
    .grouped(&[Group::One, Group::Rest]),
    Entry::host("tensor.reshape", takes(&[ANY_TENSOR, DENSE_TENSOR]).gives(&[ANY_TENSOR]), reshape_syntax)
        .verified(reshape_types),
    Entry::host("tensor.pad", takes(&[TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]).alike(), pad_syntax)
        .with(Regions::Exactly(1))
        .having(&[groups(3), needs("static_low", NUMBERS), needs("static_high", NUMBERS)])
        .verified(pad_types),
    Entry::host("tensor.concat", takes(&[TENSOR.many()]).gives(&[TENSOR]).alike(), concat_syntax)
        .having(&[needs("dim", COUNT)])
        .verified(concat_types),
];

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
pub(super) fn mixed(r: &mut Reader<'_>, draft: &mut Draft, name: &str) -> Read<Vec<Operand>> {
    let start = r.span();
    let mut places = Vec::new();
    let items = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, |r| {
        places.push(r.span());
        if r.at(TokenKind::PercentId) {
            let name = r.value_use()?;
            return Ok((Attribute::Number(Scalar::Int(OPEN), None), Some(r.resolve_index(name)?)));
        }
        Ok((Attribute::Number(Scalar::Int(r.integer()?), None), None))
    })?;
    let (attributes, operands): (Vec<_>, Vec<_>) = items.into_iter().unzip();
    draft.attributes.set_items(name, Attribute::Array(attributes.into()), start.cover(r.last_span()), places);
    Ok(operands.into_iter().flatten().collect())
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
    not_negative(draft, "static_output_shape", "a size")?;
    let written = known_sizes(draft, "static_output_shape");
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
pub(super) fn open_numbers(draft: &Draft, name: &str, group: usize) -> Result<(), Mistake> {
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

/// The number in a list that stands for one given by a value, as in MLIR.
pub const OPEN: i128 = i64::MIN as i128;

/// The known numbers of [`mixed`], and their places.
pub(super) fn known_numbers(draft: &Draft, name: &str) -> Vec<Option<i64>> {
    listed(&draft.attributes, name)
}

/// The same of any operation's attributes.
pub(super) fn listed(attributes: &Attributes, name: &str) -> Vec<Option<i64>> {
    let known = attributes.get(name).and_then(Attribute::as_ints).unwrap_or_default();
    known.into_iter().map(|number| i64::try_from(number).ok().filter(|_| number != OPEN)).collect()
}

/// As [`known_numbers`], of a list that is [`not_negative`].
pub(super) fn known_sizes(draft: &Draft, name: &str) -> Vec<Option<u64>> {
    known_numbers(draft, name).into_iter().map(|number| u64::try_from(number?).ok()).collect()
}

/// Numbers that are 0 or more; `what` each of them is.
pub(super) fn not_negative(draft: &Draft, name: &str, what: &str) -> Result<(), Mistake> {
    let numbers = known_numbers(draft, name);
    let negative = numbers.iter().enumerate().find_map(|(at, number)| Some((at, number.filter(|number| *number < 0)?)));
    let Some((at, number)) = negative else { return Ok(()) };
    Err(draft.wrong_item(name, at, format!("{what} is 0 or more, not {number}")).label("negative"))
}

pub fn of_usize(numbers: Vec<i128>) -> Vec<usize> {
    numbers.into_iter().map(|number| usize::try_from(number).unwrap_or(usize::MAX)).collect()
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

/// Each size with the padding before and after it, if the text gives them all.
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
        not_negative(draft, name, "what pads a tensor")?;
    }
    let pads = |name| draft.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    let (low, high) = (pads("static_low"), pads("static_high"));
    for (dim, ((size, into), (low, high))) in shape.iter().zip(&into).zip(low.iter().zip(&high)).enumerate() {
        let known = [low, high].iter().all(|pad| **pad >= 0);
        let (Some(size), true) = (size, known) else { continue };
        let wanted = i128::from(*size).saturating_add(*low).saturating_add(*high);
        if into.map(i128::from) != Some(wanted) {
            let into = into.map_or("`?`".to_string(), |into| into.to_string());
            let message = format!("dimension {dim} is {wanted} with what pads it, and the result has {into}");
            return Err(draft.wrong_result(message).label(format!("{into} instead of {wanted}")));
        }
    }
    Ok(())
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

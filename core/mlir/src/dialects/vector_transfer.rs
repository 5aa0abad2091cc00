//! `vector`: transfers between vectors and parts of tensors and buffers. Reads beyond the edge give padding;
//! writes beyond it are dropped.

use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, MEMREF, SCALAR, SHAPED, TENSOR, VECTOR, takes},
    draft::Draft,
    inherent::{ALIGNMENT, Inherent, Kind, NONTEMPORAL, groups, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    operation::Group,
    read::{Entry, Reader, Use},
    types::Type,
};
use nnz_base::{diagnostic::counted, element::Element};
use nnz_encoding::AffineMap;
use nnz_syntax::TokenKind;

const TRANSFER: &[Inherent] = &[needs("permutation_map", Kind::Map), needs("in_bounds", Kind::Truths), groups(4)];

pub(super) static OPS: &[Entry] = &[
    Entry::host(
        "vector.transfer_read",
        takes(&[SHAPED, INDEX_VALUE.many(), SCALAR, VECTOR.optional()]).gives(&[VECTOR]),
        read_syntax,
    )
    .grouped(&[Group::One, Group::Rest, Group::One])
    .having(TRANSFER)
    .verified(read_types),
    Entry::host(
        "vector.transfer_write",
        takes(&[VECTOR, SHAPED, INDEX_VALUE.many(), VECTOR.optional()]).gives(&[TENSOR.optional()]),
        write_syntax,
    )
    .grouped(&[Group::One, Group::One, Group::Rest])
    .having(TRANSFER)
    .verified(write_types),
    Entry::host("vector.load", takes(&[MEMREF, INDEX_VALUE.many()]).gives(&[VECTOR]).alike(), load_syntax)
        .having(&[NONTEMPORAL, ALIGNMENT])
        .grouped(&[Group::One, Group::Rest])
        .verified(load_types),
    Entry::host("vector.store", takes(&[VECTOR, MEMREF, INDEX_VALUE.many()]).alike(), store_syntax)
        .having(&[NONTEMPORAL, ALIGNMENT])
        .grouped(&[Group::One, Group::One, Group::Rest])
        .verified(store_types),
];

/// `%t[%i, %j]`
fn place<'c>(r: &mut Reader<'c>) -> Read<(Use<'c>, Vec<Use<'c>>)> {
    let name = r.value_use()?;
    let indices = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?;
    Ok((name, indices))
}

fn indices<'c>(r: &mut Reader<'c>, names: &[Use<'c>]) -> Read<Vec<Operand>> {
    names.iter().map(|name| r.resolve_index(*name)).collect()
}

/// The type of a mask: of the dimensions of the source that the vector walks, in their order.
fn mask_type(draft: &Draft, source: &Type, vector: &Type) -> Read<Type> {
    let Type::Vector(vector) = vector else { return Ok(Type::Broken) };
    let walk = Walk::new(draft.attribute("permutation_map"), source.rank().unwrap_or(0), vector.shape.len());
    let walk = walk.ok_or_else(|| wrong_map(draft))?;
    let shape = walk.mask_order().iter().map(|at| vector.shape[*at]).collect();
    Ok(Type::Vector(crate::types::VectorType { shape, element: Element::I1 }))
}

fn wrong_map(draft: &Draft) -> Mistake {
    draft.wrong(
        "permutation_map",
        "`permutation_map` names dimensions of the source, each once, or `0` to repeat what is read",
    )
}

/// The types behind the `:`.
fn two_types(r: &mut Reader<'_>, wanted: &str) -> Read<[Type; 2]> {
    let types = r.colon_types()?;
    types.try_into().map_err(|_| Mistake::syntax(r.last_span(), wanted))
}

/// `%t[%i, %j], %padding, %mask {...} : T, vector<...>`
fn read_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let (source, names) = place(r)?;
    if r.at(TokenKind::Colon) {
        let mistake = Mistake::syntax(r.span(), "the padding is missing: what entries outside of the source are");
        return Err(mistake.label("behind the indices").help("`%t[%i, %j], %padding : T, vector<...>`"));
    }
    r.expect(TokenKind::Comma)?;
    let padding = r.value_use()?;
    let mask = if r.eat(TokenKind::Comma) { Some(r.value_use()?) } else { None };
    draft.attributes = r.optional_dictionary()?;
    let [from, to] = &two_types(r, "the types of the source and of the vector are wanted")?;
    draft.group(vec![r.resolve(source, from)?]);
    let indices = indices(r, &names)?;
    draft.group(indices);
    draft.group(vec![r.resolve(padding, &from.of_element())?]);
    if let Some(mask) = mask {
        let ty = mask_type(draft, from, to)?;
        draft.group(vec![r.resolve(mask, &ty)?]);
    }
    draft.results = vec![to.clone()];
    Ok(())
}

/// `%v, %t[%i, %j], %mask {...} : vector<...>, T`
fn write_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let vector = r.value_use()?;
    r.expect(TokenKind::Comma)?;
    let (target, names) = place(r)?;
    let mask = if r.eat(TokenKind::Comma) { Some(r.value_use()?) } else { None };
    draft.attributes = r.optional_dictionary()?;
    let [from, to] = &two_types(r, "the types of the vector and of the target are wanted")?;
    draft.group(vec![r.resolve(vector, from)?]);
    draft.group(vec![r.resolve(target, to)?]);
    let indices = indices(r, &names)?;
    draft.group(indices);
    if let Some(mask) = mask {
        let ty = mask_type(draft, to, from)?;
        draft.group(vec![r.resolve(mask, &ty)?]);
    }
    draft.results = if matches!(to, Type::Memory(_)) { Vec::new() } else { vec![to.clone()] };
    Ok(())
}

/// `%m[%i, %j] : T, vector<...>`
fn load_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let (source, names) = place(r)?;
    draft.attributes = r.optional_dictionary()?;
    let [from, to] = &two_types(r, "the types of the source and of the vector are wanted")?;
    draft.group(vec![r.resolve(source, from)?]);
    let indices = indices(r, &names)?;
    draft.group(indices);
    draft.results = vec![to.clone()];
    Ok(())
}

/// `%v, %m[%i, %j] : T, vector<...>`
fn store_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let vector = r.value_use()?;
    r.expect(TokenKind::Comma)?;
    let (target, names) = place(r)?;
    draft.attributes = r.optional_dictionary()?;
    let [to, from] = &two_types(r, "the types of the target and of the vector are wanted")?;
    draft.group(vec![r.resolve(vector, from)?]);
    draft.group(vec![r.resolve(target, to)?]);
    let indices = indices(r, &names)?;
    draft.group(indices);
    Ok(())
}

fn read_types(draft: &Draft) -> Result<(), Mistake> {
    let padding = draft.group_of(2).first().ok_or_else(|| draft.mistake("the padding is missing"))?;
    let source = draft.operand(0)?;
    if padding.ty.scalar() != source.ty.element() && !padding.ty.is_broken() && !source.ty.is_broken() {
        return Err(Mistake::types(padding.span, format!("`{}` does not pad `{}`", padding.ty, source.ty)));
    }
    transfer_types(draft, source, draft.result()?, draft.group_of(1))
}

fn load_types(draft: &Draft) -> Result<(), Mistake> {
    transfer_types(draft, draft.operand(0)?, draft.result()?, draft.group_of(1))?;
    side_by_side(draft.operand(0)?, draft.result()?)
}

fn store_types(draft: &Draft) -> Result<(), Mistake> {
    write_types(draft)?;
    side_by_side(draft.operand(1)?, &draft.operand(0)?.ty)
}

/// A vector of several entries is loaded and stored at places side by side.
fn side_by_side(memory: &Operand, vector: &Type) -> Result<(), Mistake> {
    let strided = memory.ty.memory().and_then(|memory| memory.layout.strided(&memory.shape));
    let single = vector.shape().is_some_and(|shape| shape.iter().all(|size| *size == Some(1)));
    match strided.and_then(|strided| strided.strides.last().copied()) {
        Some(stride) if stride != Some(1) && !single => {
            let message = "a vector has its entries side by side in memory, and the last stride is not 1";
            Err(Mistake::types(memory.span, message).help("`vector.transfer_read` and `transfer_write` go by strides"))
        }
        _ => Ok(()),
    }
}

fn write_types(draft: &Draft) -> Result<(), Mistake> {
    transfer_types(draft, draft.operand(1)?, &draft.operand(0)?.ty, draft.group_of(2))
}

fn transfer_types(draft: &Draft, memory: &Operand, vector: &Type, indices: &[Operand]) -> Result<(), Mistake> {
    if memory.ty.is_broken() || vector.is_broken() {
        return Ok(());
    }
    if memory.ty.sparse().is_some() {
        let message = format!("`{}` takes dense tensors, and this has an encoding", draft.name());
        return Err(Mistake::types(memory.span, message).help("`sparse_tensor.convert` makes it dense"));
    }
    let (Some(rank), Type::Vector(shape)) = (memory.ty.rank(), vector) else {
        return Err(Mistake::types(
            memory.span,
            format!("a tensor or a memref and a vector are wanted, not `{}` and `{vector}`", memory.ty),
        ));
    };
    if rank != indices.len() {
        let message = format!("`{}` has {rank} dimensions, and {} indices are given", memory.ty, indices.len());
        return Err(Mistake::types(memory.span, message));
    }
    if memory.ty.element() != vector.element() {
        return Err(Mistake::types(memory.span, format!("`{}` and `{vector}` have other elements", memory.ty)));
    }
    if let Some(Attribute::Array(in_bounds)) = draft.attribute("in_bounds")
        && in_bounds.len() != shape.shape.len()
    {
        let (given, has) = (in_bounds.len(), counted(shape.shape.len(), "dimension"));
        return Err(draft.wrong("in_bounds", format!("{given} in `in_bounds` for a vector of {has}")));
    }
    match Walk::new(draft.attribute("permutation_map"), rank, shape.shape.len()) {
        Some(_) => Ok(()),
        None if draft.attribute("permutation_map").is_none() => {
            Err(Mistake::types(memory.span, format!("`{vector}` has more dimensions than `{}`", memory.ty)))
        }
        None => Err(wrong_map(draft)),
    }
}

/// The dimension of the tensor that each dimension of the vector walks; `None` for a dimension that repeats.
pub struct Walk(Vec<Option<usize>>);

impl Walk {
    /// Without a map, the last dimensions in order; `None` for a map that a transfer cannot have.
    pub fn new(map: Option<&Attribute>, rank: usize, vector: usize) -> Option<Walk> {
        let Some(map) = map else {
            return (vector <= rank).then(|| Walk((rank - vector..rank).map(Some).collect()));
        };
        let map: &AffineMap = map.as_map()?;
        let dim = |result: &nnz_encoding::Affine<nnz_base::ids::Dim>| match (result.as_var(), result.as_const()) {
            (Some(dim), _) if dim.index() < rank => Some(Some(dim.index())),
            (None, Some(0)) => Some(None),
            _ => None,
        };
        let dims: Vec<Option<usize>> = map.results.iter().map(dim).collect::<Option<_>>()?;
        let named: Vec<usize> = dims.iter().copied().flatten().collect();
        let once = named.iter().enumerate().all(|(at, dim)| !named[..at].contains(dim));
        (once && map.dims == rank && dims.len() == vector).then_some(Walk(dims))
    }

    /// The dimensions of the vector that walk, in the order of the tensor's.
    pub fn mask_order(&self) -> Vec<usize> {
        let mut walking: Vec<(usize, usize)> =
            self.0.iter().enumerate().filter_map(|(at, dim)| Some(((*dim)?, at))).collect();
        walking.sort_unstable();
        walking.into_iter().map(|(_, at)| at).collect()
    }

    /// The place of an entry of the vector in the tensor.
    pub fn place(&self, from: &[u64], at: &[u64]) -> Vec<u64> {
        let mut place = from.to_vec();
        for (dim, at) in self.0.iter().zip(at) {
            if let Some(slot) = dim.and_then(|dim| place.get_mut(dim)) {
                *slot = slot.checked_add(*at).unwrap_or(u64::MAX);
            }
        }
        place
    }
}

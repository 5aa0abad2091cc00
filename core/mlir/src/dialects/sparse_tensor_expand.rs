//! `sparse_tensor.expand` and `compress`: the innermost level as a dense workspace, and back.

use super::{sparse_tensor::one_tensor, sparse_tensor_levels::encoding_of};
use crate::{
    constraints::{INDEX_VALUE, MEMREF, TENSOR, takes},
    draft::Draft,
    mistake::{Mistake, Read},
    operation::Group,
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::element::Element;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("sparse_tensor.expand", takes(&[TENSOR]).gives(&[MEMREF, MEMREF, MEMREF, INDEX_VALUE]), expand_syntax)
        .verified(expand_types),
    Entry::host(
        "sparse_tensor.compress",
        takes(&[MEMREF, MEMREF, MEMREF, INDEX_VALUE, TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]),
        compress_syntax,
    )
    .grouped(&[Group::One, Group::One, Group::One, Group::One, Group::One, Group::Rest])
    .verified(compress_types),
];

/// `%t : T to memref<?xf64>, memref<?xi1>, memref<?xindex>`
fn expand_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    r.expect_word("to")?;
    draft.results = r.types()?;
    draft.results.push(Type::INDEX);
    draft.operands = vec![r.resolve(name, &ty)?];
    Ok(())
}

/// The workspace's element types: values, marks, coordinates.
pub fn workspace(values: Option<Element>) -> [Element; 3] {
    [values.unwrap_or(Element::F64), Element::I1, Element::Index]
}

fn is_buffer(ty: &Type, element: Element) -> bool {
    if let Type::Memory(memory) = ty { memory.shape.len() == 1 && memory.element == element } else { ty.is_broken() }
}

fn expand_types(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let wanted = workspace(draft.operand(0)?.ty.element());
    if draft.results.len() != 4 {
        let message = "the results are the values, the marks, the coordinates and their count";
        return Err(draft.mistake(message));
    }
    match draft.results.iter().zip(wanted).find(|(ty, element)| !is_buffer(ty, *element)) {
        Some((ty, element)) => Err(draft.mistake(format!("`memref<?x{element}>` is wanted, not `{ty}`"))),
        None => Ok(()),
    }
}

/// `%values, %filled, %added, %count into %t[%i] : memref<?xf64>, memref<?xi1>, memref<?xindex>, T`
fn compress_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let names = r.value_uses()?;
    r.expect_word("into")?;
    let target = r.value_use()?;
    let outer = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    let ([values, filled, added, count], [a, b, c, ty]) = (&names[..], &types[..]) else {
        return Err(draft.mistake("`sparse_tensor.compress` takes values, marks, coordinates and their count"));
    };
    let all = [*values, *filled, *added, *count, target];
    draft.operands = r.resolve_all(&all, &[a.clone(), b.clone(), c.clone(), Type::INDEX, ty.clone()])?;
    for name in outer {
        draft.operands.push(r.resolve_index(name)?);
    }
    draft.results = vec![ty.clone()];
    Ok(())
}

fn compress_types(draft: &Draft) -> Result<(), Mistake> {
    let target = draft.operand(4)?;
    let Some(encoding) = encoding_of(target) else {
        let message = format!("`{}` takes a tensor with an encoding, not `{}`", draft.name(), target.ty);
        return if target.ty.is_broken() { Ok(()) } else { Err(Mistake::types(target.span, message)) };
    };
    for (operand, element) in draft.operands.iter().zip(workspace(target.ty.element())) {
        if !is_buffer(&operand.ty, element) {
            return Err(Mistake::wanted(operand, &format!("`memref<?x{element}>`")));
        }
    }
    let (wanted, outer) = (encoding.lvl_rank().saturating_sub(1), draft.operands.get(5..).unwrap_or_default());
    if outer.len() != wanted {
        let beyond = outer.get(wanted).map_or(target.span, |operand| operand.span);
        let message = format!(
            "the tensor has {} levels: {wanted} coordinates of the outer ones are wanted, and {} are given",
            wanted + 1,
            outer.len()
        );
        return Err(Mistake::types(beyond, message));
    }
    if encoding.inverse().is_none() {
        return Err(Mistake::unsupported(target.span, "no dimension follows from the levels: the map has a symbol"));
    }
    Ok(())
}

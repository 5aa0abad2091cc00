//! `sparse_tensor`: what stands in the bodies of kernels.

use crate::{
    program::{
        attribute::Attribute,
        operation::{BodyOp, OpDef},
        read::{Draft, Form, Mistake, Read, Reader},
        types::Type,
    },
    syntax::TokenKind,
};

pub(super) static OPS: &[OpDef] = &[
    OpDef::terminator("sparse_tensor.yield", yield_syntax),
    OpDef::body("sparse_tensor.unary", unary_syntax, BodyOp::Unary).verified(branches),
    OpDef::body("sparse_tensor.binary", binary_syntax, BodyOp::Binary).verified(branches),
    OpDef::body("sparse_tensor.reduce", reduce_syntax, BodyOp::Reduce).verified(branches),
    OpDef::body("sparse_tensor.select", select_syntax, BodyOp::Select).verified(condition),
];

/// `sparse_tensor.yield %v : T`, or alone.
fn yield_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::operands(r, draft)
}

/// `name = {region}`; an empty one is none.
fn named_region(r: &mut Reader<'_>, name: &str, draft: &mut Draft) -> Read<()> {
    r.eat(TokenKind::Comma);
    r.expect_word(name)?;
    r.expect(TokenKind::Eq)?;
    if r.eat_word("identity") {
        draft.attributes.set(format!("{name}_identity"), Attribute::Unit);
        draft.regions.push(None);
        return Ok(());
    }
    let region = r.optional_region()?;
    draft.regions.push(region);
    Ok(())
}

/// `%a : T to U present = {...} absent = {...}`
fn unary_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::cast(r, draft)?;
    named_region(r, "present", draft)?;
    named_region(r, "absent", draft)
}

/// `%a, %b : T, U to V overlap = {...} left = {...} right = identity`
fn binary_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.operands = r.resolve_all(&uses, &types)?;
    ["overlap", "left", "right"].into_iter().try_for_each(|name| named_region(r, name, draft))
}

/// `%x, %y, %identity : T {...}`
fn reduce_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    if uses.len() != 3 {
        let message = "`sparse_tensor.reduce` takes the value so far, the new one, and the identity";
        return Err(draft.mistake(message));
    }
    draft.operands = uses.iter().map(|name| r.resolve(*name, &ty)).collect::<Read<_>>()?;
    draft.results = vec![ty];
    draft.regions = vec![Some(r.region(Vec::new())?)];
    Ok(())
}

/// `%x : T {...}`
fn select_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.results = vec![Form::unary(r, draft)?];
    draft.regions = vec![Some(r.region(Vec::new())?)];
    Ok(())
}

/// Every region yields one value of the result's type.
fn branches(draft: &Draft) -> Result<(), Mistake> {
    yields(draft, draft.result()?)
}
fn condition(draft: &Draft) -> Result<(), Mistake> {
    yields(draft, &Type::I1)
}

fn yields(draft: &Draft, wanted: &Type) -> Result<(), Mistake> {
    for region in draft.regions.iter().flatten() {
        match region.yielded().map(|op| (&op.operands[..], op.span)) {
            Some(([given], _)) if given.ty == *wanted || given.ty.is_broken() || wanted.is_broken() => {}
            Some(([given], _)) => {
                return Err(Mistake::types(given.span, format!("`{wanted}` is yielded here, not `{}`", given.ty)));
            }
            Some((_, span)) => return Err(Mistake::types(span, format!("one `{wanted}` is yielded here"))),
            None => return Err(draft.mistake("a region ends without `sparse_tensor.yield`")),
        }
    }
    Ok(())
}

//! `sparse_tensor`: operations in the bodies of kernels.

use super::regions::Shape;
use crate::{
    attribute::Attribute,
    constraints::{ANY, SCALAR, takes},
    draft::Draft,
    inherent::{Kind, may_have},
    ir::{Op, Region},
    mistake::{Mistake, Read},
    operation::{BodyOp, Regions},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    source::Span,
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::terminator("sparse_tensor.yield", takes(&[ANY.many()]), yield_syntax),
    Entry::body("sparse_tensor.unary", takes(&[SCALAR]).gives(&[SCALAR]), unary_syntax, BodyOp::Unary)
        .with(Regions::Exactly(2))
        .verified(unary_types),
    Entry::body("sparse_tensor.binary", takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), binary_syntax, BodyOp::Binary)
        .having(&[may_have("left_identity", Kind::Flag), may_have("right_identity", Kind::Flag)])
        .with(Regions::Exactly(3))
        .verified(binary_types),
    Entry::body(
        "sparse_tensor.reduce",
        takes(&[SCALAR, SCALAR, SCALAR]).gives(&[SCALAR]),
        reduce_syntax,
        BodyOp::Reduce,
    )
    .with(Regions::Exactly(1))
    .verified(reduce_types),
    Entry::body("sparse_tensor.select", takes(&[SCALAR]).gives(&[SCALAR]), select_syntax, BodyOp::Select)
        .with(Regions::Exactly(1))
        .verified(select_types),
];

/// `sparse_tensor.yield %v : T`, or alone.
fn yield_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::operands(r, draft)
}

/// `name = {region}`; an empty region counts as missing.
fn named_region(r: &mut Reader<'_>, (name, takes): (&str, &[Type]), draft: &mut Draft) -> Read<()> {
    let behind = Span::at(r.last_span().end as usize);
    if r.at(TokenKind::Comma) {
        let mistake = Mistake::syntax(r.span(), format!("no `,` stands in front of `{name}`")).label("not needed");
        r.report(mistake.fix("remove it", r.span(), ""));
        r.bump();
    }
    if is_late(r, name) {
        return Err(out_of_order(r, name));
    }
    if let Some(mistake) = misspelt(r, name) {
        return Err(mistake);
    }
    r.expect_word(name).map_err(|mistake| match r.begins_line() || r.at_end() {
        true => mistake.label(format!("`{name}` is missing")).guess(behind, format!(" {name}={{}}")),
        false => mistake,
    })?;
    r.expect(TokenKind::Eq)?;
    let span = r.span();
    if r.eat_word("identity") {
        if !["left", "right"].contains(&name) {
            return Err(no_identity(span, name));
        }
        draft.attributes.set(format!("{name}_identity"), Attribute::Unit);
        draft.regions.push(None);
        return Ok(());
    }
    let region = r.region_taking(&region_name(name), takes)?;
    draft.regions.push(Some(region).filter(|region| !region.is_empty()));
    Ok(())
}

/// `resent={`
fn misspelt(r: &Reader<'_>, name: &str) -> Option<Mistake> {
    let region = r.at(TokenKind::Ident) && r.nth(1) == TokenKind::Eq && r.nth(2) == TokenKind::LBrace;
    let near = region.then(|| did_you_mean(r.text(), [name])).flatten().filter(|near| *near != r.text())?;
    let mistake = Mistake::syntax(r.span(), format!("expected `{name}`, found `{}`", r.text()));
    Some(mistake.label("no region of this name").guess(r.span(), near))
}

/// Whether the region `name` follows behind another one, which stands here.
fn is_late(r: &Reader<'_>, name: &str) -> bool {
    const LOOKED_THROUGH: usize = 512;
    let mut depth = 0_i32;
    if !REGIONS.iter().any(|(_, names)| names.contains(&r.text()) && names.contains(&name)) || r.text() == name {
        return false;
    }
    for at in 2..LOOKED_THROUGH {
        depth += i32::from(r.nth(at) == TokenKind::LBrace) - i32::from(r.nth(at) == TokenKind::RBrace);
        let found = r.nth_text(at) == name && r.nth(at + 1) == TokenKind::Eq;
        if depth < 0 || depth == 0 && found || r.nth(at) == TokenKind::Eof {
            return depth == 0 && found;
        }
    }
    false
}

/// The regions of an operation, in their order.
const REGIONS: [(&str, &[&str]); 2] =
    [("sparse_tensor.unary", &["present", "absent"]), ("sparse_tensor.binary", &["overlap", "left", "right"])];

fn out_of_order(r: &Reader<'_>, name: &str) -> Mistake {
    let message = format!("`{name}` belongs in front of `{}`", r.text());
    let row = REGIONS.iter().find(|(_, names)| names.contains(&name));
    let order =
        |(of, names): &(&str, &[&str])| format!("the regions of `{of}` are, in this order, `{}`", names.join("`, `"));
    Mistake::syntax(r.span(), message)
        .label(format!("`{name}` is missing before this"))
        .help(row.map(order).unwrap_or_default())
}

/// MLIR has `identity` for entries on only one side.
fn no_identity(span: Span, name: &str) -> Mistake {
    let message = format!("`{name}` takes a region: `identity` is for `left` and `right` of `sparse_tensor.binary`");
    let values = match name {
        "overlap" => "^bb0(%x: f64, %y: f64): sparse_tensor.yield %x : f64",
        "present" => "^bb0(%x: f64): sparse_tensor.yield %x : f64",
        _ => "sparse_tensor.yield %x : f64",
    };
    let mistake = Mistake::syntax(span, message).label("a region is wanted");
    mistake.help(format!("write what it gives, as in `{name} = {{ {values} }}`"))
}

/// `%a : T to U present = {...} absent = {...}`
fn unary_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::cast(r, draft)?;
    let of = draft.operand(0)?.ty.clone();
    named_region(r, ("present", &[of]), draft)?;
    named_region(r, ("absent", &[]), draft)
}

/// `%a, %b : T, U to V overlap = {...} left = {...} right = identity`
fn binary_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.operands = r.resolve_all(&uses, &types)?;
    let [left, right] = [draft.operand(0)?.ty.clone(), draft.operand(1)?.ty.clone()];
    named_region(r, ("overlap", &[left.clone(), right.clone()]), draft)?;
    named_region(r, ("left", &[left]), draft)?;
    named_region(r, ("right", &[right]), draft)
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
    draft.results = vec![ty.clone()];
    draft.regions = vec![Some(r.region_taking(&region_name("reduce"), &[ty.clone(), ty])?)];
    Ok(())
}

/// `%x : T {...}`
fn select_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let ty = Form::unary(r, draft)?;
    draft.regions = vec![Some(r.region_taking(&region_name("select"), std::slice::from_ref(&ty))?)];
    draft.results = vec![ty];
    Ok(())
}

// What the regions take and yield.

fn region_name(name: &str) -> String {
    format!("the `{name}` region")
}

fn region_of(draft: &Draft, (at, name): (usize, &str), takes: &[Type], yields: &Type) -> Result<(), Mistake> {
    let name = region_name(name);
    let shape = Shape { name: &name, takes, end: "sparse_tensor.yield", yields: std::slice::from_ref(yields) };
    draft.region(at).map_or(Ok(()), |region| shape.check(draft, region))
}

fn unary_types(draft: &Draft) -> Result<(), Mistake> {
    let (of, to) = (draft.operand(0)?.ty.clone(), draft.result()?);
    Mistake::all([region_of(draft, (0, "present"), &[of], to), region_of(draft, (1, "absent"), &[], to)])
}

fn binary_types(draft: &Draft) -> Result<(), Mistake> {
    let (left, right, to) = (draft.operand(0)?, draft.operand(1)?, draft.result()?);
    region_of(draft, (0, "overlap"), &[left.ty.clone(), right.ty.clone()], to)?;
    for (at, name, operand) in [(1, "left", left), (2, "right", right)] {
        region_of(draft, (at, name), std::slice::from_ref(&operand.ty), to)?;
        let identity = draft.attribute(&format!("{name}_identity")).is_some();
        if identity && operand.ty != *to && !operand.ty.is_broken() && !to.is_broken() {
            let message = format!("`{name} = identity` keeps `{}`, and the result is `{to}`", operand.ty);
            return Err(Mistake::types(operand.span, message).help(format!("a region converts it: `{name} = {{...}}`")));
        }
    }
    Ok(())
}

fn reduce_types(draft: &Draft) -> Result<(), Mistake> {
    let ty = draft.result()?;
    region_of(draft, (0, "reduce"), &[ty.clone(), ty.clone()], ty)
}

fn select_types(draft: &Draft) -> Result<(), Mistake> {
    region_of(draft, (0, "select"), &[draft.operand(0)?.ty.clone()], &Type::I1)
}

/// The value that a `sparse_tensor.unary` yields where nothing is stored cannot depend on stored values: it
/// is a constant, or comes from outside the kernel.
///
/// # Errors
/// The first value that the kernel computes.
pub(super) fn absent_values(kernel: &Region) -> Result<(), Mistake> {
    for op in kernel.operations.iter().filter(|op| op.def.name == "sparse_tensor.unary") {
        let Some(absent) = op.region(1) else { continue };
        let Some(yielded) = absent.yielded().and_then(|end| end.operands.first()) else { continue };
        let makes = |op: &&Op| op.results.contains(&yielded.value);
        let message = if kernel.arguments.iter().any(|argument| argument.value == yielded.value) {
            "nothing is stored where the `absent` region yields: there is no entry of an operand"
        } else {
            match kernel.operations.iter().chain(&absent.operations).find(makes) {
                Some(op) if op.def.name != "arith.constant" && op.def.name != "complex.constant" => {
                    "the `absent` region yields a value that does not change, and this is computed at each point"
                }
                _ => continue,
            }
        };
        let help = "a constant, or a value from outside of the kernel, may be yielded";
        return Err(Mistake::new(Code::OperationForm, yielded.span, message)
            .label("yielded where nothing is stored")
            .help(help));
    }
    Ok(())
}

//! `func`: calls and returns.

use crate::{
    diagnostic::{Code, did_you_mean},
    program::{
        attribute::Attribute,
        ir::Op,
        machine::{Fault, Frame, Machine},
        operation::OpDef,
        read::{Draft, Mistake, Read, Reader},
        value::Value,
    },
    syntax::TokenKind,
};

pub(super) static OPS: &[OpDef] =
    &[OpDef::host("func.call", call_syntax, call), OpDef::terminator("func.return", return_syntax)];

/// `call @f(%a, %b) : (T, T) -> T`
fn call_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let name = r.word_of(TokenKind::AtId, "a function, `@name`")?.trim_start_matches('@').to_string();
    let uses = r.parenthesized(Reader::value_use)?;
    draft.attributes = r.optional_dictionary()?;
    r.expect(TokenKind::Colon)?;
    let ty = r.function_type()?;
    let Some(known) = r.function_called(&name).cloned() else {
        let mistake = Mistake::new(Code::UnknownFunction, span, format!("there is no function `@{name}`"));
        return Err(match did_you_mean(&name, r.function_names()) {
            Some(near) => mistake.help(format!("did you mean `@{near}`?")),
            None => mistake,
        });
    };
    if known.inputs.len() != uses.len() {
        let message = format!("`@{name}` takes {} arguments, and {} are given", known.inputs.len(), uses.len());
        return Err(Mistake::types(span, message));
    }
    for (given, (ty, wanted)) in uses.iter().zip(ty.inputs.iter().zip(&known.inputs)) {
        if ty != wanted && !ty.is_broken() && !wanted.is_broken() {
            return Err(Mistake::types(given.span, format!("`@{name}` takes `{wanted}` here, not `{ty}`")));
        }
    }
    if ty.results != known.results {
        let [written, known] = [&ty.results, &known.results].map(|types| crate::program::types::list(types));
        return Err(Mistake::types(span, format!("`@{name}` returns `{known}`, not `{written}`")));
    }
    draft.operands = r.resolve_all(&uses, &ty.inputs)?;
    draft.results = ty.results;
    draft.attributes.set("callee", Attribute::Symbol(name));
    Ok(())
}

fn call(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let name = op.attribute("callee").and_then(Attribute::as_text).unwrap_or("");
    let id = machine.module.find(name).ok_or_else(|| Fault::new(format!("there is no function `@{name}`")))?;
    let arguments = frame.take(&op.operands)?;
    machine.call(id, arguments)
}

/// `return %a, %b : T, T`
fn return_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    super::super::read::Form::operands(r, draft)?;
    let returned = r.returned();
    if returned.len() != draft.operands.len() {
        let message = format!("the function returns {} values, and {} are given", returned.len(), draft.operands.len());
        return Err(Mistake::types(draft.span, message));
    }
    let wrong = draft
        .operands
        .iter()
        .zip(returned)
        .find(|(given, wanted)| given.ty != **wanted && !given.ty.is_broken() && !wanted.is_broken());
    match wrong {
        Some((given, wanted)) => {
            Err(Mistake::types(given.span, format!("the function returns `{wanted}` here, and this is `{}`", given.ty)))
        }
        None => Ok(()),
    }
}

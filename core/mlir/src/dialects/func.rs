//! `func`: calls and returns.

use crate::{
    attribute::Attribute,
    constraints::{ANY, takes},
    draft::Draft,
    inherent::{Kind, needs},
    mistake::{Mistake, Read},
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, counted, did_you_mean},
    source::Span,
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("func.call", takes(&[ANY.many()]).gives(&[ANY.many()]), call_syntax)
        .having(&[needs("callee", Kind::Symbol)]),
    Entry::terminator("func.return", takes(&[ANY.many()]), return_syntax),
];

/// `call @f(%a, %b) : (T, T) -> T`
fn call_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    if r.at(TokenKind::Ident) && r.nth(1) == TokenKind::LParen {
        let meant = format!("@{}", r.text());
        let mistake = Mistake::syntax(span, format!("a function's name begins with `@`: `{meant}`"));
        return Err(mistake.label("not a function's name").fix(format!("write `{meant}`"), span, meant));
    }
    let name = r.word_of(TokenKind::AtId, "a function, `@name`")?.trim_start_matches('@').to_string();
    let uses = r.uses_in_parentheses()?;
    draft.attributes = r.optional_dictionary()?;
    r.expect(TokenKind::Colon)?;
    let (ty, places) = r.placed_function_type()?;
    let Some(known) = r.function_called(&name).cloned() else {
        if r.is_broken(&name) {
            return Err(Mistake::told());
        }
        let mistake = Mistake::new(Code::UnknownFunction, span, format!("there is no function `@{name}`"));
        return Err(match did_you_mean(&name, r.function_names()) {
            Some(near) => mistake.label("no such function").guess(span, format!("@{near}")),
            None => {
                let declared = format!("`func.func private @{name}{}`", Type::Function(ty));
                mistake
                    .label("no such function")
                    .help(format!("one of another file or library is declared first: {declared}"))
            }
        });
    };
    let head = |mistake: Mistake| match r.head_of(&name) {
        Some(head) => mistake.secondary(head, format!("`@{name}` is defined here")),
        None => mistake,
    };
    if known.inputs.len() != uses.len() {
        let (takes, given) = (counted(known.inputs.len(), "argument"), uses.len());
        let message = format!("`@{name}` takes {takes}, and {given} {} given", if given == 1 { "is" } else { "are" });
        return Err(head(Mistake::types(span, message).label(format!("takes {takes}"))));
    }
    for (at, (given, (ty, wanted))) in uses.iter().zip(ty.inputs.iter().zip(&known.inputs)).enumerate() {
        if ty != wanted && !ty.is_broken() && !wanted.is_broken() {
            // The value may be right, and the type that is written behind it wrong.
            if r.is_misnamed(*given, ty) {
                return Err(r.wrong_type(*given, ty, places[at]));
            }
            let mistake = Mistake::types(given.span, format!("`@{name}` takes `{wanted}` here, not `{ty}`"));
            return Err(head(mistake.label(format!("`{wanted}` is wanted"))));
        }
    }
    let same = |(a, b): (&Type, &Type)| a == b || a.is_broken() || b.is_broken();
    if ty.results.len() != known.results.len() || !ty.results.iter().zip(&known.results).all(same) {
        let [written, known] = [&ty.results, &known.results].map(|types| match &types[..] {
            [] => "nothing".to_string(),
            types => format!("`{}`", crate::types::list(types)),
        });
        let label = format!("returns {known}");
        return Err(head(Mistake::types(span, format!("`@{name}` returns {known}, not {written}")).label(label)));
    }
    draft.operands = r.resolve_all(&uses, &ty.inputs)?;
    draft.results = ty.results;
    draft.attributes.set("callee", Attribute::Symbol(name));
    Ok(())
}

/// `return %a, %b : T, T`
fn return_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if r.at(TokenKind::Int) && !r.begins_line() && r.nth_text(1).starts_with('%') {
        let (number, sign) = (r.text(), r.span());
        let (meant, place) = (format!("%{number}"), Span::new(sign.start as usize, sign.end as usize + 1));
        let mistake = Mistake::syntax(place, format!("a value's name begins with `%`: `{meant}`"));
        return Err(mistake.label("not a value's name").fix(format!("write `{meant}`"), place, meant));
    }
    crate::read::Form::operands(r, draft)?;
    let returned = r.returned();
    if returned.len() != draft.operands.len() {
        let (wanted, given) = (counted(returned.len(), "value"), draft.operands.len());
        let message =
            format!("the function returns {wanted}, and {given} {} given", if given == 1 { "is" } else { "are" });
        let beyond = draft.operands.get(returned.len()).map_or(draft.span, |operand| operand.span);
        return Err(Mistake::types(beyond, message)
            .label(format!("{wanted} {} wanted", if returned.len() == 1 { "is" } else { "are" })));
    }
    let wrong = draft
        .operands
        .iter()
        .zip(returned)
        .find(|(given, wanted)| given.ty != **wanted && !given.ty.is_broken() && !wanted.is_broken());
    match wrong {
        Some((given, wanted)) => {
            let message = format!("the function returns `{wanted}` here, and this is `{}`", given.ty);
            let mistake = Mistake::types(given.span, message);
            let help = format!("declare `-> {}` in the function's head, or convert what it returns", given.ty);
            let alone = returned.len() == 1;
            Err(if alone { mistake.help(help) } else { mistake })
        }
        None => Ok(()),
    }
}

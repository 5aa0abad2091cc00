//! Forms of syntax that many operations share.

use super::Reader;
use crate::{
    draft::Draft,
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::source::Span;
use nnz_syntax::TokenKind;

/// Forms of syntax that many operations share.
pub struct Form;

impl Form {
    /// `%a, %b {...} : T`; the results are of that type.
    ///
    /// # Errors
    /// Anything else.
    pub fn same(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        let uses = r.value_uses()?;
        Form::flags(r, draft)?;
        r.colon_of_types(&uses, true)?;
        let ty = r.ty()?;
        let place = r.last_type;
        draft.operands = uses.iter().map(|name| r.resolve_typed(*name, &ty, place)).collect::<Read<_>>()?;
        draft.results = vec![ty];
        Ok(())
    }

    /// `fastmath<...> {...}`: the flags that the operation has.
    ///
    /// # Errors
    /// A flag that it lacks; brackets that are not closed.
    pub fn flags(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        r.flags(draft)?;
        draft.attributes.append(r.optional_dictionary()?);
        Ok(())
    }

    /// `%a {...} : T to U`
    ///
    /// # Errors
    /// Anything else.
    pub fn cast(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        let name = r.value_use()?;
        Form::flags(r, draft)?;
        let from = r.colon_type()?;
        let place = r.last_type;
        r.expect_word("to")?;
        draft.results = vec![r.ty()?];
        draft.operands = vec![r.resolve_typed(name, &from, place)?];
        Ok(())
    }

    /// `%a, %b {...} : T, U`, or nothing; no results.
    ///
    /// # Errors
    /// Anything else.
    pub fn operands(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        let in_front = matches!(draft.name(), "func.return" | "scf.yield");
        let brace = r.span();
        if r.at(TokenKind::LBrace) {
            draft.attributes = r.dictionary()?;
            if !in_front && r.at_operands() {
                return Err(misplaced_attributes(brace, draft.name(), "behind"));
            }
        }
        // `return b : f64` lacks a sign, and not values.
        let unmarked = r.at(TokenKind::Ident) && matches!(r.nth(1), TokenKind::Colon | TokenKind::Comma)
            || r.type_in_front().is_some();
        if !r.at_operands() && (!unmarked || r.begins_line()) {
            return Ok(());
        }
        let uses = r.value_uses()?;
        if in_front && r.at(TokenKind::LBrace) {
            return Err(misplaced_attributes(r.span(), draft.name(), "in front of"));
        }
        draft.attributes.append(r.optional_dictionary()?);
        r.colon_of_types(&uses, false)?;
        let (types, places): (Vec<Type>, Vec<Span>) =
            r.separated(|r| r.ty().map(|ty| (ty, r.last_type)))?.into_iter().unzip();
        let fits = |at: usize| draft.name() == "func.return" && r.returned().get(at) == types.get(at);
        if let Some(at) =
            (0..uses.len().min(types.len())).find(|at| !fits(*at) && r.is_misnamed(uses[*at], &types[*at]))
        {
            return Err(r.wrong_type(uses[at], &types[at], places[at]));
        }
        draft.operands = r.resolve_all(&uses, &types)?;
        Ok(())
    }

    /// `%a {...} : T`, and results that follow from it.
    ///
    /// # Errors
    /// Anything else.
    pub fn unary(r: &mut Reader<'_>, draft: &mut Draft) -> Read<Type> {
        let name = r.value_use()?;
        draft.attributes.append(r.optional_dictionary()?);
        r.colon_of_types(&[name], true)?;
        let ty = r.ty()?;
        let place = r.last_type;
        draft.operands.push(r.resolve_typed(name, &ty, place)?);
        Ok(ty)
    }

    /// `[%i, %j]`: index operands, and how many.
    ///
    /// # Errors
    /// Anything else.
    pub fn indices(r: &mut Reader<'_>, draft: &mut Draft) -> Read<usize> {
        let uses = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?;
        for name in &uses {
            let operand = r.resolve_index(*name)?;
            draft.operands.push(operand);
        }
        Ok(uses.len())
    }
}

fn misplaced_attributes(brace: Span, name: &str, place: &str) -> Mistake {
    Mistake::syntax(brace, format!("the attributes of `{name}` stand {place} its operands"))
        .label(format!("write them {place} the operands"))
}

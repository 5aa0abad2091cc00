//! `vector`: printing, and elementwise operations.

use crate::{
    attribute::Attribute,
    constraints::{PART_OF_VECTOR, VECTOR, takes},
    draft::Draft,
    inherent::{Kind, may_have},
    ir::Operand,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::element::Element;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("vector.print", takes(&[PART_OF_VECTOR.optional()]), print_syntax)
        .having(&[may_have("punctuation", Kind::Word(PUNCTUATION)), may_have("stringLiteral", Kind::Text)])
        .verified(printed),
    Entry::scalar("vector.fma", takes(&[VECTOR, VECTOR, VECTOR]).gives(&[VECTOR]).alike(), Form::same)
        .verified(super::math::three_floats),
];

const PUNCTUATION: &[&str] = &["no_punctuation", "newline", "comma", "open", "close"];

fn printed(draft: &Draft) -> Result<(), Mistake> {
    let complex = |operand: &&Operand| operand.ty.scalar().is_some_and(Element::is_complex);
    let Some(operand) = draft.operands.iter().find(complex) else { return Ok(()) };
    let mistake = Mistake::types(operand.span, format!("`vector.print` prints no `{}`", operand.ty));
    Err(mistake.help("`complex.re` and `complex.im` give its parts"))
}

/// `vector.print %v : T`, `vector.print str "text"`, `vector.print punctuation <comma>`, and attributes
fn print_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if r.eat_word("str") {
        let text = r.string()?;
        draft.attributes = r.optional_dictionary()?;
        draft.attributes.set("stringLiteral", Attribute::Text(text));
        return Ok(());
    }
    let value = if r.at(TokenKind::PercentId) { Some(r.value_use()?) } else { None };
    if let Some(name) = value {
        r.colon_of_types(&[name], true)?;
        let ty = r.ty()?;
        draft.operands = vec![r.resolve(name, &ty)?];
        if ty.tensor().is_some() || matches!(ty, Type::Memory(_) | Type::Pointer) {
            let mistake = Mistake::types(name.span, format!("`vector.print` prints scalars and vectors, not `{ty}`"));
            let sparse = ty.tensor().is_some_and(|tensor| tensor.encoding.is_some());
            let instead =
                if sparse { "`sparse_tensor.print` prints it" } else { "`vector.transfer_read` makes a vector of it" };
            return Err(mistake.help(instead));
        }
    }
    let mut sign = Some("newline").filter(|_| value.is_none());
    if r.eat_word("punctuation") {
        r.expect(TokenKind::Lt)?;
        sign = Some(r.word_of(TokenKind::Ident, "the name of a sign, as `comma`")?);
        r.expect(TokenKind::Gt)?;
    }
    draft.attributes = r.optional_dictionary()?;
    if let Some(sign) = sign {
        draft.attributes.set("punctuation", Attribute::Text(sign.to_string()));
    }
    Ok(())
}

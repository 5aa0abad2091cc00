//! `sparse_tensor`: tensors from files and to files.

use crate::{
    constraints::{ANY, TENSOR, takes},
    draft::Draft,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("sparse_tensor.new", takes(&[ANY]).gives(&[TENSOR]), new_syntax).verified(new_types),
    Entry::host("sparse_tensor.out", takes(&[TENSOR, ANY]), out_syntax),
];

/// `%file : !llvm.ptr to T`
fn new_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if r.at(TokenKind::String) {
        let message = format!("expected a value, `%name`, found `{}`", r.text());
        let mistake = Mistake::syntax(r.span(), message).label("a text is no value");
        let help = "a file's name is an `!llvm.ptr` that `@getTensorFilename` gives, of the type `(index) -> !llvm.ptr`: \
                    called with 0, what the variable `TENSOR0` holds";
        return Err(mistake.help(help));
    }
    Form::cast(r, draft)
}

fn new_types(draft: &Draft) -> Result<(), Mistake> {
    let source = draft.operand(0)?;
    if !matches!(source.ty, Type::Pointer | Type::Broken) {
        let message = format!("a file's name is `!llvm.ptr`, and this is `{}`", source.ty);
        return Err(Mistake::types(source.span, message));
    }
    let to = draft.result()?;
    if to.sparse().is_some() || to.is_broken() {
        return Ok(());
    }
    Err(draft.wrong_result(format!("`sparse_tensor.new` makes a tensor with an encoding, not `{to}`")))
}

/// `%t, %dest : T, !llvm.ptr`
fn out_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::operands(r, draft)?;
    draft.operand(1)?;
    super::sparse_tensor::one_tensor(draft)
}

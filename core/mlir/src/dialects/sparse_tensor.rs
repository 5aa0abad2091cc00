//! `sparse_tensor`: whole tensors with encodings. Operations in kernels' bodies and operations on the arrays
//! are in separate files.

use crate::{
    attribute::Attribute,
    constraints::{BOOL, INDEX_VALUE, TENSOR, takes},
    draft::Draft,
    inherent::{Kind, may_have},
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::diagnostic::{Code, counted};
use nnz_check::TensorType;

pub(super) static OPS: &[Entry] = &[
    Entry::host("sparse_tensor.convert", takes(&[TENSOR]).gives(&[TENSOR]), Form::cast).verified(convert_types),
    Entry::host("sparse_tensor.print", takes(&[TENSOR]), Form::operands).verified(one_tensor),
    Entry::host("sparse_tensor.load", takes(&[TENSOR]).gives(&[TENSOR]).alike(), load_syntax)
        .having(&[may_have("hasInserts", Kind::Flag)]),
    Entry::host("sparse_tensor.number_of_entries", takes(&[TENSOR]).gives(&[INDEX_VALUE]), count_syntax)
        .verified(one_tensor),
    Entry::host("sparse_tensor.has_runtime_library", takes(&[]).gives(&[BOOL]), flag_syntax),
];

/// The one operand is a tensor with an encoding.
pub(super) fn one_tensor(draft: &Draft) -> Result<(), Mistake> {
    let operand = draft.operand(0)?;
    if operand.ty.sparse().is_some() || operand.ty.is_broken() {
        return Ok(());
    }
    let message = format!("`{}` takes a tensor with an encoding, not `{}`", draft.name(), operand.ty);
    Err(Mistake::types(operand.span, message))
}

// Conversions.

fn convert_types(draft: &Draft) -> Result<(), Mistake> {
    let (operand, to) = (draft.operand(0)?, draft.result()?);
    if operand.ty.is_broken() || to.is_broken() {
        return Ok(());
    }
    let wrong = |message: String| Err(Mistake::types(operand.span, message));
    let Some((from, into)) = operand.ty.tensor().zip(to.tensor()) else {
        return wrong(format!("`{}` cannot become `{to}`: both must be tensors with a rank", operand.ty));
    };
    if from.shape.len() != into.shape.len() {
        let [from, into] = [from, into].map(|tensor| tensor.shape.len());
        return wrong(format!("a tensor of {} cannot become one of {into}", counted(from, "dimension")));
    }
    if from.element.is_complex() != into.element.is_complex() {
        return wrong(format!("`{}` entries do not become `{}`", from.element, into.element));
    }
    if into.encoding.as_ref().is_some_and(|encoding| encoding.is_slice()) {
        let help = "`tensor.extract_slice` makes a view of a part";
        return wrong("a conversion does not make a slice of another tensor".to_string()).map_err(|m| m.help(help));
    }
    conversion_sizes(draft, from, into)
}

/// A size that the result's type states is stated by the operand's too.
fn conversion_sizes(draft: &Draft, from: &TensorType, into: &TensorType) -> Result<(), Mistake> {
    let operand = draft.operand(0)?;
    let differs = |(from, into): (&Option<u64>, &Option<u64>)| into.is_some() && from != into;
    let Some(dim) = from.shape.iter().zip(&into.shape).position(differs) else { return Ok(()) };
    let wanted = into.shape[dim].unwrap_or(0);
    Err(match from.shape[dim] {
        Some(size) => {
            let message = format!("dimension {dim} has size {size}, and the result's has {wanted}");
            let mistake = draft.wrong_result(message).code(Code::ValueType);
            let mistake = mistake.label("a conversion keeps sizes");
            let own = Type::Tensor(TensorType { shape: from.shape.clone(), ..into.clone() }).to_string();
            mistake.secondary(operand.span, format!("this is `{}`", operand.ty)).fix(
                format!("write `{own}`, and so where the result is used"),
                draft.result_span(),
                own,
            )
        }
        None => {
            let message = format!("the size of dimension {dim} is not known here, and the result's is {wanted}");
            Mistake::types(operand.span, message).help("`tensor.cast` states a size, which is checked when it runs")
        }
    })
}

/// `%t hasInserts : T`
fn load_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    r.eat_word("hasInserts");
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(name, &ty)?];
    draft.results = vec![ty];
    one_tensor(draft)
}

fn count_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::unary(r, draft)?;
    draft.results = vec![Type::INDEX];
    Ok(())
}

fn flag_syntax(_: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.results = vec![Type::I1];
    Ok(())
}

/// The dimension that an attribute names.
pub fn dimension(attribute: Option<&Attribute>) -> Option<usize> {
    attribute.and_then(Attribute::as_int).and_then(|dim| usize::try_from(dim).ok())
}

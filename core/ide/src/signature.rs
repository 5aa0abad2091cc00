//! `textDocument/signatureHelp`: what belongs in the brackets at the cursor: arguments of functions, generators and
//! steps, indices of a tensor, parameters of a program's function; the words of a command; the operands of an
//! operation.

mod call;
mod label;

use nnz_check::{Checked, DefinitionKind, Grammar, command::Command, kernel::functions, scope::PartialType};
use nnz_kernel::schedule::step_info;
use nnz_mlir::dialects;
use nnz_storage::generate::{self, GeneratorInfo, ParameterDefault};
use nnz_syntax::TokenKind;

use self::{
    call::{Site, line_before, site},
    label::Builder,
};
use super::heads::{function_named, head};

/// One way to write what is at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    pub parameters: Vec<Parameter>,
    /// One line.
    pub text: String,
    /// The parameter at the cursor.
    pub active: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its bytes in the label.
    pub range: std::ops::Range<usize>,
    /// May be empty.
    pub text: String,
}

/// All of them; the first that has a parameter for the cursor is the likeliest.
pub fn signatures(checked: &Checked, offset: usize) -> Vec<Signature> {
    let called = site(&checked.tree, offset);
    let found = called.map(|site| of_call(checked, &site)).unwrap_or_default();
    if !found.is_empty() {
        return found;
    }
    let found = match checked.grammar {
        Grammar::Notation => of_command(checked, offset),
        Grammar::Mlir => of_operation(checked, offset),
    };
    found.into_iter().collect()
}

fn of_call(checked: &Checked, site: &Site<'_>) -> Vec<Signature> {
    let name = site.callee.text();
    if site.callee.kind() == TokenKind::AtId {
        return of_function(checked, site).into_iter().collect();
    }
    if checked.grammar == Grammar::Mlir {
        return Vec::new();
    }
    if let Some(ty) = tensor(checked, name) {
        return of_tensor(name, ty, site).into_iter().collect();
    }
    if let Some(info) = generate::lookup(name) {
        return vec![of_generator(info, site)];
    }
    let step = step_info(name).map(|info| vec![written(info.usage, info.summary, site)]);
    step.unwrap_or_else(|| {
        functions::describe(name).map_or_else(Vec::new, |(usage, text)| of_usages(&usage, &text, site))
    })
}

/// `min(x, y), min(i, ..., x)`
fn of_usages(usage: &str, text: &str, site: &Site<'_>) -> Vec<Signature> {
    let ways = usage.split("), ").map(|way| format!("{})", way.trim_end_matches(')')));
    ways.map(|way| written(&way, text, site)).collect()
}

/// A call in the style of documentation.
fn written(usage: &str, text: &str, site: &Site<'_>) -> Signature {
    let (name, inside) = usage.split_once('(').unwrap_or((usage, ")"));
    let mut builder = Builder::new(&format!("{name}("));
    label::arguments(inside.trim_end_matches(')')).into_iter().for_each(|argument| builder.add(argument, "", ", "));
    builder.finish(")", text, site)
}

fn of_generator(info: &GeneratorInfo, site: &Site<'_>) -> Signature {
    let mut builder = Builder::new(&format!("{}(", info.name));
    for parameter in info.parameters {
        let default = match parameter.default {
            ParameterDefault::Is(value) => format!("{} = {value}", parameter.name),
            ParameterDefault::FromShape => format!("{} = ...", parameter.name),
            ParameterDefault::As(other) => format!("{} = {other}", parameter.name),
        };
        builder.add(&default, parameter.doc, ", ");
    }
    builder.finish(")", info.summary, site)
}

/// The tensor of this name, as its last definition has it.
fn tensor<'c>(checked: &'c Checked, name: &str) -> Option<&'c PartialType> {
    checked.symbols.definitions.iter().rev().find_map(|definition| {
        if let DefinitionKind::Tensor(Some(ty)) = &definition.kind
            && checked.source.slice(definition.name) == name
        {
            Some(&**ty)
        } else {
            None
        }
    })
}

/// `A(i, j)`, with the size of each dimension.
fn of_tensor(name: &str, ty: &PartialType, site: &Site<'_>) -> Option<Signature> {
    let mut builder = Builder::new(&format!("{name}("));
    for dim in 0..ty.rank()? {
        let size = ty.extent(dim).map_or("of unknown size".to_string(), |size| format!("of size {size}"));
        builder.add(&format!("d{dim}"), &format!("dimension {dim}, {size}"), ", ");
    }
    Some(builder.finish(")", &ty.to_string(), site))
}

/// A function of this program or of one in use.
fn of_function(checked: &Checked, site: &Site<'_>) -> Option<Signature> {
    let name = site.callee.text();
    let used = checked.used.iter().rev().map(|used| &*used.file);
    let (file, definition) =
        [checked].into_iter().chain(used).find_map(|file| Some((file, function_named(file, name)?)))?;
    if definition.name == site.callee.span() && std::ptr::eq(file, checked) {
        return None;
    }
    let head = head(file, definition)?;
    let mut builder = Builder::new(&format!("{name}("));
    head.parameters.iter().for_each(|span| builder.add(&label::one_line(file.source.slice(*span)), "", ", "));
    let end = head.parameters.last().map_or(head.whole.start + 1, |last| last.end);
    let rest = nnz_base::source::Span { start: end, end: head.whole.end };
    Some(builder.finish(&label::one_line(file.source.slice(rest)), "", site))
}

/// `:show VIEW NAME`
fn of_command(checked: &Checked, offset: usize) -> Option<Signature> {
    let line = line_before(&checked.source.text, offset);
    let words: Vec<&str> = line.strip_prefix(':')?.split_whitespace().collect();
    let info = Command::ALL.iter().find(|info| Some(&info.name) == words.first())?;
    let typed = words.len() - usize::from(!line.ends_with(char::is_whitespace));
    let mut builder = Builder::new(&format!(":{} ", info.name));
    info.args.split_whitespace().for_each(|argument| builder.add(argument, "", " "));
    Some(builder.at(typed.checked_sub(1), info.summary))
}

/// The operation of the line, with the kinds of values that it takes and gives.
fn of_operation(checked: &Checked, offset: usize) -> Option<Signature> {
    let (operation, commas) = call::operation(&checked.tree, offset)?;
    let types = dialects::lookup(operation.text())?.types;
    let mut builder = Builder::new(&format!("{}(", operation.text()));
    types.operands().iter().for_each(|operand| builder.add(&operand.describe(), "", "; "));
    let results: Vec<String> = types.results().iter().map(|result| result.describe()).collect();
    let end = if results.is_empty() { ")".to_string() } else { format!(") -> {}", results.join("; ")) };
    Some(builder.counted(&end, commas, types.operands().len()))
}

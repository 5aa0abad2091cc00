//! The encodings and functions that a session gets from a file in `use`.

use std::sync::Arc;

use crate::{
    ir::{Function, Module, Region},
    program::modules,
    types::{self, Type},
};
use nnz_base::diagnostic::{Code, Diagnostic};
use nnz_check::{
    Checked,
    scope::{Parameter, Signature},
    used::UsedFile,
};

/// A program in use, with the types of its functions.
pub fn used(checked: Arc<Checked>) -> UsedFile {
    let wrong = checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error()).cloned();
    let read = if wrong.is_none() { modules(&checked) } else { Ok(Vec::new()) };
    let (found, guilty) = match read {
        Ok(modules) => (modules, None),
        Err(found) => (Vec::new(), guilty(&found).cloned()),
    };
    let functions = found.iter().flat_map(Module::outermost).filter(|function| function.body.is_some());
    let functions = functions.map(|function| (function.name.clone(), Arc::new(signature(&checked, function))));
    UsedFile { functions: functions.collect(), wrong: wrong.or(guilty).map(Box::new), checked }
}

/// The error, among a program's diagnostics, because of which the file cannot be used. Operations that nnz cannot run
/// are not such errors: only the functions that have them cannot be called.
pub fn guilty(found: &[Diagnostic]) -> Option<&Diagnostic> {
    found.iter().find(|error| error.is_error() && error.code != Code::UnsupportedProgram)
}

pub fn signature(checked: &Checked, function: &Function) -> Signature {
    let parameters = |types: &[Type]| types.iter().map(parameter).collect();
    let text = |types: &[Type]| types.iter().map(|ty| types::written(checked, ty)).collect::<Vec<_>>().join(", ");
    let (inputs, results) = (text(&function.inputs), text(&function.results));
    let results = if function.results.len() == 1 { results } else { format!("({results})") };
    Signature {
        inputs: parameters(&function.inputs),
        results: parameters(&function.results),
        text: format!("({inputs}) -> {results}"),
        file: checked.source.name.to_string(),
        kernel: function.body.as_ref().and_then(first_kernel),
    }
}

/// The first operation of a region, or of those within it, that is a kernel.
fn first_kernel(region: &Region) -> Option<&'static str> {
    region.blocks().flatten().find_map(|op| match op.def.name {
        name if name.starts_with("linalg.") && name != "linalg.fill" => Some(name),
        _ => op.regions.iter().flatten().find_map(first_kernel),
    })
}

fn parameter(ty: &Type) -> Parameter {
    match ty {
        Type::Scalar(element) => Parameter::Scalar(*element),
        Type::Tensor(tensor) if tensor.shape.is_empty() => Parameter::Scalar(tensor.element),
        Type::Tensor(tensor) => Parameter::Tensor(tensor.clone()),
        Type::Pointer => Parameter::File,
        Type::UnrankedTensor(_)
        | Type::Memory(_)
        | Type::UnrankedMemory(_)
        | Type::Vector(_)
        | Type::Function(_)
        | Type::Specifier(_)
        | Type::Space(_)
        | Type::Iterator(_)
        | Type::Broken => Parameter::Foreign(ty.to_string()),
    }
}

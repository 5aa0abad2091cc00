//! The functions of MLIR's run-time library that programs declare and call.

use super::{
    ir::Function,
    machine::{Fault, Machine},
    print,
    value::Value,
};

/// The state of `rtrand` and its like.
#[derive(Debug, Default)]
pub(super) struct Random(pub(super) u64);

/// Calls a function that is declared only.
///
/// # Errors
/// One that nnz does not know; whatever stops it.
pub(super) fn call(machine: &mut Machine<'_>, function: &Function, arguments: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let first = || arguments.first().ok_or_else(|| Fault::new(format!("`@{}` takes an argument", function.name)));
    match function.name.as_str() {
        "getTensorFilename" => file_name(machine, first()?.number()?).map(|name| vec![name]),
        "printNewline" => machine.print("\n"),
        "printOpen" => machine.print("( "),
        "printClose" => machine.print(" )"),
        "printComma" => machine.print(", "),
        "printI64" => machine.print(&(first()?.number()? as i64).to_string()),
        "printU64" => machine.print(&first()?.number()?.to_string()),
        "printF32" | "printF64" => machine.print(&crate::storage::dump::general(first()?.scalar()?.as_f64())),
        name if name.starts_with("printMemref") => {
            let text = print::memory(first()?, name.contains("1d") || name.contains("2d") || name.contains("3d"))?;
            machine.print(&text)
        }
        name => Err(Fault::new(format!("nnz has no function `@{name}` that is only declared"))),
    }
}

impl Machine<'_> {
    /// Prints, and has no results.
    ///
    /// # Errors
    /// None; so that it can end an operation.
    pub fn print(&mut self, text: &str) -> Result<Vec<Value>, Fault> {
        self.host.print(text);
        Ok(Vec::new())
    }
}

/// The path in `TENSOR0`, `TENSOR1`, ...
fn file_name(machine: &mut Machine<'_>, number: u64) -> Result<Value, Fault> {
    let variable = format!("TENSOR{number}");
    match machine.host.variable(&variable) {
        Some(path) => Ok(Value::Name(path.into())),
        None => {
            let help = format!("as in `{variable}=matrix.mtx nnz run program.mlir`");
            Err(Fault::new(format!("the environment variable `{variable}` is not set")).help(help))
        }
    }
}

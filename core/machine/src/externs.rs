//! The functions of MLIR's run-time library that programs declare and call.

use rand::{Rng, SeedableRng, seq::SliceRandom};

use crate::{
    machine::{Fault, Machine},
    print,
    value::{Memory, Value},
};
use nnz_base::element::Scalar;
use nnz_mlir::{
    ir::Function,
    types::{FunctionType, Type},
};

/// Calls a function that is declared only.
///
/// # Errors
/// One that nnz does not know; whatever stops it.
pub(super) fn call(machine: &mut Machine<'_>, function: &Function, arguments: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let at =
        |at: usize| arguments.get(at).ok_or_else(|| Fault::new(format!("`@{}` takes more arguments", function.name)));
    check_signature(function)?;
    match function.name.as_str() {
        "getTensorFilename" => file_name(machine, at(0)?.number()?).map(|name| vec![name]),
        "printNewline" => machine.print("\n"),
        "printOpen" => machine.print("( "),
        "printClose" => machine.print(" )"),
        "printComma" => machine.print(", "),
        "printI64" => machine.print(&(at(0)?.number()? as i64).to_string()),
        "printU64" => machine.print(&at(0)?.number()?.to_string()),
        "printF32" | "printF64" => machine.print(&nnz_storage::dump::general(at(0)?.scalar()?.as_f64())),
        "rtsrand" => Ok(vec![seeded(machine, at(0)?.number()?)]),
        "rtrand" => random_index(machine, at(0)?, at(1)?.number()?),
        "shuffle" => shuffle(machine, at(0)?.memory()?, at(1)?),
        "rtdrand" => machine.random.generator(at(0)?).map(|_| Vec::new()),
        name if name.starts_with("printMemref") => {
            let ranked = ["1d", "2d", "3d", "4d"].iter().any(|rank| name.contains(rank));
            let text = print::memory(&machine.budget, at(0)?, ranked)?;
            machine.print(&text)
        }
        name => Err(Fault::new(format!("nnz has no function `@{name}` that is only declared"))),
    }
}

/// The types of a function of the library.
fn signature(name: &str) -> Option<&'static str> {
    Some(match name {
        "getTensorFilename" => "(index) -> (!llvm.ptr)",
        "printNewline" | "printOpen" | "printClose" | "printComma" => "() -> ()",
        "printI64" | "printU64" => "(i64) -> ()",
        "printF32" => "(f32) -> ()",
        "printF64" => "(f64) -> ()",
        "rtsrand" => "(index) -> (!llvm.ptr)",
        "rtrand" => "(!llvm.ptr, index) -> (index)",
        "rtdrand" => "(!llvm.ptr) -> ()",
        "shuffle" => "(memref<?xi64>, !llvm.ptr) -> ()",
        _ => return None,
    })
}

/// Every function that prints a buffer takes one, and has no result.
fn prints_buffer(function: &Function) -> bool {
    function.inputs.len() == 1 && function.results.is_empty()
}

/// # Errors
/// A function of the library that is declared with other types: it would be called with arguments that it does not take.
fn check_signature(function: &Function) -> Result<(), Fault> {
    let (inputs, results) = (function.inputs.clone(), function.results.clone());
    let declared = Type::Function(FunctionType { inputs, results }).to_string();
    let name = &function.name;
    let library = match signature(name) {
        Some(library) => library,
        None if name.starts_with("printMemref") && !prints_buffer(function) => "(memref<*xf64>) -> ()",
        None => return Ok(()),
    };
    if declared == library {
        return Ok(());
    }
    let message = format!("`@{name}` of MLIR's library is `{library}`, and is declared as `{declared}`");
    Err(Fault::new(message).help(format!("declare it as `func.func private @{name}{library}`")))
}

/// The path in `TENSOR0`, `TENSOR1`, ...
fn file_name(machine: &mut Machine<'_>, number: u64) -> Result<Value, Fault> {
    let variable = format!("TENSOR{number}");
    let lacks = match machine.host.variable(&variable) {
        Some(path) if !path.is_empty() => return Ok(Value::Name(path.into())),
        Some(_) => "empty",
        None => "not set",
    };
    let help = format!("as in `{variable}=matrix.mtx nnz run program.mlir`");
    Err(Fault::new(format!("the environment variable `{variable}` is {lacks}")).help(help))
}

/// The sequence is reproducible, as in MLIR's library, but not the same.
fn seeded(machine: &mut Machine<'_>, seed: u64) -> Value {
    machine.random.0.push(rand_chacha::ChaCha8Rng::seed_from_u64(seed));
    Value::Name((machine.random.0.len() - 1).to_string().into())
}

/// From 0 up to a number, which is included.
fn random_index(machine: &mut Machine<'_>, handle: &Value, last: u64) -> Result<Vec<Value>, Fault> {
    let generator = machine.random.generator(handle)?;
    Ok(vec![Value::index(generator.random_range(0..=last))])
}

/// Fills a buffer with the numbers from 0 on, in a random order.
fn shuffle(machine: &mut Machine<'_>, buffer: &Memory, handle: &Value) -> Result<Vec<Value>, Fault> {
    let count = buffer.shape.first().copied().unwrap_or(0);
    let mut numbers: Vec<u64> = (0..count).collect();
    numbers.shuffle(machine.random.generator(handle)?);
    for (at, number) in numbers.into_iter().enumerate() {
        buffer.store(&[at as u64], Scalar::Int(number.into()))?;
    }
    Ok(Vec::new())
}

//! Kernels over small tensors: written as text, run on a back end, and evaluated by brute force.

pub mod family;
pub mod maps;
pub mod notation;
pub mod oracle;
mod presence;
pub mod random;

use std::sync::Arc;

use nnz_core::{
    arrays::Values,
    backend::{self, Backend, Target},
    element::{Element, Scalar},
    encoding::{Encoding, LevelFormat, format::Stores},
    kernel::{Kernel, Schedule, Tensor},
    loops::{self, Function, Verified},
    lower::Lowered,
    run::{self, Compiled, Operand, RunError},
    schedule,
    storage::{self, Storage, Triplets},
};
use num_complex::Complex;

use crate::{cc::Cc, mlir::Mlir};

/// A tensor with its values, row-major in dimension order; all are exact in every element type used.
#[derive(Clone, Debug)]
pub struct Data {
    pub tensor: Tensor,
    pub dense: Vec<f64>,
    /// What is stored, where that is more than the values that are not zero.
    pub entries: Option<Triplets>,
}

impl Data {
    pub fn new(name: &str, element: Element, shape: &[u64], encoding: Option<Arc<Encoding>>, dense: Vec<f64>) -> Self {
        let tensor = Tensor { name: name.into(), element, shape: shape.into(), encoding };
        Data { tensor, dense, entries: None }
    }

    pub fn values(&self) -> Values {
        let element = self.tensor.element;
        Values::from_scalars(element, self.dense.iter().map(|x| scalar(element, *x)))
    }

    /// # Errors
    /// Values that the encoding cannot hold.
    pub fn storage(&self) -> Result<Option<Storage>, String> {
        let Some(encoding) = &self.tensor.encoding else { return Ok(None) };
        let given = || storage::from_dense(&self.tensor.shape, self.tensor.element, &self.values());
        let triplets = self.entries.clone().map_or_else(given, Ok);
        let stored = triplets.and_then(|triplets| storage::pack(&triplets, encoding));
        stored.map(Some).map_err(|error| error.to_string())
    }
}

pub fn scalar(element: Element, x: f64) -> Scalar {
    if element.is_complex() {
        return Scalar::Complex(Complex::new(x, 0.0));
    }
    if element.is_float() { Scalar::Float(x) } else { Scalar::Int(x as i128) }
}

/// The back ends of this build; Miri runs no machine code.
pub fn targets() -> Vec<Target> {
    let all: &[Target] = if cfg!(miri) { &[Target::Interpreter] } else { &[Target::Interpreter, Target::Cpu] };
    all.iter().copied().filter(|target| backend::lookup(*target).is_ok()).collect()
}

/// The back ends of this build, the C compiler where there is one, and MLIR where `NNZ_MLIR` asks for it. What is
/// missing is said, and where nothing may be missing (`NNZ_CI`) it is a failure.
pub fn engines() -> Vec<(String, Box<dyn Backend>)> {
    let own = targets().into_iter().filter_map(|target| Some((format!("{target:?}"), backend::lookup(target).ok()?)));
    let mut engines: Vec<(String, Box<dyn Backend>)> = own.collect();
    engines.extend(cc().map(|cc| ("C".to_string(), Box::new(cc) as Box<dyn Backend>)));
    engines.extend(mlir().map(|mlir| ("MLIR".to_string(), Box::new(mlir) as Box<dyn Backend>)));
    engines
}

/// The C compiler; Miri starts no program.
///
/// # Panics
/// In CI, where there is none.
pub fn cc() -> Option<Cc> {
    if cfg!(miri) {
        return None;
    }
    Cc::find().or_else(|| missing("a C compiler"))
}

/// MLIR, where `NNZ_MLIR` asks for it: it takes a while, and is not what a checkout needs.
///
/// # Panics
/// Where it is asked for and not there.
pub fn mlir() -> Option<Mlir> {
    std::env::var_os("NNZ_MLIR")?;
    Some(Mlir::find().expect("NNZ_MLIR asks for MLIR 22, which is not installed"))
}

/// Says that something is missing; a failure in CI, where nothing is skipped.
///
/// # Panics
/// In CI.
pub fn missing<T>(what: &str) -> Option<T> {
    assert!(std::env::var_os("NNZ_CI").is_none(), "{what} is missing, and nothing is skipped in CI");
    println!("skipped: {what} is missing");
    None
}

/// A kernel and its operands; the result is the first tensor.
pub struct Case {
    pub kernel: Kernel,
    pub schedule: Schedule,
    pub data: Vec<Data>,
}

impl Case {
    /// Reads `text`, an assignment over `data`, the first of which is the result.
    ///
    /// # Errors
    /// What is wrong with the kernel.
    pub fn new(text: &str, data: Vec<Data>) -> Result<Case, String> {
        let tensors: Vec<Tensor> = data.iter().map(|data| data.tensor.clone()).collect();
        let parsed = notation::parse(text, &tensors)?;
        let kernel = Kernel::new(tensors, parsed.vars, parsed.result, parsed.expr)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        Ok(Case { kernel, schedule: Schedule::default(), data })
    }

    /// The result on a back end, row-major in dimension order. Checks on the way that the loops' text
    /// reads back.
    ///
    /// # Errors
    /// What went wrong, with the loops.
    pub fn run(&self, target: Target, threads: usize) -> Result<Vec<f64>, String> {
        self.storage(target, threads)?.dense()
    }

    /// The result on a back end, as it is stored.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn storage(&self, target: Target, threads: usize) -> Result<Computed, String> {
        let backend = backend::lookup(target).map_err(|error| error.to_string())?;
        self.storage_on(&*backend, threads)
    }

    /// As [`Case::storage`], on any back end.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn storage_on(&self, backend: &dyn Backend, threads: usize) -> Result<Computed, String> {
        let lowered = schedule::lower(&self.kernel, &self.schedule).map_err(|error| error.to_string())?;
        self.lowered_on(&lowered, backend, threads)
    }

    /// As [`Case::storage_on`], by these loops of the kernel.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn lowered_on(&self, lowered: &Lowered, backend: &dyn Backend, threads: usize) -> Result<Computed, String> {
        // That takes Miri longer than the loops.
        for phase in lowered.all_phases().filter(|_| !cfg!(miri)) {
            reads_back(&phase.function)?;
        }
        let text = lowered.text();
        let compiled = Compiled::new(lowered, backend).map_err(|error| format!("{error}\n{text}"))?;
        let owned = self.data.iter().skip(1).map(Owned::new).collect::<Result<Vec<_>, _>>()?;
        let operands = std::iter::once(None).chain(owned.iter().map(|owned| Some(owned.operand())));
        let operands: Vec<Option<Operand<'_>>> = operands.collect();
        let failed = |error: RunError| match error {
            RunError::Storage { .. } => format!("{CANNOT_HOLD}{error}"),
            _ => format!("{error}\n{text}"),
        };
        if self.kernel.tensor(self.kernel.result().tensor).shape.is_empty() {
            let number = run::run_scalar(lowered, &compiled, &operands, threads);
            return number.map(Computed::Number).map_err(failed);
        }
        run::run(lowered, &compiled, &operands, threads).map(Computed::Tensor).map_err(failed)
    }
}

/// How the error starts of a result that its encoding cannot hold.
pub const CANNOT_HOLD: &str = "the result cannot be stored: ";

/// What a kernel gives.
pub enum Computed {
    Number(Scalar),
    Tensor(Storage),
}

impl Computed {
    /// Row-major in dimension order.
    ///
    /// # Errors
    /// Storage that cannot be read back.
    pub fn dense(&self) -> Result<Vec<f64>, String> {
        match self {
            Computed::Number(number) => Ok(vec![number.as_f64()]),
            Computed::Tensor(storage) => {
                let values = storage::to_dense(storage).map_err(|error| error.to_string())?;
                Ok(values.iter().map(Scalar::as_f64).collect())
            }
        }
    }
}

/// Checks that the loops' text says the same loops.
fn reads_back(function: &Verified<Function>) -> Result<(), String> {
    let text = function.to_string();
    let again = loops::parse(&text).map_err(|error| format!("{error} in\n{text}"))?;
    if format!("{again:?}") == format!("{:?}", **function) {
        return Ok(());
    }
    Err(format!("the loops read back as others:\n{text}\n{again}"))
}

enum Owned {
    Stored(Storage),
    Dense(Values),
    Scalar(Scalar),
}

impl Owned {
    fn new(data: &Data) -> Result<Owned, String> {
        if data.tensor.shape.is_empty() {
            let value = data.dense.first().copied().unwrap_or(0.0);
            return Ok(Owned::Scalar(scalar(data.tensor.element, value)));
        }
        Ok(data.storage()?.map_or_else(|| Owned::Dense(data.values()), Owned::Stored))
    }
    fn operand(&self) -> Operand<'_> {
        match self {
            Owned::Stored(storage) => Operand::Stored(storage),
            Owned::Dense(values) => Operand::Dense(values),
            Owned::Scalar(scalar) => Operand::Scalar(*scalar),
        }
    }
}

/// Whether an encoding stores zeros that nobody gave it: in dense levels below others, in blocks, in n of m. They are
/// entries to loops, and none to who reads the tensor back.
pub fn pads(data: &Data) -> bool {
    let Some(encoding) = &data.tensor.encoding else { return false };
    let formats = || encoding.levels().iter().map(|level| level.format);
    let dense_below =
        formats().skip_while(|format| *format == LevelFormat::Dense).any(|format| format == LevelFormat::Dense);
    // In a level of deltas no zero is an entry, so fillers are told apart.
    let padded = formats().any(|format| format.pads() && format.row().stores != Stores::Deltas);
    encoding.permutation().is_none() || dense_below || padded
}

/// Where `found` differs from `expected` by more than rounding.
pub fn difference(found: &[f64], expected: &[f64], tolerance: f64) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("{} entries, expected {}", found.len(), expected.len()));
    }
    let close =
        |a: f64, b: f64| a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs()) || (a.is_nan() && b.is_nan());
    let at = found.iter().zip(expected).position(|(a, b)| !close(*a, *b))?;
    Some(format!("entry {at} is {}, expected {}\n   found {found:?}\nexpected {expected:?}", found[at], expected[at]))
}

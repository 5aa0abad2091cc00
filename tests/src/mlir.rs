//! Loops as MLIR, compiled and run by MLIR's own tools: one more back end to compare with.

use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{Argument, Backend, BackendError, Executable, arguments, mlir},
    element::{Element, Repr, Scalar},
    loops::{Array, Function, Type, Verified},
    with_values,
};
use num_complex::Complex;

/// The back end.
#[derive(Clone, Debug)]
pub struct Mlir {
    opt: PathBuf,
    runner: PathBuf,
    /// What the runner loads, between commas.
    libraries: String,
}

impl Mlir {
    /// MLIR 22 as Debian installs it, or below `NNZ_LLVM`; `None` where it is not.
    pub fn find() -> Option<Mlir> {
        let root = std::env::var_os("NNZ_LLVM").map_or(PathBuf::from("/usr/lib/llvm-22"), PathBuf::from);
        let (opt, runner) = (root.join("bin/mlir-opt"), root.join("bin/mlir-runner"));
        let libraries = ["libmlir_c_runner_utils.so", "libmlir_float16_utils.so"];
        let libraries: Option<Vec<String>> =
            libraries.into_iter().map(|name| library(&root.join("lib"), name)).collect();
        let libraries = libraries?.join(",");
        (opt.exists() && runner.exists()).then_some(Mlir { opt, runner, libraries })
    }

    /// What the module prints.
    fn run(&self, module: &str) -> Result<String, String> {
        let lowered = piped(Command::new(&self.opt).args(mlir::PIPELINE.split(' ')), module)?;
        let mut runner = Command::new(&self.runner);
        runner.args(["-e", "main", "-entry-point-result=void", &format!("-shared-libs={}", self.libraries)]);
        piped(&mut runner, &lowered)
    }
}

/// The library of that name, whatever version follows it.
fn library(folder: &Path, name: &str) -> Option<String> {
    let mut entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let found = entries.find(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)));
    found.map(|path| path.display().to_string())
}

/// Standard output of `command` for an input.
fn piped(command: &mut Command, input: &str) -> Result<String, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A tool that refuses its input need not read it whole; its complaint says more than a broken pipe.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).chars().take(2000).collect()),
    }
}

// SAFETY: what is compiled elsewhere is the text of the function.
unsafe impl Backend for Mlir {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        Ok(Arc::new(Compiled { tools: self.clone(), function: function.clone() }))
    }
}

struct Compiled {
    tools: Mlir,
    function: Verified<Function>,
}

impl Executable for Compiled {
    unsafe fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], _threads: usize) -> Result<(), BackendError> {
        arguments::check(&self.function, arrays, scalars)?;
        let module = module(&self.function, arrays, scalars)?;
        let failed = |error: String| BackendError::Failed(format!("{error}\n{module}"));
        let printed = self.tools.run(&module).map_err(failed)?;
        let mut numbers = printed.split_whitespace().map(|word| word.parse::<i64>().map(|bits| bits as u64));
        for argument in arrays.iter_mut() {
            fill(argument, || numbers.next().and_then(Result::ok)).ok_or_else(|| failed(printed.clone()))?;
        }
        Ok(())
    }
}

/// The kernel's module with a `main` that calls it and prints the bits of what it may write.
fn module(function: &Verified<Function>, arrays: &[Argument<'_>], scalars: &[Scalar]) -> Result<String, BackendError> {
    let (mut globals, mut body) = (String::new(), String::new());
    let mut prints = String::new();
    let mut values = Vec::new();
    for (at, scalar) in scalars.iter().enumerate() {
        let (text, ty) = scalar_constant(function.vars[at].ty, *scalar);
        let _ = writeln!(body, "    %s{at} = {text}");
        values.push((format!("%s{at}"), ty));
    }
    for (at, (array, argument)) in function.arrays.iter().zip(arrays).enumerate() {
        let (entry, bytes, len) = (entry_type(array), bytes(argument), len(argument));
        let (sized, open) = (format!("memref<{len}x{entry}>"), format!("memref<?x{entry}>"));
        let initial = if len == 0 { "uninitialized".to_string() } else { format!("dense<\"0x{bytes}\">") };
        let _ = writeln!(globals, "  memref.global \"private\" @array{at} : {sized} = {initial}");
        let _ = writeln!(body, "    %g{at} = memref.get_global @array{at} : {sized}");
        let _ = writeln!(body, "    %a{at} = memref.cast %g{at} : {sized} to {open}");
        values.push((format!("%a{at}"), open));
        if matches!(argument, Argument::ValuesMut(_) | Argument::IndicesMut(_)) {
            prints.push_str(&printing(at, len, &entry));
        }
    }
    let (names, types): (Vec<String>, Vec<String>) = values.into_iter().unzip();
    let call =
        format!("    func.call @{}({}) : ({}) -> ()\n", mlir::name(function), names.join(", "), types.join(", "));
    let text = mlir::text(function)?;
    let open = text.trim_end().strip_suffix('}').unwrap_or(&text);
    Ok(format!(
        "{open}  func.func private @printI64(i64)\n  func.func private @printNewline()\n{globals}  func.func @main() {{\n\
         {body}{call}{prints}    return\n  }}\n}}\n"
    ))
}

/// Prints every entry's bits, each part of a complex number on its own.
fn printing(at: usize, len: usize, entry: &str) -> String {
    let part = entry.strip_prefix("complex<").and_then(|rest| rest.strip_suffix('>'));
    let mut lines = format!("%e = memref.load %g{at}[%i] : memref<{len}x{entry}>\n");
    match part {
        None => lines.push_str(&bits_printed("e", entry)),
        Some(part) => {
            for name in ["re", "im"] {
                let _ = writeln!(lines, "%{name} = complex.{name} %e : {entry}");
                lines.push_str(&bits_printed(name, part));
            }
        }
    }
    format!(
        "    %lo{at} = arith.constant 0 : index\n    %hi{at} = arith.constant {len} : index\n    \
         %step{at} = arith.constant 1 : index\n    scf.for %i = %lo{at} to %hi{at} step %step{at} {{\n{lines}    }}\n"
    )
}

fn bits_printed(name: &str, ty: &str) -> String {
    let width: u32 = ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(64);
    let mut text = String::new();
    let mut value = format!("%{name}");
    if !ty.starts_with('i') {
        let _ = writeln!(text, "%{name}_bits = arith.bitcast {value} : {ty} to i{width}");
        value = format!("%{name}_bits");
    }
    if width < 64 {
        let _ = writeln!(text, "%{name}_wide = arith.extui {value} : i{width} to i64");
        value = format!("%{name}_wide");
    }
    text + &format!("func.call @printI64({value}) : (i64) -> ()\nfunc.call @printNewline() : () -> ()\n")
}

/// Of an array in memory.
fn entry_type(array: &Array) -> String {
    match array.ty.repr() {
        Repr::F64 => "f64",
        Repr::F32 => "f32",
        Repr::F16 => "f16",
        Repr::BF16 => "bf16",
        Repr::I8 | Repr::U8 => "i8",
        Repr::I16 | Repr::U16 => "i16",
        Repr::I32 | Repr::U32 => "i32",
        Repr::I64 | Repr::U64 => "i64",
        Repr::C32 => "complex<f32>",
        Repr::C64 => "complex<f64>",
    }
    .to_string()
}

/// A constant and its type.
fn scalar_constant(ty: Type, scalar: Scalar) -> (String, String) {
    let Type::Element(element) = ty else {
        return (format!("arith.constant {} : index", scalar.as_f64() as i64), "index".into());
    };
    let int = |width: u32, number: i128| match width {
        1 => (format!("arith.constant {}", number & 1 == 1), "i1".to_string()),
        _ => (format!("arith.constant {number} : i{width}"), format!("i{width}")),
    };
    match scalar {
        Scalar::Int(number) => int(width(element), number),
        Scalar::Float(number) => {
            let name = element.name();
            (format!("arith.constant {} : {name}", float_bits(element, number)), name.to_string())
        }
        Scalar::Complex(Complex { re, im }) => {
            let part = if element == Element::C64 { Element::F64 } else { Element::F32 };
            let parts = [re, im].map(|number| format!("{} : {part}", float_bits(part, number))).join(", ");
            (format!("complex.constant [{parts}] : {element}"), element.name().to_string())
        }
    }
}

fn width(element: Element) -> u32 {
    match element {
        Element::I1 => 1,
        Element::I2 => 2,
        Element::I4 => 4,
        _ => 8 * element.bytes() as u32,
    }
}

fn float_bits(element: Element, number: f64) -> String {
    format!("0x{}", hex_of_values(&Values::from_scalars(element, [Scalar::Float(number)]), true))
}

fn len(argument: &Argument<'_>) -> usize {
    match argument {
        Argument::Values(values) => values.len(),
        Argument::ValuesMut(values) => values.len(),
        Argument::Indices(indices) => indices.len(),
        Argument::IndicesMut(indices) => indices.len(),
    }
}

/// The array's bytes in hexadecimal.
fn bytes(argument: &Argument<'_>) -> String {
    match argument {
        Argument::Values(values) => hex_of_values(values, false),
        Argument::ValuesMut(values) => hex_of_values(values, false),
        Argument::Indices(indices) => hex_of_indices(indices),
        Argument::IndicesMut(indices) => hex_of_indices(indices),
    }
}

fn hex(bytes: impl Iterator<Item = u8>) -> String {
    bytes.map(|byte| format!("{byte:02X}")).collect()
}

/// Of little-endian bytes; `number`: of one number, its highest digit first.
fn hex_of_values(values: &Values, number: bool) -> String {
    trait Bytes {
        fn bytes(&self) -> Vec<u8>;
    }
    macro_rules! bytes_of {
        ($($ty:ty),*) => { $(impl Bytes for $ty {
            fn bytes(&self) -> Vec<u8> { self.to_le_bytes().to_vec() }
        })* };
    }
    bytes_of!(f64, f32, half::f16, half::bf16, i8, i16, i32, i64, u8, u16, u32, u64);
    impl<T: Bytes> Bytes for Complex<T> {
        fn bytes(&self) -> Vec<u8> {
            [self.re.bytes(), self.im.bytes()].concat()
        }
    }
    let mut bytes: Vec<u8> = with_values!(values, v => v.iter().flat_map(Bytes::bytes).collect());
    if number {
        bytes.reverse();
    }
    hex(bytes.into_iter())
}

fn hex_of_indices(indices: &IndexArray) -> String {
    let bytes = indices.bits() as usize / 8;
    hex(indices.iter().flat_map(|number| number.to_le_bytes().into_iter().take(bytes)))
}

/// Takes what was printed of an array; `None` where something is missing.
fn fill(argument: &mut Argument<'_>, mut next: impl FnMut() -> Option<u64>) -> Option<()> {
    match argument {
        Argument::Values(_) | Argument::Indices(_) => {}
        Argument::IndicesMut(indices) => {
            for at in 0..indices.len() {
                indices.set(at, next()?);
            }
        }
        Argument::ValuesMut(values) => {
            for at in 0..values.len() {
                let scalar = scalar_of(values.repr(), &mut next)?;
                values.set(at, scalar);
            }
        }
    }
    Some(())
}

fn scalar_of(repr: Repr, next: &mut impl FnMut() -> Option<u64>) -> Option<Scalar> {
    let bits = next()?;
    let single = |bits: u64| f64::from(f32::from_bits(bits as u32));
    Some(match repr {
        Repr::F64 => Scalar::Float(f64::from_bits(bits)),
        Repr::F32 => Scalar::Float(single(bits)),
        Repr::F16 => Scalar::Float(half::f16::from_bits(bits as u16).to_f64()),
        Repr::BF16 => Scalar::Float(half::bf16::from_bits(bits as u16).to_f64()),
        Repr::I8 => Scalar::Int((bits as i8).into()),
        Repr::I16 => Scalar::Int((bits as i16).into()),
        Repr::I32 => Scalar::Int((bits as i32).into()),
        Repr::I64 => Scalar::Int((bits as i64).into()),
        Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 => Scalar::Int(bits.into()),
        Repr::C32 => Scalar::Complex(Complex::new(single(bits), single(next()?))),
        Repr::C64 => Scalar::Complex(Complex::new(f64::from_bits(bits), f64::from_bits(next()?))),
    })
}

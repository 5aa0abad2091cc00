//! Every kind of expression, statement and type, on every back end, with equal results; then random
//! programs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::sync::Arc;

use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{self, Argument, Backend, BackendError, Executable, FloatOrder, Form, Interpreter, Target},
    element::{Element, Repr, Scalar},
    functions::UnaryFunction,
    loops::{
        AccessMode, Array, ArrayType, Binary, Builder, Expr, ForKind, Function, Type, Unary, Verified, machine::Width,
        verify,
    },
};
use nnz_tests::kernels::{cc, mlir};

mod allocations;
mod arithmetic;
mod control;
mod index_arrays;
mod kernels;
mod random;

/// An array that a test gives to a kernel.
#[derive(Clone, Debug)]
enum Given {
    Read(Values),
    Write(Values),
    Indices(IndexArray),
    WriteIndices(IndexArray),
}

impl Given {
    fn argument(&mut self) -> Argument<'_> {
        match self {
            Given::Read(values) => Argument::Values(values),
            Given::Write(values) => Argument::ValuesMut(values),
            Given::Indices(indices) => Argument::Indices(indices),
            Given::WriteIndices(indices) => Argument::IndicesMut(indices),
        }
    }
}

/// A back end besides the interpreter.
struct Other {
    name: &'static str,
    backend: Box<dyn Backend>,
    threads: &'static [usize],
}

/// The interpreter, of what the passes for machine code leave.
struct AfterPasses;

// SAFETY: passes keep what loops do.
unsafe impl Backend for AfterPasses {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        Interpreter.compile(&backend::passed(Form::Run(Target::Cpu, FloatOrder::Strict), function)?)
    }
}

fn others() -> Vec<Other> {
    let mut others = vec![Other { name: "passes", backend: Box::new(AfterPasses), threads: &[1] }];
    #[cfg(all(feature = "llvm", not(miri)))]
    {
        let backend = Box::new(nnz_core::backend::Llvm::new(Default::default()).unwrap());
        others.push(Other { name: "LLVM", backend, threads: &[1, 4] });
    }
    others.extend(cc().map(|cc| Other { name: "C", backend: Box::new(cc), threads: &[1] }));
    others.extend(mlir().map(|mlir| Other { name: "MLIR", backend: Box::new(mlir), threads: &[1] }));
    others
}

fn run(
    backend: &dyn Backend,
    function: &Verified<Function>,
    arrays: &[Given],
    scalars: &[Scalar],
    threads: usize,
) -> Result<Vec<Given>, BackendError> {
    let mut arrays = arrays.to_vec();
    let mut arguments: Vec<Argument<'_>> = arrays.iter_mut().map(Given::argument).collect();
    // SAFETY: the interpreter looks at every access, and the others run what it ran without a fault.
    unsafe { backend.compile(function)?.run(&mut arguments, scalars, threads)? };
    Ok(arrays)
}

/// Runs on every back end, and gives the arrays that all agree on.
#[track_caller]
fn agree(function: Function, arrays: &[Given], scalars: &[Scalar]) -> Vec<Given> {
    agree_on(&others(), function, arrays, scalars)
}

#[track_caller]
fn agree_on(others: &[Other], function: Function, arrays: &[Given], scalars: &[Scalar]) -> Vec<Given> {
    let function = verify(function).unwrap();
    let expected = run(&Interpreter, &function, arrays, scalars, 1).unwrap();
    for Other { name, backend, threads } in others {
        for &threads in *threads {
            let found =
                run(&**backend, &function, arrays, scalars, threads).unwrap_or_else(|error| panic!("{name}: {error}"));
            for ((found, expected), array) in found.iter().zip(&expected).zip(&function.arrays) {
                let place = format!("`{}` by {name} on {threads} threads of\n{}", array.name, *function);
                if matches!(*name, "LLVM" | "passes") || !has_other_functions(&function) {
                    assert_eq!(bits(found), bits(expected), "{place}");
                } else if let Some(difference) = difference(found, expected) {
                    panic!("{difference} in {place}");
                }
            }
        }
    }
    expected
}

/// Whether it calls a function that C's library has and Rust computes by itself.
fn has_other_functions(function: &Function) -> bool {
    use UnaryFunction::{Acosh, Asinh, Atanh, Erf};
    let other = [Asinh, Acosh, Atanh, Erf].map(Unary::Function);
    // A compiler folds those of complex numbers in its own way.
    let is_complex = |array: &Array| matches!(array.ty, ArrayType::Values(element) if element.is_complex());
    let complex = function.arrays.iter().any(is_complex);
    function.exprs.iter().any(|expr| match expr {
        Expr::Unary(Unary::Neg, _) => false,
        Expr::Unary(op, _) => complex || other.contains(op),
        Expr::Binary(Binary::Pow, ..) => complex,
        _ => false,
    })
}

/// Values that are not within a few of the type's last digits of each other.
fn difference(found: &Given, expected: &Given) -> Option<String> {
    let (Given::Read(found) | Given::Write(found), Given::Read(expected) | Given::Write(expected)) = (found, expected)
    else {
        return (bits(found) != bits(expected)).then(|| "another index".to_string());
    };
    let digit = match expected.repr() {
        Repr::F16 => 1e-3,
        Repr::BF16 => 8e-3,
        Repr::F32 | Repr::C32 => 1.2e-7,
        _ => 2.3e-16,
    };
    let near =
        |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 8.0 * digit * a.abs().max(b.abs());
    let close = |a: Scalar, b: Scalar| match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => near(a, b),
        (Scalar::Complex(a), Scalar::Complex(b)) => near(a.re, b.re) && near(a.im, b.im),
        _ => format!("{a:?}") == format!("{b:?}"),
    };
    let pairs = found.iter().zip(expected.iter()).enumerate();
    let (at, (a, b)) = pairs.into_iter().find(|(_, (a, b))| !close(*a, *b))?;
    Some(format!("entry {at} is {a:?} and not {b:?}"))
}

/// The contents, bit for bit; any NaN counts as any other.
fn bits(given: &Given) -> Vec<String> {
    let text = |scalar: Scalar| match scalar {
        Scalar::Complex(z) => format!("{:?} {:?}", z.re, z.im),
        other => format!("{other:?}"),
    };
    match given {
        Given::Read(values) | Given::Write(values) => values.iter().map(text).collect(),
        Given::Indices(indices) | Given::WriteIndices(indices) => {
            indices.iter().map(|index| index.to_string()).collect()
        }
    }
}

/// `y[i] = sum over p of A.values[p] * x[A.crd[p]]`.
fn spmv(element: Element, kind: ForKind) -> Function {
    let mut b = Builder::new("spmv");
    let index = ArrayType::Indices;
    let pos = b.array("A.pos1", index(Width::W64), AccessMode::Read);
    let crd = b.array("A.crd1", index(Width::W32), AccessMode::Read);
    let values = b.array("A.values", ArrayType::Values(element), AccessMode::Read);
    let x = b.array("x", ArrayType::Values(element), AccessMode::Read);
    let y = b.array("y", ArrayType::Values(element), AccessMode::Write);
    let rows = b.param("rows", Type::Index);
    let (i, p) = (b.local("i", Type::Index), b.local("p", Type::Index));
    let sum = b.local("sum", Type::Element(element));
    let (zero, rows) = (b.index(0), b.var(rows));
    b.for_range(i, [zero, rows], kind, |b| {
        let (at, one, start) = (b.var(i), b.index(1), b.value(element, element.zero()));
        b.push(nnz_core::loops::Stmt::Mut { var: sum, value: start });
        let after = b.add(at, one);
        let range = [b.load(pos, at), b.load(pos, after)];
        b.for_range(p, range, ForKind::Serial, |b| {
            let at = b.var(p);
            let column = b.load(crd, at);
            let (a, x) = (b.load(values, at), b.load(x, column));
            let (product, total) = (b.mul(a, x), b.var(sum));
            let value = b.add(total, product);
            b.push(nnz_core::loops::Stmt::Assign { var: sum, value });
        });
        let (at, total) = (b.var(i), b.var(sum));
        b.store(y, at, total);
    });
    b.finish()
}

#[test]
fn spmv_gives_the_known_answer_in_every_type() {
    for &element in Element::ALL {
        for kind in [ForKind::Serial, ForKind::Parallel] {
            let number = |n: i32| Values::from_scalars(element, [scalar(element, n)]).get(0).unwrap();
            let many = |numbers: &[i32]| Values::from_scalars(element, numbers.iter().map(|&n| number(n)));
            // [[1, 0, 2], [0, 0, 0], [0, -1, 1]] times [3, 2, 1].
            let arrays = [
                Given::Indices(IndexArray::U64(vec![0, 2, 2, 4])),
                Given::Indices(IndexArray::U32(vec![0, 2, 1, 2])),
                Given::Read(many(&[1, 2, -1, 1])),
                Given::Read(many(&[3, 2, 1])),
                Given::Write(Values::zeros(element, 3)),
            ];
            let found = agree(spmv(element, kind), &arrays, &[Scalar::Int(3)]);
            if element.int_range().is_none_or(|(low, high)| low <= -1 && high >= 5) {
                assert_eq!(bits(&found[4]), bits(&Given::Read(many(&[5, 0, -1]))), "{element}");
            }
        }
    }
}

/// `n` as a value of the type, wrapping.
fn scalar(element: Element, n: i32) -> Scalar {
    match element.int_range() {
        Some((low, high)) => Scalar::Int((i128::from(n) - low).rem_euclid(high - low + 1) + low),
        None if element.is_complex() => Scalar::Complex(num_complex::Complex::new(f64::from(n), 0.0)),
        None => Scalar::Float(f64::from(n)),
    }
}

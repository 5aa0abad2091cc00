//! Every kind of expression, statement and type, on the interpreter and on LLVM, with equal results;
//! then random programs.

use super::{Llvm, Options};
use crate::{
    arrays::{IndexArray, Values},
    backend::{Argument, Backend, BackendError, Interpreter},
    element::{Element, Scalar},
    loops::{AccessMode, ArrayType, Builder, ForKind, Function, Type, Verified, verify},
};

mod arithmetic;
mod control;
mod index_arrays;
mod random;
mod text;

/// An array that a test gives to a kernel.
#[derive(Clone, Debug)]
pub(super) enum Given {
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

/// LLVM with parallel loops that really run in parallel, however small.
fn llvm() -> Llvm {
    Llvm::new(Options { parallel_from_bytes: 0, ..Options::default() }).unwrap()
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
    backend.compile(function)?.run(&mut arguments, scalars, threads)?;
    Ok(arrays)
}

/// Runs on both back ends, on one thread and on several, and gives the arrays that all agree on.
#[track_caller]
fn agree(function: Function, arrays: &[Given], scalars: &[Scalar]) -> Vec<Given> {
    let function = verify(function).unwrap();
    let expected = run(&Interpreter, &function, arrays, scalars, 1).unwrap();
    for threads in [1, 4] {
        let found = run(&llvm(), &function, arrays, scalars, threads).unwrap();
        for ((found, expected), array) in found.iter().zip(&expected).zip(&function.arrays) {
            assert_eq!(bits(found), bits(expected), "`{}` on {threads} threads of {function:#?}", array.name);
        }
    }
    expected
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
pub(super) fn spmv(element: Element, kind: ForKind) -> Function {
    let mut b = Builder::new("spmv");
    let index = |repr| ArrayType::Indices(repr);
    let pos = b.array("A.pos1", index(crate::element::Repr::U64), AccessMode::Read);
    let crd = b.array("A.crd1", index(crate::element::Repr::U32), AccessMode::Read);
    let values = b.array("A.values", ArrayType::Values(element), AccessMode::Read);
    let x = b.array("x", ArrayType::Values(element), AccessMode::Read);
    let y = b.array("y", ArrayType::Values(element), AccessMode::Write);
    let rows = b.param("rows", Type::Index);
    let (i, p) = (b.local("i", Type::Index), b.local("p", Type::Index));
    let sum = b.local("sum", Type::Element(element));
    let (zero, rows) = (b.index(0), b.var(rows));
    b.for_range(i, [zero, rows], kind, |b| {
        let (at, one, start) = (b.var(i), b.index(1), b.value(element, element.zero()));
        b.push(crate::loops::Stmt::Mut { var: sum, value: start });
        let after = b.add(at, one);
        let range = [b.load(pos, at), b.load(pos, after)];
        b.for_range(p, range, ForKind::Serial, |b| {
            let at = b.var(p);
            let column = b.load(crd, at);
            let (a, x) = (b.load(values, at), b.load(x, column));
            let (product, total) = (b.mul(a, x), b.var(sum));
            let value = b.add(total, product);
            b.push(crate::loops::Stmt::Assign { var: sum, value });
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

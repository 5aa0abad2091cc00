//! Statements, scopes, laziness, parallel loops, and refused arguments.

use super::{Given, Other, agree, agree_on, bits, others, run, spmv};
use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{self, BackendError, FloatOrder, Form, Interpreter, Target},
    element::{Element, Scalar},
    loops::{
        AccessMode, ArrayId, ArrayType, Binary, Builder, ExprId, ForKind, Stmt, Type, VarId, machine::Width, verify,
    },
};

const I64: Type = Type::Element(Element::I64);

fn output(b: &mut Builder, len: usize) -> (ArrayId, Given) {
    let array = b.array("out", ArrayType::Values(Element::I64), AccessMode::ReadWrite);
    (array, Given::Write(Values::I64(vec![0; len])))
}

fn numbers(given: &Given) -> Vec<i64> {
    match given {
        Given::Write(Values::I64(numbers)) => numbers.clone(),
        other => panic!("{other:?}"),
    }
}

fn int(b: &mut Builder, n: i64) -> ExprId {
    b.value(Element::I64, Scalar::Int(n.into()))
}

/// `out[at] += n`.
fn bump(b: &mut Builder, out: ArrayId, at: ExprId, n: i64) {
    let (old, n) = (b.load(out, at), int(b, n));
    let new = b.add(old, n);
    b.store(out, at, new);
}

#[test]
fn bounds_are_evaluated_once_and_empty_ranges_skipped() {
    let mut b = Builder::new("bounds");
    let (out, given) = output(&mut b, 4);
    let limit = b.local("limit", Type::Index);
    let (i, j, k) = (b.local("i", Type::Index), b.local("j", Type::Index), b.local("k", Type::Index));
    let three = b.index(3);
    b.push(Stmt::Mut { var: limit, value: three });
    let range = [b.index(0), b.var(limit)];
    b.for_range(i, range, ForKind::Serial, |b| {
        let (at, more) = (b.index(0), b.index(10));
        bump(b, out, at, 1);
        b.push(Stmt::Assign { var: limit, value: more });
    });
    for (var, range, kind) in [(j, [5, 5], ForKind::Serial), (k, [5, -7], ForKind::Parallel)] {
        let range = range.map(|n| b.index(n));
        b.for_range(var, range, kind, |b| {
            let at = b.index(1);
            bump(b, out, at, 1);
        });
    }
    let found = agree(b.finish(), &[given], &[]);
    assert_eq!(numbers(&found[0]), [3, 0, 0, 0]);
}

#[test]
fn a_while_loop_runs_until_its_condition_fails() {
    let mut b = Builder::new("collatz");
    let (out, given) = output(&mut b, 2);
    let (n, steps) = (b.local("n", Type::Index), b.local("steps", I64));
    let (start, none) = (b.index(27), int(&mut b, 0));
    b.push(Stmt::Mut { var: n, value: start });
    b.push(Stmt::Mut { var: steps, value: none });
    let (now, one, two, three, zero) = (b.var(n), b.index(1), b.index(2), b.index(3), b.index(0));
    let cond = b.binary(Binary::Lt, one, now);
    let rest = b.binary(Binary::Rem, now, two);
    let even = b.binary(Binary::Eq, rest, zero);
    let half = b.binary(Binary::Div, now, two);
    let tripled = b.mul(now, three);
    let tripled = b.add(tripled, one);
    let (count, unit) = (b.var(steps), int(&mut b, 1));
    let counted = b.add(count, unit);
    let body = vec![
        Stmt::If {
            cond: even,
            then: vec![Stmt::Assign { var: n, value: half }],
            other: vec![Stmt::Assign { var: n, value: tripled }],
        },
        Stmt::Comment("one more step".into()),
        Stmt::Assign { var: steps, value: counted },
    ];
    b.push(Stmt::While { cond, body });
    b.store(out, zero, count);
    let found = agree(b.finish(), &[given], &[]);
    assert_eq!(numbers(&found[0]), [111, 0]);
}

#[test]
fn an_expression_is_evaluated_where_it_is_used() {
    let mut b = Builder::new("order");
    let (out, given) = output(&mut b, 3);
    let (zero, one, two) = (b.index(0), b.index(1), b.index(2));
    let first = b.load(out, zero);
    bump(&mut b, out, zero, 5);
    b.store(out, one, first); // reads the new value
    bump(&mut b, out, zero, 5);
    let kept = b.define("kept", I64, first);
    bump(&mut b, out, zero, 5);
    let kept = b.var(kept);
    b.store(out, two, kept); // a `let` keeps what it saw
    let found = agree(b.finish(), &[given], &[]);
    assert_eq!(numbers(&found[0]), [15, 5, 10]);
}

/// The merge loop's condition `p < end && crd[p] == i`. Beyond its end the array would be read so far
/// away that doing it ends the process.
#[test]
fn arms_not_asked_for_are_not_evaluated() {
    let mut b = Builder::new("lazy");
    let crd = b.array("crd", ArrayType::Indices(Width::W8), AccessMode::Read);
    let (out, given) = output(&mut b, 3);
    let i = b.local("i", Type::Index);
    let range = [b.index(0), b.index(3)];
    b.for_range(i, range, ForKind::Parallel, |b| {
        let (at, end, minus_one, far) = (b.var(i), b.index(1), b.index(-1), b.index(1 << 46));
        let position = b.mul(at, far);
        let coordinate = b.load(crd, position);
        let inside = b.binary(Binary::Lt, at, end);
        let outside = b.binary(Binary::Le, end, at);
        let stored = b.select(inside, coordinate, minus_one);
        let stored = b.expr(nnz_core::loops::Expr::Cast { to: I64, from: stored });
        b.store(out, at, stored);
        let other = b.binary(Binary::Ne, coordinate, at);
        let both = b.binary(Binary::And, inside, other);
        let either = b.binary(Binary::Or, outside, other);
        for cond in [both, either] {
            b.when(cond, |b| bump(b, out, at, 100));
        }
    });
    let found = agree(b.finish(), &[Given::Indices(IndexArray::U8(vec![7])), given], &[]);
    assert_eq!(numbers(&found[1]), [207, 99, 99]);
}

#[test]
fn a_parallel_loop_sees_what_came_before_it() {
    let mut b = Builder::new("captures");
    let (out, given) = output(&mut b, 1000);
    let step = b.param("step", I64);
    let scale = b.param("scale", Type::Element(Element::C32));
    let total = b.local("total", I64);
    let (i, j) = (b.local("i", Type::Index), b.local("j", Type::Index));
    let seven = int(&mut b, 7);
    b.push(Stmt::Mut { var: total, value: seven });
    let (now, step) = (b.var(total), b.var(step));
    let sum = b.add(now, step);
    b.push(Stmt::Assign { var: total, value: sum });
    let scale = b.var(scale);
    let turned = b.binary(Binary::Mul, scale, scale);
    let same = b.binary(Binary::Eq, turned, scale);
    let flag = b.define("flag", Type::Bool, same);
    for (var, bounds, kind) in [(i, [0, 990], ForKind::Parallel), (j, [990, 1000], ForKind::Vector)] {
        let range = bounds.map(|n| b.index(n));
        b.for_range(var, range, kind, |b| parallel_body(b, out, var, total, flag));
    }
    let scale = Scalar::Complex(num_complex::Complex::new(0.0, 1.0));
    let found = agree(b.finish(), &[given], &[Scalar::Int(3), scale]);
    let expected: Vec<i64> = (0..1000).map(|at| 10 + at + 1).collect();
    assert_eq!(numbers(&found[0]), expected);
}

/// `own = i; own += total; if flag { own = 0 }; out[i] = own + 1`.
fn parallel_body(b: &mut Builder, out: ArrayId, i: VarId, total: VarId, flag: VarId) {
    let own = b.local("own", I64);
    let at = b.var(i);
    let start = b.expr(nnz_core::loops::Expr::Cast { to: I64, from: at });
    b.push(Stmt::Mut { var: own, value: start });
    let (mine, total) = (b.var(own), b.var(total));
    let sum = b.add(mine, total);
    b.push(Stmt::Assign { var: own, value: sum });
    let (flag, zero, one) = (b.var(flag), int(b, 0), int(b, 1));
    b.when(flag, |b| b.push(Stmt::Assign { var: own, value: zero }));
    let value = b.add(mine, one);
    b.store(out, at, value);
}

/// Rows of few and of many entries: as they are written, and as the pass for segments leaves them.
#[test]
fn short_and_long_segments() {
    let function = spmv(Element::F64, ForKind::Parallel);
    let form = Form::Run(Target::Cpu, FloatOrder::Strict);
    let split = backend::passed(form, &verify(function.clone()).unwrap()).unwrap().into_inner();
    assert!(split.to_string().contains("if 16 <= A.pos1[i + 1] - A.pos1[i] {"), "{split}");
    let lengths = [0, 3, 15, 16, 17, 40];
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    let positions: Vec<u64> = std::iter::once(0).chain(ends).collect();
    let wave = |by: f64| Given::Read(Values::F64((0..91).map(|at| (f64::from(at) * by).sin()).collect()));
    let arrays = [
        Given::Indices(IndexArray::U64(positions)),
        Given::Indices(IndexArray::U32((0..91).rev().collect())),
        wave(0.7),
        wave(0.3),
        Given::Write(Values::zeros(Element::F64, 6)),
    ];
    let rows = [Scalar::Int(6)];
    assert_eq!(bits(&agree(function, &arrays, &rows)[4]), bits(&agree(split, &arrays, &rows)[4]));
}

#[test]
fn arguments_that_do_not_fit_are_refused_alike() {
    let function = verify(spmv(Element::F64, ForKind::Serial)).unwrap();
    let good = || {
        vec![
            Given::Indices(IndexArray::U64(vec![0, 1])),
            Given::Indices(IndexArray::U32(vec![0])),
            Given::Read(Values::F64(vec![2.0])),
            Given::Read(Values::F64(vec![3.0])),
            Given::Write(Values::F64(vec![0.0])),
        ]
    };
    let with = |at: usize, given: Given| {
        let mut arrays = good();
        arrays[at] = given;
        arrays
    };
    let one = [Scalar::Int(1)];
    let cases = [
        (good()[..4].to_vec(), &one[..]),
        (good(), &[][..]),
        (good(), &[Scalar::Float(1.0)][..]),
        (with(0, Given::Indices(IndexArray::U32(vec![0, 1]))), &one[..]),
        (with(1, Given::Indices(IndexArray::U2 { len: 1, bytes: vec![0] })), &one[..]),
        (with(2, Given::Read(Values::F32(vec![2.0]))), &one[..]),
        (with(2, Given::Indices(IndexArray::U64(vec![0]))), &one[..]),
        (with(4, Given::Read(Values::F64(vec![0.0]))), &one[..]),
    ];
    for (arrays, scalars) in cases {
        let expected = run(&Interpreter, &function, &arrays, scalars, 1).unwrap_err();
        assert!(matches!(expected, BackendError::BadArgument { .. }), "{expected}");
        for Other { name, backend, .. } in others() {
            assert_eq!(run(&*backend, &function, &arrays, scalars, 1).unwrap_err(), expected, "{name}");
        }
    }
    assert!(run(&Interpreter, &function, &good(), &one, 1).is_ok());
}

/// `for i in 0..2 { for p in pos[i]..pos[i + 1] { for q in 0..2 { for k in 0..n { C[i * n + k] ±= a[p] * B[(p + q) * n + k] } } } }`
fn rows(element: Element, op: Binary) -> nnz_core::loops::Function {
    let mut b = Builder::new("rows");
    let values = ArrayType::Values(element);
    let pos = b.array("pos", ArrayType::Indices(Width::W32), AccessMode::Read);
    let a = b.array("a", values, AccessMode::Read);
    let dense = b.array("B", values, AccessMode::Read);
    let result = b.array("C", values, AccessMode::ReadWrite);
    let n = b.param("n", Type::Index);
    let [i, p, q, k] = ["i", "p", "q", "k"].map(|name| b.local(name, Type::Index));
    let range = [b.index(0), b.index(2)];
    b.for_range(i, range, ForKind::Parallel, |b| {
        let (at, one) = (b.var(i), b.index(1));
        let after = b.add(at, one);
        let range = [b.load(pos, at), b.load(pos, after)];
        b.for_range(p, range, ForKind::Serial, |b| {
            let at = b.var(p);
            let factor = b.load(a, at);
            let factor = b.define("factor", Type::Element(element), factor);
            let range = [b.index(0), b.index(2)];
            b.for_range(q, range, ForKind::Serial, |b| {
                let range = [b.index(0), b.var(n)];
                b.for_range(k, range, ForKind::Serial, |b| {
                    let place = |b: &mut Builder, row: ExprId| {
                        let (n, k) = (b.var(n), b.var(k));
                        let start = b.mul(row, n);
                        b.add(start, k)
                    };
                    let (i, p, q) = (b.var(i), b.var(p), b.var(q));
                    let (to, row) = (place(b, i), b.add(p, q));
                    let from = place(b, row);
                    let (so_far, factor, entry) = (b.load(result, to), b.var(factor), b.load(dense, from));
                    let product = b.mul(factor, entry);
                    let value = b.binary(op, so_far, product);
                    b.store(result, to, value);
                });
            });
        });
    });
    b.finish()
}

#[test]
fn rows_that_are_updated_again_and_again() {
    let wave = |count: usize, by: f64| (0..count).map(move |at| (at as f64 * by).sin() * 10f64.powi(at as i32 % 7));
    let given = |element, values: Vec<f64>| match element {
        Element::F32 => Values::F32(values.into_iter().map(|x| x as f32).collect()),
        _ => Values::F64(values),
    };
    // One back end alone changes the loops, and another takes long to compile so many.
    let llvm: Vec<Other> = others().into_iter().filter(|other| other.name == "LLVM").collect();
    for (element, op) in [(Element::F64, Binary::Add), (Element::F64, Binary::Sub), (Element::F32, Binary::Add)] {
        for n in [0, 1, 31, 32, 33, 100] {
            for positions in [vec![0, 3, 5], vec![0, 0, 5], vec![0, 0, 0]] {
                let arrays = [
                    Given::Indices(IndexArray::U32(positions)),
                    Given::Read(given(element, wave(5, 0.7).collect())),
                    Given::Read(given(element, wave(6 * n, 0.3).collect())),
                    Given::Write(given(element, wave(2 * n, 0.1).collect())),
                ];
                agree_on(&llvm, rows(element, op), &arrays, &[Scalar::Int(n as i128)]);
            }
        }
    }
}

//! Proofs about hand-written loops: `y` is the result, `n` the size of `i`, `x.pos1` and `x.crd1` belong to a
//! CSR matrix, `v.crd0` to a sparse vector.

use std::sync::Arc;

use super::{Refusal, draft::Draft, interchange, parallelize, vectorize};
use crate::{
    iterate::{self, Plan},
    lower::{ArrayBinding, LoopOver, NamedLoop, Phase, ScalarBinding},
};
use nnz_base::{
    element::Element,
    ids::{IndexVar, Lvl, TensorId},
};
use nnz_encoding::{Encoding, named};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, LoopName, Tensor, schedule::Unit};
use nnz_loops::{VarId, parse, verify};

/// `y(i, j) = x(i, j) + v(j)`, all sizes 4.
fn plan() -> Plan {
    let tensor = |name: &str, rank: usize, encoding: Option<Encoding>| Tensor {
        name: name.to_string(),
        element: Element::F64,
        shape: vec![4; rank],
        encoding: encoding.map(Arc::new),
    };
    let vector = named::lookup("SparseVector", &[], Some(1)).ok();
    let tensors = vec![tensor("y", 2, None), tensor("x", 2, named::csr()), tensor("v", 1, vector)];
    let access = |tensor: usize, vars: &[usize]| {
        let vars: Vec<IndexVar> = vars.iter().map(|var| IndexVar::new(*var)).collect();
        Access::of_vars(TensorId::new(tensor), &vars)
    };
    let operand = |access: Access| Box::new(Expr::Access(access));
    let sum = Expr::Binary(BinaryOp::Add, operand(access(1, &[0, 1])), operand(access(2, &[1])));
    let vars = vec!["i".to_string(), "j".to_string()];
    iterate::plan(&Kernel::new(tensors, vars, access(0, &[0, 1]), sum).unwrap()).unwrap()
}

/// A function with this body. Every `for` of it can be named by its variable.
fn draft(body: &str) -> Draft {
    let text = format!(
        "kernel y(\n  n: index,\n  y: readwrite values<f64>,\n  x.pos1: read indices<u64>,\n  x.crd1: read indices<u64>,\n  v.crd0: read indices<u64>,\n) {{\n{body}\n}}\n"
    );
    let function = verify(parse(&text).unwrap()).unwrap();
    let names = function.vars.iter().enumerate().skip(function.scalar_params);
    let named = |(at, var): (usize, &nnz_loops::Var)| NamedLoop {
        name: LoopName::new(var.name.clone()),
        over: LoopOver::Range { var: VarId::new(at) },
    };
    let loops = names.map(named).collect();
    let [x, v] = [1, 2].map(TensorId::new);
    let arrays = vec![
        ArrayBinding::Result,
        ArrayBinding::Positions(x, Lvl(1)),
        ArrayBinding::Coordinates(x, Lvl(1)),
        ArrayBinding::Coordinates(v, Lvl(0)),
    ];
    Draft::new(Phase { function, arrays, scalars: vec![ScalarBinding::Extent(IndexVar(0))], loops })
}

fn parallel(body: &str) -> Result<(), Refusal> {
    parallelize::parallelize(&plan(), &mut draft(body), &LoopName::new("i"), Unit::CpuThreads)
}

fn exchanged(body: &str) -> Result<(), Refusal> {
    interchange::reorder(&plan(), &mut draft(body), &["j", "i"].map(LoopName::new))
}

#[test]
fn iterations_that_write_apart_are_parallel() {
    for body in [
        "for i in 0..n { y[i] = y[i] + f64(1.0) }",
        "for i in 0..n { for j in 0..n { y[i * n + j] = f64(1.0) } }",
        "for i in 0..n { for j in 0..n { y[j * n + i] = f64(1.0) } }",
        "for i in 0..n { for p in x.pos1[i]..x.pos1[i + 1] { y[p] = f64(1.0) } }",
        "for i in 0..n { for p in x.pos1[i]..x.pos1[i + 1] { y[i * n + x.crd1[p]] = f64(1.0) } }",
        "for i in 0..n { let c = v.crd0[i] y[c] = f64(1.0) }",
        "for i in 0..n { for a in 0..(n + 1) / 2 { for b in 0..min(2, n - a * 2) { let j = a * 2 + b y[i * n + j] = f64(1.0) } } }",
        "for i in 0..n * n { let a = i / n let b = i % n y[a * n + b] = f64(1.0) }",
        "for i in 0..n { y[i * 2] = y[i * 2] + f64(1.0) }",
    ] {
        assert_eq!(parallel(body), Ok(()), "{body}");
    }
}

#[test]
fn iterations_that_may_meet_are_not() {
    for body in [
        "for i in 0..n { y[0] = f64(1.0) }",
        "for i in 0..n { for j in 0..n { y[j] = f64(1.0) } }",
        "for i in 0..n { for j in 0..n { y[i + j] = f64(1.0) } }",
        "for i in 0..n { y[i + 1] = y[i] }",
        "for i in 0..n { y[i / 2] = f64(1.0) }",
        "for i in 0..n { for j in 0..n + 1 { y[i * n + j] = f64(1.0) } }",
        "for i in 0..n { y[x.crd1[i]] = f64(1.0) }",
        "for i in 0..n { for p in x.pos1[i]..x.pos1[i + 2] { y[p] = f64(1.0) } }",
        "for i in 0..n { y[i] = f64(1.0) y[n - i] = f64(2.0) }",
        "for i in 0..n * n { let a = i / n let b = i % n y[b * n + a] = f64(1.0) y[a * n + b] = f64(2.0) }",
    ] {
        assert!(matches!(parallel(body), Err(Refusal::Race { .. })), "{body}: {:?}", parallel(body));
    }
    let carried = "var s: f64 = f64(0.0) for i in 0..n { s = s + y[i] }";
    assert!(matches!(parallel(carried), Err(Refusal::Carried { .. })), "{:?}", parallel(carried));
}

#[test]
fn loops_change_places_where_every_entry_keeps_its_order() {
    for body in [
        "for i in 0..n { for j in 0..n { y[i * n + j] = f64(1.0) } }",
        "for i in 0..n { let a = x.pos1[i] for j in 0..n { y[j] = y[j] + y[j] * f64(2.0) } }",
        "for i in 0..n { for j in 0..n { y[i] = y[i] + f64(1.0) } }",
    ] {
        assert_eq!(exchanged(body), Ok(()), "{body}");
    }
}

#[test]
fn loops_keep_their_places_where_an_entry_would_see_another_order() {
    let dependent = "for i in 0..n { for j in 0..n { y[i + j] = y[i + j] * f64(2.0) + f64(1.0) } }";
    assert!(matches!(exchanged(dependent), Err(Refusal::Dependence { .. })), "{:?}", exchanged(dependent));
    let one = "for i in 0..n { for j in 0..n { y[0] = y[0] * f64(2.0) + f64(1.0) } }";
    assert!(matches!(exchanged(one), Err(Refusal::Dependence { .. })), "{:?}", exchanged(one));
    let sum = "var s: f64 = f64(0.0) for i in 0..n { for j in 0..n { s = s + y[i * n + j] } }";
    assert!(matches!(exchanged(sum), Err(Refusal::AddedUp { .. })), "{:?}", exchanged(sum));
    let triangle = "for i in 0..n { for j in 0..i { y[i * n + j] = f64(1.0) } }";
    assert!(matches!(exchanged(triangle), Err(Refusal::BoundsDepend { .. })), "{:?}", exchanged(triangle));
    let beside = "for i in 0..n { y[i] = f64(1.0) for j in 0..n { y[j] = f64(2.0) } }";
    assert!(matches!(exchanged(beside), Err(Refusal::NotAlone { .. })), "{:?}", exchanged(beside));
}

#[test]
fn lanes_need_independent_innermost_iterations() {
    let lanes = |body: &str| vectorize::vectorize(&plan(), &mut draft(body), &LoopName::new("j"), false);
    // Within one row an entry is met once, wherever the row starts.
    assert_eq!(lanes("for i in 0..n { for j in 0..n { y[i + j] = f64(1.0) } }"), Ok(()));
    let nested = "for j in 0..n { for i in 0..n { y[i] = f64(1.0) } }";
    assert!(matches!(lanes(nested), Err(Refusal::NotInnermost { .. })));
    let meeting = "for i in 0..n { for j in 0..n { y[i] = y[i] * f64(2.0) } }";
    assert!(matches!(lanes(meeting), Err(Refusal::Race { .. })));
}

//! Arrays that functions allocate, and constructs that back ends refuse with their name.

use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{BackendError, Interpreter, c, mlir},
    element::Scalar,
    loops::{Verified, parse, verify},
};

use super::{Given, agree_on, others, run};

fn function(text: &str) -> Verified<nnz_core::loops::Function> {
    verify(parse(text).unwrap_or_else(|error| panic!("{error} in {text}"))).unwrap()
}

const PARAMS: &str = "n: index, x: read values<f64>, y: readwrite values<f64>,";

#[test]
fn an_array_lives_in_its_block() {
    let text = format!(
        "kernel k({PARAMS}) {{
           alloc turned: values<f64>[n]
           for i in 0..n {{ turned[i] = x[n - 1 - i] }}
           for r in 0..n {{
             alloc seen: indices<u16>[3]
             alloc z: values<complex<f32>>[n * 2 + 1]
             for k in 0..3 {{ seen[k] = 7 - k * r }}
             sort seen[0..3]
             z[n + r] = complex<f32>(2.0, 0.0)
             y[r] = turned[r] + cast<f64>(seen[0]) + cast<f64>(re(z[n + r]))
           }}
         }}"
    );
    // MLIR refuses allocations.
    let others: Vec<_> = others().into_iter().filter(|other| other.name != "MLIR").collect();
    for n in [0, 1, 3] {
        let x = Given::Read(Values::from((0..n).map(|i| f64::from(i) * 0.5).collect::<Vec<f64>>()));
        let y = Given::Write(Values::from(vec![0.0; n as usize]));
        let found = agree_on(&others, parse(&text).unwrap(), &[x, y], &[Scalar::Int(n.into())]);
        let Given::Write(found) = &found[1] else { panic!("y is written") };
        let expected = (0..n).map(|i| f64::from(n - 1 - i) * 0.5 + f64::from(7 - 2 * i) + 2.0).collect::<Vec<f64>>();
        assert_eq!(*found, Values::from(expected), "{n}");
    }
}

#[test]
fn iterations_of_a_parallel_loop_have_arrays_of_their_own() {
    let function = function(
        "kernel k(n: index, y: readwrite values<f64>,) {
           for i in 0..n parallel { alloc own: values<f64>[2] own[0] = cast<f64>(i) own[1] = own[0] y[i] = own[1] } }",
    );
    let given = [Given::Write(vec![0.0; 3].into())];
    // LLVM and MLIR refuse such allocations.
    let others: Vec<_> = others().into_iter().filter(|other| matches!(other.name, "passes" | "C")).collect();
    let found = agree_on(&others, function.clone().into_inner(), &given, &[Scalar::Int(3)]);
    let Given::Write(found) = &found[0] else { panic!("y is written") };
    assert_eq!(*found, Values::from(vec![0.0, 1.0, 2.0]));
    #[cfg(feature = "llvm")]
    assert_eq!(refusal(&function).as_deref(), Some("LLVM cannot run this kernel: it has an allocation"));
}

#[test]
fn an_entry_that_is_not_written_is_not_read() {
    let problem = |body: &str| {
        let function = function(&format!("kernel k({PARAMS}) {{ {body} }}"));
        let given = [Given::Read(vec![0.0].into()), Given::Write(vec![0.0].into())];
        run(&Interpreter, &function, &given, &[Scalar::Int(1)], 1).err().map(|error| error.to_string())
    };
    let wrong = |text: &str| Some(format!("the kernel went wrong at run time: {text}"));
    let again = "for i in 0..2 { alloc t: values<f64>[2] if i == 0 { t[0] = f64(1.0) } y[0] = t[0] }";
    assert_eq!(problem(again), wrong("`t[0]` is read before it is written"));
    assert_eq!(problem("alloc t: indices<u8>[n] t[n] = 3"), wrong("`t[1]` is outside the array, which has 1 entries"));
    assert_eq!(problem("alloc t: values<f64>[n - 2] y[0] = x[0]"), wrong("`t` is allocated with -1 entries"));
    #[cfg(feature = "llvm")]
    {
        let function = function("kernel k(n: index,) { alloc t: values<f64>[n - 2] t[n] = f64(1.0) }");
        let found = run(&nnz_core::backend::Llvm::default(), &function, &[], &[Scalar::Int(1)], 1);
        assert_eq!(found.err().map(|error| error.to_string()), wrong("`t` is allocated with -1 entries"));
    }
}

#[test]
fn atomic_and_vector_statements_run_on_the_interpreter() {
    let function = function(
        "kernel k(n: index, list: readwrite indices<u32>, y: readwrite values<f64>,) {
           for i in 0..n parallel { atomic add list[0], i -> before  atomic add y[0], cast<f64>(before) }
           load y[n * 2 - 6] -> a: f64, b: f64
           store b, a -> y[2] }",
    );
    let given = [Given::WriteIndices(IndexArray::U32(vec![10])), Given::Write(vec![1.0, 2.0, 0.0, 0.0].into())];
    let found = run(&Interpreter, &function, &given, &[Scalar::Int(3)], 1).unwrap();
    let [Given::WriteIndices(list), Given::Write(y)] = found.as_slice() else { panic!("both are written") };
    assert_eq!((list, y), (&IndexArray::U32(vec![13]), &Values::from(vec![32.0, 2.0, 2.0, 32.0])));
}

/// What a back end says of a function that it does not take.
#[cfg(feature = "llvm")]
fn refusal(function: &Verified<nnz_core::loops::Function>) -> Option<String> {
    use nnz_core::backend::{Backend, Llvm};
    Some(Llvm::default().compile(function).err().map_or("nothing".to_string(), |error| error.to_string()))
}

#[cfg(not(feature = "llvm"))]
fn refusal(_: &Verified<nnz_core::loops::Function>) -> Option<String> {
    None
}

#[test]
fn what_is_not_taken_is_named() {
    let refused = |body: &str| {
        let more = "list: readwrite indices<u32>, far: device readwrite values<f64>,";
        let function = function(&format!("kernel k({PARAMS} {more}) {{ {body} }}"));
        let text = |found: Result<String, BackendError>| found.err().map_or("taken".to_string(), |e| e.to_string());
        let said = [text(c::text(&function)), text(mlir::text(&function))];
        said.into_iter().chain(refusal(&function)).collect::<Vec<_>>()
    };
    let all = |construct: &str| -> Vec<String> {
        let targets = if cfg!(feature = "llvm") { vec!["C", "MLIR", "LLVM"] } else { vec!["C", "MLIR"] };
        targets.into_iter().map(|target| format!("{target} cannot run this kernel: it has {construct}")).collect()
    };
    assert_eq!(refused("for i in 0..n { atomic add list[i], 1 }"), all("an atomic statement"));
    assert_eq!(refused("load x[n * 2] -> a: f64, b: f64 y[0] = a + b"), all("a load of several entries"));
    assert_eq!(refused("if n == 1 { store x[0], x[1] -> y[n * 2] }"), all("a store of several entries"));
    assert_eq!(refused("copy far -> y, n"), all("a copy"));
    assert_eq!(refused("alloc t: values<f64>[n] t[0] = x[0]")[1], "MLIR cannot run this kernel: it has an allocation");
}

//! One fault of each kind, planted in a correct function. The verifier finds every fault and names it correctly.

mod kernels;

use super::*;
use crate::{AccessMode, Binary, Unary, parse};
use nnz_base::{
    element::{Element, Scalar},
    functions::UnaryFunction,
};

/// Every statement, on one page. Of variables, `n` and `scale` are 0 and 1, `i` is 2, `total` 3, `at` 4,
/// `odd` 5, `j` 6; of arrays, `pos` is 0, `list` 1, `x` 2, `y` 3.
const GOOD: &str = "\
kernel good(
  n: index,
  scale: f64,
  pos: read indices<u32>,
  list: readwrite indices<u64>,
  x: read values<f64>,
  y: write values<f64>,
) {
  for i in 0..n parallel {
    var total: f64 = f64(0.0)
    var at: index = pos[i]
    while at < pos[i + 1] {
      total = total + x[at] * scale
      at = at + 1
    }
    let odd: bool = i % 2 == 1
    if odd {
      y[i] = total
    }
  }
  // then
  for j in 0..n {
    list[j] = j * 2
  }
  sort list[0..n]
}
";

const I: VarId = VarId(2);
const TOTAL: VarId = VarId(3);
const POS: ArrayId = ArrayId(0);
const LIST: ArrayId = ArrayId(1);
const X: ArrayId = ArrayId(2);
const Y: ArrayId = ArrayId(3);
const F64: Type = Type::Element(Element::F64);

fn good() -> Function {
    parse(GOOD).expect("the text is a function")
}

/// Adds an expression.
fn add(f: &mut Function, expr: Expr) -> ExprId {
    f.exprs.push(expr);
    ExprId::new(f.exprs.len() - 1)
}

fn number(f: &mut Function) -> ExprId {
    add(f, Expr::Index(7))
}

fn value(f: &mut Function) -> ExprId {
    add(f, Expr::Value(Element::F64, Scalar::Float(1.5)))
}

/// The body of the parallel loop.
fn inside(f: &mut Function) -> &mut Vec<Stmt> {
    let Stmt::For { body, .. } = &mut f.body[0] else { panic!("the first statement is not the loop") };
    body
}

fn name(text: &str) -> String {
    text.to_string()
}

/// A fault: its name, how it is planted, and the expected error.
struct Fault {
    name: &'static str,
    plant: fn(&mut Function),
    expected: Vec<LoopError>,
}

fn fault(name: &'static str, plant: fn(&mut Function), expected: LoopError) -> Fault {
    Fault { name, plant, expected: vec![expected] }
}

/// Things that are not there, or not yet, or not any more.
fn references() -> Vec<Fault> {
    vec![
        Fault {
            name: "an expression of a variable that the function does not have",
            plant: |f| {
                let lost = add(f, Expr::Var(VarId(99)));
                f.body.push(Stmt::Sort { array: LIST, lo: lost, hi: lost });
            },
            expected: vec![
                LoopError::NoVar(VarId(99)),
                LoopError::OutOfScope(name("%v99")),
                LoopError::OutOfScope(name("%v99")),
            ],
        },
        fault(
            "a store to an array that the function does not have",
            |f| {
                let (index, value) = (number(f), value(f));
                f.body.push(Stmt::Store { array: ArrayId(9), index, value });
            },
            LoopError::NoArray(ArrayId(9)),
        ),
        fault(
            "a condition that is no expression of the function",
            |f| f.body.push(Stmt::While { cond: ExprId(999), body: Vec::new() }),
            LoopError::NoExpr(ExprId(999)),
        ),
        fault(
            "an expression of itself",
            |f| {
                let at = ExprId::new(f.exprs.len());
                add(f, Expr::Unary(Unary::Neg, at));
            },
            LoopError::ForwardExpr(ExprId::new(good().exprs.len()), ExprId::new(good().exprs.len())),
        ),
        fault(
            "a loop's variable after the loop",
            |f| {
                let i = add(f, Expr::Var(I));
                let value = value(f);
                f.body.push(Stmt::Store { array: Y, index: i, value });
            },
            LoopError::OutOfScope(name("i")),
        ),
        fault(
            "a variable before its declaration",
            |f| {
                let total = add(f, Expr::Var(TOTAL));
                let index = number(f);
                inside(f).insert(0, Stmt::Store { array: Y, index, value: total });
            },
            LoopError::OutOfScope(name("total")),
        ),
    ]
}

/// What the signature says.
fn declarations() -> Vec<Fault> {
    vec![
        fault("two arrays of one name", |f| f.arrays[2].name = name("pos"), LoopError::DuplicateName(name("pos"))),
        fault(
            "a word of the language as a name",
            |f| f.vars[6].name = name("while"),
            LoopError::BadName(name("while")),
        ),
        fault("a function's name that is none", |f| f.name = name("2 y"), LoopError::BadName(name("2 y"))),
        fault(
            "more parameters than variables",
            |f| {
                f.body.clear();
                f.vars.truncate(2);
                f.exprs.clear();
                f.scalar_params = 3;
            },
            LoopError::TooManyParams(3, 2),
        ),
        fault(
            "a truth value as a parameter",
            |f| {
                f.vars[0].ty = Type::Bool;
                f.body.clear();
                f.exprs.clear();
            },
            LoopError::BoolParam(name("n")),
        ),
        fault(
            "a variable declared twice",
            |f| {
                let value = value(f);
                inside(f).push(Stmt::Mut { var: TOTAL, value });
            },
            LoopError::Redeclared(name("total")),
        ),
        fault("a comment of two lines", |f| f.body.push(Stmt::Comment(name("a\nb"))), LoopError::LongComment),
    ]
}

/// Types that do not fit.
fn types() -> Vec<Fault> {
    let last = ExprId::new(good().exprs.len() + 1);
    vec![
        fault(
            "a sum of a number and a position",
            |f| {
                let value = value(f);
                add(f, Expr::Binary(Binary::Add, value, ExprId(0)));
            },
            LoopError::IllTyped(last, TypeError::Mixed { op: "+", left: F64, right: Type::Index }),
        ),
        fault(
            "the root of a position",
            |f| {
                let number = number(f);
                add(f, Expr::Unary(Unary::Function(UnaryFunction::Sqrt), number));
            },
            LoopError::IllTyped(last, TypeError::NoOperation { op: "sqrt", ty: Type::Index }),
        ),
        fault(
            "an entry at a float",
            |f| {
                let index = value(f);
                add(f, Expr::Load { array: X, index });
            },
            LoopError::IllTyped(last, TypeError::Expected { expected: Type::Index, found: F64 }),
        ),
        fault(
            "a literal beyond its type",
            |f| f.exprs.push(Expr::Value(Element::I8, Scalar::Int(200))),
            LoopError::IllTyped(ExprId::new(good().exprs.len()), TypeError::BadLiteral(Type::Element(Element::I8))),
        ),
        fault(
            "a complex number cast to a real one",
            |f| {
                let from = add(f, Expr::Value(Element::C64, Element::C64.zero()));
                add(f, Expr::Cast { to: F64, from });
            },
            LoopError::IllTyped(last, TypeError::NoCast { from: Type::Element(Element::C64), to: F64 }),
        ),
        fault(
            "a position as a condition",
            |f| {
                let cond = number(f);
                f.body.push(Stmt::If { cond, then: Vec::new(), other: Vec::new() });
            },
            LoopError::WrongType { name: name("a condition"), expected: Type::Bool, found: Type::Index },
        ),
        fault(
            "a loop up to a float",
            |f| {
                let bound = value(f);
                if let Stmt::For { hi, .. } = &mut f.body[2] {
                    *hi = bound;
                }
            },
            LoopError::WrongType { name: name("a loop's bound"), expected: Type::Index, found: F64 },
        ),
        fault(
            "a position stored among values",
            |f| {
                let (index, value) = (number(f), number(f));
                f.body.push(Stmt::Store { array: Y, index, value });
            },
            LoopError::WrongType { name: name("y"), expected: F64, found: Type::Index },
        ),
        fault(
            "a loop over a float variable",
            |f| {
                f.vars.push(Var { name: name("k"), ty: F64 });
                let (var, lo) = (VarId::new(f.vars.len() - 1), number(f));
                f.body.push(Stmt::For { var, lo, hi: lo, kind: ForKind::Serial, body: Vec::new() });
            },
            LoopError::WrongType { name: name("k"), expected: F64, found: Type::Index },
        ),
    ]
}

/// What may be changed, and where.
fn changes() -> Vec<Fault> {
    vec![
        fault(
            "a store to what is only read",
            |f| f.arrays[3].mode = AccessMode::Read,
            LoopError::StoreToRead(name("y")),
        ),
        fault(
            "a load from what is only written",
            |f| f.arrays[2].mode = AccessMode::Write,
            LoopError::LoadFromWrite(name("x")),
        ),
        fault(
            "an assignment to a loop's variable",
            |f| {
                let value = number(f);
                inside(f).push(Stmt::Assign { var: I, value });
            },
            LoopError::NotAssignable(name("i")),
        ),
        fault(
            "an assignment to a parameter",
            |f| {
                let value = value(f);
                f.body.push(Stmt::Assign { var: VarId(1), value });
            },
            LoopError::NotAssignable(name("scale")),
        ),
        fault(
            "a variable that iterations of a parallel loop share",
            |f| {
                f.vars.push(Var { name: name("shared"), ty: Type::Index });
                let (var, value) = (VarId::new(f.vars.len() - 1), number(f));
                inside(f).push(Stmt::Assign { var, value });
                f.body.insert(0, Stmt::Mut { var, value });
            },
            LoopError::SharedAssign(name("shared")),
        ),
        fault(
            "a sort of values",
            |f| {
                let (lo, hi) = (number(f), number(f));
                f.body.push(Stmt::Sort { array: Y, lo, hi });
            },
            LoopError::SortOf(name("y")),
        ),
        fault(
            "a sort of what is only read",
            |f| {
                let (lo, hi) = (number(f), number(f));
                f.body.push(Stmt::Sort { array: POS, lo, hi });
            },
            LoopError::SortOf(name("pos")),
        ),
        fault(
            "a parallel loop in a condition",
            |f| {
                let cond = add(f, Expr::Bool(true));
                let then = vec![f.body.remove(0)];
                f.body.insert(0, Stmt::If { cond, then, other: Vec::new() });
            },
            LoopError::NestedParallel,
        ),
        fault(
            "a rolled loop around another",
            |f| {
                if let Stmt::For { kind, .. } = &mut f.body[0] {
                    *kind = ForKind::Rolled;
                }
            },
            LoopError::NotInnermost,
        ),
    ]
}

#[test]
fn the_good_function_is_legal_in_both_kinds_of_loop() {
    assert_eq!(verify(good()).map(Verified::into_inner), Ok(good()));
    let mut serial = good();
    if let Stmt::For { kind, .. } = &mut serial.body[0] {
        *kind = ForKind::Serial;
    }
    assert!(verify(serial).is_ok());
}

#[test]
fn every_planted_fault_is_found() {
    let faults: Vec<Fault> = [references(), declarations(), types(), changes()].into_iter().flatten().collect();
    assert!(faults.len() >= 20, "{}", faults.len());
    for Fault { name, plant, expected } in faults {
        let mut function = good();
        plant(&mut function);
        assert_eq!(verify(function).err().unwrap_or_default(), expected, "{name}");
    }
}

#[test]
fn a_loop_is_divided_by_positions_that_its_iterations_run_over() {
    let divided_as = |by: &str, body: &str| {
        let arrays = "p: read indices<u32>, q: read indices<u32>, y: readwrite values<f64>,";
        let text = format!("kernel k(n: index, {arrays}) {{ for i in 0..n parallel by {by} {{ {body} }} }}");
        verify(crate::parse(&text).expect("the text is a function")).err().unwrap_or_default()
    };
    let divided = |by: &str| divided_as(by, "for s in p[i]..p[i + 1] { y[s] = f64(1.0) }");
    let unbalanced = [LoopError::Unbalanced(name("q"))];
    assert_eq!(divided("p"), []);
    assert_eq!(divided("q"), unbalanced);
    assert_eq!(divided_as("q", "if 16 <= q[i + 1] - q[i] { y[i] = f64(1.0) }"), []);
    assert_eq!(divided_as("q", "if 16 <= q[i] - q[i + 1] { y[i] = f64(1.0) }"), unbalanced);
    assert_eq!(divided_as("q", "if 16 <= p[i + 1] - q[i] { y[i] = f64(1.0) }"), unbalanced);
}

#[test]
fn sharing_is_a_fault_of_parallel_and_vector_loops_alone() {
    let shared = |of: ForKind| {
        let mut function = good();
        function.vars.push(Var { name: name("shared"), ty: Type::Index });
        let (var, value) = (VarId::new(function.vars.len() - 1), number(&mut function));
        if let Stmt::For { kind, body, .. } = &mut function.body[0] {
            *kind = of;
            body.push(Stmt::Assign { var, value });
        }
        function.body.insert(0, Stmt::Mut { var, value });
        verify(function).err().unwrap_or_default()
    };
    assert_eq!(shared(ForKind::Serial), []);
    assert_eq!(shared(ForKind::Vector), [LoopError::SharedAssign(name("shared"))]);
}

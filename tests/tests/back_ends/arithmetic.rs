//! Every operation on every type, over the edges of the type: by arrays (which LLVM vectorises) and by
//! constants (which LLVM folds).

use num_complex::Complex;

use super::{Given, agree, bits};
use nnz_core::{
    arrays::{IndexArray, Values},
    element::{Element, Scalar},
    functions::BinaryFunction,
    loops::{
        AccessMode, ArrayId, ArrayType, Binary, Builder, Expr, ExprId, ForKind, Type, Unary, VarId, machine::Width,
    },
};
use nnz_tests::parallel;

const BINARY: &[Binary] = &[
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Rem,
    Binary::Min,
    Binary::Max,
    Binary::Pow,
    Binary::Function(BinaryFunction::Atan2),
    Binary::BitAnd,
    Binary::BitOr,
    Binary::BitXor,
    Binary::Shl,
    Binary::Shr,
    Binary::Eq,
    Binary::Ne,
    Binary::Lt,
    Binary::Le,
];

fn applies(element: Element, op: Unary) -> bool {
    match op {
        Unary::Neg | Unary::Abs => true,
        Unary::Not => false,
        Unary::BitNot => element.is_integer(),
        Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => element.is_complex(),
        Unary::Function(function) => element.is_float() || element.is_complex() && function.complex().is_some(),
    }
}

fn joins(element: Element, op: Binary) -> bool {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Eq | Binary::Ne => true,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => element.is_integer(),
        Binary::Pow => true,
        Binary::Function(_) => element.is_float(),
        _ => !element.is_complex(),
    }
}

fn joins_indices(op: Binary) -> bool {
    use Binary::{BitAnd, BitOr, BitXor, Pow, Shl, Shr};
    ![Pow, BitAnd, BitOr, BitXor, Shl, Shr].contains(&op) && !matches!(op, Binary::Function(_))
}

/// Values at and near every edge of the type.
pub(super) fn edges(element: Element) -> Vec<Scalar> {
    if let Some((low, high)) = element.int_range() {
        let near = [low, low + 1, -7, -3, -2, -1, 0, 1, 2, 3, 5, 7, 100, high - 1, high];
        let mut numbers: Vec<i128> = near.into_iter().filter(|n| (low..=high).contains(n)).collect();
        numbers.dedup();
        return numbers.into_iter().map(Scalar::Int).collect();
    }
    if element.is_complex() {
        let parts = [0.0, -0.0, 1.0, -2.5, 0.1, 3e20, f64::INFINITY, f64::NAN];
        let pair = |re| parts.map(|im| Scalar::Complex(Complex::new(re, im)));
        return parts.into_iter().flat_map(pair).collect();
    }
    let numbers = [
        0.0,
        1.0,
        0.1,
        0.5,
        1.5,
        2.0,
        2.5,
        3.0,
        7.3,
        127.5,
        255.0,
        2049.0,
        65504.0,
        65519.9,
        65520.0,
        1e10,
        9.3e18,
        1.9e19,
        3.4e38,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e-45,
        6e-8,
        1e-40,
        9.2e-41,
        1.1754944e-38,
        f64::INFINITY,
    ];
    let both = |x: f64| [Scalar::Float(x), Scalar::Float(-x)];
    numbers.into_iter().flat_map(both).chain([Scalar::Float(f64::NAN)]).collect()
}

/// A kernel of one loop over `count` entries.
struct Elementwise {
    b: Builder,
    i: VarId,
    arrays: Vec<Given>,
    count: usize,
}

impl Elementwise {
    fn new(count: usize) -> Self {
        let mut b = Builder::new("elementwise");
        let i = b.local("i", Type::Index);
        b.open();
        Elementwise { b, i, arrays: Vec::new(), count }
    }
    fn input(&mut self, element: Element, scalars: Vec<Scalar>) -> ExprId {
        let array = self.b.array("a", ArrayType::Values(element), AccessMode::Read);
        self.arrays.push(Given::Read(Values::from_scalars(element, scalars)));
        self.at(array)
    }
    fn index_input(&mut self, numbers: Vec<u64>) -> ExprId {
        let array = self.b.array("a", ArrayType::Indices(Width::W64), AccessMode::Read);
        self.arrays.push(Given::Indices(IndexArray::U64(numbers)));
        self.at(array)
    }
    fn at(&mut self, array: ArrayId) -> ExprId {
        let i = self.b.var(self.i);
        self.b.load(array, i)
    }
    fn output(&mut self, element: Element, value: ExprId) {
        let array = self.b.array("out", ArrayType::Values(element), AccessMode::Write);
        self.arrays.push(Given::Write(Values::zeros(element, self.count)));
        let i = self.b.var(self.i);
        self.b.store(array, i, value);
    }
    /// A truth value, as 1 or 0.
    fn truth(&mut self, cond: ExprId) {
        let one = self.b.value(Element::I8, Scalar::Int(1));
        let zero = self.b.value(Element::I8, Scalar::Int(0));
        let value = self.b.select(cond, one, zero);
        self.output(Element::I8, value);
    }
    fn cast(&mut self, to: Type, from: ExprId) -> ExprId {
        self.b.expr(Expr::Cast { to, from })
    }
    #[track_caller]
    fn check(mut self) {
        let body = self.b.close();
        let (lo, hi) = (self.b.index(0), self.b.index(self.count as i64));
        self.b.push(nnz_core::loops::Stmt::For { var: self.i, lo, hi, kind: ForKind::Parallel, body });
        agree(self.b.finish(), &self.arrays, &[]);
    }
}

fn compares(op: Binary) -> bool {
    matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le)
}

#[test]
fn every_unary_operation_on_every_type() {
    for &element in Element::ALL {
        let values = edges(element);
        let mut kernel = Elementwise::new(values.len());
        let a = kernel.input(element, values);
        for op in Unary::all().filter(|op| applies(element, *op)) {
            let value = kernel.b.unary(op, a);
            kernel.output(if op.gives_part() { element.part() } else { element }, value);
        }
        kernel.check();
    }
}

#[test]
fn every_binary_operation_on_every_type() {
    for &element in Element::ALL {
        let values = edges(element);
        let pairs: Vec<[Scalar; 2]> = values.iter().flat_map(|&a| values.iter().map(move |&b| [a, b])).collect();
        let mut kernel = Elementwise::new(pairs.len());
        let a = kernel.input(element, pairs.iter().map(|pair| pair[0]).collect());
        let b = kernel.input(element, pairs.iter().map(|pair| pair[1]).collect());
        for &op in BINARY.iter().filter(|op| joins(element, **op)) {
            let value = kernel.b.expr(Expr::Binary(op, a, b));
            if compares(op) { kernel.truth(value) } else { kernel.output(element, value) }
        }
        kernel.check();
    }
}

#[test]
fn every_operation_on_indices() {
    let numbers = [0, 1, 2, 3, 7, i64::MAX as u64, i64::MIN as u64, -1i64 as u64, -2i64 as u64, -7i64 as u64];
    let pairs: Vec<[u64; 2]> = numbers.iter().flat_map(|&a| numbers.map(|b| [a, b])).collect();
    let mut kernel = Elementwise::new(pairs.len());
    let a = kernel.index_input(pairs.iter().map(|pair| pair[0]).collect());
    let b = kernel.index_input(pairs.iter().map(|pair| pair[1]).collect());
    for &op in BINARY.iter().filter(|op| joins_indices(**op)) {
        let value = kernel.b.expr(Expr::Binary(op, a, b));
        if compares(op) {
            kernel.truth(value);
        } else {
            let stored = kernel.cast(Type::Element(Element::I64), value);
            kernel.output(Element::I64, stored);
        }
    }
    for op in [Unary::Neg, Unary::Abs] {
        let value = kernel.b.unary(op, a);
        let stored = kernel.cast(Type::Element(Element::I64), value);
        kernel.output(Element::I64, stored);
    }
    kernel.check();
}

#[test]
fn every_operation_on_truth_values() {
    let mut kernel = Elementwise::new(4);
    let a = kernel.index_input(vec![0, 0, 1, 1]);
    let b = kernel.index_input(vec![0, 1, 0, 1]);
    let one = kernel.b.index(1);
    let (a, b) = (kernel.b.binary(Binary::Eq, a, one), kernel.b.binary(Binary::Eq, b, one));
    let not = kernel.b.unary(Unary::Not, a);
    kernel.truth(not);
    for op in [Binary::And, Binary::Or, Binary::Eq, Binary::Ne] {
        let value = kernel.b.binary(op, a, b);
        kernel.truth(value);
    }
    kernel.check();
}

#[test]
fn every_cast() {
    for &from in Element::ALL {
        let values = edges(from);
        let mut kernel = Elementwise::new(values.len());
        let a = kernel.input(from, values);
        for &to in Element::ALL.iter().filter(|to| !from.is_complex() || to.is_complex()) {
            let value = kernel.cast(Type::Element(to), a);
            kernel.output(to, value);
        }
        if !from.is_complex() {
            let index = kernel.cast(Type::Index, a);
            let stored = kernel.cast(Type::Element(Element::I64), index);
            kernel.output(Element::I64, stored);
        }
        kernel.check();
    }
}

#[test]
fn casts_from_indices() {
    let numbers = vec![0, 1, 255, 1 << 24 | 1, (1 << 53) + 1, (1 << 60) + (1 << 36) + 1, i64::MAX as u64, -1i64 as u64];
    let mut kernel = Elementwise::new(numbers.len());
    let a = kernel.index_input(numbers);
    for &to in Element::ALL {
        let value = kernel.cast(Type::Element(to), a);
        kernel.output(to, value);
    }
    kernel.check();
}

/// A kernel that stores each of `values` into one array.
fn stores(b: &mut Builder, element: Element, values: &[ExprId]) -> Given {
    let out = b.array("out", ArrayType::Values(element), AccessMode::Write);
    for (at, &value) in values.iter().enumerate() {
        let at = b.index(at as i64);
        b.store(out, at, value);
    }
    Given::Write(Values::zeros(element, values.len()))
}

#[test]
fn constants_fold_to_what_running_gives() {
    parallel::each(Element::ALL, |&element| {
        let edges = edges(element);
        let (mut b, mut values) = (Builder::new("constants"), Vec::new());
        // All pairs of parts would take a C compiler minutes.
        let step = if element.is_complex() { 5 } else { 1 };
        for (at, &x) in edges.iter().enumerate().step_by(step) {
            let y = b.value(element, edges[(at * 7 + 3) % edges.len()]);
            let x = b.value(element, x);
            let binary = BINARY.iter().filter(|op| joins(element, **op) && !compares(**op));
            values.extend(binary.map(|&op| b.expr(Expr::Binary(op, x, y))));
            let whole = |op: &Unary| applies(element, *op) && !(element.is_complex() && op.gives_part());
            values.extend(Unary::all().filter(whole).map(|op| b.unary(op, x)));
        }
        let out = stores(&mut b, element, &values);
        agree(b.finish(), &[out], &[]);
    });
}

#[test]
fn scalar_parameters_of_every_type() {
    for &element in Element::ALL {
        // Rounded to the type, as whoever passes scalars does.
        let scalars: Vec<Scalar> = Values::from_scalars(element, edges(element)).iter().collect();
        let mut b = Builder::new("scalars");
        let params: Vec<VarId> = scalars.iter().map(|_| b.param("alpha", Type::Element(element))).collect();
        let values: Vec<ExprId> = params.iter().map(|&param| b.var(param)).collect();
        let out = stores(&mut b, element, &values);
        let found = agree(b.finish(), &[out], &scalars);
        assert_eq!(bits(&found[0]), bits(&Given::Read(Values::from_scalars(element, scalars))));
    }
}

//! `y = A x` with A in CSR: the time to compile, and the compiled loop compared with the same loop in Rust.
//!
//! `cargo bench -p nnz-core --bench spmv` prints a table; with `-- serve KERNEL MATRIX` (KERNEL may
//! be `compile`) it speaks the serve protocol instead, for a driver that interleaves it with other programs.

use std::{
    io::Write,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{
        Argument, Backend, BackendError, Executable, Llvm,
        llvm::{FloatOrder, Options},
    },
    element::{Element, Scalar},
    loops::{AccessMode, ArrayType, Builder, ForKind, Function, Stmt, Type, Verified, machine::Width, verify},
    measure::{Budget, Work, copy_bandwidth, measure, serve},
    run::Before,
};

type Failure = Box<dyn std::error::Error>;

struct Matrix {
    name: &'static str,
    rows: usize,
    pos: Vec<u64>,
    crd: Vec<u32>,
}

/// The five-point Laplacian on a `side` by `side` grid.
fn grid(side: usize) -> Matrix {
    let (mut pos, mut crd) = (vec![0], Vec::new());
    for at in 0..side * side {
        let (row, column) = (at / side, at % side);
        let neighbours = [
            (row > 0).then(|| at - side),
            (column > 0).then(|| at - 1),
            Some(at),
            (column + 1 < side).then(|| at + 1),
            (row + 1 < side).then(|| at + side),
        ];
        crd.extend(neighbours.into_iter().flatten().map(|column| column as u32));
        pos.push(crd.len() as u64);
    }
    Matrix { name: "grid", rows: side * side, pos, crd }
}

/// `degree` entries in every row, spread over all columns by a multiplicative hash.
fn scattered(rows: usize, degree: usize) -> Matrix {
    let (mut pos, mut crd) = (vec![0], Vec::new());
    for row in 0..rows as u64 {
        let columns = (0..degree as u64).map(|k| (row * 2_654_435_761 + k * 40_503 * 65_537) % rows as u64);
        let mut columns: Vec<u32> = columns.map(|column| column as u32).collect();
        columns.sort_unstable();
        crd.extend(columns);
        pos.push(crd.len() as u64);
    }
    Matrix { name: "scattered", rows, pos, crd }
}

/// 32 entries in a row, beside each other.
fn banded(rows: usize) -> Matrix {
    let width = 32;
    let columns = |row: usize| (0..width).map(move |k| (row.min(rows - width) + k) as u32);
    let crd: Vec<u32> = (0..rows).flat_map(columns).collect();
    Matrix { name: "banded", rows, pos: (0..=rows as u64).map(|row| row * width as u64).collect(), crd }
}

fn matrices() -> [Matrix; 3] {
    [grid(775), scattered(200_000, 15), banded(100_000)]
}

fn spmv(kind: ForKind) -> Function {
    let mut b = Builder::new("spmv");
    let values = |mode| (ArrayType::Values(Element::F64), mode);
    let pos = b.array("A.pos1", ArrayType::Indices(Width::W64), AccessMode::Read);
    let crd = b.array("A.crd1", ArrayType::Indices(Width::W32), AccessMode::Read);
    let [a, x, y] =
        [("A.values", AccessMode::Read), ("x", AccessMode::Read), ("y", AccessMode::Write)].map(|(name, mode)| {
            let (ty, mode) = values(mode);
            b.array(name, ty, mode)
        });
    let rows = b.param("rows", Type::Index);
    let (i, p, sum) =
        (b.local("i", Type::Index), b.local("p", Type::Index), b.local("sum", Type::Element(Element::F64)));
    let range = [b.index(0), b.var(rows)];
    b.for_range(i, range, kind, |b| {
        let (at, one, zero) = (b.var(i), b.index(1), b.value(Element::F64, Scalar::Float(0.0)));
        b.push(Stmt::Mut { var: sum, value: zero });
        let after = b.add(at, one);
        let range = [b.load(pos, at), b.load(pos, after)];
        b.for_range(p, range, ForKind::Serial, |b| {
            let at = b.var(p);
            let column = b.load(crd, at);
            let (a, x, total) = (b.load(a, at), b.load(x, column), b.var(sum));
            let product = b.mul(a, x);
            let value = b.add(total, product);
            b.push(Stmt::Assign { var: sum, value });
        });
        let (at, total) = (b.var(i), b.var(sum));
        b.store(y, at, total);
    });
    b.finish()
}

/// The kernel's arguments.
struct Data {
    pos: IndexArray,
    crd: IndexArray,
    a: Values,
    x: Values,
    y: Values,
}

impl Data {
    fn of(matrix: &Matrix) -> Data {
        let wave = |at: usize| (at % 1000) as f64 / 1000.0 - 0.5;
        Data {
            pos: IndexArray::U64(matrix.pos.clone()),
            crd: IndexArray::U32(matrix.crd.clone()),
            a: Values::F64((0..matrix.crd.len()).map(wave).collect()),
            x: Values::F64((0..matrix.rows).map(|at| wave(at * 7)).collect()),
            y: Values::zeros(Element::F64, matrix.rows),
        }
    }
    fn run(&mut self, kernel: &dyn Executable, threads: usize) -> Result<(), BackendError> {
        let rows = Scalar::Int(self.y.len() as i128);
        let mut arguments = [
            Argument::Indices(&self.pos),
            Argument::Indices(&self.crd),
            Argument::Values(&self.a),
            Argument::Values(&self.x),
            Argument::ValuesMut(&mut self.y),
        ];
        // SAFETY: the loops are those of [`spmv`] below, and the arrays those of a matrix.
        unsafe { kernel.run(&mut arguments, &[rows], threads) }
    }
    /// The same loop, written in Rust with unchecked accesses.
    fn run_rust(&mut self) -> Result<(), BackendError> {
        let (IndexArray::U64(pos), IndexArray::U32(crd), Values::F64(a), Values::F64(x), Values::F64(y)) =
            (&self.pos, &self.crd, &self.a, &self.x, &mut self.y)
        else {
            return Err(BackendError::Failed("arrays of other types".into()));
        };
        for (i, y) in y.iter_mut().enumerate() {
            let mut sum = 0.0;
            // SAFETY: the matrix was made with positions and coordinates in range.
            unsafe {
                for p in *pos.get_unchecked(i) as usize..*pos.get_unchecked(i + 1) as usize {
                    sum += a.get_unchecked(p) * x.get_unchecked(*crd.get_unchecked(p) as usize);
                }
            }
            *y = sum;
        }
        Ok(())
    }
    fn work(&self) -> Work {
        let bytes = self.pos.bytes() + self.crd.bytes() + self.a.bytes() + self.x.bytes() + self.y.bytes();
        Work { flops: 2 * self.a.len() as u64, bytes: bytes as u64, ..Work::default() }
    }
}

/// The ways to run it.
const KERNELS: [&str; 5] = ["rust", "strict", "relaxed", "strict-2", "relaxed-2"];

type Call<'d> = Box<dyn FnMut() -> Result<(), BackendError> + 'd>;

fn call<'d>(kernel: &str, data: &'d mut Data) -> Result<Call<'d>, BackendError> {
    if kernel == "rust" {
        return Ok(Box::new(|| data.run_rust()));
    }
    if kernel == "compile" {
        return Ok(Box::new(|| compile(FloatOrder::Strict).map(drop)));
    }
    let float_order = if kernel.starts_with("strict") { FloatOrder::Strict } else { FloatOrder::Relaxed };
    let compiled = compile(float_order)?;
    let threads = if kernel.ends_with("-2") { 2 } else { 1 };
    Ok(Box::new(move || data.run(&*compiled, threads)))
}

fn compile(float_order: FloatOrder) -> Result<Arc<dyn Executable>, BackendError> {
    let function: Verified<Function> =
        verify(spmv(ForKind::Parallel)).map_err(|errors| BackendError::Failed(format!("{errors:?}")))?;
    Llvm::new(Options { float_order })?.compile(&function)
}

fn table(out: &mut impl Write) -> Result<(), Failure> {
    let start = Instant::now();
    drop(compile(FloatOrder::Strict)?);
    writeln!(out, "first compile {:.1} ms", start.elapsed().as_secs_f64() * 1e3)?;
    let budget = Budget { measuring: Duration::from_secs(1), ..Budget::default() };
    for order in [FloatOrder::Strict, FloatOrder::Relaxed] {
        let found = measure(&budget, Work::default(), &AtomicBool::new(false), || compile(order).map(drop))?;
        writeln!(out, "compile {order:?}: median {:.1} ms, least {:.1}", found.median_ns / 1e6, found.min_ns / 1e6)?;
    }
    let copy = copy_bandwidth(1);
    writeln!(out, "copying {copy:.1} GB/s")?;
    for matrix in matrices() {
        let mut data = Data::of(&matrix);
        for kernel in KERNELS {
            let work = data.work();
            let found = measure(&budget, work, &AtomicBool::new(false), call(kernel, &mut data)?)?;
            writeln!(
                out,
                "{:<10} {kernel:<10} median {:7.3} ms, least {:7.3}, {:.2} GFLOP/s, {:.0} % of copying",
                matrix.name,
                found.median_ns / 1e6,
                found.min_ns / 1e6,
                found.gflops(),
                100.0 * found.share_of_copy(copy),
            )?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", kernel, name] => {
            let matrix = matrices().into_iter().find(|matrix| matrix.name == *name).ok_or("no such matrix")?;
            Ok(serve(&Before::default(), input, output, call(kernel, &mut Data::of(&matrix))?)?)
        }
        // Under `cargo test --benches` it only has to work.
        ["--test"] => {
            compile(FloatOrder::Strict)?;
            Ok(())
        }
        _ => table(&mut output),
    }
}

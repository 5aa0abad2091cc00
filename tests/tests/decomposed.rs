//! Kernels over a decomposed tensor compute what they compute over the tensor in one format.

use std::sync::Arc;

use nnz_core::{
    backend::Target,
    ids::FileId,
    session::{Options, Session, Verdict},
    source::Source,
};
use nnz_tests::{hosts::Nowhere, kernels::random::Random, parallel};

/// Lists of formats, whose parts lie beside each other.
const PARTS: &[&str] = &[
    "BSR(2, 2), CSR",
    "BSR(4, 4), BSR(2, 2), CSR",
    "BSR(4, 2), BSR(2, 1), ELL, COO",
    "BSC(2, 3), DCSR",
    "BSR(2, 2)",
    "ELL, CSR",
    "ELL, CSC",
    "#row_ell, COO",
    "DIA, CSR",
    "DIA, ELL, CSR",
    "CROW, CSR",
    "CROW, BSR(1, 2), CSR",
    "CCOL, ELL, JDS",
    "NM(2, 4), CSR",
    "BSR(1, 4), NM(1, 2), COO",
    "CSR",
    "#bitmap",
    "BSR(2, 2), #hashed",
];

const ENCODINGS: &str = "\
#row_ell = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, #i : dense, j : singleton(soa)) }>
#bitmap = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : bitmap) }>
#hashed = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : hashed) }>
";

/// Kernels over `@` and other tensors, with the indices of their results.
const KERNELS: &[(&str, &str)] = &[
    ("i", "= @(i, j) * x(j)"),
    ("j", "= @(i, j) * z(i)"),
    ("i", "= 2 * @(i, j) * x(j) + z(i)"),
    ("i", "= z(i) - @(i, j) * x(j)"),
    ("i", "= -@(i, j) * x(j) / 2"),
    ("i", "= x(0) * @(i, j)"),
    ("i", "= sum(j, @(i, j) * x(j))"),
    ("i", "= z(i) * sum(j, @(i, j) * x(j))"),
    ("i", "= max(j, @(i, j) * x(j))"),
    ("i", "= min(j, @(i, j))"),
    ("i", "= (@(i, j) + S(i, j)) * x(j)"),
    ("i", "= @(i, j) * @(i, j)"),
    ("i, k", "= @(i, j) * @(k, j)"),
    ("i", "= @(i, j = 0:2) * 3"),
    ("i", "= @(i, 1) + @(i, 0)"),
    ("j", "= @(1, j)"),
    ("i, j", ": CSR = @(i, j)"),
    ("j, i", ": CSC = @(i, j)"),
    ("i, j", ": CSR = @(i, j) * S(i, j)"),
    ("i, j", ": CSR = @(i, j) + S(i, j)"),
    ("i, j", ": CSR = @(i, j) - 2 * S(i, j)"),
    ("i, j", "= @(i, j) * 2 + 1"),
    ("i, k", "= @(i, j) * B(j, k)"),
    ("i, k", ": CSR = @(i, j) * T(j, k)"),
    ("i, j", ": CSR = @(i, j) * P(i, k) * Q(k, j)"),
    ("i, j", ": CSR = select(@(i, j) > 1, @(i, j))"),
    ("i, j", "= select(@(i, j) != 0, x(j), 3)"),
    ("i, j", "= abs(@(i, j)) + z(i)"),
    ("i, j", "= f64(@(i, j) > 0) * x(j)"),
    ("i, j", "= i32(@(i, j)) + 1"),
    ("i", "= any(j, @(i, j) > 1)"),
    ("i", "+= @(i, j) * x(j)"),
    ("i", "-= 3 * @(i, j) * x(j)"),
    ("i", "max= @(i, j) * x(j)"),
];

/// A list of numbers, of which about so many percent are zeros.
fn numbers(random: &mut Random, count: usize, zeros: usize) -> String {
    let number = |_| if random.chance(zeros) { 0 } else { random.pick(&[-3, -2, -1, 1, 2, 3, 4]) };
    let numbers: Vec<String> = (0..count).map(number).map(|number: i32| number.to_string()).collect();
    format!("[{}]", numbers.join(", "))
}

fn matrix(random: &mut Random, (rows, columns): (usize, usize), zeros: usize) -> String {
    // Some rows are fuller than others, so that groups are.
    let row = |_| {
        let zeros = if random.chance(30) { zeros / 3 } else { zeros };
        numbers(random, columns, zeros)
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("[{}]", rows.join(", "))
}

fn session(seed: u64) -> String {
    let mut random = Random::new(seed);
    let sizes = [2, 3, 4, 5, 8];
    let (n, m, k) = (random.pick(&sizes), random.pick(&sizes), random.pick(&sizes));
    let zeros = random.pick(&[20, 50, 80, 100]);
    let mut text = ENCODINGS.to_string();
    text += &format!("A : CSR = {}\n", matrix(&mut random, (n, m), zeros));
    text += &format!("S : CSR = {}\n", matrix(&mut random, (n, m), 60));
    text += &format!("T : CSR = {}\n", matrix(&mut random, (m, k), 60));
    for (name, sizes) in [("B", (m, k)), ("P", (n, k)), ("Q", (k, m))] {
        text += &format!("{name} = {}\n", matrix(&mut random, sizes, 0));
    }
    text += &format!("x = {}\nz = {}\n", numbers(&mut random, m, 20), numbers(&mut random, n, 20));
    let (parts, filled) =
        (random.pick(PARTS), random.pick(&["", ", filled = 0.25", ", filled = 1", ", filled = 0.01"]));
    text += &format!("D = decompose(A, [{parts}]{filled})\n");
    let (indices, kernel) = random.pick(KERNELS);
    // What takes stored terms alone takes the zeros of blocks, too; zeros of diagonals and of `n` of `m` are dropped by a
    // conversion.
    let of_stored = kernel.starts_with("max=");
    let (indices, kernel) = if of_stored && parts.contains(['D', 'N']) { KERNELS[0] } else { (indices, kernel) };
    text += "E : CSR = D\n";
    for (result, operand) in [("R1", if of_stored { "E" } else { "A" }), ("R2", "D")] {
        if !kernel.starts_with(['=', ':']) {
            text += &format!("{result}({indices}) = z(i)\n");
        }
        text += &format!("{result}({indices}) {}\n", kernel.replace('@', operand));
    }
    text + &format!("e : i1 = all({indices}, R1({indices}) == R2({indices}))\ne\n")
}

/// What the statements show, and what is wrong with them.
fn shown(text: &str, target: Target) -> (Verdict, String) {
    let source = Source::new(FileId(0), "session.nnz", text);
    let mut session = Session::new(Arc::new(Nowhere), Options { engine: target.into(), ..Options::default() });
    let mut said = String::new();
    let verdict = session.run(&source, false, &mut |outcome| {
        let errors = outcome.diagnostics.iter().filter(|found| found.is_error());
        errors.for_each(|found| said += &format!("{}: {}\n", source.slice(found.primary.span), found.message));
        said += &outcome.markup().map(|markup| markup.plain_text()).unwrap_or_default();
    });
    (verdict, said)
}

/// A list that does not hold the entries, or a kernel that is refused over both.
fn is_refused(text: &str, said: &str) -> bool {
    said.contains("nonzeros, but `structured") || said.contains("`structured[") && text.contains("NM(")
}

#[test]
fn parts_add_up() {
    let draws = std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(1);
    let failures: Vec<String> = parallel::each(0..draws * 400, |seed: u64| {
        let text = session(seed);
        let target = if seed.is_multiple_of(4) { Target::Cpu } else { Target::Interpreter };
        let target = if cfg!(feature = "llvm") { target } else { Target::Interpreter };
        let (verdict, said) = shown(&text, target);
        let fine = verdict == Verdict::Fine && said.trim_end().ends_with("e: i1 = 1");
        (!fine && !is_refused(&text, &said)).then(|| format!("seed {seed}\n{text}\n{said}"))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failures.is_empty(), "{} failures, the first:\n{}", failures.len(), failures[0]);
}

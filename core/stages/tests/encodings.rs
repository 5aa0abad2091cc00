//! Buffers over iterators as encodings, or why there is none.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use nnz_base::{arrays::Width, ids::FileId, source::Source};
use nnz_encoding::{Encoding, EncodingParts, named};
use nnz_stages::{
    encoding::encodings,
    iterators::{Unsaid, description},
};
use nnz_tir::script;

/// The line of the buffer `A` over these iterators.
fn of(declarations: &str, over: &str) -> String {
    let lines: String = declarations.split("; ").map(|line| format!("    {line}\n")).collect();
    let text = format!(
        "from tvm.script import tir as T\n@T.prim_func\ndef f(a: T.handle, p: T.handle, q: T.handle, r: T.handle, s: T.handle, \
         n: T.int32, m: T.int32, nnz: T.int32, more: T.int32):\n{lines}    A = T.sp.match_buffer(a, [{over}])\n    pass\n"
    );
    let script = script(&Source::new(FileId(0), "case.py", text.as_str()));
    assert!(!script.has_errors(), "{:?}\n{text}", script.diagnostics);
    encodings(script.function("f").unwrap()).concat()
}

const CSR: &str = "I = T.sp.dense_fixed(n); J = T.sp.compressed_varied(I, (m, nnz), (p, q))";

#[test]
fn iterators_are_levels() {
    let widths = ", posWidth = 32, crdWidth = 32 }>";
    let is = |declarations: &str, over: &str, map: &str, widths: &str| {
        assert_eq!(of(declarations, over), format!("#A = #sparse_tensor.encoding<{{ map = {map}{widths}"));
    };
    is(CSR, "I, J", "(i, j) -> (i : dense, j : compressed)", widths);
    is(
        &format!("{CSR}; B = T.sp.dense_fixed(4)"),
        "I, J, B",
        "(i, j, b) -> (i : dense, j : compressed, b : dense)",
        widths,
    );
    is(
        "O = T.sp.dense_fixed(1); I = T.sp.compressed_varied(O, (n, more), (r, s)); J = T.sp.compressed_varied(I, (m, nnz), (p, q))",
        "O, I, J",
        "(o, i, j) -> (o : dense, i : compressed, j : compressed)",
        widths,
    );
    is(
        &CSR.replace("(p, q)", "(p, q), sorted=False"),
        "I, J",
        "(i, j) -> (i : dense, j : compressed(nonordered))",
        widths,
    );
    is(
        "I = T.sp.dense_fixed(n); J = T.sp.compressed_fixed(I, (m, 3), q, idtype=\"int64\")",
        "I, J",
        "(i, j) -> (i : dense, #i : dense, j : singleton(soa))",
        ", posWidth = 64, crdWidth = 64 }>",
    );
    is("I = T.sp.dense_fixed(n); K = T.sp.dense_fixed(m)", "I, K", "(i, k) -> (i : dense, k : dense)", " }>");
}

#[test]
fn what_no_encoding_has_is_told() {
    let ragged = "I = T.sp.dense_fixed(n); J = T.sp.dense_varied(I, (m, nnz), p)";
    assert_eq!(of(ragged, "I, J"), "// A: `J` is ragged: no level format has rows of any length without coordinates");
    let between = format!("{CSR}; B = T.sp.dense_fixed(4)");
    assert_eq!(of(&between, "I, B, J"), "// A: the rows of `J` are the same for all coordinates of `B`");
    let slots = "I = T.sp.dense_fixed(n); J = T.sp.compressed_fixed(I, (m, 3), q)";
    assert_eq!(of(slots, "J"), "// A: the ancestors of `J` are no levels above it");
}

/// The encoding that the description of an encoding has.
fn there_and_back(encoding: &Encoding) -> Result<Encoding, Unsaid> {
    let text = description(encoding, None, "#its_name")?;
    let script = script(&Source::new(FileId(0), "described.py", text.as_str()));
    assert!(!script.has_errors(), "{:?}\n{text}", script.diagnostics);
    let function = script.function("its_name").unwrap();
    let buffer = function.buffers.iter().find(|buffer| buffer.name == "A").unwrap();
    Ok(nnz_stages::encoding::encoding(function, buffer.iterators()).unwrap_or_else(|why| panic!("{why}\n{text}")))
}

#[test]
fn encodings_are_iterators_where_both_can_say_it() {
    let sized = |encoding: Encoding| {
        let (symbols, dims) = (encoding.symbols().to_vec(), encoding.dims().to_vec());
        let levels = encoding.levels().to_vec();
        let widths = EncodingParts { pos_width: Width::W32, crd_width: Width::W32, ..EncodingParts::default() };
        Encoding::new(EncodingParts { symbols, dims, levels, ..widths }).unwrap()
    };
    let (mut said, mut unsaid) = (Vec::new(), Vec::new());
    for format in named::FORMATS {
        let wanted = format.arguments.iter().filter(|argument| !argument.ends_with('?')).count();
        let encoding = sized(named::lookup(format.name, &[2, 4, 3][..wanted], None).unwrap());
        match there_and_back(&encoding) {
            Ok(back) => {
                let stores = encoding.levels().iter().any(|level| !level.format.is_dense());
                assert!(!stores || back == encoding, "{}: {encoding}\n{back}", format.name);
                said.push(format.name);
            }
            Err(_) => unsaid.push(format.name),
        }
    }
    let iterators = "CSR CSC DCSR DCSC BSR BSC CSF SparseVector dense CROW CCOL BSRLeft BSCLeft BSR3 BlockVector";
    assert!(iterators.split(' ').all(|name| said.contains(&name)), "{said:?}");
    let others = "COO ELL JDS DIA DIAJ SkewDIAI SkewDIAJ DELTA NM BatchedCSR";
    assert!(others.split(' ').all(|name| unsaid.contains(&name)), "{unsaid:?}");
}

#[test]
fn what_no_iterator_says_is_told_with_a_way_out() {
    let told = |encoding: Encoding| description(&encoding, None, "f").unwrap_err();
    let of = |name: &str| named::lookup(name, &[], Some(2)).unwrap();
    assert_eq!(told(of("ELL")).why, "a count in front of the rows that it counts is no iterator");
    assert_eq!(told(of("COO")).why, "coordinates that repeat, as in COO, are no iterator");
    assert_eq!(told(of("DIA")).why, "a level of `j - i` is no dimension and no block of one");
    let below = told(named::lookup("BatchedCSR", &[], None).unwrap());
    assert!(below.why.contains("an iterator has one parent"), "{}", below.why);
}

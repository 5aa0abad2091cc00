//! Hovers: what each kind of thing says, in both languages, in Markdown, in plain text and with pictures.

use serde_json::{Value, json};

use crate::client::Client;

/// A text, and its client.
struct Asked {
    client: Client,
    uri: &'static str,
    text: String,
}

impl Asked {
    fn of(uri: &'static str, text: &str) -> Asked {
        Asked::by(Client::start(&["utf-16"]), uri, text)
    }
    fn by(mut client: Client, uri: &'static str, text: &str) -> Asked {
        client.open(uri, 1, text);
        Asked { client, uri, text: text.to_string() }
    }
    /// The hover on the `count`-th place where `needle` stands; empty if there is none.
    fn at(&mut self, needle: &str, count: usize) -> String {
        let offset = self.text.match_indices(needle).nth(count).unwrap().0;
        let before = &self.text[..offset];
        let line = before.matches('\n').count() as u32;
        let character = before.rsplit('\n').next().unwrap().encode_utf16().count() as u32;
        let hover = self.client.at("textDocument/hover", self.uri, line, character);
        hover["contents"]["value"].as_str().unwrap_or_default().to_string()
    }
    /// Each place with what is said there.
    fn holds(&mut self, cases: &[(&str, usize, &[&str])]) {
        for (needle, count, parts) in cases {
            let shown = self.at(needle, *count);
            for part in *parts {
                assert!(shown.contains(part), "`{needle}` ({count}): no `{part}` in\n{shown}");
            }
            assert!(blocks_fit(&shown), "`{needle}`: too wide or too high:\n{shown}");
        }
    }
}

/// Code is at most 60 columns wide and 14 lines high.
fn blocks_fit(markdown: &str) -> bool {
    let mut blocks = markdown.split("```").skip(1).step_by(2);
    blocks.all(|block| {
        let lines: Vec<&str> = block.trim_end().lines().skip(1).collect();
        lines.len() <= 14 && lines.iter().all(|line| line.chars().count() <= 60)
    })
}

const SESSION: &str = "\
// \u{1f4a0} a session
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
P : CSR = poisson2d(n = 300)
A : #B = [[1, 0, 2, 0], [0, 0, 0, 3], [4, 5, 0, 0]]
C : CSC = A
x = [1, 2, 3, 4]
y(i) = A(i, j) * x(j) schedule parallelize(i)
S(i, j) : CSR = A(i, j) + C(i, j)
T : tensor<1000x1000xf64, DCSR> = random(density = 0.01)
:show loops y
:set threads 2
:explain E0124
M : BSR(2, 2) = read \"none.mtx\"
q(i) = M(i, j) * x(j)
z(i) = plus_times(j, P(i, j), P(i, j)) + sqrt(2.0)
r(i = A(i, j)
";

#[test]
fn storage_says_its_arrays_its_bytes_and_an_example() {
    Asked::of("file:///storage.nnz", SESSION).holds(&[
        ("#B", 0, &["lvl 1  j : compressed", "A: 3x4, 5 values, 112 bytes", "crd[1]    0 2 3 0 1", "CSR"]),
        ("#B", 1, &["pos[1]    0 2 3 5"]),
        ("A :", 0, &["tensor<3x4xf64, #B>", "A: 3x4, 5 values, 112 bytes"]),
        ("C :", 0, &["C: 3x4, 5 values, 120 bytes"]),
        ("CSC", 0, &["columns dense, rows compressed", "C: 3x4"]),
        ("BSR", 0, &["dense blocks", "nnzb: stored", "a small example: 4x6", "bsr_array"]),
        ("x =", 0, &["4 values, 32 bytes"]),
        (
            "tensor<1000",
            0,
            &["1 %       at most 176,024 bytes, 10,000 entries", "1 a row", "plain     8,000,000 bytes"],
        ),
        ("T :", 0, &["at most 176,024 for 10,000 entries"]),
    ]);
}

#[test]
fn generated_tensors_have_the_sizes_that_their_formulas_give() {
    Asked::of("file:///generated.nnz", SESSION).holds(&[
        ("P :", 0, &["tensor<90000x90000xf64, CSR>", "7,900,808 for 448,800 entries"]),
        ("P(i", 0, &["448,800 entries"]),
        ("poisson2d", 0, &["5-point Laplacian", "n           grid points", "448,800 entries"]),
        ("n = 300", 0, &["grid points in the first direction"]),
        ("density", 0, &["share of places"]),
    ]);
}

#[test]
fn kernels_say_their_loops_and_why() {
    let order = "order       i before j: A stores level 1 below level 0";
    let loops = "for A.p1 in A.pos1[i]..A.pos1[i + 1] {";
    Asked::of("file:///kernels.nnz", SESSION).holds(&[
        ("y(i)", 0, &["tensor<3xf64>", "loops i, j  A(i, j) * x(j)", order, "concordant", "x 32, y 24", loops]),
        ("= A(i, j) * x", 0, &[order, loops]),
        ("* x", 0, &[order]),
        ("S(i", 0, &["tensor<3x4xf64, CSR>", "conversion", "C as CSR", "`:show loops S` shows all"]),
        ("q(i)", 0, &["planned once all sizes are known"]),
    ]);
}

#[test]
fn words_of_the_notation_say_what_they_do() {
    Asked::of("file:///words.nnz", SESSION).holds(&[
        ("show", 0, &[":show VIEW NAME"]),
        ("loops", 0, &[":show loops NAME"]),
        ("threads", 0, &[":set threads VALUE"]),
        ("E0124", 0, &["not defined"]),
        ("schedule", 0, &["never changes the result"]),
        ("parallelize", 0, &["parallelize(i)"]),
        ("plus_times", 0, &["combined by `plus`"]),
        ("sqrt", 0, &["square root"]),
    ]);
}

const PROGRAM: &str = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#spmv = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = [\"parallel\", \"reduction\"]
}
func.func @spmv(%A: tensor<64x48xf64, #CSR>, %x: tensor<48xf64>, %y: tensor<64xf64>) -> tensor<64xf64> {
  %r = linalg.generic #spmv ins(%A, %x : tensor<64x48xf64, #CSR>, tensor<48xf64>) outs(%y : tensor<64xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<64xf64>
  %B = sparse_tensor.convert %A : tensor<64x48xf64, #CSR> to tensor<64x48xf64, #CSC>
  %n = \"sparse_tensor.number_of_entries\"(%B) : (tensor<64x48xf64, #CSC>) -> index
  %t = func.call @spmv(%A, %x, %y) : (tensor<64x48xf64, #CSR>, tensor<48xf64>, tensor<64xf64>) -> tensor<64xf64>
  return %r : tensor<64xf64>
}
func.func @mm(%A: tensor<64x48xf64, #CSR>, %B: tensor<48x32xf64>, %C: tensor<64x32xf64>) -> tensor<64x32xf64> {
  %r = linalg.matmul ins(%A, %B : tensor<64x48xf64, #CSR>, tensor<48x32xf64>) outs(%C : tensor<64x32xf64>) -> tensor<64x32xf64>
  return %r : tensor<64x32xf64>
}
func.func @broken(%A: tensor<64x48xf64, #CSR>) {
  %r = linalg.copy ins(%A : tensor<64x48xf64, #CSR>) outs(%q : f64
";

#[test]
fn operations_say_what_they_do_and_cost() {
    Asked::of("file:///operations.mlir", PROGRAM).holds(&[
        (
            "linalg.generic",
            0,
            &[
                "at every point",
                "order         d0 before d1: A stores",
                "for d0 in 0..d0.size parallel",
                "nothing before",
            ],
        ),
        ("linalg.matmul", 0, &["C(m, n) += A(m, k) * B(k, n)", "concordant", "for"]),
        ("linalg.copy", 0, &["the entries of the operand"]),
        (
            "sparse_tensor.convert",
            0,
            &["another encoding", "Costs", "counted per segment", "`nnz lower FILE --to loops`"],
        ),
        ("sparse_tensor.number_of_entries", 0, &["how many entries", "Costs: nothing"]),
        ("arith.mulf", 0, &["the product of two floats"]),
        ("return", 0, &["ends the function"]),
        ("func.call", 0, &["calls a function"]),
        ("@spmv", 0, &["func.func @spmv(%A: tensor<64x48xf64, #CSR>"]),
        ("@spmv", 1, &["-> tensor<64xf64>"]),
        ("indexing_maps", 0, &["one affine map for each operand"]),
        ("iterator_types", 0, &["one word for each loop"]),
        ("reduction", 0, &["combined"]),
        ("affine_map", 0, &["floordiv"]),
        ("%B =", 0, &["tensor<64x48xf64, #CSC>", "1 %       888 bytes, 31 entries"]),
    ]);
}

fn started_with(options: Value, capabilities: Value) -> Client {
    let mut client = Client::spawn();
    client.request("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
    client.notify("initialized", json!({}));
    client
}

#[test]
fn pictures_come_to_those_who_ask_and_text_comes_first() {
    let start = "](data:image/svg+xml;base64,PHN2Zy";
    let wants = |theme: &str| json!({ "nnz": { "hover": { "pictures": true, "theme": theme } } });
    let mut shown = Vec::new();
    for options in [wants("light"), wants("dark"), json!({ "hover": { "pictures": true } })] {
        let mut asked = Asked::by(started_with(options, json!({})), "file:///pictures.nnz", SESSION);
        for (needle, count) in [
            ("#B", 0),
            ("A :", 0),
            ("CSC", 0),
            ("tensor<1000", 0),
            ("P :", 0),
            ("map", 0),
            ("dense", 0),
            ("compressed", 0),
        ] {
            let hover = asked.at(needle, count);
            assert!(hover.contains(start) && hover.starts_with("**") && hover.len() < 70_000, "{needle}: {hover}");
            assert!(hover.trim_end().ends_with(')'), "the picture comes last");
        }
        shown.push(asked.at("#B", 0));
    }
    assert!(shown[0] != shown[1] && shown[1] != shown[2]);
    let without = json!({ "hover": { "pictures": false, "theme": "dark" } });
    let mut asked = Asked::by(started_with(without, json!({})), "file:///none.nnz", SESSION);
    assert!(!asked.at("#B", 0).contains("data:"));
}

#[test]
fn clients_of_plain_text_get_no_markdown() {
    let capabilities = json!({ "textDocument": { "hover": { "contentFormat": ["plaintext"] } } });
    let options = json!({ "hover": { "pictures": true } });
    let mut asked = Asked::by(started_with(options, capabilities), "file:///plain.nnz", SESSION);
    for (needle, count) in [("#B", 0), ("y(i)", 0), ("sqrt", 0)] {
        let hover = asked.at(needle, count);
        assert!(
            !hover.is_empty() && !hover.contains("**") && !hover.contains('`') && !hover.contains("data:"),
            "{hover}"
        );
    }
}

const PLAIN: &str = "\
#map = affine_map<(i, j) -> (i)>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @f(%m: memref<4x?xf64>, %x: tensor<6xf32>, %A: tensor<4x4xf64, #CSR>) attributes { llvm.emit_c_interface } {
  %c = arith.constant 1.5 : f64
  %d = arith.constant dense<[7.0, 8.0]> : tensor<2xf64>
  %i = arith.constant 3 : index
  %v = vector.transfer_read %m[%i, %i], %c : memref<4x?xf64>, vector<4xf64>
  %k = arith.cmpf oeq, %c, %c fastmath<fast> : f64
  %s = sparse_tensor.extract_iteration_space %A lvls = 0 : tensor<4x4xf64, #CSR> -> !sparse_tensor.iter_space<#CSR, lvls = 0>
  return
}
";

#[test]
fn types_constants_and_attributes_of_programs_have_words() {
    Asked::of("file:///plain.mlir", PLAIN).holds(&[
        ("memref<", 0, &["a buffer in memory"]),
        ("%m", 0, &["a buffer in memory: 8 bytes for each value"]),
        ("6xf32", 0, &["a plain array, row-major: 6 values, 24 bytes"]),
        ("%x", 0, &["a plain array, row-major: 6 values, 24 bytes"]),
        ("vector<4", 0, &["4 values, 32 bytes"]),
        ("1.5", 0, &["`f64`", "0x3ff8000000000000"]),
        ("dense<", 0, &["all values row by row"]),
        ("8.0", 0, &["all values row by row"]),
        ("3 : index", 0, &["`index`"]),
        ("index", 0, &["an integer of 8 bytes"]),
        ("oeq", 0, &["not where one is NaN"]),
        ("fastmath", 0, &["nnan"]),
        ("llvm.emit", 0, &["from C"]),
        ("attributes", 0, &["attributes of the function"]),
        ("func.func", 0, &["a function"]),
        ("#map", 0, &["affine_map<(i, j) -> (i)>"]),
        ("%s", 0, &["!sparse_tensor.iter_space<#CSR, lvls = 0>"]),
        ("%A", 1, &["tensor<4x4xf64, #CSR>"]),
    ]);
}

#[test]
fn files_literals_and_unplanned_kernels_of_sessions_have_words() {
    let text = "use \"csr.mlir\"\nB : CSR = read \"none.mtx\"\nx = [1, 2, 3]\nD : tensor<3x4xf64> = [[1, 2, 3, 4], [5, 6, 7, 8], \
        [9, 1, 2, 3]]\nn : f64 = 2.5\nq(i) = B(i, j) * x(j)\n";
    Asked::of("file:///files.nnz", text).holds(&[
        ("use", 0, &["another file"]),
        ("csr.mlir", 0, &["not read"]),
        ("read", 0, &["Matrix Market"]),
        ("none.mtx", 0, &["its header has the sizes"]),
        ("B :", 0, &["`CSR`", "read when the session runs", "none.mtx"]),
        ("[1, 2, 3]", 0, &["tensor<3xf64>", "3 values, 24 bytes"]),
        ("3x4xf64", 0, &["a plain array, row-major: 12 values, 96 bytes"]),
        ("2.5", 0, &["`f64`"]),
        ("j) * x", 0, &["planned once all sizes are known"]),
    ]);
}

/// Of text at most 60 columns wide, the arrays end within 14 lines.
#[test]
fn arrays_are_seen_without_scrolling() {
    let formats = [
        "CSR",
        "CSC",
        "COO",
        "COO(3)",
        "DCSR",
        "BSR(2, 2)",
        "BSC(2, 3)",
        "CSF",
        "CSF(3)",
        "CSF(4)",
        "ELL",
        "JDS",
        "DIA",
    ];
    for format in formats {
        let mut asked = Asked::of("file:///sight.nnz", &format!("B : {format} = read \"b.tns\"\n"));
        let shown = asked.at(format, 0);
        let end = shown.rfind("```").unwrap_or_else(|| panic!("{format}: {shown}"));
        let lines = shown[..end].lines().filter(|line| !line.is_empty() && !line.starts_with("```"));
        let height: usize = lines.map(|line| line.chars().count().div_ceil(60)).sum();
        assert!(height <= 14 && shown.contains("crd"), "{format}: {height} lines\n{shown}");
    }
}

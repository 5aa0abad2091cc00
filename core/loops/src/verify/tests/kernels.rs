//! Faults planted in a correct module. The verifier finds every fault, in its function, and names it correctly.

use nnz_base::element::Element;

use super::name;
use crate::{KernelId, LoopError, Type, nest::NestError, parse_module, verify_module};

const GOOD: &str = "\
gpu scale(
  n: index,
  x: device read values<f32>[n],
  y: device readwrite values<f32>[n],
  half: device readwrite values<f16>,
) {
  for b in 0..(n + 127) / 128 block.x {
    alloc tile: shared values<f32>[128]
    // one entry each
    for t in 0..128 thread.x {
      alloc own: local values<f32>[4]
      let i = b * 128 + t
      own[0] = f32(2.0)
      tile[t] = f32(0.0)
      barrier
      if i < n {
        y[i] = x[i] * own[0] + tile[127 - t]
      }
    }
  }
}
gpu sums(
  n: index,
  list: device read indices<u32>,
  y: device readwrite values<f32>[n],
) {
  for b in 0..2 block.x {
    for w in 0..4 warp {
      for l in 0..32 lane {
        let start = w * 8
        load y[start] -> a: f32, c: f32
        shuffle down a, 1 -> next: f32
        if l == 0 && w == 0 {
          atomic add y[b], next + c
        }
      }
    }
  }
}
host main(
  n: index,
  h: readwrite values<f32>,
  x: device read values<f32>[n],
  y: device readwrite values<f32>[n],
  half: device readwrite values<f16>,
  list: device read indices<u32>,
) {
  alloc work: device values<f32>[64]
  alloc sum: values<f32>[8]
  sum[7] = f32(0.0)
  copy h -> y, n
  for s in 0..2 {
    launch scale(n)[x, y, half] blocks((n + 127) / 128, 1, 1) threads(128, 1, 1)
    launch sums(64)[list, work] blocks(2, 1, 1) threads(128, 1, 1)
  }
  for q in 0..n parallel {
    h[q] = f32(1.0)
  }
}
";

/// The errors of the good module with `by` in place of `text`, function by function.
fn said(text: &str, by: &str) -> Vec<(String, LoopError)> {
    assert_eq!(GOOD.matches(text).count(), 1, "`{text}` is in one place");
    let module = parse_module(&GOOD.replace(text, by)).unwrap_or_else(|error| panic!("{error} for `{by}`"));
    let errors = verify_module(module).err().unwrap_or_default();
    errors.into_iter().map(|error| (error.function, error.error)).collect()
}

/// What is replaced by what, where, and the expected error.
type Fault = (&'static str, &'static str, &'static str, LoopError);

fn check(faults: impl IntoIterator<Item = Fault>) {
    for (text, by, function, error) in faults {
        // What launches the function may be wrong then too.
        let said: Vec<LoopError> =
            said(text, by).into_iter().filter(|said| said.0 == function).map(|said| said.1).collect();
        assert_eq!(said, [error], "`{by}` in the place of `{text}`");
    }
}

fn race(array: &str, var: &str) -> LoopError {
    LoopError::Race { array: name(array), var: name(var) }
}

#[test]
fn the_good_module_is_legal() {
    assert_eq!(
        parse_module(GOOD).map(verify_module).map(|found| found.map(|found| found.to_string())),
        Ok(Ok(name(GOOD)))
    );
}

#[test]
fn barriers_that_not_all_threads_reach() {
    let store = "y[i] = x[i] * own[0] + tile[127 - t]";
    let barrier = LoopError::Divergent("a barrier");
    check([
        (store, "barrier", "scale", barrier.clone()),
        (store, "y[i] = x[i] for q in 0..4 { barrier }", "scale", barrier.clone()),
        ("      barrier\n", "for q in 0..t { barrier }", "scale", barrier.clone()),
        ("      barrier\n", "while tile[0] < f32(1.0) { barrier }", "scale", barrier.clone()),
        ("      barrier\n", "var q = 0 if t == 3 { q = 1 } if q == 0 { barrier }", "scale", barrier.clone()),
        ("      barrier\n", "let q: bool = x[t] < f32(0.0) if q { barrier }", "scale", barrier),
        (
            "        if l == 0 && w == 0 {",
            "if list[l] == 0 { shuffle up a, 1 -> other: f32 } if l == 0 && w == 0 {",
            "sums",
            LoopError::Divergent("a shuffle"),
        ),
    ]);
}

#[test]
fn barriers_that_all_threads_reach() {
    for by in [
        "if b == 0 { barrier } barrier",
        "if x[0] < f32(1.0) { barrier }",
        "var q = 0 while q < x.n { barrier q = q + 1 }",
        "for q in 0..n { barrier }",
    ] {
        assert_eq!(said("      barrier\n", &by.replace("x.n", "n")), [], "`{by}`");
    }
    assert_eq!(said("if l == 0 && w == 0 {", "if w == 1 { shuffle up a, 1 -> q: f32 } if l == 0 && w == 0 {"), []);
}

#[test]
fn stores_of_all_threads_to_one_entry() {
    let barrier = "      barrier\n";
    check([
        ("tile[t] = f32(0.0)", "tile[b] = f32(0.0)", "scale", race("tile", "t")),
        (barrier, "barrier y[0] = f32(1.0)", "scale", race("y", "b")),
        (barrier, "barrier y[t] = f32(1.0)", "scale", race("y", "b")),
        (barrier, "barrier if t == 0 { y[0] = f32(1.0) }", "scale", race("y", "b")),
        (barrier, "barrier var q = 5 for r in 0..3 { q = q + r } tile[q] = f32(1.0)", "scale", race("tile", "t")),
        ("atomic add y[b], next + c", "store next, c -> y[w * 2]", "sums", race("y", "b")),
        ("h[q] = f32(1.0)", "h[n - 1] = f32(1.0)", "main", race("h", "q")),
    ]);
}

#[test]
fn stores_that_threads_may_keep_apart() {
    for by in [
        "if t == 0 { tile[0] = f32(1.0) }",
        "if i == 0 { y[0] = f32(1.0) }",
        "own[0] = f32(1.0)",
        "tile[t / 2] = f32(1.0)",
    ] {
        assert_eq!(said("      barrier\n", &format!("barrier {by} barrier ")), [], "`{by}`");
    }
    assert_eq!(said("h[q] = f32(1.0)", "if h[q] < f32(0.0) { h[0] = f32(1.0) }"), []);
    assert_eq!(said("h[q] = f32(1.0)", "alloc own: values<f32>[1] own[0] = f32(1.0)"), []);
}

#[test]
fn memory_that_is_not_seen() {
    let wrong = |array: &str, space| LoopError::WrongSpace { name: name(array), space };
    let param = |array: &str, space| LoopError::ParamSpace { name: name(array), space };
    let alloc = |array: &str, space| LoopError::AllocSpace { name: name(array), space };
    check([
        ("sum[7] = f32(0.0)", "sum[7] = x[0]", "main", wrong("x", "device")),
        ("sum[7] = f32(0.0)", "work[0] = f32(0.0)", "main", wrong("work", "device")),
        ("sum[7] = f32(0.0)", "atomic add work[0], f32(0.0)", "main", wrong("work", "device")),
        ("list: device read indices<u32>,\n  y", "list: read indices<u32>,\n  y", "sums", param("list", "host")),
        (
            "list: device read indices<u32>,\n  y",
            "list: shared read indices<u32>,\n  y",
            "sums",
            param("list", "shared"),
        ),
        (
            "alloc sum: values<f32>[8]\n  sum[7] = f32(0.0)",
            "alloc sum: local values<f32>[8]",
            "main",
            alloc("sum", "local"),
        ),
        ("alloc own: local", "alloc own: device", "scale", alloc("own", "device")),
        ("alloc own: local values<f32>[4]", "alloc own: local values<f32>[n]", "scale", alloc("own", "local")),
        ("shared values<f32>[128]", "shared values<f32>[12289]", "scale", LoopError::TooMuchShared(49_156, 49_152)),
    ]);
}

#[test]
fn lengths_that_do_not_fit() {
    let outside = |array: &str, index, len| LoopError::Outside { array: name(array), index, len };
    let misfit =
        |array: &str, param: &str, reason| LoopError::LaunchArray { array: name(array), param: name(param), reason };
    let count = |what, wanted, given| LoopError::LaunchCount { kernel: name("sums"), what, wanted, given };
    let size = |what, axis, wanted, given| LoopError::LaunchSize { what, axis, wanted, given };
    check([
        ("own[0] = f32(2.0)", "own[4] = f32(2.0)", "scale", outside("own", 4, 4)),
        ("sum[7] = f32(0.0)", "sum[6] = sum[-1]", "main", outside("sum", -1, 8)),
        (
            "alloc sum: values<f32>[8]",
            "let two = 2 alloc sum: values<f32>[two]",
            "main",
            LoopError::UnknownLength(name("sum")),
        ),
        ("work: device values<f32>[64]", "work: device values<f32>[63]", "main", misfit("work", "y", "another length")),
        ("launch sums(64)", "launch sums(32 + 33)", "main", misfit("work", "y", "another length")),
        ("work: device values<f32>", "work: device values<f64>", "main", misfit("work", "y", "another type")),
        ("[list, work]", "[list, x]", "main", misfit("x", "y", "another way of access")),
        ("[list, work]", "[list, h]", "main", misfit("h", "y", "another memory")),
        ("[list, work]", "[list]", "main", count("arrays", 2, 1)),
        ("launch sums(64)", "launch sums(64, 1)", "main", count("scalars", 1, 2)),
        (
            "launch sums(64)",
            "launch sums(f32(64.0))",
            "main",
            LoopError::WrongType { name: name("n"), expected: Type::Index, found: Type::Element(Element::F32) },
        ),
        ("blocks(2, 1, 1)", "blocks(3, 1, 1)", "main", size("blocks", "x", 2, 3)),
        ("blocks(2, 1, 1)", "blocks(2, 2, 1)", "main", size("blocks", "y", 1, 2)),
        (
            "blocks(2, 1, 1) threads(128, 1, 1)",
            "blocks(2, 1, 1) threads(64, 1, 1)",
            "main",
            size("threads", "x", 128, 64),
        ),
        ("[x, y, half]", "[y, y, half]", "main", LoopError::LaunchTwice(name("y"))),
        (
            "  for q in 0..n parallel {",
            "for q in 0..n parallel { launch sums(64)[list, work] blocks(2, 1, 1) threads(128, 1, 1)",
            "main",
            LoopError::InParallel("a launch"),
        ),
    ]);
}

#[test]
fn copies_that_do_not_fit() {
    let good = "copy h -> y, n";
    let main = |by, error| (good, by, "main", error);
    let no = |from: &str, to: &str, reason| LoopError::NoCopy { from: name(from), to: name(to), reason };
    let memory = "one has to be in host memory, the other in device memory";
    let length = |array: &str, len, given| LoopError::CopyLength { array: name(array), len, given };
    check([
        main("copy sum -> h, 8", no("sum", "h", memory)),
        main("copy x -> y, n", no("x", "y", memory)),
        main("copy sum -> half, 8", no("sum", "half", "they hold different types")),
        main("copy list -> sum, 8", no("list", "sum", "they hold different types")),
        main("copy h -> x, n", LoopError::StoreToRead(name("x"))),
        main("copy sum -> work, 9", length("sum", 8, 9)),
        main("copy h -> work, 65", length("work", 64, 65)),
        main("copy h -> y, -1", no("h", "y", "the length is negative")),
        main("if n == 1 { alloc few: values<f32>[2] } copy few -> work, 2", LoopError::OutOfScope(name("few"))),
        (
            "  for q in 0..n parallel {",
            "for q in 0..n parallel { copy y -> h, n",
            "main",
            LoopError::InParallel("a copy"),
        ),
        ("      barrier\n", "copy x -> y, n", "scale", LoopError::OnlyOnHost("a copy")),
        main(
            "copy sum -> work, f32(8.0)",
            LoopError::WrongType {
                name: name("the length of a copy"),
                expected: Type::Index,
                found: Type::Element(Element::F32),
            },
        ),
    ]);
    for by in [
        "copy work -> sum, 8",
        "copy sum -> work, 8",
        "copy h -> y, n * 2",
        "copy y -> h, 0",
        "if n == 1 { copy sum -> work, 1 }",
    ] {
        assert_eq!(said(good, by), [], "`{by}`");
    }
}

#[test]
fn widths_of_shuffles() {
    let by = |width: i64| said("a, 1 -> next", &format!("a, 1 width {width} -> next"));
    for width in [0, 3, 24, 64, i64::MAX] {
        assert_eq!(by(width), [(name("sums"), LoopError::BadWidth(width))]);
    }
    for width in [1, 2, 4, 8, 16, 32] {
        assert_eq!(by(width), []);
    }
}

#[test]
fn loops_that_are_no_nest() {
    let scale = |text, by, error: NestError| (text, by, "scale", LoopError::Nest(error));
    check([
        scale("for t in 0..128 thread.x", "for t in 0..128 block.x", NestError::Order(name("t"))),
        scale("for t in 0..128 thread.x", "for t in 0..128 warp", NestError::NoThreads),
        scale("for t in 0..128 thread.x", "for t in 0..n thread.x", NestError::Extent(name("t"))),
        scale("for t in 0..128 thread.x", "for t in 0..2048 thread.x", NestError::TooManyThreads(2048)),
        scale("for b in 0..(n + 127) / 128 block.x", "for b in 0..32 thread.y", NestError::Between(name("t"))),
        scale("    // one entry each", "y[0] = f32(1.0)", NestError::Between(name("t"))),
        scale("      barrier\n", "barrier if b == 0 { for q in 0..2 thread.y { } }", NestError::Inside(name("q"))),
        scale("      barrier\n", "barrier for q in 0..2 block.y { }", NestError::NotNested(name("q"))),
        scale("for b in 0..(n + 127) / 128 block.x", "let m = n for b in 0..m block.x", NestError::Bounds(name("b"))),
        scale("      barrier\n", "barrier shuffle down f32(1.0), 1 -> next: f32", NestError::NoLanes),
    ]);
    let sums = |text, by, error: NestError| (text, by, "sums", LoopError::Nest(error));
    check([
        sums("for l in 0..32 lane", "for l in 0..16 lane", NestError::Extent(name("l"))),
        sums("for l in 0..32 lane", "for l in 0..32 thread.y", NestError::Order(name("l"))),
        sums("for w in 0..4 warp", "for w in 0..4 thread.x", NestError::Order(name("l"))),
    ]);
}

#[test]
fn statements_where_they_do_not_belong() {
    let none = |array: &str, op, ty: &str| LoopError::NoAtomic { array: name(array), op, ty: name(ty) };
    let barrier = "      barrier\n";
    check([
        ("sum[7] = f32(0.0)", "barrier", "main", LoopError::OnlyInKernels("a barrier")),
        ("sum[7] = f32(0.0)", "for r in 0..2 thread.x { }", "main", LoopError::OnlyInKernels("a GPU loop")),
        (barrier, "for q in 0..2 vector { }", "scale", LoopError::OnlyOnHost("a parallel or vector loop")),
        (barrier, "atomic add half[0], f16(1.0)", "scale", none("half", "add", "values<f16>")),
        (barrier, "atomic max y[0], f32(1.0)", "scale", none("y", "max", "values<f32>")),
        (barrier, "load y[0] -> q: f32, r: f32, s: f32", "scale", LoopError::BadVector { array: name("y"), count: 3 }),
        (
            barrier,
            "load y[0] -> q: f32, r: f32, s: f32, u: f32, v: f32, w: f32, z: f32, zz: f32",
            "scale",
            LoopError::BadVector { array: name("y"), count: 8 },
        ),
        (barrier, "load y[t] -> q: f32, r: f32", "scale", LoopError::Unaligned { array: name("y"), count: 2 }),
        (
            barrier,
            "load x[t * 2] -> q: f64, r: f32",
            "scale",
            LoopError::WrongType {
                name: name("q"),
                expected: Type::Element(Element::F64),
                found: Type::Element(Element::F32),
            },
        ),
        (barrier, "atomic add x[0], f32(1.0)", "scale", LoopError::StoreToRead(name("x"))),
        (
            barrier,
            "if b == 0 { alloc q: local values<f32>[1] } own[0] = q[0]",
            "scale",
            LoopError::OutOfScope(name("q")),
        ),
    ]);
}

#[test]
fn functions_of_a_module_are_told_apart() {
    let mut module = parse_module(GOOD).expect("the text is a module");
    module.kernels[1].name = name("scale");
    let errors = verify_module(module.clone()).err().unwrap_or_default();
    assert_eq!(
        errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["in `scale`: the name `scale` is given twice"]
    );
    module.kernels.clear();
    let errors = verify_module(module).err().unwrap_or_default();
    let none = |at| LoopError::NoKernel(KernelId(at));
    assert_eq!(errors.into_iter().map(|error| error.error).collect::<Vec<_>>(), [none(0), none(1)]);
}

#[test]
fn allocations_are_declarations() {
    let mut module = parse_module(GOOD).expect("the text is a module");
    let host = &mut module.host[0];
    let again = host.body[1].clone();
    host.body.push(again);
    host.arrays[host.array_params].len = None;
    let errors: Vec<LoopError> = verify_module(module).err().unwrap_or_default().into_iter().map(|e| e.error).collect();
    assert_eq!(errors, [LoopError::NoLength(name("work")), LoopError::Reallocated(name("sum"))]);
}

//! Modules on the interpreter: kernels on a grid, launched by host functions, and the errors that it finds.

use nnz_core::{
    arrays::{IndexArray, Values},
    backend::{Argument, BackendError, Interpreter},
    element::Scalar,
    loops::{parse, parse_module, passes::on_a_grid, verify, verify_module},
};

use super::Given;

/// Runs the host function of a module, and gives the arrays afterwards.
fn run(text: &str, arrays: &[Given], scalars: &[i64]) -> Result<Vec<Given>, BackendError> {
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    let module = verify_module(module).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut arrays = arrays.to_vec();
    let mut arguments: Vec<Argument<'_>> = arrays.iter_mut().map(Given::argument).collect();
    let scalars: Vec<Scalar> = scalars.iter().map(|number| Scalar::Int((*number).into())).collect();
    Interpreter::run_host(&module, 0, &mut arguments, &scalars)?;
    Ok(arrays)
}

fn floats(given: &Given) -> Vec<f64> {
    let (Given::Read(values) | Given::Write(values)) = given else { panic!("{given:?} has no values") };
    let float = |scalar| match scalar {
        Scalar::Float(number) => number,
        other => panic!("{other:?} is no float"),
    };
    values.iter().map(float).collect()
}

fn indices(given: &Given) -> Vec<u64> {
    let (Given::Indices(indices) | Given::WriteIndices(indices)) = given else { panic!("{given:?} has values") };
    indices.iter().collect()
}

/// A kernel over `y` and `list` of which every thread runs `body`; two blocks of 64 threads, `i` a number of its own.
fn body(body: &str) -> Result<[Vec<f64>; 2], BackendError> {
    let params = "y: device readwrite values<f64>[n], list: device readwrite indices<u32>[4],";
    let text = format!(
        "gpu k(n: index, {params}) {{
           for b in 0..2 block.x {{
             alloc tile: shared values<f64>[64]
             for t in 0..64 thread.x {{ let i = b * 64 + t {body} }} }} }}
         host main(n: index, {params}) {{ launch k(n)[y, list] blocks(2, 1, 1) threads(64, 1, 1) }}"
    );
    let y = Given::Write(Values::from((0..128).map(f64::from).collect::<Vec<f64>>()));
    let list = Given::WriteIndices(IndexArray::U32(vec![5, 5, 5, 5]));
    let found = run(&text, &[y, list], &[128])?;
    let list = indices(&found[1]).into_iter().map(|number| number as f64).collect();
    Ok([floats(&found[0]), list])
}

/// What the interpreter says of a kernel with that body.
fn fault(text: &str) -> String {
    body(text).err().map_or("nothing".to_string(), |error| error.to_string())
}

fn wrong(text: &str) -> String {
    format!("the kernel went wrong at run time: in `k`: {text}")
}

const SPMV: &str = "
gpu rows(
  n: index,
  pos: device read indices<u32>[n + 1],
  crd: device read indices<u32>,
  a: device read values<f64>,
  x: device read values<f64>,
  y: device write values<f64>[n],
) {
  for b in 0..(n + 31) / 32 block.x {
    for t in 0..32 thread.x {
      let i = b * 32 + t
      if i < n {
        var sum: f64 = f64(0.0)
        for p in pos[i]..pos[i + 1] {
          sum = sum + a[p] * x[crd[p]]
        }
        y[i] = sum
      }
    }
  }
}
host twice(
  n: index,
  pos: device read indices<u32>[n + 1],
  crd: device read indices<u32>,
  a: device read values<f64>,
  x: device read values<f64>,
  y: device readwrite values<f64>[n],
) {
  alloc once: device values<f64>[n]
  launch rows(n)[pos, crd, a, x, once] blocks((n + 31) / 32, 1, 1) threads(32, 1, 1)
  launch rows(n)[pos, crd, a, once, y] blocks((n + 31) / 32, 1, 1) threads(32, 1, 1)
}";

/// The matrix with 2 on the diagonal and 1 above it.
fn spmv(n: usize) -> Vec<Given> {
    let entries = |row: usize| if row + 1 < n { vec![(row, 2.0), (row + 1, 1.0)] } else { vec![(row, 2.0)] };
    let rows: Vec<Vec<(usize, f64)>> = (0..n).map(entries).collect();
    let mut pos = vec![0];
    pos.extend(rows.iter().scan(0, |end, row| {
        *end += row.len() as u32;
        Some(*end)
    }));
    let (crd, values): (Vec<u32>, Vec<f64>) = rows.concat().into_iter().map(|(at, x)| (at as u32, x)).unzip();
    vec![
        Given::Indices(IndexArray::U32(pos)),
        Given::Indices(IndexArray::U32(crd)),
        Given::Read(values.into()),
        Given::Read(vec![1.0; n].into()),
        Given::Write(vec![0.0; n].into()),
    ]
}

#[test]
fn a_thread_for_each_row() {
    for n in [0, 1, 31, 32, 33, 100] {
        let found = run(SPMV, &spmv(n), &[n as i64]).unwrap();
        let mut expected = vec![9.0; n];
        expected.iter_mut().rev().zip([4.0, 8.0]).for_each(|(entry, last)| *entry = last);
        assert_eq!(floats(&found[4]), expected, "{n} rows");
    }
}

#[test]
fn a_parallel_loop_on_a_grid_gives_the_same() {
    let text = "kernel rows(n: index, pos: read indices<u32>, crd: read indices<u32>, a: read values<f64>, x: read values<f64>, \
                y: write values<f64>,) { for i in 0..n parallel { var sum: f64 = f64(0.0) \
                for p in pos[i]..pos[i + 1] { sum = sum + a[p] * x[crd[p]] } y[i] = sum } }";
    let function = verify(parse(text).unwrap()).unwrap();
    let module = on_a_grid(&function).unwrap();
    for n in [0, 1, 255, 256, 257, 600] {
        let scalars = [Scalar::Int(n as i128)];
        let (mut plain, mut grid) = (spmv(n), spmv(n));
        let mut arguments: Vec<Argument<'_>> = plain.iter_mut().map(Given::argument).collect();
        Interpreter::run(&function, &mut arguments, &scalars).unwrap();
        let mut arguments: Vec<Argument<'_>> = grid.iter_mut().map(Given::argument).collect();
        Interpreter::run_host(&module, 0, &mut arguments, &scalars).unwrap();
        assert_eq!(floats(&grid[4]), floats(&plain[4]), "{n} rows");
        assert!(floats(&grid[4]).iter().all(|sum| *sum > 0.0), "{n} rows");
    }
}

#[test]
fn arguments_of_a_launch_fit() {
    let problem = |n| run(SPMV, &spmv(40), &[n]).err().map(|error| error.to_string());
    let short = "argument 0 does not fit the kernel's parameter `pos`: it has 42 entries and the argument 41";
    assert_eq!(problem(41), Some(short.to_string()));
    let open = SPMV.replace(
        "host twice(\n  n: index,\n  pos: device read indices<u32>[n + 1]",
        "host twice(\n  n: index,\n  pos: device read indices<u32>",
    );
    let short = "the kernel went wrong at run time: in `rows`: `pos` has 41 entries and is given 40";
    let mut arrays = spmv(40);
    arrays[0] = Given::Indices(IndexArray::U32(vec![0; 40]));
    assert_eq!(run(&open, &arrays, &[40]).err().map(|error| error.to_string()), Some(short.to_string()));
    let launch = |blocks: &str, threads: &str| {
        let text = SPMV.replace("blocks((n + 31) / 32,", &format!("blocks({blocks},")).replace("threads(32,", threads);
        run(&text, &spmv(40), &[40]).err().map(|error| error.to_string())
    };
    let wrong = |text: &str| Some(format!("the kernel went wrong at run time: in `rows`: {text}"));
    assert_eq!(launch("n", "threads(32,"), wrong("launched with [40, 1, 1] blocks; its loops have [2, 1, 1]"));
    assert_eq!(launch("2", "threads(n,"), wrong("launched with [40, 1, 1] threads; its loops have [32, 1, 1]"));
    assert_eq!(launch("2", "threads(32,"), None);
}

#[test]
fn threads_wait_for_each_other() {
    let turned = "tile[t] = y[i] barrier y[i] = tile[63 - t]";
    let expected: Vec<f64> = (0..128).map(|i| f64::from(if i < 64 { 63 - i } else { 191 - i })).collect();
    assert_eq!(body(turned).unwrap()[0], expected);
    let sums = "tile[t] = y[i] var left = 32 while 0 < left {
        barrier if t < left { tile[t] = tile[t] + tile[t + left] } left = left / 2 }
        if t == 0 { y[b * 64] = tile[0] }";
    let found = body(sums).unwrap();
    assert_eq!((found[0][0], found[0][64]), (2016.0, 6112.0));
}

#[test]
fn atomic_statements_give_what_was_there() {
    let [_, list] = body(
        "atomic add list[0], 1 -> before
         y[before - 5] = f64(1.0)
         atomic max list[1], i
         atomic min list[2], i
         atomic compare_exchange list[3], 5, 70 -> first",
    )
    .unwrap();
    assert_eq!(list, [133.0, 127.0, 0.0, 70.0]);
    let [y, list] =
        body("atomic xor list[0], 3 if i == 0 { atomic exchange y[0], f64(-1.0) } atomic or list[1], i / 64 * 8 atomic and list[2], 6 atomic add y[127], f64(1.0)")
            .unwrap();
    assert_eq!((list, y[0], y[127]), (vec![5.0, 13.0, 4.0, 5.0], -1.0, 255.0));
}

#[test]
fn several_entries_at_once() {
    let [y, _] = body("if i < 32 { load y[i * 2 * 2] -> a: f64, c: f64 store c, a -> y[i * 4] }").unwrap();
    assert_eq!(&y[..8], [1.0, 0.0, 2.0, 3.0, 5.0, 4.0, 6.0, 7.0]);
}

#[test]
fn lanes_exchange_values() {
    let params = "y: device readwrite values<f64>[256],";
    let lanes = |body: &str| {
        let text = format!(
            "gpu k({params}) {{ for b in 0..2 block.y {{ for h in 0..2 thread.y {{ for w in 0..2 warp {{ for l in 0..32 lane {{
               let i = ((b * 2 + h) * 2 + w) * 32 + l
               {body} }} }} }} }} }}
             host main({params}) {{ launch k()[y] blocks(1, 2, 1) threads(64, 2, 1) }}"
        );
        let y = Given::Write(Values::from((0..256).map(f64::from).collect::<Vec<f64>>()));
        run(&text, &[y], &[]).map(|found| floats(&found[0]))
    };
    let all = |of: fn(i64) -> i64| (0..256).map(|i| of(i) as f64).collect::<Vec<f64>>();
    let from = |how: &str| lanes(&format!("shuffle {how} -> other: f64 y[i] = other")).unwrap();
    assert_eq!(from("xor y[i], 16"), all(|i| i ^ 16));
    assert_eq!(from("down y[i], 1"), all(|i| if i % 32 == 31 { i } else { i + 1 }));
    assert_eq!(from("up y[i], 3"), all(|i| if i % 32 < 3 { i } else { i - 3 }));
    assert_eq!(from("index y[i], l / 2"), all(|i| i / 32 * 32 + i % 32 / 2));
    let sum = "var sum: f64 = y[i] var by = 16 while 0 < by {
        shuffle xor sum, by -> other: f64 sum = sum + other by = by / 2 } y[i] = sum";
    assert_eq!(lanes(sum).unwrap(), all(|i| (i / 32 * 32) * 32 + 496));
    assert_eq!(from("xor y[i], 4 width 8"), all(|i| i ^ 4));
    assert_eq!(from("xor y[i], 8 width 8"), all(|i| i));
    assert_eq!(from("down y[i], 1 width 4"), all(|i| if i % 4 == 3 { i } else { i + 1 }));
    assert_eq!(from("up y[i], 3 width 16"), all(|i| if i % 16 < 3 { i } else { i - 3 }));
    assert_eq!(from("index y[i], 1 width 2"), all(|i| i / 2 * 2 + 1));
    assert_eq!(from("index y[i], l width 8"), all(|i| if i % 32 < 8 { i / 8 * 8 + i % 8 } else { i }));
    assert_eq!(from("down y[i], 1 width 1"), all(|i| i));
    let one_warp = "if w == 1 { shuffle xor y[i], 1 -> other: f64 y[i] = other }";
    assert_eq!(lanes(one_warp).unwrap(), all(|i| if i / 32 % 2 == 1 { i ^ 1 } else { i }));
}

#[test]
fn entries_are_copied_between_memories() {
    let text = "
        gpu twice(x: device read values<f64>[4], y: device write values<f64>[4],) {
          for t in 0..4 thread.x { y[t] = x[t] + x[t] } }
        host main(n: index, x: read values<f64>, list: readwrite indices<u8>, y: readwrite values<f64>,) {
          alloc near: device values<f64>[4]
          alloc far: device values<f64>[4]
          alloc keys: device indices<u8>[2]
          copy x -> near, n
          launch twice()[near, far] blocks(1, 1, 1) threads(4, 1, 1)
          copy far -> y, 3
          copy list -> keys, 1
          list[0] = 9
          copy keys -> list, 1
        }";
    let given = |entries: usize| {
        [
            Given::Read(vec![1.0; entries].into()),
            Given::WriteIndices(IndexArray::U8(vec![7, 8])),
            Given::Write(vec![0.5; 4].into()),
        ]
    };
    let found = run(text, &given(4), &[4]).unwrap();
    assert_eq!((floats(&found[2]), indices(&found[1])), (vec![2.0, 2.0, 2.0, 0.5], vec![7, 8]));
    let problem = |entries, n| run(text, &given(entries), &[n]).err().map(|error| error.to_string());
    let wrong = |text: &str| Some(format!("the kernel went wrong at run time: {text}"));
    assert_eq!(problem(3, 4), wrong("4 entries are copied; `x` has 3"));
    assert_eq!(problem(5, 5), wrong("5 entries are copied; `near` has 4"));
    assert_eq!(problem(4, -1), wrong("-1 entries are copied; `x` has 4"));
    assert_eq!(problem(4, 3), wrong("in `twice`: `x[3]` is read before it is written, in thread 3 of block 0"));
}

#[test]
fn every_thread_has_its_local_arrays() {
    let own = "alloc own: local values<f64>[2] own[i % 2] = y[i] barrier own[1 - i % 2] = f64(0.5) barrier y[i] = own[0] + own[1]";
    assert_eq!(body(own).unwrap()[0], (0..128).map(|i| f64::from(i) + 0.5).collect::<Vec<f64>>());
}

#[test]
fn races_are_found() {
    let meet = |first, now, block, entry: &str| {
        wrong(&format!(
            "threads {first} and {now} of block {block} meet at `{entry}` without a barrier between, and one stores, \
             in thread {now} of block {block}"
        ))
    };
    // Undecided by the verifier: the index depends on the thread.
    assert_eq!(fault("tile[t / 2] = f64(0.0)"), meet(0, 1, 0, "tile[0]"));
    assert_eq!(
        fault("tile[t] = y[i] y[i] = tile[63 - t]"),
        wrong("`tile[63]` is read before it is written, in thread 0 of block 0")
    );
    assert_eq!(fault("tile[t] = y[i] barrier tile[t] = tile[63 - t]"), meet(31, 32, 0, "tile[31]"));
    assert_eq!(
        fault("if t == 9 { y[i - 9] = f64(1.0) } if t == 3 { atomic add y[i - 3], f64(1.0) }"),
        meet(3, 9, 0, "y[0]")
    );
    let blocks = "blocks 0 and 1 meet at `y[3]`, and one stores, in thread 3 of block 1";
    assert_eq!(fault("if t == 3 { y[i - b * 64] = f64(1.0) }"), wrong(blocks));
    assert_eq!(fault("let q: f64 = y[i - b * 64] barrier if i == 3 { y[3] = q }"), wrong(blocks));
}

#[test]
fn meetings_that_are_no_races() {
    for text in [
        "y[i] = y[i] + f64(1.0)",
        "tile[t] = cast<f64>(list[0]) barrier y[i] = tile[t]",
        "atomic add y[0], f64(1.0)",
        "let q: f64 = y[3] atomic add list[0], 1 if i == 5 { y[5] = q }",
        "if t == 0 { tile[0] = f64(1.0) } barrier y[i] = tile[0]",
    ] {
        assert!(body(text).is_ok(), "{text}: {}", fault(text));
    }
}

#[test]
fn other_faults_are_found_with_the_thread() {
    assert_eq!(
        fault("y[i + 1] = f64(0.0)"),
        wrong("`y[128]` is outside the array, which has 128 entries, in thread 63 of block 1")
    );
    assert_eq!(
        fault("tile[0 - t] = f64(0.0)"),
        wrong("`tile[-1]` is outside the array, which has 64 entries, in thread 1 of block 0")
    );
    assert_eq!(
        fault("alloc own: local values<f64>[2] own[0] = own[t % 2]"),
        wrong("`own[0]` is read before it is written, in thread 0 of block 0")
    );
}

#[test]
fn what_a_launch_has_not_written_is_not_read() {
    let text = "
        gpu k(x: device read values<f64>[2], y: device readwrite values<f64>[2],) {
          for b in 0..1 block.x { for t in 0..2 thread.x { y[t] = x[t] } } }
        host main(y: device readwrite values<f64>[2],) {
          alloc x: device values<f64>[2]
          launch k()[x, y] blocks(1, 1, 1) threads(2, 1, 1) }";
    let problem = run(text, &[Given::Write(vec![0.0; 2].into())], &[]).err().map(|error| error.to_string());
    assert_eq!(problem, Some(wrong("`x[0]` is read before it is written, in thread 0 of block 0")));
}

#[test]
fn a_kernel_may_read_an_array_twice() {
    let text = "
        gpu k(a: device read values<f64>[2], b: device read values<f64>[2], y: device readwrite values<f64>[2],) {
          for t in 0..2 thread.x { y[t] = a[t] * b[1 - t] } }
        host main(x: device read values<f64>[2], y: device readwrite values<f64>[2],) {
          for s in 0..2 { launch k()[x, x, y] blocks(1, 1, 1) threads(2, 1, 1) } }";
    let found = run(text, &[Given::Read(vec![3.0, 5.0].into()), Given::Write(vec![0.0; 2].into())], &[]).unwrap();
    assert_eq!(floats(&found[1]), [15.0, 15.0]);
}

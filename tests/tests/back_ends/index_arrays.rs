//! Index arrays that a kernel writes: stores, sorts, and loads that must see them.

use super::{Given, agree, run};
use nnz_core::{
    arrays::{IndexArray, Width},
    backend::{BackendError, Interpreter},
    loops::{parse, verify},
};

const WIDTHS: [(&str, Width); 4] = [("u8", Width::W8), ("u16", Width::W16), ("u32", Width::W32), ("u64", Width::W64)];

/// Runs `text`, whose one array `list` starts as `before`, at every width, and checks what it becomes.
#[track_caller]
fn check(text: &str, before: &[u64], after: &[u64]) {
    for (name, width) in WIDTHS {
        let function = parse(&text.replace("WIDTH", name)).unwrap();
        let list = Given::WriteIndices(IndexArray::new(before.to_vec(), width).unwrap());
        let found = agree(function, &[list], &[]);
        let Given::WriteIndices(found) = &found[0] else { panic!("the list is lost") };
        let after: Vec<u64> = after.iter().map(|number| number & width.max()).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), after, "{name}");
    }
}

fn kernel(body: &str) -> String {
    format!("kernel k(\n  list: readwrite indices<WIDTH>,\n) {{\n{body}\n}}\n")
}

#[test]
fn stores_keep_the_low_bits() {
    let body = "list[0] = -1 list[1] = list[0] + 1 list[2] = 4294967298 list[3] = list[2] * 65536";
    for (name, width) in WIDTHS {
        let function = parse(&kernel(body).replace("WIDTH", name)).unwrap();
        let found = agree(function, &[Given::WriteIndices(IndexArray::new(vec![9; 4], width).unwrap())], &[]);
        let Given::WriteIndices(found) = &found[0] else { panic!("the list is lost") };
        let third = 4_294_967_298 & width.max();
        let expected = [width.max(), 0, third, (third << 16) & width.max()];
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn sorts_order_their_range_and_nothing_else() {
    let some = [9, 250, 3, 3, 7, 0, 1, 200];
    check(&kernel("sort list[1..7]"), &some, &[9, 0, 1, 3, 3, 7, 250, 200]);
    check(&kernel("sort list[0..8]"), &some, &[0, 1, 3, 3, 7, 9, 200, 250]);
    check(&kernel("sort list[3..3] sort list[6..2] sort list[9..-9]"), &some, &some);
    let many: Vec<u64> = (0..200).map(|n| n * 77 % 200).collect();
    check(&kernel("sort list[0..200]"), &many, &(0..200).collect::<Vec<_>>());
}

#[test]
fn a_load_sees_the_store_and_the_sort_before_it() {
    let body = "
  for i in 0..7 {
    let before = list[0]
    list[0] = before + list[7 - i]
    sort list[0..3]
    list[i + 1] = list[i + 1] + list[0] + before
  }";
    let mut list: Vec<u64> = vec![5, 1, 4, 2, 8, 3, 6, 7];
    let before = list.clone();
    for i in 0..7 {
        let first = list[0];
        list[0] = first + list[7 - i];
        list[0..3].sort();
        list[i + 1] += list[0] + first;
    }
    check(&kernel(body), &before, &list);
}

#[test]
fn a_while_loop_merges_and_sees_its_own_stores() {
    // Removes duplicates of a sorted list in place.
    let body = "
  sort list[0..9]
  var to: index = 0
  var from: index = 1
  while from < 9 {
    if list[to] != list[from] {
      to = to + 1
      list[to] = list[from]
    }
    from = from + 1
  }
  while to < 8 && list[to] != 0 {
    to = to + 1
    list[to] = 0
  }";
    check(&kernel(body), &[3, 1, 2, 3, 3, 1, 9, 9, 2], &[1, 2, 3, 9, 0, 3, 3, 9, 9]);
}

#[test]
fn parallel_iterations_sort_their_own_segments() {
    let body = "for i in 0..50 parallel { sort list[i * 4..i * 4 + 4] }";
    let before: Vec<u64> = (0..200).map(|n| n * 77 % 200).collect();
    let mut after = before.clone();
    after.chunks_mut(4).for_each(<[u64]>::sort);
    check(&kernel(body), &before, &after);
}

#[test]
fn the_interpreter_finds_what_is_wrong() {
    let list = [Given::WriteIndices(IndexArray::U8(vec![2, 1, 0]))];
    let fails = |body: &str, problem: &str| {
        let function = verify(parse(&kernel(body).replace("WIDTH", "u8")).unwrap()).unwrap();
        assert_eq!(run(&Interpreter, &function, &list, &[], 1).unwrap_err(), BackendError::Failed(problem.into()));
    };
    fails("sort list[1..4]", "`list[3]` is outside the array, which has 3 entries");
    fails("sort list[-1..2]", "`list[-1]` is outside the array, which has 3 entries");
    fails("list[3] = 1", "`list[3]` is outside the array, which has 3 entries");
    let shared = "iterations 0 and 1 of a parallel loop both write `list[0]`";
    fails("for i in 0..2 parallel { sort list[i - i..2] }", shared);
    let read_only = [Given::Indices(IndexArray::U8(vec![2, 1, 0]))];
    let function = verify(parse(&kernel("sort list[0..3]").replace("WIDTH", "u8")).unwrap()).unwrap();
    let refused = run(&Interpreter, &function, &read_only, &[], 1).unwrap_err();
    assert!(matches!(refused, BackendError::BadArgument { .. }), "{refused}");
}

//! What functions count. `nnz-run` tests that runs produce such counters.

use super::{Counting, Done};
use crate::{parse, verify};

/// What each counter stands for, and the statements that increase it.
fn counted(head: &str, body: &str) -> (Vec<Done>, String) {
    let function = parse(&format!("kernel k({head}) {{ {body} }}")).expect("the text is a function");
    let counting = Counting::of(&verify(function).expect("the function is legal")).expect("it can be counted");
    (counting.done.clone(), counting.function.to_string())
}

fn done(operations: u64, loads: &[u64]) -> Done {
    Done { operations, loads: loads.to_vec() }
}

const HEAD: &str =
    "n: index, pos: read indices<u64>, crd: read indices<u64>, a: read values<f64>, y: readwrite values<f64>,";

#[test]
fn blocks_count_their_operations_and_loads() {
    let rows = "for i in 0..n parallel { for p in pos[i]..pos[i + 1] { y[i] = y[i] + a[p] * a[crd[p]] } }";
    let (found, text) = counted(HEAD, rows);
    // The body, an iteration over the rows, an iteration over a segment.
    assert_eq!(found, [done(0, &[]), done(0, &[2]), done(2, &[0, 1, 2, 1])]);
    assert!(!text.contains("parallel"), "{text}");
    assert!(text.contains("runs[2] = runs[2] + 1"), "{text}");
}

#[test]
fn what_is_evaluated_sometimes_has_a_counter_of_its_own() {
    let (found, text) =
        counted(HEAD, "for i in 0..n { y[i] = select(i < 2 && pos[i] < 3, a[i] * f64(2.0), f64(0.0)) }");
    assert_eq!(found[2..], [done(0, &[1]), done(1, &[0, 0, 1])]);
    assert!(text.contains("select(i < 2, 1, 0)"), "{text}");
    assert!(text.contains("select(i < 2 && pos[i] < 3, 1, 0)"), "{text}");
}

#[test]
fn a_condition_of_a_loop_is_evaluated_once_more_than_its_body() {
    let (_, text) = counted(HEAD, "var p = 0 while p < n && crd[p] < 5 { p = p + 1 }");
    assert_eq!(text.matches("select(p < n, 1, 0)").count(), 2, "{text}");
}

#[test]
fn names_that_nothing_reads_cost_nothing() {
    let (found, _) = counted(HEAD, "for p in 0..n { let j = crd[p] y[p] = a[p] }");
    assert_eq!(found[1], done(0, &[0, 0, 1]));
}

#[test]
fn all_that_a_run_did_is_what_its_counters_say() {
    let function = parse(&format!("kernel k({HEAD}) {{ for i in 0..n {{ y[i] = -a[i] }} }}")).expect("a function");
    let counting = Counting::of(&verify(function).expect("legal")).expect("it can be counted");
    assert_eq!(counting.total([1, 7]), done(7, &[0, 0, 7]));
}

//! The output of each pass, as text. The suite checks on every back end that results stay the same.

use super::{Pass, run};
use crate::{parse, verify};

const HEAD: &str = "kernel k(n: index, m: index, pos: read indices<u64>, crd: read indices<u64>, a: read values<f64>, \
                    b: read values<f64>, y: readwrite values<f64>,)";

/// The body after a pass, without spaces at the starts of lines.
fn after(pass: Pass, body: &str) -> String {
    let function = parse(&format!("{HEAD} {{ {body} }}")).expect("the text is a function");
    let made = run(&[pass], &verify(function).expect("the function is legal")).expect("the pass keeps the rules");
    let text = made.to_string();
    let body = text.split_once(") {\n").map_or("", |(_, body)| body);
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    lines[..lines.len().saturating_sub(1)].join("\n")
}

#[test]
fn loops_over_segments_are_short() {
    let rows = "for i in 0..n { for p in pos[i]..pos[i + 1] { y[i] = y[i] + a[p] * b[crd[p]] } }";
    let marked = "for i in 0..n {\nfor p in pos[i]..pos[i + 1] short {\ny[i] = y[i] + a[p] * b[crd[p]]\n}\n}";
    assert_eq!(after(Pass::Segments, rows), marked);
    let dense = "for i in 0..n {\ny[i] = a[i]\n}";
    assert_eq!(after(Pass::Segments, dense), dense);
}

#[test]
fn parallel_loops_over_rows_are_divided_by_their_positions() {
    let body = "{\nfor p in pos[i]..pos[i + 1] {\ny[p] = a[p]\n}\n}";
    assert_eq!(
        after(Pass::Positions, &format!("for i in 0..n parallel {body}")),
        format!("for i in 0..n parallel by pos {body}")
    );
    let even = "for i in 0..n parallel {\ny[i] = a[i]\n}";
    assert_eq!(after(Pass::Positions, even), even);
}

#[test]
fn sums_go_four_abreast_and_the_rest_as_it_was() {
    let sums = "for i in 0..n { var s: f64 = f64(0.0) for j in 0..m { s = s + a[j] * b[i] } y[i] = s }";
    let made = after(Pass::Abreast, sums);
    let expected = "\
let groups = max(n, 0) / 4
for group in 0..groups {
var s_1: f64 = f64(0.0)
var s_2: f64 = f64(0.0)
var s_3: f64 = f64(0.0)
var s_4: f64 = f64(0.0)
for j_1 in 0..m {
s_1 = s_1 + a[j_1] * b[group * 4]
s_2 = s_2 + a[j_1] * b[group * 4 + 1]
s_3 = s_3 + a[j_1] * b[group * 4 + 2]
s_4 = s_4 + a[j_1] * b[group * 4 + 3]
}
y[group * 4] = s_1
y[group * 4 + 1] = s_2
y[group * 4 + 2] = s_3
y[group * 4 + 3] = s_4
}
for i in groups * 4..n {
var s: f64 = f64(0.0)
for j in 0..m {
s = s + a[j] * b[i]
}
y[i] = s
}";
    assert_eq!(made, expected);
    let carried = "for i in 0..n { for j in 0..m { y[j] = y[j] + a[j] } }";
    assert!(!after(Pass::Abreast, carried).contains("group"));
}

#[test]
fn rows_of_results_stay_in_registers() {
    let product = "for p in 0..n { for k in 0..m { y[n + k] = y[n + k] + a[p] * b[p * m + k] } }";
    let made = after(Pass::Tile, product);
    let start = "if 0 < n {\nfor tile in 0..m / 32 {\nlet first = tile * 32\nvar tiled: f64 = y[n + first]\n";
    assert!(made.starts_with(start), "{made}");
    assert_eq!(made.matches("var tiled").count(), 32, "{made}");
    assert!(made.contains("if m / 32 * 32 < m {"), "{made}");
    let small = "for p in 0..n { for k in 0..16 { y[n + k] = y[n + k] + a[p] * b[p * 16 + k] } }";
    assert!(!after(Pass::Tile, small).contains("tiled"));
}

//! The output of each pass, as text. The suite checks on every back end that results stay the same.

use super::{Pass, on_a_grid, run};
use crate::{Function, Verified, parse, verify};

const HEAD: &str = "kernel k(n: index, m: index, pos: read indices<u64>, crd: read indices<u64>, a: read values<f64>, \
                    b: read values<f64>, y: readwrite values<f64>,)";

/// The body after a pass, without spaces at the starts of lines.
fn after(pass: Pass, body: &str) -> String {
    after_all(&[pass], body)
}

/// As [`after`].
fn after_all(passes: &[Pass], body: &str) -> String {
    let function = parse(&format!("{HEAD} {{ {body} }}")).expect("the text is a function");
    let made = run(passes, &verify(function).expect("the function is legal")).expect("the passes keep the rules");
    body_of(&made)
}

/// The lines of the body. The printed text must parse back.
fn body_of(made: &Verified<Function>) -> String {
    let text = made.to_string();
    assert_eq!(parse(&text).as_ref(), Ok(&**made), "{text}");
    let body = text.split_once(") {\n").map_or("", |(_, body)| body);
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    lines[..lines.len().saturating_sub(1)].join("\n")
}

#[test]
fn short_segments_have_a_loop_of_their_own() {
    let rows = "for i in 0..n { for p in pos[i]..pos[i + 1] { y[i] = y[i] + a[p] * b[crd[p]] } }";
    let split = "\
for i in 0..n {
if 16 <= pos[i + 1] - pos[i] {
for p in pos[i]..pos[i + 1] {
y[i] = y[i] + a[p] * b[crd[p]]
}
} else {
for p_1 in pos[i]..pos[i + 1] rolled {
y[i] = y[i] + a[p_1] * b[crd[p_1]]
}
}
}";
    assert_eq!(after(Pass::Segments, rows), split);
    let dense = "for i in 0..n {\ny[i] = a[i]\n}";
    assert_eq!(after(Pass::Segments, dense), dense);
}

#[test]
fn segments_of_known_length_have_one_loop() {
    let block = |hi: u32| format!("for p in 2..{hi} {{\ny[p] = b[crd[p]]\n}}");
    assert_eq!(after(Pass::Segments, &block(17)), block(17).replace("17", "17 rolled"));
    assert_eq!(after(Pass::Segments, &block(18)), block(18));
}

#[test]
fn loops_that_write_coordinates_or_have_loops_inside_stay_one() {
    let list = "kernel k(n: index, list: readwrite indices<u64>,) { for p in 0..n { list[p] = list[p] + 1 } }";
    let function = verify(parse(list).expect("the text is a function")).expect("the function is legal");
    assert_eq!(run(&[Pass::Segments], &function), Ok(function));
    let nest = "for p in 0..n {\nlet at = crd[p]\nfor k in 0..m {\ny[k] = a[at]\n}\n}";
    assert_eq!(after(Pass::Segments, nest), nest);
}

#[test]
fn rows_of_two_versions_are_still_divided_by_their_positions() {
    let rows = "for i in 0..n parallel { for p in pos[i]..pos[i + 1] { y[p] = b[crd[p]] } }";
    let made = after_all(&[Pass::Positions, Pass::Segments], rows);
    assert!(made.starts_with("for i in 0..n parallel by pos {\nif 16 <= pos[i + 1] - pos[i] {\n"), "{made}");
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

/// The module of a kernel with that body, or why there is none.
fn grid(body: &str) -> String {
    grid_of(&format!("{HEAD} {{ {body} }}"))
}

fn grid_of(text: &str) -> String {
    let function = parse(text).expect("the text is a function");
    match on_a_grid(&verify(function).expect("the function is legal")) {
        Ok(module) => module.to_string().lines().map(str::trim).collect::<Vec<_>>().join("\n"),
        Err(reason) => reason.to_string(),
    }
}

#[test]
fn a_parallel_loop_becomes_a_kernel() {
    let rows = "let two = a[0] + a[1] for i in 3..n parallel { var s: f64 = two for p in pos[i]..pos[i + 1] { s = s + a[p] * b[crd[p]] } y[i] = s }";
    let made = grid(rows.replace("let two", "let two: f64").as_str());
    let body = "\
let two: f64 = a[0] + a[1]
for block in 0..(n - 3 + 255) / 256 block.x {
for thread in 0..256 thread.x {
let i = 3 + (block * 256 + thread)
if i < n {
var s: f64 = two
for p in pos[i]..pos[i + 1] {
s = s + a[p] * b[crd[p]]
}
y[i] = s
}
}
}
}
";
    assert!(made.contains(body), "{made}");
    assert!(made.contains("pos: device read indices<u64>,") && made.contains("launch k(n, m)["), "{made}");
}

#[test]
fn what_is_no_kernel_is_named() {
    let parallel = "for i in 0..n parallel { y[i] = a[i] }";
    assert_eq!(grid("let i = 0"), "it has no parallel loop");
    assert_eq!(
        grid(&format!("{parallel} for k in 0..n {{ y[k] = a[k] }}")),
        "it has a loop over `k` that is not parallel"
    );
    assert_eq!(
        grid(&format!("{parallel} {}", parallel.replace(" i ", " k ").replace("[i]", "[k]"))),
        "it has a second parallel loop, over `k`"
    );
    assert_eq!(
        grid("for i in 0..pos[0] parallel { y[i] = a[i] }"),
        "it has a loop over `i` whose bounds are more than constants and scalar parameters"
    );
    assert_eq!(grid(&format!("{parallel} y[0] = a[0]")), "it has a store outside of its parallel loop");
    let sort = "kernel k(n: index, list: readwrite indices<u64>,) { for i in 0..n parallel { sort list[i..i + 1] } }";
    assert_eq!(grid_of(sort), "it has a sort in its parallel loop");
}

/// As [`after`], of the body once reductions are moved out of loops.
fn hoisted_of(body: &str) -> String {
    let function = parse(&format!("{HEAD} {{ {body} }}")).expect("the text is a function");
    let made = super::hoisted(&function, std::iter::empty()).unwrap_or(function);
    let made = verify(made).expect("the rules are kept");
    body_of(&made)
}

#[test]
fn a_reduction_of_parameters_moves_out_of_every_loop() {
    let most = "var m_: f64 = f64(0.0)\nfor j in 0..m {\nm_ = max(m_, a[j])\n}";
    let row = |inner: &str| {
        format!("for i in 0..n parallel {{\nfor p in pos[i]..pos[i + 1] {{\n{inner}y[p] = b[p] * m_\n}}\n}}")
    };
    assert_eq!(hoisted_of(&row(&format!("{most}\n"))), format!("{most}\n{}", row("")));
}

#[test]
fn a_reduction_of_a_row_moves_out_of_the_loop_over_its_entries() {
    let most = "m_ = max(m_, a[q])";
    let written = format!(
        "for i in 0..n {{ for p in pos[i]..pos[i + 1] {{ var m_: f64 = f64(0.0) for q in pos[i]..pos[i + 1] {{ {most} }} \
         let r: f64 = m_ * m_ y[p] = b[p] * r }} }}"
    );
    let moved = format!(
        "for i in 0..n {{\nvar m_: f64 = f64(0.0)\nif pos[i] < pos[i + 1] {{\nfor q in pos[i]..pos[i + 1] {{\n{most}\n}}\n}}\n\
         for p in pos[i]..pos[i + 1] {{\nlet r: f64 = m_ * m_\ny[p] = b[p] * r\n}}\n}}"
    );
    assert_eq!(hoisted_of(&written), moved);
}

#[test]
fn what_a_loop_changes_stays_in_it() {
    // It reads what is stored, goes on from the iteration before, is read before it is complete, or stands in no loop.
    for stays in [
        "for i in 0..n {\nvar s: f64 = f64(0.0)\nfor j in 0..m {\ns = s + y[j]\n}\ny[i] = s\n}",
        "var s: f64 = f64(0.0)\nfor i in 0..n {\nfor j in 0..m {\ns = s + a[j]\n}\ny[i] = s\n}",
        "for i in 0..n {\nvar s: f64 = f64(0.0)\ny[i] = s\nfor j in 0..m {\ns = s + a[j]\n}\ny[i] = s\n}",
        "for i in 0..n {\nvar s: f64 = f64(0.0)\nfor j in 0..m {\ns = s + a[j]\n}\ns = s + b[i]\ny[i] = s\n}",
        "var s: f64 = f64(0.0)\nfor j in 0..m {\ns = s + a[j]\n}\ny[0] = s",
    ] {
        assert_eq!(hoisted_of(stays), stays);
    }
}

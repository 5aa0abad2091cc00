use std::fmt::Write;

use super::*;
use nnz_base::{ids::FileId, source::Source};
use nnz_check::{mlir::check_mlir, scope::Scope, session::check_session};

/// The text that each loop or row is made of, in the order of the lines: `for i in 0..i.size: i, i`.
fn told(checked: &Checked, kernel: &str, view: View) -> String {
    let shown = match lowered(checked, kernel, view, &|| false) {
        Some(Preview::Shown(shown)) => shown,
        other => return format!("{other:?}"),
    };
    let mut told = String::new();
    for (at, line) in shown.text.lines().enumerate() {
        let here = shown.places.iter().filter(|place| place.first == at);
        let names: Vec<&str> = here.map(|place| checked.source.slice(place.span)).collect();
        if !names.is_empty() {
            writeln!(told, "{}: {}", line.trim().trim_end_matches(" {"), names.join(", ")).unwrap();
        }
    }
    told
}

fn notation(text: &str) -> Checked {
    check_session(&Source::new(FileId(0), "a.nnz", text), &Scope::default())
}

const TWO: &str = "
A : tensor<8x6xf64, CSR> = random(density = 0.3)
B : tensor<8x6xf64, CSC> = random(density = 0.3)
C(i, j) : CSR = A(i, j) + B(i, j)
";

#[test]
fn a_scalar_is_computed_by_loops() {
    let loops =
        told(&notation("A : tensor<8x6xf64, CSR> = random(density = 0.3)\nn : f64 = A(i, j) * 2\n"), "n", View::Loops);
    assert!(loops.contains("for A.p1 in "), "{loops}");
}

#[test]
fn a_merge_is_made_of_its_variable_and_both_accesses() {
    let loops = told(&notation(TWO), "C", View::Lowered);
    let wanted = "\
for at_1 in B.pos1[0]..B.pos1[j.size]: B(i, j)
for j in 0..j.size: j, j, j
for B.p1 in B.pos1[j]..B.pos1[j + 1]: i, i, B(i, j), i
for i in 0..i.size: i, i, i
while A.p1 < A.p1.end && B.converted.p1 < B.converted.p1.end: j, A(i, j), j, B(i, j), j
for A.p1_1 in A.p1..A.p1.end: j, A(i, j), j, j
for B.converted.p1_1 in B.converted.p1..B.converted.p1.end: j, j, B(i, j), j
";
    assert_eq!(loops, wanted);
    let c = told(&notation(TWO), "C", View::C);
    assert!(
        c.contains("while (A_p1 < A_p1_end && B_converted_p1 < B_converted_p1_end): j, A(i, j), j, B(i, j), j\n"),
        "{c}"
    );
}

#[test]
fn the_loops_of_mlir_are_made_of_what_they_follow() {
    let text = TWO.replace("CSC", "CSR");
    let mlir = told(&notation(&text), "C", View::Mlir);
    let loops: Vec<&str> = mlir.lines().map(str::trim_start).collect();
    let begins = |start: &str, made: &str| {
        let found = loops.iter().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {mlir}"));
        assert!(found.ends_with(made), "{found}");
    };
    begins("scf.for %i = ", ": i, i, i");
    begins("scf.while : () -> ()", ": A(i, j), B(i, j)");
    begins("scf.for %A.p1_1 = ", ": A(i, j)");
    begins("scf.for %B.p1_1 = ", ": B(i, j)");
}

#[test]
fn the_rows_of_tables_are_made_of_what_they_name() {
    let plan = told(&notation(TWO), "C", View::Plan);
    let rows: Vec<&str> = plan.lines().map(|row| row.rsplit(": ").next().unwrap_or_default()).collect();
    assert_eq!(rows, ["C(i, j)", "i, j, i, j, i, j", "A(i, j)", "B(i, j)", "B(i, j)"]);
    let graph = told(&notation(TWO), "C", View::Graph);
    assert!(graph.contains("\ni: all of i: i, i, i\n"), "{graph}");
}

#[test]
fn the_loops_of_a_program_are_made_of_its_operands_and_iterators() {
    let text = "
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#sum = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"]
}
func.func @f(%A: tensor<80x60xf64, #CSR>, %y: tensor<80xf64>) -> tensor<80xf64> {
  %0 = linalg.generic #sum ins(%A : tensor<80x60xf64, #CSR>) outs(%y : tensor<80xf64>) {
  ^bb0(%a: f64, %c: f64):
    %2 = arith.addf %c, %a : f64
    linalg.yield %2 : f64
  } -> tensor<80xf64>
  return %0 : tensor<80xf64>
}";
    let checked = check_mlir(&Source::new(FileId(0), "a.mlir", text));
    let wanted = "\
for d0 in 0..d0.size parallel: \"parallel\"
for A.p1 in A.pos1[d0]..A.pos1[d0 + 1]: \"reduction\", %A
";
    assert_eq!(told(&checked, "@f/linalg.generic", View::Lowered), wanted);
    let [kernel] = &kernels(&checked)[..] else { panic!("one kernel") };
    let whole = checked.source.slice(kernel.whole);
    assert!(whole.starts_with("%0 = linalg.generic") && whole.ends_with("} -> tensor<80xf64>"), "{whole}");
}

#[test]
fn a_conversion_without_loops_says_so_and_a_number_is_none() {
    let text = "A : tensor<4x4xf64, CSR> = random(density = 0.5)\nD : DIA = A\nt : f64 = inf\n";
    let checked = notation(text);
    assert_eq!(kernels(&checked).iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>(), ["D"]);
    let shown = lowered(&checked, "D", View::Llvm, &|| false);
    let text = "; the entries of `D` are packed, without loops\n".to_string();
    assert_eq!(shown, Some(Preview::Shown(Shown { text, ..Shown::default() })));
}

#[test]
fn a_cancelled_view_is_not_made() {
    assert_eq!(lowered(&notation(TWO), "C", View::C, &|| true), None);
}

#[test]
fn what_is_wrong_is_the_reason() {
    let broken = notation(&TWO.replace("+ B(i, j)", "+ Z(i, j)"));
    let preview = lowered(&broken, "C", View::C, &|| false);
    assert_eq!(preview, Some(Preview::Broken("there is no tensor and no function `Z`".to_string())));
    let stray = notation(&TWO.replace("+ B(i, j)", "+ B(i, j) )"));
    assert!(matches!(lowered(&stray, "C", View::C, &|| false), Some(Preview::Broken(_))));
    let operand = notation(&TWO.replace("B : tensor<8x6xf64, CSC>", "B : tensor<8x6xf64, CSB>"));
    assert!(matches!(lowered(&operand, "C", View::C, &|| false), Some(Preview::Broken(_))));
    let refused = notation(&TWO.replace("+ B(i, j)", "+ B(i, j) schedule parallelize(j)"));
    assert!(matches!(lowered(&refused, "C", View::C, &|| false), Some(Preview::Broken(_))));
}

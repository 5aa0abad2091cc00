use super::*;
use nnz_base::{ids::FileId, source::Source};
use nnz_check::{mlir::check_mlir, scope::Scope, session::check_session};

fn notation(text: &str) -> Checked {
    check_session(&Source::new(FileId(0), "a.nnz", text), &Scope::default())
}

fn program(text: &str) -> Checked {
    check_mlir(&Source::new(FileId(0), "a.mlir", text))
}

/// What runs, and where that is shown.
fn runs(checked: &Checked, kernel: &str) -> String {
    match execution(checked, kernel, Action::Run) {
        Ok(Execution { place, part: Part::Statements { end, name } }) => {
            format!("{} at {}: {}", name, place.start, &checked.source.text[..end])
        }
        Ok(Execution { part: Part::Kernel { name, .. }, .. }) => name,
        Ok(Execution { place, part: Part::Function(name) }) => format!("{name} at {}", checked.source.slice(place)),
        Err(reason) => reason,
    }
}

#[test]
fn statements_run_up_to_the_kernel_and_with_its_schedule() {
    let text = "x = [1, 2]; y(i) = x(i) schedule parallelize(i); y(i) = 2 * x(i)\ny\n";
    let checked = notation(text);
    assert_eq!(runs(&checked, "y"), "y at 12: x = [1, 2]; y(i) = x(i) schedule parallelize(i)");
    assert_eq!(runs(&checked, "y#2"), "y at 49: x = [1, 2]; y(i) = x(i) schedule parallelize(i); y(i) = 2 * x(i)");
    assert_eq!(runs(&checked, "z"), "the text has no kernel `z`: it has y, y#2");
    assert_eq!(runs(&notation("x = [1]; y(i) = x(i) x\n  + x(i)\nx"), "y"), "y at 9: x = [1]; y(i) = x(i) x\n  + x(i)");
    assert_eq!(runs(&notation("x = [1]"), "x"), "the text has no kernel `x`: it has none");
    assert_eq!(runs(&notation("y(i) = \nz(i) = x(i"), "z"), "z at 8: y(i) = \nz(i) = x(i");
}

#[test]
fn scalars_run_that_kernels_compute() {
    let checked = notation("A : CSR = [[1, 2]]\nn : f64 = A(i, j) * 2\nm : f64 = 3\n");
    let names: Vec<String> = executables(&checked).into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["n"]);
    assert_eq!(runs(&checked, "n"), "n at 19: A : CSR = [[1, 2]]\nn : f64 = A(i, j) * 2");
}

const PROGRAM: &str = "
func.func private @declared()
func.func @takes(%x: tensor<4xf64>) -> f64 {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.copy ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
}
func.func @alone() -> f64 attributes { note } {
  %r = linalg.copy ins(%a : tensor<4xf64>) outs(%b : tensor<4xf64>) -> tensor<4xf64>
  %s = linalg.copy ins(%a : tensor<4xf64>) outs(%b : tensor<4xf64>) -> tensor<4xf64>
}
";

#[test]
fn functions_run_that_take_nothing() {
    let checked = program(PROGRAM);
    let names = |checked: &Checked| executables(checked).into_iter().map(|it| it.name).collect::<Vec<String>>();
    assert_eq!(names(&checked), ["@alone", "@alone/linalg.copy", "@alone/linalg.copy#2"]);
    assert_eq!(runs(&checked, "@alone"), "alone at @alone");
    assert_eq!(runs(&checked, "@alone/linalg.copy#2"), "alone at linalg.copy");
    let refused = "`@takes` takes arguments: write a function without any that calls it, `func.func @main() { ... }`";
    assert_eq!(runs(&checked, "@takes"), refused);
    assert_eq!(runs(&checked, "@takes/linalg.copy"), refused);
    assert!(runs(&checked, "@alone/linalg.generic").starts_with("the text has no kernel `@alone/linalg.generic`: "));
    assert!(runs(&checked, "@none").starts_with("the text has no kernel `@none`: it has @alone"));
    let with_main = program(&format!("{PROGRAM}func.func @main() {{\n  return\n}}\n"));
    assert_eq!(runs(&with_main, "@takes/linalg.copy"), "main at linalg.copy");
    assert!(!names(&with_main).contains(&"@takes/linalg.copy".to_string()));
    let calls = "func.func @main() {\n  func.call @between() : () -> ()\n}\nfunc.func @between() {\n  func.call @takes(%t) : (tensor<4xf64>) -> f64\n}\n";
    let reached = program(&format!("{PROGRAM}{calls}"));
    assert!(names(&reached).contains(&"@takes/linalg.copy".to_string()));
}

#[test]
fn kernels_of_programs_are_measured_where_a_run_reaches_them() {
    let checked = program(PROGRAM);
    for action in [Action::Time, Action::Compare] {
        let refused = execution(&checked, "@alone", action).unwrap_err();
        assert!(refused.starts_with("the text has no kernel `@alone`: it has @alone/linalg.copy"), "{refused}");
        let refused = execution(&checked, "@takes/linalg.copy", action).unwrap_err();
        assert!(refused.starts_with("`@takes` takes arguments"), "{refused}");
        let found = execution(&checked, "@alone/linalg.copy#2", action).unwrap();
        let name = "@alone/linalg.copy#2".to_string();
        assert_eq!(found.part, Part::Kernel { function: "alone".to_string(), name });
        assert_eq!(checked.source.slice(found.place), "linalg.copy");
    }
    assert_eq!(Action::ALL.map(|action| Action::named(action.name())), Action::ALL.map(Some));
}

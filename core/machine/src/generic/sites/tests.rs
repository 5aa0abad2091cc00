use super::*;
use crate::{
    dialects::meanings,
    meaning::{HostFn, Meaning},
};
use nnz_base::ids::FileId;
use nnz_check::mlir::check_mlir;
use nnz_mlir::{dialects::operations, modules};

const TRAITS: &str = "
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#sum = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"] }
func.func @f(%A: tensor<?x8xf64, #CSR>, %out: tensor<?xf64>, %alpha: f64) -> tensor<?xf64> {";

const SUM: &str = "
  %y = linalg.generic #sum ins(%A : tensor<?x8xf64, #CSR>) outs(%x : tensor<?xf64>) {
^bb0(%a: f64, %s: f64):
  %1 = arith.mulf %a, %alpha : f64
  %2 = arith.addf %s, %1 : f64
  linalg.yield %2 : f64
  } -> tensor<?xf64>
  return %y : tensor<?xf64>
}";

/// The kernels of `@f` with `start` in front of the sum, and what is noted of each.
fn found(start: &str) -> Vec<(String, Vec<String>)> {
    let text =
        format!("{TRAITS}\n{start}\n{}", if start.contains("%x =") { SUM.into() } else { SUM.replace("%x", "%out") });
    let source = Source::new(FileId(0), "f.mlir", text);
    let modules = modules(&check_mlir(&source)).unwrap();
    let told = |site: Site| match site.becomes {
        Becomes::Loops(made, _) => (made.kernel().to_string(), site.notes),
        Becomes::Evaluated(reason) => (reason, site.notes),
        Becomes::Broken(refusal) => (refusal.to_string(), site.notes),
    };
    sites(&source, &modules[0].functions[0], meanings()).into_iter().map(told).collect()
}

const SIZES: &str = "as if sizes that only a run tells were 1000";

#[test]
fn a_sum_is_a_kernel_with_the_names_of_the_text() {
    let start = "%c = arith.constant 4 : index\n%x = tensor.empty(%c) : tensor<?xf64>";
    assert_eq!(found(start), [("y(d0) = A(d0, d1) * alpha".to_string(), vec![SIZES.to_string()])]);
}

#[test]
fn what_a_result_holds_before_is_assumed_or_known() {
    let kernel = "y(d0) = A(d0, d1) * alpha".to_string();
    let assumed = "as if `%out` held nothing before; with anything else it goes on from that".to_string();
    assert_eq!(found(""), [(kernel, vec![SIZES.to_string(), assumed])]);
    let start = "%c = arith.constant 4 : index\n%one = arith.constant 1.0 : f64\n%e = tensor.empty(%c) : tensor<?xf64>\n\
                 %x = linalg.fill ins(%one : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>";
    let goes_on = "y(d0) = x(d0) + A(d0, d1) * alpha".to_string();
    assert_eq!(found(start), [(goes_on, vec![SIZES.to_string()])]);
}

#[test]
fn the_operations_that_become_loops_are_those_that_run_as_kernels() {
    let runs = |meaning: Meaning| matches!(meaning, Meaning::Host(run) if std::ptr::fn_addr_eq(run, crate::generic::run as HostFn));
    let names: Vec<&str> = operations().map(|def| def.name).collect();
    let wrong = operations()
        .filter(|def| becomes_loops(def.name) != (runs(meanings().of(def)) || def.name == "sparse_tensor.convert"));
    assert_eq!(wrong.map(|def| def.name).collect::<Vec<_>>(), [""; 0]);
    assert!(names.iter().filter(|name| becomes_loops(name)).count() > 50);
}

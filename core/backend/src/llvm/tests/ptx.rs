//! PTX of kernels; `tests/peers/ptx.py` has `ptxas` assemble the PTX of sessions.

use super::super::{Options, ptx_of_kernel};
use crate::{BackendError, Gpu};
use nnz_loops::{Verified, parse, parse_module, passes::on_a_grid, verify, verify_module};

const SPMV: &str = "\
kernel y(
  n: index,
  A.pos1: read indices<u64>,
  A.crd1: read indices<u32>,
  A.values: read values<f64>,
  x: read values<f64>,
  y: readwrite values<f64>,
) {
  for i in 0..n parallel {
    var sum: f64 = f64(0.0)
    for p in A.pos1[i]..A.pos1[i + 1] {
      sum = sum + A.values[p] * x[A.crd1[p]]
    }
    y[i] = sum
  }
}
";

fn ptx(text: &str, gpu: Gpu) -> Result<String, BackendError> {
    ptx_of_kernel(&on_a_grid(&verify(parse(text).unwrap()).unwrap())?, gpu, Options::default())
}

#[test]
fn a_thread_for_each_row() {
    for gpu in Gpu::ALL {
        let text = ptx(SPMV, *gpu).unwrap();
        let target = format!(".target {}", gpu.name());
        // Products are not fused into sums: the bits are those of every other back end.
        for part in [
            &*target,
            ".version 8.0",
            ".entry y(",
            ".reqntid 256",
            "%ctaid.x",
            "mul.rn.f64",
            "add.rn.f64",
            "// y_param_4: y, values<f64>\n// y_param_5: n, index\n",
        ] {
            assert!(text.contains(part), "no `{part}` in:\n{text}");
        }
        assert!(text.contains("ld.global.nc") && text.contains("st.global") && !text.contains("fma"), "{text}");
    }
}

/// A kernel whose threads run `body`.
fn kernel(body: &str) -> Verified<nnz_loops::Module> {
    let params = "y: device readwrite values<f64>[n], f: device readwrite values<f32>[n], \
                  list: device readwrite indices<u32>[n], long: device readwrite values<i64>[n],";
    let text = format!(
        "gpu k(n: index, {params}) {{
           for b in 0..2 block.x {{
             alloc tile: shared values<f64>[64]
             for t in 0..64 thread.x {{ alloc own: local values<f64>[4] let i = b * 64 + t {body} }} }} }}"
    );
    let module = parse_module(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    verify_module(module).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn of(body: &str) -> String {
    ptx_of_kernel(&kernel(body), Gpu::Sm80, Options::default()).unwrap_or_else(|error| error.to_string())
}

#[test]
fn shared_arrays_barriers_and_local_arrays() {
    let text = of("own[0] = y[i] own[i % 4] = f64(2) tile[t] = own[0] barrier y[i] = tile[63 - t]");
    for part in [".shared .align 16 .b8 tile[512]", "bar.sync", ".reqntid 64", "ld.shared.", "st.shared."] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn atomic_statements_of_32_and_64_bits() {
    let text =
        of("atomic add y[0], f64(1) atomic add f[0], f32(1) atomic max long[0], i64(9) atomic add list[0], 1 -> old \
                   atomic exchange list[1], old atomic compare_exchange long[1], i64(5), i64(7)");
    for part in ["add.f64", "add.f32", "max.s64", "add.u32", "exch.b32", "cas.b64"] {
        assert!(
            text.lines().any(|line| line.contains("atom.") || line.contains("red.")) && text.contains(part),
            "no `{part}` in:\n{text}"
        );
    }
    assert_eq!(of("atomic max list[1], i"), "PTX cannot run this kernel: it has an atomic statement");
}

#[test]
fn arithmetic_that_is_no_instruction_of_cpus() {
    for value in [
        "max(y[i], f64(1))",
        "min(y[i], f64(1))",
        "floor(y[i])",
        "ceil(y[i])",
        "trunc(y[i])",
        "round(y[i])",
        "sqrt(y[i])",
        "abs(y[i])",
    ] {
        let text = of(&format!("y[i] = {value} f[i] = {}", value.replace('y', "f").replace("f64", "f32")));
        assert!(text.contains(".entry k("), "{value}: {text}");
    }
}

#[test]
fn what_ptx_lacks_is_named() {
    let refused = |body: &str, reason: &str| {
        assert_eq!(of(body), format!("PTX cannot run this kernel: it has {reason}"));
    };
    refused("y[i] = exp(y[i])", "the function `exp`");
    refused("y[i] = atan2(y[i], y[i])", "the function `atan2`");
    refused("y[i] = pow(y[i], f64(2))", "a power");
    refused("y[i] = y[i] % f64(2)", "a remainder of floats");
    refused("load long[i * 2] -> a: i64, c: i64", "a load of several entries");
    let serial = ptx(&SPMV.replace(" parallel", ""), Gpu::Sm80).map_err(|error| error.to_string());
    assert_eq!(serial, Err("PTX cannot run this kernel: it has a loop over `i` that is not parallel".to_string()));
}

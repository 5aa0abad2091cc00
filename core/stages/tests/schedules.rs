//! Scheduled functions compute what the functions compute; steps that could change that are refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use data::{Draws, bindings::bound, programs::program};
use nnz_backend::{FloatOrder, Target};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Source,
};
use nnz_stages::{
    Arrays, Limits,
    compile::{Means, Ran, run_compiled},
    run,
    schedule::scheduled,
};
use nnz_tir::{
    Script,
    model::{Function, Stage, StatementKind},
    script,
    sites::sites,
};

fn read(text: &str) -> Script {
    script(&Source::new(FileId(0), "case.py", text))
}

fn at(text: &str, stage: Stage) -> Result<Function, Box<Diagnostic>> {
    let script = read(text);
    scheduled(script.function("f").unwrap(), &script.schedules[0], stage)
}

fn ran(function: &Function, arrays: &Arrays) -> Result<String, String> {
    run(function, arrays, Limits { steps: 400_000 }).map(|found| format!("{found:?}")).map_err(|told| told.message)
}

fn as_loops(function: &Function, arrays: &Arrays, target: Target) -> Result<String, String> {
    let means = Means { target, is_brief: false, order: FloatOrder::Strict, threads: 2 };
    match run_compiled(function, arrays, Limits { steps: 400_000 }, means) {
        Ok(Ran::As(found)) => Ok(format!("{found:?}")),
        Ok(Ran::Not(why)) => Err(why.why),
        Err(told) => Err(told.message),
    }
}

/// A text that grows by steps, and the handles of loops in it.
struct Growing {
    text: String,
    loops: Vec<String>,
    /// The block whose loops these are.
    block: String,
    steps: usize,
}

impl Growing {
    /// Adds a line if all steps are legal with it.
    fn add(&mut self, line: &str) -> bool {
        let text = format!("{}{line}\n", self.text);
        match at(&text, Stage::II) {
            Ok(_) => {
                self.text = text;
                true
            }
            Err(told) => {
                assert!(matches!(told.code, Code::TirStep | Code::TirStepForm), "{told:?}\n{text}");
                false
            }
        }
    }

    fn any(&self, draws: &mut Draws) -> String {
        self.loops[draws.below(self.loops.len() as u64) as usize].clone()
    }

    fn step(&mut self, draws: &mut Draws) {
        self.steps += 1;
        let (one, other, name) = (self.any(draws), self.any(draws), format!("h{}", self.steps));
        let block = format!("sch.get_block(\"{}\")", self.block);
        match draws.below(11) {
            8 | 9 => {
                let (kind, back) = [("read", ""), ("write", "reverse_")][draws.below(2) as usize];
                if self.add(&format!("{name} = sch.cache_{kind}({block}, {}, \"local\")", draws.below(2))) {
                    self.add(&format!("sch.{back}compute_at({name}, {one})"));
                }
            }
            10 => drop(self.add(&format!("sch.decompose_reduction({block}, {one})"))),
            0 | 1 => {
                let factors = ["None, 2", "3, None", "None, 2, 2", "None, 5"][draws.below(4) as usize];
                if self.add(&format!("{name} = sch.split({one}, [{factors}])")) {
                    let parts = factors.split(',').count();
                    self.loops.retain(|known| *known != one);
                    self.loops.extend((0..parts).map(|at| format!("{name}[{at}]")));
                }
            }
            2 => {
                if self.add(&format!("{name} = sch.fuse({one}, {other})")) {
                    self.loops.retain(|known| *known != one && *known != other);
                    self.loops.push(name);
                }
            }
            3 | 4 => drop(self.add(&format!("sch.reorder({one}, {other})"))),
            5 => drop(self.add(&format!("sch.parallel({one})"))),
            6 => drop(self.add(&format!("sch.{}({one})", ["vectorize", "unroll"][draws.below(2) as usize]))),
            _ => drop(self.add(&format!("sch.bind({one}, \"blockIdx.x\")"))),
        }
    }
}

/// Steps on sparse iterations, then on a block of what they become.
fn grown(text: &str, draws: &mut Draws) -> Growing {
    let text = format!(
        "{text}\nsch = tvm.tir.Schedule(f)\nit = sch.get_sparse_iteration(\"it0\")\nx = sch.get_sp_iters(it)\n"
    );
    let mut growing = Growing { text, loops: Vec::new(), block: String::new(), steps: 0 };
    let count = read(&growing.text).function("f").map_or(0, |function| {
        { sites(function) }.iter().find_map(|site| Some(site.statement.iteration()?.running().count())).unwrap_or(0)
    });
    if count > 1 {
        let mut order: Vec<usize> = (0..count).collect();
        order.swap(draws.below(count as u64) as usize, draws.below(count as u64) as usize);
        let order: Vec<String> = order.into_iter().map(|at| format!("x[{at}]")).collect();
        growing.add(&format!("sch.sparse_reorder(it, [{}])", order.join(", ")));
        growing.add("sch.sparse_fuse(it, [x[0], x[1]])");
    }
    let Ok(second) = at(&growing.text, Stage::II) else { return growing };
    let found = sites(&second);
    let blocks = found.iter().filter_map(|site| match &site.statement.kind {
        StatementKind::Block(block) => Some(block.name.clone()),
        _ => None,
    });
    let blocks: Vec<String> = blocks.collect();
    for block in blocks {
        growing.steps += 1;
        let loops = format!("l{}", growing.steps);
        if !growing.add(&format!("{loops} = sch.get_loops(sch.get_block(\"{block}\"))")) {
            continue;
        }
        growing.block.clone_from(&block);
        growing.loops = (0..4).map(|at| format!("{loops}[{at}]")).collect();
        (0..4).for_each(|_| growing.step(draws));
    }
    growing
}

#[test]
fn drawn_schedules_change_no_result() {
    let count = std::env::var("NNZ_DRAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let (mut agreed, mut steps) = (0, 0);
    for seed in 0..count {
        let text = program(&mut Draws(seed * 7919 + 1));
        let Some(first) = read(&text).function("f").cloned() else { continue };
        let Some(arrays) = bound(&first, &mut Draws(seed)) else { continue };
        let Ok(wanted) = ran(&first, &arrays) else { continue };
        let grown = grown(&text, &mut Draws(seed + 99));
        steps += grown.text.matches("sch.").count();
        for stage in [Stage::I, Stage::II, Stage::III] {
            let made = at(&grown.text, stage).unwrap_or_else(|told| panic!("{seed}: {told:?}\n{}", grown.text));
            assert_eq!(ran(&made, &arrays).as_ref(), Ok(&wanted), "{seed} at {stage:?}: {arrays:?}\n{}", grown.text);
        }
        let third = at(&grown.text, Stage::III).unwrap();
        for target in [Target::Interpreter, Target::Cpu] {
            let found = as_loops(&third, &arrays, target);
            assert_eq!(found.as_ref(), Ok(&wanted), "{seed} on {target:?}: {arrays:?}\n{}", grown.text);
        }
        agreed += 1;
    }
    assert!(agreed * 3 > count && steps > 3 * agreed as usize, "{agreed} of {count} agree, with {steps} steps");
}

const SPMM: &str = r#"from tvm.script import tir as T
from tvm import tir


@T.prim_func
def f(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, w: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(w)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD, K])
    C = T.sp.match_buffer(c, [I, K])
    with T.sp.iteration([I, J, K], "SRS", "spmm") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]


sch = tir.Schedule(f)
"#;

#[test]
fn steps_say_why_they_are_refused() {
    let head = "(i,) = sch.get_loops(sch.get_block(\"spmm0\"))\nj, k = sch.get_loops(sch.get_block(\"spmm1\"))\n";
    let refused = [
        ("sch.parallel(j)", "the turns of `j` may touch the same elements"),
        ("sch.reorder(i, k)", "these loops are not in one nest: other statements or blocks stand between them"),
        ("sch.get_block(\"spm1\")", "there is no block `spm1`"),
        ("sch.split(k, [2, 4])", "the loop may have more than 8 turns"),
        ("sch.split(k, [None, 4])\nsch.vectorize(k)", "this loop is no more: a step before has replaced it"),
        ("sch.tile(k)", "`tile` is no step that nnz has"),
        ("sch.split(l, [None, 4])", "`l` stands for nothing of this schedule"),
        ("a, b = sch.split(k, [None, 4, 2])", "`split` gives 3, and 2 names are to take them"),
        ("sch.bind(i, \"blockIdx.w\")", "`blockIdx.w` is no axis of threads"),
        (
            "sch.sparse_fuse(sch.get_sparse_iteration(\"spmm\"), [])",
            "`sparse_fuse` is for sparse iterations, and these are loops",
        ),
        ("for at in numbers():\n    sch.unroll(k)", "a step within a loop or a branch of Python is not read"),
        (
            "sch.bind(i, \"threadIdx.x\")\nsch.bind(k, \"threadIdx.x\")",
            "`threadIdx.x` is taken by `i`, and one stands within the other",
        ),
        ("sch.split(k, [0, None])", "a factor is at least 1, and this is 0"),
        ("sch.split(k, [-2])", "a factor is at least 1, and this is -2"),
        ("sch.split(k, [None, 2147483647])", "the inner loops would have 2147483647 turns for each outer one"),
        ("sch.fuse(j, k)\nsch.parallel(i)\nsch.fuse(i)", "at least two loops are wanted"),
    ];
    for (steps, wanted) in refused {
        assert_eq!(at(&format!("{SPMM}{head}{steps}\n"), Stage::II).unwrap_err().message, wanted, "{steps}");
    }
    let of_iterators = "it = sch.get_sparse_iteration(\"spmm\")\ni, j, k = sch.get_sp_iters(it)\n";
    let refused = [
        ("sch.sparse_reorder(it, [j, i, k])", "`J` would run before its parent `I`"),
        ("sch.sparse_reorder(it, [i, j])", "`spmm` has 3 iterators, and the new order names each once"),
        ("sch.sparse_fuse(it, [j, k])", "`K` is no varied child of `J`"),
        ("sch.sparse_fuse(it, [i, k])", "iterators that are fused stand beside each other, in this order"),
    ];
    for (steps, wanted) in refused {
        assert_eq!(at(&format!("{SPMM}{of_iterators}{steps}\n"), Stage::I).unwrap_err().message, wanted, "{steps}");
    }
}

/// Rows and columns of a fused loop are told apart: its turns touch different elements.
#[test]
fn fused_loops_are_proven_to_be_independent() {
    let text = format!(
        "{SPMM}i, k = sch.get_loops(sch.get_block(\"spmm_init0\"))\nik = sch.fuse(i, k)\nouter, inner = sch.split(ik, [None, 8])\n\
         sch.parallel(outer)\nsch.vectorize(inner)\n"
    );
    let third = nnz_tir::print::print([&at(&text, Stage::III).unwrap()], nnz_tir::print::Spelling::Rfc);
    assert!(third.contains("for i_k_0 in T.parallel(") && third.contains("for i_k_1 in T.vectorized("), "{third}");
}

/// What steps make is what a reader of the RFC expects.
#[test]
fn steps_rewrite_loops_and_iterations() {
    use nnz_tir::print::{Spelling, print};
    let text = format!(
        "{SPMM}it = sch.get_sparse_iteration(\"spmm\")\ni, j, k = sch.get_sp_iters(it)\nsch.sparse_reorder(it, [k, i, j])\n\
         sch.annotate(it, \"guard\", True)\nblock = sch.get_block(\"spmm0\")\nk, i = sch.get_loops(block)\nsch.reorder(i, k)\n\
         outer, inner = sch.split(i, factors=[None, 4])\nsch.bind(outer, \"blockIdx.x\")\nsch.vectorize(k)\n"
    );
    let first = print([&at(&text, Stage::I).unwrap()], Spelling::Rfc);
    assert!(first.contains("with T.sp.iteration([K, I, J], \"SSR\", \"spmm\") as [k, i, j]:"), "{first}");
    assert!(first.contains("\"guard\": True"), "{first}");
    let second = print([&at(&text, Stage::II).unwrap()], Spelling::Rfc);
    for part in [
        "for i_0 in T.thread_binding((n - 1) // 4 + 1, thread=\"blockIdx.x\"):",
        "for i_1 in T.serial(4):",
        "for k in T.vectorized(w):",
        "T.where(i_0 * 4 + i_1 < n)",
    ] {
        assert!(second.contains(part), "{part} is missing in\n{second}");
    }
}

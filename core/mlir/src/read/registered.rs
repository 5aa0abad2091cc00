//! The dialects of MLIR 22. As `mlir-opt` does, nnz refuses attributes and types of others.

use crate::mistake::Mistake;
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    source::Span,
};

/// `mlir-opt --show-dialects`, without those of MLIR's own tests.
const DIALECTS: &[&str] = &[
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "emitc",
    "func",
    "gpu",
    "index",
    "irdl",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "pdl",
    "pdl_interp",
    "ptr",
    "quant",
    "rocdl",
    "scf",
    "shape",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tensor",
    "tosa",
    "transform",
    "ub",
    "vector",
    "wasmssa",
    "x86vector",
    "xegpu",
    "xevm",
];

/// Whether `#dialect.name` or `!dialect.name` is of a dialect that there is.
pub(super) fn is_registered(name: &str) -> bool {
    DIALECTS.contains(&dialect_of(name))
}

fn dialect_of(name: &str) -> &str {
    let name = name.trim_start_matches(['#', '!']);
    name.split_once('.').map_or(name, |(dialect, _)| dialect)
}

/// `text` is an attribute or a type of a dialect that there is not; its name is at `span`.
pub(super) fn unregistered(what: &str, span: Span, text: &str) -> Mistake {
    let dialect = dialect_of(text.split(|c: char| c == '<' || c.is_whitespace()).next().unwrap_or_default());
    let mistake =
        Mistake::new(Code::UnknownAlias, span, format!("MLIR has no dialect `{dialect}`, of which `{text}` is"));
    let mistake = mistake.label(format!("no {what} of MLIR"));
    let start = span.start as usize + 1;
    match did_you_mean(dialect, DIALECTS.iter().copied()) {
        Some(meant) => mistake.guess(Span::new(start, start + dialect.len()), meant),
        None => mistake.help("`mlir-opt` takes it with `-allow-unregistered-dialect` alone; a name such as `foo.size = 1` needs no dialect"),
    }
}

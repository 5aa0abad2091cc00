//! The dialects of MLIR 22. As `mlir-opt` does, nnz refuses attributes and types of others.

use crate::mistake::Mistake;
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    source::Span,
};
use nnz_check::list_of;

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

/// The names of attributes and of types of a dialect that nnz knows whole.
fn names_of(what: &str, dialect: &str) -> Option<&'static [&'static str]> {
    Some(match (what, dialect) {
        ("attribute", "sparse_tensor") => nnz_check::SPARSE_ATTRIBUTES,
        ("attribute", "arith") => &["fastmath", "overflow"],
        ("attribute", "linalg") => {
            &["binary_fn", "elementwise_kind", "iterator_type", "ternary_fn", "type_fn", "unary_fn"]
        }
        ("attribute", "vector") => &["iterator_type", "kind", "punctuation"],
        ("attribute", "complex") => &["number"],
        ("type", "sparse_tensor") => &["iter_space", "iterator", "storage_specifier"],
        ("type", "llvm") => {
            &["array", "func", "label", "metadata", "ppc_fp128", "ptr", "struct", "target", "token", "void", "x86_amx"]
        }
        ("type", "arith" | "complex" | "linalg" | "vector") => &[],
        (_, "affine" | "bufferization" | "cf" | "func" | "math" | "memref" | "scf" | "tensor") => &[],
        _ => return None,
    })
}

/// `name`, at `span`, is no attribute or no type of its dialect, if nnz knows all of it.
pub(super) fn unknown_of_dialect(what: &str, name: &str, span: Span) -> Option<Mistake> {
    let (dialect, own) = name.trim_start_matches(['#', '!']).split_once('.')?;
    let names = names_of(what, dialect).filter(|names| !names.contains(&own))?;
    let mistake = Mistake::new(Code::UnknownAlias, span, format!("there is no {what} `{name}`"));
    let mistake = mistake.label(format!("no {what} of `{dialect}`"));
    let start = span.start as usize + 1 + dialect.len() + 1;
    Some(match (did_you_mean(own, names.iter().copied()), names) {
        (Some(meant), _) => mistake.guess(Span::new(start, start + own.len()), meant),
        (None, []) => mistake.help(format!("`{dialect}` has no {what}s")),
        (None, names) => mistake.help(format!("{what}s of `{dialect}`: {}", list_of(names))),
    })
}

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

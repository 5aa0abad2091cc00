//! What scripts write behind `T.`: one row per spelling.

use nnz_base::diagnostic::did_you_mean;

/// What a member does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    PrimFunc,
    Handle,
    FuncAttr,
    DenseFixed,
    DenseVaried,
    CompressedFixed,
    CompressedVaried,
    Flatten,
    Fuse,
    Attach,
    MatchSparse,
    AllocateSparse,
    MatchDense,
    AllocateDense,
    DeclareDense,
    Array,
    Domain,
    Iteration,
    IterationAttr,
    Init,
    Block,
    BlockAttr,
    Reads,
    Writes,
    Where,
    Spatial,
    Reduce,
    Opaque,
    Remap,
    Grid,
    Serial,
    Parallel,
    Vectorized,
    Unroll,
    ThreadBinding,
    Let,
    Evaluate,
    Cast,
    LeastValue,
    GreatestValue,
    Minimum,
    Maximum,
    IfThenElse,
    Select,
    FloorDivide,
    FloorModulo,
    TruncateDivide,
    TruncateModulo,
    Power,
    /// A function of one number, in [`crate::model::MATH`].
    Math,
    /// An element type, in [`crate::model::element_named`].
    Element,
    /// A call that is read and not looked into.
    Intrinsic,
    /// It is legal, and nnz does not read it yet.
    Unread,
}

/// A spelling of a member.
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    pub member: Member,
    /// The parameters in order; behind `|` is another name of the same one.
    pub parameters: &'static [&'static str],
    /// How many of them must be given.
    pub required: usize,
    /// Whether any number of arguments may follow.
    pub open: bool,
}

const fn row(name: &'static str, member: Member, parameters: &'static [&'static str], required: usize) -> Row {
    Row { name, member, parameters, required, open: false }
}

const fn open(name: &'static str, member: Member) -> Row {
    Row { name, member, parameters: &[], required: 0, open: true }
}

const LENGTH: &[&str] = &["length", "idtype"];
const DENSE_VARIED: &[&str] = &["parent|parent_axis", "shape", "indptr|indptr_var", "idtype"];
const COMPRESSED_FIXED: &[&str] = &["parent|parent_axis", "shape", "indices|indices_var", "idtype", "sorted"];
const COMPRESSED_VARIED: &[&str] = &["parent|parent_axis", "shape", "data", "idtype", "sorted"];
const ITERATION: &[&str] = &["iterators|axes", "kinds|iter_types", "name"];
const ALLOCATE_SPARSE: &[&str] = &["axes", "dtype", "scope", "default_value", "extra_storage"];
const LOOP: &[&str] = &["start", "stop", "annotations"];
const MATCH_DENSE: &[&str] = &[
    "handle|param",
    "shape",
    "dtype",
    "data",
    "strides",
    "elem_offset",
    "scope",
    "align",
    "offset_factor",
    "buffer_type",
];
const ALLOCATE_DENSE: &[&str] =
    &["shape", "dtype", "data", "strides", "elem_offset", "scope", "align", "offset_factor", "buffer_type"];
const CHOICE: &[&str] = &["condition", "true_value", "false_value", "dtype"];
const TWO: &[&str] = &["a", "b", "dtype"];
const AXIS: &[&str] = &["dom", "value"];

/// All of them. Of several spellings of one member the RFC's comes first, then the prototype's.
pub static ROWS: &[Row] = &[
    row("prim_func", Member::PrimFunc, &[], 0),
    row("handle", Member::Handle, &[], 0),
    row("func_attr", Member::FuncAttr, &["attributes"], 1),
    row("sp.dense_fixed", Member::DenseFixed, LENGTH, 1),
    row("dense_fixed", Member::DenseFixed, LENGTH, 1),
    row("sp.dense_varied", Member::DenseVaried, DENSE_VARIED, 3),
    row("dense_variable", Member::DenseVaried, DENSE_VARIED, 3),
    row("sp.compressed_fixed", Member::CompressedFixed, COMPRESSED_FIXED, 3),
    row("sparse_fixed", Member::CompressedFixed, COMPRESSED_FIXED, 3),
    row("sp.compressed_varied", Member::CompressedVaried, COMPRESSED_VARIED, 3),
    row("sparse_variable", Member::CompressedVaried, COMPRESSED_VARIED, 3),
    row("sp.flatten", Member::Flatten, &["axes", "nnz", "offsets", "idtype"], 3),
    row("flatten", Member::Flatten, &["axes", "nnz", "offsets", "idtype"], 3),
    open("sp.fuse", Member::Fuse),
    open("fuse", Member::Fuse),
    row("sp.attach", Member::Attach, &["base", "new_parent"], 2),
    row("attach", Member::Attach, &["base", "new_parent"], 2),
    row(
        "sp.match_buffer",
        Member::MatchSparse,
        &["handle|param", "axes", "dtype", "scope", "default_value", "extra_storage"],
        2,
    ),
    row(
        "match_sparse_buffer",
        Member::MatchSparse,
        &["handle|param", "axes", "dtype", "extra_storage", "default_value", "scope"],
        2,
    ),
    row("sp.alloc_buffer", Member::AllocateSparse, ALLOCATE_SPARSE, 1),
    row("alloc_sparse_buffer", Member::AllocateSparse, ALLOCATE_SPARSE, 1),
    row("match_buffer", Member::MatchDense, MATCH_DENSE, 2),
    row("alloc_buffer", Member::AllocateDense, ALLOCATE_DENSE, 1),
    row("buffer_decl", Member::DeclareDense, ALLOCATE_DENSE, 1),
    row("Buffer", Member::Array, &["shape", "dtype"], 1),
    row("assume_buffer_domain", Member::Domain, &["buffer", "domain"], 2),
    row("sp.iteration", Member::Iteration, ITERATION, 2),
    row("sp_iter", Member::Iteration, ITERATION, 2),
    row("iter", Member::Iteration, ITERATION, 2),
    row("sp.iteration_attr", Member::IterationAttr, &["attributes"], 1),
    row("sp_iter_attr", Member::IterationAttr, &["attributes"], 1),
    row("iter_attr", Member::IterationAttr, &["attributes"], 1),
    row("init", Member::Init, &[], 0),
    row("block", Member::Block, &["name"], 0),
    row("block_attr", Member::BlockAttr, &["attributes"], 1),
    open("reads", Member::Reads),
    open("writes", Member::Writes),
    row("where", Member::Where, &["predicate"], 1),
    row("axis.spatial", Member::Spatial, AXIS, 2),
    row("axis.S", Member::Spatial, AXIS, 2),
    row("axis.reduce", Member::Reduce, AXIS, 2),
    row("axis.R", Member::Reduce, AXIS, 2),
    row("axis.opaque", Member::Opaque, AXIS, 2),
    row("axis.remap", Member::Remap, &["kinds", "bindings"], 2),
    open("grid", Member::Grid),
    row("serial", Member::Serial, LOOP, 1),
    row("parallel", Member::Parallel, LOOP, 1),
    row("vectorized", Member::Vectorized, LOOP, 1),
    row("unroll", Member::Unroll, LOOP, 1),
    row("thread_binding", Member::ThreadBinding, &["start", "stop", "thread", "annotations"], 1),
    row("let", Member::Let, &["variable", "value"], 2),
    row("evaluate", Member::Evaluate, &["value"], 1),
    row("cast", Member::Cast, &["value", "dtype"], 2),
    row("min_value", Member::LeastValue, &["dtype"], 1),
    row("max_value", Member::GreatestValue, &["dtype"], 1),
    row("min", Member::Minimum, TWO, 2),
    row("max", Member::Maximum, TWO, 2),
    row("if_then_else", Member::IfThenElse, CHOICE, 3),
    row("Select", Member::Select, CHOICE, 3),
    row("floordiv", Member::FloorDivide, TWO, 2),
    row("floormod", Member::FloorModulo, TWO, 2),
    row("truncdiv", Member::TruncateDivide, TWO, 2),
    row("truncmod", Member::TruncateModulo, TWO, 2),
    row("pow", Member::Power, TWO, 2),
    open("atomic_add", Member::Intrinsic),
    open("tvm_mma_sync", Member::Intrinsic),
    open("tvm_load_matrix_sync", Member::Intrinsic),
    open("tvm_store_matrix_sync", Member::Intrinsic),
    open("tvm_fill_fragment", Member::Intrinsic),
    open("tvm_storage_sync", Member::Intrinsic),
    open("ptx_mma", Member::Intrinsic),
    open("ptx_mma_sp", Member::Intrinsic),
    open("ptx_ldmatrix", Member::Intrinsic),
    open("comm_reducer", Member::Unread),
    open("env_thread", Member::Unread),
    open("launch_thread", Member::Unread),
    open("allocate", Member::Unread),
    open("attr", Member::Unread),
    open("var", Member::Unread),
    open("ir_module", Member::Unread),
];

static MATH_ROW: Row = row("", Member::Math, &["x", "dtype"], 1);
static ELEMENT_ROW: Row = row("", Member::Element, &["value"], 1);

/// The row of a name behind `T.`.
pub fn find(name: &str) -> Option<&'static Row> {
    let of_math = || crate::model::MATH.iter().any(|math| math.name == name).then_some(&MATH_ROW);
    let of_element = || crate::model::element_named(name).map(|_| &ELEMENT_ROW);
    ROWS.iter().find(|row| row.name == name).or_else(of_math).or_else(of_element)
}

/// The known name nearest to a misspelt one.
pub fn near(name: &str) -> Option<&'static str> {
    let math = crate::model::MATH.iter().map(|math| math.name);
    did_you_mean(name, ROWS.iter().map(|row| row.name).chain(math))
}

impl Member {
    /// How the RFC writes it, or else the only spelling.
    pub fn newest(self) -> &'static str {
        ROWS.iter().find(|row| row.member == self).map_or("", |row| row.name)
    }
    /// How the prototype writes it.
    pub fn of_prototype(self) -> &'static str {
        let spellings: Vec<_> = ROWS.iter().filter(|row| row.member == self).map(|row| row.name).collect();
        spellings.iter().copied().find(|name| !name.starts_with("sp.")).unwrap_or_default()
    }
}

impl Row {
    /// Whether the RFC has another spelling.
    pub fn is_old(&self) -> bool {
        self.member.newest().starts_with("sp.") && !self.name.starts_with("sp.")
    }
    /// Where the parameter called `name` stands.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|known| known.split('|').any(|known| known == name))
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, ROWS, find};

    #[test]
    fn names_are_distinct() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..at].iter().all(|other| other.name != row.name), "{} twice", row.name);
            assert!(row.required <= row.parameters.len(), "{}", row.name);
        }
    }

    #[test]
    fn spellings_lead_to_each_other() {
        assert_eq!(Member::Iteration.newest(), "sp.iteration");
        assert_eq!(Member::Iteration.of_prototype(), "sp_iter");
        assert_eq!(Member::Grid.of_prototype(), "grid");
        assert!(find("iter").is_some_and(|row| row.is_old()) && find("grid").is_some_and(|row| !row.is_old()));
    }
}

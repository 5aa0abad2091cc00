//! Well-known formats by name: each is an [`Encoding`] value with a printed form, not a case in the code.

use super::{
    Affine, COUNT, DeltaBits, Dimension, Encoding, EncodingParts, Layout, Level, LevelFormat, MAX_RANK, NOutOfM, Props,
};
use nnz_base::ids::{Dim, Sym};

mod names;

pub use names::{Names, names_of};

const DENSE: LevelFormat = LevelFormat::Dense;
const COMPRESSED: LevelFormat = LevelFormat::Compressed(Props { nonunique: false, nonordered: false });

/// A name, and the meaning of the numbers after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatName {
    pub name: &'static str,
    /// The arguments, by name; `?` ends the name of one that may be left out.
    pub arguments: &'static [&'static str],
    /// In a few words.
    pub meaning: &'static str,
}

/// Every name that [`lookup`] knows.
pub const FORMATS: &[FormatName] = &[
    FormatName { name: "CSR", arguments: &[], meaning: "rows dense, columns compressed" },
    FormatName { name: "CSC", arguments: &[], meaning: "columns dense, rows compressed" },
    FormatName { name: "COO", arguments: &["rank?"], meaning: "sorted coordinates, an array of tuples" },
    FormatName { name: "DCSR", arguments: &[], meaning: "rows and columns compressed" },
    FormatName { name: "DCSC", arguments: &[], meaning: "columns and rows compressed" },
    FormatName { name: "BSR", arguments: &["rows", "columns"], meaning: "dense blocks, rows of blocks first" },
    FormatName { name: "BSC", arguments: &["rows", "columns"], meaning: "dense blocks, columns of blocks first" },
    FormatName { name: "CSF", arguments: &["rank?"], meaning: "every dimension compressed, in order" },
    FormatName { name: "ELL", arguments: &["slices?"], meaning: "rows padded to the longest, or in so many slices" },
    FormatName {
        name: "JDS",
        arguments: &[],
        meaning: "jagged diagonals: the first entries of all rows, the second ...",
    },
    FormatName { name: "DIA", arguments: &[], meaning: "the diagonals that hold entries, a slot for every row" },
    FormatName { name: "DIAJ", arguments: &[], meaning: "the diagonals that hold entries, a slot for every column" },
    FormatName { name: "SkewDIAI", arguments: &[], meaning: "the antidiagonals, a slot for every row" },
    FormatName { name: "SkewDIAJ", arguments: &[], meaning: "the antidiagonals, a slot for every column" },
    FormatName { name: "DELTA", arguments: &["bits"], meaning: "rows dense, the columns skipped in so many bits" },
    FormatName { name: "NM", arguments: &["n", "m"], meaning: "n of every m columns" },
    FormatName { name: "SparseVector", arguments: &[], meaning: "one dimension, compressed" },
    FormatName { name: "dense", arguments: &["rank?"], meaning: "every entry, rows first" },
    FormatName { name: "CROW", arguments: &[], meaning: "rows compressed, columns dense" },
    FormatName { name: "CCOL", arguments: &[], meaning: "columns compressed, rows dense" },
    FormatName { name: "BSRLeft", arguments: &["rows", "columns"], meaning: "BSR, each block by columns" },
    FormatName { name: "BSCLeft", arguments: &["rows", "columns"], meaning: "BSC, each block by columns" },
    FormatName { name: "BSR3", arguments: &["i", "j", "k"], meaning: "dense blocks of three dimensions" },
    FormatName { name: "BlockVector", arguments: &["entries"], meaning: "a vector's dense blocks, compressed" },
    FormatName { name: "BatchedCSR", arguments: &[], meaning: "CSR below a dense level" },
    FormatName {
        name: "BatchedDIAINonUniform",
        arguments: &[],
        meaning: "DIA with diagonals of its own in each batch",
    },
    FormatName { name: "BatchedDIAIUniform", arguments: &[], meaning: "DIA with the same diagonals in every batch" },
    FormatName { name: "COOd", arguments: &["sparse", "dense?"], meaning: "sorted coordinates, dense below" },
    FormatName { name: "CSRd", arguments: &["batch?", "dense?"], meaning: "CSR between batch and dense levels" },
    FormatName { name: "CSCd", arguments: &["batch?", "dense?"], meaning: "CSC between batch and dense levels" },
    FormatName {
        name: "BSRRightd",
        arguments: &["rows", "columns", "batch?", "dense?"],
        meaning: "BSR between batch and dense levels",
    },
    FormatName {
        name: "BSCRightd",
        arguments: &["rows", "columns", "batch?", "dense?"],
        meaning: "BSC between batch and dense levels",
    },
    FormatName { name: "DensedLeft", arguments: &["rank?"], meaning: "every entry, the last dimension first" },
];

/// Names of NVIDIA's Universal Sparse Tensor for what nnz calls otherwise, and the rank of those that have one of their own.
const UST_SPELLINGS: &[(&str, &str, Option<usize>)] = &[
    ("BSRRight", "BSR", None),
    ("BSCRight", "BSC", None),
    ("CSFd", "CSF", None),
    ("Structured", "NM", None),
    ("DIAI", "DIA", None),
    ("DenseVector", "dense", Some(1)),
    ("DenseMatrixRight", "dense", Some(2)),
    ("DensedRight", "dense", None),
    ("DenseMatrixLeft", "DensedLeft", Some(2)),
];

/// Why a name gives no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("there is no format called `{0}`")]
    Unknown(String),
    #[error("a tensor without dimensions has no levels to store: it is declared by its type, `s : f64`")]
    Scalar,
    #[error("`{}` takes {}", .0.name, arguments_text(.0.arguments))]
    Arguments(FormatName),
    #[error("`{}` is a format of rank {wanted}, and the tensor is of rank {rank}", .format.name)]
    Rank { format: FormatName, wanted: usize, rank: usize },
    #[error("`{}` takes {}", .0.name, sizes_text(.0.name))]
    Size(FormatName),
}

/// The largest block size that a name takes.
const MAX_SIZE: u64 = 1 << 31;

fn arguments_text(arguments: &[&str]) -> String {
    let plain: Vec<&str> = arguments.iter().map(|argument| argument.trim_end_matches('?')).collect();
    let optional = arguments.last().is_some_and(|argument| argument.ends_with('?'));
    match plain.as_slice() {
        [] => "no arguments".to_string(),
        [one] if optional => format!("at most one argument, the {one}"),
        [one] => format!("one argument, the number of {one}"),
        many if optional => format!("at most {} arguments: {}", many.len(), many.join(", ")),
        many => format!("{} arguments: {}", many.len(), many.join(", ")),
    }
}

fn sizes_text(name: &str) -> String {
    match name {
        "DELTA" => format!("1 to {} bits", DeltaBits::MOST),
        "NM" => format!("sizes from 1 to {MAX_SIZE}, and `n` no larger than `m`"),
        _ => format!("sizes from 1 to {MAX_SIZE}"),
    }
}

/// The encoding called `name` with `arguments`, for a tensor of `rank` if that is known.
///
/// # Errors
/// No such name, or arguments that it does not take.
pub fn lookup(name: &str, arguments: &[u64], rank: Option<usize>) -> Result<Encoding, NameError> {
    let format = format_called(name)?;
    let optional = format.arguments.iter().filter(|argument| argument.ends_with('?')).count();
    if arguments.len() > format.arguments.len() || arguments.len() + optional < format.arguments.len() {
        return Err(NameError::Arguments(format));
    }
    let may_be_zero = |argument: &str| matches!(argument, "batch?" | "dense?");
    let fits = |(&size, argument): (&u64, &&str)| size <= MAX_SIZE && (size > 0 || may_be_zero(argument));
    if !arguments.iter().zip(format.arguments).all(fits) {
        return Err(NameError::Size(format));
    }
    let own = UST_SPELLINGS.iter().find(|(ust, ..)| *ust == name);
    let own = own.and_then(|(ust, _, rank)| Some((FormatName { name: ust, ..format }, (*rank)?)));
    let encoding = build(format, arguments, own.map(|(_, rank)| rank).or(rank)).ok_or(NameError::Size(format))?;
    if let Some((format, wanted)) = own
        && encoding.dim_rank() != wanted
    {
        return Err(NameError::Rank { format, wanted, rank: encoding.dim_rank() });
    }
    let format = own.map_or(format, |(spelt, _)| spelt);
    match rank {
        Some(rank) if rank != encoding.dim_rank() => Err(NameError::Rank { format, wanted: encoding.dim_rank(), rank }),
        _ => Ok(encoding),
    }
}

/// Every name that [`lookup`] knows, those of UST for the same formats too.
pub fn spellings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name).chain(UST_SPELLINGS.iter().map(|(ust, ..)| *ust))
}

/// The format of a name in nnz's or UST's spelling: `BSRRight((2, 3))` is `BSR(2, 3)`.
///
/// # Errors
/// No such name.
pub fn format_called(name: &str) -> Result<FormatName, NameError> {
    let own = UST_SPELLINGS.iter().find(|(ust, ..)| *ust == name).map_or(name, |(_, own, _)| own);
    let format = FORMATS.iter().copied().find(|format| format.name == own);
    let unknown = || if name == "Scalar" { NameError::Scalar } else { NameError::Unknown(name.to_string()) };
    format.ok_or_else(unknown)
}

fn build(format: FormatName, arguments: &[u64], rank: Option<usize>) -> Option<Encoding> {
    let size = |at: usize| arguments.get(at).and_then(|&size| i64::try_from(size).ok());
    let given = arguments.first().and_then(|&rank| usize::try_from(rank).ok());
    let rank_or = |default| given.or(rank).unwrap_or(default).clamp(1, MAX_RANK);
    let count = |at: usize| arguments.get(at).map_or(0, |&n| usize::try_from(n).unwrap_or(MAX_RANK).min(MAX_RANK));
    match format.name {
        "CSR" => csr(),
        "CSC" => csc(),
        "COO" => coo(rank_or(2)),
        "DCSR" => dcsr(),
        "DCSC" => dcsc(),
        "BSR" => bsr(size(0)?, size(1)?),
        "BSC" => bsc(size(0)?, size(1)?),
        "CSF" => csf(rank_or(3)),
        "ELL" if arguments.is_empty() => padded_rows(),
        "ELL" => ell(size(0)?),
        "JDS" => jagged_diagonals(),
        "DIA" => diagonals(-1, 0),
        "DIAJ" => diagonals(-1, 1),
        "SkewDIAI" => diagonals(1, 0),
        "SkewDIAJ" => diagonals(1, 1),
        "DELTA" => delta(arguments[0]),
        "NM" => n_of_m(arguments[0], arguments[1]),
        "SparseVector" => permuted(&[0], &[COMPRESSED]),
        "dense" => dense(rank_or(2)),
        "CROW" => permuted(&[0, 1], &[COMPRESSED, DENSE]),
        "CCOL" => permuted(&[1, 0], &[COMPRESSED, DENSE]),
        "BSRLeft" => blocks(&[(0, size(0)?), (1, size(1)?)], &[(1, size(1)?), (0, size(0)?)], 0, 0),
        "BSCLeft" => blocks(&[(1, size(1)?), (0, size(0)?)], &[(1, size(1)?), (0, size(0)?)], 0, 0),
        "BSR3" => {
            let sides = [(0, size(0)?), (1, size(1)?), (2, size(2)?)];
            blocks(&sides, &sides, 0, 0)
        }
        "BlockVector" => block_vector(size(0)?),
        "BatchedCSR" => permuted(&[0, 1, 2], &[DENSE, DENSE, COMPRESSED]),
        "BatchedDIAINonUniform" => batched_diagonals([0, 1]),
        "BatchedDIAIUniform" => batched_diagonals([1, 0]),
        "COOd" => coo_above_dense(count(0), count(1)),
        "CSRd" => compressed_between([0, 1], count(0), count(1)),
        "CSCd" => compressed_between([1, 0], count(0), count(1)),
        "BSRRightd" => {
            let sides = [(0, size(0)?), (1, size(1)?)];
            blocks(&sides, &sides, count(2), count(3))
        }
        "BSCRightd" => {
            let (rows, columns) = ((0, size(0)?), (1, size(1)?));
            blocks(&[columns, rows], &[rows, columns], count(2), count(3))
        }
        "DensedLeft" => {
            let rank = rank_or(2);
            permuted(&(0..rank).rev().collect::<Vec<_>>(), &vec![DENSE; rank])
        }
        _ => None,
    }
}

fn dimensions(rank: usize) -> Vec<Dimension> {
    let names = ["i", "j", "k", "l", "m", "n", "o", "p"];
    let name = |at: usize| names.get(at).map_or(format!("i{at}"), |name| name.to_string());
    (0..rank).map(|at| Dimension { name: name(at), slice: None }).collect()
}

fn level(expr: Affine<Dim>, format: LevelFormat) -> Level {
    Level { name: None, expr, format }
}

fn var(at: usize) -> Affine<Dim> {
    Affine::Var(Dim::new(at))
}

fn matrix(levels: Vec<Level>) -> Option<Encoding> {
    of_rank(2, levels)
}

fn of_rank(rank: usize, levels: Vec<Level>) -> Option<Encoding> {
    Encoding::new(EncodingParts { dims: dimensions(rank), levels, ..Default::default() }).ok()
}

/// An encoding whose level `l` stores dimension `order[l]` as `formats[l]`; dimensions are called i, j, k, ... `None`
/// if MLIR's rules refuse the formats.
pub fn permuted(order: &[usize], formats: &[LevelFormat]) -> Option<Encoding> {
    let levels = order.iter().zip(formats).map(|(&at, &format)| level(var(at), format)).collect();
    Encoding::new(EncodingParts { dims: dimensions(order.len()), levels, ..Default::default() }).ok()
}

pub fn csr() -> Option<Encoding> {
    permuted(&[0, 1], &[DENSE, COMPRESSED])
}
pub fn csc() -> Option<Encoding> {
    permuted(&[1, 0], &[DENSE, COMPRESSED])
}
pub fn dcsr() -> Option<Encoding> {
    permuted(&[0, 1], &[COMPRESSED, COMPRESSED])
}
pub fn dcsc() -> Option<Encoding> {
    permuted(&[1, 0], &[COMPRESSED, COMPRESSED])
}
/// Compressed fibers in the order of the dimensions.
pub fn csf(rank: usize) -> Option<Encoding> {
    permuted(&(0..rank).collect::<Vec<_>>(), &vec![COMPRESSED; rank])
}
pub fn dense(rank: usize) -> Option<Encoding> {
    permuted(&(0..rank).collect::<Vec<_>>(), &vec![DENSE; rank])
}
/// Sorted coordinates, in an array of tuples like MLIR's.
pub fn coo(rank: usize) -> Option<Encoding> {
    coo_above_dense(rank, 0)
}
/// Sorted coordinates of the first `sparse` dimensions, the other `dense` ones below each.
fn coo_above_dense(sparse: usize, dense: usize) -> Option<Encoding> {
    let props = |at| Props { nonunique: at + 1 < sparse, nonordered: false };
    let format = |at| match at {
        0 => LevelFormat::Compressed(props(0)),
        _ if at < sparse => LevelFormat::Singleton { props: props(at), layout: Layout::Aos },
        _ => DENSE,
    };
    let rank = (sparse + dense).min(MAX_RANK);
    permuted(&(0..rank).collect::<Vec<_>>(), &(0..rank).map(format).collect::<Vec<_>>())
}
/// Two dimensions in the order given, dense and compressed, below `batch` levels and above `dense` ones.
fn compressed_between(order: [usize; 2], batch: usize, dense: usize) -> Option<Encoding> {
    let rank = (batch + 2 + dense).min(MAX_RANK);
    let dims = (0..batch).chain(order.map(|dim| batch + dim)).chain(batch + 2..rank);
    let format = |at: usize| match at.checked_sub(batch) {
        None => LevelFormat::Batch,
        Some(1) => COMPRESSED,
        Some(_) => DENSE,
    };
    permuted(&dims.collect::<Vec<_>>(), &(0..rank).map(format).collect::<Vec<_>>())
}
/// Dense blocks of `rows` x `columns`, the rows of blocks outermost.
pub fn bsr(rows: i64, columns: i64) -> Option<Encoding> {
    blocks(&[(0, rows), (1, columns)], &[(0, rows), (1, columns)], 0, 0)
}
/// Dense blocks of `rows` x `columns`, the columns of blocks outermost.
pub(crate) fn bsc(rows: i64, columns: i64) -> Option<Encoding> {
    blocks(&[(1, columns), (0, rows)], &[(0, rows), (1, columns)], 0, 0)
}
/// Blocks of so many coordinates of so many dimensions, counted below `batch` leading ones: the blocks as
/// `outer` orders them, the first level dense and the others compressed; then the places in a block as
/// `inner` orders them; then `dense` more dimensions. A block as large as 1 leaves its dimension whole.
fn blocks(outer: &[(usize, i64)], inner: &[(usize, i64)], batch: usize, dense: usize) -> Option<Encoding> {
    let rank = (batch + outer.len() + dense).min(MAX_RANK);
    let formats = std::iter::once(DENSE).chain(std::iter::repeat(COMPRESSED));
    let leading = (0..batch).map(|dim| level(var(dim), LevelFormat::Batch));
    let blocks = outer.iter().zip(formats).map(|(&(dim, c), format)| level(var(batch + dim).floordiv_const(c), format));
    let places = inner.iter().filter(|(_, c)| *c > 1).map(|&(dim, c)| level(var(batch + dim).mod_const(c), DENSE));
    let rest = (batch + outer.len()..rank).map(|dim| level(var(dim), DENSE));
    of_rank(rank, leading.chain(blocks).chain(places).chain(rest).collect())
}
fn block_vector(entries: i64) -> Option<Encoding> {
    let place = (entries > 1).then(|| level(var(0).mod_const(entries), DENSE));
    of_rank(1, std::iter::once(level(var(0).floordiv_const(entries), COMPRESSED)).chain(place).collect())
}
/// `slices` entries a row, after Chou, Kjolstad, Amarasinghe 2020, section 4: counter, row, column.
pub fn ell(slices: i64) -> Option<Encoding> {
    let counter = Affine::mul(Affine::Sym(Sym(0)).scaled(slices), var(0)).ok()?;
    let levels = vec![level(counter, DENSE), level(var(0), DENSE), level(var(1), COMPRESSED)];
    let symbols = vec!["c".to_string()];
    Encoding::new(EncodingParts { symbols, dims: dimensions(2), levels, ..Default::default() }).ok()
}
/// Every row padded to the longest: the first entry of every row, then the second of every row, and so on
/// (Chou, Kjolstad, Amarasinghe 2020, section 4).
fn padded_rows() -> Option<Encoding> {
    let column = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
    counting_rows([DENSE, DENSE, column])
}
/// The same without the padding: with each entry of a slice its row.
fn jagged_diagonals() -> Option<Encoding> {
    let column = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
    counting_rows([DENSE, COMPRESSED, column])
}
fn counting_rows(formats: [LevelFormat; 3]) -> Option<Encoding> {
    let count = Affine::mul(var(0), Affine::Sym(Sym(0))).ok()?;
    let levels = [count, var(0), var(1)].into_iter().zip(formats).map(|(expr, format)| level(expr, format));
    let symbols = vec![COUNT.to_string()];
    Encoding::new(EncodingParts { symbols, dims: dimensions(2), levels: levels.collect(), ..Default::default() }).ok()
}
/// The diagonals `j - i` that hold entries, each with one slot per row.
pub fn dia() -> Option<Encoding> {
    diagonals(-1, 0)
}
/// The diagonals `j + sign * i` that hold entries, each with one slot per coordinate of dimension `along`.
fn diagonals(sign: i64, along: usize) -> Option<Encoding> {
    matrix(vec![level(diagonal(sign, 0), COMPRESSED), level(var(along), LevelFormat::Range)])
}
/// `j - i` or `i + j` of the matrix whose rows are dimension `rows`.
fn diagonal(sign: i64, rows: usize) -> Affine<Dim> {
    let (i, j) = (var(rows), var(rows + 1));
    if sign < 0 { Affine::sub(j, i) } else { Affine::add(i, j) }
}
/// The diagonals of each matrix of a batch; the batch and the diagonal as `order` puts them.
fn batched_diagonals(order: [usize; 2]) -> Option<Encoding> {
    let outer = [level(var(0), DENSE), level(diagonal(-1, 1), COMPRESSED)];
    let [first, second] = order.map(|at| outer[at].clone());
    let mut encoding = vec![first, second];
    encoding.push(level(var(1), LevelFormat::Range));
    let dims = ["b", "i", "j"].map(|name| Dimension { name: name.to_string(), slice: None });
    Encoding::new(EncodingParts { dims: dims.to_vec(), levels: encoding, ..Default::default() }).ok()
}
fn delta(bits: u64) -> Option<Encoding> {
    permuted(&[0, 1], &[DENSE, LevelFormat::Delta(DeltaBits::new(bits)?)])
}
/// `n` entries in every `m` columns.
pub(crate) fn n_of_m(n: u64, m: u64) -> Option<Encoding> {
    let block = LevelFormat::Structured(NOutOfM::new(n, m)?);
    let m = i64::try_from(m).ok()?;
    matrix(vec![level(var(0), DENSE), level(var(1).floordiv_const(m), DENSE), level(var(1).mod_const(m), block)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_builds() {
        for format in FORMATS {
            let wanted = format.arguments.iter().filter(|argument| !argument.ends_with('?')).count();
            let arguments = &[2, 4, 3][..wanted];
            let encoding = lookup(format.name, arguments, None).unwrap();
            assert!(encoding.inverse().is_some(), "{}", format.name);
        }
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert!(matches!(lookup("BSR", &[2], None), Err(NameError::Arguments(_))));
        assert!(matches!(lookup("BSR", &[2, 0], None), Err(NameError::Size(_))));
        assert!(matches!(lookup("NM", &[4, 2], None), Err(NameError::Size(_))));
        assert!(matches!(lookup("CSR", &[], Some(3)), Err(NameError::Rank { .. })));
        assert!(matches!(lookup("DELTA", &[64], None), Err(NameError::Size(_))));
        assert!(matches!(lookup("Scalar", &[], None), Err(NameError::Scalar)));
        assert_eq!(lookup("COO", &[], Some(3)).unwrap().lvl_rank(), 3);
        assert_eq!(lookup("CSRd", &[0, 1], Some(3)).unwrap().lvl_rank(), 3);
    }
}

//! Well-known formats by name: each is an [`Encoding`] value with a printed form, not a case in the code.

use super::{Affine, Dimension, Encoding, EncodingParts, Layout, Level, LevelFormat, NOutOfM, Props};
use crate::ids::{Dim, Sym};

mod names;

pub use names::{Names, names_of};

const DENSE: LevelFormat = LevelFormat::Dense;
const COMPRESSED: LevelFormat = LevelFormat::Compressed(Props { nonunique: false, nonordered: false });

/// What the numbers behind a name mean.
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
    FormatName { name: "ELL", arguments: &["slices"], meaning: "as many entries a row as there are slices" },
    FormatName { name: "DIA", arguments: &[], meaning: "the diagonals that hold entries, each over all rows" },
    FormatName { name: "NM", arguments: &["n", "m"], meaning: "n of every m columns" },
    FormatName { name: "SparseVector", arguments: &[], meaning: "one dimension, compressed" },
    FormatName { name: "dense", arguments: &["rank?"], meaning: "every entry, rows first" },
    FormatName { name: "CROW", arguments: &[], meaning: "rows compressed, columns dense" },
    FormatName { name: "CCOL", arguments: &[], meaning: "columns compressed, rows dense" },
];

/// Names of NVIDIA's Universal Sparse Tensor whose level formats nnz does not store.
pub const UST_ONLY: &[(&str, &str)] = &[
    ("DIAI", "range"),
    ("DIAJ", "range"),
    ("SkewDIAI", "range"),
    ("SkewDIAJ", "range"),
    ("BatchedDIAINonUniform", "range"),
    ("BatchedDIAIUniform", "range"),
    ("DELTA", "delta"),
];

/// Why a name gives no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("there is no format called `{0}`")]
    Unknown(String),
    #[error("`{name}` needs the level format `{level}`, which nnz does not store")]
    Unsupported { name: &'static str, level: &'static str },
    #[error("`{}` takes {}", .0.name, arguments_text(.0.arguments))]
    Arguments(FormatName),
    #[error("`{}` is a format of rank {wanted}, and the tensor is of rank {rank}", .format.name)]
    Rank { format: FormatName, wanted: usize, rank: usize },
    #[error("`{}` takes sizes from 1 to {MAX_SIZE}, and `n` no larger than `m`", .0.name)]
    Size(FormatName),
}

/// The largest block size or rank that a name takes.
const MAX_SIZE: u64 = 1 << 31;
const MAX_RANK: usize = 64;

fn arguments_text(arguments: &[&str]) -> String {
    match arguments {
        [] => "no arguments".to_string(),
        [one] if one.ends_with('?') => format!("at most one argument, the {}", one.trim_end_matches('?')),
        [one] => format!("one argument, the number of {one}"),
        many => format!("{} arguments: {}", many.len(), many.join(", ")),
    }
}

/// The encoding called `name` with `arguments`, for a tensor of `rank` where that is known.
///
/// # Errors
/// No such name, or arguments that it does not take.
pub fn lookup(name: &str, arguments: &[u64], rank: Option<usize>) -> Result<Encoding, NameError> {
    let (name, arguments) = ust_spelling(name, arguments)?;
    let format = FORMATS.iter().copied().find(|format| format.name == name);
    let format = format.ok_or_else(|| NameError::Unknown(name.to_string()))?;
    let optional = format.arguments.iter().filter(|argument| argument.ends_with('?')).count();
    if arguments.len() > format.arguments.len() || arguments.len() + optional < format.arguments.len() {
        return Err(NameError::Arguments(format));
    }
    if arguments.iter().any(|&size| size == 0 || size > MAX_SIZE) {
        return Err(NameError::Size(format));
    }
    let encoding = build(format, arguments, rank).ok_or(NameError::Size(format))?;
    match rank {
        Some(rank) if rank != encoding.dim_rank() => Err(NameError::Rank { format, wanted: encoding.dim_rank(), rank }),
        _ => Ok(encoding),
    }
}

/// The nnz name of a UST one: `BSRRight((2, 3))` is `BSR(2, 3)`.
fn ust_spelling<'a>(name: &'a str, arguments: &'a [u64]) -> Result<(&'a str, &'a [u64]), NameError> {
    if let Some(&(name, level)) = UST_ONLY.iter().find(|(ust, _)| *ust == name) {
        return Err(NameError::Unsupported { name, level });
    }
    let same = match name {
        "BSRRight" => "BSR",
        "BSCRight" => "BSC",
        "COOd" => "COO",
        "CSFd" => "CSF",
        "Structured" => "NM",
        "DenseVector" | "DenseMatrixRight" => "dense",
        other => other,
    };
    Ok((same, arguments))
}

fn build(format: FormatName, arguments: &[u64], rank: Option<usize>) -> Option<Encoding> {
    let size = |at: usize| arguments.get(at).and_then(|&size| i64::try_from(size).ok());
    let given = arguments.first().and_then(|&rank| usize::try_from(rank).ok());
    let rank_or = |default| given.or(rank).unwrap_or(default).clamp(1, MAX_RANK);
    match format.name {
        "CSR" => csr(),
        "CSC" => csc(),
        "COO" => coo(rank_or(2)),
        "DCSR" => dcsr(),
        "DCSC" => dcsc(),
        "BSR" => bsr(size(0)?, size(1)?),
        "BSC" => bsc(size(0)?, size(1)?),
        "CSF" => csf(rank_or(3)),
        "ELL" => ell(size(0)?),
        "DIA" => dia(),
        "NM" => n_of_m(arguments[0], arguments[1]),
        "SparseVector" => permuted(&[0], &[COMPRESSED]),
        "dense" => dense(rank_or(2)),
        "CROW" => permuted(&[0, 1], &[COMPRESSED, DENSE]),
        "CCOL" => permuted(&[1, 0], &[COMPRESSED, DENSE]),
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
    Encoding::new(EncodingParts { dims: dimensions(2), levels, ..Default::default() }).ok()
}

/// An encoding whose level `l` stores dimension `order[l]` as `formats[l]`; dimensions are called i, j, k, ...
/// `None` where MLIR's rules refuse the formats.
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
/// Sorted coordinates, an array of tuples as MLIR's.
pub fn coo(rank: usize) -> Option<Encoding> {
    let head = LevelFormat::Compressed(Props { nonunique: rank > 1, nonordered: false });
    let below = |at| LevelFormat::Singleton {
        props: Props { nonunique: at + 1 < rank, nonordered: false },
        layout: Layout::Aos,
    };
    let formats: Vec<LevelFormat> = std::iter::once(head).chain((1..rank).map(below)).collect();
    permuted(&(0..rank).collect::<Vec<_>>(), &formats)
}
/// Dense blocks of `rows` x `columns`, the rows of blocks outermost.
pub fn bsr(rows: i64, columns: i64) -> Option<Encoding> {
    blocked([(0, rows), (1, columns)], rows, columns)
}
/// Dense blocks of `rows` x `columns`, the columns of blocks outermost.
pub fn bsc(rows: i64, columns: i64) -> Option<Encoding> {
    blocked([(1, columns), (0, rows)], rows, columns)
}
/// A block as large as 1 leaves its dimension whole.
fn blocked(outer: [(usize, i64); 2], rows: i64, columns: i64) -> Option<Encoding> {
    let formats = [DENSE, COMPRESSED];
    let blocks = outer.iter().zip(formats).map(|(&(dim, c), format)| level(var(dim).floordiv_const(c), format));
    let inner = [(0, rows), (1, columns)].into_iter().filter(|(_, c)| *c > 1);
    matrix(blocks.chain(inner.map(|(dim, c)| level(var(dim).mod_const(c), DENSE))).collect())
}
/// `slices` entries a row, after Chou, Kjolstad, Amarasinghe 2020, section 4: counter, row, column.
pub fn ell(slices: i64) -> Option<Encoding> {
    let counter = Affine::mul(Affine::Sym(Sym(0)).scaled(slices), var(0)).ok()?;
    let levels = vec![level(counter, DENSE), level(var(0), DENSE), level(var(1), COMPRESSED)];
    let symbols = vec!["c".to_string()];
    Encoding::new(EncodingParts { symbols, dims: dimensions(2), levels, ..Default::default() }).ok()
}
/// The diagonals `j - i` that hold entries, each with one slot per row.
pub fn dia() -> Option<Encoding> {
    matrix(vec![level(Affine::sub(var(1), var(0)), COMPRESSED), level(var(0), DENSE)])
}
/// `n` entries in every `m` columns.
pub fn n_of_m(n: u64, m: u64) -> Option<Encoding> {
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
            let arguments: &[u64] = if format.arguments.len() == 2 {
                &[2, 4]
            } else if format.name == "ELL" {
                &[3]
            } else {
                &[]
            };
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
        assert!(matches!(lookup("DIAI", &[], None), Err(NameError::Unsupported { level: "range", .. })));
        assert_eq!(lookup("COO", &[], Some(3)).unwrap().lvl_rank(), 3);
    }
}

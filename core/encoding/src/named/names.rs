//! The names of encodings in other systems.

use super::{Affine, Encoding, FORMATS, FormatName, Layout, Level, LevelFormat, lookup};
use nnz_base::ids::{Dim, Lvl};

/// Names of the same storage elsewhere; `None` if a system has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The name that nnz gives it: `CSR`, `BSR(2, 3)`.
    pub nnz: Option<String>,
    pub scipy: Option<&'static str>,
    pub cusparse: Option<&'static str>,
    /// TACO's letters, with the order of the modes where it is not their own: `ds`, `ds:1,0`, `uq`.
    pub taco: Option<String>,
    /// The axes of SparseTIR, outermost first.
    pub sparsetir: Option<String>,
    /// The format notation of NVIDIA's Universal Sparse Tensor.
    pub ust: Option<String>,
}

impl Names {
    /// System and name, for a table or a list.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let own = |name: &Option<&'static str>| name.map(str::to_string);
        let all = [
            ("nnz", self.nnz.clone()),
            ("SciPy", own(&self.scipy)),
            ("cuSPARSE", own(&self.cusparse)),
            ("TACO", self.taco.clone()),
            ("SparseTIR", self.sparsetir.clone()),
            ("UST", self.ust.clone()),
        ];
        all.into_iter().filter_map(|(system, name)| Some((system, name?))).collect()
    }
}

pub fn names_of(encoding: &Encoding) -> Names {
    let known = nnz_name(encoding);
    let base = known.as_deref().map(|name| name.split('(').next().unwrap_or(name));
    let layout = encoding.coo_segments().first().map(|segment| segment.layout);
    let matrix = encoding.dim_rank() == 2;
    Names {
        scipy: base.and_then(|name| scipy_name(name, matrix)),
        cusparse: base.and_then(|name| cusparse_name(name, layout)),
        taco: taco_name(encoding),
        sparsetir: sparsetir_name(encoding),
        ust: ust_name(encoding),
        nnz: known,
    }
}

/// Widths, promised values and the layout of coordinates do not change the name.
fn nnz_name(encoding: &Encoding) -> Option<String> {
    let shape = |level: &Level| (level.expr.clone(), level.format.with_layout(Layout::Aos));
    let same = |other: &Encoding| {
        !encoding.is_slice() && encoding.levels().iter().map(shape).eq(other.levels().iter().map(shape))
    };
    candidates(encoding).into_iter().find_map(|(name, arguments)| {
        let other = lookup(name, &arguments, Some(encoding.dim_rank())).ok()?;
        let text: Vec<String> = arguments.iter().map(u64::to_string).collect();
        let name = if text.is_empty() { name.to_string() } else { format!("{name}({})", text.join(", ")) };
        same(&other).then_some(name)
    })
}

/// Every name that could fit, with the arguments that the levels suggest.
fn candidates(encoding: &Encoding) -> Vec<(&'static str, Vec<u64>)> {
    let takes_none = |format: &&FormatName| format.arguments.iter().all(|argument| argument.ends_with('?'));
    let plain = FORMATS.iter().filter(takes_none);
    let mut all: Vec<(&str, Vec<u64>)> = plain.map(|format| (format.name, vec![])).collect();
    let block = |at: usize| {
        let of_dim = |level: &Level| {
            level.expr.as_floordiv().filter(|(e, _)| e.as_var().is_some_and(|d| d.index() == at)).map(|(_, c)| c)
        };
        encoding.levels().iter().find_map(of_dim).and_then(|c| u64::try_from(c).ok()).unwrap_or(1)
    };
    all.push(("BSR", vec![block(0), block(1)]));
    all.push(("BSC", vec![block(0), block(1)]));
    all.push(("BSRLeft", vec![block(0), block(1)]));
    all.push(("BSCLeft", vec![block(0), block(1)]));
    all.push(("BSR3", vec![block(0), block(1), block(2)]));
    all.push(("BlockVector", vec![block(0)]));
    let of_last = encoding.levels().last().map(|level| level.format.arguments()).unwrap_or_default();
    all.extend(["DELTA", "NM"].map(|name| (name, of_last.clone())));
    if let Some(slices) = encoding.levels().first().and_then(|level| counter_slices(&level.expr)) {
        all.push(("ELL", vec![slices]));
    }
    all
}

/// `k` of `d * (s * k)`.
fn counter_slices(expr: &Affine<Dim>) -> Option<u64> {
    let Affine::Mul(_, counter) = expr else { return None };
    if let Affine::Mul(_, slices) = &**counter {
        return u64::try_from(slices.as_const()?).ok();
    }
    matches!(**counter, Affine::Sym(_)).then_some(1)
}

fn scipy_name(name: &str, matrix: bool) -> Option<&'static str> {
    match name {
        "CSR" => Some("csr_array"),
        "CSC" => Some("csc_array"),
        "COO" => Some("coo_array"),
        "BSR" => Some("bsr_array"),
        "DIAJ" => Some("dia_array"),
        "dense" if matrix => Some("numpy.ndarray"),
        _ => None,
    }
}

fn cusparse_name(name: &str, layout: Option<Layout>) -> Option<&'static str> {
    match name {
        "CSR" => Some("cusparseCreateCsr"),
        "CSC" => Some("cusparseCreateCsc"),
        "COO" if layout == Some(Layout::Soa) => Some("cusparseCreateCoo"),
        "BSR" => Some("cusparseCreateBsr"),
        "NM" => Some("cusparseLtStructuredDescriptorInit"),
        "dense" => Some("cusparseCreateDnMat"),
        "SparseVector" => Some("cusparseCreateSpVec"),
        _ => None,
    }
}

/// d dense, s compressed, u compressed with duplicates, q singleton, c singleton with duplicates.
fn taco_name(encoding: &Encoding) -> Option<String> {
    let order = encoding.permutation()?;
    let letter = |level: &Level| {
        let [unique, repeated] = level.format.row().taco?;
        Some(if level.format.props().nonunique { repeated } else { unique })
    };
    let letters: String = encoding.levels().iter().map(letter).collect::<Option<_>>()?;
    let modes: Vec<String> = order.iter().map(|dim| dim.index().to_string()).collect();
    Some(if encoding.is_identity() { letters } else { format!("{letters}:{}", modes.join(",")) })
}

fn sparsetir_name(encoding: &Encoding) -> Option<String> {
    let axis = |level: &Level| level.format.row().sparsetir.filter(|_| !level.format.props().nonunique);
    let axes: Option<Vec<&str>> = encoding.levels().iter().map(axis).collect();
    encoding.symbols().is_empty().then(|| axes.map(|axes| axes.join(", ")))?
}

/// `[i, j] -> (i // 2: DENSE, j: (COMPRESSED, NONUNIQUE))`; no widths, slices or symbols there.
fn ust_name(encoding: &Encoding) -> Option<String> {
    if encoding.is_slice() || !encoding.symbols().is_empty() {
        return None;
    }
    let level = |(at, level): (usize, &Level)| {
        let expr = encoding.level_text(Lvl::new(at)).replace(" floordiv ", " // ").replace(" mod ", " % ");
        Some(format!("{expr}: {}", ust_format(level.format)?))
    };
    let levels: Option<Vec<String>> = encoding.levels().iter().enumerate().map(level).collect();
    let dims: Vec<&str> = encoding.dims().iter().map(|dim| dim.name.as_str()).collect();
    Some(format!("[{}] -> ({})", dims.join(", "), levels?.join(", ")))
}

/// Of `structured[n, m]` only the n is named there.
fn ust_format(format: LevelFormat) -> Option<String> {
    let name = format.row().ust.then(|| format.name().to_uppercase())?;
    let props = format.props();
    let all = [(props.nonunique, "NONUNIQUE"), (props.nonordered, "UNORDERED")];
    let set = all.iter().filter(|(on, _)| *on).map(|(_, name)| name.to_string());
    let behind: Vec<String> = format.arguments().first().map(u64::to_string).into_iter().chain(set).collect();
    Some(if behind.is_empty() { name } else { format!("({name}, {})", behind.join(", ")) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::{bsr, coo, csc, ell, n_of_m};

    #[test]
    fn names_elsewhere() {
        let names = names_of(&bsr(2, 3).unwrap());
        assert_eq!((names.nnz.as_deref(), names.scipy), (Some("BSR(2, 3)"), Some("bsr_array")));
        assert_eq!(names_of(&csc().unwrap()).taco.as_deref(), Some("ds:1,0"));
        assert_eq!(names_of(&coo(3).unwrap()).taco.as_deref(), Some("ucq"));
        assert_eq!(names_of(&n_of_m(2, 4).unwrap()).nnz.as_deref(), Some("NM(2, 4)"));
        assert_eq!(names_of(&ell(3).unwrap()).nnz.as_deref(), Some("ELL(3)"));
        let ust = names_of(&bsr(2, 1).unwrap()).ust;
        assert_eq!(ust.as_deref(), Some("[i, j] -> (i // 2: DENSE, j: COMPRESSED, i % 2: DENSE)"));
        let columnwise = names_of(&lookup("DIAJ", &[], None).unwrap());
        assert_eq!((columnwise.nnz.as_deref(), columnwise.scipy), (Some("DIAJ"), Some("dia_array")));
        assert_eq!(columnwise.ust.as_deref(), Some("[i, j] -> (j - i: COMPRESSED, j: RANGE)"));
        let delta = names_of(&lookup("DELTA", &[3], None).unwrap());
        assert_eq!(delta.nnz.as_deref(), Some("DELTA(3)"));
        assert_eq!(delta.ust.as_deref(), Some("[i, j] -> (i: DENSE, j: (DELTA, 3))"));
    }
}

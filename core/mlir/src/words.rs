//! Descriptions of what each operation does and costs, for people.

mod host;
mod linalg;
mod scalars;
mod sparse_tensor;
mod tensors;

use nnz_base::functions::{BinaryFunction, UnaryFunction};

use crate::dialects::{self, linalg_named};

/// One operation in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// With its dialect.
    pub name: &'static str,
    /// A sentence without its full stop.
    pub does: &'static str,
    /// Empty where it takes next to nothing.
    pub costs: &'static str,
}

const fn row(name: &'static str, does: &'static str, costs: &'static str) -> Words {
    Words { name, does, costs }
}

/// The tables of every dialect.
const ALL: &[&[Words]] = &[
    sparse_tensor::WORDS,
    linalg::WORDS,
    tensors::WORDS,
    tensors::BUFFERS,
    tensors::VECTORS,
    host::WORDS,
    scalars::ARITH,
    scalars::MATH,
    scalars::COMPLEX,
];

/// What the operation of this name does, and what it costs.
pub fn of_operation(name: &str) -> Option<(String, &'static str)> {
    let name = dialects::lookup(name).map_or(name, |def| def.name);
    let row = ALL.iter().flat_map(|table| table.iter()).find(|row| row.name == name);
    row.map(|row| (row.does.to_string(), row.costs))
        .or_else(|| Some((of_named(name)?, linalg::KERNEL)))
        .or_else(|| Some((of_function(name)?, "")))
}

/// A kernel of `linalg` whose formula says it all.
fn of_named(name: &str) -> Option<String> {
    linalg_named::formula(name).map(|formula| format!("`{formula}`"))
}

/// A function of numbers, which sessions have too.
fn of_function(name: &str) -> Option<String> {
    let name = name.strip_prefix("math.")?;
    let of_one = UnaryFunction::ALL.iter().find(|function| function.name() == name).map(|function| function.summary());
    let of_two = || BinaryFunction::ALL.iter().find(|function| function.name() == name).map(|it| it.summary());
    of_one.or_else(of_two).map(ToString::to_string)
}

/// The meaning of words besides operations: the attributes of kernels, and their values.
pub fn of_attribute(name: &str) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

const ATTRIBUTES: &[(&str, &str)] = &[
    (
        "indexing_maps",
        "one affine map for each operand, the results' last: from the point of the loops to the coordinates that the operand is accessed at",
    ),
    (
        "iterator_types",
        "one word for each loop: `parallel` where its variable is one of the result's, `reduction` where the result is combined over it",
    ),
    ("parallel", "a loop over a dimension of the result: its iterations may run in any order"),
    ("reduction", "a loop over which the result is combined: its variable is none of the result's"),
    (
        "affine_map",
        "`(d0, d1)[s0] -> (...)`: from dimensions, and symbols that are fixed, to expressions of them: sums, products with constants, `floordiv`, `ceildiv`, `mod`",
    ),
    ("ins", "the operands that the kernel reads"),
    ("outs", "what the results start from: a tensor of the same type for each"),
    ("level", "the level of storage that is meant, 0 the outermost"),
    ("permutation", "dimension `d` of the result is dimension `permutation[d]` of the operand"),
    ("dimensions", "the dimensions that are reduced or added"),
    ("strides", "how far the window moves from one result to the next, for each of its dimensions"),
    (
        "cast",
        "how integers become numbers of the result's type: `#linalg.type_fn<cast_signed>` with their sign, which is the default, `#linalg.type_fn<cast_unsigned>` without",
    ),
    ("dilations", "how far apart the entries of the window lie, for each of its dimensions"),
];

#[cfg(test)]
mod tests {
    use super::{ALL, of_operation};
    use crate::dialects::{lookup, operations};

    #[test]
    fn every_operation_has_words() {
        let silent: Vec<_> = operations().map(|def| def.name).filter(|name| of_operation(name).is_none()).collect();
        assert!(silent.is_empty(), "{silent:?}");
    }

    #[test]
    fn words_are_of_operations_once_each() {
        let mut names: Vec<_> = ALL.iter().flat_map(|table| table.iter()).map(|row| row.name).collect();
        let unknown: Vec<_> = names.iter().filter(|name| lookup(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn words_are_clauses() {
        for row in ALL.iter().flat_map(|table| table.iter()) {
            let bad = [row.does, row.costs].iter().any(|text| text.ends_with('.') || text.contains('\n'));
            assert!(!bad && !row.does.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn formulas_say_what_named_kernels_do() {
        let does = |name| of_operation(name).map(|(does, _)| does);
        assert_eq!(does("linalg.matmul").as_deref(), Some("`C(m, n) += A(m, k) * B(k, n)`"));
        assert_eq!(does("linalg.dot").as_deref(), Some("`C += A(m) * B(m)`"));
        assert_eq!(does("linalg.conv_1d").as_deref(), Some("`C(w) += A(w + k) * B(k)`"));
        let pooled = "`C(n, w, c) max= A(n, w * s0 + kw * d0, c)`, over windows of the shape of `B(kw)`";
        assert_eq!(does("linalg.pooling_nwc_max").as_deref(), Some(pooled));
    }
}

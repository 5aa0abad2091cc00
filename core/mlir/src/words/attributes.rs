//! Words besides operations: attributes, their values, the keywords of custom syntax, the types of dialects.

/// The meaning of such a word, as a clause.
pub fn of_attribute(name: &str) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

const ATTRIBUTES: &[(&str, &str)] = &[
    // Kernels.
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
    ("doc", "a comment on the kernel, without effect"),
    ("library_call", "the name of a library's function that may replace the kernel; nnz does not call it"),
    ("sorted", "an attribute of programs before 2023, without effect: the loops follow the encodings"),
    ("dimensions", "the dimensions that are reduced or added"),
    ("strides", "how far the window moves from one result to the next, for each of its dimensions"),
    ("dilations", "how far apart the entries of the window lie, for each of its dimensions"),
    (
        "cast",
        "how integers become numbers of the result's type: `#linalg.type_fn<cast_signed>` with their sign, which is the default, `#linalg.type_fn<cast_unsigned>` without",
    ),
    // Sparse tensors.
    ("level", "the level of storage that is meant, 0 the outermost"),
    ("lvl", "the level of storage that is meant, 0 the outermost"),
    ("lvls", "the levels that are iterated, 0 the outermost; `0 to 2` are levels 0 and 1"),
    ("loLvl", "the first level that is iterated, 0 the outermost"),
    ("hiLvl", "the level behind the last one that is iterated"),
    ("dim", "the dimension that is meant, 0 the first"),
    ("dimension", "the dimension along which the operands are joined, 0 the first"),
    ("order", "the order in which dimensions are visited, as an affine map"),
    ("perm_map", "which of the numbers of an entry are its coordinates, in the order by which they are sorted"),
    ("ny", "how many more numbers each entry has behind its coordinates in the buffer"),
    ("algorithm", "how it is sorted: `hybrid_quick_sort`, `insertion_sort_stable`, `quick_sort` or `heap_sort`"),
    ("hasInserts", "entries were inserted, and their insertion ends here"),
    ("direction", "from dimensions to levels (`dim_to_lvl`), or back (`lvl_to_dim`)"),
    ("encoder", "the encoding whose map is applied"),
    (
        "specifierKind",
        "which size of the storage is meant: of a level, of its positions, of its coordinates, of the values",
    ),
    ("crdUsedLvls", "the levels whose coordinates the body uses, one bit for each"),
    ("cases", "which of the operands have an entry in each region, one bit for each operand"),
    ("left_identity", "where only the left operand is stored, the result is that operand"),
    ("right_identity", "where only the right operand is stored, the result is that operand"),
    ("overlap", "the region for places where both operands are stored"),
    ("left", "the region for places where only the left operand is stored"),
    ("right", "the region for places where only the right operand is stored"),
    ("present", "the region for places where the operand is stored"),
    ("absent", "the region for places where the operand is not stored"),
    // Tensors and buffers.
    ("permutation", "dimension `d` of the result is dimension `permutation[d]` of the operand"),
    ("permutation_map", "which dimensions of the tensor or buffer the dimensions of the vector are"),
    ("reassociation", "for each dimension of the smaller tensor, the dimensions of the larger one that it consists of"),
    ("in_bounds", "for each dimension of the vector, whether it surely lies within the tensor or buffer"),
    ("inbounds", "for each dimension of the vector, whether it surely lies within the tensor or buffer"),
    ("static_offsets", "the constant offsets; the smallest `i64` marks those that are operands"),
    ("static_sizes", "the constant sizes; the smallest `i64` marks those that are operands"),
    ("static_strides", "the constant strides; the smallest `i64` marks those that are operands"),
    ("static_position", "the constant coordinates; the smallest `i64` marks those that are operands"),
    ("static_output_shape", "the constant sizes of the result; the smallest `i64` marks those that are operands"),
    ("static_low", "how many places are added before each dimension; the smallest `i64` marks those that are operands"),
    (
        "static_high",
        "how many places are added behind each dimension; the smallest `i64` marks those that are operands",
    ),
    ("mask_dim_sizes", "how many places of each dimension of the mask are set"),
    ("kind", "how values are combined: `add`, `mul`, `minnumf`, `maxsi`, `and` and so on"),
    ("map", "the affine map that is applied"),
    ("restrict", "no other buffer of the program is the same memory"),
    ("writable", "the memory of the tensor may be written to"),
    ("alignment", "the address is a multiple of so many bytes"),
    ("nontemporal", "what is read or written need not stay in the caches"),
    ("operandSegmentSizes", "how many operands each group of them has, in generic syntax"),
    ("case_operand_segments", "how many operands each case hands on"),
    ("case_values", "the numbers that the cases are for"),
    // Constants and their syntax.
    ("value", "the constant"),
    ("dense", "a constant tensor: all values row by row, or one value for all of them, as in `dense<0.0>`"),
    ("sparse", "a constant tensor by its entries: their coordinates, then their values; all others are zero"),
    ("array", "a list of numbers of the type that is written first: `array<i64: 1, 0>`"),
    ("true", "the condition that always holds, an `i1`"),
    ("false", "the condition that never holds, an `i1`; as a predicate, it holds for no two numbers"),
    // Predicates of `arith.cmpf` and `arith.cmpi`.
    ("predicate", "how the operands are compared"),
    ("oeq", "both are numbers and equal; not where one is NaN"),
    ("ogt", "the left one is greater; not where one is NaN"),
    ("oge", "the left one is greater or equal; not where one is NaN"),
    ("olt", "the left one is less; not where one is NaN"),
    ("ole", "the left one is less or equal; not where one is NaN"),
    ("one", "both are numbers and differ; not where one is NaN"),
    ("ord", "neither is NaN"),
    ("ueq", "they are equal, or one is NaN"),
    ("ugt", "the left one is greater, or one is NaN; of integers: greater, without their signs"),
    ("uge", "the left one is greater or equal, or one is NaN; of integers: without their signs"),
    ("ult", "the left one is less, or one is NaN; of integers: less, without their signs"),
    ("ule", "the left one is less or equal, or one is NaN; of integers: without their signs"),
    ("une", "they differ, or one is NaN"),
    ("uno", "one is NaN"),
    ("eq", "they are equal"),
    ("ne", "they differ"),
    ("slt", "the left one is less, with their signs"),
    ("sle", "the left one is less or equal, with their signs"),
    ("sgt", "the left one is greater, with their signs"),
    ("sge", "the left one is greater or equal, with their signs"),
    // Arithmetic.
    (
        "fastmath",
        "what the compiler may assume of floats: `nnan` (no NaN), `ninf`, `reassoc`, `contract`, `fast` (all of them)",
    ),
    (
        "overflow",
        "what the compiler may assume of integers: `nsw` (no overflow of signed ones), `nuw` (of unsigned ones)",
    ),
    (
        "overflowFlags",
        "what the compiler may assume of integers: `nsw` (no overflow of signed ones), `nuw` (of unsigned ones)",
    ),
    ("isExact", "the division has no remainder"),
    ("exact", "the division has no remainder"),
    ("roundingmode", "how a float is rounded to a narrower type: `to_nearest_even` unless another one is named"),
    // Functions.
    ("func.func", "a function: its name, its parameters, the types of its results, its body"),
    ("attributes", "attributes of the function, such as `llvm.emit_c_interface`"),
    ("llvm.emit_c_interface", "the function can be called from C by its name with `_mlir_ciface_` in front"),
    ("private", "only this module names the function; without a body it is declared alone"),
    ("callee", "the function that is called"),
    ("msg", "what is said where the condition does not hold"),
    ("punctuation", "what is printed behind the value"),
    ("stringLiteral", "the text that is printed"),
    ("iter_args", "values that one iteration hands to the next, each with what it starts from"),
    ("step", "how far the variable moves from one iteration to the next"),
    // Types of dialects.
    ("!llvm.ptr", "a pointer to anything; here, the name of a file"),
    ("!sparse_tensor.storage_specifier", "the sizes of the arrays of a stored tensor"),
    ("!sparse_tensor.iter_space", "the entries of consecutive levels, to be iterated"),
    ("!sparse_tensor.iterator", "an entry of such levels, while they are iterated"),
];

#[cfg(test)]
mod tests {
    use super::ATTRIBUTES;

    #[test]
    fn words_are_clauses_once_each() {
        for (at, (name, text)) in ATTRIBUTES.iter().enumerate() {
            assert!(!text.ends_with('.') && !text.contains('\n'), "{name}");
            assert!(ATTRIBUTES[..at].iter().all(|(other, _)| other != name), "{name} twice");
        }
    }
}

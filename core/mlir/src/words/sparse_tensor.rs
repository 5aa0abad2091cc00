//! `sparse_tensor` in words.

use super::{Words, row};

pub(super) const WORDS: &[Words] = &[
    row(
        "sparse_tensor.convert",
        "the same entries in another encoding, or as a plain tensor",
        "each entry is visited, sorted where the order of storage changes, and stored anew: some `nnz * log nnz` steps, and the memory of both tensors; to the same encoding nothing",
    ),
    row(
        "sparse_tensor.new",
        "reads a tensor from a file: Matrix Market or extended FROSTT, by its name",
        "reading the text and packing its entries, sorted first where the file has them in another order",
    ),
    row("sparse_tensor.out", "writes a tensor to a file in extended FROSTT format", "one pass over the stored entries"),
    row(
        "sparse_tensor.print",
        "prints every array of a tensor: positions and coordinates by level, values",
        "one pass over all arrays",
    ),
    row(
        "sparse_tensor.load",
        "the tensor with all insertions done; with `hasInserts` it ends a chain of `tensor.insert`",
        "nothing in nnz: every insertion is done at once",
    ),
    row(
        "sparse_tensor.number_of_entries",
        "how many entries are stored, stored zeros and the padding of dense levels among them",
        "nothing: it is the length of the values",
    ),
    row(
        "sparse_tensor.has_runtime_library",
        "whether the program is run with MLIR's library of conversions rather than generated code",
        "",
    ),
    row(
        "sparse_tensor.positions",
        "the array of positions of a level, as a buffer: `pos[p]..pos[p + 1]` are the entries below position `p` of the level above",
        "nothing: the array of the tensor itself, not a copy",
    ),
    row(
        "sparse_tensor.coordinates",
        "the array of coordinates of a level, as a buffer: one for each entry",
        "nothing for a level with an array of its own; of a COO segment with tuples every second or third number and so on",
    ),
    row(
        "sparse_tensor.coordinates_buffer",
        "the tuples of coordinates of a COO segment, as one buffer: entry after entry",
        "nothing: the array of the tensor itself, not a copy",
    ),
    row(
        "sparse_tensor.values",
        "the array of values, as a buffer, in the order of the innermost level",
        "nothing: the array of the tensor itself, not a copy",
    ),
    row(
        "sparse_tensor.assemble",
        "a tensor of arrays that exist: positions and coordinates level by level, then values",
        "the arrays are looked over once: positions that do not grow and coordinates outside of the shape are refused",
    ),
    row(
        "sparse_tensor.disassemble",
        "copies the arrays of a tensor into those that are given, and says how many entries of each are used",
        "one copy of each array",
    ),
    row(
        "sparse_tensor.concatenate",
        "tensors one behind another along a dimension",
        "each entry of each operand is visited once, and the result is packed: sorted where its first level is not that dimension",
    ),
    row(
        "sparse_tensor.foreach",
        "runs its body for every stored entry, with its coordinates and its value; `init` is carried along",
        "one step for each stored entry, in the order of storage; sorting first where `order` asks for another",
    ),
    row(
        "sparse_tensor.lvl",
        "the size of a level, 0 the outermost: of blocks the number of blocks, or the size of one",
        "",
    ),
    row(
        "sparse_tensor.crd_translate",
        "coordinates of dimensions from those of levels, or the other way, by the map of an encoding",
        "",
    ),
    row(
        "sparse_tensor.reinterpret_map",
        "the same arrays under another map: of a matrix of blocks the tensor of four dimensions that its levels are",
        "nothing: no entry is moved",
    ),
    row(
        "sparse_tensor.reorder_coo",
        "sorts the coordinates of a COO tensor, its values with them",
        "sorting: some `nnz * log nnz` steps; nothing for one that is in order",
    ),
    row("sparse_tensor.slice.offset", "where a slice begins in a dimension of the tensor that it is a part of", ""),
    row("sparse_tensor.slice.stride", "how many coordinates of the tensor lie between two of a slice", ""),
    row(
        "sparse_tensor.sort",
        "sorts the first `n` tuples of a buffer of coordinates, other buffers with them",
        "some `n * log n` steps",
    ),
    row(
        "sparse_tensor.push_back",
        "puts a value, or several of them, behind the used part of a buffer, and gives the buffer and its new length",
        "one step; now and then a copy of the buffer into one of twice the size",
    ),
    row(
        "sparse_tensor.expand",
        "a dense row for insertions in any order: values, which are filled, a list of the coordinates that are, and their number",
        "memory for a whole row: its size in values, marks and coordinates; cleared by `compress`, not each time",
    ),
    row(
        "sparse_tensor.compress",
        "appends the filled places of an expanded row to the tensor, and clears them",
        "sorting the coordinates of the row, then one step for each of them",
    ),
    row("sparse_tensor.storage_specifier.init", "an empty record of the sizes of a tensor's levels and arrays", ""),
    row("sparse_tensor.storage_specifier.get", "one size from the record of a tensor's sizes", ""),
    row("sparse_tensor.storage_specifier.set", "the record of a tensor's sizes with one of them changed", ""),
    row(
        "sparse_tensor.extract_iteration_space",
        "the entries of one level or of several, to be iterated; below the place of an iterator where `at` names one",
        "",
    ),
    row("sparse_tensor.extract_value", "the value at the place of an iterator", ""),
    row(
        "sparse_tensor.iterate",
        "runs its body for every entry of an iteration space, with its coordinates; `iter_args` are carried along",
        "one step for each stored coordinate of the levels",
    ),
    row(
        "sparse_tensor.coiterate",
        "walks several iteration spaces side by side, and runs the body of the case that fits: which of them have an entry",
        "one step for each coordinate that any of them stores",
    ),
    row(
        "sparse_tensor.unary",
        "in a kernel: one value where the operand is stored (`present`), one where it is not (`absent`), or none",
        "without `absent` only stored entries are visited; with it every coordinate is",
    ),
    row(
        "sparse_tensor.binary",
        "in a kernel: one value where both operands are stored (`overlap`), one where only one is (`left`, `right`), or none",
        "what is visited follows from the cases: without `left` and `right` only where both are stored",
    ),
    row(
        "sparse_tensor.reduce",
        "in a kernel: combines stored terms alone, from an identity on: an absent entry takes no part",
        "one step for each stored term",
    ),
    row(
        "sparse_tensor.select",
        "in a kernel: keeps the entries whose value passes the test, and leaves out the others",
        "one test for each stored entry; the result is counted first, since its size is not known",
    ),
    row("sparse_tensor.yield", "ends a region and gives its values", ""),
];

//! `tensor`, `bufferization`, `memref` and `vector` in words.

use super::{Words, row};

/// What a change of one entry costs.
const INSERTED: &str = "one store in a dense tensor; in a sparse one the entries behind it move, unless it comes last in the order of storage";

pub(super) const WORDS: &[Words] = &[
    row(
        "tensor.empty",
        "a tensor of undefined contents; one with an encoding has no entries",
        "memory for a dense one; nothing for a sparse one",
    ),
    row("tensor.dim", "the size of a dimension", ""),
    row("tensor.rank", "how many dimensions there are", ""),
    row(
        "tensor.cast",
        "the same tensor under a type that tells more or fewer of its sizes",
        "nothing: it is checked when it runs",
    ),
    row(
        "tensor.extract",
        "the entry at some coordinates, zero where nothing is stored",
        "one load from a dense tensor; in a sparse one a search in each compressed level",
    ),
    row("tensor.insert", "the tensor with another entry at some coordinates", INSERTED),
    row("tensor.from_elements", "a tensor of values that are listed", "one store for each"),
    row(
        "tensor.generate",
        "a tensor whose entries its body computes from their coordinates",
        "the body once for each entry of the shape",
    ),
    row("tensor.splat", "a tensor with the same value everywhere", "one store for each entry of the shape"),
    row("tensor.pad", "the tensor with a border of further entries", "one store for each entry of the result"),
    row("tensor.reshape", "the entries in another shape", "each entry once; a sparse result is stored anew"),
    row(
        "tensor.collapse_shape",
        "groups of neighbouring dimensions made one",
        "nothing for a dense tensor; each stored entry of a sparse one is stored anew",
    ),
    row(
        "tensor.expand_shape",
        "dimensions taken apart into several",
        "nothing for a dense tensor; each stored entry of a sparse one is stored anew",
    ),
    row(
        "tensor.extract_slice",
        "a part of a tensor: offsets, sizes, strides",
        "a copy of the part; of a sparse tensor with a slice in its encoding a view, which copies nothing",
    ),
    row(
        "tensor.insert_slice",
        "the tensor with a part replaced",
        "a copy of the part, and of the tensor where it is used again",
    ),
    row("tensor.concat", "tensors one behind another along a dimension", "each entry once"),
    row("tensor.yield", "ends a region and gives its value", ""),
    row("bufferization.alloc_tensor", "a tensor of undefined contents, or a copy of another", "memory, and the copy"),
    row("bufferization.dealloc_tensor", "gives the memory of a tensor back", "nothing in nnz, which does so by itself"),
    row("bufferization.materialize_in_destination", "copies a tensor into another or into a buffer", "one copy"),
    row(
        "bufferization.to_buffer",
        "a tensor as a buffer",
        "a copy where the buffer is written to and the tensor is used again",
    ),
    row("bufferization.to_tensor", "what a buffer holds now, as a tensor", "one copy"),
];

pub(super) const BUFFERS: &[Words] = &[
    row("memref.alloc", "a buffer of undefined contents", "memory until `memref.dealloc`"),
    row("memref.alloca", "a buffer of undefined contents, which ends with its function", "memory until then"),
    row("memref.cast", "the same buffer under a type that tells more or fewer of its sizes", ""),
    row("memref.copy", "copies one buffer into another", "one step for each entry"),
    row("memref.dealloc", "gives the memory of a buffer back", ""),
    row("memref.dim", "the size of a dimension of a buffer", ""),
    row("memref.load", "the entry of a buffer at some coordinates", "one load"),
    row("memref.store", "changes the entry of a buffer at some coordinates", "one store"),
    row("memref.subview", "a part of a buffer: offsets, sizes, strides", "nothing: a view"),
];

pub(super) const VECTORS: &[Words] = &[
    row("vector.bitcast", "the same bits as other elements", ""),
    row("vector.broadcast", "a value or a vector again along new dimensions", ""),
    row(
        "vector.compressstore",
        "stores the elements under a mask side by side",
        "one store for each that the mask has",
    ),
    row("vector.constant_mask", "a mask with its first places set, by constants", ""),
    row("vector.create_mask", "a mask with its first places set", ""),
    row(
        "vector.expandload",
        "loads neighbouring elements to the places of a mask",
        "one load for each that the mask has",
    ),
    row("vector.extract", "an element or a part of a vector", ""),
    row("vector.fma", "`a * b + c` of vectors, rounded once", ""),
    row("vector.from_elements", "a vector of values that are listed", ""),
    row(
        "vector.gather",
        "loads elements from the places that a vector says, under a mask",
        "one load for each that the mask has, wherever it lies",
    ),
    row("vector.insert", "a vector with an element or a part replaced", ""),
    row("vector.load", "neighbouring elements of a buffer as a vector", "one load"),
    row("vector.maskedload", "neighbouring elements of a buffer under a mask", "one load"),
    row("vector.maskedstore", "stores the elements of a vector under a mask", "one store"),
    row("vector.print", "prints a vector, a number or a text", ""),
    row(
        "vector.reduction",
        "one value of all elements: their sum, their product, the least of them and so on",
        "one step for each",
    ),
    row(
        "vector.scatter",
        "stores elements to the places that a vector says, under a mask",
        "one store for each that the mask has, wherever it lies",
    ),
    row("vector.shape_cast", "the elements in another shape", ""),
    row("vector.step", "the numbers from 0 on", ""),
    row("vector.store", "stores a vector side by side in a buffer", "one store"),
    row("vector.transfer_read", "a part of a tensor or a buffer as a vector, padded outside of it", "one load"),
    row("vector.transfer_write", "a vector written into a tensor or a buffer", "one store"),
    row("vector.transpose", "the dimensions of a vector in another order", ""),
];

"""Classes of what MLIR 22 gets wrong, told by what a program has; the first that fits counts."""

CLASSES = [
    ("the values of `assemble` are read from its arrays of coordinates (library)", lambda kinds, library: library and {"sparse_tensor.assemble", "property soa"} <= kinds),
    ("true of type i1 in a dense constant reads as false", lambda kinds, library: {"element i1", "dense constant"} <= kinds),
    ("entries at one coordinate are lost", lambda kinds, library: "duplicates" in kinds),
    ("parts of sparse tensors lose entries", lambda kinds, library: "tensor.extract_slice (sparse)" in kinds),
    ("`reduce` starts again where an outer loop is the reduction", lambda kinds, library: "sparse_tensor.reduce" in kinds),
    ("other shapes of tensors whose dimensions are permuted", lambda kinds, library: bool({"tensor.expand_shape", "tensor.collapse_shape"} & kinds)),
    ("blocks that do not divide a dimension", lambda kinds, library: "blocks" in kinds),
    ("a sparse result, converted to dense, starts from what was in memory", lambda kinds, library: {"sparse result", "tensor.empty"} <= kinds),
    ("nonordered levels are merged as if in order", lambda kinds, library: "property nonordered" in kinds),
    ("nonunique levels above others are read in part", lambda kinds, library: "property nonunique" in kinds),
    ("8 and 16 bits for positions and coordinates", lambda kinds, library: "widths" in kinds),
    ("other", lambda kinds, library: True),
]


def class_of(kinds, library):
    return next(name for name, fits in CLASSES if fits(kinds, library))

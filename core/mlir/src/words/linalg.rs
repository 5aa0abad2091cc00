//! `linalg` in words; [`super::of_named`] has the kernels whose formula says what they do.

use super::{Words, row};

/// What every kernel costs.
pub(super) const KERNEL: &str = "loops over what its operands store: the entries of a sparse factor, and every coordinate where no operand is sparse";

const ELEMENTWISE: &str =
    "one step for each entry of the shape; with sparse operands only where a result can be other than zero";

pub(super) const WORDS: &[Words] = &[
    row(
        "linalg.generic",
        "a kernel: its body is evaluated at every point of its loops, on the entries that the maps lead to",
        KERNEL,
    ),
    row(
        "linalg.contract",
        "multiplies two operands and adds up over the loops that the result lacks, by its maps",
        KERNEL,
    ),
    row("linalg.fill", "a tensor or a buffer with the same value everywhere", "one store for each entry of the shape"),
    row("linalg.index", "in a kernel: the value of one of its loops", ""),
    row("linalg.yield", "ends the body of a kernel and gives the results' entries", ""),
    row("linalg.map", "one function of the entries at each coordinate", ELEMENTWISE),
    row(
        "linalg.reduce",
        "combines the entries along some dimensions",
        "one step for each entry; of a sparse operand for each stored one",
    ),
    row(
        "linalg.transpose",
        "the dimensions in another order",
        "one step for each entry; a sparse result is stored anew",
    ),
    row("linalg.broadcast", "the operand again along new dimensions", "one store for each entry of the result"),
    row("linalg.elementwise", "one function of the entries at each coordinate, by its `kind`", ELEMENTWISE),
    row("linalg.copy", "the entries of the operand", ELEMENTWISE),
    row("linalg.add", "the sum of the two entries at each coordinate", ELEMENTWISE),
    row("linalg.sub", "the difference of the two entries at each coordinate", ELEMENTWISE),
    row("linalg.mul", "the product of the two entries at each coordinate", ELEMENTWISE),
    row("linalg.div", "the quotient of the two entries at each coordinate", ELEMENTWISE),
    row(
        "linalg.div_unsigned",
        "the quotient of the two entries at each coordinate, as numbers without a sign",
        ELEMENTWISE,
    ),
    row("linalg.max", "the greater of the two entries at each coordinate", ELEMENTWISE),
    row("linalg.min", "the lesser of the two entries at each coordinate", ELEMENTWISE),
    row("linalg.powf", "the first entry to the power of the second at each coordinate", ELEMENTWISE),
    row("linalg.select", "the second entry where the first holds, else the third", ELEMENTWISE),
    row("linalg.abs", "the absolute value of each entry", ELEMENTWISE),
    row("linalg.ceil", "each entry rounded up", ELEMENTWISE),
    row("linalg.erf", "the error function of each entry", ELEMENTWISE),
    row("linalg.exp", "e to the power of each entry", ELEMENTWISE),
    row("linalg.floor", "each entry rounded down", ELEMENTWISE),
    row("linalg.log", "the natural logarithm of each entry", ELEMENTWISE),
    row("linalg.negf", "each entry with the other sign", ELEMENTWISE),
    row("linalg.reciprocal", "1 divided by each entry", ELEMENTWISE),
    row("linalg.round", "each entry rounded to the nearest integer", ELEMENTWISE),
    row("linalg.rsqrt", "1 divided by the square root of each entry", ELEMENTWISE),
    row("linalg.sqrt", "the square root of each entry", ELEMENTWISE),
    row("linalg.square", "the square of each entry", ELEMENTWISE),
    row("linalg.tanh", "the hyperbolic tangent of each entry", ELEMENTWISE),
];

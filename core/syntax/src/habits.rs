//! Habits from other languages and nnz's spelling: a row has the foreign form on the left and nnz's on the right. The
//! parser looks up operators and words that begin a statement; the checker looks up functions, types and formats.

mod fences;
mod functions;
mod names;
mod operators;
mod words;

pub use fences::FENCE;
pub(crate) use fences::fence_len;
pub(crate) use functions::COUNTED;
pub use functions::{
    FUNCTION_HABITS, Function, JOINED, REVERSED, SOLVER, format_of_method, function, makes_tensor, member, writes,
};
pub use names::{FORMATS, cast, constant, format_name, letter, type_name};
pub use operators::{Instead, OPERATORS, Operator, Tightness, of_bits, operator};
pub use words::{
    FLOORDIV, HALVED, LEADING, Leading, TRAILING, closes_block, heads_loop, leading, opens_block, tells_type, trailing,
};

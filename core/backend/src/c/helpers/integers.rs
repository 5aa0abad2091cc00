//! Integers: division by zero and shifts beyond the width are defined, and narrow types wrap.

use super::{Helper, function};
use crate::c::{
    literals,
    types::{int_type, wrapping_type},
};
use nnz_loops::machine::Int;

/// As [`function`]; in `body`, `T` casts to the type and `W` to the one that wraps.
pub(super) fn int_function(name: &str, int: Int, params: &str, body: &str) -> String {
    let body =
        body.replace("(W)", &format!("({})", wrapping_type(int))).replace("(T)", &format!("({})", int_type(int)));
    function(name, &int_type(int), params, &body)
}

/// The text of a cast of `body`, of the wrapping type, to the type and its width.
pub(super) fn wrapped(int: Int, body: &str) -> String {
    match int.width < int.bits {
        true => format!("{}({body})", Helper::Wrap(int).name()),
        false => format!("(T)({body})"),
    }
}

/// Keeps the lowest bits, the highest of which is the sign.
pub(super) fn wrap(name: &str, int: Int) -> String {
    let mask = (1u32 << int.width) - 1;
    let sign = 1u32 << (int.width - 1);
    let ty = int_type(int);
    let body = if int.is_signed() {
        format!("({ty})((int)((a & {mask}) ^ {sign}) - {sign})")
    } else {
        format!("({ty})(a & {mask})")
    };
    format!("static inline {ty} {name}({} a) {{ return {body}; }}\n", wrapping_type(int))
}

pub(super) fn divide(name: &str, int: Int) -> String {
    let body = match int.is_signed() {
        true => format!("b == 0 ? 0 : b == -1 ? {} : (T)(a / b)", wrapped(int, "0 - (W)a")),
        false => "b == 0 ? 0 : (T)(a / b)".to_string(),
    };
    format!("// Towards zero; 0 for a zero divisor.\n{}", int_function(name, int, "a, b", &body))
}

pub(super) fn remainder(name: &str, int: Int) -> String {
    let body = if int.is_signed() { "b == 0 || b == -1 ? 0 : (T)(a % b)" } else { "b == 0 ? 0 : (T)(a % b)" };
    int_function(name, int, "a, b", body)
}

/// All bits move out where the amount is negative, or the width and more.
pub(super) fn shift_left(name: &str, int: Int) -> String {
    let moved = wrapped(int, "(W)a << b");
    int_function(name, int, "a, b", &format!("(W)b < {} ? {moved} : 0", int.width))
}

pub(super) fn shift_right(name: &str, int: Int) -> String {
    let rest = if int.is_signed() { "a < 0 ? -1 : 0" } else { "0" };
    int_function(name, int, "a, b", &format!("(W)b < {} ? (T)(a >> b) : {rest}", int.width))
}

/// By squaring; a negative exponent gives 1 over the power.
pub(super) fn power(name: &str, int: Int) -> String {
    let (ty, wide) = (int_type(int), wrapping_type(int));
    let negated = if int.is_signed() { format!("n < 0 ? 0 - ({wide})n : ({wide})n") } else { "n".to_string() };
    let result = wrapped(int, "power").replace("(T)", &format!("({ty})"));
    let result = match int.is_signed() {
        true => format!("n < 0 ? {}(1, {result}) : {result}", Helper::Div(int).name()),
        false => result,
    };
    format!(
        "static inline {ty} {name}({ty} a, {ty} n) {{\n\
         \x20   {wide} power = 1, square = ({wide})a;\n\
         \x20   for ({wide} rest = {negated}; rest > 0; rest >>= 1) {{\n\
         \x20       if (rest & 1) power *= square;\n\
         \x20       square *= square;\n\
         \x20   }}\n\
         \x20   return {result};\n\
         }}\n"
    )
}

/// NaN gives 0.
pub(super) fn saturate(name: &str, int: Int) -> String {
    let ty = int_type(int);
    let (least, most, above) = match int.is_signed() {
        true => (-(1i128 << (int.width - 1)), (1i128 << (int.width - 1)) - 1, int.width - 1),
        false => (0, (1i128 << int.width) - 1, int.width),
    };
    let (least_text, most_text) = (literals::int(int, least), literals::int(int, most));
    let least_double = if least == 0 { "0.0".to_string() } else { format!("-0x1p{above}") };
    format!(
        "static inline {ty} {name}(double a) {{\n\
         \x20   return a != a ? 0 : a <= {least_double} ? {least_text} : a >= 0x1p{above} ? {most_text} : ({ty})a;\n\
         }}\n"
    )
}

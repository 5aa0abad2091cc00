//! What operations on numbers give.

pub(crate) fn combined(op: &str, terms: &[f64]) -> f64 {
    let terms = terms.iter().copied();
    match op {
        "sum" => terms.sum(),
        "prod" => terms.product(),
        "min" => terms.fold(f64::INFINITY, lesser),
        "max" => terms.fold(f64::NEG_INFINITY, greater),
        "reduce" => terms.map(|x| x * x).sum(),
        "count" => terms.fold(0.0, |count, _| count + 1.0),
        "from3" => terms.fold(3.0, |sum, x| sum + x),
        _ => terms.last().unwrap_or(0.0),
    }
}

/// Whether a reduction counts each absent term as a zero of its own, and so is a value over all terms.
pub(crate) fn counts_zeros(op: &str) -> bool {
    matches!(op, "count" | "from3")
}

pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

pub(crate) fn arithmetic(op: &str, a: f64, b: f64) -> f64 {
    match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "min" => lesser(a, b),
        _ => greater(a, b),
    }
}

pub(crate) fn function(name: &str, x: f64) -> f64 {
    match name {
        "abs" => x.abs(),
        "sign" => {
            if x.is_nan() || x == 0.0 {
                x
            } else {
                x.signum()
            }
        }
        "floor" => x.floor(),
        "square" => x * x,
        "relu" => greater(x, 0.0),
        "exp" => x.exp(),
        _ => x.cos(),
    }
}

pub(crate) fn holds(op: &str, a: f64, b: f64) -> f64 {
    let holds = match op {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    };
    f64::from(u8::from(holds))
}

//! The text of `sparse_tensor.print` (MLIR 22), byte for byte.
//!
//! It deviates where MLIR's output does not match the storage. Positions and coordinates of narrow widths are
//! unsigned; MLIR prints the upper half of their range as negative. Each of two COO segments has its own
//! tuples; MLIR prints only one.

use std::fmt::Write;

use super::Storage;
use nnz_base::{
    element::{Element, Scalar},
    ids::Lvl,
};
use nnz_encoding::Layout;

/// As `sparse_tensor.print` shows `storage`, ending in a newline.
///
/// `nse` counts the values of one batch, as MLIR's does.
pub fn mlir_print(storage: &Storage) -> String {
    let batches = batch_sizes(storage);
    let parts: u64 = batches.iter().product();
    let mut text = String::from("---- Sparse Tensor ----\n");
    let nse = storage.nse() as u64 / parts.max(1);
    let _ = writeln!(text, "nse = {nse}");
    let _ = writeln!(text, "dim = {}", list(storage.dim_sizes().iter().map(u64::to_string)));
    let _ = writeln!(text, "lvl = {}", list(storage.lvl_sizes().iter().map(u64::to_string)));
    for at in 0..storage.levels().len() {
        level(&mut text, storage, Lvl::new(at), &batches);
    }
    let values: Vec<String> = storage.values().iter().map(|value| value_text(storage.element(), value)).collect();
    let _ = writeln!(text, "values : {}", nested(&values, &batches));
    text.push_str("----\n");
    text
}

fn batch_sizes(storage: &Storage) -> Vec<u64> {
    storage.lvl_sizes().into_iter().take(storage.encoding().batch_rank()).collect()
}

fn level(text: &mut String, storage: &Storage, lvl: Lvl, batches: &[u64]) {
    if let Some(positions) = storage.positions(lvl) {
        let positions: Vec<String> = positions.iter().map(|n| n.to_string()).collect();
        let _ = writeln!(text, "pos[{}] : {}", lvl.index(), nested(&positions, batches));
    }
    let name = if storage.encoding().format(lvl).has_mask() { "mask" } else { "crd" };
    if let Some(coordinates) = shown_coordinates(storage, lvl) {
        let _ = writeln!(text, "{name}[{}] : {}", lvl.index(), nested(&coordinates, batches));
    }
}

/// The coordinates shown at `lvl`: an AoS segment shows its tuples at its head, and nothing below.
fn shown_coordinates(storage: &Storage, lvl: Lvl) -> Option<Vec<String>> {
    let segments = storage.encoding().coo_segments();
    let within = |head: Lvl, len: usize| (head.index()..head.index() + len).contains(&lvl.index());
    let tuples = segments.iter().find(|s| s.layout == Layout::Aos && within(s.head, s.len));
    let lvls = match tuples {
        Some(segment) if segment.head != lvl => return None,
        Some(segment) => lvl.index()..lvl.index() + segment.len,
        None => lvl.index()..lvl.index() + 1,
    };
    let columns = lvls.map(|at| true_coordinates(storage, Lvl::new(at))).collect::<Option<Vec<_>>>()?;
    let entries = 0..columns.first().map_or(0, Vec::len);
    let tuple = |entry: usize| columns.iter().filter_map(move |column| Some(column.get(entry)?.to_string()));
    Some(entries.flat_map(tuple).collect())
}

/// The coordinates of a level as the values of its expression, or the array from which they follow.
pub(super) fn true_coordinates(storage: &Storage, lvl: Lvl) -> Option<Vec<i128>> {
    let origin = i128::from(storage.shown_origin(lvl));
    Some(storage.coordinates(lvl)?.iter().map(|coordinate| i128::from(coordinate) + origin).collect())
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("( {} )", items.collect::<Vec<_>>().join(", "))
}

/// Equal parts of `items`, nested once per batch level, without separators between lists.
fn nested(items: &[String], batches: &[u64]) -> String {
    let Some((&batch, below)) = batches.split_first() else { return list(items.iter().cloned()) };
    let part = items.len() / (batch as usize).max(1);
    let parts = (0..batch as usize).map(|at| nested(&items[at * part..(at + 1) * part], below));
    format!("( {} )", parts.collect::<String>())
}

/// A value as `sparse_tensor.print` shows it: floats by C's `%g`, a complex number as `( re, im )`.
pub fn value_text(element: Element, value: Scalar) -> String {
    match value {
        Scalar::Complex(z) => format!("( {}, {} )", general(z.re), general(z.im)),
        Scalar::Float(x) => general(x),
        Scalar::Int(x) if element == Element::I1 => (x & 1).to_string(),
        Scalar::Int(x) => x.to_string(),
    }
}

/// C's `%g`: six significant digits, trailing zeros dropped, an exponent if it is below -4 or above 5.
pub fn general(x: f64) -> String {
    const DIGITS: i32 = 6;
    if !x.is_finite() {
        let sign = if x.is_sign_negative() { "-" } else { "" };
        return format!("{sign}{}", if x.is_nan() { "nan" } else { "inf" });
    }
    let scientific = format!("{x:.*e}", DIGITS as usize - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..DIGITS).contains(&exponent) {
        return without_trailing_zeros(&format!("{x:.*}", (DIGITS - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_trailing_zeros(mantissa), exponent.abs())
}

fn without_trailing_zeros(number: &str) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_c_prints_them() {
        let cases = [
            (1.0, "1"),
            (1.5, "1.5"),
            (0.1, "0.1"),
            (1e10, "1e+10"),
            (1e100, "1e+100"),
            (123456789.0, "1.23457e+08"),
            (3e-5, "3e-05"),
            (0.0001, "0.0001"),
            (100000.0, "100000"),
            (999999.5, "1e+06"),
            (1e6, "1e+06"),
            (-0.0, "-0"),
            (f64::INFINITY, "inf"),
            (-f64::NAN, "-nan"),
            (f64::NAN, "nan"),
            (2.5e-310, "2.5e-310"),
        ];
        for (x, text) in cases {
            assert_eq!(general(x), text);
        }
        assert_eq!(value_text(Element::F16, Scalar::Float(half::f16::from_f64(0.1).to_f64())), "0.0999756");
        assert_eq!(value_text(Element::C64, Scalar::Complex(num_complex::Complex::new(1.0, -2.5))), "( 1, -2.5 )");
    }
}

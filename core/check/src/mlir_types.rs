//! The names of MLIR's types.

/// The floating-point types of MLIR, and what else is a type by its name alone.
const MLIR_TYPES: &[&str] = &[
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E5M2FNUZ",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E3M4",
    "f8E8M0FNU",
    "bf16",
    "f16",
    "tf32",
    "f32",
    "f64",
    "f80",
    "f128",
    "index",
    "none",
];

/// The types of MLIR that are followed by `<...>`.
pub const MLIR_FAMILIES: &[&str] = &["tensor", "memref", "vector", "complex", "tuple"];

/// Whether MLIR has a type of this text: integers and floats of any width, types of dialects, aliases among them.
pub fn is_mlir_type(text: &str) -> bool {
    let integer = text.strip_prefix(['s', 'u']).unwrap_or(text).strip_prefix('i');
    let bits = integer.filter(|bits| bits.bytes().all(|byte| byte.is_ascii_digit()));
    let wide = bits.and_then(|bits| bits.parse::<u32>().ok()).is_some_and(|bits| bits < 1 << 24);
    // Of a complex number: an integer or a float.
    let is_part = |part: &str| is_mlir_type(part) && !part.contains(['<', '!']) && !matches!(part, "index" | "none");
    let family = || {
        let (word, behind) = text.split_once('<')?;
        let part = behind.trim_end().strip_suffix('>')?;
        Some(MLIR_FAMILIES.contains(&word.trim()) && (word != "complex" || is_part(part.trim())))
    };
    wide || MLIR_TYPES.contains(&text) || text.starts_with('!') || family().unwrap_or(false)
}

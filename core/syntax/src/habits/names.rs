//! Names of types, formats and numbers in other languages, and letters outside ASCII.

/// Element types and formats by the names that other tools give them.
const TYPES: &[(&str, &str)] = &[
    ("double", "f64"),
    ("float", "f64"),
    ("real", "f64"),
    ("float64", "f64"),
    ("fp64", "f64"),
    ("single", "f32"),
    ("float32", "f32"),
    ("fp32", "f32"),
    ("half", "f16"),
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("int", "i64"),
    ("integer", "i64"),
    ("long", "i64"),
    ("int64", "i64"),
    ("int32", "i32"),
    ("int16", "i16"),
    ("int8", "i8"),
    ("Float64", "f64"),
    ("Float32", "f32"),
    ("Float16", "f16"),
    ("Int64", "i64"),
    ("Int32", "i32"),
    ("Int16", "i16"),
    ("Int8", "i8"),
    ("Bool", "i1"),
    ("uint8", "ui8"),
    ("uint16", "ui16"),
    ("uint32", "ui32"),
    ("uint64", "ui64"),
    ("bool", "i1"),
    ("boolean", "i1"),
    ("usize", "index"),
    ("size_t", "index"),
    ("complex", "complex<f64>"),
    ("complex64", "complex<f32>"),
    ("complex128", "complex<f64>"),
    ("CRS", "CSR"),
    ("csr_matrix", "CSR"),
    ("csr_array", "CSR"),
    ("CCS", "CSC"),
    ("csc_matrix", "CSC"),
    ("csc_array", "CSC"),
    ("coo_matrix", "COO"),
    ("coo_array", "COO"),
    ("BCSR", "BSR(2, 2)"),
    ("BCRS", "BSR(2, 2)"),
];

/// The element type to which `(name) x` converts in C.
pub fn cast(name: &str) -> Option<&'static str> {
    match name {
        "float" => Some("f32"),
        "int" => Some("i32"),
        "f64" => Some("f64"),
        "f32" => Some("f32"),
        "i64" => Some("i64"),
        "i32" => Some("i32"),
        _ => type_name(name).filter(|own| !own.starts_with(|c: char| c.is_ascii_uppercase())),
    }
}

/// The number that other languages call `name`.
pub fn constant(name: &str) -> Option<&'static str> {
    match name {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "NaN" | "NAN" | "NA" => Some("nan"),
        "Inf" | "INF" | "Infinity" | "INFINITY" => Some("inf"),
        _ => None,
    }
}

/// The type or format that another tool calls `name`.
pub fn type_name(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(written, _)| *written == name).map(|(_, own)| *own)
}

/// The names of the formats, which a type is told by.
pub const FORMATS: &[&str] = &[
    "CSR",
    "CSC",
    "COO",
    "DCSR",
    "DCSC",
    "BSR",
    "BSC",
    "CSF",
    "ELL",
    "JDS",
    "DIA",
    "DIAJ",
    "SkewDIAI",
    "SkewDIAJ",
    "DELTA",
    "NM",
    "SparseVector",
    "dense",
    "CROW",
    "CCOL",
    "BSRLeft",
    "BSCLeft",
    "BSR3",
    "BlockVector",
    "BatchedCSR",
    "BatchedDIAINonUniform",
    "BatchedDIAIUniform",
    "COOd",
    "CSRd",
    "CSCd",
    "BSRRightd",
    "BSCRightd",
    "DensedLeft",
];

/// The format that a word names, by its own name or in small letters.
pub fn format_name(word: &str) -> Option<&'static str> {
    FORMATS.iter().copied().find(|own| own.eq_ignore_ascii_case(word))
}

/// Letters that people name things with, in ASCII.
const LETTERS: &[(&str, &str)] = &[
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("δ", "delta"),
    ("ε", "epsilon"),
    ("η", "eta"),
    ("θ", "theta"),
    ("λ", "lambda"),
    ("μ", "mu"),
    ("ν", "nu"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("σ", "sigma"),
    ("τ", "tau"),
    ("φ", "phi"),
    ("ω", "omega"),
    ("Δ", "Delta"),
    ("Σ", "Sigma"),
    ("∞", "inf"),
    // Cyrillic letters that look like Latin ones.
    ("у", "y"),
    ("х", "x"),
    ("а", "a"),
    ("е", "e"),
    ("о", "o"),
    ("р", "p"),
    ("с", "c"),
    ("і", "i"),
    ("ј", "j"),
    ("А", "A"),
    ("В", "B"),
    ("С", "C"),
    ("М", "M"),
    ("Х", "X"),
];

pub fn letter(text: &str) -> Option<&'static str> {
    LETTERS.iter().find(|(written, _)| *written == text).map(|(_, ascii)| *ascii)
}

//! Names that are legal and free in C.

use std::collections::HashSet;

use nnz_loops::{ArrayId, Binary, Function, Unary, VarId};

/// Words of the language, and what the headers define that a kernel includes.
const TAKEN: &[&str] = &[
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "true",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "asm",
    "typeof",
    "errno",
    "linux",
    "unix",
    "i386",
    "math_errhandling",
];

/// Functions and macros that emitted code uses, besides those that operations are named after: a variable
/// of that name would hide one.
const FUNCTIONS: &[&str] =
    &["fabs", "fmod", "isnan", "signbit", "memcpy", "malloc", "free", "abort", "NAN", "INFINITY"];

/// How the names of macros and types of <stdint.h>, <float.h>, <stdlib.h> and <math.h> begin.
const PREFIXES: &[&str] = &[
    "__", "INT", "UINT", "PTRDIFF_", "SIZE_", "SIG_", "WCHAR_", "WINT_", "FP_", "FLT_", "DBL_", "LDBL_", "HUGE_",
    "MATH_", "M_", "EXIT_", "RAND_", "nnz_",
];

/// The C names of a function's arrays and variables.
pub(super) struct Names {
    arrays: Vec<String>,
    vars: Vec<String>,
    taken: HashSet<String>,
}

impl Names {
    pub(super) fn new(function: &Function) -> Names {
        let mut names = Names { arrays: Vec::new(), vars: Vec::new(), taken: HashSet::new() };
        for var in &function.vars {
            let name = names.fresh(&var.name);
            names.vars.push(name);
        }
        for array in &function.arrays {
            let name = names.fresh(&array.name);
            names.arrays.push(name);
        }
        names
    }

    /// A name like `wanted` that nothing else has.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        let numbered = (1..).map(|n| format!("{wanted}_{n}"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(wanted);
        self.taken.insert(name.clone());
        name
    }

    pub(super) fn array(&self, id: ArrayId) -> &str {
        &self.arrays[id.index()]
    }
    pub(super) fn var(&self, id: VarId) -> &str {
        &self.vars[id.index()]
    }
}

/// `text`, a name of the loop IR, as a C identifier: dots become underscores, letters outside ASCII
/// their numbers, and what C has taken gets an underscore.
pub(super) fn identifier(text: &str) -> String {
    let letter = |c: char| match c {
        '.' => "_".to_string(),
        c if c.is_ascii_alphanumeric() || c == '_' => c.to_string(),
        c => format!("u{:04x}", u32::from(c)),
    };
    let name: String = text.chars().map(letter).collect();
    if is_taken(&name) { format!("{}_", name.trim_start_matches('_')) } else { name }
}

fn is_taken(name: &str) -> bool {
    let is_function = |name: &str| {
        let operations = Unary::all().map(Unary::name).chain(Binary::all().map(Binary::name));
        FUNCTIONS.contains(&name) || { operations }.any(|operation| operation == name)
    };
    let function = is_function(name) || name.strip_suffix('f').is_some_and(is_function);
    let reserved = name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let type_name = name.ends_with("_t");
    function || reserved || type_name || TAKEN.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_that_c_leaves_free() {
        let pairs = [
            ("A.pos1", "A_pos1"),
            ("int", "int_"),
            ("expf", "expf_"),
            ("_Bool", "Bool_"),
            ("__x", "x_"),
            ("nnz_sort_u8", "nnz_sort_u8_"),
            ("size_t", "size_t_"),
            ("größe", "gru00f6u00dfe"),
            ("i", "i"),
        ];
        for (text, expected) in pairs {
            assert_eq!(identifier(text), expected);
        }
    }

    #[test]
    fn no_two_things_share_a_name() {
        let mut names = Names { arrays: Vec::new(), vars: Vec::new(), taken: HashSet::new() };
        assert_eq!(["a.b", "a_b", "a_b_1", "a.b"].map(|name| names.fresh(name)), ["a_b", "a_b_1", "a_b_1_1", "a_b_2"]);
    }
}

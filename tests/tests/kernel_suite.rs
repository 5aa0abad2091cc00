//! Runs `suite/kernel/*.txt` on every back end, as C, and with `NNZ_MLIR` as MLIR.
//!
//! A file is a row of sections, each opened by `--- name ---`:
//!
//! ```text
//! --- csr spmv ---
//! y : 2
//! A : 2x3xf32, (i, j) -> (i : dense, j : compressed) = 1 0 2  0 3 0
//! x : 3xf32 = 1 2 3
//! y(i) = A(i, j) * x(j)
//! = 7 6
//! ```
//!
//! Tensors, the result first: shape and element type (f64 where it has none), a map, the values
//! row-major. Then the kernel, and `=` with the result row-major or `error:` with what is reported.

use std::{fs, path::Path, sync::Arc};

use nnz_core::{backend::Backend, element::Element};
use nnz_tests::{
    kernels::{Case, Data, difference, engines, maps},
    parallel,
};

struct Section {
    name: String,
    lines: Vec<String>,
}

fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match line.strip_prefix("--- ").and_then(|rest| rest.strip_suffix(" ---")) {
            Some(name) => sections.push(Section { name: name.to_string(), lines: Vec::new() }),
            None => sections.last_mut().expect("a section comes first").lines.push(line.to_string()),
        }
    }
    sections
}

/// `name : SHAPExTYPE, map = values`
fn tensor(line: &str) -> Data {
    let (name, rest) = line.split_once(" : ").expect("`:` after the name");
    let (ty, values) = match rest.rsplit_once(" = ") {
        Some((ty, values)) => (ty, values),
        None => (rest.trim_end_matches('='), ""),
    };
    let (ty, map) = match ty.split_once(", ") {
        Some((ty, map)) => (ty, Some(map)),
        None => (ty, None),
    };
    let (shape, element) = shape_and_type(ty.trim());
    let values = values.split_whitespace().map(|x| x.parse().expect("a number")).collect();
    let encoding = map.map(|map| Arc::new(maps::parse(map).unwrap_or_else(|error| panic!("{map}: {error}"))));
    Data::new(name, element, &shape, encoding, values)
}

/// `3x4xf32`, `3x4` or `f32`.
fn shape_and_type(text: &str) -> (Vec<u64>, Element) {
    let mut rest = text;
    let mut shape = Vec::new();
    while let Ok(size) = rest.split('x').next().unwrap_or("").parse() {
        shape.push(size);
        rest = rest.split_once('x').map_or("", |(_, rest)| rest);
    }
    let named = || Element::parse(rest).unwrap_or_else(|| panic!("`{rest}` is no element type"));
    (shape, if rest.is_empty() { Element::F64 } else { named() })
}

fn run(section: &Section, engines: &[(String, Box<dyn Backend>)]) {
    let (tensors, rest): (Vec<&String>, Vec<&String>) = section.lines.iter().partition(|line| line.contains(" : "));
    let [kernel, expected] = rest.as_slice() else { panic!("{}: a kernel and a result", section.name) };
    let data = tensors.into_iter().map(|line| tensor(line)).collect();
    let case = match (Case::new(kernel, data), expected.strip_prefix("error: ")) {
        (Err(error), Some(wanted)) => return assert_eq!(error, wanted, "{}", section.name),
        (Err(error), None) => panic!("{}: {error}", section.name),
        (Ok(case), _) => case,
    };
    for (name, backend) in engines {
        let found = case.storage_on(&**backend, 2).and_then(|found| found.dense());
        match (found, expected.strip_prefix("error: ")) {
            (Err(error), Some(wanted)) => assert_eq!(error, wanted, "{} on {name}", section.name),
            (Err(error), None) => panic!("{} on {name}: {error}", section.name),
            (Ok(found), Some(_)) => panic!("{} on {name} gave {found:?}", section.name),
            (Ok(found), None) => {
                let values = expected.trim_start_matches('=').split_whitespace();
                let expected: Vec<f64> = values.map(|x| x.parse().expect("a number")).collect();
                assert_eq!(difference(&found, &expected, 1e-12), None, "{} on {name}", section.name);
            }
        }
    }
}

/// What Miri runs, which takes half a minute for each.
const UNDER_MIRI: &[&str] = &[
    "csr",
    "dcsr",
    "coo",
    "blocks that divide the shape",
    "bitmaps",
    "hash tables",
    "two of a whole row, added to a compressed matrix",
];

#[test]
fn sections_give_their_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/kernel");
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).expect("the suite is there") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a text");
        let mut sections = sections(&text);
        sections.retain(|section| !cfg!(miri) || UNDER_MIRI.contains(&section.name.as_str()));
        all.extend(sections);
    }
    parallel::each_with(&all, engines, |engines, section| run(section, engines));
    let count = all.len();
    assert!(count >= if cfg!(miri) { UNDER_MIRI.len() } else { 40 }, "only {count} sections");
}

//! Kernels with correct answers from files of cases (`NNZ_CASES`, paths with `:` between them), on every back
//! end: all values, and the arrays of results whose structure follows from the operands'.

use std::sync::Arc;

use nnz_core::{
    arrays::IndexArray, backend::Backend, element::Element, encoding::Encoding, ids::Lvl, storage::Storage,
};
use nnz_tests::{
    kernels::{Case, Computed, Data, difference, engines, maps, missing},
    parallel,
};
use serde_json::Value;

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or("")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().map_or(Vec::new(), |all| all.iter().filter_map(Value::as_f64).collect())
}

/// One letter a level: d dense, s compressed, u compressed(nonunique), q singleton, c singleton(nonunique).
fn encoding_of(tensor: &Value) -> Option<Arc<Encoding>> {
    let format = text(tensor, "format").split(':').next().unwrap_or("");
    let order: Vec<u64> = numbers(&tensor["mode_ordering"]).into_iter().map(|at| at as u64).collect();
    let identity = order.iter().enumerate().all(|(at, dim)| at as u64 == *dim);
    if format.chars().all(|c| c == 'd') && identity {
        return None;
    }
    let name = |letter| match letter {
        's' => "compressed",
        'u' => "compressed(nonunique)",
        'q' => "singleton",
        'c' => "singleton(nonunique)",
        _ => "dense",
    };
    let dims: Vec<String> = (0..order.len()).map(|at| format!("d{at}")).collect();
    let levels: Vec<String> =
        order.iter().zip(format.chars()).map(|(dim, c)| format!("d{dim} : {}", name(c))).collect();
    let map = format!("({}) -> ({})", dims.join(", "), levels.join(", "));
    Some(Arc::new(maps::parse(&map).unwrap_or_else(|error| panic!("{map}: {error}"))))
}

fn operand(value: &Value) -> Data {
    let shape: Vec<u64> = numbers(&value["dims"]).into_iter().map(|size| size as u64).collect();
    let mut dense = vec![0.0; shape.iter().product::<u64>() as usize];
    for row in value["coo"].as_array().into_iter().flatten().map(numbers) {
        let axes = row.iter().zip(&shape);
        let at = axes.fold(0, |at, (coordinate, size)| at * *size as usize + *coordinate as usize);
        dense[at] += row.last().copied().unwrap_or(0.0);
    }
    Data::new(text(value, "name"), Element::F64, &shape, encoding_of(value), dense)
}

/// Where the arrays of `storage` are not those of the case.
fn arrays_differ(case: &Value, storage: &Storage) -> Option<String> {
    let levels = case["result"]["levels"].as_array().into_iter().flatten().enumerate();
    let array = |found: Option<&IndexArray>| found.map(|array| array.iter().map(|n| n as f64).collect::<Vec<f64>>());
    for (at, level) in levels {
        let found = [array(storage.positions(Lvl::new(at))), array(storage.coordinates(Lvl::new(at)))];
        for (found, key) in found.into_iter().zip(["pos", "crd"]) {
            let wanted = level[key].is_array().then(|| numbers(&level[key]));
            if wanted.is_some() && found != wanted {
                return Some(format!("level {at}, {key}: {found:?}, expected {wanted:?}"));
            }
        }
    }
    None
}

fn check(case: &Value, found: &Computed) -> Option<String> {
    let tolerance = if text(case, "family") == "real" { 1e-12 } else { 0.0 };
    let dense = found.dense().unwrap_or_else(|error| panic!("{error}"));
    let values = difference(&dense, &numbers(&case["result"]["dense"]), tolerance);
    let structural = text(case, "storage_class") == "structural";
    values.or_else(|| match found {
        Computed::Tensor(storage) if structural => arrays_differ(case, storage),
        Computed::Tensor(_) | Computed::Number(_) => None,
    })
}

/// What is wrong, on which back end.
fn run(case: &Value, engines: &[(String, Box<dyn Backend>)]) -> Vec<String> {
    let result = operand(&case["result"]);
    let data = std::iter::once(result).chain(case["operands"].as_array().into_iter().flatten().map(operand)).collect();
    let place = format!("{} {}", text(case, "id"), text(case, "expr"));
    let kernel = match Case::new(text(case, "expr"), data) {
        Ok(kernel) => kernel,
        Err(error) => return vec![format!("{place}: {error}")],
    };
    let on = |(name, backend): &(String, Box<dyn Backend>)| match kernel.storage_on(&**backend, 1) {
        Ok(found) => check(case, &found).map(|problem| format!("{place} on {name}: {problem}")),
        Err(error) => Some(format!("{place} on {name}: {error}")),
    };
    engines.iter().filter_map(on).collect()
}

fn cases_of(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    match file["cases"].take() {
        Value::Array(cases) => cases,
        _ => panic!("{path}: no `cases`"),
    }
}

#[test]
fn cases_have_their_right_answers() {
    let Some(paths) = std::env::var("NNZ_CASES").ok().or_else(|| missing("a file of cases (NNZ_CASES)")) else {
        return;
    };
    let cases: Vec<Value> = paths.split(':').flat_map(cases_of).collect();
    let problems = parallel::each_with(&cases, engines, |engines, case| run(case, engines)).concat();
    let names: Vec<String> = engines().into_iter().map(|(name, _)| name).collect();
    println!("{} cases on {}", cases.len(), names.join(", "));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

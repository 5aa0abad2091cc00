//! Kernels with right answers from a file of cases (`NNZ_CASES`, in the form that `cases` below reads):
//! those with at most one sparse operand and a dense result, on every back end.

use std::sync::Arc;

use nnz_core::{element::Element, encoding::Encoding};
use nnz_tests::kernels::{Case, Data, difference, maps, targets};
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

fn is_dense(tensor: &Value) -> bool {
    text(tensor, "format").split(':').next().unwrap_or("").chars().all(|c| c == 'd')
}

/// Whether this version takes the case, as far as formats say.
fn is_in_scope(case: &Value) -> bool {
    let operands = case["operands"].as_array().into_iter().flatten();
    is_dense(&case["result"]) && operands.filter(|operand| !is_dense(operand)).count() <= 1
}

/// `None`: refused as not supported yet.
fn run(case: &Value) -> Option<()> {
    let result = operand(&case["result"]);
    let data = std::iter::once(result).chain(case["operands"].as_array().into_iter().flatten().map(operand)).collect();
    let place = format!("{} {}", text(case, "id"), text(case, "expr"));
    let kernel = Case::new(text(case, "expr"), data).unwrap_or_else(|error| panic!("{place}: {error}"));
    let tolerance = if text(case, "family") == "real" { 1e-12 } else { 0.0 };
    for target in targets() {
        match kernel.run(target, 1) {
            Ok(found) => {
                let difference = difference(&found, &numbers(&case["result"]["dense"]), tolerance);
                assert_eq!(difference, None, "{place} on {target:?}");
            }
            Err(error) if error.starts_with("not supported yet") => return None,
            Err(error) => panic!("{place} on {target:?}: {error}"),
        }
    }
    Some(())
}

#[test]
fn cases_have_their_right_answers() {
    let Ok(path) = std::env::var("NNZ_CASES") else {
        return println!("skipped: NNZ_CASES names no file of cases");
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cases: Vec<&Value> = file["cases"].as_array().into_iter().flatten().filter(|case| is_in_scope(case)).collect();
    let ran = cases.iter().filter_map(|case| run(case)).count();
    println!("{ran} of {} cases ran, the others are not supported yet", cases.len());
    assert!(ran * 10 >= cases.len() * 9, "only {ran} of {} cases ran", cases.len());
}

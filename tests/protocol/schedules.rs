//! Schedules in the editor: illegal steps, completions, and hovers of steps.

use serde_json::Value;

use crate::client::Client;

const URI: &str = "file:///schedules.nnz";
const TEXT: &str = "\
A : tensor<3x4xf64, CSR> = [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]
x : tensor<4xf64> = [1, 2, 3, 4]
y(i) = A(i, j) * x(j) schedule split(i, strips, rows, 2), reorder(j, rows)
z(i) = A(i, j) * x(j) schedule reorder(j, i)
w(i) = A(i, j) * x(j) schedule split(i, strips, rows, 2), unroll(
";

fn started() -> Client {
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, TEXT);
    client
}

fn column(line: usize, needle: &str) -> u32 {
    TEXT.lines().nth(line).and_then(|text| text.find(needle)).unwrap() as u32
}

fn labels(items: &Value) -> Vec<&str> {
    let items = items.as_array().or(items["items"].as_array()).unwrap();
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

#[test]
fn steps_that_the_loops_do_not_allow_are_reported_where_they_stand() {
    let mut client = started();
    let diagnostics = client.diagnostics(URI, 1);
    for (line, step, reason) in
        [(2, "reorder(j, rows)", "more inside `rows`"), (3, "reorder(j, i)", "converted to CSC")]
    {
        let at = |d: &&Value| d["range"]["start"]["line"] == line && d["code"] == "E0341";
        let found = diagnostics.iter().find(at).unwrap_or_else(|| panic!("line {line}: {diagnostics:?}"));
        assert_eq!(found["range"]["start"]["character"], column(line, step));
        assert!(found["message"].as_str().is_some_and(|text| text.contains(reason)), "{found}");
    }
}

#[test]
fn the_word_schedule_is_completed_behind_a_kernel() {
    let mut client = Client::start(&["utf-16"]);
    let mut offered = |version: i32, line: &str| {
        let uri = format!("file:///word{version}.nnz");
        client.open(&uri, version, &format!("x = [1, 2]\n{line}"));
        let items = client.at("textDocument/completion", &uri, 1, line.len() as u32);
        labels(&items).contains(&"schedule")
    };
    assert!(offered(1, "y(i) = 2 * x(i) sch"));
    assert!(!offered(2, "y(i) = 2 * sch"));
}

#[test]
fn steps_and_loops_are_completed() {
    let mut client = started();
    let items = client.at("textDocument/completion", URI, 2, column(2, "split"));
    let steps = labels(&items);
    assert!(steps.contains(&"split") && steps.contains(&"parallelize") && !steps.contains(&"A"), "{steps:?}");
    let items = client.at("textDocument/completion", URI, 4, column(4, "unroll(") + 7);
    let loops = labels(&items);
    assert!(["i", "j", "strips", "rows"].iter().all(|name| loops.contains(name)), "{loops:?}");
    assert!(!loops.contains(&"A") && !loops.contains(&"split"), "{loops:?}");
}

#[test]
fn a_step_says_what_it_does() {
    let mut client = started();
    for (needle, expected) in [("schedule", "never changes the result"), ("split", "in strips"), ("reorder", "outside")]
    {
        let hover = client.at("textDocument/hover", URI, 2, column(2, needle) + 1);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(expected), "hover on `{needle}`: no `{expected}` in\n{text}");
    }
}

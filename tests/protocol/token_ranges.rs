//! `textDocument/semanticTokens/range`: the tokens of a range are those that the whole text has there.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///tokens.mlir";
const TEXT: &str = "\
// \u{1f4a0} rows
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @f(%A: tensor<8x8xf64, #CSR>) -> index {
  %n = sparse_tensor.number_of_entries %A : tensor<8x8xf64, #CSR>
  return %n : index
}
";

/// Line, column, length, kind and modifiers of each token.
fn absolute(data: &Value) -> Vec<[u64; 5]> {
    let numbers: Vec<u64> = data.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    let (mut line, mut column) = (0, 0);
    let token = |part: &[u64]| {
        column = if part[0] == 0 { column + part[1] } else { part[1] };
        line += part[0];
        [line, column, part[2], part[3], part[4]]
    };
    numbers.chunks(5).map(token).collect()
}

fn of_range(client: &mut Client, from: (u32, u32), to: (u32, u32)) -> Vec<[u64; 5]> {
    let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    let range = json!({ "start": place(from), "end": place(to) });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    absolute(&client.request("textDocument/semanticTokens/range", params)["result"]["data"])
}

#[test]
fn a_range_has_the_tokens_of_the_whole() {
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, TEXT);
    let params = json!({ "textDocument": { "uri": URI } });
    let whole = absolute(&client.request("textDocument/semanticTokens/full", params)["result"]["data"]);
    assert!(whole.len() > 15, "{whole:?}");
    assert_eq!(of_range(&mut client, (0, 0), (99, 0)), whole);
    for (first, last) in [(0, 1), (1, 2), (1, 3), (2, 5), (3, 4), (4, 5)] {
        let found = of_range(&mut client, (first, 0), (last, 0));
        let lines = u64::from(first)..u64::from(last);
        let wanted: Vec<_> = whole.iter().filter(|token| lines.contains(&token[0])).copied().collect();
        assert!(!wanted.is_empty());
        assert!(wanted.iter().all(|token| found.contains(token)), "lines {first} to {last}: {found:?}");
        // A token that only borders on the range may come, too.
        assert!(found.iter().all(|token| whole.contains(token) && token[0] <= u64::from(last)), "{found:?}");
    }
}

#[test]
fn a_range_within_a_line_leaves_out_the_rest() {
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, TEXT);
    let found = of_range(&mut client, (3, 2), (3, 4));
    assert_eq!(found.iter().map(|token| (token[0], token[1])).collect::<Vec<_>>(), [(3, 2)]);
    assert_eq!(of_range(&mut client, (50, 0), (60, 0)), Vec::<[u64; 5]>::new());
}

//! The table of requests in docs/editors.md is what the server announces.

use std::collections::BTreeSet;

use serde_json::json;

use crate::client::Client;

const DOCS: &str = include_str!("../../docs/editors.md");

/// The second column of the table.
fn documented() -> BTreeSet<String> {
    let rows = DOCS.lines().filter(|line| line.contains("Provider` |"));
    let name = |row: &str| row.split('|').nth(2).map(|cell| cell.trim().trim_matches('`').to_string());
    rows.filter_map(name).collect()
}

#[test]
fn the_table_of_requests_is_what_the_server_announces() {
    let mut client = Client::spawn();
    let answer = client.request("initialize", json!({ "capabilities": {} }));
    let announced = answer["result"]["capabilities"].as_object().unwrap();
    let known = announced.iter().filter(|(name, value)| name.ends_with("Provider") && !value.is_null());
    let announced: BTreeSet<String> = known.map(|(name, _)| name.clone()).collect();
    assert_eq!(documented(), announced);
}
